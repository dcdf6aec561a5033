"""How the parameters of the classifier are called in configuration files."""

from collections.abc import Mapping
from typing import Any

import numpy as np

#: By parameter; those of the tables `data` and `run` have no meaning here.
KEYS = {
    "model": "model.name",
    "order": "model.order",
    "motifs": "model.motifs",
    "heads": "model.heads",
    "operator": "model.operator",
    "convs": "model.convs",
    "dense": "model.dense",
    "width": "model.width",
    "activation": "model.activation",
    "dropout": "model.dropout",
    "max_terms": "model.max_terms",
    "jacobi": "model.jacobi",
    "eigenvectors": "model.eigenvectors",
    "coefficients": "model.coefficients",
    "kernels": "model.kernels",
    "support": "operators.support",
    "instances": "operators.instances",
    "weights": "operators.weights",
    "laplacian": "operators.laplacian",
    "normalization": "operators.normalization",
    "lambda_max": "operators.lambda_max",
    "tf_idf": "features.tf_idf",
    "normalize_rows": "features.normalize_rows",
    "standardize": "features.standardize",
    "max_columns": "features.max_columns",
    "scale": "features.scale",
    "epochs": "train.epochs",
    "patience": "train.patience",
    "lr": "train.lr",
    "decay": "train.decay",
    "decay_kind": "train.decay_kind",
    "beta1": "train.beta1",
    "beta2": "train.beta2",
    "epsilon": "train.epsilon",
    "class_weights": "train.class_weights",
    "memory_limit": "train.memory_limit",
}

#: Set from `random_state`.
SEED = "train.seed"


def settings_of(parameters: "Mapping[str, Any]") -> "dict[str, Any]":
    """The settings that these parameters make; what is ``None`` is left at its default.

    >>> settings_of({"order": 2, "memory_limit": None})
    {'model.order': 2}
    """
    values = {key: parameters[name] for name, key in KEYS.items() if name in parameters}
    return {key: plain(value) for key, value in values.items() if value is not None}


def plain(value: Any) -> Any:
    """A value without NumPy's types, whose bools Rust would not know."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    return value


def parameters_of(settings: "dict[str, Any]") -> "dict[str, Any]":
    """The parameters that make these settings.

    >>> parameters_of({"model.order": 2, "run.repeat": 3})
    {'order': 2}
    """
    return {name: settings[key] for name, key in KEYS.items() if key in settings}
