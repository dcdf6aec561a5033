//! Bars from left to right, one below the other.

use super::WIDTH;
use super::axes::{Axes, Axis, SMALL};
use crate::numbers::value;
use crate::palette::{CATEGORIES, INK};
use crate::svg::{Anchor, Svg, TextStyle, shortened, text_width};
use crate::{Figure, Table};

/// Bars from left to right, one below the other.
///
/// A value that is not finite has no bar, and is told as –.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BarChart {
    /// See [`Figure::name`].
    pub name: String,
    /// See [`Figure::title`].
    pub title: String,
    /// See [`Figure::caption`].
    pub caption: String,
    /// What the bars measure.
    pub value_label: String,
    /// The bars, from above.
    pub bars: Vec<Bar>,
}

/// One bar.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bar {
    /// What it is of.
    pub label: String,
    /// Its length; below zero it goes to the left.
    pub value: f64,
    /// How far it may be off: a standard deviation.
    pub spread: Option<f64>,
}

const ROW: f64 = 26.0;
const THICK: f64 = 16.0;
const MOST_LABEL: f64 = 190.0;

impl Bar {
    fn ends(&self) -> [f64; 2] {
        let spread = self.spread.filter(|spread| spread.is_finite()).unwrap_or(0.0);
        [self.value - spread, self.value + spread]
    }

    fn told(&self) -> String {
        let spread = self.spread.map_or(String::new(), |spread| format!(" ± {}", value(spread)));
        format!("{}{spread}", value(self.value))
    }
}

impl BarChart {
    /// Draws it.
    pub fn figure(&self) -> Figure {
        Figure {
            name: self.name.clone(),
            title: self.title.clone(),
            caption: self.caption.clone(),
            description: self.describe(),
            svg: self.draw(),
        }
    }

    /// Its values, a row for every bar.
    pub fn table(&self) -> Table {
        let label = if self.value_label.is_empty() { "value" } else { &self.value_label };
        let mut table = Table::new(self.title.clone(), [""], [label]);
        self.bars.iter().for_each(|bar| table.row([bar.label.clone(), bar.told()]));
        table
    }

    /// The greatest and the least, and all of few.
    fn describe(&self) -> String {
        let finite: Vec<&Bar> = self.bars.iter().filter(|bar| bar.value.is_finite()).collect();
        let by_value = |a: &&&Bar, b: &&&Bar| a.value.total_cmp(&b.value);
        // Of equal ones the first, either way.
        let most = finite.iter().rev().max_by(by_value);
        let (Some(most), Some(least)) = (most, finite.iter().min_by(by_value)) else {
            return format!("Bars of {}: no values.", self.value_label);
        };
        let told = |bar: &Bar| format!("{} {}", bar.label, bar.told());
        match self.bars.len() {
            ..=8 => {
                let all: Vec<String> = self.bars.iter().map(told).collect();
                format!("Bars of {}: {}.", self.value_label, all.join(", "))
            }
            n => format!(
                "{n} bars of {}: greatest {}, least {}.",
                self.value_label,
                told(most),
                told(least)
            ),
        }
    }

