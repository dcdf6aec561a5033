//! Arcs that are in memory already, under ids of the caller's.
//!
//! They are numbered as those of a file: integers in ascending order, text in the order of first
//! appearance. Or all nodes are named beforehand, which then says their order.

use std::fmt::Display;
use std::hash::Hash;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::arc_block::{ArcBlock, Ends, Id};
use super::node_ids::number_nodes;
use crate::graph::{BuildError, EdgeList, NodeNames, StringTable};

/// Arcs numbered at a time by one thread.
const CHUNK: usize = 1 << 18;

/// The arcs between nodes that integers name.
///
/// # Errors
/// If there are more sources than targets, or fewer.
///
/// ```
/// use motifnet::graph::{NodeNames, arcs_of_integers};
///
/// let (arcs, names) = arcs_of_integers(&[70, 9], &[9, -5])?;
/// assert_eq!((arcs.sources, arcs.targets), (vec![2, 1], vec![1, 0]));
/// assert_eq!(names, NodeNames::Integers(vec![-5, 9, 70]));
/// # Ok::<(), motifnet::graph::BuildError>(())
/// ```
pub fn arcs_of_integers(
    sources: &[i64],
    targets: &[i64],
) -> Result<(EdgeList, NodeNames), BuildError> {
    number(sources, targets, |sources, targets| Ends::Wide {
        sources: sources.to_vec(),
        targets: targets.to_vec(),
    })
}

/// The arcs between nodes that text names.
///
/// # Errors
/// If there are more sources than targets, or fewer.
///
/// ```
/// use motifnet::graph::arcs_of_names;
///
/// let (arcs, names) = arcs_of_names(&["ann", "bob"], &["bob", "cat"])?;
/// assert_eq!((arcs.sources, arcs.targets), (vec![0, 1], vec![1, 2]));
/// assert_eq!(names.name(2), "cat");
/// # Ok::<(), motifnet::graph::BuildError>(())
/// ```
pub fn arcs_of_names(
    sources: &[&str],
    targets: &[&str],
) -> Result<(EdgeList, NodeNames), BuildError> {
    let (arcs, names) = number(sources, targets, |sources, targets| {
        let mut ends = Ends::default();
        for (source, target) in sources.iter().zip(targets) {
            ends.push(Id::Text(source), Id::Text(target));
        }
        ends
    })?;
    // Of no arcs nobody could tell what kind of names they have.
    let is_empty = names.is_empty();
    Ok((arcs, if is_empty { NodeNames::Strings(StringTable::default()) } else { names }))
}

/// The arcs between `nodes`, which are all there are; a node's number is its place among them.
///
/// # Errors
/// If a node is named twice, an end is not among them, or the lengths differ.
pub fn arcs_among<N: Copy + Display + Eq + Hash + Sync>(
    nodes: &[N],
    sources: &[N],
    targets: &[N],
) -> Result<EdgeList, BuildError> {
    check_lengths(sources.len(), targets.len())?;
    let mut numbers = FxHashMap::with_capacity_and_hasher(nodes.len(), Default::default());
    for (number, node) in nodes.iter().enumerate() {
        // Past 2³² − 1 nodes the numbers are wrong, but building the graph refuses as many.
        if numbers.insert(*node, number as u32).is_some() {
            return Err(BuildError::RepeatedNode { name: node.to_string() });
        }
    }
    let number = |ends: &[N]| {
        let found: Vec<Option<u32>> =
            ends.par_iter().map(|end| numbers.get(end).copied()).collect();
        // One after the other, so that it is always the first that is told.
        let known = found.into_iter().enumerate().map(|(position, number)| {
            let name = || ends[position].to_string();
            number.ok_or_else(|| BuildError::UnknownNode { position, name: name() })
        });
        known.collect::<Result<Vec<u32>, _>>()
    };
    let (sources, targets) = (number(sources)?, number(targets)?);
    Ok(EdgeList { n_nodes: nodes.len(), sources, targets, weights: None })
}

fn number<N: Sync>(
    sources: &[N],
    targets: &[N],
    ends: impl Fn(&[N], &[N]) -> Ends + Sync,
) -> Result<(EdgeList, NodeNames), BuildError> {
    check_lengths(sources.len(), targets.len())?;
    let chunks = sources.par_chunks(CHUNK).zip(targets.par_chunks(CHUNK));
    let block = |(sources, targets): (&[N], &[N])| ArcBlock {
        ends: ends(sources, targets),
        weights: Vec::new(),
    };
    Ok(number_nodes(chunks.map(block).collect(), None, None))
}

fn check_lengths(sources: usize, targets: usize) -> Result<(), BuildError> {
    if sources == targets {
        return Ok(());
    }
    Err(BuildError::UnequalLengths { sources, targets, weights: sources })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_named_beforehand_keep_their_places() {
        let arcs = arcs_among(&["cat", "ann", "bob"], &["ann", "bob"], &["bob", "cat"]).unwrap();
        assert_eq!((arcs.n_nodes, arcs.sources, arcs.targets), (3, vec![1, 2], vec![2, 0]));
    }

    #[test]
    fn what_is_unknown_repeated_or_unequal_is_told() {
        let message = |arcs: Result<EdgeList, BuildError>| arcs.unwrap_err().to_string();
        assert_eq!(
            message(arcs_among(&["ann"], &["ann"], &["bob"])),
            "arc 0 has an end called \"bob\", which is not among the nodes; add it to them, or leave \
             the arc out"
        );
        assert_eq!(
            message(arcs_among(&[7, 8, 7], &[], &[])),
            "two nodes are called \"7\"; a node is named once"
        );
        let unequal = arcs_of_names(&["a"], &[]).unwrap_err().to_string();
        assert_eq!(unequal, "1 sources, 0 targets and 1 weights: the lengths must agree");
    }

    #[test]
    fn many_chunks_are_numbered_as_one() {
        let names: Vec<String> = (0..700_000).map(|at| format!("n{}", at % 1000)).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let (arcs, found) = arcs_of_names(&names, &names).unwrap();
        assert_eq!((arcs.n_nodes, found.len()), (1000, 1000));
        assert_eq!((arcs.sources[699_999], &*found.name(999)), (999, "n999"));
    }

    #[test]
    fn no_arcs_have_no_nodes() {
        assert_eq!(arcs_of_integers(&[], &[]).unwrap().1, NodeNames::Indices(0));
        assert!(arcs_of_names(&[], &[]).unwrap().1.is_empty());
    }
}
