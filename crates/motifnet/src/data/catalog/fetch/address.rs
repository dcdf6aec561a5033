//! Which addresses are asked, and which are gone to from there.

use std::net::IpAddr;

use ureq::http::Uri;

/// The address in its parts, if it is one of HTTP with a host.
pub(super) fn parse(url: &str) -> Option<Uri> {
    let uri: Uri = url.parse().ok()?;
    let is_http = matches!(uri.scheme_str(), Some("http" | "https"));
    (is_http && uri.host().is_some_and(|host| !host.is_empty())).then_some(uri)
}

/// Whether the address is on this machine, which no proxy could reach.
pub(super) fn is_loopback(uri: &Uri) -> bool {
    let host = uri.host().unwrap_or_default().trim_matches(['[', ']']);
    let is_name = host.eq_ignore_ascii_case("localhost");
    is_name || host.parse::<IpAddr>().is_ok_and(|ip| ip.to_canonical().is_loopback())
}

/// Whether nobody on the way can read or change what comes: it is encrypted, or never leaves this
/// machine.
pub(super) fn is_safe(uri: &Uri) -> bool {
    uri.scheme_str() == Some("https") || is_loopback(uri)
}

/// Where a redirect from `from` leads, or why it is not followed.
///
/// A server must not send us from one scheme to another, nor, from elsewhere, to what listens on this
/// machine for its own programs.
pub(super) fn redirected(from: &Uri, location: &str) -> Result<Uri, String> {
    let to = resolve(from, location);
    let to = to.ok_or_else(|| format!("it redirects to {location:?}, which is no address"))?;
    if to.scheme_str() != from.scheme_str() {
        return Err(format!("it redirects to {to}, which is of another scheme"));
    }
    if is_loopback(&to) && !is_loopback(from) {
        return Err(format!("it redirects to {to}, which is on this machine"));
    }
    match is_safe(&to) {
        true => Ok(to),
        false => Err(format!("it redirects to {to}, which is not encrypted")),
    }
}

/// What `location` means where `from` was asked.
fn resolve(from: &Uri, location: &str) -> Option<Uri> {
    let (scheme, authority) = (from.scheme_str()?, from.authority()?);
    if location.is_empty() {
        return None;
    }
    let has_scheme = location.split(['/', '?', '#']).next()?.contains(':');
    parse(&match location {
        _ if has_scheme => location.to_owned(),
        _ if location.starts_with("//") => format!("{scheme}:{location}"),
        _ if location.starts_with('/') => format!("{scheme}://{authority}{location}"),
        _ => {
            let (folder, _) = from.path().rsplit_once('/').unwrap_or_default();
            format!("{scheme}://{authority}{folder}/{location}")
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uri(url: &str) -> Uri {
        parse(url).unwrap_or_else(|| panic!("{url} is no address"))
    }

    #[test]
    fn this_machine_is_known_by_all_its_names() {
        for url in [
            "http://127.0.0.1:80/a",
            "http://127.8.9.1/",
            "http://localhost/",
            "http://LocalHost:1/",
            "https://[::1]:8443/x",
            "http://[::ffff:127.0.0.1]/",
        ] {
            assert!(is_loopback(&uri(url)), "{url}");
        }
        for url in [
            "http://128.0.0.1/",
            "https://localhost.org/",
            "http://localhost@a.org/",
            "http://127.0.0.1.a.org/",
            "http://[::2]/",
        ] {
            assert!(!is_loopback(&uri(url)), "{url}");
        }
    }

    #[test]
    fn only_http_with_a_host_is_an_address() {
        for text in ["nothing", "file:///a", "ftp://a.org/x", "http://", "https:///x", ""] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_not_encrypted_stays_on_this_machine() {
        assert!(is_safe(&uri("https://a.org/x")));
        assert!(is_safe(&uri("http://127.0.0.1:8000/x")));
        assert!(!is_safe(&uri("http://a.org/https://")));
    }

    #[test]
    fn redirects_keep_their_scheme_and_do_not_come_home() {
        let to = |from: &str, location: &str| redirected(&uri(from), location);
        let far = "https://a.org/data/x.gz";
        for (location, expected) in [
            ("https://b.org/y", "https://b.org/y"),
            ("//b.org/y", "https://b.org/y"),
            ("/y?z", "https://a.org/y?z"),
            ("y", "https://a.org/data/y"),
        ] {
            assert_eq!(to(far, location).unwrap(), uri(expected), "{location}");
        }
        for (location, reason) in [
            ("http://a.org/x", "another scheme"),
            ("http://127.0.0.1/x", "another scheme"),
            ("https://127.0.0.1/x", "on this machine"),
            ("https://LOCALHOST/x", "on this machine"),
            ("https://[::1]/x", "on this machine"),
            ("file:///etc/passwd", "no address"),
            ("ftp://b.org/y", "no address"),
            ("", "no address"),
        ] {
            let said = to(far, location).map(|uri| uri.to_string());
            assert!(said.as_ref().is_err_and(|said| said.contains(reason)), "{location}: {said:?}");
        }
        let here = "http://localhost:8000/x";
        assert!(to(here, "http://127.0.0.1:9000/y").is_ok());
        assert!(to(here, "http://a.org/y").unwrap_err().contains("not encrypted"));
        assert!(to(here, "https://a.org/y").unwrap_err().contains("another scheme"));
    }
}
