"""Ctrl-C and SIGTERM: they end the command once, wherever they find it, and never with a traceback.

Python raises `KeyboardInterrupt` between any two instructions: while modules are imported, while the message
about an earlier one is printed, while files are removed, while the interpreter exits. So the process has a
handler of its own from its first line to its last. It raises the exception once; what follows within
`REPEAT_SECONDS` belongs to the same wish and must not interrupt the clean-up. An exception that Python cannot
pass on, because it was raised in a destructor or in the callback of a weak reference, is raised again a
moment later; so is one that is lost in the code of others, if nobody acknowledges it. While an extension
module starts, its code in C would print the exception or make another one of it, so it waits for the end of
that. Once the exit code is known, signals are ignored.
"""

from __future__ import annotations

import signal
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sys import UnraisableHookArgs
    from types import FrameType

__all__ = ["acknowledge", "ignore_signals", "install_handlers", "was_interrupted"]

REPEAT_SECONDS = 2.0
"""Time after a Ctrl-C in which further ones belong to it: clean-up takes less, and impatience more."""

RETRY_SECONDS = 0.01
"""Time after which an exception that Python could not pass on is raised again."""

LOST_SECONDS = 4.0
"""Time after which an exception counts as lost: longer than any clean-up that is worth waiting for."""

_signals: list[tuple[int, float]] = []
"""Number and time of each signal that became an exception."""


def was_interrupted() -> bool:
    """Return whether a signal became an exception, which other code may have turned into another one."""
    return bool(_signals)


def acknowledge() -> None:
    """Say that the exception has arrived where it is handled."""
    signal.setitimer(signal.ITIMER_REAL, 0)


def install_handlers() -> None:
    """Handle signals as the module describes; ignored ones (as under nohup) stay ignored."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _end)
    signal.signal(signal.SIGALRM, _end_again)
    sys.unraisablehook = _unraisable


def ignore_signals() -> None:
    """Let nothing interrupt the rest of this process, which only exits."""
    acknowledge()
    for number in (signal.SIGALRM, signal.SIGINT, signal.SIGTERM):
        # First a function: Python complains about a signal that was caught before it is ignored.
        signal.signal(number, _do_nothing)
        signal.signal(number, signal.SIG_IGN)
    # CPython remembers a KeyboardInterrupt that left the code of an `exec` (as dataclasses use it) until the
    # next one, and if it does so at the end, kills itself by the signal instead of returning the exit code.
    exec("")


def _end(number: int, frame: FrameType | None) -> None:
    """Raise the exception of a signal, unless it repeats an earlier one."""
    now = time.monotonic()
    if not _signals or now - _signals[-1][1] > REPEAT_SECONDS:
        _signals.append((number, now))
        signal.setitimer(signal.ITIMER_REAL, LOST_SECONDS, LOST_SECONDS)
        _raise(number, frame)


def _end_again(number: int, frame: FrameType | None) -> None:
    """Raise an exception that was lost."""
    if _signals:
        _raise(_signals[-1][0], frame)


def _raise(number: int, frame: FrameType | None) -> None:
    """Raise the exception of a signal, now or after the start of an extension module."""
    if _starts_extension(frame):
        signal.setitimer(signal.ITIMER_REAL, RETRY_SECONDS, LOST_SECONDS)
    else:
        raise _exception(number)


def _starts_extension(frame: FrameType | None) -> bool:
    """Return whether code is run for the start of an extension module, such as those of numpy."""
    while frame is not None:
        loads = frame.f_code.co_name in ("create_module", "exec_module")
        if loads and type(frame.f_locals.get("self")).__name__ == "ExtensionFileLoader":
            return True
        frame = frame.f_back
    return False


def _exception(number: int) -> BaseException:
    return KeyboardInterrupt() if number == signal.SIGINT else SystemExit(128 + number)


def _do_nothing(number: int, frame: object) -> None:
    pass


def _unraisable(lost: UnraisableHookArgs) -> None:
    """Raise an exception of ours again as soon as it can be passed on; report others as Python does."""
    if _signals and issubclass(lost.exc_type, KeyboardInterrupt | SystemExit):
        signal.setitimer(signal.ITIMER_REAL, RETRY_SECONDS, LOST_SECONDS)
    else:
        sys.__unraisablehook__(lost)
