use std::fs::{self, File};

use super::*;

/// 0 2 0
/// 2 0 5
/// 0 5 7, scaled.
fn symmetric(scale: f64) -> CsrMatrix<f64> {
    let values = [2.0, 2.0, 5.0, 5.0, 7.0].map(|value| value * scale).to_vec();
    CsrMatrix::new(3, vec![0, 1, 3, 5], vec![1, 0, 2, 1, 2], values)
}

fn wide() -> CsrMatrix<f64> {
    CsrMatrix::new(4, vec![0, 2, 2], vec![0, 3], vec![0.5, -1e300])
}

fn text(matrix: &CsrMatrix<f64>, symmetric: bool) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.mtx");
    write_csr(&path, matrix, MatrixFormat::Mtx, symmetric).unwrap();
    fs::read_to_string(path).unwrap()
}

#[test]
fn matrix_market_keeps_the_lower_triangle_of_a_symmetric_matrix() {
    assert_eq!(
        text(&symmetric(1.0), true),
        "%%MatrixMarket matrix coordinate integer symmetric\n3 3 3\n2 1 2\n3 2 5\n3 3 7\n"
    );
    assert_eq!(
        text(&symmetric(0.25), true),
        "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n2 1 0.5\n3 2 1.25\n3 3 1.75\n"
    );
    assert_eq!(
        text(&wide(), false),
        "%%MatrixMarket matrix coordinate real general\n2 4 2\n1 1 0.5\n1 4 -1e+300\n"
    );
}

#[test]
fn what_is_not_symmetric_is_not_written_as_such() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.mtx");
    let skew = CsrMatrix::new(2, vec![0, 1, 2], vec![1, 0], vec![1.0, -1.0]);
    for (matrix, row, column) in [(wide(), 0, 3), (skew, 0, 1)] {
        let error = write_csr(&path, &matrix, MatrixFormat::Mtx, true).unwrap_err();
        let message = error.to_string();
        assert!(message.contains(&format!("row {row}, column {column}")), "{message}");
    }
    assert!(!path.exists());
}

#[test]
fn npz_holds_integers_where_all_values_are() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.npz");
    let read = |name: &str| {
        let mut archive = zip::ZipArchive::new(File::open(&path).unwrap()).unwrap();
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut archive.by_name(name).unwrap(), &mut bytes).unwrap();
        bytes
    };
    write_csr(&path, &symmetric(1.0), MatrixFormat::Npz, true).unwrap();
    let data = npyz::NpyFile::new(&*read("data.npy")).unwrap().into_vec::<i64>().unwrap();
    assert_eq!(data, [2, 2, 5, 5, 7]);
    let indices = npyz::NpyFile::new(&*read("indices.npy")).unwrap().into_vec::<i32>().unwrap();
    assert_eq!(indices, [1, 0, 2, 1, 2]);
    write_csr(&path, &wide(), MatrixFormat::Npz, false).unwrap();
    let data = npyz::NpyFile::new(&*read("data.npy")).unwrap().into_vec::<f64>().unwrap();
    assert_eq!(data, [0.5, -1e300]);
    let shape = npyz::NpyFile::new(&*read("shape.npy")).unwrap().into_vec::<i64>().unwrap();
    assert_eq!(shape, [2, 4]);
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_holds_rows_columns_and_values() {
    use parquet::file::reader::{FileReader, SerializedFileReader};

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.parquet");
    let last_row = |matrix: &CsrMatrix<f64>| {
        write_csr(&path, matrix, MatrixFormat::Parquet, false).unwrap();
        let reader = SerializedFileReader::new(File::open(&path).unwrap()).unwrap();
        reader.get_row_iter(None).unwrap().last().unwrap().unwrap().to_string()
    };
    assert_eq!(last_row(&symmetric(1.0)), "{row: 2, column: 2, value: 7}");
    assert_eq!(last_row(&symmetric(0.25)), "{row: 2, column: 2, value: 1.75}");
}

#[test]
fn formats_go_by_the_ending() {
    let format = |name: &str| MatrixFormat::of_path(Path::new(name)).ok();
    assert_eq!(format("a/w.NPZ"), Some(MatrixFormat::Npz));
    assert_eq!(format("w.mtx.gz"), Some(MatrixFormat::Mtx));
    assert_eq!(format("w.parquet"), Some(MatrixFormat::Parquet));
    assert_eq!(format("w.csv"), None);
    assert_eq!(format(""), None);
}
