use proptest::prelude::*;

use super::super::npz_test_support::{npy, npy_with_header};
use super::*;

#[test]
fn every_number_type_is_converted() {
    for (descr, data, expected) in [
        ("|b1", vec![1, 0], vec![1.0, 0.0]),
        ("|i1", vec![0xff, 2], vec![-1.0, 2.0]),
        ("|u1", vec![0xff, 2], vec![255.0, 2.0]),
        ("<i2", vec![0xfe, 0xff], vec![-2.0]),
        (">i2", vec![0xff, 0xfe], vec![-2.0]),
        (">u4", vec![0, 0, 1, 0], vec![256.0]),
        ("<i8", (-5i64).to_le_bytes().to_vec(), vec![-5.0]),
        (">f4", 1.5f32.to_be_bytes().to_vec(), vec![1.5]),
        ("<f8", (-0.25f64).to_le_bytes().to_vec(), vec![-0.25]),
        (
            "<f2",
            vec![0x00, 0x3c, 0x01, 0x00, 0x00, 0xfc],
            vec![1.0, 2f64.powi(-24), f64::NEG_INFINITY],
        ),
    ] {
        let shape = format!("({},)", expected.len());
        let array = floats(&npy(descr, &shape, &data)[..]).unwrap();
        assert_eq!(array.values, expected, "{descr}");
        assert_eq!(array.shape, [expected.len()]);
    }
}

#[test]
fn the_last_index_is_always_the_fastest() {
    let header = "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }";
    let array = integers(&npy_with_header(header, &[1, 4, 2, 5, 3, 6])[..]).unwrap();
    assert_eq!(array.values, [1, 2, 3, 4, 5, 6]);
}

#[test]
fn strings_lose_their_padding() {
    let bytes = strings(&npy("|S3", "(2,)", b"csra\0\0")[..]).unwrap();
    assert_eq!(bytes.values, ["csr", "a"]);
    let wide: Vec<u8> = ['é' as u32, 0].iter().flat_map(|code| code.to_be_bytes()).collect();
    assert_eq!(strings(&npy(">U2", "()", &wide)[..]).unwrap().values, ["é"]);
}

#[test]
fn what_is_wrong_is_said() {
    let header = |text: &str| npy_with_header(text, &[]);
    for (bytes, expected) in [
        (b"hello world".to_vec(), "not a NumPy array: the magic number is missing"),
        (b"\x93NUMPY\x01\x00\xff".to_vec(), "not a NumPy array: the header is cut short"),
        (
            b"\x93NUMPY\x02\x00\xff\xff\xff\xff".to_vec(),
            "not a NumPy array: a header of 4294967295 bytes",
        ),
        (b"\x93NUMPY\x09\x00\xff\xff".to_vec(), "not a NumPy array: format version 9 is not known"),
        (header("[1]"), "not a NumPy array: the header is no dictionary"),
        (header("{'descr': '<i4', }"), "not a NumPy array: the header lacks fortran_order"),
        (header("{'descr': ((("), "not a NumPy array: unexpected \"(((\" in the header"),
        (
            npy("<i8", "(18446744073709551615, 18446744073709551615)", &[0; 16]),
            "the header declares 340282366920938463426481119284349108225 elements, but only 2 are \
             there",
        ),
        (npy("<i4", "(3,)", &[0; 11]), "the header declares 3 elements, but only 2 are there"),
        (npy("<i4", "(-3,)", &[0; 11]), "not a NumPy array: a length of \"-3\""),
        (
            npy("|O", "(1,)", b"cos\nsystem\n"),
            "an object array, which only Python can unpickle; save it again with a number or \
             string dtype",
        ),
        (npy("<c16", "(1,)", &[0; 16]), "elements of type <c16 cannot be read as integer"),
        (npy("<f8", "(1,)", &0.5f64.to_le_bytes()), "element 0 is 0.5, which is no integer"),
        (npy("<u8", "(2,)", &[0xff; 16]), "element 0 is 18446744073709551615, which is no integer"),
    ] {
        assert_eq!(integers(&bytes[..]).unwrap_err().to_string(), expected);
    }
}

proptest! {
    #[test]
    fn no_header_makes_the_reader_panic(text in "[{}\\[\\]()',:<>|OUSifbL0-9 a-z_]{0,80}") {
        let _ = integers(&npy_with_header(&text, &[0; 64])[..]);
        let _ = strings(&npy_with_header(&text, &[0; 64])[..]);
    }
}
