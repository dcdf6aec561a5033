use std::sync::Arc;

use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use super::super::options::ColumnOptions;
use super::super::test_support::{arcs, read_bytes};
use super::*;
use crate::graph::NodeNames;

/// The values of one column in one row group; `None` is null.
#[derive(Clone)]
pub(super) enum Values {
    Int32(Vec<Option<i32>>),
    Int64(Vec<i64>),
    Double(Vec<f64>),
    Text(Vec<&'static str>),
    OptionalText(Vec<Option<&'static str>>),
    Bool(Vec<bool>),
}

pub(super) fn write(schema: &str, groups: &[Vec<Values>]) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(&format!("message arcs {{ {schema} }}")).unwrap());
    let mut bytes = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut bytes, schema, Default::default()).unwrap();
    for group in groups {
        let mut group_writer = writer.next_row_group().unwrap();
        for values in group {
            let mut column = group_writer.next_column().unwrap().unwrap();
            match (column.untyped(), values) {
                (ColumnWriter::Int32ColumnWriter(column), Values::Int32(values)) => {
                    let levels: Vec<i16> =
                        values.iter().map(|value| i16::from(value.is_some())).collect();
                    let present: Vec<i32> = values.iter().flatten().copied().collect();
                    column.write_batch(&present, Some(&levels), None).unwrap();
                }
                (ColumnWriter::Int64ColumnWriter(column), Values::Int64(values)) => {
                    column.write_batch(values, None, None).unwrap();
                }
                (ColumnWriter::DoubleColumnWriter(column), Values::Double(values)) => {
                    column.write_batch(values, None, None).unwrap();
                }
                (ColumnWriter::ByteArrayColumnWriter(column), Values::Text(values)) => {
                    let values: Vec<ByteArray> = values.iter().map(|&text| text.into()).collect();
                    column.write_batch(&values, None, None).unwrap();
                }
                (ColumnWriter::ByteArrayColumnWriter(column), Values::OptionalText(values)) => {
                    let levels: Vec<i16> =
                        values.iter().map(|value| i16::from(value.is_some())).collect();
                    let present: Vec<ByteArray> =
                        values.iter().flatten().map(|&text| text.into()).collect();
                    column.write_batch(&present, Some(&levels), None).unwrap();
                }
                (ColumnWriter::BoolColumnWriter(column), Values::Bool(values)) => {
                    column.write_batch(values, None, None).unwrap();
                }
                _ => panic!("values of another type than the schema's"),
            }
            column.close().unwrap();
        }
        group_writer.close().unwrap();
    }
    writer.close().unwrap();
    bytes
}

fn read_file(bytes: &[u8], options: &ReadOptions) -> String {
    match read_bytes("a.parquet", bytes, options) {
        Ok(loaded) => arcs(&loaded),
        Err(error) => error,
    }
}

#[test]
fn columns_are_found_by_name_across_row_groups() {
    let bytes = write(
        "REQUIRED DOUBLE weight; REQUIRED INT64 dst; REQUIRED INT64 src;",
        &[
            vec![
                Values::Double(vec![0.5, 2.0]),
                Values::Int64(vec![7, 5]),
                Values::Int64(vec![5, 9]),
            ],
            vec![Values::Double(vec![1.5]), Values::Int64(vec![9]), Values::Int64(vec![-3])],
        ],
    );
    assert_eq!(read_file(&bytes, &ReadOptions::default()), "-3>9:1.5 5>7:0.5 9>5:2");
}

#[test]
fn text_and_integers_may_stand_side_by_side() {
    let bytes = write(
        "OPTIONAL INT32 a (UINT_32); REQUIRED BYTE_ARRAY b (UTF8); REQUIRED BYTE_ARRAY c (UTF8);",
        &[vec![
            Values::Int32(vec![Some(-1), Some(4)]),
            Values::Text(vec!["x", "4"]),
            Values::Text(vec!["", ""]),
        ]],
    );
    let loaded = read_bytes("a.parquet", &bytes, &ReadOptions::default()).unwrap();
    let names = ["4294967295", "x", "4"];
    assert_eq!(loaded.names, NodeNames::Strings(names.iter().collect()));
    assert_eq!(loaded.notes, ["columns not read: c"]);
    assert_eq!(loaded.cleaning.self_loops, 1);
}

