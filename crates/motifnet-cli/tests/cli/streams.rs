//! What goes to stdout, what to stderr, and what happens when nobody reads.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use crate::support::Folder;

fn said(folder: &Folder, words: &str) -> String {
    String::from_utf8(folder.run(words).stderr).unwrap()
}

#[test]
fn what_was_dropped_is_said_even_if_quiet() {
    let folder = Folder::with("g.tsv", "0\t1\t1\n0\t0\t1\n0\t1\t2\n1\t2\t0\n2\t1\tnan\n");
    let dropped = "1 self-loop dropped, 1 repeated arc merged, 1 arc of weight zero dropped, \
                   1 arc whose weight is NaN or beyond what 32-bit numbers hold dropped";
    for words in ["census g.tsv", "census g.tsv --quiet", "-q inspect g.tsv --json"] {
        let said = said(&folder, words);
        assert!(said.contains(&format!("note: {dropped}\n")), "{words}: {said}");
        assert_eq!(said.contains("g.tsv: 3 nodes, 1 arc (text)\n"), words == "census g.tsv");
    }
}

#[test]
fn what_a_file_cannot_hold_is_said() {
    let folder = Folder::new();
    let said = said(&folder, "generate er --nodes 10 --arcs 1 -q -o g.csv");
    assert!(said.starts_with("note: 8 nodes without arcs are not in the file"), "{said}");
}

#[test]
fn nothing_is_drawn_where_stderr_is_no_terminal() {
    let folder = Folder::new();
    folder.ok("generate er --nodes 1000 --arcs 9000 -o g.tsv");
    assert_eq!(said(&folder, "census g.tsv"), "g.tsv: 1,000 nodes, 9,000 arcs (text)\n");
    assert_eq!(said(&folder, "census g.tsv -q"), "");
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let folder = Folder::with("g.tsv", "0\t1\n");
    for words in [&["census", "g.tsv"][..], &["inspect", "g.tsv", "--json"], &["--help"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_motifnet"));
        command.args(words).current_dir(folder.path(""));
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        assert!(lines.all(|line| !line.unwrap().contains("error")), "{words:?}");
        assert!(child.wait().unwrap().success(), "{words:?}");
    }
}

/// More threads than can help, which would take minutes to end.
#[test]
fn thousands_of_threads_are_not_started_and_that_is_said() {
    let folder = Folder::with("g.tsv", "0\t1\n1\t2\n2\t0\n");
    let output = folder.run("census g.tsv --quiet --threads 60000");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.starts_with("note: --threads 60000: ") && said.contains(" are started"), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert_eq!(String::from_utf8(output.stdout).unwrap(), folder.ok("census g.tsv --threads 1"));
}

/// What others write to the same file before and after stays, whether they append or not.
#[cfg(target_os = "linux")]
#[test]
fn what_is_written_to_stdout_by_its_name_comes_between_the_lines_of_others() {
    let folder = Folder::with("g.tsv", "0\t1\n1\t2\n2\t0\n");
    let table = "-q census g.tsv --json --per-node";
    folder.ok(&format!("{table} nodes.csv"));
    let nodes = folder.text("nodes.csv");
    std::os::unix::fs::symlink("/dev/stdout", folder.path("link.csv")).unwrap();
    for (out, to) in [
        ("/dev/stdout", ">> notes.txt"),
        ("/dev/stdout", "> notes.txt"),
        ("/dev/fd/1", ">> notes.txt"),
        ("/proc/self/fd/1", ">> notes.txt"),
        ("link.csv", ">> notes.txt"),
        ("/dev/fd/3", ">> notes.txt 3>&1"),
        ("/dev/stdout", "| cat >> notes.txt"),
    ] {
        folder.put("notes.txt", "");
        let script = format!("(echo header; \"$0\" {table} {out}; echo footer) {to}");
        let mut command = Command::new("sh");
        command.current_dir(folder.path("")).args(["-c", &script]);
        let output = command.arg(env!("CARGO_BIN_EXE_motifnet")).output().unwrap();
        let notes = folder.text("notes.txt");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(notes.starts_with(&format!("header\n{nodes}{{")), "{out} {to}: {said}{notes}");
        assert!(notes.ends_with("}\nfooter\n"), "{out} {to}: {notes}");
    }
}
