//! `motifnet reproduce`: the paper's evaluation, and a page of what came of it.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use motifnet::data::citation::{self, CitationConfig};
use motifnet::data::{DatasetSource, NodeDataset};
use motifnet::experiment::paper::{
    Extent, PLAN_FILE, PaperError, PaperPlan, PaperResults, PaperRun,
};
use motifnet::io::Place;
use motifnet::train::{RunFolder, Settings, TIMING_FILE, TrainedModel};
use motifnet_report::{ReproductionParts, reproduction_page};
use serde::Serialize;

use super::orders::Orders;
use super::reproduce_report::ReproduceReport;
use super::train_run::{check_is_folder, refuse_other};
use crate::failure::Failure;
use crate::input_files::InputFiles;
use crate::interrupt::pause_on_interrupt;
use crate::page_files::{PAGE_FILE, WrittenPage};
use crate::read_data::read_data;
use crate::session::Session;
use crate::setting_args::text_of_path;

const RESULTS_FILE: &str = "results.json";
const TABLE_FILE: &str = "results.csv";
const OUTPUTS: [&str; 4] = [RESULTS_FILE, TABLE_FILE, TIMING_FILE, PAGE_FILE];
/// Where the generated data set is kept.
const DATA: &str = "data";
/// Where the figures are kept.
const FIGURES: &str = "figures";

/// Repeat the evaluation of the MotifNet paper and show what holds, as one HTML page
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  motifnet reproduce
  motifnet reproduce --full --out full
  motifnet reproduce --dataset data/cora-ml --orders 1-3 --splits 10 --out cora-ml
  motifnet reproduce --dataset cora-full --full --out cora-full
  motifnet reproduce --nodes 5000 --seed 7

Without --dataset a citation-like graph is generated, as `motifnet generate citation` does.
Operators are selected as in the paper: sixteen at order 1, one model a split, the model with the
least validation cross-entropy, and of its operators those with at least an even share of the
attention. Then ChebNet U and MotifNet-m are trained at all orders up to 8, ChebNet W, ChebNet Wᵀ
and MotifNet-d at those up to 5, and beside them, as ours, MotifNet-m with M10, with the selected
operators, and with four heads, up to order 5. Without --full ours are trained at order 1 alone,
and all with a learning rate of 0.005, the paper's being 0.001, until 40 epochs bring no smaller
validation loss, not 200: a third of the time, for accuracies one to three points lower.

The folder of --out gets report.html, results.json, results.csv, figures as SVG and PNG, and in
runs every training: its settings, epochs and metrics, and the models that operators are selected
from. A command that was interrupted goes on where it was when it is given again; with more
--orders or --splits it trains only what is new.")]
pub(crate) struct ReproduceArgs {
    /// A folder with a dataset.toml, one .npz archive, or the name of a known data set
    #[arg(long, value_name = "PATH")]
    dataset: Option<PathBuf>,

    /// Nodes of the generated data set [default: 2000]
    #[arg(long, value_name = "N", conflicts_with = "dataset")]
    nodes: Option<usize>,

    /// A quick look, which is the default: orders 1, 2 and 4 on 5 splits
    #[arg(long, conflicts_with = "full")]
    quick: bool,

    /// The paper's whole evaluation: orders 1 to 8 on 10 splits
    #[arg(long)]
    full: bool,

    /// Other orders, as 1,2,4 or 1-8
    #[arg(long, value_name = "ORDERS")]
    orders: Option<Orders>,

    /// Another number of splits
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    splits: Option<u32>,

    /// Where all draws come from: the generated data, splits, first weights, dropout
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,

    /// Features of the nodes, in place of those of the data set: FILE, one-hot, degrees, motifs, roles
    #[arg(long, value_name = "FILE", requires = "dataset")]
    features: Option<String>,

    /// Which nodes are for training, validation and test, as 10/10/10
    #[arg(long, value_name = "SPLIT")]
    split: Option<String>,

    /// The most epochs of a training
    #[arg(long, value_name = "N")]
    epochs: Option<u64>,

    /// Make one setting of all trainings, as train.lr=0.01; any number of times
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,

    /// Keep everything in this folder
    #[arg(long, value_name = "DIR", default_value = "reproduction")]
    out: PathBuf,

    /// Begin anew: the trainings in the folder of --out are removed
    #[arg(long)]
    force: bool,
}

