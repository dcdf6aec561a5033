//! Chromium without a window, driven over a pipe by the DevTools protocol.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

/// What browsers of that kind are called.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];
/// A browser that says nothing for so long is stuck.
const PATIENCE: Duration = Duration::from_secs(120);

/// A browser with one page.
pub(crate) struct Chromium {
    child: Child,
    stdin: ChildStdin,
    messages: Receiver<Value>,
    session: Option<String>,
    next_id: u64,
    /// What the page complained of.
    pub(crate) errors: Vec<String>,
    /// Its profile; removed at the end.
    _profile: TempDir,
}

/// The browser of this machine.
pub(crate) fn find() -> Option<PathBuf> {
    let paths = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&paths).collect();
    let places = NAMES.iter().flat_map(|name| folders.iter().map(move |path| path.join(name)));
    places.into_iter().find(|path| path.is_file())
}

impl Chromium {
    pub(crate) fn start(program: &Path) -> Self {
        let profile = tempfile::tempdir().unwrap();
        // It listens on descriptor 3 and answers on 4; the shell makes them of stdin and stdout.
        let mut command = Command::new("sh");
        command.args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1"]);
        command.arg(program).arg(format!("--user-data-dir={}", profile.path().display()));
        command.args([
            "--headless",
            "--remote-debugging-pipe",
            // Root may not have a sandbox; the page is ours.
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
        ]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let stdin = child.stdin.take().unwrap();
        let stdout = child.stdout.take().unwrap();
        let (sender, messages) = channel();
        std::thread::spawn(move || read(stdout, &sender));
        let mut browser = Self {
            child,
            stdin,
            messages,
            session: None,
            next_id: 0,
            errors: Vec::new(),
            _profile: profile,
        };
        let target = browser.call("Target.createTarget", json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let attached = browser.call("Target.attachToTarget", attach);
        browser.session = Some(attached["sessionId"].as_str().unwrap().to_owned());
        for domain in ["Page", "Runtime", "Log"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser
    }

    /// Sets the size of the window, in CSS pixels.
    pub(crate) fn resize(&mut self, width: u32, height: u32) {
        let size = json!({
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600
        });
        self.call("Emulation.setDeviceMetricsOverride", size);
    }

    /// Opens a file and waits until it is there.
    pub(crate) fn open(&mut self, path: &Path) {
        self.errors.clear();
        let url = format!("file://{}", path.canonicalize().unwrap().display());
        self.call("Page.navigate", json!({ "url": url }));
        self.wait_for("Page.loadEventFired");
    }

    /// Shows the page as it is printed, or no longer.
    pub(crate) fn print(&mut self, is_on: bool) {
        let media = if is_on { "print" } else { "" };
        self.call("Emulation.setEmulatedMedia", json!({ "media": media }));
    }

    /// The value of a JavaScript expression.
    pub(crate) fn value(&mut self, expression: &str) -> Value {
        let ask = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let answer = self.call("Runtime.evaluate", ask);
        assert!(answer.get("exceptionDetails").is_none(), "{expression}: {answer:#}");
        answer["result"]["value"].clone()
    }

    pub(crate) fn point_at(&mut self, x: f64, y: f64) {
        self.call("Input.dispatchMouseEvent", json!({ "type": "mouseMoved", "x": x, "y": y }));
    }

    pub(crate) fn press(&mut self, key: &str) {
        for kind in ["keyDown", "keyUp"] {
            self.call("Input.dispatchKeyEvent", json!({ "type": kind, "key": key }));
        }
    }

    fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.next_id += 1;
        let id = self.next_id;
        let mut message = json!({ "id": id, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            message["sessionId"] = session.as_str().into();
        }
        let mut bytes = serde_json::to_vec(&message).unwrap();
        bytes.push(0);
        self.stdin.write_all(&bytes).unwrap();
        loop {
            let answer = self.next();
            if answer["id"] == id {
                assert!(answer.get("error").is_none(), "{method}: {}", answer["error"]);
                return answer["result"].clone();
            }
        }
    }

    fn wait_for(&mut self, event: &str) {
        while self.next()["method"] != event {}
    }

    /// The next message; complaints of the page are kept.
    fn next(&mut self) -> Value {
        let message = self.messages.recv_timeout(PATIENCE).expect("the browser says nothing");
        let told = &message["params"];
        let is_error = match message["method"].as_str() {
            Some("Runtime.exceptionThrown") => true,
            Some("Runtime.consoleAPICalled") => told["type"] == "error",
            Some("Log.entryAdded") => told["entry"]["level"] == "error",
            _ => false,
        };
        if is_error {
            self.errors.push(told.to_string());
        }
        message
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        // The shell has become the browser: it is this process.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Messages end with a zero byte.
fn read(stdout: ChildStdout, sender: &std::sync::mpsc::Sender<Value>) {
    let mut reader = BufReader::new(stdout);
    let mut bytes = Vec::new();
    while reader.read_until(0, &mut bytes).is_ok_and(|n| n > 0) {
        bytes.pop();
        let message = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
        if sender.send(message).is_err() {
            return;
        }
        bytes.clear();
    }
}
