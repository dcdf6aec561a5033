//! Small matrices on the command line: `0.3,0.05;0.1,0.3`.

use std::str::FromStr;

/// Rows separated by `;`, numbers by `,`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MatrixArg(pub(crate) Vec<Vec<f64>>);

impl FromStr for MatrixArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |(row, column, field): (usize, usize, &str)| {
            field.trim().parse::<f64>().map_err(|_| {
                format!(
                    "{field:?} in row {row}, column {column} (from 0) is no number; numbers are \
                     separated by commas, rows by semicolons, as in 0.3,0.05;0.1,0.3"
                )
            })
        };
        let rows = text.split(';').enumerate().map(|(row, numbers)| {
            let fields = numbers.split(',').enumerate();
            fields.map(|(column, field)| number((row, column, field))).collect()
        });
        rows.collect::<Result<_, _>>().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_numbers_are_told_apart() {
        let matrix = "0.3, 0.05;.1,1e-2".parse::<MatrixArg>();
        assert_eq!(matrix, Ok(MatrixArg(vec![vec![0.3, 0.05], vec![0.1, 0.01]])));
        let error = "0.3,x;0,0".parse::<MatrixArg>().unwrap_err();
        assert!(error.starts_with("\"x\" in row 0, column 1 (from 0) is no number"), "{error}");
        assert!("".parse::<MatrixArg>().is_err());
    }
}
