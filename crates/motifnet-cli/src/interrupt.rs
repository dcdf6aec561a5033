//! Ctrl-C, heard once: long work stops where it can be taken up again.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Once, OnceLock};
use std::time::{Duration, Instant};

use crate::session::Session;

static PAUSE: AtomicBool = AtomicBool::new(false);
/// What comes sooner after the first signal is the same request: `timeout` sends one to the process and one to its
/// group, and a terminal that closes sends one, as does its shell. Hands are slower.
const SAME_REQUEST: Duration = Duration::from_millis(300);

/// A flag that the first Ctrl-C (or a polite kill) sets, which is said; the second ends the program at once.
///
/// What is ignored when the program starts stays so: under `nohup` the end of the terminal, and Ctrl-C where a
/// script runs it in the background.
pub(crate) fn pause_on_interrupt(session: &Session) -> &'static AtomicBool {
    static HEARD: Once = Once::new();
    HEARD.call_once(|| {
        let remark = session.remarker();
        let first = OnceLock::new();
        let handler = move || {
            if !PAUSE.swap(true, Ordering::Relaxed) {
                let _ = first.set(Instant::now());
                remark("stopping; Ctrl-C again ends it at once, with what was saved before");
            } else if first.get().is_none_or(|first| first.elapsed() > SAME_REQUEST) {
                std::process::exit(EXIT_CODE.into());
            }
        };
        // Unheard, Ctrl-C ends the program, as ever; the last checkpoint is there all the same.
        let _ = hear(handler);
    });
    &PAUSE
}

/// What shells expect of a program that was interrupted.
pub(crate) const EXIT_CODE: u8 = 130;

/// Calls `handler` for every signal that asks to end and is not ignored, on a thread of its own.
#[cfg(unix)]
fn hear(handler: impl Fn() + Send + 'static) -> io::Result<()> {
    use std::io::Read;
    use std::os::unix::net::UnixStream;

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::low_level::pipe;
    // A byte for every signal, so that a second one is heard while the first is answered.
    let (mut received, sent) = UnixStream::pair()?;
    // The thread first: a signal that is taken and that nobody hears would do nothing at all.
    let listen = move || {
        while received.read_exact(&mut [0]).is_ok() {
            handler();
        }
    };
    std::thread::Builder::new().name("interrupt".to_owned()).spawn(listen)?;
    let ignored = ignored_signals();
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        if ignored >> (signal - 1) & 1 == 0 {
            pipe::register(signal, sent.try_clone()?)?;
        }
    }
    Ok(())
}

#[cfg(not(unix))]
fn hear(handler: impl Fn() + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(handler).map_err(io::Error::other)
}

/// The signals that are ignored, a bit each; none where the system does not tell.
#[cfg(unix)]
fn ignored_signals() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    ignored_in(&status).unwrap_or(0)
}

/// The same of what Linux says of a process.
#[cfg(unix)]
fn ignored_in(status: &str) -> Option<u64> {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    u64::from_str_radix(mask.trim(), 16).ok()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn ignored_signals_are_found_in_what_the_system_says() {
        let status =
            "Name:\tmotifnet\nSigBlk:\t0000000000000000\nSigIgn:\t0000000000001001\nSigCgt:\t00\n";
        assert_eq!(ignored_in(status), Some(0x1001));
        assert_eq!(ignored_in("Name:\tmotifnet\n"), None);
        assert_eq!(ignored_in("SigIgn:\tnone\n"), None);
    }
}
