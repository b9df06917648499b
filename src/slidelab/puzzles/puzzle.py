"""Puzzles: a board, a rule, a number of holes and perhaps colours, and what can be asked about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slidelab.boards import Board
from slidelab.budget import Budget, ProgressCallback
from slidelab.display import SvgDisplay
from slidelab.errors import NotationError, PuzzleError
from slidelab.files import decode_json
from slidelab.messages import integer_text, quoted
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
    split_tokens,
)
from slidelab.puzzles.packing import packing
from slidelab.rules import Cells, Rule, check_foreign_rule, default_holes, default_rule
from slidelab.rules import rule as rule_named

if TYPE_CHECKING:
    import networkx as nx

    from slidelab.distance.distances import Distances
    from slidelab.distance.gods_number import GodsNumber
    from slidelab.distance.metric import Metric
    from slidelab.distance.search import Announce
    from slidelab.draw.print import Solid
    from slidelab.draw.scene import Picture
    from slidelab.gains.arrays import ConfigurationArrays
    from slidelab.place import Placement
    from slidelab.puzzles.moves import Move
    from slidelab.puzzles.solution import Solution
    from slidelab.reach.analysis import Analysis
    from slidelab.reach.group import PermutationGroup
    from slidelab.reach.verdict import Verdict

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

    def __post_init__(self) -> None:
        if isinstance(self.rule, str):
            object.__setattr__(self, "rule", rule_named(self.rule))
        board, rule = self.board, self.rule
        check_foreign_rule(rule, board)
        if reason := rule.refuses(board):
            raise NotationError(f"{reason}, got {quoted(board.name)}")
        if self.hole_count < rule.fewest_holes:
            raise NotationError(
                f"expected at least {rule.fewest_holes} hole{'s'[: rule.fewest_holes > 1]} for {rule.name}, "
                f"got {integer_text(self.hole_count)} - on {quoted(board.name)}"
            )
        if self.hole_count >= board.size:
            raise NotationError(
                f"expected fewer holes than the {board.size} cells, got {integer_text(self.hole_count)} - "
                f"on {quoted(board.name)}"
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
                # On a tile a number is its name: a text could not tell it from a colour.
                if not is_word(label) and (rule.cells == 1 or not is_number(label)):
                    raise NotationError(f"expected a word as a colour, got {quoted(label)} - {where}")
        # A piece may be read either way round, pieces listed in any order: the least stands for all.
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

        Coloured pieces are shown at the goal, or without cells if no way to lay them is known.

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
        """Pieces in order, holes last (as far as the pieces allow).

        `NotationError` if there is no way to lay the pieces, which is certain for tiles and gourds;
        `TooLarge` if none is found for larger pieces.

        >>> import slidelab as sl
        >>> sl.puzzle("square R(2,2)").goal.text
        'square R(2,2) tiles 1 : 1 2 3 .'
        """
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
            source = decode_json(source)
        if isinstance(source, Mapping):
            return Configuration(self, pieces_from_json(self, source))
        if isinstance(source, str):
            return Configuration(self, read_pieces(self, split_tokens(self._without_kind(source))))
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
        if not colon:
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
        """The design's JSON form; `slidelab.puzzle` reads it back."""
        out: dict[str, Any] = {
            "board": self.board.to_json(),
            "rule": self.rule.name,
            "holes": self.hole_count,
        }
        if self.colours is not None:
            out["colours"] = [labels[0] if len(labels) == 1 else list(labels) for labels in self.colours]
        return out

    # The verbs. Each lives in a later room, which is only opened when asked for.

    def analyze(
        self,
        *,
        connection: bool = True,
        time: float | None = None,
        memory: int | str | None = None,
        max_shapes: int | None = None,
        progress: ProgressCallback | None = None,
    ) -> Analysis:
        """What can be reached: families of shapes, group, components, parity, theorems.

        >>> import slidelab as sl
        >>> a = sl.puzzle("theta(1,2,2)").analyze()
        >>> a.components, a.families[0].group.name
        (6, 'PGL(2,5)')
        """
        from slidelab.reach.analysis import analyze

        budget = Budget.of(time, memory, None, max_shapes, progress)
        return analyze(self, connection=connection, budget=budget)

    def solvable(
        self,
        start: ConfigurationLike,
        goal: ConfigurationLike | None = None,
        *,
        time: float | None = None,
        memory: int | str | None = None,
        max_shapes: int | None = None,
        progress: ProgressCallback | None = None,
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

        return solvable(self, start, goal, budget=Budget.of(time, memory, None, max_shapes, progress))

    def shuffle(
        self,
        seed: int | None = None,
        start: ConfigurationLike | None = None,
        *,
        time: float | None = None,
        memory: int | str | None = None,
        max_shapes: int | None = None,
        progress: ProgressCallback | None = None,
    ) -> Configuration:
        """A random configuration, uniform among all that can be reached from `start` (default: the goal).

        Only nearly uniform for gourds on large boards: see `slidelab.reach.gourds.scatter_gourds`.

        >>> import slidelab as sl
        >>> p = sl.puzzle("square R(3,3)")
        >>> bool(p.solvable(p.shuffle(seed=1)))
        True
        """
        from slidelab.reach.shuffle import shuffle

        return shuffle(self, seed, start, budget=Budget.of(time, memory, None, max_shapes, progress))

    def place(
        self,
        cells: Sequence[str],
        near: ConfigurationLike | None = None,
        *,
        time: float | None = None,
        memory: int | str | None = None,
        threads: int | None = None,
        progress: ProgressCallback | None = None,
    ) -> Placement:
        """Place the coloured gourds so that each end is on a cell of its colour.

        Parameters
        ----------
        cells
            The colour of each cell, ``.`` for a cell that stays empty.
        near
            Prefer a placement that is near to this configuration.
        time
            Time limit in seconds.
        memory
            Memory limit of the search in bytes, or a text such as ``"2G"``.
        threads
            Not used: the search has one thread, so that equal problems have equal answers.
        progress
            Called with a phase, how much is done, and 0, since the total is unknown.

        Raises
        ------
        OutOfTime
            If the time is over before the answer is known.

        Examples
        --------
        >>> import slidelab as sl
        >>> p = sl.puzzle("hex T(2)", "gourds", colours=[["red", "blue"]])
        >>> p.place(["blue", "red", "red"], near="0-1=blue-red").gourds
        ((0, 1),)
        """
        from slidelab.place import place

        if self.colours is None or self.rule.corner is None:
            raise NotationError(f"expected coloured gourds to be placed, got {quoted(self.text)}")
        budget = Budget.of(time, memory, threads, progress=progress)
        start = None if near is None else self.configuration(near)
        gourds = [(labels[0], labels[1]) for labels in self.colours]
        return place(self.board, cells, gourds, near=start, budget=budget)

    def distances(
        self,
        start: ConfigurationLike | frozenset[Cells] | None = None,
        *,
        metric: Metric = "single",
        hardest: int = 1000,
        checkpoint: str | Path | None = None,
        plan: Announce | None = None,
        time: float | None = None,
        memory: int | str | None = None,
        threads: int | None = None,
        max_shapes: int | None = None,
        progress: ProgressCallback | None = None,
    ) -> Distances:
        """How many configurations are at each distance from a start (or a shape), and the hardest ones.

        >>> import slidelab as sl
        >>> sl.puzzle("square R(3,2)").distances().distribution
        (1, 2, 3, 5, 6, 7, 10, 12, 12, 16, 23, 25, 28, 39, 44, 40, 29, 21, 18, 12, 6, 1)
        """
        from slidelab.distance.distances import distances

        budget = Budget.of(time, memory, threads, max_shapes, progress)
        return distances(
            self, start, metric=metric, hardest=hardest, checkpoint=checkpoint, plan=plan, budget=budget
        )

    def gods_number(
        self,
        *,
        metric: Metric = "single",
        checkpoint: str | Path | None = None,
        plan: Announce | None = None,
        time: float | None = None,
        memory: int | str | None = None,
        threads: int | None = None,
        max_shapes: int | None = None,
        progress: ProgressCallback | None = None,
    ) -> GodsNumber:
        """The largest distance between any two configurations that can become each other.

        >>> import slidelab as sl
        >>> sl.puzzle("hex F(2)").gods_number().number
        16
        """
        from slidelab.distance.gods_number import gods_number

        budget = Budget.of(time, memory, threads, max_shapes, progress)
        return gods_number(self, metric=metric, checkpoint=checkpoint, plan=plan, budget=budget)

    def distance(
        self,
        start: ConfigurationLike,
        goal: ConfigurationLike | None = None,
        *,
        metric: Metric = "single",
        time: float | None = None,
        memory: int | str | None = None,
        threads: int | None = None,
        max_shapes: int | None = None,
        progress: ProgressCallback | None = None,
    ) -> int | None:
        """Moves of a shortest solution, None if there is none; for puzzles that can be searched whole.

        >>> import slidelab as sl
        >>> sl.puzzle("square R(2,2)").distance("3 1 / . 2")
        3
        """
        from slidelab.distance.table import distance

        budget = Budget.of(time, memory, threads, max_shapes, progress)
        return distance(self, start, goal, metric=metric, budget=budget)

    def solve(
        self,
        start: ConfigurationLike,
        goal: ConfigurationLike | None = None,
        *,
        cells: Sequence[str] | None = None,
        method: str = "auto",
        metric: Metric = "single",
        weight: float | None = None,
        tables: int | None = None,
        shorten: bool | None = None,
        time: float | None = None,
        memory: int | str | None = None,
        threads: int | None = None,
        max_shapes: int | None = None,
        progress: ProgressCallback | None = None,
    ) -> Solution:
        """A shortest solution from `start` to `goal` (default: pieces in order).

        >>> import slidelab as sl
        >>> sl.puzzle("square R(2,2)").solve("3 1 / . 2").text
        '3:0>2 1:1>0 2:3>1'
        """
        from slidelab.solve.solver import solve

        budget = Budget.of(time, memory, threads, max_shapes, progress)
        return solve(
            self,
            start,
            goal,
            cells=cells,
            method=method,
            metric=metric,
            weight=weight,
            tables=tables,
            shorten=shorten,
            budget=budget,
        )

    def hint(
        self,
        configuration: ConfigurationLike,
        goal: ConfigurationLike | None = None,
        *,
        time: float | None = 2.0,
        progress: ProgressCallback | None = None,
    ) -> Move | None:
        """The next move of a shortest (or the best known) solution; None if there is nothing left to do.

        >>> import slidelab as sl
        >>> sl.puzzle("square R(2,2)").hint("3 1 / . 2").text
        '3:0>2'
        """
        from slidelab.solve.next_move import hint

        return hint(self, configuration, goal, budget=Budget.of(time, progress=progress))

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

    def arrays(self, memory: int | str | None = None, threads: int | None = None) -> ConfigurationArrays:
        """Return numpy functions for many configurations at a time: neighbours, moves, random walks.

        Parameters
        ----------
        memory
            Bytes that a result may take, or a text such as ``"2G"``.
        threads
            Threads to use; results do not depend on it.

        Examples
        --------
        >>> import slidelab as sl
        >>> arrays = sl.puzzle("square R(4,4)").arrays()
        >>> start = arrays.encode([arrays.puzzle.goal] * 1000)
        >>> states, _ = arrays.random_walks(start, 100, seed=1)
        >>> neighbours, parents, moves = arrays.neighbours(states)
        >>> neighbours.shape[1], len(neighbours) == len(parents)
        (16, True)
        """
        from slidelab.gains.arrays import configuration_arrays

        return configuration_arrays(self, memory, threads)

    def graph(self, limit: int = 100_000) -> nx.Graph[str]:
        """The puzzle graph, all configurations with an edge for each move, as networkx; for small ones.

        >>> import slidelab as sl
        >>> sl.puzzle("square R(2,2)").graph()
        <networkx.classes.graph.Graph object at ...>
        """
        from slidelab.reach.puzzle_graph import puzzle_graph

        return puzzle_graph(self, limit)
