"""The directed graph that everything else is computed from."""

import os
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray

from . import _interop
from ._columns import as_numbers, as_weights, is_text, names_for_rust
from ._motifnet import Graph
from ._progress import progress


class DiGraph:
    """A directed graph: no self-loops, no repeated arcs, every neighbour list sorted.

    Make one with :meth:`from_edges`, :meth:`from_scipy`, :meth:`from_networkx`, :meth:`from_igraph`,
    :meth:`from_pyg` or :meth:`read`. What had to be dropped or merged is told by :attr:`cleaning`; no arc
    is turned round or added unless you pass ``undirected=True``.

    >>> graph = DiGraph.from_edges([("ann", "bob"), ("bob", "cat"), ("cat", "cat")])
    >>> graph
    DiGraph(n_nodes=3, n_arcs=2)
    >>> graph.nodes
    ['ann', 'bob', 'cat']
    >>> graph.cleaning["self_loops"]
    1
    """

    __slots__ = ("_core", "_names", "_numbers")

    def __init__(self, core: Graph, names: "list[Hashable] | None" = None) -> None:
        self._core = core
        self._names = names
        self._numbers: dict[Hashable, int] | None = None

    # From elsewhere.

    @classmethod
    def from_edges(
        cls,
        edges: Any,
        *,
        source: "str | None" = None,
        target: "str | None" = None,
        weight: Any = None,
        nodes: Any = None,
        n_nodes: "int | None" = None,
        ids: bool = False,
        repeats: str = "sum",
        undirected: bool = False,
    ) -> "DiGraph":
        """A graph of arcs in a frame or in arrays.

        ``edges`` is a frame (pandas, polars, pyarrow), an array of shape (arcs, 2), a list of pairs, or a
        tuple ``(sources, targets)``. Of a frame, ``source``, ``target`` and ``weight`` name columns; the
        first two are taken as the ends if they are not named. Otherwise ``weight`` has a number for
        every arc.

        Text names nodes, numbered in the order in which they are met. Integers are the nodes' numbers,
        from 0 on (``n_nodes`` says how many there are); with ``ids=True`` they are names, too, numbered
        in ascending order. ``nodes`` names all nodes, and so says their order: that of the rows of a
        table of features, say. Of repeated arcs the weights are added up (``repeats="sum"``), or the
        largest (``"max"``) or ``"first"`` is kept.

        >>> import pandas
        >>> paid = pandas.DataFrame({"from": ["a", "b"], "to": ["b", "c"], "amount": [5.0, 2.5]})
        >>> graph = DiGraph.from_edges(paid, weight="amount", nodes=["c", "b", "a", "z"])
        >>> graph.to_scipy().toarray()
        array([[0. , 0. , 0. , 0. ],
               [2.5, 0. , 0. , 0. ],
               [0. , 5. , 0. , 0. ],
               [0. , 0. , 0. , 0. ]], dtype=float32)
        """
        sources, targets, weights = _interop.ends_of(edges, source, target, weight)
        weights = None if weights is None else as_weights(weights)
        if n_nodes is not None and (nodes is not None or ids):
            raise ValueError("n_nodes is for nodes that are numbered; nodes with names are counted")
        if is_text(sources) or is_text(targets):
            named = None if nodes is None else names_for_rust(nodes, "nodes")
            core = Graph.from_names(
                names_for_rust(sources, "sources"),
                names_for_rust(targets, "targets"),
                weights,
                named,
                repeats,
                undirected,
            )
            return cls(core)
        ends = as_numbers(sources, "sources"), as_numbers(targets, "targets")
        if ids or nodes is not None:
            numbers = None if nodes is None else as_numbers(nodes, "nodes")
            return cls(Graph.from_ids(*ends, weights, numbers, repeats, undirected))
        return cls(Graph.from_numbers(*ends, weights, n_nodes, repeats, undirected))

    @classmethod
    def from_scipy(
        cls, matrix: Any, *, weights: "bool | None" = None, repeats: str = "sum", undirected: bool = False
    ) -> "DiGraph":
        """A graph of a sparse or dense square matrix: an arc from row to column for every entry.

        The entries are the weights, unless all are 1; ``weights`` says otherwise.

        >>> import scipy.sparse
        >>> matrix = scipy.sparse.coo_array(([1, 1], ([0, 2], [1, 0])), shape=(3, 3))
        >>> DiGraph.from_scipy(matrix)
        DiGraph(n_nodes=3, n_arcs=2)
        """
        rows = matrix if sp.issparse(matrix) and matrix.format == "csr" else sp.csr_array(matrix)
        if rows.ndim != 2 or rows.shape[0] != rows.shape[1]:
            shape = "×".join(map(str, rows.shape))
            raise ValueError(f"a matrix of {shape} is no graph; rows and columns must be the same nodes")
        values = rows.data
        if weights is None:
            weights = values.dtype != bool and bool((values != 1).any())
        core = Graph.from_csr(
            as_numbers(rows.indptr, "offsets"),
            as_numbers(rows.indices, "columns"),
            as_weights(values) if weights else None,
            repeats,
            undirected,
        )
        return cls(core)

    @classmethod
    def from_networkx(cls, graph: Any, *, weight: "str | None" = None) -> "DiGraph":
        """The graph of a networkx ``DiGraph`` or ``MultiDiGraph``, its nodes in their order.

        ``weight`` names the attribute of the arcs to take for weights.

        >>> import networkx
        >>> DiGraph.from_networkx(networkx.DiGraph([("a", "b"), ("b", "c")])).nodes
        ['a', 'b', 'c']
        """
        return _interop.from_networkx(cls, graph, weight)

    @classmethod
    def from_igraph(cls, graph: Any, *, weight: "str | None" = None) -> "DiGraph":
        """The graph of a directed igraph ``Graph``; nodes have their names if they have such.

        >>> import igraph
        >>> DiGraph.from_igraph(igraph.Graph([(0, 1), (2, 1)], directed=True))
        DiGraph(n_nodes=3, n_arcs=2)
        """
        return _interop.from_igraph(cls, graph, weight)

    @classmethod
    def from_pyg(
        cls, edge_index: Any, edge_weight: Any = None, *, n_nodes: "int | None" = None
    ) -> "DiGraph":
        """The graph of an ``edge_index`` of torch_geometric (2 × arcs), or of its ``Data``.

        >>> DiGraph.from_pyg(np.array([[0, 1], [1, 2]]), n_nodes=4)
        DiGraph(n_nodes=4, n_arcs=2)
        """
        return _interop.from_pyg(cls, edge_index, edge_weight, n_nodes)

    @classmethod
    def read(
        cls,
        path: "str | os.PathLike[str]",
        *,
        format: "str | None" = None,
        source: "str | None" = None,
        target: "str | None" = None,
        weight: str = "auto",
        delimiter: "str | None" = None,
        header: "bool | None" = None,
        n_nodes: "int | None" = None,
        repeats: str = "sum",
        undirected: bool = False,
        max_decompressed: "int | None" = None,
        verbose: bool = False,
    ) -> "DiGraph":
        """The graph in a file: text, MatrixMarket, npz, GML or Parquet, compressed or not.

        Everything is found from the file; the options are those of the command line, for what is not
        plain. How the file was understood is in :attr:`notes`. No more than ``max_decompressed`` megabytes
        (64,000 unless you say more) come out of a compressed file.

        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp(), "arcs.csv")
        >>> _ = path.write_text("source,target\\nann,bob\\nbob,cat\\n")
        >>> DiGraph.read(path).nodes
        ['ann', 'bob', 'cat']
        """
        with progress(verbose) as told:
            core = Graph.read(
                path,
                format,
                source,
                target,
                weight,
                delimiter,
                header,
                n_nodes,
                repeats,
                undirected,
                max_decompressed,
                told,
            )
        return cls(core)

    # What it is.

    @property
    def n_nodes(self) -> int:
        """Number of nodes, those without arcs included."""
        return self._core.n_nodes

    @property
    def n_arcs(self) -> int:
        """Number of arcs."""
        return self._core.n_arcs

    @property
    def is_weighted(self) -> bool:
        """Whether the arcs have weights."""
        return self._core.is_weighted

    @property
    def nodes(self) -> "Sequence[Hashable]":
        """What the nodes are called, in the order of their numbers."""
        if self._names is not None:
            return self._names
        names = self._core.names()
        if names is None:
            return range(self.n_nodes)
        # Kept: text would else be made anew at every look.
        kept: list[Hashable] = [*names] if isinstance(names, list) else names.tolist()
        self._names = kept
        return kept

    @property
    def cleaning(self) -> "dict[str, int]":
        """How many arcs there were, and how many were dropped or merged for which reason."""
        return self._core.cleaning

    @property
    def notes(self) -> "list[str]":
        """What there is to know of how a file was understood."""
        return self._core.notes

    def index(self, node: Hashable) -> int:
        """The number of the node of that name.

        >>> DiGraph.from_edges([("ann", "bob")]).index("bob")
        1
        """
        names = self.nodes
        if isinstance(names, range):
            if isinstance(node, (int, np.integer)) and int(node) in names:
                return int(node)
            raise KeyError(f"there is no node {node!r}; the nodes are numbered from 0 to {len(names) - 1}")
        if self._numbers is None:
            self._numbers = {name: number for number, name in enumerate(names)}
        try:
            return self._numbers[node]
        except KeyError:
            example = f", such as {names[0]!r}" if names else ""
            raise KeyError(f"there is no node {node!r}; nodes are called as in the arcs{example}") from None

    def reversed(self) -> "DiGraph":
        """The graph with every arc turned round."""
        return DiGraph(self._core.reversed(), self._names)

    def __repr__(self) -> str:
        weighted = ", weighted" if self.is_weighted else ""
        return f"DiGraph(n_nodes={self.n_nodes}, n_arcs={self.n_arcs}{weighted})"

    def __len__(self) -> int:
        return self.n_nodes

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DiGraph):
            return NotImplemented
        return self._core == other._core and list(self.nodes) == list(other.nodes)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> "tuple[Any, ...]":
        names = self.nodes
        return _interop.rebuild, (*self._core.csr(), None if isinstance(names, range) else names)

    # To elsewhere.

    def write(self, path: "str | os.PathLike[str]") -> "list[str]":
        """Writes the arcs to a file, in the format that its ending says; gives what that cannot hold."""
        return self._core.write(path)

    def to_edges(self) -> "tuple[NDArray[Any], NDArray[Any], NDArray[Any] | None]":
        """Sources, targets and weights, ordered by source, then target.

        >>> DiGraph.from_edges([(2, 0), (0, 1)]).to_edges()
        (array([0, 2], dtype=int32), array([1, 0], dtype=int32), None)
        """
        indptr, indices, weights = self._core.csr()
        sources = np.repeat(np.arange(self.n_nodes, dtype=indices.dtype), np.diff(indptr))
        return sources, indices, weights

    def to_scipy(self) -> sp.csr_array:
        """The adjacency matrix, rows pointing at columns; entries are the weights, or 1."""
        indptr, indices, weights = self._core.csr()
        data = np.ones(len(indices), dtype=np.float32) if weights is None else weights
        return _interop.csr(data, indices, indptr, self.n_nodes)

    def to_pandas(self) -> Any:
        """A pandas frame of the arcs: source, target and perhaps weight."""
        return _interop.to_pandas(self)

    def to_polars(self) -> Any:
        """A polars frame of the arcs: source, target and perhaps weight."""
        return _interop.to_polars(self)

    def to_networkx(self) -> Any:
        """A networkx ``DiGraph`` with the nodes in their order."""
        return _interop.to_networkx(self)

    def to_igraph(self) -> Any:
        """A directed igraph ``Graph``."""
        return _interop.to_igraph(self)

    def to_pyg(self) -> Any:
        """An ``edge_index`` of torch_geometric and its weights (``None`` if there are none)."""
        return _interop.to_pyg(self)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The arcs for whatever reads Arrow: ``polars.DataFrame(graph)``, ``pyarrow.table(graph)``."""
        return self._core.__arrow_c_stream__(requested_schema)


def as_graph(graph: "DiGraph | ArrayLike | Any") -> DiGraph:
    """The graph itself, or the graph of a matrix.

    >>> as_graph(np.array([[0, 1], [0, 0]])).n_arcs
    1
    """
    if isinstance(graph, DiGraph):
        return graph
    if sp.issparse(graph) or isinstance(graph, np.ndarray):
        return DiGraph.from_scipy(graph)
    kind = type(graph).__name__
    raise TypeError(f"{kind} is no graph; give a DiGraph or a square matrix, see DiGraph.from_edges and others")
