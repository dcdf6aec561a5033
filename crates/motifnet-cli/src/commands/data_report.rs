//! What is said of known data sets.

use std::path::Path;

use motifnet::data::catalog::KnownDataset;
#[cfg(feature = "fetch")]
use motifnet::data::catalog::{FetchedDataset, Origin};
use serde::Serialize;

use crate::numbers::{bytes, grouped};
use crate::report::Report;
#[cfg(feature = "fetch")]
use crate::session::Session;
use crate::table::{Side, Table};

/// All known data sets.
#[derive(Serialize)]
pub(super) struct ListReport {
    home: String,
    datasets: Vec<Listed>,
}

#[derive(Serialize)]
struct Listed {
    name: &'static str,
    about: &'static str,
    nodes: u64,
    arcs: u64,
    classes: Option<u64>,
    features: Option<u64>,
    /// Of all files; none where it is not known before the fetch.
    bytes: Option<u64>,
    /// The most that is accepted.
    largest: u64,
    licence: &'static str,
    source: &'static str,
    cite: &'static str,
    files: Vec<ListedFile>,
    /// The folder, if it was fetched.
    folder: Option<String>,
}

#[derive(Serialize)]
struct ListedFile {
    name: &'static str,
    url: &'static str,
    member: Option<&'static str>,
    bytes: Option<u64>,
    sha256: Option<&'static str>,
}

impl ListReport {
    pub(super) fn new(known: &'static [KnownDataset], home: &Path) -> Self {
        let datasets = known.iter().map(|known| Listed::new(known, home)).collect();
        Self { home: home.display().to_string(), datasets }
    }
}

impl Listed {
    fn new(known: &'static KnownDataset, home: &Path) -> Self {
        let folder = home.join(&known.name);
        let files = known.files.iter().map(|file| ListedFile {
            name: &file.name,
            url: &file.url,
            member: file.member.as_deref(),
            bytes: file.bytes,
            sha256: file.sha256.as_deref(),
        });
        Self {
            name: &known.name,
            about: &known.about,
            nodes: known.nodes,
            arcs: known.arcs,
            classes: known.classes,
            features: known.features,
            bytes: known.bytes(),
            largest: known.largest(),
            licence: &known.licence,
            source: &known.source,
            cite: &known.cite,
            files: files.collect(),
            folder: known.is_in(&folder).then(|| folder.display().to_string()),
        }
    }
}

impl Report for ListReport {
    fn text(&self) -> String {
        let (left, right) = (|name| (name, Side::Left), |name| (name, Side::Right));
        let mut table = Table::new([
            left("name"),
            right("nodes"),
            right("arcs"),
            right("classes"),
            right("size"),
            left("licence"),
            left("here"),
            left("what it is"),
        ]);
        for known in &self.datasets {
            let or_none = |count: Option<u64>| count.map_or("–".to_owned(), grouped);
            table.row([
                known.name.to_owned(),
                grouped(known.nodes),
                grouped(known.arcs),
                or_none(known.classes),
                known.bytes.map_or_else(|| format!("≤ {}", bytes(known.largest)), bytes),
                known.licence.to_owned(),
                if known.folder.is_some() { "yes" } else { "no" }.to_owned(),
                known.about.to_owned(),
            ]);
        }
        let home = &self.home;
        format!("{}\nkept in {home}; fetch them by motifnet data fetch NAME\n", table.render())
    }
}

/// Where a data set is.
#[derive(Serialize)]
pub(super) struct WhereReport {
    name: &'static str,
    folder: String,
}

impl WhereReport {
    pub(super) fn new(known: &'static KnownDataset, folder: &Path) -> Self {
        Self { name: &known.name, folder: folder.display().to_string() }
    }
}

impl Report for WhereReport {
    fn text(&self) -> String {
        format!("{}\n", self.folder)
    }
}

/// What was fetched.
#[cfg(feature = "fetch")]
#[derive(Default, Serialize)]
pub(super) struct FetchReport {
    datasets: Vec<Fetched>,
}

#[cfg(feature = "fetch")]
#[derive(Serialize)]
struct Fetched {
    name: &'static str,
    folder: String,
    licence: &'static str,
    cite: &'static str,
    files: Vec<FetchedFile>,
}

#[cfg(feature = "fetch")]
#[derive(Serialize)]
struct FetchedFile {
    name: String,
    bytes: u64,
    sha256: String,
    /// Whether the hash was known before, or is that of the first fetch.
    is_known: bool,
    /// `here`, `fetched` or `resumed`.
    origin: &'static str,
}

#[cfg(feature = "fetch")]
impl FetchReport {
    pub(super) fn add(&mut self, known: &'static KnownDataset, fetched: &FetchedDataset) {
        let files = fetched.files.iter().map(|file| FetchedFile {
            name: file.name.clone(),
            bytes: file.bytes,
            sha256: file.sha256.clone(),
            is_known: file.is_known,
            origin: match file.origin {
                Origin::Here => "here",
                Origin::Fetched => "fetched",
                Origin::Resumed => "resumed",
            },
        });
        self.datasets.push(Fetched {
            name: &known.name,
            folder: fetched.folder.display().to_string(),
            licence: &known.licence,
            cite: &known.cite,
            files: files.collect(),
        });
    }

    /// Tells what is here, where no result will.
    pub(super) fn remark(&self, session: &Session) {
        for Fetched { name, folder, .. } in &self.datasets {
            session.remark(&format!("{name} is in {folder}"));
        }
    }

    /// What a user should know of what was believed.
    pub(super) fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        for known in &self.datasets {
            let new = |file: &&FetchedFile| !file.is_known && file.origin != "here";
            for file in known.files.iter().filter(new) {
                notes.push(format!(
                    "{} of {}: no SHA-256 was known; that of this fetch is recorded and will be asked \
                     for from now on",
                    file.name, known.name
                ));
            }
        }
        notes
    }
}

#[cfg(feature = "fetch")]
impl Report for FetchReport {
    fn text(&self) -> String {
        let mut text = String::new();
        for known in &self.datasets {
            if !text.is_empty() {
                text.push('\n');
            }
            let mut facts = Table::of_facts();
            facts.fact("data set", known.name);
            facts.fact("folder", known.folder.as_str());
            for file in &known.files {
                let FetchedFile { name, origin, .. } = file;
                facts.fact("file", format!("{name} ({}, {origin})", bytes(file.bytes)));
            }
            facts.fact("licence", known.licence);
            facts.fact("cite", known.cite);
            text += &facts.render();
        }
        text
    }
}
