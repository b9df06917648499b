"""The commands `pdb list`, `pdb build` and `pdb clear`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from slidelab.arguments import parse_bytes
from slidelab.cli.arguments import BoardText, GoalArguments, Holes, Rule, read_input
from slidelab.cli.options import DEFAULT_SEARCH_LIMITS, Json, SearchLimits, flag, text
from slidelab.cli.output import DONE, print_answer, print_error, print_json
from slidelab.cli.tables import prints_tables
from slidelab.errors import NotationError, TooLarge
from slidelab.messages import byte_size, counted

if TYPE_CHECKING:
    from slidelab.solve.patterns.store import StoredDatabases

pdb = App(
    name="pdb",
    help="Build, list and remove pattern databases, which make searches fast.",
    help_format="plaintext",
)


@pdb.command(name="list")
@prints_tables
def list_databases(*, json: Json = False) -> int:
    """List the stored pattern databases with their patterns, sizes and build times."""
    from slidelab.solve.patterns.databases import sizes_text
    from slidelab.solve.patterns.store import StoredDatabases, cache_folder, list_stored
    from slidelab.tables import text_table

    found = list(list_stored())
    sound = [each for each in found if isinstance(each, StoredDatabases)]
    if json:
        print_json([each.to_json() for each in sound])
        return DONE
    if sound:
        rows = [("puzzle", "holes at", "pieces", "size", "built in")]
        for each in sound:
            holes = " ".join(map(str, each.holes))
            sizes = sizes_text(each.patterns, each.partitions)
            rows.append((each.puzzle, holes, sizes, byte_size(each.size), f"{each.seconds:.1f} s"))
        print(text_table(rows, right=(3, 4), header=True))
    else:
        print("no pattern databases are stored; 'slidelab pdb build BOARD' builds some")
    print(f"in {cache_folder()}")
    for other in found:
        if not isinstance(other, StoredDatabases):
            print_error(f"{other.name} is damaged; 'slidelab pdb clear' removes it", DONE)
    return DONE


@pdb.command
def build(
    board: BoardText,
    *,
    rule: Rule = None,
    holes: Holes = None,
    goal: Annotated[str | None, text("goal configuration (default: in order, holes last)")] = None,
    tables: Annotated[str, Parameter(help="size in bytes, e.g. 100M or 1G")] = "1G",
    partitions: Annotated[
        int,
        Parameter(help="partitions of the pieces; several guide beams better than one"),
    ] = 1,
    again: Annotated[bool, flag("build them even if they are stored already")] = False,
    limits: SearchLimits = DEFAULT_SEARCH_LIMITS,
    json: Json = False,
) -> int:
    """Build and store pattern databases for all goals of the same shape, up to symmetry."""
    from slidelab.gains import gain_graph
    from slidelab.solve.patterns.databases import build_databases, pattern_sizes
    from slidelab.solve.patterns.store import MAX_PARTITIONS, check_folder, save, stored_for
    from slidelab.solve.patterns.symmetry import canonical_shape

    document = GoalArguments(board, rule=rule, holes=holes, goal=goal).read()
    puzzle, table_bytes = document.puzzle, parse_bytes(tables, "--tables")
    if not 1 <= partitions <= MAX_PARTITIONS:
        raise NotationError(f"expected 1 to {MAX_PARTITIONS} partitions, got {partitions} - at --partitions")
    with limits.budget() as budget:
        graph = gain_graph(puzzle, budget)
        shape = canonical_shape(graph, graph.place(document.goal or puzzle.goal)[0])
        sizes = list(pattern_sizes(graph, table_bytes // partitions))
        kept = [found for found in stored_for(graph, shape) if _sizes_of(found) == [sizes] * partitions]
        if kept and not again:
            print_answer(json, kept[0].to_json(), "already stored; --again builds them again")
            return DONE
        check_folder()
        made = build_databases(graph, shape, table_bytes, partitions=partitions, budget=budget)
        if not made.databases:
            raise TooLarge(f"no pattern databases of {puzzle.text} fit into {byte_size(table_bytes)}")
        path = save(made)
    if json:
        print_json(
            {
                "puzzle": puzzle.text,
                "groups": [len(pattern) for pattern in made.patterns],
                "partitions": [list(partition) for partition in made.partitions],
                "bytes": made.size,
                "seconds": round(made.seconds, 2),
                "file": path.name,
            }
        )
    else:
        print(f"{made.sizes_text} pieces, {byte_size(made.size)}, built in {made.seconds:.1f} s")
    return DONE


@pdb.command
def clear(
    board: BoardText | None = None,
    *,
    rule: Rule = None,
    holes: Holes = None,
    yes: Annotated[bool, flag("do not ask")] = False,
    json: Json = False,
) -> int:
    """Remove all stored pattern databases, or those of one puzzle."""
    from slidelab.puzzles import puzzle
    from slidelab.solve.patterns.store import cache_folder, files_to_clear
    from slidelab.solve.patterns.store import clear as run

    text = None if board is None else puzzle(read_input(board), rule, holes).uncoloured.text
    found = files_to_clear(text)
    question = f"{counted(len(found), 'file')} ({byte_size(sum(found.values()))}) from {cache_folder()}"
    count, freed = run(text) if yes or not found or _confirmed(question) else (0, 0)
    answer = f"{counted(count, 'file')} removed, {byte_size(freed)}, from {cache_folder()}"
    print_answer(json, {"files": count, "bytes": freed}, answer)
    return DONE


def _confirmed(files: str) -> bool:
    """Ask on the terminal whether files should be removed; without one, raise `NotationError`."""
    if sys.stdin is None or sys.stderr is None or not sys.stdin.isatty():
        raise NotationError(f"expected --yes to remove {files}, since there is no terminal to ask on")
    print(f"remove {files}? [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _sizes_of(found: StoredDatabases) -> list[list[int]]:
    """Return the sizes of the patterns of each partition."""
    return [[len(found.patterns[number]) for number in partition] for partition in found.partitions]
