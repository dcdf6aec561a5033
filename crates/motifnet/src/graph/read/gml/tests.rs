use proptest::prelude::*;

use super::super::options::{Column, ColumnOptions, WeightColumn};
use super::super::test_support::{arcs, read_bytes, read_error, read_text};
use crate::graph::NodeNames;
use crate::graph::read::ReadOptions;

fn directed(body: &str) -> String {
    format!("graph [ directed 1 {body} ]")
}

#[test]
fn nodes_and_edges_are_read_whatever_stands_between() {
    let text = "# made by hand\nCreator \"me\nand you\"\ngraph\n[\n  directed 1\n  node [ id 5 label \
                \"A &amp; B\" graphics [ x 1.5 deep [ [ ] ] ] ]\n  node [ id -2 label \"c\" ] edge [ \
                source 5 target -2 weight 2.5 ]\n]\n";
    let loaded = read_text("g.gml", text);
    assert_eq!(arcs(&loaded), "A & B>c:2.5");
    assert!(loaded.notes.is_empty(), "{:?}", loaded.notes);
}

#[test]
fn nodes_are_called_by_their_ids_where_labels_do_not_tell_them_apart() {
    let repeated =
        directed("node [ id 9 label \"a\" ] node [ id 4 label \"a\" ] edge [ source 9 target 4 ]");
    let loaded = read_text("g.gml", &repeated);
    assert_eq!(loaded.names, NodeNames::Integers(vec![4, 9]));
    assert_eq!(arcs(&loaded), "9>4");
    assert_eq!(loaded.notes, ["some labels repeat: nodes are called by their ids"]);
    let unlabelled = directed("node [ id 1 ] node [ id 0 ] edge [ source 0 target 1 ]");
    assert_eq!(read_text("g.gml", &unlabelled).names, NodeNames::Indices(2));
}

#[test]
fn what_was_assumed_is_noted() {
    const NODES: &str = "node [ id 0 ] node [ id 1 ] ";
    let undirected = "the file says undirected: each edge was read as one arc; pass --undirected \
                      for both";
    let value = "edge attribute `value` was read as weights; pass --weight none to ignore it";
    for (text, expected_arcs, expected) in [
        (format!("graph [ {NODES} edge [ source 1 target 0 ] ]"), "1>0", vec![undirected]),
        (directed(&format!("{NODES} edge [ source 1 target 0 value 3 ]")), "1>0:3", vec![value]),
        (
            directed(&format!("{NODES} edge [ source 1 target 0 value 3 weight 2 ]")),
            "1>0:2",
            vec![],
        ),
        (
            directed(&format!(
                "{NODES} edge [ source 1 target 0 weight 2 ] edge [ source 0 target 1 ]"
            )),
            "0>1:1 1>0:2",
            vec!["1 edges have no weight: theirs is 1"],
        ),
        (
            format!("{} graph [ ]", directed(NODES)),
            "",
            vec!["the file has 2 graphs: only the first was read"],
        ),
    ] {
        let loaded = read_text("g.gml", &text);
        assert_eq!(arcs(&loaded), expected_arcs, "{text}");
        assert_eq!(loaded.notes, expected, "{text}");
    }
}

#[test]
fn a_named_attribute_is_the_weight() {
    let text = directed("node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 km 7 weight 2 ]");
    let weight = |weight| ReadOptions {
        columns: ColumnOptions { weight, ..ColumnOptions::default() },
        ..ReadOptions::default()
    };
    let read = |options| arcs(&read_bytes("g.gml", text.as_bytes(), &options).unwrap());
    assert_eq!(read(weight(WeightColumn::Column(Column::Name("km".into())))), "0>1:7");
    assert_eq!(read(weight(WeightColumn::None)), "0>1");
    let missing = weight(WeightColumn::Column(Column::Name("miles".into())));
    assert_eq!(
        read_bytes("g.gml", text.as_bytes(), &missing).unwrap_err(),
        "g.gml: no edge has an attribute \"miles\"; pass --weight none to read no weights"
    );
}

#[test]
fn what_is_wrong_is_said() {
    for (text, expected) in [
        ("", "g.gml: no `graph [ … ]` in the file; is it a GML file?"),
        ("graph [\n node [\n", "g.gml:3: a list is not closed; the file may be cut short"),
        ("graph [ a [\n", "g.gml:2: a list is not closed; the file may be cut short"),
        ("graph [\n label \"x\n", "g.gml:2: a string is not closed; the file may be cut short"),
        ("graph [\n ]\n]\n", "g.gml:3: expected a key, found \"]\""),
        ("graph [ 7 8 ]", "g.gml:1: expected a key, found \"7\""),
        ("graph [ a ]", "g.gml:1: expected a value of \"a\", found \"]\""),
        ("graph [ ] a", "g.gml:1: key \"a\" has no value"),
        ("graph [\n node [ label \"a\" ] ]", "g.gml:2: a node without an id; give it one"),
        ("graph [ node [ id \"a\" ] ]", "g.gml:1: expected an integer as id, found \"a\""),
        (
            "graph [ node [ id 1 ]\n edge [ target 1 ] ]",
            "g.gml:2: an edge without a source; give it one",
        ),
        (
            "graph [ node [ id 1 ]\n\n edge [ source 1\n target 2 ] ]",
            "g.gml:3: the edge names node 2, which is not in the file",
        ),
        (
            "graph [ node [ id 1 ] node [ id 1 ] ]",
            "g.gml: two nodes have the id 1; ids must differ",
        ),
        (
            "graph [ node [ id 1 ]\n edge [ source 1 target 1 weight much ] ]",
            "g.gml:2: expected a number as weight, found \"much\"; pass --weight none to read no \
             weights",
        ),
        ("graph [\n\u{1} ]", "g.gml:2: unexpected byte 0x01; is this a GML file?"),
    ] {
        assert_eq!(read_error("g.gml", text), expected, "{text:?}");
    }
}

#[test]
fn no_depth_of_nesting_exhausts_the_stack() {
    let text = format!("graph [ directed 1 a {}{} ]", "[ a ".repeat(300_000), "]".repeat(300_000));
    assert_eq!(read_text("g.gml", &text).graph.n_nodes(), 0);
}

proptest! {
    #[test]
    fn no_words_make_the_reader_panic(
        words in prop::collection::vec(
            prop::sample::select(vec![
                "graph", "[", "]", "node", "edge", "id", "source", "target", "weight", "label", "1", "2",
                "-7", "99999999999999999999", "1e400", "\"a\"", "\"", "#", "\n", "&", "\u{e9}", "\0",
            ]),
            0..40,
        ),
    ) {
        let _ = read_bytes("g.gml", words.join(" ").as_bytes(), &ReadOptions::default());
    }
}
