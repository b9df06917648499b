"""The command line: `slidelab analyze | solvable | god | solve | shuffle | boards`.

Text is for people, `--json` for programs. Exit codes: 0 done (or solvable), 1 answered "no",
2 bad input (one line says what was expected), 3 gave up at a limit.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import App, CycloptsError, Parameter, UnusedCliTokensError

from slidelab.errors import NotationError, PuzzleError, TooLarge, Unsolvable

if TYPE_CHECKING:
    from slidelab.boards import Board
    from slidelab.distance.distances import Distances
    from slidelab.distance.gods_number import GodsNumber
    from slidelab.distance.search import Means, Plan
    from slidelab.gains import Limits, Progress
    from slidelab.puzzles import Configuration, Puzzle
    from slidelab.solutions import Solution

__all__ = ["app", "main"]

DONE, NO, BAD_INPUT, GAVE_UP, STOPPED = 0, 1, 2, 3, 130

app = App(
    name="slidelab",
    help=(
        "The laboratory for sliding puzzles: "
        "what can be reached, how far it is, how to get there, and why not."
    ),
    help_epilogue=(
        "A BOARD is a text such as 'hex P(3,4)', 'square R(4,4)' or 'theta(1,2,2)', a whole position "
        "such as 'square R(3,3) : 1 2 3 4 5 6 8 7 .', a file, or - for standard input. "
        "'slidelab boards' lists them all."
    ),
    version=lambda: __import__("slidelab").__version__,
    version_flags=["--version"],
    help_format="plaintext",  # no Markdown parser at start-up
    suppress_keyboard_interrupt=False,
)

BoardText = Annotated[str, Parameter(allow_leading_hyphen=True, help="board, puzzle or position: see below")]
Rule = Annotated[
    str | None, Parameter(help="tiles, hextiles, gourds, gourds-sharp, trimers, trimers-straight, ...")
]
Holes = Annotated[int | None, Parameter(help="number of holes")]
Colours = Annotated[str | None, Parameter(help="colours of the pieces instead of numbers: 'a a b b c'")]
Json = Annotated[
    bool, Parameter(name="--json", negative="", help="JSON for programs instead of text for people")
]
Start = Annotated[
    str | None, Parameter(allow_leading_hyphen=True, help="where the pieces start: text, JSON, a file or -")
]
Seed = Annotated[int | None, Parameter(help="shuffle with this seed")]
Shapes = Annotated[int, Parameter(name="--max-shapes", help="stop if the puzzle has more shapes than this")]
Memory = Annotated[str, Parameter(help="largest memory for tables, e.g. 500M or 2G")]

SearchMemory = Annotated[
    str | None, Parameter(name="--memory", help="largest memory, e.g. 2G (default: most of the machine's)")
]
Threads = Annotated[int | None, Parameter(help="how many threads (default: all cores)")]
Metric = Annotated[
    str, Parameter(help="single, or straight: a straight row of tiles pushed at once counts as one move")
]

_SHAPES = 3_000_000


@app.command
def analyze(
    board: BoardText,
    *,
    rule: Rule = None,
    holes: Annotated[
        str | None, Parameter(help="number of holes; several as 2,3,4 or 2-4 give a table")
    ] = None,
    colours: Colours = None,
    connection: Annotated[bool, Parameter(help="also find the connection number")] = True,
    max_shapes: Shapes = _SHAPES,
    memory: Memory = "2G",
    json: Json = False,
) -> int:
    """What can be reached: shapes, group, components, parity, and what the theorems say."""
    from slidelab.reach.analysis import analyze as run
    from slidelab.reach.report import summary_table

    source = _source(board)
    puzzles = [_puzzle(source, rule, count, colours) for count in _hole_counts(holes, source, rule)]
    limits = _limits(max_shapes, memory)
    found, refused = [], []
    with _progress() as progress:
        for puzzle in puzzles:
            try:
                found.append(run(puzzle, limits=limits, progress=progress, connection=connection))
            except TooLarge as error:
                refused.append(error)
    if len(puzzles) == 1 and refused:
        raise refused[0]
    if json:
        _print_json([a.to_json() for a in found] if len(puzzles) > 1 else found[0].to_json())
    elif found:
        print(found[0] if len(puzzles) == 1 else summary_table(found))
    for reason in refused:
        _say(str(reason), GAVE_UP)
    return GAVE_UP if refused else DONE


@app.command
def solvable(
    board: BoardText,
    *,
    rule: Rule = None,
    holes: Holes = None,
    colours: Colours = None,
    start: Start = None,
    goal: Annotated[
        str | None, Parameter(help="where they should end (default: in order, holes last)")
    ] = None,
    seed: Seed = None,
    moves: Annotated[
        bool, Parameter(negative="", help="show moves that lead there (far from the shortest)")
    ] = False,
    check: Annotated[
        bool, Parameter(negative="", help="verify the certificate without the group code, too")
    ] = False,
    max_shapes: Shapes = _SHAPES,
    memory: Memory = "2G",
    json: Json = False,
) -> int:
    """Can the start be turned into the goal? Yes or no, with the reason. Exit code 0 yes, 1 no."""
    from slidelab.reach.verdict import solvable as run

    puzzle, first, last = _question(board, rule, holes, colours, start, goal)
    limits = _limits(max_shapes, memory)
    with _progress() as progress:
        begin = _begin(puzzle, first, last, seed, limits=limits, progress=progress)
        verdict = run(puzzle, begin, last, limits=limits, progress=progress)
    if check and not verdict.check():
        raise PuzzleError("the certificate does not prove the verdict; please report this")
    if json:
        _print_json(verdict.to_json())
    else:
        if seed is not None:
            print(begin.text)
        print(verdict)
        if moves and verdict:
            print(" ".join(verdict.certificate.get("moves", ["too large to write moves for"])))
        if check:
            print(f"certificate of kind '{verdict.certificate['kind']}' checked without the group code")
    return DONE if verdict else NO


@app.command
def god(
    *boards: BoardText,
    rule: Rule = None,
    holes: Annotated[str | None, Parameter(help="number of holes; several as 2,3,4 or 2-4")] = None,
    colours: Colours = None,
    start: Annotated[
        str | None,
        Parameter(allow_leading_hyphen=True, help="only distances from this start: text, JSON, a file or -"),
    ] = None,
    metric: Metric = "single",
    hardest: Annotated[int, Parameter(help="with --start: list so many of the farthest configurations")] = 1,
    chart: Annotated[str | None, Parameter(help="also draw the distribution, into this .svg file")] = None,
    checkpoint: Annotated[
        str | None, Parameter(help="folder for finished layers; the same command goes on from there")
    ] = None,
    memory: SearchMemory = None,
    threads: Threads = None,
    max_shapes: Shapes = _SHAPES,
    json: Json = False,
) -> int:
    """How far: God's number, or with --start the distances from one configuration."""
    if not boards:
        raise NotationError("expected a BOARD, such as 'square R(3,3)'")
    for text in boards:
        if text.startswith("-") and text != "-":
            raise NotationError(f"expected a BOARD or an option of god, got {text!r:.40}")
        if text in ("hex", "square", "king", "graph"):
            raise NotationError(f"expected a BOARD in quotes, such as 'square R(3,3)', got {text!r} alone")
    sources = [_source(text) for text in boards]
    asked = [
        _puzzle(source, rule, count, colours)
        for source in sources
        for count in _hole_counts(holes, source, rule)
    ]
    begin = _start_of(asked[0], sources[0], start) if len(asked) == 1 else None
    if len(asked) > 1 and not start is chart is checkpoint is None:
        raise NotationError("expected one puzzle with --start, --chart or --checkpoint, got several")
    if checkpoint == "":
        raise NotationError("expected the name of a folder, got nothing - at --checkpoint")
    if hardest < 0 or (hardest != 1 and begin is None):
        wanted = "how many to list" if hardest < 0 else "--start, too: the farthest are listed from one start"
        raise NotationError(f"expected {wanted}, got {hardest} - at --hardest")
    if chart is not None:
        from slidelab.distance.chart import check_name

        check_name(chart)
    means, limits = _means(memory, threads), _limits(max_shapes, "2G")
    found: list[GodsNumber | Distances | _Refused] = []
    with _progress() as progress, _kept_safe(checkpoint):
        options: dict[str, Any] = {
            "metric": metric,
            "limits": limits,
            "means": means,
            "checkpoint": checkpoint,
            "plan": _announce,
            "progress": progress,
        }
        for puzzle in asked:
            try:
                if begin is not None:
                    found.append(puzzle.distances(begin, hardest=hardest, **options))
                else:
                    found.append(puzzle.gods_number(**options))
            except TooLarge as error:
                found.append(_Refused(puzzle, error))
    if chart and not isinstance(found[0], _Refused):
        found[0].chart(chart)
    _print_distances(found, json)
    return GAVE_UP if any(isinstance(result, _Refused) for result in found) else DONE


