use serde_json::json;

use crate::support::{Folder, rows};

/// A feed-forward loop 0→1→2, 0→2 with a mutual pair 2↔3.
const SMALL: &str = "ann\tbob\nbob\tcat\nann\tcat\ncat\tdan\ndan\tcat\n";

#[test]
fn known_counts_are_printed() {
    insta::assert_snapshot!(Folder::with("g.tsv", SMALL).ok("census g.tsv"));
}

#[test]
fn json_has_the_promised_keys() {
    let census = Folder::with("g.tsv", SMALL).json("census g.tsv");
    assert_eq!(census["graph"]["n_nodes"], 4);
    assert_eq!(census["graph"]["cleaning"]["self_loops"], 0);
    assert_eq!(census["instances"], "induced");
    assert_eq!(census["triads"].as_array().unwrap().len(), 16);
    assert_eq!(census["triads"][8], json!({ "name": "030T", "motif": "M5", "count": 1 }));
    assert_eq!(census["triads"][0], json!({ "name": "003", "motif": null, "count": 0 }));
    assert_eq!(census["motifs"].as_array().unwrap().len(), 13);
    assert_eq!(
        census["motifs"][11],
        json!({ "name": "M12", "arcs": [[0, 1], [1, 0], [2, 0]], "count": 2 })
    );
    // ann has room for two triangles going out and one is there.
    let out = json!({ "triangles": "out", "mean": 0.5, "n_nodes": 1 });
    assert_eq!(census["clustering"][3], out);
    assert_eq!(census["clustering"].as_array().unwrap().len(), 5);
    assert_eq!(census["files"], json!([]));
}

#[test]
fn subgraphs_are_the_combination_of_induced_ones() {
    let folder = Folder::with("g.tsv", "0 1\n1 0\n1 2\n2 1\n0 2\n2 0\n");
    let census = folder.json("census g.tsv --instances subgraph --per-node n.csv --per-edge e.csv");
    let counts: Vec<_> = census["motifs"].as_array().unwrap().iter().map(|m| &m["count"]).collect();
    // A complete triad has so many subgraphs of each kind.
    assert_eq!(json!(counts), json!([2, 6, 6, 1, 6, 3, 3, 3, 6, 3, 6, 6, 3]));
    assert_eq!(folder.text("n.csv").lines().nth(1), Some("0,2,6,6,1,6,3,3,3,6,3,6,6,3"));
    assert_eq!(folder.text("e.csv").lines().nth(3), Some("1,2,both,2,6,6,1,6,3,3,3,6,3,6,6,3"));
}

#[test]
fn tables_name_nodes_and_add_up() {
    let folder = Folder::with("g.tsv", SMALL);
    folder.ok("census g.tsv --per-node n.csv --per-edge e.csv --roles r.csv");
    insta::assert_snapshot!(["n.csv", "e.csv", "r.csv"].map(|name| folder.text(name)).join("\n"));
}

#[test]
fn clustering_coefficients_are_written_node_by_node() {
    let folder = Folder::with("g.tsv", SMALL);
    folder.ok("census g.tsv --clustering c.csv");
    let expected = "node,cycle,middleman,in,out,total\nann,,,,0.5,0.5\nbob,0,1,,,0.5\n\
                    cat,0,0,0.16666666666666666,,0.1\ndan,,,,,\n";
    assert_eq!(folder.text("c.csv"), expected);
}

#[test]
fn sums_over_nodes_are_three_times_the_counts() {
    let folder = Folder::new();
    folder.ok("generate rmat --nodes 256 --arcs 3000 -o g.tsv");
    let census = folder.json("census g.tsv --per-node n.csv --roles r.csv --per-edge e.csv");
    let sum = |file: &str, column: &dyn Fn(&str) -> bool| {
        let text = folder.text(file);
        let table = rows(&text);
        let columns = (0..table[0].len()).filter(|&at| column(table[0][at]));
        columns
            .flat_map(|at| table[1..].iter().map(move |row| row[at].parse::<u64>().unwrap()))
            .sum()
    };
    for motif in census["motifs"].as_array().unwrap() {
        let (name, count) = (motif["name"].as_str().unwrap(), motif["count"].as_u64().unwrap());
        assert!(count > 0, "{name}");
        let of_nodes: u64 = sum("n.csv", &|column| column == name);
        assert_eq!(of_nodes, 3 * count, "{name}");
        let of_roles: u64 = sum("r.csv", &|column| column.split('.').next() == Some(name));
        assert_eq!(of_roles, 3 * count, "{name}");
        let n_edges = if name.len() == 2 && name <= "M7" { 3 } else { 2 };
        let of_edges: u64 = sum("e.csv", &|column| column == name);
        assert_eq!(of_edges, n_edges * count, "{name}");
    }
}

