"""Puzzles, configurations and moves: the kind of thing, the moment, and the way on.

A `Puzzle` is a board, a rule and a number of holes (and colours, if pieces are alike). A
`Configuration` says where each piece lies. A `Move` takes one piece elsewhere. All three are
frozen, have a text of one line that parses back (see `slidelab.puzzles.text`), and a JSON form.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any

from slidelab.boards import Board, maximum_matching
from slidelab.display import SvgDisplay
from slidelab.errors import IllegalMove, NotationError, PuzzleError, TooLarge
from slidelab.messages import integer_text, quoted
from slidelab.rules import Cells, Rule
from slidelab.rules import rule as rule_named

if TYPE_CHECKING:
    import networkx as nx

    from slidelab.distance.distances import Distances
    from slidelab.distance.gods_number import GodsNumber
    from slidelab.draw.print import Solid
    from slidelab.draw.scene import Picture
    from slidelab.place.placing import Placement
    from slidelab.puzzles.solution import Solution
    from slidelab.puzzles.text import ConfigurationLike
    from slidelab.reach.analysis import Analysis
    from slidelab.reach.group import PermutationGroup
    from slidelab.reach.verdict import Verdict

__all__ = [
    "Colours",
    "Configuration",
    "Move",
    "Moves",
    "Player",
    "Puzzle",
    "default_holes",
    "default_rule",
    "is_number",
    "is_word",
    "least_reading",
]

# For each piece the labels of its marked cells: one for a tile, head and tail for a gourd.
Labels = tuple[str, ...]
Colours = tuple[Labels, ...]

_WORD = re.compile(r"\w{1,60}")


def is_number(label: str) -> bool:
    """Whether a label is a number that texts may use: ASCII digits, at most nine."""
    return label.isascii() and label.isdigit() and len(label) < 10


def is_word(label: str) -> bool:
    """Whether a label is a word, which stands for a colour: letters and digits, not digits alone.

    >>> is_word("red"), is_word("x1"), is_word("12"), is_word("a-b")
    (True, True, False, False)
    """
    return bool(_WORD.fullmatch(label)) and any(c.isalpha() or c == "_" for c in label)


def least_reading(rule: Rule, labels: Labels) -> Labels:
    """The reading that stands for all of them, numbers before words."""
    return min(rule.readings(labels), key=_natural_order)


def _natural_order(labels: Labels) -> list[tuple[bool, int, str]]:
    return [(not is_number(label), int(label) if is_number(label) else 0, label) for label in labels]


def default_rule(board: Board) -> str:
    """Hexagonal boards are for hexagonal tiles, all others for tiles."""
    return "hextiles" if board.kind == "hex" else "tiles"


def default_holes(board: Board, rule: Rule) -> int:
    """The fewest holes that the rule asks for and the board allows."""
    return rule.fewest_holes + (board.size - rule.fewest_holes) % rule.cells


@dataclass(frozen=True, slots=True, repr=False)
class Puzzle(SvgDisplay):
    """A board, a rule, a number of holes and perhaps colours.

    Make one with `slidelab.puzzle`, which takes texts.

    >>> import slidelab as sl
    >>> p = sl.puzzle("hex P(3,4)", holes=3)
    >>> p
    puzzle('hex P(3,4) hextiles 3')
    >>> p.pieces
    9
    """

    board: Board
    rule: Rule
    holes: int
    colours: Colours | None = None

    def __post_init__(self) -> None:
        if isinstance(self.rule, str):
            object.__setattr__(self, "rule", rule_named(self.rule))
        board, rule = self.board, self.rule
        if reason := rule.refuses(board):
            raise NotationError(f"{reason}, got {quoted(board.name)}")
        if self.holes < rule.fewest_holes:
            raise NotationError(
                f"expected at least {rule.fewest_holes} hole{'s'[: rule.fewest_holes > 1]} for {rule.name}, "
                f"got {integer_text(self.holes)} - on {quoted(board.name)}"
            )
        if self.holes >= board.size:
            raise NotationError(
                f"expected fewer holes than the {board.size} cells, got {integer_text(self.holes)} - "
                f"on {quoted(board.name)}"
            )
        if (board.size - self.holes) % rule.cells:
            better = self.holes + (board.size - self.holes) % rule.cells
            raise NotationError(
                f"expected a number of holes that leaves whole {rule.piece}s of {rule.cells} cells, "
                f"got {self.holes} of {board.size} cells - on {quoted(board.name)}"
                f"{f': {better} would do' if better < board.size else ''}"
            )
        if self.colours is not None:
            object.__setattr__(self, "colours", self._checked_colours(self.colours))

    def _checked_colours(self, colours: Colours) -> Colours:
        if len(colours) != self.pieces:
            raise NotationError(
                f"expected {self.pieces} colours, got {len(colours)} - on {quoted(self.board.name)}"
            )
        rule = self.rule
        for number, labels in enumerate(colours, 1):
            where = f"at {rule.piece} {number}"
            if len(labels) != rule.turns:
                raise NotationError(
                    f"expected {rule.turns} colours a {rule.piece}, got {len(labels)} - {where}"
                )
            for label in labels:
                # On a tile a number is its name: a text could not tell it from a colour.
                if not is_word(label) and (rule.cells == 1 or not is_number(label)):
                    raise NotationError(f"expected a word as a colour, got {quoted(label)} - {where}")
        # A piece may be read either way round, pieces listed in any order: the least stands for all.
        return tuple(sorted((least_reading(rule, labels) for labels in colours), key=_natural_order))

    @property
    def pieces(self) -> int:
        """The number of pieces."""
        return (self.board.size - self.holes) // self.rule.cells

    @property
    def uncoloured(self) -> Puzzle:
        """The same puzzle with every piece numbered."""
        return self if self.colours is None else Puzzle(self.board, self.rule, self.holes)

    @property
    def text(self) -> str:
        """The puzzle in one line; `slidelab.puzzle` reads it back.

        Coloured pieces are shown at the goal, or without cells if no way to lay them is known.

        >>> import slidelab as sl
        >>> sl.puzzle("square R(3,3)").text
        'square R(3,3) tiles 1'
        >>> sl.puzzle("graph 0 1 2 gourds 1", colours=["a"]).text
        'graph 0 1 2 gourds 1 : =a-a'
        """
        kind = f"{self.board.name} {self.rule.name} {self.holes}"
        if self.colours is None:
            return kind
        try:
            return self.goal.text
        except PuzzleError:
            return f"{kind} : {' '.join('=' + '-'.join(labels) for labels in self.colours)}"

    def __repr__(self) -> str:
        return f"puzzle({self.text!r})"

    def __str__(self) -> str:
        return self.text

    @property
    def goal(self) -> Configuration:
        """Pieces in order, holes last (as far as the pieces allow).

        `NotationError` if there is no way to lay the pieces, which is certain for tiles and gourds;
        `TooLarge` if none is found for larger pieces.

        >>> import slidelab as sl
        >>> sl.puzzle("square R(2,2)").goal.text
        'square R(2,2) tiles 1 : 1 2 3 .'
        """
        if self.rule.cells == 1:
            return Configuration(self, tuple((cell,) for cell in range(self.pieces)))
        return Configuration(self, _packing(self.uncoloured))

    def configuration(self, source: ConfigurationLike) -> Configuration:
        """Read a configuration of this puzzle from text, JSON, a list or a file.

        >>> import slidelab as sl
        >>> sl.puzzle("square R(2,2)").configuration("3 1 / . 2")
        position('square R(2,2) tiles 1 : 3 1 . 2')
        """
        from slidelab.puzzles.text import read_configuration

        return read_configuration(self, source)

    def to_json(self) -> dict[str, Any]:
        """The design's JSON form; `slidelab.puzzle` reads it back."""
        out: dict[str, Any] = {"board": self.board.to_json(), "rule": self.rule.name, "holes": self.holes}
        if self.colours is not None:
            out["colours"] = [labels[0] if len(labels) == 1 else list(labels) for labels in self.colours]
        return out

    # The verbs. Each lives in a later room, which is only opened when asked for.

    def analyze(self, **options: Any) -> Analysis:
        """What can be reached: families of shapes, group, components, parity, theorems.

        Options are those of `slidelab.reach.analysis.analyze`.

        >>> import slidelab as sl
        >>> a = sl.puzzle("theta(1,2,2)").analyze()
        >>> a.components, a.families[0].group.name
        (6, 'PGL(2,5)')
        """
        from slidelab.reach.analysis import analyze

        return analyze(self, **options)

    def solvable(
        self, start: ConfigurationLike, goal: ConfigurationLike | None = None, **options: Any
    ) -> Verdict:
        """Can `start` be turned into `goal` (default: pieces in order)? With the reason.

        >>> import slidelab as sl
        >>> verdict = sl.puzzle("square R(3,3)").solvable("2 1 3 4 5 6 7 8 .")
        >>> bool(verdict)
        False
        >>> verdict.reason
        'the tiles would need an odd permutation, and every loop here is even'
        """
        from slidelab.reach.verdict import solvable

        return solvable(self, start, goal, **options)

    def shuffle(
        self, seed: int | None = None, start: ConfigurationLike | None = None, **options: Any
    ) -> Configuration:
        """A random configuration, uniform among all that can be reached from `start` (default: the goal).

        Only nearly uniform for gourds on large boards: see `slidelab.reach.gourds.scatter_gourds`.

        >>> import slidelab as sl
        >>> p = sl.puzzle("square R(3,3)")
        >>> bool(p.solvable(p.shuffle(seed=1)))
        True
        """
        from slidelab.reach.shuffle import shuffle

        return shuffle(self, seed, start, **options)

    def place(self, cells: Sequence[str], near: ConfigurationLike | None = None, **options: Any) -> Placement:
        """Lay the coloured gourds so that each end lies on a cell of its colour; ``.`` is a cell left empty.

        Options are those of `slidelab.place.placing.place`.

        >>> import slidelab as sl
        >>> p = sl.puzzle("hex T(2)", "gourds", colours=[["red", "blue"]])
        >>> p.place(["blue", "red", "red"], near="0-1=blue-red").gourds
        ((0, 1),)
        """
        from slidelab.place.placing import place

        if self.colours is None or self.rule.cells != 2:
            raise NotationError(f"expected coloured gourds to be placed, got {quoted(self.text)}")
        start = None if near is None else self.configuration(near)
        gourds = [(labels[0], labels[1]) for labels in self.colours]
        return place(self.board, cells, gourds, near=start, **options)

    def distances(
        self, start: ConfigurationLike | frozenset[Cells] | None = None, **options: Any
    ) -> Distances:
        """How many configurations are at each distance from a start (or a shape), and the hardest ones.

        Options are those of `slidelab.distance.distances.distances`.

        >>> import slidelab as sl
        >>> sl.puzzle("square R(3,2)").distances().distribution
        (1, 2, 3, 5, 6, 7, 10, 12, 12, 16, 23, 25, 28, 39, 44, 40, 29, 21, 18, 12, 6, 1)
        """
        from slidelab.distance.distances import distances

        return distances(self, start, **options)

    def gods_number(self, **options: Any) -> GodsNumber:
        """The largest distance between any two configurations that can become each other.

        Options are those of `slidelab.distance.gods_number.gods_number`.

        >>> import slidelab as sl
        >>> sl.puzzle("hex F(2)").gods_number().number
        16
        """
        from slidelab.distance.gods_number import gods_number

        return gods_number(self, **options)

    def distance(
        self, start: ConfigurationLike, goal: ConfigurationLike | None = None, **options: Any
    ) -> int | None:
        """Moves of a shortest solution, None if there is none; for puzzles that can be searched whole.

        >>> import slidelab as sl
        >>> sl.puzzle("square R(2,2)").distance("3 1 / . 2")
        3
        """
        from slidelab.distance.table import distance

        return distance(self, start, goal, **options)

    def solve(
        self, start: ConfigurationLike, goal: ConfigurationLike | None = None, **options: Any
    ) -> Solution:
        """A shortest solution from `start` to `goal` (default: pieces in order).

        Options are those of `slidelab.solve.solving.solve`.

        >>> import slidelab as sl
        >>> sl.puzzle("square R(2,2)").solve("3 1 / . 2").text
        '3:0>2 1:1>0 2:3>1'
        """
        from slidelab.solve.solving import solve

        return solve(self, start, goal, **options)

    def hint(
        self, configuration: ConfigurationLike, goal: ConfigurationLike | None = None, **options: Any
    ) -> Move | None:
        """The next move of a shortest (or the best known) solution; None if there is nothing left to do.

        Options are those of `slidelab.solve.hints.hint`.

        >>> import slidelab as sl
        >>> sl.puzzle("square R(2,2)").hint("3 1 / . 2").text
        '3:0>2'
        """
        from slidelab.solve.hints import hint

        return hint(self, configuration, goal, **options)

    @property
    def group(self) -> PermutationGroup:
        """What loops of moves can do to the pieces of the goal.

        Points are the pieces, from 0 (gourds have two points each, head and tail): a permutation
        takes each piece to the place of another.

        >>> import slidelab as sl
        >>> sl.puzzle("square R(4,4)").group.name
        'Alt(15)'
        """
        from slidelab.reach.group import group_at

        return group_at(self.goal)

    def draw(self, **options: Any) -> Picture:
        """The goal as a picture; options are those of `slidelab.draw.picture.draw`."""
        return self.goal.draw(**options)

    def solid(self, **options: Any) -> Solid:
        """Tray and pieces for a 3D printer; options are those of `slidelab.draw.print.solid`.

        >>> import slidelab as sl
        >>> sl.puzzle("square R(2,2)").solid(clearance=0.5)
        <solid square R(2,2) tiles 1: 4 parts on 1 bed>
        """
        from slidelab.draw.print import solid

        return solid(self, **options)

    def graph(self, limit: int = 100_000) -> nx.Graph[str]:
        """The puzzle graph, all configurations with an edge for each move, as networkx; for small ones.

        >>> import slidelab as sl
        >>> sl.puzzle("square R(2,2)").graph()
        <networkx.classes.graph.Graph object at ...>
        """
        from slidelab.reach.puzzle_graph import puzzle_graph

        return puzzle_graph(self, limit)


