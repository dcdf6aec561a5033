//! Every model of the library, as the table of models trains it.

/// A model and its options on the command line.
pub(super) struct Model {
    pub(super) name: &'static str,
    pub(super) options: &'static str,
}

/// Every baseline on U, W and Wᵀ where it can be, so that a win is never due to its view of the graph.
pub(super) const MODELS: [Model; 27] = [
    Model { name: "MLP", options: "--model mlp" },
    Model { name: "label propagation U", options: "--model labelprop" },
    Model { name: "label propagation W", options: "--model labelprop --operator out" },
    Model { name: "label propagation Wᵀ", options: "--model labelprop --operator in" },
    Model { name: "GCN U", options: "--model gcn" },
    Model { name: "GCN W", options: "--model gcn --operator out" },
    Model { name: "GCN Wᵀ", options: "--model gcn --operator in" },
    Model { name: "ChebNet U, order 1", options: "--model chebnet --operator U --order 1" },
    Model { name: "ChebNet W, order 1", options: "--model chebnet --operator out --order 1" },
    Model { name: "ChebNet Wᵀ, order 1", options: "--model chebnet --operator in --order 1" },
    Model { name: "ChebNet U, order 2", options: "--model chebnet --operator U --order 2" },
    Model { name: "ChebNet W, order 2", options: "--model chebnet --operator out --order 2" },
    Model { name: "ChebNet Wᵀ, order 2", options: "--model chebnet --operator in --order 2" },
    Model { name: "MoNet U", options: "--model monet --operator U" },
    Model { name: "MoNet W", options: "--model monet --operator out" },
    Model { name: "MoNet Wᵀ", options: "--model monet --operator in" },
    Model { name: "CayleyNet U, order 1", options: "--model cayley --order 1" },
    Model { name: "CayleyNet U, order 2", options: "--model cayley --order 2" },
    Model { name: "spectral CNN U", options: "--model spectral" },
    Model { name: "spline CNN U", options: "--model spline" },
    Model { name: "MotifNet-d, order 1", options: "--model motifnet-d --order 1" },
    Model { name: "MotifNet-d, order 2", options: "--model motifnet-d --order 2" },
    Model { name: "MotifNet-m, order 1", options: "--model motifnet-m --order 1" },
    Model { name: "MotifNet-m, order 2", options: "--model motifnet-m --order 2" },
    Model {
        name: "MotifNet-m, order 1, 4 heads",
        options: "--model motifnet-m --order 1 --heads 4",
    },
    Model {
        name: "MotifNet-m, order 2, 4 heads",
        options: "--model motifnet-m --order 2 --heads 4",
    },
    Model {
        name: "polynomial U, in, out, order 1",
        options: "--model polynomial --motifs U,in,out --order 1",
    },
];

/// Citations are few and lie apart: there motifs join what is not adjacent. Elsewhere, where the
/// graph is dense, they weigh its edges.
pub(super) fn support(dataset: &str) -> &'static str {
    if matches!(dataset, "cora-ml" | "citeseer") { "pairs" } else { "edges" }
}
