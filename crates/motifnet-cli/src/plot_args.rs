//! `--plot FILE`: a result drawn, as a picture or as a page.

use std::path::{Path, PathBuf};

use clap::Args;
use motifnet::io::WholeFile;
use motifnet_report::page::Page;
use motifnet_report::to_png;

use crate::failure::Failure;
use crate::page_files::{SCALE, begin};

/// Where a result is drawn.
#[derive(Clone, Debug, Args)]
pub(crate) struct PlotArgs {
    /// Draw the result to this file, .svg, .png or .html; may be repeated
    ///
    /// A picture is the first figure; a page has all figures and their values.
    #[arg(long, value_name = "FILE")]
    plot: Vec<PathBuf>,
}

/// Files to draw to, each with its form.
#[derive(Clone, Debug)]
pub(crate) struct Plots(Vec<(PathBuf, PlotForm)>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PlotForm {
    Svg,
    Png,
    Html,
}

impl PlotArgs {
    pub(crate) fn check(self) -> Result<Plots, Failure> {
        let with_form = |path: PathBuf| form_of(&path).map(|form| (path, form));
        self.plot.into_iter().map(with_form).collect::<Result<_, Failure>>().map(Plots)
    }
}

fn form_of(path: &Path) -> Result<PlotForm, Failure> {
    let ending = path.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase);
    match ending.as_deref() {
        Some("svg") => Ok(PlotForm::Svg),
        Some("png") => Ok(PlotForm::Png),
        Some("html") => Ok(PlotForm::Html),
        _ => {
            let message = anyhow::anyhow!("{}: cannot tell what to draw", path.display());
            Err(Failure::usage(message).hint("let the name end in .svg, .png or .html"))
        }
    }
}

impl Plots {
    /// The files.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.0.iter().map(|(path, _)| path.as_path())
    }

    /// Whether nothing is to be drawn.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Draws a page, or its first figure: files with all their content, still to be committed.
    pub(crate) fn begin(&self, page: &Page) -> Result<Vec<WholeFile>, Failure> {
        let first = page.figures().next();
        let picture = || first.map_or("", |figure| figure.svg.as_str());
        let file = |(path, form): &(PathBuf, PlotForm)| match form {
            PlotForm::Svg => begin(path, picture().as_bytes()),
            PlotForm::Png => begin(path, &to_png(picture(), SCALE).map_err(Failure::run)?),
            PlotForm::Html => begin(path, page.to_html().as_bytes()),
        };
        self.0.iter().map(file).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_says_the_form() {
        let form = |path: &str| form_of(Path::new(path)).ok();
        assert_eq!(form("a/z.svg"), Some(PlotForm::Svg));
        assert_eq!(form("z.PNG"), Some(PlotForm::Png));
        assert_eq!(form("z.html"), Some(PlotForm::Html));
        assert_eq!([form("svg"), form("z.pdf"), form("")], [None; 3]);
    }
}
