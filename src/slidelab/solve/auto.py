"""The method `auto`: named steps that are tried in order, from the cheapest to the most expensive.

A step either answers, or adds to what is known (a solution, a lower bound, a heuristic) and lets the next
one go on. What one step found is never lost: whatever a later step raises, the best solution is returned.
As long as there is no solution, a step that may come to nothing has a share of the time only, so that there
is time for the construction, which is sure.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

from slidelab.distance.bounds import TooManyStates
from slidelab.errors import NotationError, OutOfTime, TooLarge
from slidelab.gains import count_shapes, gain_graph
from slidelab.messages import big_number, byte_size
from slidelab.puzzles import Puzzle, Solution
from slidelab.reach.route import find_route
from slidelab.solve.acceptance import any_puzzle, for_cycle, for_peel
from slidelab.solve.constructions import by_peeling, construct, shorten_best
from slidelab.solve.gourds.board_beam import improve_by_board_beams, improve_by_windows
from slidelab.solve.gourds.cycles import near_gourds
from slidelab.solve.method import MethodName
from slidelab.solve.patterns.heuristic import Heuristic, heuristic_for
from slidelab.solve.patterns.store import stored_for
from slidelab.solve.patterns.symmetry import canonical_shape
from slidelab.solve.search.algorithms import bidirectional_search, ida_star
from slidelab.solve.search.anytime import anytime, find_any, improve_quickly
from slidelab.solve.search.beam import beam_partitions, find_by_beam, improve_by_beams, quick_databases
from slidelab.solve.search.ranking import has_fitted_weights
from slidelab.solve.search.segments import improve_by_segments
from slidelab.solve.task import Task

__all__ = ["AUTO", "HUGE", "MIDDLE", "Step", "solve_automatically"]

CONSTRUCTIVE: dict[MethodName, Callable[[Puzzle], str | None]] = {
    "peel": for_peel,
    "cycle": for_cycle,
    "group": any_puzzle,
}
"""Constructive methods and what they accept, in the order in which they are tried."""


class _Auto:
    """A task, and what its steps have learned about the puzzle."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.heuristic: Heuristic | None = None
        self.table_bytes = task.budget.memory + 1
        self.size = "there are too many configurations for a table"
        puzzle, policy = task.puzzle, task.policy
        pivoting = puzzle.rule.corner == "pivot"
        limit = policy.max_search_gourds if pivoting else policy.max_search_pieces
        self.searchable = puzzle.piece_count <= limit and find_route(puzzle, task.budget).name != "theorem"
        self.beam_width = 0
        may_beam = policy.beam and policy.construct and puzzle.piece_count <= policy.max_beam_pieces
        self.beamable = may_beam and self.has_few_shapes()
        self.board_beamable = not self.beamable and self.may_beam_on_board()
        self.searchable = self.searchable and not self.board_beamable
        self.has_network = has_fitted_weights(puzzle)

    def has_few_shapes(self) -> bool:
        """Return whether the moves of all shapes are listed in moments."""
        puzzle, policy = self.task.puzzle, self.task.policy
        shapes = count_shapes(puzzle, policy.near_count_work, budget=self.task.budget)
        return shapes is not None and shapes * puzzle.piece_count <= policy.max_near_work

    def may_beam_on_board(self) -> bool:
        """Return whether the shapes of pieces of several cells are too many to list, and the pieces few."""
        task, puzzle, policy = self.task, self.task.puzzle, self.task.policy
        allowed = policy.beam and policy.construct and puzzle.rule.cells > 1
        hard = task.doubt is not None or not self.searchable
        return allowed and hard and puzzle.piece_count <= policy.max_board_beam_pieces

    @property
    def is_gourd_search(self) -> bool:
        """Whether starts near the goal are found by the search for gourds with one hole."""
        puzzle = self.task.puzzle
        return puzzle.rule.corner == "pivot" and puzzle.hole_count == 1 and puzzle.colours is None

    @property
    def reason(self) -> str:
        beams = ""
        if self.beam_width:
            improved = self.task.best is not None and self.task.best.method == "beam"
            found = "improved it" if improved else "found none shorter"
            beams = f"; beams of up to {self.beam_width:,} states {found}"
        if self.heuristic is None:
            return f"{self.size}{beams}"
        if self.has_network and not self.searchable:
            return (
                f"{self.size}{beams}, ranked by a network; {self.heuristic.description} bound it from below"
            )
        return f"{self.size}; {self.heuristic.description} guide the search{beams}"


