"""The commands `analyze`, `solvable` and `shuffle`."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, islice
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from slidelab.cli.arguments import (
    BoardText,
    Colours,
    GoalArguments,
    HoleCounts,
    Rule,
    read_documents,
    read_goal,
    read_input,
    with_start,
)
from slidelab.cli.batch import in_batch
from slidelab.cli.options import DEFAULT_LIMITS, Cells, Json, Limits, Seed, flag, integer
from slidelab.cli.output import (
    DONE,
    GAVE_UP,
    NO,
    json_text,
    print_error,
    print_json,
    print_note,
    print_refusal,
)
from slidelab.cli.tables import prints_tables
from slidelab.errors import NotationError, NotReached, OutOfTime, PuzzleError, TooLarge
from slidelab.messages import counted

if TYPE_CHECKING:
    from slidelab.puzzles import Document
    from slidelab.reach.required_permutation import RequiredPermutation
    from slidelab.reach.verdict import Verdict
    from slidelab.solve.difficulty import Instance

MAX_SHUFFLES = 10**9
"""Largest number of configurations that one command prints."""

EXPLAIN_HINT = "slidelab explain 'weak parity' explains a term"
"""Last line of the analysis of one puzzle; tables of several are often read by other programs."""


def _check_group_file(output: str, puzzles: int) -> None:
    """Check the option --output before the work begins."""
    from slidelab.draw.files import check_target
    from slidelab.reach.group_files import GROUP_FORMATS

    if puzzles > 1 or in_batch():
        raise NotationError("expected one puzzle with --output, got several")
    check_target(output, [suffix.removeprefix(".") for suffix in GROUP_FORMATS])


@prints_tables
def analyze(
    board: BoardText,
    *,
    rule: Rule = None,
    holes: HoleCounts = None,
    colours: Colours = None,
    connection: Annotated[bool, Parameter(help="also compute the connection number")] = True,
    output: Annotated[
        str | None,
        Parameter(
            name=["--output", "-o"],
            help="also write the groups with their orbits as input of GAP (.g) or Sage (.sage)",
        ),
    ] = None,
    limits: Limits = DEFAULT_LIMITS,
    json: Json = False,
) -> int:
    """Analyze what can be reached: shapes, group, components, parity, theorems."""
    from slidelab.reach.analysis import analyze as run
    from slidelab.reach.report import summary_line, summary_table

    puzzles = [document.puzzle for document in read_documents(read_input(board), rule, holes, colours)]
    if output is not None:
        _check_group_file(output, len(puzzles))
    found, refused = [], []
    with limits.budget() as budget:
        for puzzle in puzzles:
            try:
                found.append(run(puzzle, budget=budget, connection=connection))
            except (TooLarge, OutOfTime) as error:
                refused.append(error)
    if len(puzzles) == 1 and refused:
        raise refused[0]
    if output is not None:
        found[0].save_groups(output)
    if json:
        print_json([a.to_json() for a in found] if len(puzzles) > 1 else found[0].to_json())
    elif found:
        if in_batch():
            print("; ".join(map(summary_line, found)))
        elif len(puzzles) == 1:
            print(f"{found[0]}\n\n{EXPLAIN_HINT}")
        else:
            print(summary_table(found))
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
    required = _permutation(verdict)
    if json:
        form = None if required is None else required.to_json()
        print_json({**verdict.to_json(), "permutation": form})
    else:
        if seed is not None:
            print(start.text)
        print(verdict)
        if moves and verdict:
            print(" ".join(verdict.certificate.get("moves", ["too large to write moves for"])))
        if required is not None and not in_batch():
            from slidelab.reach.permutation_report import permutation_line

            print(permutation_line(required))
        if check:
            print(f"certificate of kind '{verdict.certificate['kind']}' checked without the group code")
    return DONE if verdict else NO


def _permutation(verdict: Verdict) -> RequiredPermutation | None:
    """Return the permutation that a verdict is about, None if the puzzle is too large for it."""
    try:
        return verdict.permutation
    except TooLarge:
        return None


def shuffle(
    question: GoalArguments,
    *,
    seed: Annotated[int | None, integer("seed of the first configuration")] = None,
    count: Annotated[int, integer("number of configurations")] = 1,
    moves: Annotated[int | None, integer("exactly so many moves from the goal, proved")] = None,
    difficulty: Annotated[
        str | None,
        Parameter(
            help="easy, medium or hard: a third, two thirds or all of the median distance from the goal; "
            "hardest: as far as possible"
        ),
    ] = None,
    limits: Limits = DEFAULT_LIMITS,
    json: Json = False,
) -> int:
    """Print random configurations: any that can be reached, or at a distance.

    With --moves or --difficulty, distances are counted to --goal (or to the position in BOARD), and a line on
    standard error says how the configurations were drawn. Exit code 3 if none was found within the limits,
    with the farthest that was.
    """
    document = question.read()
    if not 1 <= count <= MAX_SHUFFLES:
        raise NotationError(f"expected a number from 1 to {MAX_SHUFFLES}, got {count} - at --count")
    if moves is not None or difficulty is not None:
        return _shuffle_at(document, seed, count, moves, difficulty, limits, json)
    from slidelab.reach.random_configurations import shuffles

    with limits.budget() as budget:
        drawn = shuffles(document.puzzle, seed, document.start or document.goal, budget=budget)
        first = next(drawn)
    forms = ((each.text, each.to_json(puzzle=True)) for each in chain([first], islice(drawn, count - 1)))
    _print_configurations(forms, count, json, is_list=count > 1)
    return DONE


def _shuffle_at(
    document: Document,
    seed: int | None,
    count: int,
    moves: int | None,
    difficulty: str | None,
    limits: Limits,
    json: bool,
) -> int:
    """Print configurations at a distance from the goal, or of a difficulty."""
    from slidelab.solve.difficulty import parse_difficulty, random_instances

    level = None if difficulty is None else parse_difficulty(difficulty)
    goal = document.goal or document.start
    found: list[Instance] = []
    refusal: NotReached | None = None
    with limits.budget() as budget:
        drawn = random_instances(
            document.puzzle, seed, goal, moves=moves, difficulty=level, count=count, budget=budget
        )
        try:
            for instance in drawn:
                found.append(instance)
        except NotReached as error:
            refusal = error
    if refusal is not None and not found:
        farthest = None if refusal.farthest is None else refusal.farthest.start.to_json()
        return print_refusal(refusal, json, farthest=farthest, at_least=refusal.lower_bound)
    forms = ((each.text, each.to_json()) for each in found)
    _print_configurations(forms, len(found), json, is_list=count > 1)
    for line in dict.fromkeys(instance.description for instance in found):
        print_note(line)
    if refusal is not None:
        return print_error(f"{len(found):,} of {counted(count, 'configuration')}: {refusal}", GAVE_UP)
    return DONE


def _print_configurations(
    drawn: Iterable[tuple[str, dict[str, Any]]], count: int, json: bool, *, is_list: bool
) -> None:
    """Print the texts of configurations, one a line, or their JSON forms, if need be as a list."""
    is_list = is_list and not in_batch()  # where every line is a value
    for number, (line, form) in enumerate(drawn, 1):
        opening, closing = "[" * (number == 1), "]" if number == count else ","
        if json:
            print(f"{opening}{json_text(form)}{closing}" if is_list else json_text(form))
        else:
            print(line)
