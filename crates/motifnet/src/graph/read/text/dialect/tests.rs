use super::super::super::options::{Column, ColumnOptions, WeightColumn};
use super::super::super::test_support::{arcs, read_bytes, read_text};
use crate::graph::NodeNames;
use crate::graph::read::ReadOptions;

#[test]
fn dialects_are_found_from_the_first_lines() {
    for (text, expected) in [
        ("0 1\n1 2\n", "0>1 1>2"),
        ("0\t1\r\n1\t2", "0>1 1>2"),
        ("  0   1 \n\t1\t 2\n", "0>1 1>2"),
        ("0;1;0.5\n1;2;2\n", "0>1:0.5 1>2:2"),
        ("\u{feff}source,target\n0,1\n", "0>1"),
        ("FromNodeId ToNodeId\n0 1\n", "0>1"),
        ("x y\n0 1\n1 0\n", "0>1 1>0"),
        ("target,weight,source\nb,2,a\n", "a>b:2"),
        ("# c\n% c\n\n0 1\n  # c\n1 0\n", "0>1 1>0"),
        ("a,b\n\"b, c\",a\n", "a>b b, c>a"),
        ("from,to,time\na,b,3\n", "a>b:3"),
        ("from,to,time,weight\na,b,9,3\n", "a>b:3"),
        ("source,target,note\na,b,x\n", "a>b"),
        ("new york\tparis\nparis\tnew york\n", "new york>paris paris>new york"),
        // What one delimiter splits is not torn apart by another that stands in a later field.
        ("0 1 {'weight': 2, 'year': 2009}\n1 2 {'weight': 4, 'year': 2005}\n", "0>1 1>2"),
        ("ann bob {'weight': 2, 'year': 2009}\n", "ann>bob"),
        ("ann bob {}\n", "ann>bob"),
        ("1 2 0,5\n2 3 0,5\n", "1>2 2>3"),
        ("1;2;0,5\n2;3;0,5\n", "1>2 2>3"),
        ("source target weight note\n0 1 0.5 a,b\n", "0>1:0.5"),
        ("source target weight\nann bob 0,4\nbob cy 0,7\n", "ann>bob bob>cy"),
        ("ann bob 0,5\nbob cy 1\ncy dan 0,7\n", "ann>bob bob>cy cy>dan"),
        ("\"source\" \"target\"\n1 \"Doe, Jane\"\n2 \"Roe, Rick\"\n", "1>Doe, Jane 2>Roe, Rick"),
        ("1 2\t0.5\n", "1>2:0.5"),
        ("  a\t b  3\nb  a 2\n", "a>b:3 b>a:2"),
        ("x,y,\"a\tb\"\n", "x>y"),
        ("a, inc\tb, inc\n", "a, inc>b, inc"),
        ("United States of America,New York City\n", "United States of America>New York City"),
        ("Ann Lee, Bob Ray\nCy, Dan\n", "Ann Lee>Bob Ray Cy>Dan"),
        // One line, or some, with what is a delimiter elsewhere.
        ("ann bob\nbob cy\ncy dan,jr\ndan ann\n", "ann>bob bob>cy cy>dan,jr dan>ann"),
        (
            "ann bob 1.0\nbob \"cy, jr\" 2\n\"cy, jr\" ann 3\nann cy 1\n",
            "ann>bob:1 ann>cy:1 bob>cy, jr:2 cy, jr>ann:3",
        ),
        ("from\tto\n1\t2\n2 3\n3\t4\n4\t5\n", "1>2 2>3 3>4 4>5"),
        ("A, B, C\tD, E, F\nD, E, F\tG\nG\tA, B, C\n", "A, B, C>D, E, F D, E, F>G G>A, B, C"),
        (
            "020 7946 0018,020 7946 0958\n020 7946 0958,1 2 3\n",
            "020 7946 0018>020 7946 0958 020 7946 0958>1 2 3",
        ),
        (
            "020 7946 0018,020 7946 0958\n020 7946 0958,020 7946 0018\n",
            "020 7946 0018>020 7946 0958 020 7946 0958>020 7946 0018",
        ),
        (
            "4111 1111 1111 1111,Amazon\n5500 0000 0000 0004,Ebay\n",
            "4111 1111 1111 1111>Amazon 5500 0000 0000 0004>Ebay",
        ),
        (
            "card\tmerchant\tamount\n4111 1111 1111 1111\tAmazon\t9.5\n5500 1000 1000 1004\tEbay\t3\n",
            "card>merchant 4111 1111 1111 1111>Amazon 5500 1000 1000 1004>Ebay",
        ),
        (
            "Acme, Inc\tBolt, LLC\nBolt, LLC\tAcme, Inc\n24 7 Fitness, Inc\tAcme, Inc\n",
            "Acme, Inc>Bolt, LLC Bolt, LLC>Acme, Inc 24 7 Fitness, Inc>Acme, Inc",
        ),
        ("a,b,x y\nc,d,x,y z\ne,f,x y\n", "a>b c>d e>f"),
        ("Doe, J;Roe, R\nRoe, R;Poe, P\n", "Doe, J>Roe, R Roe, R>Poe, P"),
        ("0, 1, {'weight': 2}\n1, 2, {'weight': 2}\n", "0>1 1>2"),
        // Neither is a number.
        ("Bob,Ann\nNan,Inf\n", "Bob>Ann Nan>Inf"),
        // An index of rows is no weight.
        (",source,target\n0,0,1\n1,1,2\n", "0>1 1>2"),
        ("0 1 nan\n0 2 0\n1 2 -3e-1\n", "1>2:-0.3"),
        ("", ""),
        ("# nothing\n", ""),
        ("source,target\n", ""),
    ] {
        assert_eq!(arcs(&read_text("e.txt", text)), expected, "{text:?}");
    }
}

