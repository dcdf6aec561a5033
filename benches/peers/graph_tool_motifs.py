"""graph-tool's motif counts, and their significance.

    graph_tool_motifs.py FILE significance SAMPLES   motif_significance: one switch an arc and sample
    graph_tool_motifs.py FILE count 0                motifs: one count of all connected triads

Timed: the call alone, the graph being in memory. graph-tool comes from Debian's packages, so this script is run by
the system's Python and uses nothing of the other peers' environment.
"""

import json
import sys
import time
from itertools import permutations

import graph_tool
from graph_tool import Graph
from graph_tool.clustering import motif_significance, motifs

# The arcs of M1 to M13.
MOTIFS = {
    "M1": [(0, 1), (1, 2), (2, 0)],
    "M2": [(0, 1), (1, 0), (1, 2), (2, 0)],
    "M3": [(0, 1), (1, 0), (1, 2), (2, 1), (2, 0)],
    "M4": [(0, 1), (1, 0), (1, 2), (2, 1), (0, 2), (2, 0)],
    "M5": [(0, 1), (1, 2), (0, 2)],
    "M6": [(0, 1), (1, 0), (2, 0), (2, 1)],
    "M7": [(0, 1), (1, 0), (0, 2), (1, 2)],
    "M8": [(0, 1), (0, 2)],
    "M9": [(2, 0), (0, 1)],
    "M10": [(1, 0), (2, 0)],
    "M11": [(0, 1), (1, 0), (0, 2)],
    "M12": [(0, 1), (1, 0), (2, 0)],
    "M13": [(0, 1), (1, 0), (0, 2), (2, 0)],
}


def graph_of(arcs, n_nodes=0):
    graph = Graph(directed=True)
    graph.add_vertex(n_nodes)
    graph.add_edge_list(arcs)
    return graph


def name_of(shape):
    """Which motif a graph of three nodes is: graph-tool returns them in an order of its own."""
    arcs = [(int(arc.source()), int(arc.target())) for arc in shape.edges()]
    for order in permutations(range(3)):
        renamed = {(order[source], order[target]) for source, target in arcs}
        for name, motif in MOTIFS.items():
            if renamed == set(motif):
                return name


def read(path):
    """The simple graph of the first two columns; nodes are numbered as they are met."""
    numbers, arcs = {}, set()
    with open(path) as file:
        for line in file:
            if line.strip() and line[0] not in "#%":
                source, target = (numbers.setdefault(word, len(numbers)) for word in line.split()[:2])
                if source != target:
                    arcs.add((source, target))
    return graph_of(sorted(arcs), len(numbers))


def main(path, what, samples):
    graph = read(path)
    shapes = [graph_of(arcs, 3) for arcs in MOTIFS.values()]
    start = time.perf_counter()
    z_scores = means = spreads = None
    if what == "significance":
        # Shapes, z, counts, means and spreads over the shuffled graphs.
        found, z_scores, counts, means, spreads = motif_significance(
            graph, 3, n_shuffles=samples, motif_list=shapes, full_output=True
        )
    else:
        found, counts = motifs(graph, 3, motif_list=shapes)
    seconds = time.perf_counter() - start
    names = [name_of(shape) for shape in found]
    named = lambda values: None if values is None else dict(zip(names, map(float, values)))
    json.dump(
        {
            "versions": {"graph-tool": graph_tool.__version__},
            "nodes": graph.num_vertices(),
            "arcs": graph.num_edges(),
            "seconds": seconds,
            "counts": named(counts),
            "z": named(z_scores),
            "means": named(means),
            "sds": named(spreads),
        },
        sys.stdout,
    )
    print()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
