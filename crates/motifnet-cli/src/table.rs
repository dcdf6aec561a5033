//! Tables on a terminal.

/// On which side a column's text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

/// Rows of text under a header, laid out so that columns line up.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    sides: Vec<Side>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these columns.
    pub(crate) fn new<'a>(columns: impl IntoIterator<Item = (&'a str, Side)>) -> Self {
        let (header, sides) =
            columns.into_iter().map(|(name, side)| (name.to_owned(), side)).unzip();
        Self { sides, rows: vec![header] }
    }

    /// A table without a header: names on the left, what they are on the right of them.
    pub(crate) fn of_facts() -> Self {
        Self { sides: vec![Side::Left, Side::Left], rows: Vec::new() }
    }

    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        let row: Vec<String> = cells.into_iter().collect();
        debug_assert_eq!(row.len(), self.sides.len());
        self.rows.push(row);
    }

    /// A row of [`Table::of_facts`].
    pub(crate) fn fact(&mut self, name: &str, value: impl Into<String>) {
        self.row([name.to_owned(), value.into()]);
    }

    /// The table as lines.
    pub(crate) fn render(&self) -> String {
        let width = |column: usize| {
            self.rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.sides.len()).map(width).collect();
        let mut text = String::new();
        for row in &self.rows {
            let mut line = String::new();
            for ((cell, side), width) in row.iter().zip(&self.sides).zip(&widths) {
                let padding = " ".repeat(width - cell.chars().count());
                if !line.is_empty() {
                    line += "  ";
                }
                match side {
                    Side::Left => line.extend([cell.as_str(), &padding]),
                    Side::Right => line.extend([&padding, cell.as_str()]),
                }
            }
            text += line.trim_end();
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let mut table = Table::new([("name", Side::Left), ("n", Side::Right), ("", Side::Left)]);
        table.row(["a".into(), "1,000".into(), "≈".into()]);
        table.row(["größe".into(), "7".into(), String::new()]);
        assert_eq!(table.render(), "name       n\na      1,000  ≈\ngröße      7\n");
    }
}