def _always(_: _Auto) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Step:
    """One step of `auto`: `run` answers, or returns None and leaves it to the next step."""

    name: str
    run: Callable[[_Auto], Solution | None]
    when: Callable[[_Auto], bool] = _always
    share: float = 1.0
    """Part of the time left that the step may take while there is no solution."""
    is_sure: bool = False
    """Whether the step is taken, with a little grace, also if time is up and there is no solution."""


# When steps are taken


def _is_quick_to_set_up(auto: _Auto) -> bool:
    """Return whether a search needs no large gain graph (that for gourds with one hole needs none)."""
    puzzle, policy = auto.task.puzzle, auto.task.policy
    if auto.is_gourd_search:
        return True
    if puzzle.piece_count > policy.max_near_pieces:
        return False
    return auto.has_few_shapes()


def _may_not_end(auto: _Auto) -> bool:
    task = auto.task
    return task.policy.construct and (
        task.budget.deadline is not None or task.puzzle.piece_count > task.policy.max_certain_pieces
    )


def _nothing_found(auto: _Auto) -> bool:
    return auto.task.best is None


def _needs_construction(auto: _Auto) -> bool:
    return _nothing_found(auto) and auto.task.policy.construct


def _nothing_found_yet(auto: _Auto) -> bool:
    return _nothing_found(auto) and not auto.task.budget.expired


def _beams_first(auto: _Auto) -> bool:
    """Return whether IDA* may not end, so that better solutions come before better bounds."""
    return auto.beamable and auto.task.puzzle.piece_count > auto.task.policy.max_certain_pieces


def _may_search_for_ever(auto: _Auto) -> bool:
    """Return whether nothing but a proof, which may never come, would end the search."""
    return _beams_first(auto) and auto.task.budget.deadline is None


def _lists_shapes(auto: _Auto) -> bool:
    return auto.beamable


def _lists_no_shapes(auto: _Auto) -> bool:
    return auto.board_beamable


def _improves_by_weights(auto: _Auto) -> bool:
    return auto.task.budget.deadline is not None and not _beams_first(auto)


def _fits_table(auto: _Auto) -> bool:
    task = auto.task
    fits = auto.table_bytes <= task.budget.memory and not task.database_bytes
    return fits and _time_left(task, task.policy.first_search_seconds)


def _worth_larger_databases(auto: _Auto) -> bool:
    task, policy = auto.task, auto.task.policy
    size = auto.heuristic.databases.size if auto.heuristic else 0
    small = task.database_bytes is None and size < policy.large_database_bytes // 4
    return small and _time_left(task, policy.large_database_seconds)


def _time_left(task: Task, seconds: float) -> bool:
    left = task.budget.time_left
    return left is None or left > seconds


# What they do


def _table(auto: _Auto, size: int) -> Solution | None:
    task = auto.task
    try:
        return task.by_table(min(task.budget.memory, size))
    except TooManyStates as error:
        auto.table_bytes = error.needed_bytes
        states, needs = big_number(error.states), byte_size(error.needed_bytes)
        auto.size = f"a table of all {states} configurations would take {needs}"
        return None


def _tiny_table(auto: _Auto) -> Solution | None:
    return _table(auto, auto.task.policy.tiny_table_bytes)


def _small_table(auto: _Auto) -> Solution | None:
    return _table(auto, auto.task.policy.small_table_bytes)


