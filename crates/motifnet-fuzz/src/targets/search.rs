//! Searches: their spaces and plans, and what they came to.

use motifnet::experiment::{RandomSearch, SearchSpace, TrialTable, default_space};
use motifnet::train::{ModelKind, Settings};

use crate::seed::Seed;
use crate::target::Target;
use crate::trial::Trial;

pub(super) const SEARCH: Target = Target { name: "search", read: read_search, seeds: search_seeds };
pub(super) const TRIALS: Target = Target { name: "trials", read: read_trials, seeds: trial_seeds };

fn read_search(trial: &Trial, bytes: &[u8]) -> bool {
    let path = trial.file("tune.toml", bytes);
    let mut is_taken = false;
    if let Ok(space) = SearchSpace::read(&path) {
        is_taken = true;
        let text = space.to_string();
        let again = SearchSpace::parse(&text).map_err(|error| error.to_string());
        assert_eq!(again.as_ref(), Ok(&space), "{text}");
        assert_eq!(space.sample(7, 3), space.sample(7, 3));
    }
    if let Ok(search) = RandomSearch::read(&path) {
        is_taken = true;
        let _ = search.trial(0);
        let _ = search.trial(usize::MAX / 2);
    }
    is_taken
}

fn read_trials(trial: &Trial, bytes: &[u8]) -> bool {
    let path = trial.file("tune.json", bytes);
    match TrialTable::read(&path) {
        Ok(Some(table)) => {
            let _ = table.best();
            true
        }
        _ => false,
    }
}

fn search_seeds() -> Vec<Seed> {
    let space = "[tune]\norder = [1, 2]\nmotifs = [['U', 'in'], ['M5']]\nheads = { from = 1, to = 8, \
                 log = true }\nlr = { from = 1e-4, to = 1e-2, log = true }\ndropout = { from = 0.2, to \
                 = 0.8 }\n";
    let parsed = SearchSpace::parse(space).expect("a space");
    let plan = RandomSearch { base: Settings::default(), space: parsed, n_trials: 20 };
    vec![
        Seed::new("space", space),
        Seed::new("default space", default_space(ModelKind::MotifnetM, &[])),
        Seed::new("plan", plan.to_toml()),
    ]
}

fn trial_seeds() -> Vec<Seed> {
    let text = r#"{"dataset":"d","model":"gcn","seed":7,"n_trials":2,"best":"trial-001","trials":[
        {"folder":"trial-001","settings":{"train.lr":0.1,"model.motifs":["U"]},"state":"done",
         "val_loss":0.5,"val_accuracy":0.75,"test_accuracy":null,"parameters":12},
        {"folder":"trial-002","settings":{},"state":"failed","message":"too large"}]}"#;
    vec![Seed::new("two", text)]
}
