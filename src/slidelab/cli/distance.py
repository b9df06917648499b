"""How far: `god`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from slidelab.budget import Budget
from slidelab.cli.app import (
    DONE,
    GAVE_UP,
    MOST_SHAPES,
    STOPPED,
    BoardText,
    Colours,
    Json,
    Memory,
    Metric,
    Rule,
    Shapes,
    Threads,
    app,
)
from slidelab.cli.arguments import read_hole_counts, read_puzzle, read_source
from slidelab.cli.output import print_json, say, showing_progress
from slidelab.errors import NotationError, TooLarge

if TYPE_CHECKING:
    from slidelab.distance.distances import Distances
    from slidelab.distance.gods_number import GodsNumber
    from slidelab.distance.search import Plan
    from slidelab.puzzles import Configuration, Puzzle


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
    chart: Annotated[
        str | None, Parameter(help="also draw the distribution: an .svg, .png or .pdf file")
    ] = None,
    checkpoint: Annotated[
        str | None, Parameter(help="folder for finished layers; the same command goes on from there")
    ] = None,
    memory: Memory = None,
    threads: Threads = None,
    max_shapes: Shapes = MOST_SHAPES,
    json: Json = False,
) -> int:
    """How far: God's number, or with --start the distances from one configuration."""
    from slidelab.distance.distances import distances
    from slidelab.distance.gods_number import gods_number

    if not boards:
        raise NotationError("expected a BOARD, such as 'square R(3,3)'")
    for text in boards:
        if text.startswith("-") and text != "-":
            raise NotationError(f"expected a BOARD or an option of god, got {text!r:.40}")
        if text in ("hex", "square", "king", "graph"):
            raise NotationError(f"expected a BOARD in quotes, such as 'square R(3,3)', got {text!r} alone")
    sources = [read_source(text) for text in boards]
    asked = [
        read_puzzle(source, rule, count, colours)
        for source in sources
        for count in read_hole_counts(holes, source, rule)
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
        from slidelab.draw.chart import check_chart_name

        check_chart_name(chart)
    found: list[GodsNumber | Distances | _Refused] = []
    with showing_progress() as progress, _kept_safe(checkpoint):
        budget = Budget.of(memory=memory, threads=threads, max_shapes=max_shapes, progress=progress)
        options: dict[str, Any] = {
            "metric": metric,
            "checkpoint": checkpoint,
            "plan": _announce,
            "budget": budget,
        }
        for puzzle in asked:
            try:
                if begin is not None:
                    found.append(distances(puzzle, begin, hardest=hardest, **options))
                else:
                    found.append(gods_number(puzzle, **options))
            except TooLarge as error:
                found.append(_Refused(puzzle, error))
    if chart and not isinstance(found[0], _Refused):
        found[0].chart(chart)
    _print_distances(found, json)
    return GAVE_UP if any(isinstance(result, _Refused) for result in found) else DONE


def _start_of(puzzle: Puzzle, source: str, start: str | None) -> Configuration | None:
    """The start that was given, as an option or as the position of numbered pieces; None: all starts."""
    from slidelab.puzzles import read_document

    if start is not None:
        return puzzle.configuration(read_source(start))
    return read_document(source, puzzle.rule, puzzle.hole_count).start if puzzle.colours is None else None


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
            "at_least": getattr(self.error, "lower_bound", None),
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
        print_json(rows[0] if len(rows) == 1 else rows)
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
            say(str(result.error), GAVE_UP)


@contextmanager
def _kept_safe(checkpoint: str | None) -> Iterator[None]:
    """Stopped in the middle: say that the finished layers are not lost."""
    try:
        yield
    except KeyboardInterrupt:
        if checkpoint:
            say(f"the finished layers are in {checkpoint}; the same command goes on from there", STOPPED)
        raise


def _announce(plan: Plan) -> None:
    """Before a long search: what it will take."""
    if plan.seconds * plan.searches >= 1:
        say(str(plan), DONE)
