//! `motifnet data`: known public data sets, where they are, and how they come here.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use motifnet::data::catalog::{self, KnownDataset, data_home};
#[cfg(feature = "fetch")]
use motifnet::data::catalog::{FetchOptions, Mirror};

#[cfg(feature = "fetch")]
use super::data_report::FetchReport;
use super::data_report::{ListReport, WhereReport};
use crate::failure::Failure;
use crate::session::Session;

/// List, find and fetch known public data sets
#[derive(Debug, Subcommand)]
#[command(after_help = "\
Examples:
  motifnet data list
  motifnet data fetch cora-ml telegram
  motifnet data where cora-ml

Data sets are kept in $MOTIFNET_HOME/data, or where the platform keeps a user's data
(~/.local/share/motifnet/data), a folder each with its files and a dataset.toml.")]
pub(crate) enum DataCommand {
    List(ListArgs),
    Where(WhereArgs),
    #[cfg(feature = "fetch")]
    Fetch(FetchArgs),
}

/// List the known data sets: size, licence, and whether they are here
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  motifnet data list
  motifnet data list --json")]
pub(crate) struct ListArgs {}

/// Print the folder of a data set that was fetched
///
/// Exit code 1 if it was not fetched, or not all of it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  motifnet data where cora-ml
  motifnet train $(motifnet data where cora-ml)")]
pub(crate) struct WhereArgs {
    /// The name of a data set, as `motifnet data list` has it
    #[arg(value_name = "NAME")]
    name: String,
}

/// Fetch data sets
///
/// A file appears when all of it is there and its SHA-256 is right. Of a file whose hash is not
/// known, that of the first fetch is kept in fetched.toml and asked for ever after. A fetch that is
/// stopped is taken up where it was by the next one. What is here already needs no network.
#[cfg(feature = "fetch")]
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  motifnet data fetch cora-ml
  motifnet data fetch cora-ml telegram --to data
  motifnet data fetch wiki-vote --mirror https://files.example/mirror

A mirror has the files under the paths of their own servers: https://a.org/data/x.gz is asked for
as https://files.example/mirror/data/x.gz. Servers are asked by https, and only this machine by http
too (localhost, 127.0.0.1). Proxies are taken from HTTPS_PROXY, HTTP_PROXY, NO_PROXY.")]
pub(crate) struct FetchArgs {
    /// The names of data sets, as `motifnet data list` has them
    #[arg(value_name = "NAME", required = true)]
    names: Vec<String>,

    /// Make the folder of every data set in DIR [default: where data sets are kept]
    #[arg(long, value_name = "DIR")]
    to: Option<PathBuf>,

    /// Ask this server instead of those that the files come from
    #[arg(long, value_name = "URL")]
    mirror: Option<Mirror>,

    /// How often a connection that was cut, or a busy server, is tried again
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        default_value_t = FetchOptions::default().retries
    )]
    retries: u32,
}

/// What is to be done with known data sets.
pub(crate) enum DataConfig {
    List(ListConfig),
    Where(WhereConfig),
    #[cfg(feature = "fetch")]
    Fetch(FetchConfig),
}

pub(crate) struct ListConfig {
    home: PathBuf,
}

pub(crate) struct WhereConfig {
    known: &'static KnownDataset,
    home: PathBuf,
}

/// Data sets to fetch, and whereto.
#[cfg(feature = "fetch")]
pub(crate) struct FetchConfig {
    known: Vec<&'static KnownDataset>,
    home: PathBuf,
    options: FetchOptions,
}

impl DataCommand {
    pub(crate) fn check(self) -> Result<DataConfig, Failure> {
        let home = || data_home().map_err(Failure::run);
        Ok(match self {
            Self::List(ListArgs {}) => DataConfig::List(ListConfig { home: home()? }),
            Self::Where(WhereArgs { name }) => {
                DataConfig::Where(WhereConfig { known: find(&name)?, home: home()? })
            }
            #[cfg(feature = "fetch")]
            Self::Fetch(FetchArgs { names, to, mirror, retries }) => {
                let known = names.iter().map(|name| find(name)).collect::<Result<Vec<_>, _>>()?;
                let home = to.map_or_else(home, Ok)?;
                let options = FetchOptions { mirror, retries, ..FetchOptions::default() };
                DataConfig::Fetch(FetchConfig { known, home, options })
            }
        })
    }
}

impl DataConfig {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        match self {
            Self::List(config) => session.show(&config.run()),
            Self::Where(config) => session.show(&config.run()?),
            #[cfg(feature = "fetch")]
            Self::Fetch(config) => session.show(&config.run(session)?),
        }
    }
}

impl ListConfig {
    fn run(&self) -> ListReport {
        ListReport::new(catalog::known(), &self.home)
    }
}

impl WhereConfig {
    fn run(&self) -> Result<WhereReport, Failure> {
        let folder = self.home.join(&self.known.name);
        if self.known.is_in(&folder) {
            return Ok(WhereReport::new(self.known, &folder));
        }
        let (name, folder) = (&self.known.name, folder.display());
        let failure = Failure::run(anyhow::anyhow!("{name} is not in {folder}, or not all of it"));
        Err(failure.hint(format!("motifnet data fetch {name}")))
    }
}

#[cfg(feature = "fetch")]
impl FetchConfig {
    fn run(&self, session: &Session) -> Result<FetchReport, Failure> {
        let mut report = FetchReport::default();
        for known in &self.known {
            let folder = self.home.join(&known.name);
            let fetched = catalog::fetch(known, &folder, &self.options, session.progress());
            let fetched = fetched.map_err(|error| {
                // What came before it is not lost, and the user should know.
                report.remark(session);
                Failure::run(error)
            })?;
            report.add(known, &fetched);
        }
        report.notes().iter().for_each(|note| session.note(note));
        Ok(report)
    }
}

fn find(name: &str) -> Result<&'static KnownDataset, Failure> {
    let known = catalog::find(name);
    known.map_err(|error| Failure::usage(error).hint("motifnet data list has all names"))
}