def _near(auto: _Auto) -> Solution | None:
    """Answer if start and goal are only a few moves apart."""
    task, policy = auto.task, auto.task.policy
    reason = "the start is near the goal"
    if auto.is_gourd_search:
        moves, task.lower_bound = near_gourds(task.start, task.goal, task.budget, policy.near_nodes)
        if moves is None:
            return None
        return Solution(task.start, task.goal, moves, True, "bidirectional", reason=reason)
    heuristic = heuristic_for(task.goal, 0, budget=task.budget)
    task.learn(bidirectional_search(heuristic, task.start, task.budget, max_nodes=policy.near_nodes))
    return task.answer(reason) if task.best else None


def _construct(auto: _Auto) -> Solution:
    task, puzzle = auto.task, auto.task.puzzle
    names = [name for name, accepts in CONSTRUCTIVE.items() if accepts(puzzle) is None]
    reason = f"no search for a shortest solution ends with {puzzle.piece_count:,} {puzzle.rule.piece}s"
    try:
        return construct(task, names, reason=reason)
    except OutOfTime:
        if "cycle" not in names:
            raise
    # Sorting gourds along a cycle takes only moments on most boards.
    overtime = replace(task, budget=task.budget.extend(task.policy.grace_seconds), shorten=False)
    with suppress(OutOfTime, NotationError):
        return construct(overtime, ["cycle"], reason=reason)
    raise task.gave_up()


def _construct_first(auto: _Auto) -> None:
    """Construct a solution, so that there is one when time is up."""
    task = auto.task
    if for_peel(task.puzzle) is None:
        solution = by_peeling(task)
        task.keep(solution)
        seconds, left = task.policy.max_first_shorten_seconds, task.budget.time_left
        if _beams_first(auto):
            seconds /= 4
        shorten_best(task, solution, seconds if left is None else min(seconds, left / 4))


def _construct_quickly(auto: _Auto) -> None:
    """Construct a solution and shorten it for moments, before beams improve it."""
    task, puzzle = auto.task, auto.task.puzzle
    auto.size = f"no search for a shortest solution ends with {puzzle.piece_count:,} {puzzle.rule.piece}s"
    names = [name for name, accepts in CONSTRUCTIVE.items() if accepts(puzzle) is None]
    shorten, task.shorten = task.shorten, False
    try:
        solution = construct(task, names)
    finally:
        task.shorten = shorten
    seconds, left = task.policy.max_first_shorten_seconds / 4, task.budget.time_left
    if auto.beamable:
        seconds = task.policy.max_first_shorten_seconds / 20  # beams from the start need no short solution
    shorten_best(task, solution, seconds if left is None else min(seconds, left / 16))


def _load_quick_databases(auto: _Auto) -> None:
    """Load the databases on disk, or build such as are finished soon."""
    task, policy = auto.task, auto.task.policy
    graph = gain_graph(task.puzzle, task.budget)
    size, shape = task.database_bytes, canonical_shape(graph, graph.place(task.goal)[0])
    partitions = beam_partitions(graph, shape, policy)
    if size is None and not stored_for(graph, shape):
        left = task.budget.time_left
        seconds = policy.quick_database_seconds if left is None else left * policy.beam_database_share
        if auto.has_network and not auto.searchable and left is not None:
            seconds = min(policy.bound_seconds, left / 20)  # they are not needed to rank states
        size, partitions = quick_databases(graph, task.budget, seconds, partitions)
    auto.heuristic = task.heuristic(size, partitions)
    if task.best is None:
        find_any(task, auto.heuristic)


