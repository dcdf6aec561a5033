"""Counts, matrices and operators of motifs."""

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.sparse.linalg import LinearOperator

from . import _motifnet
from ._graph import DiGraph, as_graph
from ._interop import csr, matrix_to_pyg
from ._motifnet import Operator
from ._progress import progress

#: Every motif: its arcs on the nodes 0, 1, 2 and the name of its triad after Holland and Leinhardt.
MOTIFS: "dict[str, tuple[tuple[tuple[int, int], ...], str | None]]" = {
    name: (tuple(arcs), triad) for name, arcs, triad in _motifnet.motif_table()
}

#: Entries that a matrix may have unless you say otherwise: some two gigabytes.
MAX_ENTRIES = 200_000_000


def triad_census(graph: Any, *, verbose: bool = False) -> "dict[str, int]":
    """How many of the triples of nodes fall into each of the sixteen triad classes.

    The counts are exact, of any size. Time O(arcs^1.5) at worst.

    >>> census = triad_census(DiGraph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3)]))
    >>> {name: count for name, count in census.items() if count}
    {'012': 1, '021D': 1, '021C': 1, '030C': 1}
    """
    with progress(verbose) as told:
        return _motifnet.triad_census(as_graph(graph)._core, told)


def motif_counts(
    graph: Any, of: str = "nodes", *, instances: str = "induced", verbose: bool = False
) -> "dict[str, NDArray[np.int64]]":
    """How many instances of every motif each node or edge is in.

    ``of="nodes"`` counts the instances of M1 to M13 that contain a node, ``of="edges"`` those that contain
    both ends of an edge (whose ends are then in ``source`` and ``target``, the lower number first, each
    edge once), and ``of="roles"`` how often a node plays each of the thirty roles: ``M5.0`` is the
    vertex 0 of M5, see :data:`MOTIFS`. ``instances`` is ``"induced"``: exactly the arcs of the motif, or
    ``"subgraph"``: those and any others.

    >>> counts = motif_counts(DiGraph.from_edges([(0, 1), (1, 2), (0, 2), (2, 3)]))
    >>> counts["M5"]
    array([1, 1, 1, 0])
    """
    core = as_graph(graph)._core
    names = triad_names()
    with progress(verbose) as told:
        if of == "nodes":
            return by_name(names, _motifnet.node_counts(core, instances, told))
        if of == "edges":
            ends, counts = _motifnet.edge_counts(core, instances, told)
            return {"source": ends[:, 0], "target": ends[:, 1], **by_name(names, counts)}
        if of == "roles":
            if instances != "induced":
                raise ValueError("roles are counted in induced instances only; leave instances out")
            roles, counts = _motifnet.role_counts(core, told)
            return by_name(roles, counts)
    raise ValueError(f"{of!r} is not a choice of `of`; the choices are nodes, edges, roles")


def triad_names() -> "list[str]":
    """M1 to M13."""
    return [name for name, (_, triad) in MOTIFS.items() if triad is not None]


def by_name(names: "list[str]", counts: "NDArray[Any]") -> "dict[str, NDArray[Any]]":
    """The columns of an array by their names, each a view of it."""
    return {name: counts[:, at] for at, name in enumerate(names)}


def motif_adjacency(
    graph: Any,
    motif: "str | Sequence[str]",
    *,
    support: str = "pairs",
    instances: str = "induced",
    weights: str = "count",
    max_entries: int = MAX_ENTRIES,
    verbose: bool = False,
) -> Any:
    """The motif matrix: entry (i, j) counts the instances that contain both nodes.

    ``motif`` is one of :data:`MOTIFS`; of several motifs, whose triangles are then found once, you get a
    dictionary. ``support`` is ``"pairs"`` (an instance counts for all three of its pairs) or ``"edges"``
    (only for pairs with an arc); ``instances`` ``"induced"`` or ``"subgraph"``; ``weights`` ``"count"``,
    or the ``"mean"`` or ``"product"`` of an instance's arc weights, or ``"scaled"``: the count times the
    weights of the entry's own arcs. ``graph`` may be a matrix of SciPy or NumPy.

    A matrix with more than ``max_entries`` entries is refused with a ``MemoryError`` before it is made; then
    :func:`motif_operator` does what the matrix would.

    >>> graph = DiGraph.from_edges([(1, 0), (2, 0)])
    >>> motif_adjacency(graph, "M10").toarray()
    array([[0., 1., 1.],
           [1., 0., 1.],
           [1., 1., 0.]])
    >>> motif_adjacency(graph, "M10", support="edges").nnz
    4
    """
    return matrices(graph, motif, (support, instances, weights), None, max_entries, verbose)


def motif_laplacian(
    graph: Any,
    motif: "str | Sequence[str]",
    *,
    laplacian: str = "plain",
    normalization: str = "symmetric",
    lambda_max: str = "two",
    support: str = "pairs",
    instances: str = "induced",
    weights: str = "count",
    max_entries: int = MAX_ENTRIES,
    verbose: bool = False,
) -> Any:
    """The normalised Laplacian of a motif matrix W, with D = diag(W 1).

    ``laplacian="plain"`` is Δ = I − N; ``"rescaled"`` is 2Δ/λ − I, what the networks work on, with λ = 2
    (``lambda_max="two"``) or Δ's largest eigenvalue (``"exact"``). N is D^-½WD^-½
    (``normalization="symmetric"``) or D⁻¹W (``"random-walk"``). A node in no instance has an empty row in N,
    so a 1 on the diagonal of Δ.

    >>> graph = DiGraph.from_edges([(0, 1), (1, 2), (0, 2)])
    >>> motif_laplacian(graph, "M5").toarray()
    array([[ 1. , -0.5, -0.5],
           [-0.5,  1. , -0.5],
           [-0.5, -0.5,  1. ]])
    """
    words = (laplacian, normalization, lambda_max)
    return matrices(graph, motif, (support, instances, weights), words, max_entries, verbose)