/// What is to be done.
pub(crate) struct ReproduceConfig {
    plan: PaperPlan,
    /// What is generated, if no data set is named.
    generated: Option<CitationConfig>,
    /// What does it again, where it does not matter where to.
    command: String,
    out: PathBuf,
    force: bool,
}

/// Settings that differ from contestant to contestant.
const DECIDED: [&str; 5] =
    ["model.name", "model.order", "model.heads", "model.motifs", "model.operator"];

impl ReproduceArgs {
    pub(crate) fn check(self) -> Result<ReproduceConfig, Failure> {
        check_is_folder(&self.out)?;
        let extent = if self.full { Extent::FULL } else { Extent::QUICK };
        let orders = self.orders.clone().map_or_else(|| extent.orders.to_vec(), |orders| orders.0);
        let n_splits = self.splits.map_or(extent.n_splits, |splits| splits as usize);
        let generated = match (&self.dataset, self.nodes) {
            (Some(_), _) => None,
            (None, None) => Some(CitationConfig::default()),
            (None, Some(n_nodes)) => Some(CitationConfig::of_size(n_nodes)),
        };
        let base = self.settings(&extent)?.config().clone();
        let outputs = OUTPUTS.map(|name| self.out.join(name));
        let inputs = InputFiles::default().with_data(&base.data, "a file of the data");
        inputs.check_outputs(&outputs.each_ref().map(PathBuf::as_path))?;
        let our_largest_order = extent.our_largest_order;
        let plan = PaperPlan { orders, our_largest_order, n_splits, base };
        let command = self.command(&plan);
        Ok(ReproduceConfig { plan, generated, command, out: self.out, force: self.force })
    }

    /// The command that trains the same.
    fn command(&self, plan: &PaperPlan) -> String {
        let mut command = "motifnet reproduce".to_owned();
        if self.full {
            command += " --full";
        }
        let mut add = |flag: &str, value: Option<String>| {
            if let Some(value) = value {
                command += &format!(" {flag} {value}");
            }
        };
        add("--dataset", self.dataset.as_ref().map(|path| path.display().to_string()));
        add("--nodes", self.nodes.map(|nodes| nodes.to_string()));
        let orders: Vec<String> = plan.orders.iter().map(ToString::to_string).collect();
        add("--orders", Some(orders.join(",")));
        add("--splits", Some(plan.n_splits.to_string()));
        add("--seed", Some(self.seed.to_string()));
        add("--features", self.features.clone());
        add("--split", self.split.as_ref().map(|split| format!("\"{split}\"")));
        add("--epochs", self.epochs.map(|epochs| epochs.to_string()));
        self.set.iter().for_each(|setting| add("--set", Some(format!("\"{setting}\""))));
        command
    }

    fn settings(&self, extent: &Extent) -> Result<Settings, Failure> {
        let mut settings = Settings::default();
        let patience = extent.patience as i64;
        settings.set("train.patience", patience.into(), "--quick").map_err(Failure::usage)?;
        settings.set("train.lr", extent.rate.into(), "--quick").map_err(Failure::usage)?;
        for text in &self.set {
            let key = text.split_once('=').map_or("", |(key, _)| key.trim());
            if DECIDED.contains(&key) || key.starts_with("run.") || key == "data.dataset" {
                let message = anyhow::anyhow!("--set {text}: the evaluation decides {key} itself");
                return Err(Failure::usage(message)
                    .hint("`motifnet train` and `motifnet compare` are for one model"));
            }
            settings.set_text(text, "--set").map_err(Failure::usage)?;
        }
        let dataset = self.dataset.as_deref().map(text_of_path).transpose()?;
        let seed = i64::try_from(self.seed).map_err(|_| {
            let message = anyhow::anyhow!("--seed {}: the largest is {}", self.seed, i64::MAX);
            Failure::usage(message)
        })?;
        let given: [(&str, Option<toml::Value>, &str); 5] = [
            ("data.dataset", dataset.map(Into::into), "--dataset"),
            ("data.features", self.features.clone().map(Into::into), "--features"),
            ("data.split", self.split.clone().map(Into::into), "--split"),
            ("train.epochs", self.epochs.map(|epochs| (epochs as i64).into()), "--epochs"),
            ("train.seed", Some(seed.into()), "--seed"),
        ];
        for (key, value, flag) in given {
            if let Some(value) = value {
                settings.set(key, value, flag).map_err(Failure::usage)?;
            }
        }
        Ok(settings)
    }
}

