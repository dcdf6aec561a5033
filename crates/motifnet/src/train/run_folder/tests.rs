use std::fs;

use super::*;

/// Puts these files into a folder, each with its own name in it.
fn put(folder: &RunFolder, names: &[&str]) {
    fs::create_dir_all(folder.path()).unwrap();
    names.iter().for_each(|name| fs::write(folder.file(name), name).unwrap());
}

/// The names of all files below a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    fn walk(root: &Path, at: &Path, names: &mut Vec<String>) {
        for entry in fs::read_dir(at).unwrap().map(Result::unwrap) {
            match entry.file_type().unwrap().is_dir() {
                true => walk(root, &entry.path(), names),
                false => {
                    let path = entry.path();
                    names.push(path.strip_prefix(root).unwrap().display().to_string());
                }
            }
        }
    }
    let mut found = Vec::new();
    walk(folder, folder, &mut found);
    found.sort();
    found
}

#[cfg(unix)]
#[test]
fn a_split_that_is_a_link_to_another_run_is_none_of_this_one() {
    let root = tempfile::tempdir().unwrap();
    let [run, other] = ["run", "other"].map(|name| RunFolder::at(&root.path().join(name)));
    put(&other, &FILES);
    put(&run, &[CONFIG_FILE]);
    put(&run.of_split(1), &[CONFIG_FILE, CHECKPOINT_FILE]);
    std::os::unix::fs::symlink(other.path(), run.of_split(0).path()).unwrap();
    assert_eq!(run.first_split().as_deref(), Some(run.of_split(1).path()));
    run.clear().unwrap();
    assert_eq!(names(other.path()).len(), FILES.len());
    assert_eq!(names(run.path()), ["split-01"]);
}

#[cfg(unix)]
#[test]
fn what_is_ours_is_not_written_through_links() {
    use std::os::unix::fs::symlink;
    let root = tempfile::tempdir().unwrap();
    let secret = root.path().join("secret");
    fs::write(&secret, "mine").unwrap();
    let run = RunFolder::create(&root.path().join("run")).unwrap();
    for name in FILES {
        symlink(&secret, run.file(name)).unwrap();
        assert!(run.write(name, b"ours").unwrap_err().to_string().contains("is a link"), "{name}");
    }
    assert_eq!(fs::read_to_string(&secret).unwrap(), "mine");
    let other = RunFolder::create(&root.path().join("other")).unwrap();
    symlink(other.path(), run.of_split(0).path()).unwrap();
    assert!(run.claim_split(0).unwrap_err().to_string().contains("is a link"));
    assert!(RunFolder::claim(run.place("split-01")).is_err());
    assert_eq!(names(other.path()).len(), 0);
    run.claim_split(1).unwrap();
}

/// An old run of two splits, with a file of the user's.
fn old_run(folder: &RunFolder) {
    put(folder, &[CONFIG_FILE, METRICS_FILE, "notes.txt"]);
    [0, 1].iter().for_each(|&number| put(&folder.of_split(number), &FILES));
    put(&folder.of_split(0), &["mine.txt"]);
}

/// The beginning of the new run.
fn begin(folder: &RunFolder) {
    fs::write(folder.file(CONFIG_FILE), "new").unwrap();
    put(folder, &[HISTORY_FILE]);
}

#[test]
fn the_old_run_comes_back_unless_the_new_one_has_begun() {
    let root = tempfile::tempdir().unwrap();
    let run = RunFolder::at(&root.path().join("run"));
    old_run(&run);
    let before = names(run.path());
    run.set_aside().unwrap();
    assert!(!run.holds_a_run() && !run.has_begun());
    begin(&run);
    run.discard_unless_begun().unwrap();
    assert_eq!(names(run.path()), before);
    assert_eq!(fs::read_to_string(run.file(CONFIG_FILE)).unwrap(), CONFIG_FILE);

    run.set_aside().unwrap();
    begin(&run);
    put(&run, &[CHECKPOINT_FILE]);
    run.discard_unless_begun().unwrap();
    assert_eq!(
        names(run.path()),
        [
            "checkpoint.safetensors",
            "config.toml",
            "history.jsonl",
            "notes.txt",
            "split-01/mine.txt"
        ]
    );
    assert_eq!(fs::read_to_string(run.file(CONFIG_FILE)).unwrap(), "new");
    assert!(!run.has_set_aside());
}

