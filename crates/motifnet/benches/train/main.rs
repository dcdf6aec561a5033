//! Our side of `cargo xtask bench train`: one measurement a process, JSON on standard output.
//!
//! The problem is made anew by every process, from the same seeds; that ours and the exported one
//! are the same shows in the losses.

mod breakdown;
mod growth;
mod jacobi;
mod problem;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use clap::{Parser, Subcommand};
use motifnet::nn::{Adam, AdamConfig, Network, NetworkConfig, Pass, Purpose};
use motifnet::train::OperatorSet;
use serde_json::{Value, json};

use problem::{Problem, SEED, Suite};

type Failure = Box<dyn std::error::Error + Send + Sync>;

#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
    #[arg(long, global = true, default_value_t = 2)]
    threads: usize,
    #[arg(long, global = true, default_value = "paper")]
    suite: Suite,
    /// The data set whose graph it is.
    #[arg(long, global = true, default_value = "cora-full")]
    graph: String,
    /// Passed by `cargo bench`; says nothing.
    #[arg(long, global = true, hide = true)]
    bench: bool,
}

#[derive(Subcommand)]
enum Task {
    /// Writes the folder that `benches/peers/train_problem.py` reads.
    Export { folder: PathBuf },
    /// The losses of some epochs without dropout.
    Curves {
        #[arg(long, default_value_t = 20)]
        epochs: u64,
    },
    /// Times epochs with dropout, and what they are made of.
    Time {
        #[arg(long, default_value_t = 15)]
        epochs: u64,
        /// Such as `chebnet-1,motifnet-m-2`; without it, all.
        #[arg(long, value_delimiter = ',')]
        cases: Vec<String>,
        /// Times the kernels of an epoch apart, too.
        #[arg(long)]
        breakdown: bool,
    },
    /// One epoch on ten million arcs.
    Growth,
    /// How far Jacobi's iterations are from the exact solution.
    Jacobi,
}

fn main() -> Result<(), Failure> {
    let Arguments { task, threads, suite, graph, .. } = Arguments::parse();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let value = pool.install(|| match task {
        Task::Export { folder } => Problem::new(&graph)?.export(suite, &folder, threads),
        Task::Curves { epochs } => curves(suite, &Problem::new(&graph)?, epochs),
        Task::Time { epochs, cases, breakdown } => {
            time(suite, &Problem::new(&graph)?, epochs, &cases, breakdown)
        }
        Task::Growth => growth::growth(),
        Task::Jacobi => jacobi::jacobi(&Problem::new(&graph)?),
    })?;
    println!("{value}");
    Ok(())
}

/// So small that it drops nothing: what is compared is then the code that is timed, which with no
/// dropout at all would compute the products with the features only once.
const NO_DROPOUT: f64 = 1e-9;

fn curves(suite: Suite, problem: &Problem, epochs: u64) -> Result<Value, Failure> {
    let mut losses = BTreeMap::new();
    for case in suite.cases() {
        let config = NetworkConfig { dropout: vec![NO_DROPOUT], ..case.config() };
        let mut trained = Trained::new(problem, &problem.operators(*case)?, &config)?;
        losses.insert(case.name, (0..epochs).map(|_| trained.step()).collect::<Vec<_>>());
    }
    Ok(json!({ "epochs": epochs, "losses": losses }))
}

/// Epochs that are run before any is timed.
const WARM_UP: u64 = 3;

fn time(
    suite: Suite,
    problem: &Problem,
    epochs: u64,
    names: &[String],
    breakdown: bool,
) -> Result<Value, Failure> {
    let is_case = |name: &&String| suite.cases().iter().any(|case| case.name == **name);
    if let Some(name) = names.iter().find(|name| !is_case(name)) {
        return Err(format!("there is no case {name:?}").into());
    }
    let mut cases = BTreeMap::new();
    for case in suite.cases() {
        if !names.is_empty() && !names.iter().any(|name| name == case.name) {
            continue;
        }
        let start = Instant::now();
        let operators = problem.operators(*case)?;
        let build = milliseconds(start);
        let mut trained = Trained::new(problem, &operators, &case.config())?;
        let setup = milliseconds(start) - build;
        let mut taken: [Vec<f64>; 3] = Default::default();
        for epoch in 0..WARM_UP + epochs.max(1) {
            let start = Instant::now();
            trained.step();
            let train = milliseconds(start);
            trained.validate();
            let whole = milliseconds(start);
            if epoch >= WARM_UP {
                taken.iter_mut().zip([whole, train, whole - train]).for_each(|(t, ms)| t.push(ms));
            }
        }
        taken.iter_mut().for_each(|taken| taken.sort_by(f64::total_cmp));
        let [whole, train, validation] = &taken;
        let passes = [&trained.training, &trained.validation];
        let mut value = json!({
            "least_ms": whole[0],
            "median_ms": whole[whole.len() / 2],
            "train_ms": train[0],
            "validation_ms": validation[0],
            "operators_ms": build,
            "setup_ms": setup,
            "parameters": trained.parameters.len(),
            "epochs": whole.len(),
            "rows": passes.map(|pass| {
                let field = pass.field();
                (0..=field.n_hops()).map(|hops| field.size(hops)).collect::<Vec<_>>()
            }),
        });
        if breakdown && suite == Suite::Paper {
            let (conv, operators) = (case.config().conv, operators.view().operators);
            value["parts"] = json!(breakdown::parts(conv, &operators, passes, problem));
        }
        cases.insert(case.name, value);
    }
    let machine = breakdown.then(breakdown::machine);
    Ok(json!({ "problem": problem.facts(), "cases": cases, "machine": machine }))
}

/// A network in training.
struct Trained {
    training: Pass<f32>,
    validation: Pass<f32>,
    targets: [motifnet::nn::LossTarget; 2],
    parameters: Vec<f32>,
    adam: Adam<f32>,
    n_steps: u64,
}

impl Trained {
    fn new(
        problem: &Problem,
        operators: &OperatorSet,
        config: &NetworkConfig,
    ) -> Result<Self, Failure> {
        let view = operators.view();
        let n_operators = view.operators.len();
        let network = Network::new(config, problem.n_features, problem.n_classes, n_operators)?;
        let network = Arc::new(network);
        let pass = |nodes, purpose| Pass::new(&network, &view, &problem.features, nodes, purpose);
        let parameters = network.layout().initial(SEED);
        let [train, validation] = [problem.split.train(), problem.split.validation()];
        Ok(Self {
            training: pass(train, Purpose::Training),
            validation: pass(validation, Purpose::Evaluation),
            targets: [train, validation].map(|nodes| problem.target(nodes)),
            adam: Adam::new(AdamConfig::default(), parameters.len()),
            parameters,
            n_steps: 0,
        })
    }

    /// One update; the loss before it.
    fn step(&mut self) -> f64 {
        let (scores, gradients) =
            self.training.gradients(&self.parameters, &self.targets[0], SEED, self.n_steps);
        self.adam.update(&mut self.parameters, gradients);
        self.n_steps += 1;
        scores.loss
    }

    fn validate(&mut self) -> f64 {
        self.validation.evaluate(&self.parameters, &self.targets[1]).loss
    }
}

fn milliseconds(start: Instant) -> f64 {
    1e3 * start.elapsed().as_secs_f64()
}
