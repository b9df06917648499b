"""A tour of slidelab in a minute or two: run by `make demo`."""

from __future__ import annotations

import time
from pathlib import Path

import slidelab as sl
from slidelab.atlas import entries, summarize
from slidelab.boards import is_hole_free, is_two_connected, polyhexes
from slidelab.distance.report import gods_table
from slidelab.draw.files import write_bytes
from slidelab.draw.graph import puzzle_graph_picture
from slidelab.draw.print import solid
from slidelab.gains import gain_graph
from slidelab.place.coloured_puzzle import nine_gourds
from slidelab.place.counting import count_placements
from slidelab.reach.report import summary_table
from slidelab.tables import text_table


def title(number: int, text: str) -> None:
    print(f"\n{'-' * 78}\n{number}. {text}\n{'-' * 78}")


def one_line() -> None:
    title(1, "One line of text is a puzzle, a position, an address")
    position = sl.position("hex P(3,4) hextiles 2 : 1 2 3 4 5 6 7 8 . 9 10 .")
    print(f"{position!r}\n\n{position}\n")
    print("moves here:", " ".join(move.text for move in position.moves))


def why_not() -> None:
    title(2, "Sam Loyd's prize: 14 and 15 swapped")
    fifteen = sl.puzzle("square R(4,4)")
    order = " ".join(map(str, range(1, 14)))
    for name, start in (
        ("Loyd's swap", f"{order} 15 14 ."),
        ("all reversed", f"{' '.join(map(str, range(15, 0, -1)))} ."),
        ("hole first", f". {order} 14 15"),
        ("three turned", "2 3 1 4 5 6 7 8 9 10 11 12 13 14 15 ."),
    ):
        verdict = fifteen.solvable(start)
        checked = "certificate checked" if verdict.check() else "CERTIFICATE WRONG"
        print(f"{name:13} {verdict}  [{checked}]")
        print(f"{'':13} it takes {verdict.permutation}")


def gains() -> None:
    title(3, "The one idea: a move is an edge with a permutation on it")
    graph = gain_graph(sl.puzzle("square R(4,4)"))
    others = [gain for _, _, gain, _ in graph if not gain.is_identity]
    print(f"The 15-puzzle has {graph.shapes} shapes and {graph.edges} edges. With slots along a snake")
    print(f"{graph.edges - len(others)} gains are the identity; the others are nine cycles of slots:")
    cycles = sorted(descending(gain.inverse().cycle()) for gain in others)
    print("  " + "\n  ".join("(" + " ".join(str(slot + 1) for slot in cycle) + ")" for cycle in cycles))
    print(f"They generate {sl.puzzle('square R(4,4)').group().name}.")


def descending(cycle: tuple[int, ...]) -> tuple[int, ...]:
    """Return the cycle rotated to begin with its largest slot."""
    first = cycle.index(max(cycle))
    return cycle[first:] + cycle[:first]


def hexagons() -> None:
    title(4, "Hexagonal tiles: Tables 1 and 2 of Karpman and Roldan, without enumerating a single state")
    cases = [("hex F(2)", (2, 3, 4)), ("hex T(2)", (2,)), ("hex T(3)", (2, 3, 4)), ("hex T(4)", (2, 3))]
    print(summary_table([sl.puzzle(b, holes=h).analyze(connection=False) for b, hs in cases for h in hs]))


def corners() -> None:
    title(5, "Tight corners: a full analysis, with the predictions of the theorems")
    print(sl.puzzle("hex P(4,4)").analyze())
    print(f"\n{sl.puzzle('hex P(4,4)').solvable('2 1 3 4 5 6 7 8 9 10 11 12 13 14 . .')}")


def theta() -> None:
    title(6, "The exceptional graph theta0")
    puzzle = sl.puzzle("theta(1,2,2)")
    group, components = puzzle.group(), puzzle.analyze().components
    print(f"group {group.name} of order {group.order}, {components} components")
    print(puzzle.solvable("2 1 3 4 5 6 ."))


