//! Lines through points, with how far each may be off.

use std::fmt::Write;

use super::WIDTH;
use super::axes::{Axes, Axis, Place, SMALL};
use crate::numbers::value;
use crate::palette::{CATEGORIES, INK, MUTED, PAPER};
use crate::svg::{Anchor, Short, Svg, TextStyle, text_width};
use crate::{Figure, Table};

/// Lines through points.
///
/// Points whose x or y is not finite are left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LineChart {
    /// See [`Figure::name`].
    pub name: String,
    /// See [`Figure::title`].
    pub title: String,
    /// See [`Figure::caption`].
    pub caption: String,
    /// What goes from left to right.
    pub x_label: String,
    /// What goes up.
    pub y_label: String,
    /// The lines.
    pub series: Vec<Series>,
    /// Ticks from left to right; without them they are round numbers.
    pub x_ticks: Option<Vec<(f64, String)>>,
    /// A place from left to right that is pointed out.
    pub marker: Option<Marker>,
}

/// One line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// What it is called.
    pub name: String,
    /// Its points, from left to right.
    pub points: Vec<Point>,
    /// Whether it is drawn in dashes.
    pub dashed: bool,
}

/// One point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// From left to right.
    pub x: f64,
    /// Upwards.
    pub y: f64,
    /// How far it may be off, up and down: a standard deviation.
    pub spread: Option<f64>,
}

/// A place that is pointed out.
#[derive(Clone, Debug, PartialEq)]
pub struct Marker {
    /// Where.
    pub x: f64,
    /// What is there.
    pub label: String,
}

/// More points than this are not told one by one.
const MOST_TOLD: usize = 120;
/// More points than this are not drawn: there are not so many pixels.
const MOST_DRAWN: usize = 2000;
/// More points than this have no dots.
const MOST_DOTS: usize = 24;
const HEIGHT: f64 = 340.0;
const LEGEND_ROW: f64 = 22.0;

impl Point {
    fn is_finite(&self) -> bool {
        self.x.is_finite() && self.y.is_finite()
    }

    fn ends(&self) -> [f64; 2] {
        let spread = self.spread.filter(|spread| spread.is_finite()).unwrap_or(0.0);
        [self.y - spread, self.y + spread]
    }

    fn told(&self) -> String {
        let spread = self.spread.map_or(String::new(), |spread| format!(" ± {}", value(spread)));
        format!("{}{spread}", value(self.y))
    }
}

impl Series {
    fn finite(&self) -> Vec<Point> {
        self.points.iter().copied().filter(Point::is_finite).collect()
    }

    /// The points that are told one by one.
    fn told(&self) -> Vec<Point> {
        thinned(self.finite(), MOST_TOLD)
    }

    fn dashes(&self, number: usize) -> Option<&'static str> {
        // When the colours are used up, they come again in dashes.
        let is_second = number / CATEGORIES.len() % 2 == 1;
        (self.dashed != is_second).then_some("5 4")
    }
}

/// Of more than `most` points every so-manieth, and the last.
fn thinned(points: Vec<Point>, most: usize) -> Vec<Point> {
    let step = points.len().div_ceil(most).max(1);
    let last = points.len().saturating_sub(1);
    let points = points.into_iter().enumerate();
    points.filter(|(at, _)| at % step == 0 || *at == last).map(|(_, point)| point).collect()
}

impl LineChart {
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

    /// Its values: a row for every x, a column for every line. Of many points every so-manieth.
    pub fn table(&self) -> Table {
        let names = self.series.iter().map(|series| series.name.as_str());
        let label = if self.x_label.is_empty() { "x" } else { &self.x_label };
        let mut table = Table::new(self.title.clone(), [label], names);
        let told: Vec<Vec<Point>> = self.series.iter().map(Series::told).collect();
        let mut places: Vec<f64> = told.iter().flatten().map(|point| point.x).collect();
        places.sort_by(f64::total_cmp);
        places.dedup();
        for x in places {
            let at = |points: &Vec<Point>| {
                let found = points.iter().find(|point| point.x == x);
                found.map_or_else(|| "–".to_owned(), Point::told)
            };
            table.row([self.x_text(x)].into_iter().chain(told.iter().map(at)));
        }
        table
    }

    fn x_text(&self, x: f64) -> String {
        let ticks = self.x_ticks.iter().flatten();
        let tick = ticks.into_iter().find(|(at, _)| *at == x);
        tick.map_or_else(|| value(x), |(_, label)| label.clone())
    }