@dataclass(frozen=True, slots=True)
class Move:
    """Piece number `piece` (from 1) goes from cells `before` to cells `after`, position by position.

    >>> Move(3, (2,), (5,), "slide").text
    '3:2>5'
    >>> Move(1, (4, 5), (5, 6), "turn").text
    '1:4-5>5-6'
    """

    piece: int
    before: Cells
    after: Cells
    kind: str = field(default="slide", compare=False)

    @property
    def text(self) -> str:
        """Piece, colon, where from, `>`, where to."""
        return f"{self.piece}:{'-'.join(map(str, self.before))}>{'-'.join(map(str, self.after))}"

    def __str__(self) -> str:
        return self.text

    @property
    def reversed(self) -> Move:
        """The move that takes this one back."""
        return Move(self.piece, self.after, self.before, self.kind)

    def to_json(self) -> dict[str, Any]:
        out: dict[str, Any] = {"piece": self.piece, "from": list(self.before), "to": list(self.after)}
        if len(self.before) > 1:
            out["kind"] = self.kind
        return out


@dataclass(frozen=True, slots=True, repr=False)
class Configuration(SvgDisplay):
    """Where each piece lies: entry k-1 of `pieces` holds the cells of piece k, in its reading.

    >>> import slidelab as sl
    >>> c = sl.position("square R(2,2) : 1 2 . 3")
    >>> [move.text for move in c.moves]
    ['1:0>2', '3:3>2']
    >>> c.play("3:3>2").text
    'square R(2,2) tiles 1 : 1 2 3 .'
    """

    puzzle: Puzzle
    pieces: tuple[Cells, ...]

    def __post_init__(self) -> None:
        self._check()
        if self.puzzle.colours is not None:
            object.__setattr__(self, "pieces", _least_naming(self.puzzle, self.pieces))

    def _check(self) -> None:
        puzzle, rule = self.puzzle, self.puzzle.rule
        board = quoted(puzzle.board.name)
        if len(self.pieces) != puzzle.pieces:
            raise NotationError(
                f"expected {puzzle.pieces} {rule.piece}s, got {len(self.pieces)} - on {board}"
            )
        owner: dict[int, int] = {}
        for number, cells in enumerate(self.pieces, 1):
            for cell in cells:
                if not 0 <= cell < puzzle.board.size:
                    raise NotationError(
                        f"expected cells 0 to {puzzle.board.size - 1}, got {integer_text(cell)} - "
                        f"at {rule.piece} {number} on {board}"
                    )
                if owner.setdefault(cell, number) != number:
                    raise NotationError(
                        f"expected one {rule.piece} a cell, got {rule.piece}s {owner[cell]} and {number} - "
                        f"at cell {cell} of {board}"
                    )
            if len(cells) != rule.cells or not rule.fits(puzzle.board, cells):
                raise NotationError(
                    f"expected {rule.cells} cells on which a piece of {rule.name} can lie, "
                    f"got {quoted('-'.join(map(str, cells)))} - at {rule.piece} {number} on {board}"
                    f"{_misfit(puzzle.board, cells)}"
                )

    @property
    def holes(self) -> Cells:
        """The empty cells, in order."""
        covered = {cell for cells in self.pieces for cell in cells}
        return tuple(cell for cell in range(self.puzzle.board.size) if cell not in covered)

    @property
    def shape(self) -> frozenset[Cells]:
        """Where pieces lie, forgetting which."""
        readings = self.puzzle.rule.readings
        return frozenset(min(readings(cells)) for cells in self.pieces)

    @property
    def moves(self) -> Moves:
        """All legal moves: iterate, count, or ask whether one is `in` it."""
        return Moves(self)

    def places(self, piece: int) -> tuple[Cells, ...]:
        """All cells that a piece (from 1) can ever come to lie on, in its reading.

        >>> import slidelab as sl
        >>> sl.position("hex P(3,3) : 1 2 3 4 5 6 7 . .").places(1)
        ((0,), (1,), (3,))
        """
        from slidelab.reach.where import places

        return places(self, piece)

    def play(self, *moves: Move | str | dict[str, Any]) -> Configuration:
        """The configuration after these moves; `IllegalMove` if the rule forbids one."""
        from slidelab.puzzles.text import read_move

        player = Player(self)
        for source in moves:
            move = read_move(source)
            player.play(move.piece, move.before, move.after)
        return player.configuration

    @property
    def text(self) -> str:
        """Board, rule, holes and pieces in one line; `slidelab.position` reads it back."""
        from slidelab.puzzles.text import configuration_text

        return configuration_text(self)

    @property
    def pieces_text(self) -> str:
        """The pieces alone, as they stand behind the colon; `Puzzle.configuration` reads it back.

        >>> import slidelab as sl
        >>> sl.puzzle("square R(2,2)").goal.pieces_text
        '1 2 3 .'
        """
        from slidelab.puzzles.text import pieces_text

        return pieces_text(self)

    def __repr__(self) -> str:
        return f"position({self.text!r})"

    def __str__(self) -> str:
        from slidelab.puzzles.text import drawing

        return drawing(self)

    def draw(self, **options: Any) -> Picture:
        """The configuration as a picture; options are those of `slidelab.draw.picture.draw`.

        >>> import slidelab as sl
        >>> sl.puzzle("square R(4,4)").goal.draw(theme="dark")
        <picture of 'square R(4,4) tiles 1 : 1 2 ...', 302 x 302>
        """
        from slidelab.draw.picture import draw

        return draw(self, **options)

    def to_json(self) -> dict[str, Any]:
        """The design's JSON form; `Puzzle.configuration` reads it back."""
        from slidelab.puzzles.text import configuration_json

        return configuration_json(self)