/// Every reading of a clock.
#[derive(Serialize)]
struct Timing {
    seconds: f64,
    threads: usize,
}

impl ReproduceConfig {
    /// Refuses to replace files that no evaluation wrote.
    fn check_free(&self) -> Result<(), Failure> {
        let is_ours = self.force || self.out.join(PLAN_FILE).exists();
        let mut outputs = OUTPUTS.map(|name| self.out.join(name)).into_iter();
        let Some(file) = outputs.find(|file| !is_ours && file.exists()) else { return Ok(()) };
        let message = anyhow::anyhow!("{} is there already", file.display());
        Err(Failure::usage(message).hint(format!(
            "{} has no {PLAN_FILE}, so it is no evaluation's; name another folder with --out, or add --force to \
             replace it",
            self.out.display()
        )))
    }

    pub(crate) fn run(&self, session: &Session) -> Result<ReproduceReport, Failure> {
        let start = Instant::now();
        // First of all, so that a wrong name does not cost a long run.
        let (folder, _claim) = RunFolder::claim(&self.out).map_err(Failure::run)?;
        if folder.holds_a_run() {
            return Err(refuse_other(&self.out, "a run"));
        }
        self.check_free()?;
        let (plan, dataset) = self.data(session)?;
        let run = PaperRun {
            dataset: &dataset,
            plan: &plan,
            folder: &self.out,
            begins_anew: self.force,
            pause: pause_on_interrupt(session),
            progress: session.progress(),
        };
        let results = run.run().map_err(failure)?;
        let results = results.ok_or_else(|| self.paused())?;
        self.write(&folder, &results)?;
        let page = self.write_page(&results, &dataset)?;
        let timing = Timing {
            seconds: start.elapsed().as_secs_f64(),
            threads: rayon::current_num_threads(),
        };
        folder.write_json(TIMING_FILE, &timing).map_err(Failure::run)?;
        Ok(ReproduceReport { results, folder: self.out.clone(), page })
    }

    /// The data that is named, or that is generated and kept.
    fn data(&self, session: &Session) -> Result<(PaperPlan, NodeDataset), Failure> {
        let mut plan = self.plan.clone();
        if let Some(config) = &self.generated {
            let seed = plan.base.train.seed;
            // Other citations have another name, so that trainings never lose what they learnt from.
            let name = format!("citations-{}-seed-{seed}", config.n_nodes);
            let folder = Place::within(&self.out, Path::new(DATA).join(name));
            let data = citation::generate(config, seed)?;
            data.write_dataset(&folder).map_err(Failure::run)?;
            let dataset = Some(folder.path().to_owned());
            plan.base.data = DatasetSource { dataset, ..plan.base.data };
        }
        let dataset = read_data(&plan.base.data, session)?;
        Ok((plan, dataset))
    }

    fn write(&self, folder: &RunFolder, results: &PaperResults) -> Result<(), Failure> {
        folder.write_json(RESULTS_FILE, results).map_err(Failure::run)?;
        folder.write(TABLE_FILE, results.to_csv().as_bytes()).map_err(Failure::run)
    }

    fn write_page(
        &self,
        results: &PaperResults,
        dataset: &NodeDataset,
    ) -> Result<WrittenPage, Failure> {
        let model = PaperRun::selection_folder(&self.out, &results.selection);
        let model = TrainedModel::read(&model)?;
        let parts = ReproductionParts { results, dataset, model: &model, command: &self.command };
        let page = reproduction_page(&parts);
        let place = |name: &str| Place::within(&self.out, name);
        WrittenPage::write(&page, &place(PAGE_FILE), Some(&place(FIGURES)))
    }

    fn paused(&self) -> Failure {
        let message = anyhow::anyhow!("paused; every finished training is kept");
        Failure::paused(message)
            .hint(format!("to go on: the same command again, with --out {}", self.out.display()))
    }
}

fn failure(error: PaperError) -> Failure {
    match error {
        PaperError::OtherTrainings(_) | PaperError::NoEvaluation { .. } => Failure::usage(error),
        PaperError::Train(error) => error.into(),
        error => Failure::run(error),
    }
}
