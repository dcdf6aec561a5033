//! What a killed process leaves of files that it was about to put in their places.

use std::fs::{self, File};
use std::path::Path;

/// The letters at the end of such a file's name.
const N_RANDOM: usize = 6;

/// Removes what killed processes left of the file at `path`: `.NAME.` and six letters beside it.
///
/// A process that is still at work on such a file holds a lock on it, and keeps it.
pub(crate) fn remove_leftovers(path: &Path) {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let entries = fs::read_dir(folder.unwrap_or(Path::new("."))).into_iter().flatten().flatten();
    for entry in entries {
        if entry.file_name().to_str().is_some_and(|found| is_leftover_of(name, found))
            && File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok())
        {
            // What cannot be removed does no harm.
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn is_leftover_of(name: &str, found: &str) -> bool {
    let random =
        found.strip_prefix('.').and_then(|rest| rest.strip_prefix(name)?.strip_prefix('.'));
    random.is_some_and(|random| {
        random.len() == N_RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leftovers_go_and_all_else_stays() {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str| fs::write(folder.path().join(name), "").unwrap();
        [".a.csv.x1Y2z3", ".a.csv.000000"].into_iter().for_each(put);
        let kept = ["a.csv", ".a.csv", ".a.csv.x1Y2z", ".a.csv.x1Y2z34", ".a.csv.x-y2z3", "b.csv"];
        let kept = kept.into_iter().chain([".b.csv.x1Y2z3", "a.csv.x1Y2z3"]);
        kept.clone().for_each(put);
        remove_leftovers(&folder.path().join("a.csv"));
        let mut names: Vec<String> = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        let mut kept: Vec<&str> = kept.collect();
        kept.sort_unstable();
        assert_eq!(names, kept);
    }

    #[test]
    fn a_file_that_is_still_written_is_no_leftover() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(".a.csv.x1Y2z3");
        let file = File::create(&path).unwrap();
        file.lock().unwrap();
        remove_leftovers(&folder.path().join("a.csv"));
        assert!(path.exists());
        drop(file);
        remove_leftovers(&folder.path().join("a.csv"));
        assert!(!path.exists());
    }
}
