use proptest::prelude::*;

use super::super::options::WeightColumn;
use super::super::test_support::with_file;
use super::*;
use crate::graph::{EdgeList, NodeNames};
use crate::progress::Silent;

fn read_small_blocks(
    text: &[u8],
    options: &ReadOptions,
    block_bytes: usize,
) -> Result<RawGraph, String> {
    with_file("e.txt", text, |path| {
        let input = Input::open(path, None, &Silent)?;
        read_in_blocks(input, options, block_bytes)
    })
}

#[test]
fn lines_are_counted_across_blocks_and_the_first_error_is_told() {
    let mut text: String = (0..500).map(|line| format!("{line} {}\n", line + 1)).collect();
    text.push_str("broken\n");
    text.push_str(&"0 1\n".repeat(300));
    text.push_str("worse\n");
    for block_bytes in [1, 7, 64, 1000, 1 << 20] {
        let error = read_small_blocks(text.as_bytes(), &ReadOptions::default(), block_bytes);
        let expected = "e.txt:501: expected two node ids, found \"broken\"; fields are separated \
                        by blanks, pass --delimiter for another";
        assert_eq!(error.unwrap_err(), expected);
    }
}

#[test]
fn a_bad_line_among_the_first_is_the_one_that_is_told() {
    for (text, place) in [("a,b\nc\n", "e.txt:2: "), ("1;2\n3;4\n56\n7;8\n", "e.txt:3: ")] {
        let error = read_small_blocks(text.as_bytes(), &ReadOptions::default(), 64).unwrap_err();
        assert!(error.starts_with(place), "{error}");
    }
}

#[test]
fn lines_after_a_header_keep_their_numbers() {
    let text = b"# one\n\nsource,target\na,b\nb\n";
    let error = read_small_blocks(text, &ReadOptions::default(), 4).unwrap_err();
    assert!(error.starts_with("e.txt:5: "), "{error}");
}

#[test]
fn a_first_comment_tells_the_nodes_where_it_can() {
    for (text, names) in [
        ("# nodes: 9\n0 1\n1 5\n", NodeNames::Indices(9)),
        ("# nodes: 3\n", NodeNames::Indices(3)),
        // Ids that are not among 0, 1, …: the comment speaks of something else.
        ("# nodes: 3\n1 2\n2 3\n", NodeNames::Integers(vec![1, 2, 3])),
        ("# Nodes: 9 Edges: 1\n0 1\n", NodeNames::Indices(2)),
        ("# nodes: 4000000000\n0 1\n", NodeNames::Indices(2)),
    ] {
        let raw = read_small_blocks(text.as_bytes(), &ReadOptions::default(), 64).unwrap();
        assert_eq!((raw.arcs.n_nodes, raw.names), (names.len(), names), "{text}");
    }
}

#[test]
fn comments_among_the_arcs_are_told_and_quotes_make_them_names() {
    let note = |n: &str| {
        format!(
            "{n} after the first row were taken for comments; put quotes around names that begin so"
        )
    };
    let one = "a line that begins with # or % after the first row was taken for a comment; put \
               quotes around names that begin so";
    for (text, notes) in [
        ("# by hand\n% at the top\n0 1\n1 2\n", vec![]),
        ("0 1\n1 2\n\n  # the end\n", vec![one.to_owned()]),
        ("source,target\n#rust,#go\n#go,c\nc,d\n", vec![note("2 lines that begin with # or %")]),
        ("a,b\n%x,b\n#rust,a\n", vec![note("2 lines that begin with # or %")]),
    ] {
        for block_bytes in [1, 9, 1 << 20] {
            let raw = read_small_blocks(text.as_bytes(), &ReadOptions::default(), block_bytes);
            assert_eq!(raw.unwrap().notes, notes, "{text:?}");
        }
    }
    let text = b"source,target\n\"#rust\",\"%go\"\n\"%go\",c\n";
    let raw = read_small_blocks(text, &ReadOptions::default(), 64).unwrap();
    assert_eq!(
        (names_of(&raw.names), raw.notes),
        (vec!["#rust".into(), "%go".into(), "c".into()], vec![])
    );
}

#[test]
fn names_with_carriage_returns_are_read_in_quotes() {
    let text = b"\"a\rb\",c\r\nc,d\r\n1,2,\"x\ry\"\r\n";
    let raw = read_small_blocks(text, &ReadOptions::default(), 64).unwrap();
    assert_eq!(names_of(&raw.names), ["a\rb", "c", "d", "1", "2"]);
}

#[test]
fn a_line_without_end_is_refused_early() {
    let text = vec![b'7'; 3 << 20];
    let error = read_small_blocks(&text, &ReadOptions::default(), 1 << 16).unwrap_err();
    let expected =
        "e.txt:1: a line of more than 1048576 bytes; this seems to be no text file of arcs";
    assert_eq!(error, expected);
}

/// How a random graph is written.
#[derive(Clone, Debug)]
struct Writing {
    delimiter: &'static str,
    header: bool,
    weighted: bool,
    line_end: &'static str,
    last_line_end: bool,
    comments: bool,
    byte_order_mark: bool,
    quoted: bool,
}

prop_compose! {
    fn writing()(
        delimiter in prop::sample::select(vec!["\t", ",", ";", " ", " \t  "]),
        header: bool,
        weighted: bool,
        line_end in prop::sample::select(vec!["\n", "\r\n"]),
        last_line_end: bool,
        comments: bool,
        byte_order_mark: bool,
        quoted: bool,
    ) -> Writing {
        Writing {
            delimiter, header, weighted, line_end, last_line_end, comments, byte_order_mark, quoted,
        }
    }
}

