//! One epoch on a graph of ten million arcs: how long it takes, and in how much memory.

use std::sync::Arc;
use std::time::Instant;

use motifnet::motif::MotifKind;
use motifnet::nn::{Adam, AdamConfig, Network, Pass, Purpose};
use motifnet::progress::Silent;
use motifnet::train::{ModelConfig, ModelKind, MotifChoice, OperatorConfig, build_operators};
use serde_json::{Value, json};

use crate::Failure;
use crate::problem::{Problem, SEED, random_labels, rmat_graph};

const N_NODES: usize = 1 << 20;
const N_ARCS: u64 = 10_000_000;
const WIDTH: usize = 64;
const N_CLASSES: usize = 70;
const MOTIFS: [MotifKind; 5] =
    [MotifKind::Undirected, MotifKind::In, MotifKind::Out, MotifKind::M5, MotifKind::M10];

pub(crate) fn growth() -> Result<Value, Failure> {
    let mut start = Instant::now();
    let mut lap = || {
        let seconds = start.elapsed().as_secs_f64();
        start = Instant::now();
        seconds
    };
    let graph = rmat_graph(N_NODES, N_ARCS)?;
    let labels = random_labels(N_NODES, N_CLASSES)?;
    let problem = Problem::on("R-MAT", graph, labels, WIDTH)?;
    let generate = lap();

    let model = ModelConfig {
        order: 2,
        width: WIDTH,
        motifs: MotifChoice::These(MOTIFS.to_vec()),
        ..ModelConfig::paper(ModelKind::MotifnetM)
    };
    let operators = OperatorConfig::default();
    let set = build_operators(problem.graph(), &model, &operators, None, &Silent)?;
    let view = set.view();
    let build = lap();

    let config = model.network().ok_or("MotifNet-m is a network")?;
    let network = Network::new(&config, WIDTH, N_CLASSES, view.operators.len())?;
    let network = Arc::new(network);
    let pass = |nodes, purpose| Pass::new(&network, &view, &problem.features, nodes, purpose);
    let mut training = pass(problem.split.train(), Purpose::Training);
    let mut validation = pass(problem.split.validation(), Purpose::Evaluation);
    let bind = lap();

    let mut parameters = network.layout().initial(SEED);
    let mut adam = Adam::new(AdamConfig::default(), parameters.len());
    let target = problem.target(problem.split.train());
    let (scores, gradients) = training.gradients(&parameters, &target, SEED, 0);
    adam.update(&mut parameters, gradients);
    let train = lap();
    let target = problem.target(problem.split.validation());
    let validated = validation.evaluate(&parameters, &target);
    let validate = lap();
    if !(scores.loss.is_finite() && validated.loss.is_finite()) {
        return Err(format!("the losses are {} and {}", scores.loss, validated.loss).into());
    }
    Ok(json!({
        "nodes": N_NODES,
        "arcs": N_ARCS,
        "entries": view.operators.iter().map(|parts| parts.n_entries()).sum::<usize>(),
        "seconds": {
            "generate": generate,
            "operators": build,
            "bind": bind,
            "train": train,
            "validate": validate,
        },
        "peak_bytes": peak_bytes(),
    }))
}

/// The most memory this process has had at once; 0 where the system does not tell.
fn peak_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}
