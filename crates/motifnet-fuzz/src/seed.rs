//! Inputs to begin with.

/// A small input that a reader takes.
pub struct Seed {
    /// What it is.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

impl Seed {
    /// An input called `name`.
    pub(crate) fn new(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self { name: name.into(), bytes: bytes.into() }
    }
}

/// The bytes of the file that `write` writes, which is called `name`.
pub(crate) fn written<E: std::fmt::Debug>(
    name: &str,
    write: impl FnOnce(&std::path::Path) -> Result<(), E>,
) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder for a seed");
    let path = folder.path().join(name);
    write(&path).expect("a seed");
    std::fs::read(path).expect("a seed that was written")
}
