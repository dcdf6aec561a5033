//! `motifnet report`: a run, or several side by side, as one HTML page.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use motifnet::io::{WholeFile, WriteError};
use motifnet_report::Figure;
use motifnet_report::page::Page;
use motifnet_report::to_png;
use serde::Serialize;

use super::report_run::{page_of_one, page_of_several};
use crate::failure::Failure;
use crate::numbers::bytes;
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
    output: PathBuf,
    nodes: Vec<String>,
    figures: Option<PathBuf>,
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
        let output = output.unwrap_or_else(|| match &runs[..] {
            [run] => run.join(FILE),
            _ => PathBuf::from(FILE),
        });
        Ok(ReportConfig { runs, output, nodes: node, figures })
    }
}

/// What a page is called unless told otherwise.
const FILE: &str = "report.html";
/// Pixels of a PNG for every pixel of its SVG.
const SCALE: f32 = 2.0;

impl ReportConfig {
    pub(crate) fn run(&self, session: &Session) -> Result<ReportReport, Failure> {
        let page = match &self.runs[..] {
            [run] => page_of_one(run, &self.nodes, session)?,
            runs => page_of_several(runs)?,
        };
        let notes = notes(&page);
        notes.iter().for_each(|note| session.note(note));
        let html = page.to_html();
        // All is made and written before the first file appears under its name.
        let mut files = vec![begin(&self.output, html.as_bytes())?];
        let mut figures = Vec::new();
        if let Some(folder) = &self.figures {
            let pictures = pictures(&page)?;
            std::fs::create_dir_all(folder).map_err(|error| WriteError::io(folder, error))?;
            for Picture { name, svg, png } in pictures {
                let [svg_path, png_path] =
                    ["svg", "png"].map(|ending| folder.join(format!("{name}.{ending}")));
                files.push(begin(&svg_path, svg.as_bytes())?);
                files.push(begin(&png_path, &png)?);
                figures.push(FigureFiles {
                    svg: svg_path.display().to_string(),
                    png: png_path.display().to_string(),
                    n_bytes: (svg.len() + png.len()) as u64,
                });
            }
        }
        files.into_iter().try_for_each(WholeFile::commit)?;
        Ok(ReportReport {
            file: self.output.display().to_string(),
            n_bytes: html.len() as u64,
            n_figures: page.figures().count(),
            figures,
            notes,
        })
    }
}

/// What the page says is missing, or to be careful about.
fn notes(page: &Page) -> Vec<String> {
    let notes = page.notes();
    notes.map(|note| note.trim_end_matches('.').to_owned()).collect()
}

/// A figure as the bytes of its files.
struct Picture {
    name: String,
    svg: String,
    png: Vec<u8>,
}

fn pictures(page: &Page) -> Result<Vec<Picture>, Failure> {
    let mut pictures: Vec<Picture> = Vec::new();
    for Figure { name, svg, .. } in page.figures() {
        let is_taken = |name: &str| pictures.iter().any(|picture| picture.name == name);
        let numbered = (2..).map(|number| format!("{name}-{number}"));
        let mut names = [name.clone()].into_iter().chain(numbered);
        let unique = names.find(|name| !is_taken(name)).unwrap_or_else(|| name.clone());
        let png = to_png(svg, SCALE).map_err(Failure::run)?;
        pictures.push(Picture { name: unique, svg: svg.clone(), png });
    }
    Ok(pictures)
}

/// A file with all its content, still to be committed.
fn begin(path: &Path, content: &[u8]) -> Result<WholeFile, Failure> {
    let mut file = WholeFile::create_plain(path)?;
    file.write_all(content).map_err(|error| WriteError::io(path, error))?;
    Ok(file)
}

/// What was written.
#[derive(Serialize)]
pub(crate) struct ReportReport {
    file: String,
    n_bytes: u64,
    n_figures: usize,
    /// The files of the figures, if they were asked for.
    figures: Vec<FigureFiles>,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct FigureFiles {
    svg: String,
    png: String,
    n_bytes: u64,
}

impl Report for ReportReport {
    fn text(&self) -> String {
        let mut facts = Table::of_facts();
        facts.fact("page", format!("{} ({})", self.file, bytes(self.n_bytes)));
        facts.fact("figures", self.n_figures.to_string());
        let files = self.figures.iter().flat_map(|files| [&files.svg, &files.png]);
        files.for_each(|file| facts.fact("", file.clone()));
        facts.render()
    }
}
