//! How arcs go between classes.

use serde::Serialize;

use crate::data::Labels;
use crate::graph::DiGraph;

/// How the arcs between nodes of different classes are spread over the pairs of classes; both
/// figures are corrected for what chance alone gives, so that graphs of any size can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ClassFlow {
    /// How one-sided the arcs between two classes are, from 0 to 1: with F_cd the number of arcs from
    /// class c to class d, √(Σ [(F_cd − F_dc)² − n_cd] / Σ [n_cd² − n_cd]), n_cd = F_cd + F_dc.
    pub asymmetry: f64,
    /// How many other classes a class points at, in effect: the inverse of the probability that two
    /// arcs that leave the same class for others go to the same one.
    pub partners: f64,
}

impl ClassFlow {
    /// Of the arcs between labelled nodes; NaN where there are too few of them. Time O(arcs), memory
    /// O(classes²).
    pub fn of(graph: &DiGraph, labels: &Labels) -> Self {
        let n_classes = labels.n_classes();
        let mut flow = vec![0.0; n_classes * n_classes];
        for (source, target, _) in graph.arcs() {
            if let (Some(from), Some(to)) = (labels.of(source), labels.of(target)) {
                flow[from as usize * n_classes + to as usize] += 1.0;
            }
        }
        let flow = |from: usize, to: usize| flow[from * n_classes + to];
        Self { asymmetry: asymmetry(n_classes, flow), partners: partners(n_classes, flow) }
    }
}

fn asymmetry(n_classes: usize, flow: impl Fn(usize, usize) -> f64) -> f64 {
    let (mut one_sided, mut all) = (0.0, 0.0);
    for a in 0..n_classes {
        for b in 0..a {
            let (sum, difference) = (flow(a, b) + flow(b, a), flow(a, b) - flow(b, a));
            one_sided += difference * difference - sum;
            all += sum * sum - sum;
        }
    }
    libm::sqrt(f64::max(one_sided / all, 0.0))
}

fn partners(n_classes: usize, flow: impl Fn(usize, usize) -> f64) -> f64 {
    let (mut arcs, mut together) = (0.0, 0.0);
    for from in 0..n_classes {
        let leaving = |to: usize| if to == from { 0.0 } else { flow(from, to) };
        let total: f64 = (0..n_classes).map(leaving).sum();
        if total >= 2.0 {
            let pairs: f64 = (0..n_classes).map(|to| leaving(to) * (leaving(to) - 1.0)).sum();
            arcs += total;
            together += pairs / (total - 1.0);
        }
    }
    arcs / together
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::generate::dsbm::{self, DsbmConfig};
    use crate::graph::{BuildOptions, EdgeList};

    fn flow(config: &DsbmConfig) -> ClassFlow {
        let arcs: EdgeList = dsbm::generate(config, 1).unwrap();
        let (graph, _) = DiGraph::build(arcs, &BuildOptions::default()).unwrap();
        let blocks = config.block_of_each_node().unwrap();
        let labels = Labels::from_names(blocks.iter().map(|block| Some(block.to_string())));
        ClassFlow::of(&graph, &labels)
    }

    #[test]
    fn chance_is_no_asymmetry_and_a_ring_is_all_of_it() {
        let (inside, p) = (0.2, 0.05);
        let even = DsbmConfig {
            block_sizes: vec![60; 4],
            connections: (0..4)
                .map(|a| (0..4).map(|b| if a == b { inside } else { p }).collect())
                .collect(),
            ..DsbmConfig::default()
        };
        let even = flow(&even);
        assert!(even.asymmetry < 0.08 && (even.partners - 3.0).abs() < 0.1, "{even:?}");
        let ring = DsbmConfig {
            block_sizes: vec![60; 3],
            connections: (0..3)
                .map(|a| (0..3).map(|b| if b == (a + 1) % 3 { p } else { 0.0 }).collect())
                .collect(),
            ..DsbmConfig::default()
        };
        assert_eq!(flow(&ring), ClassFlow { asymmetry: 1.0, partners: 1.0 });
    }
}
