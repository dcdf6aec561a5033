"""Node classification."""

import pickle
import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse as sp

from motifnet import DiGraph, MotifFeatures, MotifNetClassifier

QUICK = {"epochs": 60, "lr": 0.01, "width": 16, "patience": 30}
MODELS = [
    "motifnet-m", "motifnet-d", "polynomial", "chebnet", "gcn", "cayley", "spectral", "spline", "monet", "mlp",
    "labelprop",
]


def some_known(block, share=0.5, seed=0):
    """Labels of a share of the nodes, −1 for the others."""
    hidden = np.random.default_rng(seed).random(len(block)) >= share
    return np.where(hidden, -1, block)


def test_directions_are_learnt(ring):
    graph, X, block = ring
    y = some_known(block)
    model = MotifNetClassifier("motifnet-d", order=2, epochs=300, lr=0.01, width=32).fit(X, y, graph=graph)
    hidden = np.where(y == -1, block, -1)
    blind = MotifNetClassifier("gcn", epochs=300, lr=0.01, width=32).fit(X, y, graph=graph)
    assert model.score(X, hidden) > 0.9
    assert model.score(X, hidden) > blind.score(X, hidden)


@pytest.mark.parametrize("name", MODELS)
def test_every_model_of_the_library(ring, name):
    graph, _, block = ring
    # Something that even a model without a graph can learn from.
    X = np.eye(3)[block] + np.random.default_rng(1).normal(scale=0.5, size=(120, 3))
    y = some_known(block)
    settings = {"epochs": 300, "lr": 0.01, "width": 32, "dropout": 0.2}
    model = MotifNetClassifier(name, motifs=["U", "in", "out"], eigenvectors=20, **settings).fit(X, y, graph=graph)
    probabilities = model.predict_proba(X)
    assert probabilities.shape == (120, 3)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1, atol=1e-5)
    # Blocks that differ by directions alone leave no trace in the smoothest eigenvectors.
    assert model.score(X, block) > 0.5 or name in ("spectral", "spline")
    assert set(model.predict(X)) <= {0, 1, 2}


def test_the_same_seed_gives_the_same_model(ring):
    graph, X, block = ring
    y = some_known(block)
    fit = lambda seed: MotifNetClassifier(random_state=seed, **QUICK).fit(X, y, graph=graph)
    first = fit(7)
    assert np.array_equal(first.predict_proba(X), fit(7).predict_proba(X))
    assert not np.array_equal(first.predict_proba(X), fit(8).predict_proba(X))
    assert fit(np.random.RandomState(0)).n_iter_ >= 1


def test_only_the_labels_of_the_mask_are_looked_at(ring):
    graph, X, block = ring
    known = some_known(block)
    by_minus_one = MotifNetClassifier(**QUICK).fit(X, known, graph=graph)
    by_mask = MotifNetClassifier(**QUICK).fit(X, block, graph=graph, train_mask=known != -1)
    by_numbers = MotifNetClassifier(**QUICK).fit(X, block, graph=graph, train_mask=np.flatnonzero(known != -1))
    expected = by_minus_one.predict_proba(X)
    assert np.array_equal(by_mask.predict_proba(X), expected)
    assert np.array_equal(by_numbers.predict_proba(X), expected)


def test_validation_nodes_can_be_named(ring):
    graph, X, block = ring
    held_back = np.arange(0, 120, 5)
    train = np.setdiff1d(np.arange(0, 120, 2), held_back)
    model = MotifNetClassifier(**QUICK).fit(
        X, block, graph=graph, train_mask=train, validation_mask=held_back
    )
    assert np.array_equal(model.validation_, held_back)
    drawn = MotifNetClassifier(**QUICK, validation_fraction=0.25).fit(X, block, graph=graph)
    assert len(drawn.validation_) == 30
    with pytest.raises(ValueError, match="give a share above 0 and below 1"):
        MotifNetClassifier(validation_fraction=1.0).fit(X, block, graph=graph)
    with pytest.raises(IndexError, match="there is no node 120"):
        MotifNetClassifier().fit(X, block, graph=graph, train_mask=[120])


