"""Why a model gives a node its class."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from ._graph import DiGraph
from ._motifnet import Explained
from ._motifs import MOTIFS, motif_instances

#: Instances of a motif that are told of a neighbour.
SHOWN = 3


@dataclass(frozen=True)
class Neighbour:
    """What one neighbour did to the logit, through the node's own row of the operators."""

    node: Hashable
    #: Over all operators.
    total: float
    by_operator: "dict[str, float]"
    #: Some of the instances that tie the two together, by motif.
    instances: "dict[str, list[tuple[Hashable, ...]]]"


@dataclass(frozen=True)
class Explanation:
    """The logit of a class at a node, split among the operators and the neighbours.

    ``logit_without_graph`` and the ``shares`` of the operators add up to the ``logit``, to within ``gap``
    (integrated gradients, all operators switched on together). What the neighbours did and what came from
    ``beyond`` them is each operator's share. Where a model cannot be split, ``why_not`` says why.
    """

    node: Hashable
    #: The class that is explained.
    class_: Any
    probabilities: "dict[Any, float]"
    logit: float
    logit_without_graph: float
    shares: "dict[str, float]"
    beyond: "dict[str, float]"
    gap: float
    neighbours: "list[Neighbour]"
    why_not: "str | None" = None

    def __str__(self) -> str:
        lines = [f"node {self.node}: {self.class_} with probability {self.probabilities[self.class_]:.3f}"]
        if self.why_not is not None:
            return "\n".join([*lines, f"logit {self.logit:.3f}; {self.why_not}"])
        lines.append(f"logit {self.logit:.3f}, of which {self.logit_without_graph:.3f} without the graph")
        ordered = sorted(self.shares.items(), key=lambda share: -abs(share[1]))
        lines += [f"  {name:<6} {value:+.3f}" for name, value in ordered]
        lines += [f"  from {near.node}: {near.total:+.3f}" for near in self.neighbours]
        return "\n".join(lines)


def explanation(
    found: Explained,
    graph: DiGraph,
    classes: "list[Any]",
    operators: "list[str]",
    spec: "dict[str, str]",
    top: int,
) -> Explanation:
    """What the Rust part found, with names."""
    names = graph.nodes
    node = names[found.node]
    neighbours = []
    for number, total, by_operator in found.neighbours[:top]:
        parts = dict(zip(operators, by_operator))
        instances = {}
        for motif, value in parts.items():
            if value != 0.0 and number != found.node and MOTIFS[motif][1] is not None:
                shown, _ = motif_instances(graph, motif, node, names[number], limit=SHOWN, **spec)
                if shown:
                    instances[motif] = shown
        neighbours.append(Neighbour(names[number], total, parts, instances))
    return Explanation(
        node=node,
        class_=classes[found.class_],
        probabilities=dict(zip(classes, found.probabilities)),
        logit=found.logit,
        logit_without_graph=found.logit_without_graph,
        shares=dict(zip(operators, found.shares)),
        beyond=dict(zip(operators, found.beyond)),
        gap=found.gap,
        neighbours=neighbours,
        why_not=found.why_not,
    )
