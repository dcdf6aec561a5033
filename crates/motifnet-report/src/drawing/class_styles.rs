//! How the nodes of each class are drawn, and the legend that says so.

use std::borrow::Cow;

use crate::svg::{Svg, Value};
use crate::{CATEGORIES, INK, MUTED, PAPER};

/// Most classes that each have a style of their own.
const MOST: usize = 2 * CATEGORIES.len();
const FONT_SIZE: f64 = 12.0;
const ROW_HEIGHT: f64 = 20.0;
/// Longer names are cut in the legend.
const MOST_LETTERS: usize = 36;

/// How nodes are drawn: a colour, filled or as a ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Style {
    pub(super) color: &'static str,
    pub(super) is_ring: bool,
}

/// Who is drawn in a style.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StyleGroup {
    pub(super) style: Style,
    pub(super) name: String,
    pub(super) n_nodes: usize,
}

/// The style of every class: the eight largest filled, the next eight as rings; of more than sixteen
/// classes all after the fifteenth in grey.
pub(super) struct ClassStyles {
    /// Largest class first; then those left over; then nodes without a class.
    pub(super) groups: Vec<StyleGroup>,
    /// How many groups are one class.
    n_own: usize,
    /// The group of each node.
    pub(super) of_node: Vec<usize>,
}

impl ClassStyles {
    /// Styles for nodes of the given classes.
    pub(super) fn new(classes: &[String], of_node: &[Option<u32>]) -> Self {
        let mut sizes = vec![0_usize; classes.len()];
        for &class in of_node.iter().flatten() {
            sizes[class as usize] += 1;
        }
        let mut present: Vec<usize> = (0..classes.len()).filter(|&c| sizes[c] > 0).collect();
        // Stable: classes of one size keep their order.
        present.sort_by_key(|&class| std::cmp::Reverse(sizes[class]));
        let n_own = if present.len() > MOST { MOST - 1 } else { present.len() };
        let (own, others) = present.split_at(n_own);

        let mut group_of_class = vec![n_own; classes.len()];
        let mut groups = Vec::new();
        for (rank, &class) in own.iter().enumerate() {
            group_of_class[class] = rank;
            let color = CATEGORIES[rank % CATEGORIES.len()];
            let style = Style { color, is_ring: rank >= CATEGORIES.len() };
            groups.push(StyleGroup { style, name: classes[class].clone(), n_nodes: sizes[class] });
        }
        let mut add_rest = |style, name, n_nodes| {
            if n_nodes > 0 {
                groups.push(StyleGroup { style, name, n_nodes });
            }
        };
        let n_others = others.iter().map(|&class| sizes[class]).sum();
        let grey = Style { color: MUTED, is_ring: false };
        add_rest(grey, format!("{} other classes", others.len()), n_others);
        let n_without = of_node.iter().filter(|class| class.is_none()).count();
        add_rest(Style { color: MUTED, is_ring: true }, "no class".to_owned(), n_without);
        let without = groups.len().saturating_sub(1);
        let group = |class: &Option<u32>| class.map_or(without, |c| group_of_class[c as usize]);
        Self { groups, n_own, of_node: of_node.iter().map(group).collect() }
    }

    /// Draws the legend in rows of `width` from `top` on; returns where it ends. There is none of a
    /// single group.
    pub(super) fn draw_legend(&self, svg: &mut Svg, width: f64, top: f64) -> f64 {
        if self.groups.len() < 2 {
            return top;
        }
        let names: Vec<&str> = self.groups.iter().map(|group| group.name.as_str()).collect();
        let folder = common_folder(&names[..self.n_own]).len();
        let label = |(place, group): (usize, &StyleGroup)| {
            let name = if place < self.n_own { &group.name[folder..] } else { &group.name };
            format!("{} ({})", shortened(name, MOST_LETTERS), group.n_nodes)
        };
        let labels: Vec<String> = self.groups.iter().enumerate().map(label).collect();
        let most = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
        // No font is at hand to measure with: a letter is about 0.56 of its size.
        let column = 30.0 + 0.56 * FONT_SIZE * most as f64;
        let n_columns = ((width / column) as usize).clamp(1, self.groups.len());
        svg.group(&[("font-size", FONT_SIZE.into()), ("fill", INK.into())]);
        for (place, (group, label)) in self.groups.iter().zip(&labels).enumerate() {
            let x = 10.0 + column * (place % n_columns) as f64;
            let y = top + ROW_HEIGHT * ((place / n_columns) as f64 + 0.5);
            let place = [("cx", x.into()), ("cy", y.into()), ("r", 4.5.into())];
            svg.element("circle", &[place, group.style.attributes(0.8)].concat());
            svg.words(&[("x", (x + 12.0).into()), ("y", (y + 4.0).into())], label);
        }
        svg.end();
        top + ROW_HEIGHT * self.groups.len().div_ceil(n_columns) as f64
    }
}

