"""The networks of `torch_train.py`, as someone at home in PyTorch writes them for a CPU.

conv(F→H) ReLU conv(H→H) ReLU dense(H→H) ReLU dense(H→classes), dropout on the input of each of the four.
Every layer works on all rows; weights have the shapes of `weights-<case>.npz`, y = x·W + b.

How a sparse product is best taken depends on the machine, so there are variants and `torch_train.py --mode time`
keeps the fastest: two kernels of PyTorch's (its own, and MKL's), and three ways to mix the motifs. With one
thread on CORA-full a whole epoch of all of them was within an eighth. Left out, being slower: PyTorch's own
gradients of sparse products. Forward and backward of one product by CORA-full's M9, one thread, in
turns: 27 (MKL) and 33 ms (own kernel) with the transpose stored; 62 and 54 without; COO 74. Indices of 32 or 64
bits, and one dense product with all Θ_j concatenated, made no difference that could be told from noise.
"""

from typing import NamedTuple

import numpy as np
import torch
from scipy import sparse
from torch import nn
from torch.nn import functional
from train_problem import split_case

PRODUCTS = {
    "torch.sparse.mm(A, X, 'sum')": lambda matrix, x: torch.sparse.mm(matrix, x, "sum"),
    "A @ X": lambda matrix, x: matrix @ x,
}


class Variant(NamedTuple):
    """Names of one of `PRODUCTS` and one of `MIXES`."""

    product: str = "torch.sparse.mm(A, X, 'sum')"
    mix: str = "separate"


class SparseProduct(torch.autograd.Function):
    """A·X for a constant A; the gradient of X is Aᵀ·G, with Aᵀ stored."""

    @staticmethod
    def forward(ctx, operator, x):
        ctx.operator = operator
        return operator.product(operator.matrix, x)

    @staticmethod
    def backward(ctx, gradient):
        return None, ctx.operator.product(ctx.operator.transposed, gradient)


class Operator:
    """A constant sparse matrix and its transpose, both in CSR; `operator @ x` has a gradient."""

    def __init__(self, matrix, product):
        self.matrix, self.transposed = csr_tensor(matrix), csr_tensor(matrix.T)
        self.product = PRODUCTS[product]

    def __matmul__(self, x):
        return SparseProduct.apply(self, x)


def csr_tensor(matrix):
    matrix = matrix.tocsr().sorted_indices()
    offsets, columns = (torch.from_numpy(part.astype(np.int32)) for part in (matrix.indptr, matrix.indices))
    return torch.sparse_csr_tensor(offsets, columns, torch.from_numpy(matrix.data), matrix.shape)


def combine(terms, thetas, bias):
    """Y = Σ_j T_j·Θ_j + b."""
    y = torch.addmm(bias, terms[0], thetas[0])
    for term, theta in zip(terms[1:], thetas[1:]):
        y = torch.addmm(y, term, theta)
    return y


class ChebConv(nn.Module):
    """T_0 = X, T_1 = Δ̃X, T_j = 2Δ̃T_{j−1} − T_{j−2}; Y = Σ_j T_j·Θ_j + b."""

    def __init__(self, operator, twice, theta, bias):
        super().__init__()
        # 2Δ̃ is stored beside Δ̃: doubling the products instead would be another pass over the rows.
        self.operator, self.twice = operator, twice
        self.theta, self.bias = nn.Parameter(theta), nn.Parameter(bias)

    def forward(self, x):
        terms = [x, self.operator @ x]
        while len(terms) < len(self.theta):
            terms.append(self.twice @ terms[-1] - terms[-2])
        return combine(terms, self.theta, self.bias)


class SeparateMix:
    """Σ_k α_k∘(Δ̃_k X), one product per motif."""

    def __init__(self, matrices, product):
        self.operators = [Operator(matrix, product) for matrix in matrices]

    def __call__(self, attention, x):
        return weighted_sum(attention, [operator @ x for operator in self.operators])


class TallMix:
    """The same by one product with the motifs on top of each other, K·n × n."""

    def __init__(self, matrices, product):
        self.operator = Operator(sparse.vstack(matrices), product)

    def __call__(self, attention, x):
        return weighted_sum(attention, (self.operator @ x).view(len(attention), *x.shape))


class WideMix:
    """The same by one product with the motifs side by side, n × K·n, and all α_k∘X: the product adds up."""

    def __init__(self, matrices, product):
        self.operator = Operator(sparse.hstack(matrices), product)

    def __call__(self, attention, x):
        return self.operator @ (attention[:, None] * x).flatten(0, 1)


MIXES = {"separate": SeparateMix, "tall": TallMix, "wide": WideMix}


def weighted_sum(attention, products):
    y = attention[0] * products[0]
    for weight, product in zip(attention[1:], products[1:]):
        y = torch.addcmul(y, weight, product)
    return y


class MotifConv(nn.Module):
    """P_0 = X, P_j = Σ_k α_{k,j}∘(Δ̃_k P_{j−1}), α_{·,j} = softmax over k of scores_j; Y = Σ_j P_j·Θ_j + b."""

    def __init__(self, mix, theta, scores, bias):
        super().__init__()
        self.mix = mix
        self.theta, self.scores, self.bias = map(nn.Parameter, (theta, scores, bias))

    def forward(self, x):
        terms = [x]
        for attention in self.scores.softmax(dim=1):
            terms.append(self.mix(attention, terms[-1]))
        return combine(terms, self.theta, self.bias)