def _beams(auto: _Auto, heuristic: Heuristic) -> None:
    """Improve the solution by beams, and shorten the best."""
    task, policy = auto.task, auto.task.policy
    left = task.budget.time_left
    if auto.searchable:
        seconds = (policy.beam_seconds if left is None else left) * policy.beam_share
        beams = task.budget.share(seconds)
        first = beams.share(seconds * (1 - policy.segment_share)) if auto.has_network else beams
        auto.beam_width = improve_by_beams(task, heuristic, first)
        if auto.has_network and task.best is not None and not task.is_settled and not beams.expired:
            auto.beam_width = max(auto.beam_width, improve_by_segments(task, heuristic, beams))
        most = policy.max_first_shorten_seconds / 4 if left is None else left / 50
    else:
        _beams_without_proof(auto, heuristic)
        most = policy.max_last_shorten_seconds
    if task.best is not None and not task.is_settled and task.shorten is not False:
        if (left := task.budget.time_left) is not None:
            most = min(most, max(0.0, left - policy.answer_seconds))
        shorten_best(task, task.best, most)


def _beams_without_proof(auto: _Auto, heuristic: Heuristic) -> None:
    """Find a shorter solution by a narrow beam, and improve it by beams between its states."""
    task, policy = auto.task, auto.task.policy
    left = task.budget.time_left
    whole = task.budget.share(policy.segment_seconds) if left is None else task.budget
    first = whole.share((whole.time_left or 0.0) * policy.first_beams_share)
    plain = heuristic_for(task.goal, 0, budget=first) if auto.has_network else heuristic
    auto.beam_width, speed = find_by_beam(task, plain, first)
    if task.best is not None and task.best.method != "beam":
        # What was constructed is still the best. It gets the time that it would have without beams.
        _construct_well(auto)
        whole = task.budget.share(policy.segment_seconds) if left is None else task.budget
    seconds = whole.time_left or 0.0
    reserved = min(policy.last_shorten_share * seconds, policy.max_last_shorten_seconds)
    width = improve_by_segments(task, heuristic, whole.share(seconds - reserved), speed)
    auto.beam_width = max(auto.beam_width, width)


def _construct_well(auto: _Auto) -> None:
    """Construct a solution with all that makes it shorter, in a part of the time left."""
    task, left = auto.task, auto.task.budget.time_left
    if task.shorten is False:
        return
    whole = task.budget
    if left is not None:
        task.budget = whole.share(left * task.policy.construction_share)
    names = [name for name, accepts in CONSTRUCTIVE.items() if accepts(task.puzzle) is None]
    try:
        with suppress(OutOfTime, NotationError, TooLarge):
            construct(task, names)
    finally:
        task.budget = whole


def _board_beams(auto: _Auto) -> None:
    """Improve the solution by beams on the board itself: as a whole, then window by window."""
    task, policy = auto.task, auto.task.policy
    left = task.budget.time_left
    seconds = policy.beam_seconds if left is None else max(0.0, left - policy.answer_seconds)
    whole = task.budget.share(seconds)
    auto.beam_width = improve_by_board_beams(task, whole.share(seconds * (1 - policy.window_share)))
    if not task.is_settled and task.shorten is not False:
        improve_by_windows(task, whole)


def _answer_beams(auto: _Auto) -> Solution | None:
    if auto.task.best is None:
        return None
    return auto.task.answer(auto.reason)


def _load_databases(auto: _Auto) -> None:
    if _beams_first(auto):
        _load_quick_databases(auto)
        return
    auto.heuristic = auto.task.heuristic()
    if auto.task.best is None:
        find_any(auto.task, auto.heuristic)


def _load_larger_databases(auto: _Auto, _: Heuristic) -> None:
    auto.task.database_bytes = auto.task.policy.large_database_bytes
    auto.heuristic = auto.task.heuristic()


def _improve(auto: _Auto, heuristic: Heuristic) -> None:
    improve_quickly(auto.task, heuristic)


def _ida_star(auto: _Auto, heuristic: Heuristic) -> Solution | None:
    task, policy = auto.task, auto.task.policy
    seconds, left = policy.first_search_seconds, task.budget.time_left
    if _may_search_for_ever(auto):
        seconds = policy.beam_seconds
    budget = task.budget.share(seconds if left is None else min(seconds, left / 2))
    bound, below = task.lower_bound, task.best_length
    outcome = ida_star(heuristic, task.start, budget, lower_bound=bound, below=below)
    task.learn(outcome)
    return task.answer(auto.reason, "ida") if outcome.finished else None


