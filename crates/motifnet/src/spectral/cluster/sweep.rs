//! The sweep: the conductance of every set that a threshold on a vector makes.

use super::MotifGraph;
use crate::sparse::CsrMatrix;

/// The nodes in the order of a vector, and the conductance of every prefix of that order.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepCurve {
    /// The nodes of the directed graph, by ascending value, then by number.
    pub nodes: Vec<u32>,
    /// Their values.
    pub values: Vec<f64>,
    /// `[i]`: the conductance of the first i + 1 nodes; one shorter than the nodes.
    pub conductances: Vec<f64>,
    /// The places of the nodes in the motif graph.
    pub(super) places: Vec<u32>,
}

impl SweepCurve {
    /// Sweeps over `graph` in the order of `values`, one a node.
    ///
    /// With the first nodes S inside, vol(S) grows by d_v and Σ_{i,j∈S} W_ij by 2 (W 1_S)_v when v joins
    /// them; cut(S) is their difference. Of a factored product L R only R 1_S is kept, a number for every
    /// centre. Time O(entries of the direct part and the factors + n log n), memory O(n + factors).
    ///
    /// # Panics
    /// If there is not one value a node.
    pub fn new(graph: &MotifGraph, values: &[f64]) -> Self {
        assert_eq!(values.len(), graph.n_nodes(), "one value a node");
        let mut places: Vec<u32> = (0..values.len() as u32).collect();
        places.sort_by(|&a, &b| values[a as usize].total_cmp(&values[b as usize]).then(a.cmp(&b)));
        let volume = graph.volume();
        let leaves: Vec<CsrMatrix> =
            graph.products.iter().map(|[_, right]| right.transpose()).collect();
        // R 1_S of every product.
        let mut centres: Vec<Vec<f64>> =
            graph.products.iter().map(|[_, right]| vec![0.0; right.n_rows()]).collect();
        let mut is_inside = vec![false; values.len()];
        let (mut inside, mut volume_inside) = (0.0, 0.0);
        let mut conductances = Vec::with_capacity(values.len());
        for &place in &places {
            let place = place as usize;
            let entries = |matrix: &CsrMatrix, visit: &mut dyn FnMut(usize, f64)| {
                let (columns, values) = matrix.row(place);
                columns.iter().zip(values).for_each(|(&at, &value)| visit(at as usize, value));
            };
            // (W 1_S)_v before v is in S: so neither the diagonal of the direct part nor what it takes off
            // the products is met.
            let mut joined = 0.0;
            entries(&graph.direct, &mut |other, value| {
                if is_inside[other] {
                    joined += value;
                }
            });
            for (([left, _], leaves), centres) in
                graph.products.iter().zip(&leaves).zip(&mut centres)
            {
                entries(left, &mut |centre, value| joined += value * centres[centre]);
                entries(leaves, &mut |centre, value| centres[centre] += value);
            }
            inside += 2.0 * joined;
            volume_inside += graph.degrees()[place];
            is_inside[place] = true;
            conductances.push(conductance(volume_inside - inside, volume_inside, volume));
        }
        conductances.pop();
        Self {
            nodes: places.iter().map(|&place| graph.nodes()[place as usize]).collect(),
            values: places.iter().map(|&place| values[place as usize]).collect(),
            conductances,
            places,
        }
    }

    /// How many nodes the prefix of least conductance has, of those that leave at least `min_size` nodes
    /// on both sides; the shortest of equals.
    pub fn best(&self, min_size: usize) -> Option<usize> {
        let min_size = min_size.max(1);
        let sizes = min_size..=self.nodes.len().checked_sub(min_size)?;
        sizes.min_by(|&a, &b| self.conductances[a - 1].total_cmp(&self.conductances[b - 1]))
    }
}

/// What is left of a difference of volumes that are equal, as a share of all.
const ROUNDING: f64 = 1e-13;

/// cut / min(vol(S), vol(rest)), or 1 where a side has no volume: whatever leaves it is cut.
pub(super) fn conductance(cut: f64, volume: f64, total: f64) -> f64 {
    let least = volume.min(total - volume);
    // Rounding may take the difference of sums below zero.
    if least > ROUNDING * total { (cut / least).clamp(0.0, 1.0) } else { 1.0 }
}
