//! A citation graph as the folder of a data set.

use std::io::Write;
use std::path::Path;

use super::CitationData;
use crate::graph::{NodeNames, write_graph};
use crate::io::{CsrArrays, CsvFile, NpzWriter, WholeFile, WriteError};

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
    /// `folder`, which is made if it is not there; [`crate::data::read_dataset`] reads them.
    ///
    /// The description is taken away first and put in place last, so that a folder with a
    /// `dataset.toml` is whole.
    ///
    /// # Errors
    /// Whatever keeps a file from being written.
    pub fn write_dataset(&self, folder: &Path) -> Result<(), WriteError> {
        let io = |path: &Path, source| WriteError::io(path, source);
        std::fs::create_dir_all(folder).map_err(|source| io(folder, source))?;
        let description = folder.join("dataset.toml");
        match std::fs::remove_file(&description) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(io(&description, error));
            }
            _ => {}
        }
        let names = NodeNames::Indices(self.graph.n_nodes());
        write_graph(&folder.join("arcs.tsv"), &self.graph, &names)?;
        self.write_nodes(&folder.join("nodes.csv"))?;
        self.write_words(&folder.join("words.npz"))?;
        let mut file = WholeFile::create(&description)?;
        file.write_all(DESCRIPTION.as_bytes()).map_err(|source| io(&description, source))?;
        file.commit()
    }

    fn write_nodes(&self, path: &Path) -> Result<(), WriteError> {
        let mut file = CsvFile::create(path, ["node", "topic", "year"])?;
        let topic = |node: usize| {
            self.labels.of(node as u32).map_or("", |class| &self.labels.classes()[class as usize])
        };
        file.write_rows(self.years.len(), |node, line| {
            line.integer(node as u64).text(topic(node)).integer(self.years[node])
        })?;
        file.commit()
    }

    fn write_words(&self, path: &Path) -> Result<(), WriteError> {
        let words = &self.words;
        let arrays = CsrArrays {
            n_columns: words.n_columns(),
            offsets: words.offsets(),
            columns: words.columns(),
        };
        let mut npz = NpzWriter::create(path)?;
        arrays.write(&mut npz, words.values().iter().copied())?;
        npz.commit()
    }
}
