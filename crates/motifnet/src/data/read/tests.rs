//! Small data sets, right and wrong.

use super::*;
use crate::data::{Features, Labels, SplitRule};
use crate::io::npz_test_support::{int64s, int64s_of_shape, npy, npz};
use crate::progress::Silent;

const ARCS: (&str, &[u8]) = ("arcs.tsv", b"0\t1\n1\t2\n2\t0\n");

/// Reads a folder of these files; the folder is left out of error messages.
fn read_folder(description: &str, files: &[(&str, &[u8])]) -> Result<NodeDataset, String> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("dataset.toml"), description).unwrap();
    for (name, bytes) in files {
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    let prefix = format!("{}/", folder.path().display());
    read_dataset(folder.path(), &Silent).map_err(|error| error.to_string().replace(&prefix, ""))
}

fn read_error(description: &str, files: &[(&str, &[u8])]) -> String {
    read_folder(description, files).unwrap_err()
}

/// The class of each node, `-` where it has none.
fn classes(labels: &Labels) -> String {
    let class = |class: &Option<u32>| match class {
        Some(class) => labels.classes()[*class as usize].as_str(),
        None => "-",
    };
    labels.of_nodes().iter().map(class).collect::<Vec<_>>().join(" ")
}

fn float32s(shape: &str, values: &[f32]) -> Vec<u8> {
    let data: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    npy("<f4", shape, &data)
}

