//! Which operators are relevant, read off the attention of one model.

use super::entry_folder::EntryFolder;
use super::error::PaperError;
use crate::motif::MotifKind;
use crate::train::{CANDIDATES, MotifSelection, RepeatReport, TrainedModel};

/// The operators that the best model over all sixteen attends to.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Selection {
    /// How many models there were to choose from, one a split.
    pub n_models: usize,
    /// The split of the model with the least validation cross-entropy, from 0.
    pub split: usize,
    /// That cross-entropy.
    pub val_loss: f64,
    /// Every operator with its share of the attention, largest first.
    pub attention: Vec<(MotifKind, f64)>,
    /// Those that are relevant.
    pub kept: Vec<MotifKind>,
}

impl Selection {
    /// The rule by which an operator is relevant.
    pub const RULE: &'static str = "an operator is relevant if it has at least an even share of \
        the attention (1/16), the mean of α over all features and both layers";

    /// Reads it off the model with the least validation cross-entropy.
    pub(super) fn new(
        folder: &EntryFolder,
        trainings: &[&RepeatReport],
    ) -> Result<Self, PaperError> {
        let loss = |training: &RepeatReport| training.metrics.val_loss.unwrap_or(f64::INFINITY);
        let best = trainings.iter().min_by(|a, b| loss(a).total_cmp(&loss(b)));
        let best = best.ok_or_else(|| PaperError::NothingSelected("there is none".to_owned()))?;
        let model = TrainedModel::read(&folder.of_split(best.split))?;
        let found = MotifSelection::read_off(&model.network, &model.parameters, &CANDIDATES);
        Ok(Self {
            n_models: trainings.len(),
            split: best.split,
            val_loss: loss(best),
            attention: found.attention,
            kept: found.kept,
        })
    }
}
