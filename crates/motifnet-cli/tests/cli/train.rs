use serde_json::Value;

use crate::support::Folder;

/// Three blocks of forty nodes with arcs between them as `connect` says.
fn three_blocks(connect: &str) -> Folder {
    let folder = Folder::new();
    folder.ok(&format!(
        "generate dsbm --blocks 40,40,40 --connect {connect} --seed 1 --labels blocks.csv -o blocks.tsv"
    ));
    folder.put("dataset.toml", DATASET);
    folder
}

/// Each points at the next: only direction tells them apart.
fn blocks() -> Folder {
    three_blocks("0.02,0.2,0.02;0.02,0.02,0.2;0.2,0.02,0.02")
}

/// Each has more arcs within: what sees no direction tells them apart, too.
fn communities() -> Folder {
    three_blocks("0.2,0.02,0.02;0.02,0.2,0.02;0.02,0.02,0.2")
}

const DATASET: &str = "name = 'blocks'\narcs = 'blocks.tsv'\nlabels = 'blocks.csv#block'\n\
                       features = 'one-hot'\nsplit = '30/20/50'\n";

/// Small and quick.
const QUICK: &str = "--width 16 --epochs 60 --max-features 40";

#[test]
fn every_model_trains() {
    let folder = blocks();
    for (model, better_than) in [
        ("motifnet-m --heads 2 --order 2 --support edges", 0.8),
        ("motifnet-m --motifs U,in,out,M10 --laplacian plain --lambda-max exact", 0.5),
        ("motifnet-d --order 2", 0.9),
        ("polynomial --motifs in,M9 --normalization random-walk", 0.9),
        ("chebnet --operator out --order 3 --lambda-max exact", 0.9),
        // What does not see the direction can only guess.
        ("gcn --operator M8 --class-weights balanced", 0.2),
        ("mlp --activation tanh --decay-kind decoupled --dropout 0,0.5,0.5,0.2", 0.2),
        ("labelprop --operator in", 0.1),
    ] {
        let found = folder.json(&format!("train . --model {model} --epochs 200 --lr 0.01"));
        let accuracy = found["test_accuracy"].as_f64().unwrap();
        assert!(accuracy > better_than, "{model}: {accuracy}");
        assert_eq!(found["repeats"][0]["n_test"], 60);
    }
}