def _start_of(puzzle: Puzzle, source: str, start: str | None) -> Configuration | None:
    """The start that was given, as an option or as the position of numbered pieces; None: all starts."""
    from slidelab.notation import given_positions

    if start is not None:
        return puzzle.configuration(_source(start))
    return given_positions(puzzle, source)[0] if puzzle.colours is None else None


class _Refused:
    """A puzzle too large to search, and what is known of it."""

    def __init__(self, puzzle: Puzzle, error: TooLarge) -> None:
        self.puzzle = puzzle
        self.error = error

    def to_json(self) -> dict[str, Any]:
        return {
            "puzzle": self.puzzle.to_json(),
            "gods_number": None,
            "exact": False,
            "at_least": getattr(self.error, "at_least", None),
            "states": getattr(self.error, "states", None),
            "needs_bytes": getattr(self.error, "needs", None),
            "reason": str(self.error),
        }


def _print_distances(found: list[GodsNumber | Distances | _Refused], json: bool) -> None:
    from slidelab.distance.distances import Distances
    from slidelab.distance.gods_number import GodsNumber
    from slidelab.distance.report import gods_table

    numbers = [result for result in found if isinstance(result, GodsNumber)]
    if json:
        rows = [result.to_json() for result in found]
        _print_json(rows[0] if len(rows) == 1 else rows)
    elif len(found) > 1 and numbers:
        print(gods_table(numbers))
    elif len(found) == 1 and not isinstance(found[0], _Refused):
        print(found[0])
        if isinstance(found[0], Distances) and len(found[0].hardest) > 1:
            print("\nhardest")
            for configuration in found[0].hardest:
                print(f"  {configuration.pieces_text}")
    for result in found:
        if isinstance(result, _Refused):
            _say(str(result.error), GAVE_UP)


