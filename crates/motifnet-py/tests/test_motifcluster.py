"""The table of docs/python.md, held: motifcluster and motifnet give the same matrices."""

import motifcluster.motifadjacency as theirs
import numpy as np
import pytest
import scipy.sparse as sp

from motifcluster.clustering import run_motif_clustering
from motifcluster.spectral import build_laplacian, run_motif_embedding
from motifcluster.utils import get_motif_names
from sklearn.metrics import adjusted_rand_score

from motifnet import MOTIFS, DiGraph, motif_adjacency, motif_cluster, motif_laplacian

from .conftest import random_matrix

WORDS = {
    "struc": {"instances": "induced"},
    "func": {"instances": "subgraph"},
    "unweighted": {"weights": "count"},
    "mean": {"weights": "mean"},
    "product": {"weights": "product"},
}


@pytest.mark.parametrize("kind", ["struc", "func"])
@pytest.mark.parametrize("weights", ["unweighted", "mean", "product"])
def test_every_motif_adjacency_is_the_same(kind, weights):
    matrix = random_matrix(40, 300, seed=3)
    graph = DiGraph.from_scipy(matrix)
    names = [name for name in MOTIFS if name not in ("U", "out", "in")]
    ours = motif_adjacency(graph, names, **WORDS[kind], **WORDS[weights])
    for name in names:
        expected = theirs.build_motif_adjacency_matrix(
            sp.csr_matrix(matrix), name, motif_type=kind, mam_weight_type=weights
        )
        # Arc weights are kept in 32 bits, and these fit; sums are of 64 on both sides.
        np.testing.assert_allclose(ours[name].toarray(), expected.toarray(), rtol=1e-6, err_msg=name)


def test_names_and_laplacians_are_the_same():
    matrix = random_matrix(40, 300, seed=4)
    assert set(get_motif_names()) <= set(MOTIFS)
    motif = theirs.build_motif_adjacency_matrix(sp.csr_matrix(matrix), "M9")
    assert np.all(motif.sum(axis=1) > 0)
    ours = motif_laplacian(matrix, "M9", normalization="random-walk")
    np.testing.assert_allclose(ours.toarray(), build_laplacian(motif, "rw").toarray(), atol=1e-12)


def test_embeddings_span_the_same():
    matrix = random_matrix(40, 300, seed=4)
    expected = run_motif_embedding(sp.csr_matrix(matrix), "M9", num_eigs=3, type_lap="rw", restrict=True)
    ours = motif_cluster(matrix, "M9", 3, method="embedding", laplacian="random-walk")
    np.testing.assert_allclose(ours.eigenvalues, np.sort(np.real(expected["vals"])), atol=1e-6)


def test_clusters_are_the_same():
    rng = np.random.default_rng(0)
    group = np.repeat([0, 1], 30)
    chance = np.where(group[:, None] == group[None, :], 0.4, 0.02)
    matrix = sp.csr_array((rng.random((60, 60)) < chance).astype(float))
    matrix.setdiag(0)
    matrix.eliminate_zeros()
    found = run_motif_clustering(sp.csr_matrix(matrix), "M9", num_clusts=2, num_eigs=2, type_lap="rw")
    ours = motif_cluster(matrix, "M9", 2, method="embedding", laplacian="random-walk")
    assert adjusted_rand_score(np.asarray(found["clusts"]).ravel(), ours.labels) == 1.0
