//! Data sets at the edge of sense.

use std::fmt::Write;

use anyhow::Result;

use super::workplace::Workplace;

/// A data set: its arcs, the classes of its nodes and its features.
pub(crate) struct OddData {
    pub(crate) name: &'static str,
    n_nodes: usize,
    arcs: Vec<(usize, usize)>,
    labels: Labels,
    features: Features,
}

/// Which nodes have which class.
#[derive(Clone, Copy)]
enum Labels {
    /// Three, in turn.
    Three,
    /// One for all.
    One,
    /// A single node has any.
    OneNode,
    /// Two, one of them of a single node.
    LoneClass,
    /// One for the first half, two in turn for the second.
    ByHalf,
}

/// What the nodes' numbers are.
#[derive(Clone, Copy)]
enum Features {
    /// Motif counts of the graph.
    Motifs,
    /// Every one the same, in a table.
    Constant(&'static str),
    /// One column of sense beside one whose numbers take turns.
    Turns([&'static str; 2]),
    /// Numbers of 64 bits that 32 do not hold, in an array.
    Wide(f64),
    /// None.
    None,
}

impl OddData {
    fn new(name: &'static str, n_nodes: usize, arcs: Vec<(usize, usize)>) -> Self {
        Self { name, n_nodes, arcs, labels: Labels::Three, features: Features::Motifs }
    }

    fn labels(self, labels: Labels) -> Self {
        Self { labels, ..self }
    }

    fn features(self, features: Features) -> Self {
        Self { features, ..self }
    }

    /// Whether only what learns sees what is odd.
    pub(crate) fn is_of_features(&self) -> bool {
        !matches!(self.features, Features::Motifs)
    }

    /// Writes the data set to the folder of its name.
    pub(crate) fn write(&self, place: &Workplace) -> Result<()> {
        let Self { name, n_nodes, .. } = self;
        let mut arcs = format!(
            "%%MatrixMarket matrix coordinate pattern general\n{n_nodes} {n_nodes} {}\n",
            self.arcs.len()
        );
        for (source, target) in &self.arcs {
            writeln!(arcs, "{} {}", source + 1, target + 1)?;
        }
        place.put(&format!("{name}/arcs.mtx"), arcs)?;
        // The format counts from 1, and so do the tables.
        let mut labels = String::from("node,class\n");
        for node in 0..self.n_nodes {
            if let Some(class) = self.class_of(node) {
                writeln!(labels, "{},{class}", node + 1)?;
            }
        }
        place.put(&format!("{name}/labels.csv"), labels)?;
        let features = match self.features {
            Features::None => String::new(),
            Features::Motifs => "features = \"motifs\"\n".to_owned(),
            Features::Wide(number) => {
                place.put(&format!("{name}/features.npy"), self.array(number))?;
                "features = \"features.npy\"\n".to_owned()
            }
            Features::Constant(_) | Features::Turns(_) => {
                place.put(&format!("{name}/features.csv"), self.table())?;
                "features = \"features.csv\"\n".to_owned()
            }
        };
        let description = format!(
            "name = \"{name}\"\narcs = \"arcs.mtx\"\nlabels = \"labels.csv#class\"\n{features}\
             split = \"40/30/30\"\n"
        );
        place.put(&format!("{name}/dataset.toml"), description)
    }

    fn class_of(&self, node: usize) -> Option<char> {
        match self.labels {
            Labels::Three => Some(['a', 'b', 'c'][node % 3]),
            Labels::One => Some('a'),
            Labels::OneNode => (node == 3).then_some('a'),
            Labels::LoneClass => Some(if node == 3 { 'b' } else { 'a' }),
            Labels::ByHalf if node < self.n_nodes / 2 => Some('a'),
            Labels::ByHalf => Some(['b', 'c'][node % 2]),
        }
    }

    fn table(&self) -> String {
        let row = |node: usize| match self.features {
            Features::Constant(value) => format!("{node},{value},{value}\n"),
            Features::Turns(turns) => format!("{node},{},{}\n", node * 7 % 11, turns[node % 2]),
            _ => String::new(),
        };
        let rows: String = (1..=self.n_nodes).map(row).collect();
        format!("node,x,y\n{rows}")
    }

    /// One column as a file of NumPy: every second node has `number`.
    fn array(&self, number: f64) -> Vec<u8> {
        let shape =
            format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}, 1), }}", self.n_nodes);
        // The header ends on a multiple of 64 bytes, as the format asks for.
        let header = format!("{shape:117}\n");
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.as_bytes());
        for node in 0..self.n_nodes {
            let value = if node % 2 == 0 { number } else { node as f64 };
            bytes.extend(value.to_le_bytes());
        }
        bytes
    }
}