#[test]
fn settings_that_mean_nothing_to_the_model_are_told() {
    let folder = blocks();
    let said = |words: &str| {
        let output = folder.run(&format!("train . --dry-run --quiet {words}"));
        assert!(output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    assert_eq!(
        said("--model chebnet --order 2 --motifs M5 --heads 4"),
        "note: model.heads is set, and has no effect on chebnet\n\
         note: model.motifs is set, and has no effect on chebnet\n"
    );
    assert_eq!(
        said("--model motifnet-d --operator M8"),
        "note: model.operator is set, and has no effect on motifnet-d\n"
    );
    assert_eq!(
        said("--model cayley --laplacian plain --normalization random-walk --support edges"),
        "note: operators.support is set, and has no effect on cayley\n\
         note: operators.laplacian is set, and has no effect on cayley\n\
         note: operators.normalization is set, and has no effect on cayley\n"
    );
    assert_eq!(
        said("--model chebnet --laplacian plain --lambda-max exact"),
        "note: operators.lambda_max is set, and has no effect on chebnet\n"
    );
    assert_eq!(said("--model motifnet-m --heads 4 --motifs U,M5 --order 2 --support edges"), "");
    assert_eq!(said("--model spline --eigenvectors 20 --coefficients 6 --operator M9"), "");
}

#[test]
fn the_rest_of_the_family_trains() {
    let folder = communities();
    for (model, better_than, can_move) in [
        // Five matrices a layer learn much by heart from 36 nodes.
        ("cayley --order 2 --jacobi 6", 0.6, true),
        ("cayley --operator M9", 0.9, true),
        ("spectral --eigenvectors 20", 0.9, false),
        ("spline --eigenvectors 500 --coefficients 6", 0.9, false),
        ("monet --kernels 3", 0.9, true),
        ("monet --operator in", 0.9, true),
    ] {
        let found =
            folder.json(&format!("train . --model {model} --epochs 200 --lr 0.01 --width 32"));
        let accuracy = found["test_accuracy"].as_f64().unwrap();
        assert!(accuracy > better_than, "{model}: {accuracy}");
        assert_eq!(found["can_move"], can_move);
    }
}

#[test]
fn an_eigenbasis_is_kept_beside_the_run_and_belongs_to_its_graph() {
    let folder = communities();
    let talk = |options: &str| {
        let output =
            folder.run(&format!("train . --model spline {options} {QUICK} --out run --force"));
        assert!(output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    let said = talk("--eigenvectors 12");
    assert!(said.contains("12 eigenvectors of 120 nodes, 0.0 MB, found in"), "{said}");
    let metrics = folder.text("run/metrics.json");
    let basis = std::fs::read(folder.path("run/eigenbasis.npz")).unwrap();
    let said = talk("--eigenvectors 12");
    assert!(said.contains("read from eigenbasis.npz"), "{said}");
    assert_eq!(folder.text("run/metrics.json"), metrics);

    // Of another size, of another operator, damaged, of another graph: it is found anew.
    for options in ["--eigenvectors 11", "--eigenvectors 12 --operator M8"] {
        assert!(talk(options).contains("found in"), "{options}");
    }
    folder.put("run/eigenbasis.npz", &basis[..basis.len() / 2]);
    assert!(talk("--eigenvectors 12").contains("found in"));
    folder.put("run/eigenbasis.npz", &basis);
    folder.put("blocks.tsv", folder.text("blocks.tsv") + "0\t119\n");
    assert!(talk("--eigenvectors 12").contains("found in"));

    // What was learnt on it means nothing on another, even if that has come into its place.
    folder.ok("predict run -o same.csv");
    folder.put("blocks.tsv", folder.text("blocks.tsv") + "1\t119\n");
    let basis = std::fs::read(folder.path("run/eigenbasis.npz")).unwrap();
    let output = folder.run("predict run -o other.csv");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("error: spline computes in the eigenvectors of the graph"), "{said}");
    assert_eq!(std::fs::read(folder.path("run/eigenbasis.npz")).unwrap(), basis);
}

#[test]
fn a_run_is_written_and_does_not_depend_on_the_threads() {
    let folder = blocks();
    for threads in [1, 3] {
        let words = format!("train . --repeat 2 --seed 5 --out run{threads} --threads {threads}");
        folder.ok(&format!("{words} --order 2 {QUICK}"));
    }
    let read = |name: &str| folder.text(name);
    assert_eq!(read("run1/metrics.json"), read("run3/metrics.json"));
    for name in ["history.jsonl", "config.toml", "model.toml", "metrics.json"] {
        let of_split = |run: u32| read(&format!("run{run}/split-02/{name}"));
        assert_eq!(of_split(1), of_split(3), "{name}");
    }
    for name in ["checkpoint.safetensors", "model.safetensors"] {
        let of_split =
            |run| std::fs::read(folder.path(&format!("run{run}/split-02/{name}"))).unwrap();
        assert!(of_split(1) == of_split(3), "{name}");
    }

    let metrics: Value = serde_json::from_str(&read("run1/metrics.json")).unwrap();
    for key in ["test_accuracy", "val_accuracy", "test_accuracy_sd", "parameters", "model", "order"]
    {
        assert!(!metrics[key].is_null(), "{key}");
    }
    for key in ["best_epoch", "epochs", "val_loss", "train_loss", "test_loss", "seed"] {
        assert!(!metrics["repeats"][1][key].is_null(), "{key}");
    }
    let history = read("run1/split-02/history.jsonl");
    let last: Value = serde_json::from_str(history.lines().last().unwrap()).unwrap();
    assert_eq!(last["epoch"], metrics["repeats"][1]["epochs"]);
    let timing: Value = serde_json::from_str(&read("run3/timing.json")).unwrap();
    assert_eq!((&timing["threads"], timing["repeats"].as_array().unwrap().len()), (&3.into(), 2));
}

#[test]
fn what_cannot_be_trained_is_refused() {
    let folder = blocks();
    folder.put("plain/dataset.toml", "name = 'plain'\narcs = 'a.tsv'\n");
    folder.put("plain/a.tsv", "0\t1\n1\t2\n");
    folder.put("bare/dataset.toml", "name = 'bare'\narcs = 'a.tsv'\nlabels = 'l.csv'\n");
    folder.put("bare/a.tsv", "0\t1\n1\t2\n2\t3\n");
    folder.put("bare/l.csv", "node,class\n0,a\n1,b\n2,a\n3,b\n");
    folder.put("broken.toml", "[train]\nlr = \n");
    folder.put("wrong.toml", "[train]\nlearning_rate = 1\n");
    folder.put("wrong.csv", "node,class\n0,a\n1,b\n120,a\nx,b\n");
    folder.put("few.csv", "node,age\n0,1\n1,2\n");
    let text: String =
        (0..120).map(|node| format!("{node},{}\n", if node == 7 { "old" } else { "1" })).collect();
    folder.put("text.csv", format!("node,age\n{text}"));
    let commands = [
        "train missing",
        "train plain --split 60/20/20",
        "train bare",
        "train bare --split 50/25/25",
        "train . --split 50/30/30",
        "train . --model polynomial --order 6",
        "train . --model motifnet-m --heads 0",
        "train . --dropout 0.5,0.5",
        "train . --dropout 1",
        "train . --model transformer",
        "train . --motifs U,M14",
        "train . --model cayley --operator in",
        "train . --model spectral --operator out",
        "train . --model spline --coefficients 0",
        "train . --model spectral --eigenvectors 0",
        "train . --model monet --kernels 0",
        "train . --lr 0",
        "train . --lr 1e30",
        "train . --out blocks.tsv",
        "train",
        "train . --set lr=1",
        "train . --set train.lr",
        "train . --set train.epochs=0",
        "train . --order 999999999",
        "train . --width 99999999999",
        "train . --repeat 99999999999",
        "train . --checkpoint-seconds 1e300",
        "train . --epochs 18446744073709551615",
        "train . --seed -1",
        "train . --seed 9223372036854775808",
        "train . --config missing.toml",
        "train . --config broken.toml",
        "train . --config wrong.toml",
        "train . --resume run --out run",
        "train --resume missing",
        "train --resume plain",
        "train . --force",
        "train . --split '20 per clas'",
        "train . --split 'stratified 60/20'",
        "train --arcs blocks.tsv --labels blocks.csv#colour --features degrees --split 60/20/20",
        "train --arcs blocks.tsv --labels wrong.csv --features degrees --split 60/20/20",
        "train --arcs blocks.tsv --labels blocks.csv#block --features few.csv --split 60/20/20",
        "train --arcs blocks.tsv --labels blocks.csv#block --features text.csv --split 60/20/20",
        "train --arcs blocks.tsv --labels blocks.csv#block --split 60/20/20",
        "train --arcs blocks.tsv --labels blocks.csv#block --features degrees",
        "train missing --out run",
        "train . --model cayley --operator in --out run",
        "train . --lr 1e30 --out run",
    ];
    let said: String = commands.iter().map(|words| folder.refused(words)).collect();
    insta::assert_snapshot!(said);
}

/// Settings are text, and a name that is not would be kept as another.
#[test]
#[cfg(unix)]
fn a_data_set_whose_name_is_not_utf_8_is_told() {
    use std::os::unix::ffi::OsStrExt;

    let name = std::ffi::OsStr::from_bytes(b"d\xff");
    for words in [&["train"][..], &["tune", "--out", "search"], &["reproduce", "--dataset"]] {
        let mut command = assert_cmd::Command::cargo_bin("motifnet").unwrap();
        let output = command.args(words).arg(name).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("error: \"d\\xFF\": the name is not UTF-8"), "{said}");
        assert!(said.ends_with("hint: rename it\n"), "{said}");
    }
}