@contextmanager
def _kept_safe(checkpoint: str | None) -> Iterator[None]:
    """Stopped in the middle: say that the finished layers are not lost."""
    try:
        yield
    except KeyboardInterrupt:
        if checkpoint:
            _say(f"the finished layers are in {checkpoint}; the same command goes on from there", STOPPED)
        raise


def _announce(plan: Plan) -> None:
    """Before a long search: what it will take."""
    if plan.seconds * plan.searches >= 1:
        _say(str(plan), DONE)


@app.command
def solve(
    board: BoardText,
    *,
    rule: Rule = None,
    holes: Holes = None,
    colours: Colours = None,
    start: Start = None,
    goal: Annotated[
        str | None, Parameter(help="where they should end (default: in order, holes last)")
    ] = None,
    seed: Seed = None,
    method: Annotated[
        str,
        Parameter(help="table (of all distances), ida (iterative deepening), or auto: what is quicker"),
    ] = "auto",
    metric: Metric = "single",
    seconds: Annotated[
        float | None, Parameter(name="--time", help="give up after so many seconds, with a lower bound")
    ] = None,
    memory: SearchMemory = None,
    threads: Threads = None,
    max_shapes: Shapes = _SHAPES,
    json: Json = False,
) -> int:
    """The shortest way from the start to the goal. Exit code 1 if there is none, with the reason."""
    from slidelab.solve.solving import solve as run

    puzzle, first, last = _question(board, rule, holes, colours, start, goal)
    limits, means = _limits(max_shapes, "2G"), _means(memory, threads)
    with _progress() as progress:
        begin = _begin(puzzle, first, last, seed, limits=limits, progress=progress)
        try:
            solution = run(
                puzzle,
                begin,
                last,
                method=method,
                metric=metric,
                seconds=seconds,
                limits=limits,
                means=means,
                progress=progress,
            )
        except (TooLarge, Unsolvable) as error:
            if json:
                no: dict[str, Any] = {"solvable": False} if isinstance(error, Unsolvable) else {}
                if (at_least := getattr(error, "at_least", None)) is not None:
                    no["at_least"] = at_least
                _print_json(
                    {"puzzle": puzzle.to_json(), "start": begin.to_json(), **no, "reason": str(error)}
                )
                return NO if isinstance(error, Unsolvable) else GAVE_UP
            raise
    if json:
        _print_json(solution.to_json())
        return DONE
    if seed is not None:
        print(begin.text)
    print(_lengths(solution))
    if solution.length:
        print(solution.text)
    return DONE


