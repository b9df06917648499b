"""What the server and its worker processes say to each other: frames of MessagePack over pipes."""

from __future__ import annotations

from typing import Any

import msgspec

from slidelab.errors import OutOfTime, PuzzleError, TooLarge, Unsolvable

__all__ = [
    "BoardTooLarge",
    "Call",
    "FileAnswer",
    "Refusal",
    "Reply",
    "decode_reply",
    "encode",
    "error_refusal",
    "one_line",
    "to_json",
]

HEADER_BYTES = 4
"""Length of the header of a frame, which is the length of the rest."""

MAX_FRAME_BYTES = 256_000_000
"""Longest frame; films and solutions are shorter."""


class BoardTooLarge(TooLarge):
    """The board that a request describes is larger than the server takes."""


class Call(msgspec.Struct, frozen=True, array_like=True):
    """A task for a worker: a name in `slidelab.studio.worker.TASKS` with its arguments as JSON.

    A call without a task cancels the one with the same number.
    """

    number: int
    task: str = ""
    arguments: bytes = b"{}"
    seconds: float = 2.0
    memory: int = 300_000_000
    threads: int = 1
    cells: int = 10_000
    depth: int = 32
    reports: bool = False
    """Whether progress is reported."""


class Reply(msgspec.Struct, frozen=True, array_like=True):
    """An event of a task: ``begun``, ``progress``, ``best``, and last ``result``, ``file`` or ``error``."""

    number: int
    event: str
    data: bytes
    """JSON; of a file, its content."""
    media_type: str = ""
    resident_bytes: int = 0
    """Memory of the worker, with the last event."""

    @property
    def is_last(self) -> bool:
        """Whether no event of the task follows."""
        return self.event in ("result", "file", "error")


class Refusal(msgspec.Struct, frozen=True):
    """Why there is no answer: one line, the exit code that a command would have, and the HTTP status."""

    error: str
    exit_code: int = 2
    status: int = 400


class FileAnswer(msgspec.Struct, frozen=True):
    """A file as the answer to a call."""

    content: bytes
    media_type: str


def encode(message: Call | Reply) -> bytes:
    """Return a message as a frame."""
    body = msgspec.msgpack.encode(message)
    return len(body).to_bytes(HEADER_BYTES, "big") + body


_REPLIES = msgspec.msgpack.Decoder(Reply)


def decode_reply(body: bytes) -> Reply:
    """Return the reply in a frame without its header."""
    return _REPLIES.decode(body)


def error_refusal(error: Exception) -> Refusal | None:
    """Return the refusal for an error of slidelab; None for a defect.

    >>> error_refusal(PuzzleError("expected a board")).status
    400
    """
    line = one_line(str(error))
    if isinstance(error, Unsolvable):
        return Refusal(line, 1, 409)
    if isinstance(error, BoardTooLarge):
        return Refusal(line, 3, 413)
    if isinstance(error, OutOfTime | TooLarge):
        return Refusal(line, 3, 503)
    if isinstance(error, MemoryError):
        return Refusal("out of memory; a smaller board would help", 3, 503)
    if isinstance(error, PuzzleError):
        return Refusal(line, 2, 400)
    return None


MAX_LINE_CHARACTERS = 1000
"""Length of a message; longer ones are cut in the middle."""


def one_line(message: str) -> str:
    r"""Return a message as one line that a page can show.

    >>> one_line("two\nlines")
    'two lines'
    """
    line = " ".join("".join(c if c.isprintable() else " " for c in message).split())
    if len(line) > MAX_LINE_CHARACTERS:
        line = f"{line[: MAX_LINE_CHARACTERS // 2]} ... {line[-MAX_LINE_CHARACTERS // 2 :]}"
    return line


def to_json(value: Any) -> bytes:
    """Return a value as JSON; integers stay integers however large."""
    import json

    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
