"""scikit-learn's own checks of estimators.

They call ``fit(X, y)`` and ``predict(X)`` with rows that have nothing to do with one another, so they are run
on graphs without arcs: every row is then a node that stands alone.
"""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import ParameterGrid
from sklearn.pipeline import FeatureUnion
from sklearn.utils.estimator_checks import parametrize_with_checks
from sklearn.utils.validation import validate_data

from motifnet import DiGraph, MotifClustering, MotifFeatures, MotifNetClassifier, _motifnet
from motifnet._settings import KEYS


def alone(X):
    """A graph without arcs, a node for every row."""
    n_nodes = X.shape[0] if hasattr(X, "shape") and len(X.shape) else len(np.asarray(X))
    return DiGraph.from_edges([], n_nodes=n_nodes)


class AloneClassifier(MotifNetClassifier):
    """Every row a node that stands alone."""

    def __init__(self, model="motifnet-m", epochs=100, lr=0.01, width=32, dropout=0.0, random_state=0):
        super().__init__(model, epochs=epochs, lr=lr, width=width, dropout=dropout, random_state=random_state)

    def fit(self, X, y):
        return super().fit(X, y, graph=alone(X))

    def predict_proba(self, X, *, graph=None):
        return super().predict_proba(X, graph=alone(X))


class AloneFeatures(MotifFeatures):
    """Every row a node that stands alone, its columns before the counts."""

    def __init__(self, append=True):
        super().__init__(append=append)

    def fit(self, X, y=None):
        return super().fit(X, y, graph=alone(X))

    def transform(self, X, *, graph=None):
        return super().transform(X, graph=alone(X))


class NearClustering(MotifClustering):
    """Rows joined to all others, the nearer the more."""

    def __init__(self, n_clusters=2, method="embedding", random_state=0):
        super().__init__(
            n_clusters, motif="U", method=method, weights="mean", components="all", random_state=random_state
        )

    def fit(self, X, y=None):
        rows = validate_data(self, X, ensure_min_samples=3)
        near = rbf_kernel(rows)
        np.fill_diagonal(near, 0)
        return super().fit(X, y, graph=near)


#: What cannot hold, and why.
EXPECTED = {
    AloneClassifier: {
        "check_classifiers_classes": "it has a class −1, which means no label here and in scikit-learn's own "
        "semi-supervised classifiers (which the check knows by name)",
    },
    AloneFeatures: {},
    NearClustering: dict.fromkeys(
        [
            "check_dont_overwrite_parameters",
            "check_fit2d_1feature",
            "check_fit2d_predict1d",
            "check_methods_subset_invariance",
        ],
        "it asks for one cluster, and a cut makes two",
    ),
}


def expected_failures(estimator):
    return EXPECTED[type(estimator)]


@parametrize_with_checks([AloneClassifier(), AloneFeatures(), NearClustering()], expected_failed_checks=expected_failures)
def test_estimator(estimator, check):
    check(estimator)


def test_every_setting_is_a_parameter_with_its_default():
    tables = ("features.", "model.", "operators.", "train.")
    settings = {key for key, _, _ in _motifnet.setting_keys() if key.startswith(tables)}
    assert settings == {*KEYS.values(), "train.seed"}
    parameters = MotifNetClassifier().get_params()
    defaults = _motifnet.default_settings()
    for name, key in KEYS.items():
        value = list(parameters[name]) if name == "motifs" else parameters[name]
        assert value == defaults.get(key), name


def test_clones_and_grids(ring):
    graph, X, block = ring
    base = MotifNetClassifier(epochs=20, width=8)
    for chosen in ParameterGrid({"order": [1, 2], "motifs": [("U",), ("in", "out")]}):
        model = clone(base).set_params(**chosen).fit(X, block, graph=graph)
        assert model.attention_.shape[2:] == (chosen["order"], len(chosen["motifs"]))


def test_counts_stand_beside_features(ring):
    graph, X, _ = ring
    both = MotifFeatures("roles", append=True).fit(X, graph=graph)
    assert both.transform(X).shape == (120, 150)
    assert both.get_feature_names_out()[0] == "x0" and both.get_feature_names_out()[-1] == "M13.1"
    assert np.array_equal(both.fit_transform(X, graph=graph), both.transform(X))
    plain = MotifFeatures(log=False).fit_transform(None, graph=graph)
    np.testing.assert_allclose(np.log1p(plain), MotifFeatures().fit_transform(None, graph=graph), rtol=1e-6)
    union = FeatureUnion([("motifs", MotifFeatures().fit(X, graph=graph)), ("degrees", MotifFeatures("degrees").fit(X, graph=graph))])
    assert union.transform(X).shape == (120, 16)
    with pytest.raises(ValueError, match="the choices are motifs, roles, degrees"):
        MotifFeatures("edges").fit(graph=graph)
    with pytest.raises(ValueError, match="there is no X"):
        MotifFeatures(append=True).fit(graph=graph)
