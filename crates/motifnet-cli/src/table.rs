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
    pub(crate) fn new<const N: usize>(columns: [(&str, Side); N]) -> Self {
        let header = columns.iter().map(|(name, _)| (*name).to_owned()).collect();
        Self { sides: columns.iter().map(|&(_, side)| side).collect(), rows: vec![header] }
    }

    /// A table without a header: names on the left, what they are on the right of them.
    pub(crate) fn of_facts() -> Self {
        Self { sides: vec![Side::Left, Side::Left], rows: Vec::new() }
    }

    pub(crate) fn row<const N: usize>(&mut self, cells: [String; N]) {
        debug_assert_eq!(N, self.sides.len());
        self.rows.push(cells.into());
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
