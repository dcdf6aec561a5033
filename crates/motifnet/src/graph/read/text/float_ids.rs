//! Ids that stand in a file both as integers and as floats, as where a column of integers once had gaps.

use rustc_hash::FxHashSet;

use crate::graph::NodeNames;
use crate::io::text::grouped;

/// What a user should be told of nodes that are called `1` and `1.0`, which are two nodes here and most likely one
/// in what they stand for. Time O(names).
pub(super) fn note_on_floats(names: &NodeNames) -> Option<String> {
    let NodeNames::Strings(names) = names else { return None };
    let floats: FxHashSet<&str> = names.iter().filter_map(|name| name.strip_suffix(".0")).collect();
    if floats.is_empty() {
        return None;
    }
    let mut both = names.iter().filter(|name| floats.contains(name));
    let first = both.next()?;
    let n_both = 1 + both.count();
    let others = match n_both {
        1 => String::new(),
        _ => format!(", as are {} more pairs", grouped(n_both as u64 - 1)),
    };
    Some(format!(
        "{first} and {first}.0 are two nodes{others}; if they are one, write ids without a point, as by \
         .astype(\"Int64\") in pandas"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_ids_that_are_there_both_ways_are_told() {
        let note = |names: &[&str]| note_on_floats(&NodeNames::Strings(names.iter().collect()));
        assert_eq!(note(&["1", "2", "x"]), None);
        assert_eq!(note(&["1.0", "2.0", "2.5", ".0"]), None);
        assert_eq!(
            note(&["1.0", "2", "1"]).unwrap(),
            "1 and 1.0 are two nodes; if they are one, write ids without a point, as by \
             .astype(\"Int64\") in pandas"
        );
        let many = note(&["1.0", "2", "1", "2.0", "3.0"]).unwrap();
        assert!(many.starts_with("2 and 2.0 are two nodes, as are 1 more pairs; "), "{many}");
    }
}
