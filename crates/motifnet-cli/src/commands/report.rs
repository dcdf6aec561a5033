//! `motifnet report`: a run, or several side by side, as one HTML page.

use std::path::{Path, PathBuf};

use clap::Args;
use motifnet::io::Place;
use motifnet_report::page::Page;
use serde::Serialize;

use super::report_run::{page_of_one, page_of_several};
use crate::failure::Failure;
use crate::input_files::InputFiles;
use crate::numbers::bytes;
use crate::page_files::{PAGE_FILE, WrittenPage, check_page_name};
use crate::report::Report;
use crate::session::Session;
use crate::table::Table;

/// Make one HTML page of a run, or of several side by side
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  motifnet report run
  motifnet report run --node ann --node bob -o ann-and-bob.html
  motifnet report run --figures figures
  motifnet report runs/chebnet runs/motifnet-m -o comparison.html

The page is one file that loads nothing: it opens from disk, in light and dark, on a phone, and
prints. Point at a value, or go to it with the arrow keys, to read it. Of a run of several splits
the curves, confusions and explanations are those of the first. Several runs are compared with the
first of them, as by `motifnet compare`. What is gone (the data, say) is told as missing; the rest
is shown.")]
pub(crate) struct ReportArgs {
    /// The folders of one or more runs, as `motifnet train --out` wrote them
    #[arg(value_name = "RUN", required = true, num_args = 1..)]
    runs: Vec<PathBuf>,

    /// Write the page to this file [default: RUN/report.html; of several runs report.html]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Explain this node; may be repeated [default: the surest right, the surest wrong, the least sure]
    #[arg(long, value_name = "ID")]
    node: Vec<String>,

    /// Write every figure to this folder, too, as SVG and as PNG
    #[arg(long, value_name = "FOLDER")]
    figures: Option<PathBuf>,
}

/// Runs to tell of.
pub(crate) struct ReportConfig {
    runs: Vec<PathBuf>,
    output: Place,
    nodes: Vec<String>,
    figures: Option<Place>,
}

impl ReportArgs {
    pub(crate) fn check(self) -> Result<ReportConfig, Failure> {
        let Self { runs, output, node, figures } = self;
        for (at, run) in runs.iter().enumerate() {
            if runs[..at].contains(run) {
                let message = anyhow::anyhow!("{} is named twice", run.display());
                return Err(Failure::usage(message).hint("name every run once"));
            }
        }
        if runs.len() > 1 && !node.is_empty() {
            let message =
                anyhow::anyhow!("--node explains a node of one run, not of {}", runs.len());
            return Err(Failure::usage(message).hint("make a page of one run, or leave --node out"));
        }
        if let Some(folder) = figures.as_deref().filter(|path| path.exists() && !path.is_dir()) {
            let message = anyhow::anyhow!("{} is no folder", folder.display());
            return Err(Failure::usage(message).hint("name another with --figures"));
        }
        let output = match (&output, &runs[..]) {
            (Some(output), _) => output.into(),
            (None, [run]) => Place::within(run, PAGE_FILE),
            (None, _) => Place::within(Path::new(""), PAGE_FILE),
        };
        check_page_name(output.path())?;
        let inputs = runs.iter().fold(InputFiles::default(), |inputs, run| inputs.with_run(run));
        inputs.check_outputs(&[output.path()])?;
        let figures = figures.as_ref().map(Place::from);
        Ok(ReportConfig { runs, output, nodes: node, figures })
    }
}

impl ReportConfig {
    pub(crate) fn run(&self, session: &Session) -> Result<ReportReport, Failure> {
        let page = match &self.runs[..] {
            [run] => page_of_one(run, &self.nodes, session)?,
            runs => page_of_several(runs)?,
        };
        let notes = notes(&page);
        notes.iter().for_each(|note| session.note(note));
        let written = WrittenPage::write(&page, &self.output, self.figures.as_ref())?;
        Ok(ReportReport { written, notes })
    }
}

/// What the page says is missing, or to be careful about.
fn notes(page: &Page) -> Vec<String> {
    let notes = page.notes();
    notes.map(|note| note.trim_end_matches('.').to_owned()).collect()
}

/// What was written.
#[derive(Serialize)]
pub(crate) struct ReportReport {
    #[serde(flatten)]
    written: WrittenPage,
    notes: Vec<String>,
}

impl Report for ReportReport {
    fn text(&self) -> String {
        let mut facts = Table::of_facts();
        let page = &self.written;
        facts.fact("page", format!("{} ({})", page.file, bytes(page.n_bytes)));
        facts.fact("figures", page.n_figures.to_string());
        let files = page.figures.iter().flat_map(|files| [&files.svg, &files.png]);
        files.for_each(|file| facts.fact("", file.clone()));
        facts.render()
    }
}
