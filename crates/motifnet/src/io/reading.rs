//! How the files of a data set are opened.

use std::path::Path;

use super::{Input, InputError, NpzArchive, NpzError};
use crate::progress::Progress;

/// The most that may come out of a compressed file, and who is told of what is read.
#[derive(Clone, Copy)]
pub(crate) struct Reading<'a> {
    /// As [`Input::open`] takes it.
    pub(crate) limit: Option<u64>,
    pub(crate) progress: &'a dyn Progress,
}

impl<'a> Reading<'a> {
    pub(crate) fn open(self, path: &Path) -> Result<Input<'a>, InputError> {
        Input::open(path, self.limit, self.progress)
    }

    pub(crate) fn open_archive(self, path: &Path) -> Result<NpzArchive<'a>, NpzError> {
        NpzArchive::open(path, self.limit, self.progress)
    }
}
