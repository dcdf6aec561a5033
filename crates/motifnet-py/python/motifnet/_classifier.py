"""Node classification after scikit-learn."""

import os
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics import accuracy_score
from sklearn.utils import assert_all_finite, column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from . import _motifnet
from ._explanation import Explanation, explanation
from ._graph import DiGraph, as_graph
from ._progress import progress
from ._seed import seed_of
from ._settings import SEED, parameters_of, settings_of

DEFAULT_MOTIFS = ("U", "in", "out", "M5", "M8", "M9")


class MotifNetClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Learns the classes of the nodes of a directed graph from some that are known.

    Transductive: all nodes are there in ``fit``, with a row of ``X`` each, and ``y`` is −1 where the class is
    not known, as in scikit-learn's semi-supervised module. What was learnt holds for other graphs with
    the same columns, too (but for the models ``spectral`` and ``spline``).

    Parameters have the names and the meaning of the command line; ``motifnet config`` explains them all.

    Parameters
    ----------
    model : {"motifnet-m", "motifnet-d", "polynomial", "chebnet", "gcn", "cayley", "spectral", \
"spline", "monet", "mlp", "labelprop"}
        The model: attention over motif Laplacians, or one of the others of the library.
    order : int
        The order of its polynomials: how far a layer sees.
    motifs : sequence of str, or "auto"
        The operators of ``motifnet-m`` and ``polynomial``; ``"auto"`` finds out which matter.
    heads : int
        The number of attentions of ``motifnet-m``; 1 is the paper's.
    operator : str
        The one operator of all other models: ``"U"``, ``"out"``, ``"in"`` or a motif.
    validation_fraction : float
        The share of the labelled nodes that is held back to stop training by, unless they are named.
    random_state : int, RandomState or None
        Where all draws come from; the same number gives the same model on any number of threads.
    verbose : bool
        Shows a bar of tqdm, if that is installed.

    Attributes
    ----------
    classes_ : ndarray
        The classes, in the order of the columns of ``predict_proba``.
    attention_ : ndarray of shape (layers, heads, orders, operators)
        The mean attention over the features (``motifnet-m`` only).
    operators_ : list of str
        What the model works on.
    history_ : dict of ndarray
        Losses and accuracies of every epoch.
    validation_ : ndarray
        The nodes that training was stopped by.
    best_epoch_, n_iter_, n_parameters_ : int
        The epoch that was kept (from 1 on), how many there were, how many numbers were learnt.

    Examples
    --------
    Two circles of nodes, each pointing round; a few labels are known.

    >>> import numpy as np
    >>> ring = np.arange(20)
    >>> arcs = [(i, (i + 1) % 10) for i in range(10)] + [(10 + i, 10 + (i + 1) % 10) for i in range(10)]
    >>> graph = DiGraph.from_edges(arcs)
    >>> X = np.eye(20)
    >>> y = np.full(20, -1)
    >>> y[[0, 3, 6]], y[[10, 13, 16]] = 0, 1
    >>> model = MotifNetClassifier(motifs=["U", "in", "out"], order=2, lr=0.01, epochs=60)
    >>> model = model.fit(X, y, graph=graph)
    >>> model.predict(X)
    array([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1])
    >>> model.attention_.shape
    (2, 1, 2, 3)
    """

    def __init__(
        self,
        model: str = "motifnet-m",
        *,
        order: int = 1,
        motifs: "str | Sequence[str]" = DEFAULT_MOTIFS,
        heads: int = 1,
        operator: str = "U",
        convs: int = 2,
        dense: int = 2,
        width: int = 130,
        activation: str = "relu",
        dropout: "float | Sequence[float]" = 0.5,
        max_terms: int = 1023,
        jacobi: int = 8,
        eigenvectors: int = 64,
        coefficients: int = 8,
        kernels: int = 4,
        support: str = "pairs",
        instances: str = "induced",
        weights: str = "count",
        laplacian: str = "rescaled",
        normalization: str = "symmetric",
        lambda_max: str = "two",
        tf_idf: bool = False,
        normalize_rows: bool = False,
        standardize: bool = False,
        max_columns: int = 130,
        scale: bool = True,
        epochs: int = 1000,
        patience: int = 100,
        lr: float = 1e-3,
        decay: float = 1e-3,
        decay_kind: str = "l2",
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        class_weights: str = "equal",
        memory_limit: "int | None" = None,
        validation_fraction: float = 0.2,
        random_state: Any = 0,
        verbose: bool = False,
    ) -> None:
        self.model = model
        self.order = order
        self.motifs = motifs
        self.heads = heads
        self.operator = operator
        self.convs = convs
        self.dense = dense
        self.width = width
        self.activation = activation
        self.dropout = dropout
        self.max_terms = max_terms
        self.jacobi = jacobi
        self.eigenvectors = eigenvectors
        self.coefficients = coefficients
        self.kernels = kernels
        self.support = support
        self.instances = instances
        self.weights = weights
        self.laplacian = laplacian
        self.normalization = normalization
        self.lambda_max = lambda_max
        self.tf_idf = tf_idf
        self.normalize_rows = normalize_rows
        self.standardize = standardize
        self.max_columns = max_columns
        self.scale = scale
        self.epochs = epochs
        self.patience = patience
        self.lr = lr
        self.decay = decay
        self.decay_kind = decay_kind
        self.beta1 = beta1
        self.beta2 = beta2
        self.epsilon = epsilon
        self.class_weights = class_weights
        self.memory_limit = memory_limit
        self.validation_fraction = validation_fraction
        self.random_state = random_state
        self.verbose = verbose

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def fit(
        self,
        X: Any,
        y: Any,
        *,
        graph: Any,
        train_mask: "ArrayLike | None" = None,
        validation_mask: "ArrayLike | None" = None,
    ) -> "MotifNetClassifier":
        """Learns from the nodes whose ``y`` is not −1.

        ``X`` has a row for every node of ``graph`` (a :class:`DiGraph`, or a square matrix). With
        ``train_mask`` (booleans, or numbers of nodes) only those labels are looked at, so ``y`` may have
        the labels of test nodes as well. Training is stopped by the nodes of ``validation_mask``, or by
        ``validation_fraction`` of the labelled ones.
        """
        X = self._check_features(X, reset=True)
        graph = check_size(as_graph(graph), X.shape[0])
        labels, classes = encode(y, X.shape[0], train_mask, validation_mask)
        held_back = None if validation_mask is None else members(validation_mask, len(labels))
        settings = settings_of(vars(self))
        settings[SEED] = seed_of(self.random_state)
        with progress(self.verbose) as told:
            found = _motifnet.fit(
                graph._core,
                for_rust(X),
                labels,
                [str(name) for name in classes.tolist()],
                held_back,
                float(self.validation_fraction),
                settings,
                told,
            )
        self.classes_ = classes
        self.graph_ = graph
        self.X_ = X
        self.model_ = found.model
        self.label_distributions_ = found.probabilities
        self.history_ = found.history
        self.operators_ = found.operators
        self.validation_ = found.validation
        self.best_epoch_ = found.best_epoch
        self.n_iter_ = max(1, len(found.history["val_loss"]))
        self.n_parameters_ = found.n_parameters
        return self

    def predict_proba(self, X: Any, *, graph: Any = None) -> "NDArray[np.float64]":
        """The probability of every class, a row for every node; ``graph`` is that of ``fit`` if not given."""
        X, graph = self._asked(X, graph)
        if self.model_ is None:
            if graph is not self.graph_:
                raise ValueError(f"{self.model} only spreads the labels of its own graph; fit it on this one")
            found = self.label_distributions_
        else:
            with progress(self.verbose) as told:
                found = self.model_.probabilities(graph._core, for_rust(X), None, told)
        # They are of 32 bits, and add up to 1 in those alone.
        probabilities = np.asarray(found, dtype=np.float64)
        sums: NDArray[np.float64] = probabilities.sum(axis=1, keepdims=True)
        return probabilities / sums

    def predict(self, X: Any, *, graph: Any = None) -> "NDArray[Any]":
        """The likeliest class of every node; ``graph`` is that of ``fit`` if not given."""
        likeliest = self.predict_proba(X, graph=graph).argmax(axis=1)
        chosen: NDArray[Any] = self.classes_[likeliest]
        return chosen

    def score(self, X: Any, y: Any, sample_weight: Any = None, *, graph: Any = None) -> float:
        """The share of the nodes with a label (``y`` not −1) that are right."""
        y = column_or_1d(y)
        known = is_known(y)
        weight = None if sample_weight is None else np.asarray(sample_weight)[known]
        predicted = self.predict(X, graph=graph)
        return float(accuracy_score(y[known], predicted[known], sample_weight=weight))

    def embed(self, X: Any, *, graph: Any = None) -> "NDArray[np.float32]":
        """The last hidden layer, a row for every node; ``graph`` is that of ``fit`` if not given."""
        X, graph = self._asked(X, graph)
        with progress(self.verbose) as told:
            return self._network().embeddings(graph._core, for_rust(X), told)

    @property
    def attention_(self) -> "NDArray[np.float64]":
        """The mean attention over the features: layers × heads × orders × operators."""
        check_is_fitted(self, "model_")
        rows = [] if self.model_ is None else self.model_.attention()
        if not rows:
            raise AttributeError(f"{self.model} has no attention; motifnet-m has")
        means = np.array([row[4] for row in rows])
        return means.reshape(-1, rows[-1][1], rows[-1][2], len(self.operators_))

    def explain(
        self,
        node: Hashable,
        class_: Any = None,
        *,
        X: Any = None,
        graph: Any = None,
        top: int = 5,
    ) -> Explanation:
        """Why a node gets its class, or what speaks for another: operators, neighbours, motifs.

        ``node`` is a name of the graph's; ``top`` says of how many neighbours to tell.
        """
        check_is_fitted(self, "model_")
        X, graph = self._asked(self.X_ if X is None else X, graph)
        number = None
        if class_ is not None:
            places = np.flatnonzero(self.classes_ == class_)
            if len(places) == 0:
                known = ", ".join(map(str, self.classes_))
                raise KeyError(f"the model has no class {class_!r}; its classes are {known}")
            number = int(places[0])
        with progress(self.verbose) as told:
            found = self._network().explain(
                graph._core, for_rust(X), graph.index(node), number, told
            )
        spec = {"support": self.support, "instances": self.instances}
        return explanation(found, graph, self.classes_.tolist(), self.operators_, spec, top)

    def save(self, folder: "str | os.PathLike[str]") -> None:
        """Writes the model to a folder, in the files of the command line: ``motifnet predict folder …``."""
        check_is_fitted(self, "model_")
        self._network().save(folder)

    @classmethod
    def load(cls, folder: "str | os.PathLike[str]") -> "MotifNetClassifier":
        """The model in a folder that :meth:`save` or ``motifnet train --out`` wrote.

        It knows no graph: pass one to ``predict``. Classes that are all integers are integers again.
        """
        model = _motifnet.Model.load(folder)
        settings = model.settings
        estimator = cls(**parameters_of(settings), random_state=settings[SEED])
        estimator.classes_ = decode(model.classes)
        estimator.n_features_in_ = model.n_features
        estimator.model_ = model
        estimator.operators_ = model.operators
        estimator.n_parameters_ = model.n_parameters
        estimator.label_distributions_ = None
        estimator.graph_ = None
        estimator.X_ = None
        return estimator

    def _network(self) -> _motifnet.Model:
        if self.model_ is None:
            raise ValueError(
                f"{self.model} learns nothing that could be kept: it only spreads the labels of its own graph; "
                "fit motifnet-m, chebnet or gcn instead"
            )
        return self.model_

    def _check_features(self, X: Any, *, reset: bool) -> Any:
        return validate_data(
            self, X, reset=reset, accept_sparse="csr", dtype=np.float32, order="C", ensure_min_samples=1
        )

    def _asked(self, X: Any, graph: Any) -> "tuple[Any, DiGraph]":
        check_is_fitted(self, "classes_")
        X = self._check_features(X, reset=False)
        if graph is None:
            graph = self.graph_
            if graph is None:
                raise ValueError("a loaded model knows no graph; pass graph=")
        graph = as_graph(graph)
        return X, check_size(graph, X.shape[0])


def check_size(graph: DiGraph, n_rows: int) -> DiGraph:
    """The graph, if it has a node for every row."""
    if graph.n_nodes != n_rows:
        raise ValueError(
            f"X has {n_rows} rows, and the graph {graph.n_nodes} nodes; give a row for every node, and to "
            "predict on another graph pass graph="
        )
    return graph


def is_known(y: "NDArray[Any]") -> "NDArray[np.bool_]":
    """Where a label is not −1 (nor, among objects, None).

    >>> is_known(np.array(["a", None, -1], dtype=object))
    array([ True, False, False])
    """
    if y.dtype.kind == "O":
        return np.array([label is not None and not (isinstance(label, int) and label == -1) for label in y])
    if y.dtype.kind in "iuf":
        return np.asarray(y != -1)
    return np.ones(len(y), dtype=bool)


def encode(
    y: Any, n_nodes: int, train_mask: Any, validation_mask: Any
) -> "tuple[NDArray[np.int64], NDArray[Any]]":
    """The place of every node's class, −1 where it is not known or not to be looked at; and the classes."""
    if y is None:
        raise ValueError("the classifier requires y to be passed, but the target y is None")
    y = column_or_1d(y, warn=True)
    if y.dtype.kind == "f":
        assert_all_finite(y, input_name="y")
    if len(y) != n_nodes:
        raise ValueError(f"y has {len(y)} labels, and X {n_nodes} rows; give −1 to nodes without a label")
    known = is_known(y)
    if train_mask is not None:
        allowed = np.zeros(n_nodes, dtype=bool)
        allowed[members(train_mask, n_nodes)] = True
        if validation_mask is not None:
            allowed[members(validation_mask, n_nodes)] = True
        known &= allowed
    if not known.any():
        raise ValueError("no node has a label; y is −1 where there is none")
    chosen = y[known]
    if chosen.dtype.kind == "O":
        chosen = np.array(chosen.tolist())
    check_classification_targets(chosen)
    if n_nodes == 1:
        raise ValueError("the classifier cannot be fitted with 1 sample (n_samples=1)")
    classes, places = np.unique(chosen, return_inverse=True)
    labels = np.full(n_nodes, -1, dtype=np.int64)
    labels[known] = places
    return labels, classes


