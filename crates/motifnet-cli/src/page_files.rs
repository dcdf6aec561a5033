//! A page and its figures as files.

use std::io::Write;
use std::path::Path;

use motifnet::io::{Place, WholeFile, WriteError};
use motifnet_report::page::Page;
use motifnet_report::{Figure, to_png};
use serde::Serialize;

use crate::failure::Failure;

/// What a page is called unless told otherwise.
pub(crate) const PAGE_FILE: &str = "report.html";
/// Pixels of a PNG for every pixel of its SVG.
pub(crate) const SCALE: f32 = 2.0;

/// Refuses a name that no page has.
pub(crate) fn check_page_name(path: &Path) -> Result<(), Failure> {
    let ending = path.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase);
    if matches!(ending.as_deref(), Some("html" | "htm")) {
        return Ok(());
    }
    let message = anyhow::anyhow!("{}: a page is HTML", path.display());
    Err(Failure::usage(message).hint("let the name end in .html or .htm"))
}

/// The files of a page.
#[derive(Serialize)]
pub(crate) struct WrittenPage {
    pub(crate) file: String,
    pub(crate) n_bytes: u64,
    pub(crate) n_figures: usize,
    /// The files of the figures, if they were asked for.
    pub(crate) figures: Vec<FigureFiles>,
}

/// The files of a figure.
#[derive(Serialize)]
pub(crate) struct FigureFiles {
    pub(crate) svg: String,
    pub(crate) png: String,
    n_bytes: u64,
}

impl WrittenPage {
    /// Writes a page and, if a folder is given, its figures as SVG and PNG: all of them or none.
    pub(crate) fn write(
        page: &Page,
        output: &Place,
        folder: Option<&Place>,
    ) -> Result<Self, Failure> {
        let html = page.to_html();
        // All is made and written before the first file appears under its name.
        let mut files = vec![begin(output, html.as_bytes())?];
        let mut figures = Vec::new();
        if let Some(folder) = folder {
            let pictures = pictures(page)?;
            folder.make_folder()?;
            for Picture { name, svg, png } in pictures {
                let [svg_path, png_path] =
                    ["svg", "png"].map(|ending| folder.join(format!("{name}.{ending}")));
                files.push(begin(&svg_path, svg.as_bytes())?);
                files.push(begin(&png_path, &png)?);
                figures.push(FigureFiles {
                    svg: svg_path.path().display().to_string(),
                    png: png_path.path().display().to_string(),
                    n_bytes: (svg.len() + png.len()) as u64,
                });
            }
        }
        WholeFile::commit_all(files)?;
        Ok(Self {
            file: output.path().display().to_string(),
            n_bytes: html.len() as u64,
            n_figures: page.figures().count(),
            figures,
        })
    }
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
fn begin(place: &Place, content: &[u8]) -> Result<WholeFile, Failure> {
    let mut file = WholeFile::create_plain(place)?;
    file.write_all(content).map_err(|error| WriteError::io(place.path(), error))?;
    Ok(file)
}