/// The data sets; the sizes of the largest star and clique are the caller's.
pub(crate) fn odd_data(n_leaves: usize, n_clique: usize) -> Vec<OddData> {
    let star = |n: usize| (1..n).map(|leaf| if leaf % 2 == 0 { (0, leaf) } else { (leaf, 0) });
    let clique = |n: usize| {
        let pairs = (0..n).flat_map(move |a| (0..n).map(move |b| (a, b)));
        pairs.filter(|(a, b)| a != b).collect::<Vec<_>>()
    };
    let plain = || OddData::new("plain", 40, ring(40, 0));
    let with = |name, features| OddData { name, ..plain().features(features) };
    vec![
        OddData::new("no-nodes", 0, vec![]),
        OddData::new("one-node", 1, vec![]),
        OddData::new("two-nodes", 2, vec![]),
        OddData::new("one-arc", 2, vec![(0, 1)]),
        OddData::new("one-pair", 2, vec![(0, 1), (1, 0)]),
        OddData::new("no-arcs", 50, vec![]),
        OddData::new("reciprocal", 40, reciprocated(ring(40, 0))),
        OddData::new("star", 300, star(300).collect()),
        OddData::new("clique", 30, clique(30)),
        OddData::new("isolated", 80, ring(40, 0)),
        OddData::new("component-of-a-class", 80, [ring(40, 0), ring(40, 40)].concat())
            .labels(Labels::ByHalf),
        OddData { name: "one-class", ..plain().labels(Labels::One) },
        OddData { name: "one-label", ..plain().labels(Labels::OneNode) },
        OddData { name: "lone-class", ..plain().labels(Labels::LoneClass) },
        with("no-features", Features::None),
        with("zero", Features::Constant("0")),
        with("constant", Features::Constant("3.5")),
        with("not-a-number", Features::Turns(["nan", "1"])),
        with("infinite", Features::Turns(["inf", "1"])),
        with("huge", Features::Turns(["1e38", "-1e38"])),
        with("huge-constant", Features::Constant("3e38")),
        with("beyond-single", Features::Turns(["1e300", "1"])),
        with("tiny", Features::Turns(["1e-45", "-1e-42"])),
        with("wide", Features::Wide(1e300)),
        with("wide-infinite", Features::Wide(f64::INFINITY)),
        OddData::new("large-star", n_leaves + 1, star(n_leaves + 1).collect()),
        OddData::new("large-clique", n_clique, clique(n_clique)),
    ]
}

/// A ring of `n` nodes from `first` on, with chords that make triangles and pairs.
fn ring(n: usize, first: usize) -> Vec<(usize, usize)> {
    let of = |node: usize| {
        let to = |step: usize| (first + node, first + (node + step) % n);
        let back = node.is_multiple_of(5).then(|| (first + (node + 1) % n, first + node));
        let chord = node.is_multiple_of(3).then(|| to(7));
        [Some(to(1)), Some(to(2)), chord, back].into_iter().flatten()
    };
    (0..n).flat_map(of).collect()
}

fn reciprocated(arcs: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
    arcs.into_iter().flat_map(|(a, b)| [(a, b), (b, a)]).collect()
}