class Player:
    """Plays moves one after the other, each checked by the rule, however large the board.

    >>> import slidelab as sl
    >>> player = Player(sl.position("square R(2,2) : 1 2 . 3"))
    >>> player.play(3, (3,), (2,))
    >>> player.configuration.text
    'square R(2,2) tiles 1 : 1 2 3 .'
    """

    __slots__ = ("_at", "_covered", "_now", "_steps", "puzzle")

    def __init__(self, start: Configuration) -> None:
        self.puzzle = start.puzzle
        self._now = list(start.pieces)
        self._covered = bytearray(start.puzzle.board.size)
        for cells in start.pieces:
            for cell in cells:
                self._covered[cell] = 1
        self._steps: dict[Cells, dict[Cells, list[Cells]]] = {}
        # Pieces of one colour swap their numbers when they pass each other: go by where a piece lies.
        self._at: dict[Cells, int] | None = None
        if start.puzzle.colours is not None:
            readings = start.puzzle.rule.readings
            self._at = {min(readings(cells)): k for k, cells in enumerate(start.pieces)}

    @property
    def configuration(self) -> Configuration:
        """Where the pieces lie now."""
        return Configuration(self.puzzle, tuple(self._now))

    def play(self, piece: int, before: Cells, after: Cells) -> None:
        """Move a piece; `IllegalMove` if it does not lie there or the rule forbids it."""
        number, here, there = self._named(piece, before, after) if self._at else (piece, before, after)
        now, covered = self._now, self._covered
        if not 1 <= number <= len(now) or now[number - 1] != here:
            raise self._refused(Move(number, here, there))
        steps = self._steps.get(here)
        if steps is None:
            steps = self._steps[here] = self._from(here)
        if not any(not any(covered[cell] for cell in holes) for holes in steps.get(there, ())):
            raise self._refused(Move(number, here, there))
        for cell in here:
            covered[cell] = 0
        for cell in there:
            covered[cell] = 1
        now[number - 1] = there
        if self._at:
            readings = self.puzzle.rule.readings
            self._at[min(readings(there))] = self._at.pop(min(readings(here)))

    def play_tiles(self, rows: Iterable[Sequence[int]]) -> None:
        """The same for many moves of pieces of one cell: rows of piece, kind, cell before, cell after."""
        if self._at is not None:
            for piece, *_, before, after in rows:
                self.play(piece, (before,), (after,))
            return
        covered, size = self._covered, len(self._covered)
        lies = [-1, *(cells[0] for cells in self._now)]
        needs: dict[int, list[Cells]] = {}
        for piece, *_, before, after in rows:
            if not 0 < piece < len(lies) or lies[piece] != before:
                break
            key = before * size + after
            if key not in needs:
                needs[key] = self._from((before,)).get((after,), [])
            for holes in needs[key]:
                for cell in holes:
                    if covered[cell]:
                        break
                else:
                    break
            else:
                break
            covered[before], covered[after] = 0, 1
            lies[piece] = after
        else:
            self._now = [(cell,) for cell in lies[1:]]
            return
        self._now = [(cell,) for cell in lies[1:]]
        raise self._refused(Move(piece, (before,), (after,)))

    def _from(self, cells: Cells) -> dict[Cells, list[Cells]]:
        """Where the rule lets a piece go from there, each with the holes it needs."""
        out: dict[Cells, list[Cells]] = {}
        for step in self.puzzle.rule.steps(self.puzzle.board, cells):
            out.setdefault(step.after, []).append(step.holes)
        return out

    def _named(self, piece: int, before: Cells, after: Cells) -> tuple[int, Cells, Cells]:
        readings = self.puzzle.rule.readings
        k = (self._at or {}).get(min(readings(before), default=before))
        if k is None or len(before) != len(after):
            return piece, before, after
        here = self._now[k]
        return k + 1, here, readings(after)[readings(before).index(here)]

    def _refused(self, move: Move) -> IllegalMove:
        where = f"in move {quoted(move.text)}"
        if not 1 <= move.piece <= len(self._now):
            return IllegalMove(f"expected a piece from 1 to {len(self._now)}, got {move.piece} - {where}")
        lies = self._now[move.piece - 1]
        if lies != move.before:
            here, there = ("-".join(map(str, cells)) for cells in (lies, move.before))
            return IllegalMove(
                f"expected piece {move.piece} on {quoted(here)}, where it lies, got {quoted(there)} - {where}"
            )
        legal = " ".join(other.text for other in islice(self.configuration.moves, 6)) or "none"
        return IllegalMove(f"expected a move such as {legal}, got {quoted(move.text)}")


