"""Verdicts: can this be turned into that, and if not, why not?

The question is one membership test in the group at the start's shape. The answer comes with one
sentence that a puzzler understands and a certificate that `slidelab.reach.certificate.check`
verifies without the group.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from slidelab.boards import Board, blocks, tight_corners
from slidelab.boards.walks import DisjointSets, shortest_path
from slidelab.budget import Budget
from slidelab.display import HtmlDisplay
from slidelab.errors import TooLarge, Unsolvable
from slidelab.gains import GainGraph, gain_graph, reverse_walk
from slidelab.puzzles import Configuration, MoveList, Puzzle
from slidelab.reach.certificate import check, theorem_says
from slidelab.reach.coloured_components import point_colours
from slidelab.reach.decision import Decision, decide
from slidelab.reach.group import PermutationGroup, family_group
from slidelab.reach.reachable_cells import orbit_cells
from slidelab.reach.route import answer
from slidelab.rules import Cells

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from slidelab.puzzles import ConfigurationLike

__all__ = ["Verdict", "reason_unsolvable", "solvable", "group_moves"]

MOST_MOVES = 20_000
WORDS_UP_TO = 48  # points; beyond that certificates are programs, not moves
MOST_NAMED = 8  # tiles in the certificate of a theorem
MOST_CYCLE = 60  # tiles in a sentence on their cyclic order


@dataclass(frozen=True, slots=True)
class Verdict(HtmlDisplay):
    """Yes or no (it is truthy or falsy), the reason in one sentence, and a certificate."""

    solvable: bool
    reason: str
    certificate: dict[str, Any] = field(repr=False, hash=False)
    start: Configuration = field(repr=False)
    goal: Configuration = field(repr=False)

    def __bool__(self) -> bool:
        return self.solvable

    def check(self) -> bool:
        """Verify the certificate, without the group code."""
        return check(self.start, self.goal, self.solvable, self.certificate)

    def to_json(self) -> dict[str, Any]:
        return {"solvable": self.solvable, "reason": self.reason, "certificate": self.certificate}

    def __str__(self) -> str:
        return f"{'solvable' if self.solvable else 'not solvable'}: {self.reason}"


def solvable(
    puzzle: Puzzle,
    start: ConfigurationLike,
    goal: ConfigurationLike | None = None,
    *,
    budget: Budget | None = None,
) -> Verdict:
    """Can `start` be turned into `goal`?

    >>> import slidelab as sl
    >>> loyd = sl.puzzle("square R(4,4)").solvable("1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 .")
    >>> print(loyd)
    not solvable: the tiles would need an odd permutation, and every loop here is even
    >>> loyd.check()
    True
    """
    first = puzzle.configuration(start)
    last = puzzle.goal if goal is None else puzzle.configuration(goal)
    if first == last:
        return Verdict(True, "start and goal are the same", {"kind": "moves", "moves": []}, first, last)
    return answer(
        puzzle,
        budget,
        by_graph=lambda: _Case(gain_graph(puzzle, budget), first, last, budget).decide(),
        by_regions=lambda _: _by_regions(first, last),
        by_theorem=lambda _: _by_theorem(first, last),
    )


def reason_unsolvable(
    start: Configuration, goal: Configuration, *, budget: Budget | None = None
) -> str | None:
    """Return why no moves lead from `start` to `goal`, or None if some do; no certificate is made.

    The group is taken at the shape of the goal, where a table of distances to the goal needs it too.

    Parameters
    ----------
    start, goal
        Configurations of one puzzle.
    budget
        Shapes, memory and time that may be used.

    Raises
    ------
    TooLarge
        If neither the gain graph nor a theorem answers.

    Examples
    --------
    >>> import slidelab as sl
    >>> p = sl.puzzle("square R(3,3)")
    >>> reason_unsolvable(p.configuration("2 1 3 4 5 6 7 8 ."), p.goal)
    'the tiles would need an odd permutation, and every loop here is even'
    >>> reason_unsolvable(p.shuffle(seed=1), p.goal) is None
    True
    """
    puzzle = start.puzzle

    def by_graph() -> Verdict | None:
        graph = gain_graph(puzzle, budget)
        if _Case(graph, goal, start, budget).is_solvable():  # moves can be taken back
            return None
        return _Case(graph, start, goal, budget, proving=False).decide()

    if start == goal:
        return None
    verdict = answer(
        puzzle,
        budget,
        by_graph=by_graph,
        by_regions=lambda _: _by_regions(start, goal),
        by_theorem=lambda _: _by_theorem(start, goal),
    )
    return None if verdict is None or verdict else verdict.reason


def _by_theorem(start: Configuration, goal: Configuration) -> Verdict | None:
    """Return what a theorem says of pieces other than tiles, or None if no theorem applies."""
    locked = _locked(start, goal) if start.shape != goal.shape else None
    if locked:
        return Verdict(False, locked, {"kind": "shapes"}, start, goal)
    said = theorem_says(start, goal)
    # Of such pieces the papers only ever say that everything can be reached.
    if said is None or not said[1]:
        return None
    if start.puzzle.rule.corner == "pivot":
        where = "on a proper board" if said[0] == "Gourds, Theorem 9" else "here"
        reason = f"{where} every arrangement of gourds can be reached ({said[0]})"
    else:
        reason = f"with so many holes every arrangement can be reached here ({said[0]})"
    return Verdict(True, reason, {"kind": "theorem", "name": said[0]}, start, goal)


_ODD = "the {} would need an odd permutation, and every loop here is even"


def _by_regions(start: Configuration, goal: Configuration) -> Verdict:
    """Tiles on any board: what the regions say, in words."""
    decision = decide(start, goal)
    pieces = list(decision.pieces)
    if decision.solvable:
        group = "colours" if start.puzzle.colours is not None else decision.group
        reason = f"{_REACHED.get(group, _REACHED[''])} ({decision.theorem})"
    else:
        if decision.obstacle == "place":
            pieces = [next((k for k in pieces if start.pieces[k - 1] != goal.pieces[k - 1]), pieces[0])]
        reason = _obstacle(start, goal, decision, pieces)
    certificate = {
        "kind": "theorem",
        "name": decision.theorem,
        "because": decision.obstacle,
        "pieces": pieces[:MOST_NAMED],
    }
    return Verdict(decision.solvable, reason, certificate, start, goal)


_REACHED = {
    "": "the tiles of each region can be brought to their places",
    "colours": "the coloured tiles can be brought to their places",
    "symmetric": "every arrangement of the tiles can be reached",
    "alternating": "the tiles need an even permutation, and every even one can be made",
    "cyclic": "the tiles keep their cyclic order",
    "line": "the tiles keep their order",
}


def _obstacle(start: Configuration, goal: Configuration, decision: Decision, pieces: list[int]) -> str:
    """One sentence on what is in the way of these tiles."""
    puzzle, why = start.puzzle, decision.obstacle
    colours = puzzle.colours
    names = [str(k) if colours is None else colours[k - 1][0] for k in pieces]
    if why == "holes":
        return _locked(start, goal) or "the holes can never get where the goal has them"
    if why == "place":
        here, there = start.pieces[pieces[0] - 1][0], goal.pieces[pieces[0] - 1][0]
        return f"tile {names[0]} {_never_gets(puzzle.board, here, there)}"
    if why == "order":
        return f"tiles {names[0]} and {names[1]} would have to pass each other, and there is no room for that"
    if why == "parity":
        if len(pieces) == puzzle.piece_count and colours is None:
            return _ODD.format("tiles")
        return f"tiles {_and(names)} would need an odd permutation, and every loop moves them evenly"
    if why == "cycle":
        turn = names.index(min(names, key=lambda name: (len(name), name)))
        shown = [*names[turn:], *names[:turn]]
        if len(shown) > MOST_CYCLE:
            shown[MOST_CYCLE:] = ["..."]
        return f"tiles {' '.join(shown)} always keep this cyclic order, and the goal has another"
    if why == "theta0":
        return f"tiles {_and(names)} cannot all get to their places together: {_THETA0}"
    cells = sorted(start.pieces[k - 1][0] for k in pieces)
    return (
        f"the tiles at {'cell' if len(cells) == 1 else 'cells'} {_and(cells)} stay among "
        "themselves, and the goal wants other colours there"
    )


_THETA0 = "the exceptional theta graph allows only 120 of the 720 permutations of its six tiles"


def _locked(start: Configuration, goal: Configuration) -> str | None:
    """The sentence for configurations in which nothing can move."""
    for configuration, where in ((start, "at the start"), (goal, "at the goal")):
        if not len(configuration.moves):
            return f"nothing can move {where}: every {start.puzzle.rule.piece} is locked"
    return None


def group_moves(
    start: Configuration,
    goal: Configuration,
    *,
    budget: Budget | None = None,
) -> MoveList:
    """Moves from `start` to `goal`: a product of loops, found in the group, and a way to the goal's shape.

    `Unsolvable` with the reason if there is none, `TooLarge` if the gain graph or the words are.

    >>> import slidelab as sl
    >>> p = sl.puzzle("theta(1,2,2)")
    >>> start = p.shuffle(seed=3)
    >>> start.play(*group_moves(start, p.goal)) == p.goal
    True
    """
    case = _Case(gain_graph(start.puzzle, budget), start, goal, budget, proving=False)
    verdict = case.decide()
    if not verdict:
        raise Unsolvable(verdict.reason)
    home = Configuration(start.puzzle.uncoloured, start.pieces)
    return case.family.moves(home, case.walk(case.found))


class _Case:
    """One question, with everything that is known about it."""

    def __init__(
        self,
        graph: GainGraph,
        start: Configuration,
        goal: Configuration,
        budget: Budget | None,
        proving: bool = True,
    ) -> None:
        self.puzzle = start.puzzle
        self.proving = proving
        self.graph, self.start, self.goal = graph, start, goal
        self.tiles = self.puzzle.rule.piece
        self.turns = self.puzzle.rule.turns
        self.budget = budget
        numbered = self.puzzle.uncoloured
        self.start_shape, self.arrangement = graph.place(Configuration(numbered, start.pieces))
        self.goal_shape, self.goal_arrangement = graph.place(Configuration(numbered, goal.pieces))

    def is_solvable(self) -> bool:
        """Return whether the goal is known to be reachable, and nothing else."""
        if self.graph.family_of[self.start_shape] != self.graph.family_of[self.goal_shape]:
            return False
        self.family = self.graph.family(self.start_shape, self.budget)
        self.group = family_group(self.family, self.budget)
        if self.puzzle.colours is None:
            return self.group.core.contains(self._needed(self.goal_arrangement))
        return self._recolouring()[0] is not None

    def decide(self) -> Verdict:
        if self.graph.family_of[self.start_shape] != self.graph.family_of[self.goal_shape]:
            return self._other_shape()
        self.family = self.graph.family(self.start_shape, self.budget)
        self.group = family_group(self.family, self.budget)
        if self.puzzle.colours is not None:
            return self._coloured()
        needed = self._needed(self.goal_arrangement)
        if self.group.core.contains(needed):
            return self._yes(needed, self.goal.pieces)
        return self._no([int(x) for x in needed])

    def _needed(self, goal_arrangement: NDArray[np.uint16]) -> NDArray[np.uint16]:
        """The permutation of slot points at the start's shape that the goal asks for."""
        import numpy as np

        target = self.family.to_base(self.goal_shape, goal_arrangement)
        where = np.empty_like(target)
        where[target] = np.arange(len(target), dtype=np.uint16)
        needed: NDArray[np.uint16] = np.ascontiguousarray(where[self.arrangement])
        return needed

    # Yes

    def _yes(self, needed: NDArray[np.uint16], named_goal: tuple[Cells, ...]) -> Verdict:
        self.found = needed
        if not self.proving:
            return Verdict(True, "it can be reached", {}, self.start, self.goal)
        return Verdict(True, self._why_yes(needed), self._proof(needed, named_goal), self.start, self.goal)

    def _why_yes(self, needed: NDArray[np.uint16]) -> str:
        group = self.group
        if self.puzzle.colours is not None:
            return f"the coloured {self.tiles}s can be brought to their places"
        if self.turns == 1 and group.is_transitive and group.is_giant(range(group.degree)):
            if group.is_even:
                return f"the {self.tiles}s need an even permutation, and every even one can be made"
            return f"every arrangement of the {self.tiles}s can be reached"
        if "wr Sym" in group.name and "," not in group.name and group.is_transitive:
            return f"every arrangement of the {self.tiles}s can be reached, either way round"
        if all(x == y for x, y in enumerate(needed.tolist())):
            return f"only the holes have to move: the {self.tiles}s come along in the right order"
        return "a loop of moves makes just the permutation that is needed"

    def _proof(self, needed: NDArray[np.uint16], named_goal: tuple[Cells, ...]) -> dict[str, Any]:
        if self.group.degree <= WORDS_UP_TO or all(x == y for x, y in enumerate(needed.tolist())):
            try:
                walk = self.walk(needed)
                if len(walk) <= MOST_MOVES:
                    moves = self.family.moves(Configuration(self.puzzle.uncoloured, self.start.pieces), walk)
                    return {"kind": "moves", "moves": [move.text for move in moves]}
            except TooLarge:
                pass  # no complete table of words: a program will do
        return self._program(needed, named_goal)

    def walk(self, needed: NDArray[np.uint16]) -> list[tuple[int, bool]]:
        """Loops that make the permutation, and then the way to the goal's shape."""
        walk: list[tuple[int, bool]] = []
        if any(x != y for x, y in enumerate(needed.tolist())):
            weights = [len(self.family.loop(g)) for g in range(len(self.group.generators))]
            for letter in self.group.factor(needed.tolist(), weights=weights) or ():
                loop = self.family.loop(abs(letter) - 1)
                walk.extend(loop if letter > 0 else reverse_walk(loop))
        walk.extend(self.family.path(self.goal_shape))
        out: list[tuple[int, bool]] = []
        for edge, back in walk:
            if out and out[-1] == (edge, not back):
                out.pop()
            else:
                out.append((edge, back))
        return out

    def _program(self, needed: NDArray[np.uint16], named_goal: tuple[Cells, ...]) -> dict[str, Any]:
        """The certificate of kind ``loops``, with only the lines that matter."""
        core = self.group.core
        lines = core.program().tolist()
        factors = core.factor(needed) or []
        wanted = {line for _, _, line in core.giants} | {line for line, _ in factors}
        for number in range(len(lines) - 1, -1, -1):
            op, a, b = lines[number]
            if number in wanted and op != 0:
                wanted.add(a)
                if op == 1:
                    wanted.add(b)
        kept = sorted(wanted)
        place = {line: i for i, line in enumerate(kept)}
        used = sorted({lines[line][1] for line in kept if lines[line][0] == 0} | set(self._joining()))
        loop_place = {g: i for i, g in enumerate(used)}
        program = []
        for line in kept:
            op, a, b = lines[line]
            if op == 0:
                program.append(["loop", loop_place[a], 0])
            else:
                name = ("loop", "product", "inverse", "power")[op]
                program.append([name, place[a], place[b] if op == 1 else b])
        home = Configuration(self.puzzle.uncoloured, self.start.pieces)
        point = self.arrangement.tolist()  # places are named by the piece points that lie there at the start
        return {
            "kind": "loops",
            "loops": [[m.text for m in self.family.moves(home, self.family.loop(g))] for g in used],
            "program": program,
            "giants": [
                {
                    "points": sorted(point[x] for x in self.group.orbits[orbit]),
                    "prime": prime,
                    "line": place[line],
                }
                for orbit, prime, line in core.giants
            ],
            "product": [[place[line], inverted] for line, inverted in factors],
            "way": [m.text for m in self.family.moves(home, self.family.path(self.goal_shape))],
            "goal": [list(cells) for cells in named_goal],
        }

    def _joining(self) -> list[int]:
        """Generators enough to join the points of every orbit."""
        sets = DisjointSets(self.group.degree)
        return [g for g, row in enumerate(self.group.generators) if sets.merge(row.tolist())]

    # No

    def _refuse(self, reason: str, **certificate: Any) -> Verdict:
        return Verdict(False, reason, certificate, self.start, self.goal)

    def _other_shape(self) -> Verdict:
        locked = _locked(self.start, self.goal)
        if locked:
            return self._refuse(locked, kind="shapes")
        if self.puzzle.rule.cells > 1:
            return self._refuse(f"the {self.tiles}s can never lie the way they do in the goal", kind="shapes")
        return self._refuse("the holes can never get where the goal has them", kind="shapes")

    def _no(self, needed: list[int]) -> Verdict:
        for test in (self._wrong_orbit, self._odd, self._out_of_cycle):
            verdict = test(needed)
            if verdict is not None:  # a refusal is falsy
                return verdict
        return self._few_pieces(needed)

    def _piece(self, point: int) -> int:
        """The piece (from 1) whose point lies at slot point `point` of the start."""
        return int(self.arrangement[point]) // self.turns + 1

    def _wrong_orbit(self, needed: list[int]) -> Verdict | None:
        orbit_of = {x: number for number, orbit in enumerate(self.group.orbits) for x in orbit}
        lost = [x for x, y in enumerate(needed) if orbit_of[x] != orbit_of[y]]
        if not lost:
            return None
        # A tile that needs two holes to move never gets out of a tight corner for good.
        corners = set(tight_corners(self.puzzle.board)) if self.puzzle.rule.needs_companion else set()
        ranked = sorted(
            lost, key=lambda x: (self.start.pieces[self._piece(x) - 1][0] not in corners, self._piece(x))
        )
        piece = self._piece(ranked[0])
        return self._refuse(self._lost_piece(piece, corners), kind="pieces", pieces=[piece])

    def _lost_piece(self, piece: int, corners: set[int]) -> str:
        here, there = self.start.pieces[piece - 1], self.goal.pieces[piece - 1]
        name = f"{self.tiles} {piece}"
        if self.puzzle.rule.cells > 1:
            if set(here) == set(there):
                return f"{name} would have to be turned round, and it can't be"
            only = self._only_places(piece)
            return f"{name} can never get from cells {_and(here)} to cells {_and(there)}{only}"
        if here[0] in corners and here != there:
            return f"{name} sits in the tight corner at cell {here[0]} and can never leave it"
        if there[0] in corners and here != there:
            return f"{name} can never get into the tight corner at cell {there[0]}, where another belongs"
        return f"{name} {_never_gets(self.puzzle.board, here[0], there[0])}"

    def _only_places(self, piece: int, most: int = 6, work: int = 200_000) -> str:
        """Where the piece can lie at all, if that is quickly found and said."""
        if self.family.shapes * self.puzzle.piece_count > work:
            return ""
        point = self.arrangement.tolist().index((piece - 1) * self.turns)
        found = {tuple(sorted(cells)) for cells in orbit_cells(self.family, self.group, point)}
        if len(found) > most:
            return ""
        return f", it can only ever lie on {' or '.join('-'.join(map(str, c)) for c in sorted(found))}"

    def _odd(self, needed: list[int]) -> Verdict | None:
        """Some union of sets of pieces that every loop permutes evenly, and the goal oddly."""
        turns = self.turns
        classes = self._piece_classes()
        ways = ("pieces",) if turns == 1 else ("pieces", "ends", "both") if turns == 2 else ("pieces",)
        for on in ways:
            relation = self._relation(needed, classes, on)
            if relation is not None:
                pieces = sorted(self._piece(k * turns) for c in relation for k in classes[c])
                return self._refuse(self._odd_sentence(on, pieces), kind="parity", on=on, pieces=pieces)
        return None

    def _relation(
        self, needed: list[int], classes: list[list[int]], on: str, swaps: Sequence[int] = ()
    ) -> list[int] | None:
        """Classes that all loops (and swaps) permute evenly together, and the goal oddly."""
        import numpy as np

        rows = self._signs(self.group.generators, classes, on)
        (wanted,) = self._signs(np.array([needed], dtype=np.uint16), classes, on)
        return _even_relation([*sorted(set(rows)), *swaps], wanted)

    def _piece_classes(self) -> list[list[int]]:
        """Slots that exchange their pieces."""
        turns = self.turns
        if turns == 1:
            return [list(orbit) for orbit in self.group.orbits]
        label = list(range(self.group.degree // turns))
        for orbit in self.group.orbits:
            for x in orbit:
                a, b = label[orbit[0] // turns], label[x // turns]
                if a != b:
                    label = [a if other == b else other for other in label]
        classes: dict[int, list[int]] = {}
        for k, name in enumerate(label):
            classes.setdefault(name, []).append(k)
        return list(classes.values())

    def _signs(self, table: NDArray[np.uint16], classes: list[list[int]], on: str) -> list[int]:
        """For every row a bit for each class: is it permuted oddly?"""
        import numpy as np

        from slidelab import _core

        turns, bits = self.turns, [0] * len(table)

        def add(rows: NDArray[np.uint16], members: NDArray[np.int64], number: int) -> None:
            place = np.zeros(self.group.degree, dtype=np.uint16)
            place[members] = np.arange(len(members), dtype=np.uint16)
            for row, odd in enumerate(_core.odd(np.ascontiguousarray(place[rows])).tolist()):
                bits[row] ^= odd << number

        for number, slots in enumerate(classes):
            pieces = np.array(slots, dtype=np.int64)
            if on in ("pieces", "both"):
                add(table[:, pieces * turns] // turns, pieces, number)
            if on in ("ends", "both"):
                points = (pieces[:, None] * turns + np.arange(turns)).ravel()
                add(table[:, points], points, number)
        return bits

    def _odd_sentence(self, on: str, pieces: list[int]) -> str:
        everyone = len(pieces) == self.puzzle.piece_count
        who = f"the {self.tiles}s" if everyone else f"{self.tiles}s {_and(pieces)}"
        if on == "ends":
            some = f"the {self.tiles}s" if everyone else f"the {self.tiles}s {_and(pieces)}"
            return f"an odd number of {some} would have to be turned round, and every loop turns evenly many"
        if on == "both":
            return f"order and turning of {who} would change with different parity, and no loop does that"
        if everyone:
            return _ODD.format(f"{self.tiles}s")
        return f"{who} would need an odd permutation, and every loop moves them evenly"

    def _out_of_cycle(self, needed: list[int]) -> Verdict | None:
        """On some orbit the group only rotates one cycle, and the goal breaks it."""
        for orbit in self.group.moved_orbits:
            if len(orbit) < 4 or self.turns > 1:
                continue
            on = self.group.on(orbit)
            if on.order != len(orbit):
                continue
            order = _full_cycle(on, orbit)
            if order is None:
                continue
            following = dict(zip(order, order[1:] + order[:1], strict=True))
            if all(following[needed[x]] == needed[y] for x, y in following.items()):
                continue
            names = [self._piece(x) for x in order]
            turn = names.index(min(names))
            shown = " ".join(map(str, names[turn:] + names[:turn]))
            points = [int(self.arrangement[x]) for x in order]
            return self._refuse(
                f"{self.tiles}s {shown} always keep this cyclic order, and the goal has another",
                kind="cycle",
                order=points,
            )
        return None

    def _few_pieces(self, needed: list[int]) -> Verdict:
        """As few pieces as possible that alone cannot get to their places."""
        import numpy as np

        degree = self.group.degree
        watched = list(range(self.puzzle.piece_count))
        slot_of = {self._piece(k * self.turns) - 1: k for k in range(self.puzzle.piece_count)}

        def impossible(pieces: list[int]) -> bool:
            a, b = np.zeros(degree, dtype=np.uint32), np.zeros(degree, dtype=np.uint32)
            for k in pieces:
                for mark in range(self.turns):
                    x = slot_of[k] * self.turns + mark
                    a[x] = b[needed[x]] = x + 1
            found, certain = self.group.core.recolour(a, b, 1_000_000)
            return certain and found is None

        for k in list(watched):
            fewer = [other for other in watched if other != k]
            if impossible(fewer):
                watched = fewer
        pieces = [k + 1 for k in watched]
        names = f"{self.tiles}s {_and(pieces)}" if len(pieces) > 1 else f"{self.tiles} {pieces[0]}"
        why = (
            "the loops of this board make only "
            + f"{self.group.order:,} of the permutations of its {self.tiles}s"
        )
        if self.group.name == "PGL(2,5)":
            why = _THETA0
        return self._refuse(
            f"{names} cannot all get to their places together: {why}", kind="pieces", pieces=pieces
        )

    # Colours

    def _recolouring(self) -> tuple[list[int] | None, bool, NDArray[np.uint32], NDArray[np.uint32]]:
        """An element that brings the colours home, if one is found; whether that is certain; the colours."""
        import numpy as np

        label = np.array(point_colours(self.puzzle), dtype=np.uint32)
        here = np.ascontiguousarray(label[self.arrangement])
        target = self.family.to_base(self.goal_shape, self.goal_arrangement)
        there = np.ascontiguousarray(label[target])
        # The group keeps the ends of a gourd together, so the colours at the points say all.
        found, certain = self.group.core.recolour(here, there, 5_000_000)
        return found, certain, here, there

    def _coloured(self) -> Verdict:
        import numpy as np

        found, certain, here, there = self._recolouring()
        if found is not None:
            return self._yes(np.array(found, dtype=np.uint16), self._named_goal(found))
        if not certain:
            raise TooLarge(f"too many ways to match the colours of {self.puzzle.text}")
        for orbit in self.group.orbits:
            points = list(orbit)
            if sorted(here[points].tolist()) != sorted(there[points].tolist()):
                cells = self._cells_of(points)
                inside = sorted(int(self.arrangement[x]) for x in orbit)
                return self._refuse(
                    f"the {self.tiles}s at {'cell' if len(cells) == 1 else 'cells'} {_and(cells)} stay among "
                    "themselves, and the goal wants other colours there",
                    kind="colours",
                    points=inside,
                )
        verdict = self._odd_colours(here.tolist(), there.tolist()) if self.turns == 1 else None
        if verdict is not None:
            return verdict
        return self._refuse("no loop of moves brings these colours to their places", kind="words")

    def _odd_colours(self, here: list[int], there: list[int]) -> Verdict | None:
        """Colours that do not repeat are as good as numbers, and may be in the way of parity."""
        needed = list(range(len(here)))
        for orbit in self.group.orbits:
            have, want = sorted(orbit, key=lambda x: here[x]), sorted(orbit, key=lambda x: there[x])
            for x, y in zip(have, want, strict=True):
                needed[x] = y
        classes = self._piece_classes()
        swaps = [1 << i for i, slots in enumerate(classes) if len({here[x] for x in slots}) < len(slots)]
        relation = self._relation(needed, classes, "pieces", swaps)
        if relation is None:
            return None
        pieces = sorted(self._piece(k) for c in relation for k in classes[c])
        names = " ".join((self.puzzle.colours or ())[piece - 1][0] for piece in pieces)
        return self._refuse(
            f"{self.tiles}s {names} would need an odd permutation, and every loop moves them evenly",
            kind="parity",
            on="pieces",
            pieces=pieces,
            goal=[list(cells) for cells in self._named_goal(needed)],
        )

    def _named_goal(self, found: Sequence[int]) -> tuple[Cells, ...]:
        """The goal with the numbers that the pieces of the start get there."""
        import numpy as np

        moved = np.empty_like(self.arrangement)
        moved[np.array(found)] = self.arrangement
        return self.graph.configuration(self.goal_shape, self.family.from_base(self.goal_shape, moved)).pieces

    def _cells_of(self, points: list[int]) -> list[int]:
        return sorted({self.start.pieces[self._piece(x) - 1][0] for x in points})


def _and(items: Sequence[object], most: int = 8) -> str:
    texts = [str(item) for item in items]
    if len(texts) > most:
        return ", ".join(texts[:most]) + f" and {len(texts) - most} more"
    return " and ".join(([", ".join(texts[:-1])] if len(texts) > 1 else []) + texts[-1:])


def _never_gets(board: Board, here: int, there: int) -> str:
    between = _gates(board, here, there)
    if between is None:
        return f"can never get from cell {here} to cell {there}: there is no way between them"
    because = f": every way leads through cell {between[0]}" if between else ""
    return f"can never get from cell {here} to cell {there}{because}"


def _gates(board: Board, here: int, there: int) -> list[int] | None:
    """The cells that every way from here to there passes, sorted; None if there is no way.

    >>> from slidelab.boards import board
    >>> _gates(board("graph 0-1 1-2 2-0 2-3 3-4 4-5 5-3"), 0, 4)
    [2, 3]
    """
    path = shortest_path(board.neighbours, [here], there.__eq__)
    if not path:
        return None
    at: dict[int, set[int]] = {cell: set() for cell in path}
    for number, block in enumerate(blocks(board)):
        for cell in block:
            if cell in at:
                at[cell].add(number)
    # A cell is passed by every way just if this one comes in and goes out by different blocks.
    through = [at[a] & at[b] for a, b in pairwise(path)]
    return sorted(cell for cell, a, b in zip(path[1:], through, through[1:], strict=False) if a != b)


def _even_relation(rows: list[int], needed: int) -> list[int] | None:
    """A set of bits in which all rows have even weight and `needed` odd: linear algebra over two elements.

    >>> _even_relation([0b011, 0b110], 0b001)
    [0, 1, 2]
    """
    pivots: dict[int, int] = {}
    for row in rows:
        for bit, pivot in pivots.items():
            if row >> bit & 1:
                row ^= pivot
        if row:
            bit = row.bit_length() - 1
            for other in pivots:
                if pivots[other] >> bit & 1:
                    pivots[other] ^= row
            pivots[bit] = row
    rest = needed
    for bit, pivot in pivots.items():
        if rest >> bit & 1:
            rest ^= pivot
    if not rest:
        return None
    # One free bit of what is left, and the pivots whose rows contain it, give the relation.
    free = rest.bit_length() - 1
    return sorted([free, *(bit for bit, pivot in pivots.items() if pivot >> free & 1)])


def _full_cycle(group: PermutationGroup, orbit: Sequence[int]) -> list[int] | None:
    """The orbit in the order of an element that runs through all of it."""
    for element in group.elements(limit=5000):
        order = [0]
        while (following := element[order[-1]]) != 0:
            order.append(following)
        if len(order) == len(orbit):
            rises = sum(b > a for a, b in pairwise(order))
            if 2 * rises < len(order):  # walk round the way the slots are numbered
                order = [0, *order[:0:-1]]
            return [sorted(orbit)[x] for x in order]
    return None