impl Style {
    /// What a circle of this style has, or a group of them.
    pub(super) fn attributes(self, stroke_width: f64) -> [(&'static str, Value<'static>); 3] {
        // A rim of the ground keeps filled nodes apart.
        let (fill, stroke, stroke_width) = if self.is_ring {
            (PAPER, self.color, 2.5 * stroke_width)
        } else {
            (self.color, PAPER, stroke_width)
        };
        [("fill", fill.into()), ("stroke", stroke.into()), ("stroke-width", stroke_width.into())]
    }
}

/// The first letters of a text that has too many, and an ellipsis.
pub(super) fn shortened(text: &str, most_letters: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most_letters) {
        None => text.into(),
        Some(_) => {
            let kept = text.chars().take(most_letters.saturating_sub(1));
            kept.chain(['…']).collect::<String>().into()
        }
    }
}

/// What all names have in front, up to a `/`: `A/B/` of `A/B/x` and `A/B/y`. Nothing of a single
/// name.
fn common_folder<'a>(names: &[&'a str]) -> &'a str {
    let [first, others @ ..] = names else { return "" };
    let is_shared = |end: &usize| others.iter().all(|name| name.starts_with(&first[..*end]));
    let ends = first.match_indices('/').map(|(at, _)| at + 1);
    let shared = ends.take_while(is_shared).last().filter(|_| !others.is_empty());
    &first[..shared.unwrap_or(0)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn styles(sizes: &[usize], n_without: usize) -> ClassStyles {
        let classes: Vec<String> = (0..sizes.len()).map(|class| format!("c{class}")).collect();
        let of_class = |(class, &size): (usize, &usize)| vec![Some(class as u32); size];
        let mut of_node: Vec<Option<u32>> = sizes.iter().enumerate().flat_map(of_class).collect();
        of_node.extend(vec![None; n_without]);
        ClassStyles::new(&classes, &of_node)
    }

    #[test]
    fn large_classes_come_first_and_absent_ones_not_at_all() {
        let styles = styles(&[1, 0, 3, 1], 2);
        let groups: Vec<(&str, usize)> =
            styles.groups.iter().map(|group| (group.name.as_str(), group.n_nodes)).collect();
        assert_eq!(groups, [("c2", 3), ("c0", 1), ("c3", 1), ("no class", 2)]);
        assert_eq!(styles.of_node, [1, 0, 0, 0, 2, 3, 3]);
    }

    #[test]
    fn styles_differ_and_the_many_small_classes_share_one() {
        for n_classes in [1, 8, 9, 16, 17, 70] {
            let sizes: Vec<usize> = (0..n_classes).map(|class| 100 - class).collect();
            let styles = styles(&sizes, 1);
            let n_own = if n_classes > 16 { 15 } else { n_classes };
            let n_shared = usize::from(n_classes > 16);
            assert_eq!(styles.groups.len(), n_own + n_shared + 1);
            for (at, group) in styles.groups.iter().enumerate() {
                assert!(styles.groups[..at].iter().all(|other| other.style != group.style));
            }
            let n_nodes: usize = styles.groups.iter().map(|group| group.n_nodes).sum();
            assert_eq!(n_nodes, styles.of_node.len());
            for (group, told) in styles.groups.iter().enumerate() {
                let found = styles.of_node.iter().filter(|&&of_node| of_node == group).count();
                assert_eq!(found, told.n_nodes);
            }
        }
    }

    #[test]
    fn folders_that_all_share_are_left_out() {
        assert_eq!(common_folder(&["A/B/x", "A/B/y", "A/B/c/d"]), "A/B/");
        assert_eq!(common_folder(&["A/B/x", "A/C/x"]), "A/");
        assert_eq!(common_folder(&["AB", "AC"]), "");
        assert_eq!(common_folder(&["A/x"]), "");
        assert_eq!(common_folder(&[]), "");
    }

    #[test]
    fn names_are_cut_between_letters() {
        assert_eq!(shortened("größe", 5), "größe");
        assert_eq!(shortened("größer", 5), "größ…");
        assert_eq!(shortened("", 0), "");
    }
}
