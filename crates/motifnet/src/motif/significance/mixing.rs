//! Whether the samples of chains are as good as drawn.

use super::chain::ChainPlan;
use super::class::ClassSignificance;
use super::config::NullModel;
use super::samples::Samples;

/// How well samples are mixed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mixing {
    /// Switches tried for every arc between one sample and the next.
    pub switches: usize,
    /// Chains, each from the graph itself.
    pub n_chains: usize,
    /// Switches tried in all.
    pub n_tried: u64,
    /// The share of them that changed the graph.
    pub acceptance: f64,
    /// The largest correlation, over M1 to M13, of one sample and the next on its chain.
    pub autocorrelation: Option<f64>,
    /// That of noise alone: two standard errors of a correlation of so many pairs.
    pub noise: f64,
}

impl Mixing {
    /// What chains went through; `None` if samples were drawn.
    pub(super) fn new(
        plan: &ChainPlan<'_>,
        samples: &Samples,
        classes: &[ClassSignificance],
    ) -> Option<Self> {
        if plan.config.null == NullModel::Erdos {
            return None;
        }
        let n_tried = plan.n_tried();
        let n_done: u64 = samples.chains.iter().map(|chain| chain.n_done).sum();
        let n_pairs = samples.len().saturating_sub(samples.chains.len());
        let motifs = classes.iter().filter(|class| class.motif.is_some());
        Some(Self {
            switches: plan.config.switches,
            n_chains: samples.chains.len(),
            n_tried,
            acceptance: if n_tried == 0 { 0.0 } else { n_done as f64 / n_tried as f64 },
            autocorrelation: motifs.filter_map(|class| class.autocorrelation).reduce(f64::max),
            noise: 2.0 / (n_pairs.max(1) as f64).sqrt(),
        })
    }

    /// Whether samples depend on those before them by more than noise can explain.
    ///
    /// Of thirteen correlations the largest is looked at, so the bound is one and a half times the noise;
    /// a tenth, which makes spreads a tenth too small at most, is let pass.
    pub fn is_poor(&self) -> bool {
        self.autocorrelation.is_some_and(|largest| largest > (1.5 * self.noise).max(0.1))
    }

    /// Whether no switch was possible: no other graph is like this one.
    pub fn is_stuck(&self) -> bool {
        self.acceptance == 0.0
    }
}
