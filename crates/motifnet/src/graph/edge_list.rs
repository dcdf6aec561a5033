//! Arcs as they were found: in any order, repeated, looped, unchecked.

/// Arcs in the order in which they were read or generated; what a [`super::DiGraph`] is built from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EdgeList {
    /// Number of nodes; every endpoint should be below it (building a graph checks this).
    pub n_nodes: usize,
    /// Where each arc starts.
    pub sources: Vec<u32>,
    /// Where each arc ends; as long as `sources`.
    pub targets: Vec<u32>,
    /// The weight of each arc, as long as `sources`; `None` if the arcs have none.
    pub weights: Option<Vec<f32>>,
}

impl EdgeList {
    /// An unweighted list from pairs of endpoints.
    pub fn from_pairs(n_nodes: usize, pairs: impl IntoIterator<Item = (u32, u32)>) -> Self {
        let (sources, targets) = pairs.into_iter().unzip();
        Self { n_nodes, sources, targets, weights: None }
    }

    /// A weighted list from endpoints and weights.
    pub fn from_triples(
        n_nodes: usize,
        triples: impl IntoIterator<Item = (u32, u32, f32)>,
    ) -> Self {
        let mut list = Self { n_nodes, ..Self::default() };
        let mut weights = Vec::new();
        for (source, target, weight) in triples {
            list.sources.push(source);
            list.targets.push(target);
            weights.push(weight);
        }
        list.weights = Some(weights);
        list
    }

    /// Number of arcs, repeats and loops included.
    pub fn len(&self) -> usize {
        self.sources.len()
    }

    /// Whether there is no arc.
    pub fn is_empty(&self) -> bool {
        self.sources.is_empty()
    }

    /// Adds the reverse of every arc, after all the arcs.
    pub fn symmetrise(&mut self) {
        let n = self.len();
        self.sources.extend_from_within(..);
        self.targets.extend_from_within(..);
        let (first_sources, new_sources) = self.sources.split_at_mut(n);
        let (first_targets, new_targets) = self.targets.split_at_mut(n);
        new_sources.copy_from_slice(first_targets);
        new_targets.copy_from_slice(first_sources);
        if let Some(weights) = &mut self.weights {
            weights.extend_from_within(..);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetrising_adds_each_reverse_with_its_weight() {
        let mut list = EdgeList::from_triples(3, [(0, 1, 2.0), (1, 2, 3.0)]);
        list.symmetrise();
        let expected = [(0, 1, 2.0), (1, 2, 3.0), (1, 0, 2.0), (2, 1, 3.0)];
        assert_eq!(list, EdgeList::from_triples(3, expected));
    }
}
