"""Writes crates/motifnet/tests/golden/*.json: facts about graphs, as independent tools see them.

The census is igraph's, the matrices are motifcluster's; no line of MotifNet takes part. Run from anywhere:

    MOTIFNET_DATA=<data folder> target/peers-venv/bin/python benches/peers/golden.py

Without MOTIFNET_DATA only the synthetic graphs (`synthetic-*.json`, arcs included) are written.
"""

import gzip
import json
import os
import platform
import re
from dataclasses import dataclass
from math import comb
from pathlib import Path

import igraph
import motifcluster.motifadjacency
import motifcluster.utils
import numpy as np
import scipy
from scipy import sparse

from peer import triad_census, version

OUT = Path(__file__).resolve().parents[2] / "crates/motifnet/tests/golden"

# Which census class counts the induced instances of which motif: ties the two tools together.
CLASS_OF_MOTIF = {
    "M1": "030C", "M2": "120C", "M3": "210", "M4": "300", "M5": "030T", "M6": "120D", "M7": "120U",
    "M8": "021D", "M9": "021C", "M10": "021U", "M11": "111U", "M12": "111D", "M13": "201",
}  # fmt: skip


@dataclass
class Arcs:
    """Arcs as a file has them: loops and repeats included, ends as node positions."""

    n_nodes: int
    sources: np.ndarray
    targets: np.ndarray
    weights: np.ndarray | None = None


# ---- Readers: node order is that of MotifNet's readers ----


def by_ascending_id(pairs, ids=None):
    """Integer ids become positions in ascending order; `ids` names nodes that may have no arc."""
    pairs = np.asarray(pairs, dtype=np.int64)
    order = np.unique(pairs if ids is None else np.concatenate([np.asarray(ids), pairs.ravel()]))
    positions = np.searchsorted(order, pairs)
    return len(order), positions[:, 0], positions[:, 1]


def read_text(path):
    opened = gzip.open(path, "rt") if path.suffix == ".gz" else open(path)
    with opened as lines:
        return Arcs(*by_ascending_id([[int(id) for id in line.split()[:2]] for line in lines]))


def read_gml(path, weight=None):
    text = path.read_text()
    blocks = re.findall(r"\b(node|edge)\s*\[(.*?)\]", text, flags=re.DOTALL)
    ids, pairs, weights = [], [], []
    for kind, block in blocks:
        # Quoted values may hold anything, so only bare numbers are looked at.
        fields = dict(re.findall(r"^\s*(\w+)\s+([-\d.eE+]+)\s*$", block, flags=re.MULTILINE))
        if kind == "node":
            ids.append(int(fields["id"]))
        else:
            pairs.append([int(fields["source"]), int(fields["target"])])
            weights.append(float(fields[weight]) if weight else 1.0)
    return Arcs(*by_ascending_id(pairs, ids), np.array(weights) if weight else None)


def read_csr_npz(path, prefix="", weighted=False):
    with np.load(path, allow_pickle=False) as file:
        indptr, indices = file[f"{prefix}indptr"], file[f"{prefix}indices"]
        data = file[f"{prefix}data"].astype(np.float64)
    n_nodes = len(indptr) - 1
    sources = np.repeat(np.arange(n_nodes), np.diff(indptr))
    return Arcs(n_nodes, sources, indices.astype(np.int64), data if weighted else None)


def read_edges_npz(path):
    with np.load(path, allow_pickle=False) as file:
        edges, n_nodes = file["edges"], len(file["node_labels"])
    return Arcs(n_nodes, edges[:, 0], edges[:, 1])


REAL_GRAPHS = {
    "celegans": ("celegansneural.gml", lambda path: read_gml(path, weight="value")),
    "chameleon-filtered": ("chameleon_filtered_directed.npz", read_edges_npz),
    "cora-ml": ("cora_ml.npz", lambda path: read_csr_npz(path, "adj_matrix.")),
    "ecoli": ("coliInterNoAutoRegVec.txt", read_text),
    "email-eu-core": ("email-Eu-core.txt.gz", read_text),
    "florida-bay": ("edges.tsv", read_text),
    "polblogs": ("polblogs.gml", read_gml),
    "telegram": ("telegram_adj.npz", lambda path: read_csr_npz(path, weighted=True)),
}


# ---- Synthetic graphs ----


def random_arcs(n_nodes, density, reciprocity, seed):
    """A weighted digraph without loops or repeats; weights are multiples of 0.25 up to 4."""
    draw = np.random.default_rng(seed)
    present = draw.random((n_nodes, n_nodes)) < density
    present |= present.T & (draw.random((n_nodes, n_nodes)) < reciprocity)
    np.fill_diagonal(present, False)
    sources, targets = present.nonzero()
    weights = draw.integers(1, 17, len(sources)) / 4
    return Arcs(n_nodes, sources, targets, weights)