impl Writing {
    fn write(&self, arcs: &[(String, String, f32)]) -> Vec<u8> {
        let mut lines = Vec::new();
        if self.comments {
            lines.push("# a comment".to_owned());
        }
        if self.header {
            let weight = if self.weighted { &["weight"][..] } else { &[] };
            lines.push([&["source", "target"][..], weight].concat().join(self.delimiter));
        }
        for (position, (source, target, weight)) in arcs.iter().enumerate() {
            let mut fields = vec![self.field(source), self.field(target)];
            if self.weighted {
                fields.push(weight.to_string());
            }
            lines.push(fields.join(self.delimiter));
            if self.comments && position % 7 == 3 {
                lines.push(String::new());
                lines.push("% between".to_owned());
            }
        }
        let mut text = if self.byte_order_mark { "\u{feff}" } else { "" }.to_owned();
        text.push_str(&lines.join(self.line_end));
        if self.last_line_end && !lines.is_empty() {
            text.push_str(self.line_end);
        }
        text.into_bytes()
    }

    fn field(&self, id: &str) -> String {
        let is_plain = id.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
        if is_plain && !self.quoted {
            id.to_owned()
        } else {
            format!("\"{}\"", id.replace('"', "\"\""))
        }
    }

    fn options(&self, arcs: &[(String, String, f32)]) -> ReadOptions {
        let mut options = ReadOptions { header: Some(self.header), ..ReadOptions::default() };
        if arcs.len() < 2 {
            // Too little to tell the dialect from.
            options.delimiter = Some(self.delimiter.as_bytes()[0]);
        }
        if !self.weighted {
            options.columns.weight = WeightColumn::None;
        }
        options
    }
}

/// What should come out, found the slow way.
fn expected(arcs: &[(String, String, f32)], weighted: bool) -> (EdgeList, Vec<String>) {
    let mut names: Vec<String> = Vec::new();
    for (source, target, _) in arcs {
        for id in [source, target] {
            if !names.contains(id) {
                names.push(id.clone());
            }
        }
    }
    let canonical = |name: &String| name.parse::<i64>().is_ok_and(|id| id.to_string() == *name);
    if names.iter().all(canonical) {
        names.sort_by_key(|name| name.parse::<i64>().unwrap());
    }
    let node = |id: &String| names.iter().position(|name| name == id).unwrap() as u32;
    let triples = arcs.iter().map(|(source, target, weight)| (node(source), node(target), *weight));
    let mut list = EdgeList::from_triples(names.len(), triples);
    if !weighted || arcs.is_empty() {
        list.weights = None;
    }
    (list, names)
}

fn names_of(names: &NodeNames) -> Vec<String> {
    (0..names.len() as u32).map(|node| names.name(node).into_owned()).collect()
}

fn id() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => (0u32..40).prop_map(|id| id.to_string()),
        2 => any::<i64>().prop_map(|id| id.to_string()),
        1 => (0u64..u64::MAX).prop_map(|id| id.to_string()),
    ]
}

fn text_id() -> impl Strategy<Value = String> {
    prop_oneof![3 => id(), 1 => "[a-z0-9]{1,4}", 1 => "[ -~äß€]{1,6}"]
}

fn arcs_of(
    id: impl Strategy<Value = String> + Clone,
) -> impl Strategy<Value = Vec<(String, String, f32)>> {
    let weight = prop_oneof![
        (0u32..1000).prop_map(|weight| weight as f32 / 8.0),
        any::<f32>().prop_filter("NaN is no equal of itself", |weight| !weight.is_nan()),
    ];
    prop::collection::vec((id.clone(), id, weight), 0..60)
}

proptest! {
    #[test]
    fn what_is_written_is_read(
        arcs in prop_oneof![arcs_of(id().boxed()), arcs_of(text_id().boxed())],
        writing in writing(),
        block_bytes in prop_oneof![1usize..40, Just(1 << 20)],
    ) {
        // Blanks around an id and a quoted `source` are not what is tested here.
        prop_assume!(arcs.iter().all(|(s, t, _)| [s, t].iter().all(|id| id.trim() == id.as_str() && !id.is_empty())));
        let raw = read_small_blocks(&writing.write(&arcs), &writing.options(&arcs), block_bytes)
            .map_err(TestCaseError::fail)?;
        let (list, names) = expected(&arcs, writing.weighted);
        prop_assert_eq!(raw.arcs, list);
        prop_assert_eq!(names_of(&raw.names), names);
    }

    #[test]
    fn threads_do_not_change_what_is_read(
        arcs in arcs_of(text_id().boxed()),
        broken in prop::option::of(0usize..60),
    ) {
        let writing = Writing {
            delimiter: ",", header: false, weighted: true, line_end: "\n", last_line_end: true,
            comments: true, byte_order_mark: false, quoted: false,
        };
        let mut text = writing.write(&arcs);
        if let Some(place) = broken {
            text.splice(place.min(text.len())..place.min(text.len()), *b"\nbroken\n");
        }
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let options = ReadOptions { delimiter: Some(b','), header: Some(false), ..Default::default() };
            pool.install(|| read_small_blocks(&text, &options, 16))
                .map(|raw| (raw.arcs, raw.names, raw.notes))
        };
        prop_assert_eq!(on(1), on(4));
    }

    #[test]
    fn no_bytes_make_the_reader_panic(
        bytes in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..200),
            "[0-9a\",;\t #%.\r\n-]{0,120}".prop_map(String::into_bytes),
        ],
        block_bytes in 1usize..60,
    ) {
        let _ = read_small_blocks(&bytes, &ReadOptions::default(), block_bytes);
    }
}
