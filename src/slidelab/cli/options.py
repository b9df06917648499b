"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Group, Parameter, Token

from slidelab.budget import MAX_SHAPES, Budget
from slidelab.cli.progress import progress_bar
from slidelab.errors import NotationError

if TYPE_CHECKING:
    from cyclopts.completion import CompletionContext


def flag(help: str) -> Parameter:  # noqa: A002
    """Return a switch that is off by default."""
    return Parameter(negative="", show_default=False, help=help)


def text(
    help: str,  # noqa: A002
    *names: str,
    completer: Callable[[CompletionContext], object] | None = None,
) -> Parameter:
    """Return an option whose value may be ``-`` for standard input."""
    return Parameter(name=names or None, allow_leading_hyphen=True, help=help, completer=completer)


def integer(help: str) -> Parameter:  # noqa: A002
    """Return an option whose value is a whole number."""
    return Parameter(help=help, converter=_whole_number)


def _whole_number(form: object, tokens: Sequence[Token]) -> int:
    """Read a whole number, of any length; the reader of cyclopts rounds 2.5, and fails beyond floats."""
    try:
        return int(tokens[0].value, 10)
    except ValueError:
        raise ValueError(f"expected a whole number, got {tokens[0].value!r:.40}") from None


Json = Annotated[bool, flag("print JSON instead of text")]
Seed = Annotated[int | None, integer("start from a random configuration with this seed")]
Cells = Annotated[
    str | None,
    text("coloured gourds: the colour of each cell of the goal, . for an empty one: 'red*3 . blue*3'"),
]
Metric = Annotated[
    Literal["single", "straight"],
    Parameter(help="what counts as one move: each single step, or a straight row of tiles pushed at once"),
]
Time = Annotated[float | None, Parameter(help="time limit in seconds")]
Memory = Annotated[str | None, Parameter(help="memory limit such as 2G (default: most of the machine's)")]
Threads = Annotated[int | None, integer("number of threads (default: all cores)")]
MaxShapes = Annotated[
    int | None, integer(f"largest number of shapes of the puzzle (default: {MAX_SHAPES:,})")
]
ShowProgress = Annotated[
    bool, Parameter(show_default=False, help="draw a progress bar (default: on a terminal)")
]
LIMITS = Group("Limits", sort_key=1)


@Parameter(name="*", group=LIMITS)
@dataclass(frozen=True, kw_only=True)
class Limits:
    """Limits of a computation in one thread."""

    time: Time = None
    memory: Memory = None
    max_shapes: MaxShapes = None
    progress: ShowProgress = True

    def budget(self) -> AbstractContextManager[Budget]:
        """Yield the budget of these options, which draws a progress bar."""
        return budget_from(self.time, self.memory, None, self.max_shapes, self.progress)


@Parameter(name="*", group=LIMITS)
@dataclass(frozen=True, kw_only=True)
class SearchLimits(Limits):
    """Limits of a computation in several threads."""

    threads: Threads = None

    def budget(self) -> AbstractContextManager[Budget]:
        """Yield the budget of these options, which draws a progress bar."""
        return budget_from(self.time, self.memory, self.threads, self.max_shapes, self.progress)


@Parameter(name="*", group=LIMITS)
@dataclass(frozen=True, kw_only=True)
class HintLimits(SearchLimits):
    """Limits of a search that somebody waits for."""

    time: Time = 2.0


DEFAULT_LIMITS = Limits()
DEFAULT_HINT_LIMITS = HintLimits()
DEFAULT_SEARCH_LIMITS = SearchLimits()


@contextmanager
def budget_from(
    time: float | None = None,
    memory: str | None = None,
    threads: int | None = None,
    max_shapes: int | None = None,
    progress: bool = True,
) -> Iterator[Budget]:
    """Yield the budget of these options, which draws a progress bar; errors name the option."""
    with progress_bar(progress) as callback:
        with option_names("time", "memory", "threads", "max_shapes"):
            budget = Budget.of(time, memory, threads, max_shapes, callback)
        yield budget


@contextmanager
def option_names(*keywords: str) -> Iterator[None]:
    """Let errors about keywords of a function name the options of the command.

    >>> with option_names("max_shapes"):
    ...     raise NotationError("expected a number, got 'x' - at max_shapes")
    Traceback (most recent call last):
    slidelab.errors.NotationError: expected a number, got 'x' - at --max-shapes
    """
    try:
        yield
    except NotationError as error:
        message, _, place = str(error).rpartition(" - at ")
        if place not in keywords:
            raise
        raise NotationError(f"{message} - at --{place.replace('_', '-')}") from None
