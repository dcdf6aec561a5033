use serde_json::json;

use crate::resume::{signal, wait_for};
use crate::support::{Folder, rows};

/// Three feed-forward loops that share no arc, and arcs between them.
const LOOPS: &str = "a b\nb c\na c\nd e\ne f\nd f\ng h\nh i\ng i\nc d\nf g\nb e\nh a\n";

fn folder() -> Folder {
    Folder::with("g.tsv", LOOPS.replace(' ', "\t"))
}

#[test]
fn motifs_stand_beside_chance() {
    insta::assert_snapshot!(folder().ok("significance g.tsv --samples 200 --seed 1"));
}

#[test]
fn json_has_the_promised_keys() {
    let found = folder().json("significance g.tsv --samples 60 --null degree+reciprocal");
    assert_eq!(found["null"], "degree+reciprocal");
    assert_eq!((&found["n_samples"], &found["seed"]), (&json!(60), &json!(0)));
    assert_eq!(found["classes"].as_array().unwrap().len(), 16);
    let loops = &found["classes"][4];
    assert_eq!(
        (&loops["name"], &loops["triad"], &loops["count"]),
        (&json!("M5"), &json!("030T"), &json!(3))
    );
    assert!(loops["z"].as_f64().unwrap() > 0.0 && loops["p_more"].as_f64().unwrap() <= 1.0);
    assert_eq!(found["classes"][13]["name"], "003");
    assert_eq!(found["classes"][13]["profile"], json!(null));
    assert_eq!(found["mixing"]["switches_per_arc"], 10);
    assert!(found["mixing"]["acceptance"].as_f64().unwrap() > 0.0);
    let drawn = folder().json("significance g.tsv --null erdos --instances subgraph");
    assert_eq!((&drawn["mixing"], drawn["classes"].as_array().unwrap().len()), (&json!(null), 13));
}

#[test]
fn tables_and_pictures_are_written() {
    let folder = folder();
    folder.ok("significance g.tsv --samples 30 -o m.csv --per-node n.csv.gz --plot p.svg --plot p.png --plot p.html");
    let table = folder.text("m.csv");
    let table = rows(&table);
    assert_eq!(table.len(), 17);
    assert_eq!(table[0][..5], ["motif", "triad", "count", "mean", "sd"]);
    assert_eq!(table[5][..3], ["M5", "030T", "3"]);
    assert!(folder.text("p.svg").starts_with("<svg"));
    assert!(folder.text("p.html").contains("Significance profile"));
    let bytes = |name: &str| std::fs::read(folder.path(name)).unwrap();
    assert_eq!(bytes("p.png")[1..4], *b"PNG");
    folder.ok("significance g.tsv --samples 30 --per-node n.csv");
    let nodes = folder.text("n.csv");
    let nodes = rows(&nodes);
    assert_eq!((nodes.len(), nodes[0].len()), (10, 53));
    assert_eq!(nodes[0][17..21], ["M5", "M5.mean", "M5.sd", "M5.z"]);
    let loops: u32 = nodes[1..].iter().map(|row| row[17].parse::<u32>().unwrap()).sum();
    assert_eq!(loops, 9);
}

#[test]
fn the_same_seed_gives_the_same_on_any_number_of_threads() {
    let folder = folder();
    let run =
        |options: &str| folder.ok(&format!("significance g.tsv --samples 80 --json {options}"));
    let one = run("--threads 1");
    assert_eq!(one, run("--threads 3"));
    assert_ne!(one, run("--seed 5"));
}

#[test]
fn what_cannot_be_is_said() {
    let star = Folder::with("g.tsv", "a\tb\na\tc\na\td\n");
    let output = star.run("significance g.tsv");
    assert!(output.status.success());
    insta::assert_snapshot!(String::from_utf8(output.stderr).unwrap());
    let folder = folder();
    let refused = [
        "significance g.tsv --samples 1",
        "significance g.tsv --switches 0",
        "significance g.tsv --plot z.pdf",
        "significance g.tsv -o g.tsv",
        "significance g.tsv --null chance",
        "significance g.tsv -o a.csv --per-node a.csv",
    ];
    insta::assert_snapshot!(refused.map(|words| folder.refused(words)).join("\n"));
}

#[test]
fn a_command_that_was_stopped_goes_on_from_its_checkpoint() {
    let folder = Folder::new();
    folder.ok("generate er --nodes 3000 --arcs 30000 --seed 1 -o g.tsv");
    let words = "significance g.tsv --samples 60 --per-node n.csv -o m.csv --checkpoint s.npz";
    folder.ok(&words.replace(" --checkpoint s.npz", "").replace("m.csv", "whole.csv"));
    let nodes = folder.text("n.csv");
    std::fs::remove_file(folder.path("n.csv")).unwrap();
    for name in ["-INT", "-KILL"] {
        let mut child = folder.start(words);
        wait_for(&folder.path("s.npz"));
        signal(&child, name);
        let code = child.wait().unwrap().code();
        let expected = if name == "-INT" { Some(130) } else { None };
        assert_eq!(code, expected, "{name}: it was too quick");
        assert!(!folder.path("m.csv").exists() && !folder.path("n.csv").exists());
    }
    folder.ok(words);
    assert_eq!(folder.text("m.csv"), folder.text("whole.csv"));
    assert_eq!(folder.text("n.csv"), nodes);
    let said = folder.refused("significance g.tsv --samples 61 --checkpoint s.npz");
    assert!(
        said.contains("s.npz: its samples are of another graph or of other settings"),
        "{said}"
    );
}