class Moves:
    """The legal moves of one configuration, found around its holes only, however large the board."""

    __slots__ = ("_configuration",)

    def __init__(self, configuration: Configuration) -> None:
        self._configuration = configuration

    def __iter__(self) -> Iterator[Move]:
        c = self._configuration
        at: dict[int, int] = {cell: k for k, cells in enumerate(c.pieces) for cell in cells}
        board = c.puzzle.board
        holes = [cell for cell in range(board.size) if cell not in at]
        near = sorted({at[cell] for hole in holes for cell in board.neighbours[hole] if cell in at})
        return self._of_pieces(near, set(holes))

    def _of_pieces(self, numbers: Iterable[int], holes: set[int]) -> Iterator[Move]:
        c = self._configuration
        for k in numbers:
            seen = set()
            for step in c.puzzle.rule.steps(c.puzzle.board, c.pieces[k]):
                if step.after not in seen and holes.issuperset(step.holes):
                    seen.add(step.after)
                    yield Move(k + 1, step.before, step.after, step.kind)

    def __contains__(self, move: object) -> bool:
        pieces = self._configuration.pieces
        if isinstance(move, str):
            from slidelab.puzzles.text import read_move

            try:
                move = read_move(move)
            except NotationError:
                return False
        if not isinstance(move, Move) or not 1 <= move.piece <= len(pieces):
            return False
        return any(
            move == other for other in self._of_pieces([move.piece - 1], set(self._configuration.holes))
        )

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        return f"<moves {' '.join(move.text for move in self)}>"


