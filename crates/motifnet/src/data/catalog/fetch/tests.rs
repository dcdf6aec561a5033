//! Fetching from a server on this machine that cuts, lies and stalls.

#[path = "../../../../tests/support/loopback.rs"]
mod loopback;

mod addresses;
mod archives;
mod parts;
mod records;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use proptest::prelude::*;

use self::loopback::{Loopback, Reply};
use super::sha256::Sha256;
use super::*;
use crate::data::catalog::known::parse;
use crate::progress::Silent;

const PATH: &str = "/data/arcs.tsv";

/// A file longer than what is read at a time, no two blocks of it alike.
fn arcs() -> Vec<u8> {
    (0..20_000_u32)
        .flat_map(|node| format!("{node}\t{}\n", node * 7919 % 20_000).into_bytes())
        .collect()
}

fn sha256_of(bytes: &[u8]) -> String {
    let mut hash = Sha256::new();
    hash.update(bytes);
    hash.hexadecimal()
}

/// A data set of one file; `file` are the lines that say what is known of it.
fn known(file: &str) -> KnownDataset {
    let text = format!(
        "[[dataset]]\nname = 'tiny'\nabout = 'a test'\nnodes = 3\narcs = 2\nlicence = 'none'\n\
         source = 'here'\ncite = 'nobody'\ndescription = \"name = 'tiny'\\narcs = 'arcs.tsv'\\n\"\n\
         [[dataset.files]]\nname = 'arcs.tsv'\nurl = 'https://tiny.example{PATH}'\n{file}\n"
    );
    parse(&text).unwrap().remove(0)
}

/// A data set whose one file should be `content`.
fn known_as(content: &[u8]) -> KnownDataset {
    known(&format!("bytes = {}\nsha256 = '{}'", content.len(), sha256_of(content)))
}

/// A data set whose one file may be anything.
fn unknown() -> KnownDataset {
    known("largest = 1_000_000")
}

struct Case {
    server: Loopback,
    folder: tempfile::TempDir,
}

impl Case {
    fn new(content: &[u8]) -> Self {
        let server = Loopback::serving(&[(PATH, content)]);
        Self { server, folder: tempfile::tempdir().unwrap() }
    }

    fn folder(&self) -> std::path::PathBuf {
        self.folder.path().join("tiny")
    }

    fn options(&self) -> FetchOptions {
        FetchOptions {
            mirror: Some(self.server.url().parse().unwrap()),
            retries: 2,
            first_pause: Duration::from_millis(1),
            timeout: Duration::from_secs(20),
        }
    }

    fn fetch(&self, known: &KnownDataset) -> Result<FetchedFile, FetchError> {
        let fetched = fetch(known, &self.folder(), &self.options(), &Silent)?;
        assert_eq!(fetched.folder, self.folder());
        Ok(fetched.files.into_iter().next().unwrap())
    }

    /// Fetches, which must fail; gives what is said with the address of the server as S.
    fn refused(&self, known: &KnownDataset) -> String {
        let said = self.fetch(known).unwrap_err().to_string();
        said.replace(&self.server.url(), "S").replace(&self.folder().display().to_string(), "D")
    }

    fn content(&self) -> Vec<u8> {
        fs::read(self.folder().join("arcs.tsv")).unwrap()
    }

    /// Every file in the folder.
    fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let Ok(entries) = fs::read_dir(self.folder()) else { return BTreeMap::new() };
        let entries = entries.map(|entry| entry.unwrap().path());
        let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
        entries.map(|path| (name(&path), fs::read(path).unwrap())).collect()
    }

    fn names(&self) -> Vec<String> {
        self.files().into_keys().collect()
    }

    fn ranges(&self) -> Vec<Option<String>> {
        self.server.requests().into_iter().map(|request| request.range).collect()
    }
}

const WHOLE: [&str; 3] = ["arcs.tsv", "dataset.toml", "fetched.toml"];

#[test]
fn a_file_comes_whole_with_its_description_and_record() {
    for known in [known_as(&arcs()), unknown()] {
        let case = Case::new(&arcs());
        let file = case.fetch(&known).unwrap();
        assert_eq!(file.origin, Origin::Fetched);
        assert_eq!((file.bytes, &file.sha256), (arcs().len() as u64, &sha256_of(&arcs())));
        assert_eq!(file.is_known, known.files[0].sha256.is_some());
        assert!(case.content() == arcs());
        assert_eq!(case.names(), WHOLE);
        assert_eq!(case.files()["dataset.toml"], known.description.as_bytes());
        assert!(String::from_utf8_lossy(&case.files()["fetched.toml"]).contains(&file.sha256));
        assert!(known.is_in(&case.folder()));
        assert_eq!(case.ranges(), [None]);
    }
}

