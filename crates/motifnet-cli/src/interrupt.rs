//! Ctrl-C, heard once: long work stops where it can be taken up again.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::session::Session;

static PAUSE: AtomicBool = AtomicBool::new(false);

/// A flag that the first Ctrl-C (or a polite kill) sets, which is said; the second ends the program at once.
pub(crate) fn pause_on_interrupt(session: &Session) -> &'static AtomicBool {
    let remark = session.remarker();
    let handler = move || {
        if PAUSE.swap(true, Ordering::Relaxed) {
            std::process::exit(EXIT_CODE.into());
        }
        remark("stopping; Ctrl-C again ends it at once, with what was saved before");
    };
    // Without a handler Ctrl-C ends the program, as ever; the last checkpoint is there all the same.
    let _ = ctrlc::set_handler(handler);
    &PAUSE
}

/// What shells expect of a program that was interrupted.
pub(crate) const EXIT_CODE: u8 = 130;
