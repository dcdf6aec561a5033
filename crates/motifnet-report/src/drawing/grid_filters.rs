//! Filters on grids: round on the undirected grid, stretched on motifs.

use motifnet::experiment::{ChebyshevFilter, DirectedGrid, GridFilter};
use motifnet::motif::MotifKind;

use super::arrow::Arrow;
use crate::svg::{Short, Svg};
use crate::{CATEGORIES, Figure, GRID, INK, MUTED};

/// Nodes to either side of the centre that are drawn.
const WINDOW: i32 = 7;
/// Side of a node's square.
const CELL: f64 = 15.0;
const PANEL: f64 = CELL * (2 * WINDOW + 1) as f64;
const GAP: f64 = 24.0;
/// Where the panels of a row begin, right of the drawing of its grid.
const LEFT: f64 = 150.0;
const ROW_HEIGHT: f64 = PANEL + 62.0;
const POSITIVE: &str = CATEGORIES[0];
const NEGATIVE: &str = CATEGORIES[1];

/// A row: a grid, and the operators whose filters are drawn, the undirected grid first.
const ROWS: [(DirectedGrid, [MotifKind; 3]); 2] = [
    (DirectedGrid::Square, [MotifKind::Undirected, MotifKind::M8, MotifKind::M9]),
    (DirectedGrid::Crossed, [MotifKind::Undirected, MotifKind::M1, MotifKind::M5]),
];

/// Draws what one filter, a Chebyshev polynomial of degree 7, does on the undirected grid and on
/// the motifs of two directed grids. See [`GridFilter`] for why.
pub fn grid_filters(name: &str) -> Figure {
    let filter = ChebyshevFilter::mexican_hat();
    let rows =
        ROWS.map(|(grid, kinds)| (grid, kinds.map(|kind| GridFilter::new(grid, kind, &filter))));
    let filters = || rows.iter().flat_map(|(_, filters)| filters);
    let most = filters().flat_map(GridFilter::responses).map(|(.., y)| y.abs());
    let scale = ColorScale { most: most.fold(0.0, f64::max) };

    let title = "Chebyshev filters are isotropic, motif filters are not";
    let width = LEFT + 3.0 * PANEL + 2.0 * GAP + 10.0;
    let mut svg = Svg::new(width, 2.0 * ROW_HEIGHT + 60.0, title);
    for (row, (grid, filters)) in rows.iter().enumerate() {
        let top = ROW_HEIGHT * row as f64 + 8.0;
        draw_grid(&mut svg, *grid, top);
        for (column, filter) in filters.iter().enumerate() {
            let left = LEFT + (PANEL + GAP) * column as f64;
            draw_filter(&mut svg, filter, &scale, [left, top]);
        }
    }
    scale.draw_legend(&mut svg, 2.0 * ROW_HEIGHT + 14.0);
    Figure {
        name: name.to_owned(),
        title: title.to_owned(),
        caption: "The same polynomial of degree 7, a Chebyshev series of 4λe^(1 − 4λ), of six \
            Laplacians, applied to a one in the middle of a grid. Above, arcs go right and down; \
            below, the diagonals are arcs too. U is the grid without directions: its filters look the \
            same after a quarter turn, whatever their coefficients. An out-star M8 joins its \
            leaves across the arcs, a path M9 its ends along them; the cycles M1 and the \
            feed-forward loops M5 of the lower grid lie along one diagonal each. The ratio is how much \
            longer a filter is along its axis than across, in second moments."
            .to_owned(),
        description: filters().map(describe).collect::<Vec<_>>().join(" "),
        svg: svg.finish(),
    }
}

/// Colours by value: one for either sign, the more of it the larger the value; zero is the ground.
struct ColorScale {
    /// The largest value.
    most: f64,
}

impl ColorScale {
    /// How much of the colour: the root, so that small values are seen.
    fn opacity(&self, value: f64) -> f64 {
        if self.most > 0.0 { (value.abs() / self.most).sqrt() } else { 0.0 }
    }

    fn color(value: f64) -> &'static str {
        if value < 0.0 { NEGATIVE } else { POSITIVE }
    }

    fn draw_legend(&self, svg: &mut Svg, top: f64) {
        // Evenly spaced opacities.
        const STEPS: i32 = 8;
        let width = 26.0;
        svg.group(&[("font-size", 12.0.into()), ("fill", MUTED.into())]);
        for step in -STEPS..=STEPS {
            let opacity = f64::from(step) / f64::from(STEPS);
            let value = self.most * opacity * opacity.abs();
            let x = LEFT + width * f64::from(step + STEPS);
            svg.datum(
                "rect",
                &[
                    ("x", x.into()),
                    ("y", top.into()),
                    ("width", width.into()),
                    ("height", 12.0.into()),
                    ("fill", Self::color(value).into()),
                    ("fill-opacity", self.opacity(value).into()),
                ],
                &signed(value),
            );
            if step % 4 == 0 {
                let place = [("x", (x + width / 2.0).into()), ("y", (top + 28.0).into())];
                let anchor = [("text-anchor", "middle".into())];
                svg.words(&[&place[..], &anchor].concat(), &signed(value));
            }
        }
        svg.words(&[("x", 10.0.into()), ("y", (top + 11.0).into())], "value at a node");
        svg.end();
    }
}