SYNTHETIC_GRAPHS = {
    "synthetic-sparse": lambda: random_arcs(40, 0.04, 0.2, seed=1),
    "synthetic-medium": lambda: random_arcs(30, 0.12, 0.3, seed=2),
    "synthetic-reciprocal": lambda: random_arcs(24, 0.15, 0.8, seed=3),
    "synthetic-dense": lambda: random_arcs(12, 0.65, 0.3, seed=4),
}


# ---- Facts ----


def adjacency(arcs):
    """The simple graph: loops dropped, repeats merged (their weights summed), and what that cost."""
    keep = arcs.sources != arcs.targets
    sources, targets = arcs.sources[keep], arcs.targets[keep]
    weights = np.ones(len(sources)) if arcs.weights is None else arcs.weights[keep]
    matrix = sparse.csr_matrix((weights, (sources, targets)), shape=(arcs.n_nodes, arcs.n_nodes))
    matrix.sum_duplicates()
    if arcs.weights is None:
        matrix.data[:] = 1.0
    assert (matrix.data > 0).all(), "motifcluster takes only positive weights for arcs"
    assert (matrix.data == matrix.data.astype(np.float32)).all(), "MotifNet's weights are f32"
    return matrix, int((~keep).sum()), len(sources) - matrix.nnz


def number(value):
    """Whole numbers that f64 holds exactly as integers, everything else at full precision."""
    value = float(value)
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


def matrix_facts(matrix):
    matrix = sparse.csr_matrix(matrix, copy=True).astype(np.float64)
    matrix.eliminate_zeros()
    index = np.arange(matrix.shape[0])
    return {
        "nnz": matrix.nnz,
        "sum": number(matrix.sum()),
        "sum_squares": number((matrix.data**2).sum()),
        "probe": number((1 + index % 5) @ (matrix @ (1 + index % 7))),
    }


def facts(arcs):
    matrix, self_loops, repeated = adjacency(arcs)
    _, census, notes = triad_census(arcs.n_nodes, *matrix.nonzero())
    weightings = ["unweighted"] if arcs.weights is None else ["unweighted", "mean", "product"]
    build = motifcluster.motifadjacency.build_motif_adjacency_matrix
    matrices = {
        motif: {
            type_: {
                weighting: matrix_facts(build(matrix, motif, type_, weighting, "sparse"))
                for weighting in weightings
            }
            for type_ in ["struc", "func"]
        }
        for motif in motifcluster.utils.get_motif_names()
    }
    for motif, by_type in matrices.items():
        for type_, by_weighting in by_type.items():
            patterns = {facts_["nnz"] for facts_ in by_weighting.values()}
            assert len(patterns) == 1, f"{motif} {type_}: rounding left entries that should be zero"
    for motif, class_ in CLASS_OF_MOTIF.items():
        credited = matrices[motif]["struc"]["unweighted"]["sum"]
        assert credited == 6 * census[class_], f"{motif}: {credited} is not 6 × {census[class_]}"
    assert sum(census.values()) == comb(arcs.n_nodes, 3)
    return {
        "n_nodes": arcs.n_nodes,
        "n_arcs": matrix.nnz,
        "self_loops": self_loops,
        "repeated": repeated,
        "weighted": arcs.weights is not None,
        "notes": notes,
        "census": {class_: str(count) for class_, count in census.items()},
        "matrices": matrices,
    }


def write(name, content):
    tools = {"igraph": igraph.__version__, "motifcluster": version("motifcluster")}
    tools |= {"numpy": np.__version__, "scipy": scipy.__version__}
    content = {"graph": name, "tools": tools | {"python": platform.python_version()}} | content
    text = json.dumps(content, indent=1, ensure_ascii=False)
    # One line for each innermost list or object: half the size, and a difference is one line.
    innermost = re.compile(r"[\[{]\n[^\[\]{}]*[\]}]")
    text = innermost.sub(lambda match: json.dumps(json.loads(match[0]), ensure_ascii=False), text)
    assert json.loads(text) == content
    (OUT / f"{name}.json").write_text(text + "\n")
    print(f"{name}: {content['n_nodes']} nodes, {content['n_arcs']} arcs, {content['self_loops']} self-loops,"
          f" {content['repeated']} repeated, {len(text)} bytes", *content["notes"], sep="\n  ")  # fmt: skip


def main():
    OUT.mkdir(exist_ok=True)
    for name, generate in SYNTHETIC_GRAPHS.items():
        arcs = generate()
        triples = zip(arcs.sources.tolist(), arcs.targets.tolist(), arcs.weights.tolist())
        write(name, facts(arcs) | {"arcs": [list(triple) for triple in triples]})
    data = os.environ.get("MOTIFNET_DATA")
    if not data:
        print("MOTIFNET_DATA is not set: the real graphs' files stay as they are")
        return
    for name, (file, read) in REAL_GRAPHS.items():
        write(name, {"file": file} | facts(read(Path(data) / name / file)))


if __name__ == "__main__":
    main()
