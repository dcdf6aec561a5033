//! `--plot FILE`: a result drawn, as a picture or as a page.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use motifnet::io::{WholeFile, WriteError};
use motifnet_report::page::Page;
use motifnet_report::to_png;

use crate::failure::Failure;
use crate::page_files::SCALE;

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

    /// Begins the files, before there is anything to draw: a wrong name should not cost a long run.
    pub(crate) fn create(&self) -> Result<BegunPlots, Failure> {
        let begin =
            |(path, form): &(PathBuf, PlotForm)| Ok((WholeFile::create_plain(path)?, *form));
        self.0.iter().map(begin).collect::<Result<_, Failure>>().map(BegunPlots)
    }
}

/// Files to draw to, begun and not yet there.
pub(crate) struct BegunPlots(Vec<(WholeFile, PlotForm)>);

impl BegunPlots {
    /// Draws a page, or its first figure, if there is a file for it: files with all their content, still to be
    /// committed.
    pub(crate) fn draw(self, page: impl FnOnce() -> Page) -> Result<Vec<WholeFile>, Failure> {
        if self.0.is_empty() {
            return Ok(Vec::new());
        }
        let page = page();
        let picture = page.figures().next().map_or("", |figure| figure.svg.as_str());
        let draw = |(mut file, form): (WholeFile, PlotForm)| {
            let content = match form {
                PlotForm::Svg => picture.as_bytes().to_vec(),
                PlotForm::Png => to_png(picture, SCALE).map_err(Failure::run)?,
                PlotForm::Html => page.to_html().into_bytes(),
            };
            let written = file.write_all(&content);
            written.map_err(|error| WriteError::io(file.path(), error))?;
            Ok(file)
        };
        self.0.into_iter().map(draw).collect()
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
