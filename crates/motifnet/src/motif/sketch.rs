//! The size of a product that is too large to multiply out, from HyperLogLog sketches.
//!
//! The columns of a row of L R are the union of the columns of R's rows over the columns of L's
//! row: sketches of sets are merged instead of sets (Flajolet et al. 2007; Cohen 1998). Sketches
//! are small: 64 bytes a node. The error of one is about 1.04/√64 = 13 %.

use super::factor::Factor;
use super::operator::Factored;
use crate::sparse::rows::fill_rows;

/// Registers of one sketch.
const N_REGISTERS: usize = 64;

type Sketch = [u8; N_REGISTERS];

/// Rows see the same hashes, so their errors are alike: several hashes are averaged.
const N_HASHES: u64 = 4;

/// Estimated number of entries of the matrix; every edge is taken to have one.
pub(super) fn estimate_entries(factored: &Factored) -> u64 {
    let off_edges: f64 = (0..N_HASHES).map(|seed| estimate_off_edges(factored, seed)).sum();
    (2 * factored.pattern.n_edges()) as u64 + (off_edges / N_HASHES as f64).max(0.0) as u64
}

/// Estimated number of entries that are not on an edge, by one hash.
fn estimate_off_edges(factored: &Factored, seed: u64) -> f64 {
    let pattern = &factored.pattern;
    let n_nodes = pattern.n_nodes();
    let mut unions: Vec<Sketch> = vec![[0; N_REGISTERS]; n_nodes];
    for product in &factored.products {
        let mut middles: Vec<Sketch> = vec![[0; N_REGISTERS]; n_nodes];
        fill_rows(product.right.offsets(), 1, &mut middles, |row, sketch| {
            for &column in product.right.columns_of(row) {
                insert(&mut sketch[0], column, seed);
            }
        });
        let left: &Factor = &product.left;
        fill_rows(left.offsets(), 1, &mut unions, |row, sketch| {
            for &middle in left.columns_of(row) {
                merge(&mut sketch[0], &middles[middle as usize]);
            }
        });
    }
    let mut off_edges = vec![0.0; n_nodes];
    fill_rows(pattern.offsets(), 1, &mut off_edges, |row, slot| {
        let mut with_edges = unions[row];
        insert(&mut with_edges, row as u32, seed);
        for &neighbor in pattern.neighbors_of(row) {
            insert(&mut with_edges, neighbor, seed);
        }
        // What is on the edges is known. Rows may come out below zero: the mean needs them so.
        let known = (pattern.degree(row) + 1) as f64;
        slot[0] = estimate(&with_edges).min(n_nodes as f64) - known;
    });
    off_edges.iter().sum()
}

fn insert(sketch: &mut Sketch, element: u32, seed: u64) {
    let hash = mix(seed << 32 | u64::from(element));
    let register = (hash % N_REGISTERS as u64) as usize;
    let rank = ((hash / N_REGISTERS as u64) | 1 << 58).trailing_zeros() as u8 + 1;
    sketch[register] = sketch[register].max(rank);
}

fn merge(into: &mut Sketch, from: &Sketch) {
    for (a, &b) in into.iter_mut().zip(from) {
        *a = (*a).max(b);
    }
}

fn estimate(sketch: &Sketch) -> f64 {
    let m = N_REGISTERS as f64;
    let raw = 0.709 * m * m / sketch.iter().map(|&r| 0.5f64.powi(i32::from(r))).sum::<f64>();
    let empty = sketch.iter().filter(|&&register| register == 0).count();
    if raw <= 2.5 * m && empty > 0 { m * (m / empty as f64).ln() } else { raw }
}

/// SplitMix64's finaliser: a bijection without visible structure.
fn mix(mut z: u64) -> u64 {
    z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sketch_estimates_the_size_of_a_set() {
        for size in [0u32, 10, 100, 1000, 100_000] {
            let mut total = 0.0;
            for trial in 0..20 {
                let mut sketch = [0; N_REGISTERS];
                (0..size).for_each(|element| insert(&mut sketch, element, trial));
                total += estimate(&sketch);
            }
            let mean = total / 20.0;
            let error = (mean - f64::from(size)).abs();
            assert!(error <= 0.1 * f64::from(size), "{mean} for {size}");
        }
    }
}
