"""The widget: a game that the notebook shows and Python sees, kept in one trait that both sides change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import traitlets
from anywidget import AnyWidget

from slidelab.draw.page.template import fill, join_modules, read_text
from slidelab.draw.play.page import FOLDER, MODULES, STYLES, PlayPage
from slidelab.errors import NotationError, PuzzleError
from slidelab.messages import counted
from slidelab.puzzles import Configuration, ConfigurationLike, Move, Solution
from slidelab.puzzles.move_sources import MovesLike, read_moves

if TYPE_CHECKING:
    from slidelab.draw.theme import Theme

__all__ = ["PuzzleWidget"]

_OWN = Path(__file__).parent


@cache
def _script() -> str:
    """Return the front end as one ES module: the modules that play a puzzle, and the widget."""
    return join_modules([read_text(path) for path in (*MODULES, _OWN / "widget.js")])


def _document(page: PlayPage) -> dict[str, Any]:
    """Return what the front end shows: the content of a shadow tree, its style sheet, and the data."""
    body = read_text(FOLDER / "play.html").replace("@@theme_button@@", "") + read_text(_OWN / "widget.html")
    css = "".join(map(read_text, (*STYLES, _OWN / "widget.css")))
    return {
        "html": f'<div class="widget" tabindex="-1">{fill(body, page.values)}</div>',
        "css": page.values["styles"].replace(":root", ".widget") + fill(css, page.values),
        "data": page.data,
    }


class _Position(traitlets.TraitType[Configuration, ConfigurationLike]):
    info_text = "a configuration, or anything that Puzzle.configuration reads"

    def validate(self, obj: Any, value: ConfigurationLike) -> Configuration:
        return obj.puzzle.configuration(value)  # type: ignore[no-any-return]


class _Moves(traitlets.TraitType[tuple[Move, ...], MovesLike]):
    info_text = "moves from the start of the game"
    default_value = ()

    def validate(self, obj: Any, value: MovesLike | Iterable[MovesLike]) -> tuple[Move, ...]:
        sources = [value] if isinstance(value, str | Move | Solution) else list(value)  # type: ignore[arg-type]
        moves = read_moves(obj.start, sources)
        obj.start.play(moves)  # refuses illegal ones
        return tuple(moves)


class _Solution(traitlets.TraitType[Solution | None, Solution | None]):
    info_text = "a solution that begins at the position, or None"
    default_value = None
    allow_none = True

    def validate(self, obj: Any, value: object) -> Solution | None:
        if value is not None and not isinstance(value, Solution):
            raise NotationError(f"expected a solution or None, got {type(value).__name__}")
        if value is not None and value.start != obj.position and value is not obj.solution:
            here, there = obj.position.text, value.start.text
            raise NotationError(
                f"expected a solution that begins at {here!r:.200}, got one from {there!r:.200}"
            )
        return value


class PuzzleWidget(AnyWidget):
    """A puzzle that can be played in a notebook; made by `Puzzle.widget`.

    Its traits can be read, set, observed and linked like those of every widget. They change when somebody
    plays, and what is set is shown at once.

    Attributes
    ----------
    puzzle : Puzzle
        The puzzle.
    goal : Configuration or None
        The goal; None if pieces must match the colours of the cells.
    position : Configuration
        What is shown. Setting it begins a new game there.
    moves : tuple of Move
        The moves made since the start of the game. Setting them plays other ones from the start.
    solution : Solution or None
        Shown with buttons to step and play through it; None once somebody leaves it. It must begin at the
        position.
    solved : bool
        Whether the position is the goal.

    Examples
    --------
    >>> import slidelab as sl
    >>> w = sl.puzzle("square R(3,3)").widget("1 2 3 4 . 5 7 8 6")
    >>> w.moves = "5:5>4 6:8>5"
    >>> w.position.pieces_text, w.solved
    ('1 2 3 4 5 6 7 8 .', True)
    >>> w.position = "1 2 3 4 5 6 . 7 8"
    >>> w.moves, w.solve()
    ((), <solution in 2 moves, shortest: 7:7>6 8:8>7>)
    """

    _esm = _script()
    _page = traitlets.Dict().tag(sync=True)
    _theme = traitlets.Unicode("auto").tag(sync=True)
    _game = traitlets.Dict().tag(sync=True)
    _solution = traitlets.Dict().tag(sync=True)
    position = _Position()
    moves = _Moves()
    solution = _Solution()
    solved = traitlets.Bool(read_only=True)

    def __init__(
        self,
        page: PlayPage,
        *,
        theme: str | Theme = "auto",
        floor: Sequence[str] | None = None,
        solve_seconds: float = 20.0,
    ) -> None:
        self.puzzle, self.goal, self.start = page.start.puzzle, page.goal, page.start
        self._floor, self._solve_seconds = floor, solve_seconds
        self._is_following = False
        name = "auto" if theme == "auto" else page.values["theme"]
        super().__init__(_page=_document(page), _theme=name, _game=_saved(page.start))
        self.on_msg(self._answer)

    def __repr__(self) -> str:
        return f"<widget of {self.position!r}>"

    def solve(self, *, time: float | None = None) -> Solution:
        """Solve the position, within some seconds, and show the solution.

        The errors are those of `Puzzle.solve`.
        """
        seconds = self._solve_seconds if time is None else time
        if self.goal is None:
            solution = self.puzzle.solve(self.position, cells=self._floor, time=seconds)
        else:
            solution = self.puzzle.solve(self.position, self.goal, time=seconds)
        self.solution = solution
        return solution

    # What is set in Python becomes a game, which the notebook shows.

    @traitlets.observe("position")
    def _begin(self, change: dict[str, Any]) -> None:
        if not self._is_following:
            self._game = _saved(change["new"])

    @traitlets.observe("moves")
    def _play(self, change: dict[str, Any]) -> None:
        if not self._is_following:
            self._game = _saved(self.start, change["new"])

    @traitlets.observe("solution")
    def _show_solution(self, change: dict[str, Any]) -> None:
        solution: Solution | None = change["new"]
        if self._is_following:
            if solution is None:
                self._solution = {}
            return
        made = len(self.moves)
        ahead = () if solution is None else tuple(solution.moves)
        texts = [move.text for move in ahead]
        self._solution = {} if solution is None else {"from": made, "moves": texts}
        self._game = _saved(self.start, (*self.moves, *ahead), made)

    # What is played in the notebook becomes position, moves and solution.

    @traitlets.observe("_game")
    def _follow(self, change: dict[str, Any]) -> None:
        game = change["new"]
        try:
            start = self.puzzle.configuration(game["start"])
            moves = read_moves(start, list(game["moves"]))[: game["made"]]
            position = start.play(moves)
        except (PuzzleError, KeyError, TypeError):
            return  # not said by our front end
        self.start = start
        self._is_following = True
        try:
            with self.hold_trait_notifications():
                self.moves = moves
                self.position = position
                self.set_trait("solved", self._is_goal(position))
                if self._solution and not self._is_on_solution(game):
                    self.solution = None
        finally:
            self._is_following = False

    def _is_goal(self, position: Configuration) -> bool:
        if self.goal is not None:
            return position == self.goal
        colours = self.puzzle.colours or ()
        floor = self._floor or ()
        return all(
            floor[cell] == own[min(k, len(own) - 1)]
            for own, cells in zip(colours, position.pieces, strict=True)
            for k, cell in enumerate(cells)
        )

    def _is_on_solution(self, game: dict[str, Any]) -> bool:
        first = self._solution["from"]
        return bool(game["made"] >= first and list(game["moves"][first:]) == self._solution["moves"])

    def _answer(self, _: object, content: dict[str, Any], buffers: Sequence[Any]) -> None:
        """Solve the position for somebody who asked for it in the notebook, and say what came of it."""
        if content.get("ask") != "solve":
            return
        try:
            solution = self.solve()
        except PuzzleError as error:
            self.send({"say": f"{str(error)[:1].upper()}{str(error)[1:]}."})
            return
        shortest = ", and no solution is shorter" if solution.optimal else ""
        self.send({"say": f"{counted(solution.length, 'move')}{shortest}."})


def _saved(start: Configuration, moves: Sequence[Move] = (), made: int | None = None) -> dict[str, Any]:
    """Return a game as the front end saves it."""
    texts = [move.text for move in moves]
    return {"start": start.pieces_text, "moves": texts, "made": len(texts) if made is None else made}
