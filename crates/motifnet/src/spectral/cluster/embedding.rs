//! Clusters by the first eigenvectors and k-means.

use super::{ClusterConfig, ClusterLaplacian, Spectrum, k_means};
use crate::progress::Progress;

impl Spectrum {
    /// The point of every node whose groups are the clusters: nodes × the number that is returned.
    ///
    /// `normalized`: the node's row of all eigenvectors, of unit length (Ng, Jordan, Weiss 2002; Benson et
    /// al. 2016). `random-walk` and `combinatorial`: its row of all but the first, as it is (Underwood,
    /// Elliott, Cucuringu 2020).
    pub(super) fn points(&self, laplacian: ClusterLaplacian) -> (Vec<f64>, usize) {
        let n_pairs = self.eigenvalues.len();
        let rows = self.vectors.chunks_exact(n_pairs);
        match laplacian {
            ClusterLaplacian::Normalized => {
                let unit = |row: &[f64]| {
                    let length = row.iter().map(|entry| entry * entry).sum::<f64>().sqrt();
                    row.iter().map(|entry| entry / length).collect::<Vec<_>>()
                };
                (rows.flat_map(unit).collect(), n_pairs)
            }
            ClusterLaplacian::RandomWalk | ClusterLaplacian::Combinatorial => {
                (rows.flat_map(|row| &row[1..]).copied().collect(), n_pairs - 1)
            }
        }
    }

    /// The cluster of every node.
    pub(super) fn groups(&self, config: &ClusterConfig, progress: &dyn Progress) -> Vec<u32> {
        let (points, width) = self.points(config.laplacian);
        let ClusterConfig { n_clusters, n_starts, seed, .. } = *config;
        k_means(&points, width, n_clusters, n_starts, seed, progress).groups
    }
}
