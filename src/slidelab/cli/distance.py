"""The command `god`: God's number, and distances from one configuration."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from cyclopts import Parameter

from slidelab.cli.arguments import (
    BoardText,
    Colours,
    HoleCounts,
    Rule,
    read_cells,
    read_documents,
    read_input,
)
from slidelab.cli.batch import in_batch
from slidelab.cli.options import (
    DEFAULT_SEARCH_LIMITS,
    Cells,
    Json,
    Metric,
    SearchLimits,
    integer,
    option_names,
    text,
)
from slidelab.cli.output import DONE, GAVE_UP, print_error, print_json, print_refusal
from slidelab.cli.processes import together
from slidelab.cli.tables import TableFormat, prints_tables
from slidelab.errors import NotationError, OutOfTime, TooLarge, Unsolvable
from slidelab.messages import did_you_mean, duration

if TYPE_CHECKING:
    from slidelab.bounds import GodsNumberBounds
    from slidelab.budget import Budget
    from slidelab.distance.distances import Distances
    from slidelab.distance.goal_distances import GoalDistances
    from slidelab.distance.gods_number import GodsNumber
    from slidelab.distance.known import KnownResult
    from slidelab.distance.search import Plan
    from slidelab.puzzles import Configuration, Document, Puzzle

BOUND_SECONDS = 10.0
"""Seconds for bounds of God's number where the search itself is too large."""

LATE_BOUND_SECONDS = 1.0
"""Seconds for these bounds after the time limit, whose user waits."""

ANNOUNCED_SECONDS = 1.0
"""Searches that are expected to take longer than this are announced."""

QUOTED_SECONDS = 60.0
"""Searches that are expected to take longer are not made if the atlas knows the result, unless with --time,
--checkpoint or --disk."""


@prints_tables
def god(
    *boards: BoardText,
    rule: Rule = None,
    holes: HoleCounts = None,
    colours: Colours = None,
    start: Annotated[
        str | None, text("compute only the distances from this configuration: text, JSON, a file or -")
    ] = None,
    cells: Cells = None,
    metric: Metric = "single",
    hardest: Annotated[
        int, integer("with --start or --cells: number of farthest configurations to list")
    ] = 1,
    chart: Annotated[
        str | None, Parameter(help="also draw the distribution to an .svg, .png, .pdf or .tex file")
    ] = None,
    checkpoint: Annotated[
        str | None, Parameter(help="folder for finished layers; the same command resumes from there")
    ] = None,
    disk: Annotated[
        str | None,
        Parameter(help="folder for a search larger than --memory, which is kept there; resumes, too"),
    ] = None,
    limits: SearchLimits = DEFAULT_SEARCH_LIMITS,
    json: Json = False,
) -> int:
    """Compute God's number, or with --start all distances from one configuration.

    With coloured cells (--cells, or a file that has them) the distances are those to the nearest goal, and
    the configurations with only one shortest solution are counted; exit code 1 if there is no goal.

    With `mpiexec -n 8 slidelab god ...` several processes search together.
    """
    from slidelab.distance.distances import distances
    from slidelab.distance.goal_distances import goal_distances
    from slidelab.distance.gods_number import GodsNumber, gods_number
    from slidelab.distance.known import check_agreement, known_text

    documents = _read_boards(boards, rule, holes, colours)
    begin = _read_start(documents[0], start) if len(documents) == 1 else None
    if len(documents) > 1 and not start is chart is checkpoint is disk is None:
        raise NotationError("expected one puzzle with --start, --chart, --checkpoint or --disk, got several")
    on_cells = read_cells(documents[0], cells) if len(documents) == 1 and begin is None else None
    if cells is not None and (len(documents) > 1 or begin is not None):
        raise NotationError("expected one puzzle without --start for --cells, got more")
    _check_options(hardest, begin, chart, checkpoint, disk, on_cells, metric)
    found: list[_Result] = []
    folder = disk or checkpoint
    quotes = begin is None and folder is None and limits.time is None
    with limits.budget() as budget, _resumable(folder), option_names("checkpoint", "disk"):
        world, budget = together(budget, limits)
        for puzzle in (document.puzzle for document in documents):
            search: Callable[..., GodsNumber | Distances] = partial(gods_number, puzzle)
            if begin is not None:
                search = partial(distances, puzzle, begin, hardest=hardest)
            try:
                if on_cells is not None:
                    found.append(goal_distances(puzzle, on_cells, hardest=hardest, budget=budget))
                    continue
                result = search(
                    metric=metric,
                    checkpoint=checkpoint,
                    disk=disk,
                    world=world,
                    plan=partial(_announce, puzzle if quotes else None, metric),
                    budget=budget,
                )
                if isinstance(result, GodsNumber) and result.exact:
                    check_agreement(puzzle, metric, result.number)
                found.append(result)
            except Unsolvable as error:
                return print_refusal(error, json, puzzle=puzzle.to_json(), solvable=False)
            except _TooSlow as slow:
                found.append(slow.quoted)
            except TooLarge as error:
                counted = getattr(error, "lower_bound", None)
                part = budget.share(seconds=BOUND_SECONDS)
                bounds = None if begin is not None else _bounds(puzzle, metric, counted, part)
                found.append(_Refused(puzzle, error, metric, bounds))
            except OutOfTime as error:
                resume = f"; {_resume_hint(folder)}" if folder else ""
                known = known_text(puzzle, metric)
                late = OutOfTime(f"{puzzle.text}: {error}{resume}{known}")
                part = replace(budget, deadline=None).share(seconds=LATE_BOUND_SECONDS)
                bounds = None if begin is not None else _bounds(puzzle, metric, None, part)
                found.append(_Refused(puzzle, late, metric, bounds))
    if chart and isinstance(found[0], _Quoted):
        raise NotationError(f"expected --time with --chart: {found[0].reason}")
    if chart and not isinstance(found[0], _Refused | _Quoted):
        found[0].chart(chart)
    _print_results(found, json)
    return GAVE_UP if any(isinstance(result, _Refused) for result in found) else DONE


