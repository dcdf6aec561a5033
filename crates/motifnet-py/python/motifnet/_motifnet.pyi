"""The part of the package that is Rust."""

import os
from collections.abc import Callable, Sequence
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Clusters",
    "Compared",
    "Explained",
    "Fit",
    "Graph",
    "Model",
    "Operator",
    "cluster_defaults",
    "default_settings",
    "edge_counts",
    "fit",
    "motif_clusters",
    "motif_instances",
    "motif_matrices",
    "motif_operators",
    "motif_significance",
    "motif_table",
    "node_counts",
    "role_counts",
    "run_command",
    "set_threads",
    "setting_keys",
    "significance_defaults",
    "triad_census",
]

_Progress = Callable[[str, int, int | None, str], None] | None
_Integers = NDArray[np.int32] | NDArray[np.int64] | NDArray[np.uint32]
_Floats = NDArray[np.float32] | NDArray[np.float64]
_Names = Sequence[str] | Any
_Features = NDArray[np.float32] | tuple[_Integers, _Integers, NDArray[np.float32], int]
_Csr = tuple[_Integers, _Integers, NDArray[np.float64]]

@final
class Graph:
    @staticmethod
    def from_numbers(
        sources: _Integers,
        targets: _Integers,
        weights: _Floats | None,
        n_nodes: int | None,
        repeats: str,
        undirected: bool,
    ) -> Graph: ...
    @staticmethod
    def from_csr(
        indptr: _Integers,
        indices: _Integers,
        weights: _Floats | None,
        repeats: str,
        undirected: bool,
    ) -> Graph: ...
    @staticmethod
    def from_ids(
        sources: _Integers,
        targets: _Integers,
        weights: _Floats | None,
        nodes: _Integers | None,
        repeats: str,
        undirected: bool,
    ) -> Graph: ...
    @staticmethod
    def from_names(
        sources: _Names,
        targets: _Names,
        weights: _Floats | None,
        nodes: _Names | None,
        repeats: str,
        undirected: bool,
    ) -> Graph: ...
    @staticmethod
    def read(
        path: str | os.PathLike[str],
        format: str | None,
        source: str | None,
        target: str | None,
        weight: str,
        delimiter: str | None,
        header: bool | None,
        n_nodes: int | None,
        repeats: str,
        undirected: bool,
        max_decompressed: int | None,
        progress: _Progress,
    ) -> Graph: ...
    def write(self, path: str | os.PathLike[str]) -> list[str]: ...
    @property
    def n_nodes(self) -> int: ...
    @property
    def n_arcs(self) -> int: ...
    @property
    def is_weighted(self) -> bool: ...
    @property
    def cleaning(self) -> dict[str, int]: ...
    @property
    def notes(self) -> list[str]: ...
    def describe_cleaning(self) -> str | None: ...
    def names(self) -> NDArray[np.int64] | list[str] | None: ...
    def csr(self) -> tuple[_Integers, _Integers, NDArray[np.float32] | None]: ...
    def reversed(self) -> Graph: ...
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...

@final
class Operator:
    @property
    def n_nodes(self) -> int: ...
    @property
    def is_symmetric(self) -> bool: ...
    def size(self) -> tuple[int, bool]: ...
    def apply(self, x: _Floats, transpose: bool) -> _Floats: ...

@final
class Model:
    @staticmethod
    def load(path: str | os.PathLike[str]) -> Model: ...
    def save(self, path: str | os.PathLike[str]) -> None: ...
    def to_bytes(self) -> tuple[str, str, bytes]: ...
    @staticmethod
    def from_bytes(config: str, text: str, tensors: bytes) -> Model: ...
    def __reduce__(self) -> tuple[Any, tuple[str, str, bytes]]: ...
    @property
    def settings(self) -> dict[str, Any]: ...
    @property
    def classes(self) -> list[str]: ...
    @property
    def n_features(self) -> int: ...
    @property
    def n_parameters(self) -> int: ...
    @property
    def operators(self) -> list[str]: ...
    @property
    def can_move(self) -> bool: ...
    def probabilities(
        self, graph: Graph, features: _Features, nodes: _Integers | None, progress: _Progress
    ) -> NDArray[np.float32]: ...
    def embeddings(
        self, graph: Graph, features: _Features, progress: _Progress
    ) -> NDArray[np.float32]: ...
    def attention(self) -> list[tuple[str, int, int, int, float, float]]: ...
    def explain(
        self,
        graph: Graph,
        features: _Features,
        node: int,
        class_: int | None,
        progress: _Progress,
    ) -> Explained: ...

