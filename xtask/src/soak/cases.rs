//! Every command, on one data set.

/// What is run and in which order: later ones ask what earlier ones trained. `{data}` stands for the
/// folder of a data set; all that is written goes to `out`.
pub(crate) const CASES: [Case; 39] = [
    graph("inspect {data} --json"),
    graph(
        "census {data} --per-node out/nodes.csv --per-edge out/edges.csv.gz --roles out/roles.csv --clustering out/clustering.csv --json",
    ),
    graph("census {data} --instances subgraph --json"),
    graph("motifs {data} --motif all --support edges --out out/edges"),
    graph(
        "motifs {data} --motif M1,M5,M8,M10 --laplacian rescaled --format mtx --out out/laplacians",
    ),
    graph("motifs {data} --motif M5,M9,M13 --weights mean --format parquet --out out/mean"),
    graph(
        "significance {data} --samples 6 -o out/motifs.csv --per-node out/parts.csv --plot out/profile.svg",
    ),
    graph("significance {data} --null degree+reciprocal --samples 3 --json"),
    graph("cluster {data} --motif M9 -o out/sweep.csv --plot out/sweep.html"),
    graph(
        "cluster {data} --motif M8+2*M9 --method recursive -k 3 --components all -o out/recursive.csv --json",
    ),
    graph(
        "cluster {data} --motif U --method embedding -k 3 --components all -o out/embedding.csv --plot out/embedding.svg",
    ),
    training("train {data} --model mlp --epochs 4 --out out/mlp"),
    training("train {data} --model labelprop --out out/labelprop"),
    training("train {data} --model gcn --epochs 4 --repeat 2 --out out/gcn"),
    training("train {data} --model chebnet --order 2 --epochs 4 --repeat 2 --out out/chebnet"),
    training("train {data} --model motifnet-m --order 2 --epochs 4 --out out/motifnet-m"),
    training(
        "train {data} --model motifnet-m --heads 2 --support edges --epochs 4 --out out/heads",
    ),
    training("train {data} --model motifnet-d --order 2 --epochs 4 --out out/motifnet-d"),
    training("train {data} --model polynomial --motifs U,in,out --epochs 4 --out out/polynomial"),
    training("train {data} --model cayley --epochs 3 --out out/cayley"),
    training("train {data} --model spectral --eigenvectors 8 --epochs 4 --out out/spectral"),
    training("train {data} --model spline --eigenvectors 8 --epochs 4 --out out/spline"),
    training("train {data} --model monet --epochs 4 --out out/monet"),
    training("evaluate out/motifnet-m --json"),
    training("predict out/motifnet-m -o out/classes.csv"),
    training("embed out/motifnet-m -o out/vectors.parquet"),
    training("explain out/motifnet-m --json"),
    training("compare out/gcn out/chebnet"),
    training("report out/motifnet-m --figures out/figures"),
    training("report out/gcn out/chebnet -o out/comparison.html"),
    training("tune {data} --trials 2 --epochs 3 --out out/search"),
    training("reproduce --dataset {data} --orders 1 --splits 2 --epochs 3 --out out/reproduction"),
    // More arcs and papers than one block of those that threads share.
    graph("generate rmat --nodes 65536 --arcs 400000 --seed 3 -o out/rmat.tsv"),
    graph(
        "generate dsbm --blocks 300,400 --connect 0.02,0.01;0.03,0.02 --seed 3 --labels out/blocks.csv -o out/dsbm.mtx.gz",
    ),
    graph("generate citation --nodes 3000 --seed 3 -o out/citations"),
    graph("config --model chebnet"),
    graph("data list"),
    graph("completions bash"),
    graph("man"),
];

/// What is run on the large graph ([`super::large_graph`]): all that shares out blocks of a file or of arcs
/// among threads, and nothing that trains.
pub(crate) const LARGE_CASES: [Case; 15] = [
    graph("inspect {data}/blocks.tsv.gz --json"),
    graph(
        "census {data}/named.tsv --per-node out/nodes.csv --per-edge out/edges.csv.gz --roles out/roles.csv --clustering out/clustering.csv --json",
    ),
    graph("motifs {data}/named.tsv --motif M5,M8,M10 --support edges --out out/edges"),
    graph(
        "motifs {data}/named.tsv --motif M5,M9 --support edges --weights mean --format parquet --out out/mean",
    ),
    graph(
        "motifs {data}/named.tsv --motif M13 --support edges --weights product --laplacian rescaled --format mtx --out out/laplacian",
    ),
    graph(
        "significance {data}/named.tsv --samples 3 --switches 1 -o out/motifs.csv --per-node out/parts.csv --json",
    ),
    graph("significance {data}/named.tsv --null degree+reciprocal --samples 2 --switches 1 --json"),
    graph("significance {data}/named.tsv --null erdos --samples 2 --switches 1 --json"),
    graph(
        "motifs {data}/blocks.tsv.gz --motif M5 --support edges --weights mean --out out/from-tsv",
    ),
    graph(
        "motifs {data}/blocks.parquet --motif M5 --support edges --weights mean --out out/from-parquet",
    ),
    graph("motifs {data}/blocks.mtx --motif M5 --support edges --weights mean --out out/from-mtx"),
    graph("motifs {data}/blocks.npz --motif M5 --support edges --weights mean --out out/from-npz"),
    graph("motifs {data}/blocks.gml --motif M5 --support edges --weights mean --out out/from-gml"),
    graph("generate rmat --nodes 65536 --arcs 700000 --scramble --seed 4 -o out/rmat.npz"),
    graph("generate er --nodes 65536 --probability 0.0002 --seed 4 -o out/er.parquet"),
];

/// A command and what it needs.
#[derive(Clone, Copy)]
pub(crate) struct Case {
    words: &'static str,
    /// Whether it needs classes of nodes, itself or through what was trained before.
    pub(crate) needs_labels: bool,
}

impl Case {
    /// The words that are typed for the data set in the folder `data`.
    pub(crate) fn words(&self, data: &str) -> String {
        self.words.replace("{data}", data)
    }

    /// The subcommand.
    pub(crate) fn command(&self) -> &'static str {
        self.words.split(' ').next().unwrap_or_default()
    }
}

const fn graph(words: &'static str) -> Case {
    Case { words, needs_labels: false }
}

const fn training(words: &'static str) -> Case {
    Case { words, needs_labels: true }
}
