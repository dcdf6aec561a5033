//! One file out of a zip archive. Where it is written is ours to say: names in the archive are only
//! compared with the one that is wanted.

use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

use zip::ZipArchive;

use super::FetchError;
use super::sha256::{BLOCK, Sha256};
use crate::io::{Place, WholeFile, WriteError};

/// Writes `name` of the archive to `path`, whole or not at all, if `check` has nothing against its
/// hash; gives its length and hash. An entry that unpacks to more than `limit` bytes is refused.
pub(super) fn member(
    archive: &mut File,
    name: &str,
    path: &Path,
    limit: u64,
    url: &str,
    check: impl FnOnce(&str) -> Result<(), FetchError>,
) -> Result<(u64, String), FetchError> {
    let problem = |reason: String| FetchError::Archive {
        url: url.to_owned(),
        member: name.to_owned(),
        reason,
    };
    let mut archive = ZipArchive::new(archive).map_err(|error| problem(error.to_string()))?;
    let mut entry = archive.by_name(name).map_err(|error| problem(error.to_string()))?;
    let mut file = WholeFile::create_plain(Place::within_its_folder(path))?;
    let mut hash = Sha256::new();
    let mut n_bytes = 0;
    let mut block = vec![0; BLOCK];
    loop {
        let n = entry.read(&mut block).map_err(|error| problem(error.to_string()))?;
        if n == 0 {
            break;
        }
        n_bytes += n as u64;
        if n_bytes > limit {
            return Err(problem(format!("it has more than {limit} bytes")));
        }
        hash.update(&block[..n]);
        file.write_all(&block[..n]).map_err(|source| WriteError::io(path, source))?;
    }
    let found = hash.hexadecimal();
    check(&found)?;
    file.commit()?;
    Ok((n_bytes, found))
}
