"""Random boards of hexagons that are 2-connected and have no holes, of any size, for tests."""

from __future__ import annotations

import random

AROUND = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]  # in order, each touching the next
Cell = tuple[int, int]


def fits(cells: set[Cell], q: int, r: int, most: int) -> bool:
    """Do the neighbours that are there already form one arc of at least two?

    Only then the new cell closes no hole and hangs on no single cell.
    """
    there = [(q + dq, r + dr) in cells for dq, dr in AROUND]
    arcs = sum(there[i] and not there[i - 1] for i in range(6))
    return 2 <= sum(there) <= most and arcs == 1


def grown(size: int, seed: int, thin: float = 0.0) -> list[Cell]:
    """A board grown cell by cell from a triangle.

    The closer `thin` is to one, the more rarely a cell is added that touches more than two others:
    the board becomes a tangle of arms, on which going by the first free cell finds no matching.
    """
    chance = random.Random(seed)
    board = {(0, 0), (1, 0), (0, 1)}
    edge = [(q + dq, r + dr) for q, r in board for dq, dr in AROUND]
    while len(board) < size:
        place = chance.randrange(len(edge))
        edge[place], edge[-1] = edge[-1], edge[place]
        q, r = edge.pop()
        if (q, r) in board:
            continue
        if not fits(board, q, r, 5):
            continue  # when another neighbour comes, it is put on the list again
        if not fits(board, q, r, 2) and chance.random() < thin:
            edge.append((q, r))
            continue
        board.add((q, r))
        edge.extend((q + dq, r + dr) for dq, dr in AROUND)
    return sorted(board, key=lambda cell: (cell[1], cell[0]))


def comb(teeth: int, length: int) -> list[Cell]:
    """Two rows, and on them teeth two cells wide with one column between them; the last may be one longer."""
    width = 3 * teeth - 1
    cells = {(q, r) for r in range(2) for q in range(width)}
    cells |= {(3 * tooth + dq, 2 + r) for tooth in range(teeth) for dq in range(2) for r in range(length)}
    if len(cells) % 2 == 0:
        cells.add((width, 0))
    return sorted(cells, key=lambda cell: (cell[1], cell[0]))
