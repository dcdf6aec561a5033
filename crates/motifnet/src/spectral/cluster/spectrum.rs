//! The smallest eigenpairs of a motif Laplacian, by products with the graph alone.

use super::{ClusterError, MotifGraph};
use crate::choice::words;
use crate::graph::Components;
use crate::progress::Progress;
use crate::sparse::LinearOperator;
use crate::spectral::KrylovOptions;
use crate::spectral::filter::filtered_eigenpairs;

/// The Laplacian whose eigenvectors tell the clusters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ClusterLaplacian {
    /// I − D^-½ W D^-½: what Benson et al. (2016) and Ng, Jordan, Weiss (2002) use, and what Cheeger's
    /// inequality is about.
    #[default]
    Normalized,
    /// I − D⁻¹ W: the same eigenvalues, and the eigenvectors D^-½ v (Shi and Malik 2000).
    RandomWalk,
    /// D − W, which large degrees weigh in.
    Combinatorial,
}

words!(
    ClusterLaplacian,
    "laplacian",
    Normalized = "normalized",
    RandomWalk = "random-walk",
    Combinatorial = "combinatorial",
);

/// Smallest eigenvalues of a Laplacian and their eigenvectors.
#[derive(Clone, Debug, PartialEq)]
pub struct Spectrum {
    /// Ascending; one zero for every component.
    pub eigenvalues: Vec<f64>,
    /// The eigenvectors as the columns of nodes × eigenvalues, row after row: unit vectors, orthogonal but for
    /// `random-walk`. Of each, the entry of largest magnitude is positive.
    pub vectors: Vec<f64>,
    /// The largest residual of an eigenpair, as a share of the largest eigenvalue.
    pub residual: f64,
    /// How many vectors the graph was multiplied by.
    pub n_products: usize,
}

impl Spectrum {
    /// The `n_pairs` smallest eigenpairs of the Laplacian of `graph`, whose components are `components`.
    ///
    /// Those of the eigenvalue 0 are known: D^½ 1 on each component (1 for D − W). They are moved out of the
    /// way by a multiple of themselves, and the rest is found as the largest of D^-½ W D^-½ (of W − D), so that a
    /// second eigenvalue however small is not mixed up with the first. Large sparse graphs have many
    /// eigenvalues next to zero: they are drawn apart by a Chebyshev polynomial of the operator.
    ///
    /// # Errors
    /// If the iteration does not converge.
    ///
    /// # Panics
    /// If there are fewer nodes than pairs or fewer pairs than components, or a node has no degree.
    pub fn new(
        graph: &MotifGraph,
        components: &Components,
        laplacian: ClusterLaplacian,
        n_pairs: usize,
        options: &KrylovOptions,
        progress: &dyn Progress,
    ) -> Result<Self, ClusterError> {
        let (n_nodes, n_known) = (graph.n_nodes(), components.len());
        assert!(n_known <= n_pairs && n_pairs <= n_nodes, "pairs beside the known ones");
        assert!(graph.degrees().iter().all(|&degree| degree > 0.0), "nodes in instances");
        let deflated = Deflated::new(graph, components, laplacian);
        let n_found = n_pairs - n_known;
        let ends = [deflated.top - deflated.shift, deflated.top];
        let found = filtered_eigenpairs(&deflated, ends, n_found, options, progress)?;
        let mut eigenvalues = vec![0.0; n_known];
        // Rounding may take what is next to zero below it.
        eigenvalues.extend(found.values.iter().map(|value| (deflated.top - value).max(0.0)));
        let mut vectors = vec![0.0; n_nodes * n_pairs];
        for (node, row) in vectors.chunks_exact_mut(n_pairs.max(1)).enumerate() {
            row[components.labels[node] as usize] = deflated.known[node];
            row[n_known..].copy_from_slice(&found.vectors[node * n_found..][..n_found]);
        }
        if laplacian == ClusterLaplacian::RandomWalk {
            for (row, scale) in vectors.chunks_exact_mut(n_pairs.max(1)).zip(&deflated.scale) {
                row.iter_mut().for_each(|entry| *entry *= scale);
            }
        }
        let mut spectrum =
            Self { eigenvalues, vectors, residual: found.residual, n_products: found.n_products };
        (0..n_pairs).for_each(|column| spectrum.settle(column));
        Ok(spectrum)
    }

