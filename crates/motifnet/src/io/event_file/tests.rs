use std::fs;

use proptest::prelude::*;

use super::*;

/// What TensorBoard 2.21's own writer and protocol buffers make of the events of
/// [`the_bytes_are_those_of_tensorboard`].
const GOLDEN: &str = "\
    1800000000000000a37f4b220900002040fc54d9411a0d627261696e2e457665\
    6e743a322b3531102100000000000000017becf60900005040fc54d94110ac02\
    2a130a110a0a6c6f73732f747261696e150000003f8e89f11116000000000000\
    004f61be280900008040fc54d9412a0b0a090a02c3a91500000000e6509d76";

/// Bit by bit, with the polynomial of Castagnoli (1993) turned round.
fn slow_masked_crc(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for &byte in bytes {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = crc >> 1 ^ if crc & 1 == 1 { 0x82f6_3b78 } else { 0 };
        }
    }
    let crc = !crc;
    crc.rotate_right(15).wrapping_add(0xa282_ead8)
}

/// The messages in a file whose checksums are right, and what is left of a cut one.
fn messages(mut bytes: &[u8]) -> (Vec<&[u8]>, usize) {
    let mut found = Vec::new();
    while bytes.len() >= 12 {
        let length = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
        let crc = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        assert_eq!(crc(8), slow_masked_crc(&bytes[..8]), "of a length");
        if bytes.len() < length + 16 {
            break;
        }
        let message = &bytes[12..12 + length];
        assert_eq!(crc(12 + length), slow_masked_crc(message), "of a message");
        found.push(message);
        bytes = &bytes[length + 16..];
    }
    (found, bytes.len())
}

/// A field of a message.
#[derive(Debug, PartialEq)]
enum Field<'a> {
    Number(u64),
    Double(f64),
    Float(f32),
    Bytes(&'a [u8]),
}

fn varint(bytes: &mut &[u8]) -> u64 {
    let mut number = 0;
    for shift in (0..).step_by(7) {
        let byte = bytes[0];
        *bytes = &bytes[1..];
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            break;
        }
    }
    number
}

fn fields(mut message: &[u8]) -> Vec<(u64, Field<'_>)> {
    let mut fields = Vec::new();
    while !message.is_empty() {
        let key = varint(&mut message);
        let n_bytes = match key & 7 {
            0 => {
                fields.push((key >> 3, Field::Number(varint(&mut message))));
                continue;
            }
            1 => 8,
            2 => varint(&mut message) as usize,
            5 => 4,
            other => panic!("wire type {other}"),
        };
        let (value, rest) = message.split_at(n_bytes);
        message = rest;
        let field = match key & 7 {
            1 => Field::Double(f64::from_le_bytes(value.try_into().unwrap())),
            5 => Field::Float(f32::from_le_bytes(value.try_into().unwrap())),
            _ => Field::Bytes(value),
        };
        fields.push((key >> 3, field));
    }
    fields
}

/// Tag, step, value and clock of an event.
type Scalar = (String, u64, f32, f64);

fn scalar_of(message: &[u8]) -> Scalar {
    let mut scalar = Scalar::default();
    for (number, field) in fields(message) {
        match (number, field) {
            (1, Field::Double(wall_time)) => scalar.3 = wall_time,
            (2, Field::Number(step)) => scalar.1 = step,
            (5, Field::Bytes(summary)) => {
                let [(1, Field::Bytes(entry))] = fields(summary)[..] else { panic!("one value") };
                let [(1, Field::Bytes(tag)), (2, Field::Float(value))] = fields(entry)[..] else {
                    panic!("a tag and a number")
                };
                scalar.0 = String::from_utf8(tag.to_vec()).unwrap();
                scalar.2 = value;
            }
            other => panic!("{other:?}"),
        }
    }
    scalar
}

fn written(scalars: &[Scalar], start: f64) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let mut events = EventFile::create(folder.path(), start).unwrap();
    for (tag, step, value, wall_time) in scalars {
        events.scalar(tag, *step, *value, *wall_time).unwrap();
    }
    let path = events.path().to_owned();
    events.finish().unwrap();
    fs::read(path).unwrap()
}

#[test]
fn the_bytes_are_those_of_tensorboard() {
    let scalars = [
        ("loss/train".to_owned(), 300, 0.5, 1_700_000_001.25),
        ("é".to_owned(), 0, 0.0, 1_700_000_002.0),
    ];
    let bytes = written(&scalars, 1_700_000_000.5);
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(hex, GOLDEN);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn what_is_written_is_read_back(
        scalars in prop::collection::vec(
            // TensorBoard's steps are signed.
            (".{0,200}", 0..=i64::MAX as u64, any::<f32>(), 0.0..1e11),
            0..20,
        ),
    ) {
        let bytes = written(&scalars, 7.0);
        let (messages, left) = messages(&bytes);
        prop_assert_eq!(left, 0);
        let version = vec![(1, Field::Double(7.0)), (3, Field::Bytes(b"brain.Event:2"))];
        prop_assert_eq!(fields(messages[0]), version);
        let read: Vec<Scalar> = messages[1..].iter().map(|message| scalar_of(message)).collect();
        let bits = |scalars: &[Scalar]| {
            let scalars = scalars.iter();
            scalars
                .map(|(tag, step, value, wall_time)| {
                    (tag.clone(), *step, value.to_bits(), wall_time.to_bits())
                })
                .collect::<Vec<_>>()
        };
        prop_assert_eq!(bits(&read), bits(&scalars));
    }
}

#[test]
fn a_file_cut_short_keeps_the_events_before() {
    let scalars = [1, 2, 3].map(|step| ("loss".to_owned(), step, 0.5, 1.0));
    let bytes = written(&scalars, 0.0);
    let (whole, _) = messages(&bytes);
    let (cut, left) = messages(&bytes[..bytes.len() - 1]);
    assert_eq!(cut, whole[..3]);
    assert!(left > 0);
}

#[test]
fn every_start_has_a_file_of_its_own_and_their_names_go_by_the_clock() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("a/b");
    let starts = [5.0, 5.9, 5.9, 40.0, 1_700_000_000.0, f64::NAN];
    let paths = starts.map(|start| EventFile::create(&inner, start).unwrap().path().to_owned());
    let mut sorted = paths.clone();
    sorted.sort();
    assert_eq!(sorted[0], paths[5]);
    assert_eq!(sorted[1..], paths[..5]);
    assert_eq!(paths[0].file_name().unwrap(), "events.out.tfevents.0000000005.000.motifnet");
}

#[test]
fn what_is_flushed_is_there_before_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let mut events = EventFile::create(folder.path(), 0.0).unwrap();
    let n_events = |events: &EventFile| messages(&fs::read(events.path()).unwrap()).0.len();
    assert_eq!(n_events(&events), 1);
    events.scalar("loss", 1, 0.5, 0.0).unwrap();
    events.flush().unwrap();
    assert_eq!(n_events(&events), 2);
}

#[test]
fn a_folder_that_cannot_be_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let message = EventFile::create(&file, 0.0).unwrap_err().to_string();
    assert!(message.starts_with(&format!("{}: cannot write: ", file.display())), "{message}");
}