def test_labels_of_any_kind(ring):
    graph, X, block = ring
    names = np.array(["ann", "bob", "cat"])[block]
    model = MotifNetClassifier(**QUICK).fit(X, names, graph=graph)
    assert model.classes_.tolist() == ["ann", "bob", "cat"]
    partly = names.astype(object)
    partly[::3] = None
    assert set(MotifNetClassifier(**QUICK).fit(X, partly, graph=graph).predict(X)) <= {"ann", "bob", "cat"}
    with pytest.raises(ValueError, match="no node has a label"):
        MotifNetClassifier().fit(X, np.full(120, -1), graph=graph)
    with pytest.raises(ValueError, match="y has 3 labels, and X 120 rows"):
        MotifNetClassifier().fit(X, [0, 1, 2], graph=graph)


def test_sparse_features_are_the_same(ring):
    graph, X, block = ring
    dense = MotifNetClassifier(**QUICK).fit(X, block, graph=graph)
    sparse = MotifNetClassifier(**QUICK).fit(sp.csr_array(X), block, graph=graph)
    np.testing.assert_allclose(dense.predict_proba(X), sparse.predict_proba(sp.coo_array(X)), atol=1e-5)


def test_settings_are_checked_as_on_the_command_line(ring):
    graph, X, block = ring
    for wrong, text in [
        ({"lr": -1.0}, "MotifNetClassifier: train.lr = -1.0: it must be a number above 0"),
        ({"model": "gat"}, '"gat" is not a choice of `model`; the choices are motifnet-m'),
        ({"motifs": ["M14"]}, 'there is no motif "M14"'),
        ({"epochs": "many"}, "train.epochs = \"many\": invalid type"),
        ({"model": "cayley", "operator": "out"}, "cayley needs a symmetric operator"),
    ]:
        with pytest.raises(ValueError) as error:
            MotifNetClassifier(**wrong).fit(X, block, graph=graph)
        assert text in str(error.value)
    with pytest.raises(TypeError, match="model.order = .*: give a number, a word or a list"):
        MotifNetClassifier(order=object()).fit(X, block, graph=graph)
    with pytest.raises(MemoryError, match="writing the model needs about .* of memory, and there is 0.0 kB"):
        MotifNetClassifier(memory_limit=0).fit(X, block, graph=graph)
    with pytest.raises(ValueError, match="X has 120 rows, and the graph 2 nodes"):
        MotifNetClassifier().fit(X, block, graph=DiGraph.from_edges([(0, 1)]))
    with pytest.raises(TypeError, match="graph"):
        MotifNetClassifier().fit(X, block)


def test_attention_and_history(ring):
    graph, X, block = ring
    model = MotifNetClassifier(order=2, heads=3, motifs=["U", "in", "out", "M9"], **QUICK).fit(X, block, graph=graph)
    assert model.attention_.shape == (2, 3, 2, 4)
    np.testing.assert_allclose(model.attention_.sum(axis=3), 1)
    assert model.operators_ == ["U", "in", "out", "M9"]
    losses = model.history_["val_loss"]
    assert len(losses) == model.n_iter_ and losses.argmin() + 1 == model.best_epoch_
    with pytest.raises(AttributeError, match="gcn has no attention"):
        MotifNetClassifier("gcn", **QUICK).fit(X, block, graph=graph).attention_


def test_motifs_can_be_found(ring):
    graph, X, block = ring
    model = MotifNetClassifier(motifs="auto", **QUICK).fit(X, block, graph=graph)
    assert 1 <= len(model.operators_) < 16
    assert model.attention_.shape[3] == len(model.operators_)


def test_explanations_add_up(ring):
    graph, X, block = ring
    named = DiGraph.from_networkx(graph.to_networkx())
    model = MotifNetClassifier(order=2, motifs=["in", "out", "M9"], **QUICK).fit(X, block, graph=named)
    told = model.explain(7)
    total = told.logit_without_graph + sum(told.shares.values())
    assert abs(total - told.logit) <= told.gap + 1e-9 and set(told.shares) == {"in", "out", "M9"}
    assert told.class_ == model.predict(X)[7]
    assert len(told.neighbours) == 5 and "logit" in str(told)
    tied = [triad for near in told.neighbours for triads in near.instances.values() for triad in triads]
    assert all(7 in triad for triad in tied)
    other = model.explain(7, class_=2, top=1)
    assert other.class_ == 2 and len(other.neighbours) == 1
    with pytest.raises(KeyError, match="the model has no class 9; its classes are 0, 1, 2"):
        model.explain(7, class_=9)
    with pytest.raises(KeyError, match="there is no node 500"):
        model.explain(500)
    spectral = MotifNetClassifier("spectral", eigenvectors=10, **QUICK).fit(X, block, graph=graph)
    assert spectral.explain(7).why_not is not None


