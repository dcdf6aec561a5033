//! One attribute of every node of a GML file.

use std::collections::BTreeSet;

use super::tokens::{Token, Tokens};
use super::{expect_value, next_key, skip_list};
use crate::graph::read::{NodeTable, ReadError, RowKind};
use crate::graph::{NodeNames, StringTable};
use crate::io::Input;

/// Reads the `attribute` of the nodes that have it. Nodes are told by their labels if `names` are
/// text, else by their ids, as the reader of the arcs names them.
pub(in super::super) fn read_node_attribute(
    input: Input<'_>,
    attribute: &str,
    names: &NodeNames,
) -> Result<NodeTable, ReadError> {
    let key = if matches!(names, NodeNames::Strings(_)) { "label" } else { "id" };
    let mut tokens = Tokens::new(input);
    let mut found = Found {
        keys: StringTable::default(),
        lines: Vec::new(),
        values: StringTable::default(),
        attributes: BTreeSet::new(),
    };
    let mut is_first = true;
    while let Some((line, name)) = next_key(&mut tokens, false)? {
        match tokens.next()? {
            Some((_, Token::Open)) if name == "graph" && is_first => {
                is_first = false;
                found.read_graph(&mut tokens, key, attribute)?;
            }
            Some((_, Token::Open)) => skip_list(&mut tokens)?,
            other => expect_value(&tokens, line, &name, other)?,
        }
    }
    if found.lines.is_empty() {
        let attributes: Vec<String> = found.attributes.into_iter().collect();
        let message = format!(
            "no node has an attribute `{attribute}`; the attributes are {}",
            attributes.join(", ")
        );
        return Err(ReadError::file(tokens.path(), message));
    }
    Ok(NodeTable {
        path: tokens.path().to_owned(),
        columns: vec![attribute.to_owned()],
        has_names: true,
        row_kind: RowKind::Line,
        keys: Some(found.keys),
        lines: found.lines,
        values: found.values,
        notes: Vec::new(),
    })
}

struct Found {
    keys: StringTable,
    lines: Vec<u64>,
    values: StringTable,
    /// Every attribute that a node has.
    attributes: BTreeSet<String>,
}

impl Found {
    fn read_graph(
        &mut self,
        tokens: &mut Tokens<'_>,
        key: &str,
        attribute: &str,
    ) -> Result<(), ReadError> {
        while let Some((line, name)) = next_key(tokens, true)? {
            match (name.as_str(), tokens.next()?) {
                ("node", Some((_, Token::Open))) => self.read_node(tokens, line, key, attribute)?,
                (_, Some((_, Token::Open))) => skip_list(tokens)?,
                (_, value) => expect_value(tokens, line, &name, value)?,
            }
        }
        Ok(())
    }

    fn read_node(
        &mut self,
        tokens: &mut Tokens<'_>,
        start: u64,
        key: &str,
        attribute: &str,
    ) -> Result<(), ReadError> {
        let (mut node, mut value) = (None, None);
        while let Some((line, name)) = next_key(tokens, true)? {
            match tokens.next()? {
                Some((_, Token::Open)) => skip_list(tokens)?,
                Some((_, Token::Word(text) | Token::Text(text))) => {
                    if name == key {
                        node = Some(text.clone());
                    }
                    if name == attribute {
                        value = Some(text);
                    }
                    if !self.attributes.contains(&name) {
                        self.attributes.insert(name);
                    }
                }
                other => expect_value(tokens, line, &name, other)?,
            }
        }
        if let (Some(node), Some(value)) = (node, value) {
            self.keys.push(&node);
            self.values.push(&value);
            self.lines.push(start);
        }
        Ok(())
    }
}
