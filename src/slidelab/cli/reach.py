"""What can be reached: `analyze`, `solvable`, `shuffle`."""

from __future__ import annotations

from itertools import chain
from typing import Annotated

from cyclopts import Parameter

from slidelab.budget import Budget
from slidelab.cli.app import (
    DONE,
    GAVE_UP,
    MOST_SHAPES,
    NO,
    BoardText,
    Cells,
    Colours,
    Holes,
    Json,
    Memory,
    Rule,
    Seed,
    Shapes,
    Start,
    app,
)
from slidelab.cli.arguments import (
    begin_with,
    read_goal,
    read_hole_counts,
    read_puzzle,
    read_question,
    read_source,
)
from slidelab.cli.output import json_text, print_json, say, showing_progress
from slidelab.errors import NotationError, PuzzleError, TooLarge


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
    max_shapes: Shapes = MOST_SHAPES,
    memory: Memory = None,
    json: Json = False,
) -> int:
    """What can be reached: shapes, group, components, parity, and what the theorems say."""
    from slidelab.reach.analysis import analyze as run
    from slidelab.reach.report import summary_table

    source = read_source(board)
    puzzles = [read_puzzle(source, rule, count, colours) for count in read_hole_counts(holes, source, rule)]
    found, refused = [], []
    with showing_progress() as progress:
        budget = Budget.of(memory=memory, max_shapes=max_shapes, progress=progress)
        for puzzle in puzzles:
            try:
                found.append(run(puzzle, budget=budget, connection=connection))
            except TooLarge as error:
                refused.append(error)
    if len(puzzles) == 1 and refused:
        raise refused[0]
    if json:
        print_json([a.to_json() for a in found] if len(puzzles) > 1 else found[0].to_json())
    elif found:
        print(found[0] if len(puzzles) == 1 else summary_table(found))
    for reason in refused:
        say(str(reason), GAVE_UP)
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
    cells: Cells = None,
    seed: Seed = None,
    moves: Annotated[
        bool, Parameter(negative="", help="show moves that lead there (far from the shortest)")
    ] = False,
    check: Annotated[
        bool, Parameter(negative="", help="verify the certificate without the group code, too")
    ] = False,
    max_shapes: Shapes = MOST_SHAPES,
    memory: Memory = None,
    json: Json = False,
) -> int:
    """Can the start be turned into the goal? Yes or no, with the reason. Exit code 0 yes, 1 no."""
    from slidelab.reach.verdict import solvable as run

    document = read_question(board, rule, holes, colours, start, goal)
    puzzle = document.puzzle
    with showing_progress() as progress:
        budget = Budget.of(memory=memory, max_shapes=max_shapes, progress=progress)
        begin = begin_with(puzzle, document.start, document.goal, seed, budget)
        last = read_goal(document, cells, begin, budget)
        verdict = run(puzzle, begin, last, budget=budget)
    if check and not verdict.check():
        raise PuzzleError("the certificate does not prove the verdict; please report this")
    if json:
        print_json(verdict.to_json())
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
def shuffle(
    board: BoardText,
    *,
    rule: Rule = None,
    holes: Holes = None,
    colours: Colours = None,
    start: Start = None,
    seed: Seed = None,
    count: Annotated[int, Parameter(help="how many")] = 1,
    max_shapes: Shapes = MOST_SHAPES,
    memory: Memory = None,
    json: Json = False,
) -> int:
    """Random configurations that can be reached, all equally likely; one line each."""
    from itertools import islice

    from slidelab.reach.shuffle import shuffles

    document = read_question(board, rule, holes, colours, start, None)
    puzzle, first = document.puzzle, document.start
    if not 1 <= count <= 10**9:
        raise NotationError(f"expected a number from 1 to 1000000000, got {count} - at --count")
    with showing_progress() as progress:
        budget = Budget.of(memory=memory, max_shapes=max_shapes, progress=progress)
        drawn = shuffles(puzzle, seed, first, budget=budget)
        made = next(drawn)
    for number, configuration in enumerate(chain([made], islice(drawn, count - 1)), 1):
        if not json:
            print(configuration.text)
        elif count == 1:
            print_json(configuration.to_json())
        else:  # a list, written as its entries come
            opening, closing = "[" * (number == 1), "]" if number == count else ","
            print(opening + json_text(configuration.to_json()) + closing)
    return DONE
