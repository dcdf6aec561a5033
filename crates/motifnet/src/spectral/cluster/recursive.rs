//! Clusters by cutting in two, again and again.

use serde::Serialize;

use super::clustering::{ClusterConfig, Stop};
use super::{ClusterError, MotifGraph, Spectrum, SweepCurve};
use crate::graph::Components;
use crate::progress::Progress;

/// One cut of a recursive bisection.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Bisection {
    /// Nodes of the part that was cut.
    pub n_nodes: usize,
    /// Nodes of its two sides, the larger first.
    pub sides: [usize; 2],
    /// The conductance of the cut in the graph of the part alone; 0 where it had fallen to pieces.
    pub conductance: f64,
    /// λ₂ of the part; 0 where it had fallen to pieces.
    pub lambda: f64,
}

/// A cut of a graph: which of its places are on one side.
pub(super) struct Cut {
    pub(super) side: Vec<bool>,
    pub(super) conductance: f64,
    pub(super) lambda: f64,
}

/// What recursive bisection found: the cluster of every node of the graph, not yet in order of size.
pub(super) struct Bisected {
    pub(super) groups: Vec<u32>,
    pub(super) n_groups: usize,
    pub(super) cuts: Vec<Bisection>,
    pub(super) stop: Stop,
}

/// Cuts the part with most nodes in two until there are as many as wanted, or none can be cut: it would leave
/// a side below the least size, or the best cut has a conductance above the bound.
///
/// A part whose nodes no instance within it joins falls into its largest component and the rest.
pub(super) fn bisect(
    graph: &MotifGraph,
    first: Option<Cut>,
    config: &ClusterConfig,
    progress: &dyn Progress,
) -> Result<Bisected, ClusterError> {
    let mut groups = vec![0; graph.n_nodes()];
    let mut sizes = vec![graph.n_nodes()];
    // Why a part is left as it is.
    let mut refused: Vec<Option<Stop>> = vec![None];
    let mut cuts = Vec::new();
    let mut first = first;
    while sizes.len() < config.n_clusters {
        let open = (0..sizes.len()).filter(|&part| refused[part].is_none());
        // The earliest of equals.
        let Some(part) = open.rev().max_by_key(|&part| sizes[part]) else { break };
        let members: Vec<u32> = (0..graph.n_nodes() as u32)
            .filter(|&place| groups[place as usize] == part as u32)
            .collect();
        let cut = match first.take() {
            Some(cut) => Some(cut),
            None => cut_of(&graph.part(&members), config, progress)?,
        };
        let cut = match cut {
            None => Err(Stop::TooSmall),
            Some(cut) if cut.conductance > config.max_conductance => Err(Stop::Conductance),
            Some(cut) => Ok(cut),
        };
        let cut = match cut {
            Ok(cut) => cut,
            Err(stop) => {
                refused[part] = Some(stop);
                continue;
            }
        };
        let new = sizes.len();
        let moved = members.iter().zip(&cut.side).filter(|(_, is_on_side)| **is_on_side);
        let n_moved = moved.map(|(&place, _)| groups[place as usize] = new as u32).count();
        sizes[part] -= n_moved;
        sizes.push(n_moved);
        refused.push(None);
        cuts.push(Bisection {
            n_nodes: members.len(),
            sides: [n_moved.max(sizes[part]), n_moved.min(sizes[part])],
            conductance: cut.conductance,
            lambda: cut.lambda,
        });
    }
    let stop = match sizes.len() < config.n_clusters {
        false => Stop::Reached,
        // One part that a bound alone held together is what the user can do something about.
        true if refused.contains(&Some(Stop::Conductance)) => Stop::Conductance,
        true => Stop::TooSmall,
    };
    Ok(Bisected { groups, n_groups: sizes.len(), cuts, stop })
}

/// The cut of a part, or none if it would leave too few nodes on a side.
fn cut_of(
    part: &MotifGraph,
    config: &ClusterConfig,
    progress: &dyn Progress,
) -> Result<Option<Cut>, ClusterError> {
    let least = config.min_size.max(1);
    if part.n_nodes() < 2 * least || part.volume() == 0.0 {
        return Ok(None);
    }
    let components = part.components();
    let n_rest = part.n_nodes() - components.largest();
    if n_rest == 0 {
        let (spectrum, curve) = sweep_of(part, &components, config, progress)?;
        return Ok(Cut::of(&curve, &spectrum, config));
    }
    let is_largest: Vec<bool> = components.labels.iter().map(|&label| label == 0).collect();
    if components.largest() >= least && n_rest >= least {
        let side = is_largest.iter().map(|is_largest| !is_largest).collect();
        return Ok(Some(Cut { side, conductance: 0.0, lambda: 0.0 }));
    }
    // Pieces too small to be clusters stay with the side that weighs more.
    let places: Vec<u32> =
        (0..part.n_nodes() as u32).filter(|&place| is_largest[place as usize]).collect();
    let core = part.part(&places);
    let Some(cut) = cut_of(&core, config, progress)? else { return Ok(None) };
    let sides = core.degrees().iter().zip(&cut.side);
    let weight: f64 = sides.map(|(degree, &side)| if side { *degree } else { -degree }).sum();
    let mut side = vec![weight > 0.0; part.n_nodes()];
    for (&place, &is_on_side) in places.iter().zip(&cut.side) {
        side[place as usize] = is_on_side;
    }
    Ok(Some(Cut { side, ..cut }))
}

impl Cut {
    /// The best prefix of a sweep.
    pub(super) fn of(
        curve: &SweepCurve,
        spectrum: &Spectrum,
        config: &ClusterConfig,
    ) -> Option<Self> {
        let size = curve.best(config.min_size)?;
        let mut side = vec![false; curve.nodes.len()];
        curve.places[..size].iter().for_each(|&place| side[place as usize] = true);
        let (conductance, lambda) = (curve.conductances[size - 1], spectrum.eigenvalues[1]);
        Some(Self { side, conductance, lambda })
    }
}

/// The second eigenvector of a connected graph, and the sweep along it.
pub(super) fn sweep_of(
    graph: &MotifGraph,
    components: &Components,
    config: &ClusterConfig,
    progress: &dyn Progress,
) -> Result<(Spectrum, SweepCurve), ClusterError> {
    let krylov = config.krylov();
    let spectrum = Spectrum::new(graph, components, config.laplacian, 2, &krylov, progress)?;
    let curve = SweepCurve::new(graph, &spectrum.fiedler(graph, config.laplacian));
    Ok((spectrum, curve))
}
