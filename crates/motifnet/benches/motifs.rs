//! Our side of `cargo xtask bench motifs`: one measurement a process, JSON on standard output.
//!
//! Every result is checked before it is timed: the operators must add up to the census.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, Parser, Subcommand};
use motifnet::graph::generate::{erdos_renyi, rmat};
use motifnet::graph::read::read_arcs;
use motifnet::graph::{BuildOptions, DiGraph, EdgeList, NodeNames, ReadOptions, write_graph};
use motifnet::motif::{
    MotifEngine, MotifKind, MotifOperator, MotifSpec, Pattern, Ranking, Representation,
};
use motifnet::progress::Silent;
use motifnet::sparse::LinearOperator;
use serde_json::{Value, json};

type Measurement = fn(&Measure) -> Result<Value, Failure>;
type Failure = Box<dyn std::error::Error + Send + Sync>;

#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
    /// Passed by `cargo bench`; says nothing.
    #[arg(long, global = true, hide = true)]
    bench: bool,
}

#[derive(Subcommand)]
enum Task {
    /// Writes a random graph as tab separated integers.
    Generate {
        #[arg(long)]
        nodes: usize,
        #[arg(long)]
        arcs: u64,
        #[arg(long)]
        seed: u64,
        #[arg(long)]
        out: PathBuf,
        /// Erdős–Rényi rather than R-MAT.
        #[arg(long)]
        er: bool,
    },
    /// Times every stage from the file to thirteen operators and their multiplication.
    Run(Measure),
    /// Times reading the file alone.
    Read(Measure),
    /// Times the triad census.
    Census(Measure),
}

#[derive(Args)]
struct Measure {
    #[arg(long)]
    graph: PathBuf,
    #[arg(long, default_value_t = 1)]
    threads: usize,
    #[arg(long, default_value_t = 1)]
    runs: usize,
}

fn main() -> Result<(), Failure> {
    let (measure, task): (_, Measurement) = match Arguments::parse().task {
        Task::Generate { nodes, arcs, seed, out, er } => {
            return generate(nodes, arcs, seed, &out, er);
        }
        Task::Run(measure) => (measure, run),
        Task::Read(measure) => (measure, read),
        Task::Census(measure) => (measure, census),
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(measure.threads).build()?;
    println!("{}", pool.install(|| task(&measure))?);
    Ok(())
}

fn generate(n_nodes: usize, arcs: u64, seed: u64, out: &Path, er: bool) -> Result<(), Failure> {
    let list = if er {
        let arcs = erdos_renyi::ArcCount::Exactly(arcs);
        erdos_renyi::generate(&erdos_renyi::ErdosRenyiConfig { n_nodes, arcs }, seed)?
    } else {
        let config = rmat::RmatConfig { n_nodes, n_arcs: arcs, ..Default::default() };
        rmat::generate(&config, seed)?
    };
    let names = NodeNames::Indices(list.n_nodes);
    let (graph, _) = DiGraph::build(list, &BuildOptions::default())?;
    write_graph(out, &graph, &names)?;
    Ok(())
}

fn read_list(path: &Path) -> Result<EdgeList, Failure> {
    Ok(read_arcs(path, &ReadOptions::default(), &Silent)?.0.arcs)
}

fn read(measure: &Measure) -> Result<Value, Failure> {
    let mut seconds = Vec::new();
    for _ in 0..measure.runs {
        let start = Instant::now();
        black_box(read_list(&measure.graph)?);
        seconds.push(start.elapsed().as_secs_f64());
    }
    let bytes = std::fs::metadata(&measure.graph)?.len();
    Ok(json!({ "seconds": least(seconds), "bytes": bytes }))
}

fn census(measure: &Measure) -> Result<Value, Failure> {
    let (graph, _) = DiGraph::build(read_list(&measure.graph)?, &BuildOptions::default())?;
    let start = Instant::now();
    let census = MotifEngine::new(&graph).census();
    let seconds = start.elapsed().as_secs_f64();
    let census: BTreeMap<_, _> = census.iter().map(|(name, n)| (name, n.to_string())).collect();
    Ok(json!({ "seconds": seconds, "census": census }))
}

/// The columns of the multiplied block.
const WIDTH: usize = 64;

fn run(measure: &Measure) -> Result<Value, Failure> {
    let mut stages: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    let mut lap = |stage, start: Instant| {
        stages.entry(stage).or_default().push(start.elapsed().as_secs_f64());
        Instant::now()
    };
    let start = Instant::now();
    let list = read_list(&measure.graph)?;
    let start = lap("read", start);
    let (graph, _) = DiGraph::build(list, &BuildOptions::default())?;
    lap("build", start);

    let mut facts = None;
    for _ in 0..measure.runs {
        let begin = Instant::now();
        let pattern = Pattern::new(&graph);
        let ranking = Ranking::new(&pattern);
        let after_pattern = lap("pattern", begin);
        let engine = MotifEngine::from_parts(&graph, pattern, &ranking, &Silent);
        drop(ranking);
        let after_pass = lap("triangles", after_pattern);
        let spec = MotifSpec::default();
        let operators = engine.operators(&MotifKind::triads(), &spec, Representation::Auto);
        lap("operators", after_pass);
        lap("total_to_operators", begin);

        if facts.is_none() {
            facts = Some(verified_facts(&engine, &operators)?);
        }
        // The operators stand on their own: who only multiplies keeps nothing else.
        drop(engine);
        let x = vec![1.0f32; graph.n_nodes() * WIDTH];
        let mut y = vec![0.0f32; graph.n_nodes() * WIDTH];
        let start = Instant::now();
        for operator in &operators {
            operator.apply_into(&x, WIDTH, &mut y);
            black_box(&y);
        }
        lap("multiply_64", start);
    }
    let mut value = facts.ok_or("no runs were asked for")?;
    let seconds: BTreeMap<_, _> =
        stages.into_iter().map(|(stage, times)| (stage, least(times))).collect();
    value["seconds"] = json!(seconds);
    value["peak_bytes"] = json!(peak_bytes());
    Ok(value)
}

/// What the graph has, once the operators are found to add up to the census.
fn verified_facts(engine: &MotifEngine<'_>, operators: &[MotifOperator]) -> Result<Value, Failure> {
    let census = engine.census();
    let mut instance_counts = BTreeMap::new();
    for operator in operators {
        let sums: Vec<f64> = operator.row_sums();
        let instances = sums.iter().map(|&sum| sum as u128).sum::<u128>() / 6;
        let kind = operator.kind();
        if census.motif(kind) != Some(instances) {
            return Err(format!("{kind}: {instances} instances, but the census differs").into());
        }
        instance_counts.insert(kind.name(), instances.to_string());
    }
    let explicit = operators.iter().filter(|operator| operator.is_explicit());
    Ok(json!({
        "nodes": engine.graph().n_nodes(),
        "arcs": engine.graph().n_arcs(),
        "edges": engine.pattern().n_edges(),
        "triangles": engine.n_triangles() as u64,
        "steps": engine.n_steps(),
        "explicit": explicit.map(|operator| operator.kind().name()).collect::<Vec<_>>(),
        "instance_counts": instance_counts,
    }))
}

/// What other work on the machine disturbs least.
fn least(seconds: Vec<f64>) -> f64 {
    seconds.into_iter().fold(f64::INFINITY, f64::min)
}

/// The most memory this process has had at once; 0 where the system does not tell.
fn peak_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}
