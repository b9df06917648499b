"""Steps a second of the environments of Gymnasium, single and vectorised, beside plain numpy.

The plain environments are what one writes for a course: the 15-puzzle as an array of sixteen numbers, four
actions, a table of legal actions by the place of the hole. They return the same: observations, rewards, ends
and masks, and are compared step by step. Random legal actions, one thread; each number is the best of several
runs, CPU time. Nothing here passes or fails by time.

    python benchmarks/environments.py           everything, about half a minute
    python benchmarks/environments.py --quick   fewer steps
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from slidelab.bridges.gym import PuzzleEnv, PuzzleVectorEnv

RUNS = 5
SIDE = 4
CELLS = SIDE * SIDE
GOAL = np.array([*range(1, CELLS), 0], dtype=np.uint8)

OTHERS = (
    ("8-puzzle with distances", "square R(3,3)", True),
    ("hex P(3,4), 2 holes", "hex P(3,4)", False),
    ("gourds on F(2)", "hex F(2) gourds", False),
)


def cells_beside() -> NDArray[np.int64]:
    """Return for each hole and action the cell of the tile that moves, -1 for none."""
    table = np.full((CELLS, 4), -1)
    for hole in range(CELLS):
        row, column = divmod(hole, SIDE)
        for action, (down, right) in enumerate(((1, 0), (-1, 0), (0, 1), (0, -1))):
            if 0 <= row + down < SIDE and 0 <= column + right < SIDE:
                table[hole, action] = (row + down) * SIDE + column + right
    return table


BESIDE = cells_beside()


class PlainEnv(gymnasium.Env[NDArray[np.uint8], np.int64]):
    """The 15-puzzle in plain numpy."""

    def __init__(self) -> None:
        self.observation_space = spaces.Box(0, CELLS - 1, (CELLS,), np.uint8)
        self.action_space = spaces.Discrete(4)
        self.masks = (BESIDE >= 0).astype(np.int8)
        self.beside: list[list[int]] = BESIDE.tolist()
        self.state, self.hole = GOAL.copy(), CELLS - 1

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        super().reset(seed=seed)
        self.state, self.hole = GOAL.copy(), CELLS - 1
        for _ in range(100):
            self.step(self.np_random.choice(np.flatnonzero(self.masks[self.hole])))
        return self.state.copy(), {"action_mask": self.masks[self.hole].copy()}

    def step(self, action: np.int64) -> tuple[NDArray[np.uint8], float, bool, bool, dict[str, Any]]:
        tile = self.beside[self.hole][int(action)]
        if tile >= 0:
            self.state[self.hole] = self.state[tile]
            self.state[tile] = 0
            self.hole = tile
        done = bool((self.state == GOAL).all())
        return self.state.copy(), -1.0, done, False, {"action_mask": self.masks[self.hole].copy()}


class PlainVector:
    """Many 15-puzzles in plain numpy: a fancy index for each step."""

    def __init__(self, count: int) -> None:
        self.count, self.every = count, np.arange(count)
        self.states = np.repeat(GOAL[None], count, axis=0)
        self.holes = np.full(count, CELLS - 1)

    def step(self, actions: NDArray[np.int64]) -> tuple[NDArray[Any], ...]:
        tiles = BESIDE[self.holes, actions]
        legal = tiles >= 0
        rows, tiles, holes = self.every[legal], tiles[legal], self.holes[legal]
        self.states[rows, holes] = self.states[rows, tiles]
        self.states[rows, tiles] = 0
        self.holes[legal] = tiles
        done = (self.states == GOAL).all(axis=1)
        return self.states.copy(), np.full(self.count, -1.0), done, BESIDE[self.holes] >= 0


def best(steps: int, work: Callable[[], object]) -> float:
    """Return the most steps a second of several runs."""
    least = float("inf")
    for _ in range(RUNS):
        began = time.process_time()
        work()
        least = min(least, time.process_time() - began)
    return steps / least


def same_action(arrays_cells: NDArray[np.int32], action: int) -> int:
    """Return the direction of plain numpy for the number of a move."""
    before, after = arrays_cells[action, :, 0].tolist()
    return int(np.flatnonzero(BESIDE[after] == before)[0])


def compare() -> None:
    """Compare the plain environments with ours, step by step."""
    ours, plain = PuzzleEnv("square R(4,4)"), PlainEnv()
    cells = ours.setting.arrays.move_cells
    _, info = ours.reset(options={"start": ours.setting.goal})
    rng = np.random.default_rng(2)
    for _ in range(1000):
        action = int(rng.choice(np.flatnonzero(info["action_mask"])))
        state, reward, done, _, plain_info = plain.step(np.int64(same_action(cells, action)))
        observation, own_reward, own_done, _, info = ours.step(action)
        counts = info["action_mask"].sum(), plain_info["action_mask"].sum()
        if not np.array_equal(observation, state) or (own_reward, own_done) != (reward, done):
            raise SystemExit("the environments differ")
        if counts[0] != counts[1]:
            raise SystemExit("the masks differ")
    many, plain_many = PuzzleVectorEnv(64, "square R(4,4)", threads=1), PlainVector(64)
    many.reset(seed=1, options={"start": many.setting.goal})
    for _ in range(200):
        actions = many.sample_actions()
        directions = np.array([same_action(cells, action) for action in actions.tolist()])
        observations, _, terminated, _, infos = many.step(actions)
        states, _, done_many, masks = plain_many.step(directions)
        if terminated.any():  # ours begins anew then
            break
        if not np.array_equal(observations, states) or done_many.any():
            raise SystemExit("the vector environments differ")
        if not np.array_equal(infos["action_mask"].sum(axis=1), masks.sum(axis=1)):
            raise SystemExit("the masks differ")


def single(env: gymnasium.Env[Any, Any], steps: int) -> float:
    """Return steps a second of random legal actions, which are drawn before the clock starts."""
    _, info = env.reset(seed=1)
    actions = []
    rng = np.random.default_rng(1)
    for _ in range(steps):
        actions.append(int(rng.choice(np.flatnonzero(info["action_mask"]))))
        info = env.step(actions[-1])[4]

    def run() -> None:
        env.reset(seed=1)
        for action in actions:
            env.step(action)

    return best(steps, run)


def timed(count: int, steps: int, draw: Callable[[], Any], step: Callable[[Any], object]) -> float:
    """Return steps a second of `step` alone, with actions that `draw` returns; the best of several parts."""
    least = float("inf")
    for _ in range(RUNS):
        seconds = 0.0
        for _ in range(steps // RUNS):
            actions = draw()
            began = time.process_time()
            step(actions)
            seconds += time.process_time() - began
        least = min(least, seconds)
    return steps // RUNS * count / least


def vector(puzzle: str, count: int, steps: int, *, distances: bool = False) -> float:
    envs = PuzzleVectorEnv(count, puzzle, scramble=100, threads=1, distances=distances)
    envs.reset(seed=1)
    return timed(count, steps, envs.sample_actions, envs.step)


def plain_vector(count: int, steps: int) -> float:
    envs, rng = PlainVector(count), np.random.default_rng(1)

    def draw() -> NDArray[np.int64]:
        actions: NDArray[np.int64] = np.where(BESIDE[envs.holes] >= 0, rng.random((count, 4)), -1.0).argmax(1)
        return actions

    return timed(count, steps, draw, envs.step)


def print_row(name: str, ours: float, plain: float | None = None) -> None:
    if plain is None:
        print(f"{name:36} {'':12} {ours:12,.0f}", flush=True)
    else:
        print(f"{name:36} {plain:12,.0f} {ours:12,.0f} {ours / plain:6.2f}x", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    steps = 5_000 if parser.parse_args().quick else 30_000
    compare()
    print(f"{'steps a second, one thread':36} {'plain numpy':>12} {'slidelab':>12} {'ratio':>7}")
    print_row("15-puzzle", single(PuzzleEnv("square R(4,4)"), steps), single(PlainEnv(), steps))
    for name, puzzle, distances in OTHERS:
        print_row(name, single(PuzzleEnv(puzzle, distances=distances), steps))
    for count in (16, 256, 4096, 65_536):
        rounds = max(50, min(steps // 5, 40 * steps // count))
        print_row(
            f"15-puzzle, {count:,} at once",
            vector("square R(4,4)", count, rounds),
            plain_vector(count, rounds),
        )
    for name, puzzle, distances in OTHERS:
        print_row(f"{name}, 4,096 at once", vector(puzzle, 4096, 100, distances=distances))


if __name__ == "__main__":
    main()
