//! A citation graph as the folder of a data set.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::CitationData;
use crate::graph::{NodeNames, begin_tsv};
use crate::io::{
    ClaimError, CsrArrays, CsvFile, FinishedFile, FolderClaim, NpzWriter, Place, WholeFile,
    WriteError,
};

/// What the data set is; where it is, the others are.
const DESCRIPTION_FILE: &str = "dataset.toml";

const DESCRIPTION: &str = "\
# Made by a seeded generator: papers that cite each other, with topics and words.
name = \"citations\"
arcs = \"arcs.tsv\"
labels = \"nodes.csv#topic\"
features = \"words.npz\"
split = \"10/10/10\"
";

impl CitationData {
    /// Writes `arcs.tsv`, `nodes.csv` (`node,topic,year`), `words.npz` and `dataset.toml` into
    /// `folder`, which is made if it is not there and claimed; [`crate::data::read_dataset`] reads them.
    ///
    /// What is there is replaced when all of the new files are complete. Only then the old description is
    /// taken away, and the new one is put in place last, so that a folder with a `dataset.toml` is whole.
    ///
    /// # Errors
    /// If another process has the folder, and whatever keeps a file from being written.
    pub fn write_dataset(&self, folder: impl Into<Place>) -> Result<(), ClaimError> {
        let folder = folder.into();
        let _claim = FolderClaim::take(&folder)?;
        Ok(self.write_files(folder.path())?)
    }

    /// The same, in a folder where there is nothing yet.
    ///
    /// # Errors
    /// As [`CitationData::write_dataset`], and if there is something in the folder.
    pub fn write_new_dataset(&self, folder: impl Into<Place>) -> Result<(), NewDatasetError> {
        let folder = folder.into();
        let claim = FolderClaim::take(&folder)?;
        // Only now: what another process writes would still be missing.
        if !claim.is_alone()? {
            return Err(NewDatasetError::Used(folder.path().to_owned()));
        }
        self.write_files(folder.path()).map_err(ClaimError::from)?;
        Ok(())
    }

    fn write_files(&self, folder: &Path) -> Result<(), WriteError> {
        let place = |name: &str| Place::within(folder, name);
        let names = NodeNames::Indices(self.graph.n_nodes());
        let finished = [
            begin_tsv(&place("arcs.tsv"), &self.graph, &names)?.finish()?,
            self.nodes(place("nodes.csv"))?,
            self.words(place("words.npz"))?,
            description(place(DESCRIPTION_FILE))?,
        ];
        let description = folder.join(DESCRIPTION_FILE);
        match std::fs::remove_file(&description) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(WriteError::io(&description, error));
            }
            _ => {}
        }
        finished.into_iter().try_for_each(FinishedFile::commit)
    }

    fn nodes(&self, place: Place) -> Result<FinishedFile, WriteError> {
        let mut file = CsvFile::create(place, ["node", "topic", "year"])?;
        let topic = |node: usize| {
            self.labels.of(node as u32).map_or("", |class| &self.labels.classes()[class as usize])
        };
        file.write_rows(self.years.len(), |node, line| {
            line.integer(node as u64).text(topic(node)).integer(self.years[node])
        })?;
        file.finish()
    }

    fn words(&self, place: Place) -> Result<FinishedFile, WriteError> {
        let words = &self.words;
        let arrays = CsrArrays {
            n_columns: words.n_columns(),
            offsets: words.offsets(),
            columns: words.columns(),
        };
        let mut npz = NpzWriter::create(place)?;
        arrays.write(&mut npz, words.values().iter().copied())?;
        npz.finish()
    }
}

fn description(place: Place) -> Result<FinishedFile, WriteError> {
    let mut file = WholeFile::create(&place)?;
    let written = file.write_all(DESCRIPTION.as_bytes());
    written.map_err(|source| WriteError::io(place.path(), source))?;
    file.finish()
}

/// Why a data set could not be written where there is to be nothing yet.
#[derive(Debug, thiserror::Error)]
pub enum NewDatasetError {
    /// There is something.
    #[error("there is something in {} already", .0.display())]
    Used(PathBuf),
    /// The folder cannot be had, or a file not be written.
    #[error(transparent)]
    Claim(#[from] ClaimError),
}
