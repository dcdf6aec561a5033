use std::fs;

use crate::support::Folder;

#[test]
fn what_was_generated_is_told() {
    let folder = Folder::new();
    insta::assert_snapshot!(folder.ok("generate rmat --nodes 64 --arcs 200 --seed 1 -o g.tsv"), @"
    file   g.tsv (1.0 kB)
    nodes  64
    arcs   200
    seed   1
    ");
    let report = folder.json("generate er --nodes 64 --arcs 200 --seed 1 -o g.npz");
    assert_eq!(report["model"], "er");
    assert_eq!((&report["n_nodes"], &report["n_arcs"]), (&64.into(), &200.into()));
    assert_eq!(report["seed"], 1);
    assert_eq!(report["bytes"], fs::metadata(folder.path("g.npz")).unwrap().len());
    assert_eq!(report["notes"], serde_json::json!([]));
}

#[test]
fn a_seed_gives_the_same_file_whatever_the_threads() {
    let folder = Folder::new();
    for model in [
        "rmat --nodes 4096 --arcs 30000 --scramble",
        "er --nodes 3000 --arcs 30000",
        "er --nodes 3000 --probability 0.003",
        "dsbm --blocks 300,200 --connect '0.1,0.05;0.2,0.1' --weights-matrix '1,2;3,4' \
         --weight-kind poisson",
    ] {
        let write = |seed: u64, threads: usize| {
            folder.ok(&format!("generate {model} --seed {seed} --threads {threads} -o g.csv"));
            fs::read(folder.path("g.csv")).unwrap()
        };
        let first = write(3, 1);
        assert!(first == write(3, 2), "{model}");
        assert!(first != write(4, 1), "{model}");
    }
}

#[test]
fn every_ending_reads_back_as_the_same_graph() {
    let folder = Folder::new();
    let mut counts = Vec::new();
    for ending in ["tsv", "txt.gz", "csv", "csv.zst", "mtx", "mtx.gz", "npz", "parquet"] {
        folder.ok(&format!("generate er --nodes 40 --arcs 500 --seed 2 -o g.{ending}"));
        counts.push(folder.json(&format!("census g.{ending}"))["triads"].clone());
    }
    assert!(counts.iter().all(|triads| triads == &counts[0]));
}

#[test]
fn blocks_are_written_beside_the_graph() {
    let folder = Folder::new();
    let report = folder.json(
        "generate dsbm --blocks 2,1 --connect '0,1;0,0' --weights-matrix '1,2.5;1,1' \
         --labels b.csv -o g.csv",
    );
    assert_eq!(folder.text("b.csv"), "node,block\n0,0\n1,0\n2,1\n");
    assert_eq!(folder.text("g.csv"), "source,target,weight\n0,2,2.5\n1,2,2.5\n");
    assert_eq!(report["labels"], "b.csv");
    assert_eq!(report["is_weighted"], true);
}

#[test]
fn probabilities_that_add_up_to_one_leave_nothing_for_the_fourth() {
    let folder = Folder::new();
    folder.ok("generate rmat --nodes 2 --arcs 2 -a 0.5 -b 0.3 -c 0.2 -o g.tsv");
    assert!(folder.text("g.tsv").ends_with("\n0\t1\n1\t0\n"));
}

#[test]
fn citations_are_a_data_set_to_train_on() {
    let folder = Folder::new();
    let report = folder.json("generate citation --nodes 120 --classes 4 --seed 1 -o papers");
    assert_eq!((&report["n_nodes"], &report["n_classes"]), (&120.into(), &4.into()));
    let sizes = folder.files().iter().map(|(_, content)| content.len() as u64).sum::<u64>();
    assert_eq!(report["bytes"], sizes);
    insta::assert_snapshot!(folder.text("papers/dataset.toml"), @r##"
    # Made by a seeded generator: papers that cite each other, with topics and words.
    name = "citations"
    arcs = "arcs.tsv"
    labels = "nodes.csv#topic"
    features = "words.npz"
    split = "10/10/10"
    "##);
    let trained = folder.json("train papers --model gcn --epochs 2");
    assert_eq!(trained["repeats"][0]["n_train"], 12, "{trained}");
    folder.ok("train papers --epochs 2 --split 'papers/nodes.csv#year 60/20/20'");
}

#[test]
fn a_folder_in_use_is_written_to_only_by_force() {
    let folder = Folder::new();
    let first = folder.ok("generate citation --nodes 60 --seed 1 -o papers");
    let files = folder.files();
    insta::assert_snapshot!(folder.refused("generate citation --nodes 60 --seed 2 -o papers"), @"
    $ motifnet generate citation --nodes 60 --seed 2 -o papers
    error: there is something in papers already
    hint: name another folder with --output, or add --force to write into this one
    [exit code 2]
    ");
    let again = "generate citation --nodes 60 --threads 1 --force -o papers --seed";
    assert_eq!(folder.ok(&format!("{again} 1")), first);
    assert!(folder.files() == files);
    folder.ok(&format!("{again} 2"));
    assert!(folder.files() != files);
}
