//! The other side: the scripts in `benches/peers`, run in their own Python environment.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize, Serializer};

use super::cluster::Clustered;
use super::count::Count;
use super::pca::Side;
use super::significance;
use crate::{debian, venv, workspace};

/// A result, or why there is none: a peer that cannot be had is named, and the others go on.
pub(crate) type Measured<T> = Result<T, String>;

/// Writes a result as it is, and its absence as `{"not_measured": "why"}`.
pub(crate) fn serialize<T: Serialize, S: Serializer>(
    measured: &Measured<T>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match measured {
        Ok(result) => result.serialize(serializer),
        Err(reason) => BTreeMap::from([("not_measured", reason)]).serialize(serializer),
    }
}

/// The same for what is not measured on every graph: `null` there.
pub(crate) fn serialize_option<T: Serialize, S: Serializer>(
    measured: &Option<Measured<T>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match measured {
        Some(measured) => serialize(measured, serializer),
        None => serializer.serialize_none(),
    }
}

/// The Python that has the peers, or why there is none.
pub(crate) struct Peers {
    python: Measured<PathBuf>,
    scripts: PathBuf,
}

/// motifcluster's thirteen matrices.
#[derive(Deserialize, Serialize)]
pub(crate) struct Motifcluster {
    pub(crate) versions: BTreeMap<String, String>,
    pub(crate) nodes: u64,
    pub(crate) arcs: u64,
    pub(crate) seconds: f64,
    pub(crate) seconds_each: BTreeMap<String, f64>,
    pub(crate) peak_bytes: u64,
    pub(crate) instance_counts: BTreeMap<String, Count>,
}

/// A bare undirected triangle count.
#[derive(Deserialize, Serialize)]
pub(crate) struct Graphblas {
    pub(crate) versions: BTreeMap<String, String>,
    pub(crate) nodes: u64,
    pub(crate) edges: u64,
    pub(crate) triangles: u64,
    /// The fastest method and labelling.
    pub(crate) variant: String,
    /// From the matrix in memory, labelled as the variant wants it.
    pub(crate) seconds: f64,
    /// Of `seconds`, the product and its sum.
    pub(crate) seconds_product: f64,
    /// From the matrix as it comes.
    pub(crate) seconds_with_sort: f64,
    pub(crate) seconds_each: BTreeMap<String, f64>,
}

/// igraph's triad census.
#[derive(Deserialize, Serialize)]
pub(crate) struct Igraph {
    pub(crate) versions: BTreeMap<String, String>,
    pub(crate) nodes: u64,
    pub(crate) arcs: u64,
    pub(crate) seconds: f64,
    pub(crate) census: BTreeMap<String, Count>,
    pub(crate) notes: Vec<String>,
}

/// polars' CSV reader.
#[derive(Deserialize, Serialize)]
pub(crate) struct Polars {
    pub(crate) versions: BTreeMap<String, String>,
    pub(crate) lines: u64,
    pub(crate) bytes: u64,
    pub(crate) variant: String,
    pub(crate) seconds: f64,
    pub(crate) seconds_each: BTreeMap<String, f64>,
}

impl Peers {
    /// Installs what can be installed of the motif engine's peers.
    pub(crate) fn install() -> Self {
        Self::installed("requirements.txt", "peers-venv")
    }

    /// The same of training's.
    pub(crate) fn install_for_training() -> Self {
        Self::installed("requirements-train.txt", "peers-train-venv")
    }

    /// The same of principal components'.
    pub(crate) fn install_for_pca() -> Self {
        Self::installed("requirements-pca.txt", "peers-pca-venv")
    }

    /// graph-tool, which Debian has and PyPI has not.
    pub(crate) fn install_graph_tool() -> Self {
        let has_it = |python: &Path| {
            let mut import = Command::new(python);
            import.args(["-c", "import graph_tool"]);
            import.output().is_ok_and(|output| output.status.success())
        };
        // Debian's packages are for the system's Python, whichever else comes first.
        let python = PathBuf::from("/usr/bin/python3");
        if !has_it(&python) {
            debian::install("python3-graph-tool");
        }
        let missing = || "Debian's python3-graph-tool is not installed".to_owned();
        let python = has_it(&python).then_some(python).ok_or_else(missing);
        Self { python, scripts: workspace::root().join("benches/peers") }
    }

    fn installed(requirements: &str, folder: &str) -> Self {
        let scripts = workspace::root().join("benches/peers");
        let python = venv::ensure(&scripts, requirements, folder);
        Self { python: python.map_err(|error| format!("{error:#}")), scripts }
    }