#[test]
fn what_is_there_needs_no_network_and_is_not_written() {
    for known in [known_as(&arcs()), unknown()] {
        let case = Case::new(&arcs());
        case.fetch(&known).unwrap();
        let before = case.files();
        let Case { server, folder } = case;
        let folder = folder.path().join("tiny");
        drop(server);
        // Not even a claim is made, so that others may only read the folder.
        let _claim = FolderClaim::take(&folder).unwrap();
        let fetched = fetch(&known, &folder, &FetchOptions::default(), &Silent).unwrap();
        assert_eq!(fetched.files[0].origin, Origin::Here);
        assert_eq!(fs::read(folder.join("arcs.tsv")).unwrap(), before["arcs.tsv"]);
    }
}

#[test]
fn servers_with_a_passing_fault_are_tried_again() {
    for status in [500, 503, 429] {
        let case = Case::new(b"0\t1\n");
        case.server.then(&[Reply::Status(status), Reply::Status(status)]);
        case.fetch(&unknown()).unwrap();
        assert_eq!(case.server.requests().len(), 3);
    }
    let case = Case::new(b"0\t1\n");
    case.server.then(&[Reply::Status(500), Reply::Status(500), Reply::Status(500)]);
    let said = case.refused(&unknown());
    let expected = "the server answers 500, it has a fault; try again later, or name a mirror";
    assert_eq!(said, format!("S{PATH}: {expected}"));
    assert_eq!(case.names(), Vec::<String>::new());
}

#[test]
fn servers_without_the_file_are_asked_once() {
    for (status, meaning) in
        [(404, ", the file is not there"), (403, ", it refuses to give the file"), (418, "")]
    {
        let case = Case::new(b"0\t1\n");
        case.server.then(&[Reply::Status(status)]);
        let said = case.refused(&unknown());
        assert!(
            said.starts_with(&format!("S{PATH}: the server answers {status}{meaning};")),
            "{said}"
        );
        assert_eq!(case.server.requests().len(), 1);
        assert_eq!(case.names(), Vec::<String>::new());
    }
}

#[test]
fn wrong_bytes_are_deleted_and_both_hashes_told() {
    let case = Case::new(b"0\t1\n");
    let said = case.refused(&known_as(b"0\t2\n"));
    let (expected, found) = (sha256_of(b"0\t2\n"), sha256_of(b"0\t1\n"));
    assert_eq!(
        said,
        format!(
            "S{PATH}: the SHA-256 should be {expected}, but is {found}; what came is deleted: try \
             again, or name a mirror that has the true file"
        )
    );
    assert_eq!(case.names(), Vec::<String>::new());
    case.server.put(PATH, b"0\t2\n");
    assert_eq!(case.fetch(&known_as(b"0\t2\n")).unwrap().origin, Origin::Fetched);
}

#[test]
fn wrong_lengths_are_refused_before_and_after_the_bytes() {
    let content = arcs();
    let shorter = known_as(&content[1..]);
    let longer = known_as(&[content.as_slice(), b"more"].concat());
    for known in [&shorter, &longer] {
        for reply in [Reply::File, Reply::Chunked] {
            let case = Case::new(&content);
            case.server.then(std::slice::from_ref(&reply));
            let said = case.refused(known);
            let is_too_long = said.contains(": more than ") && matches!(reply, Reply::Chunked);
            assert!(said.contains("but the file should have") || is_too_long, "{said}");
            assert_eq!(case.names(), Vec::<String>::new());
        }
    }
}

#[test]
fn no_more_is_accepted_than_the_bound() {
    for reply in [Reply::File, Reply::Chunked] {
        let case = Case::new(&arcs());
        case.server.then(&[reply]);
        let said = case.refused(&known("largest = 150_000"));
        assert!(said.starts_with(&format!("S{PATH}: more than 150000 bytes, the most")), "{said}");
        assert_eq!(case.names(), Vec::<String>::new());
    }
}

#[test]
fn a_length_that_nobody_tells_needs_a_hash() {
    let content = arcs();
    let case = Case::new(&content);
    case.server.then(&[Reply::UntilClosed]);
    assert!(case.refused(&unknown()).contains("does not say how long the file is"));
    assert_eq!(case.names(), Vec::<String>::new());
    case.server.then(&[Reply::UntilClosed]);
    case.fetch(&known_as(&content)).unwrap();
    let case = Case::new(&content);
    case.server.then(&[Reply::Chunked]);
    case.fetch(&unknown()).unwrap();
    assert!(case.content() == content);
}

