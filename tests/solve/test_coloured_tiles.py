"""Coloured tiles: which goal of its colour each tile goes to, and that `solve` answers whenever it can."""

from __future__ import annotations

import random
from itertools import permutations

import networkx as nx
import pytest

import slidelab as sl
from slidelab.errors import Unsolvable
from slidelab.puzzles import Configuration, Puzzle
from slidelab.reach.verdict import match_pieces, reason_unsolvable
from slidelab.solve.assignment import numbered
from slidelab.solve.coloured_tiles import match_tiles


def coloured(board: sl.Board, holes: int, colours: list[str]) -> Puzzle:
    return sl.puzzle(board, "tiles", holes, [(colour,) for colour in sorted(colours)])


def random_configuration(puzzle: Puzzle, rng: random.Random) -> Configuration:
    cells = rng.sample(range(puzzle.board.size), puzzle.piece_count)
    return Configuration(puzzle, tuple((cell,) for cell in cells))


def colours_of(configuration: Configuration) -> dict[int, str]:
    colours = configuration.puzzle.colours or ()
    return {cells[0]: labels[0] for cells, labels in zip(configuration.pieces, colours, strict=True)}


def colours_by_cell(configuration: Configuration) -> tuple[str, ...]:
    """Return the colour on each cell, '.' for a hole."""
    colours = colours_of(configuration)
    return tuple(colours.get(cell, ".") for cell in range(configuration.puzzle.board.size))


def plain_component(board: sl.Board, start: tuple[str, ...]) -> set[tuple[str, ...]]:
    """Return all colourings that single moves lead to, by breadth-first search."""
    seen, queue = {start}, [start]
    for state in queue:
        for a, b in board.edges:
            if (state[a] == ".") != (state[b] == "."):
                after = list(state)
                after[a], after[b] = state[b], state[a]
                if (following := tuple(after)) not in seen:
                    seen.add(following)
                    queue.append(following)
    return seen


def named(goal: Configuration, pieces: tuple[tuple[int, ...], ...]) -> Configuration:
    """Return a numbered goal, after checking that it has the colours of the coloured one."""
    assert colours_of(Configuration(goal.puzzle, pieces)) == colours_of(goal)
    return Configuration(goal.puzzle.uncoloured, pieces)


def small_graphs(rng: random.Random) -> list[nx.Graph]:
    graphs = [nx.cycle_graph(n) for n in (3, 5, 6)] + [nx.path_graph(4), nx.star_graph(4)]
    graphs += [nx.random_labeled_tree(n, seed=rng.randrange(1 << 30)) for n in (5, 6, 7)]
    for n in (4, 5, 6, 7):
        for extra in (0, 1, 2):
            graph = nx.random_labeled_tree(n, seed=rng.randrange(1 << 30))
            missing = list(nx.non_edges(graph))
            graph.add_edges_from(rng.sample(missing, min(extra + 1, len(missing))))
            graphs.append(graph)
    theta0 = nx.Graph([(0, 1), (1, 2), (0, 3), (3, 4), (4, 2), (0, 5), (5, 6), (6, 2)])
    return [*graphs, theta0, nx.disjoint_union(nx.cycle_graph(3), nx.path_graph(3))]


@pytest.mark.parametrize("seed", range(4))
def test_tiles_are_matched_whenever_the_goal_can_be_reached(seed: int) -> None:
    """Against the plain search of all configurations, on graphs of every kind."""
    rng = random.Random(seed)
    decided = {True: 0, False: 0}
    for graph in small_graphs(rng):
        board = sl.board(graph)
        for holes in (1, 2, 3):
            count = board.size - holes
            if count < 1:
                continue
            puzzle = coloured(board, holes, [rng.choice("aab") for _ in range(count)])
            start, goal = random_configuration(puzzle, rng), random_configuration(puzzle, rng)
            reachable = colours_by_cell(goal) in plain_component(board, colours_by_cell(start))
            decided[reachable] += 1
            first = Configuration(puzzle.uncoloured, start.pieces)
            for match in (match_tiles, match_pieces):
                if reachable:
                    assert reason_unsolvable(first, named(goal, match(start, goal))) is None
                else:
                    with pytest.raises(Unsolvable):
                        match(start, goal)
    assert min(decided.values()) > 10