#[test]
fn integers_and_text_are_told_apart() {
    for (text, expected) in [
        ("0 1\n1 2\n", NodeNames::Indices(3)),
        ("7 5\n", NodeNames::Integers(vec![5, 7])),
        ("-7 5000000000\n", NodeNames::Integers(vec![-7, 5_000_000_000])),
        (
            "12345678901234567 123456789012345678\n",
            NodeNames::Integers(vec![12345678901234567, 123456789012345678]),
        ),
        ("10 9\n9 x\n", strings(&["10", "9", "x"])),
        ("10 9\n9 010\n", strings(&["10", "9", "010"])),
        ("9223372036854775808 1\n", strings(&["9223372036854775808", "1"])),
        ("10.0 9\n", strings(&["10.0", "9"])),
    ] {
        assert_eq!(read_text("e.txt", text).names, expected, "{text:?}");
    }
}

fn strings(names: &[&str]) -> NodeNames {
    NodeNames::Strings(names.iter().collect())
}

#[test]
fn what_was_guessed_is_noted() {
    for (text, expected) in [
        ("0 1\n", vec![]),
        ("0 1 5\n", vec!["column 3 was read as weights; pass --weight none to ignore it"]),
        ("0,1,\n", vec![]),
        ("0 1 a b\n", vec!["columns 3 and 4 are ignored"]),
        (
            "0 1 2 3 4\n",
            vec![
                "column 3 was read as weights; pass --weight none to ignore it",
                "columns 4 and 5 are ignored",
            ],
        ),
        ("source,target,weight,day\n0,1,2,3\n", vec!["column 4 (day) is ignored"]),
        (
            "# a\n0 1\n1 2\n2 x\n",
            vec!["line 4: node id \"x\" is no integer, so all ids are read as text"],
        ),
        ("a b\n", vec![]),
        (
            "x y\n0 1\n",
            vec![
                "the first line was taken for names of columns (x, y); pass --header no if it is an arc",
            ],
        ),
        (
            "from,to,time\n0,1,7\n",
            vec!["column 3 (time) was read as weights; pass --weight none to ignore it"],
        ),
        ("id,from,to\n0,0,1\n", vec!["column 1 (id) is ignored"]),
        (
            "0 1 a b c d e f g h i j k l\n",
            vec!["columns 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 2 more are ignored"],
        ),
        (
            "1.0 2\n2 1\n",
            vec![
                "1 and 1.0 are two nodes; if they are one, write ids without a point, as by .astype(\"Int64\") in \
                 pandas",
            ],
        ),
        (
            "#a #b\n",
            vec![
                "there is no arc: all lines begin with # or % and were taken for comments; put quotes around names \
                 that begin so",
            ],
        ),
        ("\u{feff}# nodes: 3\n", vec![]),
    ] {
        assert_eq!(read_text("e.txt", text).notes, expected, "{text:?}");
    }
}

