"""What a search needs to know of a goal: how pieces are named, and how far they are from it at least."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from slidelab.boards import symmetries
from slidelab.budget import Budget, CacheNeutral
from slidelab.errors import Damaged, PuzzleError, TooLarge
from slidelab.gains import GainGraph, gain_graph
from slidelab.puzzles import Configuration, Move
from slidelab.rules import Cells
from slidelab.solve.patterns.databases import BUDGET, Patterns, make_patterns, table_numbers
from slidelab.solve.patterns.store import keep, sizes_kept, stored_for

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Guide", "guide", "like_shape", "patterns_for", "rule_symmetries", "searches"]

MOST_SYMMETRIES = 200  # looked at, of graphs that have very many
MOST_VIEWS = 4  # the core's limit; each costs a look-up a move
MOST_ROOM = 1_000_000_000  # bytes for the placements of all shapes
MOST_WALKS = 100_000
LONGEST_WALK = 14

Symmetry = tuple[int, ...]


class Guide:
    """Searches to one goal, with the tables of its shape or of one that looks like it.

    >>> import slidelab as sl
    >>> from slidelab.solve.patterns.databases import make_patterns
    >>> from slidelab.gains import gain_graph
    >>> p = sl.puzzle("square R(3,3)")
    >>> guide = Guide(p.goal, make_patterns(gain_graph(p), 8, 10_000))
    >>> guide.bound(p.goal), guide.bound(p.configuration("8 6 7 2 5 4 3 . 1"))
    (0, 27)
    """

    def __init__(self, goal: Configuration, patterns: Patterns) -> None:
        from slidelab import _core

        self.goal = goal
        self.graph = patterns.graph
        self.patterns = patterns
        puzzle, rule = goal.puzzle, goal.puzzle.rule
        self.shape, arrangement = self.graph.place(goal)
        self._slots = self.graph.slots(self.shape)
        turns = rule.turns
        at = [_read(int(arrangement[slot * turns]), turns) for slot in range(puzzle.piece_count)]
        views = list(self._views())
        alone = self._alone(*views[0])
        if puzzle.colours is None:
            # A piece is named by its slot at the goal, and turned as it lies there.
            self._name = {piece: (slot, turn) for slot, (piece, turn) in enumerate(at)}
            periods = [turns] * puzzle.piece_count
            self.base = alone
        else:
            kinds = {labels: number for number, labels in enumerate(dict.fromkeys(puzzle.colours))}
            periods = [len(set(rule.readings(labels))) for labels in kinds]
            self._name = {piece: (kinds[labels], 0) for piece, labels in enumerate(puzzle.colours)}
            self.base = self._by_colours(alone, at, periods)
            views = []
        if (room := 2 * self.graph.shapes * puzzle.piece_count) > MOST_ROOM:
            raise TooLarge(f"the moves of {puzzle.text} take {room / 1e9:.1f} GB, too much for a search")
        self._periods = periods
        self.searches = searches(self.graph, tuple(periods))
        line = table_numbers(self.graph)
        asked = []
        for image, to in views if patterns.groups else []:
            back = {there: here for here, there in enumerate(to)}
            groups = [(number, [back[slot] for slot in g]) for number, g in enumerate(patterns.groups)]
            asked.append((line[image].reshape(-1), groups))
        asked = _distinct(asked)[:MOST_VIEWS]
        tables = [(t.data, t.pieces, t.halves, t.step) for t in patterns.tables]
        self.views = len(asked)
        self.estimate: Any = _core.Estimate(self.base, puzzle.board.size, rule.cells == 1, tables, asked)

    # Symmetries that take the goal's shape to the shape of the tables

    def _views(self) -> Any:
        """For each: the image of each spot for each piece, and the slot that each slot becomes."""
        import numpy as np

        graph, rule = self.graph, self.graph.puzzle.rule
        target = {cells: slot for slot, cells in enumerate(graph.slots(self.patterns.shape))}
        turns = rule.turns
        found = False
        for symmetry in rule_symmetries(graph):
            images = [_image(rule, symmetry, cells) for cells in self._slots]
            if any(cells not in target for cells, _ in images):
                continue
            spot_image = np.empty(len(graph.placements) * turns, dtype=np.int64)
            for number, cells in enumerate(graph.placements):
                there, turned = _image(rule, symmetry, cells)
                for turn in range(turns):
                    to = graph.placement_number(there) * turns + (turn + turned) % turns
                    spot_image[number * turns + turn] = to
            rows = np.empty((len(images), len(spot_image)), dtype=np.uint16)
            for slot, (_, turned) in enumerate(images):
                rows[slot] = spot_image // turns * turns + (spot_image - turned) % turns
            found = True
            yield rows, [target[cells] for cells, _ in images]
        if not found:
            raise TooLarge("these tables are for another goal")

    def _alone(self, image: NDArray[np.uint16], to: Sequence[int]) -> NDArray[np.uint16]:
        import numpy as np

        rows = [self.patterns.alone[there][image[slot]] for slot, there in enumerate(to)]
        return np.array(rows, dtype=np.uint16).reshape(len(rows), -1)

    def _by_colours(
        self, alone: NDArray[np.uint16], at: Sequence[tuple[int, int]], periods: Sequence[int]
    ) -> NDArray[np.uint16]:
        """Pieces of one colour may go to any of their places, and some look the same when turned."""
        import numpy as np

        turns = self.goal.puzzle.rule.turns
        spots = alone.shape[1]
        base = np.full((len(periods), spots), 65535, dtype=np.uint16)
        numbers = np.arange(spots)
        for slot, (piece, home) in enumerate(at):
            kind = self._name[piece][0]
            for k in range(0, turns, periods[kind]):
                shifted = numbers // turns * turns + (numbers + k - home) % turns
                base[kind] = np.minimum(base[kind], alone[slot][shifted])
        return base

    # Configurations as the core sees them

    def situation(self, configuration: Configuration) -> tuple[int, NDArray[np.uint16]]:
        """The shape, and the mark of the piece in each slot."""
        import numpy as np

        turns = self.graph.puzzle.rule.turns
        shape, arrangement = self.graph.place(configuration)
        marks = []
        for slot in range(self.graph.puzzle.piece_count):
            piece, turn = _read(int(arrangement[slot * turns]), turns)
            kind, home = self._name[piece]
            marks.append(self.searches.mark(kind, (turn - home) % turns))
        return shape, np.array(marks, dtype=np.uint16)

    def bound(self, configuration: Configuration) -> int | None:
        """A number of moves that is needed at least; None if the goal can't be reached."""
        rule, turns = self.graph.puzzle.rule, self.graph.puzzle.rule.turns
        pieces = []
        for piece, cells in enumerate(configuration.pieces):
            least = min(rule.readings(cells))
            kind, home = self._name[piece]
            turn = (rule.readings(least).index(cells) - home) % turns % self._periods[kind]
            pieces.append((kind, self.graph.placement_number(least) * turns + turn))
        found: int | None = self.estimate.bound(pieces)
        return found

    def moves(self, start: Configuration, steps: Sequence[tuple[int, int, int]]) -> tuple[Move, ...]:
        """The moves of a walk, given as placements before and after, and turns."""
        rule, placements = self.graph.puzzle.rule, self.graph.placements
        board = self.graph.puzzle.board
        at = {min(rule.readings(cells)): k for k, cells in enumerate(start.pieces)}
        now = list(start.pieces)
        kinds: dict[tuple[Cells, Cells], str] = {}
        out = []
        for before, after, turn in steps:
            piece = at.pop(placements[before])
            first = now[piece]
            # Where the cells of the placement's own reading go, and so those of the piece's.
            place = rule.readings(placements[before]).index(first)
            last = rule.readings(rule.readings(placements[after])[turn])[place]
            if (first, last) not in kinds:
                kinds.update({(s.before, s.after): s.kind for s in rule.steps(board, first)})
            out.append(Move(piece + 1, first, last, kinds[first, last]))
            now[piece] = last
            at[placements[after]] = piece
        return tuple(out)


