use super::test_support::{int64s, npy, npz};
use super::*;
use crate::progress::Silent;

fn with_archive<T>(
    bytes: &[u8],
    limit: Option<u64>,
    read: impl FnOnce(&mut NpzArchive<'_>) -> Result<T, NpzError>,
) -> Result<T, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npz");
    std::fs::write(&path, bytes).unwrap();
    let result = NpzArchive::open(&path, limit, &Silent).and_then(|mut archive| read(&mut archive));
    let prefix = format!("{}/", folder.path().display());
    result.map_err(|error| error.to_string().replace(&prefix, ""))
}

#[test]
fn arrays_are_found_by_key_and_object_arrays_do_not_matter() {
    let bytes = npz(&[
        ("labels", int64s(&[3, 1])),
        ("metadata", npy("|O", "()", b"pickle")),
        ("names", npy("|S1", "(2,)", b"ab")),
    ]);
    let read = |archive: &mut NpzArchive<'_>| {
        assert_eq!(archive.keys(), ["labels", "metadata", "names"]);
        assert_eq!(archive.header("metadata")?.element, npy::ElementType::Object);
        assert_eq!(archive.floats_f32("labels")?.values, [3.0, 1.0]);
        assert_eq!(archive.strings("names")?.values, ["a", "b"]);
        archive.integers("labels")
    };
    assert_eq!(with_archive(&bytes, None, read).unwrap().values, [3, 1]);
}

#[test]
fn what_is_wrong_names_file_and_key() {
    let bytes = npz(&[("labels", int64s(&[3; 100])), ("o", npy("|O", "()", b"pickle"))]);
    let cut = |key: &'static str, limit, expected: &str| {
        let error = with_archive(&bytes, limit, |archive| archive.integers(key)).unwrap_err();
        assert_eq!(error, expected);
    };
    cut("labls", None, "a.npz[labls]: there is no such array; the file has labels, o");
    cut(
        "o",
        None,
        "a.npz[o]: an object array, which only Python can unpickle; save it again with a number or \
         string dtype",
    );
    cut(
        "labels",
        Some(300),
        "a.npz[labels]: decompresses to more than 300 bytes; if it is to be trusted, allow more megabytes by \
         --max-decompressed",
    );
    let error = with_archive(b"PK\x03\x04 no archive", None, |_| Ok(())).unwrap_err();
    assert!(error.starts_with("a.npz: not an npz archive: "), "{error}");
}

#[test]
fn no_cut_archive_makes_the_reader_panic() {
    let bytes = npz(&[("labels", int64s(&[3, 1, 4, 1, 5]))]);
    for end in 0..bytes.len() {
        let _ = with_archive(&bytes[..end], None, |archive| archive.integers("labels"));
    }
    for place in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[place] ^= 0x41;
        let _ = with_archive(&damaged, None, |archive| archive.integers("labels"));
    }
}
