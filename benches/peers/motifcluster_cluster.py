"""motifcluster's `run_motif_clustering` (`struc`, `unweighted`, random-walk Laplacian, two clusters) of an edge list.

Timed: from the scipy adjacency matrix in memory to the clusters. A run of more than LIMIT seconds is ended by
the system's alarm, even within a sparse product.
"""

import signal
import sys

import numpy as np
from motifcluster.clustering import run_motif_clustering
from scipy import sparse

from peer import read_arcs, report, timed, version


def main(path, motif, limit):
    n_nodes, sources, targets = read_arcs(path)
    shape = (n_nodes, n_nodes)
    adjacency = sparse.csr_matrix((np.ones(len(sources)), (sources, targets)), shape=shape)
    signal.alarm(limit)
    seconds, found = timed(
        lambda: run_motif_clustering(adjacency, motif, "struc", "unweighted", "sparse", 2, "rw", 2)
    )
    signal.alarm(0)
    groups = np.full(n_nodes, -1)
    groups[np.asarray(found["comps"])] = found["clusts"]
    report(
        peer="motifcluster",
        versions={"motifcluster": version("motifcluster"), "scipy": version("scipy")},
        nodes=n_nodes,
        arcs=len(sources),
        seconds=seconds,
        n_clustered=len(found["comps"]),
        lambda_2=float(np.sort(np.asarray(found["vals"]))[1]),
        groups=groups.tolist(),
    )


if __name__ == "__main__":
    main(sys.argv[1], f"M{sys.argv[2]}", int(sys.argv[3]))