def _read(point: int, turns: int) -> tuple[int, int]:
    """The piece, and how it is turned, from the piece point on the first point of a slot."""
    return point // turns, -(point % turns) % turns


def _image(rule: Any, symmetry: Symmetry, cells: Cells) -> tuple[Cells, int]:
    """The placement that a symmetry makes of one, and how a piece on it comes to be turned."""
    carried = tuple(symmetry[cell] for cell in cells)
    least = min(rule.readings(carried))
    return least, rule.readings(least).index(carried)


def _distinct(views: list[Any]) -> list[Any]:
    """Those that look at different groups."""
    seen, out = set(), []
    for image, groups in views:
        key = frozenset(frozenset(pieces) for _, pieces in groups)
        if key not in seen:
            seen.add(key)
            out.append((image, groups))
    return out


def rule_symmetries(graph: GainGraph) -> list[Symmetry]:
    """Symmetries of the board that keep the rule, the identity first."""
    return _rule_symmetries(graph)


@lru_cache(maxsize=4)
def _rule_symmetries(graph: GainGraph) -> list[Symmetry]:
    from itertools import islice

    identity = tuple(range(graph.puzzle.board.size))
    if graph.puzzle.board.size > 400:
        return [identity]
    try:
        found = symmetries(graph.puzzle.board)
        elements = list(islice(found.elements(), MOST_SYMMETRIES))
    except TooLarge:
        return [identity]
    if graph.puzzle.rule.slides_along_edges or all(graph.keeps_rule(g) for g in found.generators):
        return elements
    return [identity, *(g for g in elements[1:] if graph.keeps_rule(g))]


