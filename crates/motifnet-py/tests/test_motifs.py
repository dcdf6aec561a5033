"""Counts, matrices and operators."""

import inspect
import itertools

import igraph
import numpy as np
import pytest
from scipy.sparse.linalg import eigsh
from sklearn.exceptions import ConvergenceWarning

import motifnet
from motifnet import (
    DiGraph,
    _motifnet,
    motif_adjacency,
    motif_counts,
    motif_laplacian,
    motif_operator,
    triad_census,
)

TRIADS = [f"M{number}" for number in range(1, 14)]


def test_the_census_is_that_of_igraph(matrix):
    graph = DiGraph.from_scipy(matrix)
    theirs = graph.to_igraph().triad_census()
    for name, count in triad_census(graph).items():
        assert count == getattr(theirs, f"t{name}")


def test_counts_are_sums_of_matrices(matrix):
    graph = DiGraph.from_scipy(matrix)
    nodes, roles = motif_counts(graph), motif_counts(graph, "roles")
    for instances in ("induced", "subgraph"):
        nodes = motif_counts(graph, instances=instances)
        edges = motif_counts(graph, "edges", instances=instances)
        found = motif_adjacency(graph, TRIADS, instances=instances)
        for name in TRIADS:
            assert np.array_equal(found[name].sum(axis=1), 2 * nodes[name])
            entries = found[name][edges["source"], edges["target"]]
            assert np.array_equal(np.asarray(entries).ravel(), edges[name])
    assert list(nodes) == TRIADS and len(roles) == 30
    induced = motif_counts(graph)
    for name in TRIADS:
        own = [count for role, count in roles.items() if role.split(".")[0] == name]
        assert np.array_equal(sum(own), induced[name])


def test_wrong_words_are_answered_with_the_right_ones(matrix):
    graph = DiGraph.from_scipy(matrix)
    with pytest.raises(ValueError, match='there is no motif "M14"; the motifs are M1 to M13'):
        motif_adjacency(graph, "M14")
    with pytest.raises(ValueError, match="`support`; the choices are pairs, edges"):
        motif_adjacency(graph, "M1", support="arcs")
    with pytest.raises(ValueError, match="the choices are nodes, edges, roles"):
        motif_counts(graph, "arcs")
    with pytest.raises(TypeError, match="dict is no graph"):
        motif_adjacency({}, "M1")


def test_matrices_are_scipy_arrays_without_copies(matrix):
    found = motif_adjacency(matrix, "M8")
    assert found.dtype == np.float64 and found.indices.dtype == np.int32
    assert found.has_sorted_indices and (found != found.T).nnz == 0
    # The memory is Rust's: NumPy has it from an object that is no array.
    for array in (found.data, found.indices):
        owner = array
        while isinstance(owner, np.ndarray) and owner.base is not None:
            owner = owner.base
        assert not isinstance(owner, np.ndarray)


def test_an_operator_does_what_its_matrix_does(matrix):
    graph = DiGraph.from_scipy(matrix)
    rng = np.random.default_rng(0)
    vector, columns = rng.normal(size=60), rng.normal(size=(60, 3))
    choices = itertools.product(("M1", "M8", "M10", "out"), (None, "plain", "rescaled"), ("count", "mean"))
    for motif, laplacian, weights in choices:
        operator = motif_operator(graph, motif, laplacian=laplacian, weights=weights)
        if laplacian is None:
            explicit = motif_adjacency(graph, motif, weights=weights)
        else:
            explicit = motif_laplacian(graph, motif, laplacian=laplacian, weights=weights)
        np.testing.assert_allclose(operator @ vector, explicit @ vector, atol=1e-9)
        np.testing.assert_allclose(operator @ columns, explicit @ columns, atol=1e-9)
        np.testing.assert_allclose(operator.T @ columns, explicit.T @ columns, atol=1e-9)
        np.testing.assert_allclose(operator @ (vector + 2j * vector), explicit @ (vector + 2j * vector), atol=1e-9)


def test_an_operator_has_the_eigenvalues_of_its_matrix(matrix):
    operator = motif_operator(matrix, "M9", laplacian="plain")
    explicit = motif_laplacian(matrix, "M9").toarray()
    found = eigsh(operator, k=3, which="LA", return_eigenvectors=False)
    np.testing.assert_allclose(np.sort(found), np.linalg.eigvalsh(explicit)[-3:], atol=1e-8)


def test_a_matrix_too_large_is_refused_before_it_is_made():
    star = DiGraph.from_edges([(i, 0) for i in range(1, 2001)])
    with pytest.raises(MemoryError, match="the matrix of M10 has .* entries, more than the limit of 1000"):
        motif_adjacency(star, "M10", max_entries=1000)
    assert motif_operator(star, "M10").nnz == 2001 * 2000


def test_negative_weights_have_no_laplacian():
    graph = DiGraph.from_edges([(0, 1)], weight=[-1.0])
    with pytest.raises(ValueError, match="some arc weights are negative"):
        motif_laplacian(graph, "out", weights="mean")