    /// No peers, since nobody wants them.
    pub(crate) fn none() -> Self {
        Self { python: Err("--no-peers".to_owned()), scripts: PathBuf::new() }
    }

    /// motifcluster's matrices of the graph in `file`.
    pub(crate) fn motifcluster(&self, file: &Path) -> Measured<Motifcluster> {
        self.call("motifcluster_matrices.py", file, &[])
    }

    /// The triangles of the graph in `file`, counted by one thread.
    pub(crate) fn graphblas(&self, file: &Path, runs: usize) -> Measured<Graphblas> {
        self.call("graphblas_triangles.py", file, &[runs])
    }

    /// igraph's census of the graph in `file`.
    pub(crate) fn igraph(&self, file: &Path) -> Measured<Igraph> {
        self.call("igraph_census.py", file, &[])
    }

    /// polars' time to read `file`.
    pub(crate) fn polars(&self, file: &Path, threads: usize, runs: usize) -> Measured<Polars> {
        self.call("polars_read.py", file, &[threads, runs])
    }

    /// motifcluster's two clusters by the motif M`motif` of the graph in `file`, if they take at most `limit`
    /// seconds.
    pub(crate) fn clusters(&self, file: &Path, motif: usize, limit: usize) -> Measured<Clustered> {
        self.call("motifcluster_cluster.py", file, &[motif, limit])
    }

    /// scikit-learn's components of the matrix in `file`.
    pub(crate) fn pca(
        &self,
        file: &Path,
        [components, threads, runs]: [usize; 3],
    ) -> Measured<Side> {
        self.call("sklearn_pca.py", file, &[components, threads, runs])
    }

    /// graph-tool's `significance` or `count` of the graph in `file`.
    pub(crate) fn graph_tool(
        &self,
        file: &Path,
        what: &str,
        samples: usize,
    ) -> Measured<significance::Side> {
        let samples = samples.to_string();
        let arguments = [file.as_os_str(), what.as_ref(), samples.as_ref()];
        self.run("graph_tool_motifs.py", file, &arguments)
    }

    /// PyTorch and PyG on the problem in `folder`; the mode is `curves` or `time`.
    pub(crate) fn train<T: DeserializeOwned>(&self, folder: &Path, mode: &str) -> Measured<T> {
        let arguments =
            ["--exchange".as_ref(), folder.as_os_str(), "--mode".as_ref(), mode.as_ref()];
        self.run("torch_train.py", folder, &arguments)
    }

    fn call<T: DeserializeOwned>(
        &self,
        script: &str,
        file: &Path,
        numbers: &[usize],
    ) -> Measured<T> {
        let numbers: Vec<_> = numbers.iter().map(usize::to_string).collect();
        let arguments = numbers.iter().map(AsRef::as_ref);
        let arguments: Vec<_> = [file.as_os_str()].into_iter().chain(arguments).collect();
        self.run(script, file, &arguments)
    }

    fn run<T: DeserializeOwned>(
        &self,
        script: &str,
        data: &Path,
        arguments: &[&OsStr],
    ) -> Measured<T> {
        let python = self.python.as_ref().map_err(Clone::clone)?;
        let mut command = Command::new(python);
        command.arg("-B").arg(self.scripts.join(script)).args(arguments);
        eprintln!("measuring {script} on {}", data.display());
        let result = command.output().map_err(|error| error.to_string()).and_then(|output| {
            if output.status.success() {
                serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())
            } else {
                Err(last_line(&output.stderr).unwrap_or_else(|| output.status.to_string()))
            }
        });
        result.map_err(|reason| {
            eprintln!("warning: {script} is left out: {reason}");
            format!("{script}: {reason}")
        })
    }
}

/// Of a Python traceback, the line that says what went wrong.
fn last_line(stderr: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(stderr);
    text.lines().rev().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_measured_says_why() {
        let mut json = Vec::new();
        let measured: Measured<u8> = Err("no python".to_owned());
        serialize(&measured, &mut serde_json::Serializer::new(&mut json)).unwrap();
        assert_eq!(String::from_utf8(json).unwrap(), r#"{"not_measured":"no python"}"#);
    }

    #[test]
    fn a_traceback_is_told_by_its_last_line() {
        let stderr = b"Traceback:\n  File \"x\"\nModuleNotFoundError: No module named 'igraph'\n\n";
        let line = last_line(stderr);
        assert_eq!(line.as_deref(), Some("ModuleNotFoundError: No module named 'igraph'"));
    }
}
