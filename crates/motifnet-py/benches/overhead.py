"""Solves the problem that a line of stdin names, again and again; `cargo xtask bench python` asks.

One JSON object a line: the seconds of one call, from arrays in memory, and a number to compare with Rust's.
"""

import json
import sys
import time
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from motifnet import DiGraph, MotifNetClassifier, motif_adjacency

folder, epochs = Path(sys.argv[1]), int(sys.argv[2])
arcs = sp.load_npz(folder / "python-matrix.npz")
fit_arcs = sp.load_npz(folder / "python-fit.npz")
labels = np.fromfile(folder / "python-fit-labels.bin", dtype=np.int64)
features = np.fromfile(folder / "python-fit-features.bin", dtype=np.float32).reshape(len(labels), -1)


def matrix():
    return motif_adjacency(arcs, "M5").data.sum


def fit():
    model = MotifNetClassifier(epochs=epochs, patience=epochs)
    model.fit(features, labels, graph=DiGraph.from_scipy(fit_arcs))
    return lambda: model.history_["val_loss"][model.best_epoch_ - 1]


def motifcluster():
    from motifcluster.motifadjacency import build_motif_adjacency_matrix

    return build_motif_adjacency_matrix(sp.csr_matrix(arcs), "M5", "struc", "unweighted").sum


problems = {"matrix": matrix, "fit": fit, "motifcluster": motifcluster}
for line in sys.stdin:
    start = time.perf_counter()
    check = problems[line.strip()]()
    seconds = time.perf_counter() - start
    print(json.dumps({"seconds": seconds, "check": float(check())}), flush=True)
