"""Graphs and data that tests share."""

import numpy as np
import pytest
import scipy.sparse as sp

from motifnet import DiGraph


def random_matrix(n_nodes: int, n_arcs: int, seed: int) -> sp.csr_array:
    """A random adjacency matrix with weights, without a diagonal."""
    rng = np.random.default_rng(seed)
    ends = rng.integers(0, n_nodes, size=(n_arcs, 2))
    ends = np.unique(ends[ends[:, 0] != ends[:, 1]], axis=0)
    # Halves are the same in 32 bits.
    weights = rng.integers(1, 9, size=len(ends)) / 2
    return sp.csr_array((weights, (ends[:, 0], ends[:, 1])), shape=(n_nodes, n_nodes))


@pytest.fixture(scope="session")
def matrix():
    return random_matrix(60, 400, seed=1)


@pytest.fixture(scope="session")
def ring():
    """Three blocks of nodes, each pointing at the next; only directions tell them apart."""
    rng = np.random.default_rng(0)
    block = np.repeat(np.arange(3), 40)
    follows = (block[:, None] + 1) % 3 == block[None, :]
    arcs = rng.random((120, 120)) < np.where(follows, 0.15, 0.02)
    graph = DiGraph.from_scipy(sp.csr_array(arcs))
    return graph, np.eye(120, dtype=np.float32), block
