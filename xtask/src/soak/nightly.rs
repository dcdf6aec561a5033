//! The nightly compiler, which alone has libFuzzer's hooks and the sanitizers.

use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::workspace;

/// Its cargo, at the root of the repository.
pub(super) fn cargo() -> Command {
    let mut cargo = Command::new("rustup");
    workspace::forget_package(cargo.current_dir(workspace::root()));
    cargo.args(["run", "nightly", "cargo"]);
    cargo
}

/// Refuses to go on where there is none.
pub(super) fn ensure() -> Result<()> {
    if !succeeds(cargo().arg("--version")) {
        bail!("this needs a nightly compiler; `rustup toolchain install nightly` brings one");
    }
    Ok(())
}

/// The machine that it builds for, as it is called in names of folders.
pub(super) fn host() -> Result<String> {
    let version = Command::new("rustup").args(["run", "nightly", "rustc", "-vV"]).output()?;
    let version = String::from_utf8(version.stdout)?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).context("rustc does not tell its host")
}

/// Whether a command ends well; what it says is not heard.
pub(super) fn succeeds(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|it| it.success())
}
