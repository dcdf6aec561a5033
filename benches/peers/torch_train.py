"""PyTorch and PyG train what MotifNet trains: `torch_train.py --exchange DIR --mode curves|time`.

`curves`: dropout off, initial weights of the folder; the training loss before each update, for every case
that has weights. The losses of MotifNet must be the same before any ratio is printed.
`time`: dropout on; an epoch is one training step (forward, backward, Adam) and one validation pass
(cross-entropy and accuracy). Timed: whole epochs, everything being in memory, by the variant of the sparse
products that is fastest at order 1.
`--self-check` (no folder) compares the networks with a naive dense one; see `train_check.py`.
"""

import argparse
import importlib.util
import statistics
import sys
import time
import warnings

import torch
from peer import fastest, report, timed, version
from torch.nn import functional
from train_models import MIXES, PRODUCTS, Variant, build
from train_problem import read_problem, split_case

WARM_UP_EPOCHS = 3
# On a busy machine a case takes `--seconds` and fewer epochs, but never fewer than these.
LEAST_EPOCHS = 5
TRIAL_EPOCHS = 4


class Trainer:
    """One network on one problem."""

    def __init__(self, network, problem):
        self.network = network
        self.x, self.labels, self.train, self.validation = map(
            torch.from_numpy, (problem.features, problem.labels, problem.train, problem.validation)
        )
        self.optimiser = torch.optim.Adam(
            network.parameters(),
            lr=problem.lr,
            eps=problem.epsilon,
            weight_decay=problem.weight_decay,
            fused=True,
        )

    def step(self):
        """One update; the loss before it."""
        self.network.train()
        self.optimiser.zero_grad()
        loss = functional.cross_entropy(self.network(self.x)[self.train], self.labels[self.train])
        loss.backward()
        self.optimiser.step()
        return loss.item()

    @torch.no_grad()
    def validate(self):
        """Cross-entropy and accuracy on the validation rows."""
        self.network.eval()
        logits, labels = self.network(self.x)[self.validation], self.labels[self.validation]
        accuracy = (logits.argmax(dim=1) == labels).float().mean()
        return functional.cross_entropy(logits, labels).item(), accuracy.item()

    def epoch(self):
        self.step()
        self.validate()


def runs(cases, left_out):
    """ChebNet on PyTorch and on PyG, MotifNet-m on PyTorch, MoNet on PyG; PyG where it is installed."""
    has_pyg = importlib.util.find_spec("torch_geometric") is not None
    if not has_pyg:
        left_out["pyg"] = "torch_geometric is not installed"
        print("warning: pyg is left out: torch_geometric is not installed", file=sys.stderr)
    for case in cases:
        model, _ = split_case(case)
        if model != "monet":
            yield "torch", case
        if has_pyg and model != "motifnet-m":
            yield "pyg", case


def curves(problem, cases, epochs):
    """`epochs` losses by engine and case."""
    losses, left_out = {}, {}
    for engine, case in runs(cases or list(problem.weights), left_out):
        trainer = Trainer(build(engine, problem, case, dropout=0.0), problem)
        losses.setdefault(engine, {})[case] = [trainer.step() for _ in range(epochs)]
        say(engine, case, f"loss {losses[engine][case][0]:.6f} → {losses[engine][case][-1]:.6f}")
    return {"epochs": epochs, "losses": losses, "left_out": left_out}


def times(problem, cases, epochs, seconds):
    """Least and median milliseconds per epoch by engine and case."""
    cases, measured, left_out = cases or list(problem.weights), {}, {}
    models = sorted({split_case(case)[0] for case in cases} - {"monet"})
    trials = {model: trial(problem, model) for model in models}
    variants = {model: fastest(milliseconds) for model, milliseconds in trials.items()}
    for engine, case in runs(cases, left_out):
        variant = variants.get(split_case(case)[0], Variant())
        trainer = Trainer(build(engine, problem, case, problem.dropout, variant), problem)
        taken = epoch_milliseconds(trainer, epochs, seconds)
        least, median = min(taken), statistics.median(taken)
        figures = {"least_ms": least, "median_ms": median, "epochs": len(taken)}
        measured.setdefault(engine, {})[case] = figures
        say(engine, case, f"least {least:.0f} ms, median {median:.0f} ms of {len(taken)} epochs")
    return {
        "variants": {model: ", ".join(variant) for model, variant in variants.items()},
        "trial_ms": {
            model: {", ".join(variant): least for variant, least in milliseconds.items()}
            for model, milliseconds in trials.items()
        },
        "times": measured,
        "left_out": left_out,
    }


def trial(problem, model):
    """The least milliseconds of an epoch at order 1 for each variant.

    In turns, so that what else the machine does meets all of them alike.
    """
    mixes = MIXES if model == "motifnet-m" else ["separate"]
    variants = [Variant(product, mix) for product in PRODUCTS for mix in mixes]
    trainers = {
        variant: Trainer(build("torch", problem, f"{model}-1", problem.dropout, variant), problem)
        for variant in variants
    }
    taken = [{variant: timed(trainers[variant].epoch)[0] for variant in variants} for _ in range(1 + TRIAL_EPOCHS)]
    return {variant: 1e3 * min(turn[variant] for turn in taken[1:]) for variant in variants}


def epoch_milliseconds(trainer, epochs, seconds):
    for _ in range(WARM_UP_EPOCHS):
        trainer.epoch()
    start, taken = time.perf_counter(), []
    while len(taken) < epochs:
        if len(taken) >= LEAST_EPOCHS and time.perf_counter() - start > seconds:
            break
        taken.append(1e3 * timed(trainer.epoch)[0])
    return taken


def say(engine, case, what):
    print(f"{engine} {case}: {what}", file=sys.stderr)


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--exchange", metavar="DIR", help="folder with problem.json and its arrays")
    parser.add_argument("--mode", choices=["curves", "time"])
    parser.add_argument("--cases", help="such as chebnet-1,motifnet-m-2 [all]")
    parser.add_argument("--epochs", type=int, help="[20 losses; 15 timed epochs]")
    parser.add_argument("--seconds", type=float, default=20, help="bound on the timed epochs of a case [20]")
    parser.add_argument("--self-check", action="store_true", help="compare with a naive dense network")
    args = parser.parse_args()
    if not args.self_check and not (args.exchange and args.mode):
        parser.error("--exchange and --mode are needed, or --self-check")
    return args


def main():
    # PyTorch calls CSR tensors beta on every start.
    warnings.filterwarnings("ignore", message="Sparse CSR tensor support is in beta")
    args = parse()
    torch.manual_seed(0)
    if args.self_check:
        from train_check import self_check

        return report(peer="torch", mode="self-check", checks=self_check())
    problem = read_problem(args.exchange)
    torch.set_num_threads(problem.threads)
    cases = args.cases.split(",") if args.cases else None
    if args.mode == "curves":
        result = curves(problem, cases, args.epochs or 20)
    else:
        result = times(problem, cases, args.epochs or 15, args.seconds)
    packages = ["torch", "numpy", "scipy"] + ["torch_geometric"] * ("pyg" not in result["left_out"])
    versions = {package: version(package) for package in packages}
    report(peer="torch", mode=args.mode, versions=versions, threads=problem.threads, **result)


if __name__ == "__main__":
    main()
