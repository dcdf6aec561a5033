//! Archives for tests, written byte by byte so that they can be wrong.

use std::io::{Cursor, Write};

/// The bytes of an array; `shape` as Python writes it, such as `(2, 2)`.
pub(crate) fn npy(descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    npy_with_header(
        &format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n"),
        data,
    )
}

pub(crate) fn npy_with_header(header: &str, data: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(data);
    bytes
}

pub(crate) fn int64s(values: &[i64]) -> Vec<u8> {
    int64s_of_shape(&format!("({},)", values.len()), values)
}

pub(crate) fn int64s_of_shape(shape: &str, values: &[i64]) -> Vec<u8> {
    let data: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    npy("<i8", shape, &data)
}

/// An archive of arrays, each under its key.
pub(crate) fn npz(arrays: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (key, bytes) in arrays {
        let options = zip::write::SimpleFileOptions::default()
            .compression_method(zip::CompressionMethod::Deflated);
        writer.start_file(format!("{key}.npy"), options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}
