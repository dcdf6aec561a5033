//! Graph Modelling Language: nested lists of keys and values.
//!
//! Only the nodes and edges of the first `graph` are kept; every other list is skipped by counting
//! brackets, so no depth of nesting can exhaust the stack.

mod attribute;
mod tokens;

use rustc_hash::FxHashMap;

pub(super) use self::attribute::read_node_attribute;
use self::tokens::{Token, Tokens};
use super::error::quote;
use super::options::{Column, ReadOptions, WeightColumn};
use super::{RawGraph, ReadError};
use crate::graph::{EdgeList, NodeNames, StringTable};
use crate::io::Input;

pub(super) fn read(input: Input<'_>, options: &ReadOptions) -> Result<RawGraph, ReadError> {
    let attribute = match &options.columns.weight {
        WeightColumn::Column(Column::Name(name)) => Some(name.as_str()),
        WeightColumn::Column(Column::Position(position)) => {
            let message =
                format!("weight column {position}: a GML file has no columns; name an attribute");
            return Err(ReadError::file(input.path(), message));
        }
        _ => None,
    };
    let mut tokens = Tokens::new(input);
    let mut graph = GmlGraph::default();
    let mut n_graphs = 0;
    while let Some((line, key)) = next_key(&mut tokens, false)? {
        match tokens.next()? {
            Some((_, Token::Open)) if key == "graph" && n_graphs == 0 => {
                n_graphs = 1;
                graph.read(&mut tokens, attribute)?;
            }
            Some((_, Token::Open)) => {
                n_graphs += u32::from(key == "graph");
                skip_list(&mut tokens)?;
            }
            other => expect_value(&tokens, line, &key, other)?,
        }
    }
    if n_graphs == 0 {
        let message = "no `graph [ … ]` in the file; is it a GML file?";
        return Err(ReadError::file(tokens.path(), message));
    }
    if n_graphs > 1 {
        graph.notes.push(format!("the file has {n_graphs} graphs: only the first was read"));
    }
    graph.finish(&tokens, options)
}

/// The next key and its line; `None` at the end of the list (or of the file, outside all lists).
fn next_key(tokens: &mut Tokens<'_>, in_list: bool) -> Result<Option<(u64, String)>, ReadError> {
    match tokens.next()? {
        Some((line, Token::Word(word))) if !word.starts_with(|c: char| c.is_ascii_digit()) => {
            Ok(Some((line, word)))
        }
        Some((_, Token::Close)) if in_list => Ok(None),
        None if !in_list => Ok(None),
        None => Err(tokens.error(tokens.line(), "a list is not closed; the file may be cut short")),
        Some((line, token)) => {
            Err(tokens.error(line, format!("expected a key, found {}", token.describe())))
        }
    }
}

/// Accepts a number or string after `key`.
fn expect_value(
    tokens: &Tokens<'_>,
    line: u64,
    key: &str,
    value: Option<(u64, Token)>,
) -> Result<(), ReadError> {
    match value {
        Some((_, Token::Word(_) | Token::Text(_) | Token::Open)) => Ok(()),
        Some((line, token)) => Err(tokens.error(
            line,
            format!("expected a value of {}, found {}", quote(key.as_bytes()), token.describe()),
        )),
        None => Err(tokens.error(line, format!("key {} has no value", quote(key.as_bytes())))),
    }
}

/// Skips the rest of a list whose bracket was just opened.
fn skip_list(tokens: &mut Tokens<'_>) -> Result<(), ReadError> {
    let mut depth = 1u64;
    while depth > 0 {
        match tokens.next()? {
            Some((_, Token::Open)) => depth += 1,
            Some((_, Token::Close)) => depth -= 1,
            Some(_) => {}
            None => {
                let message = "a list is not closed; the file may be cut short";
                return Err(tokens.error(tokens.line(), message));
            }
        }
    }
    Ok(())
}

#[derive(Default)]
struct GmlGraph {
    directed: bool,
    ids: Vec<i64>,
    /// One for every node, or fewer if a node has none.
    labels: Vec<String>,
    edges: Vec<GmlEdge>,
    notes: Vec<String>,
}

struct GmlEdge {
    line: u64,
    source: i64,
    target: i64,
    weight: Option<f32>,
    value: Option<f32>,
}

impl GmlGraph {
    fn read(&mut self, tokens: &mut Tokens<'_>, attribute: Option<&str>) -> Result<(), ReadError> {
        while let Some((line, key)) = next_key(tokens, true)? {
            match (key.as_str(), tokens.next()?) {
                ("node", Some((_, Token::Open))) => self.read_node(tokens, line)?,
                ("edge", Some((_, Token::Open))) => self.read_edge(tokens, line, attribute)?,
                (_, Some((_, Token::Open))) => skip_list(tokens)?,
                ("directed", Some((_, Token::Word(word)))) => self.directed = word == "1",
                (_, value) => expect_value(tokens, line, &key, value)?,
            }
        }
        Ok(())
    }

    fn read_node(&mut self, tokens: &mut Tokens<'_>, start: u64) -> Result<(), ReadError> {
        let (mut id, mut label) = (None, None);
        while let Some((line, key)) = next_key(tokens, true)? {
            match (key.as_str(), tokens.next()?) {
                (_, Some((_, Token::Open))) => skip_list(tokens)?,
                ("id", Some((line, value))) => id = Some(integer(tokens, line, "id", &value)?),
                ("label", Some((_, Token::Text(text) | Token::Word(text)))) => label = Some(text),
                (_, value) => expect_value(tokens, line, &key, value)?,
            }
        }
        let id = id.ok_or_else(|| tokens.error(start, "a node without an id; give it one"))?;
        self.ids.push(id);
        self.labels.extend(label);
        Ok(())
    }

