//! One question to a server and its answer.

use std::io::{self, Read};
use std::time::Duration;

use ureq::http::{HeaderMap, Response, Uri, header};
use ureq::{Agent, Body, Error, Proxy};

use super::{FetchOptions, address};

/// How often a server may send us elsewhere.
const REDIRECTS: u32 = 5;

/// Asks servers. Proxies are taken from the environment (`HTTPS_PROXY`, `NO_PROXY` and so on).
pub(super) struct Client {
    agent: Agent,
    proxy: Option<Proxy>,
}

/// What a server answered, its body not yet read.
pub(super) struct Answer {
    pub(super) status: u16,
    /// The place of the first byte in the file.
    pub(super) start: u64,
    /// The length of the whole file.
    pub(super) total: Option<u64>,
    /// Whether a body that is cut would be noticed.
    pub(super) has_end: bool,
    /// What this version of the file is called.
    pub(super) validator: Option<String>,
    pub(super) body: Box<dyn Read>,
}

/// Why there is no answer.
#[derive(Debug)]
pub(super) struct NoAnswer {
    pub(super) reason: String,
    /// Whether it may be otherwise the next time.
    pub(super) is_passing: bool,
}

impl Client {
    pub(super) fn new(options: &FetchOptions) -> Self {
        let timeout: Option<Duration> = Some(options.timeout);
        let config = Agent::config_builder()
            .http_status_as_error(false)
            // They are followed here, each looked at first.
            .max_redirects(0)
            .user_agent(concat!("motifnet/", env!("CARGO_PKG_VERSION")))
            // A hash is of the bytes of the file, not of a form to send them in.
            .accept_encoding("identity")
            .timeout_resolve(timeout)
            .timeout_connect(timeout)
            .timeout_recv_response(timeout)
            // A limit on the whole body would cut a slow connection that is alive.
            .timeout_per_read(timeout)
            .build();
        Self { agent: config.new_agent(), proxy: Proxy::try_from_env() }
    }

    /// Asks for the bytes of `url` from `start` on, of the version `validator` if one is given: a
    /// server that has another one by now gives all of it from the beginning.
    pub(super) fn get(
        &self,
        url: &str,
        start: u64,
        validator: Option<&str>,
    ) -> Result<Answer, NoAnswer> {
        let mut uri = address::parse(url).ok_or_else(|| NoAnswer::refused("it is no address"))?;
        if !address::is_safe(&uri) {
            let reason = "it is not encrypted, which is allowed on this machine only";
            return Err(NoAnswer::refused(reason));
        }
        let mut response = self.ask(&uri, start, validator)?;
        let mut n_left = REDIRECTS;
        while let Some(location) = location(&response) {
            if n_left == 0 {
                return Err(NoAnswer::refused(format!("more than {REDIRECTS} redirects")));
            }
            n_left -= 1;
            uri = address::redirected(&uri, &location).map_err(NoAnswer::refused)?;
            response = self.ask(&uri, start, validator)?;
        }
        let (parts, body) = response.into_parts();
        let (headers, status) = (parts.headers, parts.status.as_u16());
        let length = number(&headers, header::CONTENT_LENGTH);
        let (start, total) = match status {
            206 => content_range(&headers).unwrap_or((u64::MAX, None)),
            _ => (0, length),
        };
        let is_chunked = text(&headers, header::TRANSFER_ENCODING)
            .is_some_and(|coding| coding.eq_ignore_ascii_case("chunked"));
        Ok(Answer {
            status,
            start,
            total,
            has_end: length.is_some() || is_chunked,
            validator: validator_of(&headers),
            body: Box::new(body.into_reader()),
        })
    }

    /// Asks once, and goes nowhere else.
    fn ask(
        &self,
        uri: &Uri,
        start: u64,
        validator: Option<&str>,
    ) -> Result<Response<Body>, NoAnswer> {
        let proxy = self.proxy.clone().filter(|_| !address::is_loopback(uri));
        let mut request = self.agent.get(uri).config().proxy(proxy).build();
        if start > 0 {
            request = request.header(header::RANGE, format!("bytes={start}-"));
            if let Some(validator) = validator {
                request = request.header(header::IF_RANGE, validator);
            }
        }
        request.call().map_err(NoAnswer::from)
    }
}

/// Where an answer sends us.
fn location(response: &Response<Body>) -> Option<String> {
    let is_redirect = matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308);
    text(response.headers(), header::LOCATION).filter(|_| is_redirect).map(str::to_owned)
}

impl NoAnswer {
    /// For a reason that stays.
    fn refused(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), is_passing: false }
    }
}

impl From<Error> for NoAnswer {
    fn from(error: Error) -> Self {
        let is_passing = match &error {
            Error::Io(source) => source.kind() != io::ErrorKind::ConnectionRefused,
            Error::Timeout(_) | Error::Protocol(_) | Error::ConnectionFailed => true,
            _ => false,
        };
        let reason = match &error {
            Error::Io(source) => source.to_string(),
            other => other.to_string(),
        };
        Self { reason, is_passing }
    }
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok().map(str::trim)
}

fn number(headers: &HeaderMap, name: header::HeaderName) -> Option<u64> {
    text(headers, name)?.parse().ok()
}

/// The first byte and the whole length in `bytes 5-9/10` or `bytes 5-9/*`.
fn content_range(headers: &HeaderMap) -> Option<(u64, Option<u64>)> {
    let range = text(headers, header::CONTENT_RANGE)?.strip_prefix("bytes ")?;
    let (span, total) = range.split_once('/')?;
    let (first, _) = span.split_once('-')?;
    Some((first.trim().parse().ok()?, total.trim().parse().ok()))
}

/// What a server can compare versions by: an ETag unless it is a weak one, which stands for files
/// of other bytes too, or the time of the last change.
fn validator_of(headers: &HeaderMap) -> Option<String> {
    let strong = text(headers, header::ETAG).filter(|tag| tag.starts_with('"'));
    strong.or_else(|| text(headers, header::LAST_MODIFIED)).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(lines: &[(header::HeaderName, &str)]) -> HeaderMap {
        lines.iter().map(|(name, value)| (name.clone(), value.parse().unwrap())).collect()
    }

    #[test]
    fn ranges_are_read() {
        let range = |text| content_range(&headers(&[(header::CONTENT_RANGE, text)]));
        assert_eq!(range("bytes 5-9/10"), Some((5, Some(10))));
        assert_eq!(range("bytes 5-9/*"), Some((5, None)));
        for wrong in ["bytes */10", "bytes 5", "lines 5-9/10", "bytes -9/10", ""] {
            assert_eq!(range(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn a_weak_tag_is_no_validator() {
        let modified = (header::LAST_MODIFIED, "Tue, 06 Jun 2017 02:00:03 GMT");
        let found = |lines: &[_]| validator_of(&headers(lines));
        assert_eq!(found(&[(header::ETAG, "\"v1\""), modified.clone()]).unwrap(), "\"v1\"");
        assert_eq!(found(&[(header::ETAG, "W/\"v1\""), modified.clone()]).unwrap(), modified.1);
        assert_eq!(found(&[(header::ETAG, "W/\"v1\"")]), None);
        assert_eq!(found(&[]), None);
    }
}