def _least_naming(puzzle: Puzzle, pieces: tuple[Cells, ...]) -> tuple[Cells, ...]:
    """Among pieces of one colour the names are free: the least reading, lowest cells first."""
    colours = puzzle.colours or ()
    readings = puzzle.rule.readings
    classes: dict[tuple[str, ...], list[int]] = {}
    for k, labels in enumerate(colours):
        classes.setdefault(labels, []).append(k)
    out = list(pieces)
    for labels, members in classes.items():
        same = [r for r, turned in enumerate(readings(labels)) if turned == labels]
        least = sorted(min(readings(pieces[k])[r] for r in same) for k in members)
        for k, cells in zip(members, least, strict=True):
            out[k] = cells
    return tuple(out)


def _misfit(board: Board, cells: Cells) -> str:
    """What is wrong with the cells of one piece, where it is plain to see."""
    for a, b in pairwise(cells):
        if a == b:
            return f": cell {a} is named twice"
        if not board.adjacent(a, b):
            return f": cells {a} and {b} do not touch"
    return ""


@lru_cache(maxsize=8)
def _packing(puzzle: Puzzle) -> tuple[Cells, ...]:
    """Where the pieces of the goal lie; `NotationError` if they have no room."""
    try:
        return _first_packing(puzzle)
    except TooLarge:
        if puzzle.rule.cells != 2:
            raise
    # Any two touching cells hold a gourd: the last pairs give way to holes.
    pairs = maximum_matching(puzzle.board)
    if len(pairs) < puzzle.pieces:
        raise _no_room(puzzle, f"at most {len(pairs):,} fit")
    return pairs[: puzzle.pieces]


