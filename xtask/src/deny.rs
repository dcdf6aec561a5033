//! `cargo xtask deny`: licences, known holes, crates in several versions, and where crates come from.

use std::process::{Command, Stdio};

use anyhow::{Result, bail};

use crate::workspace;

/// What is asked without a network; known holes are read from a database that must be fetched.
const WITHOUT_NETWORK: [&str; 3] = ["bans", "licenses", "sources"];

/// Runs cargo-deny, which is installed if it is not there, with all its checks.
pub(crate) fn run() -> Result<()> {
    if !is_there() {
        let status = workspace::cargo().args(["install", "--locked", "cargo-deny"]).status()?;
        if !status.success() {
            bail!("cargo-deny could not be installed");
        }
    }
    check(&["advisories"].into_iter().chain(WITHOUT_NETWORK).collect::<Vec<_>>())
}

/// Runs those checks that need no network, if cargo-deny is there; says so if it is not.
pub(crate) fn run_if_there() -> Result<()> {
    if !is_there() {
        println!("cargo-deny is not there: skipped; `cargo xtask deny` installs it");
        return Ok(());
    }
    check(&WITHOUT_NETWORK)
}

fn is_there() -> bool {
    let mut version = Command::new("cargo-deny");
    version.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    version.status().is_ok_and(|status| status.success())
}

fn check(what: &[&str]) -> Result<()> {
    let mut command = workspace::cargo();
    if !command.args(["deny", "--workspace", "check"]).args(what).status()?.success() {
        bail!("cargo-deny found something: mend it, or say in deny.toml why it may stay");
    }
    Ok(())
}
