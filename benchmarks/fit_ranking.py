"""Fit the weights by which beams rank states on squares and hexagons.

Beams solve random boards. Of each layer the state on the path to the solution is compared with a sample of
the others: logistic regression on the differences of their features makes the estimate of the first smaller.
Beams with the new weights give the next samples, and so on (Xu and Fern, "Learning linear ranking functions
for beam search", ICML 2007). No board has weights of its own: those of one lattice are fitted on boards of
several sizes together and serve all. There are weights for beams without pattern databases and for those with
them, which tell some of what the features tell.

    python benchmarks/fit_ranking.py square --out src/slidelab/solve/search/ranking_weights.json
    python benchmarks/fit_ranking.py square --databases --out ...     with those on disk, or of 20 MB
    python benchmarks/fit_ranking.py square --rounds 0                only solve boards with known weights
"""

from __future__ import annotations

import argparse
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import slidelab as sl
from slidelab import _core
from slidelab.budget import Budget
from slidelab.solve.patterns.heuristic import heuristic_for
from slidelab.solve.search.lattice_features import EXCESS, Feature, lattice_features
from slidelab.solve.search.lattice_weights import extended, load_weights, save_weights, weights_name
from slidelab.solve.search.ranking import weighted_ranking

BOARDS = {
    "square": ("square R(5,5)", "square R(6,6)", "square R(7,7)", "square R(8,8)"),
    "hex": ("hex F(3)", "hex P(5,5)", "hex F(4)", "hex P(6,6)"),
}
LAYERS, SAMPLES = 6, 5
MAX_LENGTH = 2000
ROUNDS_KEPT = 4

Array = NDArray[np.float32]


