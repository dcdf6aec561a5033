//! From files to predictions and their reasons, by every path.

use serde_json::Value;

use crate::support::{Folder, rows};

/// Ninety people of three teams: each writes to the next team, and every third has no label.
/// `n_new` more write to team 0, and so are of team 2, like everybody who does.
pub(crate) fn people(n_new: usize) -> Folder {
    let folder = Folder::new();
    let mut state = 1_u64;
    let mut draw = move |below: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    };
    let teams = ["red", "green", "blue"];
    let mut arcs = "from,to\n".to_owned();
    for node in 0..90 {
        for _ in 0..6 {
            let other = 3 * draw(30) + (node % 3 + 1) % 3;
            arcs += &format!("p{node},p{other}\n");
        }
    }
    let mut table = "id,age,team\n".to_owned();
    for node in 0..90 {
        let team = if (node / 3) % 3 == 2 { "" } else { teams[node % 3] };
        table += &format!("p{node},{},{team}\n", 20 + draw(50));
    }
    folder.put("arcs.csv", &arcs);
    folder.put("people.csv", &table);
    let mut features = "id,shoe,age\n".to_owned();
    for node in 0..90 + n_new {
        let age = table.lines().nth(node + 1).map_or("30", |line| line.split(',').nth(1).unwrap());
        features += &format!("{},{node},{age}\n", name(node));
        if node >= 90 {
            for _ in 0..6 {
                arcs += &format!("{},p{}\n", name(node), 3 * draw(30));
            }
        }
    }
    folder.put("tomorrow.csv", &arcs);
    folder.put("tomorrow_people.csv", &features);
    folder
}

fn name(node: usize) -> String {
    if node < 90 { format!("p{node}") } else { format!("new{node}") }
}

const TRAIN: &str = "train --arcs arcs.csv --labels people.csv#team --split 60/20/20 --width 16 \
                     --lr 0.01 --order 2 --model";

#[test]
fn from_two_tables_to_explained_predictions_of_new_nodes() {
    let folder = people(4);
    folder.ok(&format!("{TRAIN} motifnet-d --epochs 150 --features people.csv#age --out run"));
    for name in ["config.toml", "history.jsonl", "model.toml", "metrics.json", "timing.json"] {
        assert!(folder.path("run").join(name).is_file(), "{name}");
    }
    let found = folder.json("evaluate run");
    assert_eq!(found["n_rows"], 12);
    let accuracy = found["accuracy"].as_f64().unwrap();
    let metrics: Value = serde_json::from_str(&folder.text("run/metrics.json")).unwrap();
    assert_eq!(metrics["test_accuracy"].as_f64().unwrap(), accuracy);

    folder.ok("predict run --only unlabelled -o unlabelled.csv");
    let table = folder.text("unlabelled.csv");
    let table = rows(&table);
    assert_eq!(table[0], ["node", "class", "probability"]);
    assert_eq!(table.len(), 1 + 30);
    assert!(table[1..].iter().all(|row| row[0][1..].parse::<usize>().unwrap() / 3 % 3 == 2));

    // The columns are found by their names, whatever others there are.
    let new = "--arcs tomorrow.csv --features tomorrow_people.csv";
    folder.ok(&format!("predict run {new} --only new --all-classes -o new.tsv"));
    let table = folder.text("new.tsv");
    let lines: Vec<Vec<&str>> = table.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(
        lines[0][3..],
        ["probability of blue", "probability of green", "probability of red"]
    );
    assert_eq!(
        lines[1..].iter().map(|line| line[0]).collect::<Vec<_>>(),
        ["new90", "new91", "new92", "new93"]
    );
    for line in &lines[1..] {
        let total: f32 = line[3..].iter().map(|text| text.parse::<f32>().unwrap()).sum();
        assert!((total - 1.0).abs() < 1e-5);
    }

    let found = folder.json(&format!("explain run --node new91 {new}"));
    assert_eq!(found["node"], "new91");
    let split = &found["graph"];
    let number = |value: &Value| value.as_f64().unwrap();
    let shares: f64 =
        split["shares"].as_array().unwrap().iter().map(|share| number(&share["value"])).sum();
    let change = number(&found["logit"]) - number(&split["logit_without_graph"]);
    assert!((shares - change).abs() <= number(&split["gap"]) + 1e-9, "{shares} of {change}");
    assert!(number(&split["gap"]) <= 1.1e-3 * change.abs());
    let of_model = folder.ok("explain run");
    assert!(of_model.contains("own features"), "{of_model}");
}