def matrices(
    graph: Any,
    motif: "str | Sequence[str]",
    spec: "tuple[str, str, str]",
    laplacian: "tuple[str, str, str] | None",
    max_entries: int,
    verbose: bool,
) -> Any:
    graph = as_graph(graph)
    motifs = [motif] if isinstance(motif, str) else list(motif)
    with progress(verbose) as told:
        found = _motifnet.motif_matrices(graph._core, motifs, *spec, laplacian, max_entries, told)
    made = [csr(data, indices, indptr, graph.n_nodes) for indptr, indices, data in found]
    return made[0] if isinstance(motif, str) else dict(zip(motifs, made))


class MotifLinearOperator(LinearOperator):  # type: ignore[misc]
    """A motif matrix, or its Laplacian, to multiply with: O(arcs) memory, whatever its entries."""

    def __init__(self, operator: Operator) -> None:
        self._operator = operator
        super().__init__(np.dtype(np.float64), (operator.n_nodes, operator.n_nodes))

    def _multiply(self, x: Any, transpose: bool) -> Any:
        x = np.asarray(x)
        if np.iscomplexobj(x):
            return self._multiply(x.real, transpose) + 1j * self._multiply(x.imag, transpose)
        kind = np.float32 if x.dtype == np.float32 else np.float64
        columns: Any = np.ascontiguousarray(x.reshape(x.shape[0], -1), dtype=kind)
        return self._operator.apply(columns, transpose).reshape(x.shape)

    def _matvec(self, x: Any) -> Any:
        return self._multiply(x, False)

    def _matmat(self, X: Any) -> Any:
        return self._multiply(X, False)

    def _rmatvec(self, x: Any) -> Any:
        return self._multiply(x, True)

    def _rmatmat(self, X: Any) -> Any:
        return self._multiply(X, True)

    @property
    def nnz(self) -> int:
        """How many entries the motif matrix has: counted, or estimated where that would take long."""
        return self._operator.size()[0]


def motif_operator(
    graph: Any,
    motif: str,
    *,
    laplacian: "str | None" = None,
    normalization: str = "symmetric",
    lambda_max: str = "two",
    support: str = "pairs",
    instances: str = "induced",
    weights: str = "count",
    verbose: bool = False,
) -> MotifLinearOperator:
    """The motif matrix as a ``LinearOperator`` of SciPy, at O(arcs) memory and time a product.

    With ``laplacian="plain"`` or ``"rescaled"`` it is that of :func:`motif_laplacian`; the other words are
    those of :func:`motif_adjacency`.

    >>> graph = DiGraph.from_edges([(i, 0) for i in range(1, 5)])
    >>> motif_operator(graph, "M10") @ np.ones(5)
    array([12.,  6.,  6.,  6.,  6.])
    """
    words = None if laplacian is None else (laplacian, normalization, lambda_max)
    with progress(verbose) as told:
        found = _motifnet.motif_operators(
            as_graph(graph)._core, [motif], support, instances, weights, words, told
        )
    return MotifLinearOperator(found[0])


def motif_edge_index(graph: Any, motif: str, **options: Any) -> Any:
    """The motif matrix for torch_geometric: an ``edge_index`` and the weights of its edges.

    The options are those of :func:`motif_adjacency`. ``GCNConv()(x, *motif_edge_index(graph, "M5"))`` convolves
    along the motif instead of along the arcs.

    >>> motif_edge_index(graph, "M5")  # doctest: +SKIP
    (tensor([[0, 0, 1, 1, 2, 2],
            [1, 2, 0, 2, 0, 1]]), tensor([1., 1., 1., 1., 1., 1.]))
    """
    return matrix_to_pyg(motif_adjacency(graph, motif, **options))


def motif_instances(
    graph: DiGraph,
    motif: str,
    first: Hashable,
    second: Hashable,
    *,
    support: str = "pairs",
    instances: str = "induced",
    limit: int = 100,
) -> "tuple[list[tuple[Hashable, ...]], int]":
    """The instances of a motif that contain both nodes, at most ``limit`` of them, and how many there are.

    Each has the nodes that play the vertices 0, 1 and 2 of the motif.

    >>> graph = DiGraph.from_edges([("ann", "cat"), ("bob", "cat"), ("ann", "dan"), ("bob", "dan")])
    >>> motif_instances(graph, "M10", "ann", "bob")
    ([('cat', 'ann', 'bob'), ('dan', 'ann', 'bob')], 2)
    """
    ends = graph.index(first), graph.index(second)
    found, total = _motifnet.motif_instances(graph._core, motif, *ends, support, instances, limit)
    names = graph.nodes
    return [tuple(names[node] for node in triad) for triad in found], total
