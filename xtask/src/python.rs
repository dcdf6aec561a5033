//! `cargo xtask python` and `cargo xtask wheel`: the Python package, built, tested and for release.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs, iter};

use anyhow::{Context, Result, bail};

use crate::{venv, workspace};

/// The crate of the package, from the root of the repository.
const CRATE: &str = "crates/motifnet-py";
/// The oldest C library that a released wheel runs with: that of RHEL 8, Debian 10 and Ubuntu 20.04.
const MANYLINUX: &str = "manylinux_2_28";

/// Builds the wheel, installs it into an environment of its own and runs its tests there.
pub(crate) fn test() -> Result<()> {
    if !starts("python3") {
        println!("there is no python3 on the path: tests of the Python package are skipped");
        return Ok(());
    }
    let python = install()?;
    run(Command::new(&python).args(["-m", "pytest"]).current_dir(folder()))
}

/// The Python of an environment that has the package as it is now.
///
/// # Errors
/// If there is no Python, or the package cannot be built.
pub(crate) fn install() -> Result<PathBuf> {
    let python = venv::ensure(&folder(), "requirements.txt", "python-venv")?;
    let wheels = workspace::target().join("wheels-test");
    let wheel = build(&python, &wheels, &["--interpreter".as_ref(), python.as_os_str()])?;
    // The version stays the same while the code changes.
    let options = ["--quiet", "--disable-pip-version-check", "--force-reinstall", "--no-deps"];
    run(Command::new(&python).args(["-m", "pip", "install"]).args(options).arg(wheel))?;
    Ok(python)
}

/// Makes the wheel for release in `target/wheels`: for any Linux with a C library since 2018, and any
/// x86-64, since kernels choose their instructions at run time.
pub(crate) fn wheel() -> Result<()> {
    let python = venv::ensure(&folder(), "requirements-wheel.txt", "wheel-venv")?;
    let wheels = workspace::target().join("wheels");
    let options = ["--zig", "--compatibility", MANYLINUX].map(OsStr::new);
    let wheel = build(&python, &wheels, &options)?;
    try_on_old_cpu(&python, &wheel)?;
    println!("{}", wheel.display());
    Ok(())
}

/// Has the command of the wheel count motifs on the oldest x86-64 there is, where an emulator has one.
fn try_on_old_cpu(python: &Path, wheel: &Path) -> Result<()> {
    if !starts("qemu-x86_64") {
        println!("there is no qemu-x86_64 on the path: the wheel is not tried on an old CPU");
        return Ok(());
    }
    let folder = workspace::target().join("wheel-tried");
    let install = ["-m", "pip", "install", "--quiet", "--upgrade", "--no-deps", "--target"];
    run(Command::new(python).args(install).arg(&folder).arg(wheel))?;
    let arcs = folder.join("arcs.csv");
    fs::write(&arcs, "0,1\n1,2\n2,0\n")?;
    let code =
        "import sys; from motifnet._motifnet import run_command; sys.exit(run_command(sys.argv))";
    let mut emulated = Command::new("qemu-x86_64");
    emulated.args(["-cpu", "qemu64"]).arg(fs::canonicalize(python)?).args(["-c", code, "census"]);
    run(emulated.arg(arcs).env("PYTHONPATH", folder).stdout(Stdio::null()))
}

/// Builds the wheel into an emptied folder.
fn build(python: &Path, wheels: &Path, options: &[&OsStr]) -> Result<PathBuf> {
    if wheels.exists() {
        fs::remove_dir_all(wheels).with_context(|| format!("emptying {}", wheels.display()))?;
    }
    let manifest = folder().join("Cargo.toml");
    let mut maturin = Command::new(python);
    maturin.args(["-m", "maturin", "build", "--release", "--locked", "--manifest-path"]);
    maturin.arg(manifest).arg("--out").arg(wheels).args(options);
    maturin.env("PATH", path_with(python)?);
    run(workspace::forget_package(maturin.current_dir(workspace::root())))?;
    let mut found =
        fs::read_dir(wheels).with_context(|| format!("reading {}", wheels.display()))?;
    let wheel = found.next().context("maturin made no wheel")??;
    Ok(wheel.path())
}

/// The path with the environment of `python` before all else: maturin finds zig by the first Python.
fn path_with(python: &Path) -> Result<OsString> {
    let path = env::var_os("PATH").unwrap_or_default();
    let own = python.parent().map(Path::to_owned).into_iter();
    Ok(env::join_paths(own.chain(env::split_paths(&path)))?)
}

fn folder() -> PathBuf {
    workspace::root().join(CRATE)
}

fn starts(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

fn run(command: &mut Command) -> Result<()> {
    let words: Vec<_> = iter::once(command.get_program()).chain(command.get_args()).collect();
    let typed = words.join(OsStr::new(" ")).display().to_string();
    let status = command.status().with_context(|| format!("starting {typed}"))?;
    if !status.success() {
        bail!("{typed} failed: {status}");
    }
    Ok(())
}