#[test]
fn predictions_of_the_training_graph_are_those_that_were_judged() {
    let folder = people(0);
    folder.ok(&format!(
        "{TRAIN} motifnet-d --epochs 150 --features people.csv#age --out run --seed 3"
    ));
    let whole = folder.json("predict run");
    let one = folder.json("predict run --node p17");
    let of = |found: &Value, node: &str| {
        let list = found["predictions"].as_array().unwrap();
        list.iter().find(|of| of["node"] == node).unwrap().clone()
    };
    assert_eq!(of(&whole, "p17"), of(&one, "p17"));
    assert_eq!(whole["n_nodes"], 90);
    // The same data named as other data gives the same.
    folder.ok("predict run -o a.csv");
    folder.ok("predict run --arcs arcs.csv --features people.csv#age -o b.csv");
    assert_eq!(folder.text("a.csv"), folder.text("b.csv"));
}

#[test]
fn features_come_from_tables_archives_and_the_graph_itself() {
    let folder = people(0);
    folder.ok(&format!("{TRAIN} motifnet-d --epochs 150 --features degrees --out first"));
    folder.ok("embed first -o vectors.parquet");
    folder.ok("embed first -o vectors.npz");
    folder.ok("embed first -o vectors.csv");
    // Three forms of the same numbers make the same network.
    let accuracy = |features: &str| {
        let found = folder.json(&format!("{TRAIN} motifnet-d --epochs 150 --features {features}"));
        found["repeats"][0].clone()
    };
    let of_table = accuracy("vectors.csv");
    assert_eq!(accuracy("vectors.parquet"), of_table);
    assert_eq!(accuracy("vectors.npz#embeddings"), of_table);
    for features in ["one-hot", "motifs", "roles"] {
        assert!(accuracy(features)["test_accuracy"].is_number(), "{features}");
    }
    folder.ok("generate er --nodes 30 --arcs 200 --seed 2 -o other.tsv");
    let found = folder.json("predict first --arcs other.tsv");
    assert_eq!(found["n_nodes"], 30);
}

#[test]
fn motifs_can_be_found_and_plans_made() {
    let folder = people(0);
    let words = "train --arcs arcs.csv --labels people.csv#team --features degrees --split 60/20/20 \
                 --width 8 --epochs 30";
    let plan = folder.json(&format!("{words} --dry-run --out run"));
    assert!(plan["n_parameters"].as_u64().unwrap() > 100, "{plan}");
    assert_eq!(plan["operators"].as_array().unwrap().len(), 6);
    assert_eq!(plan["eigenbasis"], serde_json::Value::Null);
    let spectral = folder.json(&format!("{words} --model spectral --eigenvectors 5 --dry-run"));
    assert_eq!(spectral["eigenbasis"]["n_vectors"], 5);
    assert!(spectral["eigenbasis"]["seconds"].is_number(), "{spectral}");
    assert!(!folder.path("run").exists());
    folder.ok(&format!("{words} --motifs auto --tensorboard --out run"));
    let events = std::fs::read_dir(folder.path("run/events")).unwrap().next().unwrap().unwrap();
    assert!(events.metadata().unwrap().len() > 30 * 4 * 40, "thirty epochs of four numbers");
    let config = folder.text("run/config.toml");
    assert!(config.contains("motifs = [\""), "{config}");
    assert!(folder.ok("explain run").contains("mean attention"));
}

