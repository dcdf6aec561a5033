//! How alike two partitions of the same nodes are.

use std::collections::BTreeMap;

use serde::Serialize;

/// How a partition agrees with another that is taken for the truth.
///
/// With n_ct the nodes in cluster c and class t, n_c and n_t their sums over the other, n all nodes, and
/// pairs(m) = m (m − 1) / 2:
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Agreement {
    /// Nodes that are in both partitions.
    pub n_nodes: usize,
    /// The adjusted Rand index (Hubert and Arabie 1985): (P − E) / (½ (C + T) − E) with P = Σ pairs(n_ct),
    /// C = Σ pairs(n_c), T = Σ pairs(n_t), E = C T / pairs(n). 1 for the same partition, 0 on average by chance.
    pub ari: f64,
    /// Normalised mutual information: I(c, t) / (½ (H(c) + H(t))), natural logarithms. From 0 to 1.
    pub nmi: f64,
    /// The F1 score of pairs of nodes put together, as Benson et al. (2016) have it: 2 P / (C + T), the harmonic
    /// mean of the share of pairs in a cluster that are of one class and of pairs of a class that are in one
    /// cluster.
    pub f1: f64,
    /// The share of nodes that are of the most frequent class of their cluster: Σ_c max_t n_ct / n. Grows with
    /// the number of clusters.
    pub purity: f64,
}

impl Agreement {
    /// The agreement of `clusters` with `truth` over the nodes that have both; none where there is no such node.
    /// Time O(n log n).
    ///
    /// ```
    /// use motifnet::experiment::Agreement;
    ///
    /// let clusters = [Some(0), Some(0), Some(1), Some(1), None];
    /// let truth = [Some(1), Some(1), Some(0), Some(0), Some(0)];
    /// let found = Agreement::of(&clusters, &truth).unwrap();
    /// assert_eq!((found.n_nodes, found.ari, found.nmi), (4, 1.0, 1.0));
    /// ```
    pub fn of(clusters: &[Option<u32>], truth: &[Option<u32>]) -> Option<Self> {
        let mut cells: BTreeMap<(u32, u32), f64> = BTreeMap::new();
        let (mut in_cluster, mut in_class) = (BTreeMap::new(), BTreeMap::new());
        let mut n_nodes = 0;
        for (cluster, class) in clusters.iter().zip(truth) {
            if let (Some(cluster), Some(class)) = (*cluster, *class) {
                *cells.entry((cluster, class)).or_default() += 1.0;
                *in_cluster.entry(cluster).or_insert(0.0) += 1.0;
                *in_class.entry(class).or_insert(0.0) += 1.0;
                n_nodes += 1;
            }
        }
        if n_nodes == 0 {
            return None;
        }
        let n = n_nodes as f64;
        let pairs = |count: &f64| count * (count - 1.0) / 2.0;
        let together: f64 = cells.values().map(pairs).sum();
        let [of_clusters, of_classes]: [f64; 2] =
            [&in_cluster, &in_class].map(|counts| counts.values().map(pairs).sum());
        let mut best: BTreeMap<u32, f64> = BTreeMap::new();
        for (&(cluster, _), &count) in &cells {
            let most = best.entry(cluster).or_default();
            *most = most.max(count);
        }
        Some(Self {
            n_nodes,
            ari: adjusted_rand(together, [of_clusters, of_classes], pairs(&n)),
            nmi: mutual_information(&cells, [&in_cluster, &in_class], n),
            // Where no two nodes are together on either side, the partitions are the same.
            f1: if of_clusters + of_classes > 0.0 {
                2.0 * together / (of_clusters + of_classes)
            } else {
                1.0
            },
            purity: best.values().sum::<f64>() / n,
        })
    }
}

fn adjusted_rand(together: f64, [of_clusters, of_classes]: [f64; 2], all: f64) -> f64 {
    let expected = if all > 0.0 { of_clusters * of_classes / all } else { 0.0 };
    let most = 0.5 * (of_clusters + of_classes);
    // Both are one cluster, or both are all alone.
    if most == expected { 1.0 } else { (together - expected) / (most - expected) }
}

fn mutual_information(
    cells: &BTreeMap<(u32, u32), f64>,
    [in_cluster, in_class]: [&BTreeMap<u32, f64>; 2],
    n: f64,
) -> f64 {
    let entropy = |counts: &BTreeMap<u32, f64>| -> f64 {
        counts.values().map(|count| -count / n * libm::log(count / n)).sum()
    };
    let mean = 0.5 * (entropy(in_cluster) + entropy(in_class));
    let term = |(&(cluster, class), &count): (&(u32, u32), &f64)| {
        count / n * libm::log(n * count / (in_cluster[&cluster] * in_class[&class]))
    };
    let shared: f64 = cells.iter().map(term).sum();
    if mean > 0.0 { (shared / mean).clamp(0.0, 1.0) } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(clusters: &[u32], truth: &[u32]) -> Agreement {
        let some = |labels: &[u32]| labels.iter().copied().map(Some).collect::<Vec<_>>();
        Agreement::of(&some(clusters), &some(truth)).unwrap()
    }

    /// ARI and NMI by scikit-learn 1.9.1, `adjusted_rand_score` and `normalized_mutual_info_score`; F1 by
    /// `pair_confusion_matrix`, purity by `contingency_matrix`.
    #[test]
    fn figures_are_those_of_scikit_learn() {
        for (clusters, truth, expected) in GOLDEN {
            let found = of(clusters, truth);
            let figures = [found.ari, found.nmi, found.f1, found.purity];
            for (found, expected) in figures.into_iter().zip(expected) {
                assert!((found - expected).abs() < 1e-12, "{figures:?}");
            }
        }
    }

    #[test]
    fn names_of_clusters_do_not_matter_and_missing_ones_are_left_out() {
        let found = of(&[7, 7, 2, 2, 5], &[0, 0, 1, 1, 9]);
        assert_eq!([found.ari, found.nmi, found.f1, found.purity], [1.0; 4]);
        assert_eq!(Agreement::of(&[None, Some(1)], &[Some(1), None]), None);
        let alone = of(&[3], &[4]);
        assert_eq!([alone.ari, alone.nmi, alone.f1, alone.purity], [1.0; 4]);
    }

    type Golden = (&'static [u32], &'static [u32], [f64; 4]);

    #[rustfmt::skip]
    const GOLDEN: [Golden; 4] = [
        (&[0, 0, 1, 1, 2, 2], &[0, 0, 1, 2, 2, 2], [0.4444444444444444, 0.7396673768007592, 0.5714285714285714, 0.8333333333333334]),
        (&[0, 0, 0, 0], &[0, 1, 2, 3], [0.0, 0.0, 0.0, 0.25]),
        (&[1, 2, 3, 3, 0, 0, 3, 3, 0, 1, 3, 1, 1, 3, 1, 1, 2, 2, 0, 0, 3, 3, 3, 2, 3, 1, 1, 3, 0, 1], &[0, 1, 2, 0, 1, 1, 2, 0, 1, 0, 0, 2, 0, 0, 1, 1, 0, 2, 2, 2, 0, 2, 0, 1, 2, 0, 2, 0, 0, 2], [0.05415655339805825, 0.14124942458143733, 0.328125, 0.5333333333333333]),
        (&[0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2], &[0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 1, 1, 0, 0], [0.5722460658082976, 0.6409737667557798, 0.7111111111111111, 0.8333333333333334]),
    ];
}
