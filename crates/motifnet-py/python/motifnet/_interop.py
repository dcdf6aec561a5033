"""Graphs of other packages, there and back. A package is imported only when it is asked for."""

from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ._motifnet import Graph

if TYPE_CHECKING:
    from ._graph import DiGraph


def ends_of(edges: Any, source: "str | None", target: "str | None", weight: Any) -> "tuple[Any, Any, Any]":
    """Sources, targets and weights of a frame or of arrays."""
    names = column_names(edges)
    if names is not None:
        missing = [name for name in (source, target, weight) if isinstance(name, str) and name not in names]
        if missing:
            raise KeyError(f"there is no column {missing[0]!r}; the columns are {', '.join(map(str, names))}")
        if len(names) < 2:
            raise ValueError(f"a frame with {len(names)} columns has no arcs; give one with their two ends")
        ends = [name for name in names if name not in (source, target)]
        first = names[0] if source is None and target is None else (source or ends[0])
        second = target or next(name for name in ends if name != first)
        weights = edges[weight] if isinstance(weight, str) else weight
        return edges[first], edges[second], weights
    if source is not None or target is not None or isinstance(weight, str):
        raise TypeError("source, target and weight name columns of a frame, and these edges are none")
    if isinstance(edges, tuple) and len(edges) == 2:
        return edges[0], edges[1], weight
    if isinstance(edges, list) and edges and isinstance(edges[0], (tuple, list)):
        wrong = next((place for place, arc in enumerate(edges) if len(arc) != 2), None)
        if wrong is not None:
            raise ValueError(f"arc {wrong} is {edges[wrong]!r}; an arc is a pair of nodes")
        return [arc[0] for arc in edges], [arc[1] for arc in edges], weight
    array = np.asarray(edges)
    if array.size == 0:
        array = array.reshape(0, 2).astype(np.int64)
    if array.ndim != 2 or array.shape[1] != 2:
        shape = "×".join(map(str, array.shape))
        raise ValueError(f"an array of {shape} is no list of arcs; give arcs × 2, or (sources, targets)")
    return array[:, 0], array[:, 1], weight


def column_names(frame: Any) -> "list[Any] | None":
    """The names of a frame's columns; none of what is no frame."""
    if isinstance(frame, np.ndarray) or not hasattr(frame, "__getitem__"):
        return None
    if hasattr(frame, "column_names"):
        return list(frame.column_names)
    if hasattr(frame, "columns") and not callable(frame.columns):
        return list(frame.columns)
    return None


def csr(data: Any, indices: Any, indptr: Any, n_nodes: int) -> sp.csr_array:
    """A square matrix of arrays that are known to be sorted."""
    matrix = sp.csr_array((data, indices, indptr), shape=(n_nodes, n_nodes), copy=False)
    matrix.has_sorted_indices = True
    matrix.has_canonical_format = True
    return matrix


def rebuild(indptr: Any, indices: Any, weights: Any, names: "list[Any] | None") -> "DiGraph":
    """A graph from its arrays: what pickle calls."""
    from ._graph import DiGraph

    return DiGraph(Graph.from_csr(indptr, indices, weights, "sum", False), names)


def numbered(
    cls: "type[DiGraph]", pairs: Any, weights: Any, n_nodes: int, names: "list[Any] | None"
) -> "DiGraph":
    """A graph of arcs between numbers, with names beside them."""
    ends = np.asarray(pairs, dtype=np.int64).reshape(-1, 2)
    sources, targets = np.ascontiguousarray(ends[:, 0]), np.ascontiguousarray(ends[:, 1])
    weights = None if weights is None else np.asarray(weights, dtype=np.float64)
    core = Graph.from_numbers(sources, targets, weights, n_nodes, "sum", False)
    return cls(core, names)


def from_networkx(cls: "type[DiGraph]", graph: Any, weight: "str | None") -> "DiGraph":
    if not graph.is_directed():
        raise ValueError("this graph of networkx has no directions; pass graph.to_directed() if you want both")
    names = list(graph.nodes)
    numbers = {name: number for number, name in enumerate(names)}
    pairs = [(numbers[source], numbers[target]) for source, target in graph.edges()]
    weights = None
    if weight is not None:
        weights = [value for _, _, value in graph.edges(data=weight)]
        if None in weights:
            source, target = names[pairs[weights.index(None)][0]], names[pairs[weights.index(None)][1]]
            raise KeyError(f"the arc from {source!r} to {target!r} has no attribute {weight!r}")
    plain = all(name == number for number, name in enumerate(names))
    return numbered(cls, pairs, weights, len(names), None if plain else names)


