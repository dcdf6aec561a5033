//! `cargo xtask deny`: licences, known holes, crates in several versions, and where crates come from.

use std::process::{Command, Stdio};

use anyhow::{Result, bail};

use crate::workspace;

/// What is asked without a network; known holes are read from a database that must be fetched.
const WITHOUT_NETWORK: [&str; 3] = ["bans", "licenses", "sources"];
/// One that is known to understand `deny.toml`.
const VERSION: &str = "0.20.2";

/// Runs cargo-deny, which is installed if it is not there: all its checks, or those that need no network.
pub(crate) fn run(offline: bool) -> Result<()> {
    if !is_there() {
        println!("installing cargo-deny {VERSION}");
        let mut cargo = workspace::cargo();
        let words = ["install", "--locked", "--quiet", "cargo-deny", "--version", VERSION];
        if !cargo.args(words).status()?.success() {
            bail!("cargo-deny could not be installed; `cargo install cargo-deny` tells more");
        }
    }
    let advisories = (!offline).then_some("advisories");
    check(&advisories.into_iter().chain(WITHOUT_NETWORK).collect::<Vec<_>>())
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
