//! What cannot be meant is refused with exit code 2 before anything is read or written.

use crate::support::Folder;

#[test]
fn words_that_no_option_has() {
    let folder = Folder::with("g.tsv", "0\t1\n");
    let said = folder.all_refused(
        2,
        &[
            "count g.tsv",
            "census",
            "census g.tsv --threads 0",
            "census g.tsv --threads many",
            "census g.tsv --instances some",
            "census g.tsv --input-format graphml",
            "census g.tsv --header maybe",
            "census g.tsv --delimiter ab",
            "census g.tsv --nodes -1",
            "census g.tsv --repeats mean",
            "motifs g.tsv --out m",
            "motifs g.tsv --motif M14 --out m",
            "motifs g.tsv --motif M5, --out m",
            "motifs g.tsv --motif M5 --out m --format csv",
            "motifs g.tsv --motif M5 --out m --laplacian random-walk",
            "motifs g.tsv --motif M5 --out m --weights sum",
            "motifs g.tsv --motif M5",
        ],
    );
    insta::assert_snapshot!(said);
}

#[test]
fn numbers_past_their_bounds() {
    let folder = Folder::with("g.tsv", "0\t1\n1\t2\n2\t0\n");
    let said = folder.all_refused(
        2,
        &[
            "cluster g.tsv -m U --tolerance nan",
            "cluster g.tsv -m U --tolerance -1",
            "cluster g.tsv -m U --tolerance inf",
            "cluster g.tsv -m U --max-conductance 1.5",
            "cluster g.tsv -m U --max-conductance nan",
            "cluster g.tsv -m U --restarts 0",
            "significance g.tsv --samples 18446744073709551615",
            "significance g.tsv --samples 10000001",
            "significance g.tsv --samples -1",
            "census g.tsv --memory-limit 0",
            "census g.tsv --memory-limit 0GB",
        ],
    );
    insta::assert_snapshot!(said);
}

#[test]
fn options_that_contradict_each_other() {
    let folder = Folder::with("g.csv", "0,1\n");
    folder.put("file", "");
    let said = folder.all_refused(
        2,
        &[
            "census g.csv --per-node g.csv",
            "census g.csv --per-node a.csv --roles a.csv",
            "census g.csv --instances subgraph --roles r.csv",
            "motifs g.csv --motif M5 --out file",
        ],
    );
    insta::assert_snapshot!(said);
}

#[test]
fn graphs_that_cannot_be_generated() {
    let folder = Folder::new();
    let said = folder.all_refused(
        2,
        &[
            "generate er --nodes 10 -o g.tsv",
            "generate er --nodes 10 --arcs 5 --probability 0.5 -o g.tsv",
            "generate er --nodes 10 --arcs 91 -o g.tsv",
            "generate er --nodes 10 --probability 1.5 -o g.tsv",
            "generate er --nodes 10 --probability -0.5 -o g.tsv",
            "generate er --nodes 10 --probability nan -o g.tsv",
            "generate er --nodes 5000000000 --arcs 1 -o g.tsv",
            "generate er --nodes 10 --arcs 5 -o g.xlsx",
            "generate er --nodes 10 --arcs 5 -o g.npz.gz",
            "generate er --nodes 10 --arcs 5",
            "generate rmat --nodes 1000 --arcs 5 -o g.tsv",
            "generate rmat --nodes 16 --arcs 5 -a 0.9 -b 0.3 -c 0.1 -o g.tsv",
            "generate dsbm --blocks 3,0 --connect '0,1;1,0' -o g.tsv",
            "generate dsbm --blocks 3,3 --connect '0,1' -o g.tsv",
            "generate dsbm --blocks 3,3 --connect '0,1;1,x' -o g.tsv",
            "generate dsbm --blocks 3,3 --connect '0,1;1,2' -o g.tsv",
            "generate dsbm --blocks 3,3 --connect '0,1;1,0' --weights-matrix '1,-1;1,1' -o g.tsv",
            "generate dsbm --blocks 3,3 --connect '0,1;1,0' --weight-kind poisson -o g.tsv",
            "generate dsbm --blocks 3,3 --connect '0,1;1,0' --labels g.csv -o g.csv",
            "generate citation --nodes 9 -o papers",
            "generate citation --nodes 50 --classes 51 -o papers",
            "generate citation --classes 0 -o papers",
            "generate citation",
        ],
    );
    insta::assert_snapshot!(said);
}

#[cfg(feature = "fetch")]
#[test]
fn data_sets_that_nobody_knows() {
    let folder = Folder::new();
    let said = folder.all_refused(
        2,
        &[
            "data get cora-ml",
            "data where",
            "data where cora_ml",
            "data where nosuch",
            "data fetch",
            "data fetch cora-ml telegran",
            "data fetch cora-ml --mirror files.example",
            "data fetch cora-ml --mirror ftp://files.example",
            "data fetch cora-ml --mirror http://files.example",
            "data fetch cora-ml --retries -1",
        ],
    );
    insta::assert_snapshot!(said);
}