    /// Makes a column a unit vector whose largest entry is positive.
    fn settle(&mut self, column: usize) {
        let width = self.eigenvalues.len();
        let entries = || self.vectors[column..].iter().step_by(width);
        let length = entries().map(|entry| entry * entry).sum::<f64>().sqrt();
        let largest = entries().fold(0.0, |most: f64, &entry| match entry.abs() > most.abs() {
            true => entry,
            false => most,
        });
        let factor = length.recip().copysign(largest);
        if length > 0.0 {
            let entries = self.vectors[column..].iter_mut().step_by(width);
            entries.for_each(|entry| *entry *= factor);
        }
    }

    /// One eigenvector.
    pub fn vector(&self, number: usize) -> Vec<f64> {
        self.vectors[number..].iter().step_by(self.eigenvalues.len()).copied().collect()
    }

    /// The values to sweep by: the second eigenvector, divided by √d where the Laplacian is `normalized`.
    pub fn fiedler(&self, graph: &MotifGraph, laplacian: ClusterLaplacian) -> Vec<f64> {
        let mut vector = self.vector(1);
        if laplacian == ClusterLaplacian::Normalized {
            for (entry, degree) in vector.iter_mut().zip(graph.degrees()) {
                *entry /= degree.sqrt();
            }
        }
        vector
    }
}

/// top · I − Laplacian, less a multiple of the projection on what is known of it: an eigenvalue λ of the
/// Laplacian is top − λ here, but for the known zeros, which are below all others.
struct Deflated<'a> {
    graph: &'a MotifGraph,
    components: &'a Components,
    /// D^-½, or ones.
    scale: Vec<f64>,
    /// What stands on the diagonal: 0, or minus the degrees.
    diagonal: Vec<f64>,
    /// The unit eigenvector of a node's component, at the node.
    known: Vec<f64>,
    top: f64,
    shift: f64,
}

impl<'a> Deflated<'a> {
    fn new(graph: &'a MotifGraph, components: &'a Components, kind: ClusterLaplacian) -> Self {
        let degrees = graph.degrees();
        let is_combinatorial = kind == ClusterLaplacian::Combinatorial;
        let (scale, diagonal, top, largest) = match is_combinatorial {
            true => {
                let largest = degrees.iter().copied().fold(0.0, f64::max);
                let diagonal = degrees.iter().map(|degree| -degree).collect();
                (vec![1.0; degrees.len()], diagonal, 0.0, largest)
            }
            false => {
                let scale = degrees.iter().map(|degree| degree.sqrt().recip()).collect();
                (scale, vec![0.0; degrees.len()], 1.0, 1.0)
            }
        };
        let weight = |node: usize| if is_combinatorial { 1.0 } else { degrees[node] };
        let mut volumes = vec![0.0; components.len()];
        for (node, &label) in components.labels.iter().enumerate() {
            volumes[label as usize] += weight(node);
        }
        let known = components.labels.iter().enumerate();
        let known = known.map(|(node, &label)| (weight(node) / volumes[label as usize]).sqrt());
        // No eigenvalue of the Laplacian is above twice the largest degree.
        let shift = 3.0 * largest;
        Self { graph, components, scale, diagonal, known: known.collect(), top, shift }
    }
}

impl LinearOperator<f64> for Deflated<'_> {
    fn n_rows(&self) -> usize {
        self.graph.n_nodes()
    }

    fn n_columns(&self) -> usize {
        self.graph.n_nodes()
    }

    fn apply_into(&self, x: &[f64], width: usize, y: &mut [f64]) {
        let mut scaled = x.to_vec();
        for (row, &scale) in scaled.chunks_exact_mut(width).zip(&self.scale) {
            row.iter_mut().for_each(|entry| *entry *= scale);
        }
        self.graph.apply_into(&scaled, width, y);
        // By one thread, in the order of the nodes.
        let mut along = vec![0.0; self.components.len() * width];
        let labels = self.components.labels.iter().map(|&label| label as usize * width);
        for ((row, at), known) in x.chunks_exact(width).zip(labels.clone()).zip(&self.known) {
            let sums = &mut along[at..at + width];
            sums.iter_mut().zip(row).for_each(|(sum, entry)| *sum += known * entry);
        }
        let rows = y.chunks_exact_mut(width).zip(x.chunks_exact(width)).zip(labels);
        for (node, ((y, x), at)) in rows.enumerate() {
            let (scale, diagonal) = (self.scale[node], self.diagonal[node]);
            let shift = self.shift * self.known[node];
            for ((y, x), along) in y.iter_mut().zip(x).zip(&along[at..]) {
                *y = scale * *y + diagonal * x - shift * along;
            }
        }
    }

    fn apply_transpose_into(&self, x: &[f64], width: usize, y: &mut [f64]) {
        self.apply_into(x, width, y);
    }
}
