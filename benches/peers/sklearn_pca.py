"""scikit-learn's exact PCA of a sparse matrix: `sklearn_pca.py FILE COMPONENTS THREADS RUNS`.

`PCA(svd_solver="arpack")` leaves the matrix sparse, as ours does. Timed: `fit_transform` (mean, components,
scores), from the CSR matrix in memory, with one BLAS thread and with THREADS of them: the vectors are so
short that waiting threads cost more than they give on a machine that has other work. The faster is the peer.
"""

import sys

import numpy as np
import scipy.sparse
from peer import fastest, report, timed, version
from sklearn.decomposition import PCA
from threadpoolctl import threadpool_limits


def main(path, components, threads, runs):
    matrix = scipy.sparse.csr_matrix(scipy.sparse.load_npz(path), dtype=np.float64)
    variants = {}
    for limit in sorted({1, threads}):
        with threadpool_limits(limit):
            models = [PCA(components, svd_solver="arpack", random_state=0) for _ in range(runs)]
            variants[limit] = min(timed(lambda: pca.fit_transform(matrix))[0] for pca in models)
    report(
        peer="scikit-learn",
        versions={p: version(p) for p in ["scikit-learn", "scipy", "numpy"]},
        rows=matrix.shape[0],
        columns=matrix.shape[1],
        entries=matrix.nnz,
        seconds=variants[fastest(variants)],
        seconds_each={str(limit): seconds for limit, seconds in variants.items()},
        shares=models[-1].explained_variance_ratio_.tolist(),
    )


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