#[test]
fn no_name_leads_out_of_the_folder() {
    let case = Case::new(&arcs());
    for name in ["../arcs.tsv", "/arcs.tsv", "a/arcs.tsv", "..", ".", "", ".lock", "a\\b", "c:b"] {
        let mut known = unknown();
        known.files[0].name = name.to_owned();
        let said = case.refused(&known);
        assert!(said.contains("is no name of a file in the folder"), "{name:?}: {said}");
        assert!(!case.folder().exists());
    }
    assert_eq!(case.server.requests(), []);
}

#[cfg(unix)]
#[test]
fn links_in_the_folder_are_not_written_through() {
    let outside = tempfile::tempdir().unwrap();
    let secret = outside.path().join("secret");
    fs::write(&secret, "mine").unwrap();
    for name in ["arcs.tsv.part", "arcs.tsv.part.toml", "fetched.toml", ".lock"] {
        let case = Case::new(&arcs());
        fs::create_dir_all(case.folder()).unwrap();
        std::os::unix::fs::symlink(&secret, case.folder().join(name)).unwrap();
        case.fetch(&unknown()).unwrap_err();
        assert_eq!(fs::read_to_string(&secret).unwrap(), "mine", "{name}");
    }
    // A link that leads nowhere is replaced by the file, not filled at its end.
    for name in ["arcs.tsv", "dataset.toml"] {
        let case = Case::new(&arcs());
        fs::create_dir_all(case.folder()).unwrap();
        let nowhere = outside.path().join("nowhere");
        std::os::unix::fs::symlink(&nowhere, case.folder().join(name)).unwrap();
        let _ = case.fetch(&unknown());
        assert!(!nowhere.exists(), "{name}");
    }
}

#[test]
fn a_silent_server_is_given_up() {
    let case = Case::new(&arcs());
    case.server.then(&[Reply::StallAfter(1000)]);
    let options =
        FetchOptions { retries: 0, timeout: Duration::from_millis(200), ..case.options() };
    let error = fetch(&unknown(), &case.folder(), &options, &Silent).unwrap_err();
    assert!(matches!(error, FetchError::Unreachable { .. }), "{error}");
    assert_eq!(case.files()["arcs.tsv.part"], arcs()[..1000]);
}

#[test]
fn two_fetches_at_once_make_one_file() {
    let content = arcs();
    let case = Case::new(&content);
    let known = known_as(&content);
    let origins = std::thread::scope(|scope| {
        let run = || case.fetch(&known).unwrap().origin;
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(run)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
    });
    let n_fetched = origins.iter().filter(|&&origin| origin == Origin::Fetched).count();
    assert_eq!(n_fetched, 1, "{origins:?}");
    assert_eq!(case.server.requests().len(), 1);
    assert!(case.content() == content);
    assert_eq!(case.names(), WHOLE);
}

#[test]
fn folders_that_cannot_be_written_to_are_told() {
    let case = Case::new(b"0\t1\n");
    fs::write(case.folder(), "a file").unwrap();
    let said = case.refused(&unknown());
    assert!(said.starts_with("D: the folder cannot be made: "), "{said}");
    assert!(said.ends_with("; name another"), "{said}");
    assert_eq!(case.ranges(), []);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Wherever the connection is cut, and however often, the file is the same.
    #[test]
    fn cuts_change_no_byte(
        n_bytes in 1_usize..200_000,
        cuts in prop::collection::vec(0.0_f64..1.0, 0..5),
        is_known in any::<bool>(),
    ) {
        let content: Vec<u8> = arcs().into_iter().cycle().take(n_bytes).collect();
        let case = Case::new(&content);
        let mut n_left = n_bytes;
        let mut replies = Vec::new();
        for cut in &cuts {
            let n = (cut * n_left as f64) as usize;
            replies.push(Reply::CutAfter(n));
            n_left -= n;
        }
        case.server.then(&replies);
        let options = FetchOptions { retries: cuts.len() as u32, ..case.options() };
        let known = if is_known { known_as(&content) } else { unknown() };
        let options = FetchOptions { first_pause: Duration::ZERO, ..options };
        fetch(&known, &case.folder(), &options, &Silent).unwrap();
        prop_assert!(case.content() == content);
        prop_assert_eq!(case.server.requests().len(), cuts.len() + 1);
    }
}
