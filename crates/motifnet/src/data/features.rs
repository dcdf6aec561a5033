//! What is known of each node, as numbers.

use crate::graph::DiGraph;
use crate::memory::MemoryError;
use crate::motif::{MotifEngine, N_ROLES, N_TRIADS};
use crate::progress::Progress;
use crate::sparse::CsrMatrix;

/// What is known of each node: one row of numbers a node.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Features {
    /// Nothing.
    #[default]
    None,
    /// Which node it is: the identity matrix, not stored.
    OneHot,
    /// A number for every node and column.
    Dense(DenseFeatures),
    /// Rows that are mostly zero.
    Sparse(CsrMatrix<f32>),
}

/// Why something makes no features.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FeatureError {
    /// There are none where they are needed.
    #[error(
        "the data set has no features; name a table or an array, or take one-hot, degrees, motifs or \
         roles: with --features, or with the key `features` of its dataset.toml"
    )]
    Missing,
    /// Not a row for every node.
    #[error("features of {found} rows for {n_nodes} nodes; there must be one row for every node")]
    Rows {
        /// Rows found.
        found: usize,
        /// Nodes of the graph.
        n_nodes: usize,
    },
    /// Not as many numbers as rows and columns ask for.
    #[error("{found} values, which are not {n_nodes} rows of {width}")]
    Values {
        /// Values found.
        found: usize,
        /// Rows there should be.
        n_nodes: usize,
        /// Columns there should be.
        width: usize,
    },
    /// A number that is infinite or none.
    #[error(
        "node {node}, column {column} is {value}; features must be finite 32-bit numbers (rows and \
         columns count from 0)"
    )]
    NotFinite {
        /// The row.
        node: usize,
        /// The column.
        column: usize,
        /// What stands there.
        value: f32,
    },
    /// More memory than there is.
    #[error("{0}")]
    Memory(#[from] MemoryError),
    /// The columns could not be made fewer.
    #[error("no principal components of the features: {0}")]
    Components(String),
    /// Other columns than those the steps were fitted on.
    #[error(
        "features of {found} columns, but the steps were fitted on {expected}; give features with \
         the same columns in the same order, or fit the steps on these"
    )]
    Columns {
        /// Columns found.
        found: usize,
        /// Columns of the features fitted on.
        expected: usize,
    },
    /// One-hot features of another graph.
    #[error(
        "one-hot features of {n_nodes} nodes, but the steps were fitted on those of {fitted}: which \
         node it is means nothing on another graph; use features that both graphs have, such as \
         `features = \"degrees\"`"
    )]
    OneHotElsewhere {
        /// Nodes of the graph fitted on.
        fitted: usize,
        /// Nodes of this one.
        n_nodes: usize,
    },
    /// Features that are one-hot where the ones fitted on are not, or the other way round.
    #[error("{}", if *fitted_one_hot {
        "the steps were fitted on one-hot features; which node it is means nothing for others"
    } else {
        "one-hot features, but the steps were fitted on others; give features with the same columns"
    })]
    OneHotMixed {
        /// Whether those fitted on are one-hot.
        fitted_one_hot: bool,
    },
    /// What was stored of fitted steps makes none.
    #[error("stored feature steps: {name} {problem}; fit the steps again and store them")]
    Stored {
        /// The part.
        name: String,
        /// What is wrong with it.
        problem: String,
    },
}

impl Features {
    /// Three columns from the number of arcs at each node: ln(1 + in), ln(1 + out) and
    /// ln(1 + in + out). Logarithms, since a few hubs would else drown all other nodes.
    pub fn degrees(graph: &DiGraph) -> Self {
        let mut values = Vec::with_capacity(3 * graph.n_nodes());
        for node in 0..graph.n_nodes() as u32 {
            let (inward, outward) =
                (graph.in_neighbors(node).len(), graph.out_neighbors(node).len());
            let degrees = [inward, outward, inward + outward];
            values.extend(degrees.map(|degree| libm::log1p(degree as f64) as f32));
        }
        Self::Dense(DenseFeatures { n_nodes: graph.n_nodes(), width: 3, values })
    }

    /// Thirteen columns: ln(1 + the number of induced instances of M1 to M13 that the node is in).
    /// Time and memory of [`MotifEngine::with_progress`], and O(edges).
    pub fn motifs(graph: &DiGraph, progress: &dyn Progress) -> Self {
        let engine = MotifEngine::with_progress(graph, progress);
        Self::logarithms(engine.node_counts().iter().map(|counts| counts.as_slice()), N_TRIADS)
    }

