"""Graphs from everywhere, and back."""

import pickle

import igraph
import networkx
import numpy as np
import pandas
import polars
import pytest
import scipy.sparse as sp

from motifnet import DiGraph

ARCS = [("ann", "bob"), ("bob", "cat"), ("cat", "ann"), ("ann", "cat")]


def same(graph, matrix):
    return (graph.to_scipy() != matrix).nnz == 0


def test_scipy_goes_there_and_back(matrix):
    graph = DiGraph.from_scipy(matrix)
    assert graph.is_weighted and same(graph, matrix.astype(np.float32))
    for other in (matrix.tocoo(), matrix.tocsc(), sp.csr_matrix(matrix), matrix.toarray()):
        assert DiGraph.from_scipy(other) == graph
    unweighted = DiGraph.from_scipy(matrix != 0)
    assert not unweighted.is_weighted and unweighted.to_scipy().sum() == matrix.nnz
    assert not DiGraph.from_scipy(matrix, weights=False).is_weighted


def test_a_matrix_that_is_not_square_is_refused():
    with pytest.raises(ValueError, match="a matrix of 2×3 is no graph"):
        DiGraph.from_scipy(np.ones((2, 3)))


@pytest.mark.parametrize("kind", [np.int32, np.int64, np.uint32, np.int16, np.uint8])
def test_arrays_of_any_integers(kind):
    pairs = np.array([(0, 1), (1, 2), (2, 2), (0, 1)], dtype=kind)
    graph = DiGraph.from_edges(pairs, n_nodes=5)
    assert (graph.n_nodes, graph.n_arcs) == (5, 2)
    assert graph.cleaning["self_loops"] == 1 and graph.cleaning["repeated"] == 1
    assert DiGraph.from_edges((pairs[:, 0], pairs[:, 1]), n_nodes=5) == graph
    assert list(graph.nodes) == [0, 1, 2, 3, 4] and graph.index(np.int64(3)) == 3


def test_no_arc_is_turned_round_unless_asked():
    assert DiGraph.from_edges([(0, 1)]).to_scipy().toarray().tolist() == [[0, 1], [0, 0]]
    both = DiGraph.from_edges([(0, 1)], undirected=True)
    assert both.to_scipy().toarray().tolist() == [[0, 1], [1, 0]]
    with pytest.raises(ValueError, match="no directions"):
        DiGraph.from_networkx(networkx.Graph([(0, 1)]))
    with pytest.raises(ValueError, match="no directions"):
        DiGraph.from_igraph(igraph.Graph([(0, 1)]))


@pytest.mark.parametrize("string_kind", ["object", "str", "category"])
def test_pandas_with_names(string_kind):
    frame = pandas.DataFrame(ARCS, columns=["payer", "payee"]).astype(string_kind)
    frame["amount"] = [1.0, 2.0, 3.0, 4.0]
    graph = DiGraph.from_edges(frame, weight="amount")
    assert graph.nodes == ["ann", "bob", "cat"]
    assert graph.to_scipy().toarray().tolist() == [[0, 1, 4], [0, 0, 2], [3, 0, 0]]
    back = graph.to_pandas()
    assert sorted(zip(back["source"], back["target"])) == sorted(ARCS)
    turned = DiGraph.from_edges(frame, source="payee", target="payer")
    assert turned.n_arcs == 4 and turned.to_scipy()[turned.index("bob"), turned.index("ann")] == 1


@pytest.mark.parametrize("string_kind", [polars.String, polars.Categorical])
def test_polars_with_names(string_kind):
    frame = polars.DataFrame(ARCS, schema=["payer", "payee"], orient="row").cast(string_kind)
    graph = DiGraph.from_edges(frame)
    assert graph.nodes == ["ann", "bob", "cat"]
    assert sorted(graph.to_polars().rows()) == sorted(ARCS)
    # Straight through Arrow, too.
    assert sorted(polars.DataFrame(graph).rows()) == sorted(ARCS)


def test_arrow_has_weights_and_integer_names():
    graph = DiGraph.from_edges([(70, 9), (9, -5)], ids=True, weight=[0.5, 2.0])
    assert graph.nodes == [-5, 9, 70]
    assert sorted(polars.DataFrame(graph).rows()) == [(9, -5, 2.0), (70, 9, 0.5)]


def test_missing_names_are_told():
    frame = polars.DataFrame({"a": ["x", None], "b": ["y", "z"]})
    with pytest.raises(ValueError, match="source 1 has no value; drop or fill such rows first"):
        DiGraph.from_edges(frame)
    with pytest.raises(TypeError, match=r"sources\[1\] is 7, of type int, where others are text"):
        DiGraph.from_edges([("a", "b"), (7, "b")])


def test_nodes_beforehand_say_the_order():
    graph = DiGraph.from_edges(ARCS, nodes=["zoe", "cat", "bob", "ann"])
    assert graph.index("cat") == 1 and graph.n_nodes == 4
    assert DiGraph.from_edges([(7, 8)], nodes=[8, 9, 7]).to_edges()[0].tolist() == [2]
    with pytest.raises(ValueError, match='arc 1 has an end called "bob", which is not among the nodes'):
        DiGraph.from_edges(ARCS, nodes=["ann", "cat"])
    with pytest.raises(ValueError, match='two nodes are called "ann"'):
        DiGraph.from_edges(ARCS, nodes=["ann", "ann", "bob", "cat"])


