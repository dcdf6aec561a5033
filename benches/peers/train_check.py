"""Compares the networks of `train_models.py` with naive dense ones in numpy, on a tiny random graph in f64.

The loss must be the same, its gradient that of central differences, and PyG's ChebConv equal to ours.
"""

import dataclasses

import numpy as np
import torch
from scipy import sparse
from torch.nn import functional
from train_models import MIXES, PRODUCTS, Variant, build
from train_problem import Problem, glorot_weights, split_case

STEP = 1e-6


def tiny_problem(n_nodes=30, n_features=5, width=4, n_classes=3, seed=1):
    """Random operators, one of them not symmetric; the last node is isolated in `U`."""
    draw = np.random.default_rng(seed)
    arcs = draw.random((n_nodes, n_nodes)) < 0.1
    arcs[-1], arcs[:, -1] = False, False
    np.fill_diagonal(arcs, False)
    adjacencies = {"U": arcs | arcs.T, "out": arcs, "M8": draw.random((n_nodes, n_nodes)) < 0.2}
    order = draw.permutation(n_nodes)
    return Problem(
        n_classes=n_classes,
        width=width,
        dropout=0.0,
        lr=1e-3,
        weight_decay=1e-3,
        epsilon=1e-8,
        threads=1,
        operators={name: rescaled_laplacian(matrix) for name, matrix in adjacencies.items()},
        features=draw.standard_normal((n_nodes, n_features)),
        labels=draw.integers(0, n_classes, n_nodes),
        train=order[:10],
        validation=order[10:20],
    )


def rescaled_laplacian(adjacency):
    """−D_r^-½ W D_c^-½, with D_r and D_c the sums of rows and of columns."""
    rows, columns = (1 / np.sqrt(np.maximum(adjacency.sum(axis), 1)) for axis in (1, 0))
    return sparse.csr_matrix(-rows[:, None] * adjacency * columns)


def random_weights(problem, case, seed=2):
    """Glorot, and normal scores and biases: zero ones would hide mistakes."""
    draw = np.random.default_rng(seed)
    weights = glorot_weights(problem, case)
    for name, array in weights.items():
        is_zero = name.endswith((".scores", ".bias"))
        weights[name] = draw.standard_normal(array.shape) if is_zero else array.astype(np.float64)
    return weights


# ---- The naive network: dense matrices, one entry of the formula at a time ----


def naive_terms(problem, model, layer, weights, x):
    order = len(weights[f"{layer}.theta"]) - 1
    dense = [matrix.toarray() for matrix in problem.operators.values()]
    terms = [x]
    for j in range(1, order + 1):
        if model == "chebnet":
            product = problem.operators["U"].toarray() @ terms[-1]
            terms.append(product if j == 1 else 2 * product - terms[-2])
        else:
            exponentials = np.exp(weights[f"{layer}.scores"][j - 1])
            attention = exponentials / exponentials.sum(axis=0)
            terms.append(sum(a * (matrix @ terms[-1]) for a, matrix in zip(attention, dense)))
    return terms


def naive_loss(problem, case, weights):
    model, _ = split_case(case)
    x = problem.features
    for layer in ["conv1", "conv2"]:
        terms = naive_terms(problem, model, layer, weights, x)
        products = [term @ theta for term, theta in zip(terms, weights[f"{layer}.theta"])]
        x = np.maximum(sum(products) + weights[f"{layer}.bias"], 0)
    x = np.maximum(x @ weights["dense1.weight"] + weights["dense1.bias"], 0)
    logits = (x @ weights["dense2.weight"] + weights["dense2.bias"])[problem.train]
    chosen = logits[np.arange(len(logits)), problem.labels[problem.train]]
    return np.mean(np.log(np.exp(logits).sum(axis=1)) - chosen)


def naive_gradient(problem, case, weights, name, position):
    """(loss(w + h) − loss(w − h)) / 2h for one weight w."""
    losses = []
    for step in [STEP, -STEP]:
        moved = weights[name].copy()
        moved[position] += step
        losses.append(naive_loss(problem, case, weights | {name: moved}))
    return (losses[0] - losses[1]) / (2 * STEP)


# ---- The comparison ----


def torch_loss(problem, engine, case, variant):
    network = build(engine, problem, case, dropout=0.0, variant=variant)
    logits = network(torch.from_numpy(problem.features))[problem.train]
    return network, functional.cross_entropy(logits, torch.from_numpy(problem.labels[problem.train]))


def gradients(network):
    """By the names of the weights' file."""
    layers = zip(["conv1", "conv2", "dense1", "dense2"], network.layers)
    return {
        f"{layer}.{name}": parameter.grad.numpy()
        for layer, module in layers
        for name, parameter in module.named_parameters()
    }


def check_gradients(problem, case, weights, found, n_entries=12):
    draw = np.random.default_rng(3)
    assert found.keys() == weights.keys(), f"{case}: {sorted(found)} are not {sorted(weights)}"
    for name, gradient in found.items():
        for flat in draw.integers(0, gradient.size, n_entries):
            position = np.unravel_index(flat, gradient.shape)
            expected = naive_gradient(problem, case, weights, name, position)
            assert abs(gradient[position] - expected) < 1e-7, f"{case} {name}{position}: gradient {expected}"


def check_case(problem, engine, case, variant=Variant()):
    weights = random_weights(problem, case)
    problem = dataclasses.replace(problem, weights={case: weights})
    network, loss = torch_loss(problem, engine, case, variant)
    expected = naive_loss(problem, case, weights)
    assert abs(loss.item() - expected) < 1e-12, f"{engine} {case}: loss {loss.item()} is not {expected}"
    if engine == "torch":
        loss.backward()
        check_gradients(problem, case, weights, gradients(network))


def self_check():
    """The names of the checks, all of which passed."""
    problem, checks = tiny_problem(), []
    for case in ["chebnet-1", "chebnet-2", "chebnet-4", "motifnet-m-1", "motifnet-m-2", "motifnet-m-4"]:
        is_chebnet = split_case(case)[0] == "chebnet"
        for variant in [Variant(product, mix) for product in PRODUCTS for mix in MIXES]:
            if is_chebnet and variant.mix != "separate":
                continue
            check_case(problem, "torch", case, variant)
            checks.append(f"torch {case} by {', '.join(variant)}: loss and gradient")
        if is_chebnet:
            check_case(problem, "pyg", case)
            checks.append(f"pyg {case}: loss")
    return checks
