"""Large puzzles: solutions are replayed, verdicts are consistent, and nothing fails without saying why."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

from reach.twins import Twin
from slidelab.errors import OutOfTime, PuzzleError, TooLarge, Unsolvable
from slidelab.puzzles import Configuration
from torture.case import Case
from torture.options import CONSTRUCTIVE, accepted_methods
from torture.oracle import replay
from torture.puzzles import draw_puzzle, lay_randomly, shuffled_walk

__all__ = ["run"]

SIZES = (20, 30, 40, 50, 60, 80, 100, 150, 200, 300, 500, 1000, 2000)
"""Cells of the boards; those of larger pieces have at most a tenth of the largest."""

MAX_SECONDS = 20.0
"""Time limit of methods other than `auto`."""

WALK = 60
"""Moves of the random walk to a goal that certainly can be reached."""


def run(case: Case) -> None:
    """Ask for verdicts and solutions on one large board."""
    rng = case.rng
    size = rng.choice(SIZES)
    if size > 300 or rng.random() < 0.6:
        made = draw_puzzle(rng, size, rules=("tiles", "hextiles"))
    else:
        made = draw_puzzle(rng, min(size, 200))
    case.about(_subject(made))
    goal = lay_randomly(rng, made.plain)
    if goal is None:
        return
    last = made.configuration(goal)
    near = shuffled_walk(rng, made.plain, goal, WALK)
    _check_pair(case, made, made.configuration(near), last, reachable=True)
    far = _shuffle(case, made, last)
    if far is not None:
        _check_pair(case, made, far, last, reachable=True)
        _check_swapped(case, made, far, last)
        _check_text_and_picture(case, far)
    other = lay_randomly(rng, made.plain)
    if other is not None:
        _check_pair(case, made, made.configuration(other), last, reachable=None)


def _subject(made: Twin) -> str:
    """Return the puzzle, shortened."""
    text = f"{made.puzzle.board.name} {made.plain.rule} {made.plain.hole_count}"
    if len(text) > 90:
        text = f"{text[:60]}... ({made.plain.n} cells) {made.plain.rule} {made.plain.hole_count}"
    colours = made.puzzle.colours
    return text if colours is None else f"{text}, {len(set(colours))} colours"


def _shuffle(case: Case, made: Twin, start: Configuration) -> Configuration | None:
    seed = case.rng.randrange(10**6)
    with case.attempt(f"shuffle {seed}", TooLarge, OutOfTime):
        found = made.puzzle.shuffle(seed, start)
        case.check(made.plain.is_legal(made.config(found)), "a shuffled configuration is illegal")
        return found
    return None


def _check_pair(
    case: Case, made: Twin, start: Configuration, goal: Configuration, *, reachable: bool | None
) -> None:
    verdict: bool | None = None
    with case.attempt("solvable", TooLarge):
        found = made.puzzle.solvable(start, goal)
        verdict = found.solvable
        case.check(found.check(), f"the certificate is refused: {found}")
        case.check(verdict or reachable is not True, f"'{found}', but the start was made by moves")
        back = made.puzzle.solvable(goal, start)
        case.same(back.solvable, verdict, "verdict on the way back")
    _check_solve(case, made, start, goal, verdict)


def _check_solve(
    case: Case, made: Twin, start: Configuration, goal: Configuration, verdict: bool | None
) -> None:
    others = [method for method in accepted_methods(made) if method in CONSTRUCTIVE]
    for method in ("auto", case.rng.choice(others)):
        # A verdict promises that `auto` answers; all else may refuse, but not claim what is not so.
        allowed: tuple[type[Exception], ...] = (PuzzleError,)
        limit: float | None = MAX_SECONDS
        if method == "auto":
            allowed, limit = ((TooLarge,), None) if verdict is None else ((), None)
        options: dict[str, Any] = {"method": method, "time": limit}
        with case.attempt(f"solve {options}, verdict {verdict}", *allowed):
            try:
                with case.timed(limit):
                    solution = made.puzzle.solve(start, goal, **options)
            except Unsolvable as error:
                case.check(not verdict, f"solve {options}: 'not solvable' ({error}), but the verdict is yes")
                continue
            wrong = replay(made, start, goal, solution.moves)
            case.check(not wrong, f"solve {options}: {wrong}")
            case.check(verdict is not False, f"solve {options} solves what has no solution")
            bound = solution.lower_bound or 0
            case.check(bound <= solution.length, f"solve {options}: lower bound {bound} of {solution.length}")


def _check_swapped(case: Case, made: Twin, start: Configuration, goal: Configuration) -> None:
    """Exchange two tiles: with one hole and only even cycles, exactly one of the two can be solved."""
    game = made.plain
    if game.rule != "tiles" or game.hole_count > 1 or made.puzzle.colours is not None or game.piece_count < 2:
        return
    row = list(made.config(start))
    a, b = case.rng.sample([cell for cell, label in enumerate(row) if label], 2)
    row[a], row[b] = row[b], row[a]
    with case.attempt("solvable with two tiles exchanged", TooLarge):
        swapped = made.puzzle.solvable(made.configuration(tuple(row)), goal)
        case.check(swapped.check(), f"the certificate is refused: {swapped}")
        if _is_bipartite(made):
            case.check(not swapped.solvable, "both of two positions of different parity can be solved")


def _is_bipartite(made: Twin) -> bool:
    side: dict[int, int] = {}
    for root in range(made.plain.n):
        stack = [] if root in side else [root]
        side.setdefault(root, 0)
        while stack:
            here = stack.pop()
            for there in made.plain.adjacency[here] - side.keys():
                side[there] = 1 - side[here]
                stack.append(there)
    return all(side[a] != side[b] for a in range(made.plain.n) for b in made.plain.adjacency[a])


def _check_text_and_picture(case: Case, configuration: Configuration) -> None:
    puzzle = configuration.puzzle
    with case.attempt("text of a large puzzle"):
        case.same(puzzle.configuration(configuration.pieces_text), configuration, "pieces from their text")
    with case.attempt("picture of a large puzzle"):
        path = case.folder / "large.svg"
        configuration.draw().save(path)
        case.check(ElementTree.parse(path).getroot().tag.endswith("svg"), "the picture is no SVG")