def _read_boards(
    boards: tuple[str, ...], rule: str | None, holes: str | None, colours: str | None
) -> list[Document]:
    if not boards:
        raise NotationError("expected a BOARD, such as 'square R(3,3)'")
    for board in boards:
        if board.startswith("-") and board != "-":
            meant = did_you_mean(board.partition("=")[0], _option_names())
            raise NotationError(f"expected a BOARD or an option of god, got {board!r:.40}{meant}")
        if board in ("hex", "square", "king", "graph"):
            raise NotationError(f"expected a BOARD in quotes, such as 'square R(3,3)', got {board!r} alone")
    sources = [read_input(board) for board in boards]
    return [document for source in sources for document in read_documents(source, rule, holes, colours)]


def _option_names() -> list[str]:
    """Return the options of `god`, which cyclopts does not suggest because BOARD may begin with a hyphen."""
    from inspect import signature

    names = [
        *signature(god).parameters,
        *signature(SearchLimits).parameters,
        *signature(TableFormat).parameters,
        "colors",
    ]
    return [f"--{name.replace('_', '-')}" for name in names if name not in ("boards", "limits", "tables")]


def _read_start(document: Document, start: str | None) -> Configuration | None:
    """Return the start of the option or of a position with numbered pieces; None for all starts."""
    if start is not None:
        return document.configuration(read_input(start))
    return document.start if document.puzzle.colours is None else None


def _check_options(
    hardest: int,
    start: Configuration | None,
    chart: str | None,
    checkpoint: str | None,
    disk: str | None,
    cells: tuple[str, ...] | None,
    metric: str,
) -> None:
    for option, folder in (("--checkpoint", checkpoint), ("--disk", disk)):
        if folder == "":
            raise NotationError(f"expected the name of a folder, got nothing - at {option}")
    if hardest < 0:
        raise NotationError(f"expected a number of configurations, got {hardest} - at --hardest")
    if hardest != 1 and start is None and cells is None:
        raise NotationError(f"expected --start with --hardest, got only --hardest {hardest}")
    if cells is not None and not (checkpoint is disk is None and metric == "single"):
        raise NotationError(
            "expected --cells (or a file with coloured cells) without --checkpoint, --disk and --metric"
        )
    if chart is not None:
        from slidelab.draw.chart import check_chart_name

        check_chart_name(chart)


@dataclass(frozen=True, slots=True)
class _Refused:
    """A puzzle that was not searched to the end, and why."""

    puzzle: Puzzle
    error: TooLarge | OutOfTime
    metric: str
    bounds: GodsNumberBounds | None = None

    def __str__(self) -> str:
        from slidelab.distance.bounds import TooManyStates
        from slidelab.distance.known import known_text

        bounds = str(self.bounds) if self.bounds is not None else ""
        reason = str(self.error)
        if bounds and isinstance(self.error, TooManyStates):  # which has a weaker bound of its own
            reason = self.error.shortage + known_text(self.puzzle, self.metric)
        return f"{reason}; proved: {bounds}" if bounds else reason

    def to_json(self) -> dict[str, Any]:
        from slidelab.distance.known import known_results

        known = [result for result in known_results(self.puzzle) if result.metric == self.metric]
        return {
            "puzzle": self.puzzle.to_json(),
            "gods_number": None,
            "exact": False,
            "at_least": getattr(self.error, "lower_bound", None),
            "states": getattr(self.error, "states", None),
            "needs_bytes": getattr(self.error, "needed_bytes", None),
            "reason": str(self.error),
            "known": known[0].to_json() if known else None,
            "bounds": None if self.bounds is None else self.bounds.to_json(),
        }


