//! Configurations of runs.

use motifnet::train::Settings;

use crate::seed::Seed;
use crate::target::Target;
use crate::trial::Trial;

pub(super) const SETTINGS: Target = Target { name: "settings", read, seeds };

fn read(trial: &Trial, bytes: &[u8]) -> bool {
    let path = trial.file("run.toml", bytes);
    let mut settings = Settings::default();
    // The same lines are what --set takes.
    let lines = String::from_utf8_lossy(bytes);
    for line in lines.lines().filter(|line| line.contains('=')).take(8) {
        let _ = settings.set_text(line, "--set");
    }
    let mut settings = Settings::default();
    if settings.read(&path).is_err() {
        return false;
    }
    let written = trial.file("again.toml", settings.to_absolute_toml().as_bytes());
    let mut again = Settings::default();
    let outcome = again.read(&written);
    assert!(outcome.is_ok(), "what was written does not read: {outcome:?}");
    true
}

fn seeds() -> Vec<Seed> {
    vec![
        Seed::new("all", Settings::default().annotated()),
        Seed::new(
            "some",
            "data.dataset = 'cora'\n[model]\nname = 'gcn'\ndropout = [0.5, 0.25]\nmotifs = ['U', \
             'M5']\n[train]\nlr = 1e-2\nseed = 7\n[data]\n"
                .replace("data.dataset = 'cora'\n", "")
                + "split = '20 per class'\nlabels = 'x.csv#y'\n",
        ),
    ]
}
