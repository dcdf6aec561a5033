//! Plain tables: columns of words to the left, columns of figures to the right.

pub(crate) use motifnet::io::grouped;

/// The rows under their header, columns two spaces apart.
pub(crate) fn table<const N: usize>(header: [&str; N], rows: &[[String; N]]) -> String {
    let header = header.map(str::to_owned);
    let mut widths = [0; N];
    for row in rows.iter().chain([&header]) {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    let mut figures = [true; N];
    for row in rows {
        for (figures, cell) in figures.iter_mut().zip(row) {
            *figures &= is_figure(cell);
        }
    }
    let mut text = String::new();
    for row in [&header].into_iter().chain(rows) {
        let cells = row.iter().zip(widths).zip(figures).map(|((cell, width), figures)| {
            if figures { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
        });
        text.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        text.push('\n');
    }
    text
}

fn is_figure(cell: &str) -> bool {
    cell.chars().next().is_none_or(|first| first.is_ascii_digit() || "≥≤–".contains(first))
}

/// Three figures and a unit: `4.12 ms`, `26.3 s`.
pub(crate) fn seconds(seconds: f64) -> String {
    let (value, unit) = if seconds < 1.0 { (seconds * 1e3, "ms") } else { (seconds, "s") };
    let decimals = match value {
        value if value < 10.0 => 2,
        value if value < 100.0 => 1,
        _ => 0,
    };
    format!("{value:.decimals$} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let rows =
            [["a", "1", "reached"], ["größe", "1,000", ""]].map(|row| row.map(str::to_owned));
        let expected = "name       n  verdict\na          1  reached\ngröße  1,000\n";
        assert_eq!(table(["name", "n", "verdict"], &rows), expected);
    }

    #[test]
    fn digits_are_grouped_by_three() {
        assert_eq!([0_u64, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn seconds_have_three_figures() {
        assert_eq!([0.00412, 0.123, 26.31].map(seconds), ["4.12 ms", "123 ms", "26.3 s"]);
    }
}
