//! Names of ours are not written through links, and names of a user's are.

use std::os::unix::fs::symlink;

use crate::predict::people;
use crate::support::Folder;

const TRAIN: &str = "train --arcs arcs.csv --labels people.csv#team --features degrees --split 60/20/20 \
                     --width 8 --epochs 3 --out run";

/// Runs a command that must be refused because of a link at `link`; where that leads to must stay as it is.
fn check(folder: &Folder, words: &str, link: &str, target: &str) {
    folder.put("elsewhere/secret", "mine");
    let path = folder.path(link);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let _ = std::fs::remove_file(&path);
    symlink(folder.path(target), &path).unwrap();
    let output = folder.run(words);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "motifnet {words} ({link}): {said}");
    let expected = format!("{link} is a link, and nothing is written through it; remove it");
    assert!(said.contains(&expected), "motifnet {words} ({link}): {said}");
    assert_eq!(folder.text("elsewhere/secret"), "mine", "motifnet {words} ({link})");
    assert_eq!(std::fs::read_dir(folder.path("elsewhere")).unwrap().count(), 1, "{words} ({link})");
    std::fs::remove_file(path).unwrap();
}

#[test]
fn no_command_writes_through_a_link_under_a_name_of_ours() {
    let folder = people(0);
    let check = |words: &str, link: &str, target: &str| check(&folder, words, link, target);
    let (file, nowhere, dir) = ("elsewhere/secret", "elsewhere/nowhere", "elsewhere");
    check(&format!("{TRAIN} --tensorboard"), "run/events", dir);
    check(&format!("{TRAIN} --repeat 2"), "run/split-02", dir);
    check(
        &format!("{TRAIN} --force --model spectral --eigenvectors 5"),
        "run/eigenbasis.npz",
        file,
    );
    folder.ok(&format!("{TRAIN} --force"));
    for target in [file, nowhere] {
        check("report run", "run/report.html", target);
        check("motifs arcs.csv --motif M5 --out matrices", "matrices/M5.npz", target);
        check("motifs arcs.csv --motif M5 --out matrices", "matrices/nodes.csv", target);
        check("man --out man", "man/motifnet-train.1", target);
        let generate = "generate citation --nodes 60 --force -o papers";
        check(generate, "papers/words.npz", target);
        check(generate, "papers/.lock", target);
    }
}

/// What is named leads where it leads; what is already there under a name of ours goes, and not what it
/// leads to.
#[test]
fn a_link_that_was_named_is_followed_and_one_in_the_way_is_replaced() {
    let folder = people(0);
    std::fs::create_dir(folder.path("real")).unwrap();
    symlink("real", folder.path("run")).unwrap();
    folder.put("secret", "mine");
    for name in ["history.jsonl", "checkpoint.safetensors", "model.toml", "timing.json"] {
        symlink("../secret", folder.path(&format!("real/{name}"))).unwrap();
    }
    let said = folder.refused(TRAIN);
    assert!(said.contains("run/history.jsonl is there already"), "{said}");
    folder.ok(&format!("{TRAIN} --force"));
    assert!(
        folder.path("real/model.toml").is_file() && !folder.path("real/model.toml").is_symlink()
    );
    assert_eq!(folder.text("secret"), "mine");
    symlink("real/page.html", folder.path("page.html")).unwrap();
    folder.ok("report run -o page.html");
    assert!(folder.path("page.html").is_symlink() && folder.path("real/page.html").is_file());
}
