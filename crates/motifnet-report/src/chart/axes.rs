//! Axes of numbers, drawn by plotters; no other file knows of it.
//!
//! Plotters chooses the ticks and lays out axes, grid and labels. It places by whole pixels and knows no
//! titles of data, so the data are drawn by the charts, at the places that its axes give them.

use std::convert::Infallible;
use std::ops::Range;

use plotters::coord::ranged1d::{BoldPoints, DefaultFormatting, KeyPointHint, Ranged};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::{ChartBuilder, Color, IntoDrawingArea, IntoFont, RGBColor};
use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
    FontTransform,
};

use crate::numbers::value;
use crate::palette::{GRID, MUTED};
use crate::svg::{Anchor, Svg, TextStyle, text_width};

/// The size of ticks' labels.
pub(super) const SMALL: f64 = 12.0;

/// One axis of numbers.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    /// From where to where; the same twice makes a range around it.
    pub(super) range: [f64; 2],
    /// What it measures.
    pub(super) label: String,
    /// Ticks with their labels; without them they are round numbers.
    pub(super) ticks: Option<Vec<(f64, String)>>,
    /// Whether lines go through the picture at its ticks.
    pub(super) grid: bool,
}

/// Two axes, the upright one of which may be without ticks: then whoever draws labels its rows.
#[derive(Clone, Debug)]
pub(super) struct Axes {
    pub(super) x: Axis,
    pub(super) y: Axis,
    /// Whether the upright axis is drawn.
    pub(super) y_is_drawn: bool,
    /// Room above and on the left.
    pub(super) top: u32,
    pub(super) left: u32,
}

/// Where numbers are in a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    x: [f64; 2],
    y: [f64; 2],
    /// Pixels: left, right, top, bottom.
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
}

impl Place {
    pub(super) fn x(&self, value: f64) -> f64 {
        self.left + (value - self.x[0]) / (self.x[1] - self.x[0]) * (self.right - self.left)
    }

    pub(super) fn y(&self, value: f64) -> f64 {
        self.bottom - (value - self.y[0]) / (self.y[1] - self.y[0]) * (self.bottom - self.top)
    }
}

impl Axis {
    /// The range, made wide enough to have two different ends.
    fn spread(&self) -> Range<f64> {
        let [low, high] = self.range;
        if low < high && (high - low).is_finite() {
            return low..high;
        }
        let middle = if low.is_finite() { low } else { 0.0 };
        let half = (middle.abs() * 0.1).max(0.5);
        middle - half..middle + half
    }

    fn ticks(&self, about: usize) -> Vec<(f64, String)> {
        self.ticks.clone().unwrap_or_else(|| {
            let range = self.spread();
            // Plotters adds steps up, and may come to a hair's breadth of zero.
            let hair = 1e-9 * (range.end - range.start);
            let points = RangedCoordf64::from(range).key_points(BoldPoints(about));
            let points = points.into_iter().map(|at| if at.abs() < hair { 0.0 } else { at });
            points.map(|at| (at, value(at))).collect()
        })
    }
}

/// An axis as plotters takes it: its own of floats, with ticks of ours.
struct Ticked {
    axis: RangedCoordf64,
    ticks: Vec<f64>,
}

impl Ranged for Ticked {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        self.axis.map(value, limit)
    }

    fn key_points<H: KeyPointHint>(&self, hint: H) -> Vec<f64> {
        // Plotters asks for faint lines between the ticks, too.
        if hint.weight().allow_light_points() { Vec::new() } else { self.ticks.clone() }
    }

    fn range(&self) -> Range<f64> {
        self.axis.range()
    }
}

impl Axes {
    /// Draws axes, grid and labels over the whole of `svg`, which is of that `size`; tells where numbers are.
    pub(super) fn draw(&self, svg: &mut Svg, size: [f64; 2]) -> Place {
        let (x, y) = (self.x.spread(), self.y.spread());
        let (x_ticks, y_ticks) = (self.x.ticks(8), self.y.ticks(6));
        let width = |(_, label): &(f64, String)| text_width(label, SMALL);
        let widest = y_ticks.iter().map(width).fold(0.0, f64::max);
        let left = if self.y_is_drawn { widest as u32 + 38 } else { 0 };
        let label_of = |ticks: &[(f64, String)], at: f64| {
            ticks.iter().find(|(tick, _)| *tick == at).map_or(String::new(), |tick| tick.1.clone())
        };
        let ticked = |range: &Range<f64>, ticks: &[(f64, String)]| Ticked {
            axis: range.clone().into(),
            ticks: ticks.iter().map(|&(at, _)| at).collect(),
        };

        let area = Backend { svg, size }.into_drawing_area();
        let built = ChartBuilder::on(&area)
            .margin_top(self.top)
            .margin_left(self.left)
            .margin_right(16)
            .margin_bottom(4)
            .x_label_area_size(46)
            .y_label_area_size(left)
            .build_cartesian_2d(ticked(&x, &x_ticks), ticked(&y, &y_ticks));
        let mut chart = match built {
            Ok(chart) => chart,
            Err(error) => unreachable!("nothing is written where it could fail: {error}"),
        };
        let text = |color: RGBColor| ("sans-serif", SMALL).into_font().color(&color);
        let (muted, grid) = (plotters_color(MUTED), plotters_color(GRID));
        let x_label = |at: &f64| label_of(&x_ticks, *at);
        let y_label = |at: &f64| label_of(&y_ticks, *at);
        let mut mesh = chart.configure_mesh();
        mesh.light_line_style(plotters::style::TRANSPARENT)
            .bold_line_style(grid)
            .axis_style(grid)
            .label_style(text(muted))
            .axis_desc_style(text(muted))
            .x_label_formatter(&x_label)
            .y_label_formatter(&y_label)
            .x_desc(self.x.label.clone())
            .y_desc(self.y.label.clone());
        if !self.x.grid {
            mesh.disable_x_mesh();
        }
        if !self.y.grid {
            mesh.disable_y_mesh();
        }
        if !self.y_is_drawn {
            mesh.disable_y_axis();
        }
        if let Err(error) = mesh.draw() {
            unreachable!("nothing is written where it could fail: {error}");
        }
        let (across, down) = chart.plotting_area().get_pixel_range();
        Place {
            x: [x.start, x.end],
            y: [y.start, y.end],
            left: f64::from(across.start),
            // Plotters puts the end of a range on its last pixel.
            right: f64::from(across.end - 1),
            top: f64::from(down.start),
            bottom: f64::from(down.end - 1),
        }
    }
}

