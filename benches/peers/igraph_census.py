"""igraph's triad census of an edge list. Timed: the census alone, the graph being in memory."""

import sys

import igraph

from peer import read_arcs, report, triad_census


def main(path):
    n_nodes, sources, targets = read_arcs(path)
    seconds, census, notes = triad_census(n_nodes, sources, targets)
    report(
        peer="igraph",
        versions={"igraph": igraph.__version__},
        nodes=n_nodes,
        arcs=len(sources),
        seconds=seconds,
        census={name: str(count) for name, count in census.items()},
        notes=notes,
    )


if __name__ == "__main__":
    main(sys.argv[1])