def test_threads_do_not_change_anything(matrix):
    try:
        motifnet.set_threads(1)
        one = motif_adjacency(matrix, "M9", weights="product")
        motifnet.set_threads(3)
        three = motif_adjacency(matrix, "M9", weights="product")
    finally:
        motifnet.set_threads()
    assert np.array_equal(one.data, three.data) and np.array_equal(one.indices, three.indices)
    with pytest.raises(ValueError, match="0 threads can do nothing"):
        motifnet.set_threads(0)


def test_counts_past_64_bits_are_exact():
    graph = DiGraph.from_edges([(0, 1)], n_nodes=3_000_000)
    n = 3_000_000
    assert sum(triad_census(graph).values()) == n * (n - 1) * (n - 2) // 6


def test_igraph_is_there_for_comparison():
    assert igraph.__version__ >= "1.0"


def two_groups(seed=0):
    """Two groups of cycles with few arcs between them."""
    rng = np.random.default_rng(seed)
    group = np.repeat([0, 1], 40)
    chance = np.where(group[:, None] == group[None, :], 0.2, 0.01)
    return DiGraph.from_scipy((rng.random((80, 80)) < chance).astype(float)), group


@pytest.mark.parametrize("method", ["sweep", "recursive", "embedding"])
def test_clusters_are_found_by_any_method(method):
    graph, group = two_groups()
    found = motifnet.motif_cluster(graph, "M9", method=method)
    agreement = (found.labels == group).mean()
    assert max(agreement, 1 - agreement) > 0.9
    assert found.sizes.sum() == 80 and np.all(found.conductances < 0.5)
    explicit = motif_adjacency(graph, "M9")
    one = found.labels == 0
    cut = explicit[one][:, ~one].sum()
    assert found.cuts[0] == cut and found.volumes[0] == explicit[one].sum()
    estimator = motifnet.MotifClustering(motif="M9", method=method)
    assert np.array_equal(estimator.fit_predict(None, graph=graph), found.labels)


def test_what_cannot_be_clustered_is_told():
    graph, _ = two_groups()
    with pytest.raises(ValueError, match="there must be at least 2"):
        motifnet.motif_cluster(graph, "M9", 1)
    for wrong, text in [
        ({"tolerance": float("nan")}, "tolerance = NaN: it must be a finite number above 0"),
        ({"tolerance": -1.0}, "tolerance = -1: it must be"),
        ({"max_conductance": 1.5}, "max_conductance = 1.5: it must be a number from 0 to 1"),
        ({"n_starts": 0}, "n_starts = 0: it must be 1 or above"),
    ]:
        with pytest.raises(ValueError, match=text):
            motifnet.motif_cluster(graph, "M9", **wrong)
    with pytest.raises(ValueError, match="has no instance of M4"):
        motifnet.motif_cluster(DiGraph.from_edges([(0, 1)]), "M4")
    with pytest.raises(ValueError, match="is not symmetric"):
        motifnet.motif_cluster(graph, "out")
    left = motifnet.motif_cluster(DiGraph.from_edges([(0, 1), (1, 2), (0, 2), (3, 4)]), "M5")
    assert left.labels[3] == left.labels[4] == -1


def test_vectors_that_are_not_found_are_told():
    graph, _ = two_groups()
    with pytest.warns(ConvergenceWarning, match="max_products= takes more"):
        found = motifnet.motif_cluster(graph, "M9", max_products=2, tolerance=1e-12)
    assert found.residual > 1e-12


@pytest.mark.parametrize(
    ("function", "defaults"),
    [
        (motifnet.motif_cluster, _motifnet.cluster_defaults()),
        (motifnet.MotifClustering, _motifnet.cluster_defaults()),
        (motifnet.motif_significance, _motifnet.significance_defaults()),
        (motifnet.node_significance, _motifnet.significance_defaults()),
    ],
)
def test_defaults_are_those_of_the_library(function, defaults):
    parameters = inspect.signature(function).parameters
    assert {name: parameters[name].default for name in defaults} == defaults


def test_significance_is_that_of_the_samples():
    graph, _ = two_groups()
    found = motifnet.motif_significance(graph, n_samples=20, random_state=3)
    census = triad_census(graph)
    assert list(found)[:13] == TRIADS and found["M5"].count == census["030T"]
    for null in ("degree", "degree+reciprocal", "erdos"):
        again = motifnet.motif_significance(graph, null=null, n_samples=5)
        z = np.array([again[name].z or 0.0 for name in TRIADS])
        profile = np.array([again[name].profile for name in TRIADS])
        np.testing.assert_allclose(profile, z / np.sqrt((z**2).sum()), atol=1e-12)
    nodes = motifnet.node_significance(graph, n_samples=5)
    assert nodes["M9"].shape == (80,)
    with pytest.raises(ValueError, match="1 samples: a standard deviation needs at least 2"):
        motifnet.motif_significance(graph, n_samples=1)
