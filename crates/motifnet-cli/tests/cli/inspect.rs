use crate::support::Folder;

/// A feed-forward loop with a mutual pair, a loop, a repeat and a star.
const GRAPH: &str = "0 1\n1 2\n0 2\n2 3\n3 2\n4 4\n0 1\n5 0\n5 1\n5 2\n5 3\n";

#[test]
fn a_graph_is_described() {
    let text = Folder::with("g.txt", GRAPH).ok("inspect g.txt --threads 1");
    // Times differ from run to run.
    let (lasting, times) = text.split_once("\ncost ").unwrap();
    insta::assert_snapshot!(lasting);
    for part in ["reading, the graph", "triangle pass, ", "20 operators, pairs", "on 1 thread\n"] {
        assert!(times.contains(part), "{times}");
    }
}

#[test]
fn json_has_the_promised_keys() {
    let report = Folder::with("g.txt", GRAPH).json("inspect g.txt");
    assert_eq!(report["graph"]["cleaning"]["repeated"], 1);
    assert_eq!(report["graph"]["cleaning"]["self_loops"], 1);
    assert_eq!(report["summary"]["n_reciprocated_arcs"], 2);
    assert_eq!(report["summary"]["weak_components"]["n_components"], 2);
    assert_eq!(report["n_edges"], 8);
    let motifs = report["motifs"].as_array().unwrap();
    assert_eq!(motifs.len(), 20);
    assert_eq!(motifs[14]["motif"], "out");
    assert_eq!(motifs[14]["pairs"]["entries"], 9);
    assert_eq!(motifs[14]["pairs"]["exact"], true);
    for key in ["read_seconds", "pass_seconds", "operators_seconds"] {
        assert!(report["costs"][key].as_f64().unwrap() >= 0.0, "{key}");
    }
    assert_eq!(report["costs"]["pass_bytes"], 3 * 36 * 8);
    let operators = motifs.iter().map(|motif| motif["operator_bytes"].as_u64().unwrap());
    assert_eq!(report["costs"]["operators_bytes"], operators.sum::<u64>());
}

#[test]
fn sizes_are_those_of_the_files() {
    let folder = Folder::new();
    folder.ok("generate rmat --nodes 128 --arcs 900 -o g.tsv");
    for instances in ["induced", "subgraph"] {
        let report = folder.json(&format!("inspect g.tsv --instances {instances}"));
        for support in ["edges", "pairs"] {
            let written = folder.json(&format!(
                "motifs g.tsv --motif all --instances {instances} --support {support} --out m"
            ));
            let files = written["files"].as_array().unwrap();
            for (size, file) in report["motifs"].as_array().unwrap().iter().zip(files) {
                assert_eq!(size["motif"], file["motif"]);
                assert_eq!(size[support]["entries"], file["entries"], "{file}");
            }
        }
    }
}

#[test]
fn graphs_without_arcs_or_nodes_are_described_too() {
    let folder = Folder::with("loop.tsv", "0\t0\n");
    folder.put("empty.mtx", "%%MatrixMarket matrix coordinate pattern general\n0 0 0\n");
    for graph in ["loop.tsv", "empty.mtx"] {
        assert!(folder.ok(&format!("inspect {graph}")).contains("triangles          0"), "{graph}");
    }
}
