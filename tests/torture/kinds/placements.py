"""Coloured gourds: placements, their number, and solutions to them, against plain enumeration."""

from __future__ import annotations

from collections.abc import Sequence

import networkx as nx

import slidelab as sl
from reach.twins import Twin
from slidelab.errors import OutOfTime, PuzzleError, TooLarge, Unsolvable
from slidelab.place.counting import count_placements
from slidelab.puzzles import Configuration
from torture.case import Case
from torture.oracle import distances_from, looks_of, replay
from torture.puzzles import WORDS, draw_puzzle, draw_small

__all__ = ["run"]

MAX_CONFIGURATIONS = 2000
"""Labelled configurations of the largest puzzle that is enumerated."""


def run(case: Case) -> None:
    """Place gourds on one small and one larger board."""
    made = draw_small(case.rng, MAX_CONFIGURATIONS, rules=("gourds", "gourds-sharp"), coloured=1.0)
    cells = _draw_cells(case, made)
    case.about(f"{made.puzzle.text} on {' '.join(cells)}")
    _check_small(case, made, cells)
    large = draw_puzzle(case.rng, case.rng.randint(20, 120), rules=("gourds",), coloured=1.0)
    cells = _draw_cells(case, large)
    case.about(f"{large.puzzle.text:.100} on {' '.join(cells):.100}")
    limit = case.rng.choice([1.0, 5.0])
    with case.attempt(f"place, time={limit}", OutOfTime, TooLarge), case.timed(limit):
        found = large.puzzle.place(cells, time=limit)
        if found:
            case.check(_lies_well(large, cells, found.configuration), "the placement is wrong")


def _draw_cells(case: Case, made: Twin) -> list[str]:
    """Return colours of the cells: those of a placement, or with some of them changed."""
    rng = case.rng
    cells = ["."] * made.plain.n
    try:
        goal = made.puzzle.shuffle(rng.randrange(10**6), time=5)
    except PuzzleError:
        return [rng.choice(WORDS) for _ in cells]
    for piece, labels in zip(goal.pieces, made.puzzle.colours or (), strict=True):
        for cell, label in zip(piece, labels, strict=True):
            cells[cell] = label
    if rng.random() < 0.5:
        cells = [rng.choice(WORDS[:2]) if colour == "." else colour for colour in cells]
    for _ in range(rng.choice([0, 0, 1, 2])):
        cells[rng.randrange(len(cells))] = rng.choice([*WORDS[:3], "."])
    return cells


def _lies_well(made: Twin, cells: Sequence[str], configuration: Configuration) -> bool:
    """Return whether each end lies on a cell of its colour, on a legal configuration."""
    pieces = zip(configuration.pieces, made.puzzle.colours or (), strict=True)
    covered = [cell for piece in configuration.pieces for cell in piece]
    return (
        len(set(covered)) == len(covered)
        and all(b in made.plain.adjacency[a] for a, b in configuration.pieces)
        and all(
            cells[cell] == label
            for piece, labels in pieces
            for cell, label in zip(piece, labels, strict=True)
        )
    )


def _is_planar(made: Twin) -> bool:
    graph: nx.Graph[int] = nx.Graph({cell: sorted(near) for cell, near in enumerate(made.plain.adjacency)})
    planar: bool = nx.check_planarity(graph)[0]
    return planar


def _check_small(case: Case, made: Twin, cells: list[str]) -> None:
    good = {
        seen: config
        for seen, config in looks_of(made).items()
        if _lies_well(made, cells, made.configuration(config))
    }
    with case.attempt("place"):
        found = made.puzzle.place(cells)
        case.same(found.feasible, bool(good), "whether there is a placement")
        if found:
            case.check(_lies_well(made, cells, found.configuration), "the placement is wrong")
    gourds = [(labels[0], labels[1]) for labels in made.puzzle.colours or ()]
    # Placements are counted on planar boards only.
    refusal = () if _is_planar(made) else (PuzzleError,)
    with case.attempt("count_placements", *refusal):
        case.same(count_placements(made.puzzle.board, cells, gourds), len(good), "number of placements")
    start = case.rng.choice(list(looks_of(made).values()))
    reachable = good.keys() & distances_from(made, start).keys()
    with case.attempt(f"solve to cells from {made.configuration(start).pieces_text}"):
        try:
            solution: sl.Solution = made.puzzle.solve(made.configuration(start), cells=cells)
        except Unsolvable as error:
            case.check(not reachable, f"solve: 'not solvable' ({error}), but a placement can be reached")
            return
        wrong = replay(made, made.configuration(start), solution.goal, solution.moves)
        case.check(not wrong, f"solve: {wrong}")
        case.check(_lies_well(made, cells, solution.goal), "the solution ends in a wrong placement")