/// Whatever step of setting aside or of putting back came last before a kill, the old run comes back whole.
#[test]
fn a_kill_at_any_step_of_a_replacement_loses_no_run() {
    let root = tempfile::tempdir().unwrap();
    let whole = RunFolder::at(&root.path().join("whole"));
    put(&whole, &FILES);
    put(&whole.of_split(0), &[CONFIG_FILE, CHECKPOINT_FILE]);
    let before = names(whole.path());
    let moves: Vec<&str> =
        before.iter().map(String::as_str).filter(|n| n.starts_with("split")).collect();
    let order: Vec<&str> = FILES.into_iter().chain(moves).collect();
    for n_moved in 0..=order.len() {
        for has_new in [false, true] {
            // The new run begins when all of the old one is aside, and is gone before any of it is back.
            if has_new && n_moved < order.len() {
                continue;
            }
            let run = RunFolder::at(&root.path().join(format!("{n_moved}-{has_new}")));
            put(&run, &FILES);
            put(&run.of_split(0), &[CONFIG_FILE, CHECKPOINT_FILE]);
            let aside = run.file(SET_ASIDE);
            fs::create_dir_all(aside.join("split-01")).unwrap();
            for name in &order[..n_moved] {
                fs::rename(run.file(name), aside.join(name)).unwrap();
            }
            if has_new {
                begin(&run);
            }
            match n_moved {
                0 => assert!(RunFolder::open(run.path()).is_ok()),
                _ if has_new => assert!(RunFolder::open(run.path()).is_ok()),
                _ => {
                    let said = RunFolder::open(run.path()).unwrap_err().to_string();
                    assert!(said.contains("its run is set aside in .replaced"), "{said}");
                }
            }
            run.settle().unwrap();
            assert_eq!(names(run.path()), before, "{n_moved} {has_new}");
            assert_eq!(fs::read_to_string(run.file(CONFIG_FILE)).unwrap(), CONFIG_FILE);
            assert!(!run.has_set_aside());
            // And it can be replaced after all.
            run.set_aside().unwrap();
            assert!(!run.holds_a_run());
        }
    }
}

/// As a kill leaves files of a user's that are to be replaced, at any step: they come back, and the new run goes.
#[test]
fn a_kill_at_any_step_loses_no_file_that_was_no_runs() {
    let root = tempfile::tempdir().unwrap();
    let of_user = [HISTORY_FILE, METRICS_FILE, "split-01/model.toml"];
    for n_moved in 0..=of_user.len() {
        for has_new in [false, true] {
            // The new run begins when all is aside.
            if has_new && n_moved < of_user.len() {
                continue;
            }
            let run = RunFolder::at(&root.path().join(format!("{n_moved}-{has_new}")));
            let aside = run.file(SET_ASIDE);
            fs::create_dir_all(run.file("split-01")).unwrap();
            fs::create_dir_all(aside.join("split-01")).unwrap();
            for (at, name) in of_user.iter().enumerate() {
                let folder = if at < n_moved { aside.as_path() } else { run.path() };
                fs::write(folder.join(name), "mine").unwrap();
            }
            if has_new {
                begin(&run);
                put(&run.of_split(0), &[CONFIG_FILE]);
            }
            run.settle().unwrap();
            assert_eq!(names(run.path()), of_user, "{n_moved} {has_new}");
            let is_of_user = |name: &&str| fs::read_to_string(run.file(name)).unwrap() == "mine";
            assert!(of_user.iter().all(is_of_user), "{n_moved} {has_new}");
            assert!(!run.has_set_aside());
        }
    }
}

#[test]
fn what_tells_of_a_run_is_set_aside_with_it_and_a_cache_is_kept() {
    let root = tempfile::tempdir().unwrap();
    let run = RunFolder::at(&root.path().join("run"));
    put(&run, &[CONFIG_FILE, METRICS_FILE, EIGEN_FILE, "report.html"]);
    fs::create_dir(run.file("events")).unwrap();
    let event = "events/events.out.tfevents.0000000001.000.motifnet";
    put(&run, &[event, "events/mine.txt"]);
    let before = names(run.path());
    run.set_aside().unwrap();
    let aside = |name: &str| format!("{SET_ASIDE}/{name}");
    assert_eq!(
        names(run.path()),
        [
            aside(CONFIG_FILE),
            aside(event),
            aside(METRICS_FILE),
            aside("report.html"),
            EIGEN_FILE.to_owned(),
            "events/mine.txt".to_owned()
        ]
    );
    run.settle().unwrap();
    assert_eq!(names(run.path()), before);
    run.set_aside().unwrap();
    begin(&run);
    put(&run, &[CHECKPOINT_FILE]);
    run.settle().unwrap();
    assert_eq!(
        names(run.path()),
        [CHECKPOINT_FILE, CONFIG_FILE, EIGEN_FILE, "events/mine.txt", HISTORY_FILE]
    );
}

#[test]
fn nothing_is_set_aside_while_a_split_is_at_work() {
    let root = tempfile::tempdir().unwrap();
    let run = RunFolder::at(&root.path().join("run"));
    old_run(&run);
    let before = names(run.path());
    let (_, claim) = run.claim_split(1).unwrap();
    assert!(run.set_aside().unwrap_err().to_string().contains("is at work in this folder"));
    drop(claim);
    assert_eq!(names(run.path()), before);
    run.set_aside().unwrap();
}

#[test]
fn what_a_killed_process_was_about_to_put_in_place_goes_with_the_next_claim() {
    let root = tempfile::tempdir().unwrap();
    let run = RunFolder::at(&root.path().join("run"));
    let leftovers = FILES.map(|name| format!(".{name}.x1y2z3.motifnet-new"));
    put(&run, &FILES);
    put(&run.of_split(0), &[CONFIG_FILE]);
    let before = names(run.path());
    put(&run, &leftovers.each_ref().map(String::as_str));
    put(&run.of_split(0), &[&leftovers[0]]);
    drop(RunFolder::claim(run.path()).unwrap());
    drop(run.claim_split(0).unwrap());
    assert_eq!(names(run.path()), before);
    // And with a split that goes.
    put(&run.of_split(0), &[&leftovers[0]]);
    run.clear().unwrap();
    assert!(!run.of_split(0).path().exists());
}
