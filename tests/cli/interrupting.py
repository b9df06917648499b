"""Run a command again and again in this fresh interpreter's children, and interrupt each at another moment.

The arguments are the kind of moment (``import`` or ``call``), how many moments, how many signals each, and
the command. Prints a JSON list with the moment, the exit code, standard error and the files left by each.
"""

import json
import os
import signal
import sys
import tempfile
from pathlib import Path
from random import Random
from traceback import print_exc


class Imports:
    """Counts imports, and sends signals at one of them."""

    def __init__(self, at: int, signals: int) -> None:
        self.at, self.signals, self.count = at, signals, 0

    def find_spec(self, *_: object) -> None:
        self.count += 1
        if self.count == self.at:
            send(self.signals)


class Calls:
    """Counts calls of Python functions, and sends signals at one of them."""

    def __init__(self, at: int, signals: int) -> None:
        self.at, self.signals, self.count = at, signals, 0

    def __call__(self, frame: object, event: str, value: object) -> None:
        if event == "call":
            self.count += 1
            if self.count == self.at:
                sys.setprofile(None)
                send(self.signals)


def send(signals: int) -> None:
    for _ in range(signals):
        os.kill(os.getpid(), signal.SIGINT)


def child(kind: str, at: int, signals: int, words: list[str], count_to: str) -> None:
    from slidelab.__main__ import main

    sys.argv = ["slidelab", *words]
    counter = Imports(at, signals) if kind == "import" else Calls(at, signals)
    if isinstance(counter, Imports):
        sys.meta_path.insert(0, counter)
    try:
        if isinstance(counter, Calls):
            sys.setprofile(counter)
        main()
    finally:
        if not at:
            Path(count_to).write_text(str(counter.count))


def run(kind: str, at: int, signals: int, words: list[str]) -> dict[str, object]:
    with tempfile.TemporaryDirectory() as folder:
        errors = Path(folder) / "stderr"
        work = Path(folder) / "work"
        work.mkdir()
        pid = os.fork()
        if pid == 0:
            os.dup2(os.open(errors, os.O_WRONLY | os.O_CREAT), 2)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            os.chdir(work)
            os.environ["SLIDELAB_CACHE"] = str(work)
            try:
                child(kind, at, signals, words, f"{folder}/count")
            except SystemExit as end:
                os._exit(int(end.code or 0))
            except BaseException:
                print_exc()
            os._exit(99)
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        count = Path(folder) / "count"
        return {
            "at": at,
            "code": code,
            "err": errors.read_text(),
            "left": [path.name for path in work.iterdir()],
            "count": int(count.read_text()) if count.exists() else 0,
        }


def moments(kind: str, number: int, signals: int, words: list[str]) -> list[dict[str, object]]:
    whole = run(kind, 0, 0, words)
    total = int(str(whole["count"]))
    chosen = range(1, total + 1)
    if total > number:
        chosen = sorted(Random(1).sample(chosen, number))  # type: ignore[assignment]
    return [whole, *(run(kind, at, signals, words) for at in chosen)]


if __name__ == "__main__":
    kind, number, signals, *words = sys.argv[1:]
    print(json.dumps(moments(kind, int(number), int(signals), words)))
