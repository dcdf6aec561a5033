//! Equal results before any ratio: each check names both values where they differ.

use std::collections::BTreeMap;
use std::fmt::{Debug, Display};

use anyhow::{Result, ensure};

use super::count::Count;
use super::engine::{Census, Read, Run};
use super::peers::{Graphblas, Igraph, Motifcluster, Polars};

/// The motifs whose instances are triangles.
const TRIANGLE_MOTIFS: [&str; 7] = ["M1", "M2", "M3", "M4", "M5", "M6", "M7"];

/// Every triangle of S is an instance of exactly one of M1 to M7.
pub(crate) fn run(run: &Run) -> Result<()> {
    let count = |motif: &str| run.instance_counts.get(motif).map_or(0, |count| count.0);
    let instances: u128 = TRIANGLE_MOTIFS.into_iter().map(count).sum();
    same("triangles and instances of M1 to M7", u128::from(run.triangles), instances)
}

/// The number of threads changes no result.
pub(crate) fn same_counts(one: &Run, many: &Run) -> Result<()> {
    same("nodes on one and on many threads", one.nodes, many.nodes)?;
    same("arcs on one and on many threads", one.arcs, many.arcs)?;
    same("edges on one and on many threads", one.edges, many.edges)?;
    same("triangles on one and on many threads", one.triangles, many.triangles)?;
    same_map("on one and on many threads", &one.instance_counts, &many.instance_counts)
}

/// Instances of each motif.
pub(crate) fn motifcluster(ours: &Run, theirs: &Motifcluster) -> Result<()> {
    same("nodes, ours and motifcluster's", ours.nodes, theirs.nodes)?;
    same("arcs, ours and motifcluster's", ours.arcs, theirs.arcs)?;
    same_map("ours and motifcluster's", &ours.instance_counts, &theirs.instance_counts)
}

/// Triangles of S.
pub(crate) fn graphblas(ours: &Run, theirs: &Graphblas) -> Result<()> {
    same("nodes, ours and GraphBLAS's", ours.nodes, theirs.nodes)?;
    same("edges, ours and GraphBLAS's", ours.edges, theirs.edges)?;
    same("triangles, ours and GraphBLAS's", ours.triangles, theirs.triangles)
}

/// All sixteen classes.
pub(crate) fn igraph(ours: &Census, theirs: &Igraph) -> Result<()> {
    same_map("ours and igraph's", &ours.census, &theirs.census)
}

/// The same bytes were read.
pub(crate) fn polars(ours: &Read, theirs: &Polars) -> Result<()> {
    same("bytes read, ours and polars'", ours.bytes, theirs.bytes)
}

fn same<T: PartialEq + Display>(what: &str, left: T, right: T) -> Result<()> {
    ensure!(left == right, "{what} differ: {left} and {right}");
    Ok(())
}

fn same_map(
    whose: &str,
    left: &BTreeMap<String, Count>,
    right: &BTreeMap<String, Count>,
) -> Result<()> {
    let names = |map: &BTreeMap<String, Count>| map.keys().cloned().collect::<Vec<_>>();
    same_debug(&format!("the names counted, {whose},"), names(left), names(right))?;
    for (name, count) in left {
        same(&format!("{name}, {whose},"), *count, right[name])?;
    }
    Ok(())
}

fn same_debug<T: PartialEq + Debug>(what: &str, left: T, right: T) -> Result<()> {
    ensure!(left == right, "{what} differ: {left:?} and {right:?}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(counts: &[(&str, u128)]) -> BTreeMap<String, Count> {
        counts.iter().map(|&(name, count)| (name.to_owned(), Count(count))).collect()
    }

    #[test]
    fn a_different_count_is_named_with_both_values() {
        let error = same_map("ours and theirs", &counts(&[("M1", 3)]), &counts(&[("M1", 4)]));
        assert_eq!(error.unwrap_err().to_string(), "M1, ours and theirs, differ: 3 and 4");
    }

    #[test]
    fn a_missing_motif_is_a_difference() {
        assert!(same_map("", &counts(&[("M1", 3)]), &counts(&[("M1", 3), ("M2", 0)])).is_err());
    }
}