class PygChebConv(nn.Module):
    """PyG's ChebConv: with `sym` and λ_max = 2 its operator is −D^-½ S D^-½, ours of the undirected graph."""

    def __init__(self, edge_index, theta, bias):
        super().__init__()
        from torch_geometric.nn import ChebConv as PygConv

        n_terms, n_in, n_out = theta.shape
        self.edge_index = edge_index
        self.conv = PygConv(n_in, n_out, K=n_terms, normalization="sym").to(theta.dtype)
        with torch.no_grad():
            self.conv.bias.copy_(bias)
            for linear, weight in zip(self.conv.lins, theta):
                linear.weight.copy_(weight.T)

    def forward(self, x):
        return self.conv(x, self.edge_index, lambda_max=2.0)


class PygMonetConv(nn.Module):
    """PyG's GMMConv on tanh(V·u + c): Gaussians that all inputs share, the mean over the neighbours."""

    def __init__(self, edge_index, coordinates, weights, name):
        super().__init__()
        from torch_geometric.nn import GMMConv

        theta, mean, deviation, projection, offset, bias = (
            weights[f"{name}.{part}"] for part in ["theta", "mean", "deviation", "projection", "offset", "bias"]
        )
        n_kernels, n_in, n_out = theta.shape
        self.edge_index, self.coordinates = edge_index, coordinates
        self.projection, self.offset = nn.Parameter(projection), nn.Parameter(offset)
        self.conv = GMMConv(n_in, n_out, dim=mean.shape[1], kernel_size=n_kernels, aggr="mean", root_weight=False)
        # Without root weights PyG 2.8 never sets this, and then asks for it.
        self.conv.root = None
        with torch.no_grad():
            self.conv.g.copy_(theta.permute(1, 0, 2).reshape(n_in, n_kernels * n_out))
            self.conv.mu.copy_(mean)
            self.conv.sigma.copy_(deviation)
            self.conv.bias.copy_(bias)

    def forward(self, x):
        pseudo = torch.tanh(self.coordinates @ self.projection.T + self.offset)
        return self.conv(x, self.edge_index, pseudo)


class Dense(nn.Module):
    """Y = X·W + b."""

    def __init__(self, weight, bias):
        super().__init__()
        self.weight, self.bias = nn.Parameter(weight), nn.Parameter(bias)

    def forward(self, x):
        return torch.addmm(self.bias, x, self.weight)


class Network(nn.Module):
    """The four layers, ReLU between them, dropout before each."""

    def __init__(self, layers, dropout):
        super().__init__()
        self.layers = nn.ModuleList(layers)
        self.dropout = dropout

    def forward(self, x):
        for position, layer in enumerate(self.layers):
            if position > 0:
                x = functional.relu(x)
            x = layer(functional.dropout(x, self.dropout, self.training))
        return x


def build(engine, problem, case, dropout, variant=Variant()):
    """The network of a case with its initial weights; `engine` is `torch` or `pyg`."""
    weights = {name: torch.tensor(array) for name, array in problem.weights_of(case).items()}
    model, _ = split_case(case)
    if model == "monet":
        conv = pyg_monet(problem, weights)
    elif engine == "pyg":
        conv = pyg_chebnet(problem, weights)
    elif model == "chebnet":
        conv = torch_chebnet(problem, weights, variant.product)
    else:
        conv = torch_motifnet(problem, weights, variant)
    dense = [Dense(weights[f"{name}.weight"], weights[f"{name}.bias"]) for name in ["dense1", "dense2"]]
    return Network([conv("conv1"), conv("conv2"), *dense], dropout)


def torch_chebnet(problem, weights, product):
    matrix = problem.operators["U"]
    operator, twice = Operator(matrix, product), Operator(2 * matrix, product)
    return lambda name: ChebConv(operator, twice, weights[f"{name}.theta"], weights[f"{name}.bias"])


def torch_motifnet(problem, weights, variant):
    mix = MIXES[variant.mix](list(problem.operators.values()), variant.product)
    parts = ["theta", "scores", "bias"]
    return lambda name: MotifConv(mix, *(weights[f"{name}.{part}"] for part in parts))


def pyg_chebnet(problem, weights):
    """PyG normalises for itself, so it gets the bare edges of the undirected graph."""
    ends = problem.operators["U"].tocoo()
    edge_index = torch.from_numpy(np.stack([ends.row, ends.col]).astype(np.int64))
    return lambda name: PygChebConv(edge_index, weights[f"{name}.theta"], weights[f"{name}.bias"])


def pyg_monet(problem, weights):
    """An entry (i, j) of the coordinates is a message from j to i."""
    ends, other = (problem.operators[f"coordinate-{at}"].tocoo() for at in [0, 1])
    edge_index = torch.from_numpy(np.stack([ends.col, ends.row]).astype(np.int64))
    coordinates = torch.from_numpy(np.stack([ends.data, other.data], axis=1))
    return lambda name: PygMonetConv(edge_index, coordinates, weights, name)
