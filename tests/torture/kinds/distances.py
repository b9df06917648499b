"""Small puzzles: distances, God's number and distance tables against plain search."""

from __future__ import annotations

import slidelab as sl
from distance.oracle import pushes
from plain import Config
from reach.twins import Twin
from torture.case import Case
from torture.oracle import distances_from, layers_from, look, looks_of
from torture.puzzles import draw_small

__all__ = ["run", "push_distances"]

MAX_CONFIGURATIONS = 3000
"""Labelled configurations of the largest puzzle."""

MAX_WORK = 150_000
"""Configurations times starts for which God's number is found by plain search."""


def run(case: Case) -> None:
    """Ask for distances in one small puzzle in every way."""
    made = draw_small(case.rng, MAX_CONFIGURATIONS)
    case.about(made.puzzle.text)
    looks = looks_of(made)
    start = case.rng.choice(list(looks.values()))
    _check_distances(case, made, start)
    _check_table(case, made, start, list(looks.values()))
    _check_gods_number(case, made, list(looks.values()))
    if made.plain.rule == "tiles" and made.plain.kind != "graph" and made.puzzle.colours is None:
        _check_pushes(case, made, start, list(looks.values()))


def _check_distances(case: Case, made: Twin, start: Config) -> None:
    layers = layers_from(made, start)
    threads = case.rng.choice([None, 1, 2, 5])
    folder = case.folder / "layers" if case.rng.random() < 0.3 else None
    with case.attempt(f"distances, threads={threads}, checkpoint={folder is not None}"):
        begin = made.configuration(start)
        found = made.puzzle.distances(begin, threads=threads, checkpoint=folder)
        case.same(found.distribution, tuple(map(len, layers)), "distribution")
        hardest = {look(made, made.config(c)) for c in found.hardest}
        expected = {look(made, config) for config in layers[-1]}
        case.check(hardest <= expected, "a hardest configuration is not")
        case.same(len(hardest), min(1000, len(expected)), "number of hardest configurations")


def _check_table(case: Case, made: Twin, goal: Config, everything: list[Config]) -> None:
    true = distances_from(made, goal)
    last = made.configuration(goal)
    some = case.rng.sample(everything, min(20, len(everything)))
    with case.attempt("distance"):
        for config in some[:5]:
            found = made.puzzle.distance(made.configuration(config), last)
            case.same(found, true.get(look(made, config)), "distance")
    with case.attempt("distance_table"):
        table = sl.distance_table(last)
        batch = made.puzzle.arrays().encode([made.configuration(config) for config in some])
        expected = [true.get(look(made, config), -1) for config in some]
        case.same(table.distances(batch, last).tolist(), expected, "distances of a batch")


def _check_gods_number(case: Case, made: Twin, everything: list[Config]) -> None:
    starts = everything
    if made.puzzle.colours is None:
        # Renaming the pieces takes any start to any other of its shape.
        starts = list({made.plain.shape(config): config for config in everything}.values())
    if len(starts) * len(everything) > MAX_WORK:
        return
    expected = max(len(layers_from(made, start)) - 1 for start in starts)
    with case.attempt("gods_number"):
        found = made.puzzle.gods_number(threads=case.rng.choice([None, 1, 3]))
        case.check(found.exact, "God's number is not exact")
        case.same(found.number, expected, "God's number")
        case.check(str(found), "God's number does not print")


def push_distances(made: Twin, start: Config) -> dict[Config, int]:
    """Return distances if a straight row of tiles pushed at once counts as one move."""
    found = {start: 0}
    layer = [start]
    while layer:
        following = []
        for here in layer:
            for there in pushes(made.plain, here):
                if there not in found:
                    found[there] = found[here] + 1
                    following.append(there)
        layer = following
    return found


def _check_pushes(case: Case, made: Twin, goal: Config, everything: list[Config]) -> None:
    true = push_distances(made, goal)
    some = case.rng.sample(everything, min(3, len(everything)))
    with case.attempt("distances of pushes"):
        counted = made.puzzle.distances(made.configuration(goal), metric="straight").distribution
        expected = tuple(sum(d == depth for d in true.values()) for depth in range(max(true.values()) + 1))
        case.same(counted, expected, "distribution of pushes")
        for config in some:
            begin, end = made.configuration(config), made.configuration(goal)
            found = made.puzzle.distance(begin, end, metric="straight")
            case.same(found, true.get(config), "distance in pushes")
