use super::super::options::ColumnOptions;
use super::super::test_support::{arcs, read_bytes};
use super::*;
use crate::io::npz_test_support::{int64s, int64s_of_shape, npy, npz};

fn read_npz(arrays: &[(&str, Vec<u8>)]) -> String {
    match read_bytes("a.npz", &npz(arrays), &ReadOptions::default()) {
        Ok(loaded) => format!("{} nodes: {}", loaded.graph.n_nodes(), arcs(&loaded)),
        Err(error) => error,
    }
}

fn compressed(prefix: &str, indptr: &[i64], indices: &[i64]) -> Vec<(String, Vec<u8>)> {
    let data: Vec<i64> = (2..).take(indices.len()).collect();
    let n = indptr.len() as i64 - 1;
    [("data", int64s(&data)), ("indices", int64s(indices)), ("indptr", int64s(indptr))]
        .into_iter()
        .chain([("shape", int64s(&[n, n]))])
        .map(|(name, array)| (format!("{prefix}{name}"), array))
        .collect()
}

fn borrowed(arrays: &[(String, Vec<u8>)]) -> Vec<(&str, Vec<u8>)> {
    arrays.iter().map(|(key, array)| (key.as_str(), array.clone())).collect()
}

#[test]
fn every_layout_is_understood() {
    for prefix in ["adj_", "adj_matrix.", ""] {
        let arrays = compressed(prefix, &[0, 1, 1, 3], &[2, 0, 1]);
        assert_eq!(read_npz(&borrowed(&arrays)), "3 nodes: 0>2:2 2>0:3 2>1:4");
    }
    let scipy = |format: &[u8]| {
        let mut arrays = compressed("", &[0, 1, 1, 3], &[2, 0, 1]);
        arrays.push(("format".into(), npy("|S3", "()", format)));
        read_npz(&borrowed(&arrays))
    };
    assert_eq!(scipy(b"csr"), "3 nodes: 0>2:2 2>0:3 2>1:4");
    assert_eq!(scipy(b"csc"), "3 nodes: 0>2:3 1>2:4 2>0:2");
    let coordinates = [
        ("format", npy("<U3", "()", b"c\0\0\0o\0\0\0o\0\0\0")),
        ("row", int64s(&[0, 2])),
        ("col", int64s(&[1, 0])),
        ("data", npy("|b1", "(2,)", &[1, 1])),
        ("shape", int64s(&[4, 4])),
    ];
    assert_eq!(read_npz(&coordinates), "4 nodes: 0>1:1 2>0:1");
}

#[test]
fn edges_are_pairs_or_two_rows() {
    let edges = |shape, values: &[i64]| int64s_of_shape(shape, values);
    assert_eq!(
        read_npz(&[("edges", edges("(3, 2)", &[0, 1, 1, 2, 2, 0]))]),
        "3 nodes: 0>1 1>2 2>0"
    );
    assert_eq!(
        read_npz(&[("edges", edges("(2, 3)", &[0, 1, 2, 1, 2, 0]))]),
        "3 nodes: 0>1 1>2 2>0"
    );
    let with_labels = [("edges", edges("(1, 2)", &[0, 1])), ("node_labels", int64s(&[0; 5]))];
    assert_eq!(read_npz(&with_labels), "5 nodes: 0>1");
}

#[test]
fn two_by_two_is_read_by_its_name() {
    let read = |key| {
        let bytes = npz(&[(key, int64s_of_shape("(2, 2)", &[0, 1, 2, 3]))]);
        let loaded = read_bytes("a.npz", &bytes, &ReadOptions::default()).unwrap();
        (arcs(&loaded), loaded.notes)
    };
    assert_eq!(read("edge_index"), ("0>2 1>3".to_owned(), Vec::new()));
    let note =
        "`edges` is 2 × 2: its rows were read as arcs; call it `edge_index` if its columns are";
    assert_eq!(read("edges"), ("0>1 2>3".to_owned(), vec![note.to_owned()]));
    let rows = npz(&[("edge_index", int64s_of_shape("(3, 2)", &[0, 1, 1, 2, 2, 0]))]);
    let loaded = read_bytes("a.npz", &rows, &ReadOptions::default()).unwrap();
    assert_eq!(arcs(&loaded), "0>1 1>2 2>0");
}

#[test]
fn weights_are_left_out_if_asked() {
    let columns = ColumnOptions { weight: WeightColumn::None, ..ColumnOptions::default() };
    let options = ReadOptions { columns, ..ReadOptions::default() };
    let arrays = compressed("adj_", &[0, 1, 1], &[1]);
    let loaded = read_bytes("a.npz", &npz(&borrowed(&arrays)), &options).unwrap();
    assert_eq!(arcs(&loaded), "0>1");
}

