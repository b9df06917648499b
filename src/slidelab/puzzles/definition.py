"""Puzzles: a board, a rule, a number of holes and perhaps colours, and what can be asked about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from slidelab.boards import Board
from slidelab.display import SvgDisplay
from slidelab.errors import NotationError, PuzzleError
from slidelab.files import decode_list
from slidelab.messages import counted, integer_text, quoted
from slidelab.puzzles import verbs
from slidelab.puzzles.configuration import Configuration, ConfigurationLike
from slidelab.puzzles.labels import Colours, is_number, is_word, least_reading, natural_order
from slidelab.puzzles.notation import (
    expected_labels,
    json_key,
    kind_text,
    load_source,
    names_pieces_file,
    parse_kind,
    pieces_from_json,
    pieces_text,
    read_pieces,
)
from slidelab.puzzles.packing import packing
from slidelab.puzzles.tokens import split_tokens
from slidelab.rules import Cells, Rule, check_foreign_rule, default_holes, default_rule
from slidelab.rules import rule as rule_named

__all__ = ["Puzzle"]


@dataclass(frozen=True, slots=True, repr=False)
class Puzzle(SvgDisplay):
    """A board, a rule, a number of holes and perhaps colours.

    Make one with `slidelab.puzzle`, which takes texts.

    >>> import slidelab as sl
    >>> p = sl.puzzle("hex P(3,4)", holes=3)
    >>> p
    puzzle('hex P(3,4) hextiles 3')
    >>> p.piece_count
    9
    """

    board: Board
    rule: Rule
    hole_count: int
    colours: Colours | None = None
    goal_pieces: tuple[Cells, ...] | None = field(default=None, compare=False)
    """Where the pieces of a coloured puzzle lie at the goal, if not in the order of their labels."""

    def __post_init__(self) -> None:
        if isinstance(self.rule, str):
            object.__setattr__(self, "rule", rule_named(self.rule))
        board, rule = self.board, self.rule
        check_foreign_rule(rule, board)
        if reason := rule.refuses(board):
            raise NotationError(f"{reason}, got {quoted(board.name)}")
        if self.hole_count < rule.fewest_holes:
            raise NotationError(
                f"expected at least {counted(rule.fewest_holes, 'hole')} for {rule.name}, "
                f"got {integer_text(self.hole_count)} - on {quoted(board.name)}"
            )
        if self.hole_count >= board.size:
            raise NotationError(
                f"expected fewer holes than {counted(board.size, 'cell')}, "
                f"got {integer_text(self.hole_count)} - on {quoted(board.name)}"
            )
        if (board.size - self.hole_count) % rule.cells:
            better = self.hole_count + (board.size - self.hole_count) % rule.cells
            raise NotationError(
                f"expected a number of holes that leaves whole {rule.piece}s of {rule.cells} cells, "
                f"got {self.hole_count} of {board.size} cells - on {quoted(board.name)}"
                f"{f': {better} would do' if better < board.size else ''}"
            )
        if self.colours is not None:
            object.__setattr__(self, "colours", self._checked_colours(self.colours))

    def _checked_colours(self, colours: Colours) -> Colours:
        if len(colours) != self.piece_count:
            raise NotationError(
                f"expected {self.piece_count} colours, got {len(colours)} - on {quoted(self.board.name)}"
            )
        rule = self.rule
        for number, labels in enumerate(colours, 1):
            where = f"at {rule.piece} {number}"
            if len(labels) != rule.turns:
                raise NotationError(
                    f"expected {rule.turns} colours a {rule.piece}, got {len(labels)} - {where}"
                )
            for label in labels:
                # A number on a tile is its name: as a colour it would be ambiguous in texts.
                if not is_word(label) and (rule.cells == 1 or not is_number(label)):
                    raise NotationError(f"expected a word as a colour, got {quoted(label)} - {where}")
        # A piece has several readings and pieces may be listed in any order: the least stands for all.
        return tuple(sorted((least_reading(rule, labels) for labels in colours), key=natural_order))

    @property
    def piece_count(self) -> int:
        """The number of pieces."""
        return (self.board.size - self.hole_count) // self.rule.cells

    @property
    def uncoloured(self) -> Puzzle:
        """The same puzzle with every piece numbered."""
        return self if self.colours is None else Puzzle(self.board, self.rule, self.hole_count)

    @property
    def text(self) -> str:
        """The puzzle in one line; `slidelab.puzzle` reads it back.

        Coloured pieces lie at the goal, or have no cells if no packing is known.

        >>> import slidelab as sl
        >>> sl.puzzle("square R(3,3)").text
        'square R(3,3) tiles 1'
        >>> sl.puzzle("graph 0 1 2 gourds 1", colours=["a"]).text
        'graph 0 1 2 gourds 1 : =a-a'
        """
        if self.colours is None:
            return kind_text(self)
        try:
            return self.goal.text
        except PuzzleError:
            return f"{kind_text(self)} : {' '.join('=' + '-'.join(labels) for labels in self.colours)}"

    def __repr__(self) -> str:
        return f"puzzle({self.text!r})"

    def __str__(self) -> str:
        return self.text

    @property
    def goal(self) -> Configuration:
        """The configuration with its pieces in order and holes last, as far as the pieces allow.

        The goal of a puzzle whose colours were read from a position is that position: a word stays a word.

        Raises
        ------
        NotationError
            If the pieces do not fit on the board.
        TooLarge
            If no packing of pieces of three or more cells is found, nor a proof that there is none.

        Examples
        --------
        >>> import slidelab as sl
        >>> sl.puzzle("square R(2,2)").goal.text
        'square R(2,2) tiles 1 : 1 2 3 .'
        >>> sl.puzzle("square R(2,2) : c a t .").goal.text
        'square R(2,2) tiles 1 : c a t .'
        """
        if self.goal_pieces is not None:
            return Configuration(self, self.goal_pieces)
        if self.rule.cells == 1:
            return Configuration(self, tuple((cell,) for cell in range(self.piece_count)))
        return Configuration(self, packing(self.board, self.rule, self.hole_count))

    def configuration(self, source: ConfigurationLike, *, files: bool = True) -> Configuration:
        """Read a configuration of this puzzle from text, JSON, a list or a file.

        Parameters
        ----------
        source
            The pieces as text, a whole line with board and rule, the JSON form or a part of it, or the name
            of a file with one of these.
        files
            Whether `source` may name a file; pass False for text from strangers.

        Raises
        ------
        NotationError
            If `source` does not describe a configuration of this puzzle.

        Examples
        --------
        >>> import slidelab as sl
        >>> sl.puzzle("square R(2,2)").configuration("3 1 / . 2")
        position('square R(2,2) tiles 1 : 3 1 . 2')
        """
        names_file = (lambda text: names_pieces_file(self, text)) if files else None
        source = load_source(source, names_file, f"the pieces of {quoted(kind_text(self))}")
        if isinstance(source, Configuration):
            return self._own(source)
        if isinstance(source, str) and source.lstrip().startswith("["):
            source = decode_list(source)
        if isinstance(source, Mapping):
            return Configuration(self, pieces_from_json(self, source))
        if isinstance(source, str):
            return Configuration(
                self, read_pieces(self, split_tokens(self._without_kind(source), self.rule.cells))
            )
        if isinstance(source, Sequence):
            return Configuration(self, pieces_from_json(self, {json_key(self.rule): list(source)}))
        raise NotationError(f"expected a configuration as text, JSON or a list, got {type(source).__name__}")

    def _own(self, configuration: Configuration) -> Configuration:
        """Return a configuration if it is one of this puzzle."""
        other = configuration.puzzle
        if other == self:
            return configuration
        if kind_text(other) != kind_text(self):
            raise self._other_kind(kind_text(other))
        raise NotationError(f"expected {expected_labels(self)}, got {quoted(pieces_text(configuration))}")

    def _without_kind(self, text: str) -> str:
        """Return the pieces in a text that may begin with the board, rule and holes of this puzzle."""
        left, colon, right = text.partition(":")
        if not colon or left.strip() == "0":  # a drawing of a graph numbers its cells: 0:1  1:2  2:.
            return text
        board, name, holes = parse_kind(left, text)
        rule = default_rule(board) if name is None else rule_named(name)
        holes = default_holes(board, rule) if holes is None else holes
        if (board, rule, holes) != (self.board, self.rule, self.hole_count):
            raise self._other_kind(f"{board.name} {rule.name} {holes}")
        if self.colours is not None and self.rule.cells > 1 and "=" not in right:
            raise NotationError(f"expected {expected_labels(self)}, got {quoted(right.strip())}")
        return right

    def _other_kind(self, kind: str) -> NotationError:
        return NotationError(
            f"expected a configuration of {quoted(kind_text(self))}, got one of {quoted(kind)}"
        )

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form; `slidelab.puzzle` reads it back."""
        out: dict[str, Any] = {
            "board": self.board.to_json(),
            "rule": self.rule.name,
            "holes": self.hole_count,
        }
        if self.colours is not None:
            out["colours"] = [labels[0] if len(labels) == 1 else list(labels) for labels in self.colours]
        if self.goal_pieces is not None:
            out["goal"] = self.goal.to_json()
        return out

    # Answered by later rooms.
    analyze = verbs.analyze
    solvable = verbs.solvable
    permutation = verbs.permutation
    component = verbs.component
    shuffle = verbs.shuffle
    group = verbs.group
    graph = verbs.graph
    topology = verbs.topology
    arrays = verbs.arrays
    distances = verbs.distances
    goal_distances = verbs.goal_distances
    gods_number = verbs.gods_number
    distance = verbs.distance
    plan = verbs.plan
    solve = verbs.solve
    hint = verbs.hint
    heuristic = verbs.heuristic
    place = verbs.place
    draw = verbs.draw
    page = verbs.page
    widget = verbs.widget
    solid = verbs.solid
