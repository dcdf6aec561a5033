//! A web server on this machine that answers as it is told to, for tests of what fetches.

use std::collections::{BTreeMap, VecDeque};
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

/// How the next request is answered; without a word, with [`Reply::File`].
#[derive(Clone, Debug)]
#[allow(dead_code, reason = "each test crate tells it a few of these")]
pub(crate) enum Reply {
    /// With the file, or the range of it that is asked for, and an ETag.
    File,
    /// So, but without an ETag.
    FileWithoutTag,
    /// So, but the connection is cut after so many bytes of the body.
    CutAfter(usize),
    /// So, but the body comes in pieces with pauses between.
    Slowly,
    /// So, but after so many bytes of the body nothing comes, and the connection stays.
    StallAfter(usize),
    /// With the whole file, whatever was asked for.
    WithoutRange,
    /// With the right range, but said to start elsewhere.
    WrongRange,
    /// With the whole file in chunks, its length not told.
    Chunked,
    /// With the whole file up to the end of the connection, its length not told.
    UntilClosed,
    /// With this status and no file.
    Status(u16),
    /// With a redirect.
    Redirect(String),
}

/// A request that came.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Request {
    pub(crate) path: String,
    pub(crate) range: Option<String>,
    pub(crate) if_range: Option<String>,
}

/// The server; it ends when it is dropped.
pub(crate) struct Loopback {
    address: String,
    state: Arc<State>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct State {
    files: Mutex<BTreeMap<String, Vec<u8>>>,
    /// What the versions of the files are called.
    tag: Mutex<String>,
    replies: Mutex<VecDeque<Reply>>,
    requests: Mutex<Vec<Request>>,
    is_over: AtomicBool,
}

#[allow(dead_code, reason = "each test crate uses a part of this")]
impl Loopback {
    /// A server of these files, by their paths.
    pub(crate) fn serving(files: &[(&str, &[u8])]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let state = Arc::new(State { tag: Mutex::new("\"v1\"".to_owned()), ..State::default() });
        let shared = Arc::clone(&state);
        let thread = std::thread::spawn(move || {
            for connection in listener.incoming() {
                if shared.is_over.load(Ordering::Relaxed) {
                    break;
                }
                let state = Arc::clone(&shared);
                // A client that has gone away is no failure of the server.
                std::thread::spawn(move || connection.and_then(|stream| state.answer(stream)));
            }
        });
        let server = Self { address, state, thread: Some(thread) };
        files.iter().for_each(|(path, content)| server.put(path, content));
        server
    }

    /// Its address, without a slash at the end.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Adds or replaces a file.
    pub(crate) fn put(&self, path: &str, content: &[u8]) {
        self.state.files.lock().unwrap().insert(path.to_owned(), content.to_vec());
    }

    /// Calls the versions of all files something else.
    pub(crate) fn retag(&self, tag: &str) {
        *self.state.tag.lock().unwrap() = format!("\"{tag}\"");
    }

    /// Tells how to answer the next requests.
    pub(crate) fn then(&self, replies: &[Reply]) {
        self.state.replies.lock().unwrap().extend(replies.iter().cloned());
    }

    /// Takes back what was told of the next requests.
    pub(crate) fn forget_replies(&self) {
        self.state.replies.lock().unwrap().clear();
    }

