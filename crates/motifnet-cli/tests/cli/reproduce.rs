//! The paper's evaluation, on data small enough for a test.

use std::path::PathBuf;

use crate::resume::{signal, wait_for};
use crate::support::{Folder, rows};

const SMALL: &str = "reproduce --nodes 150 --orders 1,2 --splits 2 --epochs 4";

/// Everything that an evaluation leaves but the clock and what names its own place.
fn kept(folder: &Folder, out: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let root = folder.path(out);
    let files = folder.files().into_iter().filter(|(path, _)| path.is_file());
    let inside = files.filter_map(|(path, bytes)| {
        let name = path.strip_prefix(&root).ok()?.to_owned();
        let is_told = !name.ends_with("timing.json") && !name.ends_with("config.toml");
        is_told.then_some((name, bytes))
    });
    inside.collect()
}

fn assert_same(folder: &Folder, one: &str, other: &str) {
    let [one, other] = [one, other].map(|out| kept(folder, out));
    assert!(!one.is_empty());
    for ((name, bytes), (other_name, other_bytes)) in one.iter().zip(&other) {
        assert_eq!(name, other_name);
        assert!(bytes == other_bytes, "{} differs", name.display());
    }
    assert_eq!(one.len(), other.len());
}

#[test]
fn results_do_not_depend_on_the_threads_nor_on_interruptions() {
    let folder = Folder::new();
    let said = folder.ok(&format!("{SMALL} --threads 1 --out one"));
    for told in ["test accuracy in %, citations", "ChebNet U", "MotifNet-m, 4 heads (ours)", "M10"]
    {
        assert!(said.contains(told), "{told} is not in\n{said}");
    }
    folder.ok(&format!("{SMALL} --threads 2 --out two"));
    assert_same(&folder, "one", "two");

    let mut child = folder.start(&format!("{SMALL} --threads 2 --out paused"));
    wait_for(&folder.path("paused/runs/motifnet-d-order-2/split-01/metrics.json"));
    signal(&child, "-INT");
    let code = child.wait().unwrap().code();
    // It may have been too quick; the files are the same all the same.
    assert!([Some(130), Some(0)].contains(&code), "{code:?}");
    folder.ok(&format!("{SMALL} --out paused"));
    assert_same(&folder, "one", "paused");
}

#[test]
fn what_is_there_is_taken_up_and_what_is_new_is_trained() {
    let folder = Folder::new();
    let words = "reproduce --nodes 150 --epochs 2";
    folder.ok(&format!("{words} --orders 1 --splits 1 --out grown"));
    // A result that was kept is believed: this one is told from one that was trained again.
    let metrics = folder.path("grown/runs/chebnet-u-order-1/split-01/metrics.json");
    let text = std::fs::read_to_string(&metrics).unwrap();
    let accuracy = text.lines().find(|line| line.contains("\"test_accuracy\"")).unwrap().trim();
    std::fs::write(&metrics, text.replace(accuracy, "\"test_accuracy\": 0.125,")).unwrap();
    let found = folder.json(&format!("{words} --orders 1,2 --splits 2 --out grown"));
    let entries = found["entries"].as_array().unwrap();
    let first = &entries[0];
    assert_eq!((&first["contestant"], &first["order"]), (&"chebnet-u".into(), &1.into()));
    assert_eq!(first["trainings"][0]["test_accuracy"], 0.125);
    // Five of the paper at two orders, three of ours at one, and the one that is selected from.
    assert_eq!(entries.len(), 5 * 2 + 3 + 1);
    let table = folder.text("grown/results.csv");
    assert_eq!(rows(&table).len(), 1 + 14 * 2);
}

#[test]
fn the_page_and_its_figures_are_written() {
    let folder = Folder::new();
    let found = folder.json("reproduce --nodes 150 --orders 1,3 --splits 2 --epochs 2 --out r");
    let page = folder.text("r/report.html");
    assert!(page.len() < 5_000_000 && page.starts_with("<!doctype html>"), "{}", page.len());
    for name in [
        "accuracy-undirected",
        "accuracy-directed",
        "accuracy-ours",
        "attention-shares",
        "graph-portion",
    ] {
        for ending in ["svg", "png"] {
            assert!(folder.path(&format!("r/figures/{name}.{ending}")).is_file(), "{name}");
        }
    }
    // The paper's accuracies stand beside those of its own data alone.
    assert!(!page.contains("0.6257") && !page.contains("62.57"));
    assert_eq!(found["is_cora_full"], false);
    assert_eq!(found["page"]["file"], "r/report.html");
    // Every run can be asked further.
    folder.ok("explain r/runs/motifnet-m-all-order-1/split-01");
    folder.ok("compare r/runs/chebnet-u-order-1 r/runs/motifnet-m-order-1");
}

#[test]
fn other_trainings_are_not_taken_for_these() {
    let folder = Folder::new();
    let words = "reproduce --nodes 150 --orders 1 --splits 1 --epochs 2";
    folder.ok(&format!("{words} --out r"));
    let said = folder.refused(&format!("{} --out r", words.replace("epochs 2", "epochs 3")));
    assert!(
        said.contains("other data or with other settings") && said.contains("--force"),
        "{said}"
    );
    // Nothing is removed for what cannot be trained.
    folder.put("bare/dataset.toml", "name = 'bare'\narcs = 'a.tsv'\nsplit = '10/10/10'\n");
    folder.put("bare/a.tsv", "0\t1\n1\t2\n");
    folder.refused("reproduce --dataset bare --force --out r");
    folder.refused("reproduce --dataset bare --out fresh");
    folder.ok(&format!("{} --force --out r", words.replace("epochs 2", "epochs 3")));
}

#[test]
fn what_cannot_be_meant_is_refused() {
    let folder = Folder::with("file", "x");
    let said: String = [
        "reproduce --orders 0",
        "reproduce --orders 4-2",
        "reproduce --splits 0",
        "reproduce --quick --full",
        "reproduce --nodes 3 --out r",
        "reproduce --dataset nowhere --out r",
        "reproduce --set model.order=3",
        "reproduce --set train.lr=-1",
        "reproduce --split 90/90/90",
        "reproduce --out file",
    ]
    .map(|words| folder.refused(words))
    .concat();
    insta::assert_snapshot!(said);
}
