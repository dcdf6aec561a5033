//! Rows × columns of cells, the darker the more.

use std::fmt::Write;

use super::WIDTH;
use crate::numbers::value;
use crate::palette::{ACCENT, GRID, MUTED};
use crate::svg::{Anchor, Svg, TextStyle, shortened, text_width};
use crate::{Figure, Table};

/// Rows × columns of cells, the darker the more.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeatMap {
    /// See [`Figure::name`].
    pub name: String,
    /// See [`Figure::title`].
    pub title: String,
    /// See [`Figure::caption`].
    pub caption: String,
    /// What the rows are.
    pub row_label: String,
    /// What the columns are.
    pub column_label: String,
    /// What every row is called; all have a name, not all are shown.
    pub rows: Vec<String>,
    /// What every column is called; all have a name, not all are shown.
    pub columns: Vec<String>,
    /// A value for every row and column. What is not finite is left blank.
    pub values: Vec<Vec<f64>>,
    /// What the values are, as `nodes`.
    pub unit: String,
    /// What makes a cell dark.
    pub scale: HeatScale,
}

/// What makes a cell dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HeatScale {
    /// Its value, beside the greatest of all.
    #[default]
    Value,
    /// Its share of its row.
    ShareOfRow,
}

/// At most so many rows and columns have their numbers in the cells.
const MOST_NUMBERED: usize = 15;
/// The darkest cell with a number in it: on darker ones ink is hard to read.
pub(crate) const DARKEST_NUMBERED: f64 = 0.7;
/// The faintest cell that is not nothing.
const FAINTEST: f64 = 0.04;
const SMALL: f64 = 12.0;
const MOST_LABEL: f64 = 150.0;

/// Where the cells are.
struct Cells {
    /// The middle of what the rows are.
    label: f64,
    left: f64,
    top: f64,
    width: f64,
    height: f64,
    upright: bool,
}

impl HeatMap {
    /// Draws it.
    ///
    /// # Panics
    /// If there is not a value for every row and column.
    pub fn figure(&self) -> Figure {
        assert_eq!(self.values.len(), self.rows.len(), "values for every row");
        let is_full = |row: &Vec<f64>| row.len() == self.columns.len();
        assert!(self.values.iter().all(is_full), "a value for every column");
        Figure {
            name: self.name.clone(),
            title: self.title.clone(),
            caption: self.caption.clone(),
            description: self.describe(),
            svg: self.draw(),
        }
    }

    /// Its values; the shorter side goes across, so that it is as narrow as can be.
    pub fn table(&self) -> Table {
        let at = |row: usize, column: usize| value(self.values[row][column]);
        let (across, down, corner) = match self.columns.len() <= self.rows.len() {
            true => (&self.columns, &self.rows, &self.row_label),
            false => (&self.rows, &self.columns, &self.column_label),
        };
        let mut table =
            Table::new(self.title.clone(), [corner.as_str()], across.iter().map(String::as_str));
        let is_turned = self.columns.len() > self.rows.len();
        for (line, name) in down.iter().enumerate() {
            let cell = |place| if is_turned { at(place, line) } else { at(line, place) };
            table.row([name.clone()].into_iter().chain((0..across.len()).map(cell)));
        }
        table
    }

    fn is_numbered(&self) -> bool {
        self.rows.len().max(self.columns.len()) <= MOST_NUMBERED
    }

    /// Where the most and the least is.
    fn describe(&self) -> String {
        let mut cells = Vec::new();
        for (row, values) in self.rows.iter().zip(&self.values) {
            let of_row = self.columns.iter().zip(values);
            cells.extend(of_row.map(|(column, &value)| (row, column, value)));
        }
        cells.retain(|cell| cell.2.is_finite());
        let size = format!(
            "Heat map of {}, {} {} by {} {}",
            self.unit,
            self.rows.len(),
            self.row_label,
            self.columns.len(),
            self.column_label
        );
        let most = cells.iter().rev().max_by(|a, b| a.2.total_cmp(&b.2));
        let least = cells.iter().min_by(|a, b| a.2.total_cmp(&b.2));
        let (Some(most), Some(least)) = (most, least) else { return format!("{size}: no values.") };
        let at = |cell: &(&String, &String, f64)| {
            format!(
                "{} ({} {}, {} {})",
                value(cell.2),
                self.row_label,
                cell.0,
                self.column_label,
                cell.1
            )
        };
        let mut text = format!("{size}: greatest {}, least {}.", at(most), at(least));
        if self.rows.len() <= 20 {
            for (row, values) in self.rows.iter().zip(&self.values) {
                let finite = values.iter().enumerate().filter(|(_, value)| value.is_finite());
                let most = finite.rev().max_by(|a, b| a.1.total_cmp(b.1));
                if let Some((column, &most)) = most {
                    let _ =
                        write!(text, " {row}: most at {}, {}.", self.columns[column], value(most));
                }
            }
        }
        text
    }

