//! Where a file or a folder goes, and whether links on the way are followed.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::WriteError;
use super::links::refuse_link;

/// Where a file or a folder goes.
///
/// A path that a user named is followed wherever it leads. A name that is ours, in a folder that a user named,
/// is not: were it a link, it would lead out of that folder. Everything that writes takes a place, and whoever
/// chooses a name says [`Place::within`].
///
/// ```
/// use std::io::Write;
/// use motifnet::io::{Place, WholeFile};
/// # let folder = tempfile::tempdir()?;
/// # let run = folder.path();
/// let mut file = WholeFile::create(Place::within(run, "notes.txt"))?;
/// file.write_all(b"there, and nowhere else")?;
/// file.commit()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    path: PathBuf,
    /// The folder that was named, if what comes after it is ours.
    within: Option<PathBuf>,
}

impl Place {
    /// A name of ours, which may have folders in it, in a folder that was named.
    pub fn within(folder: &Path, name: impl AsRef<Path>) -> Self {
        Self { path: folder.join(name), within: Some(folder.to_owned()) }
    }

    /// The same of a path whose last name is ours.
    #[cfg(feature = "fetch")]
    pub(crate) fn within_its_folder(path: &Path) -> Self {
        Self { path: path.to_owned(), within: path.parent().map(Path::to_owned) }
    }

    /// A name of ours in this folder: what was ours of it stays so.
    pub fn join(&self, name: impl AsRef<Path>) -> Self {
        let within = self.within.as_ref().unwrap_or(&self.path);
        Self { path: self.path.join(name), within: Some(within.clone()) }
    }

    /// The path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the name is ours.
    pub(super) fn is_ours(&self) -> bool {
        self.within.is_some()
    }

    /// Refuses links in what is ours of the path.
    ///
    /// # Errors
    /// If there is one.
    pub(super) fn check(&self) -> Result<(), WriteError> {
        let Some(folder) = &self.within else { return Ok(()) };
        let mut ours = self.path.ancestors().take_while(|path| path != folder);
        ours.try_for_each(refuse_link)
    }

    /// Makes a folder here, with those above it, unless it is there.
    ///
    /// # Errors
    /// If it cannot be made, or its name is ours and there is a link.
    pub fn make_folder(&self) -> Result<(), WriteError> {
        self.check()?;
        fs::create_dir_all(&self.path).map_err(|source| self.problem(source))?;
        // One that came in between is found; what is in it was made by nobody of ours.
        self.check()
    }

    fn problem(&self, source: io::Error) -> WriteError {
        WriteError::io(&self.path, source)
    }
}

impl From<&Path> for Place {
    fn from(path: &Path) -> Self {
        Self { path: path.to_owned(), within: None }
    }
}

impl From<&PathBuf> for Place {
    fn from(path: &PathBuf) -> Self {
        path.as_path().into()
    }
}

impl From<&Place> for Place {
    fn from(place: &Place) -> Self {
        place.clone()
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_are_followed_up_to_the_folder_that_was_named_and_not_below() {
        let root = tempfile::tempdir().unwrap();
        let path = |name: &str| root.path().join(name);
        ["real", "other"].iter().for_each(|name| fs::create_dir(path(name)).unwrap());
        symlink(path("real"), path("named")).unwrap();
        Place::within(&path("named"), "a/b").make_folder().unwrap();
        assert!(path("real/a/b").is_dir());
        symlink(path("other"), path("real/a/link")).unwrap();
        for name in ["a/link", "a/link/c"] {
            let refused = Place::within(&path("named"), name).make_folder();
            assert!(matches!(refused, Err(WriteError::IsLink(_))), "{name}");
        }
        Place::from(&path("named/a/link/c")).make_folder().unwrap();
        assert!(path("other/c").is_dir());
    }
}
