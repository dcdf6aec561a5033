//! A portion of a graph, its nodes coloured by class.

use std::fmt::Write;

use motifnet::data::{Labels, NodeDataset};
use motifnet::graph::{DiGraph, NodeNames};

use super::class_styles::{ClassStyles, shortened};
use super::force_layout::{LayoutOptions, force_layout};
use super::graph_portion::{GraphPortion, degree};
use super::quadtree::Point;
use crate::svg::Svg;
use crate::{Figure, MUTED};

/// Width of the picture.
const WIDTH: f64 = 960.0;
/// Least and greatest height of the graph in it.
const HEIGHTS: [f64; 2] = [320.0, 720.0];
/// What is left free around the graph, so that no node is cut.
const MARGIN: f64 = 12.0;
/// The graph is drawn so many times smaller than it is written, so that whole numbers are fine
/// enough: they take the least room.
const FINENESS: f64 = 2.0;
/// Longer names of nodes are cut.
const MOST_LETTERS: usize = 60;

/// A graph whose nodes have names and may have classes.
#[derive(Clone, Copy, Debug)]
pub struct LabelledGraph<'a> {
    /// What it is called.
    pub name: &'a str,
    /// The graph.
    pub graph: &'a DiGraph,
    /// What its nodes are called.
    pub names: &'a NodeNames,
    /// The classes of its nodes.
    pub labels: &'a Labels,
}

impl<'a> From<&'a NodeDataset> for LabelledGraph<'a> {
    fn from(dataset: &'a NodeDataset) -> Self {
        let NodeDataset { name, graph, names, labels, .. } = dataset;
        Self { name, graph, names, labels }
    }
}

/// What to draw of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GraphDrawingOptions {
    /// Nodes at most.
    pub n_nodes: usize,
    /// Seed of the choice of nodes and of the layout.
    pub seed: u64,
}

impl Default for GraphDrawingOptions {
    fn default() -> Self {
        Self { n_nodes: 1000, seed: 1 }
    }
}

/// Draws up to 1,000 nodes (or as many as `options` says) of the largest weak component of a
/// graph, and the arcs among them.
///
/// Nodes are chosen by [`GraphPortion::walk`], placed by [`force_layout`] and coloured by class, larger
/// the more arcs they have in the whole graph. An arc tapers from its source to its target, the form
/// in which people tell directions fastest (Holten and van Wijk 2009), and has the colour of the
/// class if both ends are of one.
pub fn graph_drawing<'a>(
    name: &str,
    graph: impl Into<LabelledGraph<'a>>,
    options: &GraphDrawingOptions,
) -> Figure {
    let whole = graph.into();
    let portion = GraphPortion::walk(whole.graph, options.n_nodes, options.seed);
    let layout = LayoutOptions { seed: options.seed, ..LayoutOptions::default() };
    let places = force_layout(portion.nodes.len(), &portion.arcs, &layout);
    let of_node = whole.labels.of_nodes();
    let classes: Vec<Option<u32>> =
        portion.nodes.iter().map(|&node| of_node[node as usize]).collect();
    let styles = ClassStyles::new(whole.labels.classes(), &classes);
    let drawing = GraphDrawing { whole, portion: &portion, classes: &classes, styles: &styles };

    let title = format!("{}: part of the graph", whole.name);
    Figure {
        name: name.to_owned(),
        svg: drawing.svg(&title, places),
        title,
        caption: drawing.caption(),
        description: drawing.description(),
    }
}

struct GraphDrawing<'a> {
    whole: LabelledGraph<'a>,
    portion: &'a GraphPortion,
    classes: &'a [Option<u32>],
    styles: &'a ClassStyles,
}

