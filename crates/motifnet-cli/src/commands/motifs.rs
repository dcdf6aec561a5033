//! `motifnet motifs`: motif matrices and their Laplacians as files.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use motifnet::data::DatasetSource;
use motifnet::graph::{NODES_COLUMNS, write_nodes_csv};
use motifnet::io::Place;
use motifnet::memory::Need;
use motifnet::motif::{
    DEFAULT_SIZE_WORK, MatrixSize, MatrixTooLarge, MotifEngine, MotifKind, MotifOperator,
    MotifSpec, Representation,
};
use motifnet::progress::Unit;
use motifnet::sparse::{CsrMatrix, MatrixFormat, write_csr};
use motifnet::spectral::{LaplacianForm, MotifLaplacian};
use serde::Serialize;

use crate::failure::Failure;
use crate::graph_args::{GraphArgs, GraphConfig};
use crate::numbers::{bytes, grouped};
use crate::report::{GraphReport, Report};
use crate::session::Session;
use crate::spec_args::{MotifSpecArgs, MotifWord, motifs_of};
use crate::table::{Side, Table};

/// Write motif matrices, or their Laplacians, one file each
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  motifnet motifs graph.tsv --motif M5,M8 --out matrices
  motifnet motifs graph.tsv --motif all --support edges --laplacian rescaled --out matrices
  motifnet motifs graph.tsv --motif M1 --format mtx --out matrices

M5.npz opens with scipy.sparse.load_npz; nodes.csv says which node each row and column is.
Nothing is written if any of the matrices is too large.")]
pub(crate) struct MotifsArgs {
    #[command(flatten)]
    graph: GraphArgs,

    /// Which motifs: `all`, or some of M1 to M13, U, out, in, Ms, Md, Mcoll, Mexpa
    #[arg(long, short, value_name = "NAMES", required = true, value_delimiter = ',')]
    motif: Vec<MotifWord>,

    #[command(flatten)]
    spec: MotifSpecArgs,

    /// Write the normalised Laplacian in place of the matrix
    #[arg(long, value_enum, default_value_t, value_name = "FORM")]
    laplacian: Laplacian,

    /// The folder to write to; it is created, and files of the same names are replaced
    #[arg(long, short, value_name = "DIR")]
    out: PathBuf,

    /// The format of the files
    #[arg(long, value_enum, default_value_t)]
    format: Format,

