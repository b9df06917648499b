"""The commands `solve` and `hint`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from slidelab.arguments import parse_bytes
from slidelab.cli import completers
from slidelab.cli.arguments import GoalArguments, read_cells, read_goal, with_start
from slidelab.cli.batch import in_batch
from slidelab.cli.interrupts import acknowledge
from slidelab.cli.options import (
    DEFAULT_HINT_LIMITS,
    DEFAULT_SEARCH_LIMITS,
    Cells,
    HintLimits,
    Json,
    Metric,
    SearchLimits,
    Seed,
    flag,
)
from slidelab.cli.output import (
    DONE,
    GAVE_UP,
    STOPPED,
    print_answer,
    print_chunks,
    print_error,
    print_refusal,
)
from slidelab.errors import GaveUp, NotationError, OutOfTime, Stopped, TooLarge, Unsolvable
from slidelab.messages import counted
from slidelab.solve.method import Guarantee, list_methods

if TYPE_CHECKING:
    from slidelab.puzzles import Configuration, Move, Solution

MAX_DRAWN_CELLS = 400
"""Cells of the largest board that is drawn with a hint."""

SHUFFLE_SECONDS = 0.2
"""Time for a random start, however short the time for its solution is."""


def solve(
    question: GoalArguments,
    *,
    cells: Cells = None,
    seed: Seed = None,
    method: Annotated[str, Parameter(help=list_methods(), completer=completers.methods)] = "auto",
    weight: Annotated[
        float | None, Parameter(help="how many times longer than a shortest solution it may be, e.g. 1.4")
    ] = None,
    metric: Metric = "single",
    tables: Annotated[
        str | None,
        Parameter(help="bytes of pattern databases, e.g. 100M or 1G (default: those stored, or 20M)"),
    ] = None,
    shorten: Annotated[
        bool | None,
        Parameter(help="shorten the solution of a method for huge boards (default: unless it is explained)"),
    ] = None,
    arrows: Annotated[bool, flag("print the moves as arrows; with --explain, below each part")] = False,
    steps: Annotated[
        bool, flag("print the moves in words, one a line, with drawings if they are few")
    ] = False,
    explain: Annotated[bool, flag("explain what the moves do, part by part, piece by piece")] = False,
    limits: SearchLimits = DEFAULT_SEARCH_LIMITS,
    json: Json = False,
) -> int:
    """Find a shortest solution, or the best one within the limits.

    Exit code 1 if there is no solution, with the reason; 3 if a limit was reached, with the best solution
    so far and a lower bound on the number of moves.
    """
    from dataclasses import replace

    from slidelab.puzzles import MoveList
    from slidelab.puzzles.narrative import narrate
    from slidelab.solve.methods import METHODS, parse_method
    from slidelab.solve.solver import solve as run

    document = question.read()
    puzzle = document.puzzle
    colours = read_cells(document, cells)
    table_bytes = None if tables is None else parse_bytes(tables, "--tables", 0)
    with limits.budget() as budget:
        try:
            document, start = with_start(document, seed, budget.extend(SHUFFLE_SECONDS))
        except OutOfTime as error:
            return print_refusal(error, json, puzzle=puzzle.to_json(), at_least=0)
        try:
            solution = run(
                puzzle,
                start,
                document.goal,
                cells=colours,
                method=parse_method(method),
                metric=metric,
                weight=weight,
                tables=table_bytes,
                shorten=False if explain and shorten is None and method == "peel" else shorten,
                budget=budget,
            )
            promised = METHODS[solution.method].guarantee is Guarantee.OPTIMAL
            code = GAVE_UP if promised and not solution.optimal else DONE
        except Stopped as stopped:
            acknowledge()
            if stopped.best is None:
                least = counted(stopped.lower_bound, "move")
                return print_error(f"stopped; every solution has at least {least}", STOPPED)
            solution, code = stopped.best, print_error("stopped; this is the best so far", STOPPED)
        except (TooLarge, OutOfTime, Unsolvable) as error:
            details: dict[str, Any] = {"puzzle": puzzle.to_json(), "start": start.to_json()}
            if isinstance(error, Unsolvable):
                details["solvable"] = False
            if isinstance(error, GaveUp):
                details["at_least"] = error.lower_bound
            return print_refusal(error, json, **details)
    if explain and not solution.passages:
        solution = replace(solution, passages=tuple(narrate(solution.start, MoveList.of(solution.moves))))
    if json:
        print_chunks(solution.json_chunks())
        return code
    if in_batch():
        print_chunks(_one_line(solution, arrows))
        return code
    if seed is not None:
        print(start.text)
    print(_summary(solution, "path to this placement" if colours else "solution"))
    if explain and solution.passages:
        print(solution.explain(moves=arrows))
    elif steps:
        _print_steps(solution)
    elif solution.length:
        print_chunks([solution.arrows] if arrows else solution.text_chunks())
    if colours:
        print(f"to {solution.goal.pieces_text}")
    if solution.reason:
        print(f"by {METHODS[solution.method].summary}: {solution.reason}")
    return code


def _one_line(solution: Solution, arrows: bool) -> Iterator[str]:
    """Yield the length of a solution and its moves, a chunk at a time."""
    if not solution.length:
        yield "already solved"
        return
    yield f"{counted(solution.length, 'move')}{', shortest' * solution.optimal}: "
    yield from [solution.arrows] if arrows else solution.text_chunks()


def _print_steps(solution: Solution) -> None:
    from slidelab.cli.encoding import prints_arrows

    for line in solution.steps(ascii_only=not prints_arrows()):
        print(line)


def _summary(solution: Solution, what: str) -> str:
    """Describe the length of a solution; `what` is a noun for those that it is compared with."""
    moves, pushes = counted(solution.length, "move"), counted(solution.pushes or 0, "push", "pushes")
    if not solution.length:
        return "already solved"
    if solution.metric == "straight":
        return f"{pushes} ({moves}), and no solution has fewer pushes"
    length = moves if solution.pushes in (None, solution.length) else f"{moves} ({pushes})"
    if solution.optimal:
        return f"{length}, and no {what} is shorter"
    if solution.lower_bound is None:
        return length
    return f"{length}; a shortest {what} has at least {solution.lower_bound:,}"


def hint(
    question: GoalArguments,
    *,
    cells: Cells = None,
    limits: HintLimits = DEFAULT_HINT_LIMITS,
    json: Json = False,
) -> int:
    """Print the next move of a shortest (or the best known) solution.

    The first line is the move as text, such as 14:14>13; then it follows in words and in a drawing. Exit code
    1 if there is no solution, with the reason.
    """
    from slidelab.solve.next_move import hint as run

    document = question.read()
    if document.start is None:
        raise NotationError(f"expected --start for {document.puzzle.text!r}, got none")
    try:
        with limits.budget() as budget:
            goal = read_goal(document, cells, document.start, budget)
            move = run(document.puzzle, document.start, goal, budget=budget)
    except (TooLarge, OutOfTime, Unsolvable) as error:
        return print_refusal(error, json, hint=None)
    if move is None:
        print_answer(json, None, "already solved")
    else:
        print_answer(json, move.to_json(), move.text)
        if not json and not in_batch():
            _print_move(document.start, move)
    return DONE


def _print_move(start: Configuration, move: Move) -> None:
    """Print a move in words, and a drawing of it on a board that is not too large."""
    from slidelab.cli.encoding import prints_arrows
    from slidelab.puzzles import describe_move, draw_move

    print(describe_move(start.puzzle, move))
    if start.puzzle.board.size <= MAX_DRAWN_CELLS:
        print(f"\n{draw_move(start, move, ascii_only=not prints_arrows())}")
