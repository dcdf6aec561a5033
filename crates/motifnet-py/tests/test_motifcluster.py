"""The table of docs/python.md, held: motifcluster and motifnet give the same matrices."""

import motifcluster.motifadjacency as theirs
import numpy as np
import pytest
import scipy.sparse as sp

from motifnet import MOTIFS, DiGraph, motif_adjacency

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