def _lengths(solution: Solution) -> str:
    moves, pushes = _many(solution.length, "move"), _many(solution.pushes or 0, "push", "pushes")
    if not solution.length:
        return "already solved"
    if solution.metric == "straight":
        return f"{pushes} ({moves}), and no solution has fewer pushes"
    also = f" ({pushes})" if solution.pushes not in (None, solution.length) else ""
    return f"{moves}{also}, and no solution is shorter"


def _many(number: int, one: str, more: str = "") -> str:
    return f"{number:,} {one if number == 1 else more or one + 's'}"


def _begin(
    puzzle: Puzzle,
    first: Configuration | None,
    last: Configuration | None,
    seed: int | None,
    **options: Any,
) -> Configuration:
    """Where to start from: what was given, or a shuffle with the seed, but not both or neither."""
    if (first is None) == (seed is None):
        got = "neither" if first is None else "both"
        raise NotationError(f"expected --start or --seed to say where {puzzle.text!r} starts, got {got}")
    return puzzle.shuffle(seed, last, **options) if first is None else first


@app.command
def shuffle(
    board: BoardText,
    *,
    rule: Rule = None,
    holes: Holes = None,
    colours: Colours = None,
    start: Start = None,
    seed: Seed = None,
    count: Annotated[int, Parameter(help="how many")] = 1,
    max_shapes: Shapes = _SHAPES,
    memory: Memory = "2G",
    json: Json = False,
) -> int:
    """Random configurations that can be reached, all equally likely; one line each."""
    from itertools import islice

    from slidelab.reach.shuffle import shuffles

    puzzle, first, _ = _question(board, rule, holes, colours, start, None)
    if not 1 <= count <= 10**9:
        raise NotationError(f"expected a number from 1 to 1000000000, got {count} - at --count")
    with _progress() as progress:
        drawn = shuffles(puzzle, seed, first, limits=_limits(max_shapes, memory), progress=progress)
        made = next(drawn)
    for number, configuration in enumerate(chain([made], islice(drawn, count - 1)), 1):
        if not json:
            print(configuration.text)
        elif count == 1:
            _print_json(configuration.to_json())
        else:  # a list, written as its entries come
            opening, closing = "[" * (number == 1), "]" if number == count else ","
            print(opening + _json_text(configuration.to_json()) + closing)
    return DONE


