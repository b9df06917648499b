"""Questions whose answers can be compared: what threads and other processes must answer alike."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import slidelab as sl
from slidelab.errors import PuzzleError
from torture.puzzles import draw_puzzle, draw_small

__all__ = ["Query", "answer", "draw_queries"]

MAX_SEARCHED_CELLS = 9
"""Cells of the largest board on which searches without a time limit are made."""

Query = tuple[str, str, int]
"""A question, the text of a puzzle, and a seed."""


def draw_queries(rng: Random, count: int) -> list[Query]:
    """Return random questions about two or three puzzles."""
    texts = [draw_small(rng, 3000).puzzle.text for _ in range(2)]
    texts.append(draw_puzzle(rng, rng.choice([9, 12, 16]), rules=("tiles", "hextiles", "gourds")).puzzle.text)
    return [(rng.choice(list(QUESTIONS)), rng.choice(texts), rng.randrange(5)) for _ in range(count)]


def answer(query: Query) -> str:
    """Return the answer as text; an error of slidelab is an answer, too."""
    question, text, seed = query
    try:
        return QUESTIONS[question](sl.puzzle(text), seed)
    except PuzzleError as error:
        return f"{type(error).__name__}: {error}"


def _solve(method: str) -> Callable[[sl.Puzzle, int], str]:
    def run(puzzle: sl.Puzzle, seed: int) -> str:
        if puzzle.board.size > MAX_SEARCHED_CELLS:
            return "too large"
        start = puzzle.shuffle(seed)
        solution = puzzle.solve(start, method=method, tables=10**5)  # type: ignore[arg-type]
        return f"{solution.length} {solution.optimal}"

    return run


def _distance(puzzle: sl.Puzzle, seed: int) -> str:
    if puzzle.board.size > MAX_SEARCHED_CELLS:
        return "too large"
    return f"{puzzle.distance(puzzle.shuffle(seed))}"


def _table(puzzle: sl.Puzzle, seed: int) -> str:
    if puzzle.board.size > MAX_SEARCHED_CELLS:
        return "too large"
    table = sl.distance_table(puzzle.goal)
    batch = puzzle.arrays().encode([puzzle.shuffle(seed + k) for k in range(20)])
    return f"{table.distances(batch).tolist()}"


def _bounds(puzzle: sl.Puzzle, seed: int) -> str:
    heuristic = sl.heuristic_for(puzzle.goal, 10**5)
    return f"{[heuristic.lower_bound(puzzle.shuffle(seed + k)) for k in range(5)]}"


def _gains(puzzle: sl.Puzzle, seed: int) -> str:
    graph = sl.gain_graph(puzzle)
    return f"{graph.shapes} {graph.families()[:3]}"


QUESTIONS: dict[str, Callable[[sl.Puzzle, int], str]] = {
    "shuffle": lambda puzzle, seed: puzzle.shuffle(seed).text,
    "solvable": lambda puzzle, seed: str(puzzle.solvable(puzzle.shuffle(seed))),
    "analyze": lambda puzzle, seed: str(puzzle.analyze(connection=False)),
    "group": lambda puzzle, seed: puzzle.group().name,
    "auto": _solve("auto"),
    "ida": _solve("ida"),
    "astar": _solve("astar"),
    "bidirectional": _solve("bidirectional"),
    "distance": _distance,
    "table": _table,
    "bounds": _bounds,
    "gains": _gains,
}
"""Questions by name."""
