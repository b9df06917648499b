"""Wilson's method for one block with one hole: section 6 of Wong, Li and Chen, "Sliding graph puzzles".

A 2-connected graph that is not a cycle is a theta graph (two ends, three paths between them) to which ears
(paths with both ends on the graph so far) are added one by one. The method proceeds in reverse: it places
the tiles of the last ear, then those of the one before, until a theta graph is left. A tile is placed by a
transposition of two tiles if the graph has an odd cycle, else by a 3-cycle of tiles. The paper has a word for
one such 3-cycle on the theta graph. Any other is a conjugate of it: bring its tiles to the cells of the known
one, perform that, and undo what brought them there.

To get there, a tile on an ear is rotated out of it, round a cycle of the ear and a path between its ends,
while the other tiles lie off that path; if they lie on every such path, they are led off first. (The paper
exchanges them with others, by the method itself. That is correct, but doubles the moves with each ear.) So a
tile descends from ear to ear to the theta graph, and the moves of the ears are added, not multiplied.

Permutations act on cells and are read from left to right, as in the paper: (q r s) takes the tile at q to r.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from slidelab.boards.walks import predecessors
from slidelab.budget import Budget
from slidelab.errors import PuzzleError, TooLarge, Unsolvable
from slidelab.puzzles import Passage
from slidelab.solve.wilson.descent import Descent, Step
from slidelab.solve.wilson.ears import base_theta, ears_upon, is_bipartite_graph, short_cycles
from slidelab.solve.wilson.exchanges import Words, after, arrows, best_exchanges, effect, is_odd, moved
from slidelab.solve.wilson.thetas import best_renaming, spelled, theta0_words, word_text
from slidelab.solve.wilson.walks import (
    Cells,
    ExplainedWalk,
    Graph,
    cell_of,
    count_words,
    join_numbers,
    path_to,
    reverse,
    slide,
)

__all__ = ["solve_block"]

MAX_THETA_CELLS = 1000
"""Cells of the largest theta graph: its table of conjugations has a byte for each three of them."""

MAX_MOVES = 100_000_000
"""Moves of the longest solution."""

MOVE_BYTES = 40
"""Memory that a move takes at most, as a number in a list and later as rows of arrays."""


def solve_block(
    neighbours: Sequence[Sequence[int]],
    start: Sequence[int],
    goal: Sequence[int],
    max_moves: int = MAX_MOVES,
    budget: Budget | None = None,
) -> tuple[list[int], list[Passage]]:
    """Solve a 2-connected graph with one hole by Wilson's method.

    Parameters
    ----------
    neighbours
        Neighbours of each vertex. Vertices without neighbours do not belong to the graph.
    start, goal
        The tile at each vertex, 0 for the hole.
    max_moves
        Moves of the longest solution.
    budget
        Its progress is the number of moves so far.

    Returns
    -------
    walk, passages
        The vertices that the hole goes to, and the explanation of each part of the walk.

    Raises
    ------
    Unsolvable
        If the goal cannot be reached.
    TooLarge
        If the solution would have more moves, or the theta graph has too many vertices.
    OutOfTime
        If the deadline passes first.

    References
    ----------
    .. [1] R. Wilson, "Graph puzzles, homotopy, and the alternating group", Journal of Combinatorial Theory
       B 16 (1974).

    Examples
    --------
    >>> square = [[1, 2], [0, 3], [0, 3], [1, 2]]
    >>> walk, passages = solve_block(square, [3, 1, 0, 2], [1, 2, 3, 0])
    >>> walk
    [0, 1, 3]
    >>> passages[-1]
    Passage(first=0, last=3, text='the hole to cell 3, then once round 2 0 1 3', depth=0)
    """
    budget = budget or Budget()
    max_moves = min(max_moves, budget.memory // MOVE_BYTES)
    graph = {cell: tuple(row) for cell, row in enumerate(neighbours) if row}
    at, target = ({cell: state[cell] for cell in graph} for state in (start, goal))
    for state in (at, target):
        if len(set(state.values())) < len(graph) or 0 not in state.values():
            raise PuzzleError(
                f"expected one hole and {len(graph) - 1} different tiles, got {[*state.values()]}"
            )
    if set(at.values()) != set(target.values()):
        raise Unsolvable("start and goal have different tiles")
    explanation = ExplainedWalk(cell_of(at, 0), max_moves, budget)
    path = path_to(graph, explanation.hole, cell_of(target, 0))
    if not _solved_by(path, explanation, at, target):
        if all(len(row) <= 2 for row in graph.values()):
            _solve_cycle(graph, at, target, path, explanation)
        else:
            _Solver(graph, at, target, explanation).solve()
    return explanation.finish()


def _solved_by(
    path: Sequence[int], explanation: ExplainedWalk, at: dict[int, int], goal: dict[int, int]
) -> bool:
    """Move the hole, and return whether that solves it."""
    state = dict(at)
    slide(state, explanation.hole, path)
    if state == goal and path:
        explanation.append(f"the hole to cell {path[-1]}", 0, path)
    return state == goal


def _solve_cycle(
    graph: Graph, at: dict[int, int], goal: dict[int, int], path: Sequence[int], explanation: ExplainedWalk
) -> None:
    """Rotate the tiles of a cycle: nothing else is possible there."""
    state = dict(at)
    slide(state, explanation.hole, path)
    home = cell_of(goal, 0)
    others = [graph[home][0]]  # in the order in which the hole meets them
    while len(others) < len(graph) - 1:
        steps = [cell for cell in graph[others[-1]] if cell not in (home, *others[-2:])]
        if not steps:
            break
        others.append(steps[0])
    if len(others) < len(graph) - 1 or home not in graph[others[-1]]:
        raise PuzzleError("expected a 2-connected graph, got one that is not")
    tiles, order = [state[cell] for cell in others], [goal[cell] for cell in others]
    # Each round takes the tiles one cell back.
    rounds = tiles.index(order[0])
    if tiles[rounds:] + tiles[:rounds] != order:
        raise Unsolvable("on a cycle tiles keep their cyclic order, and the goal has another")
    cycle = [*others, home]
    if rounds > len(tiles) - rounds:
        rounds, cycle = len(tiles) - rounds, [*others[::-1], home]
    moves = explanation.walk()
    moves.add(path)
    for _ in range(rounds):
        moves.add(cycle)
    explanation.append(
        f"the hole to cell {home}, then {count_words(rounds)} round {join_numbers(cycle)}",
        0,
        moves.cells[1:],
    )


@dataclass(frozen=True, slots=True)
class _Plan:
    """How an exchange of tiles is brought to the theta graph, and its image there."""

    exchange: Cells
    """Each tile here goes to the next cell."""
    steps: Sequence[Step]
    """Walks that bring these tiles to the theta graph."""
    cells: Cells
    """Where they are on it then."""
    cost: int


class _Solver:
    """Solve ear by ear."""

    def __init__(
        self, graph: Graph, at: dict[int, int], goal: dict[int, int], explanation: ExplainedWalk
    ) -> None:
        self.graph = graph
        self.explanation = explanation
        theta = base_theta(graph)
        if (size := len(theta.cells)) > MAX_THETA_CELLS:
            raise TooLarge(f"expected a theta graph of at most {MAX_THETA_CELLS:,} cells, got {size:,}")
        explanation.budget.reserve(f"the table of conjugations of a theta graph of {size} cells", size**3)
        if theta.is_theta0:
            self.theta = next(each for each in theta.renamings() if len(each.c) == 1)
        else:
            self.theta = best_renaming(theta)
            self.words = Words(self.theta, explanation.max_moves, explanation.budget)
        self.home = self.theta.c[0]
        self.ears = ears_upon(graph, self.theta.cells)
        self.descent = Descent(graph, self.theta.cells, self.home, self.ears, explanation.max_moves)
        self.level = self.descent.level
        self.arity = 3 if self.theta.is_bipartite else 2
        self._bring_home(at, goal)

    def _bring_home(self, at: dict[int, int], goal: dict[int, int]) -> None:
        """Move the holes of the start and of the goal to their cell on the theta graph (Prop. 4.6)."""
        self.arrival = path_to(self.graph, self.explanation.hole, self.home)
        self.at = dict(at)
        slide(self.at, self.explanation.hole, self.arrival)
        end = cell_of(goal, 0)
        path = path_to(self.graph, end, self.home)
        self.departure = reverse(end, path)
        target = dict(goal)
        slide(target, end, path)
        home_of = {tile: cell for cell, tile in target.items()}
        self.to = {cell: home_of[tile] for cell, tile in self.at.items()}

    def solve(self) -> None:
        """Append the moves: the last ear first, the theta graph at the end."""
        odd = self.arity == 3 and is_odd(self.to)
        if odd and is_bipartite_graph(self.graph):
            raise Unsolvable("the tiles would need an odd permutation, and every loop here is even")
        self.explanation.append(
            f"the hole to cell {self.home} of the {self.theta.describe()}", 0, self.arrival
        )
        if odd:
            self._turn_oddly()
        if self.theta.is_theta0:
            self._solve_theta0()
        for number in range(len(self.ears), 0, -1):
            self._solve_ear(number)
        self._solve_theta()
        self.explanation.append("the hole to its cell", 0, self.departure)

    def _turn_oddly(self) -> None:
        """Walk round an odd cycle once, so that 3-cycles can do the rest."""
        odd = next(cycle for cycle in short_cycles(self.graph) if len(cycle) % 2)
        path = path_to(self.graph, self.home, odd[0])
        loop = self.explanation.walk()
        for walk in (path, [*odd[1:], odd[0]], reverse(self.home, path)):
            loop.add(walk)
        self.explanation.append(
            f"once round {join_numbers(odd)}, so that 3-cycles do the rest", 0, loop.cells[1:]
        )
        turn = effect([*self.graph], self.home, loop.cells[1:])
        self.at = {turn[cell]: tile for cell, tile in self.at.items()}
        self.to = {turn[cell]: there for cell, there in self.to.items()}

    def _solve_ear(self, number: int) -> None:
        ear = self.ears[number - 1]
        for cell in ear.inner:
            source = next(source for source in self.to if self.to[source] == cell)
            if source == cell:
                continue
            heading = f"{ear.describe()}: tile {self.at[source]} to cell {cell}"
            if self.arity == 2:
                self._perform(heading, self._plan((source, cell)))
            else:
                choices = self._thirds(source, cell, number)
                plans = [(self._plan((source, cell, third)), third) for third in choices]
                best = min(plans, key=lambda pair: pair[0].cost / self._gain((source, cell, pair[1])))
                self._perform(heading, best[0])

    def _thirds(self, source: int, cell: int, number: int) -> list[int]:
        """Return third cells for a 3-cycle: where it places a second tile, too, and a few close by."""
        nearby = [*predecessors(self.graph, [cell], lambda other: self.level[other] <= number)]
        free = [
            other
            for other in nearby
            if other not in (source, cell, self.home)
            and (self.level[other] < number or self.to[other] != other)
        ]
        free.sort(key=lambda other: -self._gain((source, cell, other)))
        return free[: 8 if len(self.graph) <= 40 else 3]

    def _gain(self, cells: Cells) -> int:
        """Return how many tiles an exchange places, less those it displaces."""
        right = sum(self.to[cell] == there for cell, there in arrows(cells))
        return max(right - sum(self.to[cell] == cell for cell in cells), 1)

    def _solve_theta(self) -> None:
        while moved(self.to):
            arity = 2 if is_odd(self.to) else 3
            inside = {cell: there for cell, there in self.to.items() if self.level[cell] == 0}
            cells = min(best_exchanges(inside, arity), key=self.words.cost)
            self._perform(f"theta graph: tile {self.at[cells[0]]} to cell {cells[1]}", self._plan(cells))

    def _solve_theta0(self) -> None:
        theta = self.theta
        places = [theta.place(name) for name in ("a1", "a2", "y", "b2", "b1", "x")]
        action = tuple(places.index(self.to[cell]) for cell in places)
        found = theta0_words().get(action)
        if found is None:
            raise Unsolvable("not one of the 120 permutations that six tiles have on theta(1,2,2)")
        loops = theta.letters()
        parts = [(f"{name}: {word_text(word)}", spelled(loops, self.home, word)) for name, word in found]
        if parts:
            element = " ".join(name for name, _ in found)
            self.explanation.append_parts([f"theta graph (1,2,2): the permutation {element} in S5"], parts)
        self.to = {cell: cell for cell in self.to}

    def _perform(self, heading: str, plan: _Plan) -> None:
        """Append the moves of a plan and their explanation."""
        words, home = self.words, self.home
        conjugation, word, places = words.conjugated(plan.cells)
        tiles = [self.at[cell] for cell in plan.exchange]
        parts = [(step.describe(tiles), step.walk) for step in plan.steps]
        if conjugation:
            parts.append((f"conjugated by {word_text(conjugation)}", words.walk(conjugation)))
        there = self.explanation.walk()
        for _, walk in parts:
            there.add(walk)
        kind = "transposition" if len(places) == 2 else "3-cycle"
        parts.append((f"{kind} of cells {join_numbers(places)}: {word_text(word)}", words.walk(word)))
        if len(parts) > 1:
            parts.append(("the conjugation undone", reverse(home, there.cells[1:])))
        self.explanation.append_parts([heading, f"{kind} of tiles {join_numbers(tiles)}"], parts)
        self.at = {**self.at, **{there: self.at[cell] for cell, there in arrows(plan.exchange)}}
        self.to = after(self.to, plan.exchange)

    def _plan(self, exchange: Cells) -> _Plan:
        """Plan how the tiles of an exchange descend to the theta graph, and the hole goes home."""
        steps, cells = self.descent.down(exchange)
        cost = 2 * sum(len(step.walk) for step in steps) + self.words.cost(cells)
        return _Plan(exchange, steps, cells, cost)
