"""The commands `analyze`, `solvable` and `shuffle`."""

from __future__ import annotations

from itertools import chain, islice
from typing import Annotated

from cyclopts import Parameter

from slidelab.cli.arguments import (
    BoardText,
    Colours,
    GoalArguments,
    HoleCounts,
    Rule,
    StartArguments,
    read_documents,
    read_goal,
    read_input,
    with_start,
)
from slidelab.cli.batch import in_batch
from slidelab.cli.options import DEFAULT_LIMITS, Cells, Json, Limits, Seed, flag, integer
from slidelab.cli.output import DONE, GAVE_UP, NO, json_text, print_error, print_json
from slidelab.errors import NotationError, OutOfTime, PuzzleError, TooLarge

MAX_SHUFFLES = 10**9
"""Largest number of configurations that one command prints."""


def analyze(
    board: BoardText,
    *,
    rule: Rule = None,
    holes: HoleCounts = None,
    colours: Colours = None,
    connection: Annotated[bool, Parameter(help="also compute the connection number")] = True,
    limits: Limits = DEFAULT_LIMITS,
    json: Json = False,
) -> int:
    """Analyze what can be reached: shapes, group, components, parity, theorems."""
    from slidelab.reach.analysis import analyze as run
    from slidelab.reach.report import summary_line, summary_table

    puzzles = [document.puzzle for document in read_documents(read_input(board), rule, holes, colours)]
    found, refused = [], []
    with limits.budget() as budget:
        for puzzle in puzzles:
            try:
                found.append(run(puzzle, budget=budget, connection=connection))
            except (TooLarge, OutOfTime) as error:
                refused.append(error)
    if len(puzzles) == 1 and refused:
        raise refused[0]
    if json:
        print_json([a.to_json() for a in found] if len(puzzles) > 1 else found[0].to_json())
    elif found:
        lines = "; ".join(map(summary_line, found)) if in_batch() else summary_table(found)
        print(found[0] if len(puzzles) == 1 and not in_batch() else lines)
    for reason in refused:
        print_error(str(reason), GAVE_UP)
    return GAVE_UP if refused else DONE


def solvable(
    question: GoalArguments,
    *,
    cells: Cells = None,
    seed: Seed = None,
    moves: Annotated[bool, flag("print moves that lead to the goal (many more than needed)")] = False,
    check: Annotated[bool, flag("verify the certificate without the group code")] = False,
    limits: Limits = DEFAULT_LIMITS,
    json: Json = False,
) -> int:
    """Decide whether the start can reach the goal, and print the reason.

    Exit code 0 for yes, 1 for no.
    """
    from slidelab.reach.verdict import solvable as run

    document = question.read()
    with limits.budget() as budget:
        document, start = with_start(document, seed, budget)
        goal = read_goal(document, cells, start, budget)
        verdict = run(document.puzzle, start, goal, budget=budget)
    if check and not verdict.check():
        raise PuzzleError("the certificate does not prove the verdict; please report this")
    if json:
        print_json(verdict.to_json())
    else:
        if seed is not None:
            print(start.text)
        print(verdict)
        if moves and verdict:
            print(" ".join(verdict.certificate.get("moves", ["too large to write moves for"])))
        if check:
            print(f"certificate of kind '{verdict.certificate['kind']}' checked without the group code")
    return DONE if verdict else NO


def shuffle(
    question: StartArguments,
    *,
    seed: Annotated[int | None, integer("seed of the first configuration")] = None,
    count: Annotated[int, integer("number of configurations")] = 1,
    limits: Limits = DEFAULT_LIMITS,
    json: Json = False,
) -> int:
    """Print random configurations, uniform among those that can be reached."""
    from slidelab.reach.random_configurations import shuffles

    document = question.read()
    if not 1 <= count <= MAX_SHUFFLES:
        raise NotationError(f"expected a number from 1 to {MAX_SHUFFLES}, got {count} - at --count")
    with limits.budget() as budget:
        drawn = shuffles(document.puzzle, seed, document.start, budget=budget)
        first = next(drawn)
    for number, configuration in enumerate(chain([first], islice(drawn, count - 1)), 1):
        if not json:
            print(configuration.text)
        elif count == 1:
            print_json(configuration.to_json(puzzle=True))
        else:  # a list, printed entry by entry
            opening, closing = "[" * (number == 1), "]" if number == count else ","
            print(opening + json_text(configuration.to_json(puzzle=True)) + closing)
    return DONE