#[test]
fn settings_go_by_flags_over_files_over_defaults() {
    let folder = people(0);
    let default = folder.ok("config");
    insta::assert_snapshot!("config", default);
    folder.put("deep/run.toml", "[data]\narcs = '../arcs.csv'\nlabels = '../people.csv#team'\n\
                            features = 'degrees'\nsplit = '60/20/20'\n[train]\nepochs = 3\nlr = 0.5\n\
                            [model]\nwidth = 8\n");
    folder.ok("train --config deep/run.toml --set train.lr=0.25 --epochs 2 --out run");
    let config = folder.text("run/config.toml");
    for line in ["epochs = 2", "lr = 0.25", "width = 8", "split = \"60/20/20\""] {
        assert!(config.contains(line), "{line}: {config}");
    }
    // What was resolved repeats the run.
    folder.ok("train --config run/config.toml --out again");
    assert_eq!(folder.text("run/metrics.json"), folder.text("again/metrics.json"));
    assert_eq!(folder.text("run/config.toml"), folder.text("again/config.toml"));
}

#[test]
fn the_contract_says_what_was_read() {
    let folder = people(0);
    folder.put("arcs.csv", folder.text("arcs.csv") + "p1,p1\np2,p3\np2,p3\n");
    let output = folder.run(&format!("{TRAIN} motifnet-d --epochs 150 --features people.csv#age"));
    assert!(output.status.success());
    let said = folder.redact(&String::from_utf8(output.stderr).unwrap());
    insta::assert_snapshot!(said);
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let folder = people(2);
    folder.ok(&format!("{TRAIN} motifnet-d --features people.csv#age --out run --epochs 3"));
    folder.ok(&format!("{TRAIN} motifnet-d --features one-hot --out one-hot --epochs 3"));
    folder
        .ok(&format!("{TRAIN} spline --features degrees --eigenvectors 8 --out spline --epochs 3"));
    folder.ok(&format!("{TRAIN} labelprop --features degrees --out labelprop"));
    folder.ok(&format!("{TRAIN} motifnet-d --features degrees --repeat 2 --out twice --epochs 3"));
    folder.ok(&format!("{TRAIN} motifnet-d --features people.csv#age --out cut --epochs 3"));
    let bytes = std::fs::read(folder.path("cut/model.safetensors")).unwrap();
    folder.put("cut/model.safetensors", &bytes[..bytes.len() - 8]);
    folder.ok(&format!("{TRAIN} chebnet --features people.csv#age --out mixed --epochs 3"));
    folder.put("mixed/model.safetensors", &bytes);
    folder.ok(&format!("{TRAIN} motifnet-d --features people.csv#age --out later --epochs 3"));
    folder.put(
        "later/model.toml",
        folder.text("later/model.toml").replace("version = 1", "version = 9"),
    );
    folder.put("few.csv", "id,shoe\np1,3\n");
    let all: String = (0..92).map(|node| format!("{},1\n", name(node))).collect();
    folder.put("shoes.csv", format!("id,shoe\n{all}"));
    let commands = [
        "evaluate missing",
        "evaluate .",
        "evaluate twice",
        "evaluate labelprop",
        "evaluate run --split all",
        "evaluate cut",
        "evaluate mixed",
        "evaluate later",
        "predict run -o p.xlsx",
        "predict run -o missing/p.csv",
        "predict run --node p1 --node nobody",
        "predict run --only new",
        "predict run --arcs tomorrow.csv",
        "predict run --arcs tomorrow.csv --features few.csv",
        "predict run --arcs tomorrow.csv --features shoes.csv",
        "predict one-hot --arcs tomorrow.csv",
        "predict spline --arcs tomorrow.csv",
        "embed run -o e.txt",
        "embed run",
        "explain run --node nobody",
        "explain run --node p1 --class purple",
        "explain run --class red",
        "explain run --arcs tomorrow.csv",
        "predict run --names people.csv#id",
        "config --set model.ordr=2",
        "config --model gnc",
        "config --config missing.toml",
        "train --resume run --epochs 9",
        "train --arcs arcs.csv --labels people.csv#team --features degrees --split 60/20/20 --out run",
    ];
    let said: String = commands.iter().map(|words| folder.refused(words)).collect();
    insta::assert_snapshot!(said);
}