/// Whoever looks at what a pipe holds has taken it out, and the rest would be read as if it were all.
#[cfg(unix)]
#[test]
fn tables_from_pipes_are_refused_and_not_read_from_their_middle() {
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("labels.csv");
    mknodat(CWD, &pipe, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    let rows: String = (0..9000).map(|node| format!("{node},c{}\n", node % 2)).collect();
    std::fs::write(folder.path().join("arcs.tsv"), ARCS.1).unwrap();
    let description = "name = 'x'\narcs = 'arcs.tsv'\nlabels = 'labels.csv'";
    std::fs::write(folder.path().join("dataset.toml"), description).unwrap();
    let said = std::thread::scope(|scope| {
        // Nobody reads it to its end.
        scope.spawn(|| std::fs::write(&pipe, rows).unwrap_err());
        read_dataset(folder.path(), &Silent).unwrap_err().to_string()
    });
    assert!(
        said.ends_with("is a pipe or a device, and this has to be read twice; write it to a file"),
        "{said}"
    );
}

#[test]
fn a_folder_of_arcs_alone_has_no_features_and_no_labels() {
    let dataset = read_folder("name = 'x'\narcs = 'arcs.tsv'", &[ARCS]).unwrap();
    assert_eq!((dataset.name.as_str(), dataset.n_nodes()), ("x", 3));
    assert_eq!((dataset.features, dataset.split), (Features::None, None));
    assert_eq!(dataset.labels, Labels::none(3));
}

#[test]
fn tables_are_joined_by_the_ids_of_the_arcs() {
    let description = "arcs = 'arcs.csv'\nlabels = 't.csv#class'\nfeatures = 'f.csv'\n\
                       names = 't.csv#title'\nsplit = '60/20/20'";
    let arcs: &[u8] = b"30,10\n10,20\n10,10\n";
    let table: &[u8] = b"class,id,title\nx,20,b\n,30,c\ny,10,a\n";
    let features: &[u8] = b"id,age,size\n30,3,30\n10,1,10\n20,2,20\n";
    let dataset =
        read_folder(description, &[("arcs.csv", arcs), ("t.csv", table), ("f.csv", features)])
            .unwrap();
    assert_eq!(classes(&dataset.labels), "y x -");
    let names: Vec<_> = (0..3).map(|node| dataset.names.name(node).into_owned()).collect();
    assert_eq!(names, ["a", "b", "c"]);
    let Features::Dense(dense) = &dataset.features else { panic!("not dense") };
    assert_eq!(dense.values(), [1.0, 10.0, 2.0, 20.0, 3.0, 30.0]);
    assert_eq!(dataset.notes, ["1 self-loop dropped", "1 of 3 nodes have no label"]);
    assert_eq!(dataset.split, Some(SplitRule::Fractions("60/20/20".parse().unwrap())));
}

#[test]
fn rows_of_arrays_go_by_the_names_that_list_all_nodes() {
    let arcs: (&str, &[u8]) = ("arcs.csv", b"c,b\nb,a\na,c\n");
    let rows = float32s("(4, 1)", &[1.0, 2.0, 3.0, 4.0]);
    let names: (&str, &[u8]) = ("nodes.csv", b"node,title\na,A\nb,B\nd,D\nc,C\n");
    let read = |names_key: &str, rows: &[u8]| {
        let description = format!("arcs = 'arcs.csv'\nfeatures = 'x.npy'\n{names_key}");
        read_folder(&description, &[arcs, names, ("x.npy", rows)])
    };
    let dataset = read("names = 'nodes.csv#title'", &rows).unwrap();
    let called: Vec<_> = (0..4).map(|node| dataset.names.name(node).into_owned()).collect();
    assert_eq!(called, ["A", "B", "D", "C"]);
    assert_eq!(
        dataset.graph.arcs().map(|(s, t, _)| (s, t)).collect::<Vec<_>>(),
        [(0, 3), (1, 0), (3, 1)]
    );
    assert!(!dataset.notes.iter().any(|note| note.contains("rows of")), "{:?}", dataset.notes);

    // Without them the order is that of the arcs, and is told.
    let dataset = read("", &float32s("(3, 1)", &[1.0, 2.0, 3.0])).unwrap();
    assert_eq!(dataset.names.name(0), "c");
    let told = "the rows of x.npy are taken in the order in which the arcs first mention the nodes: \"c\", \"b\", \
                \"a\", …; a table of all nodes as names says another";
    assert!(dataset.notes.iter().any(|note| note == told), "{:?}", dataset.notes);
}

#[test]
fn labels_come_from_gml_attributes_by_label_or_id() {
    for (gml, expected) in [
        ("node [ id 5 label \"b\" v 1 ] node [ id 3 label \"a\" v 0 ]", "1 0"),
        ("node [ id 5 v 1 ] node [ id 3 v 0 ]", "0 1"),
    ] {
        let text = format!("graph [ directed 1 {gml} edge [ source 5 target 3 ] ]");
        let files: [(&str, &[u8]); 1] = [("g.gml", text.as_bytes())];
        let dataset = read_folder("arcs = 'g.gml'\nlabels = 'g.gml#v'", &files).unwrap();
        assert_eq!(classes(&dataset.labels), expected);
    }
}

#[test]
fn nodes_without_arcs_come_from_names_or_arrays() {
    let names: &[u8] = b"id,name\n0,a\n1,b\n7,h\n2,c\n";
    let listed =
        read_folder("arcs = 'arcs.tsv'\nnames = 'n.csv'", &[ARCS, ("n.csv", names)]).unwrap();
    assert_eq!((listed.n_nodes(), listed.names.name(3).as_ref()), (4, "h"));
    assert_eq!(listed.notes, ["1 nodes of n.csv have no arcs"]);

    let arcs: (&str, &[u8]) = ("arcs.tsv", b"1\t3\n");
    let labels = int64s(&[4, 5, -1, 6, 4]);
    let counted =
        read_folder("arcs = 'arcs.tsv'\nlabels = 'l.npy'", &[arcs, ("l.npy", &labels)]).unwrap();
    assert_eq!(counted.names, NodeNames::Indices(5));
    assert!(counted.graph.has_arc(1, 3));
    assert_eq!(classes(&counted.labels), "4 5 - 6 4");
    assert_eq!(counted.notes, ["3 nodes of l.npy have no arcs", "1 of 5 nodes have no label"]);

    let text: &[u8] = b"id\nann\nzoe\nbob\n";
    let files: [(&str, &[u8]); 2] = [("arcs.tsv", b"bob\tann\n"), ("n.csv", text)];
    let named = read_folder("arcs = 'arcs.tsv'\nnames = 'n.csv#id'", &files).unwrap();
    let names: Vec<_> = (0..3).map(|node| named.names.name(node).into_owned()).collect();
    assert_eq!(names, ["ann", "zoe", "bob"]);
    assert!(named.graph.has_arc(2, 0));
}

#[test]
fn an_archive_has_everything() {
    let bools = |values: &[u8]| npy("|b1", "(2, 3)", values);
    let archive = npz(&[
        ("edges", int64s_of_shape("(2, 2)", &[0, 1, 1, 2])),
        ("labels", int64s(&[1, 0, 1])),
        ("class_names", npy("|S2", "(2,)", b"noye")),
        ("attr_data", float32s("(4,)", &[1.0, 2.0, 3.0, 4.0])),
        ("attr_indices", int64s(&[5, 0, 2, 2])),
        ("attr_indptr", int64s(&[0, 2, 2, 4])),
        ("attr_shape", int64s(&[3, 6])),
        ("train_masks", bools(&[1, 0, 0, 0, 1, 0])),
        ("val_masks", bools(&[0, 1, 0, 1, 0, 0])),
        ("test_masks", bools(&[0, 0, 1, 0, 0, 0])),
    ]);
    let files: [(&str, &[u8]); 1] = [("all.npz", &archive)];
    let dataset = read_folder("npz = 'all.npz'\nsplit = 'masks'", &files).unwrap();
    assert_eq!(classes(&dataset.labels), "ye no ye");
    assert_eq!(dataset.labels.classes(), ["no", "ye"]);
    let Features::Sparse(matrix) = &dataset.features else { panic!("not sparse") };
    assert_eq!((matrix.n_columns(), matrix.row(0)), (6, (&[0, 5][..], &[2.0, 1.0][..])));
    assert_eq!(matrix.row(2), (&[2][..], &[7.0][..]));
    let Some(SplitRule::Masks(splits)) = &dataset.split else { panic!("no masks") };
    assert_eq!((splits[0].train(), splits[0].test()), (&[0][..], &[2][..]));
    assert_eq!((splits[1].train(), splits[1].validation()), (&[1][..], &[0][..]));

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("all.npz");
    std::fs::write(&path, &archive).unwrap();
    let lone = read_dataset(&path, &Silent).unwrap();
    assert_eq!((lone.name.as_str(), lone.labels), ("all", dataset.labels));
    assert_eq!(lone.split, dataset.split);
}

#[test]
fn features_may_be_made_or_read_from_arrays() {
    let made = |word: &str| {
        read_folder(&format!("arcs = 'arcs.tsv'\nfeatures = '{word}'"), &[ARCS]).unwrap()
    };
    assert_eq!((made("one-hot").features, made("one-hot").n_features()), (Features::OneHot, 3));
    assert_eq!(made("degrees").n_features(), 3);
    let dense = float32s("(3, 2)", &[0.0; 6]);
    let files: [(&str, &[u8]); 2] = [ARCS, ("f.npy", &dense)];
    assert_eq!(
        read_folder("arcs = 'arcs.tsv'\nfeatures = 'f.npy'", &files).unwrap().n_features(),
        2
    );
}

#[test]
fn wrong_labels_are_refused() {
    let npy_labels = int64s(&[0, -3, 1]);
    let many = int64s(&[0; 4]);
    let object = npy("|O", "(3,)", b"xx");
    let table = |text: &'static str| text.as_bytes();
    for (file, bytes, expected) in [
        (
            "l.npy",
            npy_labels.as_slice(),
            "l.npy: node 1 has the label -3, which is out of range; labels are 0, 1, 2, … and -1 \
             where there is none",
        ),
        (
            "l.npy",
            &object,
            "l.npy: an object array, which only Python can unpickle; save it again with a number \
             or string dtype",
        ),
        (
            "l.csv",
            table("0,x\n8,y\n9,z\n"),
            "l.csv:2: 2 of 3 rows are about nodes that are not in the graph, such as \"8\", \"9\"; \
             use the ids of the arcs, or set isolated = \"keep\" if these are nodes without arcs",
        ),
        (
            "l.csv",
            table("who,class\nzoe,x\n1,x\n"),
            "l.csv:1: 2 of 3 rows are about nodes that are not in the graph, such as \"who\", \
             \"zoe\"; use the ids of the arcs, or set isolated = \"keep\" if these are nodes \
             without arcs",
        ),
        (
            "l.csv",
            table("0,x\n1,y\n0,z\n"),
            "l.csv:3: node \"0\" has a row already, in line 1; keep one of them",
        ),
        ("no.csv", b"", "no.csv: has no rows; a line a node was expected"),
    ] {
        let description = format!("arcs = 'arcs.tsv'\nlabels = '{file}'");
        assert_eq!(read_error(&description, &[ARCS, (file, bytes)]), expected);
    }
    // A matrix says how many nodes there are: further labels are a mistake, not further nodes.
    let mtx: &[u8] = b"%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 2\n";
    let files: [(&str, &[u8]); 2] = [("a.mtx", mtx), ("l.npy", &many)];
    assert_eq!(
        read_error("arcs = 'a.mtx'\nlabels = 'l.npy'", &files),
        "l.npy: 4 labels for 3 nodes; there must be one for every node"
    );
}

#[test]
fn a_header_that_was_not_seen_is_hinted_at() {
    let files: [(&str, &[u8]); 2] =
        [("arcs.tsv", b"ann\tbob\n"), ("l.csv", b"who,class\nann,x\nbob,y\n")];
    assert_eq!(
        read_error("arcs = 'arcs.tsv'\nlabels = 'l.csv'", &files),
        "l.csv:1: 1 of 3 rows are about nodes that are not in the graph, such as \"who\"; if that \
         line names the columns, name the one that is meant after a #, as in file.csv#class"
    );
    let dataset = read_folder("arcs = 'arcs.tsv'\nlabels = 'l.csv#class'", &files).unwrap();
    assert_eq!(classes(&dataset.labels), "x y");
}

#[test]
fn wrong_features_are_refused() {
    let bad = float32s("(3, 2)", &[0.0, 0.0, 0.0, f32::NEG_INFINITY, 0.0, 0.0]);
    let few = float32s("(2, 2)", &[0.0; 4]);
    let cube = float32s("(1, 3, 1)", &[0.0; 3]);
    for (file, bytes, expected) in [
        (
            "f.npy",
            bad.as_slice(),
            "f.npy: node 1, column 1 is -inf; features must be finite 32-bit numbers (rows and \
             columns count from 0)",
        ),
        (
            "f.npy",
            &few,
            "f.npy: features of 2 rows for 3 nodes; there must be one row for every node",
        ),
        ("f.npy", &cube, "f.npy: an array of shape [1, 3, 1]; features are one row a node"),
        (
            "f.csv",
            b"id,a\n0,1\n2,NaN\n1,3\n",
            "f.csv:3: column a: expected a finite number, found \"NaN\"",
        ),
        (
            "f.csv",
            b"id,a\n2,2\n",
            "f.csv: has no row for 2 of 3 nodes, such as \"0\", \"1\"; add them",
        ),
        (
            "f.mtx",
            b"%%MatrixMarket matrix coordinate real general\n3 2 1\n1 1 NaN\n",
            "f.mtx: node 0, column 0 is NaN; features must be finite 32-bit numbers (rows and \
             columns count from 0)",
        ),
        (
            "f.mtx",
            b"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1\n",
            "f.mtx: features of 2 rows for 3 nodes; there must be one row for every node",
        ),
        ("one-hop", b"", "one-hop: has no rows; a line a node was expected"),
    ] {
        let description = format!("arcs = 'arcs.tsv'\nfeatures = '{file}'");
        assert_eq!(read_error(&description, &[ARCS, (file, bytes)]), expected);
    }
}

#[test]
fn wrong_names_and_splits_are_refused() {
    let names = |text: &'static str| {
        read_error("arcs = 'arcs.tsv'\nnames = 'n.csv'", &[ARCS, ("n.csv", text.as_bytes())])
    };
    assert_eq!(names("0,a\n1,b\n2,a\n"), "n.csv:3: two nodes are called \"a\"; names must differ");
    assert_eq!(names("0,a\n2,c\n"), "n.csv: has no name for 1 of 3 nodes, such as \"1\"; add them");
    assert_eq!(
        names("0,a\nx,c\n"),
        "n.csv:2: \"x\" is not in the graph, whose nodes are called by integers; use the ids of \
         the arcs"
    );
    let split = |text: &str| read_error(&format!("arcs = 'arcs.tsv'\nsplit = '{text}'"), &[ARCS]);
    assert_eq!(
        split("mask"),
        "dataset.toml: split = \"mask\": expected percentages such as 60/20/20 or `stratified \
         60/20/20`, or `20 per class`, `masks`, `file.csv#column`, or `file.csv#time 60/20/20`"
    );
    assert_eq!(
        split("masks"),
        "dataset.toml: split = \"masks\" takes them from an archive; name one by `npz`, or give \
         percentages such as 60/20/20"
    );
}