impl GraphDrawing<'_> {
    fn svg(&self, title: &str, places: Vec<Point>) -> String {
        let (places, height) = fitted(places);
        let mut body = Svg::fragment();
        let scale = format!("scale({})", 1.0 / FINENESS);
        body.group(&[("transform", (&scale).into())]);
        self.draw_arcs(&mut body, &places);
        self.draw_nodes(&mut body, &places);
        body.end();
        let height = self.styles.draw_legend(&mut body, WIDTH, height + 6.0);
        let mut svg = Svg::new(WIDTH, height, title);
        svg.append(body);
        svg.finish()
    }

    /// One path for the arcs that leave a node in one colour: a path is filled once where its arcs
    /// overlap, and takes a fraction of the room of as many elements.
    fn draw_arcs(&self, svg: &mut Svg, places: &[Point]) {
        let arcs = &self.portion.arcs;
        let crowd = (4000.0 / arcs.len().max(1) as f64).clamp(0.2, 1.0);
        let is_of = |style: Option<usize>| {
            move |&&(source, target): &&(u32, u32)| {
                let (source, target) = (source as usize, target as usize);
                let within = self.is_within_class(source, target);
                style == within.then(|| self.styles.of_node[source])
            }
        };
        // Those between classes below.
        let styles = (0..self.styles.groups.len()).map(Some);
        for style in std::iter::once(None).chain(styles) {
            let (color, opacity) = match style {
                Some(style) => (self.styles.groups[style].style.color, 0.45),
                None => (MUTED, 0.3),
            };
            svg.group(&[("fill", color.into()), ("fill-opacity", (crowd * opacity).into())]);
            for of_source in arcs.chunk_by(|a, b| a.0 == b.0) {
                let ends = of_source.iter().filter(is_of(style)).map(|arc| places[arc.1 as usize]);
                let path = tapers(places[of_source[0].0 as usize], ends);
                if !path.is_empty() {
                    svg.element("path", &[("d", (&path).into())]);
                }
            }
            svg.end();
        }
    }

    fn draw_nodes(&self, svg: &mut Svg, places: &[Point]) {
        let graph = self.whole.graph;
        let n_ends: usize = self.portion.nodes.iter().map(|&node| degree(graph, node)).sum();
        let mean_degree = n_ends.max(1) as f64 / places.len().max(1) as f64;
        for (group, told) in self.styles.groups.iter().enumerate() {
            svg.group(&told.style.attributes(0.7 * FINENESS));
            let nodes = self.portion.nodes.iter().enumerate();
            for (at, &node) in nodes.filter(|&(at, _)| self.styles.of_node[at] == group) {
                let n_arcs = degree(graph, node);
                let radius = (2.0 + 1.5 * (n_arcs as f64 / mean_degree).sqrt()).min(9.0);
                let name = self.whole.names.name(node);
                let class = self.classes[at].map_or("no class", |class| {
                    self.whole.labels.classes()[class as usize].as_str()
                });
                let title = format!("{}, {class}, {n_arcs} arcs", shortened(&name, MOST_LETTERS));
                let [x, y] = places[at];
                let radius = (FINENESS * radius).round();
                svg.datum(
                    "circle",
                    &[("cx", x.into()), ("cy", y.into()), ("r", radius.into())],
                    &title,
                );
            }
            svg.end();
        }
    }

    fn is_within_class(&self, source: usize, target: usize) -> bool {
        self.classes[source].is_some() && self.classes[source] == self.classes[target]
    }

    fn caption(&self) -> String {
        let choice = if self.portion.nodes.len() < self.portion.n_component {
            "the nodes that a random walk from the node with most arcs meets first, which favours \
             nodes with many arcs,"
        } else {
            "all of its nodes"
        };
        format!(
            "Of the largest weak component {choice} and all arcs among them. An arc is wide at its \
             source and narrow at its target; it has the colour of the class if both ends are of \
             one, else it is grey. Larger nodes have more arcs in the whole graph. Neighbours attract \
             each other, all nodes repel each other."
        )
    }

    fn description(&self) -> String {
        let (portion, arcs) = (self.portion, &self.portion.arcs);
        let mut text = format!(
            "{} of the {} nodes of the largest weak component and the {} arcs among them.",
            portion.nodes.len(),
            portion.n_component,
            arcs.len()
        );
        let is_labelled = |node: u32| self.classes[node as usize].is_some();
        let labelled = arcs.iter().filter(|&&(s, t)| is_labelled(s) && is_labelled(t));
        let within = arcs.iter().filter(|&&(s, t)| self.is_within_class(s as usize, t as usize));
        let (n_labelled, n_within) = (labelled.count(), within.count());
        let groups = &self.styles.groups;
        if groups.len() > 1 {
            let sizes = groups.iter().map(|group| format!("{} {}", group.name, group.n_nodes));
            let _ = write!(text, " Nodes by class: {}.", sizes.collect::<Vec<_>>().join(", "));
        }
        if n_labelled > 0 && groups.len() > 1 {
            let share = 100.0 * n_within as f64 / n_labelled as f64;
            let _ = write!(
                text,
                " Of the arcs between nodes with a class {share:.0} % stay within it."
            );
        }
        text
    }
}

/// Places on the picture in whole numbers, [`FINENESS`] to a unit of it, and the height that the
/// graph takes.
fn fitted(mut places: Vec<Point>) -> (Vec<Point>, f64) {
    let low = [0, 1].map(|axis| places.iter().map(|at| at[axis]).fold(f64::INFINITY, f64::min));
    let high =
        [0, 1].map(|axis| places.iter().map(|at| at[axis]).fold(f64::NEG_INFINITY, f64::max));
    // A single node, or a straight line, has no extent to be scaled by.
    let extent = [0, 1].map(|axis| (high[axis] - low[axis]).max(1e-9));
    let width = WIDTH - 2.0 * MARGIN;
    let height = (width * extent[1] / extent[0]).clamp(HEIGHTS[0], HEIGHTS[1]);
    let scale = (width / extent[0]).min(height / extent[1]);
    let middle = [WIDTH / 2.0, MARGIN + height / 2.0];
    for place in &mut places {
        for axis in [0, 1] {
            let from_middle = place[axis] - (low[axis] + high[axis]) / 2.0;
            place[axis] = (FINENESS * (middle[axis] + scale * from_middle)).round();
        }
    }
    (places, height + 2.0 * MARGIN)
}

