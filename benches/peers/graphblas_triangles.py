"""SuiteSparse:GraphBLAS counts the triangles of S = [A + Aᵀ > 0] with one thread.

The methods are LAGraph's four after Sandia (L and U the strict triangles of S, `plus_pair` products):

    LL: sum(L·L  ∘ L)    UU: sum(U·U  ∘ U)    LUT: sum(L·Uᵀ ∘ L)    ULT: sum(U·Lᵀ ∘ U)

each on S as it comes and relabelled by ascending and by descending degree. The fastest is the peer.
Timed: `seconds`, from S in GraphBLAS memory (already relabelled) to the count; `seconds_product`, of
that the product and its sum; `seconds_with_sort`, from S as it comes, the relabelling included.
"""

import sys

import graphblas as gb
import numpy as np
from graphblas import Matrix, binary, monoid, select, semiring

from peer import fastest, read_arcs, repeated, report, version

PRODUCT = semiring.plus_pair["INT64"]


def undirected(n_nodes, sources, targets):
    arcs = Matrix.from_coo(sources, targets, 1, nrows=n_nodes, ncols=n_nodes, dtype="INT64")
    both = arcs.ewise_add(arcs.T, binary.first).new()
    both.wait()
    return both


def relabelled(matrix, order):
    """Rows and columns by degree, ascending (1) or descending (-1); as they are for 0."""
    if order == 0:
        return matrix
    degrees = np.diff(matrix.ss.export("csr")["indptr"].astype(np.int64))
    new_order = np.argsort(order * degrees, kind="stable")
    permuted = matrix[new_order, new_order].new()
    permuted.wait()
    return permuted


def count(lower, upper, method):
    match method:
        case "LL":
            product = PRODUCT(lower @ lower).new(mask=lower.S)
        case "UU":
            product = PRODUCT(upper @ upper).new(mask=upper.S)
        case "LUT":
            product = PRODUCT(lower @ upper.T).new(mask=lower.S)
        case "ULT":
            product = PRODUCT(upper @ lower.T).new(mask=upper.S)
    return product.reduce_scalar(monoid.plus).get(0)


def triangles_of(matrix, method):
    # A method is charged only for the triangle it reads.
    lower = select.tril(matrix, -1).new() if method != "UU" else None
    upper = select.triu(matrix, 1).new() if method != "LL" else None
    return count(lower, upper, method)


def main(path, runs):
    gb.ss.config["nthreads"] = 1
    n_nodes, sources, targets = read_arcs(path)
    matrix = undirected(n_nodes, sources, targets)
    variants, counts = {}, set()
    for order, name in [(0, "unsorted"), (1, "ascending"), (-1, "descending")]:
        ready = relabelled(matrix, order)
        for method in ["LL", "UU", "LUT", "ULT"]:
            variants[name, method], triangles = repeated(lambda: triangles_of(ready, method), runs)
            counts.add(int(triangles))
    assert len(counts) == 1, f"the variants disagree: {counts}"

    best = fastest(variants)
    order = {"unsorted": 0, "ascending": 1, "descending": -1}[best[0]]
    ready = relabelled(matrix, order)
    lower, upper = select.tril(ready, -1).new(), select.triu(ready, 1).new()
    product, _ = repeated(lambda: count(lower, upper, best[1]), runs)
    with_sort, _ = repeated(lambda: triangles_of(relabelled(matrix, order), best[1]), runs)
    report(
        peer="graphblas",
        versions={p: version(p) for p in ["python-graphblas", "suitesparse-graphblas"]},
        nodes=n_nodes,
        edges=matrix.nvals // 2,
        triangles=counts.pop(),
        variant=" ".join(best),
        seconds=variants[best],
        seconds_product=product,
        seconds_with_sort=with_sort,
        seconds_each={" ".join(variant): seconds for variant, seconds in variants.items()},
    )


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
