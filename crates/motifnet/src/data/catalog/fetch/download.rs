//! One file over connections that may be cut.

use std::io::{self, Read};
use std::path::Path;

use super::http::{Answer, Client, NoAnswer};
use super::part::Part;
use super::sha256::BLOCK;
use super::{FetchError, FetchOptions};
use crate::io::WriteError;
use crate::progress::{Progress, Unit};

/// The file to bring.
pub(super) struct Wanted<'a> {
    /// What it is called, for people.
    pub(super) name: &'a str,
    pub(super) url: &'a str,
    /// The most bytes that are accepted.
    pub(super) limit: u64,
    /// Its length, if known.
    pub(super) exact: Option<u64>,
    /// Whether a hash will tell if the bytes of two versions were mixed, or some are missing.
    pub(super) is_hash_known: bool,
}

/// Why an attempt has not brought all of the file.
enum Stop {
    /// It would be the same the next time.
    Final(FetchError),
    /// It may be otherwise the next time.
    Passing(FetchError),
}

impl From<WriteError> for Stop {
    fn from(error: WriteError) -> Self {
        Self::Final(error.into())
    }
}

/// Brings the file into `path`, from where an earlier attempt has stopped. A connection that was cut
/// is tried again, after pauses that grow. The part that comes back has all bytes, and waits for its
/// hash to be looked at.
pub(super) fn download(
    client: &Client,
    wanted: &Wanted<'_>,
    path: &Path,
    options: &FetchOptions,
    progress: &dyn Progress,
) -> Result<Part, FetchError> {
    let mut part = Part::open(path, wanted.url, wanted.is_hash_known)?;
    let mut pause = options.first_pause;
    let mut n_left = options.retries;
    loop {
        let outcome = attempt(client, wanted, &mut part, progress);
        progress.end();
        match outcome {
            Ok(()) => return Ok(part),
            Err(Stop::Passing(_)) if n_left > 0 => {
                progress.begin(&format!("wait for {}", wanted.name), None, Unit::Items);
                std::thread::sleep(pause);
                progress.end();
                pause = pause.saturating_mul(2);
                n_left -= 1;
            }
            Err(Stop::Passing(error) | Stop::Final(error)) => {
                return Err(keep_or_remove(part, error));
            }
        }
    }
}

/// What has come is kept where its rest may come later, and deleted where it is wrong or nothing.
fn keep_or_remove(part: Part, error: FetchError) -> FetchError {
    let is_wrong = matches!(
        error,
        FetchError::WrongLength { .. } | FetchError::TooLong { .. } | FetchError::NoLength { .. }
    );
    match is_wrong || part.length() == 0 {
        true => part.remove().map_or_else(FetchError::Write, |()| error),
        false => error,
    }
}

/// Asks for what is missing of the part, once.
fn attempt(
    client: &Client,
    wanted: &Wanted<'_>,
    part: &mut Part,
    progress: &dyn Progress,
) -> Result<(), Stop> {
    let url = || wanted.url.to_owned();
    progress.begin(&format!("fetch {}", wanted.name), wanted.exact, Unit::Bytes);
    // A fetch may have been stopped between the last byte and the new name.
    if wanted.exact == Some(part.length()) {
        return Ok(());
    }
    if part.length() >= wanted.limit {
        part.restart(None)?;
    }
    let answer = client.get(wanted.url, part.length(), part.validator());
    let mut answer = answer.map_err(|NoAnswer { reason, is_passing }| {
        let error = FetchError::Unreachable { url: url(), reason };
        if is_passing { Stop::Passing(error) } else { Stop::Final(error) }
    })?;
    match answer.status {
        206 if answer.start == part.length() => {}
        200 => part.restart(answer.validator.take())?,
        // The rest of something else, or nothing is left since all had come: from the beginning, then. It
        // was asked for the wrong thing, so that is no failure, and no further try is spent on it.
        206 | 416 if part.length() > 0 => {
            part.restart(None)?;
            return attempt(client, wanted, part, progress);
        }
        status => {
            let error = FetchError::Status { url: url(), status };
            let is_passing = matches!(status, 408 | 429 | 500 | 502..=504);
            return Err(if is_passing { Stop::Passing(error) } else { Stop::Final(error) });
        }
    }
    check_announced(&answer, wanted).map_err(Stop::Final)?;
    progress.begin(&format!("fetch {}", wanted.name), answer.total.or(wanted.exact), Unit::Bytes);
    progress.advance(part.length());
    read_body(&mut answer, wanted, part, progress)?;
    match wanted.exact {
        Some(expected) if expected != part.length() => {
            let (url, found) = (url(), part.length());
            Err(Stop::Final(FetchError::WrongLength { url, expected, found }))
        }
        _ => Ok(()),
    }
}

/// Refuses what is of the wrong length before any of it comes.
fn check_announced(answer: &Answer, wanted: &Wanted<'_>) -> Result<(), FetchError> {
    let url = || wanted.url.to_owned();
    match (answer.total, wanted.exact) {
        (Some(found), Some(expected)) if found != expected => {
            Err(FetchError::WrongLength { url: url(), expected, found })
        }
        (Some(found), None) if found > wanted.limit => {
            Err(FetchError::TooLong { url: url(), limit: wanted.limit })
        }
        _ if !answer.has_end && !wanted.is_hash_known => Err(FetchError::NoLength { url: url() }),
        _ => Ok(()),
    }
}

fn read_body(
    answer: &mut Answer,
    wanted: &Wanted<'_>,
    part: &mut Part,
    progress: &dyn Progress,
) -> Result<(), Stop> {
    let url = || wanted.url.to_owned();
    let cut = |reason: String| Stop::Passing(FetchError::Unreachable { url: url(), reason });
    let mut block = vec![0; BLOCK];
    loop {
        let n = match answer.body.read(&mut block) {
            Ok(n) => n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => {
                return Err(cut(format!("cut after {} bytes: {error}", part.length())));
            }
        };
        if n == 0 {
            break;
        }
        if part.length() + n as u64 > wanted.limit {
            return Err(Stop::Final(FetchError::TooLong { url: url(), limit: wanted.limit }));
        }
        part.append(&block[..n])?;
        progress.advance(n as u64);
    }
    match answer.total {
        Some(total) if part.length() < total => {
            Err(cut(format!("cut after {} of {total} bytes", part.length())))
        }
        _ => Ok(()),
    }
}
