//! The parts of an address that matter here.

use std::net::IpAddr;

use ureq::http::Uri;

/// The address in its parts, if it is one of HTTP with a host.
pub(super) fn parse(url: &str) -> Option<Uri> {
    let uri: Uri = url.parse().ok()?;
    let is_http = matches!(uri.scheme_str(), Some("http" | "https"));
    (is_http && uri.host().is_some_and(|host| !host.is_empty())).then_some(uri)
}

/// Whether the address is on this machine, which no proxy could reach.
pub(super) fn is_loopback(url: &str) -> bool {
    let Some(uri) = parse(url) else { return false };
    let host = uri.host().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

/// Whether everything on the way is to be encrypted.
pub(super) fn is_https(url: &str) -> bool {
    parse(url).is_some_and(|uri| uri.scheme_str() == Some("https"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_is_known_by_all_its_names() {
        for url in ["http://127.0.0.1:80/a", "http://localhost/", "https://[::1]:8443/x"] {
            assert!(is_loopback(url), "{url}");
        }
        for url in ["http://128.0.0.1/", "https://localhost.org/", "nothing", "file:///a"] {
            assert!(!is_loopback(url), "{url}");
        }
    }

    #[test]
    fn only_https_is_encrypted() {
        assert!(is_https("https://a.org/x"));
        assert!(!is_https("http://a.org/https://"));
    }
}
