//! What a killed process leaves of files that it was about to put in their places.

use std::fs::{self, File};
use std::path::Path;

use super::links::{is_at, open_as_it_is};

/// The random letters in such a file's name.
pub(super) const N_RANDOM: usize = 6;
/// What such a file's name ends in: letters alone could spell `backup`, and be a user's.
pub(super) const MARK: &str = ".motifnet-new";

/// A longer name is cut where it is hidden: no hidden name is longer than this with what is added, or than the name
/// itself, which the disk takes.
pub(super) const LONGEST_WHOLE: usize = 100;
/// What is added: two dots, the letters and the mark.
const N_ADDED: usize = 2 + N_RANDOM + MARK.len();

/// As much of a file's name as stands in its hidden one. Of names that begin alike one may be taken for another's, and
/// neither holds anything that is missed.
pub(super) fn hidden_part(name: &str) -> &str {
    match name.len() {
        ..=LONGEST_WHOLE => name,
        n_bytes => &name[..name.floor_char_boundary(n_bytes - N_ADDED)],
    }
}

/// Removes what killed processes left of the file at `path`: `.NAME.`, six letters and the mark, beside it.
///
/// A process that is still at work on such a file holds a lock on it, and keeps it.
pub(crate) fn remove_leftovers(path: &Path) {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let entries = fs::read_dir(folder.unwrap_or(Path::new("."))).into_iter().flatten().flatten();
    for entry in entries {
        if entry.file_name().to_str().is_some_and(|found| is_leftover_of(name, found))
            && entry.file_type().is_ok_and(|kind| kind.is_file())
        {
            remove_unless_locked(&entry.path());
        }
    }
}

fn remove_unless_locked(path: &Path) {
    let Ok(file) = open_as_it_is(File::options().read(true), path) else { return };
    // It may have got its name since it was listed.
    if file.try_lock().is_ok() && is_at(&file, path) {
        // What cannot be removed does no harm.
        let _ = fs::remove_file(path);
    }
}

pub(super) fn is_leftover_of(name: &str, found: &str) -> bool {
    let rest = found.strip_prefix('.').and_then(|rest| rest.strip_prefix(hidden_part(name)));
    let random = rest.and_then(|rest| rest.strip_prefix('.')?.strip_suffix(MARK));
    random.is_some_and(|random| {
        random.len() == N_RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names_in(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn leftovers_go_and_all_else_stays() {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str| fs::write(folder.path().join(name), "").unwrap();
        [".a.csv.x1y2z3.motifnet-new", ".a.csv.000000.motifnet-new"].into_iter().for_each(put);
        let kept = ["a.csv", ".a.csv", ".a.csv.backup", ".a.csv.x1Y2z3", ".a.csv.motifnet-new"];
        let kept = kept.into_iter().chain([
            ".a.csv.x1y2z.motifnet-new",
            ".a.csv.x1y2z34.motifnet-new",
            ".a.csv.x-y2z3.motifnet-new",
            ".b.csv.x1y2z3.motifnet-new",
            "a.csv.x1y2z3.motifnet-new",
            "b.csv",
        ]);
        kept.clone().for_each(put);
        remove_leftovers(&folder.path().join("a.csv"));
        let mut kept: Vec<&str> = kept.collect();
        kept.sort_unstable();
        assert_eq!(names_in(folder.path()), kept);
    }

    #[test]
    fn no_hidden_name_is_longer_than_a_long_name_and_it_is_known_again() {
        for name in
            ["x".repeat(101), "x".repeat(255), "ü".repeat(127), "x".to_owned() + &"€".repeat(84)]
        {
            let hidden = format!(".{}.x1y2z3{MARK}", hidden_part(&name));
            assert!(hidden.len() <= name.len(), "{hidden}");
            assert!(is_leftover_of(&name, &hidden), "{hidden}");
            let first = name.chars().take(1).collect::<String>();
            assert!(!is_leftover_of(&first, &hidden), "{hidden}");
        }
        assert_eq!(hidden_part("nodes.csv"), "nodes.csv");
    }

    #[test]
    fn a_file_that_is_still_written_is_no_leftover() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(".a.csv.x1y2z3.motifnet-new");
        let file = File::create(&path).unwrap();
        file.lock().unwrap();
        remove_leftovers(&folder.path().join("a.csv"));
        assert!(path.exists());
        drop(file);
        remove_leftovers(&folder.path().join("a.csv"));
        assert!(!path.exists());
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_file_is_neither_waited_for_nor_removed() {
        use rustix::fs::{CWD, FileType, Mode, mknodat};
        let folder = tempfile::tempdir().unwrap();
        let path = |letters: &str| folder.path().join(format!(".a.csv.{letters}{MARK}"));
        mknodat(CWD, path("aaaaaa"), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        fs::write(folder.path().join("mine"), "").unwrap();
        std::os::unix::fs::symlink(folder.path().join("mine"), path("bbbbbb")).unwrap();
        fs::create_dir(path("cccccc")).unwrap();
        remove_leftovers(&folder.path().join("a.csv"));
        assert_eq!(names_in(folder.path()).len(), 4);
    }
}