@final
class Explained:
    @property
    def node(self) -> int: ...
    @property
    def class_(self) -> int: ...
    @property
    def probabilities(self) -> list[float]: ...
    @property
    def logit(self) -> float: ...
    @property
    def why_not(self) -> str | None: ...
    @property
    def logit_without_graph(self) -> float: ...
    @property
    def shares(self) -> list[float]: ...
    @property
    def gap(self) -> float: ...
    @property
    def beyond(self) -> list[float]: ...
    @property
    def neighbours(self) -> list[tuple[int, float, list[float]]]: ...

@final
class Fit:
    @property
    def model(self) -> Model | None: ...
    @property
    def probabilities(self) -> NDArray[np.float32] | None: ...
    @property
    def history(self) -> dict[str, NDArray[np.float64]]: ...
    @property
    def best_epoch(self) -> int: ...
    @property
    def n_parameters(self) -> int: ...
    @property
    def operators(self) -> list[str]: ...
    @property
    def validation(self) -> NDArray[np.uint32]: ...

@final
class Clusters:
    @property
    def labels(self) -> NDArray[np.int64]: ...
    @property
    def facts(self) -> list[tuple[int, float, float, float]]: ...
    @property
    def left_out(self) -> tuple[int, int, int]: ...
    @property
    def eigenvalues(self) -> NDArray[np.float64]: ...
    @property
    def curve(
        self,
    ) -> tuple[NDArray[np.uint32], NDArray[np.float64], NDArray[np.float64]] | None: ...
    @property
    def points(self) -> NDArray[np.float64] | None: ...
    @property
    def stop(self) -> str | None: ...
    @property
    def residual(self) -> float: ...
    @property
    def is_converged(self) -> bool: ...

def cluster_defaults() -> dict[str, Any]: ...
def motif_clusters(
    graph: Graph,
    motifs: str,
    support: str,
    instances: str,
    weights: str,
    n_clusters: int,
    method: str,
    laplacian: str,
    components: str,
    min_size: int,
    max_conductance: float,
    n_starts: int,
    tolerance: float,
    max_products: int,
    seed: int,
    progress: _Progress,
) -> Clusters: ...
@final
class Compared:
    @property
    def classes(
        self,
    ) -> list[tuple[str, int, float, float, float | None, float, float, float | None]]: ...
    @property
    def mixing(self) -> tuple[float, float | None, bool, bool] | None: ...
    @property
    def node_z(self) -> NDArray[np.float64] | None: ...

def significance_defaults() -> dict[str, Any]: ...
def motif_significance(
    graph: Graph,
    null: str,
    n_samples: int,
    switches: int,
    instances: str,
    per_node: bool,
    seed: int,
    progress: _Progress,
) -> Compared: ...
def fit(
    graph: Graph,
    features: _Features,
    labels: NDArray[np.int64],
    classes: Sequence[str],
    validation: _Integers | None,
    hold_out: float,
    settings: dict[str, Any],
    progress: _Progress,
) -> Fit: ...
def motif_table() -> list[tuple[str, list[tuple[int, int]], str | None]]: ...
def triad_census(graph: Graph, progress: _Progress) -> dict[str, int]: ...
def node_counts(graph: Graph, instances: str, progress: _Progress) -> NDArray[np.int64]: ...
def edge_counts(
    graph: Graph, instances: str, progress: _Progress
) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...
def role_counts(graph: Graph, progress: _Progress) -> tuple[list[str], NDArray[np.int64]]: ...
def motif_matrices(
    graph: Graph,
    motifs: Sequence[str],
    support: str,
    instances: str,
    weights: str,
    laplacian: tuple[str, str, str] | None,
    max_entries: int,
    progress: _Progress,
) -> list[_Csr]: ...
def motif_operators(
    graph: Graph,
    motifs: Sequence[str],
    support: str,
    instances: str,
    weights: str,
    laplacian: tuple[str, str, str] | None,
    progress: _Progress,
) -> list[Operator]: ...
def motif_instances(
    graph: Graph,
    motif: str,
    first: int,
    second: int,
    support: str,
    instances_: str,
    limit: int,
) -> tuple[list[list[int]], int]: ...
def setting_keys() -> list[tuple[str, str, list[str]]]: ...
def default_settings() -> dict[str, Any]: ...
def set_threads(threads: int | None = None) -> None: ...
def run_command(args: Sequence[str]) -> int: ...