@app.command
def boards(
    board: BoardText | None = None,
    *,
    polyhexes: Annotated[
        int | None, Parameter(help="list all free hexagonal boards with this many cells")
    ] = None,
    two_connected: Annotated[bool, Parameter(negative="", help="only those without a cut cell")] = False,
    hole_free: Annotated[bool, Parameter(negative="", help="only those without a hole in the board")] = False,
    count: Annotated[bool, Parameter(negative="", help="only say how many there are")] = False,
    json: Json = False,
) -> int:
    """The boards there are; what is known of one; or all hexagonal boards with n cells."""
    if (polyhexes is None) == (board is None) and (board or two_connected or hole_free or count):
        raise NotationError(
            "expected a board, or --polyhexes with its options --two-connected, --hole-free and --count"
        )
    if polyhexes is not None:
        return _list_polyhexes(polyhexes, two_connected, hole_free, count, json)
    if board is None:
        return _list_families(json)
    source = _source(board)
    position = ":" in source and not source.lstrip().startswith("{")
    chosen = _puzzle(source, None, None, None).board if position else _board(source)
    facts = _board_facts(chosen)
    if json:
        _print_json({**chosen.to_json(), "name": chosen.name, "facts": facts})
        return DONE
    from slidelab.reach.report import numbered_cells, table

    print(chosen.name)
    if chosen.size <= 400:
        print("\n" + numbered_cells(chosen) + "\n")
    print(table((name.replace("_", " "), _shown(value)) for name, value in facts.items()))
    return DONE


# The boards command


FAMILIES = (
    ("hex P(3,4)", "parallelogram of hexagons: columns, rows"),
    ("hex T(5)", "triangle with 5 hexagons on a side"),
    ("hex F(3)", "flower: a hexagon of hexagons, 3 on a side"),
    ("hex Ptr(3,4)", "parallelogram without its tight corners"),
    ("hex Ttr(5)", "triangle without its tight corners"),
    ("hex star", "the Star of David, 13 cells"),
    ("hex 0,0 1,0 0,1", "any hexagons by their axial coordinates"),
    ("square R(4,4)", "rectangle of squares: columns, rows"),
    ("square 0,0 1,0 1,1", "any squares by their coordinates"),
    ("king R(3,4)", "squares that also touch at corners"),
    ("theta(1,2,2)", "two vertices joined by three paths: interior vertices of each"),
    ("cycle(7)", "a polygon"),
    ("path(5)", "a path"),
    ("complete(5)", "every two vertices touch"),
    ("graph 0-1 1-2 2-0 3", "any graph: edges, and single vertices"),
    ("FILE", "JSON, a drawn board (one # a cell, first line hex, square or king), or one of the above"),
)


def _list_families(json: bool) -> int:
    from slidelab.reach.report import table

    if json:
        _print_json([{"text": text, "what": what} for text, what in FAMILIES])
    else:
        print(table(FAMILIES))
        print("\n'slidelab boards BOARD' draws one with its cell numbers and tells what is known of it.")
    return DONE


def _list_polyhexes(cells: int, two_connected: bool, hole_free: bool, count: bool, json: bool) -> int:
    from slidelab.boards import is_hole_free, is_two_connected
    from slidelab.boards import polyhexes as stream

    number = 0
    with _progress() as progress:
        for found in stream(cells):
            if (two_connected and not is_two_connected(found)) or (hole_free and not is_hole_free(found)):
                continue
            number += 1
            if not count:
                print(_json_text(found.to_json()) if json else found.name)
            elif progress and number % 1000 == 0:
                progress("boards", number, 0)
    if count:
        print(number)
    return DONE


def _board_facts(board: Board) -> dict[str, Any]:
    from slidelab import boards as rooms

    facts: dict[str, Any] = {
        "cells": board.size,
        "edges": len(board.edges),
        "connected_parts": len(rooms.components(board)),
        "two_connected": rooms.is_two_connected(board),
        "cut_cells": list(rooms.cut_cells(board)),
        "blocks": len(rooms.blocks(board)),
        "bipartite": rooms.is_bipartite(board),
        "cycle": rooms.is_cycle(board),
        "theta0": rooms.is_theta0(board),
        "tight_corners": list(rooms.tight_corners(board)),
    }
    if board.kind != "graph":
        facts["holes_in_the_board"] = rooms.holes_in_board(board)
    if board.size <= 5000:
        facts["symmetries"] = rooms.symmetries(board).order
    return facts