#[test]
fn tables_do_not_depend_on_threads_and_are_compressed_by_name() {
    let folder = Folder::new();
    folder.ok("generate rmat --nodes 4096 --arcs 60000 -o g.tsv");
    let write = |threads: usize| {
        let files = ["n.csv.gz", "e.csv.zst", "r.csv"];
        let [nodes, edges, roles] = files;
        folder.ok(&format!(
            "census g.tsv --per-node {nodes} --per-edge {edges} --roles {roles} --threads {threads}"
        ));
        files.map(|name| std::fs::read(folder.path(name)).unwrap())
    };
    let one = write(1);
    assert_eq!(one[0][..2], [0x1f, 0x8b]);
    assert_eq!(one[1][..4], [0x28, 0xb5, 0x2f, 0xfd]);
    assert!(one == write(2));
}

#[test]
fn names_that_need_quotes_get_them() {
    let folder = Folder::with("g.csv", "source,target\n\"a, b\",c\n");
    folder.ok("census g.csv --per-edge e.csv");
    assert!(folder.text("e.csv").contains("\n\"a, b\",c,out,0,"), "{}", folder.text("e.csv"));
}

#[test]
fn reading_options_reach_the_reader() {
    let folder = Folder::with("g.dat", "w;to;from\n2;b;a\n3;c;b\n1;b;a\n");
    let words = "census g.dat --input-format text --delimiter semicolon --header yes \
                 --source from --target to --weight 1 --undirected --repeats max";
    let census = folder.json(words);
    assert_eq!(census["graph"]["n_arcs"], 4);
    assert_eq!(census["graph"]["is_weighted"], true);
    assert_eq!(census["graph"]["cleaning"]["repeated"], 2);
    assert_eq!(census["triads"][10], json!({ "name": "201", "motif": "M13", "count": 1 }));
    let folder = Folder::with("g.txt", "0 1\n");
    assert_eq!(folder.json("census g.txt --nodes 2000")["triads"][1]["count"], 1998);
}

#[test]
fn a_data_set_is_read_through_its_folder() {
    let folder = Folder::with("set/dataset.toml", "name = 'small'\narcs = 'arcs.tsv'\n");
    folder.put("set/arcs.tsv", SMALL);
    assert_eq!(folder.json("census set")["graph"]["n_arcs"], 5);
}

#[test]
fn an_empty_graph_has_an_empty_census() {
    let census = Folder::with("g.tsv", "0\t0\n").json("census g.tsv");
    assert!(census["triads"].as_array().unwrap().iter().all(|triad| triad["count"] == 0));
    assert_eq!(census["graph"]["cleaning"]["self_loops"], 1);
}

#[test]
fn a_table_of_text_is_not_called_parquet() {
    let folder = Folder::with("graph.tsv", "0\t1\n1\t2\n");
    let said = folder.refused("census graph.tsv --roles roles.parquet");
    assert!(said.contains("roles.parquet: unknown ending; use .csv"), "{said}");
    assert!(said.contains("[exit code 2]"), "{said}");
}

#[test]
fn a_header_that_was_guessed_from_the_place_0_is_told() {
    let folder = Folder::with("g.tsv", "0\t1\n1\t2\n2\t0\n");
    let note =
        "note: --source 0 is no place, for places count from 1: the first line of g.tsv was taken";
    let said = |words: &str| String::from_utf8(folder.run(words).stderr).unwrap();
    let guessed = said("census g.tsv --source 0 --target 1");
    assert!(guessed.contains(note), "{guessed}");
    for words in ["--source 1 --target 2", "--source 0 --target 1 --header yes"] {
        let plain = said(&format!("census g.tsv {words}"));
        assert!(!plain.contains("is no place") && !plain.contains("error"), "{plain}");
    }
}
