//! From settings and a data set to a run that is ready to be trained.

use motifnet::data::{NodeDataset, Split, SplitError, SplitRule};
use motifnet::train::{
    MotifChoice, PreparedRun, RunConfig, RunFolder, RunReport, Settings, select_motifs,
};

use super::train_run::{Run, RunOrder};
use super::train_watch::{Live, Pausing};
use crate::failure::Failure;
use crate::interrupt::pause_on_interrupt;
use crate::session::Session;

impl<'a> Run<'a> {
    /// Draws the splits, finds motifs if they are to be found, prepares features and operators.
    pub(super) fn prepare(
        order: RunOrder,
        dataset: &'a NodeDataset,
        session: &'a Session,
    ) -> Result<Self, Failure> {
        let RunOrder { settings, folder, begin, mut watch } = order;
        let rule = split_rule(dataset)?;
        // Splits are drawn before any work: one that is not there is told at once.
        let splits = draw_splits(settings.config(), rule, dataset)?;
        let settings = choose_motifs(settings, dataset, &splits[0].1, session)?;
        let config = settings.config();
        let cache = folder.as_ref().map(RunFolder::path);
        let prepared = PreparedRun::new(dataset, config, cache, session.progress())?;
        watch.prepared();
        let report = RunReport::new(dataset, config, rule.to_string());
        Ok(Self { settings, begin, prepared, splits, folder, watch, report, session })
    }
}

fn split_rule(dataset: &NodeDataset) -> Result<&SplitRule, Failure> {
    dataset.split.as_ref().ok_or_else(|| {
        let message = anyhow::anyhow!("the data set {} has no split of its own", dataset.name);
        Failure::run(message).hint("pass one, as --split 10/10/10 or --split 60/20/20")
    })
}

fn draw_splits(
    config: &RunConfig,
    rule: &SplitRule,
    dataset: &NodeDataset,
) -> Result<Vec<(usize, Split)>, Failure> {
    let RunConfig { run, train, .. } = config;
    let numbers = run.first_split..run.first_split.saturating_add(run.repeat);
    let splits = numbers
        .map(|number| Ok((number, rule.split(&dataset.labels, number, train.seed)?)))
        .collect::<Result<Vec<_>, SplitError>>();
    splits.map_err(Failure::run)
}

/// The settings with the operators that were found, if they are to be found.
fn choose_motifs(
    mut settings: Settings,
    dataset: &NodeDataset,
    split: &Split,
    session: &Session,
) -> Result<Settings, Failure> {
    let config = settings.config();
    let model = &config.model;
    if model.motifs != MotifChoice::Auto || !model.kind.has_motifs() {
        return Ok(settings);
    }
    let mut live = Live::begin("choosing motifs".to_owned(), config.train.epochs, 0, session);
    let mut pausing = Pausing { pause: pause_on_interrupt(session), then: &mut live };
    let found = select_motifs(dataset, config, split, &mut pausing, session.progress())?;
    live.finish();
    let Some(found) = found else {
        let message = anyhow::anyhow!("stopped while the motifs were being chosen");
        return Err(Failure::paused(message).hint("nothing is lost but that time"));
    };
    let chosen = MotifChoice::These(found.kept.clone()).to_string();
    let shares = found.attention.iter().map(|(kind, share)| format!("{kind} {share:.3}"));
    session.remark(&format!("attention: {}", shares.collect::<Vec<_>>().join(", ")));
    if !found.too_dense.is_empty() {
        let names: Vec<_> = found.too_dense.iter().map(|kind| kind.name()).collect();
        session.note(&format!("{}: too dense to be tried", names.join(", ")));
    }
    session.remark(&format!("motifs: {chosen}"));
    settings.set("model.motifs", chosen.into(), "--motifs auto").map_err(Failure::usage)?;
    Ok(settings)
}
