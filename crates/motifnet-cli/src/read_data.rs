//! Reading a data set, with what the user should know of it.

use std::path::Path;

use motifnet::data::catalog::{fetch_hint, resolve};
use motifnet::data::{DatasetSource, NodeDataset, read_source};

use crate::failure::Failure;
use crate::session::Session;

/// Reads a data set and tells its contract. What is no path may be the name of a known data set.
pub(crate) fn read_data(source: &DatasetSource, session: &Session) -> Result<NodeDataset, Failure> {
    let fetched = source.dataset.as_deref().and_then(resolve);
    let dataset = fetched.or_else(|| source.dataset.clone());
    let source = DatasetSource { dataset, ..source.clone() };
    let dataset = read_source(&source, Path::new(""), session.progress()).map_err(|error| {
        let hint = source.dataset.as_deref().and_then(fetch_hint);
        hint.into_iter().fold(Failure::run(error), Failure::hint)
    })?;
    dataset.contract.lines().iter().for_each(|line| session.remark(line));
    dataset.notes.iter().for_each(|note| session.note(note));
    Ok(dataset)
}
