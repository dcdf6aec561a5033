//! Programs that no crate brings, from Debian's packages.

use std::env;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Installs a package where that can be done without asking; whoever needs it sees whether it is there.
pub(crate) fn install(package: &str) {
    if !is_root() || on_path("apt-get").is_none() {
        return;
    }
    println!("installing {package}");
    for arguments in ["update", "install -y --no-install-recommends"] {
        let mut command = Command::new("apt-get");
        command.args(arguments.split(' ')).env("DEBIAN_FRONTEND", "noninteractive");
        if arguments != "update" {
            command.arg(package);
        }
        // Without a network it cannot be had.
        let _ = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    }
}

/// A program of this machine.
pub(crate) fn on_path(name: &str) -> Option<PathBuf> {
    let paths = env::var_os("PATH")?;
    env::split_paths(&paths).map(|folder| folder.join(name)).find(|path| path.is_file())
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}
