"""Small puzzles: verdicts, analyses and shuffles against plain search."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from reach.twins import Twin
from slidelab.errors import NotationError
from torture.case import Case
from torture.oracle import components_of, distances_from, look, looks_of
from torture.puzzles import draw_small

__all__ = ["run"]

MAX_CONFIGURATIONS = 3000
"""Labelled configurations of the largest puzzle."""

PAIRS = 6
"""Pairs of start and goal that are asked about."""


def run(case: Case) -> None:
    """Ask everything about what can be reached in one small puzzle."""
    made = draw_small(case.rng, MAX_CONFIGURATIONS)
    case.about(made.puzzle.text)
    board = made.puzzle.board
    case.same([set(around) for around in board.neighbours], made.plain.adjacency, "adjacency")
    _check_analysis(case, made)
    _check_verdicts(case, made)
    _check_shuffles(case, made)


def _check_analysis(case: Case, made: Twin) -> None:
    with case.attempt("analyze"):
        found = made.puzzle.analyze(connection=case.rng.random() < 0.3)
        case.same(str(found) != "", True, "whether the analysis prints")
        sizes: Counter[int] = Counter()
        if made.puzzle.colours is not None:
            expected = components_of(made)
            for family in found.families:
                for size, count in family.colours.sizes if family.colours else ():
                    sizes[size] += count
            case.same(found.components, sum(expected.values()), "number of components")
            case.same(sizes, expected, "sizes of components")
            return
        summary = made.plain.summary()
        for family in found.families:
            sizes[family.size] += family.components
        case.same(found.shapes, summary["shapes"], "number of shapes")
        case.same(found.isolated, summary["isolated"], "number of isolated shapes")
        case.same(found.components, summary["components"], "number of components")
        case.same(sizes, summary["sizes"], "sizes of components")
        case.same(found.maximally_connected, summary["components"] == 1, "maximally connected")
        if made.plain.rule == "tiles":
            case.same(found.disagreements, (), "theorems that disagree")


def _check_verdicts(case: Case, made: Twin) -> None:
    everything = list(looks_of(made).values())
    for _ in range(PAIRS):
        start = case.rng.choice(everything)
        reached = distances_from(made, start)
        inside = [config for config in everything if look(made, config) in reached]
        same_shape = [config for config in everything if made.plain.shape(config) == made.plain.shape(start)]
        goal = case.rng.choice(case.rng.choice([everything, inside, same_shape]))
        first, last = made.configuration(start), made.configuration(goal)
        with case.attempt(f"solvable {first.pieces_text} -> {last.pieces_text}"):
            verdict = made.puzzle.solvable(first, last)
            case.same(verdict.solvable, look(made, goal) in reached, f"verdict on {first.pieces_text}")
            case.check(verdict.check(), f"the certificate of {first.pieces_text} is refused")
            other = replace(verdict, solvable=not verdict.solvable)
            case.check(not other.check(), f"a certificate of {first.pieces_text} proves the opposite, too")


def _check_shuffles(case: Case, made: Twin) -> None:
    everything = list(looks_of(made).values())
    start = case.rng.choice(everything)
    reached = distances_from(made, start)
    seed = case.rng.randrange(10**6)
    for number in range(3):
        with case.attempt("shuffle", NotationError):
            found = made.puzzle.shuffle(seed + number, made.configuration(start))
            config = made.config(found)
            case.check(made.plain.is_legal(config), f"shuffle {seed + number} gives an illegal configuration")
            case.check(look(made, config) in reached, f"shuffle {seed + number} cannot be reached")
            again = made.puzzle.shuffle(seed + number, made.configuration(start))
            case.same(again, found, f"shuffle {seed + number} again")
