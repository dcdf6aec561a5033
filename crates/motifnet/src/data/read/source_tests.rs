//! Sources of single files, entries in place of a folder's, and splits by files.

use std::path::PathBuf;

use super::*;
use crate::data::{Features, SplitRule};
use crate::io::npz_test_support::{int64s, int64s_of_shape, npy, npz};
use crate::progress::Silent;

/// A folder of six nodes in a ring, with what is known of them.
struct Case {
    folder: tempfile::TempDir,
}

impl Case {
    fn new() -> Self {
        let case = Self { folder: tempfile::tempdir().unwrap() };
        case.put("arcs.csv", "from,to\n0,1\n1,2\n2,3\n3,4\n4,5\n5,0\n5,5\n");
        case.put(
            "nodes.csv",
            "id,team,part,year,day\n0,a,train,2001,2001-01-05\n1,a,train,2003,2003-01-05\n\
             2,b,val,2001,2001-01-06\n3,b,Validation,2002,2002-01-05\n4,a,test,2004,2004-01-05\n\
             5,b,,2004,2004-01-06\n",
        );
        case
    }

    fn put(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    fn source(&self) -> DatasetSource {
        DatasetSource {
            arcs: Some("arcs.csv".into()),
            labels: Some("nodes.csv#team".into()),
            ..DatasetSource::default()
        }
    }

    fn with_split(&self, split: &str) -> DatasetSource {
        DatasetSource { split: Some(split.to_owned()), ..self.source() }
    }

    fn read(&self, source: &DatasetSource) -> Result<NodeDataset, String> {
        let prefix = format!("{}/", self.folder.path().display());
        read_source(source, self.folder.path(), &Silent)
            .map_err(|error| error.to_string().replace(&prefix, ""))
    }

    fn split_error(&self, split: &str) -> String {
        self.read(&self.with_split(split)).unwrap_err()
    }
}

/// The nodes of the parts, as `0,1 2 3`.
fn parts(dataset: &NodeDataset) -> String {
    let split = dataset.split.as_ref().unwrap().split(&dataset.labels, 0, 1).unwrap();
    let part = |nodes: &[u32]| nodes.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
    [split.train(), split.validation(), split.test()].map(part).join(" ")
}

#[test]
fn files_are_named_one_by_one() {
    let case = Case::new();
    let dataset = case.read(&case.with_split("stratified 34/33/33")).unwrap();
    assert_eq!((dataset.name.as_str(), dataset.n_nodes()), ("arcs", 6));
    assert_eq!(
        dataset.contract.to_string(),
        "nodes      6\n\
         arcs       6; 1 self-loop dropped\n\
         direction  arcs point from column `from` to column `to`\n\
         features   none\n\
         labels     6 nodes of 2 classes, 3 of each\n\
         split      stratified 34/33/33"
    );
    let turned = DatasetSource {
        name: Some("ring".into()),
        source: Some("to".into()),
        target: Some("from".into()),
        undirected: true,
        ..case.source()
    };
    let turned = case.read(&turned).unwrap();
    assert_eq!((turned.name.as_str(), turned.graph.n_arcs()), ("ring", 12));
    assert_eq!(
        turned.contract.direction,
        "none: every arc was also turned round (arcs point from column `to` to column `from`)"
    );
}

#[test]
fn entries_stand_in_place_of_those_of_a_folder() {
    let case = Case::new();
    case.put("set/dataset.toml", "arcs = 'a.tsv'\nlabels = 'l.csv'\nsplit = '60/20/20'");
    case.put("set/a.tsv", "0\t1\n1\t2\n");
    case.put("set/l.csv", "id,c\n0,x\n1,y\n2,x\n");
    let whole = DatasetSource { dataset: Some("set".into()), ..DatasetSource::default() };
    let own = case.read(&whole).unwrap();
    assert_eq!((own.name.as_str(), own.labels.classes()), ("set", &["x".into(), "y".into()][..]));

    let mixed = DatasetSource {
        arcs: Some("arcs.csv".into()),
        labels: Some("nodes.csv#team".into()),
        features: Some("degrees".into()),
        split: Some("nodes.csv#part".into()),
        ..whole.clone()
    };
    let mixed = case.read(&mixed).unwrap();
    assert_eq!((mixed.n_nodes(), mixed.n_features(), parts(&mixed).as_str()), (6, 3, "0,1 2,3 4"));

    // A folder without arcs is one where others are named.
    case.put("facts/dataset.toml", "labels = '../nodes.csv#team'");
    let facts = DatasetSource { dataset: Some("facts".into()), ..DatasetSource::default() };
    assert_eq!(
        case.read(&facts).unwrap_err(),
        "facts/dataset.toml: neither `npz` nor `arcs` says where the arcs are; add one of them"
    );
    let facts = DatasetSource { arcs: Some("arcs.csv".into()), ..facts };
    assert_eq!(case.read(&facts).unwrap().labels.n_labelled(), 6);
}

#[test]
fn what_names_no_data_set_is_refused() {
    let case = Case::new();
    assert_eq!(
        case.read(&DatasetSource::default()).unwrap_err(),
        "neither `dataset` nor `arcs` says where the arcs are; name a data set by the one, or a \
         file of arcs by the other"
    );
    assert_eq!(
        case.split_error("thirds"),
        "split = \"thirds\": expected percentages such as 60/20/20 or `stratified 60/20/20`, or \
         `20 per class`, `masks`, `file.csv#column`, or `file.csv#time 60/20/20`"
    );
    assert_eq!(
        case.split_error("masks"),
        "split = \"masks\" takes them from an archive; name one by `npz`, or give percentages such \
         as 60/20/20"
    );
    let two = DatasetSource { labels: Some("nodes.csv".into()), ..case.source() };
    assert_eq!(
        case.read(&two).unwrap_err(),
        "nodes.csv:1: which column is meant? Name it after a #, as in file.csv#team; the columns \
         are id, team, part, year, day"
    );
}

#[test]
fn a_column_of_words_is_a_split() {
    let case = Case::new();
    let dataset = case.read(&case.with_split("nodes.csv#part")).unwrap();
    assert_eq!(parts(&dataset), "0,1 2,3 4");
    assert_eq!(dataset.contract.split.as_deref(), Some("nodes.csv#part"));

    let words = ["train", "val\0\0", "test\0", "\0\0\0\0\0", "train", "\0\0\0\0\0"];
    case.put("s.npy", npy("|S5", "(6,)", words.concat().as_bytes()));
    assert_eq!(parts(&case.read(&case.with_split("s.npy")).unwrap()), "0,4 1 2");
}

#[test]
fn columns_that_are_no_split_are_refused() {
    let case = Case::new();
    for (table, expected) in [
        (
            "id,s\n0,train\n1,valid\n",
            "s.csv:3: expected train, validation (or val), test or nothing, found \"valid\"",
        ),
        ("id,s\n0,train\n1,test\n", "s.csv: there are no validation nodes; a split needs some"),
        (
            "id,s\n0,train\n0,val\n",
            "s.csv:3: node \"0\" has a row already, in line 2; keep one of them",
        ),
        (
            "id,s\n0,train\n9,val\n",
            "s.csv:3: 1 of 2 rows are about nodes that are not in the graph, such as \"9\"; use the \
             ids of the arcs, or set isolated = \"keep\" if these are nodes without arcs",
        ),
        ("s\ntrain\nval\n", "s.csv: has 2 rows for 6 nodes; there must be one for every node"),
    ] {
        case.put("s.csv", table);
        assert_eq!(case.split_error("s.csv#s"), expected);
    }
    case.put("few.csv", "id,team\n0,a\n1,b\n");
    let few = DatasetSource { labels: Some("few.csv".into()), ..case.with_split("nodes.csv#part") };
    assert_eq!(
        case.read(&few).unwrap_err(),
        "nodes.csv:4: node \"2\" is of the part \"val\" but has no label; leave the field empty"
    );
    case.put("s.npy", int64s_of_shape("(2, 3)", &[0; 6]));
    assert_eq!(
        case.split_error("s.npy"),
        "s.npy: an array of shape [2, 3] for 6 nodes; it needs one value a node"
    );
    case.put("one.csv", "from,to\n0,0\n");
    case.put("s.npy", int64s_of_shape("()", &[0]));
    let one = DatasetSource {
        arcs: Some("one.csv".into()),
        split: Some("s.npy".into()),
        ..DatasetSource::default()
    };
    assert_eq!(
        case.read(&one).unwrap_err(),
        "s.npy: an array of shape [] for 1 nodes; it needs one value a node"
    );
    case.put("s.npz", npz(&[("year", int64s(&[1, 2, 3]))]));
    assert_eq!(
        case.split_error("s.npz#year 40/20/40"),
        "s.npz[year]: an array of shape [3] for 6 nodes; it needs one value a node"
    );
    assert_eq!(case.split_error("s.npz#"), "s.npz[]: there is no such array; the file has year");
}

#[test]
fn a_column_of_times_splits_past_from_future() {
    let case = Case::new();
    for (split, expected) in [
        ("nodes.csv#year 34/33/33", "0,2 1,3 4,5"),
        ("nodes.csv#year 30/20/17", "0,2 3 1"),
        ("nodes.csv#day 50/20/30", "0,2,3 1 4,5"),
    ] {
        let dataset = case.read(&case.with_split(split)).unwrap();
        assert_eq!(parts(&dataset), expected, "{split}");
        assert!(matches!(dataset.split, Some(SplitRule::Time { .. })));
    }
    case.put("t.npz", npz(&[("year", int64s_of_shape("(6, 1)", &[6, 5, 4, 3, 2, 1]))]));
    let dataset = case.read(&case.with_split("t.npz#year 34/33/33")).unwrap();
    assert_eq!(parts(&dataset), "4,5 2,3 0,1");
}

#[test]
fn times_that_are_none_are_refused() {
    let case = Case::new();
    let rows = |times: [&str; 6]| {
        let rows: String =
            times.iter().enumerate().map(|(id, time)| format!("{id},{time}\n")).collect();
        format!("id,t\n{rows}")
    };
    for (times, expected) in [
        (
            ["1", "2", "then", "4", "5", "6"],
            "t.csv:4: expected a number or a date such as 2019-05-31 or 2019-05-31T12:30:00Z, found \
             \"then\"",
        ),
        (
            ["1", "2", "2001-01-01", "4", "5", "6"],
            "t.csv:4: \"2001-01-01\" cannot be compared with \"1\" in line 2; write all as numbers \
             or all as dates",
        ),
        (
            ["1", "", "", "", "", "6"],
            "t.csv: 4 of 6 labelled nodes have no time, such as \"1\", \"2\", \"3\"; give them \
             one, or leave their labels out",
        ),
        (
            ["7", "7", "7", "7", "7", "7"],
            "t.csv: 34/33/33 by time leaves no training nodes, since nodes of the same time stay \
             together; take other percentages, or a finer time",
        ),
    ] {
        case.put("t.csv", rows(times));
        assert_eq!(case.split_error("t.csv#t 34/33/33"), expected);
    }
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_tables_are_read_as_csv_ones() {
    use crate::io::parquet_write::{Column, ParquetTable};

    let case = Case::new();
    let path = case.folder.path().join("n.parquet");
    let columns = [("node", "integer"), ("size", "float"), ("team", "text"), ("year", "integer")];
    let mut table = ParquetTable::create(&path, &columns).unwrap();
    table
        .write_rows(6, |column, rows| match column {
            0 => Column::Integer(rows.map(|row| 5 - row as i64).collect()),
            1 => Column::Float(rows.map(|row| row as f32 / 8.0).collect()),
            2 => Column::Text(rows.map(|row| ["x", "y", ""][row % 3].into()).collect()),
            _ => Column::Integer(rows.map(|row| row as i64).collect()),
        })
        .unwrap();
    table.commit().unwrap();
    let source = DatasetSource {
        labels: Some("n.parquet#team".into()),
        features: Some("n.parquet#size".into()),
        split: Some("n.parquet#year 50/25/25".into()),
        ..case.source()
    };
    let dataset = case.read(&source).unwrap();
    let Features::Dense(dense) = &dataset.features else { panic!("not dense") };
    assert_eq!(dense.values(), [0.625, 0.5, 0.375, 0.25, 0.125, 0.0]);
    assert_eq!(dataset.feature_names.as_deref(), Some(&["size".to_owned()][..]));
    let told: Vec<_> = dataset.labels.of_nodes().to_vec();
    assert_eq!(told, [None, Some(1), Some(0), None, Some(1), Some(0)]);
    assert_eq!(parts(&dataset), "4,5 2 1");
    assert_eq!(
        case.read(&DatasetSource { features: Some("n.parquet".into()), ..source }).unwrap_err(),
        "n.parquet: row 1: column team: expected a finite number, found \"x\""
    );
}

/// The file `cora.npz` of graph2gauss: its sizes, its keys, and pickles that must not be touched.
#[test]
fn the_archive_of_graph2gauss_loads_at_full_size() {
    const N_NODES: usize = 19_793;
    const N_WORDS: usize = 8_710;
    const PER_ROW: usize = 57;
    let bytes32 = |values: Vec<u32>| -> Vec<u8> {
        let n = values.len();
        let data: Vec<u8> = values.into_iter().flat_map(u32::to_le_bytes).collect();
        npy("<i4", &format!("({n},)"), &data)
    };
    let ones = |n: usize| {
        let data: Vec<u8> = (0..n).flat_map(|_| 1_f64.to_le_bytes()).collect();
        npy("<f8", &format!("({n},)"), &data)
    };
    let starts =
        |per_row: usize| bytes32((0..=N_NODES).map(|row| (row * per_row) as u32).collect());
    let arcs: Vec<u32> = (0..N_NODES)
        .flat_map(|node| [1, 5, 77].map(|step| ((node + step) % N_NODES) as u32))
        .collect();
    let words: Vec<u32> = (0..N_NODES * PER_ROW).map(|at| (at * 151 % N_WORDS) as u32).collect();
    let shape = |rows: usize, columns: usize| int64s(&[rows as i64, columns as i64]);
    let labels: Vec<i64> = (0..N_NODES as i64).map(|node| node % 70).collect();
    let pickle = || npy("|O", "()", b"\x80\x02cos\nsystem\n");
    let archive = npz(&[
        ("adj_data", ones(arcs.len())),
        ("adj_indices", bytes32(arcs)),
        ("adj_indptr", starts(3)),
        ("adj_shape", shape(N_NODES, N_NODES)),
        ("attr_data", ones(words.len())),
        ("attr_indices", bytes32(words)),
        ("attr_indptr", starts(PER_ROW)),
        ("attr_shape", shape(N_NODES, N_WORDS)),
        ("labels", int64s(&labels)),
        ("idx_to_attr", pickle()),
        ("idx_to_class", pickle()),
        ("class_names", pickle()),
    ]);
    let folder = tempfile::tempdir().unwrap();
    let path: PathBuf = folder.path().join("cora.npz");
    std::fs::write(&path, &archive).unwrap();
    let source = DatasetSource {
        dataset: Some(path.clone()),
        split: Some("20 per class, 500, 1000".into()),
        ..DatasetSource::default()
    };
    let dataset = read_source(&source, Path::new(""), &Silent).unwrap();
    assert_eq!((dataset.n_nodes(), dataset.n_features()), (N_NODES, N_WORDS));
    assert_eq!((dataset.graph.n_arcs(), dataset.labels.n_classes()), (3 * N_NODES, 70));
    let Features::Sparse(matrix) = &dataset.features else { panic!("not sparse") };
    assert_eq!(matrix.n_entries(), N_NODES * PER_ROW);
    assert_eq!(dataset.contract.features.as_deref(), Some("cora.npz"));
    assert_eq!(dataset.contract.direction, "row i, column j of the matrix is the arc from i to j");
    let split = dataset.split.unwrap().split(&dataset.labels, 0, 0).unwrap();
    assert_eq!((split.train().len(), split.test().len()), (1400, 1000));

    // Cut short or with a size that nothing backs up, it is refused before memory is taken.
    std::fs::write(&path, &archive[..archive.len() / 2]).unwrap();
    assert!(read_dataset(&path, &Silent).is_err());
    let huge = npz(&[
        ("adj_data", ones(1)),
        ("adj_indices", bytes32(vec![0])),
        ("adj_indptr", npy("<i4", "(4294967296,)", &[0; 8])),
        ("adj_shape", shape(4_294_967_295, 4_294_967_295)),
    ]);
    std::fs::write(&path, huge).unwrap();
    let error = read_dataset(&path, &Silent).unwrap_err().to_string();
    assert!(
        error.ends_with("the header declares 4294967296 elements, but only 2 are there"),
        "{error}"
    );
}