    fn read_edge(
        &mut self,
        tokens: &mut Tokens<'_>,
        start: u64,
        attribute: Option<&str>,
    ) -> Result<(), ReadError> {
        let (mut source, mut target, mut weight, mut value) = (None, None, None, None);
        let weight_key = attribute.unwrap_or("weight");
        while let Some((line, key)) = next_key(tokens, true)? {
            match (key.as_str(), tokens.next()?) {
                (_, Some((_, Token::Open))) => skip_list(tokens)?,
                ("source", Some((line, end))) => {
                    source = Some(integer(tokens, line, "source", &end)?);
                }
                ("target", Some((line, end))) => {
                    target = Some(integer(tokens, line, "target", &end)?);
                }
                (name, Some((line, Token::Word(word) | Token::Text(word))))
                    if name == weight_key || (name == "value" && attribute.is_none()) =>
                {
                    let number = word.parse().ok();
                    if name == weight_key {
                        weight = Some(number.ok_or_else(|| {
                            tokens.error(
                                line,
                                format!(
                                    "expected a number as {name}, found {}; pass --weight none to \
                                     read no weights",
                                    quote(word.as_bytes())
                                ),
                            )
                        })?);
                    } else {
                        value = number;
                    }
                }
                (_, value) => expect_value(tokens, line, &key, value)?,
            }
        }
        let missing = |end| tokens.error(start, format!("an edge without a {end}; give it one"));
        let source = source.ok_or_else(|| missing("source"))?;
        let target = target.ok_or_else(|| missing("target"))?;
        self.edges.push(GmlEdge { line: start, source, target, weight, value });
        Ok(())
    }

    fn finish(mut self, tokens: &Tokens<'_>, options: &ReadOptions) -> Result<RawGraph, ReadError> {
        if !self.directed {
            self.notes.push(
                "the file says undirected: each edge was read as one arc; pass --undirected for \
                 both"
                    .into(),
            );
        }
        let names = self.take_names(tokens)?;
        let node_of: FxHashMap<i64, u32> =
            self.ids.iter().enumerate().map(|(node, &id)| (id, node as u32)).collect();
        let node = |id: i64, line: u64| {
            node_of.get(&id).copied().ok_or_else(|| {
                tokens.error(line, format!("the edge names node {id}, which is not in the file"))
            })
        };
        let mut arcs = EdgeList { n_nodes: self.ids.len(), ..EdgeList::default() };
        for edge in &self.edges {
            arcs.sources.push(node(edge.source, edge.line)?);
            arcs.targets.push(node(edge.target, edge.line)?);
        }
        arcs.weights = self
            .take_weights(options)
            .map_err(|message| ReadError::file(tokens.path(), message))?;
        let direction = "arcs point from `source` to `target` of an edge".to_owned();
        Ok(RawGraph { arcs, direction, names, notes: self.notes })
    }

    /// Labels if they tell all nodes apart, else the ids in ascending order.
    fn take_names(&mut self, tokens: &Tokens<'_>) -> Result<NodeNames, ReadError> {
        let mut sorted = self.ids.clone();
        sorted.sort_unstable();
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            let message = format!("two nodes have the id {}; ids must differ", pair[0]);
            return Err(ReadError::file(tokens.path(), message));
        }
        let mut labels: Vec<&str> = self.labels.iter().map(String::as_str).collect();
        labels.sort_unstable();
        let distinct = labels.windows(2).all(|pair| pair[0] != pair[1]);
        if !self.ids.is_empty() && labels.len() == self.ids.len() && distinct {
            return Ok(NodeNames::Strings(self.labels.iter().collect::<StringTable>()));
        }
        if !labels.is_empty() {
            let why = if distinct { "some nodes have no label" } else { "some labels repeat" };
            self.notes.push(format!("{why}: nodes are called by their ids"));
        }
        self.ids.clone_from(&sorted);
        Ok(NodeNames::from_sorted_integers(sorted))
    }

    fn take_weights(&mut self, options: &ReadOptions) -> Result<Option<Vec<f32>>, String> {
        if options.columns.weight == WeightColumn::None {
            return Ok(None);
        }
        let weighted = self.edges.iter().filter(|edge| edge.weight.is_some()).count();
        let valued = self.edges.iter().filter(|edge| edge.value.is_some()).count();
        let (found, weight_of): (usize, fn(&GmlEdge) -> Option<f32>) = if weighted > 0 {
            (weighted, |edge| edge.weight)
        } else if valued > 0 {
            self.notes.push(
                "edge attribute `value` was read as weights; pass --weight none to ignore it"
                    .into(),
            );
            (valued, |edge| edge.value)
        } else {
            return match &options.columns.weight {
                WeightColumn::Column(asked) if !self.edges.is_empty() => Err(format!(
                    "no edge has an attribute {asked}; pass --weight none to read no weights"
                )),
                _ => Ok(None),
            };
        };
        if found < self.edges.len() {
            let missing = self.edges.len() - found;
            self.notes.push(format!("{missing} edges have no weight: theirs is 1"));
        }
        Ok(Some(self.edges.iter().map(|edge| weight_of(edge).unwrap_or(1.0)).collect()))
    }
}

fn integer(tokens: &Tokens<'_>, line: u64, key: &str, value: &Token) -> Result<i64, ReadError> {
    let number = match value {
        Token::Word(word) => word.parse().ok(),
        _ => None,
    };
    number.ok_or_else(|| {
        tokens.error(line, format!("expected an integer as {key}, found {}", value.describe()))
    })
}

#[cfg(test)]
mod tests;
