//! Whether everything that a command wrote is a number where it should be one.

use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use motifnet::data::{DatasetSource, read_source};
use motifnet::graph::read::read_arcs;
use motifnet::io::{ElementType, Input, NpzArchive};
use motifnet::progress::Silent;
use serde_json::Value;

use super::nulls::check_json;
use super::workplace::Workplace;

/// Refuses a file below `folder` that has a NaN or an infinity, whatever its format; tables are about nodes
/// of the data set `data`. Gives the number of files.
pub(crate) fn check_files(place: &Workplace, folder: &str, data: &Path) -> Result<usize> {
    let files = place.files(folder)?;
    for (name, bytes) in &files {
        let path = place.path(folder).join(name);
        check_file(&path, bytes, data).with_context(|| name.display().to_string())?;
    }
    Ok(files.len())
}

fn check_file(path: &Path, bytes: &[u8], data: &Path) -> Result<()> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    match ending {
        "safetensors" => check_tensors(bytes),
        "npz" => check_arrays(path),
        // What is no matrix is a table of nodes.
        "parquet" => check_entries(path).or_else(|_| check_table(path, data)),
        "png" => Ok(()),
        _ => {
            let mut text = String::new();
            Input::open(path, None, &Silent)?.into_reader().read_to_string(&mut text)?;
            let is_json = check_text(&text)?;
            // A history of no epochs has no lines.
            ensure!(
                is_json || text.is_empty() || !matches!(ending, "json" | "jsonl"),
                "is no JSON"
            );
            Ok(())
        }
    }
}

/// Refuses a word that is no number in place of one, and in JSON, where such a number is `null`, a null
/// without a reason. Gives whether it is JSON.
pub(crate) fn check_text(text: &str) -> Result<bool> {
    let is_json = check_json(text)?;
    let text = text.split("<script>").next().unwrap_or_default();
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '∞';
    let mut words = text.split(|c: char| !is_part(c));
    let wrong = words.find(|word| {
        let word = word.to_lowercase();
        matches!(word.as_str(), "nan" | "inf" | "infinity" | "∞")
    });
    match wrong {
        None => Ok(is_json),
        Some(word) => {
            let at = word.as_ptr() as usize - text.as_ptr() as usize;
            let start = text.floor_char_boundary(at.saturating_sub(60));
            let near: String = text[start..].chars().take(100).collect();
            bail!("has {word} in {near:?}")
        }
    }
}

/// The arrays of an archive of NumPy.
fn check_arrays(path: &Path) -> Result<()> {
    let mut archive = NpzArchive::open(path, None, &Silent)?;
    for key in archive.keys().to_vec() {
        if matches!(archive.header(&key)?.element, ElementType::Float) {
            let array = archive.floats(&key)?;
            if let Some(value) = array.values.iter().find(|value| !value.is_finite()) {
                bail!("{key} has an entry {value}");
            }
        }
    }
    Ok(())
}

/// A matrix, read again as the arcs of a graph.
fn check_entries(path: &Path) -> Result<()> {
    let (raw, _) = read_arcs(path, &Default::default(), &Silent)?;
    let weights = raw.arcs.weights.unwrap_or_default();
    match weights.iter().find(|weight| !weight.is_finite()) {
        None => Ok(()),
        Some(weight) => bail!("has an entry {weight}"),
    }
}

/// A table, read again as the features of the nodes, which must be finite.
fn check_table(path: &Path, data: &Path) -> Result<()> {
    let source = DatasetSource {
        dataset: Some(data.to_owned()),
        features: Some(path.display().to_string()),
        ..DatasetSource::default()
    };
    read_source(&source, Path::new(""), &Silent)?;
    Ok(())
}

/// The arrays of a safetensors file.
fn check_tensors(bytes: &[u8]) -> Result<()> {
    let (length, rest) = bytes.split_first_chunk().context("no length of the header")?;
    let (header, data) = rest.split_at(u64::from_le_bytes(*length) as usize);
    let header: Value = serde_json::from_slice(header)?;
    for (name, about) in header.as_object().context("the header is no object")? {
        let place = |at: usize| about["data_offsets"][at].as_u64().map(|at| at as usize);
        let (Some(start), Some(end)) = (place(0), place(1)) else { continue };
        let values = &data[start..end];
        let is_finite = match about["dtype"].as_str() {
            Some("F32") => {
                values.as_chunks().0.iter().all(|&bytes| f32::from_le_bytes(bytes).is_finite())
            }
            Some("F64") => {
                values.as_chunks().0.iter().all(|&bytes| f64::from_le_bytes(bytes).is_finite())
            }
            other => bail!("{name} is of the type {other:?}"),
        };
        if !is_finite {
            bail!("{name} has a number that is not finite");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_number_is_found_as_a_word_and_not_in_one() {
        for fine in ["1,2.5e-3", "nanometre, info", "1 <script>NaN</script>"] {
            check_text(fine).unwrap();
        }
        for wrong in ["a,NaN", "{\"z\": -inf}", "{\"z\": null}", "<td>∞</td>", "1 Infinity"] {
            check_text(wrong).unwrap_err();
        }
    }

    #[test]
    fn a_tensor_that_is_not_finite_is_found() {
        let file = |number: f32| {
            let header = r#"{"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}"#;
            let length = (header.len() as u64).to_le_bytes();
            [&length[..], header.as_bytes(), &number.to_le_bytes()].concat()
        };
        check_tensors(&file(1.5)).unwrap();
        check_tensors(&file(f32::NAN)).unwrap_err();
    }
}