def test_another_graph_with_the_same_columns(ring):
    graph, _, block = ring
    X = MotifFeatures("degrees").fit_transform(None, graph=graph)
    model = MotifNetClassifier(**QUICK).fit(X, block, graph=graph)
    half = np.arange(60)
    smaller = DiGraph.from_scipy(graph.to_scipy()[half][:, half])
    assert model.predict(X[half], graph=smaller).shape == (60,)
    with pytest.raises(ValueError, match="pass graph="):
        model.predict(X[half])
    spectral = MotifNetClassifier("spline", eigenvectors=10, **QUICK).fit(X, block, graph=graph)
    with pytest.raises(ValueError, match="eigenvectors of the graph that it was trained on"):
        spectral.predict(X[half], graph=smaller)
    with pytest.raises(ValueError, match="only spreads the labels of its own graph"):
        MotifNetClassifier("labelprop").fit(X, block, graph=graph).predict(X[half], graph=smaller)


def test_embeddings_are_the_last_hidden_layer(ring):
    graph, X, block = ring
    model = MotifNetClassifier(**QUICK).fit(X, block, graph=graph)
    assert model.embed(X).shape == (120, 16)


def test_pickles_and_files_predict_the_same(ring, tmp_path):
    graph, X, block = ring
    model = MotifNetClassifier(order=2, heads=2, **QUICK).fit(X, block, graph=graph)
    expected = model.predict_proba(X)
    assert np.array_equal(pickle.loads(pickle.dumps(model)).predict_proba(X), expected)
    model.save(tmp_path / "run")
    assert sorted(path.name for path in (tmp_path / "run").iterdir()) == [
        "config.toml", "model.safetensors", "model.toml",
    ]
    loaded = MotifNetClassifier.load(tmp_path / "run")
    assert np.array_equal(loaded.predict_proba(X, graph=graph), expected)
    assert loaded.classes_.tolist() == [0, 1, 2] and (loaded.order, loaded.heads) == (2, 2)
    assert loaded.attention_.shape == model.attention_.shape
    with pytest.raises(ValueError, match="a loaded model knows no graph"):
        loaded.predict(X)
    with pytest.raises(FileNotFoundError, match="there is no such folder"):
        MotifNetClassifier.load(tmp_path / "none")
    (tmp_path / "empty").mkdir()
    with pytest.raises(FileNotFoundError, match="no model yet"):
        MotifNetClassifier.load(tmp_path / "empty")
    (tmp_path / "run" / "model.safetensors").write_bytes(b"damaged")
    with pytest.raises(ValueError, match="model.safetensors: damaged"):
        MotifNetClassifier.load(tmp_path / "run")
    with pytest.raises(ValueError, match="learns nothing that could be kept"):
        MotifNetClassifier("labelprop").fit(X, block, graph=graph).save(tmp_path / "spread")


def test_the_command_line_reads_what_python_saved_and_the_other_way_round(ring, tmp_path):
    graph, _, block = ring
    X = MotifFeatures("degrees").fit_transform(None, graph=graph)
    model = MotifNetClassifier(**QUICK).fit(X, block, graph=graph)
    model.save(tmp_path / "run")
    graph.write(tmp_path / "arcs.tsv")
    rows = ["node,a,b,c"] + [",".join(map(str, [node, *map(repr, map(float, row))])) for node, row in enumerate(X)]
    (tmp_path / "features.csv").write_text("\n".join(rows))
    labels = ["node,block"] + [f"{node},{name}" for node, name in enumerate(block)]
    (tmp_path / "labels.csv").write_text("\n".join(labels))

    def run(*words):
        return subprocess.run([sys.executable, "-m", "motifnet", *words], cwd=tmp_path, check=True, text=True,
                              capture_output=True)

    run("predict", "run", "--arcs", "arcs.tsv", "--features", "features.csv", "-o", "classes.csv")
    lines = (tmp_path / "classes.csv").read_text().splitlines()[1:]
    by_name = {int(line.split(",")[0]): line.split(",")[1] for line in lines}
    assert [by_name[node] for node in range(120)] == [str(name) for name in model.predict(X)]

    run("train", "--arcs", "arcs.tsv", "--features", "features.csv", "--labels", "labels.csv#block", "--split",
        "60/20/20", "--epochs", "20", "--width", "8", "--out", "theirs")
    loaded = MotifNetClassifier.load(tmp_path / "theirs")
    assert loaded.predict(X, graph=graph).shape == (120,) and loaded.width == 8
