//! `cargo xtask figures`: the pictures of the documents, drawn from what the command prints.

use std::fs;

use anyhow::{Context, Result, bail};
use motifnet::motif::MotifKind;
use motifnet_report::PAPER;
use motifnet_report::drawing::motif_gallery;
use serde::Deserialize;

use crate::table::grouped;
use crate::workspace;

/// What `motifnet census --json` tells of the motifs.
#[derive(Deserialize)]
struct Census {
    motifs: Vec<Motif>,
}

#[derive(Deserialize)]
struct Motif {
    name: MotifKind,
    count: u64,
}

/// Draws `docs/census.svg`: the motifs of the README's graph and how many there are of each.
pub(crate) fn run() -> Result<()> {
    let folder = workspace::target().join("figures");
    fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
    let graph = folder.join("graph.tsv");
    let graph = graph.to_str().context("a folder whose name is not UTF-8")?;
    let generate = "generate rmat --nodes 4096 --arcs 40000 --seed 1 --quiet -o";
    motifnet(generate, graph)?;
    let census: Census = serde_json::from_slice(&motifnet("census --quiet --json", graph)?)?;
    let out = workspace::root().join("docs/census.svg");
    let count = |kind| census.motifs.iter().find(|motif| motif.name == kind).map(|m| m.count);
    let title = "The thirteen directed three-node motifs and how many a random graph has of each";
    let figure = motif_gallery("census", title, "", |kind| count(kind).map(grouped));
    fs::write(&out, on_paper(&figure.svg)).with_context(|| format!("writing {}", out.display()))?;
    println!("drew docs/census.svg");
    Ok(())
}

/// What `motifnet WORDS PATH` prints.
fn motifnet(words: &str, path: &str) -> Result<Vec<u8>> {
    let output = workspace::cargo()
        .args(["run", "--release", "--quiet", "-p", "motifnet-cli", "--"])
        .args(words.split_whitespace())
        .arg(path)
        .output()
        .context("starting cargo")?;
    if !output.status.success() {
        bail!("motifnet {words}: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(output.stdout)
}

/// The SVG on white: a document shows it on whatever ground its reader has.
fn on_paper(svg: &str) -> String {
    let ground = format!(">\n<rect width=\"100%\" height=\"100%\" fill=\"{PAPER}\"/>\n");
    svg.replacen(">\n", &ground, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ground_is_drawn_first() {
        let figure = motif_gallery("census", "Motifs & more", "", |_| None);
        let svg = on_paper(&figure.svg);
        let second = svg.lines().nth(1);
        assert_eq!(second, Some("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>"));
        assert_eq!(svg.lines().count(), figure.svg.lines().count() + 1);
    }
}
