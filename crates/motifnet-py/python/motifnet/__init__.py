"""Directed three-node motifs: exact counts, motif Laplacians, and learning on them.

>>> import motifnet
>>> graph = motifnet.DiGraph.from_edges([(0, 1), (1, 2), (0, 2), (2, 3)])
>>> motifnet.triad_census(graph)["030T"]
1
>>> motifnet.motif_adjacency(graph, "M5").toarray()
array([[0., 1., 1., 0.],
       [1., 0., 1., 0.],
       [1., 1., 0., 0.],
       [0., 0., 0., 0.]])

Counting and matrices: :func:`triad_census`, :func:`motif_counts`, :func:`motif_adjacency`,
:func:`motif_operator`, :func:`motif_laplacian`, :func:`motif_instances`, :func:`motif_significance`, :func:`motif_cluster`.
Learning, after scikit-learn: :class:`MotifNetClassifier`, :class:`MotifClustering`, :class:`MotifFeatures`. Everything is loaded when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._classifier import MotifNetClassifier as MotifNetClassifier
    from ._clustering import MotifClustering as MotifClustering
    from ._clustering import MotifClusters as MotifClusters
    from ._clustering import motif_cluster as motif_cluster
    from ._explanation import Explanation as Explanation
    from ._explanation import Neighbour as Neighbour
    from ._graph import DiGraph as DiGraph
    from ._motif_features import MotifFeatures as MotifFeatures
    from ._motifs import MOTIFS as MOTIFS
    from ._motifs import motif_adjacency as motif_adjacency
    from ._motifs import motif_counts as motif_counts
    from ._motifs import motif_edge_index as motif_edge_index
    from ._motifs import motif_instances as motif_instances
    from ._motifs import motif_laplacian as motif_laplacian
    from ._motifs import motif_operator as motif_operator
    from ._motifs import triad_census as triad_census
    from ._significance import MotifSignificance as MotifSignificance
    from ._significance import motif_significance as motif_significance
    from ._significance import node_significance as node_significance
    from ._motifnet import set_threads as set_threads

_PLACES = {
    "DiGraph": "_graph",
    "Explanation": "_explanation",
    "MOTIFS": "_motifs",
    "MotifClustering": "_clustering",
    "MotifClusters": "_clustering",
    "MotifFeatures": "_motif_features",
    "MotifNetClassifier": "_classifier",
    "MotifSignificance": "_significance",
    "Neighbour": "_explanation",
    "motif_adjacency": "_motifs",
    "motif_cluster": "_clustering",
    "motif_counts": "_motifs",
    "motif_edge_index": "_motifs",
    "motif_instances": "_motifs",
    "motif_laplacian": "_motifs",
    "motif_operator": "_motifs",
    "motif_significance": "_significance",
    "node_significance": "_significance",
    "set_threads": "_motifnet",
    "triad_census": "_motifs",
}

__all__ = [
    "DiGraph",
    "Explanation",
    "MOTIFS",
    "MotifClustering",
    "MotifClusters",
    "MotifFeatures",
    "MotifNetClassifier",
    "MotifSignificance",
    "Neighbour",
    "motif_adjacency",
    "motif_cluster",
    "motif_counts",
    "motif_edge_index",
    "motif_instances",
    "motif_laplacian",
    "motif_operator",
    "motif_significance",
    "node_significance",
    "set_threads",
    "triad_census",
]


def __getattr__(name: str) -> Any:
    # The command line should not wait for scikit-learn.
    if name not in _PLACES:
        raise AttributeError(f"module 'motifnet' has no attribute {name!r}")
    value = getattr(import_module(f".{_PLACES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
