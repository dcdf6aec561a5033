//! `cargo xtask figures`: the pictures of the documents, drawn from what the command prints.

use std::f64::consts::TAU;
use std::fmt::Write;
use std::fs;

use anyhow::{Context, Result, bail};
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
    name: String,
    /// Arcs on the vertices 0, 1, 2.
    arcs: Vec<(usize, usize)>,
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
    fs::write(&out, draw(&census.motifs)).with_context(|| format!("writing {}", out.display()))?;
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

const CELL_WIDTH: f64 = 128.0;
const CELL_HEIGHT: f64 = 150.0;
const COLUMNS: usize = 7;
const RADIUS: f64 = 34.0;
const NODE: f64 = 7.0;

fn draw(motifs: &[Motif]) -> String {
    let width = CELL_WIDTH * COLUMNS as f64;
    let height = CELL_HEIGHT * motifs.len().div_ceil(COLUMNS) as f64;
    let mut svg = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" aria-label="The thirteen directed three-node motifs and how many a random graph has of each" font-family="sans-serif" text-anchor="middle">
<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 0 8 4 0 8z" fill="#24557a"/></marker></defs>
<rect width="100%" height="100%" fill="#ffffff"/>
"##
    );
    for (place, motif) in motifs.iter().enumerate() {
        let x = CELL_WIDTH * ((place % COLUMNS) as f64 + 0.5);
        let y = CELL_HEIGHT * (place / COLUMNS) as f64 + 62.0;
        let _ = writeln!(svg, r#"<g transform="translate({x} {y})">"#);
        draw_motif(&mut svg, motif);
        svg.push_str("</g>\n");
    }
    svg.push_str("</svg>\n");
    svg
}

fn draw_motif(svg: &mut String, motif: &Motif) {
    // Vertex 0, the centre of a wedge, stands on top.
    let vertex = |number: usize| {
        let angle = TAU * (number as f64 / 3.0 - 0.25);
        (RADIUS * angle.cos(), RADIUS * angle.sin())
    };
    for &(source, target) in &motif.arcs {
        let mutual = motif.arcs.contains(&(target, source));
        if mutual && source > target {
            continue;
        }
        let ((x1, y1), (x2, y2)) = (vertex(source), vertex(target));
        let shorten = (NODE + 3.0) / (x2 - x1).hypot(y2 - y1);
        let (dx, dy) = (shorten * (x2 - x1), shorten * (y2 - y1));
        let both = if mutual { r#" marker-start="url(#tip)""# } else { "" };
        let _ = writeln!(
            svg,
            r##"<line x1="{:.1}" y1="{:.1}" x2="{:.1}" y2="{:.1}" stroke="#24557a" stroke-width="2" marker-end="url(#tip)"{both}/>"##,
            x1 + dx,
            y1 + dy,
            x2 - dx,
            y2 - dy
        );
    }
    for (x, y) in (0..3).map(vertex) {
        let _ = writeln!(svg, r##"<circle cx="{x:.1}" cy="{y:.1}" r="{NODE}" fill="#e08a2b"/>"##);
    }
    let (name, count) = (&motif.name, grouped(motif.count));
    let _ = writeln!(
        svg,
        r##"<text y="50" font-size="14" font-weight="bold" fill="#222">{name}</text>"##
    );
    let _ = writeln!(svg, r##"<text y="69" font-size="13" fill="#444">{count}</text>"##);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mutual_arc_is_drawn_once_with_two_tips() {
        let arcs = vec![(0, 1), (1, 0), (0, 2)];
        let svg = draw(&[Motif { name: "M11".to_owned(), arcs, count: 1_234 }]);
        assert_eq!(svg.matches("<line").count(), 2);
        assert_eq!(svg.matches("marker-start").count(), 1);
        assert!(svg.contains(">1,234<"));
    }
}