def test_numbers_that_seem_names_are_asked_about():
    with pytest.raises(ValueError, match="pass ids=True if the numbers are names"):
        DiGraph.from_edges([(0, 2_000_000_000)])
    with pytest.raises(ValueError, match="source 1 is -1, which is no number of a node"):
        DiGraph.from_edges([(0, 1), (-1, 0)])
    assert DiGraph.from_edges([(0, 2_000_000_000)], ids=True).n_nodes == 2
    with pytest.raises(ValueError, match="arc 0 goes from 0 to 5, but there are 3 nodes"):
        DiGraph.from_edges([(0, 5)], n_nodes=3)


def test_wrong_shapes_and_columns_are_told():
    with pytest.raises(ValueError, match="an array of 2×3 is no list of arcs"):
        DiGraph.from_edges(np.zeros((2, 3), dtype=int))
    with pytest.raises(ValueError, match=r"arc 1 is \(1, 2, 3\); an arc is a pair"):
        DiGraph.from_edges([(0, 1), (1, 2, 3)])
    with pytest.raises(KeyError, match="there is no column 'to'; the columns are a, b"):
        DiGraph.from_edges(pandas.DataFrame({"a": [0], "b": [1]}), target="to")
    with pytest.raises(ValueError, match="the lengths must agree"):
        DiGraph.from_edges(([0, 1], [1]))
    with pytest.raises(ValueError, match="not a choice of `repeats`; the choices are sum, max, first"):
        DiGraph.from_edges([(0, 1)], repeats="mean")


def test_repeated_weights_are_merged_as_asked():
    arcs, weight = [(0, 1), (0, 1)], [2.0, 3.0]
    for repeats, merged in [("sum", 5.0), ("max", 3.0), ("first", 2.0)]:
        graph = DiGraph.from_edges(arcs, weight=weight, repeats=repeats)
        assert graph.to_scipy()[0, 1] == merged


def test_networkx_goes_there_and_back():
    original = networkx.DiGraph()
    original.add_nodes_from(["z", 3, ("a", 1)])
    original.add_weighted_edges_from([("z", 3, 1.5), (3, ("a", 1), 2.0)])
    graph = DiGraph.from_networkx(original, weight="weight")
    assert graph.nodes == ["z", 3, ("a", 1)]
    back = graph.to_networkx()
    assert list(back.nodes) == list(original.nodes) and dict(back.edges) == dict(original.edges)
    with pytest.raises(KeyError, match="has no attribute 'price'"):
        DiGraph.from_networkx(original, weight="price")
    many = networkx.MultiDiGraph([(0, 1), (0, 1)])
    assert DiGraph.from_networkx(many).cleaning["repeated"] == 1


def test_igraph_goes_there_and_back():
    original = igraph.Graph([(0, 1), (2, 1)], directed=True)
    original.vs["name"] = ["a", "b", "c"]
    original.es["weight"] = [1.5, 2.0]
    graph = DiGraph.from_igraph(original, weight="weight")
    back = graph.to_igraph()
    assert back.get_edgelist() == original.get_edgelist()
    assert back.es["weight"] == [1.5, 2.0] and back.vs["name"] == ["a", "b", "c"]


def test_files_are_read_and_written(tmp_path):
    graph = DiGraph.from_edges(ARCS, weight=[1.0, 2.0, 3.0, 4.0])
    for name in ("arcs.csv", "arcs.tsv.gz", "arcs.parquet"):
        graph.write(tmp_path / name)
        read = DiGraph.read(tmp_path / name)
        assert sorted(read.nodes) == ["ann", "bob", "cat"] and read.n_arcs == 4
        assert sorted(polars.DataFrame(read).rows()) == sorted(polars.DataFrame(graph).rows())
    assert DiGraph.read(tmp_path / "arcs.csv", weight="none").is_weighted is False


def test_what_cannot_be_read_is_an_error_of_python(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no\.tsv: cannot be opened: No such file"):
        DiGraph.read(tmp_path / "no.tsv")
    wrong = tmp_path / "wrong.tsv"
    wrong.write_text("a\tb\nc\n")
    with pytest.raises(ValueError, match=r"wrong\.tsv:2: "):
        DiGraph.read(wrong)
    with pytest.raises(FileNotFoundError, match="does not exist; create it first"):
        DiGraph.from_edges([(0, 1)]).write(tmp_path / "none" / "arcs.csv")
    with pytest.raises(ValueError, match="unknown ending"):
        DiGraph.from_edges([(0, 1)]).write(tmp_path / "arcs.doc")


def test_nodes_are_found_by_name():
    graph = DiGraph.from_edges(ARCS)
    with pytest.raises(KeyError, match="there is no node 'dan'; nodes are called as in the arcs, such as 'ann'"):
        graph.index("dan")
    with pytest.raises(KeyError, match="numbered from 0 to 1"):
        DiGraph.from_edges([(0, 1)]).index(2)


def test_pickles_come_back(matrix):
    for graph in (DiGraph.from_scipy(matrix), DiGraph.from_edges(ARCS), DiGraph.from_edges([], n_nodes=0)):
        assert pickle.loads(pickle.dumps(graph)) == graph


def test_reversed_turns_every_arc_round(matrix):
    graph = DiGraph.from_scipy(matrix)
    assert same(graph.reversed(), matrix.T.tocsr().astype(np.float32))