def test_an_even_permutation_swaps_the_nearest_pair() -> None:
    """With one hole on a bipartite board two tiles of one colour may have to change places."""
    puzzle = sl.puzzle("square R(3,3) : a a b c d e f g .")
    start, goal = puzzle.configuration("a a c b d e f g ."), puzzle.configuration("a a b c d e f g .")
    pieces = match_tiles(start, goal)
    assert [start.pieces[k] for k in range(2)] == [pieces[1], pieces[0]]


def test_matches_are_as_near_as_they_can_be() -> None:
    """Where all permutations can be had: against all assignments."""
    rng = random.Random(5)
    board = sl.board("square R(3,3)")
    steps = dict(nx.all_pairs_shortest_path_length(board.to_networkx()))
    for _ in range(10):
        puzzle = coloured(board, 3, [rng.choice("ab") for _ in range(6)])
        start, goal = random_configuration(puzzle, rng), random_configuration(puzzle, rng)
        colours = puzzle.colours or ()

        def cost(pieces: tuple[tuple[int, ...], ...], start: Configuration = start) -> int:
            return sum(steps[a[0]][b[0]] for a, b in zip(start.pieces, pieces, strict=True))

        every = (
            tuple(goal.pieces[k] for k in order)
            for order in permutations(range(6))
            if all(colours[k] == colours[n] for n, k in enumerate(order))
        )
        assert cost(match_tiles(start, goal)) == min(map(cost, every))


LARGE = {
    "a cycle with 6 holes": (nx.cycle_graph(60), 6, {"a": 5, "b": 49}),
    "a tree with 6 holes": (nx.random_labeled_tree(60, seed=1), 6, {"a": 20, "b": 34}),
    "a tree with 4 holes": (nx.random_labeled_tree(120, seed=2), 4, {"a": 50, "b": 60, "c": 6}),
    "a tree with 3 holes": (nx.random_labeled_tree(403, seed=3), 3, {"a": 200, "b": 200}),
    "squares with one hole": (nx.grid_2d_graph(7, 37), 1, {"a": 60, "b": 60, "c": 60, "d": 78}),
    "a disconnected board": (
        nx.disjoint_union(nx.cycle_graph(30), nx.ladder_graph(20)),
        3,
        {"a": 40, "b": 27},
    ),
}


@pytest.mark.parametrize("name", LARGE)
def test_large_coloured_boards_are_solved(name: str) -> None:
    graph, holes, counts = LARGE[name]
    puzzle = coloured(
        sl.board(nx.convert_node_labels_to_integers(graph)),
        holes,
        [*"".join(c * n for c, n in counts.items())],
    )
    start = puzzle.shuffle(seed=1)
    assert puzzle.solvable(start)
    solution = puzzle.solve(start, shorten=False)
    assert colours_of(solution.moves.end(start)) == colours_of(puzzle.goal)  # type: ignore[attr-defined]


def test_small_coloured_boards_are_peeled() -> None:
    """Whatever the group, `peel` answers whenever the goal can be reached."""
    rng = random.Random(8)
    solved = 0
    for graph in small_graphs(rng) * 3:
        board = sl.board(graph)
        holes = rng.choice([1, 1, 2])
        puzzle = coloured(board, holes, [rng.choice("aabc") for _ in range(board.size - holes)])
        start, goal = random_configuration(puzzle, rng), random_configuration(puzzle, rng)
        if not puzzle.solvable(start, goal):
            continue
        solution = puzzle.solve(start, goal, method="peel", shorten=False)
        assert solution.goal == goal
        solved += 1
    assert solved > 10


def test_other_pieces_are_matched_by_the_group() -> None:
    rng = random.Random(2)
    for text in ("hex P(3,3) hextiles 3", "hex T(4) hextiles 2", "square R(4,2) gourds 2", "hex F(2) gourds"):
        base = sl.puzzle(text)
        width = base.rule.cells
        colours = [tuple(rng.choice("ab") for _ in range(width)) for _ in range(base.piece_count)]
        puzzle = sl.puzzle(base.board, base.rule, base.hole_count, sorted(colours))
        for seed in range(5):
            start, goal = puzzle.shuffle(seed=seed), puzzle.shuffle(seed=seed + 50)
            if reason_unsolvable(start, goal):
                continue
            first, last = numbered(start, goal)
            assert reason_unsolvable(first, last) is None
            assert Configuration(puzzle, last.pieces) == goal