def _shown(value: Any) -> str:
    from slidelab.reach.report import big, some_cells, yes_no

    if isinstance(value, bool):
        return yes_no(value)
    return some_cells(value) if isinstance(value, list) else big(value)


# Reading what was asked


def _source(text: str) -> str:
    if text != "-":
        return text
    read = "" if sys.stdin is None else sys.stdin.read()
    if not read.strip():
        raise NotationError("expected text on standard input, got none (it can be read only once)")
    return read


def _board(text: str) -> Board:
    from slidelab.boards import board

    return board(text)


def _puzzle(text: str, rule: str | None, holes: int | None, colours: str | None) -> Puzzle:
    from slidelab.notation import puzzle

    return puzzle(text, rule, holes, None if colours is None else _split_colours(colours))


def _split_colours(text: str) -> list[list[str]]:
    return [token.split("-") for token in text.split()]


def _question(
    text: str,
    rule: str | None,
    holes: int | None,
    colours: str | None,
    start: str | None,
    goal: str | None,
) -> tuple[Puzzle, Configuration | None, Configuration | None]:
    """The puzzle, and start and goal from the options, the position, or the file that was given."""
    from slidelab.notation import given_positions, puzzle

    source = _source(text)
    asked = puzzle(source, rule, holes, None if colours is None else _split_colours(colours))
    found_start, found_goal = given_positions(asked, source)
    first = asked.configuration(_source(start)) if start is not None else found_start
    last = asked.configuration(_source(goal)) if goal is not None else found_goal
    return asked, first, last


def _hole_counts(text: str | None, board: str, rule: str | None) -> list[int | None]:
    """2 or 2,3,4 or 2-4; a range leaves out what the pieces do not allow."""
    if text is None:
        return [None]
    out: list[int | None] = []
    for part in text.split(","):
        low, dash, high = part.strip().partition("-")
        ends = [low, high] if dash else [low, low]
        sound = all(end.isascii() and end.isdigit() and len(end) < 7 for end in ends)
        numbers = range(int(ends[0]), int(ends[1]) + 1) if sound else range(0)
        if not 0 < len(numbers) <= 1000:
            raise NotationError(f"expected holes such as 2, or 2,3,4 or 2-4, got {text!r:.40} - at --holes")
        out.extend(n for n in numbers if n not in out and (not dash or _allowed(board, rule, n)))
    if not out:
        raise NotationError(f"expected a possible number of holes, got {text!r:.40} - at --holes")
    return out


def _allowed(board: str, rule: str | None, holes: int) -> bool:
    puzzle = _puzzle(board, rule, None, None)
    fewest, cells = puzzle.rule.fewest_holes, puzzle.rule.cells
    return fewest <= holes < puzzle.board.size and (puzzle.board.size - holes) % cells == 0


def _limits(shapes: int, memory: str) -> Limits:
    from slidelab.gains import Limits

    if shapes < 1:
        raise NotationError(f"expected a limit such as 3000000, got {shapes} - at --max-shapes")
    return Limits(shapes, _bytes(memory))


def _means(memory: str | None, threads: int | None) -> Means:
    from slidelab.distance.search import Means

    if threads is not None and not 1 <= threads <= 1024:
        raise NotationError(f"expected from 1 to 1024 threads, got {threads} - at --threads")
    return Means(None if memory is None else _bytes(memory), threads)