#[test]
fn options_outweigh_what_would_be_found() {
    let name = |name: &str| Some(Column::Name(name.into()));
    let position = |position| Some(Column::Position(position));
    let default = ReadOptions::default;
    let columns = |source, target, weight| ReadOptions {
        columns: ColumnOptions { source, target, weight },
        ..default()
    };
    for (text, options, expected) in [
        ("0 1 5\n", columns(None, None, WeightColumn::None), "0>1"),
        ("0 1 5\n", columns(position(3), position(1), WeightColumn::Auto), "5>0"),
        (
            "5 0 1\n",
            columns(position(2), position(3), WeightColumn::Column(Column::Position(1))),
            "0>1:5",
        ),
        ("a,b,c\nx,y,2\n", columns(name("b"), name("a"), WeightColumn::Auto), "y>x:2"),
        ("a,b,c\nx,y,2\n", columns(name("b"), name("a"), WeightColumn::None), "y>x"),
        ("0 1,2\n", ReadOptions { delimiter: Some(b','), ..default() }, "0 1>2"),
        ("0|1\n", ReadOptions { delimiter: Some(b'|'), ..default() }, "0>1"),
        ("a,b c,d\n", ReadOptions { delimiter: Some(b' '), ..default() }, "a,b>c,d"),
        ("source target\n", ReadOptions { header: Some(false), ..default() }, "source>target"),
        ("9 8\n0 1\n", ReadOptions { header: Some(true), ..default() }, "0>1"),
    ] {
        let loaded = read_bytes("e.txt", text.as_bytes(), &options).unwrap();
        assert_eq!(arcs(&loaded), expected, "{text:?}");
    }
}

#[test]
fn declared_nodes_exist_without_arcs() {
    let options = ReadOptions { n_nodes: Some(5), ..ReadOptions::default() };
    let loaded = read_bytes("e.txt", b"1 2\n", &options).unwrap();
    assert_eq!(loaded.names, NodeNames::Indices(5));
    assert_eq!(loaded.graph.n_nodes(), 5);
}

#[test]
fn names_of_rows_before_the_fields_are_refused_unless_columns_are_told() {
    let text = b"\"source\" \"target\"\n\"1\" 10 20\n\"2\" 20 30\n";
    let problem = read_bytes("e.txt", text, &ReadOptions::default()).unwrap_err();
    assert_eq!(
        problem,
        "e.txt:1: 2 names, but the rows have 3 fields; if these begin with the names of rows, pass --source 2 \
         --target 3, and if the header lacks its last name, --source 1 --target 2"
    );
    let told = |source, target| {
        let (source, target) = (Some(Column::Position(source)), Some(Column::Position(target)));
        let columns = ColumnOptions { source, target, weight: WeightColumn::Auto };
        let options = ReadOptions { columns, ..ReadOptions::default() };
        arcs(&read_bytes("e.txt", text, &options).unwrap())
    };
    assert_eq!(told(2, 3), "10>20 20>30");
    assert_eq!(told(1, 2), "1>10 2>20");
    // Then the names stand above what they name.
    let text = b"source target time weight\n1 10 20 7 0.5\n2 20 30 8 0.25\n";
    let (source, target) = (Some(Column::Position(2)), Some(Column::Position(3)));
    let columns = ColumnOptions { source, target, weight: WeightColumn::Auto };
    let options = ReadOptions { columns, ..ReadOptions::default() };
    let loaded = read_bytes("e.txt", text, &options).unwrap();
    assert_eq!(arcs(&loaded), "10>20:0.5 20>30:0.25");
    assert_eq!(loaded.notes, ["columns 1 and 4 (time) are ignored"]);
    // Sources that come twice are no numbers of rows: a time of two words has no name for the second.
    let text =
        "source target time\n1 2 2020-01-01 12:00\n1 3 2020-01-01 12:05\n2 3 2020-01-01 12:09\n";
    assert_eq!(arcs(&read_text("e.txt", text)), "1>2 1>3 2>3");
    // A delimiter at the end of lines is no field.
    assert_eq!(arcs(&read_text("e.txt", "source,target\n0,1,\n")), "0>1");
}