    fn draw(&self) -> String {
        let widest = self.bars.iter().map(|bar| text_width(&bar.label, SMALL)).fold(0.0, f64::max);
        let left = (widest + 12.0).min(MOST_LABEL);
        let n = self.bars.len().max(1) as f64;
        let height = n * ROW + 64.0;
        let mut svg = Svg::new(WIDTH, height, &self.title);
        let finite = || self.bars.iter().map(Bar::ends).filter(|ends| ends[0].is_finite());
        let low = finite().map(|ends| ends[0]).fold(0.0, f64::min);
        let high = finite().map(|ends| ends[1]).fold(0.0, f64::max);
        // Room for the numbers beside the bars.
        let room = 0.14 * (high - low);
        let low = if low < 0.0 { low - room } else { low };
        let axes = Axes {
            x: Axis {
                range: if low < high { [low, high + room] } else { [0.0, 1.0] },
                label: self.value_label.clone(),
                ticks: None,
                grid: true,
            },
            y: Axis { range: [0.0, n], label: String::new(), ticks: Some(Vec::new()), grid: false },
            y_is_drawn: false,
            top: 8,
            left: left as u32,
        };
        let place = axes.draw(&mut svg, [WIDTH, height]);
        let zero = place.x(0.0);
        for (row, bar) in self.bars.iter().enumerate() {
            let y = (place.y(n - row as f64) + place.y(n - row as f64 - 1.0)) / 2.0;
            let label = shortened(&bar.label, SMALL, left - 12.0);
            svg.text(place.left - 8.0, y, &label, TextStyle::new(Anchor::End, SMALL));
            let end = if bar.value.is_finite() { place.x(bar.value) } else { zero };
            let corner = [("x", zero.min(end).into()), ("y", (y - THICK / 2.0).into())];
            let size = [("width", (end - zero).abs().max(1.0).into()), ("height", THICK.into())];
            let color = CATEGORIES[usize::from(bar.value < 0.0)];
            let look = [("rx", 2.0.into()), ("fill", color.into())];
            let told = format!("{}: {}", bar.label, bar.told());
            svg.group(&[]);
            svg.datum("rect", &[corner, size, look].concat(), &told);
            svg.end();
            let [tip_low, tip_high] = bar.ends().map(|at| place.x(at));
            if bar.spread.is_some() && tip_low.is_finite() {
                svg.line([tip_low, y, tip_high, y], INK, 1.5);
                for x in [tip_low, tip_high] {
                    svg.line([x, y - 4.0, x, y + 4.0], INK, 1.5);
                }
            }
            let (x, anchor) = match bar.value < 0.0 {
                true => (end.min(tip_low) - 6.0, Anchor::End),
                false => (end.max(tip_high) + 6.0, Anchor::Start),
            };
            svg.text(x, y, &value(bar.value), TextStyle::new(anchor, SMALL));
        }
        svg.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(values: &[f64]) -> BarChart {
        let bar =
            |(at, &value): (usize, &f64)| Bar { label: format!("c{at}"), value, spread: None };
        BarChart {
            value_label: "F1".into(),
            bars: values.iter().enumerate().map(bar).collect(),
            ..BarChart::default()
        }
    }

    fn bars(svg: &str) -> Vec<(f64, f64)> {
        let number = |text: &str, name: &str| {
            let rest = text.split(&format!(" {name}=\"")).nth(1).unwrap();
            rest.split('"').next().unwrap().parse::<f64>().unwrap()
        };
        let parts = svg.split("<g>\n<rect").skip(1);
        parts.map(|part| (number(part, "x"), number(part, "width"))).collect()
    }

    #[test]
    fn bars_are_as_long_as_their_values() {
        let svg = chart(&[1.0, 0.5, -0.25]).figure().svg;
        let [a, b, c] = bars(&svg)[..] else { panic!("{svg}") };
        assert!(
            (a.1 / b.1 - 2.0).abs() < 0.01 && (b.1 / c.1 - 2.0).abs() < 0.01,
            "{a:?} {b:?} {c:?}"
        );
        assert_eq!(a.0, b.0);
        assert!((c.0 + c.1 - a.0).abs() < 0.02, "those below zero end where the others begin");
        assert!(svg.contains("<title>c2: −0.25</title>"));
    }

    #[test]
    fn it_says_what_is_to_be_seen() {
        assert_eq!(chart(&[1.0, 0.5]).describe(), "Bars of F1: c0 1, c1 0.5.");
        let many: Vec<f64> = (0..20).map(f64::from).collect();
        assert_eq!(chart(&many).describe(), "20 bars of F1: greatest c19 19, least c0 0.");
        assert_eq!(chart(&[f64::NAN]).describe(), "Bars of F1: no values.");
        let svg = chart(&[f64::NAN, 0.0]).figure().svg;
        assert!(!svg.contains("NaN"), "{svg}");
        assert!(!chart(&[]).figure().svg.contains("NaN"));
    }
}