def gourds() -> None:
    title(7, "Gourds: every 2-connected board without holes, up to nine cells")
    rows = [("cells", "boards", "of them 2-connected, hole-free", "always solvable")]
    for cells in (3, 5, 7, 9):
        boards = list(polyhexes(cells))
        proper = [b for b in boards if is_two_connected(b) and is_hole_free(b)]
        good = sum(sl.puzzle(b, "gourds").analyze(connection=False).components == 1 for b in proper)
        rows.append((str(cells), str(len(boards)), str(len(proper)), str(good)))
    print(text_table(rows, right=range(4)))
    star = sl.puzzle("hex star", "gourds").analyze(connection=False)
    print(f"\nThe 13-cell star: {star.components:,} components of {star.families[0].size:,}.")
    squares = sl.position("square R(3,5) gourds 1 : 1-4 0-3 2-5 6-7 8-11 9-10 12-13")
    reached = sorted({tuple(sorted(cells)) for cells in squares.places(1)})
    print("Squares, 3 columns and 5 rows: the gourd at the top middle can only reach", *reached)


def large() -> None:
    title(8, "Large boards")
    for text in ("hex P(20,20)", "square R(30,30)", "hex P(6,6) 3", "hex F(3) gourds"):
        began = time.perf_counter()
        analysis = sl.puzzle(text).analyze()
        group, seconds = analysis.families[0].group.name, time.perf_counter() - began
        print(f"{text:16} {group:14} components: {analysis.components:<8,} {seconds:5.2f} s")


def distances() -> None:
    title(9, "God's numbers, exact (Table 3 of Karpman and Roldan had bounds)")
    cases = [("hex F(2)", 2), ("hex F(2)", 3), ("hex T(4)", 3), ("hex P(3,3)", 3), ("hex Ptr(3,4)", 2)]
    found = [sl.puzzle(board, holes=holes).gods_number() for board, holes in cases]
    found += [sl.puzzle(text).gods_number() for text in ("hex F(2) gourds", "theta(2,2,3)")]
    print(f"{gods_table(found)}\n")
    print(sl.puzzle("square R(3,2)").distances())
    began = time.perf_counter()
    twelve = sl.puzzle("square R(3,4)").distances(hardest=1)
    seconds = time.perf_counter() - began
    print(f"\nThe 3x4 puzzle: {twelve.states:,} configurations, depth {twelve.depth}, in {seconds:.2f} s")


def solutions() -> None:
    title(10, "Shortest solutions, proved to be shortest")
    solution = sl.puzzle("square R(3,3)").solve("8 6 7 2 5 4 3 . 1")
    print(f"{solution.length} moves ({solution.pushes} pushes): {solution.arrows}")
    print("\nToo large for a distance table, by search with pattern databases:")
    rows = [("puzzle", "configurations", "moves", "lower bound", "states expanded", "seconds")]
    for text, seed in (
        ("square R(4,4)", 3),
        ("hex F(3) gourds", 1),
        ("square R(3,6)", 2),
        ("square R(5,5)", 1),
    ):
        puzzle = sl.puzzle(text)
        began = time.perf_counter()
        solution = puzzle.solve(puzzle.shuffle(seed), time=6)
        seconds = f"{time.perf_counter() - began:.1f}"
        counted = f"{puzzle.group().order * gain_graph(puzzle).shapes:,}"
        rows.append(
            (text, counted, str(solution.length), str(solution.lower_bound), f"{solution.nodes:,}", seconds)
        )
    print(text_table(rows, right=range(1, 6)))
    start = sl.position("square R(4,4) : 1 2 3 4 5 6 7 8 9 10 11 12 13 . 14 15")
    print(f"\nA hint for {start.pieces_text}: {start.puzzle.hint(start)}")


def huge() -> None:
    title(11, "Boards of any size: solutions by construction")
    rows = [("puzzle", "pieces", "moves", "lower bound", "seconds")]
    for text in ("square R(20,20)", "hex F(8)", "square R(12,12) tiles 30", "theta(10,12,14)"):
        puzzle = sl.puzzle(text)
        began = time.perf_counter()
        solution = puzzle.solve(puzzle.shuffle(1), method="peel", time=2)
        seconds = f"{time.perf_counter() - began:.1f}"
        rows.append(
            (text, str(puzzle.piece_count), f"{solution.length:,}", f"{solution.lower_bound:,}", seconds)
        )
    print(text_table(rows, right=range(1, 5)))
    print("\nThe construction of the papers, explained:")
    start = sl.position("square R(3,2) : 5 1 3 4 2 .")
    print(start.puzzle.solve(start, method="wilson").explain(depth=1))


