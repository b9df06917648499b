"""Moves in words: the direction is what the eye sees, and no two moves of a position read alike."""

from __future__ import annotations

import re

import pytest

import slidelab as sl
from slidelab.boards.ascii import column_and_row
from slidelab.puzzles import describe_move, draw_move

PUZZLES = [
    "square R(4,3)",
    "king R(3,3) tiles 2",
    "hex P(3,4)",
    "hex F(2) tiles 3",
    "hex F(3) gourds",
    "hex F(3) gourds-sharp",
    "square R(3,3) gourds 3",
    "hex F(2) trimers 1",
    "square R(4,3) trimers-straight 3",
    "square R(4,3) trimers-bent 3",
    "hex T(4) trimers-triangle 4",
    "theta(2,2,3) tiles 2",
    "complete(5) gourds 1",
    "square R(3,3) : a a a b b b c c .",
    "hex F(2) gourds 1 : 0-1=red-blue 3-2=blue-blue 5-6=1-red",
]
WAYS = {
    "right": (1, 0),
    "down-right": (1, 1),
    "down": (0, 1),
    "down-left": (-1, 1),
    "left": (-1, 0),
    "up-left": (-1, -1),
    "up": (0, -1),
    "up-right": (1, -1),
}


def sign(number: int) -> int:
    return (number > 0) - (number < 0)


@pytest.mark.parametrize("text", PUZZLES)
def test_words(text: str) -> None:
    puzzle = sl.puzzle(text)
    board = puzzle.board
    for seed in range(6):
        here = puzzle.shuffle(seed=seed)
        words = [describe_move(puzzle, move) for move in here.moves]
        assert len(set(words)) == len(words), words
        for move, said in zip(here.moves, words, strict=True):
            assert said.startswith(move.kind.replace("sharp turn", "turn"))
            seen = set()
            for a, b in zip(move.before, move.after, strict=True):
                if a != b and board.cells and board.adjacent(a, b):
                    (ax, ay), (bx, by) = (column_and_row(board.kind, board.cells[c]) for c in (a, b))
                    seen.add((sign(bx - ax), sign(by - ay)))
            if found := re.search(rf" ({'|'.join(sorted(WAYS, key=len, reverse=True))}) \S", said):
                assert WAYS[found[1]] in seen
            elif board.cells:
                assert puzzle.rule.rigid  # turns about a cell: several ends go several ways
            for cell in re.findall(r"into cell (\d+)", said):
                assert int(cell) in here.holes


def test_drawings_differ_from_the_position_where_a_piece_moves() -> None:
    for text in PUZZLES:
        here = sl.puzzle(text).shuffle(seed=1)
        plain = str(here).split()
        for move in here.moves:
            for ascii_only in (False, True):
                drawn = draw_move(here, move, ascii_only=ascii_only).split()
                changed = [(a, b) for a, b in zip(plain, drawn, strict=True) if a != b]
                new = len(set(move.after) - set(move.before))
                assert len(changed) == new or (here.puzzle.rule.rigid and len(changed) < new)
                assert not ascii_only or "".join(drawn).isascii()


def test_vertices_are_called_by_their_labels() -> None:
    puzzle = sl.puzzle("graph a-b b-c c-a")
    assert describe_move(puzzle, sl.read_move("2:1>2")) == "slide 2 from cell b to cell c"


def test_kinds_are_known_though_texts_do_not_tell() -> None:
    puzzle = sl.puzzle("hex F(2) gourds")
    here = puzzle.shuffle(seed=3)
    for move in here.moves:
        assert describe_move(puzzle, sl.read_move(move.text)) == describe_move(puzzle, move)
