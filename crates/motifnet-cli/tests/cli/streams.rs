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
