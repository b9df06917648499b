"""How to get there: `solve`, `hint`, `pdb`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import App, Parameter

from slidelab.arguments import parse_bytes
from slidelab.budget import Budget
from slidelab.cli.app import (
    DONE,
    GAVE_UP,
    MOST_SHAPES,
    NO,
    STOPPED,
    BoardText,
    Cells,
    Colours,
    Holes,
    Json,
    Memory,
    Metric,
    Rule,
    Seed,
    Shapes,
    Start,
    Threads,
    app,
)
from slidelab.cli.arguments import (
    begin_with,
    read_cells,
    read_goal,
    read_puzzle,
    read_question,
    read_source,
)
from slidelab.cli.output import print_chunks, print_json, say, showing_progress
from slidelab.errors import NotationError, TooLarge, Unsolvable
from slidelab.messages import counted

if TYPE_CHECKING:
    from slidelab.puzzles import Solution


Goal = Annotated[
    str | None,
    Parameter(allow_leading_hyphen=True, help="where they should end (default: in order, holes last)"),
]
Tables = Annotated[
    str | None,
    Parameter(name="--tables", help="bytes of pattern tables, e.g. 100M or 1G (default: those kept, or 20M)"),
]


@app.command
def solve(
    board: BoardText,
    *,
    rule: Rule = None,
    holes: Holes = None,
    colours: Colours = None,
    start: Start = None,
    goal: Goal = None,
    cells: Cells = None,
    seed: Seed = None,
    method: Annotated[
        str,
        Parameter(
            help="table, bidirectional, astar, ida: a shortest solution; weighted: one at most --weight "
            "times as long; anytime: ever better ones; peel: boards of any size; wilson: the papers' way, "
            "with --explain; cycle, cycle-cubic: gourds, the papers' way; group: any rule, by its group; "
            "auto: what suits the puzzle"
        ),
    ] = "auto",
    weight: Annotated[
        float | None, Parameter(help="how many times longer than a shortest solution it may be, e.g. 1.4")
    ] = None,
    metric: Metric = "single",
    seconds: Annotated[
        float | None, Parameter(name="--time", help="stop after so many seconds with the best found")
    ] = None,
    tables: Tables = None,
    shorten: Annotated[
        bool | None,
        Parameter(
            help="make the solution of a method for huge boards shorter (default: if it explains nothing)"
        ),
    ] = None,
    arrows: Annotated[bool, Parameter(negative="", help="show the moves as arrows")] = False,
    explain: Annotated[bool, Parameter(negative="", help="say what the moves do, part by part")] = False,
    memory: Memory = None,
    threads: Threads = None,
    max_shapes: Shapes = MOST_SHAPES,
    json: Json = False,
) -> int:
    """The shortest way from the start to the goal. Exit code 1 if there is none, with the reason.

    Exit code 3 if time or memory ran out: the best solution so far, and how many moves are needed at least.
    """
    from slidelab.solve.solver import Stopped
    from slidelab.solve.solver import solve as run

    document = read_question(board, rule, holes, colours, start, goal)
    puzzle, last = document.puzzle, document.goal
    painted = read_cells(document, cells)
    table_bytes = None if tables is None else parse_bytes(tables, "--tables", 0)
    with showing_progress() as progress:
        budget = Budget.of(seconds, memory, threads, max_shapes, progress)
        begin = begin_with(puzzle, document.start, last, seed, budget)
        try:
            solution = run(
                puzzle,
                begin,
                last,
                cells=painted,
                method=method,
                metric=metric,
                weight=weight,
                tables=table_bytes,
                shorten=shorten,
                budget=budget,
            )
            code = DONE if solution.optimal or solution.method in _PROMISE_NO_MORE else GAVE_UP
        except Stopped as stopped:
            if stopped.best is None:
                return say(
                    f"stopped; every solution has at least {counted(stopped.lower_bound, 'move')}", STOPPED
                )
            solution, code = stopped.best, say("stopped; this is the best so far", STOPPED)
        except (TooLarge, Unsolvable) as error:
            if not json:
                raise
            no: dict[str, Any] = {"solvable": False} if isinstance(error, Unsolvable) else {}
            if (lower_bound := getattr(error, "lower_bound", None)) is not None:
                no["at_least"] = lower_bound
            print_json({"puzzle": puzzle.to_json(), "start": begin.to_json(), **no, "reason": str(error)})
            return NO if isinstance(error, Unsolvable) else GAVE_UP
    if json:
        print_chunks(solution.json_chunks())
        return code
    moves = [solution.arrows] if arrows else solution.text_chunks()
    if seed is not None:
        print(begin.text)
    print(_lengths(solution, "way to this placement" if painted else "solution"))
    if explain and solution.passages:
        print(solution.explain())
    elif solution.length:
        print_chunks(moves)
    if painted:
        print(f"to {solution.goal.pieces_text}")
    if solution.reason:
        print(f"by {_METHODS.get(solution.method, solution.method)}: {solution.reason}")
    return code


_METHODS = {
    "table": "table",
    "ida": "iterative deepening",
    "bidirectional": "search from both ends",
    "anytime": "ever better searches",
    "peel": "putting pieces in place one by one",
    "wilson": "ears, exchanges and conjugation",
    "cycle": "sorting along a closed way",
    "cycle-cubic": "sorting along a closed way, one by one",
    "group": "loops multiplied in the group",
}

_PROMISE_NO_MORE = ("weighted", "peel", "wilson", "cycle", "cycle-cubic", "group")
"""Methods that have done what they promise without a proof that nothing is shorter."""


def _lengths(solution: Solution, what: str = "solution") -> str:
    moves, pushes = counted(solution.length, "move"), counted(solution.pushes or 0, "push", "pushes")
    if not solution.length:
        return "already solved"
    if solution.metric == "straight":
        return f"{pushes} ({moves}), and no solution has fewer pushes"
    also = f" ({pushes})" if solution.pushes not in (None, solution.length) else ""
    if solution.optimal:
        return f"{moves}{also}, and no {what} is shorter"
    if solution.lower_bound is None:
        return f"{moves}{also}"
    return f"{moves}{also}; a shortest {what} has at least {solution.lower_bound:,}"


@app.command
def hint(
    board: BoardText,
    *,
    rule: Rule = None,
    holes: Holes = None,
    colours: Colours = None,
    start: Start = None,
    goal: Goal = None,
    cells: Cells = None,
    seconds: Annotated[float, Parameter(name="--time", help="think for so many seconds at most")] = 2.0,
    json: Json = False,
) -> int:
    """The next move of a shortest (or the best known) solution. Exit code 1 if there is no way."""
    from slidelab.solve.next_move import hint as find_hint

    document = read_question(board, rule, holes, colours, start, goal)
    puzzle, first = document.puzzle, document.start
    if first is None:
        raise NotationError(f"expected --start to say where {puzzle.text!r} starts, got none")
    try:
        last = read_goal(document, cells, first)
        with showing_progress() as progress:
            move = find_hint(puzzle, first, last, budget=Budget.of(seconds, progress=progress))
    except (TooLarge, Unsolvable) as error:
        if not json:
            raise
        print_json({"hint": None, "reason": str(error)})
        return NO if isinstance(error, Unsolvable) else GAVE_UP
    if json:
        print_json(None if move is None else move.to_json())
    else:
        print("already solved" if move is None else move.text)
    return DONE


pdb = App(
    name="pdb", help="Pattern tables kept on the disk, which make searches fast.", help_format="plaintext"
)
app.command(pdb)


@pdb.command(name="list")
def list_tables(*, json: Json = False) -> int:
    """The tables that are kept: for which puzzle and holes, how large, and how long they took to make."""
    from slidelab.messages import byte_size
    from slidelab.solve.patterns.store import Stored, cache_folder, stored
    from slidelab.tables import text_table

    found = list(stored())
    good = [each for each in found if isinstance(each, Stored)]
    if json:
        print_json([each.to_json() for each in good])
        return DONE
    if good:
        rows = [("puzzle", "holes at", "pieces", "size", "made in")]
        for each in good:
            sizes = " + ".join(str(len(group)) for group in each.groups)
            holes = " ".join(map(str, each.holes))
            rows.append((each.puzzle, holes, sizes, byte_size(each.size), f"{each.seconds:.1f} s"))
        print(text_table(rows, right=(3, 4)))
    else:
        print("no tables are kept; 'slidelab pdb build BOARD' makes some")
    print(f"in {cache_folder()}")
    for other in found:
        if not isinstance(other, Stored):
            say(f"{other.name} is damaged; 'slidelab pdb clear' removes it", DONE)
    return DONE


@pdb.command
def build(
    board: BoardText,
    *,
    rule: Rule = None,
    holes: Holes = None,
    goal: Goal = None,
    tables: Annotated[str, Parameter(help="bytes of tables, e.g. 100M or 1G")] = "1G",
    again: Annotated[bool, Parameter(negative="", help="even if they are kept already")] = False,
    memory: Memory = None,
    threads: Threads = None,
    max_shapes: Shapes = MOST_SHAPES,
    json: Json = False,
) -> int:
    """Make pattern tables for a goal and keep them, for all searches to goals that look like it."""
    from slidelab.gains import gain_graph
    from slidelab.messages import byte_size
    from slidelab.solve.patterns.databases import group_sizes, make_patterns
    from slidelab.solve.patterns.heuristic import like_shape
    from slidelab.solve.patterns.store import check_folder, keep, stored_for

    document = read_question(board, rule, holes, None, None, goal)
    puzzle, last = document.puzzle, document.goal
    table_bytes = parse_bytes(tables, "--tables")
    with showing_progress() as progress:
        budget = Budget.of(None, memory, threads, max_shapes, progress)
        graph = gain_graph(puzzle, budget)
        shape = like_shape(graph, graph.place(last or puzzle.goal)[0])
        sizes = list(group_sizes(graph, table_bytes))
        kept = [found for found in stored_for(graph, shape) if [len(g) for g in found.groups] == sizes]
        if kept and not again:
            print_json(kept[0].to_json()) if json else print("already kept; --again makes them again")
            return DONE
        check_folder()
        made = make_patterns(graph, shape, table_bytes, budget=budget)
        if not made.tables:
            raise TooLarge(f"no pattern tables of {puzzle.text} fit into {byte_size(table_bytes)}")
        path = keep(made)
    sizes = [len(group) for group in made.groups]
    if json:
        print_json(
            {
                "puzzle": puzzle.text,
                "groups": sizes,
                "bytes": made.size,
                "seconds": round(made.seconds, 2),
                "file": path.name,
            }
        )
    else:
        print(f"{' + '.join(map(str, sizes))} pieces, {byte_size(made.size)}, made in {made.seconds:.1f} s")
    return DONE


@pdb.command
def clear(
    board: BoardText | None = None, *, rule: Rule = None, holes: Holes = None, json: Json = False
) -> int:
    """Remove all tables that are kept, or those of one puzzle."""
    from slidelab.messages import byte_size
    from slidelab.solve.patterns.store import clear as run

    text = None if board is None else read_puzzle(read_source(board), rule, holes, None).uncoloured.text
    count, freed = run(text)
    if json:
        print_json({"files": count, "bytes": freed})
    else:
        print(f"{counted(count, 'file')} removed, {byte_size(freed)}")
    return DONE