def many_gourds() -> None:
    title(12, "Gourds at any size: along a Hamiltonian cycle, or one by one")
    rows = [("board", "gourds", "cycle", "peel", "seconds")]
    for text in ("hex P(3,7)", "hex F(5)", "hex F(12)", "hex P(31,33)"):
        puzzle = sl.puzzle(text, "gourds")
        start, goal = puzzle.shuffle(1), puzzle.shuffle(2)
        along = puzzle.solve(start, goal, method="cycle")
        began = time.perf_counter()
        singly = puzzle.solve(start, goal, method="peel", shorten=False)
        seconds = f"{time.perf_counter() - began:.1f}"
        rows.append((text, str(puzzle.piece_count), f"{along.length:,}", f"{singly.length:,}", seconds))
    print(text_table(rows, right=range(1, 5)))
    puzzle = sl.puzzle("hex P(3,5) gourds")
    print("\nThe construction of the papers, explained:")
    print(puzzle.solve(puzzle.shuffle(1), puzzle.shuffle(2), method="cycle").explain(depth=0))


def coloured() -> None:
    title(13, "The puzzle of the gourds paper: nine gourds in three colours")
    nine = nine_gourds()
    placement = nine.puzzle.place(nine.cells, near=nine.start)
    print(placement)
    number = count_placements(nine.puzzle.board, nine.cells, nine.gourds)
    solution = nine.puzzle.solve(nine.start, cells=nine.cells)
    print(f"\n{number} placement, counted by Pfaffians; the shortest solution has {solution.length} moves")
    print("\nWhich boards with a hole can be played freely? (docs/atlas-gourds.md)")
    for cells in (7, 9):
        found = summarize(entries(cells, processes=1))
        print(f"{cells} cells: {found.boards} boards, {found.solvable} of them")


def pictures() -> None:
    title(14, "Pictures, films, players and printable puzzles")
    folder = Path("build", "tour")
    folder.mkdir(parents=True, exist_ok=True)
    puzzle = sl.puzzle("hex F(3) gourds")
    start = puzzle.shuffle(seed=5)
    solution = puzzle.solve(start)
    began = time.perf_counter()
    start.draw(moves=start.moves).save(folder / "gourds.svg")
    puzzle_graph_picture("hex F(2)", theme="dark").save(folder / "graph.png")
    solution.animate(folder / "gourds.gif")
    solution.animate(folder / "gourds.html")
    puzzle.page(folder / "play.html", start)
    printable = solid(sl.puzzle("hex P(4,4)"))
    printable.save(folder / "printable.3mf")
    write_bytes(folder / "printable.png", printable.render())
    seconds = time.perf_counter() - began
    files = {
        "gourds.svg": "nine gourds and their legal moves",
        "graph.png": "all 60 configurations of five hexagonal tiles",
        "gourds.gif": f"a shortest solution, {solution.length} moves",
        "gourds.html": "the same in a player for the browser",
        "play.html": "the puzzle to play, with hints",
        "printable.3mf": "tray and tiles for a 3D printer",
        "printable.png": "the same, rendered",
    }
    rows = [(f"{(folder / name).stat().st_size:,}", str(folder / name), what) for name, what in files.items()]
    print(text_table(rows, right=(0,)))
    print(f"\n{len(rows)} files in {seconds:.1f} s; 'slidelab draw --help' for more, docs/drawing.md for all")


def main() -> None:
    print("slidelab, the laboratory for sliding puzzles")
    for part in (
        one_line,
        why_not,
        gains,
        hexagons,
        corners,
        theta,
        gourds,
        large,
        distances,
        solutions,
        huge,
        many_gourds,
        coloured,
        pictures,
    ):
        part()
    print("\nNext: slidelab --help, slidelab boards, README.md")


if __name__ == "__main__":
    main()