def _no_room(puzzle: Puzzle, why: str = "") -> NotationError:
    holes = f"{puzzle.holes} hole{'s'[: puzzle.holes > 1]}"
    return NotationError(
        f"no way to lay {puzzle.pieces} {puzzle.rule.piece}s and leave {holes} "
        f"on {quoted(puzzle.board.name)}{why and f': {why}'}"
    )


def _first_packing(puzzle: Puzzle, budget: int = 200_000) -> tuple[Cells, ...]:
    """The first way to lay all pieces, cell by cell, leaving holes as late as possible."""
    board, rule = puzzle.board, puzzle.rule
    starting: list[list[Cells]] = [[] for _ in range(board.size)]
    for cells in rule.placements(board):
        starting[min(cells)].append(cells)
    covered: set[int] = set()
    stack: list[tuple[int, int, Cells | None]] = []
    cell, choice, holes = 0, 0, 0
    for _ in range(budget):
        while cell < board.size and cell in covered:
            cell, choice = cell + 1, 0
        if cell == board.size and holes == puzzle.holes:
            return tuple(cells for _, _, cells in stack if cells is not None)
        options = starting[cell] if cell < board.size else []
        while choice < len(options) and not covered.isdisjoint(options[choice]):
            choice += 1
        if choice < len(options):
            covered.update(options[choice])
            stack.append((cell, choice, options[choice]))
        elif cell < board.size and choice == len(options) and holes < puzzle.holes:
            holes += 1
            stack.append((cell, choice, None))
        else:
            if not stack:
                raise _no_room(puzzle)
            cell, choice, cells_back = stack.pop()
            if cells_back is None:
                holes -= 1
            else:
                covered.difference_update(cells_back)
            choice += 1
            continue
        cell, choice = cell + 1, 0
    raise TooLarge(
        f"found no way to lay {puzzle.pieces} {rule.piece}s on {quoted(board.name)} in {budget} steps"
    )
