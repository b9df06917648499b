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

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from heapq import heappop, heappush
from itertools import count, pairwise, permutations
from typing import TYPE_CHECKING

from slidelab.errors import PuzzleError, TooLarge, Unsolvable
from slidelab.solutions import Passage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["solve_block"]

Graph = Mapping[int, Sequence[int]]
Word = tuple[tuple[str, int], ...]  # letters with their powers
Places = tuple[int, ...]

LARGEST_THETA = 256  # vertices: its table of conjugations has a byte for each three of them


def solve_block(
    neighbours: Sequence[Sequence[int]],
    start: Sequence[int],
    goal: Sequence[int],
    most_moves: int = 20_000_000,
) -> tuple[list[int], list[Passage]]:
    """The walk of the hole that solves a 2-connected graph with one hole, and what each part of it is for.

    `start` and `goal` have the tile at each vertex, 0 for the hole. Vertices without neighbours do not belong
    to the graph and are left alone. The walk lists the vertices that the hole goes to.

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
    script = _Script(_cell_of(at, 0), most_moves)
    path = _path(graph, script.hole, _cell_of(wanted, 0))
    if not _solved_by(path, script, at, wanted):
        if all(len(row) <= 2 for row in graph.values()):
            _solve_polygon(graph, at, wanted, path, script)
        else:
            _Solver(graph, at, wanted, script).solve()
    return script.finish()


def _solved_by(path: Sequence[int], script: _Script, at: dict[int, int], wanted: dict[int, int]) -> bool:
    """Whether nothing has to be done but to move the hole; then it is moved."""
    state = dict(at)
    _slide(state, script.hole, path)
    if state == wanted and path:
        script.tell(f"the hole to cell {path[-1]}", 0, path)
    return state == wanted


# Walks of the hole. A walk lists the cells after the first. It is reduced if no step takes back the last one.


def _cell_of(state: Mapping[int, int], tile: int) -> int:
    return next(cell for cell, there in state.items() if there == tile)


def _slide(state: dict[int, int], hole: int, walk: Iterable[int]) -> None:
    """Move the tiles as the hole walks."""
    for cell in walk:
        state[hole], state[cell] = state[cell], state[hole]
        hole = cell


def _carried(tiles: Places, hole: int, walk: Iterable[int]) -> Places:
    """Where the tiles that lie at these places are after the walk.

    >>> _carried((1, 5), 0, [1, 2])
    (0, 5)
    """
    for cell in walk:
        tiles = tuple(hole if tile == cell else tile for tile in tiles)
        hole = cell
    return tiles


def _back(hole: int, walk: Sequence[int]) -> list[int]:
    """The same way back.

    >>> _back(0, [1, 2])
    [1, 0]
    """
    return [hole, *walk][-2::-1]


class _Walk:
    """A walk that stays reduced as others are added to it; these are reduced themselves."""

    __slots__ = ("cells", "most")

    def __init__(self, hole: int, most: int) -> None:
        self.cells = [hole]
        self.most = most

    def add(self, walk: Sequence[int]) -> int:
        """Add a walk; return how many of the moves before are left."""
        taken_back, cells = 0, self.cells
        while taken_back < len(walk) and len(cells) > 1 and cells[-2] == walk[taken_back]:
            cells.pop()
            taken_back += 1
        left = len(cells) - 1
        # A part may be taken back by the next one, so on the way there may be more moves than at the end.
        if left + len(walk) - taken_back > 2 * self.most + 1000:
            raise _too_many(self.most)
        cells.extend(walk[taken_back:])
        return left


def _too_many(most: int) -> TooLarge:
    return TooLarge(f"the readable method needs more than {most:,} moves")


class _Script:
    """The moves so far, and what they are for."""

    def __init__(self, hole: int, most_moves: int) -> None:
        self.most = most_moves
        self._walk = _Walk(hole, most_moves)
        self._marks = [0]  # how many moves are left of those made up to each mark
        self._told: list[tuple[int, int, str, int]] = []

    @property
    def hole(self) -> int:
        return self._walk.cells[-1]

    def walk(self) -> _Walk:
        """An empty walk from where the hole is."""
        return _Walk(self.hole, self.most)

    def tell(self, text: str, depth: int, walk: Sequence[int]) -> None:
        self.go(walk)
        self._told.append((len(self._marks) - 2, len(self._marks) - 1, text, depth))

    def go(self, walk: Sequence[int]) -> None:
        left = self._walk.add(walk)
        for mark in range(len(self._marks) - 1, -1, -1):
            if self._marks[mark] <= left:
                break
            self._marks[mark] = left
        self._marks.append(len(self._walk.cells) - 1)

    def tell_parts(self, headings: Sequence[str], parts: Sequence[tuple[str, Sequence[int]]]) -> None:
        """Headings with depths 0, 1, ... that go for all the parts, and the parts below them."""
        now = len(self._marks) - 1
        self._told += [(now, now + len(parts), text, depth) for depth, text in enumerate(headings)]
        for text, walk in parts:
            self.tell(text, len(headings), walk)

    def finish(self) -> tuple[list[int], list[Passage]]:
        walk = self._walk.cells[1:]
        if len(walk) > self.most:
            raise _too_many(self.most)
        told = [Passage(self._marks[a], self._marks[b], text, depth) for a, b, text, depth in self._told]
        return walk, [each for each in told if each.last > each.first or each is told[0]]


def _path(
    graph: Graph, source: int, target: int, within: Callable[[int], bool] = lambda _: True
) -> list[int]:
    """A shortest walk from source to target; both must be in one component of the cells within."""
    before = _reach(graph, source, within, target)
    if target not in before:
        raise PuzzleError(f"expected a 2-connected graph, got one without a way from {source} to {target}")
    return _traced(before, target)


def _traced(before: Mapping[int, int], target: int) -> list[int]:
    """The walk that led to the target."""
    path = []
    while target != before[target]:
        path.append(target)
        target = before[target]
    return path[::-1]


def _reach(graph: Graph, source: int, within: Callable[[int], bool], *targets: int) -> dict[int, int]:
    """The cells that the hole gets to, until all targets are found, each with the one before it."""
    before = {source: source}
    missing = {*targets} - {source}
    queue = [source]
    for cell in queue:
        for other in graph[cell]:
            if other not in before and within(other):
                before[other] = cell
                queue.append(other)
                missing.discard(other)
        if targets and not missing:
            break
    return before


# Polygons: all the tiles can do is go round.


def _solve_polygon(
    graph: Graph, at: dict[int, int], wanted: dict[int, int], path: Sequence[int], script: _Script
) -> None:
    state = dict(at)
    _slide(state, script.hole, path)
    home = _cell_of(wanted, 0)
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
    script.tell(f"the hole to cell {home}, then {_times(rounds)} round {_names(circle)}", 0, moves.cells[1:])


# Theta graphs: the words of Lemma 4.8 and section 4.3.


@dataclass(frozen=True, slots=True)
class _Theta:
    """A theta graph: two ends, and the inner cells of the three paths from x to y. The hole lives at c1."""

    x: int
    y: int
    a: Places
    b: Places
    c: Places

    @property
    def cells(self) -> Places:
        return (self.x, self.y, *self.a, *self.b, *self.c)

    @property
    def is_theta0(self) -> bool:
        return sorted(map(len, (self.a, self.b, self.c))) == [1, 2, 2]

    @property
    def is_bipartite(self) -> bool:
        return len({len(path) % 2 for path in (self.a, self.b, self.c)}) == 1

    def place(self, name: str) -> int:
        """The cell with a name of the paper: x, y, a1, b2, ..."""
        if name in "xy":
            return self.x if name == "x" else self.y
        return {"a": self.a, "b": self.b, "c": self.c}[name[0]][int(name[1:]) - 1]

    def turned(self) -> Iterator[_Theta]:
        """The same graph with other names, in all ways that leave a place for the hole."""
        for a, b, c in permutations((self.a, self.b, self.c)):
            if c:
                yield _Theta(self.x, self.y, a, b, c)
                yield _Theta(self.y, self.x, a[::-1], b[::-1], c[::-1])

    def letters(self) -> dict[str, list[int]]:
        """Loops of the hole: p1 and p2 round a and b, by x and by y; p3 round b and c; p4 round a and c.

        As permutations of places, p1 = (a1 .. am y bn .. b1), p2 = (bn .. b1 x a1 .. am),
        p3 = (x b1 .. bn y cj .. c2) and p4 = (x a1 .. am y cj .. c2).
        """
        x, y, a, b, c = self.x, self.y, self.a, self.b, self.c
        return {
            "p1": [x, *b, y, *a[::-1], x, c[0]],
            "p2": [*c[1:], y, *a[::-1], x, *b, y, *c[::-1]],
            "p3": [*c[1:], y, *b[::-1], x, c[0]],
            "p4": [*c[1:], y, *a[::-1], x, c[0]],
        }

    def told(self) -> str:
        paths = ", ".join(
            f"{name} = {_names(path) or 'edge'}"
            for name, path in zip("abc", (self.a, self.b, self.c), strict=True)
        )
        return f"theta graph from x = {self.x} to y = {self.y} with {paths}"


def three_cycle_word(m: int, n: int, j: int) -> tuple[Word, tuple[str, str, str]] | None:
    """A 3-cycle on a theta graph with m <= n and j inner cells on its paths, if the paper has one.

    The words are those of Wong, Li and Chen, Lemma 4.8 (from Wilson) and, for paths with 2, 2 and 2 or 4
    inner cells, section 4.3 with the sign of one power changed.

    >>> three_cycle_word(0, 2, 2)
    ((('p2', 1), ('p1', -1)), ('x', 'y', 'b1'))
    """
    if m == 0 < n:
        return _word("p2 p1^-1"), ("x", "y", "b1")
    if m == n == 1:
        return _word("p1 p2"), ("y", "x", "a1")
    if m == 1 and n > 2:
        return _word("p1^2 p2^-2 p1^-1 p2^3 p1^-2 p2^-2 p1^2 p2 p1^-3 p2^2"), ("x", "a1", "y")
    if (m, n) == (2, 3):
        return _word("p2 p1^-1 p2^-2 p1^-1 p2^-2 p1^-1 p2^-1 p1"), ("x", "a2", "a1")
    if m == 2 and n > 4:
        word = "p2^-1 p1^-2 p2^-1 p1^-1 p2^2 p1 p2^2 p1^-3 p2^-1 p1^-1 p2^2 p1 p2 p1"
        return _word(word), ("x", "a2", "a1")
    if (m, n, j) == (2, 2, 2):
        return _word("p4^-2 p1 p4^2 p3^-1"), ("x", "b1", "b2")
    if (m, n, j) == (2, 2, 4):
        return _word("p4^-3 p1^-1 p3 p4^2 p3^2"), ("x", "b2", "b1")
    if n >= m >= 3:
        first = f"p2^-1 p1^{m} p2^-1 p1^{1 - m} p2^-2 p1 p2^-1 p1 p2^2 p1^{m - 1} p2^-1 p1^{2 - m}"
        return _word(first), ("x", f"b{m - 1}", "a1")
    return None


def _word(text: str) -> Word:
    """Read a word.

    >>> _word("p2 p1^-1")
    (('p2', 1), ('p1', -1))
    """
    parts = (letter.partition("^") for letter in text.split())
    return tuple((letter, int(power or 1)) for letter, _, power in parts)


def _word_text(word: Word) -> str:
    return " ".join(letter if power == 1 else f"{letter}^{power}" for letter, power in word)


def _inverse(word: Word) -> Word:
    return tuple((letter, -power) for letter, power in reversed(word))


def _product(*words: Word) -> Word:
    """The words one after the other, with powers of the same letter taken together.

    >>> _product(_word("p1 p2"), _word("p2^-1 p3"))
    (('p1', 1), ('p3', 1))
    """
    found: list[tuple[str, int]] = []
    for word in words:
        for letter, power in word:
            if found and found[-1][0] == letter:
                power += found.pop()[1]
            if power:
                found.append((letter, power))
    return tuple(found)


def _rotations(cells: Places) -> list[Places]:
    """All ways to write a cycle."""
    return [cells[k:] + cells[:k] for k in range(len(cells))]


class _Words:
    """Every 3-cycle, and every transposition if there are any, of a theta graph that is not theta0."""

    def __init__(self, theta: _Theta, most: int) -> None:
        self.theta = theta
        self.hole = theta.c[0]
        self.most = most
        self._loops = theta.letters()
        self._number = {cell: number for number, cell in enumerate(theta.cells)}
        cells = theta.cells
        self.moves = {name: _effect(cells, self.hole, walk) for name, walk in self._loops.items()}
        self._tables: dict[int, NDArray[np.int8]] = {}
        found = three_cycle_word(len(theta.a), len(theta.b), len(theta.c))
        if found is None:
            raise PuzzleError(f"expected a theta graph with a known 3-cycle, got {theta.told()}")
        word, names = found
        self.three = word, tuple(theta.place(name) for name in names)
        self._two: tuple[Word, Places] | None = None

    @property
    def two(self) -> tuple[Word, Places]:
        """A transposition: an odd turn, and 3-cycles that put all tiles back but two (section 6.3)."""
        if self._two is None:
            odd = [name for name, move in self.moves.items() if _is_odd(move)]
            name = min(odd, key=lambda name: (_moved(self.moves[name]), len(self._loops[name])))
            word: Word = ((name, 1),)
            # Where each tile must go to be back: the inverse of the turn.
            to = _inverted(self.moves[name])
            while _moved(to) > 2:
                cells = min(_steps(to, 3), key=self.cost)
                word = _product(word, self.exchange(cells))
                to = _after(to, cells)
            self._two = word, tuple(cell for cell in to if to[cell] != cell)
        return self._two

    def exchange(self, cells: Places) -> Word:
        """The word of a transposition or 3-cycle: the known one, conjugated."""
        conjugation, word, _ = self.conjugated(cells)
        return _product(conjugation, word, _inverse(conjugation))

    def cost(self, cells: Places) -> int:
        """About how many moves the conjugation takes, there and back."""
        return sum(2 * abs(power) * len(self._loops[letter]) for letter, power in self.conjugated(cells)[0])

    def conjugated(self, cells: Places) -> tuple[Word, Word, Places]:
        """A word that takes the tiles at these places to those of the known exchange, its word, its places.

        The known 3-cycle is taken backwards if that is nearer. (With four tiles, there may be no other way.)
        """
        known, places = self.two if len(cells) == 2 else self.three
        if len(cells) not in self._tables:
            self._tables[len(cells)] = self._ways(_rotations(places) + _rotations(places[::-1]))
        table, names = self._tables[len(cells)], [*self.moves]
        word: Word = ()
        while (way := int(table[tuple(self._number[cell] for cell in cells)])) < 8:
            name, sign = names[way // 2], 1 - way % 2 * 2
            word = _product(word, ((name, sign),))
            move = self.moves[name] if sign > 0 else _inverted(self.moves[name])
            cells = tuple(move[cell] for cell in cells)
        return word, known if cells in _rotations(places) else _inverse(known), cells

    def _ways(self, targets: Sequence[Places]) -> NDArray[np.int8]:
        """For all places of two or three tiles the first letter on the way to the targets; 8 there.

        Letters are tried backwards from the targets, so each way has as few letters as possible.
        """
        import numpy as np

        size, arity = len(self._number), len(targets[0])
        moves = np.empty((8, size), dtype=np.int64)
        for k, move in enumerate(self.moves.values()):
            moves[2 * k] = [self._number[move[cell]] for cell in self._number]
            moves[2 * k + 1] = np.argsort(moves[2 * k])
        table = np.full((size,) * arity, -1, dtype=np.int8)
        frontier = np.array([[self._number[cell] for cell in target] for target in targets]).T
        table[tuple(frontier)] = 8
        while frontier.size:
            found = []
            for way in range(8):
                before = moves[way ^ 1][frontier]
                before = before[:, table[tuple(before)] < 0]
                table[tuple(before)] = way
                found.append(before)
            frontier = np.concatenate(found, axis=1)
        return table

    def walk(self, word: Word) -> list[int]:
        """The moves of a word."""
        return _spelled(self._loops, self.hole, word, self.most)


def _spelled(loops: Mapping[str, list[int]], hole: int, word: Word, most: int = 10_000) -> list[int]:
    """The moves of a word in letters that are loops of the hole."""
    found = _Walk(hole, most)
    for letter, power in word:
        loop = loops[letter] if power > 0 else _back(hole, loops[letter])
        for _ in range(abs(power)):
            found.add(loop)
    return found.cells[1:]


def _effect(cells: Sequence[int], hole: int, loop: Sequence[int]) -> dict[int, int]:
    """Where a loop of the hole takes the tile of each cell."""
    state = {cell: cell for cell in cells}
    _slide(state, hole, loop)
    return _inverted(state)


def _inverted(to: Mapping[int, int]) -> dict[int, int]:
    return {there: cell for cell, there in to.items()}


def _moved(to: Mapping[int, int]) -> int:
    return sum(cell != there for cell, there in to.items())


def _is_odd(to: Mapping[int, int]) -> bool:
    """Whether a permutation is odd.

    >>> _is_odd({1: 2, 2: 1, 3: 3}), _is_odd({1: 2, 2: 3, 3: 1})
    (True, False)
    """
    seen: set[int] = set()
    cycles = 0
    for cell in to:
        cycles += cell not in seen
        while cell not in seen:
            seen.add(cell)
            cell = to[cell]
    return (len(to) - cycles) % 2 == 1


def _after(to: Mapping[int, int], cells: Places) -> dict[int, int]:
    """Where the tiles must still go after those at the cells have moved, each to the next one.

    >>> _after({1: 2, 2: 3, 3: 1}, (1, 2))
    {1: 3, 2: 2, 3: 1}
    """
    return {**to, **{there: to[cell] for cell, there in _arrows(cells)}}


def _steps(to: Mapping[int, int], arity: int) -> list[Places]:
    """Transpositions, or 3-cycles, that put as many tiles right as possible.

    >>> _steps({1: 2, 2: 1, 3: 4, 4: 3}, 3)
    [(1, 2, 3), (1, 2, 4), (2, 1, 3), (2, 1, 4), (3, 4, 1), (3, 4, 2), (4, 3, 1), (4, 3, 2)]
    """
    wrong = [cell for cell in to if to[cell] != cell]
    if arity == 2:
        return [(cell, to[cell]) for cell in wrong]
    longer = [cell for cell in wrong if to[to[cell]] != cell]
    if longer:
        return [(cell, to[cell], to[to[cell]]) for cell in longer]
    return [(cell, to[cell], other) for cell in wrong for other in wrong if other not in (cell, to[cell])]


# The theta graph (1,2,2), theta0: six tiles, but only the 120 permutations of a group isomorphic to S5.

SYLOW = ("12345", "12354", "12453", "12534", "12435", "12543")  # the subgroups of order 5 of S5


def _sylow_action(g: Mapping[str, str]) -> tuple[int, ...]:
    """Where conjugation by g takes each of the six subgroups of order 5 of S5 (Proposition 4.10).

    >>> _sylow_action({"1": "2", "2": "5", "5": "4", "4": "3", "3": "1"})
    (1, 2, 3, 4, 0, 5)
    """
    powers = {}
    for number, five in enumerate(SYLOW):
        for step in (1, 2, 3, 4):
            powers["".join(five[step * k % 5] for k in range(5))] = number
    found = []
    for five in SYLOW:
        image = "".join(g.get(point, point) for point in five)
        turn = image.index("1")
        found.append(powers[image[turn:] + image[:turn]])
    return tuple(found)


@cache
def theta0_words() -> dict[tuple[int, ...], tuple[tuple[str, Word], ...]]:
    """For each of the 120 permutations of six places that theta0 allows its factors in S5, and their words.

    The places 1 to 6 of Proposition 4.10 are a1 a2 y b2 b1 x in our names. The factors, as few as can be, are
    exchanges of neighbours in the cycle (1 2 5 4 3). Each is (3 4), conjugated by a power of that cycle. The
    cycle is p1, and (3 4) is p4^2 p3^-1 p4 p3^-1.

    >>> len(theta0_words())
    120
    >>> theta0_words()[4, 2, 1, 5, 0, 3]
    (('(3 4)', (('p4', 2), ('p3', -1), ('p4', 1), ('p3', -1))),)
    """
    cycle, swap = "12543", _word("p4^2 p3^-1 p4 p3^-1")
    factors: list[tuple[dict[str, str], tuple[str, Word]]] = []
    for power in (0, 1, 2, -2, -1):
        turned = [cycle[(cycle.index(point) + power) % 5] for point in "34"]
        turn: Word = (("p1", power),) if power else ()
        word = _product(_inverse(turn), swap, turn)
        factors.append(
            (dict(zip(turned, turned[::-1], strict=True)), (f"({' '.join(sorted(turned))})", word))
        )
    one = {point: point for point in "12345"}
    found: dict[tuple[int, ...], tuple[tuple[str, Word], ...]] = {_sylow_action(one): ()}
    queue = [one]
    for element in queue:
        before = found[_sylow_action(element)]
        for exchange, factor in factors:
            longer = {point: exchange.get(there, there) for point, there in element.items()}
            action = _sylow_action(longer)
            if action not in found:
                found[action] = (*before, factor)
                queue.append(longer)
    return found


# Which theta graph, and which ears.


@dataclass(frozen=True, slots=True)
class _Ear:
    """A path with its ends on what was there before."""

    x: int
    inner: Places
    y: int

    def told(self) -> str:
        return f"ear {_names(self.inner)} between {self.x} and {self.y}"


def _shortest_ear(graph: Graph, depth: Mapping[int, int]) -> _Ear | None:
    """A shortest path through cells without depth between two cells that have one, not too deep."""
    root = {cell: cell for cell in depth}
    before: dict[int, int] = {}
    away = dict.fromkeys(depth, 0)
    queue = [*depth]
    best: tuple[int, int] | None = None
    found: tuple[int, int] | None = None
    for cell in queue:
        for other in graph[cell]:
            if other not in root:
                root[other], before[other], away[other] = root[cell], cell, away[cell] + 1
                queue.append(other)
            elif root[other] != root[cell] and away[cell] + away[other]:
                key = away[cell] + away[other], max(depth[root[cell]], depth[root[other]])
                if best is None or key < best:
                    best, found = key, (cell, other)
    if found is None:
        return None
    arms: list[list[int]] = [[], []]
    for arm, cell in zip(arms, found, strict=True):
        while cell in before:
            arm.append(cell)
            cell = before[cell]
    return _Ear(root[found[0]], (*arms[0][::-1], *arms[1]), root[found[1]])


def _ears(graph: Graph, base: Places) -> list[_Ear]:
    """Ears that make the graph from the base, short ones and near ones first; single edges are no matter."""
    depth = dict.fromkeys(base, 0)
    found = []
    while len(depth) < len(graph):
        ear = _shortest_ear(graph, depth)
        if ear is None:
            raise PuzzleError("expected a 2-connected graph, got one of several parts")
        found.append(ear)
        depth.update(dict.fromkeys(ear.inner, 1 + max(depth[ear.x], depth[ear.y])))
    return found


def _cycles(graph: Graph) -> list[Places]:
    """A short even and a short odd cycle through each cell, if there are such; the shortest first."""
    found: dict[frozenset[int], Places] = {}
    for root in graph:
        before, branch, away = {root: root}, {root: root}, {root: 0}
        best: dict[int, tuple[int, int]] = {}
        queue = [root]
        for cell in queue:
            for other in graph[cell]:
                if other not in before:
                    before[other], away[other] = cell, away[cell] + 1
                    branch[other] = other if cell == root else branch[cell]
                    queue.append(other)
                elif branch[other] != branch[cell] and root not in (cell, other):
                    best.setdefault((away[cell] + away[other]) % 2, (cell, other))
        for ends in best.values():
            arms: list[list[int]] = [[], []]
            for arm, cell in zip(arms, ends, strict=True):
                while cell != root:
                    arm.append(cell)
                    cell = before[cell]
            cycle = (root, *arms[0][::-1], *arms[1])
            found.setdefault(frozenset(cycle), cycle)
    return sorted(found.values(), key=len)


def _theta(cycle: Places, ear: _Ear) -> _Theta:
    """The theta graph of a cycle and an ear."""
    turned = next(way for way in _rotations(cycle) if way[0] == ear.x)
    y = turned.index(ear.y)
    return _Theta(ear.x, ear.y, turned[1:y], turned[:y:-1], ear.inner)


def _theta_choices(graph: Graph) -> Iterator[_Theta]:
    cycles = _cycles(graph)
    for parity in (0, 1):
        for cycle in [cycle for cycle in cycles if len(cycle) % 2 == parity][:30]:
            for ear in _ears_on(graph, cycle):
                yield _theta(cycle, ear)


def _ears_on(graph: Graph, cycle: Places) -> Iterator[_Ear]:
    """Chords of the cycle, and a shortest ear on it."""
    for i, cell in enumerate(cycle):
        for other in cycle[i + 2 : len(cycle) - (i == 0)]:
            if other in graph[cell]:
                yield _Ear(cell, (), other)
    ear = _shortest_ear(graph, dict.fromkeys(cycle, 0))
    if ear is not None:
        yield ear


def _is_two_coloured(graph: Graph) -> bool:
    colour: dict[int, int] = {}
    queue = [next(iter(graph))]
    colour[queue[0]] = 0
    for cell in queue:
        for other in graph[cell]:
            if other not in colour:
                colour[other] = 1 - colour[cell]
                queue.append(other)
            elif colour[other] == colour[cell]:
                return False
    return True


def base_theta(graph: Graph) -> _Theta:
    """A theta graph to begin with: small, and with an odd cycle if the graph has one. See `_other_thetas`.

    It is theta0 only if the graph is.
    """
    odd = not _is_two_coloured(graph)
    choices = [theta for theta in _theta_choices(graph) if theta.is_bipartite != odd]
    if not choices:
        raise PuzzleError("expected a 2-connected graph, got one without the cycles of such")
    good = [theta for theta in choices if not theta.is_theta0] or _other_thetas(graph, choices[0])
    if not good:
        return choices[0]
    far = {theta: _remoteness(graph, theta) for theta in good}
    return min(good, key=lambda theta: (_effort(_best_turned(theta)) + 4 * far[theta], theta.cells))


def _remoteness(graph: Graph, theta: _Theta) -> float:
    """The mean distance of a cell from the theta graph."""
    away = dict.fromkeys(theta.cells, 0)
    queue = [*away]
    for cell in queue:
        for other in graph[cell]:
            if other not in away:
                away[other] = away[cell] + 1
                queue.append(other)
    return sum(away.values()) / len(away)


def _other_thetas(graph: Graph, theta0: _Theta) -> list[_Theta]:
    """Theta graphs inside theta0 and one ear more, other than theta0, with an odd cycle if possible.

    Section 4.4 says that this is always possible. It is, but for a path with two inner cells between the
    ends of theta0: of the theta graphs in four paths with 1, 2, 2 and 2 inner cells, (1,2,2) is theta0, and
    (2,2,2) has no odd cycle. Then all is done by 3-cycles, after an odd turn if one is needed.
    """
    paths = [(theta0.x, *path, theta0.y) for path in (theta0.a, theta0.b, theta0.c)]
    edges = {frozenset(edge) for path in paths for edge in pairwise(path)}
    inside = set(theta0.cells)
    chords = (frozenset((a, b)) for a in inside for b in graph[a] if b in inside)
    chord = next((edge for edge in chords if edge not in edges), None)
    if chord is not None:
        edges.add(chord)
    elif ear := _shortest_ear(graph, dict.fromkeys(theta0.cells, 0)):
        edges |= {frozenset(edge) for edge in pairwise((ear.x, *ear.inner, ear.y))}
    found = [theta for gone in sorted(edges, key=sorted) if (theta := _theta_of(edges - {gone}))]
    found = [theta for theta in found if not theta.is_theta0]
    return [theta for theta in found if not theta.is_bipartite] or found


def _theta_of(edges: Iterable[frozenset[int]]) -> _Theta | None:
    """The theta graph that is left when dead ends are taken away, if it is one."""
    graph: dict[int, set[int]] = {}
    for a, b in map(tuple, edges):
        graph.setdefault(a, set()).add(b)
        graph.setdefault(b, set()).add(a)
    while dead := [cell for cell, row in graph.items() if len(row) == 1]:
        for cell in dead:
            for other in graph.pop(cell):
                graph[other].discard(cell)
    ends = [cell for cell, row in graph.items() if len(row) != 2]
    if len(ends) != 2 or any(len(graph[end]) != 3 for end in ends):
        return None
    x, y = sorted(ends)
    paths = []
    for first in sorted(graph[x]):
        before, cell, path = x, first, []
        while cell not in ends:
            path.append(cell)
            before, cell = cell, next(other for other in graph[cell] if other != before)
        if cell != y:
            return None
        paths.append(tuple(path))
    return _Theta(x, y, *paths)


def _best_turned(theta: _Theta) -> _Theta:
    """The names that make the known 3-cycle, and the transposition if there is one, short."""
    return min((each for each in theta.turned() if _known(each)), key=_effort)


def _known(theta: _Theta) -> bool:
    m, n, j = len(theta.a), len(theta.b), len(theta.c)
    return three_cycle_word(m, n, j) is not None


def _effort(theta: _Theta) -> int:
    """About how many moves the known 3-cycle takes, times how many are needed to make a transposition."""
    m, n, j = len(theta.a), len(theta.b), len(theta.c)
    found = three_cycle_word(m, n, j)
    loops = theta.letters()
    moves = sum(abs(power) * len(loops[letter]) for letter, power in found[0]) if found else 0
    turns = [tiles for tiles in (m + n + 1, n + j + 1, m + j + 1) if tiles % 2 == 0]
    return moves * max(1, min(turns) // 2 if turns else 1)


# The method itself.


@dataclass(frozen=True, slots=True)
class _Plan:
    """How an exchange of tiles is brought to the theta graph, and what it becomes there."""

    exchange: Places
    """Each tile here goes to the next place."""
    parts: tuple[tuple[str, list[int]], ...]
    """Walks that bring these tiles to the theta graph."""
    cells: Places
    """Where on it they are then."""
    cost: int


class _Solver:
    """Solves ear by ear."""

    def __init__(self, graph: Graph, at: dict[int, int], wanted: dict[int, int], script: _Script) -> None:
        self.graph = graph
        self.script = script
        theta = base_theta(graph)
        if len(theta.cells) > LARGEST_THETA:
            raise TooLarge(f"expected a theta graph of at most {LARGEST_THETA} cells, got {len(theta.cells)}")
        if theta.is_theta0:
            self.theta = next(each for each in theta.turned() if len(each.c) == 1)
        else:
            self.theta = _best_turned(theta)
            self.words = _Words(self.theta, script.most)
        self.home = self.theta.c[0]
        self.ears = _ears(graph, self.theta.cells)
        self.level = dict.fromkeys(self.theta.cells, 0)
        for number, ear in enumerate(self.ears, 1):
            self.level.update(dict.fromkeys(ear.inner, number))
        self.arity = 3 if self.theta.is_bipartite else 2
        self._bring_home(at, wanted)

    def _bring_home(self, at: dict[int, int], wanted: dict[int, int]) -> None:
        """Move the hole of the start, and that of the goal, to its place on the theta graph (Prop. 4.6)."""
        self.arrival = _path(self.graph, self.script.hole, self.home)
        self.at = dict(at)
        _slide(self.at, self.script.hole, self.arrival)
        end = _cell_of(wanted, 0)
        way = _path(self.graph, end, self.home)
        self.departure = _back(end, way)
        goal = dict(wanted)
        _slide(goal, end, way)
        place = {tile: cell for cell, tile in goal.items()}
        self.to = {cell: place[tile] for cell, tile in self.at.items()}

    def solve(self) -> None:
        odd = self.arity == 3 and _is_odd(self.to)
        if odd and _is_two_coloured(self.graph):
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
        odd = next(cycle for cycle in _cycles(self.graph) if len(cycle) % 2)
        path = _path(self.graph, self.home, odd[0])
        loop = self.script.walk()
        for walk in (path, [*odd[1:], odd[0]], _back(self.home, path)):
            loop.add(walk)
        self.script.tell(f"once round {_names(odd)}, so that 3-cycles do the rest", 0, loop.cells[1:])
        moved = _effect([*self.graph], self.home, loop.cells[1:])
        self.at = {moved[cell]: tile for cell, tile in self.at.items()}
        self.to = {moved[cell]: there for cell, there in self.to.items()}

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
        nearby = [*_reach(self.graph, cell, lambda other: self.level[other] <= number)]
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
        after = _after(self.to, cells)
        right = sum(after[cell] == cell for cell in cells) - sum(self.to[cell] == cell for cell in cells)
        return max(right, 1)

    def _solve_theta(self) -> None:
        while _moved(self.to):
            arity = 2 if _is_odd(self.to) else 3
            inside = {cell: there for cell, there in self.to.items() if self.level[cell] == 0}
            cells = min(_steps(inside, arity), key=self.words.cost)
            self._perform(f"theta graph: tile {self.at[cells[0]]} to cell {cells[1]}", self._plan(cells))

    def _solve_theta0(self) -> None:
        theta = self.theta
        places = [theta.place(name) for name in ("a1", "a2", "y", "b2", "b1", "x")]
        action = tuple(places.index(self.to[cell]) for cell in places)
        found = theta0_words().get(action)
        if found is None:
            raise Unsolvable("none of the 120 permutations that six tiles have on theta(1,2,2)")
        loops = theta.letters()
        parts = [(f"{name}: {_word_text(word)}", _spelled(loops, self.home, word)) for name, word in found]
        if parts:
            element = " ".join(name for name, _ in found)
            self.script.tell_parts([f"theta graph (1,2,2): the permutation {element} in S5"], parts)
        self.to = {cell: cell for cell in self.to}

    def _perform(self, heading: str, plan: _Plan) -> None:
        """Make the exchange of a plan, and write down what it does."""
        words, home = self.words, self.home
        conjugation, word, places = words.conjugated(plan.cells)
        parts = list(plan.parts)
        if conjugation:
            parts.append((f"conjugated by {_word_text(conjugation)}", words.walk(conjugation)))
        there = self.script.walk()
        for _, walk in parts:
            there.add(walk)
        kind = "transposition" if len(places) == 2 else "3-cycle"
        parts.append((f"{kind} of cells {_names(places)}: {_word_text(word)}", words.walk(word)))
        if len(parts) > 1:
            parts.append(("the conjugation undone", _back(home, there.cells[1:])))
        tiles = _names(self.at[cell] for cell in plan.exchange)
        self.script.tell_parts([heading, f"{kind} of tiles {tiles}"], parts)
        self.at = {**self.at, **{there: self.at[cell] for cell, there in _arrows(plan.exchange)}}
        self.to = _after(self.to, plan.exchange)

    def _plan(self, exchange: Places) -> _Plan:
        """Bring the tiles of an exchange from ear to ear down to the theta graph, and the hole home."""
        hole, tiles, level = self.home, exchange, self.level
        parts: list[tuple[str, list[int]]] = []
        while top := max(level[cell] for cell in (hole, *tiles)):
            if level[hole] == top:
                found = [(f"the hole leaves {self.ears[top - 1].told()}", self._leave(top, hole, tiles))]
            else:
                found = self._turn_out(top, hole, tiles, [self.at[cell] for cell in exchange])
            for part in found:
                tiles = _carried(tiles, hole, part[1])
                hole = part[1][-1]
            parts += found
        if hole != self.home:
            walk = _path(self.graph, hole, self.home, lambda cell: level[cell] == 0)
            tiles = _carried(tiles, hole, walk)
            parts.append((f"the hole back to {self.home}", walk))
        cost = 2 * sum(len(walk) for _, walk in parts) + self.words.cost(tiles)
        return _Plan(exchange, tuple(parts), tiles, cost)

    def _leave(self, number: int, hole: int, tiles: Places) -> list[int]:
        """A short way for the hole out of an ear, not over the tiles if possible."""
        ear = self.ears[number - 1]
        along = {ear.x, *ear.inner, ear.y}
        free = _reach(self.graph, hole, lambda cell: cell in along and cell not in tiles)
        ends = [end for end in (ear.x, ear.y) if end in free] or [ear.x, ear.y]
        taken = tiles if ends[0] in free else ()
        ways = [
            _path(self.graph, hole, end, lambda cell: cell in along and cell not in taken) for end in ends
        ]
        return min(ways, key=len)

    def _turn_out(
        self, number: int, hole: int, tiles: Places, names: Sequence[int]
    ) -> list[tuple[str, list[int]]]:
        """Get tiles out of an ear; the hole and the other tiles are on what was there before the ear."""
        ear, level = self.ears[number - 1], self.level
        outside = tuple(tile for tile in tiles if level[tile] < number)
        parts = []
        if clear := self._clear_way(number, hole, outside):
            moved = _carried(tiles, hole, clear)
            which = _names(name for name, now, then in zip(names, moved, tiles, strict=True) if now != then)
            parts.append((f"conjugated by a walk that leads tile {which} off the way", clear))
            tiles, hole = moved, clear[-1]
        free = partial(self._is_free, number, tiles)
        ways = []
        for x, inner, y in ((ear.x, ear.inner, ear.y), (ear.y, ear.inner[::-1], ear.x)):
            route = _path(self.graph, hole, y, free)
            circle = [*inner[::-1], x, *_path(self.graph, x, y, free)]
            rounds = _rounds(circle, len(inner), tiles)
            ways.append((len(route) + abs(rounds) * len(circle), y, route, circle, rounds))
        _, y, route, circle, rounds = min(ways)
        turn = _Walk(hole, self.words.most)
        turn.add(route)
        for _ in range(abs(rounds)):
            turn.add(circle if rounds > 0 else _back(y, circle))
        out = _carried(tiles, hole, turn.cells[1:])
        left = _names(
            name
            for name, now, then in zip(names, out, tiles, strict=True)
            if level[now] < number <= level[then]
        )
        way = circle if rounds > 0 else _back(y, circle)
        text = f"conjugated by {_times(rounds)} round {_names(way)}: tile {left} leaves {ear.told()}"
        return [*parts, (text, turn.cells[1:])]

    def _is_free(self, number: int, tiles: Places, cell: int) -> bool:
        """Whether a cell was there before an ear, and has none of the tiles."""
        return self.level[cell] < number and cell not in tiles

    def _clear_way(self, number: int, hole: int, tiles: Places) -> list[int]:
        """A short walk after which the hole gets to both ends of an ear, not over the tiles nor the ear.

        The tiles are at most two, and there is such a walk: some path between the ends leaves out two cells,
        and the tiles get to any two.
        """
        ear = self.ears[number - 1]
        ticket = count()
        heap = [(0, next(ticket), hole, tiles, [hole])]
        seen = set()
        while heap:
            _, _, hole, tiles, walk = heappop(heap)
            if (hole, tiles) in seen:
                continue
            seen.add((hole, tiles))
            free = partial(self._is_free, number, tiles)
            needed = [ear.x, ear.y]
            if not all(map(free, needed)):  # no need to look far: a tile has to move
                needed = [beside for tile in tiles for beside in self.graph[tile] if free(beside)]
            before = _reach(self.graph, hole, free, *needed)
            if ear.x in before and ear.y in before:
                return walk[1:]
            for tile in tiles:
                for beside in self.graph[tile]:
                    if beside in before:
                        longer = [*walk, *_traced(before, beside), tile]
                        moved = tuple(beside if other == tile else other for other in tiles)
                        heappush(heap, (len(longer), next(ticket), tile, moved, longer))
        raise PuzzleError("expected a 2-connected graph, got one with a cell that cuts it")


def _rounds(circle: Sequence[int], inner: int, tiles: Places) -> int:
    """How often to go round, the other way if negative, so that tiles leave the first `inner` cells.

    As many as possible shall leave, and then as few rounds as possible be made. The hole is at the last cell.
    Each round takes the tiles on the other cells one place back, and the first one to the last place.

    >>> _rounds([1, 2, 3, 4, 0], 3, (1, 9)), _rounds([1, 2, 3, 4, 0], 3, (3, 2))
    (1, -1)
    """
    places = [circle.index(tile) for tile in tiles if tile in circle]
    size = len(circle) - 1
    choices = sorted(range(-(size // 2), size // 2 + 1), key=abs)
    return min(choices, key=lambda rounds: sum((place - rounds) % size < inner for place in places))


def _arrows(cells: Places) -> list[tuple[int, int]]:
    """The places of a cycle, each with the next.

    >>> _arrows((1, 2, 3))
    [(1, 2), (2, 3), (3, 1)]
    """
    return [*zip(cells, cells[1:] + cells[:1], strict=True)]


def _times(rounds: int) -> str:
    return {1: "once", 2: "twice"}.get(abs(rounds), f"{abs(rounds)} times")


def _names(cells: Iterable[int]) -> str:
    return " ".join(map(str, cells))
