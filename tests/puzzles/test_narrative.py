"""Solutions in words: the parts are all moves, and what they say of a piece is true of the replay."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

import slidelab as sl
from slidelab.puzzles import MoveList, Passage
from slidelab.puzzles.narrative import narrate
from slidelab.puzzles.player import Player

CASES = [
    ("square R(5,5)", "peel"),
    ("square R(6,4) tiles 3", "peel"),
    ("hex F(3) hextiles 2", "peel"),
    ("hex P(4,4) hextiles 4", "peel"),
    ("hex F(3) gourds", "peel"),
    ("hex P(5,5) gourds", "peel"),
    ("king R(4,4)", "peel"),
    ("theta(3,4,4)", "peel"),
    ("square R(3,3)", "auto"),
    ("hex F(2) hextiles 3", "auto"),
    ("hex P(3,3) trimers", "group"),
]


def solution(text: str, method: str, seed: int) -> sl.Solution:
    puzzle = sl.puzzle(text)
    return puzzle.solve(puzzle.shuffle(seed), method=method, shorten=False)  # type: ignore[arg-type]


def cells_after(found: sl.Solution) -> list[tuple[tuple[int, ...], ...]]:
    """Return where all pieces are after each number of moves, by replay."""
    player, out = Player(found.start), [found.start.pieces]
    for move in found.moves:
        player.play(move.piece, move.before, move.after)
        out.append(player.configuration.pieces)
    return out


def check_parts(passages: list[Passage], length: int) -> None:
    for level in {passage.depth for passage in passages}:
        parts = [passage for passage in passages if passage.depth == level]
        assert all(a.last == b.first for a, b in pairwise(parts))
        assert parts[-1].last == length
        assert all(part.first < part.last for part in parts)
    assert passages[0].first == 0


def cell_named(board: sl.Board, text: str) -> int:
    """Return the cell of ``row 2, column 3`` or ``cell 7``."""
    if found := re.fullmatch(r"row (\d+), column (\d+)", text):
        return board.cell_at[int(found[2]) - 1, int(found[1]) - 1]
    return int(text.removeprefix("cell "))


@pytest.mark.parametrize(("text", "method"), CASES)
@pytest.mark.parametrize("seed", [1, 2])
def test_what_is_said_is_true(text: str, method: str, seed: int) -> None:
    found = solution(text, method, seed)
    passages = narrate(found.start, MoveList.of(found.moves))
    check_parts(passages, found.length)
    replay, board = cells_after(found), found.puzzle.board
    moved = {move.piece for move in found.moves}
    told = []
    for passage in passages:
        place = r"(row \d+, column \d+|cell \d+)"
        for piece, where in re.findall(
            rf"\b(\d+) (?:goes|makes way and returns)[^;]*? to {place}", passage.text
        ):
            told.append(int(piece))
            final: tuple[int, ...] = (cell_named(board, where),)
            # There at the end of this part, and never moved again.
            assert all(pieces[int(piece) - 1] == final for pieces in replay[passage.last :])
        for piece, where in re.findall(r"\b(\d+) goes from cells [\d-]+ to ([\d-]+)", passage.text):
            told.append(int(piece))
            final = tuple(map(int, where.split("-")))
            assert all(pieces[int(piece) - 1] == final for pieces in replay[passage.last :])
        told += [
            int(k) for k in re.findall(r"\b(\d+) (?:is turned round|makes way and returns) on", passage.text)
        ]
    assert sorted(told) == sorted(moved)  # each piece is told of once


@pytest.mark.parametrize("seed", range(4))
def test_directions_lead_from_cell_to_cell(seed: int) -> None:
    """Follow the words of the paths on squares, from where the piece is when its line begins."""
    found = solution("square R(5,5)", "peel", seed)
    replay, board = cells_after(found), found.puzzle.board
    steps = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
    followed = 0
    for passage in narrate(found.start, MoveList.of(found.moves)):
        for piece, path, row, column in re.findall(
            r"\b(\d+) goes ((?:left|right|up|down|and round the corner|and|\d|,| )+) "
            r"to row (\d+), column (\d+)",
            passage.text,
        ):
            x, y = board.cells[replay[passage.first][int(piece) - 1][0]]
            for word, count in re.findall(r"(left|right|up|down) ?(\d*)", path):
                dx, dy = steps[word]
                x, y = x + dx * int(count or 1), y + dy * int(count or 1)
            assert (x + 1, y + 1) == (int(column), int(row)), passage.text
            followed += 1
    assert followed > 10


def test_a_solution_explains_itself() -> None:
    found = sl.puzzle("square R(3,3)").solve("1 2 3 / 4 5 6 / . 7 8")
    assert found.passages == ()
    assert found.explain().startswith("1-2  tiles 7 and 8 go in one behind the other")
    assert sl.Solution(found.goal, found.goal, ()).explain() == "0 moves by hand, and nothing to add"


@pytest.mark.parametrize(("text", "method"), CASES)
def test_the_moves_of_the_parts_are_the_solution(text: str, method: str) -> None:
    """Read back what is printed below the parts, and play it."""
    found = solution(text, method, 1)
    arrows = {"→": (1, 0), "↓": (0, 1), "←": (-1, 0), "↑": (0, -1), "↘": (0, 1), "↙": (-1, 1)}
    if found.puzzle.board.kind == "hex":
        arrows |= {"↖": (0, -1), "↗": (1, -1)}
    elif found.puzzle.board.kind == "king":
        arrows |= {"↘": (1, 1), "↙": (-1, 1), "↖": (-1, -1), "↗": (1, -1)}
    read = []
    for line in found.explain(moves=True).splitlines():
        words = line.split()
        if not words[0][0].isdigit() or not re.fullmatch(r"\d+([→↓←↑↘↙↖↗]|:\S+)", words[0]):
            continue
        read += words
    assert len(read) == found.length
    for word, move in zip(read, found.moves, strict=True):
        if ":" in word:
            assert word == move.text
            continue
        (a,), (b,) = move.before, move.after
        (x, y), (u, v) = found.puzzle.board.cells[a], found.puzzle.board.cells[b]
        assert (int(word[:-1]), arrows[word[-1]]) == (move.piece, (u - x, v - y))


def test_colours_are_named() -> None:
    puzzle = sl.puzzle("square R(3,3) : a a a b b b c c .")
    found = puzzle.solve(puzzle.shuffle(3))
    assert re.search(r"\d \([abc]\)", found.explain())


def test_a_path_without_directions_names_cells() -> None:
    found = solution("theta(3,4,4)", "peel", 1)
    assert re.search(r"goes (over [\d, and]+ )?to cell \d+", found.explain())
