//! Data sets that the command makes itself.

use anyhow::{Context, Result};

use super::workplace::Workplace;

/// Graphs of different kinds, small enough for every command: a name, and the words that make the arcs.
pub(super) const GRAPHS: [(&str, &str); 5] = [
    (
        "blocks",
        "generate dsbm --blocks 40,30,35 --connect 0.10,0.02,0.01;0.01,0.10,0.06;0.08,0.01,0.06 --seed 5",
    ),
    ("random", "generate er --nodes 400 --probability 0.01 --seed 6"),
    ("dense", "generate er --nodes 120 --probability 0.3 --seed 7"),
    ("hubs", "generate rmat --nodes 2048 --arcs 12000 --seed 8"),
    ("sparse", "generate er --nodes 600 --probability 0.002 --seed 9"),
];

/// Makes the data set `name` of the arcs that `words` generate; its nodes have classes by their numbers.
pub(super) fn write(place: &Workplace, name: &str, words: &str, features: &str) -> Result<()> {
    place.empty(name)?;
    place.ok(&format!("{words} -o {name}/arcs.tsv"))?;
    let arcs = std::fs::read_to_string(place.path(&format!("{name}/arcs.tsv")))?;
    let nodes = arcs.lines().find_map(|line| line.strip_prefix("# nodes: "));
    let n_nodes: usize =
        nodes.context("the generated file tells how many nodes it has")?.parse()?;
    write_classes(place, name, n_nodes, features)
}

/// Describes the data set `name`, whose arcs are there, and gives its nodes classes by their numbers.
pub(super) fn write_classes(
    place: &Workplace,
    name: &str,
    n_nodes: usize,
    features: &str,
) -> Result<()> {
    let labels: String = (0..n_nodes).map(|node| format!("{node},c{}\n", node % 3)).collect();
    place.put(&format!("{name}/labels.csv"), format!("node,class\n{labels}"))?;
    place.put(
        &format!("{name}/dataset.toml"),
        format!(
            "name = \"{name}\"\narcs = \"arcs.tsv\"\nlabels = \"labels.csv#class\"\n\
             features = \"{features}\"\nsplit = \"40/30/30\"\n"
        ),
    )
}
