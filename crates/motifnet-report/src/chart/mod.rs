//! Charts: numbers drawn as lines, bars and heat maps, each with what is to be seen in words and its
//! values as a table.

mod axes;
mod bar_chart;
mod heat_map;
mod line_chart;

pub use bar_chart::{Bar, BarChart};
#[cfg(test)]
pub(crate) use heat_map::DARKEST_NUMBERED;
pub use heat_map::{HeatMap, HeatScale};
pub use line_chart::{LineChart, Marker, Point, Series};

/// All charts are so wide, in CSS pixels: narrow enough to be read on a phone that is turned.
const WIDTH: f64 = 640.0;
