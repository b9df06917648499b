"""Whether tiles can be brought from a start to a goal, decided by the regions of the board.

No shapes are listed, so boards may have any size. See docs/design/several-holes.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from slidelab.boards import components
from slidelab.errors import PuzzleError
from slidelab.permutations import is_even
from slidelab.puzzles import Configuration, Puzzle
from slidelab.reach.frames import find_frames, holes_by_part, tiles_in_frames
from slidelab.reach.regions import Orbit

__all__ = ["Decision", "Obstacle", "decide", "is_odd_rearrangement", "rotations"]

Obstacle = Literal["", "holes", "place", "order", "parity", "cycle", "theta0", "colours"]
"""What is in the way: see `Decision`."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether the goal can be reached and, if not, what is in the way.

    Attributes
    ----------
    solvable
    theorem
        The theorem that decides.
    obstacle
        Empty if the goal can be reached. Otherwise ``holes`` (a part of the board would need other holes),
        ``place`` (a tile belongs to cells from which it cannot get to its goal), ``order`` (two tiles on a
        path cannot pass each other), ``parity``, ``cycle`` (a cyclic order that is kept), ``theta0`` or
        ``colours``.
    pieces
        The tiles concerned, from 1.
    group
        The group of the only orbit, if one orbit has all tiles.
    """

    solvable: bool
    theorem: str
    obstacle: Obstacle = ""
    pieces: tuple[int, ...] = ()
    group: str = ""


def decide(start: Configuration, goal: Configuration) -> Decision:
    """Return whether tiles can be brought from `start` to `goal`.

    Start and goal are brought into the same frame (`slidelab.reach.frames`) and compared orbit by orbit.
    That takes linear time, besides the moves of the holes.

    Parameters
    ----------
    start, goal
        Configurations of one puzzle whose tiles slide along edges.

    Raises
    ------
    PuzzleError
        If the puzzle has other pieces.

    References
    ----------
    .. [1] R. M. Wilson, "Graph puzzles, homotopy, and the alternating group", J. Combin. Theory B 16 (1974).
    .. [2] D. Kornhauser, G. Miller, P. Spirakis, "Coordinating pebble motion on graphs", FOCS (1984).
    .. [3] F. Brunck, M. Kwan, "Books, hallways and social butterflies" (2023).

    Examples
    --------
    >>> import slidelab as sl
    >>> p = sl.puzzle("graph 0-1 1-2 2-0 2-3 3-4 4-5 5-3")
    >>> found = decide(p.configuration("1 2 3 4 5 ."), p.configuration("3 2 1 4 5 ."))
    >>> found.solvable, found.theorem, found.obstacle, found.pieces
    (False, 'Wilson, block by block', 'place', (1, 3))
    """
    puzzle, board = start.puzzle, start.puzzle.board
    if not puzzle.rule.slides_along_edges:
        raise PuzzleError(f"expected the rule tiles, got {puzzle.rule.name}")
    one = puzzle.hole_count == 1
    theorem = "Wilson, block by block" if one else "Kornhauser, Miller, Spirakis; Brunck, Kwan"
    parts = components(board)
    if holes_by_part(parts, start.holes) != holes_by_part(parts, goal.holes):
        return Decision(False, theorem, "holes")
    frames = find_frames(board, parts, goal.holes)
    here, there = tiles_in_frames(start, frames), tiles_in_frames(goal, frames)
    every = [orbit for frame in frames for orbit in frame.orbits]
    tiles = [([here[c] for c in o.cells if here[c]], [there[c] for c in o.cells if there[c]]) for o in every]
    obstacle, pieces = _find_obstacle(puzzle, every, tiles)
    if obstacle:
        return Decision(False, theorem, obstacle, pieces)
    pairs = zip(every, tiles, strict=True)
    whole = [orbit.group for orbit, (first, _) in pairs if len(first) == puzzle.piece_count]
    return Decision(True, theorem, group=whole[0] if whole else "")


Pair = tuple[list[int], list[int]]
"""The tiles of an orbit, cell by cell, at the start and at the goal."""


def _find_obstacle(
    puzzle: Puzzle, every: Sequence[Orbit], tiles: Sequence[Pair]
) -> tuple[Obstacle, tuple[int, ...]]:
    """Return what is in the way, and the tiles concerned."""
    colours = puzzle.colours
    if colours is None:
        looks = list(range(puzzle.piece_count + 1))
        displaced = _displaced_tiles(every, tiles)
        if displaced:
            return "place", displaced
    else:
        kinds = {labels: number for number, labels in enumerate(sorted(set(colours)))}
        looks = [-1, *(kinds[labels] for labels in colours)]
    for orbit, (first, last) in zip(every, tiles, strict=True):
        obstacle = _compare(orbit, [looks[tile] for tile in first], [looks[tile] for tile in last])
        if obstacle == "order" or (obstacle == "colours" and orbit.group == "fixed"):
            a, b = next((a, b) for a, b in zip(first, last, strict=True) if looks[a] != looks[b])
            return obstacle, (a, b) if obstacle == "order" else (a,)
        if obstacle:
            return obstacle, tuple(first if obstacle == "cycle" else sorted(first))
    return "", ()


def _displaced_tiles(every: Sequence[Orbit], tiles: Sequence[Pair]) -> tuple[int, ...]:
    """Return the tiles that belong to one orbit at the start and to another at the goal."""
    orbit_of: dict[int, tuple[int, int]] = {}
    displaced = []
    for side in (0, 1):
        for number, (orbit, pair) in enumerate(zip(every, tiles, strict=True)):
            for index, tile in enumerate(pair[side]):
                key = (number, index if orbit.group == "fixed" else -1)
                if orbit_of.setdefault(tile, key) != key:
                    displaced.append(tile)
    return tuple(sorted(displaced))


def _compare(orbit: Orbit, first: list[int], last: list[int]) -> Obstacle:
    """Return why the group of an orbit does not turn one list of looks into the other, or nothing."""
    if orbit.group == "fixed":
        return "" if first == last else "colours"
    if Counter(first) != Counter(last):
        return "colours"
    if orbit.group == "line":
        return "" if first == last else "order"
    if orbit.group == "alternating":
        return "parity" if len(set(first)) == len(first) and is_odd_rearrangement(first, last) else ""
    if orbit.group == "cyclic":
        return "" if not first or rotations(first, last) else "cycle"
    if orbit.group == "theta0":
        pairs = (zip(loop, first, strict=True) for loop in orbit.loops)
        return "" if any(all(last[to] == look for to, look in pair) for pair in pairs) else "theta0"
    return ""


def is_odd_rearrangement(first: Sequence[int], last: Sequence[int]) -> bool:
    """Return whether the permutation that turns one list of different things into the other is odd.

    Examples
    --------
    >>> is_odd_rearrangement([5, 7, 9], [7, 5, 9]), is_odd_rearrangement([5, 7, 9], [7, 9, 5])
    (True, False)
    """
    index = {thing: number for number, thing in enumerate(last)}
    return not is_even([index[thing] for thing in first])


def rotations(first: Sequence[int], last: Sequence[int]) -> list[int]:
    """Return by how many places the first list can be rotated to become the second.

    The algorithm of Knuth, Morris and Pratt looks for the first list in two copies of the second.

    Examples
    --------
    >>> rotations([1, 2, 1, 3], [1, 3, 1, 2]), rotations([1, 2, 3], [1, 3, 2]), rotations([1, 1], [1, 1])
    ([2], [], [0, 1])
    """
    n, border, length = len(first), [0], 0
    for number in range(1, n):
        while length and first[number] != first[length]:
            length = border[length - 1]
        length += first[number] == first[length]
        border.append(length)
    found: list[int] = []
    length = 0
    for number in range(2 * n - 1):
        while length and last[number % n] != first[length]:
            length = border[length - 1]
        length += last[number % n] == first[length]
        if length == n:
            found.append(number + 1 - n)
            length = border[length - 1]
    return found
