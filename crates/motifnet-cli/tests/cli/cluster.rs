use serde_json::{Value, json};

use crate::support::{Folder, rows};

/// Two mutual cliques {a, b, c, d} and {e, f, g}, joined by the loop a → e → b; h hangs on g by one arc.
fn two_cliques() -> Folder {
    let clique = |names: &str| {
        let pairs = names.chars().flat_map(|s| names.chars().map(move |t| (s, t)));
        pairs.filter(|(s, t)| s != t).map(|(s, t)| format!("{s}\t{t}\n")).collect::<String>()
    };
    let folder = Folder::with("g.tsv", clique("abcd") + &clique("efg") + "a\te\ne\tb\ng\th\n");
    folder.put(
        "truth.csv",
        "node,side,other\na,left,1\nb,left,1\nc,left,1\ne,right,1\nf,right,1\nh,right,1\n",
    );
    folder
}

#[test]
fn clusters_are_told_and_written() {
    let folder = two_cliques();
    let words = "cluster g.tsv --motif M4+M2 -o c.csv --curve s.csv --truth truth.csv#side";
    insta::assert_snapshot!("clusters_text", folder.ok(words));
    insta::assert_snapshot!("clusters_csv", folder.text("c.csv"));
    let curve = folder.text("s.csv");
    let curve = rows(&curve);
    assert_eq!(curve[0], ["rank", "node", "value", "conductance"]);
    assert_eq!(curve.len(), 8);
    assert_eq!(curve[7][3], "", "all nodes have no conductance");
    let said = String::from_utf8(folder.run(words).stderr).unwrap();
    assert!(
        said.contains("note: 1 of 8 nodes have no cluster: 1 in no instance of M4+M2"),
        "{said}"
    );
}

#[test]
fn json_has_the_promised_keys() {
    let found = two_cliques().json("cluster g.tsv -m M4+M2 --truth truth.csv#side");
    let keys: Vec<&str> = found.as_object().unwrap().keys().map(String::as_str).collect();
    let expected = "agreement best_sweep bisections clusters components curve eigenvalues files graph laplacian \
                    left_out method motif n_clustered nodes residual seed spec stop";
    assert_eq!(keys.join(" "), expected);
    assert_eq!(found["motif"], "M4+M2");
    assert_eq!(found["left_out"]["without_instance"], 1);
    assert_eq!(found["nodes"][7], json!({ "node": "h", "cluster": null }));
    assert_eq!(found["nodes"][0], json!({ "node": "a", "cluster": 0 }));
    assert_eq!(found["curve"].as_array().unwrap().len(), 7);
    assert_eq!(found["curve"][6]["conductance"], Value::Null);
    assert_eq!(found["agreement"]["n_nodes"], 5);
    assert_eq!(found["agreement"]["ari"], 1.0);
    assert_eq!(found["bisections"], json!([]));
}

#[test]
fn every_method_and_laplacian_tells_the_cliques_apart() {
    let folder = two_cliques();
    for method in ["sweep", "recursive", "embedding"] {
        for laplacian in ["normalized", "random-walk", "combinatorial"] {
            let words = format!("cluster g.tsv -m M4+M2 --method {method} --laplacian {laplacian}");
            let found = folder.json(&words);
            let of = |node: usize| &found["nodes"][node]["cluster"];
            assert!(of(0) == of(3) && of(5) == of(6) && of(3) != of(6), "{words}");
        }
    }
}

#[test]
fn all_components_are_set_apart_first() {
    let folder = two_cliques();
    let found = folder.json("cluster g.tsv -m M4 --method recursive --components all");
    let sizes: Vec<_> =
        found["clusters"].as_array().unwrap().iter().map(|c| &c["n_nodes"]).collect();
    assert_eq!(json!(sizes), json!([4, 3]));
    assert_eq!(found["bisections"][0]["conductance"], 0.0);
    let embedded = folder.json("cluster g.tsv -m M4 --method embedding --components all");
    assert_eq!(embedded["nodes"], found["nodes"]);
}

#[test]
fn bisection_stops_where_it_is_told_to() {
    let folder = two_cliques();
    let found = folder.json("cluster g.tsv -m M4+M2 --method recursive -k 4 --max-conductance 0.4");
    assert_eq!(
        (&found["stop"], found["clusters"].as_array().unwrap().len()),
        (&json!("conductance"), 2)
    );
    let found = folder.json("cluster g.tsv -m M4+M2 --method recursive -k 7 --min-size 2");
    assert_eq!(found["stop"], "too-small");
}

#[test]
fn clusters_are_the_same_on_any_number_of_threads_and_drawn() {
    let folder = Folder::new();
    folder.ok("generate rmat --nodes 1024 --arcs 12000 -o g.tsv");
    let run = |threads: usize| {
        folder.ok(&format!(
            "cluster g.tsv -m M8+M5 --method embedding -k 5 --threads {threads} -o c.csv --plot p.svg --plot p.html --plot p.png"
        ));
        ["c.csv", "p.svg", "p.html", "p.png"].map(|name| std::fs::read(folder.path(name)).unwrap())
    };
    let one = run(1);
    assert!(one == run(2));
    let page = String::from_utf8(one[2].clone()).unwrap();
    assert!(page.contains("Conductance along the sweep") && page.contains("id=\"clusters\""));
    assert_eq!(one[3][1..4], *b"PNG");
}

#[test]
fn what_cannot_be_clustered_is_refused() {
    let folder = two_cliques();
    folder.put("w.tsv", "a\tb\t1\nb\tc\t-2\na\tc\t1\n");
    folder.put("empty.tsv", "a\ta\n");
    let said: String = [
        "cluster g.tsv",
        "cluster g.tsv -m out",
        "cluster g.tsv -m M5+in",
        "cluster g.tsv -m M14",
        "cluster g.tsv -m 0*M5",
        "cluster g.tsv -m M4 --method louvain",
        "cluster g.tsv -m M4 --laplacian plain",
        "cluster g.tsv -m M4 -k 1",
        "cluster g.tsv -m M4 -k 3",
        "cluster g.tsv -m M4 --components all",
        "cluster g.tsv -m M4 --method recursive --components all --curve s.csv",
        "cluster g.tsv -m M4 -o a.csv --curve a.csv",
        "cluster g.tsv -m M4 -o g.tsv",
        "cluster g.tsv -m M4 --plot p.pdf",
        "cluster g.tsv -m M1",
        "cluster empty.tsv -m U",
        "cluster g.tsv -m M4 --method embedding -k 5",
        "cluster g.tsv -m M4 --min-size 3",
        "cluster w.tsv -m M5 --weights mean",
        "cluster g.tsv -m M4 --truth missing.csv",
        "cluster g.tsv -m M4 --truth truth.csv",
        "cluster g.tsv -m M4 --truth truth.csv#team",
        "cluster g.tsv -m M4 -o no/c.csv",
    ]
    .map(|words| folder.refused(words))
    .concat();
    insta::assert_snapshot!(said);
}
