//! What the page of a run is made of, read from its folder.

use std::path::{Path, PathBuf};

use motifnet::experiment::MetricsFile;
use motifnet::train::{
    CONFIG_FILE, EpochRecord, HISTORY_FILE, MODEL_FILE, RunFolder, RunReport, Settings,
};
use motifnet_report::drawing::{GraphDrawingOptions, graph_drawing};
use motifnet_report::page::Page;
use motifnet_report::{ComparedParts, Missing, RunParts, comparison_page, run_page};

use crate::failure::Failure;
use crate::loaded_run::{LoadedRun, find_nodes};
use crate::read_data::read_known_data;
use crate::session::Session;

/// The page of one run. Only a folder without a run, settings that cannot be read and nodes that are not
/// there stop it.
pub(super) fn page_of_one(
    path: &Path,
    nodes: &[String],
    session: &Session,
) -> Result<Page, Failure> {
    let folder = RunFolder::open(path).map_err(Failure::run)?;
    let settings = read_settings(&folder)?;
    let report = read_report(&folder);
    let first = first_split(&folder, &settings);
    let history = read_history(&first, report.as_ref().ok());
    let run = LoadedRun::open(first.path());
    let dataset = read_known_data(&settings.config().data, session);
    let explained = match &dataset {
        Ok(dataset) => find_nodes(dataset, nodes)?,
        Err(_) => Vec::new(),
    };
    let predictor = match (&run, &dataset) {
        (Ok(run), Ok(dataset)) => run.predictor(dataset, session).map_err(why),
        (Err(failure), _) | (_, Err(failure)) => Err(why_of(failure)),
    };
    let test_nodes = match (&run, &dataset) {
        (Ok(run), Ok(dataset)) => {
            run.split(dataset).map(|split| split.test().to_vec()).map_err(why)
        }
        (Err(failure), _) | (_, Err(failure)) => Err(why_of(failure)),
    };
    Ok(run_page(&RunParts {
        run: path.display().to_string(),
        settings: &settings,
        report,
        repetition: 0,
        history,
        dataset: dataset.as_ref().map_err(why_of),
        model: run.as_ref().map(|run| &run.model).map_err(why_of),
        predictor: predictor.as_ref().map_err(Clone::clone),
        test_nodes,
        explained,
        drawing: dataset.as_ref().ok().map(|dataset| {
            graph_drawing("graph-portion", dataset, &GraphDrawingOptions::default())
        }),
        progress: session.progress(),
    }))
}

/// The page of several runs, which must all have results.
pub(super) fn page_of_several(paths: &[PathBuf]) -> Result<Page, Failure> {
    let mut runs = Vec::new();
    for path in paths {
        let metrics = MetricsFile::read(path).map_err(Failure::run)?;
        let folder = RunFolder::open(path).map_err(|error| error.to_string());
        let settings = folder.clone().and_then(|folder| read_settings(&folder).map_err(why));
        let history = match (&folder, &settings) {
            (Ok(folder), Ok(settings)) => {
                let report = read_report(folder);
                read_history(&first_split(folder, settings), report.as_ref().ok())
            }
            (Err(why), _) | (_, Err(why)) => Err(why.clone()),
        };
        runs.push(ComparedParts { metrics, settings, history });
    }
    Ok(comparison_page(&runs))
}

fn why(failure: Failure) -> Missing {
    why_of(&failure)
}

fn why_of(failure: &Failure) -> Missing {
    failure.reason()
}

fn read_settings(folder: &RunFolder) -> Result<Settings, Failure> {
    let mut settings = Settings::default();
    settings.read(&folder.file(CONFIG_FILE)).map_err(Failure::run)?;
    Ok(settings)
}

fn read_report(folder: &RunFolder) -> Result<RunReport, Missing> {
    match folder.read_report() {
        Ok(Some(report)) => Ok(report),
        Ok(None) => Err("it has not come to its end".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// The folder that has the history and the model: that of the first split, where there are several.
fn first_split(folder: &RunFolder, settings: &Settings) -> RunFolder {
    let split = folder.of_split(settings.config().run.first_split);
    match folder.file(MODEL_FILE).exists() || !split.holds_a_run() {
        true => folder.clone(),
        false => split,
    }
}

/// All epochs of a run: of one that has ended, as many as it tells; else as many as were written.
fn read_history(
    folder: &RunFolder,
    report: Option<&RunReport>,
) -> Result<Vec<EpochRecord>, Missing> {
    let told = report.and_then(|report| report.repeats.first()).map(|first| first.metrics.epochs);
    let n_epochs = match told {
        Some(0) => return Err("the model learns without epochs".to_owned()),
        Some(n) => n,
        None => {
            folder.check_file(HISTORY_FILE).map_err(|error| error.to_string())?;
            let path = folder.file(HISTORY_FILE);
            let text = std::fs::read_to_string(&path);
            let text = text.map_err(|error| format!("{}: {error}", path.display()))?;
            text.lines().count()
        }
    };
    folder.read_history(n_epochs).map_err(|error| error.to_string())
}
