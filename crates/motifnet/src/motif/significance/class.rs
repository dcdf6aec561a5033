//! What is counted of every sample, and how the real counts compare.

use super::statistics::{Compared, autocorrelation, difference};
use crate::motif::census::{TRIAD_NAMES, TriadCensus};
use crate::motif::kind::N_TRIADS;
use crate::motif::{Instances, MotifKind};

/// M1 to M13, then the triads that are no motifs.
pub(super) const N_CLASSES: usize = 16;
/// The triads that are no motifs.
const OTHERS: [&str; N_CLASSES - N_TRIADS] = ["003", "012", "102"];

/// Counts of M1 to M13 and of the other triads.
pub(super) type ClassCounts = [u128; N_CLASSES];

/// A motif or triad, in the graph and in the randomised ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClassSignificance {
    /// The motif; `None` of 003, 012 and 102.
    pub motif: Option<MotifKind>,
    /// The name of Holland and Leinhardt.
    pub triad: &'static str,
    /// How many there are in the graph.
    pub count: u128,
    /// Their mean number in the randomised graphs.
    pub mean: f64,
    /// Their standard deviation there.
    pub sd: f64,
    /// (count − mean) / sd; `None` where all randomised graphs have the same number.
    pub z: Option<f64>,
    /// (1 + samples with at least as many) / (1 + samples).
    pub p_more: f64,
    /// (1 + samples with at most as many) / (1 + samples).
    pub p_less: f64,
    /// z / √Σz² over M1 to M13, where no z counts as zero; `None` of what is no motif.
    pub profile: Option<f64>,
    /// The correlation of its number in one sample and in the next on the same chain.
    pub autocorrelation: Option<f64>,
}

impl ClassSignificance {
    /// The name of the motif, or of the triad if it is none.
    pub fn name(&self) -> &'static str {
        self.motif.map_or(self.triad, MotifKind::name)
    }
}

/// The counts of a census, in the order of classes.
pub(super) fn counts(census: &TriadCensus, instances: Instances) -> ClassCounts {
    let induced = MotifKind::triads().map(|kind| census.motif(kind).unwrap_or_default());
    let motifs = instances.counts(&induced);
    let other = |at: usize| census.count(OTHERS[at]).unwrap_or_default();
    std::array::from_fn(|at| motifs.get(at).copied().unwrap_or_else(|| other(at - N_TRIADS)))
}

/// The counts of the graph beside those of the samples, chain by chain.
pub(super) fn compare(
    real: &ClassCounts,
    chains: &[&[ClassCounts]],
    instances: Instances,
) -> Vec<ClassSignificance> {
    // A subgraph has no arcs that it lacks, so there is no subgraph of three nodes apart.
    let n_classes = if instances == Instances::Induced { N_CLASSES } else { N_TRIADS };
    let kinds = MotifKind::triads();
    let mut classes: Vec<ClassSignificance> = (0..n_classes)
        .map(|class| {
            let motif = kinds.get(class).copied();
            let triad = motif.and_then(MotifKind::holland_leinhardt);
            let triad = triad.unwrap_or_else(|| OTHERS[class - N_TRIADS]);
            let chains = chains.iter();
            let samples: Vec<Vec<u128>> =
                chains.map(|chain| chain.iter().map(|counts| counts[class]).collect()).collect();
            one(motif, triad, real[class], &samples)
        })
        .collect();
    let motifs = || classes.iter().filter(|class| class.motif.is_some());
    let length = motifs().filter_map(|class| class.z).map(|z| z * z).sum::<f64>().sqrt();
    for class in classes.iter_mut().filter(|class| class.motif.is_some()) {
        class.profile = Some(class.z.map_or(0.0, |z| z / length.max(f64::MIN_POSITIVE)));
    }
    classes
}

fn one(
    motif: Option<MotifKind>,
    triad: &'static str,
    count: u128,
    chains: &[Vec<u128>],
) -> ClassSignificance {
    debug_assert!(TRIAD_NAMES.contains(&triad));
    // Deviations from the real count are small where the counts themselves may not be.
    let samples = || chains.iter().flatten().map(|&sample| difference(sample, count));
    let n_samples = samples().count();
    let offset = samples().sum::<f64>() / n_samples as f64;
    let squares = samples().map(|sample| (sample - offset) * (sample - offset)).sum();
    let Compared { mean, sd, z } = Compared::new(0.0, offset, squares, n_samples);
    let deviations: Vec<Vec<f64>> = chains
        .iter()
        .map(|chain| chain.iter().map(|&sample| difference(sample, count) - offset).collect())
        .collect();
    let share = |n: usize| (1 + n) as f64 / (1 + n_samples) as f64;
    ClassSignificance {
        motif,
        triad,
        count,
        mean: count as f64 + mean,
        sd,
        z,
        p_more: share(samples().filter(|&sample| sample >= 0.0).count()),
        p_less: share(samples().filter(|&sample| sample <= 0.0).count()),
        profile: None,
        autocorrelation: autocorrelation(deviations.iter().map(Vec::as_slice)),
    }
}