    /// Thirty columns: ln(1 + the number of times that the node plays a role), in the order of
    /// [`crate::motif::ROLES`]. Time and memory of [`MotifEngine::with_progress`], and O(edges).
    pub fn roles(graph: &DiGraph, progress: &dyn Progress) -> Self {
        let engine = MotifEngine::with_progress(graph, progress);
        Self::logarithms(engine.role_counts().iter().map(|counts| counts.as_slice()), N_ROLES)
    }

    /// ln(1 + count) of counts by rows.
    fn logarithms<'a>(rows: impl ExactSizeIterator<Item = &'a [u64]>, width: usize) -> Self {
        let n_nodes = rows.len();
        let mut values = Vec::with_capacity(n_nodes * width);
        for row in rows {
            values.extend(row.iter().map(|&count| libm::log1p(count as f64) as f32));
        }
        Self::Dense(DenseFeatures { n_nodes, width, values })
    }

    /// Number of columns, for a graph of `n_nodes` nodes.
    pub fn width(&self, n_nodes: usize) -> usize {
        match self {
            Self::None => 0,
            Self::OneHot => n_nodes,
            Self::Dense(dense) => dense.width,
            Self::Sparse(matrix) => matrix.n_columns(),
        }
    }

    /// These columns alone, in this order.
    ///
    /// # Panics
    /// If one is not there.
    pub fn columns(&self, columns: &[u32]) -> Self {
        match self {
            Self::None => Self::None,
            Self::OneHot => Self::OneHot,
            Self::Dense(dense) => {
                let rows = (0..dense.n_nodes as u32).map(|node| dense.row(node));
                let picked = rows.flat_map(|row| columns.iter().map(|&at| row[at as usize]));
                let (n_nodes, width, values) = (dense.n_nodes, columns.len(), picked.collect());
                Self::Dense(DenseFeatures { n_nodes, width, values })
            }
            Self::Sparse(matrix) => {
                let mut places: Vec<Vec<u32>> = vec![Vec::new(); matrix.n_columns()];
                (0..).zip(columns).for_each(|(to, &from)| places[from as usize].push(to));
                let (mut offsets, mut picked) = (vec![0], Vec::new());
                for row in 0..matrix.n_rows() {
                    let start = picked.len();
                    let entries = matrix.offsets()[row]..matrix.offsets()[row + 1];
                    for entry in entries {
                        let value = matrix.values()[entry];
                        let places = &places[matrix.columns()[entry] as usize];
                        picked.extend(places.iter().map(|&to| (to, value)));
                    }
                    picked[start..].sort_by_key(|&(to, _)| to);
                    offsets.push(picked.len());
                }
                let (places, values) = picked.into_iter().unzip();
                Self::Sparse(CsrMatrix::new(columns.len(), offsets, places, values))
            }
        }
    }

    /// Makes sure that these are finite features for `n_nodes` nodes. Time O(stored values).
    ///
    /// # Errors
    /// If the rows are more or fewer, or a number is infinite or NaN. No features are no error.
    pub fn check(&self, n_nodes: usize) -> Result<(), FeatureError> {
        let (found, not_finite) = match self {
            Self::None | Self::OneHot => return Ok(()),
            Self::Dense(dense) => (dense.n_nodes, None),
            Self::Sparse(matrix) => {
                let bad = matrix.entries().find(|(_, _, value)| !value.is_finite());
                (matrix.n_rows(), bad)
            }
        };
        if found != n_nodes {
            return Err(FeatureError::Rows { found, n_nodes });
        }
        match not_finite {
            None => Ok(()),
            Some((node, column, &value)) => {
                Err(FeatureError::NotFinite { node, column: column as usize, value })
            }
        }
    }
}

/// Finite numbers, one row a node.
#[derive(Clone, Debug, PartialEq)]
pub struct DenseFeatures {
    n_nodes: usize,
    width: usize,
    values: Vec<f32>,
}

impl DenseFeatures {
    /// Features from their values, row after row.
    ///
    /// # Errors
    /// If there are more or fewer than `n_nodes × width`, or one is infinite or NaN.
    pub fn new(n_nodes: usize, width: usize, values: Vec<f32>) -> Result<Self, FeatureError> {
        if n_nodes.checked_mul(width) != Some(values.len()) {
            return Err(FeatureError::Values { found: values.len(), n_nodes, width });
        }
        if let Some(place) = values.iter().position(|value| !value.is_finite()) {
            let (node, column) = (place / width, place % width);
            return Err(FeatureError::NotFinite { node, column, value: values[place] });
        }
        Ok(Self { n_nodes, width, values })
    }

    /// Number of rows.
    pub fn n_nodes(&self) -> usize {
        self.n_nodes
    }

    /// Number of columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The values, row after row.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// The values alone, row after row.
    pub fn into_values(self) -> Vec<f32> {
        self.values
    }

