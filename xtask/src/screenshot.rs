//! `cargo xtask screenshot`: the pictures of pages that stand in the README.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::{browser, workspace};

/// Three blocks of nodes in a ring, as in the README's tour.
const DATASET: &str = "name = \"ring\"\narcs = \"ring.tsv\"\nlabels = \"ring.csv#block\"\n\
                       features = \"one-hot\"\nsplit = \"20/20/60\"\n";

/// The commands that make the pages, from a folder with the data set's description.
const COMMANDS: [&str; 5] = [
    "generate dsbm --blocks 100,100,100 --connect 0.02,0.12,0.02;0.02,0.02,0.12;0.12,0.02,0.02 --seed 1 \
     --labels ring.csv -o ring.tsv",
    "train . --model gcn --repeat 3 --out gcn",
    "train . --model motifnet-d --order 2 --repeat 3 --out run",
    "report gcn run -o comparison.html",
    "reproduce --out reproduction",
];

/// A page, what its picture is called, and its pixels across and down.
const PICTURES: [(&str, &str, [u32; 2]); 2] = [
    ("comparison.html", "report.png", [1100, 1500]),
    ("reproduction/report.html", "reproduction.png", [1100, 1180]),
];

/// Makes the pictures in `docs`.
pub(crate) fn run() -> Result<()> {
    let browser = browser::ensure().context("there is no Chromium on the path; install it")?;
    let folder = workspace::target().join("screenshot");
    fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
    fs::write(folder.join("dataset.toml"), DATASET)?;
    workspace::build_command()?;
    let program = workspace::command();
    for words in COMMANDS {
        let mut command = Command::new(&program);
        command.args(words.split_whitespace()).arg("--quiet").current_dir(&folder);
        let output = command.output().context("starting motifnet")?;
        if !output.status.success() {
            bail!("motifnet {words}: {}", String::from_utf8_lossy(&output.stderr));
        }
    }
    for (page, name, size) in PICTURES {
        let out = workspace::root().join("docs").join(name);
        picture(&browser, &folder.join(page), size, &out)?;
        println!("pictured docs/{name}");
    }
    Ok(())
}

fn picture(browser: &Path, page: &Path, [width, height]: [u32; 2], out: &Path) -> Result<()> {
    let page = page.canonicalize().with_context(|| format!("finding {}", page.display()))?;
    let status = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"])
        .arg(format!("--window-size={width},{height}"))
        .arg(format!("--screenshot={}", out.display()))
        .arg(format!("file://{}", page.display()))
        .stderr(Stdio::null())
        .status()
        .context("starting the browser")?;
    if !status.success() || !out.is_file() {
        bail!("the browser made no picture");
    }
    Ok(())
}
