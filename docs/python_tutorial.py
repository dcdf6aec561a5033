# %% [markdown]
# # A graph, its motifs, and what they tell about the nodes
#
# Cell by cell, from arcs to an explained prediction. The file is a notebook in plain Python: editors with
# notebooks open it as one, and `python docs/python_tutorial.py` runs it.

# %%
import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import polars as pl

import motifnet
from motifnet import DiGraph, MotifFeatures, MotifNetClassifier

# %% [markdown]
# ## A graph
#
# Three departments write letters: each mostly to the next. Who writes to whom is all that tells them apart; how many
# letters there are between two departments, either way, does not.

# %%
rng = np.random.default_rng(7)
department = np.repeat([0, 1, 2], 60)
names = np.array([f"{'abc'[d]}{i:02}" for d, i in zip(department, np.tile(np.arange(60), 3))])
follows = (department[:, None] + 1) % 3 == department[None, :]
writes = rng.random((180, 180)) < np.where(follows, 0.10, 0.02)
sources, targets = np.nonzero(writes)
letters = pl.DataFrame({"from": names[sources], "to": names[targets]})

graph = DiGraph.from_edges(letters, nodes=names.tolist())
print(graph, graph.cleaning)

# %% [markdown]
# ## Its motifs
#
# Cycles of three departments are what this graph has most of, beside chance: M1 is the cycle, M5 the feed-forward
# loop.

# %%
census = motifnet.triad_census(graph)
for motif in ("M1", "M5", "M9"):
    arcs, triad = motifnet.MOTIFS[motif]
    print(f"{motif} {triad}: {census[triad]:,} instances of {arcs}")

cycles = motifnet.motif_adjacency(graph, "M1")
within = cycles[department == 0][:, department == 0].sum()
print(f"{cycles.nnz:,} pairs share a cycle; {within / cycles.sum():.1%} of the weight is within department a")

# %% [markdown]
# ## Features from motifs
#
# How often everyone plays each of the thirty roles of the motifs makes a table for any learner. Here all play much the
# same ones, so it would not tell departments apart.

# %%
roles = MotifFeatures("roles", log=False)
played = roles.fit_transform(None, graph=graph)
for name, column in zip(roles.get_feature_names_out()[:3], played.T):
    print(name, [round(float(column[department == d].mean()), 2) for d in range(3)])

# %% [markdown]
# ## Learning, with and without directions
#
# Nothing else is known of the people, so the features only say who is who. GCN sees an undirected graph. MotifNet-m
# weighs motifs, and directions with them; MotifNet-d has all products of the two directions.

# %%
X = np.eye(180)
known = rng.random(180) < 0.3
y = np.where(known, department, -1)
hidden = np.where(known, -1, department)
print(f"{known.sum()} of 180 departments are known")

settings = {"lr": 0.01, "epochs": 200, "random_state": 1}
blind = MotifNetClassifier("gcn", **settings).fit(X, y, graph=graph)
model = MotifNetClassifier(order=2, heads=4, motifs=["in", "out", "M1", "M9"], **settings).fit(X, y, graph=graph)
both = MotifNetClassifier("motifnet-d", order=2, **settings).fit(X, y, graph=graph)
for name, found in [("GCN", blind), ("MotifNet-m", model), ("MotifNet-d", both)]:
    print(f"{name}: {found.score(X, hidden):.0%} of the hidden departments")

# %% [markdown]
# ## Why
#
# One prediction, split among the operators and the neighbours.

# %%
print(model.explain("b07", top=3))

# %% [markdown]
# And what the model attends to: for every layer, head and order, how much of the attention each operator has.

# %%
attention = model.attention_
layers, heads, orders, operators = attention.shape
rows = [
    f"layer {layer + 1}, head {head + 1}, order {order + 1}"
    for layer in range(layers)
    for head in range(heads)
    for order in range(orders)
]
figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
shown = axes.imshow(attention.reshape(len(rows), operators), cmap="viridis", vmin=0)
axes.set_xticks(range(operators), model.operators_)
axes.set_yticks(range(len(rows)), rows)
axes.set_title("Attention of MotifNet-m")
figure.colorbar(shown, label="mean share over the features")
figure.savefig("attention.png", dpi=150)
