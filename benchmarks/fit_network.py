"""Fit the network by which beams rank states on squares and hexagons, beside the weights of `fit_ranking.py`.

Beams with the network of the last round solve random boards. Of every few layers the state on the path to the
solution is kept with a sample of the others, and `fit_network.cpp` makes the cost of the first smaller than
theirs (Xu and Fern, "Learning linear ranking functions for beam search", ICML 2007, with another function).
No board has a network of its own: boards of several sizes are fitted together.

    python benchmarks/fit_network.py square --out src/slidelab/solve/search/ranking_networks.npz
    python benchmarks/fit_network.py square --rounds 0               only solve boards with the known network
"""

from __future__ import annotations

import argparse
import subprocess
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import slidelab as sl
from slidelab import _core
from slidelab.boards import Board
from slidelab.boards.lattice import images
from slidelab.budget import Budget
from slidelab.solve.patterns.heuristic import heuristic_for
from slidelab.solve.search.lattice_features import MAX_RING, lattice_features
from slidelab.solve.search.lattice_network import (
    CONTENTS,
    MAX_WAY,
    SIDE,
    WINDOWS,
    Network,
    board_windows,
    load_networks,
    save_network,
)
from slidelab.solve.search.lattice_weights import FAR_STEP, extended, load_weights
from slidelab.solve.search.ranking import weighted_ranking

ROOT = Path(__file__).parents[1]
BOARDS = {
    "square": {"square R(5,5)": 0.6, "square R(6,6)": 1.0, "square R(7,7)": 1.2, "square R(8,8)": 0.5},
    "hex": {
        "hex F(3)": 0.8,
        "hex P(5,5)": 1.0,
        "hex F(4)": 0.7,
        "hex P(6,6)": 0.5,
        "hex P(7,7)": 0.2,
        "hex F(5)": 0.2,
        "hex P(8,8)": 0.1,
    },
}
"""Boards of each lattice, with their share of the starts. All contents must occur on them."""
LAYERS, SAMPLES = 3, 8
CHANNELS = 16
UNITS = 16
"""Parts of a move in which weights are stored."""
MAX_LENGTH = 3000
CHUNK = 50_000
TEST_SEED, FIT_SEED = 9_000_000, 10_000_000


