"""Moves as people write them: texts of many moves, arrows, the number of a tile, a whole solution."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias, Union

from slidelab.errors import IllegalMove, NotationError
from slidelab.messages import ASCII_ARROWS, quoted
from slidelab.puzzles.arrows import directions_of
from slidelab.puzzles.labels import is_number, piece_labels
from slidelab.puzzles.moves import Move, MoveLike, read_move
from slidelab.puzzles.notation import load_source
from slidelab.puzzles.player import Player
from slidelab.rules import Cells

if TYPE_CHECKING:
    from slidelab.puzzles.configuration import Configuration
    from slidelab.puzzles.solution import Solution

__all__ = ["MovesLike", "Recorder", "is_moves_text", "is_plan_text", "play_source", "read_moves"]

MovesLike: TypeAlias = Union[MoveLike, int, "Solution", Iterable["MovesLike"]]
"""A move, a text of moves (``3:2>5 4:1>2``, arrows, numbers of tiles), a solution, or several of these."""

_FROM_ASCII = {ascii_arrow: arrow for arrow, ascii_arrow in ASCII_ARROWS.items()}
_SIGNS = [*ASCII_ARROWS, *sorted(_FROM_ASCII, key=len, reverse=True)]
_ARROW = re.compile(f"([0-9]{{1,9}})?({'|'.join(map(re.escape, _SIGNS))})")
_MOVE = re.compile(r"[0-9]+:[0-9-]+>[0-9-]+")
_PLAN_ACTION = re.compile(
    r"\s*(?:[0-9.]+:\s*)?(?:\(\s*[A-Za-z][\w-]*\s+([^()]*)\)|[A-Za-z][\w-]*\(([^()]*)\))"
)
_SPOT = re.compile(r"[a-z]+([0-9]+(?:-[0-9]+)*)", re.IGNORECASE)


def is_moves_text(text: str) -> bool:
    """Return whether a text consists of moves such as ``3:2>5``, or of arrows, also in ASCII.

    >>> is_moves_text("<^ 2DR"), is_moves_text("left")
    (True, False)
    >>> is_moves_text("3:2>5 4:1>2"), is_moves_text("←↑ 2→"), is_moves_text("by hand"), is_moves_text("")
    (True, True, False, False)
    """
    tokens = text.split()
    return bool(tokens) and all(_MOVE.fullmatch(token) or not _ARROW.sub("", token) for token in tokens)


def is_plan_text(text: str) -> bool:
    r"""Return whether a text is the plan of a planner: actions in brackets, and comments.

    >>> is_plan_text("(slide tile3 c3 c2)\n; cost = 1 (unit cost)"), is_plan_text("3:3>2")
    (True, False)
    """
    return any(_PLAN_ACTION.match(line) for line in text.splitlines())


def play_source(player: Player, source: MovesLike) -> None:
    """Play moves in any form; raise `IllegalMove` if the rule forbids one.

    >>> import slidelab as sl
    >>> from slidelab.puzzles.player import Player
    >>> player = Player(sl.position("square R(2,2) : 1 2 . 3"))
    >>> play_source(player, "← 1 →")
    Traceback (most recent call last):
    slidelab.errors.IllegalMove: expected a legal move of tile 1, got none - on 'square R(2,2)'
    >>> player.configuration.pieces_text
    '1 2 3 .'
    """
    if isinstance(source, bytes | bytearray | str):
        source = load_source(source, None)  # JSON is decoded
    if isinstance(source, Move):
        player.play(source.piece, source.before, source.after)
    elif isinstance(source, str) and is_plan_text(source):
        for move in _plan_moves(player, source):
            player.play(move.piece, move.before, move.after)
    elif isinstance(source, str):
        for token in source.replace(",", " ").split():
            for move in _token_moves(player, token):
                player.play(move.piece, move.before, move.after)
    elif isinstance(source, int) and not isinstance(source, bool):
        play_source(player, _only_move(player, str(source)))
    elif isinstance(moves := getattr(source, "moves", None), Sequence):  # a solution
        play_source(player, moves)
    elif isinstance(source, Mapping):
        play_source(player, source["moves"] if "moves" in source else read_move(source))
    elif isinstance(source, Iterable):
        for each in source:
            play_source(player, each)
    else:
        raise NotationError(
            f"expected a move such as '3:2>5', a number, arrows or a solution, got {type(source).__name__}"
        )


def read_moves(start: Configuration, sources: Sequence[MovesLike]) -> list[Move]:
    """Return the moves of any sources, as played from `start`.

    >>> import slidelab as sl
    >>> [move.text for move in read_moves(sl.position("square R(2,2) : 1 2 . 3"), ["←", "2"])]
    ['3:3>2', '2:1>3']
    """
    single = [
        each
        for each in sources
        if isinstance(each, Mapping | Move) or (isinstance(each, str) and ":" in each and " " not in each)
    ]
    if len(single) == len(sources):  # millions of moves need not be played for that
        return [read_move(each) for each in single]
    recorder = Recorder(start)
    play_source(recorder, sources)
    return recorder.moves


class Recorder(Player):
    """A player that keeps the moves it played."""

    __slots__ = ("moves",)

    def __init__(self, start: Configuration) -> None:
        super().__init__(start)
        self.moves: list[Move] = []

    def play(self, piece: int, before: Cells, after: Cells) -> None:
        """Move a piece and keep the move."""
        super().play(piece, before, after)
        self.moves.append(Move(piece, before, after))


def _token_moves(player: Player, token: str) -> Iterator[Move]:
    """Yield the moves of one word; each must be played before the next is asked for."""
    if ":" in token:
        yield read_move(token)
        return
    arrows = list(_ARROW.finditer(token))
    if token.isascii() and player.puzzle.colours is not None and token in piece_labels(player.puzzle):
        arrows = []  # a colour that is called v
    if arrows and sum(len(match[0]) for match in arrows) == len(token):
        for match in arrows:
            yield _arrow_move(player, match[1], _FROM_ASCII.get(match[2], match[2]))
        return
    yield _only_move(player, str(int(token)) if is_number(token) else token)


def _plan_moves(player: Player, text: str) -> Iterator[Move]:
    """Yield the moves of a plan; each must be played before the next is asked for.

    An action names the piece, then where it lies and where it goes: ``(slide tile3 c2 c5)``. Which piece it
    is follows from where it lies.
    """
    rule, board = player.puzzle.rule, player.puzzle.board
    for line in text.splitlines():
        action = line.partition(";")[0].strip()
        if not action:
            continue
        match = _PLAN_ACTION.match(action)
        words = re.split(r"[\s,]+", (match[1] or match[2]).strip()) if match else []
        spots = [_SPOT.fullmatch(word) for word in words[1:3]]
        if len(spots) < 2 or not all(spots):
            raise NotationError(f"expected an action such as (slide tile3 c2 c5), got {quoted(action)}")
        before, after = (tuple(map(int, spot[1].split("-"))) for spot in spots if spot)
        if len(before) != rule.cells or len(after) != rule.cells:
            raise NotationError(f"expected spots of {rule.cells} cells, got {quoted(action)}")
        here = next((cells for cells in rule.readings(before) if player.lies(cells)), None)
        if here is None:
            raise IllegalMove(f"expected a {rule.piece} there, got none - at {quoted(action)}")
        piece = player.piece_at(here)
        number = re.fullmatch(r"[a-z-]*?([0-9]+)", words[0])
        if player.puzzle.colours is None and number and int(number[1]) != piece:
            raise IllegalMove(f"expected {rule.piece} {number[1]} there, got {piece} - at {quoted(action)}")
        there = rule.readings(after)[rule.readings(before).index(here)]
        if player.puzzle.colours is not None:  # a piece that looks the same when turned may be named so
            ends = {step.after for step in rule.steps(board, here)}
            there = next((cells for cells in (there, *rule.readings(after)) if cells in ends), there)
        yield Move(piece, here, there)


def _only_move(player: Player, label: str) -> Move:
    """Return the one legal move of the pieces with this number or colour."""
    puzzle = player.puzzle
    labels, name = piece_labels(puzzle), puzzle.rule.piece
    if label not in labels:
        raise NotationError(
            f"expected a move such as 3:2>5, an arrow, or one of the {name}s "
            f"{labels[0]} to {labels[-1]}, got {quoted(label)}"
        )
    moves = [move for move in player.configuration.moves if labels[move.piece - 1] == label]
    if len(moves) == 1:
        return moves[0]
    what = f"{name} {label}" if puzzle.colours is None else f"a {label} {name}"
    where = f"on {quoted(puzzle.board.name)}"
    if not moves:
        raise IllegalMove(f"expected a legal move of {what}, got none - {where}")
    which = " ".join(move.text for move in moves[:6])
    raise IllegalMove(f"expected a {name} with one legal move, got {what} with {which} - {where}")


def _arrow_move(player: Player, number: str | None, arrow: str) -> Move:
    """Return the move of a tile in the direction of an arrow, by default into the only hole."""
    puzzle = player.puzzle
    board, directions = puzzle.board, directions_of(puzzle)
    if arrow not in directions:
        raise NotationError(
            f"expected arrows {''.join(directions)}, got {quoted(arrow)} - on {board.kind} boards"
        )
    dx, dy = directions[arrow]
    if number is not None:
        if not 1 <= int(number) <= puzzle.piece_count:
            raise IllegalMove(
                f"expected a tile from 1 to {puzzle.piece_count}, got {number} - at {number}{arrow}"
            )
        before = player.cells_of(int(number))[0]
        x, y = board.cells[before]
        after = board.cell_at.get((x + dx, y + dy))
        if after is None:
            raise IllegalMove(f"expected a cell beside tile {number}, got the edge - at {number}{arrow}")
        return Move(int(number), (before,), (after,))
    if puzzle.hole_count != 1:
        raise NotationError(
            f"expected the number of a tile before {arrow}, since there are {puzzle.hole_count} holes"
        )
    hole = player.first_hole()
    x, y = board.cells[hole]
    cell = board.cell_at.get((x - dx, y - dy))
    if cell is None:
        raise IllegalMove(f"expected a tile that can go {arrow} into the hole at cell {hole}, got the edge")
    return Move(player.piece_at((cell,)), (cell,), (hole,))
