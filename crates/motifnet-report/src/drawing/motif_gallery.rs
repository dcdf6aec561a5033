//! The thirteen motifs, side by side.

use motifnet::motif::MotifKind;

use super::arrow::Arrow;
use crate::svg::Svg;
use crate::{ACCENT, CATEGORIES, Figure, INK, MUTED, PAPER};

const CELL_WIDTH: f64 = 128.0;
const CELL_HEIGHT: f64 = 136.0;
/// Seven triangles, then six wedges.
const COLUMNS: usize = 7;
/// From the middle of a motif to its vertices.
const RADIUS: f64 = 34.0;
const NODE: f64 = 7.0;
const ARROW: Arrow = Arrow { width: 2.0, head: 9.0, gap: NODE + 2.0 };

/// Draws the thirteen motifs, each with its name and, below, what `note` says of it: a count, a
/// share of the attention.
pub fn motif_gallery(
    name: &str,
    title: &str,
    caption: &str,
    note: impl Fn(MotifKind) -> Option<String>,
) -> Figure {
    let motifs = MotifKind::triads().map(|kind| (kind, note(kind)));
    let has_notes = motifs.iter().any(|(_, note)| note.is_some());
    let cell_height = if has_notes { CELL_HEIGHT } else { CELL_HEIGHT - 18.0 };
    let width = CELL_WIDTH * COLUMNS as f64;
    let height = cell_height * motifs.len().div_ceil(COLUMNS) as f64;
    let mut svg = Svg::new(width, height, title);
    for (place, (kind, note)) in motifs.iter().enumerate() {
        let x = CELL_WIDTH * ((place % COLUMNS) as f64 + 0.5);
        let y = cell_height * (place / COLUMNS) as f64 + 50.0;
        let there = format!("translate({x} {y})");
        svg.group(&[("transform", (&there).into()), ("text-anchor", "middle".into())]);
        draw_motif(&mut svg, *kind, note.as_deref());
        // Nothing to see, but all of the cell can be pointed at.
        let corner = [("x", (-CELL_WIDTH / 2.0).into()), ("y", (-50.0).into())];
        let size = [("width", CELL_WIDTH.into()), ("height", cell_height.into())];
        let clear = [("fill", PAPER.into()), ("fill-opacity", 0.0.into())];
        let told = tell(*kind, note.as_deref());
        svg.datum("rect", &[&corner[..], &size, &clear].concat(), &told);
        svg.end();
    }
    Figure {
        name: name.to_owned(),
        title: title.to_owned(),
        caption: caption.to_owned(),
        description: describe(&motifs),
        svg: svg.finish(),
    }
}

fn draw_motif(svg: &mut Svg, kind: MotifKind, note: Option<&str>) {
    for &(source, target) in kind.arcs() {
        let both = kind.arcs().contains(&(target, source));
        if !both || source < target {
            let path = ARROW.path(vertex(source), vertex(target), both);
            svg.element("path", &[("d", (&path).into()), ("fill", ACCENT.into())]);
        }
    }
    for [x, y] in [0, 1, 2].map(vertex) {
        let fill = CATEGORIES[1];
        let place = [("cx", x.into()), ("cy", y.into()), ("r", NODE.into())];
        svg.element("circle", &[&place[..], &[("fill", fill.into())]].concat());
    }
    let bold = [("font-size", 14.0.into()), ("font-weight", "bold".into()), ("fill", INK.into())];
    svg.words(&[&[("y", 46.0.into())], &bold[..]].concat(), kind.name());
    if let Some(note) = note {
        svg.words(&[("y", 65.0.into()), ("font-size", 13.0.into()), ("fill", MUTED.into())], note);
    }
}

/// Vertex 0, the centre of a wedge, stands on top.
fn vertex(number: usize) -> [f64; 2] {
    // The corners of a triangle that stands on a side: (0, −1), (√3/2, ½), (−√3/2, ½).
    let half_side = RADIUS * 3.0_f64.sqrt() / 2.0;
    [[0.0, -RADIUS], [half_side, RADIUS / 2.0], [-half_side, RADIUS / 2.0]][number]
}

fn describe(motifs: &[(MotifKind, Option<String>)]) -> String {
    let words = motifs.iter().map(|(kind, note)| tell(*kind, note.as_deref()));
    format!("{}.", words.collect::<Vec<_>>().join("; "))
}

/// A motif in words: `M5 (0→1 1→2 0→2): 1,234`.
fn tell(kind: MotifKind, note: Option<&str>) -> String {
    let arcs = kind.arcs().iter().map(|(source, target)| format!("{source}→{target}"));
    let arcs = arcs.collect::<Vec<_>>().join(" ");
    let note = note.map(|note| format!(": {note}")).unwrap_or_default();
    format!("{kind} ({arcs}){note}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mutual_pair_is_one_arrow_with_two_heads() {
        let figure = motif_gallery("motifs", "The motifs", "", |_| None);
        let count = |words| figure.svg.matches(words).count();
        // 13 motifs; 7 triangles and 6 wedges: 3 and 2 arrows.
        assert_eq!((count("<circle"), count("<path")), (39, 7 * 3 + 6 * 2));
        // An arrow has 7 corners, and 3 more if it goes both ways.
        let two_heads = figure.svg.lines().filter(|line| line.matches('L').count() == 9).count();
        let mutual = |kind: MotifKind| {
            kind.arcs().iter().filter(|(s, t)| s < t && kind.arcs().contains(&(*t, *s))).count()
        };
        assert_eq!(two_heads, MotifKind::triads().into_iter().map(mutual).sum::<usize>());
    }

    #[test]
    fn notes_are_drawn_and_told() {
        let note = |kind| (kind == MotifKind::M5).then(|| "1,234 <".to_owned());
        let figure = motif_gallery("motifs", "The motifs", "How many there are.", note);
        assert!(figure.svg.contains(">1,234 &lt;</text>"));
        assert!(figure.svg.contains("<title>M5 (0→1 1→2 0→2): 1,234 &lt;</title>"));
        assert!(figure.description.contains("M5 (0→1 1→2 0→2): 1,234 <; M6"));
    }
}
