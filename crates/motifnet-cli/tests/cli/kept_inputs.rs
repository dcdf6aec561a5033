//! What a command reads it does not write over, however the file is named.

use crate::support::Folder;

/// A data set in `d`, with its labels and features in tables.
fn data_set() -> Folder {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("d")).unwrap();
    folder.ok("generate dsbm --blocks 20,20 --connect '0.3,0.05;0.05,0.3' --seed 1 --labels d/l.csv -o d/a.tsv");
    let ages: String = (0..40).map(|node| format!("{node},{}\n", node % 7)).collect();
    folder.put("d/ages.csv", format!("node,age\n{ages}"));
    folder.put(
        "d/dataset.toml",
        "name = 'two'\narcs = 'a.tsv'\nlabels = 'l.csv#block'\nfeatures = 'ages.csv'\nsplit = '30/20/50'\n",
    );
    folder
}

#[test]
fn files_of_a_data_set_are_kept() {
    let folder = data_set();
    folder.put("named/dataset.toml", "arcs = 'M1.npz'\n");
    folder.ok("generate er --nodes 20 --arcs 60 -o named/M1.npz");
    folder.put("classes.npz", "");
    folder.put("archive/dataset.toml", "arcs = '../d/a.tsv'\nlabels = '../classes.npz#y'\n");
    let said = folder.all_refused(
        2,
        &[
            "census d --per-node d/a.tsv",
            "census d --roles ./d/../d/l.csv",
            "cluster d -m U -o d/dataset.toml",
            "cluster d/a.tsv -m U --truth d/l.csv#block -o d/l.csv",
            "cluster d/a.tsv -m U --truth d/l.csv#block --curve ./d/l.csv",
            "significance d -o d/ages.csv",
            "significance archive --checkpoint classes.npz",
            "motifs named --motif M1 --out named",
        ],
    );
    insta::assert_snapshot!(said);
    // Nor are those of a data set in the folder that is written to.
    folder.put("own/dataset.toml", "arcs = 'a.tsv'\nlabels = 'nodes.csv'\n");
    folder.put("own/nodes.csv", "node,class\n");
    let said = folder.refused("motifs d/a.tsv --motif M1 --out own");
    assert!(said.contains("nodes.csv is a file of the data set own\n"), "{said}");
    folder.put("results.csv", folder.text("d/ages.csv"));
    let said = folder.refused("reproduce --dataset d --features results.csv --out .");
    assert!(said.contains("results.csv is a file of the data\n"), "{said}");
}

#[test]
fn a_run_and_its_data_are_kept() {
    let folder = data_set();
    folder.ok("train d --model spectral --eigenvectors 5 --epochs 2 --width 4 --out spectral");
    folder.ok("train d --repeat 2 --epochs 2 --width 4 --order 1 --motifs U --out r");
    folder.put("new.csv", folder.text("d/ages.csv"));
    folder.put("new.tsv", folder.text("d/a.tsv"));
    let said = folder.all_refused(
        2,
        &[
            "predict spectral -o d/l.csv",
            "embed spectral -o ./d/ages.csv",
            "embed spectral -o spectral/eigenbasis.npz",
            "embed r/split-01 -o d/a.tsv",
            "predict r/split-01 --arcs new.tsv --features new.csv -o new.tsv",
            "embed r/split-01 --features new.csv#age -o new.csv",
            "embed r/split-01 --dataset d -o d/l.csv",
            "report r -o d/a.tsv",
            "report r -o r/split-01/model.safetensors",
            "report r -o r/config.toml",
            "report r spectral -o page",
        ],
    );
    insta::assert_snapshot!(said);
    folder.ok("report r -o page.htm");
    folder.ok("predict spectral -o spectral/classes.csv");
    folder.ok("predict spectral -o spectral/classes.csv");
}

#[test]
fn one_file_under_two_names_is_written_once() {
    let folder = Folder::with("g.tsv", "0\t1\n1\t2\n2\t0\n");
    let whole = folder.path("y.csv").display().to_string();
    let dsbm = "generate dsbm --blocks 3,3 --connect '0,1;1,0'";
    let said = folder.all_refused(
        2,
        &[
            "census g.tsv --per-node y.csv --roles ./y.csv",
            &format!("census g.tsv --per-node y.csv --roles {whole}"),
            &format!("{dsbm} --labels ./x.tsv -o x.tsv"),
        ],
    );
    insta::assert_snapshot!(folder.redact(&said));
    folder.ok("census g.tsv --per-node y.csv --roles ./z.csv");
    assert!(folder.path("y.csv").exists() && folder.path("z.csv").exists());
}
