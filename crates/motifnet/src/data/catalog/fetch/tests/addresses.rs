//! Which servers are asked, and where redirects may lead.

use super::*;

#[test]
fn redirects_are_followed_but_not_for_ever() {
    let case = Case::new(&arcs());
    case.server.put("/elsewhere", &arcs());
    let elsewhere = Reply::Redirect(format!("{}/elsewhere", case.server.url()));
    // The range is asked for wherever the file is.
    case.server.then(&[Reply::CutAfter(1000), elsewhere.clone()]);
    case.fetch(&unknown()).unwrap();
    assert!(case.content() == arcs());
    let requests = case.server.requests();
    assert_eq!(requests[2].path, "/elsewhere");
    assert_eq!(requests[2].range.as_deref(), Some("bytes=1000-"));

    let case = Case::new(&arcs());
    case.server.then(&vec![Reply::Redirect(PATH.to_owned()); 50]);
    assert!(case.refused(&unknown()).contains("more than 5 redirects"));
    assert_eq!(case.server.requests().len(), 6);
}

#[test]
fn redirects_to_another_scheme_or_off_this_machine_are_not_followed() {
    for (location, reason) in [
        ("https://tiny.example/x", "another scheme"),
        ("file:///etc/passwd", "no address"),
        ("ftp://127.0.0.1/x", "no address"),
        ("http://tiny.example/x", "not encrypted"),
    ] {
        let case = Case::new(&arcs());
        case.server.then(&[Reply::Redirect(location.to_owned())]);
        let said = case.refused(&unknown());
        assert!(said.contains("it redirects to") && said.contains(reason), "{said}");
        assert_eq!(case.server.requests().len(), 1);
        assert_eq!(case.names(), Vec::<String>::new());
    }
}

#[test]
fn an_address_that_is_not_encrypted_is_not_asked() {
    let folder = tempfile::tempdir().unwrap();
    let mut known = unknown();
    known.files[0].url = "http://tiny.example/data/arcs.tsv".to_owned();
    let options = FetchOptions { retries: 0, ..FetchOptions::default() };
    let error = fetch(&known, folder.path(), &options, &Silent).unwrap_err().to_string();
    assert!(
        error.contains("it is not encrypted, which is allowed on this machine only"),
        "{error}"
    );
}