    /// The values of one node.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn row(&self, node: u32) -> &[f32] {
        &self.values[node as usize * self.width..][..self.width]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{BuildOptions, EdgeList};
    use crate::progress::Silent;

    #[test]
    fn degrees_are_logarithms_of_in_out_and_total() {
        let arcs = EdgeList::from_pairs(4, [(0, 1), (1, 0), (2, 1)]);
        let (graph, _) = DiGraph::build(arcs, &BuildOptions::default()).unwrap();
        let Features::Dense(features) = Features::degrees(&graph) else { panic!("not dense") };
        let ln = |number: f32| number.ln();
        assert_eq!(features.row(1), [ln(3.0), ln(2.0), ln(4.0)]);
        assert_eq!(features.row(3), [0.0; 3]);
        assert_eq!((features.n_nodes(), features.width()), (4, 3));
    }

    /// A triangle 0 → 1 → 2 → 0 with a tail 2 → 3: one M1, one M9 (1 → 2 → 3) and one M8 (2 → 0,
    /// 2 → 3).
    #[test]
    fn motifs_and_roles_are_counted_at_each_node() {
        let arcs = EdgeList::from_pairs(5, [(0, 1), (1, 2), (2, 0), (2, 3)]);
        let (graph, _) = DiGraph::build(arcs, &BuildOptions::default()).unwrap();
        let dense = |features: Features| match features {
            Features::Dense(dense) => dense,
            _ => panic!("not dense"),
        };
        let motifs = dense(Features::motifs(&graph, &Silent));
        let mut expected = vec![[0.0; 13]; 5];
        let ln_2 = 2_f32.ln();
        for (motif, nodes) in [(1, [0, 1, 2]), (8, [0, 2, 3]), (9, [1, 2, 3])] {
            nodes.iter().for_each(|&node: &usize| expected[node][motif - 1] = ln_2);
        }
        assert_eq!(motifs.values(), expected.concat());

        // What a node counts of a motif is what it counts of the motif's roles.
        let roles = dense(Features::roles(&graph, &Silent));
        assert_eq!((roles.n_nodes(), roles.width()), (5, 30));
        for node in 0..5 {
            let mut counts = [0.0; 13];
            for (role, (motif, _)) in crate::motif::ROLES.iter().enumerate() {
                counts[*motif as usize] += roles.row(node)[role].exp_m1();
            }
            for (count, ln) in counts.iter().zip(motifs.row(node)) {
                assert!((count - ln.exp_m1()).abs() < 1e-5, "{counts:?}");
            }
        }
    }

    #[test]
    fn columns_are_picked_in_any_order() {
        let dense = DenseFeatures::new(2, 3, vec![1.0, 2.0, 0.0, 0.0, 5.0, 6.0]).unwrap();
        let picked = DenseFeatures::new(2, 2, vec![0.0, 1.0, 6.0, 0.0]).unwrap();
        assert_eq!(Features::Dense(dense).columns(&[2, 0]), Features::Dense(picked));
        let sparse = CsrMatrix::new(3, vec![0, 2, 4], vec![0, 1, 1, 2], vec![1.0, 2.0, 5.0, 6.0]);
        let picked = CsrMatrix::new(2, vec![0, 1, 2], vec![1, 0], vec![1.0_f32, 6.0]);
        assert_eq!(Features::Sparse(sparse).columns(&[2, 0]), Features::Sparse(picked));
    }

    #[test]
    fn sizes_and_numbers_are_checked() {
        let error = |result: Result<DenseFeatures, FeatureError>| result.unwrap_err().to_string();
        assert_eq!(
            error(DenseFeatures::new(2, 2, vec![0.0; 3])),
            "3 values, which are not 2 rows of 2"
        );
        assert_eq!(
            error(DenseFeatures::new(2, 2, vec![0.0, 1.0, 2.0, f32::NAN])),
            "node 1, column 1 is NaN; features must be finite 32-bit numbers (rows and columns \
             count from 0)"
        );
        let dense = Features::Dense(DenseFeatures::new(2, 2, vec![0.0; 4]).unwrap());
        assert_eq!(
            dense.check(3).unwrap_err().to_string(),
            "features of 2 rows for 3 nodes; there must be one row for every node"
        );
        let sparse = CsrMatrix::new(9, vec![0, 0, 1], vec![7], vec![f32::INFINITY]);
        assert_eq!(
            Features::Sparse(sparse).check(2).unwrap_err().to_string(),
            "node 1, column 7 is inf; features must be finite 32-bit numbers (rows and columns \
             count from 0)"
        );
        assert_eq!(Features::OneHot.check(2), Ok(()));
    }
}