#[test]
fn wrong_masks_and_matrices_are_refused() {
    let edges = ("edges", int64s_of_shape("(1, 2)", &[0, 1]));
    let labels = ("labels", int64s(&[0, 1, -1]));
    let mask = |values: &[i64]| int64s(values);
    let with = |more: Vec<(&str, Vec<u8>)>| {
        let mut arrays = vec![edges.clone(), labels.clone()];
        arrays.extend(more);
        let archive = npz(&arrays);
        read_error("npz = 'a.npz'\nsplit = 'masks'", &[("a.npz", &archive)])
    };
    let masks = |train: &[i64], validation: &[i64], test: &[i64]| {
        with(vec![
            ("train_mask", mask(train)),
            ("val_mask", mask(validation)),
            ("test_mask", mask(test)),
        ])
    };
    assert_eq!(
        masks(&[1, 0, 0], &[1, 0, 0], &[0, 0, 0]),
        "a.npz: split 0: node 0 is both a training and a validation node; keep it in one of the \
         parts"
    );
    assert_eq!(
        masks(&[1, 0, 0], &[0, 1, 0], &[0, 0, 1]),
        "a.npz: split 0: test node 2 has no label; leave it out"
    );
    assert_eq!(
        masks(&[1, 0], &[0, 1, 0], &[0, 0, 0]),
        "a.npz[train_mask]: masks of shape [2] for 3 nodes; a mask has one value a node"
    );
    let matrix = |indices: &[i64], indptr: &[i64], shape: &[i64]| {
        with(vec![
            ("attr_data", float32s("(1,)", &[1.0])),
            ("attr_indices", int64s(indices)),
            ("attr_indptr", int64s(indptr)),
            ("attr_shape", int64s(shape)),
        ])
    };
    assert_eq!(
        matrix(&[2], &[0, 1, 1, 1], &[3, 2]),
        "a.npz[attr_indices]: entry 0 is 2, but the columns go from 0 to 1"
    );
    assert_eq!(
        matrix(&[1, 1], &[0, 2, 2, 2], &[3, 2]),
        "a.npz[attr_data]: 1 entries, but the rows have 2"
    );
    assert_eq!(
        matrix(&[1], &[0, 1], &[1, 2]),
        "a.npz: features of 1 rows for 3 nodes; there must be one row for every node"
    );
    assert_eq!(
        matrix(&[1], &[0, 1, 1, 1], &[3, 20_000_000]),
        "a.npz[attr_shape]: declares 20000000 columns for 1 entries, which seems a mistake; leave \
         out columns without entries, as by X[:, X.getnnz(axis=0) > 0] in SciPy"
    );
}