    /// The requests that came since the last call.
    pub(crate) fn requests(&self) -> Vec<Request> {
        std::mem::take(&mut self.state.requests.lock().unwrap())
    }
}

impl Drop for Loopback {
    fn drop(&mut self) {
        self.state.is_over.store(true, Ordering::Relaxed);
        // Wakes the thread that waits for connections.
        let _ = TcpStream::connect(&self.address);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl State {
    fn answer(&self, mut stream: TcpStream) -> std::io::Result<()> {
        let request = read_request(&stream)?;
        self.requests.lock().unwrap().push(request.clone());
        let reply = self.replies.lock().unwrap().pop_front().unwrap_or(Reply::File);
        let file = self.files.lock().unwrap().get(&request.path).cloned();
        let Some(file) = file else { return head(&mut stream, 404, &["Content-Length: 0"]) };
        let tag = self.tag.lock().unwrap().clone();
        let is_same = request.if_range.as_ref().is_none_or(|version| *version == tag);
        let start = request.range.as_deref().filter(|_| is_same).and_then(start_of);
        let start = start.filter(|_| !matches!(reply, Reply::WithoutRange));
        match reply {
            Reply::Status(status) => head(&mut stream, status, &["Content-Length: 0"]),
            Reply::Redirect(to) => {
                head(&mut stream, 302, &[&format!("Location: {to}"), "Content-Length: 0"])
            }
            Reply::Chunked => {
                head(&mut stream, 200, &["Transfer-Encoding: chunked"])?;
                for chunk in file.chunks(1000) {
                    write!(stream, "{:x}\r\n", chunk.len())?;
                    stream.write_all(chunk)?;
                    stream.write_all(b"\r\n")?;
                }
                stream.write_all(b"0\r\n\r\n")
            }
            Reply::UntilClosed => {
                head(&mut stream, 200, &[])?;
                stream.write_all(&file)
            }
            _ if start.is_some_and(|start| start >= file.len()) => {
                head(&mut stream, 416, &["Content-Length: 0"])
            }
            _ => {
                let body = &file[start.unwrap_or(0)..];
                let length = format!("Content-Length: {}", body.len());
                let tag = match reply {
                    Reply::FileWithoutTag => "Accept-Ranges: bytes".to_owned(),
                    _ => format!("ETag: {tag}"),
                };
                match start {
                    None => head(&mut stream, 200, &[&length, &tag])?,
                    Some(start) => {
                        let start = start + usize::from(matches!(reply, Reply::WrongRange));
                        let last = file.len() - 1;
                        let range = format!("Content-Range: bytes {start}-{last}/{}", file.len());
                        head(&mut stream, 206, &[&length, &tag, &range])?;
                    }
                }
                self.send(&mut stream, body, &reply)
            }
        }
    }

    fn send(&self, stream: &mut TcpStream, body: &[u8], reply: &Reply) -> std::io::Result<()> {
        match *reply {
            Reply::CutAfter(n) => stream.write_all(&body[..n]),
            Reply::Slowly => body.chunks(1 << 16).try_for_each(|piece| {
                std::thread::sleep(Duration::from_millis(5));
                stream.write_all(piece)
            }),
            Reply::StallAfter(n) => {
                stream.write_all(&body[..n])?;
                while !self.is_over.load(Ordering::Relaxed) {
                    std::thread::sleep(Duration::from_millis(10));
                }
                Ok(())
            }
            _ => stream.write_all(body),
        }
    }
}

fn head(stream: &mut TcpStream, status: u16, lines: &[&str]) -> std::io::Result<()> {
    let lines: String = lines.iter().map(|line| format!("{line}\r\n")).collect();
    write!(stream, "HTTP/1.1 {status} Told\r\n{lines}Connection: close\r\n\r\n")
}

fn read_request(stream: &TcpStream) -> std::io::Result<Request> {
    let mut request = Request::default();
    for (number, line) in BufReader::new(stream).lines().enumerate() {
        let line = line?;
        if line.is_empty() {
            break;
        }
        if number == 0 {
            request.path = line.split(' ').nth(1).unwrap_or_default().to_owned();
        } else if let Some((name, value)) = line.split_once(':') {
            let value = Some(value.trim().to_owned());
            match name.to_ascii_lowercase().as_str() {
                "range" => request.range = value,
                "if-range" => request.if_range = value,
                _ => {}
            }
        }
    }
    Ok(request)
}

/// The first byte that `bytes=5-` asks for.
fn start_of(range: &str) -> Option<usize> {
    range.strip_prefix("bytes=")?.strip_suffix('-')?.parse().ok()
}