    fn cells(&self) -> Cells {
        let widest = |names: &[String]| {
            names.iter().map(|name| text_width(name, SMALL)).fold(0.0, f64::max).min(MOST_LABEL)
        };
        let left = widest(&self.rows) + 34.0;
        let (n_rows, n_columns) = (self.rows.len().max(1) as f64, self.columns.len().max(1) as f64);
        let width = ((WIDTH - left - 16.0) / n_columns).min(64.0);
        let height = if self.is_numbered() { 30.0 } else { (420.0 / n_rows).clamp(4.0, 24.0) };
        // A map of few columns stands in the middle.
        let shift = (WIDTH - left - 16.0 - n_columns * width) / 2.0;
        let (label, left) = (10.0 + shift, left + shift);
        // Names that do not fit below their columns are turned; of many columns some have none.
        let upright = self.is_numbered() && widest(&self.columns) > width - 4.0;
        Cells { label, left, top: 8.0, width, height, upright }
    }

    fn draw(&self) -> String {
        let cells = self.cells();
        let (n_rows, n_columns) = (self.rows.len() as f64, self.columns.len() as f64);
        let bottom = cells.top + n_rows * cells.height;
        let names = match cells.upright {
            true => {
                let widths = self.columns.iter().map(|name| text_width(name, SMALL));
                widths.fold(0.0, f64::max).min(MOST_LABEL) + 10.0
            }
            false => 20.0,
        };
        let mut svg = Svg::new(WIDTH, bottom + names + 26.0, &self.title);
        self.draw_cells(&mut svg, &cells);
        let corner = [("x", cells.left.into()), ("y", cells.top.into())];
        let (width, height) = (n_columns * cells.width, n_rows * cells.height);
        let size = [("width", width.into()), ("height", height.into())];
        let look = [("fill", "none".into()), ("stroke", GRID.into())];
        svg.element("rect", &[corner, size, look].concat());
        self.draw_names(&mut svg, &cells, bottom);
        let middle = cells.left + n_columns * cells.width / 2.0;
        let muted = TextStyle::new(Anchor::Middle, SMALL).in_color(MUTED);
        svg.text(middle, bottom + names + 12.0, &self.column_label, muted);
        svg.text(cells.label, (cells.top + bottom) / 2.0, &self.row_label, muted.upright());
        svg.finish()
    }

    fn draw_cells(&self, svg: &mut Svg, cells: &Cells) {
        let finite = self.values.iter().flatten().filter(|value| value.is_finite());
        let greatest = finite.fold(0.0f64, |most, &value| most.max(value));
        let darkest = if self.is_numbered() { DARKEST_NUMBERED } else { 1.0 };
        let size = [("width", cells.width.into()), ("height", cells.height.into())];
        for (row, values) in self.values.iter().enumerate() {
            let y = cells.top + row as f64 * cells.height;
            let total: f64 = values.iter().filter(|value| value.is_finite()).sum();
            let whole = match self.scale {
                HeatScale::Value => greatest,
                HeatScale::ShareOfRow => total,
            };
            svg.group(&[("fill", ACCENT.into())]);
            for (column, &number) in values.iter().enumerate() {
                let x = cells.left + column as f64 * cells.width;
                let part = if whole > 0.0 { (number / whole).clamp(0.0, 1.0) } else { 0.0 };
                let shade = match part.is_finite() && part > 0.0 {
                    true => FAINTEST + (darkest - FAINTEST) * part,
                    false => 0.0,
                };
                let corner = [("x", x.into()), ("y", y.into())];
                let shade = [("fill-opacity", shade.into())];
                let told = self.told(row, column, total);
                svg.datum("rect", &[&corner[..], &size, &shade].concat(), &told);
            }
            svg.end();
            if self.is_numbered() {
                draw_numbers(svg, cells, y, values);
            }
        }
    }

    fn told(&self, row: usize, column: usize, total: f64) -> String {
        let number = self.values[row][column];
        let share = match self.scale {
            HeatScale::ShareOfRow if total > 0.0 => {
                format!(" ({:.1} % of the row)", 100.0 * number / total)
            }
            _ => String::new(),
        };
        format!(
            "{} {}, {} {}: {} {}{share}",
            self.row_label,
            self.rows[row],
            self.column_label,
            self.columns[column],
            value(number),
            self.unit
        )
    }

