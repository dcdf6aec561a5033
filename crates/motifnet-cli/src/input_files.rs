//! The files that a command reads, which it must not write over.

use std::path::{Path, PathBuf, absolute};

use motifnet::data::DatasetSource;
use motifnet::train::{CONFIG_FILE, RunConfig, RunFolder, Settings};

use crate::failure::Failure;
use crate::read_data::resolved;

/// The files that a command reads: where each is, and what it is.
#[derive(Clone, Debug, Default)]
pub(crate) struct InputFiles(Vec<(PathBuf, String)>);

impl InputFiles {
    /// With one file more; what is not there cannot be lost.
    pub(crate) fn with(mut self, file: &Path, what: &str) -> Self {
        if file.is_file() {
            self.0.push((identity(file), what.to_owned()));
        }
        self
    }

    /// With all files of a data set.
    pub(crate) fn with_data(self, source: &DatasetSource, what: &str) -> Self {
        let files = resolved(source).files(Path::new(""));
        files.iter().fold(self, |inputs, file| inputs.with(file, what))
    }

    /// With all that a run keeps, and the data that it learnt from.
    pub(crate) fn with_run(self, run: &Path) -> Self {
        let (folder, name) = (RunFolder::at(run), run.display());
        let mut settings = Settings::default();
        // What is wrong with them is told by whoever needs them.
        let _ = settings.read(&folder.file(CONFIG_FILE));
        let RunConfig { data, run, .. } = settings.config();
        let splits = (run.first_split..).map(|number| folder.of_split(number));
        let splits = splits.take_while(|split| split.path().is_dir());
        let files = [folder.clone()]
            .into_iter()
            .chain(splits)
            .flat_map(|folder| folder.files().collect::<Vec<_>>());
        let what = format!("a file of the run {name}");
        let inputs = files.fold(self, |inputs, file| inputs.with(&file, &what));
        inputs.with_data(data, &format!("a file of the data of {name}"))
    }

    /// Refuses a folder of --out in which one of the files would be replaced, by one that is written there under
    /// one of these names.
    pub(crate) fn check_out(
        &self,
        outputs: impl IntoIterator<Item = PathBuf>,
    ) -> Result<(), Failure> {
        let found = outputs.into_iter().find_map(|output| {
            let place = identity(&output);
            let (_, what) = self.0.iter().find(|(input, _)| *input == place)?;
            Some(anyhow::anyhow!("{} is {what}", output.display()))
        });
        found.map_or(Ok(()), |message| Err(refused_out(message)))
    }

    /// Refuses to remove a folder that has one of the files in it.
    pub(crate) fn check_removed(&self, folder: &Path) -> Result<(), Failure> {
        let place = identity(folder);
        let inside = self.0.iter().find(|(input, _)| input.starts_with(&place));
        inside.map_or(Ok(()), |(input, what)| {
            let name = folder.join(input.strip_prefix(&place).unwrap_or(input));
            Err(refused_out(anyhow::anyhow!("{} is {what}", name.display())))
        })
    }

    /// Refuses outputs that would replace one of the files or each other.
    pub(crate) fn check_outputs(&self, outputs: &[&Path]) -> Result<(), Failure> {
        let mut earlier = Vec::new();
        for output in outputs {
            let (place, name) = (identity(output), output.display());
            if let Some((_, what)) = self.0.iter().find(|(input, _)| input == &place) {
                let message = anyhow::anyhow!("{name} is {what}");
                return Err(Failure::usage(message).hint("write to another file"));
            }
            if earlier.contains(&place) {
                let message = anyhow::anyhow!("{name} is to be written twice");
                return Err(Failure::usage(message).hint("give every output a file of its own"));
            }
            earlier.push(place);
        }
        Ok(())
    }
}

fn refused_out(message: anyhow::Error) -> Failure {
    Failure::usage(message).hint("name another folder with --out")
}

/// Where a path leads, however it is written: of a file that is not there yet, its name in its folder.
fn identity(path: &Path) -> PathBuf {
    let whole = absolute(path).unwrap_or_else(|_| path.to_owned());
    let in_folder = || Some(whole.parent()?.canonicalize().ok()?.join(whole.file_name()?));
    path.canonicalize().ok().or_else(in_folder).unwrap_or(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_the_same_however_it_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("sub")).unwrap();
        std::fs::write(at("there.csv"), "").unwrap();
        for name in ["there.csv", "not-there.csv"] {
            for other in [format!("./{name}"), format!("sub/../{name}"), format!(".//{name}")] {
                assert_eq!(identity(&at(name)), identity(&at(&other)), "{other}");
            }
        }
        assert_ne!(identity(&at("a.csv")), identity(&at("sub/a.csv")));
        assert_eq!(identity(&at("no/a.csv")), identity(&at("no/./a.csv")));
        assert_eq!(identity(Path::new("a.csv")), identity(&absolute("a.csv").unwrap()));
    }
}
