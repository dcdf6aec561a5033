//! Data sets that are folders: which of the files has the arcs.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::ReadError;

/// The file that says what is in a data set's folder.
const DESCRIPTION: &str = "dataset.toml";

/// The part of a description that tells where the arcs are; what else it says is not for here.
#[derive(Deserialize)]
struct Description {
    npz: Option<String>,
    arcs: Option<String>,
}

/// The file with the arcs of the data set in `folder`.
pub(super) fn arcs_file(folder: &Path) -> Result<PathBuf, ReadError> {
    let path = folder.join(DESCRIPTION);
    let text = std::fs::read_to_string(&path).map_err(|error| {
        let message = format!(
            "a folder is read through its {DESCRIPTION}, which cannot be read ({error}); name a \
             file, or add a {DESCRIPTION} with the key `arcs` or `npz`"
        );
        ReadError::file(folder, message)
    })?;
    let description: Description = toml::from_str(&text).map_err(|error| {
        let line = error.span().map_or(1, |span| 1 + text[..span.start].matches('\n').count());
        ReadError::line(&path, line as u64, error.message().to_owned())
    })?;
    let file = description.npz.or(description.arcs).ok_or_else(|| {
        ReadError::file(&path, "neither `npz` nor `arcs` says where the arcs are; add one of them")
    })?;
    // `file#column` names a part of a file; arcs are read from the whole of it.
    let file = file.split_once('#').map_or(file.as_str(), |(file, _)| file);
    Ok(folder.join(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arcs_file_of(description: &str) -> Result<String, String> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(DESCRIPTION), description).unwrap();
        let name = folder.path().display().to_string();
        let relative = |text: String| text.replace(&name, "D");
        match arcs_file(folder.path()) {
            Ok(path) => Ok(relative(path.display().to_string())),
            Err(error) => Err(relative(error.to_string())),
        }
    }

    #[test]
    fn the_arcs_or_the_archive_are_found() {
        let found = arcs_file_of("name = 'x'\narcs = 'edges.tsv#weight'\nsplit = '6/2/2'");
        assert_eq!(found.unwrap(), "D/edges.tsv");
        assert_eq!(arcs_file_of("npz = 'x.npz'").unwrap(), "D/x.npz");
    }

    #[test]
    fn what_is_wrong_with_a_description_is_said() {
        for (description, expected) in [
            (
                "name = 'x'",
                "D/dataset.toml: neither `npz` nor `arcs` says where the arcs are; add one of them",
            ),
            (
                "name = 'x'\narcs = 3",
                "D/dataset.toml:2: invalid type: integer `3`, expected a string",
            ),
        ] {
            assert_eq!(arcs_file_of(description).unwrap_err(), expected);
        }
    }
}
