//! Our side: the library's bench executable, one fresh process a measurement.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::count::Count;
use crate::workspace;

/// The bench executable of the library.
pub(crate) struct Engine {
    executable: PathBuf,
}

/// What a graph is generated from.
pub(crate) struct Generate {
    pub(crate) nodes: u64,
    pub(crate) arcs: u64,
    pub(crate) seed: u64,
    /// Erdős–Rényi rather than R-MAT.
    pub(crate) erdos_renyi: bool,
}

/// All stages on one graph.
#[derive(Deserialize, Serialize)]
pub(crate) struct Run {
    pub(crate) nodes: u64,
    pub(crate) arcs: u64,
    pub(crate) edges: u64,
    pub(crate) triangles: u64,
    /// Intersection steps of the triangle pass.
    pub(crate) steps: u64,
    pub(crate) seconds: Stages,
    pub(crate) peak_bytes: u64,
    pub(crate) instance_counts: BTreeMap<String, Count>,
}

impl Run {
    /// Nanoseconds of the triangle pass for each of its intersection steps.
    pub(crate) fn nanoseconds_per_step(&self) -> f64 {
        self.seconds.triangles * 1e9 / self.steps as f64
    }
}

/// Least seconds of each stage.
#[derive(Deserialize, Serialize)]
pub(crate) struct Stages {
    pub(crate) read: f64,
    pub(crate) build: f64,
    pub(crate) pattern: f64,
    pub(crate) triangles: f64,
    pub(crate) operators: f64,
    /// From a `DiGraph` in memory to thirteen operators ready to multiply.
    pub(crate) total_to_operators: f64,
    /// All operators times 64 columns.
    pub(crate) multiply_64: f64,
}

/// Reading a text edge list.
#[derive(Deserialize, Serialize)]
pub(crate) struct Read {
    pub(crate) seconds: f64,
    pub(crate) bytes: u64,
}

/// The sixteen classes by Holland–Leinhardt name.
#[derive(Deserialize, Serialize)]
pub(crate) struct Census {
    pub(crate) seconds: f64,
    pub(crate) census: BTreeMap<String, Count>,
}

impl Engine {
    /// Builds `crates/motifnet/benches/motifs.rs` and finds the executable.
    pub(crate) fn build() -> Result<Self> {
        Ok(Self { executable: build("motifs")? })
    }

    /// Writes a random graph as tab separated integers.
    pub(crate) fn generate(&self, graph: &Generate, out: &Path) -> Result<()> {
        let mut command = self.command("generate");
        command.args(["--nodes", &graph.nodes.to_string()]);
        command.args(["--arcs", &graph.arcs.to_string()]);
        command.args(["--seed", &graph.seed.to_string()]).arg("--out").arg(out);
        if graph.erdos_renyi {
            command.arg("--er");
        }
        output(command).map(drop)
    }

    /// Times all stages on the graph in `file`.
    pub(crate) fn run(&self, file: &Path, threads: usize, runs: usize) -> Result<Run> {
        let mut command = self.measure("run", file, threads);
        command.args(["--runs", &runs.to_string()]);
        parsed(command)
    }

    /// Times reading `file` alone.
    pub(crate) fn read(&self, file: &Path, threads: usize, runs: usize) -> Result<Read> {
        let mut command = self.measure("read", file, threads);
        command.args(["--runs", &runs.to_string()]);
        parsed(command)
    }

    /// Times the census of the graph in `file`.
    pub(crate) fn census(&self, file: &Path, threads: usize) -> Result<Census> {
        parsed(self.measure("census", file, threads))
    }

    fn command(&self, subcommand: &str) -> Command {
        let mut command = Command::new(&self.executable);
        command.current_dir(workspace::root()).arg(subcommand);
        command
    }

    fn measure(&self, subcommand: &str, file: &Path, threads: usize) -> Command {
        let mut command = self.command(subcommand);
        command.arg("--graph").arg(file).args(["--threads", &threads.to_string()]);
        command
    }
}

/// Builds a bench target of the library and finds the executable.
pub(crate) fn build(name: &str) -> Result<PathBuf> {
    let output = workspace::cargo()
        .args(["bench", "-p", "motifnet", "--bench", name, "--no-run"])
        .arg("--message-format=json-render-diagnostics")
        .stderr(Stdio::inherit())
        .output()
        .context("starting cargo")?;
    if !output.status.success() {
        bail!("the bench executable does not build");
    }
    let messages = String::from_utf8_lossy(&output.stdout);
    executable(&messages, name)
        .with_context(|| format!("cargo built no bench executable named {name}"))
}

/// The executable that cargo's build messages name for the bench target `name`.
fn executable(messages: &str, name: &str) -> Option<PathBuf> {
    messages.lines().find_map(|line| {
        let message: serde_json::Value = serde_json::from_str(line).ok()?;
        let target = &message["target"];
        let wanted = target["name"] == name && target["kind"][0] == "bench";
        wanted.then(|| message["executable"].as_str().map(PathBuf::from)).flatten()
    })
}

/// What `command` prints.
pub(crate) fn output(mut command: Command) -> Result<Vec<u8>> {
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("starting {command:?}"))?;
    if !output.status.success() {
        bail!("{command:?} failed: {}", output.status);
    }
    Ok(output.stdout)
}

/// The JSON that `command` prints.
pub(crate) fn parsed<T: DeserializeOwned>(command: Command) -> Result<T> {
    let described = format!("{command:?}");
    let json = output(command)?;
    serde_json::from_slice(&json).with_context(|| format!("the output of {described}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_executable_is_found_among_cargos_messages() {
        let messages = r#"{"reason":"compiler-artifact","target":{"name":"motifs","kind":["test"]},"executable":"/t/a"}
{"reason":"compiler-artifact","target":{"name":"motifs","kind":["bench"]},"executable":"/t/b"}
{"reason":"build-finished","success":true}"#;
        assert_eq!(executable(messages, "motifs"), Some(PathBuf::from("/t/b")));
    }
}
