//! Compressed files.

use std::io::{Read, Write};

use motifnet::io::Input;

use crate::seed::Seed;
use crate::target::Target;
use crate::trial::Trial;

pub(super) const COMPRESSED: Target = Target { name: "compressed", read, seeds };

fn read(trial: &Trial, bytes: &[u8]) -> bool {
    let path = trial.file("input", bytes);
    let Ok(input) = Input::open(&path, trial.limit(), trial) else { return false };
    let mut reader = input.into_reader();
    let mut block = [0; 1 << 12];
    loop {
        match reader.read(&mut block) {
            Ok(0) => return true,
            Ok(_) => {}
            Err(_) => return false,
        }
    }
}

fn seeds() -> Vec<Seed> {
    let text = b"0 1\n1 2\n2 0\n".repeat(9);
    vec![
        Seed::new("plain", text.clone()),
        Seed::new("gzip", gzip(&text)),
        Seed::new("two gzip members", [gzip(&text), gzip(b"3 4\n")].concat()),
        Seed::new("zstd", zstandard(&text)),
        Seed::new("two zstd frames", [zstandard(&text), zstandard(b"3 4\n")].concat()),
    ]
}

pub(super) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).expect("gzip in memory");
    encoder.finish().expect("gzip in memory")
}

pub(super) fn zstandard(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 3).expect("zstd in memory")
}
