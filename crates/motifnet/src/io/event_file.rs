//! Event files: numbers over the steps of a run, as TensorBoard reads them.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::{Place, WriteError};

/// What the first event of a file says, by which readers know the rest.
const VERSION: &str = "brain.Event:2";
/// Files that may begin in one folder within one second.
const MOST_FILES: u32 = 1000;

/// A file of scalars that grows while TensorBoard looks at it.
///
/// Unlike a [`WholeFile`](super::WholeFile) it is there from its first event on, since it is read
/// while it is written. Every event carries checksums, so what is cut off by a crash is noticed and
/// all before it still counts. A run that is taken up again begins another file in the same folder;
/// TensorBoard reads them by their names, which go by the clock, and shows them as one.
///
/// An event is a record of the TFRecord form, `length: u64, crc(length), bytes, crc(bytes)`, all
/// little-endian, where crc is CRC-32C, masked: (c ≫ 15 | c ≪ 17) + 0xa282ead8. The bytes are a
/// protocol buffer `Event { wall_time, step, summary { value { tag, simple_value } } }`.
///
/// The library reads no clock: every `wall_time`, in seconds since 1970, is the caller's, so that
/// the same calls give the same bytes. Time and memory: O(bytes of the tag) an event.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// let mut events = motifnet::io::EventFile::create(folder.path(), 1_700_000_000.0)?;
/// for step in 1..=3 {
///     events.scalar("loss/train", step, 1.0 / step as f32, 1_700_000_000.0 + step as f64)?;
/// }
/// events.finish()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct EventFile {
    path: PathBuf,
    file: BufWriter<File>,
}

impl EventFile {
    /// Begins a new file in `folder`, which is made if it is not there. No file is replaced, and no link followed for one.
    ///
    /// # Errors
    /// If the folder cannot be made or written to, or has a thousand files of this second.
    pub fn create(folder: impl Into<Place>, wall_time: f64) -> Result<Self, WriteError> {
        let folder = folder.into();
        folder.make_folder()?;
        let (path, file) = new_file(folder.path(), wall_time)?;
        let mut events = Self { path, file: BufWriter::new(file) };
        let mut event = message_start(wall_time, 0);
        put_bytes(&mut event, 3, VERSION.as_bytes());
        events.record(&event)?;
        events.flush()?;
        Ok(events)
    }

    /// The name of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds the `value` that `tag` has at `step`. Tags with a `/` are shown in groups.
    ///
    /// # Errors
    /// If the disk refuses; the file is then to be given up, and what was flushed stands.
    pub fn scalar(
        &mut self,
        tag: &str,
        step: u64,
        value: f32,
        wall_time: f64,
    ) -> Result<(), WriteError> {
        let mut entry = Vec::with_capacity(tag.len() + 16);
        put_bytes(&mut entry, 1, tag.as_bytes());
        put_key(&mut entry, 2, WireType::Fixed32);
        entry.extend(value.to_le_bytes());
        let mut summary = Vec::with_capacity(entry.len() + 16);
        put_bytes(&mut summary, 1, &entry);
        let mut event = message_start(wall_time, step);
        put_bytes(&mut event, 5, &summary);
        self.record(&event)
    }

    /// Hands to the system what was added, for readers to see; after each epoch, say.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn flush(&mut self) -> Result<(), WriteError> {
        self.file.flush().map_err(|error| WriteError::io(&self.path, error))
    }

    /// Ends the file and waits until it is on the disk.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn finish(mut self) -> Result<(), WriteError> {
        self.flush()?;
        self.file.get_ref().sync_all().map_err(|error| WriteError::io(&self.path, error))
    }

    fn record(&mut self, bytes: &[u8]) -> Result<(), WriteError> {
        let length = (bytes.len() as u64).to_le_bytes();
        let parts = [&length[..], &masked_crc(&length), bytes, &masked_crc(bytes)];
        let record = parts.concat();
        self.file.write_all(&record).map_err(|error| WriteError::io(&self.path, error))
    }
}

/// A file of a name that was free, such that names go by the clock and then by a number.
fn new_file(folder: &Path, wall_time: f64) -> Result<(PathBuf, File), WriteError> {
    // A cast to an integer saturates; a clock that is no number gives 0.
    let seconds = wall_time as u64;
    let mut taken = io::ErrorKind::AlreadyExists.into();
    for number in 0..MOST_FILES {
        let name = format!("events.out.tfevents.{seconds:010}.{number:03}.motifnet");
        let path = folder.join(name);
        match File::create_new(&path) {
            Ok(file) => return Ok((path, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => taken = error,
            Err(error) => return Err(WriteError::io(&path, error)),
        }
    }
    Err(WriteError::io(folder, taken))
}

/// How protocol buffers lay out a value.
#[derive(Clone, Copy)]
enum WireType {
    Varint = 0,
    Fixed64 = 1,
    Bytes = 2,
    Fixed32 = 5,
}

/// The fields that every event begins with. A step of 0 is left out, as protocol buffers do.
fn message_start(wall_time: f64, step: u64) -> Vec<u8> {
    let mut event = Vec::with_capacity(64);
    put_key(&mut event, 1, WireType::Fixed64);
    event.extend(wall_time.to_le_bytes());
    if step > 0 {
        put_key(&mut event, 2, WireType::Varint);
        put_varint(&mut event, step);
    }
    event
}

fn put_key(message: &mut Vec<u8>, field: u64, wire_type: WireType) {
    put_varint(message, field << 3 | wire_type as u64);
}

fn put_bytes(message: &mut Vec<u8>, field: u64, bytes: &[u8]) {
    put_key(message, field, WireType::Bytes);
    put_varint(message, bytes.len() as u64);
    message.extend(bytes);
}

/// Seven bits a byte, the lowest first; the eighth says that more follow.
fn put_varint(message: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        message.push(number as u8 | 0x80);
        number >>= 7;
    }
    message.push(number as u8);
}

/// Masked, since a checksum of bytes that hold their own checksum tells little.
fn masked_crc(bytes: &[u8]) -> [u8; 4] {
    crc32c::crc32c(bytes).rotate_right(15).wrapping_add(0xa282_ead8).to_le_bytes()
}

#[cfg(test)]
mod tests;
