//! `motifnet significance`: motif counts beside those of randomised graphs.

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use motifnet::motif::{
    MotifEngine, MotifKind, NullModel, SampleKeeper, Significance, SignificanceConfig,
    SignificanceError, significance, significance_kept,
};
use motifnet_report::{SignificanceParts, significance_page};

use super::significance_files::SignificanceFiles;
use super::significance_report::SignificanceReport;
use crate::failure::Failure;
use crate::graph_args::{GraphArgs, GraphConfig};
use crate::interrupt::pause_on_interrupt;
use crate::number_arg::number;
use crate::plot_args::{PlotArgs, Plots};
use crate::session::Session;
use crate::spec_args::InstancesArg;

/// Find out which motifs are more than chance, by counting them in randomised graphs
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  motifnet significance graph.tsv
  motifnet significance graph.tsv --null degree+reciprocal --samples 1000 --seed 1
  motifnet significance graph.tsv --per-node nodes.csv -o motifs.csv --plot profile.svg
  motifnet significance graph.tsv --samples 1000 --checkpoint samples.npz -o motifs.csv
  motifnet significance graph.tsv --null erdos --json

Randomised graphs come from switches of arcs, a→b and c→d to a→d and c→b, tried many times: with
--null degree every node keeps its numbers of arcs in and out, with degree+reciprocal its numbers of
neighbours by an arc in, an arc out and arcs both ways. With erdos only nodes and arcs are as many.
z is how many standard deviations of the randomised graphs the count is from their mean, p the share
of them, with the graph itself, that have as many or more (p>=) or fewer (p<=). The profile is z
divided by the length of all thirteen (Milo et al. 2002, 2004).

With --checkpoint a command that was stopped, by Ctrl-C or otherwise, goes on where it was when it
is given again, to the same numbers; without, it begins anew. Results appear when all is done.")]
pub(crate) struct SignificanceArgs {
    #[command(flatten)]
    graph: GraphArgs,

    /// What randomised graphs keep
    #[arg(
        long,
        value_name = "WHAT",
        default_value = NullModel::default().name(),
        value_parser = null_parser()
    )]
    null: NullModel,

    /// Number of randomised graphs
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        default_value_t = SignificanceConfig::default().n_samples,
        value_parser = number("a whole number from 2 to 10000000", |&n: &usize| n <= 10_000_000)
    )]
    samples: usize,

    /// Switches tried for every arc between one sample and the next
    ///
    /// Before the first sample of a chain of 25 it is ten times as many.
    #[arg(long, value_name = "N", default_value_t = SignificanceConfig::default().switches)]
    switches: usize,

    /// Where all draws come from: the same seed gives the same result
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,

    #[command(flatten)]
    instances: InstancesArg,

    /// Write the table as CSV
    ///
    /// Columns motif,triad,count,mean,sd,z,p_more,p_less,profile,autocorrelation.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Write, for every node, its part in each motif beside that in the randomised graphs
    ///
    /// CSV with the columns node and, for every motif, M1, M1.mean, M1.sd and M1.z.
    #[arg(long, value_name = "FILE")]
    per_node: Option<PathBuf>,

    /// Keep samples in this file as they come, and go on from those that are there
    ///
    /// An archive of NumPy arrays (.npz). It stays, and belongs to this graph and these settings.
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,

    #[command(flatten)]
    plot: PlotArgs,
}

fn null_parser() -> impl TypedValueParser<Value = NullModel> {
    PossibleValuesParser::new(NullModel::ALL.iter().map(|&null| {
        PossibleValue::new(null.name()).help(match null {
            NullModel::Degree => "the numbers of arcs into and out of every node",
            NullModel::DegreeReciprocal => {
                "every node's neighbours by an arc in, out, and both ways"
            }
            NullModel::Erdos => "the numbers of nodes and arcs",
        })
    }))
    .try_map(|word| word.parse::<NullModel>())
}

/// A graph to compare with randomised ones.
pub(crate) struct SignificanceCommand {
    graph: GraphConfig,
    config: SignificanceConfig,
    pub(super) output: Option<PathBuf>,
    pub(super) per_node: Option<PathBuf>,
    checkpoint: Option<PathBuf>,
    plots: Plots,
}

