use std::fs;

use motifnet::io::NpzArchive;
use motifnet::progress::Silent;

use crate::support::Folder;

/// Every entry of a matrix as `scipy.sparse.save_npz` lays it out.
fn entries(folder: &Folder, name: &str) -> Vec<(usize, i64, f64)> {
    let path = folder.path(name);
    let mut npz = NpzArchive::open(&path, None, &Silent).unwrap();
    assert_eq!(npz.strings("format").unwrap().values, ["csr"]);
    let offsets = npz.integers("indptr").unwrap().values;
    let columns = npz.integers("indices").unwrap().values;
    let values = npz.floats("data").unwrap().values;
    assert_eq!(npz.integers("shape").unwrap().values, [offsets.len() as i64 - 1; 2]);
    let rows = offsets.windows(2).enumerate();
    rows.flat_map(|(row, range)| (range[0]..range[1]).map(move |at| (row, at as usize)))
        .map(|(row, at)| (row, columns[at], values[at]))
        .collect()
}

#[test]
fn matrices_are_those_of_the_motifs() {
    let folder = Folder::with("g.tsv", "ann\tbob\nann\tcat\n");
    let table = folder.ok("motifs g.tsv --motif m8,out,M8 --out new/m");
    for line in ["M8     new/m/M8.npz         6 ", "out    new/m/out.npz        2 "] {
        assert!(table.contains(line), "{table}");
    }
    let all = [(0, 1, 1.0), (0, 2, 1.0), (1, 0, 1.0), (1, 2, 1.0), (2, 0, 1.0), (2, 1, 1.0)];
    assert_eq!(entries(&folder, "new/m/M8.npz"), all);
    assert_eq!(entries(&folder, "new/m/out.npz"), [(0, 1, 1.0), (0, 2, 1.0)]);
    assert_eq!(folder.text("new/m/nodes.csv"), "row,name\n0,ann\n1,bob\n2,cat\n");
    folder.ok("motifs g.tsv --motif M8 --support edges --out new/m");
    assert_eq!(entries(&folder, "new/m/M8.npz").len(), 4);
}

#[test]
fn all_means_twenty_files() {
    let folder = Folder::with("g.tsv", "0\t1\n1\t2\n2\t0\n");
    let report = folder.json("motifs g.tsv --motif all --out m");
    let names: Vec<_> = report["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["motif"].as_str().unwrap())
        .collect();
    assert_eq!(
        names.join(" "),
        "M1 M2 M3 M4 M5 M6 M7 M8 M9 M10 M11 M12 M13 U out in Ms Md Mcoll Mexpa"
    );
    assert_eq!(fs::read_dir(folder.path("m")).unwrap().count(), 21);
    assert_eq!(report["spec"]["support"], "pairs");
    assert_eq!(report["spec"]["laplacian"], serde_json::Value::Null);
    assert_eq!(report["nodes_file"], "m/nodes.csv");
    let bytes = fs::metadata(folder.path("m/M1.npz")).unwrap().len();
    assert_eq!(report["files"][0]["bytes"], bytes);
    assert_eq!(report["files"][0]["entries"], 6);
}

#[test]
fn laplacians_and_weights_are_those_asked_for() {
    let folder = Folder::with("g.tsv", "0\t1\t2\n1\t2\t4\n2\t0\t6\n");
    folder.ok("motifs g.tsv --motif M1 --weights mean --out m");
    assert!(entries(&folder, "m/M1.npz").iter().all(|entry| entry.2 == 4.0));
    folder.ok("motifs g.tsv --motif M1 --weights mean --laplacian plain --out m");
    let plain = entries(&folder, "m/M1.npz");
    assert_eq!(plain.len(), 9);
    for (row, column, value) in plain {
        let expected = if row as i64 == column { 1.0 } else { -0.5 };
        assert!((value - expected).abs() < 1e-12);
    }
    folder.ok("motifs g.tsv --motif M1 --laplacian rescaled --out m");
    assert_eq!(entries(&folder, "m/M1.npz").len(), 6);
}

#[test]
fn formats_hold_the_same_matrix() {
    let folder = Folder::with("g.tsv", "0\t1\n1\t2\n0\t2\n");
    folder.ok("motifs g.tsv --motif M5,out --format mtx --out m");
    assert_eq!(
        folder.text("m/M5.mtx"),
        "%%MatrixMarket matrix coordinate integer symmetric\n3 3 3\n2 1 1\n3 1 1\n3 2 1\n"
    );
    assert!(
        folder.text("m/out.mtx").starts_with("%%MatrixMarket matrix coordinate integer general")
    );
    folder.ok("motifs g.tsv --motif M5 --format parquet --out m");
    assert_eq!(&fs::read(folder.path("m/M5.parquet")).unwrap()[..4], b"PAR1");
    let read_back = folder.json("census m/M5.mtx");
    assert_eq!(read_back["graph"]["n_arcs"], 6);
}

#[test]
fn files_do_not_depend_on_threads() {
    let folder = Folder::new();
    folder.ok("generate rmat --nodes 1024 --arcs 9000 -o g.tsv");
    let write = |threads: usize| {
        folder
            .ok(&format!("motifs g.tsv --motif all --laplacian plain --out m --threads {threads}"));
        folder.files()
    };
    assert!(write(1) == write(2));
}

#[test]
fn the_limit_can_be_raised() {
    let folder = Folder::new();
    folder.put("star.tsv", (1..100).map(|leaf| format!("0\t{leaf}\n")).collect::<String>());
    folder.refused("motifs star.tsv --motif M8 --out m --max-entries 9899");
    let report = folder.json("motifs star.tsv --motif M8 --out m --max-entries 9900");
    assert_eq!(report["files"][0]["entries"], 9900);
}
