"""The folder that MotifNet and `torch_train.py` exchange: one problem, and initial weights for each case.

A case is a model and its order, or how many kernels it has: `chebnet-1`, `motifnet-m-2`, `monet-4`.
"""

import json
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from scipy import sparse

MODELS = ["chebnet", "motifnet-m", "monet"]


@dataclass
class Problem:
    """Operators are the rescaled Laplacians Δ̃ = −D^-½ W D^-½ in CSR, in the order of the attention's scores;
    `coordinate-0` and `coordinate-1`, if there, have MoNet's pseudo-coordinates as entries."""

    n_classes: int
    width: int
    dropout: float
    lr: float
    weight_decay: float
    epsilon: float
    threads: int
    operators: dict[str, sparse.csr_matrix]
    features: np.ndarray
    labels: np.ndarray
    train: np.ndarray
    validation: np.ndarray
    weights: dict[str, dict[str, np.ndarray]] = field(default_factory=dict)

    def weights_of(self, case):
        """Those of the folder, else Glorot ones: a time does not depend on them."""
        return self.weights[case] if case in self.weights else glorot_weights(self, case)


def read_problem(folder):
    folder = Path(folder)
    told = json.loads((folder / "problem.json").read_text())
    with np.load(folder / "operators.npz", allow_pickle=False) as arrays:
        operators = {name: _operator(arrays, name, told["n_nodes"]) for name in told["operators"]}
    weights = {}
    for file in sorted(folder.glob("weights-*.npz")):
        with np.load(file, allow_pickle=False) as arrays:
            weights[file.stem.removeprefix("weights-")] = dict(arrays)
    rows = ["features", "labels", "train", "validation"]
    scalars = ["n_classes", "width", "dropout", "lr", "weight_decay", "epsilon", "threads"]
    return Problem(
        operators=operators,
        weights=weights,
        **{name: np.load(folder / f"{name}.npy", allow_pickle=False) for name in rows},
        **{name: told[name] for name in scalars},
    )


def _operator(arrays, name, n_nodes):
    offsets, columns = (arrays[f"{name}.{part}"].astype(np.int64) for part in ["offsets", "columns"])
    return sparse.csr_matrix((arrays[f"{name}.values"], columns, offsets), shape=(n_nodes, n_nodes))


def split_case(case):
    """`motifnet-m-2` as (`motifnet-m`, 2)."""
    model, _, order = case.rpartition("-")
    if model not in MODELS or not order.isdecimal() or int(order) == 0:
        raise ValueError(f"no such case: {case!r} (a case is one of {MODELS} and an order, as in chebnet-2)")
    return model, int(order)


def glorot_weights(problem, case, seed=0):
    """Uniform in ±√(6 / (F_in + F_out)); biases and scores are zero."""
    model, order = split_case(case)
    draw = np.random.default_rng(seed)

    def glorot(*shape):
        bound = np.sqrt(6 / (shape[-2] + shape[-1]))
        return draw.uniform(-bound, bound, shape).astype(np.float32)

    n_features, width, n_classes = problem.features.shape[1], problem.width, problem.n_classes
    weights = {}
    for layer, n_in in [("conv1", n_features), ("conv2", width)]:
        weights[f"{layer}.theta"] = glorot(order + 1, n_in, width)
        weights[f"{layer}.bias"] = np.zeros(width, np.float32)
        if model == "motifnet-m":
            shape = (order, len(problem.operators), n_in)
            weights[f"{layer}.scores"] = np.zeros(shape, np.float32)
    for layer, n_out in [("dense1", width), ("dense2", n_classes)]:
        weights[f"{layer}.weight"] = glorot(width, n_out)
        weights[f"{layer}.bias"] = np.zeros(n_out, np.float32)
    return weights