#[test]
fn comments_among_the_rows_of_a_table_are_told_once() {
    let files: [(&str, &[u8]); 2] = [
        ("arcs.tsv", b"a\tb\nb\tc\n"),
        ("nodes.csv", b"id,size,team\na,1,x\n#b,2,x\nb,2,y\nc,3,y\n"),
    ];
    let told = "arcs = 'arcs.tsv'\nlabels = 'nodes.csv#team'\nfeatures = 'nodes.csv#size'";
    assert_eq!(
        read_folder(told, &files).unwrap().notes,
        ["nodes.csv: a line that begins with # or % after the first row was taken for a comment; \
          put quotes around names that begin so"]
    );
}

#[test]
fn an_unknown_word_of_isolated_is_refused() {
    assert_eq!(
        read_error("arcs = 'arcs.tsv'\nisolated = 'yes'", &[ARCS]),
        "dataset.toml: \"yes\" is not a choice of `isolated`; the choices are refuse, keep"
    );
}

#[test]
fn features_come_from_matrices_and_from_the_motifs() {
    let sparse: &[u8] =
        b"%%MatrixMarket matrix coordinate real general\n3 4 3\n3 2 5\n1 4 2\n3 2 1\n";
    let dataset =
        read_folder("arcs = 'arcs.tsv'\nfeatures = 'f.mtx'", &[ARCS, ("f.mtx", sparse)]).unwrap();
    let Features::Sparse(matrix) = &dataset.features else { panic!("not sparse") };
    assert_eq!((matrix.n_columns(), matrix.row(0)), (4, (&[3][..], &[2.0][..])));
    assert_eq!(matrix.row(2), (&[1][..], &[6.0][..]));

    let dense: &[u8] = b"%%MatrixMarket matrix array real general\n3 2\n1\n2\n3\n4\n5\n6\n";
    let dataset =
        read_folder("arcs = 'arcs.tsv'\nfeatures = 'f.mtx'", &[ARCS, ("f.mtx", dense)]).unwrap();
    let Features::Dense(dense) = &dataset.features else { panic!("not dense") };
    assert_eq!(dense.row(1), [2.0, 5.0]);
    assert_eq!(
        read_error("arcs = 'arcs.tsv'\nfeatures = 'f.mtx#a'", &[ARCS, ("f.mtx", sparse)]),
        "f.mtx: a MatrixMarket file has no parts; leave out the #"
    );

    for (word, width) in [("motifs", 13), ("roles", 30)] {
        let description = format!("arcs = 'arcs.tsv'\nfeatures = '{word}'");
        let dataset = read_folder(&description, &[ARCS]).unwrap();
        assert_eq!((dataset.n_features(), dataset.feature_names), (width, None));
        assert_eq!(dataset.contract.features.as_deref(), Some(word));
        let Features::Dense(dense) = &dataset.features else { panic!("not dense") };
        // The arcs are one cycle: M1 is the first motif and has the first role.
        assert_eq!(dense.row(0)[0], 2_f32.ln());
    }
}