def like_shape(graph: GainGraph, shape: int) -> int:
    """The last of all shapes that symmetries make of a shape.

    >>> import slidelab as sl
    >>> from slidelab.gains import gain_graph
    >>> [like_shape(gain_graph(sl.puzzle("square R(3,3)")), shape) for shape in range(9)]
    [8, 7, 8, 7, 4, 7, 8, 7, 8]
    """
    rule = graph.puzzle.rule
    slots = graph.slots(shape)
    best = max(
        tuple(sorted(_image(rule, symmetry, cells)[0] for cells in slots))
        if rule.cells > 1
        else tuple(sorted(symmetry[cell] for cell in graph.holes(shape)))
        for symmetry in rule_symmetries(graph)
    )
    return _shape_number(graph, best)


def _shape_number(graph: GainGraph, key: tuple[Any, ...]) -> int:
    import numpy as np

    if graph.puzzle.rule.cells == 1:
        return int(graph.core.find(np.array(key, dtype=np.uint16)))
    by_slot = sorted(key, key=lambda cells: min(int(graph.rank[cell]) for cell in cells))
    numbers = [graph.placement_number(cells) for cells in by_slot]
    return int(graph.core.find(np.array(numbers, dtype=np.uint16)))


@lru_cache(maxsize=4)
def searches(graph: GainGraph, periods: tuple[int, ...]) -> Any:
    """The core's searches on the moves of a puzzle, with what walks it has learned to leave out."""
    from slidelab import _core

    return _core.Searches(graph.core, list(periods), MOST_WALKS, LONGEST_WALK)


WORTH_KEEPING = 1.0
"""Tables that took so many seconds to make are kept on the disk without being asked for."""


@lru_cache(maxsize=4)
def _patterns(
    graph: GainGraph, shape: int, table_bytes: int | None, memory: int, neutral: CacheNeutral[Budget]
) -> Patterns:
    budget = neutral.value
    if table_bytes == 0:
        return make_patterns(graph, shape, 0, budget=budget)
    limit = memory // 2 if table_bytes is None else min(memory // 2, table_bytes)
    lost = sizes_kept(graph, shape)
    for found in stored_for(graph, shape):
        if found.size > limit or (table_bytes is not None and 4 * found.size < table_bytes):
            del lost[found.path]
            continue  # for a given budget, tables of about that size
        with suppress(Damaged):
            return found.load(graph, shape)
    # What is damaged is made again, as large as it was: the next larger groups take twice as much and more.
    again = max([size * 3 // 2 for size in lost.values() if size <= limit], default=BUDGET)
    made = make_patterns(graph, shape, again if table_bytes is None else table_bytes, budget=budget)
    if (made.seconds >= WORTH_KEEPING or lost) and made.tables:
        for path in lost:
            with suppress(OSError):
                path.unlink()
        with suppress(PuzzleError):  # no room there: then it takes as long again next time
            keep(made)
    return made


def patterns_for(
    graph: GainGraph,
    shape: int,
    table_bytes: int | None = None,
    *,
    budget: Budget | None = None,
) -> Patterns:
    """The tables for goals that look like a shape: the largest on the disk, or made now.

    With a budget, tables of about so many bytes at most. The last few are kept in memory, and what took
    long to make on the disk.
    """
    budget = budget or Budget()
    return _patterns(graph, like_shape(graph, shape), table_bytes, budget.memory, CacheNeutral(budget))


@lru_cache(maxsize=4)
def _guide(goal: Configuration, patterns: Patterns) -> Guide:
    return Guide(goal, patterns)


def guide(
    goal: Configuration,
    table_bytes: int | None = None,
    *,
    budget: Budget | None = None,
) -> Guide:
    """What searches need to know of a goal; the last few are kept.

    >>> import slidelab as sl
    >>> guide(sl.puzzle("square R(4,4)").goal).views
    2
    """
    graph = gain_graph(goal.puzzle, budget)
    shape, _ = graph.place(goal)
    if goal.puzzle.colours is not None:
        table_bytes = 0  # tables are for pieces that differ
    return _guide(goal, patterns_for(graph, shape, table_bytes, budget=budget))
