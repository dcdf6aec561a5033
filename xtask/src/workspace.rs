//! Where things are, and which cargo builds them.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

/// The root of the repository.
pub(crate) fn root() -> &'static Path {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest)
}

/// Where cargo puts what it makes; whatever xtask makes goes there too.
pub(crate) fn target() -> PathBuf {
    root().join(env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
}

/// The cargo that started this task, at the root of the repository.
pub(crate) fn cargo() -> Command {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    forget_package(cargo.current_dir(root()));
    cargo
}

/// Builds the command `motifnet`.
///
/// With the features of the whole workspace, as `cargo test --workspace` builds it, so that nothing is built twice.
pub(crate) fn build_command() -> Result<()> {
    let words = ["build", "--release", "--quiet", "--workspace", "--bin", "motifnet"];
    if !cargo().args(words).status()?.success() {
        bail!("the command could not be built");
    }
    Ok(())
}

/// Where the command is once it is built.
pub(crate) fn command() -> PathBuf {
    target().join("release/motifnet")
}

/// Takes what cargo says of the running package out of the environment of a command that runs cargo.
///
/// Some build scripts (ring's) ask to be run again when it changes, and all that depends on them is
/// then built twice: for a cargo that is typed, and for one that is run from here.
pub(crate) fn forget_package(command: &mut Command) -> &mut Command {
    for (name, _) in env::vars_os() {
        let is_of_package = name.to_str().is_some_and(|name| {
            name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_")
        });
        if is_of_package {
            command.env_remove(name);
        }
    }
    command
}