    /// Refuse matrices with more entries than this
    #[arg(long, value_name = "N", default_value_t = 100_000_000)]
    max_entries: u64,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Laplacian {
    /// the matrix W itself
    #[default]
    None,
    /// I − D^-½ W D^-½
    Plain,
    /// −D^-½ W D^-½, what polynomial filters work on
    Rescaled,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Format {
    /// as scipy.sparse.save_npz writes it
    #[default]
    Npz,
    /// MatrixMarket coordinates; of a symmetric matrix, the lower triangle
    Mtx,
    /// columns row, column and value
    Parquet,
}

/// Matrices to write.
pub(crate) struct MotifsConfig {
    graph: GraphConfig,
    kinds: Vec<MotifKind>,
    spec: MotifSpec,
    laplacian: Option<LaplacianForm>,
    out: PathBuf,
    format: MatrixFormat,
    ending: &'static str,
    max_entries: u64,
}

impl MotifsArgs {
    pub(crate) fn check(self) -> Result<MotifsConfig, Failure> {
        if self.out.exists() && !self.out.is_dir() {
            let message = anyhow::anyhow!("{} is a file, not a folder", self.out.display());
            return Err(Failure::usage(message).hint("name a folder with --out"));
        }
        let (format, ending) = match self.format {
            Format::Npz => (MatrixFormat::Npz, "npz"),
            Format::Mtx => (MatrixFormat::Mtx, "mtx"),
            Format::Parquet => (MatrixFormat::Parquet, "parquet"),
        };
        let config = MotifsConfig {
            graph: self.graph.check(),
            kinds: motifs_of(&self.motif),
            spec: self.spec.spec(),
            laplacian: match self.laplacian {
                Laplacian::None => None,
                Laplacian::Plain => Some(LaplacianForm::Plain),
                Laplacian::Rescaled => Some(LaplacianForm::Rescaled),
            },
            out: self.out,
            format,
            ending,
            max_entries: self.max_entries,
        };
        let mut outputs: Vec<PathBuf> =
            config.kinds.iter().map(|&kind| config.file(kind).path().to_owned()).collect();
        outputs.push(config.nodes_file().path().to_owned());
        let outputs: Vec<&Path> = outputs.iter().map(PathBuf::as_path).collect();
        // The folder may hold a data set, some of whose files are called as ours are.
        let there = DatasetSource { dataset: Some(config.out.clone()), ..DatasetSource::default() };
        let what = format!("a file of the data set {}", config.out.display());
        config.graph.inputs().with_data(&there, &what).check_outputs(&outputs)?;
        check_nodes_file(config.nodes_file().path())?;
        Ok(config)
    }
}

/// Refuses to replace a table of the user's own, whose name nobody typed, by that of the nodes.
fn check_nodes_file(file: &Path) -> Result<(), Failure> {
    // What is no file is refused by whoever writes.
    let is_file = fs::symlink_metadata(file).is_ok_and(|there| there.is_file());
    let Some(found) = File::open(file).ok().filter(|_| is_file) else { return Ok(()) };
    let (header, mut head) = (NODES_COLUMNS.join(","), Vec::new());
    let _ = found.take(header.len() as u64).read_to_end(&mut head);
    if head.is_empty() || head == header.as_bytes() {
        return Ok(());
    }
    let message = anyhow::anyhow!("{} is there already and lists no nodes", file.display());
    Err(Failure::usage(message).hint("name another folder with --out, or move the file away"))
}

impl MotifsConfig {
    fn file(&self, kind: MotifKind) -> Place {
        Place::within(&self.out, format!("{kind}.{}", self.ending))
    }

    fn nodes_file(&self) -> Place {
        Place::within(&self.out, "nodes.csv")
    }

    pub(crate) fn run(&self, session: &Session) -> Result<MotifsReport, Failure> {
        let (loaded, graph) = self.graph.read(session)?;
        let progress = session.progress();
        let engine = MotifEngine::planned(&loaded.graph, progress)?;

        engine.operators_need(self.kinds.len()).check()?;
        progress.begin("making operators", None, Unit::Items);
        // Factored: a matrix that has to be multiplied out is, but only when its turn comes.
        let operators = engine.operators(&self.kinds, &self.spec, Representation::Factored);
        progress.end();
        drop(engine);

        progress.begin("sizing matrices", Some(operators.len() as u64), Unit::Items);
        let mut too_large = Vec::new();
        for operator in &operators {
            too_large.extend(operator.check_size(self.max_entries).err());
            progress.advance(1);
        }
        if let Some(failure) = refuse_too_large(too_large) {
            return Err(failure);
        }
        let matrices = operators.into_iter().map(|operator| self.matrix(operator));
        let matrices = matrices.collect::<Result<Vec<_>, _>>()?;
        progress.end();

        fs::create_dir_all(&self.out).map_err(|error| {
            Failure::run(error).context(format!("{} cannot be created", self.out.display()))
        })?;
        progress.begin("writing matrices", Some(matrices.len() as u64), Unit::Items);
        let mut files = Vec::new();
        for (&kind, matrix) in self.kinds.iter().zip(matrices) {
            files.push(self.write(kind, &matrix)?);
            progress.advance(1);
        }
        progress.end();
        write_nodes_csv(self.nodes_file(), &loaded.names)?;
        let nodes_file = self.nodes_file().path().display().to_string();
        Ok(MotifsReport { graph, spec: SpecReport::new(self), files, nodes_file })
    }

    fn matrix(&self, operator: MotifOperator) -> Result<Matrix, Failure> {
        Ok(match self.laplacian {
            None => Matrix::Motif(operator),
            Some(form) => {
                Matrix::Laplacian(MotifLaplacian::new(operator, form).map_err(|error| {
                    Failure::run(error)
                        .hint("pass --weights count to ignore the weights of the arcs")
                })?)
            }
        })
    }

    fn write(&self, kind: MotifKind, matrix: &Matrix) -> Result<MatrixFile, Failure> {
        let place = self.file(kind);
        matrix.need().check()?;
        let matrix = matrix.to_csr(self.max_entries).map_err(Failure::run)?;
        write_csr(&place, &matrix, self.format, kind.is_symmetric())?;
        Ok(MatrixFile {
            motif: kind.name(),
            entries: matrix.n_entries() as u64,
            bytes: fs::metadata(place.path()).map_or(0, |file| file.len()),
            path: place.path().display().to_string(),
        })
    }
}

/// Names every matrix that is over the limit, so that one more run is enough.
fn refuse_too_large(errors: Vec<MatrixTooLarge>) -> Option<Failure> {
    // An estimate may be a tenth too low, and the limit is to let all of them through.
    let needed = |size: &MatrixSize| match size.exact {
        true => size.entries,
        false => size.entries + size.entries / 5,
    };
    let limit = errors.iter().map(|error| needed(&error.size)).max()?;
    let mut errors = errors.into_iter();
    let first = errors.next()?;
    let others: Vec<String> =
        errors.map(|MatrixTooLarge { kind, size, .. }| format!("{kind} ({size})")).collect();
    let mut failure = Failure::run(first);
    if !others.is_empty() {
        failure = failure.hint(format!("also too large: {}", others.join(", ")));
    }
    let memory = bytes(limit.saturating_mul(BYTES_AN_ENTRY));
    Some(failure.hint(format!(
        "nothing was written; pass --support edges, or --max-entries {limit} if about {memory} of \
         memory can be spared"
    )))
}

/// Memory for each entry at the peak of `to_csr`, as measured: its parts, then the upper triangle,
/// then the whole matrix.
const BYTES_AN_ENTRY: u64 = 26;

enum Matrix {
    Motif(MotifOperator),
    Laplacian(MotifLaplacian),
}

impl Matrix {
    /// What multiplying it out takes.
    fn need(&self) -> Need {
        let operator = match self {
            Self::Motif(operator) => operator,
            Self::Laplacian(laplacian) => laplacian.operator(),
        };
        Need {
            what: "writing the matrix out",
            n_bytes: operator.size(DEFAULT_SIZE_WORK).entries.saturating_mul(BYTES_AN_ENTRY),
            remedy: "pass --support edges",
        }
    }

    fn to_csr(&self, limit: u64) -> Result<CsrMatrix, MatrixTooLarge> {
        match self {
            Self::Motif(operator) => operator.to_csr(limit),
            Self::Laplacian(laplacian) => laplacian.to_csr(limit),
        }
    }
}

/// What was written.
#[derive(Serialize)]
pub(crate) struct MotifsReport {
    graph: GraphReport,
    spec: SpecReport,
    files: Vec<MatrixFile>,
    nodes_file: String,
}

#[derive(Serialize)]
struct SpecReport {
    support: &'static str,
    instances: &'static str,
    weights: &'static str,
    laplacian: Option<&'static str>,
}

#[derive(Serialize)]
struct MatrixFile {
    motif: &'static str,
    path: String,
    entries: u64,
    bytes: u64,
}

impl SpecReport {
    fn new(config: &MotifsConfig) -> Self {
        Self {
            support: config.spec.support.name(),
            instances: config.spec.instances.name(),
            weights: config.spec.weights.name(),
            laplacian: config.laplacian.map(LaplacianForm::name),
        }
    }
}

impl Report for MotifsReport {
    fn text(&self) -> String {
        let columns = [
            ("motif", Side::Left),
            ("file", Side::Left),
            ("entries", Side::Right),
            ("size", Side::Right),
        ];
        let mut table = Table::new(columns);
        for file in &self.files {
            let entries = grouped(file.entries);
            table.row([file.motif.to_owned(), file.path.clone(), entries, bytes(file.bytes)]);
        }
        format!("{}\nrows and columns: {}\n", table.render(), self.nodes_file)
    }
}
