//! A run that is cut off after any of its epochs goes on to the same bits.

#![allow(clippy::unwrap_used)]

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use motifnet::data::{NodeDataset, Split, read_dataset};
use motifnet::progress::Silent;
use motifnet::train::{
    CHECKPOINT_FILE, EpochRecord, HISTORY_FILE, Observed, Observer, PreparedRun, Quiet, Recorder,
    RunConfig, RunFolder, TrainConfig, TrainState, Trained,
};

/// A small graph of two groups.
fn dataset(folder: &Path) -> NodeDataset {
    let arcs = (0..30).flat_map(|node| (1..4).map(move |step| (node, (node + 2 * step) % 30)));
    let arcs: String = arcs.map(|(from, to)| format!("{from}\t{to}\n")).collect();
    let labels: String = (0..30).map(|node| format!("{node},{}\n", node % 2)).collect();
    std::fs::write(folder.join("arcs.tsv"), arcs).unwrap();
    std::fs::write(folder.join("labels.csv"), format!("node,class\n{labels}")).unwrap();
    let text = "name = 'rings'\narcs = 'arcs.tsv'\nlabels = 'labels.csv#class'\n\
                features = 'one-hot'\nsplit = '40/30/30'\n";
    std::fs::write(folder.join("dataset.toml"), text).unwrap();
    read_dataset(folder, &Silent).unwrap()
}

/// Trains in `folder`, from the checkpoint there if there is one, telling `then` of every epoch.
fn train(
    run: &PreparedRun<'_>,
    split: &Split,
    folder: &RunFolder,
    then: &mut dyn Observer,
) -> Trained {
    let start = run.take_up(folder, split, 0).unwrap();
    let history = start.as_ref().map(|state| folder.read_history(state.epoch).unwrap());
    let pause = AtomicBool::new(false);
    let mut recorder = Recorder {
        folder: Some(folder),
        fingerprint: run.fingerprint(split, 0),
        config: config().train,
        every: Duration::ZERO,
        pause: &pause,
        history: history.unwrap_or_default(),
        last: Instant::now(),
        then,
    };
    run.run(split, 0, start, &mut recorder).unwrap().unwrap()
}

fn config() -> RunConfig {
    let train = TrainConfig { epochs: 25, ..TrainConfig::default() };
    let mut config = RunConfig { train, ..RunConfig::default() };
    config.model.width = 8;
    config
}

/// Copies the files of a run before each epoch ends, as a kill would leave them.
struct CopyEach<'a> {
    from: &'a RunFolder,
    to: &'a Path,
}

const FILES: [&str; 2] = [CHECKPOINT_FILE, HISTORY_FILE];

impl Observer for CopyEach<'_> {
    fn epoch(&mut self, record: &EpochRecord, _: &TrainState) -> Observed {
        let copy = self.to.join(record.epoch.to_string());
        std::fs::create_dir_all(&copy).unwrap();
        for name in FILES.into_iter().filter(|name| self.from.file(name).exists()) {
            std::fs::copy(self.from.file(name), copy.join(name)).unwrap();
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// A run that was never cut off, with copies of its files before each epoch ended.
struct Whole<'a> {
    run: &'a PreparedRun<'a>,
    split: Split,
    folder: RunFolder,
    copies: &'a Path,
    trained: Trained,
}

/// Makes such a run and looks at it.
fn with_whole_run(check: impl Fn(&Whole<'_>)) {
    let folder = tempfile::tempdir().unwrap();
    let dataset = dataset(folder.path());
    let run = PreparedRun::new(&dataset, &config(), None, &Silent).unwrap();
    let split = dataset.split.as_ref().unwrap().split(&dataset.labels, 0, 0).unwrap();
    let whole = RunFolder::create(&folder.path().join("whole")).unwrap();
    let copies = folder.path().join("copies");
    let mut each = CopyEach { from: &whole, to: &copies };
    let trained = train(&run, &split, &whole, &mut each);
    assert_eq!(trained.metrics.epochs, 25);
    check(&Whole { run: &run, split, folder: whole, copies: &copies, trained });
}

impl Whole<'_> {
    fn copy(&self, epoch: usize) -> RunFolder {
        RunFolder::create(&self.copies.join(epoch.to_string())).unwrap()
    }

    /// Goes on in `cut` and compares.
    fn check_resumed(&self, cut: &RunFolder) {
        let trained = train(self.run, &self.split, cut, &mut Quiet);
        assert_eq!(trained, self.trained, "{}", cut.path().display());
        for name in FILES {
            let [found, expected] =
                [cut, &self.folder].map(|run| std::fs::read(run.file(name)).unwrap());
            assert!(found == expected, "{name} in {}", cut.path().display());
        }
    }
}

#[test]
fn a_run_cut_off_at_any_epoch_goes_on_to_the_same_bits() {
    with_whole_run(|whole| (1..=25).for_each(|epoch| whole.check_resumed(&whole.copy(epoch))));
}

#[test]
fn a_history_ahead_of_its_checkpoint_is_cut_to_it() {
    with_whole_run(|whole| {
        // The kill came between the two files.
        let cut = whole.copy(7);
        std::fs::copy(whole.copy(8).file(HISTORY_FILE), cut.file(HISTORY_FILE)).unwrap();
        whole.check_resumed(&cut);
    });
}
