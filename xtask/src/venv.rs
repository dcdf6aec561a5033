//! Python environments under `target`, each with the pinned packages of a file of requirements.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::workspace;

/// Makes the environment `folder` (in `target`) if it is missing or `requirements` (a file in
/// `scripts`) changed; returns its Python.
///
/// A package that cannot be installed is named on stderr and left out: whoever imports it says so.
///
/// # Errors
/// If there is no Python, or it cannot make environments.
pub(crate) fn ensure(scripts: &Path, requirements: &str, folder: &str) -> Result<PathBuf> {
    let folder = workspace::target().join(folder);
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let path = scripts.join(requirements);
    let requirements =
        fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
    let stamp = folder.join("installed-requirements.txt");
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == requirements) {
        return Ok(python);
    }

    eprintln!("installing {} into {}", path.display(), folder.display());
    let mut venv = Command::new("python3");
    venv.args(["-m", "venv"]).arg(&folder);
    if !succeeds(&mut venv).context("python3 could not be started")? {
        bail!("`python3 -m venv {}` failed", folder.display());
    }
    if succeeds(pip_install(&python).arg("-r").arg(&path))? {
        fs::write(&stamp, requirements)?;
        return Ok(python);
    }
    // Not all at once, then one by one: a package that is missing here should cost only its peer.
    for package in packages(&requirements) {
        if !succeeds(pip_install(&python).arg(package))? {
            eprintln!("warning: {package} cannot be installed");
        }
    }
    Ok(python)
}

fn pip_install(python: &Path) -> Command {
    let mut pip = Command::new(python);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    pip
}

fn succeeds(command: &mut Command) -> Result<bool> {
    // stdout is for results.
    Ok(command.stdout(Stdio::null()).status()?.success())
}

fn packages(requirements: &str) -> impl Iterator<Item = &str> {
    requirements.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_no_packages() {
        let found: Vec<_> = packages("# pinned\n\nigraph==1.0.0\n polars==2.1.0\n").collect();
        assert_eq!(found, ["igraph==1.0.0", "polars==2.1.0"]);
    }
}