class Trainer:
    """A board with its random starts, and the samples of beams on it as `fit_network.cpp` reads them."""

    def __init__(self, text: str) -> None:
        self.puzzle = sl.puzzle(text)
        self.board = self.puzzle.board
        self.heuristic = heuristic_for(self.puzzle.goal, 0)
        self.weights = load_weights()[self.board.kind]
        graph = self.heuristic.graph
        self.cells = np.array([cells[0] for cells in graph.placements])
        self.goals = np.array([cells[0] for cells in graph.slots(self.heuristic.shape)])

    def ranking(self, network: Network | None) -> _core.Ranking:
        return weighted_ranking(self.heuristic, self.weights, network=network)

    def run(
        self, seed: int, ranking: _core.Ranking, width: int, samples: int
    ) -> tuple[int, NDArray[np.intp]] | None:
        """Return the length of a solution and the cells of the pieces of sampled states, by layer."""
        shape, marks = self.heuristic.encode(self.puzzle.shuffle(seed))
        (steps, *_), rows = self.heuristic.searches.sample_beam(
            self.heuristic.core,
            shape,
            marks,
            width,
            MAX_LENGTH,
            ranking,
            LAYERS,
            samples,
            Budget().poll("beam"),
        )
        if steps is None:
            return None
        layers = rows.reshape(-1, samples + 1, rows.shape[1])[: (len(steps) - 3) // LAYERS]
        return len(steps), self.cells[layers[:, :, :-1]]

    def linear(self, cells: NDArray[np.intp]) -> NDArray[np.float32]:
        """Return the sums of the fitted weights of states."""
        features = lattice_features(self.board)
        values = np.array(extended(self.board.kind, self.weights, features.keys), dtype=np.float32)
        goals = np.full((len(cells), self.board.size), -1)
        np.put_along_axis(goals, cells, np.broadcast_to(self.goals, cells.shape), axis=1)
        sums = values[features.singles[self.goals[None, :], cells]].sum(axis=1)
        sums += FAR_STEP * features.beyond[self.goals[None, :], cells].sum(axis=1)
        for offset, vector in enumerate(features.offsets):
            if vector > (0, 0):  # the other way round they are the same pairs
                here = np.flatnonzero(features.neighbours[:, offset] >= 0)
                a, b = goals[:, here], goals[:, features.neighbours[here, offset]]
                found = values[features.pairs[offset][a, b]]
                sums += np.where((a >= 0) & (b >= 0), found, 0).sum(axis=1)
        return np.asarray(sums, dtype=np.float32)

    def write(self, path: Path, groups: NDArray[np.intp]) -> None:
        """Write sampled states: the contents of their cells, and their linear costs."""
        windows, rows = board_windows(self.board), groups.reshape(-1, groups.shape[2])
        cell_images, way_images = symmetries(self.board)
        head = (*groups.shape[:2], self.board.size, windows.near.shape[1], CONTENTS, len(cell_images))
        held = np.full((len(rows), self.board.size), CONTENTS - 2, dtype=np.uint16)
        np.put_along_axis(held, rows, windows.contents[self.goals[None, :], rows], axis=1)
        linear = [self.linear(rows[at : at + CHUNK]) for at in range(0, len(rows), CHUNK)]
        with path.open("wb") as file:
            for array in (np.array(head, dtype=np.int32), windows.near, cell_images, way_images, held):
                file.write(array.tobytes())
            file.write(np.concatenate(linear).tobytes())


def symmetries(board: Board) -> tuple[NDArray[np.uint16], NDArray[np.uint16]]:
    """Return the images of cells and of contents under the symmetries of the lattice that keep the board."""
    ways = [(x, y) for y in range(-MAX_WAY, MAX_WAY + 1) for x in range(-MAX_WAY, MAX_WAY + 1)]
    cell_images, way_images = [], []
    for number in range(len(images(board.kind, 2, 1))):
        moved = [images(board.kind, *cell)[number] for cell in board.cells]
        left, top = (min(cell[k] for cell in moved) - min(cell[k] for cell in board.cells) for k in (0, 1))
        found = [board.cell_at.get((x - left, y - top)) for x, y in moved]
        if None in found:
            continue
        cell_images.append(found)
        image = list(range(CONTENTS))
        for at, way in enumerate(ways):
            x, y = images(board.kind, *way)[number]
            if max(abs(x), abs(y)) <= MAX_WAY:  # else no vector between two hexagons so near
                for ring in range(MAX_RING + 1):
                    to = (y + MAX_WAY) * SIDE + x + MAX_WAY
                    image[at * (MAX_RING + 1) + ring] = to * (MAX_RING + 1) + ring
        way_images.append(image)
    return np.array(cell_images, dtype=np.uint16), np.array(way_images, dtype=np.uint16)


def read_network(path: Path, kind: str) -> Network:
    """Read what `fit_network.cpp` has written, in units in which the linear cost counts once."""
    numbers, rows = np.fromfile(path, dtype=np.float32), len(WINDOWS[kind]) * CONTENTS
    factor = UNITS / numbers[-1]
    weights = np.round(numbers[: rows * CHANNELS] * factor).astype(np.int16)
    bias = np.round(numbers[rows * CHANNELS : -1] * factor).astype(np.int16)
    return Network(weights.reshape(-1, CONTENTS, CHANNELS), bias)


def build_program() -> Path:
    source, program = ROOT / "benchmarks" / "fit_network.cpp", ROOT / "build" / "fit_network"
    program.parent.mkdir(exist_ok=True)
    flags = ["-O3", "-march=native", "-ffast-math", "-std=c++20", "-Wno-psabi"]
    subprocess.run(["c++", *flags, str(source), "-o", str(program)], check=True)
    return program


class Fit:
    """The boards of a lattice and the network of the last round."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.kind: str = options.lattice
        self.folder: Path = options.samples
        self.folder.mkdir(parents=True, exist_ok=True)
        self.boards = {Trainer(text): share for text, share in BOARDS[self.kind].items()}
        self.network = None if options.again else load_networks().get(self.kind)

    def solve(
        self, first: int, starts: int, width: int, samples: int
    ) -> dict[Trainer, list[NDArray[np.intp]]]:
        found: dict[Trainer, list[NDArray[np.intp]]] = {}
        with ThreadPoolExecutor(2) as pool:
            for board, share in self.boards.items():
                ranking, seeds = board.ranking(self.network), range(first, first + round(share * starts))
                results = list(pool.map(lambda s: board.run(s, ranking, width, samples), seeds))  # noqa: B023
                solved = [each for each in results if each is not None]
                print(f"  {board.board.name} {np.mean([length for length, _ in solved]):.2f}", end="")
                if len(solved) < len(results):
                    print(f" ({len(results) - len(solved)} unsolved)", end="")
                print(end="", flush=True)
                found[board] = [layers for _, layers in solved]
        print()
        return found

    def sample(self, name: str, first: int, starts: int, width: int) -> list[Path]:
        """Write the samples of beams on all boards to files."""
        paths = []
        for number, (board, layers) in enumerate(self.solve(first, starts, width, SAMPLES).items()):
            paths.append(self.folder / f"{self.kind}-{name}-{number}.bin")
            board.write(paths[-1], np.concatenate(layers))
        return paths

    def fit(
        self, program: Path, samples: Sequence[Path], tests: Sequence[Path], epochs: int, rate: float
    ) -> None:
        weights = self.folder / f"{self.kind}.weights"
        words = [weights, "-", epochs, rate, *samples, "--", *tests]
        subprocess.run([str(program), *map(str, words)], check=True)
        self.network = read_network(weights, self.kind)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("lattice", choices=list(BOARDS))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--starts", type=int, default=1000, help="of a board in a round, times its share")
    parser.add_argument("--width", type=int, default=1000)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--rate", type=float, default=0.003)
    parser.add_argument("--samples", type=Path, default=ROOT / "build" / "samples", help="folder for samples")
    parser.add_argument("--out", type=Path, help="file of networks; the one of this lattice is replaced")
    parser.add_argument("--again", action="store_true", help="begin without the known network")
    options = parser.parse_args()
    fit = Fit(options)
    program = build_program()
    if options.rounds:
        tests = fit.sample("test", TEST_SEED, 30, options.width)
    samples: list[Path] = []
    for number in range(options.rounds):
        began = time.monotonic()
        first = FIT_SEED + 100_000 * number
        samples += fit.sample(str(number), first, options.starts, options.width)
        fit.fit(program, samples, tests, options.epochs, options.rate)
        print(f"round {number}: {time.monotonic() - began:.0f} s", flush=True)
        if options.out and fit.network is not None:
            save_network(options.out, fit.kind, fit.network)
    for width in (1000, 4000):
        print(f"width {width}:", end="")
        fit.solve(0, 20, width, 0)


if __name__ == "__main__":
    main()