    /// For every line: where it starts and ends, its least and its greatest.
    fn describe(&self) -> String {
        let mut text = format!("Lines of {} by {}.", self.y_label, self.x_label);
        for series in &self.series {
            let points = series.finite();
            let by_y = |a: &&Point, b: &&Point| a.y.total_cmp(&b.y);
            let (Some(first), Some(last), Some(least), Some(most)) = (
                points.first(),
                points.last(),
                points.iter().min_by(by_y),
                points.iter().max_by(by_y),
            ) else {
                let _ = write!(text, " {}: no values.", series.name);
                continue;
            };
            let at = |point: &Point| format!("{} at {}", point.told(), self.x_text(point.x));
            let _ = match points.len() {
                1 => write!(text, " {}: {}.", series.name, at(first)),
                _ => write!(
                    text,
                    " {}: from {} to {}; least {}, greatest {}.",
                    series.name,
                    at(first),
                    at(last),
                    at(least),
                    at(most)
                ),
            };
        }
        if let Some(marker) = &self.marker {
            let _ = write!(text, " Marked: {} at {}.", marker.label, self.x_text(marker.x));
        }
        text
    }

    fn draw(&self) -> String {
        let legend = self.legend();
        let rows = legend.last().map_or(0.0, |&(_, row, _)| row + 1.0);
        let top = 10.0 + rows * LEGEND_ROW + if self.marker.is_some() { 14.0 } else { 0.0 };
        let mut svg = Svg::new(WIDTH, HEIGHT + top, &self.title);
        let axes = Axes {
            x: Axis {
                range: range(self.points().map(|point| [point.x; 2])),
                label: self.x_label.clone(),
                ticks: self.x_ticks.clone(),
                grid: false,
            },
            y: Axis {
                range: padded(range(self.points().map(|point| point.ends()))),
                label: self.y_label.clone(),
                ticks: None,
                grid: true,
            },
            y_is_drawn: true,
            top: top as u32,
            left: 2,
        };
        let place = axes.draw(&mut svg, [WIDTH, HEIGHT + top]);
        self.draw_legend(&mut svg, &legend, place.left);
        if let Some(marker) = self.marker.as_ref().filter(|marker| marker.x.is_finite()) {
            draw_marker(&mut svg, &place, marker);
        }
        for (number, series) in self.series.iter().enumerate() {
            self.draw_series(&mut svg, &place, number, series);
        }
        svg.finish()
    }

    fn points(&self) -> impl Iterator<Item = &Point> {
        self.series.iter().flat_map(|series| &series.points).filter(|point| point.is_finite())
    }

    /// For every line: how far right its name begins, in which row, and how wide it is.
    fn legend(&self) -> Vec<(f64, f64, f64)> {
        let (mut x, mut row) = (0.0, 0.0);
        let names = self.series.iter().map(|series| &series.name);
        names
            .map(|name| {
                let width = 34.0 + text_width(name, SMALL) + 18.0;
                if x > 0.0 && x + width > WIDTH - 90.0 {
                    (x, row) = (0.0, row + 1.0);
                }
                let place = (x, row, width);
                x += width;
                place
            })
            .collect()
    }

    fn draw_legend(&self, svg: &mut Svg, legend: &[(f64, f64, f64)], left: f64) {
        for (number, (series, &(x, row, _))) in self.series.iter().zip(legend).enumerate() {
            let (x, y) = (left + x, 14.0 + row * LEGEND_ROW);
            let color = CATEGORIES[number % CATEGORIES.len()];
            svg.dashed_line([x, y, x + 24.0, y], color, 2.5, series.dashes(number));
            svg.text(x + 30.0, y, &series.name, TextStyle::new(Anchor::Start, SMALL));
        }
    }

    fn draw_series(&self, svg: &mut Svg, place: &Place, number: usize, series: &Series) {
        let color = CATEGORIES[number % CATEGORIES.len()];
        let points = thinned(series.finite(), MOST_DRAWN);
        let at = |point: &Point| format!("{},{}", Short(place.x(point.x)), Short(place.y(point.y)));
        let path = points.iter().map(at).collect::<Vec<_>>().join(" ");
        let line = [("points", (&path).into()), ("fill", "none".into())];
        let look = [
            ("stroke", color.into()),
            ("stroke-width", 2.0.into()),
            ("stroke-linejoin", "round".into()),
        ];
        let dashes = series.dashes(number).map(|dashes| ("stroke-dasharray", dashes.into()));
        svg.element("polyline", &[&line[..], &look, dashes.as_slice()].concat());
        for point in points.iter().filter(|point| point.spread.is_some()) {
            let (x, [low, high]) = (place.x(point.x), point.ends().map(|y| place.y(y)));
            svg.line([x, low, x, high], color, 1.5);
            for y in [low, high] {
                svg.line([x - 4.0, y, x + 4.0, y], color, 1.5);
            }
        }
        // Few points are seen; of many there is a spot to hover over.
        let has_dots = points.len() <= MOST_DOTS;
        let look = match has_dots {
            true => vec![
                ("r", 4.0.into()),
                ("fill", color.into()),
                ("stroke", PAPER.into()),
                ("stroke-width", 1.5.into()),
            ],
            false => vec![("r", 6.0.into()), ("fill", color.into()), ("fill-opacity", 0.0.into())],
        };
        svg.group(&[]);
        for point in series.told() {
            let there = [("cx", place.x(point.x).into()), ("cy", place.y(point.y).into())];
            let what =
                if self.x_label.is_empty() { String::new() } else { format!("{} ", self.x_label) };
            let told = format!("{}, {what}{}: {}", series.name, self.x_text(point.x), point.told());
            svg.datum("circle", &[&there[..], &look].concat(), &told);
        }
        svg.end();
    }
}

