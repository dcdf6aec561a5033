//! The graph that a command is about, and how its file is to be read.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use motifnet::data::DatasetSource;
use motifnet::graph::read::{Column, ColumnOptions, WeightColumn};
use motifnet::graph::{
    BuildOptions, GraphFormat, LoadedGraph, ReadOptions, RepeatedArcs, read_graph,
};

use crate::failure::Failure;
use crate::input_files::InputFiles;
use crate::numbers::plural;
use crate::report::GraphReport;
use crate::session::Session;

/// GRAPH and what the user says about it.
#[derive(Clone, Debug, Args)]
pub(crate) struct GraphArgs {
    /// A graph file, or the folder of a data set with a dataset.toml
    ///
    /// Read are text edge lists (.tsv, .csv, .txt, …), MatrixMarket (.mtx), NumPy archives (.npz),
    /// GML and Parquet; all but Parquet also compressed (.gz, .zst).
    #[arg(value_name = "GRAPH")]
    graph: PathBuf,

    /// The format of the file [default: found from its name and content]
    #[arg(long, value_name = "FORMAT", help_heading = READING, value_parser = format_parser())]
    input_format: Option<GraphFormat>,

    /// Add the reverse of every arc
    #[arg(long, help_heading = READING)]
    undirected: bool,

    /// What the weight of an arc that occurs several times is
    #[arg(long, value_enum, value_name = "WHICH", default_value_t, help_heading = READING)]
    repeats: Repeats,

    /// The nodes are 0, 1, … up to N − 1, whether they have arcs or not
    #[arg(long, value_name = "N", allow_negative_numbers = true, help_heading = READING)]
    nodes: Option<u32>,

    /// The column where arcs start: its name, or its place from 1
    #[arg(long, value_name = "COLUMN", help_heading = READING)]
    source: Option<Column>,

    /// The column where arcs end
    #[arg(long, value_name = "COLUMN", help_heading = READING)]
    target: Option<Column>,

    /// The column with the weights, or `none` to leave them out
    #[arg(long, value_name = "COLUMN", help_heading = READING)]
    weight: Option<WeightColumn>,

    /// Whether the first line of a text file names the columns [default: found from the file]
    #[arg(long, value_enum, value_name = "YES|NO", hide_possible_values = true, help_heading = READING)]
    header: Option<YesNo>,

    /// What stands between the fields of a text file: `tab`, `comma`, `semicolon`, `space` (any
    /// run of blanks) or one character [default: found from the file]
    #[arg(long, value_name = "CHAR", value_parser = parse_delimiter, help_heading = READING)]
    delimiter: Option<u8>,

    /// The most that may come out of a compressed file, in megabytes [default: 64000]
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..), help_heading = READING)]
    max_decompressed: Option<u64>,
}

const READING: &str = "Reading options";

/// What becomes of the weights when an arc occurs several times.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Repeats {
    /// they are added up
    #[default]
    Sum,
    /// the largest is kept
    Max,
    /// the first is kept
    First,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum YesNo {
    Yes,
    No,
}

/// A graph file and how to read it.
#[derive(Clone, Debug)]
pub(crate) struct GraphConfig {
    path: PathBuf,
    options: ReadOptions,
}

impl GraphArgs {
    pub(crate) fn check(self) -> GraphConfig {
        let repeats = match self.repeats {
            Repeats::Sum => RepeatedArcs::Sum,
            Repeats::Max => RepeatedArcs::Max,
            Repeats::First => RepeatedArcs::First,
        };
        let options = ReadOptions {
            format: self.input_format,
            build: BuildOptions { symmetrise: self.undirected, repeats },
            n_nodes: self.nodes,
            columns: ColumnOptions {
                source: self.source,
                target: self.target,
                weight: self.weight.unwrap_or_default(),
            },
            delimiter: self.delimiter,
            header: self.header.map(|header| header == YesNo::Yes),
            max_decompressed_bytes: self
                .max_decompressed
                .map(|megabytes| megabytes.saturating_mul(1_000_000)),
        };
        GraphConfig { path: self.graph, options }
    }
}

