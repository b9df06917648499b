"""The commands `play` and `studio`, the same: the page on which puzzles are built, played and solved."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from slidelab.cli.arguments import read_input
from slidelab.cli.options import LIMITS, flag, integer, text
from slidelab.cli.output import DONE
from slidelab.errors import NotationError

if TYPE_CHECKING:
    from slidelab.studio.limits import Limits

DEFAULT_PORT = 8765

MAX_JOBS = 64


@Parameter(name="*", group=LIMITS)
@dataclass(frozen=True, kw_only=True)
class JobLimits:
    """Limits of every job that a page starts."""

    jobs: Annotated[int | None, integer("jobs that run at once (default: one for each core)")] = None
    time: Annotated[float, Parameter(help="time limit of a job in seconds")] = 60.0
    memory: Annotated[str | None, Parameter(help="memory limit of a job such as 2G (default: 1G)")] = None


DEFAULT_JOB_LIMITS = JobLimits()


def play(
    puzzle: Annotated[str | None, text("the puzzle or position to begin with, see below")] = None,
    *,
    port: Annotated[int, integer("port; the next one that is free if it is taken, 0 for any")] = DEFAULT_PORT,
    host: Annotated[str, Parameter(help="address to listen at; others than this machine need a token")] = (
        "127.0.0.1"
    ),
    token: Annotated[
        str | None, Parameter(help="what the address must contain; made up if others can reach the server")
    ] = None,
    no_browser: Annotated[bool, flag("do not open the page in a browser")] = False,
    limits: JobLimits = DEFAULT_JOB_LIMITS,
) -> int:
    """Play, build and solve puzzles on a page in the browser."""
    from slidelab.packages import require

    for package in ("starlette", "uvicorn"):
        require(package, "the studio needs", "studio")
    from slidelab.studio.server import bind, make_studio, serve

    own = _limits(limits)
    start_text = "" if puzzle is None else _read_start(puzzle)
    if not 0 <= port <= 65_535:
        raise NotationError(f"expected a port from 0 to 65535, got {port} - at --port")
    if token is not None and not (token.isascii() and token.isprintable() and token.strip() == token != ""):
        raise NotationError(f"expected a token of printable ASCII characters, got {token!r:.60} - at --token")
    listener = bind(host, port)
    studio, address = make_studio(listener, host, token, own, start_text)

    def started() -> None:
        print(address, flush=True)
        if not no_browser:
            _open_browser(address)

    serve(listener, studio, started)
    return DONE


def _limits(given: JobLimits) -> Limits:
    """Return the limits of the server for these options."""
    from slidelab.arguments import check_seconds, parse_bytes
    from slidelab.budget import available_cores
    from slidelab.studio.limits import Limits

    if given.jobs is not None and not 1 <= given.jobs <= MAX_JOBS:
        raise NotationError(f"expected from 1 to {MAX_JOBS} jobs, got {given.jobs} - at --jobs")
    try:
        check_seconds(given.time)
        memory = Limits().job_memory if given.memory is None else parse_bytes(given.memory)
    except NotationError as error:
        message, _, keyword = str(error).rpartition(" - at ")
        raise NotationError(f"{message} - at --{keyword}") from None
    cores = available_cores()
    jobs = given.jobs or max(1, cores)
    threads = max(1, cores // jobs)
    return replace(Limits(), jobs=jobs, job_seconds=given.time, job_memory=memory, job_threads=threads)


def _read_start(source: str) -> str:
    """Return the text or JSON of the puzzle to begin with, which may be in a file: the server reads none."""
    from slidelab.cli.output import json_text
    from slidelab.puzzles import read_document

    document = read_document(read_input(source))
    if document.start is None and document.moves is None and document.cells is None:
        return document.puzzle.text
    if document.is_position and document.goal is None and document.moves is None and document.cells is None:
        return document.start.text if document.start is not None else document.puzzle.text
    form: dict[str, Any] = {"puzzle": document.puzzle.to_json()}
    for name, own in (("start", document.start), ("goal", document.goal)):
        if own is not None:
            form[name] = own.to_json()
    if document.cells is not None:
        form["cells"] = list(document.cells)
    if (solution := document.solution()) is not None:
        form["moves"] = [move.to_json() for move in solution.moves]
    return json_text(form)


def _open_browser(address: str) -> None:
    """Open the page in a thread, because some browsers keep their caller waiting."""
    import threading
    import webbrowser

    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
