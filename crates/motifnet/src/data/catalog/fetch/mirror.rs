//! Other servers that have the files of the catalogue.

use std::fmt;
use std::str::FromStr;

use super::address;

/// A server, or a folder of one, that has the files under the same paths as their own servers: the
/// mirror `https://files.example/mirror` has `https://a.org/data/x.gz` as
/// `https://files.example/mirror/data/x.gz`. One on this machine may be asked without encryption.
///
/// ```
/// use motifnet::data::catalog::Mirror;
/// let mirror: Mirror = "https://files.example/mirror/".parse()?;
/// assert_eq!(mirror.address("https://a.org/data/x.gz"), "https://files.example/mirror/data/x.gz");
/// # Ok::<(), motifnet::data::catalog::MirrorError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mirror {
    /// Without a slash at its end.
    base: String,
}

/// An address that can be no mirror.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum MirrorError {
    /// It is none of a server.
    #[error("{0:?} is no address of a mirror; use one such as https://files.example/mirror")]
    NoAddress(String),
    /// Whoever is on the way could change what comes.
    #[error("{0:?} is not encrypted, and not on this machine; use https")]
    NotEncrypted(String),
}

impl Mirror {
    /// Where the mirror has the file at `url`.
    pub fn address(&self, url: &str) -> String {
        let path = address::parse(url).map_or_else(String::new, |uri| uri.path().to_owned());
        format!("{}{path}", self.base)
    }
}

impl FromStr for Mirror {
    type Err = MirrorError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_plain = !text.contains(['?', '#', '@']);
        match address::parse(text) {
            Some(uri) if is_plain && !address::is_safe(&uri) => {
                Err(MirrorError::NotEncrypted(text.to_owned()))
            }
            Some(_) if is_plain => Ok(Self { base: text.trim_end_matches('/').to_owned() }),
            _ => Err(MirrorError::NoAddress(text.to_owned())),
        }
    }
}

impl fmt::Display for Mirror {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.base)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::catalog::known;

    #[test]
    fn the_path_is_kept_and_all_before_it_replaced() {
        let url = "https://raw.githubusercontent.com/a/b/c/data/x.npz";
        for (base, expected) in [
            ("http://127.0.0.1:8000", "http://127.0.0.1:8000/a/b/c/data/x.npz"),
            ("http://127.0.0.1:8000/", "http://127.0.0.1:8000/a/b/c/data/x.npz"),
            ("https://m.org/deep/er//", "https://m.org/deep/er/a/b/c/data/x.npz"),
        ] {
            assert_eq!(base.parse::<Mirror>().unwrap().address(url), expected);
        }
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for wrong in ["", "m.org", "ftp://m.org", "http://", "http://m.org/?a=", "/data"] {
            assert_eq!(wrong.parse::<Mirror>(), Err(MirrorError::NoAddress(wrong.to_owned())));
        }
    }

    #[test]
    fn only_this_machine_may_answer_in_the_open() {
        for open in ["http://127.0.0.1:8000", "http://localhost/m", "http://[::1]:80"] {
            assert!(open.parse::<Mirror>().is_ok(), "{open}");
        }
        for far in ["http://m.org", "http://127.0.0.1.m.org", "http://10.0.0.1:8000"] {
            assert_eq!(far.parse::<Mirror>(), Err(MirrorError::NotEncrypted(far.to_owned())));
        }
    }

    #[test]
    fn no_two_files_of_the_catalogue_are_the_same_file_of_a_mirror() {
        let mirror: Mirror = "https://m.org".parse().unwrap();
        let files = known().iter().flat_map(|known| &known.files);
        let addresses: Vec<String> = files.map(|file| mirror.address(&file.url)).collect();
        let distinct: std::collections::BTreeSet<&String> = addresses.iter().collect();
        assert_eq!(distinct.len(), addresses.len());
    }
}