/// A colour of the palette as plotters knows them.
fn plotters_color(hex: &str) -> RGBColor {
    let part = |at: usize| u8::from_str_radix(hex.get(at..at + 2).unwrap_or("0"), 16).unwrap_or(0);
    RGBColor(part(1), part(3), part(5))
}

/// Draws what plotters lays out, in the words of [`Svg`].
struct Backend<'a> {
    svg: &'a mut Svg,
    size: [f64; 2],
}

/// What plotters draws of axes is lines and texts in two colours of the palette.
fn palette_color(color: BackendColor) -> &'static str {
    let is = |hex: &str| plotters_color(hex).to_backend_color().rgb == color.rgb;
    if is(GRID) { GRID } else { MUTED }
}

type Drawn = Result<(), DrawingErrorKind<Infallible>>;

impl DrawingBackend for Backend<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size.map(|length| length as u32).into()
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        Ok(())
    }

    fn draw_pixel(&mut self, (x, y): BackendCoord, color: BackendColor) -> Drawn {
        let [x, y] = [x, y].map(f64::from);
        self.svg.line([x, y + 0.5, x + 1.0, y + 0.5], palette_color(color), 1.0);
        Ok(())
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> Drawn {
        if style.color().alpha > 0.0 {
            let ends = [from.0, from.1, to.0, to.1].map(f64::from);
            self.svg.line(ends, palette_color(style.color()), f64::from(style.stroke_width()));
        }
        Ok(())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        let points: Vec<BackendCoord> = path.into_iter().collect();
        points.windows(2).try_for_each(|ends| self.draw_line(ends[0], ends[1], style))
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, at: BackendCoord) -> Drawn {
        let anchor = match style.anchor().h_pos {
            HPos::Left => Anchor::Start,
            HPos::Center => Anchor::Middle,
            HPos::Right => Anchor::End,
        };
        let down = match style.anchor().v_pos {
            VPos::Top => 0.5,
            VPos::Center => 0.0,
            VPos::Bottom => -0.5,
        };
        let of = TextStyle::new(anchor, SMALL).in_color(palette_color(style.color()));
        let (x, y) = (f64::from(at.0), f64::from(at.1));
        match style.transform() {
            FontTransform::None => self.svg.text(x, y + down * SMALL, text, of),
            _ => self.svg.text(x + down * SMALL, y, text, of.upright()),
        }
        Ok(())
    }

    fn estimate_text_size<S: BackendTextStyle>(
        &self,
        text: &str,
        _: &S,
    ) -> Result<(u32, u32), DrawingErrorKind<Infallible>> {
        Ok((text_width(text, SMALL) as u32, SMALL as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(range: [f64; 2]) -> Axis {
        Axis { range, label: "many <things>".to_owned(), ticks: None, grid: true }
    }

    fn drawn(x: [f64; 2], y: [f64; 2]) -> (Place, String) {
        let axes = Axes { x: axis(x), y: axis(y), y_is_drawn: true, top: 10, left: 4 };
        let size = [640.0, 320.0];
        let mut svg = Svg::new(size[0], size[1], "axes");
        let place = axes.draw(&mut svg, size);
        (place, svg.finish())
    }

    #[test]
    fn numbers_stand_where_the_ticks_say() {
        let (place, svg) = drawn([0.0, 10.0], [0.0, 1.0]);
        assert_eq!((place.x(0.0), place.x(10.0)), (place.left, place.right));
        assert_eq!((place.y(0.0), place.y(1.0)), (place.bottom, place.top));
        // The label of a tick stands within a pixel of where the number is.
        let at = svg.lines().find(|line| line.contains(">4</text>")).unwrap();
        let x: f64 = at.split("x=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap();
        assert!((x - place.x(4.0)).abs() <= 1.0, "{x} {}", place.x(4.0));
        assert!(svg.contains("many &lt;things&gt;") && svg.contains(GRID), "{svg}");
    }

    #[test]
    fn zero_is_told_as_zero() {
        let ticks = axis([-0.45, 0.62]).ticks(6);
        assert!(ticks.iter().any(|(at, label)| *at == 0.0 && label == "0"), "{ticks:?}");
    }

    #[test]
    fn ranges_of_nothing_are_drawn_too() {
        for range in [[0.0, 0.0], [5.0, 5.0], [f64::NAN, 1.0], [0.0, f64::INFINITY], [2.0, 1.0]] {
            let (place, _) = drawn(range, range);
            assert!(place.x(1.0).is_finite() && place.y(1.0).is_finite(), "{range:?}");
        }
    }
}