impl SignificanceArgs {
    pub(crate) fn check(self) -> Result<SignificanceCommand, Failure> {
        let config = SignificanceConfig {
            null: self.null,
            n_samples: self.samples,
            switches: self.switches,
            instances: self.instances.instances,
            per_node: self.per_node.is_some(),
            seed: self.seed,
        };
        if self.samples < 2 {
            let message = anyhow::anyhow!("--samples {}: a spread needs at least 2", self.samples);
            return Err(Failure::usage(message).hint("100 tell much, 1000 are usual"));
        }
        if self.switches == 0 && self.null != NullModel::Erdos {
            let message = anyhow::anyhow!("--switches 0: every sample would be the graph itself");
            return Err(Failure::usage(message).hint("10 are usual"));
        }
        let graph = self.graph.check();
        let plots = self.plot.check()?;
        let files = [&self.output, &self.per_node, &self.checkpoint];
        let files = files.into_iter().flatten().map(PathBuf::as_path);
        let outputs: Vec<&Path> = files.chain(plots.paths()).collect();
        graph.inputs().check_outputs(&outputs)?;
        let Self { output, per_node, checkpoint, .. } = self;
        Ok(SignificanceCommand { graph, config, output, per_node, checkpoint, plots })
    }
}

impl SignificanceCommand {
    pub(crate) fn run(&self, session: &Session) -> Result<SignificanceReport, Failure> {
        self.config.samples_need().check()?;
        // First of all, so that a wrong name does not cost a long run.
        let files = SignificanceFiles::create(self)?;
        let plots = self.plots.create()?;
        let (loaded, graph) = self.graph.read(session)?;
        let engine = MotifEngine::planned(&loaded.graph, session.progress())?;
        let found = self.find_out(&engine, session)?;
        tell(&found, session);
        let plots = plots.draw(|| {
            significance_page(&SignificanceParts {
                graph: self.graph.name(),
                n_nodes: loaded.graph.n_nodes(),
                n_arcs: loaded.graph.n_arcs(),
                found: &found,
            })
        })?;
        let mut written = files.write(&found, &loaded.names)?;
        plots.into_iter().try_for_each(motifnet::io::WholeFile::commit)?;
        written.extend(self.plots.paths().map(|path| path.display().to_string()));
        Ok(SignificanceReport::new(graph, &found, written))
    }

    fn find_out(
        &self,
        engine: &MotifEngine<'_>,
        session: &Session,
    ) -> Result<Significance, Failure> {
        let Some(path) = &self.checkpoint else {
            return significance(engine, &self.config, session.progress()).map_err(Failure::run);
        };
        let keeper = SampleKeeper { path, pause: pause_on_interrupt(session) };
        let found = significance_kept(engine, &self.config, &keeper, session.progress());
        let found = found.map_err(|error| match error {
            SignificanceError::Kept { .. } => Failure::usage(error),
            error => Failure::run(error),
        })?;
        found.ok_or_else(|| {
            let path = path.display();
            let message = anyhow::anyhow!("paused; the samples so far are kept in {path}");
            Failure::paused(message).hint("to go on: the same command again")
        })
    }
}

/// What to be careful about.
fn tell(found: &Significance, session: &Session) {
    let Some(mixing) = &found.mixing else { return };
    if mixing.is_stuck() {
        session.note(&format!(
            "no switch was possible: no other graph has these {}, so nothing is more than chance; \
             --null erdos keeps less",
            match found.config.null {
                NullModel::DegreeReciprocal => "degrees and mutual pairs",
                _ => "degrees",
            }
        ));
    } else if mixing.is_poor() {
        session.note(&format!(
            "samples depend on those before them (correlation {:.2}), so spreads may be too small; \
             take more than --switches {}",
            mixing.autocorrelation.unwrap_or_default(),
            mixing.switches
        ));
    }
    let same: Vec<&str> = MotifKind::triads()
        .into_iter()
        .filter(|&kind| found.class(kind).z.is_none() && found.class(kind).count > 0)
        .map(MotifKind::name)
        .collect();
    if !same.is_empty() && !mixing.is_stuck() {
        session.note(&format!("all randomised graphs have as many {}: no z", same.join(", ")));
    }
}
