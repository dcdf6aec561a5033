//! The browser that pages are tested in and pictured by.

use std::path::PathBuf;

use crate::debian::{install, on_path};

/// What browsers of that kind are called; the tests of pages look for the same.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// The browser of this machine. Where there is none and it can be had without asking, it is installed.
pub(crate) fn ensure() -> Option<PathBuf> {
    find().or_else(|| {
        install("chromium");
        find()
    })
}

fn find() -> Option<PathBuf> {
    NAMES.into_iter().find_map(on_path)
}
