use super::super::super::options::{Column, ColumnOptions, WeightColumn};
use super::super::super::test_support::{read_bytes, read_error};
use crate::graph::read::ReadOptions;

#[test]
fn what_is_wrong_with_a_line_is_said() {
    let long_line = format!("0 1\n{} 1\n", "x".repeat(1 << 20));
    for (text, expected) in [
        (
            "0 1\n2\n",
            "e.txt:2: expected two node ids, found \"2\"; fields are separated by blanks, pass \
             --delimiter for another",
        ),
        (
            "a\tb\nb\tc\n# fine\n\nc d\n",
            "e.txt:5: expected two node ids, found \"c d\"; fields are separated by tabs, pass \
             --delimiter for another",
        ),
        (
            "a,b\nb,c\nc,d\nd;e\n",
            "e.txt:4: expected two node ids, found \"d;e\"; fields are separated by ',', pass \
             --delimiter for another",
        ),
        (
            "source,target\na,b\nb,\n",
            "e.txt:3: the node id in column 2 is empty; pass --delimiter if fields are split \
             wrongly",
        ),
        (
            "0 1 2.5\n1 2 0.5\n2 3 4\n3 4 heavy\n",
            "e.txt:4: expected a weight, found \"heavy\"; pass --weight none to read no weights",
        ),
        (
            "0 1 2.5\n1 2 0.5\n2 3 4\n3 4\n",
            "e.txt:4: expected a weight in column 3, found \"3 4\"; pass --weight none to read no \
             weights",
        ),
        (
            "a,b\nb,c\n\"c,d\n",
            "e.txt:3: a quoted field must end on its line; write a quote inside it twice",
        ),
        (
            "a,b\nb,c\n\"c\"x,d\n",
            "e.txt:3: text follows a closing quote; write a quote inside a quoted field twice",
        ),
        (
            "1 2\r3 4\r5 6\r",
            "e.txt:1: a carriage return within the line; if lines end with carriage returns alone, \
             convert them, as by tr '\\r' '\\n'; if it belongs to a name, put quotes around that",
        ),
        (
            "# by hand\r1 2\r3 4\r",
            "e.txt:1: a carriage return within the line; if lines end with carriage returns alone, \
             convert them, as by tr '\\r' '\\n'; if it belongs to a name, put quotes around that",
        ),
        (
            "1 2 7\n2 3 5\n1 2 7 \r3 4 8 \r5 6 9\n",
            "e.txt:3: a carriage return within the line; if lines end with carriage returns alone, \
             convert them, as by tr '\\r' '\\n'; if it belongs to a name, put quotes around that",
        ),
        ("a b\nb \0\n", "e.txt:2: node id \"\\0\" holds a NUL byte; is this a text file?"),
        (
            &long_line,
            "e.txt:2: a line of more than 1048576 bytes; this seems to be no text file of arcs",
        ),
    ] {
        assert_eq!(read_error("e.txt", text), expected);
    }
}

#[test]
fn an_id_that_is_not_utf8_is_named() {
    let error = read_bytes("e.txt", b"a b\nb caf\xe9\n", &ReadOptions::default()).unwrap_err();
    assert_eq!(error, "e.txt:2: node id \"caf\u{fffd}\" is not UTF-8; convert the file to UTF-8");
}

#[test]
fn what_contradicts_the_options_is_named() {
    let name = |name: &str| Some(Column::Name(name.into()));
    let columns = |source, target, weight| ReadOptions {
        columns: ColumnOptions { source, target, weight },
        ..ReadOptions::default()
    };
    let nodes = ReadOptions { n_nodes: Some(3), ..ReadOptions::default() };
    for (text, options, expected) in [
        ("0 1\n1 3\n", nodes.clone(), "e.txt:2: node 3 is none of the 3 declared nodes, from 0 on"),
        (
            "0 1\n-1 2\n",
            nodes.clone(),
            "e.txt:2: node -1 is none of the 3 declared nodes, from 0 on",
        ),
        (
            "0 1\n1 x\n",
            nodes,
            "e.txt:2: node \"x\" is no integer, so nodes cannot be declared by their number",
        ),
        (
            "source,target\n0,1\n",
            columns(name("who"), None, WeightColumn::Auto),
            "e.txt:1: no column is called \"who\"; the columns are source, target",
        ),
        (
            "0,1\n1,2\n",
            columns(name("who"), None, WeightColumn::Auto),
            "e.txt:1: column \"who\" was asked for, but this line seems to be no header; pass \
             --header if it is one, or give the column's place, from 1",
        ),
        (
            "0 1\n1 2\n",
            columns(Some(Column::Position(0)), None, WeightColumn::Auto),
            "e.txt:1: columns are counted from 1, not from 0",
        ),
        (
            "0 1\n1 2\n",
            columns(None, Some(Column::Position(4)), WeightColumn::Auto),
            "e.txt:1: expected node ids in columns 1 and 4, found \"0 1\"; fields are separated by \
             blanks, pass --delimiter for another",
        ),
        (
            "0 1\n1 2\n",
            columns(None, None, WeightColumn::Column(Column::Position(3))),
            "e.txt:1: expected a weight in column 3, found \"0 1\"; pass --weight none to read no \
             weights",
        ),
    ] {
        assert_eq!(read_bytes("e.txt", text.as_bytes(), &options).unwrap_err(), expected);
    }
}
