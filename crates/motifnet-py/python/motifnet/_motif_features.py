"""Motif counts of nodes as features."""

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from ._classifier import check_size
from ._graph import DiGraph, as_graph
from ._motifs import motif_counts


class MotifFeatures(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """How many motifs every node is in, as columns for whatever learns.

    Parameters
    ----------
    counts : {"motifs", "roles", "degrees"}
        The 13 motifs, their 30 roles, or only the arcs in, out and both together.
    log : bool
        ln(1 + count), since a few hubs would else drown all other nodes.
    append : bool
        Puts the columns after those of ``X``, instead of in their place.
    instances : {"induced", "subgraph"}
        What an instance of a motif is.

    Examples
    --------
    >>> graph = DiGraph.from_edges([(0, 1), (1, 2), (0, 2)])
    >>> features = MotifFeatures(log=False)
    >>> features.fit_transform(None, graph=graph)[:, 4]
    array([1., 1., 1.], dtype=float32)
    >>> features.get_feature_names_out()[:2]
    array(['M1', 'M2'], dtype=object)
    """

    def __init__(
        self, counts: str = "motifs", *, log: bool = True, append: bool = False, instances: str = "induced"
    ) -> None:
        self.counts = counts
        self.log = log
        self.append = append
        self.instances = instances

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float32"]
        return tags

    def fit(self, X: Any = None, y: Any = None, *, graph: Any) -> "MotifFeatures":
        """Remembers the graph, and the columns of ``X`` if there is one."""
        graph = as_graph(graph)
        if X is not None:
            X = validate_data(self, X, accept_sparse="csr", dtype=np.float32)
            check_size(graph, X.shape[0])
        elif self.append:
            raise ValueError("append=True puts the counts after the columns of X, and there is no X")
        self.graph_ = graph
        self.columns_ = list(self._columns(graph))
        return self

    def transform(self, X: Any, *, graph: Any = None) -> Any:
        """The counts, a row for every node; ``X`` may be None, and ``graph`` is that of ``fit`` if not given."""
        check_is_fitted(self, "graph_")
        graph = self.graph_ if graph is None else as_graph(graph)
        if X is not None:
            X = validate_data(self, X, reset=False, accept_sparse="csr", dtype=np.float32)
            check_size(graph, X.shape[0])
        counts = np.column_stack(list(self._columns(graph).values())).astype(np.float32)
        if self.log:
            np.log1p(counts, out=counts)
        if not self.append:
            return counts
        if X is None:
            raise ValueError("append=True puts the counts after the columns of X, and there is no X")
        return sp.hstack([X, counts], format="csr") if sp.issparse(X) else np.hstack([X, counts])

    def get_feature_names_out(self, input_features: Any = None) -> "NDArray[np.object_]":
        """What the columns are called."""
        check_is_fitted(self, "graph_")
        own = self._own_names(input_features) if self.append else []
        return np.array([*own, *self.columns_], dtype=object)

    def _own_names(self, input_features: Any) -> "list[Any]":
        known = getattr(self, "feature_names_in_", None)
        if input_features is None:
            return [f"x{at}" for at in range(self.n_features_in_)] if known is None else list(known)
        if known is not None and list(known) != list(input_features):
            raise ValueError("input_features is not equal to feature_names_in_")
        if len(input_features) != self.n_features_in_:
            raise ValueError(
                f"input_features should have length equal to number of features ({self.n_features_in_}), "
                f"got {len(input_features)}"
            )
        return list(input_features)

    def _columns(self, graph: DiGraph) -> "dict[str, NDArray[Any]]":
        if self.counts == "degrees":
            indptr, indices, _ = graph._core.csr()
            outward, inward = np.diff(indptr), np.bincount(indices, minlength=graph.n_nodes)
            return {"in": inward, "out": outward, "total": inward + outward}
        if self.counts not in ("motifs", "roles"):
            raise ValueError(
                f"{self.counts!r} is not a choice of `counts`; the choices are motifs, roles, degrees"
            )
        of = "nodes" if self.counts == "motifs" else "roles"
        return motif_counts(graph, of, instances=self.instances)
