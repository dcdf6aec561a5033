//! NumPy arrays, alone and in archives.

use motifnet::io::{
    NpzArchive, NpzWriter, WriteError, read_npy_floats, read_npy_floats_f32, read_npy_header,
    read_npy_integers, read_npy_strings,
};

use crate::pieces::{archive, joined};
use crate::seed::{Seed, written};
use crate::target::Target;
use crate::trial::Trial;

pub(super) const NPY: Target = Target { name: "npy", read: read_npy, seeds: npy_seeds };
pub(super) const NPZ: Target = Target { name: "npz", read: read_npz, seeds: npz_seeds };

fn read_npy(trial: &Trial, bytes: &[u8]) -> bool {
    let path = trial.file("array.npy", bytes);
    let taken = [
        read_npy_header(&path, trial.limit(), trial).is_ok(),
        read_npy_integers(&path, trial.limit(), trial).is_ok(),
        read_npy_floats(&path, trial.limit(), trial).is_ok(),
        read_npy_floats_f32(&path, trial.limit(), trial).is_ok(),
        read_npy_strings(&path, trial.limit(), trial).is_ok(),
    ];
    // A header alone is no array.
    taken[1..].contains(&true)
}

fn read_npz(trial: &Trial, bytes: &[u8]) -> bool {
    let path = trial.file("arrays.npz", &archive(bytes));
    let Ok(mut archive) = NpzArchive::open(&path, trial.limit(), trial) else { return false };
    let mut is_taken = false;
    // As many as any reader asks for.
    for key in archive.keys().to_vec().into_iter().take(8) {
        is_taken |= archive.checked_header(&key).is_ok();
        is_taken |= archive.integers(&key).is_ok();
        is_taken |= archive.floats(&key).is_ok();
        is_taken |= archive.floats_f32(&key).is_ok();
        is_taken |= archive.strings(&key).is_ok();
        is_taken |= archive.row_starts(&key, 3).is_ok();
    }
    is_taken
}

/// An array as NumPy writes it: what its header says, and its elements.
pub(super) fn npy(descr: &str, shape: &str, elements: &[u8]) -> Vec<u8> {
    npy_of(descr, false, shape, elements)
}

fn npy_of(descr: &str, fortran_order: bool, shape: &str, elements: &[u8]) -> Vec<u8> {
    let order = if fortran_order { "True" } else { "False" };
    let header =
        format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': ({shape}), }}\n");
    let length = (header.len() as u16).to_le_bytes();
    [b"\x93NUMPY\x01\x00", &length[..], header.as_bytes(), elements].concat()
}

/// An array of 64-bit integers.
pub(super) fn integers(shape: &str, values: &[i64]) -> Vec<u8> {
    npy("<i8", shape, &values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<_>>())
}

/// An array of 32-bit floats.
pub(super) fn floats(shape: &str, values: &[f32]) -> Vec<u8> {
    npy("<f4", shape, &values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<_>>())
}

fn npy_seeds() -> Vec<Seed> {
    let big: Vec<u8> = [1.5f64, f64::NAN, -0.0].iter().flat_map(|v| v.to_be_bytes()).collect();
    let unicode: Vec<u8> = "anncat".chars().flat_map(|c| (c as u32).to_le_bytes()).collect();
    vec![
        Seed::new("integers", integers("2, 3", &[0, 1, -1, 3, 4, i64::MAX])),
        Seed::new("by columns", npy_of("|u1", true, "2, 3", &[0, 1, 2, 3, 4, 5])),
        Seed::new("big-endian floats", npy(">f8", "3,", &big)),
        Seed::new("half floats", npy("<f2", "2,", &[0, 0x3c, 0, 0x7c])),
        Seed::new("truth", npy("|b1", "4,", &[0, 1, 1, 0])),
        Seed::new("bytes", npy("|S3", "2,", b"annbo\0")),
        Seed::new("unicode", npy("<U3", "2,", &unicode)),
        Seed::new("a single value", npy("<i4", "", &7i32.to_le_bytes())),
    ]
}

fn npz_seeds() -> Vec<Seed> {
    let deflated = written("a.npz", |path| {
        let mut archive = NpzWriter::create(path)?;
        archive.array("numbers", &[2, 2], [1i64, 2, 3, 4])?;
        archive.bytes("format", b"csr")?;
        archive.strings("names", &["ann".to_owned(), "bob".to_owned()])?;
        archive.commit()
    });
    let arrays: [(&str, Vec<u8>); 3] = [
        ("indptr", integers("4,", &[0, 1, 2, 3])),
        ("data", floats("3,", &[0.5, 1.0, 2.0])),
        ("names", npy("|S3", "2,", b"annbob")),
    ];
    vec![Seed::new("deflated", deflated), Seed::new("pieces", joined(&arrays))]
}

/// An archive of a sparse matrix by the library's own writer, in any order that it has.
pub(super) fn csr_archive() -> Vec<u8> {
    written("a.npz", |path| -> Result<(), WriteError> {
        let mut archive = NpzWriter::create(path)?;
        archive.array("indptr", &[4], [0i32, 1, 2, 3])?;
        archive.array("indices", &[3], [1i32, 2, 0])?;
        archive.array("data", &[3], [1.0f32, 2.0, 0.5])?;
        archive.array("shape", &[2], [3i64, 3])?;
        archive.bytes("format", b"csr")?;
        archive.commit()
    })
}
