//! What is to be replaced is kept until there is something in its place.

use std::fs;
use std::process::{Command, Output};

use crate::predict::people;
use crate::support::Folder;

const TRAIN: &str = "train --arcs arcs.csv --labels people.csv#team --features degrees --split 60/20/20 \
                     --epochs 3 --out run";

/// Runs a command that cannot write files of more than `blocks` times 512 bytes.
fn run_limited(folder: &Folder, blocks: usize, words: &str) -> Output {
    let mut command = Command::new("sh");
    command.current_dir(folder.path("")).args(["-c", "ulimit -f \"$0\" && exec \"$@\""]);
    command.arg(blocks.to_string()).arg(assert_cmd::cargo::cargo_bin!("motifnet"));
    command.args(words.split_whitespace()).output().unwrap()
}

/// Checks that a command fails for lack of room and changes nothing.
fn check_kept(folder: &Folder, blocks: usize, words: &str) {
    let before = folder.files();
    let output = run_limited(folder, blocks, words);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "motifnet {words}: {said}");
    assert!(said.contains("raise the limit on the size of files"), "motifnet {words}: {said}");
    assert!(folder.files() == before, "motifnet {words}");
}

#[test]
fn a_run_is_kept_until_another_has_something_to_go_on_from() {
    let folder = people(0);
    let wide = format!("{TRAIN} --width 600 --force");
    for repeat in ["", "--repeat 2"] {
        folder.ok(&format!("{TRAIN} --width 8 --force {repeat}"));
        check_kept(&folder, 40, &wide);
        check_kept(&folder, 40, &format!("{wide} --repeat 3"));
    }
    let old = folder.text("run/config.toml");
    folder.ok(&wide);
    assert_ne!(folder.text("run/config.toml"), old);
    assert!(!folder.path("run/.replaced").exists() && !folder.path("run/split-01").exists());
}

#[test]
fn where_nothing_can_be_written_a_new_run_leaves_nothing() {
    let folder = people(0);
    check_kept(&folder, 0, TRAIN);
    check_kept(&folder, 0, "census arcs.csv --per-node nodes.csv");
}

/// As containers do with a file; skipped where the system lets nobody mount.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_is_mounted_is_refused_and_not_only_after_the_work() {
    let folder = Folder::with("g.tsv", "0\t1\n1\t2\n2\t0\n");
    folder.put("there.csv", "mine");
    folder.put("nodes.csv", "");
    let within = |script: &str| {
        let mut command = Command::new("unshare");
        command.current_dir(folder.path("")).args(["-rm", "sh", "-c"]);
        command.arg(format!("mount --bind there.csv nodes.csv && {script}"));
        command.arg(assert_cmd::cargo::cargo_bin!("motifnet")).output()
    };
    if !within("true").is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: nothing can be mounted here");
        return;
    }
    let output = within("exec \"$0\" census g.tsv --per-node nodes.csv").unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(
        said.contains("nodes.csv is mounted by itself, so nothing can take its place"),
        "{said}"
    );
    assert!(output.stdout.is_empty());
    assert_eq!(folder.text("there.csv"), "mine");
}

/// As a kill leaves it between the old run and the new one.
#[test]
fn a_run_that_was_about_to_be_replaced_is_put_back_or_replaced_after_all() {
    let folder = people(0);
    let train = format!("{TRAIN} --width 8");
    folder.ok(&train);
    let whole = folder.files();
    let set_aside = || {
        fs::create_dir(folder.path("run/.replaced")).unwrap();
        for entry in fs::read_dir(folder.path("run")).unwrap().map(Result::unwrap) {
            if entry.file_type().unwrap().is_file() {
                let to = folder.path("run/.replaced").join(entry.file_name());
                fs::rename(entry.path(), to).unwrap();
            }
        }
    };
    set_aside();
    let said = String::from_utf8(folder.run("train --resume run").stderr).unwrap();
    assert!(said.contains("run: its run is set aside in .replaced"), "{said}");
    let said = String::from_utf8(folder.run(&train).stderr).unwrap();
    assert!(said.contains("run holds a run already"), "{said}");
    assert!(folder.files() == whole);
    // The new one had begun, and can be taken up or be replaced itself.
    for go_on in ["train --resume run".to_owned(), format!("{train} --force")] {
        let config = folder.text("run/config.toml");
        set_aside();
        folder.put("run/config.toml", config);
        folder.ok(&go_on);
        assert!(!folder.path("run/.replaced").exists());
        assert!(folder.path("run/metrics.json").exists());
    }
}

#[test]
fn a_data_set_is_kept_until_another_is_complete() {
    let folder = Folder::new();
    folder.ok("generate citation --nodes 60 -o papers");
    check_kept(&folder, 20, "generate citation --nodes 3000 --force -o papers");
}