/// Thin triangles from `source`, where they are wide, to the targets, in as few letters as can be:
/// relative places, of which only the tip is far.
fn tapers(source: Point, targets: impl Iterator<Item = Point>) -> String {
    let mut path = String::new();
    let mut pen = [0.0, 0.0];
    for target in targets {
        let (dx, dy) = (target[0] - source[0], target[1] - source[1]);
        let length = (dx * dx + dy * dy).sqrt();
        if length == 0.0 {
            continue;
        }
        let half_width = 1.1 * FINENESS;
        let side = [(-dy / length * half_width).round(), (dx / length * half_width).round()];
        // All go round the same way, so that no two cancel where they overlap.
        let corners = [
            [source[0] + side[0], source[1] + side[1]],
            [source[0] - side[0], source[1] - side[1]],
            target,
        ];
        path.push('m');
        for corner in corners {
            push_number(&mut path, corner[0] - pen[0]);
            push_number(&mut path, corner[1] - pen[1]);
            pen = corner;
        }
    }
    path
}

/// Adds a whole number to a path, with a space before it where it needs one.
fn push_number(path: &mut String, number: f64) {
    let needs_space = number >= 0.0 && path.ends_with(|last: char| last.is_ascii_digit());
    // Adding zero makes −0 a 0.
    let _ = write!(path, "{}{}", if needs_space { " " } else { "" }, number + 0.0);
}

#[cfg(test)]
mod tests {
    use motifnet::graph::{BuildOptions, EdgeList};

    use super::*;

    fn draw(arcs: EdgeList, classes: &[Option<&str>]) -> Figure {
        let names = NodeNames::Indices(arcs.n_nodes);
        let (graph, _) = DiGraph::build(arcs, &BuildOptions::default()).unwrap();
        let labels = Labels::from_names(classes.iter().copied());
        let graph = LabelledGraph { name: "a & b", graph: &graph, names: &names, labels: &labels };
        graph_drawing("graph", graph, &GraphDrawingOptions::default())
    }

    #[test]
    fn a_thousand_nodes_and_four_thousand_arcs_are_a_small_file() {
        // Two nodes of three arcs go to the own half of 1,500 nodes.
        let arcs = (0..6000_u32).map(|arc| {
            let node = arc / 4;
            let far = (arc * 7919 + arc * arc % 1013) % 1500;
            (node, if arc % 3 == 0 { far } else { far / 2 * 2 + node % 2 })
        });
        let classes: Vec<Option<&str>> =
            (0..1500).map(|node| Some(["even", "odd"][node % 2])).collect();
        let figure = draw(EdgeList::from_pairs(1500, arcs), &classes);
        let count = |words| figure.svg.matches(words).count();
        assert_eq!(count("<title>"), 1000);
        assert!(figure.svg.len() < 250_000, "{}", figure.svg.len());
        assert!(count("NaN") + count("inf") == 0);
        assert!(figure.description.starts_with("1000 of the 1500 nodes"), "{}", figure.description);
    }

    #[test]
    fn a_drawing_tells_names_classes_and_what_stays_within() {
        let arcs = EdgeList::from_pairs(4, [(0, 1), (1, 2), (2, 3), (3, 0)]);
        let figure = draw(arcs, &[Some("<x>"), Some("<x>"), Some("y"), None]);
        assert!(figure.svg.contains("<title>0, &lt;x&gt;, 2 arcs</title>"));
        assert!(figure.svg.contains("<title>3, no class, 2 arcs</title>"));
        assert!(figure.svg.contains(">&lt;x&gt; (2)</text>"));
        assert!(figure.svg.contains("aria-label=\"a &amp; b: part of the graph\""));
        let expected = "4 of the 4 nodes of the largest weak component and the 4 arcs among them. \
            Nodes by class: <x> 2, y 1, no class 1. Of the arcs between nodes with a class 50 % \
            stay within it.";
        assert_eq!(figure.description, expected);
    }

    #[test]
    fn next_to_nothing_is_drawn_too() {
        for n_nodes in [0, 1, 2] {
            let figure = draw(EdgeList::from_pairs(n_nodes, []), &vec![None; n_nodes]);
            assert_eq!(figure.svg.matches("<circle").count(), n_nodes.min(1));
            assert!(!figure.svg.contains("NaN") && !figure.svg.contains("inf"));
        }
    }

    #[test]
    fn tapers_are_written_short() {
        let path =
            tapers([100.0, 100.0], [[150.0, 100.0], [100.0, 100.0], [100.0, 0.0]].into_iter());
        assert_eq!(path, "m100 102 0-4 50 2m-48 0-4 0 2-100");
    }
}
