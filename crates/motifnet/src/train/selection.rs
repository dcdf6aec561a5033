//! Which operators are worth their while: found by attention, as in the paper.

use std::path::Path;

use super::error::TrainError;
use super::model::{ModelConfig, ModelKind};
use super::motif_choice::{CANDIDATES, MotifChoice};
use super::observer::Observer;
use super::run::PreparedRun;
use super::run_config::RunConfig;
use crate::data::{NodeDataset, Split};
use crate::motif::MotifKind;
use crate::nn::{Network, attention};
use crate::progress::Progress;

/// Operators with so many times the entries of `U` are left out, as the paper left out M10.
const TOO_DENSE: usize = 32;

/// The operators that a network attends to.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct MotifSelection {
    /// Every candidate that was tried, with its share of the attention, largest first.
    pub attention: Vec<(MotifKind, f64)>,
    /// Those with at least an even share, in the order of the candidates.
    pub kept: Vec<MotifKind>,
    /// Those with too many entries to be tried.
    pub too_dense: Vec<MotifKind>,
}

/// Trains a MotifNet-m of order 1 with one attention over all [`CANDIDATES`] and keeps the operators
/// that get at least an even share of it: the mean of α over features and layers. `None` if the observer
/// paused the training.
///
/// # Errors
/// As [`PreparedRun::new`] and [`PreparedRun::run`].
pub fn select_motifs(
    dataset: &NodeDataset,
    config: &RunConfig,
    split: &Split,
    observer: &mut dyn Observer,
    progress: &dyn Progress,
) -> Result<Option<MotifSelection>, TrainError> {
    let no_cache: Option<&Path> = None;
    let over = |kinds: Vec<MotifKind>| {
        let motifs = MotifChoice::These(kinds);
        let (kind, order, heads) = (ModelKind::MotifnetM, 1, 1);
        let model = ModelConfig { kind, order, heads, motifs, ..config.model.clone() };
        let config = RunConfig { model, ..config.clone() };
        PreparedRun::new(dataset, &config, no_cache, progress)
    };
    let mut prepared = over(CANDIDATES.to_vec())?;
    let sizes = prepared.operators().parts.iter().map(|parts| parts.n_entries());
    let sizes: Vec<usize> = sizes.collect();
    let is_too_dense = |at: usize| sizes[at] > TOO_DENSE * sizes[0].max(1);
    let places = 0..CANDIDATES.len();
    let (dense, tried): (Vec<usize>, Vec<usize>) = places.partition(|&at| is_too_dense(at));
    let [too_dense, tried] =
        [dense, tried].map(|places| places.iter().map(|&at| CANDIDATES[at]).collect::<Vec<_>>());
    if !too_dense.is_empty() {
        prepared = over(tried.clone())?;
    }
    let Some(trained) = prepared.run(split, config.train.seed, None, observer)? else {
        return Ok(None);
    };
    let network = prepared.network()?.expect("MotifNet-m is a network");
    let selection = MotifSelection::read_off(&network, &trained.parameters, &tried);
    Ok(Some(MotifSelection { too_dense, ..selection }))
}

impl MotifSelection {
    /// What a trained MotifNet-m over `kinds` attends to.
    ///
    /// # Panics
    /// If the network has another number of operators or parameters.
    pub fn read_off(network: &Network, parameters: &[f32], kinds: &[MotifKind]) -> Self {
        assert_eq!(network.n_operators(), kinds.len(), "operators and their names");
        let shares = shares(network, parameters, kinds.len());
        let even = 1.0 / kinds.len() as f64;
        let kept = kinds.iter().zip(&shares).filter(|&(_, &share)| share >= even);
        let kept = kept.map(|(&kind, _)| kind).collect();
        let mut attention: Vec<(MotifKind, f64)> = kinds.iter().copied().zip(shares).collect();
        attention.sort_by(|a, b| b.1.total_cmp(&a.1));
        Self { attention, kept, too_dense: Vec::new() }
    }
}

/// The mean of the attention to each operator over all layers.
fn shares(network: &Network, parameters: &[f32], n_operators: usize) -> Vec<f64> {
    let parameters: Vec<f64> = parameters.iter().map(|&value| value.into()).collect();
    let mut sums = vec![0.0; n_operators];
    let rows = attention(network, &parameters);
    rows.iter().for_each(|row| sums[row.operator] += row.mean);
    let n_places = rows.len() as f64 / n_operators as f64;
    sums.into_iter().map(|sum| sum / n_places).collect()
}