#[test]
fn what_is_wrong_is_said() {
    let pairs = |sources, targets| {
        write(
            "OPTIONAL INT32 source; REQUIRED INT64 target;",
            &[vec![Values::Int32(sources), Values::Int64(targets)]],
        )
    };
    let fine = pairs(vec![Some(0), Some(1)], vec![1, 2]);
    let default = ReadOptions::default();
    let weight = |column: &str| ReadOptions {
        columns: ColumnOptions { weight: column.parse().unwrap(), ..ColumnOptions::default() },
        ..ReadOptions::default()
    };
    let gzip = {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut encoder, &fine).unwrap();
        encoder.finish().unwrap()
    };
    let text_weight = write(
        "REQUIRED INT64 source; REQUIRED INT64 target; REQUIRED BYTE_ARRAY weight (UTF8);",
        &[vec![Values::Int64(vec![0]), Values::Int64(vec![1]), Values::Text(vec!["much"])]],
    );
    let float_ids = write(
        "REQUIRED DOUBLE source; REQUIRED INT64 target;",
        &[vec![Values::Double(vec![0.0]), Values::Int64(vec![1])]],
    );
    for (found, expected) in [
        (
            read_file(&pairs(vec![Some(0), None], vec![1, 2]), &default),
            "a.parquet: row 2: column source is null; drop such rows or give them a value",
        ),
        (
            read_file(&fine, &weight("heavy")),
            "a.parquet: there is no column \"heavy\"; the columns are source, target",
        ),
        (
            read_file(&fine, &weight("3")),
            "a.parquet: there is no column 3; the columns are source, target",
        ),
        (
            read_file(&fine, &ReadOptions { n_nodes: Some(2), ..ReadOptions::default() }),
            "a.parquet: row 2: node 2 is none of the 2 declared nodes, from 0 on",
        ),
        (
            read_file(&gzip, &default),
            "a.parquet: a Parquet file must be a plain file; decompress it first, since Parquet \
             compresses its columns itself",
        ),
        (
            read_file(&text_weight, &default),
            "a.parquet: column weight of type BYTE_ARRAY cannot hold weights; pass --weight none \
             to read no weights",
        ),
        (
            read_file(&float_ids, &default),
            "a.parquet: column source of type DOUBLE cannot hold node ids; cast it to integers or \
             strings",
        ),
        (
            read_file(&write("REQUIRED INT64 source;", &[]), &default),
            "a.parquet: 1 columns (source); arcs need a column of sources and one of targets",
        ),
    ] {
        assert_eq!(found, expected);
    }
    assert_eq!(read_file(&fine, &default), "0>1 1>2");
}

#[test]
fn numbers_that_stand_for_others_are_no_ids_and_no_weights() {
    let file = |source: &str, weight: &str| {
        let schema = format!(
            "REQUIRED INT64 source{source}; REQUIRED INT64 target; REQUIRED INT64 weight{weight};"
        );
        let column = |values: &[i64]| Values::Int64(values.to_vec());
        write(&schema, &[vec![column(&[3, 5]), column(&[5, 7]), column(&[125, 250])]])
    };
    for (written, called) in [
        ("DECIMAL(9, 2)", "DECIMAL"),
        ("TIME_MICROS", "TIME"),
        ("TIME(NANOS, true)", "TIME"),
        ("TIMESTAMP_MILLIS", "TIMESTAMP"),
        ("TIMESTAMP(NANOS, false)", "TIMESTAMP"),
    ] {
        let written = format!(" ({written})");
        assert_eq!(
            read_file(&file(&written, ""), &ReadOptions::default()),
            format!(
                "a.parquet: column source of type {called} cannot hold node ids; cast it to \
                 integers or strings"
            )
        );
        assert_eq!(
            read_file(&file("", &written), &ReadOptions::default()),
            format!(
                "a.parquet: column weight of type {called} cannot hold weights; cast it to \
                 floats, or pass --weight none to read no weights"
            )
        );
    }
    for integer in ["", " (INT_64)", " (UINT_64)", " (INTEGER(64, true))"] {
        let found = read_file(&file(integer, integer), &ReadOptions::default());
        assert_eq!(found, "3>5:125 5>7:250");
    }
    let days = write(
        "OPTIONAL INT32 source (DATE); REQUIRED INT64 target;",
        &[vec![Values::Int32(vec![Some(3)]), Values::Int64(vec![5])]],
    );
    assert_eq!(
        read_file(&days, &ReadOptions::default()),
        "a.parquet: column source of type DATE cannot hold node ids; cast it to integers or strings"
    );
}

#[test]
fn no_damage_makes_the_reader_panic() {
    let bytes = write(
        "REQUIRED INT64 source; REQUIRED BYTE_ARRAY target (UTF8);",
        &[vec![Values::Int64(vec![1, 2, 3]), Values::Text(vec!["a", "b", "a"])]],
    );
    for end in 0..bytes.len() {
        let _ = read_bytes("a.parquet", &bytes[..end], &ReadOptions::default());
    }
    for place in 0..bytes.len() {
        for flip in [0x01, 0x80, 0xff] {
            let mut damaged = bytes.clone();
            damaged[place] ^= flip;
            let _ = read_bytes("a.parquet", &damaged, &ReadOptions::default());
        }
    }
}
