"""The package itself: stubs, examples, the command, interrupts."""

import doctest
import importlib
import os
import pkgutil
import signal
import subprocess
import sys
import textwrap
import time

import pytest

import motifnet


def modules():
    names = [name for _, name, _ in pkgutil.iter_modules(motifnet.__path__) if name != "__main__"]
    return ["motifnet", *(f"motifnet.{name}" for name in names)]


@pytest.mark.parametrize("name", modules())
def test_examples(name):
    found = doctest.testmod(importlib.import_module(name))
    assert found.failed == 0


def test_everything_public_has_an_example():
    for name in motifnet.__all__:
        value = getattr(motifnet, name)
        if callable(value) and name not in ("set_threads", "Explanation", "MotifClusters", "MotifSignificance", "Neighbour"):
            assert ">>>" in (value.__doc__ or ""), name
    assert set(motifnet.__all__) == set(motifnet._PLACES) and set(motifnet.__all__) <= set(dir(motifnet))
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        motifnet.nothing


def test_stubs_are_those_of_the_module(tmp_path):
    config = tmp_path / "mypy.ini"
    config.write_text("[mypy]\nfollow_imports = silent\nignore_missing_imports = True\n")
    allowed = tmp_path / "allowed.txt"
    # scikit-learn makes these when a class is made.
    allowed.write_text(r"motifnet\..*\.set_[a-z_]+_request" + "\n")
    command = [sys.executable, "-m", "mypy.stubtest", "motifnet", "--mypy-config-file", config, "--allowlist", allowed]
    found = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert found.returncode == 0, found.stdout + found.stderr


def test_types_are_right(tmp_path):
    command = [sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", "-p", "motifnet"]
    found = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert found.returncode == 0, found.stdout


def test_the_command_is_there(tmp_path):
    script = os.path.join(os.path.dirname(sys.executable), "motifnet")
    for command in ([script], [sys.executable, "-m", "motifnet"]):
        version = subprocess.run([*command, "--version"], capture_output=True, text=True)
        assert version.returncode == 0 and version.stdout.startswith("motifnet ")
        wrong = subprocess.run([*command, "census", "none.tsv"], capture_output=True, text=True, cwd=tmp_path)
        assert wrong.returncode == 1 and "none.tsv: cannot be opened" in wrong.stderr


def test_the_command_does_not_wait_for_scikit_learn():
    code = "import sys, motifnet._cli; print(sorted({'numpy', 'sklearn', 'scipy'} & set(sys.modules)))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def interrupted(code, tmp_path):
    """Runs code that prints `ready` and then works long; gives what it says after Ctrl-C, and how soon."""
    script = tmp_path / "long.py"
    script.write_text(textwrap.dedent(code))
    process = subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(1.0)
    start = time.monotonic()
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=60)
    return said, time.monotonic() - start


TRAINING = """
    import numpy as np
    from motifnet import DiGraph, MotifNetClassifier
    rng = np.random.default_rng(0)
    graph = DiGraph.from_edges(rng.integers(0, 2000, size=(20000, 2)), n_nodes=2000)
    X, y = rng.normal(size=(2000, 50)), rng.integers(0, 3, size=2000)
    print("ready", flush=True)
    try:
        MotifNetClassifier(epochs=10**9, patience=10**9).fit(X, y, graph=graph)
    except KeyboardInterrupt:
        print("stopped")
"""

COUNTING = """
    import numpy as np
    from motifnet import DiGraph, triad_census
    rng = np.random.default_rng(0)
    # Dense enough for a pass of many seconds.
    graph = DiGraph.from_edges(rng.integers(0, 6000, size=(8_000_000, 2)), n_nodes=6000)
    print("ready", flush=True)
    try:
        triad_census(graph)
    except KeyboardInterrupt:
        print("stopped")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise")
@pytest.mark.parametrize("code", [TRAINING, COUNTING], ids=["training", "counting"])
def test_ctrl_c_stops_long_work(code, tmp_path):
    said, seconds = interrupted(code, tmp_path)
    assert said == "stopped\n"
    assert seconds < 10


def test_other_threads_run_meanwhile():
    code = """
        import threading, time
        import numpy as np
        from motifnet import DiGraph, motif_adjacency
        rng = np.random.default_rng(0)
        graph = DiGraph.from_edges(rng.integers(0, 3000, size=(600_000, 2)), n_nodes=3000)
        ticks, over = [], threading.Event()
        def count():
            while not over.is_set():
                ticks.append(time.perf_counter())
                time.sleep(0.01)
        thread = threading.Thread(target=count)
        thread.start()
        start = time.perf_counter()
        motif_adjacency(graph, "M5")
        end = time.perf_counter()
        over.set()
        thread.join()
        meanwhile = [tick for tick in ticks if start < tick < end]
        assert len(meanwhile) > 3, (end - start, len(meanwhile))
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=True)


def test_progress_is_told(ring):
    from motifnet._motifnet import default_settings, fit
    from motifnet._classifier import for_rust
    import numpy as np

    graph, X, block = ring
    told = []
    settings = {"train.epochs": 400, "train.patience": 400, "model.width": 64}
    fit(graph._core, for_rust(X), block.astype(np.int64), ["0", "1", "2"], None, 0.2, settings,
        lambda *words: told.append(words))
    stage, done, total, text = told[-1]
    assert (stage, total) == ("train", 400) and 1 <= done <= 400 and text.startswith("loss ")
    assert default_settings()["train.epochs"] == 1000

    def fail(*words):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        fit(graph._core, for_rust(X), block.astype(np.int64), ["0", "1", "2"], None, 0.2,
            {"train.epochs": 10**6, "train.patience": 10**6}, fail)


def test_verbose_shows_bars(ring, capsys):
    graph, X, block = ring
    motifnet.MotifNetClassifier(epochs=300, patience=300, verbose=True).fit(X, block, graph=graph)
    assert "train" in capsys.readouterr().err
