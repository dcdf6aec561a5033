//! Where a result has no number for a reason.
//!
//! JSON knows neither NaN nor infinity: what is written in their place is `null`, and so is what is left out on
//! purpose. Each place of the second kind is listed here, with what must be true beside it; any other is a finding.

use anyhow::{Result, bail};
use serde_json::Value;

/// A place where nothing may stand.
struct Null {
    /// The end of its path: keys, `[]` for any place in a list, `[-1]` for the last.
    at: &'static str,
    /// Why, by what stands beside it.
    reason: fn(&Value) -> bool,
}

const fn null(at: &'static str, reason: fn(&Value) -> bool) -> Null {
    Null { at, reason }
}

/// A setting or a remark that is no number, or one that nothing beside it tells of.
const ALWAYS: fn(&Value) -> bool = |_| true;

const NULLS: [Null; 31] = [
    // Settings that a model does not have.
    null(".order", ALWAYS),
    null(".heads", ALWAYS),
    null(".spec.laplacian", ALWAYS),
    null(".eigenbasis", ALWAYS),
    // Label propagation trains nothing: it has no epoch and no loss.
    null(".repeats[].train_accuracy", |of| of["best_epoch"] == 0),
    null(".repeats[].train_loss", |of| of["best_epoch"] == 0),
    null(".repeats[].val_loss", |of| of["best_epoch"] == 0),
    null(".repeats[].test_loss", |of| of["best_epoch"] == 0 || of["n_test"] == 0),
    null(".repeats[].test_accuracy", |of| of["n_test"] == 0),
    // One number does not deviate.
    null(".test_accuracy_sd", |of| is_one(&of["repeats"])),
    null(".val_accuracy_sd", |of| is_one(&of["repeats"])),
    // What the paper does not report, or reports of other data.
    null(".published.parameters_k", ALWAYS),
    null(".published.test_accuracy", ALWAYS),
    // A search in which every trial failed.
    null(".best", |of| of["trials"].as_array().is_some_and(|all| all.iter().all(has_failed))),
    // Classes of triads that are no motifs have a name of Holland and Leinhardt alone.
    null(".triads[].motif", ALWAYS),
    null(".classes[].motif", ALWAYS),
    null(".classes[].profile", |of| of["motif"].is_null()),
    // All randomised graphs have as many.
    null(".classes[].z", |of| of["sd"] == 0.0),
    null(".classes[].autocorrelation", |of| of["sd"] == 0.0),
    null(".mixing.autocorrelation", ALWAYS),
    // No node has room for a triangle, no row has this confidence, no arc could be reciprocated.
    null(".clustering[].mean", |of| of["n_nodes"] == 0),
    null(".calibration[].confidence", |of| of["count"] == 0),
    null(".calibration[].accuracy", |of| of["count"] == 0),
    null(".summary.reciprocity", |of| of["n_arcs"] == 0),
    null(".summary.weights", |of| of["is_weighted"] == false),
    // Only a sweep has a curve; all nodes together, at its end, are no cut.
    null(".curve", |of| of["method"] != "sweep"),
    null(".best_sweep", |of| of["method"] != "sweep"),
    null(".curve[-1].conductance", ALWAYS),
    // A node that has no cluster, a method that does not stop early, a truth that was not given.
    null(".nodes[].cluster", ALWAYS),
    null(".stop", ALWAYS),
    null(".agreement", ALWAYS),
];

fn is_one(repeats: &Value) -> bool {
    repeats.as_array().is_some_and(|all| all.len() == 1)
}

fn has_failed(trial: &Value) -> bool {
    trial["state"] == "failed"
}

/// Refuses a null that has no reason in JSON, or in lines of it; gives whether `text` is that.
pub(super) fn check_json(text: &str) -> Result<bool> {
    let values: Vec<Value> = match serde_json::from_str(text) {
        Ok(value) => vec![value],
        Err(_) => match text.lines().map(serde_json::from_str).collect() {
            Ok(lines) => lines,
            Err(_) => return Ok(false),
        },
    };
    values.iter().try_for_each(|value| walk(value, "", None))?;
    Ok(!values.is_empty())
}

/// `beside` is the nearest object that the value is in.
fn walk(value: &Value, path: &str, beside: Option<&Value>) -> Result<()> {
    match value {
        Value::Null => check_null(path, beside),
        Value::Object(fields) => fields
            .iter()
            .try_for_each(|(key, field)| walk(field, &format!("{path}.{key}"), Some(value))),
        Value::Array(items) => items.iter().enumerate().try_for_each(|(at, item)| {
            let place = if at + 1 == items.len() { "[-1]" } else { "[]" };
            walk(item, &format!("{path}{place}"), beside)
        }),
        _ => Ok(()),
    }
}

fn check_null(path: &str, beside: Option<&Value>) -> Result<()> {
    let anywhere = path.replace("[-1]", "[]");
    let is_at = |null: &Null| path.ends_with(null.at) || anywhere.ends_with(null.at);
    if beside.is_some_and(|of| NULLS.iter().any(|null| is_at(null) && (null.reason)(of))) {
        return Ok(());
    }
    let near: String = beside.map(Value::to_string).unwrap_or_default().chars().take(200).collect();
    bail!("has null at {anywhere}, where nothing says why: {near}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_null_needs_a_reason_beside_it() {
        let fine = [
            r#"{"classes": [{"motif": "M1", "sd": 0.0, "z": null}]}"#,
            r#"{"curve": [{"conductance": 0.5}, {"conductance": null}]}"#,
            "{\"epoch\": 1}\n{\"epoch\": 2}\n",
            r#"{"best": null, "trials": [{"state": "failed"}]}"#,
        ];
        for text in fine {
            assert!(check_json(text).unwrap(), "{text}");
        }
        let wrong = [
            r#"{"classes": [{"motif": "M1", "sd": 2.5, "z": null}]}"#,
            r#"{"curve": [{"conductance": null}, {"conductance": 0.5}]}"#,
            "{\"val_loss\": 1.5}\n{\"val_loss\": null}\n",
            r#"{"best": null, "trials": [{"state": "done"}]}"#,
            r#"{"probabilities": [0.5, null]}"#,
        ];
        for text in wrong {
            let error = check_json(text).unwrap_err().to_string();
            assert!(error.contains("has null at ."), "{error}");
        }
    }

    #[test]
    fn what_is_no_json_is_told_apart() {
        for text in ["", "null and void", "a,b\n1,2\n", "{\"a\": "] {
            assert!(!check_json(text).unwrap(), "{text}");
        }
    }
}
