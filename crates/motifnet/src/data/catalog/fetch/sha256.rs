//! SHA-256 as it is written: 64 lower-case hexadecimal digits.

use std::fmt::Write;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use ring::digest::{Context, SHA256};

use crate::progress::Progress;

/// Bytes that are read at a time.
pub(super) const BLOCK: usize = 1 << 16;

/// A hash in the making.
#[derive(Clone)]
pub(super) struct Sha256(Context);

impl Sha256 {
    pub(super) fn new() -> Self {
        Self(Context::new(&SHA256))
    }

    pub(super) fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The hash of all that came so far.
    pub(super) fn hexadecimal(&self) -> String {
        let mut text = String::with_capacity(64);
        for byte in self.0.clone().finish().as_ref() {
            // A string takes whatever is written to it.
            let _ = write!(text, "{byte:02x}");
        }
        text
    }
}

/// Adds all that is left of `reader` to `hash`; gives the number of bytes.
pub(super) fn add_all(
    hash: &mut Sha256,
    reader: &mut impl Read,
    progress: &dyn Progress,
) -> io::Result<u64> {
    let mut block = vec![0; BLOCK];
    let mut n_bytes = 0;
    loop {
        match reader.read(&mut block) {
            Ok(0) => return Ok(n_bytes),
            Ok(n) => {
                hash.update(&block[..n]);
                n_bytes += n as u64;
                progress.advance(n as u64);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// The length and the hash of a file.
pub(super) fn of_file(path: &Path, progress: &dyn Progress) -> io::Result<(u64, String)> {
    let mut hash = Sha256::new();
    let n_bytes = add_all(&mut hash, &mut File::open(path)?, progress)?;
    Ok((n_bytes, hash.hexadecimal()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn hash_of(pieces: &[&[u8]]) -> String {
        let mut hash = Sha256::new();
        pieces.iter().for_each(|piece| hash.update(piece));
        hash.hexadecimal()
    }

    /// The examples of FIPS 180-4.
    #[test]
    fn known_texts_have_known_hashes() {
        assert_eq!(
            hash_of(&[]),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        );
        assert_eq!(
            hash_of(&[b"abc"]),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }

    proptest! {
        #[test]
        fn how_the_bytes_come_does_not_matter(
            bytes in prop::collection::vec(any::<u8>(), 0..300),
            cut in 0_usize..300,
        ) {
            let (first, second) = bytes.split_at(cut.min(bytes.len()));
            prop_assert_eq!(hash_of(&[first, second]), hash_of(&[&bytes]));
        }
    }
}