impl GraphConfig {
    /// Reads the graph and tells what was dropped or merged.
    pub(crate) fn read(&self, session: &Session) -> Result<(LoadedGraph, GraphReport), Failure> {
        let loaded = read_graph(&self.path, &self.options, session.progress())?;
        let report = GraphReport::new(&self.path, &loaded);
        session.remark(&format!(
            "{}: {}, {} ({})",
            report.path,
            plural(report.n_nodes as u64, "node", "nodes"),
            plural(report.n_arcs as u64, "arc", "arcs"),
            report.format,
        ));
        let header = self.misread_header(loaded.format);
        for note in report.notes.iter().chain(&header) {
            session.note(note);
        }
        if let Some(dropped) = report.cleaning.describe() {
            session.note(&dropped);
        }
        Ok((loaded, report))
    }

    /// The most bytes that may come out of a compressed file.
    pub(crate) fn max_decompressed_bytes(&self) -> Option<u64> {
        self.options.max_decompressed_bytes
    }

    /// What to call the graph: its file without the folder.
    pub(crate) fn name(&self) -> String {
        let name = self.path.file_name().unwrap_or(self.path.as_os_str());
        name.to_string_lossy().into_owned()
    }

    /// The files that it is read from, and those that belong to them.
    pub(crate) fn inputs(&self) -> InputFiles {
        let inputs = InputFiles::default();
        if !self.path.is_dir() {
            return inputs.with(&self.path, "the graph itself");
        }
        let source = DatasetSource { dataset: Some(self.path.clone()), ..DatasetSource::default() };
        inputs.with_data(&source, &format!("a file of the data set {}", self.path.display()))
    }

    /// What to say where the first line was taken for names because a column is asked for by one that looks like a
    /// place: many count from 0.
    fn misread_header(&self, format: GraphFormat) -> Option<String> {
        let ColumnOptions { source, target, weight } = &self.options.columns;
        let weight = match weight {
            WeightColumn::Column(column) => Some(column),
            _ => None,
        };
        let columns =
            [("source", source.as_ref()), ("target", target.as_ref()), ("weight", weight)];
        let is_zero =
            |column: Option<&Column>| matches!(column, Some(Column::Name(name)) if name == "0");
        let (flag, _) = columns.into_iter().find(|&(_, column)| is_zero(column))?;
        let is_guessed = format == GraphFormat::Text && self.options.header.is_none();
        is_guessed.then(|| {
            format!(
                "--{flag} 0 is no place, for places count from 1: the first line of {} was taken for the names \
                 of its columns, one of which is 0",
                self.path.display()
            )
        })
    }
}

fn format_parser() -> impl TypedValueParser<Value = GraphFormat> {
    PossibleValuesParser::new(GraphFormat::ALL.map(GraphFormat::name))
        .try_map(|name| name.parse::<GraphFormat>())
}

fn parse_delimiter(text: &str) -> Result<u8, String> {
    match text {
        "tab" | "\\t" => Ok(b'\t'),
        "comma" => Ok(b','),
        "semicolon" => Ok(b';'),
        "space" => Ok(b' '),
        _ => match text.as_bytes() {
            [byte] if !byte.is_ascii_alphanumeric() && *byte != b'"' => Ok(*byte),
            _ => Err("use tab, comma, semicolon, space, or one character that is no letter, \
                      digit or quote"
                .to_owned()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delimiters_have_names() {
        let found = ["tab", "\\t", ",", "|", "space", "\t"].map(parse_delimiter);
        assert_eq!(found, [b'\t', b'\t', b',', b'|', b' ', b'\t'].map(Ok));
        for wrong in ["", "ab", "x", "7", "é", "\""] {
            assert!(parse_delimiter(wrong).is_err(), "{wrong:?}");
        }
    }
}
