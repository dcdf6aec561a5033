"""The documents, run."""

import inspect
import re
import runpy
from pathlib import Path

import motifcluster.clustering
import motifcluster.motifadjacency
import motifcluster.sampling
import motifcluster.spectral
import motifcluster.utils
import numpy as np
import pytest

from motifnet import DiGraph

DOCS = Path(__file__).parents[3] / "docs"


def test_every_example_of_the_page_runs():
    text = (DOCS / "python.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", text, flags=re.S)
    assert len(blocks) >= 5
    names = {}
    for block in blocks:
        exec(compile(block, "docs/python.md", "exec"), names)


def test_the_example_of_the_readme_runs(tmp_path, monkeypatch, matrix, capsys):
    section = (DOCS.parent / "README.md").read_text().split("## From Python")[1]
    (block,) = re.findall(r"```python\n(.*?)```", section.split("\n## ")[0], flags=re.S)
    monkeypatch.chdir(tmp_path)
    graph = DiGraph.from_scipy(matrix)
    graph.write("graph.tsv")
    y = np.where(np.arange(graph.n_nodes) % 3, np.arange(graph.n_nodes) % 2, -1)
    exec(compile(block, "README.md", "exec"), {"X": matrix.toarray(), "y": y})
    assert capsys.readouterr().out.startswith("node 7: ")


def test_the_tutorial_ends_in_a_picture(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = runpy.run_path(str(DOCS / "python_tutorial.py"))
    assert (tmp_path / "attention.png").stat().st_size > 10_000
    hidden = found["hidden"]
    assert found["model"].score(found["X"], hidden) > found["blind"].score(found["X"], hidden)


@pytest.mark.parametrize("module", [
    motifcluster.clustering, motifcluster.motifadjacency, motifcluster.sampling, motifcluster.spectral,
    motifcluster.utils,
])
def test_the_table_has_every_function_of_motifcluster(module):
    table = (DOCS / "python.md").read_text().split("## Coming from motifcluster")[1]
    for name, function in inspect.getmembers(module, inspect.isfunction):
        if function.__module__ == module.__name__ and not name.startswith("_") and not name.startswith("mam_"):
            assert f"`{name}(" in table, name
