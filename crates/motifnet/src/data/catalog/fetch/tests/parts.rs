//! Fetches that broke off, and what is taken up of them.

use super::*;

#[test]
fn a_cut_connection_is_taken_up_where_it_broke() {
    let content = arcs();
    for known in [known_as(&content), unknown()] {
        let case = Case::new(&content);
        case.server.then(&[Reply::CutAfter(100_000), Reply::CutAfter(50_000)]);
        let file = case.fetch(&known).unwrap();
        // Of one fetch: nothing was left by an earlier one.
        assert_eq!(file.origin, Origin::Fetched);
        assert!(case.content() == content);
        let requests = case.server.requests();
        let ranges: Vec<_> = requests.iter().map(|request| request.range.as_deref()).collect();
        assert_eq!(ranges, [None, Some("bytes=100000-"), Some("bytes=150000-")]);
        assert_eq!(requests[1].if_range.as_deref(), Some("\"v1\""));
        assert_eq!(case.names(), WHOLE);
    }
}

#[test]
fn a_fetch_that_gave_up_is_resumed_by_the_next() {
    let content = arcs();
    for known in [known_as(&content), unknown()] {
        let case = Case::new(&content);
        case.server.then(&[Reply::CutAfter(1000), Reply::CutAfter(1000), Reply::CutAfter(1000)]);
        let said = case.refused(&known);
        assert!(
            said.starts_with(&format!("S{PATH}: cannot be reached: cut after 3000 bytes")),
            "{said}"
        );
        assert!(said.ends_with("try again (what has come is kept), or name a mirror"), "{said}");
        assert_eq!(case.names(), ["arcs.tsv.part", "arcs.tsv.part.toml"]);
        assert!(case.files()["arcs.tsv.part"] == content[..3000]);
        case.ranges();
        assert_eq!(case.fetch(&known).unwrap().origin, Origin::Resumed);
        assert_eq!(case.ranges(), [Some("bytes=3000-".to_owned())]);
        assert!(case.content() == content);
        assert_eq!(case.names(), WHOLE);
    }
}

#[test]
fn another_version_is_fetched_from_its_beginning() {
    let case = Case::new(&arcs());
    case.server.then(&[Reply::CutAfter(1000)]);
    let other = vec![b'x'; 5000];
    let once = FetchOptions { retries: 0, ..case.options() };
    fetch(&unknown(), &case.folder(), &once, &Silent).unwrap_err();
    case.server.put(PATH, &other);
    case.server.retag("v2");
    assert_eq!(case.fetch(&unknown()).unwrap().origin, Origin::Fetched);
    assert!(case.content() == other);
    let requests = case.server.requests();
    assert_eq!(requests[1].if_range.as_deref(), Some("\"v1\""));
    assert_eq!(requests.len(), 2);
}

#[test]
fn a_part_whose_version_nobody_can_compare_is_not_taken_up() {
    let content = arcs();
    let case = Case::new(&content);
    fs::create_dir_all(case.folder()).unwrap();
    // Without a word on whose bytes these are, and no hash that would tell.
    fs::write(case.folder().join("arcs.tsv.part"), &arcs()[..1000]).unwrap();
    case.fetch(&unknown()).unwrap();
    assert_eq!(case.ranges(), [None]);
    // Of a server that has no names for versions.
    fs::remove_file(case.folder().join("arcs.tsv")).unwrap();
    let source = format!("url = '{}{PATH}'\n", case.server.url());
    fs::write(case.folder().join("arcs.tsv.part"), vec![b'x'; 1000]).unwrap();
    fs::write(case.folder().join("arcs.tsv.part.toml"), source).unwrap();
    case.server.then(&[Reply::FileWithoutTag]);
    fs::remove_file(case.folder().join("fetched.toml")).unwrap();
    case.fetch(&unknown()).unwrap();
    assert_eq!(case.ranges(), [None]);
    assert!(case.content() == content);
}

#[test]
fn a_known_hash_lets_any_part_be_taken_up_and_finds_a_wrong_one() {
    let content = arcs();
    let case = Case::new(&content);
    fs::create_dir_all(case.folder()).unwrap();
    let part = case.folder().join("arcs.tsv.part");
    fs::write(&part, &content[..70_000]).unwrap();
    assert_eq!(case.fetch(&known_as(&content)).unwrap().origin, Origin::Resumed);
    assert_eq!(case.ranges(), [Some("bytes=70000-".to_owned())]);
    assert!(case.content() == content);

    fs::remove_file(case.folder().join("arcs.tsv")).unwrap();
    fs::write(&part, vec![b'x'; 70_000]).unwrap();
    assert!(case.refused(&known_as(&content)).contains("the SHA-256 should be"));
    assert!(!part.exists());
    case.fetch(&known_as(&content)).unwrap();
    assert!(case.content() == content);
}

#[test]
fn a_part_with_all_bytes_needs_no_network() {
    let content = arcs();
    let case = Case::new(&content);
    fs::create_dir_all(case.folder()).unwrap();
    fs::write(case.folder().join("arcs.tsv.part"), &content).unwrap();
    assert_eq!(case.fetch(&known_as(&content)).unwrap().origin, Origin::Resumed);
    assert_eq!(case.ranges(), []);
    // Longer than the file can be.
    fs::remove_file(case.folder().join("arcs.tsv")).unwrap();
    fs::write(case.folder().join("arcs.tsv.part"), [content.as_slice(), b"more"].concat()).unwrap();
    assert_eq!(case.fetch(&known_as(&content)).unwrap().origin, Origin::Fetched);
    assert_eq!(case.ranges(), [None]);
}

#[test]
fn a_server_that_cannot_resume_is_asked_for_everything() {
    let content = arcs();
    for (odd, n_requests) in
        [(Reply::WithoutRange, 2), (Reply::WrongRange, 3), (Reply::Status(416), 3)]
    {
        let case = Case::new(&content);
        case.server.then(&[Reply::CutAfter(1000), odd.clone()]);
        case.fetch(&unknown()).unwrap();
        assert!(case.content() == content, "{odd:?}");
        assert_eq!(case.server.requests().len(), n_requests, "{odd:?}");
    }
}
