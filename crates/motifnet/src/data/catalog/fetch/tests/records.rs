//! What is remembered of a file that was fetched, and what was changed here or there since.

use super::*;

#[test]
fn the_hash_of_the_first_fetch_is_kept() {
    let case = Case::new(b"0\t1\n");
    case.fetch(&unknown()).unwrap();
    fs::remove_file(case.folder().join("arcs.tsv")).unwrap();
    case.server.put(PATH, b"0\t2\n");
    let said = case.refused(&unknown());
    let (first, now) = (sha256_of(b"0\t1\n"), sha256_of(b"0\t2\n"));
    assert_eq!(
        said,
        format!(
            "S{PATH}: the file has changed since it was first fetched: the SHA-256 was {first} and is \
             now {now}; what came is deleted: if the change is right, delete D/fetched.toml and try \
             again"
        )
    );
    assert_eq!(case.names(), ["dataset.toml", "fetched.toml"]);
    fs::remove_file(case.folder().join("fetched.toml")).unwrap();
    assert_eq!(case.fetch(&unknown()).unwrap().sha256, now);
}

#[test]
fn a_file_that_was_changed_here_is_not_replaced() {
    for known in [known_as(b"0\t1\n"), unknown()] {
        let case = Case::new(b"0\t1\n");
        case.fetch(&known).unwrap();
        fs::write(case.folder().join("arcs.tsv"), "mine").unwrap();
        let said = case.refused(&known);
        assert!(said.starts_with("D/arcs.tsv: the SHA-256 should be "), "{said}");
        assert!(said.ends_with("delete it to fetch it again"), "{said}");
        assert_eq!(case.content(), b"mine");
    }
}

#[test]
fn files_put_there_by_hand_are_taken_and_recorded() {
    let case = Case::new(b"");
    fs::create_dir_all(case.folder()).unwrap();
    fs::write(case.folder().join("arcs.tsv"), "0\t1\n").unwrap();
    fs::write(case.folder().join("dataset.toml"), "arcs = 'arcs.tsv' # mine").unwrap();
    assert_eq!(case.fetch(&unknown()).unwrap().origin, Origin::Here);
    assert_eq!(case.ranges(), []);
    assert_eq!(case.files()["dataset.toml"], b"arcs = 'arcs.tsv' # mine");
    assert_eq!(case.names(), WHOLE);
    fs::write(case.folder().join("arcs.tsv"), "0\t2\n").unwrap();
    assert!(case.refused(&unknown()).contains("was changed or damaged"));
}

#[test]
fn a_record_that_is_none_is_told() {
    let case = Case::new(b"0\t1\n");
    fs::create_dir_all(case.folder()).unwrap();
    fs::write(case.folder().join("fetched.toml"), "\n[files.a]\nurl = 3\n").unwrap();
    let said = case.refused(&unknown());
    assert!(said.starts_with("D/fetched.toml: not what this program wrote: line 3: "), "{said}");
    assert!(said.contains("; delete it, and"), "{said}");
}
