//! Less memory than is wanted.

use crate::support::Folder;

/// A graph whose triangle pass takes some 30 MB.
fn graph() -> Folder {
    let folder = Folder::new();
    folder.ok("generate rmat --nodes 16384 --arcs 200000 --seed 1 -o graph.tsv");
    folder
}

#[test]
fn what_does_not_fit_is_refused_before_it_is_made() {
    let folder = graph();
    for words in [
        "census graph.tsv --per-edge edges.csv",
        "inspect graph.tsv",
        "motifs graph.tsv --motif M5 --out matrices",
        "significance graph.tsv -o motifs.csv",
        "significance graph.tsv --samples 200000",
        "significance graph.tsv --samples 10000000",
        "cluster graph.tsv --motif U -o clusters.csv",
        "generate er --nodes 5000 --arcs 1000000 --seed 1 -o other.tsv",
        "generate citation --nodes 1000000 --seed 1 -o citations",
    ] {
        let said = folder.refused(&format!("{words} --memory-limit 20MB"));
        assert!(said.contains("[exit code 1]"), "{said}");
        assert!(said.contains(" needs about ") && said.contains("or raise the limit"), "{said}");
        assert!(said.contains("hint: --memory-limit SIZE"), "{said}");
    }
    let motifs = "U+M1+M2+M3+M4+M5+M6+M7+M8+M9+M10+M11+M12";
    let said =
        folder.refused(&format!("cluster graph.tsv -m {motifs} -o c.csv --memory-limit 100MB"));
    assert!(said.contains("error: joining nodes by motifs needs about "), "{said}");
    assert!(said.contains("[exit code 1]"), "{said}");
    folder.ok("census graph.tsv --memory-limit 200MB");
    let said = folder.refused("inspect graph.tsv --nodes 3000000 --memory-limit 160MB");
    assert!(said.contains("error: describing the graph needs about 138.0 MB"), "{said}");
}

#[test]
fn training_is_planned_under_the_limit_of_the_command_and_of_the_settings() {
    let folder = graph();
    let labels: String = (0..16384).map(|node| format!("{node},c{}\n", node % 3)).collect();
    folder.put("labels.csv", format!("node,class\n{labels}"));
    folder.put("run.toml", "train.memory_limit = \"30MB\"\n");
    let words = "train --arcs graph.tsv --labels labels.csv --features degrees --split 40/30/30 \
                 --model chebnet --order 9 --width 500 --epochs 1";
    for limited in ["--memory-limit 300MB", "--config run.toml", "--set train.memory_limit=30"] {
        let said = folder.refused(&format!("{words} {limited} --out run"));
        assert!(said.contains("error: training needs about "), "{said}");
    }
    let wide = "motifnet-m --order 100 --width 100000 --heads 1000";
    let said = folder.refused(&words.replace("chebnet --order 9 --width 500", wide));
    assert!(said.contains("error: writing the model needs about "), "beyond all memory: {said}");
}

#[test]
#[cfg(target_os = "linux")]
fn an_allocation_that_fails_is_an_error_and_no_abort() {
    let folder = graph();
    let said = folder.refused("census graph.tsv --memory-limit 1MB");
    assert!(said.contains("error: out of memory: "), "{said}");
    assert!(said.contains("the limit of 1 MB") && said.contains("[exit code 1]"), "{said}");
    assert!(said.contains("hint: ") && said.contains("--memory-limit"), "{said}");
}

#[test]
#[cfg(target_os = "linux")]
fn the_limits_of_the_process_are_kept() {
    let folder = graph();
    let program = assert_cmd::cargo::cargo_bin!("motifnet");
    let script = "ulimit -v 150000 && exec \"$0\" census graph.tsv --threads 1";
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", script]).arg(program).current_dir(folder.path(""));
    let output = shell.output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code().is_some_and(|code| code < 2), "{}: {said}", output.status);
    assert!(output.status.success() || said.contains("error: "), "{said}");
}

#[test]
fn what_is_no_size_is_refused() {
    let folder = Folder::new();
    let said = folder.refused("census graph.tsv --memory-limit much");
    assert!(
        said.contains("\"much\" is no size of memory") && said.contains("[exit code 2]"),
        "{said}"
    );
}