def _full_table(auto: _Auto, _: Heuristic) -> Solution:
    solution = auto.task.by_table(auto.task.budget.memory)
    return replace(solution, reason=f"{solution.reason}, and IDA* took too long")


def _anytime(auto: _Auto, heuristic: Heuristic) -> Solution:
    return anytime(auto.task, heuristic, auto.reason, beams=not auto.beam_width)


def _guided(run: Callable[[_Auto, Heuristic], Solution | None]) -> Callable[[_Auto], Solution | None]:
    """Return a step that is passed over if no heuristic could be loaded."""
    return lambda auto: None if auto.heuristic is None else run(auto, auto.heuristic)


AUTO: tuple[Step, ...] = (
    Step("tiny distance table", _tiny_table),
    Step("bidirectional search", _near, when=_is_quick_to_set_up, share=0.2),
    Step("small distance table", _small_table, share=0.4),
    Step("construction, to have a solution in hand", _construct_first, when=_may_not_end),
    Step("pattern databases", _load_databases),
    Step("construction", _construct, when=_needs_construction, is_sure=True),
    Step("beam search", _guided(_beams), when=_beams_first),
    Step("weighted A*", _guided(_improve), when=_improves_by_weights),
    Step("IDA*", _guided(_ida_star)),
    Step("answer", _answer_beams, when=_may_search_for_ever),
    Step("distance table", _guided(_full_table), when=_fits_table),
    Step("larger pattern databases", _guided(_load_larger_databases), when=_worth_larger_databases),
    Step("anytime search", _guided(_anytime)),
)
"""Steps for puzzles of which a search for a shortest solution may end."""

MIDDLE: tuple[Step, ...] = (
    Step("bidirectional search", _near, when=_is_quick_to_set_up, share=0.2),
    Step("construction, to have a solution in hand", _construct_quickly, is_sure=True),
    Step("beam search on the board", _board_beams, when=_lists_no_shapes),
    Step("pattern databases", _load_quick_databases, when=_lists_shapes),
    Step("beam search", _guided(_beams)),
    Step("answer", _answer_beams),
    Step("construction", _construct, when=_needs_construction, is_sure=True),
)
"""Steps for puzzles without hope for a proof, but with few pieces."""

HUGE: tuple[Step, ...] = (
    Step("bidirectional search", _near, when=_is_quick_to_set_up, share=0.2),
    Step("construction", _construct, when=_needs_construction, is_sure=True),
    Step("bidirectional search on a large gain graph", _near, when=_nothing_found_yet),
)
"""Steps for larger puzzles."""


def solve_automatically(task: Task) -> Solution:
    """Take the steps of `AUTO`, `MIDDLE` or `HUGE` until one answers, or return the best solution."""
    auto, budget = _Auto(task), task.budget
    refusal: Exception | None = None
    may_beam = auto.beamable or auto.board_beamable
    for step in AUTO if auto.searchable else MIDDLE if may_beam else HUGE:
        if budget.expired and (task.best is not None or not step.is_sure):
            continue
        if budget.expired:
            task.budget = budget.extend(task.policy.grace_seconds)
        elif budget.time_left is not None and step.share < 1 and task.best is None:
            task.budget = budget.share(budget.time_left * step.share)
        try:
            solution = step.run(auto) if step.when(auto) else None
        except OutOfTime:
            refusal = None
        except (NotationError, TooLarge, MemoryError) as error:
            refusal = error
        except Exception as error:
            if task.best is None:
                raise
            auto.size += f"; the step {step.name!r} failed ({type(error).__name__}), please report this"
        else:
            if solution is not None:
                return solution
        finally:
            task.budget = budget
    if task.best is not None:
        return task.answer(auto.reason, "anytime" if auto.searchable and budget.expired else None)
    raise task.doubt or refusal or task.gave_up()