class Board:
    """A puzzle with its heuristic and features, and the numbers that they have among those of all boards."""

    def __init__(self, text: str, numbers: dict[Feature, int], *, databases: bool) -> None:
        self.puzzle = sl.puzzle(text)
        self.heuristic = heuristic_for(self.puzzle.goal, None if databases else 0, partitions=2)
        self.features = lattice_features(self.puzzle.board)
        for key in self.features.keys:
            numbers.setdefault(key, len(numbers))
        self.number = np.array([numbers[key] for key in self.features.keys])
        graph = self.heuristic.graph
        self.cells = np.array([cells[0] for cells in graph.placements])
        self.goals = np.array([cells[0] for cells in graph.slots(self.heuristic.shape)])

    def counts(self, rows: NDArray[np.uint16], total: int) -> Array:
        """Return how often each feature occurs in sampled states; the last is what databases add."""
        features, states = self.features, len(rows)
        cells = self.cells[rows[:, :-1]]  # by state and piece
        goals = np.full((states, self.puzzle.board.size), -1)
        np.put_along_axis(goals, cells, np.broadcast_to(self.goals, cells.shape), axis=1)
        sums = np.zeros(states * total)
        base = (np.arange(states) * total)[:, None]
        found = base + self.number[features.singles[self.goals[None, :], cells]]
        sums += np.bincount(found.ravel(), minlength=states * total)
        for offset, vector in enumerate(features.offsets):
            if vector < (0, 0):
                continue  # the same pairs the other way round
            here = np.flatnonzero(features.neighbours[:, offset] >= 0)
            a, b = goals[:, here], goals[:, features.neighbours[here, offset]]
            found = base + self.number[features.pairs[offset][a, b]]
            sums += np.bincount(found[(a >= 0) & (b >= 0)], minlength=states * total)
        counts = sums.reshape(states, total).astype(np.float32)
        counts[:, 0] = rows[:, -1] / max(1, self.heuristic.lookups)
        return counts

    def ranking(self, weights: dict[Feature, float]) -> _core.Ranking:
        return weighted_ranking(self.heuristic, weights)

    def run(self, seed: int, ranking: _core.Ranking, width: int, total: int) -> tuple[int, Array | None]:
        """Return the length of a solution or -1, and differences of features if `total` is not 0."""
        shape, marks = self.heuristic.encode(self.puzzle.shuffle(seed))
        searches, core = self.heuristic.searches, self.heuristic.core
        poll = Budget().poll("beam")
        (steps, *_), rows = searches.sample_beam(
            core, shape, marks, width, MAX_LENGTH, ranking, LAYERS, SAMPLES if total else 0, poll
        )
        if steps is None or not total:
            return (-1 if steps is None else len(steps)), None
        layers = rows.reshape(-1, SAMPLES + 1, rows.shape[1])[: (len(steps) - 3) // LAYERS]
        path = self.counts(layers[:, 0], total)
        others = self.counts(layers[:, 1:].reshape(-1, rows.shape[1]), total)
        return len(steps), np.repeat(path, SAMPLES, axis=0) - others


def fitted(differences: Array, first: Array, *, steps: int = 150, rate: float = 0.02) -> Array:
    """Return weights with which the sums of the differences are negative as far as possible (by Adam)."""
    scale, decay = 3.0, 1e-5
    weights = first.copy()
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, steps + 1):
        chance = 1 / (1 + np.exp(-np.clip(differences @ weights / scale, -30, 30)))
        slope = differences.T @ chance / len(differences) / scale + decay * (weights - first)
        mean = 0.9 * mean + 0.1 * slope
        square = 0.99 * square + 0.01 * slope**2
        weights -= rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-9)
    return weights


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("lattice", choices=list(BOARDS))
    parser.add_argument("--databases", action="store_true", help="beams with pattern databases")
    parser.add_argument("--boards", nargs="+", help="boards other than the usual ones")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--starts", type=int, default=24, help="of each board in a round")
    parser.add_argument("--width", type=int, default=1000)
    parser.add_argument("--out", type=Path, help="file of weights; those that are fitted are replaced")
    parser.add_argument("--again", action="store_true", help="begin with the formula, not with known weights")
    options = parser.parse_args()
    numbers: dict[Feature, int] = {EXCESS: 0}
    texts = options.boards or BOARDS[options.lattice]
    boards = [Board(text, numbers, databases=options.databases) for text in texts]
    names = (weights_name(options.lattice, databases=options.databases), options.lattice)
    known = {} if options.again else next((load_weights()[n] for n in names if n in load_weights()), {})
    weights = np.array(extended(options.lattice, known, numbers), dtype=np.float32)
    total = len(numbers)
    pools: list[Array] = []
    average: list[Array] = []
    seen = np.array([key in known for key in numbers])

    def solve(pool: ThreadPoolExecutor, seeds: range, width: int, columns: int) -> list[Array]:
        named, differences = dict(zip(numbers, weights.tolist(), strict=True)), []
        for board in boards:
            ranking = board.ranking(named)
            results = list(pool.map(lambda s: board.run(s, ranking, width, columns), seeds))  # noqa: B023
            lengths = [length for length, _ in results if length >= 0]
            unsolved = len(results) - len(lengths)
            print(f"  {board.puzzle.board.name} {np.mean(lengths or [0]):.1f}", end="")
            print(f" ({unsolved} unsolved)" if unsolved else "", end="", flush=True)
            differences += [rows for _, rows in results if rows is not None]
        return differences

    with ThreadPoolExecutor(2) as pool:
        for number in range(options.rounds):
            began = time.monotonic()
            print(f"round {number}:", end="")
            seeds = range(1_000_000 + 1000 * number, 1_000_000 + 1000 * number + options.starts)
            pools = [*pools, np.concatenate(solve(pool, seeds, options.width, total))][-ROUNDS_KEPT:]
            seen |= np.any(pools[-1] != 0, axis=0)
            rate = 0.02 if number < 2 * options.rounds / 3 else 0.007
            weights = fitted(np.concatenate(pools), weights, rate=rate)
            average = [*average, weights][-3:]
            print(f"  {time.monotonic() - began:.0f} s", flush=True)
            if options.out:
                means = zip(numbers, np.mean(average, axis=0).tolist(), seen, strict=True)
                save_weights(options.out, names[0], {key: mean for key, mean, fitted in means if fitted})
        if average:
            weights = np.mean(average, axis=0)
        for width in (1000, 8000):
            print(f"width {width}:", end="")
            solve(pool, range(24), width, 0)
            print()


if __name__ == "__main__":
    main()
