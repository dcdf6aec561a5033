"""Motif counts beside those of randomised graphs."""

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _motifnet
from ._graph import as_graph
from ._motifs import by_name, triad_names
from ._progress import progress
from ._seed import seed_of


@dataclass(frozen=True)
class MotifSignificance:
    """A motif or triad in the graph and in the randomised ones."""

    #: How many there are in the graph.
    count: int
    #: Their mean number and standard deviation in the randomised graphs.
    mean: float
    sd: float
    #: (count − mean) / sd; ``None`` where all randomised graphs have the same number.
    z: "float | None"
    #: (1 + randomised graphs with at least, or at most, as many) / (1 + randomised graphs).
    p_more: float
    p_less: float
    #: z / √Σz² over M1 to M13; ``None`` of the triads 003, 012 and 102, which are no motifs.
    profile: "float | None"


def motif_significance(
    graph: Any,
    *,
    null: str = "degree",
    n_samples: int = 100,
    switches: int = 10,
    instances: str = "induced",
    random_state: Any = 0,
    verbose: bool = False,
) -> "dict[str, MotifSignificance]":
    """How the motif counts compare with those of graphs that are random but for what a null model keeps.

    ``null`` is ``"degree"`` (arcs into and out of every node), ``"degree+reciprocal"`` (and those both ways), or
    ``"erdos"`` (the numbers of nodes and arcs alone). The first two are walked to by switches of arcs,
    ``switches`` for every arc between one sample and the next; a warning says if samples still depend on one
    another.

    >>> from motifnet import DiGraph
    >>> arcs = [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5), (6, 0), (3, 7)]
    >>> loops = motif_significance(DiGraph.from_edges(arcs))["M5"]
    >>> loops.count, loops.mean < 2, loops.z > 0
    (2, True, True)
    """
    found = compared(graph, null, n_samples, switches, instances, False, random_state, verbose)
    return {row[0]: MotifSignificance(*row[1:]) for row in found.classes}


def node_significance(
    graph: Any,
    *,
    null: str = "degree",
    n_samples: int = 100,
    switches: int = 10,
    instances: str = "induced",
    random_state: Any = 0,
    verbose: bool = False,
) -> "dict[str, NDArray[np.float64]]":
    """For every motif and node, how many deviations the node's count is above that in randomised graphs.

    NaN where all randomised graphs have the same number. The words are those of :func:`motif_significance`.

    >>> from motifnet import DiGraph
    >>> arcs = [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5), (6, 0), (3, 7)]
    >>> bool(node_significance(DiGraph.from_edges(arcs))["M5"][0] > 0)
    True
    """
    found = compared(graph, null, n_samples, switches, instances, True, random_state, verbose)
    assert found.node_z is not None
    return by_name(triad_names(), found.node_z)


def compared(
    graph: Any,
    null: str,
    n_samples: int,
    switches: int,
    instances: str,
    per_node: bool,
    random_state: Any,
    verbose: bool,
) -> _motifnet.Compared:
    with progress(verbose) as told:
        found = _motifnet.motif_significance(
            as_graph(graph)._core,
            null,
            n_samples,
            switches,
            instances,
            per_node,
            seed_of(random_state),
            told,
        )
    if found.mixing is not None and (found.mixing[2] or found.mixing[3]):
        acceptance, correlation, _, _ = found.mixing
        warnings.warn(
            f"the randomised graphs depend on one another (correlation {correlation}, {acceptance:.1%} of the switches "
            "made): take what is found with care, or pass more switches",
            stacklevel=3,
        )
    return found