@dataclass(frozen=True, slots=True)
class _Quoted:
    """A result of the atlas, in place of a search of so many seconds."""

    puzzle: Puzzle
    known: KnownResult
    seconds: float

    @property
    def reason(self) -> str:
        return f"that would take about {duration(self.seconds)}; --time or --checkpoint computes it"

    @property
    def row(self) -> KnownResult:
        """The result, about the puzzle in the form in which it was given."""
        return replace(self.known, puzzle=self.puzzle.text)

    @property
    def line(self) -> str:
        return f"{self.puzzle.text}: God's number {self.known.text}"

    def __str__(self) -> str:
        from slidelab.tables import text_table

        facts = [("God's number", str(self.known.number))]
        facts += [] if self.known.radius is None else [("radius", str(self.known.radius))]
        facts += [("quoted from", "; ".join(self.known.sources))]
        facts += [("computed by", self.known.command)] if self.known.command else []
        return f"{self.puzzle.text}\n\n{text_table([*facts, ('not computed', self.reason)])}"

    def to_json(self) -> dict[str, Any]:
        return {
            "puzzle": self.puzzle.to_json(),
            "metric": self.known.metric,
            "gods_number": self.known.number,
            "radius": self.known.radius,
            "exact": True,
            "computed": False,
            "known": self.known.to_json(),
            "reason": self.reason,
        }


class _TooSlow(Exception):
    """A search is expected to take long, and its result is known."""

    def __init__(self, quoted: _Quoted) -> None:
        super().__init__(quoted)
        self.quoted = quoted


_Result: TypeAlias = "GodsNumber | Distances | GoalDistances | _Refused | _Quoted"


def _print_results(found: list[_Result], json: bool) -> None:
    from slidelab.distance.distances import Distances
    from slidelab.distance.gods_number import GodsNumber
    from slidelab.distance.known import KnownResult
    from slidelab.distance.report import (
        distances_line,
        goal_distances_line,
        gods_number_line,
        gods_table,
    )

    def line(result: GodsNumber | Distances | GoalDistances) -> str:
        if isinstance(result, GodsNumber):
            return gods_number_line(result)
        return distances_line(result) if isinstance(result, Distances) else goal_distances_line(result)

    quoted = [result for result in found if isinstance(result, _Quoted)]
    answered = [result for result in found if not isinstance(result, _Refused | _Quoted)]
    if json:
        values = [result.to_json() for result in found]
        print_json(values[0] if len(values) == 1 else values)
    elif in_batch():
        print("; ".join([*map(line, answered), *(each.line for each in quoted)]))
    elif len(found) > 1:
        rows = [each.row if isinstance(each, _Quoted) else each for each in found]
        numbers = [each for each in rows if isinstance(each, GodsNumber | KnownResult)]
        if numbers:
            print(gods_table(numbers))
    elif len(found) == 1 and not isinstance(found[0], _Refused):
        print(found[0])
        if not isinstance(found[0], GodsNumber | _Quoted) and len(found[0].hardest) > 1:
            print("\nhardest")
            for configuration in found[0].hardest:
                print(f"  {configuration.pieces_text}")
    for result in found:
        if isinstance(result, _Refused):
            print_error(str(result), GAVE_UP)


def _bounds(puzzle: Puzzle, metric: str, counted: int | None, budget: Budget) -> GodsNumberBounds:
    """Return what is proved about God's number in the time of the budget.

    `counted` is the lower bound by counting walks, which is counted if the refusal has none.
    """
    from slidelab.bounds.report import gods_number_bounds
    from slidelab.distance.bounds import depth_lower_bound
    from slidelab.distance.component import Component

    if counted is None and metric == "single" and puzzle.colours is None:
        with suppress(OutOfTime, TooLarge):
            counted = depth_lower_bound(Component(puzzle.goal, budget=budget))
    return gods_number_bounds(puzzle, counted=counted, lower=metric == "single", budget=budget)


@contextmanager
def _resumable(checkpoint: str | None) -> Iterator[None]:
    """After Ctrl-C, say where the finished layers are."""
    try:
        yield
    except KeyboardInterrupt:
        if not checkpoint:
            raise
        raise KeyboardInterrupt(f"stopped; {_resume_hint(checkpoint)}") from None


def _resume_hint(checkpoint: str) -> str:
    return f"the finished layers are in {checkpoint}, and the same command resumes from there"


def _announce(puzzle: Puzzle | None, metric: str, plan: Plan) -> None:
    """Print what a long search will take; if the result is known and may be quoted, raise `_TooSlow`."""
    from slidelab.distance.known import known_number

    seconds = plan.seconds * plan.searches
    if puzzle is not None and seconds > QUOTED_SECONDS and (known := known_number(puzzle, metric)):
        raise _TooSlow(_Quoted(puzzle, known, seconds))
    if plan.seconds * plan.searches >= ANNOUNCED_SECONDS:
        print_error(str(plan), DONE)
