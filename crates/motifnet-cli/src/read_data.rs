//! Reading a data set, with what the user should know of it.

use std::path::Path;

use motifnet::data::catalog::{fetch_hint, resolve};
use motifnet::data::{DatasetSource, NodeDataset, read_source};

use crate::failure::Failure;
use crate::session::Session;

/// Reads a data set and tells its contract.
pub(crate) fn read_data(source: &DatasetSource, session: &Session) -> Result<NodeDataset, Failure> {
    let dataset = read_known_data(source, session)?;
    let contract = dataset.contract.lines();
    contract.iter().for_each(|line| session.remark(line));
    let is_told =
        |note: &str| !session.is_quiet() && contract.iter().any(|line| line.contains(note));
    dataset.notes.iter().filter(|note| !is_told(note)).for_each(|note| session.note(note));
    Ok(dataset)
}

/// Reads a data set whose contract the user knows. What is no path may be the name of a known data set.
pub(crate) fn read_known_data(
    source: &DatasetSource,
    session: &Session,
) -> Result<NodeDataset, Failure> {
    let source = resolved(source);
    if let Some(path) = source.dataset.as_deref().filter(|path| !path.exists()) {
        let message = anyhow::anyhow!("there is no file or folder {}", path.display());
        let known = || "`motifnet data list` shows the known data sets".to_owned();
        return Err(Failure::run(message).hint(fetch_hint(path).unwrap_or_else(known)));
    }
    read_source(&source, Path::new(""), session.progress()).map_err(Failure::run)
}

/// The same with the folder of a known data set in place of its name.
pub(crate) fn resolved(source: &DatasetSource) -> DatasetSource {
    let fetched = source.dataset.as_deref().and_then(resolve);
    let dataset = fetched.or_else(|| source.dataset.clone());
    DatasetSource { dataset, ..source.clone() }
}