def to_networkx(graph: "DiGraph") -> Any:
    import networkx

    names = graph.nodes
    found = networkx.DiGraph()
    found.add_nodes_from(names)
    sources, targets, weights = (None if part is None else part.tolist() for part in graph.to_edges())
    assert sources is not None and targets is not None
    ends = ((names[source], names[target]) for source, target in zip(sources, targets))
    if weights is None:
        found.add_edges_from(ends)
    else:
        found.add_weighted_edges_from((*arc, weight) for arc, weight in zip(ends, weights))
    return found


def from_igraph(cls: "type[DiGraph]", graph: Any, weight: "str | None") -> "DiGraph":
    if not graph.is_directed():
        raise ValueError('this graph of igraph has no directions; pass graph.as_directed() if you want both')
    names = list(graph.vs["name"]) if "name" in graph.vs.attributes() else None
    weights = None if weight is None else graph.es[weight]
    return numbered(cls, graph.get_edgelist(), weights, graph.vcount(), names)


def to_igraph(graph: "DiGraph") -> Any:
    import igraph

    sources, targets, weights = graph.to_edges()
    found = igraph.Graph(
        n=graph.n_nodes, edges=list(zip(sources.tolist(), targets.tolist())), directed=True
    )
    if not isinstance(graph.nodes, range):
        found.vs["name"] = list(graph.nodes)
    if weights is not None:
        found.es["weight"] = weights.tolist()
    return found


def from_pyg(cls: "type[DiGraph]", edge_index: Any, edge_weight: Any, n_nodes: "int | None") -> "DiGraph":
    if hasattr(edge_index, "edge_index"):
        data = edge_index
        n_nodes = data.num_nodes if n_nodes is None else n_nodes
        edge_weight = getattr(data, "edge_weight", None) if edge_weight is None else edge_weight
        edge_index = data.edge_index
    ends = plain_array(edge_index)
    if ends.ndim != 2 or ends.shape[0] != 2:
        shape = "×".join(map(str, ends.shape))
        raise ValueError(f"an edge_index of {shape}; it has two rows, sources and targets")
    weights = None if edge_weight is None else plain_array(edge_weight)
    return cls.from_edges((ends[0], ends[1]), weight=weights, n_nodes=n_nodes)


def plain_array(values: Any) -> "NDArray[Any]":
    """A NumPy array of a tensor, which shares its memory on the CPU."""
    if hasattr(values, "detach"):
        values = values.detach().cpu().numpy()
    return np.asarray(values)


def to_pyg(graph: "DiGraph") -> Any:
    import torch

    sources, targets, weights = graph.to_edges()
    edge_index = torch.from_numpy(np.stack([sources, targets]).astype(np.int64))
    return edge_index, None if weights is None else torch.from_numpy(weights)


def matrix_to_pyg(matrix: sp.csr_array) -> Any:
    """A sparse matrix as an ``edge_index`` of torch_geometric with weights."""
    import torch

    rows = np.repeat(np.arange(matrix.shape[0], dtype=np.int64), np.diff(matrix.indptr))
    edge_index = torch.from_numpy(np.stack([rows, matrix.indices.astype(np.int64)]))
    return edge_index, torch.from_numpy(matrix.data.astype(np.float32))


def named_columns(graph: "DiGraph") -> "dict[str, Any]":
    sources, targets, weights = graph.to_edges()
    names = graph.nodes
    if isinstance(names, range):
        columns: dict[str, Any] = {"source": sources, "target": targets}
    else:
        columns = {
            "source": [names[source] for source in sources.tolist()],
            "target": [names[target] for target in targets.tolist()],
        }
    return columns if weights is None else {**columns, "weight": weights}


def to_pandas(graph: "DiGraph") -> Any:
    import pandas

    return pandas.DataFrame(named_columns(graph))


def to_polars(graph: "DiGraph") -> Any:
    import polars

    return polars.DataFrame(named_columns(graph))
