//! Names under which files keep the ends and the weights of arcs.

/// What a column name tells about the column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Source,
    Target,
    Weight,
}

const SOURCES: [&str; 11] = [
    "source",
    "src",
    "from",
    "sourceid",
    "srcid",
    "fromid",
    "sourcenode",
    "srcnode",
    "fromnode",
    "sourcenodeid",
    "fromnodeid",
];
const TARGETS: [&str; 14] = [
    "target",
    "tgt",
    "dst",
    "dest",
    "destination",
    "to",
    "targetid",
    "dstid",
    "toid",
    "targetnode",
    "dstnode",
    "tonode",
    "targetnodeid",
    "tonodeid",
];
const WEIGHTS: [&str; 10] = [
    "weight",
    "weights",
    "w",
    "value",
    "values",
    "count",
    "counts",
    "strength",
    "edgeweight",
    "arcweight",
];

/// The role that a column's name suggests; case and punctuation do not matter.
pub(super) fn role(name: &str) -> Option<Role> {
    let plain: String =
        name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let in_list = |list: &[&str]| list.contains(&plain.as_str());
    if in_list(&SOURCES) {
        Some(Role::Source)
    } else if in_list(&TARGETS) {
        Some(Role::Target)
    } else if in_list(&WEIGHTS) {
        Some(Role::Weight)
    } else {
        None
    }
}

/// The first column with a role.
pub(super) fn find(names: &[String], wanted: Role) -> Option<usize> {
    names.iter().position(|name| role(name) == Some(wanted))
}

/// The columns whose names say that they hold the ends of arcs, if there are both.
pub(super) fn find_ends(names: &[String]) -> Option<(usize, usize)> {
    Some((find(names, Role::Source)?, find(names, Role::Target)?))
}

/// Which way arcs point, in words, by the place (from 0) and the name of the columns of their ends.
pub(super) fn direction(source: (usize, Option<&str>), target: (usize, Option<&str>)) -> String {
    let column = |(place, name): (usize, Option<&str>)| match name {
        Some(name) if !name.is_empty() => format!("column `{name}`"),
        _ => format!("column {}", place + 1),
    };
    format!("arcs point from {} to {}", column(source), column(target))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_name_columns_or_their_places() {
        assert_eq!(
            direction((2, Some("payer")), (0, Some(""))),
            "arcs point from column `payer` to column 1"
        );
    }

    #[test]
    fn case_and_punctuation_do_not_matter() {
        for (name, expected) in [
            ("FromNodeId", Some(Role::Source)),
            ("to_node_id", Some(Role::Target)),
            ("Weight", Some(Role::Weight)),
            ("time", None),
        ] {
            assert_eq!(role(name), expected, "{name}");
        }
    }
}