/// The arcs of a few nodes.
fn draw_grid(svg: &mut Svg, grid: DirectedGrid, top: f64) {
    const SPACING: f64 = 42.0;
    let arrow = Arrow { width: 1.4, head: 7.0, gap: 6.0 };
    let place = |x: i32, y: i32| {
        [22.0 + SPACING * f64::from(x), top + PANEL / 2.0 + SPACING * f64::from(y - 1)]
    };
    for (y, x) in (0..3).flat_map(|y| (0..3).map(move |x| (y, x))) {
        for &(right, down) in grid.steps() {
            let (to_x, to_y) = (x + right, y + down);
            if (0..3).contains(&to_x) && (0..3).contains(&to_y) {
                let path = arrow.path(place(x, y), place(to_x, to_y), false);
                svg.element("path", &[("d", (&path).into()), ("fill", MUTED.into())]);
            }
        }
        let [cx, cy] = place(x, y);
        let circle = [("cx", cx.into()), ("cy", cy.into()), ("r", 4.0.into())];
        svg.element("circle", &[&circle[..], &[("fill", INK.into())]].concat());
    }
}

fn draw_filter(svg: &mut Svg, filter: &GridFilter, scale: &ColorScale, [left, top]: [f64; 2]) {
    let there = format!("translate({} {})", Short(left), Short(top));
    svg.group(&[("transform", (&there).into())]);
    for sign in [1.0, -1.0] {
        svg.group(&[("fill", ColorScale::color(sign).into())]);
        let is_here = |&(right, down, value): &(i32, i32, f64)| {
            // What would be written as an opacity of 0 is not drawn.
            let is_seen = value * sign > 0.0 && scale.opacity(value) >= 0.005;
            is_seen && right.abs() <= WINDOW && down.abs() <= WINDOW
        };
        for (right, down, value) in filter.responses().filter(is_here) {
            svg.datum(
                "rect",
                &[
                    ("x", (CELL * f64::from(right + WINDOW)).into()),
                    ("y", (CELL * f64::from(down + WINDOW)).into()),
                    ("width", CELL.into()),
                    ("height", CELL.into()),
                    ("fill-opacity", scale.opacity(value).into()),
                ],
                &format!("{right} right, {down} down: {}", signed(value)),
            );
        }
        svg.end();
    }
    let frame = [("width", PANEL.into()), ("height", PANEL.into()), ("fill", "none".into())];
    svg.element("rect", &[&frame[..], &[("stroke", GRID.into())]].concat());
    let middle = [("x", (PANEL / 2.0).into()), ("text-anchor", "middle".into())];
    let name = [("y", (PANEL + 19.0).into()), ("font-size", 14.0.into()), ("fill", INK.into())];
    svg.words(
        &[&middle[..], &name, &[("font-weight", "bold".into())]].concat(),
        words(filter.kind),
    );
    let ratio = [("y", (PANEL + 37.0).into()), ("font-size", 13.0.into()), ("fill", MUTED.into())];
    svg.words(&[&middle[..], &ratio].concat(), &shape(filter));
    svg.end();
}

fn words(kind: MotifKind) -> &'static str {
    match kind {
        MotifKind::Undirected => "U, undirected",
        MotifKind::M1 => "M1, cycles",
        MotifKind::M5 => "M5, feed-forward loops",
        MotifKind::M8 => "M8, out-stars",
        MotifKind::M9 => "M9, paths",
        other => other.name(),
    }
}

/// How long and which way, in a few words.
fn shape(filter: &GridFilter) -> String {
    let anisotropy = filter.anisotropy();
    let axis = if anisotropy.ratio < 1.005 {
        "no axis"
    } else if anisotropy.degrees > 0.0 {
        "axis ↗"
    } else {
        "axis ↘"
    };
    format!("{:.2} : 1, {axis}", anisotropy.ratio)
}

fn describe(filter: &GridFilter) -> String {
    let grid = match filter.grid {
        DirectedGrid::Square => "arcs right and down",
        DirectedGrid::Crossed => "arcs right, down and along both diagonals",
    };
    format!("{} on the grid with {grid}: {}.", words(filter.kind), shape(filter))
}

/// With a true minus and three digits after the point, none if all are zero.
fn signed(value: f64) -> String {
    let digits = format!("{:.3}", value.abs());
    match digits.as_str() {
        "0.000" => "0".to_owned(),
        _ if value < 0.0 => format!("−{digits}"),
        _ => digits,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_picture_says_which_filters_have_an_axis() {
        let figure = grid_filters("grid-filters");
        let count = |words| figure.svg.matches(words).count();
        assert_eq!((count(">1.00 : 1, no axis<"), count(">3.00 : 1, axis ↗<")), (2, 2));
        assert!(figure.description.contains("M1, cycles on the grid"));
        assert!(figure.description.contains("diagonals: 3.00 : 1, axis ↘."));
        assert!(figure.description.contains("M9, paths on the grid with arcs right and down: 1.5"));
        // The centre of every panel is positive, and none is drawn in one colour.
        assert_eq!(count("0 right, 0 down: 0."), 6);
        assert!(count("down: −0.") > 6 * 40);
        assert!(figure.svg.len() < 200_000, "{}", figure.svg.len());
    }

    #[test]
    fn small_values_are_a_plain_zero() {
        assert_eq!([0.0, -0.0001, -0.25, 1.0].map(signed), ["0", "0", "−0.250", "1.000"]);
    }
}
