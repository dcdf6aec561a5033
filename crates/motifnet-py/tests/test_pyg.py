"""torch_geometric, where it is: `pytest -m pyg`."""

import numpy as np
import pytest

from motifnet import DiGraph, motif_adjacency, motif_edge_index

pytestmark = pytest.mark.pyg


def test_graphs_go_there_and_back(matrix):
    torch = pytest.importorskip("torch")
    data = pytest.importorskip("torch_geometric.data")
    graph = DiGraph.from_scipy(matrix)
    edge_index, edge_weight = graph.to_pyg()
    assert edge_index.dtype == torch.int64 and edge_index.shape == (2, graph.n_arcs)
    assert DiGraph.from_pyg(edge_index, edge_weight, n_nodes=60) == graph
    assert DiGraph.from_pyg(data.Data(edge_index=edge_index, edge_weight=edge_weight, num_nodes=60)) == graph


def test_motif_matrices_propagate(matrix):
    torch = pytest.importorskip("torch")
    nn = pytest.importorskip("torch_geometric.nn")
    found = motif_adjacency(matrix, "M8")
    edge_index, edge_weight = motif_edge_index(matrix, "M8")
    x = torch.eye(60)
    conv = nn.SimpleConv(aggr="sum")
    propagated = conv(x, edge_index, edge_weight).numpy()
    np.testing.assert_allclose(propagated, found.T.toarray(), rtol=1e-6)