#[test]
fn tables_keep_the_names_of_their_columns() {
    let named = |text: &'static str| {
        let files: [(&str, &[u8]); 2] = [ARCS, ("f.csv", text.as_bytes())];
        read_folder("arcs = 'arcs.tsv'\nfeatures = 'f.csv'", &files).unwrap().feature_names
    };
    assert_eq!(named("id,age,size\n0,1,2\n1,3,4\n2,5,6\n").unwrap(), ["age", "size"]);
    assert_eq!(named("0,1,2\n1,3,4\n2,5,6\n"), None);
}

#[test]
fn nodes_that_only_tables_know_are_kept_if_that_is_asked_for() {
    let files: [(&str, &[u8]); 3] = [
        ("arcs.tsv", b"bob\tann\n"),
        ("f.csv", b"id,age\nann,1\nzoe,3\nbob,2\n"),
        ("l.csv", b"id,team\nzoe,red\n"),
    ];
    let description = "arcs = 'arcs.tsv'\nfeatures = 'f.csv'\nlabels = 'l.csv'";
    assert_eq!(
        read_error(description, &files),
        "f.csv:3: 1 of 3 rows are about nodes that are not in the graph, such as \"zoe\"; use the \
         ids of the arcs, or set isolated = \"keep\" if these are nodes without arcs"
    );
    let kept = read_folder(&format!("{description}\nisolated = 'keep'"), &files).unwrap();
    let Features::Dense(dense) = &kept.features else { panic!("not dense") };
    assert_eq!((kept.names.name(2).as_ref(), dense.values()), ("zoe", &[2.0, 1.0, 3.0][..]));
    assert_eq!(classes(&kept.labels), "- - red");
    assert_eq!((kept.contract.n_isolated, kept.contract.n_with_arcs), (1, 2));

    // A matrix tells all nodes that there are.
    let mtx: &[u8] = b"%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n";
    let files: [(&str, &[u8]); 2] = [("a.mtx", mtx), ("l.csv", b"id,team\n1,x\n2,x\n3,y\n")];
    assert_eq!(
        read_error("arcs = 'a.mtx'\nlabels = 'l.csv'\nisolated = 'keep'", &files),
        "l.csv:4: 1 of 3 rows are about nodes that are not in the graph, such as \"3\"; use the \
         ids of the file of the arcs, which tells all nodes that there are"
    );
}
