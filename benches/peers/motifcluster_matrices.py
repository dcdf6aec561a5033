"""motifcluster's thirteen motif adjacency matrices (`struc`, `unweighted`, sparse method) of an edge list.

Timed: from the scipy adjacency matrix in memory to the thirteen matrices, one after the other, each
dropped before the next so that memory is that of one.
"""

import resource
import sys

import numpy as np
from motifcluster.motifadjacency import build_motif_adjacency_matrix
from scipy import sparse

from peer import read_arcs, report, timed, version


def main(path):
    n_nodes, sources, targets = read_arcs(path)
    shape = (n_nodes, n_nodes)
    adjacency = sparse.csr_matrix((np.ones(len(sources)), (sources, targets)), shape=shape)
    seconds, instances, nonzeros = {}, {}, {}
    for motif in [f"M{number}" for number in range(1, 14)]:
        seconds[motif], matrix = timed(
            lambda: build_motif_adjacency_matrix(adjacency, motif, "struc", "unweighted", "sparse")
        )
        matrix.eliminate_zeros()
        total = int(matrix.sum())
        # Every instance credits three pairs, each twice.
        assert total % 6 == 0, f"{motif} adds up to {total}"
        instances[motif], nonzeros[motif] = total // 6, matrix.nnz
        del matrix
    report(
        peer="motifcluster",
        versions={"motifcluster": version("motifcluster"), "scipy": version("scipy")},
        nodes=n_nodes,
        arcs=len(sources),
        seconds=sum(seconds.values()),
        seconds_each=seconds,
        peak_bytes=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
        instance_counts=instances,
        nonzeros=nonzeros,
    )


if __name__ == "__main__":
    main(sys.argv[1])
