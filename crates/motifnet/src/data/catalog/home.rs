//! Where fetched data sets lie.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use etcetera::BaseStrategy;

use super::find;

/// The variable that says where MotifNet keeps what it fetched.
const HOME: &str = "MOTIFNET_HOME";

/// There is no place to keep data sets.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("this account has no home folder to keep data sets in; set {HOME} to a folder")]
pub struct NoDataHome;

/// The folder with one folder for each fetched data set: `$MOTIFNET_HOME/data`, else `motifnet/data`
/// where the platform keeps a user's data (`$XDG_DATA_HOME` or `~/.local/share`; on Windows
/// `%APPDATA%`). It need not exist.
///
/// # Errors
/// If neither is to be had.
pub fn data_home() -> Result<PathBuf, NoDataHome> {
    home_of(std::env::var_os(HOME), || Some(etcetera::choose_base_strategy().ok()?.data_dir()))
}

fn home_of(
    chosen: Option<OsString>,
    of_platform: impl FnOnce() -> Option<PathBuf>,
) -> Result<PathBuf, NoDataHome> {
    let home = match chosen {
        Some(folder) if !folder.is_empty() => Some(PathBuf::from(folder)),
        _ => of_platform().map(|folder| folder.join("motifnet")),
    };
    home.map(|folder| folder.join("data")).ok_or(NoDataHome)
}

/// The folder of the fetched data set that `path` names, for commands that take a data set: none
/// if there is a file or folder at `path`, if it is no known name, or if not all of it is there.
///
/// ```
/// use motifnet::data::catalog::resolve;
/// assert_eq!(resolve("no-such-data-set".as_ref()), None);
/// ```
pub fn resolve(path: &Path) -> Option<PathBuf> {
    resolve_in(&data_home().ok()?, path)
}

fn resolve_in(home: &Path, path: &Path) -> Option<PathBuf> {
    let name = name_at(path)?;
    let folder = home.join(name);
    find(name).ok()?.is_in(&folder).then_some(folder)
}

/// What to tell a user who names a known data set that was not fetched.
///
/// ```
/// use motifnet::data::catalog::fetch_hint;
/// let hint = fetch_hint("cora-ml".as_ref());
/// assert_eq!(hint.as_deref(), Some("cora-ml is a known data set: motifnet data fetch cora-ml"));
/// assert_eq!(fetch_hint("data/cora-ml".as_ref()), None);
/// ```
pub fn fetch_hint(path: &Path) -> Option<String> {
    let name = name_at(path).filter(|name| find(name).is_ok())?;
    Some(format!("{name} is a known data set: motifnet data fetch {name}"))
}

/// The word that `path` is, where there is no such file. A path with a folder in it is meant as one.
fn name_at(path: &Path) -> Option<&str> {
    let mut parts = path.components();
    match (parts.next(), parts.next()) {
        (Some(Component::Normal(name)), None) if !path.exists() => name.to_str(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::catalog::KnownDataset;

    #[test]
    fn the_home_is_the_chosen_one_or_the_platforms() {
        let home = |chosen: Option<&str>, platform: Option<&str>| {
            home_of(chosen.map(OsString::from), || platform.map(PathBuf::from))
        };
        assert_eq!(home(Some("/big"), Some("/share")), Ok("/big/data".into()));
        assert_eq!(home(None, Some("/share")), Ok("/share/motifnet/data".into()));
        assert_eq!(home(Some(""), Some("/share")), Ok("/share/motifnet/data".into()));
        assert_eq!(home(None, None), Err(NoDataHome));
    }

    fn put(known: &KnownDataset, folder: &Path) {
        std::fs::create_dir_all(folder).unwrap();
        std::fs::write(folder.join("dataset.toml"), &known.description).unwrap();
        for file in &known.files {
            std::fs::write(file.path(folder), "").unwrap();
        }
    }

    #[test]
    fn a_name_is_the_folder_of_what_was_fetched() {
        let home = tempfile::tempdir().unwrap();
        let resolved = |path: &str| resolve_in(home.path(), path.as_ref());
        assert_eq!(resolved("cora-ml"), None);
        let folder = home.path().join("cora-ml");
        put(find("cora-ml").unwrap(), &folder);
        assert_eq!(resolved("cora-ml"), Some(folder.clone()));
        for other in ["cora_ml", "./cora-ml", "data/cora-ml", "/cora-ml", "", "..", "telegram"] {
            assert_eq!(resolved(other), None, "{other:?}");
        }
        std::fs::remove_file(folder.join("cora_ml.npz")).unwrap();
        assert_eq!(resolved("cora-ml"), None);
    }

    #[test]
    fn what_is_there_is_not_looked_up() {
        // Tests run in the folder of the crate, which has a folder `src`.
        assert!(Path::new("src").is_dir());
        assert_eq!(name_at("src".as_ref()), None);
        assert_eq!(name_at("cora-ml".as_ref()), Some("cora-ml"));
    }

    #[test]
    fn only_known_names_are_hinted_at() {
        assert_eq!(fetch_hint("data/telegram".as_ref()), None);
        assert_eq!(fetch_hint("telegrams".as_ref()), None);
        let hint = fetch_hint("telegram".as_ref()).unwrap();
        assert_eq!(hint, "telegram is a known data set: motifnet data fetch telegram");
    }
}
