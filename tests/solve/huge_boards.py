"""Random boards, and a replay that knows nothing of slidelab."""

from __future__ import annotations

import random
from typing import Any

import networkx as nx

from slidelab.boards import Board, from_edges, hex_board, square_board
from slidelab.puzzles import Configuration, Solution


def replay(solution: Solution) -> None:
    """Each move is legal, and the last one leads to the goal."""
    puzzle = solution.puzzle
    around = [set(row) for row in puzzle.board.neighbours]
    look = (
        ["", *(labels[0] for labels in puzzle.colours)] if puzzle.colours else range(puzzle.piece_count + 1)
    )
    lies = {cell: look[tile] for tile, (cell,) in enumerate(solution.start.pieces, 1)}
    for move in solution.moves:
        (here,), (there,) = move.before, move.after
        assert here in lies
        assert there not in lies
        assert there in around[here]
        if puzzle.rule.name == "hextiles":
            assert any(beside not in lies for beside in around[here] & around[there])
        lies[there] = lies.pop(here)
    assert lies == {cell: look[tile] for tile, (cell,) in enumerate(solution.goal.pieces, 1)}


def peeled(start: Configuration, goal: Configuration | None = None, **options: Any) -> Solution:
    """Solved by peeling, replayed, and not shorter than it can be."""
    solution = start.puzzle.solve(start, goal, method="peel", **{"shorten": False, **options})
    assert (solution.start, solution.goal) == (start, goal or start.puzzle.goal)
    assert solution.method == "peel"
    # Of colours nothing is claimed: tiles of one colour may be matched in other ways.
    assert (solution.lower_bound is None) == (solution.puzzle.colours is not None)
    assert (solution.lower_bound or 0) <= solution.length
    assert not solution.optimal or solution.lower_bound == solution.length
    replay(solution)
    return solution


# Random boards


def ear_graph(rng: random.Random, size: int, longest: int = 6) -> nx.Graph:
    """A random 2-connected graph: a cycle, and paths between two different vertices of what there is."""
    graph = nx.cycle_graph(rng.randint(3, min(size, 8)))
    while len(graph) < size or graph.number_of_edges() == len(graph):
        a, b = rng.sample(sorted(graph), 2)
        inside = min(rng.randint(0, longest), size - len(graph))
        nx.add_path(graph, [a, *range(len(graph), len(graph) + inside), b])
    return graph


def as_board(graph: nx.Graph) -> Board:
    number = {cell: k for k, cell in enumerate(sorted(graph))}
    return from_edges([(number[a], number[b]) for a, b in graph.edges], len(graph))


def largest_block(cells: Board) -> list[int]:
    return sorted(max(nx.biconnected_components(cells.to_networkx()), key=lambda block: len(set(block))))


def holey(rng: random.Random, columns: int, rows: int, kind: str) -> Board:
    """A grid with some cells missing: its largest 2-connected part."""
    cells = [(x, y) for x in range(columns) for y in range(rows) if rng.random() > 0.2]
    whole = hex_board(cells) if kind == "hex" else square_board(cells, king=kind == "king")
    kept = [whole.cells[cell] for cell in largest_block(whole)]
    return hex_board(kept) if kind == "hex" else square_board(kept, king=kind == "king")


def random_board(kind: str, seed: int) -> Board:
    rng = random.Random(seed)
    if kind == "ears":
        return as_board(ear_graph(rng, rng.randint(6, 60)))
    if kind == "long ears":
        return as_board(ear_graph(rng, rng.randint(10, 50), longest=20))
    return holey(rng, rng.randint(4, 9), rng.randint(4, 9), kind)


KINDS = ("square", "king", "hex", "ears", "long ears")


def is_polygon(graph: nx.Graph) -> bool:
    return all(degree == 2 for _, degree in graph.degree())


def block_tree(rng: random.Random, blocks: int) -> nx.Graph:
    """Blocks and bridges hung onto each other at random."""
    graph: nx.Graph = nx.Graph()
    graph.add_node(0)
    for _ in range(blocks):
        kind, size = rng.random(), len(graph)
        if kind < 0.3:
            block = nx.path_graph(rng.randint(2, 4))
        elif kind < 0.5:
            block = nx.cycle_graph(rng.randint(3, 6))
        else:
            block = ear_graph(rng, rng.randint(4, 14), 3)
        names = {cell: size + cell - 1 for cell in block}
        names[0] = rng.randrange(size)
        graph.add_edges_from((names[a], names[b]) for a, b in block.edges)
    return graph
