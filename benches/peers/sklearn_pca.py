"""scikit-learn's exact PCA of a sparse matrix: `sklearn_pca.py FILE COMPONENTS THREADS RUNS`.

`PCA(svd_solver="arpack")` leaves the matrix sparse, as ours does. Timed: `fit_transform` (mean, components,
scores), from the CSR matrix in memory.
"""

import sys

import numpy as np
import scipy.sparse
from peer import report, timed, version
from sklearn.decomposition import PCA
from threadpoolctl import threadpool_limits


def main(path, components, threads, runs):
    matrix = scipy.sparse.csr_matrix(scipy.sparse.load_npz(path), dtype=np.float64)
    seconds = []
    with threadpool_limits(threads):
        for _ in range(runs):
            pca = PCA(components, svd_solver="arpack", random_state=0)
            taken, _ = timed(lambda: pca.fit_transform(matrix))
            seconds.append(taken)
    report(
        peer="scikit-learn",
        versions={p: version(p) for p in ["scikit-learn", "scipy", "numpy"]},
        rows=matrix.shape[0],
        columns=matrix.shape[1],
        entries=matrix.nnz,
        seconds=min(seconds),
        shares=pca.explained_variance_ratio_.tolist(),
    )


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
