"""The readable method: Wong, Li and Chen, "Sliding graph puzzles", section 6, for one block and one hole.

A 2-connected graph that is no polygon is a theta graph (two ends, three paths between them) to which ears
(paths with both ends on what is there already) are added one by one. The method goes the other way: the tiles
of the last ear are put right, then those of the one before, and what is left is a theta graph. A tile is put
right by exchanging two tiles if the graph has an odd cycle, else by a 3-cycle of tiles. There is one such
3-cycle for which the paper has a word, on the theta graph. To get any other, bring its tiles to the places of
that one, make it, and undo what brought them there: that is conjugation.

How do the tiles get there? A tile on an ear is turned out of it, round a cycle of the ear and a path between
its ends, while the other tiles lie off that path; if they lie on every such path, they are led off first.
(The paper exchanges them with others, by the method itself. That is correct, but then the moves double with
each ear.) So a tile goes down from ear to ear to the theta graph, and the moves of the ears are added, not
multiplied.

Permutations are of places and are read from left to right, as in the paper: (q r s) takes the tile at q to r.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from slidelab.boards.walks import predecessors
from slidelab.errors import PuzzleError, TooLarge, Unsolvable
from slidelab.puzzles import Passage
from slidelab.solve.wilson.descent import Descent, Step
from slidelab.solve.wilson.ears import base_theta, ears_upon, is_two_coloured, short_cycles
from slidelab.solve.wilson.exchanges import Words, after, arrows, best_exchanges, effect, is_odd, moved
from slidelab.solve.wilson.thetas import best_turned, spelled, theta0_words, word_text
from slidelab.solve.wilson.walks import (
    Graph,
    Places,
    Script,
    back,
    cell_of,
    listed,
    path_to,
    slide,
    times,
)

__all__ = ["solve_block"]

LARGEST_THETA = 256  # vertices: its table of conjugations has a byte for each three of them


def solve_block(
    neighbours: Sequence[Sequence[int]],
    start: Sequence[int],
    goal: Sequence[int],
    most_moves: int = 20_000_000,
    heard: Callable[[int], None] | None = None,
) -> tuple[list[int], list[Passage]]:
    """The walk of the hole that solves a 2-connected graph with one hole, and what each part of it is for.

    `start` and `goal` have the tile at each vertex, 0 for the hole. Vertices without neighbours do not belong
    to the graph and are left alone. The walk lists the vertices that the hole goes to.
    `heard` is told now and then how many moves there are.

    >>> square = [[1, 2], [0, 3], [0, 3], [1, 2]]
    >>> walk, told = solve_block(square, [3, 1, 0, 2], [1, 2, 3, 0])
    >>> walk
    [0, 1, 3]
    >>> told[-1]
    Passage(first=0, last=3, text='the hole to cell 3, then once round 2 0 1 3', depth=0)
    """
    graph = {cell: tuple(row) for cell, row in enumerate(neighbours) if row}
    at, wanted = ({cell: state[cell] for cell in graph} for state in (start, goal))
    for state in (at, wanted):
        if len(set(state.values())) < len(graph) or 0 not in state.values():
            raise PuzzleError(
                f"expected one hole and {len(graph) - 1} different tiles, got {[*state.values()]}"
            )
    if set(at.values()) != set(wanted.values()):
        raise Unsolvable("start and goal have different tiles")
    script = Script(cell_of(at, 0), most_moves, heard)
    path = path_to(graph, script.hole, cell_of(wanted, 0))
    if not _solved_by(path, script, at, wanted):
        if all(len(row) <= 2 for row in graph.values()):
            _solve_polygon(graph, at, wanted, path, script)
        else:
            _Solver(graph, at, wanted, script).solve()
    return script.finish()


def _solved_by(path: Sequence[int], script: Script, at: dict[int, int], wanted: dict[int, int]) -> bool:
    """Whether nothing has to be done but to move the hole; then it is moved."""
    state = dict(at)
    slide(state, script.hole, path)
    if state == wanted and path:
        script.tell(f"the hole to cell {path[-1]}", 0, path)
    return state == wanted


def _solve_polygon(
    graph: Graph, at: dict[int, int], wanted: dict[int, int], path: Sequence[int], script: Script
) -> None:
    """On a polygon, all the tiles can do is go round."""
    state = dict(at)
    slide(state, script.hole, path)
    home = cell_of(wanted, 0)
    around = [graph[home][0]]  # the other cells in the order in which the hole meets them
    while len(around) < len(graph) - 1:
        steps = [cell for cell in graph[around[-1]] if cell not in (home, *around[-2:])]
        if not steps:
            break
        around.append(steps[0])
    if len(around) < len(graph) - 1 or home not in graph[around[-1]]:
        raise PuzzleError("expected a 2-connected graph, got one that is not")
    tiles, order = [state[cell] for cell in around], [wanted[cell] for cell in around]
    # Each round takes the tiles one place back.
    rounds = tiles.index(order[0])
    if tiles[rounds:] + tiles[:rounds] != order:
        raise Unsolvable("on a polygon tiles keep their order round it, and start and goal differ in it")
    circle = [*around, home]
    if rounds > len(tiles) - rounds:
        rounds, circle = len(tiles) - rounds, [*around[::-1], home]
    moves = script.walk()
    moves.add(path)
    for _ in range(rounds):
        moves.add(circle)
    script.tell(f"the hole to cell {home}, then {times(rounds)} round {listed(circle)}", 0, moves.cells[1:])


@dataclass(frozen=True, slots=True)
class _Plan:
    """How an exchange of tiles is brought to the theta graph, and what it becomes there."""

    exchange: Places
    """Each tile here goes to the next place."""
    steps: Sequence[Step]
    """Walks that bring these tiles to the theta graph."""
    cells: Places
    """Where on it they are then."""
    cost: int


class _Solver:
    """Solves ear by ear."""

    def __init__(self, graph: Graph, at: dict[int, int], wanted: dict[int, int], script: Script) -> None:
        self.graph = graph
        self.script = script
        theta = base_theta(graph)
        if len(theta.cells) > LARGEST_THETA:
            raise TooLarge(f"expected a theta graph of at most {LARGEST_THETA} cells, got {len(theta.cells)}")
        if theta.is_theta0:
            self.theta = next(each for each in theta.turned() if len(each.c) == 1)
        else:
            self.theta = best_turned(theta)
            self.words = Words(self.theta, script.most)
        self.home = self.theta.c[0]
        self.ears = ears_upon(graph, self.theta.cells)
        self.descent = Descent(graph, self.theta.cells, self.home, self.ears, script.most)
        self.level = self.descent.level
        self.arity = 3 if self.theta.is_bipartite else 2
        self._bring_home(at, wanted)

    def _bring_home(self, at: dict[int, int], wanted: dict[int, int]) -> None:
        """Move the hole of the start, and that of the goal, to its place on the theta graph (Prop. 4.6)."""
        self.arrival = path_to(self.graph, self.script.hole, self.home)
        self.at = dict(at)
        slide(self.at, self.script.hole, self.arrival)
        end = cell_of(wanted, 0)
        way = path_to(self.graph, end, self.home)
        self.departure = back(end, way)
        goal = dict(wanted)
        slide(goal, end, way)
        place = {tile: cell for cell, tile in goal.items()}
        self.to = {cell: place[tile] for cell, tile in self.at.items()}

    def solve(self) -> None:
        """Write down the moves: first the last ear, the theta graph at the end."""
        odd = self.arity == 3 and is_odd(self.to)
        if odd and is_two_coloured(self.graph):
            raise Unsolvable("an odd permutation of the tiles, and cells of two colours allow only even ones")
        self.script.tell(f"the hole to cell {self.home} of the {self.theta.told()}", 0, self.arrival)
        if odd:
            self._turn_oddly()
        if self.theta.is_theta0:
            self._solve_theta0()
        for number in range(len(self.ears), 0, -1):
            self._solve_ear(number)
        self._solve_theta()
        self.script.tell("the hole to its place", 0, self.departure)

    def _turn_oddly(self) -> None:
        """Go once round an odd cycle, so that 3-cycles can do the rest."""
        odd = next(cycle for cycle in short_cycles(self.graph) if len(cycle) % 2)
        path = path_to(self.graph, self.home, odd[0])
        loop = self.script.walk()
        for walk in (path, [*odd[1:], odd[0]], back(self.home, path)):
            loop.add(walk)
        self.script.tell(f"once round {listed(odd)}, so that 3-cycles do the rest", 0, loop.cells[1:])
        turn = effect([*self.graph], self.home, loop.cells[1:])
        self.at = {turn[cell]: tile for cell, tile in self.at.items()}
        self.to = {turn[cell]: there for cell, there in self.to.items()}

    def _solve_ear(self, number: int) -> None:
        ear = self.ears[number - 1]
        for cell in ear.inner:
            source = next(source for source in self.to if self.to[source] == cell)
            if source == cell:
                continue
            heading = f"{ear.told()}: tile {self.at[source]} to cell {cell}"
            if self.arity == 2:
                self._perform(heading, self._plan((source, cell)))
            else:
                choices = self._thirds(source, cell, number)
                plans = [(self._plan((source, cell, third)), third) for third in choices]
                best = min(plans, key=lambda pair: pair[0].cost / self._gain((source, cell, pair[1])))
                self._perform(heading, best[0])

    def _thirds(self, source: int, cell: int, number: int) -> list[int]:
        """Third places for a 3-cycle: where it puts a second tile right, and a few close by."""
        nearby = [*predecessors(self.graph, [cell], lambda other: self.level[other] <= number)]
        free = [
            other
            for other in nearby
            if other not in (source, cell, self.home)
            and (self.level[other] < number or self.to[other] != other)
        ]
        free.sort(key=lambda other: -self._gain((source, cell, other)))
        return free[: 8 if len(self.graph) <= 40 else 3]

    def _gain(self, cells: Places) -> int:
        """How many tiles an exchange puts right, less those it puts wrong."""
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
            raise Unsolvable("none of the 120 permutations that six tiles have on theta(1,2,2)")
        loops = theta.letters()
        parts = [(f"{name}: {word_text(word)}", spelled(loops, self.home, word)) for name, word in found]
        if parts:
            element = " ".join(name for name, _ in found)
            self.script.tell_parts([f"theta graph (1,2,2): the permutation {element} in S5"], parts)
        self.to = {cell: cell for cell in self.to}

    def _perform(self, heading: str, plan: _Plan) -> None:
        """Make the exchange of a plan, and write down what it does."""
        words, home = self.words, self.home
        conjugation, word, places = words.conjugated(plan.cells)
        tiles = [self.at[cell] for cell in plan.exchange]
        parts = [(step.told(tiles), step.walk) for step in plan.steps]
        if conjugation:
            parts.append((f"conjugated by {word_text(conjugation)}", words.walk(conjugation)))
        there = self.script.walk()
        for _, walk in parts:
            there.add(walk)
        kind = "transposition" if len(places) == 2 else "3-cycle"
        parts.append((f"{kind} of cells {listed(places)}: {word_text(word)}", words.walk(word)))
        if len(parts) > 1:
            parts.append(("the conjugation undone", back(home, there.cells[1:])))
        self.script.tell_parts([heading, f"{kind} of tiles {listed(tiles)}"], parts)
        self.at = {**self.at, **{there: self.at[cell] for cell, there in arrows(plan.exchange)}}
        self.to = after(self.to, plan.exchange)

    def _plan(self, exchange: Places) -> _Plan:
        """Bring the tiles of an exchange from ear to ear down to the theta graph, and the hole home."""
        way, cells = self.descent.down(exchange)
        cost = 2 * sum(len(step.walk) for step in way) + self.words.cost(cells)
        return _Plan(exchange, way, cells, cost)
