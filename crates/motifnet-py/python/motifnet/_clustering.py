"""Clusters of nodes that few instances of a motif are cut between."""

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import validate_data

from . import _motifnet
from ._classifier import check_size
from ._graph import as_graph
from ._progress import progress
from ._seed import seed_of


#: What the estimator hands on to the function.
PARAMETERS = (
    "n_clusters",
    "motif",
    "method",
    "laplacian",
    "components",
    "support",
    "instances",
    "weights",
    "min_size",
    "max_conductance",
    "n_starts",
    "tolerance",
    "max_products",
    "random_state",
    "verbose",
)


@dataclass(frozen=True)
class MotifClusters:
    """Clusters, the largest first, and how well they are set apart."""

    #: The cluster of every node; −1 of nodes in no instance, or outside the component that was clustered.
    labels: "NDArray[np.int64]"
    #: By cluster: its nodes, the ends of instances in it, those that leave it, and the conductance.
    sizes: "NDArray[np.int64]"
    volumes: "NDArray[np.float64]"
    cuts: "NDArray[np.float64]"
    conductances: "NDArray[np.float64]"
    #: The smallest eigenvalues of the motif Laplacian.
    eigenvalues: "NDArray[np.float64]"
    #: Of the sweep along the second eigenvector: the nodes in its order, their values, and the conductance of
    #: the cut after each. None of several components.
    curve: "tuple[NDArray[np.uint32], NDArray[np.float64], NDArray[np.float64]] | None"
    #: The places where k-means works, a row for every node that has a cluster; only of ``"embedding"``.
    points: "NDArray[np.float64] | None"
    #: Why bisection stopped; only of ``"recursive"``.
    stop: "str | None"
    #: How far the eigenvectors are from such, as a share of the largest eigenvalue.
    residual: float


def motif_cluster(
    graph: Any,
    motif: str = "M5",
    n_clusters: int = 2,
    *,
    method: "str | None" = None,
    laplacian: str = "normalized",
    components: str = "largest",
    support: str = "pairs",
    instances: str = "induced",
    weights: str = "count",
    min_size: int = 1,
    max_conductance: float = 1.0,
    n_starts: int = 50,
    tolerance: float = 1e-6,
    max_products: int = 20_000,
    random_state: Any = 0,
    verbose: bool = False,
) -> MotifClusters:
    """Clusters the nodes so that few instances of a motif have nodes in several clusters.

    ``motif`` is a motif or a sum of them, as ``"M5+0.5*M8"``. ``method`` is ``"sweep"`` (two clusters: the best cut
    along the second eigenvector; Benson et al. 2016), ``"recursive"`` (sweeps of the largest part, again and
    again) or ``"embedding"`` (k-means of the first eigenvectors); two clusters are swept and more embedded if
    it is not given. The motif matrix is never formed: memory is O(arcs). Where ``max_products`` products with it do not
    bring the eigenvectors to within ``tolerance``, what was found is taken, with a ``ConvergenceWarning``.

    >>> from motifnet import DiGraph
    >>> cycle = lambda n: [(n, n + 1), (n + 1, n + 2), (n + 2, n), (n + 2, n + 3), (n + 3, n + 1)]
    >>> graph = DiGraph.from_edges(cycle(0) + cycle(4) + [(0, 4), (4, 1), (1, 0)])
    >>> motif_cluster(graph, "U").labels.tolist() in ([0, 0, 0, 0, 1, 1, 1, 1], [1, 1, 1, 1, 0, 0, 0, 0])
    True
    """
    if method is None:
        method = "sweep" if n_clusters == 2 and components == "largest" else "embedding"
    with progress(verbose) as told:
        found = _motifnet.motif_clusters(
            as_graph(graph)._core,
            motif,
            support,
            instances,
            weights,
            n_clusters,
            method,
            laplacian,
            components,
            min_size,
            max_conductance,
            n_starts,
            tolerance,
            max_products,
            seed_of(random_state),
            told,
        )
    if not found.is_converged:
        warnings.warn(
            f"the eigenvectors have a residual of {found.residual:.1e} after {max_products} products, and "
            f"{tolerance:.1e} is wanted: eigenvalues are upper bounds, and better cuts may exist; "
            "max_products= takes more",
            ConvergenceWarning,
            stacklevel=2,
        )
    facts = np.array(found.facts, dtype=np.float64).reshape(-1, 4)
    return MotifClusters(
        labels=found.labels,
        sizes=facts[:, 0].astype(np.int64),
        volumes=facts[:, 1],
        cuts=facts[:, 2],
        conductances=facts[:, 3],
        eigenvalues=found.eigenvalues,
        curve=found.curve,
        points=found.points,
        stop=found.stop,
        residual=found.residual,
    )


class MotifClustering(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Clusters the nodes of a directed graph by a motif, after scikit-learn.

    The parameters are those of :func:`motif_cluster`.

    Attributes
    ----------
    labels_ : ndarray
        The cluster of every node; −1 of those that were left out.
    conductances_ : ndarray
        How well each cluster is set apart: instances that leave it over those it has.
    clusters_ : MotifClusters
        All that was found.

    Examples
    --------
    >>> from motifnet import DiGraph
    >>> arcs = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (2, 3)]
    >>> MotifClustering(motif="M1", components="all").fit(graph=DiGraph.from_edges(arcs)).labels_
    array([0, 0, 0, 1, 1, 1])
    """

    def __init__(
        self,
        n_clusters: int = 2,
        *,
        motif: str = "M5",
        method: "str | None" = None,
        laplacian: str = "normalized",
        components: str = "largest",
        support: str = "pairs",
        instances: str = "induced",
        weights: str = "count",
        min_size: int = 1,
        max_conductance: float = 1.0,
        n_starts: int = 50,
        tolerance: float = 1e-6,
        max_products: int = 20_000,
        random_state: Any = 0,
        verbose: bool = False,
    ) -> None:
        self.n_clusters = n_clusters
        self.motif = motif
        self.method = method
        self.laplacian = laplacian
        self.components = components
        self.support = support
        self.instances = instances
        self.weights = weights
        self.min_size = min_size
        self.max_conductance = max_conductance
        self.n_starts = n_starts
        self.tolerance = tolerance
        self.max_products = max_products
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X: Any = None, y: Any = None, *, graph: Any) -> "MotifClustering":
        """Clusters the nodes; of ``X`` only the number of rows is looked at, if it is given."""
        graph = as_graph(graph)
        if X is not None:
            X = validate_data(self, X, accept_sparse=True, dtype=None)
            check_size(graph, X.shape[0])
        self.clusters_ = motif_cluster(graph, **{name: getattr(self, name) for name in PARAMETERS})
        self.labels_ = self.clusters_.labels
        self.conductances_ = self.clusters_.conductances
        return self
