use super::super::super::node_columns::ValueColumns;
use super::super::super::test_support::{table_in_words, with_file};
use super::super::tests::{Values, write};
use crate::graph::NodeNames;
use crate::graph::read::read_node_table as read_any_table;
use crate::io::Reading;
use crate::progress::Silent;

/// The columns, then each row as `node=value,value`.
fn read(bytes: &[u8], wanted: ValueColumns<'_>) -> Result<String, String> {
    let table = with_file("t.parquet", bytes, |path| {
        read_any_table(
            path,
            wanted,
            &NodeNames::Indices(9),
            Reading { limit: None, progress: &Silent },
        )
    })?;
    Ok(table_in_words(&table))
}

#[test]
fn values_are_text_and_nulls_are_empty_across_row_groups() {
    let bytes = write(
        "OPTIONAL INT32 team; REQUIRED BYTE_ARRAY id (UTF8); REQUIRED DOUBLE size; \
         OPTIONAL BYTE_ARRAY title (UTF8); REQUIRED INT64 big (UINT_64);",
        &[
            vec![
                Values::Int32(vec![None, Some(-7)]),
                Values::Text(vec!["ann", "bob"]),
                Values::Double(vec![0.5, f64::NAN]),
                Values::OptionalText(vec![Some("x, y"), None]),
                Values::Int64(vec![-1, 1]),
            ],
            vec![
                Values::Int32(vec![Some(3)]),
                Values::Text(vec!["cat"]),
                Values::Double(vec![2.0]),
                Values::OptionalText(vec![Some("x, y")]),
                Values::Int64(vec![2]),
            ],
        ],
    );
    assert_eq!(
        read(&bytes, ValueColumns::All).unwrap(),
        "team,size,title,big ann=,0.5,x, y,18446744073709551615 bob=-7,,,1 cat=3,2,x, y,2"
    );
    assert_eq!(read(&bytes, ValueColumns::Named("size")).unwrap(), "size ann=0.5 bob= cat=2");
    assert_eq!(
        read(&bytes, ValueColumns::TheOther).unwrap_err(),
        "t.parquet: which column is meant? Name it after a #, as in file.csv#team; the columns are \
         team, id, size, title, big"
    );
}

#[test]
fn moments_are_values_by_which_nodes_can_be_ordered() {
    let schema = "REQUIRED INT64 id; REQUIRED INT64 when (TIMESTAMP_MILLIS);";
    let bytes = write(schema, &[vec![Values::Int64(vec![4, 7]), Values::Int64(vec![90, 80])]]);
    assert_eq!(read(&bytes, ValueColumns::Named("when")).unwrap(), "when 4=90 7=80");
    // As features they would be microseconds or days of some year or other.
    assert_eq!(
        read(&bytes, ValueColumns::All).unwrap_err(),
        "t.parquet: column when of type TIMESTAMP cannot be read; cast it to integers, floats or strings"
    );
}

#[test]
fn the_index_of_a_table_is_no_feature() {
    let schema = "REQUIRED INT64 node; REQUIRED INT64 x; REQUIRED INT64 __index_level_0__;";
    let columns = [vec![4, 7], vec![1, 2], vec![9, 8]].map(Values::Int64);
    let bytes = write(schema, &[columns.into()]);
    assert_eq!(read(&bytes, ValueColumns::All).unwrap(), "x 4=1 7=2");
}

#[test]
fn one_column_stands_in_node_order() {
    let bytes = write("REQUIRED BOOLEAN odd;", &[vec![Values::Bool(vec![false, true])]]);
    assert_eq!(read(&bytes, ValueColumns::TheOther).unwrap(), "odd =0 =1");
}

#[test]
fn what_is_wrong_is_said() {
    let ids = |values| vec![Values::OptionalText(values), Values::Int64(vec![1, 2])];
    let schema = "OPTIONAL BYTE_ARRAY id (UTF8); REQUIRED INT64 a;";
    let decimal = write("REQUIRED INT64 a (DECIMAL(9, 2));", &[vec![Values::Int64(vec![1])]]);
    for (bytes, expected) in [
        (
            write(schema, &[ids(vec![Some("x"), None])]),
            "t.parquet: row 2: column id names no node; drop the row",
        ),
        (
            decimal,
            "t.parquet: column a of type DECIMAL cannot be read; cast it to integers, floats or \
             strings",
        ),
        (
            write(
                "REQUIRED INT64 id (TIMESTAMP_MICROS); REQUIRED INT64 a;",
                &[vec![Values::Int64(vec![1]), Values::Int64(vec![2])]],
            ),
            "t.parquet: column id of type TIMESTAMP cannot hold node ids; cast it to integers or \
             strings",
        ),
        (write(schema, &[]), "t.parquet: has no rows; a row a node was expected"),
        (
            b"PAR1 and more".to_vec(),
            "t.parquet: cannot be read as Parquet: Parquet error: Invalid Parquet file. Corrupt \
             footer",
        ),
    ] {
        assert_eq!(read(&bytes, ValueColumns::All).unwrap_err(), expected);
    }
}

#[test]
fn no_damage_makes_the_reader_panic() {
    let bytes = write(
        "OPTIONAL INT32 a; REQUIRED BYTE_ARRAY id (UTF8);",
        &[vec![Values::Int32(vec![Some(1), None, Some(3)]), Values::Text(vec!["a", "b", "a"])]],
    );
    for end in 0..bytes.len() {
        let _ = read(&bytes[..end], ValueColumns::All);
    }
    for place in 0..bytes.len() {
        for flip in [0x01, 0x80, 0xff] {
            let mut damaged = bytes.clone();
            damaged[place] ^= flip;
            let _ = read(&damaged, ValueColumns::All);
        }
    }
}
