//! A table of a page.

/// Rows of text under names of columns. The first cell of a row names it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// What it shows.
    pub caption: String,
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows, a cell for every column.
    pub rows: Vec<Vec<String>>,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// What stands above it.
    pub name: String,
    /// Whether it holds numbers, which stand on the right.
    pub is_numeric: bool,
}

impl Table {
    /// A table without rows: the names of the columns of words, then of those of numbers.
    pub fn new<'a>(
        caption: impl Into<String>,
        words: impl IntoIterator<Item = &'a str>,
        numbers: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let column = |name: &str, is_numeric| Column { name: name.to_owned(), is_numeric };
        let words = words.into_iter().map(|name| column(name, false));
        let columns = words.chain(numbers.into_iter().map(|name| column(name, true))).collect();
        Self { caption: caption.into(), columns, rows: Vec::new() }
    }

    /// Adds a row.
    ///
    /// # Panics
    /// If it has not a cell for every column.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        let row: Vec<String> = cells.into_iter().collect();
        assert_eq!(row.len(), self.columns.len(), "a cell for every column");
        self.rows.push(row);
    }
}