    fn draw_names(&self, svg: &mut Svg, cells: &Cells, bottom: f64) {
        let end = TextStyle::new(Anchor::End, SMALL);
        let row_step = step(14.0, cells.height);
        for (row, name) in self.rows.iter().enumerate().step_by(row_step) {
            let y = cells.top + (row as f64 + 0.5) * cells.height;
            svg.text(cells.left - 6.0, y, &shortened(name, SMALL, MOST_LABEL), end);
        }
        let widest = self.columns.iter().map(|name| text_width(name, SMALL)).fold(0.0, f64::max);
        let column_step = if cells.upright { 1 } else { step(widest + 10.0, cells.width) };
        // 10, 20, 30 and not 1, 11, 21.
        let named = self.columns.iter().enumerate().skip(column_step - 1).step_by(column_step);
        for (column, name) in named {
            let x = cells.left + (column as f64 + 0.5) * cells.width;
            let name = shortened(name, SMALL, MOST_LABEL);
            match cells.upright {
                true => svg.text(x, bottom + 8.0, &name, end.upright()),
                false => svg.text(x, bottom + 12.0, &name, TextStyle::new(Anchor::Middle, SMALL)),
            }
        }
    }
}

/// The numbers of a row in its cells, of which `top` is the upper side; nothing has none.
fn draw_numbers(svg: &mut Svg, cells: &Cells, top: f64, values: &[f64]) {
    let style = TextStyle::new(Anchor::Middle, SMALL).over_datum();
    for (column, &number) in values.iter().enumerate() {
        if number.is_finite() && number != 0.0 {
            let x = cells.left + (column as f64 + 0.5) * cells.width;
            svg.text(x, top + cells.height / 2.0, &in_cell(number), style);
        }
    }
}

/// A number that fits into a cell.
fn in_cell(number: f64) -> String {
    if number.fract() == 0.0 || number.abs() >= 1000.0 {
        value(number)
    } else {
        format!("{number:.3}")
    }
}

/// Every how-manieth name has room: 1, or a round number.
fn step(needed: f64, room: f64) -> usize {
    let least = (needed / room).ceil().max(1.0) as usize;
    if least == 1 { 1 } else { least.next_multiple_of(5) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(values: Vec<Vec<f64>>, scale: HeatScale) -> HeatMap {
        let names = |n: usize, of: &str| (0..n).map(|at| format!("{of}{at}")).collect::<Vec<_>>();
        HeatMap {
            rows: names(values.len(), "r"),
            columns: names(values[0].len(), "c"),
            values,
            row_label: "true".into(),
            column_label: "predicted".into(),
            unit: "nodes".into(),
            scale,
            ..HeatMap::default()
        }
    }

    #[test]
    fn few_cells_have_numbers_and_all_have_titles() {
        let small = map(vec![vec![3.0, 1.0], vec![0.0, 8.0]], HeatScale::ShareOfRow).figure().svg;
        assert!(
            small.contains("true r0, predicted c1: 1 nodes (25.0 % of the row)</title>"),
            "{small}"
        );
        assert_eq!(small.matches("pointer-events").count(), 3, "nothing has no number");
        let wide = map(vec![vec![0.5; 130]; 6], HeatScale::Value).figure().svg;
        assert_eq!(
            (wide.matches("<title>").count(), wide.matches("pointer-events").count()),
            (780, 0)
        );
        assert!(wide.len() < 120_000, "{}", wide.len());
    }

    #[test]
    fn the_more_the_darker() {
        let svg = map(vec![vec![1.0, 2.0, 0.0, f64::NAN]], HeatScale::Value).figure().svg;
        let shades = svg.split("fill-opacity=\"").skip(1);
        let shades: Vec<f64> =
            shades.map(|rest| rest.split('"').next().unwrap().parse().unwrap()).collect();
        assert_eq!(shades, [0.37, 0.7, 0.0, 0.0]);
        assert!(!svg.contains("NaN"));
    }

    #[test]
    fn it_says_where_the_most_is() {
        let text = map(vec![vec![3.0, 1.0], vec![0.0, 8.0]], HeatScale::Value).describe();
        assert_eq!(
            text,
            "Heat map of nodes, 2 true by 2 predicted: greatest 8 (true r1, predicted c1), least 0 \
             (true r1, predicted c0). r0: most at c0, 3. r1: most at c1, 8."
        );
    }

    #[test]
    fn tables_are_narrow() {
        let table = map(vec![vec![0.5; 130]; 6], HeatScale::Value).table();
        assert_eq!((table.columns.len(), table.rows.len()), (7, 130));
        assert_eq!(table.columns[0].name, "predicted");
    }
}