#[test]
fn what_is_wrong_names_file_and_key() {
    let object = || npy("|O", "(1,)", b"pickle");
    let changed = |key: &str, array: Vec<u8>| {
        let mut arrays = compressed("adj_", &[0, 1, 2], &[1, 0]);
        for (present, old) in &mut arrays {
            if *present == key {
                *old = array.clone();
            }
        }
        read_npz(&borrowed(&arrays))
    };
    for (found, expected) in [
        (
            changed("adj_indices", int64s(&[1, 2])),
            "a.npz[adj_indices]: entry 1 is 2, but the nodes go from 0 to 1",
        ),
        (
            changed("adj_indices", int64s(&[1, -1])),
            "a.npz[adj_indices]: entry 1 is -1, but the nodes go from 0 to 1",
        ),
        (
            changed("adj_indices", int64s(&[1])),
            "a.npz[adj_indices]: 1 entries, but the matrix has 2 arcs",
        ),
        (
            changed("adj_data", int64s(&[1])),
            "a.npz[adj_data]: 1 entries, but the matrix has 2 arcs",
        ),
        (
            changed("adj_indptr", int64s(&[0, 2, 1])),
            "a.npz[adj_indptr]: falls from 2 to 1 at entry 2; it must never fall",
        ),
        (
            changed("adj_indptr", int64s(&[0, 2])),
            "a.npz[adj_indptr]: 2 entries; a matrix of 2 rows has 3",
        ),
        (changed("adj_indptr", int64s(&[1, 1, 2])), "a.npz[adj_indptr]: starts at 1, not at 0"),
        (
            changed("adj_indptr", int64s(&[0, 1, i64::MAX])),
            "a.npz[adj_indices]: 2 entries, but the matrix has 9223372036854775807 arcs",
        ),
        (
            changed("adj_shape", int64s(&[2, 3])),
            "a.npz[adj_shape]: a matrix of 2 × 3; the matrix of a graph is square",
        ),
        (
            changed("adj_shape", int64s(&[1 << 40, 1 << 40])),
            "a.npz[adj_shape]: a matrix of 1099511627776 × 1099511627776; a graph has at most 4294967295 nodes",
        ),
        (
            read_npz(&[("edges", int64s_of_shape("(1, 2)", &[0, 1 << 40]))]),
            "a.npz[edges]: node 1099511627776; nodes are numbers from 0 to 4294967294",
        ),
        (changed("adj_shape", int64s(&[2])), "a.npz[adj_shape]: 1 lengths; a matrix has two"),
        (
            changed("adj_data", object()),
            "a.npz[adj_data]: an object array, which only Python can unpickle; save it again with \
             a number or string dtype",
        ),
        (
            read_npz(&[("edges", int64s(&[0, 1]))]),
            "a.npz[edges]: an array of shape [2]; edges are an array of n × 2 or 2 × n",
        ),
        (
            read_npz(&[("format", npy("|S3", "()", b"bsr"))]),
            "a.npz[format]: a sparse matrix in bsr format; convert it with .tocsr() before save_npz",
        ),
        (
            read_npz(&[
                ("edges", int64s_of_shape("(1, 2)", &[0, 1])),
                ("node_labels", npy("<i8", "(4000000000,)", &[0; 16])),
            ]),
            "a.npz[node_labels]: the header declares 4000000000 elements, but only 2 are there",
        ),
        (
            read_npz(&[
                ("format", npy("|S3", "()", b"coo")),
                ("row", int64s(&[0])),
                ("col", int64s(&[1])),
                ("data", int64s(&[1])),
                ("shape", int64s(&[4_000_000_000, 4_000_000_000])),
            ]),
            "a.npz[shape]: declares 4000000000 nodes for 1 arcs, which seems a mistake; pass \
             --nodes 4000000000 if it is none",
        ),
        (
            read_npz(&[("x", int64s(&[0]))]),
            "a.npz: no graph among the arrays (x); expected adj_data, adj_indices, adj_indptr and \
             adj_shape, or the same with adj_matrix. in front, or edges, or what \
             scipy.sparse.save_npz writes",
        ),
    ] {
        assert_eq!(found, expected);
    }
}

/// Archives have a checksum of every array: whatever bit is wrong is told, or makes no difference.
#[test]
fn one_wrong_bit_never_gives_another_graph() {
    let arrays = compressed("adj_", &[0, 1, 1, 3], &[2, 0, 1]);
    let whole = npz(&borrowed(&arrays));
    let read = |bytes: &[u8]| {
        let loaded = read_bytes("a.npz", bytes, &ReadOptions::default());
        loaded.map(|loaded| (loaded.graph.n_nodes(), arcs(&loaded)))
    };
    let right = read(&whole).unwrap();
    let mut n_told = 0;
    for place in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[place] ^= 1 << (place % 8);
        match read(&damaged) {
            Ok(found) => assert_eq!(found, right, "byte {place}"),
            Err(_) => n_told += 1,
        }
    }
    assert!(n_told > whole.len() / 4, "{n_told} of {}", whole.len());
}

#[test]
fn bytes_after_the_elements_and_weights_that_are_not_read_are_told() {
    let mut longer = int64s_of_shape("(1, 2)", &[0, 1]);
    longer.push(0);
    assert_eq!(
        read_npz(&[("edges", longer)]),
        "a.npz[edges]: there are more bytes than the header declares; the file may be damaged"
    );
    let edges = int64s_of_shape("(1, 2)", &[0, 1]);
    let bytes = npz(&[("edge_index", edges), ("edge_weight", int64s(&[3]))]);
    let loaded = read_bytes("a.npz", &bytes, &ReadOptions::default()).unwrap();
    assert_eq!(
        loaded.notes,
        ["`edge_weight` is not read: the arcs of `edge_index` have no weights"]
    );
}

#[test]
fn columns_are_not_asked_for_in_vain() {
    use super::super::options::Column;
    let bytes = npz(&[("edges", int64s_of_shape("(1, 2)", &[0, 1]))]);
    let error = |columns| {
        let options = ReadOptions { columns, ..ReadOptions::default() };
        read_bytes("a.npz", &bytes, &options).unwrap_err()
    };
    let target = Some(Column::Name("to".into()));
    assert_eq!(
        error(ColumnOptions { target, ..ColumnOptions::default() }),
        "a.npz: column \"to\" was asked for as the target, but npz files have no columns; leave out --target"
    );
    let weight = WeightColumn::Column(Column::Position(3));
    assert_eq!(
        error(ColumnOptions { weight, ..ColumnOptions::default() }),
        "a.npz: column 3 was asked for as the weight, but npz files have no columns; leave out --weight"
    );
}