def _bytes(text: str) -> int:
    units = {"K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
    plain = text.upper().removesuffix("B")
    digits, unit = (plain[:-1], plain[-1]) if plain[-1:] in units else (plain, "")
    sound = digits.isascii() and digits.isdigit() and len(digits) < 16
    if not sound or not 0 < int(digits) * units.get(unit, 1) < 1 << 62:
        raise NotationError(f"expected an amount such as 500M or 2G, got {text!r:.40} - at --memory")
    return int(digits) * units.get(unit, 1)


# Writing


def _json_text(value: Any) -> str:
    from json import dumps

    return dumps(value, ensure_ascii=False)


def _print_json(value: Any) -> None:
    print(_json_text(value))


@contextmanager
def _progress() -> Iterator[Progress | None]:
    """A bar on standard error for anything that takes longer than a second, if someone is watching."""
    if not sys.stderr.isatty():
        yield None
        return
    bar = _Bar()
    try:
        yield bar
    finally:
        bar.stop()


_PHASES = {"tree": "walks", "giants": "group", "verify": "proof"}


class _Bar:
    """Appears after a second; then shows phase, how far, and the time left."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._bar: Any = None
        self._tasks: dict[str, Any] = {}
        self._last = 0
        self._since = (0.0, 0)

    def __call__(self, phase: str, done: int, total: int) -> None:
        if time.monotonic() - self._began < 1:
            return
        if self._bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

            self._bar = Progress(
                TextColumn("{task.description:9}"),
                BarColumn(),
                TextColumn("{task.completed:>12,.0f}"),
                TextColumn("{task.fields[rate]}"),
                TimeElapsedColumn(),
                TimeRemainingColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self._bar.start()
        name, _, number = phase.partition(" ")  # "layer 37": one task, whatever the layer
        shown = _PHASES.get(phase, phase)
        if name in self._tasks and done < self._last:  # the next search begins
            self._bar.remove_task(self._tasks.pop(name))
        if name not in self._tasks:
            for other in self._tasks.values():
                self._bar.update(other, visible=False)
            self._tasks[name] = self._bar.add_task(shown, total=total or None, rate="")
            self._since = (time.monotonic(), done)
        self._last = done
        rate = ""
        if number and (seconds := time.monotonic() - self._since[0]) > 0.5:
            rate = f"{(done - self._since[1]) / seconds / 1e6:,.0f} M/s"
        self._bar.update(self._tasks[name], completed=done, total=total or None, description=shown, rate=rate)

    def stop(self) -> None:
        if self._bar is not None:
            self._bar.stop()


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit; never a traceback."""
    sys.exit(_guarded(arguments))


def _guarded(arguments: list[str] | None) -> int:
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(0)  # orders of groups have thousands of digits
    try:
        code = app(arguments, exit_on_error=False, print_error=False, result_action="return_value")
        if sys.stdout is not None:
            sys.stdout.flush()
        return code if isinstance(code, int) else DONE
    except UnusedCliTokensError as error:
        return _say(
            f"expected one BOARD in quotes, got also {' '.join(error.unused_tokens or [])!r:.60}", BAD_INPUT
        )
    except CycloptsError as error:
        return _say(" ".join(str(error).split()), BAD_INPUT)
    except TooLarge as error:
        return _say(str(error), GAVE_UP)
    except Unsolvable as error:
        print(f"not solvable: {error}")
        return NO
    except PuzzleError as error:
        return _say(str(error), BAD_INPUT)
    except MemoryError:
        return _say("out of memory; a smaller board or --memory would help", GAVE_UP)
    except UnicodeDecodeError:
        return _say("expected UTF-8 text on standard input, got other bytes", BAD_INPUT)
    except KeyboardInterrupt:
        return _say("stopped", STOPPED)
    except BrokenPipeError:
        _forget_output()  # the reader has gone; nothing more to say
        return DONE
    except OSError as error:
        _forget_output()
        return _say(f"could not write the answer: {error.strerror or error}", GAVE_UP)


def _forget_output() -> None:
    """Let nothing more be written when the interpreter ends."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _say(message: str, code: int) -> int:
    print(f"slidelab: {' '.join(message.split())}", file=sys.stderr)
    return code


if __name__ == "__main__":
    main()
