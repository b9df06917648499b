"""The bodies of requests and of answers, as structs that check types and make the OpenAPI document."""

from __future__ import annotations

from typing import Annotated, Literal, TypeVar

import msgspec
from msgspec import Meta, Raw

from slidelab.errors import NotationError
from slidelab.messages import quoted

__all__ = [
    "JOB_FORMATS",
    "QUICK_FORMS",
    "ExportRequest",
    "FactsRequest",
    "HintRequest",
    "JobRequest",
    "PictureRequest",
    "PuzzleRequest",
    "ShuffleRequest",
    "SolvableRequest",
    "decode",
]

MAX_TEXT = 500_000
"""Characters of a puzzle or position: a board of 10,000 cells takes some 60,000."""

MAX_SEED = 2**63 - 1

MAX_POSITIONS = 10_000
"""Vertices of a graph whose places are given."""

Text = Annotated[str, Meta(min_length=1, max_length=MAX_TEXT)]
JobKind = Literal["solve", "engine", "god", "distances", "graph", "export", "analyze"]
Positions = Annotated[list[tuple[float, float]], Meta(max_length=MAX_POSITIONS)]
ExportFormat = Literal["svg", "png", "gif", "apng", "mp4", "html", "json", "pdf", "stl", "3mf"]
DifficultyName = Literal["easy", "medium", "hard", "hardest"]


class Form(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A body; keys that it does not have are refused."""


class PuzzleRequest(Form, frozen=True, kw_only=True):
    """A puzzle or a position, as text or as JSON."""

    text: Text | None = None
    document: Raw = msgspec.field(default_factory=Raw)
    """The JSON form of a puzzle, a position or a solution; not decoded by the server itself."""
    goal: Text | None = None
    positions: Positions | None = None
    """Where the vertices of a graph are drawn."""


class PictureRequest(Form, frozen=True, kw_only=True):
    """A puzzle or position to be drawn."""

    text: Text
    theme: Literal["light", "dark", "print"] = "light"


class FactsRequest(Form, frozen=True, kw_only=True):
    """A puzzle, or one of its positions."""

    puzzle: Text | None = None
    position: Text | None = None
    goal: Text | None = None


class PositionRequest(Form, frozen=True, kw_only=True):
    """A position and perhaps a goal."""

    position: Text
    goal: Text | None = None


class SolvableRequest(PositionRequest, frozen=True, kw_only=True):
    """Can this position become the goal?"""


class HintRequest(PositionRequest, frozen=True, kw_only=True):
    """Which move is next?"""


class ShuffleRequest(Form, frozen=True, kw_only=True):
    """A puzzle to be shuffled, by a number of moves or a difficulty if one is given."""

    puzzle: Text
    goal: Text | None = None
    seed: Annotated[int, Meta(ge=0, le=MAX_SEED)] | None = None
    moves: Annotated[int, Meta(ge=0, le=1_000_000)] | None = None
    difficulty: DifficultyName | None = None


JOB_FORMATS: tuple[ExportFormat, ...] = ("gif", "apng", "mp4", "stl", "3mf")
"""Formats of files that take long enough to be jobs."""


class ExportRequest(Form, frozen=True, kw_only=True):
    """A position, with moves from there for films and pages, to be written as a file."""

    position: Text
    goal: Text | None = None
    moves: Annotated[list[Annotated[str, Meta(max_length=100)]], Meta(max_length=20_000)] | None = None
    format: ExportFormat
    theme: Literal["light", "dark", "print"] = "light"
    play: bool = True
    """Whether a page (html) can be played on, or shows the moves as a film."""
    positions: Positions | None = None


QUICK_FORMS: dict[str, type[Form]] = {
    "puzzle": PuzzleRequest,
    "facts": FactsRequest,
    "solvable": SolvableRequest,
    "hint": HintRequest,
    "shuffle": ShuffleRequest,
}
"""The body of each request that is answered while the page waits, by the name of its task."""


class JobOptions(Form, frozen=True, kw_only=True):
    """What a job may take and how it is done; only some of it concerns each kind of job."""

    time: Annotated[float, Meta(gt=0, le=86_400)] | None = None
    method: Annotated[str, Meta(max_length=40)] = "auto"
    weight: Annotated[float, Meta(ge=1, le=1000)] | None = None
    which: Literal["puzzle", "gain"] = "puzzle"
    format: ExportFormat = "gif"
    theme: Literal["light", "dark", "print"] = "light"
    play: bool = True
    moves: Annotated[list[Annotated[str, Meta(max_length=100)]], Meta(max_length=20_000)] | None = None
    positions: Positions | None = None


class JobRequest(Form, frozen=True, kw_only=True):
    """A task that may take long."""

    kind: JobKind
    puzzle: Text | None = None
    position: Text | None = None
    goal: Text | None = None
    options: JobOptions = JobOptions()


T = TypeVar("T", bound=Form)


def decode(body: bytes, form: type[T]) -> T:
    """Return a body as a struct, or raise `NotationError` that says what was expected, and where.

    >>> decode(b'{"position": 7}', HintRequest)
    Traceback (most recent call last):
    slidelab.errors.NotationError: expected `str`, got `int` - at `$.position`
    """
    try:
        return msgspec.json.decode(body, type=form)
    except (ValueError, RecursionError) as error:  # also text that is no UTF-8
        message = quoted(str(error)[:1].lower() + str(error)[1:], 200)[1:-1]
        raise NotationError(message or "expected JSON, got something else") from None