fn draw_marker(svg: &mut Svg, place: &Place, marker: &Marker) {
    let x = place.x(marker.x);
    svg.dashed_line([x, place.top, x, place.bottom], MUTED, 1.0, Some("3 3"));
    // Names of places far on the right stand on their left.
    let is_left = x < (place.left + place.right) / 2.0;
    let anchor = if is_left { Anchor::Start } else { Anchor::End };
    svg.text(x, place.top - 9.0, &marker.label, TextStyle::new(anchor, SMALL).in_color(INK));
}

/// From the least to the greatest.
fn range(pairs: impl Iterator<Item = [f64; 2]>) -> [f64; 2] {
    let start = [f64::INFINITY, f64::NEG_INFINITY];
    let found = pairs.fold(start, |[low, high], [a, b]| [low.min(a), high.max(b)]);
    if found[0] <= found[1] { found } else { [0.0, 1.0] }
}

/// A little room on both sides, so that no line lies on the frame.
fn padded([low, high]: [f64; 2]) -> [f64; 2] {
    let room = 0.05 * (high - low);
    [low - room, high + room]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(ys: &[f64], spread: Option<f64>) -> LineChart {
        let points = ys.iter().enumerate();
        let points = points.map(|(x, &y)| Point { x: x as f64, y, spread }).collect();
        LineChart {
            name: "n".into(),
            title: "T".into(),
            x_label: "epoch".into(),
            y_label: "loss".into(),
            series: vec![Series { name: "a<b".into(), points, dashed: false }],
            ..LineChart::default()
        }
    }

    #[test]
    fn every_point_has_its_value_and_its_spread() {
        let figure = chart(&[0.5, 0.25, 0.75], Some(0.01)).figure();
        assert!(
            figure.svg.contains("<title>a&lt;b, epoch 1: 0.25 ± 0.01</title>"),
            "{}",
            figure.svg
        );
        assert_eq!(figure.svg.matches("<circle").count(), 3);
        assert_eq!(
            figure.description,
            "Lines of loss by epoch. a<b: from 0.5 ± 0.01 at 0 to 0.75 ± 0.01 at 2; least 0.25 ± 0.01 \
             at 1, greatest 0.75 ± 0.01 at 2."
        );
    }

    #[test]
    fn many_points_are_drawn_and_some_told() {
        let ys: Vec<f64> = (0..1001).map(f64::from).collect();
        let chart = chart(&ys, None);
        let svg = chart.figure().svg;
        let path = svg.split("<polyline points=\"").nth(1).unwrap().split('"').next().unwrap();
        assert_eq!(path.split(' ').count(), 1001);
        let told = svg.matches("<circle").count();
        assert!((100..=MOST_TOLD + 1).contains(&told), "{told}");
        assert!(svg.contains("epoch 1,000: 1,000</title>"), "the last is told");
        assert_eq!(chart.table().rows.len(), told);
        let long: Vec<f64> = (0..100_001).map(f64::from).collect();
        assert!(self::chart(&long, None).figure().svg.len() < 60_000);
    }

    #[test]
    fn no_two_lines_look_alike_before_the_seventeenth() {
        let mut chart = chart(&[1.0, 2.0], None);
        chart.series = vec![chart.series[0].clone(); 16];
        let svg = chart.figure().svg;
        let lines = svg.split("<polyline").skip(1).map(|line| {
            let line = line.split("/>").next().unwrap();
            line.split("stroke=").nth(1).unwrap()
        });
        let distinct: std::collections::HashSet<&str> = lines.collect();
        assert_eq!(distinct.len(), 16);
    }

    #[test]
    fn what_is_no_number_is_left_out() {
        let figure = chart(&[f64::NAN, 1.0, f64::INFINITY], None).figure();
        assert_eq!(figure.svg.matches("<circle").count(), 1);
        assert!(!figure.svg.contains("NaN") && !figure.svg.contains("inf"), "{}", figure.svg);
        let none = chart(&[], None).figure();
        assert!(none.description.contains("a<b: no values"), "{}", none.description);
    }

    #[test]
    fn higher_values_stand_higher() {
        let svg = chart(&[1.0, 3.0, 2.0], None).figure().svg;
        let places = svg.split("<circle cx=\"").skip(1).map(|rest| {
            rest.split("cy=\"").nth(1).unwrap().split('"').next().unwrap().parse::<f64>().unwrap()
        });
        let places: Vec<f64> = places.collect();
        assert!(places[1] < places[2] && places[2] < places[0], "{places:?}");
    }
}
