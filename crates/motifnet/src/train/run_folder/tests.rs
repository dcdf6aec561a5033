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
