"""What the peers' scripts share: the same arcs, the same clock, one JSON object on stdout."""

import importlib.metadata
import json
import re
import sys
import time
from math import comb

import numpy as np

CENSUS_CLASSES = ["003", "012", "102", "021D", "021U", "021C", "111D", "111U",
                  "030T", "030C", "201", "120D", "120U", "120C", "210", "300"]  # fmt: skip


def version(package):
    return importlib.metadata.version(package)


def read_arcs(path):
    """The simple digraph of a tab separated list of integer ids: number of nodes, sources, targets.

    As in MotifNet's reader, nodes are 0, 1, …, N - 1 where the first line is `# nodes: N`, else the ids
    that occur, in ascending order.
    """
    with open(path) as file:
        told = re.fullmatch(r"# nodes: (\d+)\n", file.readline())
    if told:
        ends = np.loadtxt(path, dtype=np.int64, ndmin=2)
        ends = np.unique(ends[ends[:, 0] != ends[:, 1]], axis=0)
        return int(told[1]), ends[:, 0], ends[:, 1]
    ids, ends = np.unique(np.loadtxt(path, dtype=np.int64, ndmin=2), return_inverse=True)
    ends = ends.reshape(-1, 2)
    ends = np.unique(ends[ends[:, 0] != ends[:, 1]], axis=0)
    return len(ids), ends[:, 0], ends[:, 1]


def timed(work):
    """Seconds of one call, and what it returned."""
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def repeated(work, runs):
    """The least seconds of `runs` calls after one that warms up, and what the last one returned.

    The least, on either side, is what other work on the machine disturbs least.
    """
    work()
    times, results = zip(*(timed(work) for _ in range(runs)))
    return min(times), results[-1]


def fastest(variants):
    return min(variants, key=variants.get)


def triad_census(n_nodes, sources, targets):
    """igraph's census of a simple digraph: seconds, counts by Holland–Leinhardt name, notes on repairs.

    igraph counts in floating point and machine integers: where the classes do not add up to C(n, 3),
    the empty class, which is what is left over, is recomputed from the other fifteen.
    """
    import igraph

    graph = igraph.Graph(n=n_nodes, edges=np.column_stack([sources, targets]), directed=True)
    seconds, raw = timed(graph.triad_census)
    census = {name: int(raw[name]) for name in CENSUS_CLASSES}
    rest = comb(n_nodes, 3) - sum(count for name, count in census.items() if name != "003")
    if census["003"] == rest:
        return seconds, census, []
    note = f"igraph gave 003 as {census['003']}; recomputed as C({n_nodes}, 3) less the other classes"
    return seconds, census | {"003": rest}, [note]


def report(**content):
    json.dump(content, sys.stdout, ensure_ascii=False)
    print()
