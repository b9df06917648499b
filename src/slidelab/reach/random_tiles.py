"""Random configurations of tiles on boards of any size, uniform among those that can be reached."""

from __future__ import annotations

import random

from slidelab.boards import components
from slidelab.puzzles import Configuration
from slidelab.reach.decision import is_odd_rearrangement
from slidelab.reach.frames import carry_holes, find_frames, tiles_in_frames
from slidelab.reach.regions import Orbit

__all__ = ["random_tiles"]


def random_tiles(start: Configuration, rng: random.Random) -> Configuration:
    """Draw a configuration that can be reached from `start`, all with the same probability.

    In the frame of `slidelab.reach.frames` each orbit gets a uniform element of its group. Then the holes
    go to cells drawn at random, by moves that depend on these cells only, so that no arrangement is favoured.

    Parameters
    ----------
    start
        A configuration of tiles that slide along edges.
    rng

    Examples
    --------
    >>> import slidelab as sl
    >>> p = sl.puzzle("square R(100,100)")
    >>> bool(p.solvable(random_tiles(p.goal, random.Random(1))))
    True
    """
    puzzle, board = start.puzzle, start.puzzle.board
    frames = find_frames(board, components(board), start.holes)
    tiles = tiles_in_frames(start, frames)
    goals: list[int] = []
    for frame in frames:
        drawn = rng.sample(frame.part, sum(not tiles[cell] for cell in frame.part))
        goals += drawn
        empty = set(drawn if frame.holes is None else frame.holes)
        for orbit in frame.orbits:
            mixed = _mix(orbit, [tiles[cell] for cell in orbit.cells if tiles[cell]], rng)
            for cell in orbit.cells:
                tiles[cell] = 0 if cell in empty else mixed.pop()
    carry_holes(board, tiles, goals)
    pieces = {tile: (cell,) for cell, tile in enumerate(tiles) if tile}
    return Configuration(puzzle, tuple(pieces[number] for number in range(1, puzzle.piece_count + 1)))


def _mix(orbit: Orbit, tiles: list[int], rng: random.Random) -> list[int]:
    """Return the tiles after a random element of the orbit's group, the last one first."""
    mixed = list(tiles)
    if orbit.group == "cyclic" and tiles:
        shift = rng.randrange(len(tiles))
        mixed = tiles[shift:] + tiles[:shift]
    elif orbit.group == "theta0":
        for to, tile in zip(rng.choice(orbit.loops), tiles, strict=True):
            mixed[to] = tile
    elif orbit.group in ("symmetric", "alternating"):
        rng.shuffle(mixed)
        if orbit.group == "alternating" and is_odd_rearrangement(tiles, mixed):
            mixed[0], mixed[1] = mixed[1], mixed[0]  # pairs odd with even ones, so all stay equally likely
    return mixed[::-1]