def members(mask: Any, n_nodes: int) -> "NDArray[np.int64]":
    """The nodes of a mask of booleans, or of a list of numbers.

    >>> members([False, True, True], 3), members([2, 0], 3)
    (array([1, 2]), array([2, 0]))
    """
    mask = np.asarray(mask)
    if mask.dtype == bool:
        if mask.shape != (n_nodes,):
            raise ValueError(f"a mask of shape {mask.shape} for {n_nodes} nodes; give one boolean a node")
        return np.flatnonzero(mask).astype(np.int64)
    if mask.dtype.kind not in "iu" or mask.ndim != 1:
        raise TypeError("a mask has a boolean for every node, or is a list of numbers of nodes")
    outside = mask[(mask < 0) | (mask >= n_nodes)]
    if len(outside):
        raise IndexError(f"there is no node {outside[0]}: the graph has {n_nodes}, numbered from 0")
    return np.ascontiguousarray(mask, dtype=np.int64)


def decode(classes: "list[str]") -> "NDArray[Any]":
    """Classes as they were before they were written as text, as far as that can be told.

    >>> decode(["0", "1", "10"]), decode(["a", "1"])
    (array([ 0,  1, 10]), array(['a', '1'], dtype='<U1'))
    """
    try:
        numbers = [int(name) for name in classes]
    except ValueError:
        return np.array(classes)
    return np.array(numbers) if [str(number) for number in numbers] == classes else np.array(classes)


def for_rust(X: Any) -> Any:
    """Features as the Rust part takes them."""
    if not sp.issparse(X):
        return np.ascontiguousarray(X, dtype=np.float32)
    X = sp.csr_array(X, dtype=np.float32)
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return X.indptr, X.indices, X.data, X.shape[1]
