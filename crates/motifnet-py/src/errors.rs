//! Errors of the library as the exceptions that Python has for them, with the same text.

use std::error::Error;
use std::io;

use motifnet::io::{ClaimError, WriteError};
use motifnet::memory::MemoryError;
use motifnet::motif::MatrixTooLarge;
use motifnet::nn::ExplainError;
use motifnet::spectral::{KrylovError, LaplacianError};
use motifnet::train::{RunFolderError, TrainError};
use pyo3::PyErr;
use pyo3::exceptions::{
    PyArithmeticError, PyFileNotFoundError, PyFloatingPointError, PyIndexError,
    PyIsADirectoryError, PyMemoryError, PyOSError, PyPermissionError, PyValueError,
};

/// The exception for `error`: what the system refused is an `OSError`, what does not fit in memory a
/// `MemoryError`, and so on; what is wrong with a value is a `ValueError`.
pub(crate) fn raise(error: impl Error + 'static) -> PyErr {
    let text = error.to_string();
    let mut cause: Option<&(dyn Error + 'static)> = Some(&error);
    while let Some(error) = cause {
        if let Some(exception) = exception(error) {
            return exception(text);
        }
        cause = error.source();
    }
    PyValueError::new_err(text)
}

type Exception = fn(String) -> PyErr;

fn exception(error: &(dyn Error + 'static)) -> Option<Exception> {
    if let Some(error) = error.downcast_ref::<io::Error>() {
        return Some(of_system(error));
    }
    if let Some(error) = error.downcast_ref::<TrainError>() {
        return of_training(error);
    }
    if let Some(error) = error.downcast_ref::<RunFolderError>() {
        return of_folder(error);
    }
    if let Some(error) = error.downcast_ref::<WriteError>() {
        return of_writing(error);
    }
    if error.is::<MatrixTooLarge>() || error.is::<MemoryError>() {
        return Some(PyMemoryError::new_err);
    }
    if error.is::<KrylovError>()
        || matches!(error.downcast_ref(), Some(LaplacianError::LambdaMax { .. }))
    {
        return Some(PyArithmeticError::new_err);
    }
    match error.downcast_ref() {
        Some(ExplainError::NoSuchNode { .. }) => Some(PyIndexError::new_err),
        Some(ExplainError::Memory(_)) => Some(PyMemoryError::new_err),
        _ => None,
    }
}

fn of_system(error: &io::Error) -> Exception {
    match error.kind() {
        io::ErrorKind::NotFound => PyFileNotFoundError::new_err,
        io::ErrorKind::PermissionDenied => PyPermissionError::new_err,
        io::ErrorKind::IsADirectory => PyIsADirectoryError::new_err,
        io::ErrorKind::OutOfMemory => PyMemoryError::new_err,
        _ => PyOSError::new_err,
    }
}

fn of_training(error: &TrainError) -> Option<Exception> {
    match error {
        TrainError::Memory(_) => Some(PyMemoryError::new_err),
        TrainError::Diverged { .. } | TrainError::Overflow { .. } => {
            Some(PyFloatingPointError::new_err)
        }
        TrainError::Eigenvectors(_) => Some(PyArithmeticError::new_err),
        TrainError::NoModel { .. } => Some(PyFileNotFoundError::new_err),
        // These speak for what is in them, which `source` then leaves out.
        TrainError::Folder(error) => of_folder(error),
        TrainError::Write(error) => of_writing(error),
        TrainError::Laplacian(error) => exception(error),
        _ => None,
    }
}

fn of_folder(error: &RunFolderError) -> Option<Exception> {
    match error {
        RunFolderError::Missing(_) | RunFolderError::NoRun(_) => Some(PyFileNotFoundError::new_err),
        RunFolderError::Write(error) | RunFolderError::Claim(ClaimError::Write(error)) => {
            of_writing(error)
        }
        RunFolderError::Claim(ClaimError::NoFolder { source, .. }) => Some(of_system(source)),
        RunFolderError::Claim(ClaimError::Taken { .. }) => Some(PyOSError::new_err),
        _ => None,
    }
}

fn of_writing(error: &WriteError) -> Option<Exception> {
    match error {
        WriteError::FolderMissing { .. } => Some(PyFileNotFoundError::new_err),
        WriteError::IsFolder(_) => Some(PyIsADirectoryError::new_err),
        WriteError::ReadOnly(_) => Some(PyPermissionError::new_err),
        _ => None,
    }
}
