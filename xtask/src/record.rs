//! What takes hours to find out, kept line by line in the repository, so that it is found out once and taken up
//! anywhere.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A line of a record: what was found out about one thing.
pub(crate) trait Line: Serialize + DeserializeOwned {
    /// The thing, by its names; a later line about it takes the place of an earlier one.
    fn key(&self) -> Vec<&str>;
}

/// All lines, in a file of JSON objects.
pub(crate) struct Record<L> {
    path: PathBuf,
    lines: Vec<L>,
}

impl<L: Line> Record<L> {
    /// The record at `path`; an empty one if there is no file.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let text = match fs::read_to_string(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            other => other.with_context(|| format!("reading {}", path.display()))?,
        };
        let lines = text.lines().enumerate().map(|(at, line)| {
            serde_json::from_str(line).with_context(|| format!("{}:{}", path.display(), at + 1))
        });
        Ok(Self { path: path.to_owned(), lines: lines.collect::<Result<_>>()? })
    }

    /// The line about a thing.
    pub(crate) fn get(&self, key: &[&str]) -> Option<&L> {
        self.lines.iter().find(|line| line.key() == key)
    }

    /// Puts a line in the place of an older one, and writes all; lines go by name, so that it does not matter which
    /// was found first.
    pub(crate) fn put(&mut self, line: L) -> Result<()> {
        self.lines.retain(|old| old.key() != line.key());
        self.lines.push(line);
        self.lines.sort_by(|a, b| a.key().cmp(&b.key()));
        let lines = self.lines.iter().map(|line| Ok(serde_json::to_string(line)? + "\n"));
        write_whole(&self.path, &lines.collect::<Result<String>>()?)
    }
}

/// A temporary name, then rename: the file is there whole or not at all.
pub(crate) fn write_whole(file: &Path, text: &str) -> Result<()> {
    let temporary = file.with_extension("tmp");
    fs::write(&temporary, text)
        .and_then(|()| fs::rename(&temporary, file))
        .with_context(|| format!("writing {}", file.display()))
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Count {
        what: String,
        n: u32,
    }

    impl Line for Count {
        fn key(&self) -> Vec<&str> {
            vec![&self.what]
        }
    }

    #[test]
    fn a_later_line_takes_the_place_of_an_earlier_one_and_all_are_read_again() {
        let path =
            std::env::temp_dir().join(format!("motifnet-record-{}.jsonl", std::process::id()));
        let count = |what: &str, n| Count { what: what.to_owned(), n };
        let mut record = Record::read(&path).unwrap();
        for line in [count("b", 1), count("a", 2), count("b", 3)] {
            record.put(line).unwrap();
        }
        let text = fs::read_to_string(&path).unwrap();
        let again = Record::<Count>::read(&path).unwrap();
        fs::remove_file(&path).unwrap();
        assert_eq!(text, "{\"what\":\"a\",\"n\":2}\n{\"what\":\"b\",\"n\":3}\n");
        assert_eq!((again.get(&["b"]), again.get(&["c"])), (Some(&count("b", 3)), None));
    }
}
