//! Which nodes there are: those of the arcs, and those without arcs that other files know of.

use std::path::Path;

use super::join::{FoundNames, NodeIndex};
use crate::data::DataError;
use crate::graph::read::{NodeTable, RawGraph};
use crate::graph::{EdgeList, GraphFormat, NodeNames};

/// Arcs and their nodes, to which nodes without arcs may be added.
pub(super) struct FoundNodes {
    pub(super) arcs: EdgeList,
    pub(super) direction: String,
    pub(super) names: NodeNames,
    pub(super) notes: Vec<String>,
    /// Whether the file of the arcs cannot tell nodes without any.
    may_lack_nodes: bool,
    /// Whether a table has said in which order the nodes are.
    is_ordered: bool,
}

impl FoundNodes {
    pub(super) fn new(raw: RawGraph, format: GraphFormat) -> Self {
        let RawGraph { arcs, direction, names, notes } = raw;
        let may_lack_nodes = matches!(format, GraphFormat::Text | GraphFormat::Parquet);
        Self { arcs, direction, names, notes, may_lack_nodes, is_ordered: false }
    }

    pub(super) fn found_names(&self) -> FoundNames<'_> {
        FoundNames { names: &self.names, may_lack_nodes: self.may_lack_nodes }
    }

    /// Adds the nodes that a table is about and the arcs do not mention.
    pub(super) fn add_listed(&mut self, table: &NodeTable) -> Result<(), DataError> {
        let Some(keys) = &table.keys else {
            self.add_up_to(table.n_rows(), &table.path);
            return Ok(());
        };
        if !self.may_lack_nodes {
            return Ok(());
        }
        let index = NodeIndex::new(&self.names);
        let new: Vec<usize> =
            (0..keys.len()).filter(|&row| index.find(keys.get(row)).is_none()).collect();
        drop(index);
        if new.is_empty() {
            return Ok(());
        }
        if let NodeNames::Strings(known) = &mut self.names {
            let mut met = rustc_hash::FxHashSet::default();
            for &row in &new {
                // A node that is listed twice is reported when the names are given.
                if met.insert(keys.get(row)) {
                    known.push(keys.get(row));
                }
            }
            let n_before = self.arcs.n_nodes;
            self.arcs.n_nodes = known.len();
            self.tell(self.arcs.n_nodes - n_before, &table.path);
            return Ok(());
        }
        let integer = |&row: &usize| {
            keys.get(row).parse::<i64>().map_err(|_| {
                let message = format!(
                    "{:?} is not in the graph, whose nodes are called by integers; use the ids of \
                     the arcs",
                    keys.get(row)
                );
                table.problem(row, message)
            })
        };
        let new = new.iter().map(integer).collect::<Result<Vec<i64>, _>>()?;
        self.add_integers(new, &table.path);
        Ok(())
    }

    /// Puts nodes that are called by text into the order of a table that lists them all: in that order the rows of
    /// arrays are taken, and the order in which arcs mention nodes is nobody's choice.
    pub(super) fn order_as(&mut self, table: &NodeTable) {
        let (NodeNames::Strings(known), Some(keys), true) =
            (&self.names, &table.keys, self.may_lack_nodes)
        else {
            return;
        };
        let index = NodeIndex::new(&self.names);
        let mut places = vec![None; known.len()];
        let listed = keys.iter().filter_map(|key| index.find(key));
        for (place, node) in listed.enumerate() {
            // A node that is listed twice is reported when the names are given.
            if places[node as usize].replace(place as u32).is_some() {
                return;
            }
        }
        let Some(places) = places.into_iter().collect::<Option<Vec<u32>>>() else { return };
        drop(index);
        for end in self.arcs.sources.iter_mut().chain(&mut self.arcs.targets) {
            *end = places[*end as usize];
        }
        self.names = NodeNames::Strings(keys.iter().collect());
        self.is_ordered = true;
    }

    /// Says in which order the rows of the file at `path` are taken, if that is not plain.
    pub(super) fn tell_order(&mut self, path: &Path) {
        if matches!(self.names, NodeNames::Strings(_)) && self.may_lack_nodes && !self.is_ordered {
            let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
            let found = self.found_names();
            let first = found.examples((0..found.names.len()).map(|node| node as u32));
            self.notes.push(format!(
                "the rows of {file} are taken in the order in which the arcs first mention the nodes: {first}, …; a \
                 table of all nodes as names says another"
            ));
        }
    }

    /// Makes the nodes 0, 1, … up to `n_rows` exist if the nodes of the arcs are among them: a file
    /// with a row for each tells of nodes without arcs.
    pub(super) fn add_up_to(&mut self, n_rows: usize, path: &Path) {
        let fits = |id: &i64| (0..n_rows as i64).contains(id);
        let among_them = match &self.names {
            NodeNames::Indices(n) => *n < n_rows,
            NodeNames::Integers(ids) => {
                ids.len() < n_rows && ids.first().is_none_or(fits) && ids.last().is_none_or(fits)
            }
            NodeNames::Strings(_) => false,
        };
        // Other files say how many nodes there are; what differs from them is a mistake.
        if self.may_lack_nodes && among_them {
            self.add_integers((0..n_rows as i64).collect(), path);
        }
    }

    fn add_integers(&mut self, mut ids: Vec<i64>, path: &Path) {
        let old: Vec<i64> = match &self.names {
            NodeNames::Indices(n) => (0..*n as i64).collect(),
            NodeNames::Integers(ids) => ids.clone(),
            NodeNames::Strings(_) => return,
        };
        ids.extend(&old);
        ids.sort_unstable();
        ids.dedup();
        let place = |id: &i64| ids.partition_point(|other| other < id) as u32;
        let places: Vec<u32> = old.iter().map(place).collect();
        for end in self.arcs.sources.iter_mut().chain(&mut self.arcs.targets) {
            *end = places[*end as usize];
        }
        self.arcs.n_nodes = ids.len();
        self.names = NodeNames::from_sorted_integers(ids);
        self.tell(self.arcs.n_nodes - old.len(), path);
    }

    /// Takes over what a table has to tell; one file may be read for several things.
    pub(super) fn tell_notes(&mut self, table: &NodeTable) {
        let file = table.path.file_name().unwrap_or(table.path.as_os_str()).to_string_lossy();
        for note in table.notes.iter().map(|note| format!("{file}: {note}")) {
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
    }

    fn tell(&mut self, n_added: usize, path: &Path) {
        let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        self.notes.push(format!("{n_added} nodes of {file} have no arcs"));
    }
}
