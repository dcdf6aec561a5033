//! Files that are members of an archive.

use std::io::{Cursor, Write};

use super::*;

fn zip_of(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in members {
        zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(content).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn a_member_is_taken_out_of_its_archive() {
    let content = arcs();
    let archive = zip_of(&[("readme.txt", b"about"), ("arcs.tsv", &content)]);
    let known = known("member = 'arcs.tsv'\nlargest = 1_000_000");
    let case = Case::new(&archive);
    case.server.then(&[Reply::CutAfter(1000)]);
    let file = case.fetch(&known).unwrap();
    assert_eq!((file.bytes, file.sha256), (content.len() as u64, sha256_of(&content)));
    assert!(case.content() == content);
    assert_eq!(case.names(), WHOLE);
    assert_eq!(case.ranges(), [None, Some("bytes=1000-".to_owned())]);
}

#[test]
fn archives_that_are_none_or_lack_the_member_are_deleted() {
    let bomb = zip_of(&[("arcs.tsv", &vec![b'0'; 3_000_000])]);
    let mut damaged = zip_of(&[("arcs.tsv", &arcs())]);
    damaged[5000] ^= 0xff;
    for (archive, reason) in [
        (b"no archive at all".to_vec(), "arcs.tsv cannot be taken out of the archive"),
        (zip_of(&[("other", b"x")]), "specified file not found in archive"),
        (damaged, "arcs.tsv cannot be taken out of the archive"),
        (bomb, "it has more than 1000000 bytes"),
    ] {
        let case = Case::new(&archive);
        let said = case.refused(&known("member = 'arcs.tsv'\nlargest = 1_000_000"));
        assert!(said.contains(reason), "{said}");
        assert_eq!(case.names(), Vec::<String>::new());
    }
    // The record is of the member.
    let case = Case::new(&zip_of(&[("arcs.tsv", b"0\t1\n")]));
    let known = known("member = 'arcs.tsv'\nlargest = 1_000_000");
    case.fetch(&known).unwrap();
    fs::remove_file(case.folder().join("arcs.tsv")).unwrap();
    case.server.put(PATH, &zip_of(&[("arcs.tsv", b"0\t2\n")]));
    assert!(case.refused(&known).contains("has changed since it was first fetched"));
    assert_eq!(case.names(), ["dataset.toml", "fetched.toml"]);
}

/// As a kill leaves it between the last byte and the unpacking; how long an archive is nobody knows.
#[test]
fn an_archive_that_had_all_come_is_fetched_again_without_a_further_try() {
    let archive = zip_of(&[("arcs.tsv", b"0\t1\n")]);
    let case = Case::new(&archive);
    let known = known("member = 'arcs.tsv'\nlargest = 1_000_000");
    // Half of it, then all of it: the part has a version by then.
    case.server.then(&[Reply::CutAfter(20)]);
    let options = FetchOptions { retries: 0, ..case.options() };
    fetch(&known, &case.folder(), &options, &Silent).unwrap_err();
    fs::write(case.folder().join("arcs.tsv.zip.part"), &archive).unwrap();
    fetch(&known, &case.folder(), &options, &Silent).unwrap();
    assert_eq!(case.names(), WHOLE);
    assert_eq!(case.ranges(), [None, Some(format!("bytes={}-", archive.len())), None]);
}

#[test]
fn names_in_an_archive_lead_nowhere() {
    let evil: [(&str, &[u8]); 4] = [
        ("../arcs.tsv", b"x"),
        ("/arcs.tsv", b"x"),
        ("a/../../arcs.tsv", b"x"),
        ("./arcs.tsv", b"x"),
    ];
    let case = Case::new(&zip_of(&evil));
    let said = case.refused(&known("member = 'arcs.tsv'\nlargest = 1_000_000"));
    assert!(said.contains("arcs.tsv cannot be taken out of the archive"), "{said}");
    // One that is asked for by such a name lies where the catalogue says.
    let case = Case::new(&zip_of(&evil));
    case.fetch(&known("member = '../arcs.tsv'\nlargest = 1_000_000")).unwrap();
    assert_eq!(case.names(), WHOLE);
    assert_eq!(fs::read_dir(case.folder.path()).unwrap().count(), 1);
}
