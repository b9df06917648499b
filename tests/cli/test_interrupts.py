"""Ctrl-C at every moment: while modules load, between any two calls, while the first one is handled."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from slidelab.cli import interrupts

SCRIPT = Path(__file__).parent / "interrupting.py"

COMMANDS = {
    "help": ["--help"],
    "boards": ["boards", "hex F(2)"],
    "analyze": ["analyze", "hex F(2)"],
    "solve": ["solve", "square R(3,3)", "--seed", "3", "--method", "ida"],
    "refused": ["solve", "square R(2,2) : 2 1 3 ."],
    "bad input": ["analyze", "hex Q(3)"],
    "draw": ["draw", "square R(2,2)", "--seed", "1", "-o", "film.gif"],
    "atlas": ["atlas", "gourds", "--cells", "7", "-o", "seven.jsonl"],
    "pdb": ["pdb", "build", "square R(3,3)", "--tables", "10K"],
    "place": ["place", "hex F(2)", "--cells", "red*3 blue . blue*2", "--colours", "red-blue*3"],
}


def interrupted(kind: str, number: int, signals: int, words: list[str]) -> list[dict[str, Any]]:
    done = subprocess.run(
        [sys.executable, SCRIPT, kind, str(number), str(signals), *words],
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def check(runs: list[dict[str, Any]]) -> None:
    whole, *others = runs
    assert whole["code"] in (0, 1, 2), whole
    assert len(others) > 5
    for run in others:
        assert run["code"] in (130, whole["code"]), run
        lines = run["err"].splitlines()
        if run["code"] == 130:
            assert len(lines) == 1, run["err"]
            assert lines[0].startswith("slidelab: stopped"), run["err"]
        else:
            assert run["err"] == whole["err"]
        assert not [name for name in run["left"] if name.endswith(".part")], run
    assert any(run["code"] == 130 for run in others)


@pytest.mark.parametrize("name", ["help", "analyze", "draw"])
def test_ctrl_c_at_every_import(name: str) -> None:
    check(interrupted("import", 25, 1, COMMANDS[name]))


@pytest.mark.parametrize("name", COMMANDS)
def test_ctrl_c_at_any_call(name: str) -> None:
    check(interrupted("call", 10, 1, COMMANDS[name]))


def test_several_ctrl_c_while_the_first_modules_load() -> None:
    check(interrupted("import", 25, 3, COMMANDS["boards"]))


@pytest.mark.parametrize("name", ["boards", "draw", "bad input"])
def test_several_ctrl_c_at_once(name: str) -> None:
    check(interrupted("call", 8, 3, COMMANDS[name]))


def fresh_process(code: str) -> subprocess.CompletedProcess[str]:
    """Run some code with the handlers of the command line installed."""
    begin = (
        "import os, signal, sys, time\nfrom slidelab.cli import interrupts\ninterrupts.install_handlers()\n"
    )
    return subprocess.run(
        [sys.executable, "-c", begin + code], capture_output=True, text=True, check=False, timeout=60
    )


@pytest.mark.parametrize("module", ["signal", "cyclopts", "slidelab.cli.app", "slidelab.cli.boards", "rich"])
def test_an_interrupt_that_python_turns_into_another_error(module: str) -> None:
    """While a class is made, Python wraps whatever its attributes raise into a RuntimeError."""
    code = f"""
import os, sys
class Named:
    def __set_name__(self, owner, name):
        os.kill(os.getpid(), {signal.SIGINT.value})
        sum(range(10))
class Finder:
    def find_spec(self, name, *_):
        if name == {module!r}:
            sys.meta_path.remove(self)
            type("Made", (), {{"named": Named()}})
sys.modules.pop({module!r}, None)
sys.meta_path.insert(0, Finder())
sys.argv = ["slidelab", "boards", "hex F(2)"]
from slidelab.__main__ import main
main()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) in ((130, "slidelab: stopped\n"), (0, ""))


def test_an_interrupted_import_of_a_package_is_no_missing_package() -> None:
    """Some packages turn what interrupts their import into an ImportError."""
    code = """
import os, sys
class Finder:
    def find_spec(self, name, *_):
        if name == "ortools":
            try:
                os.kill(os.getpid(), 2)
                sum(range(10))
            except KeyboardInterrupt:
                raise ImportError("cannot load")
sys.meta_path.insert(0, Finder())
sys.argv = ["slidelab", "place", "hex F(3)", "--cells", "a*9 b*10", "--colours", "a-b*5 a-a*2 b-b*2"]
from slidelab.__main__ import main
main()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (130, "slidelab: stopped\n")


def test_a_package_that_cannot_be_imported_is_a_defect() -> None:
    code = "import sys; sys.modules['cyclopts'] = None; sys.argv = ['slidelab', 'boards']; "
    code += "from slidelab.__main__ import main; main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 4
    assert len(done.stderr.splitlines()) == 1
    assert "report it with the command: slidelab boards" in done.stderr


def test_an_exception_lost_in_a_destructor_is_raised_again() -> None:
    done = fresh_process(
        "class Loud:\n"
        "    def __del__(self):\n"
        "        signal.raise_signal(signal.SIGINT)\n"
        "try:\n"
        "    Loud()\n"
        "    time.sleep(20)\n"
        "except KeyboardInterrupt:\n"
        "    print('caught')\n"
    )
    assert (done.stdout, done.stderr, done.returncode) == ("caught\n", "", 0)


def test_an_exception_that_others_swallow_is_raised_again() -> None:
    done = fresh_process(
        "interrupts.LOST_SECONDS = 0.2\n"
        "try:\n"
        "    try:\n"
        "        signal.raise_signal(signal.SIGINT)\n"
        "    except KeyboardInterrupt: pass\n"
        "    time.sleep(20)\n"
        "except KeyboardInterrupt:\n"
        "    print('caught')\n"
        "    interrupts.acknowledge()\n"
        "    time.sleep(0.5)\n"
        "print('done')\n"
    )
    assert (done.stdout, done.stderr) == ("caught\ndone\n", "")


def test_repeated_signals_leave_the_clean_up_alone() -> None:
    done = fresh_process(
        "try:\n"
        "    try:\n"
        "        signal.raise_signal(signal.SIGINT)\n"
        "    finally:\n"
        "        for _ in range(5): signal.raise_signal(signal.SIGINT)\n"
        "        print('clean')\n"
        "except KeyboardInterrupt:\n"
        "    interrupts.ignore_signals()\n"
        "    for _ in range(5): signal.raise_signal(signal.SIGINT)\n"
        "    print('end')\n"
    )
    assert (done.stdout, done.stderr, done.returncode) == ("clean\nend\n", "", 0)


def test_a_later_signal_interrupts_again() -> None:
    done = fresh_process(
        "interrupts.REPEAT_SECONDS = 0.1\n"
        "for _ in range(2):\n"
        "    try:\n"
        "        signal.raise_signal(signal.SIGINT)\n"
        "    except KeyboardInterrupt: print('caught')\n"
        "    interrupts.acknowledge()\n"
        "    time.sleep(0.2)\n"
    )
    assert done.stdout == "caught\ncaught\n"


def test_an_interrupt_in_an_exec_leaves_the_exit_code() -> None:
    """CPython would kill the process by the signal, though the exception was handled."""
    done = fresh_process(
        "try:\n"
        "    exec('signal.raise_signal(signal.SIGINT)')\n"
        "except KeyboardInterrupt:\n"
        "    interrupts.ignore_signals()\n"
        "    sys.exit(130)\n"
    )
    assert (done.returncode, done.stderr) == (130, "")


def test_sigterm_ends_quietly() -> None:
    command = [sys.executable, "-u", "-m", "slidelab", "boards", "--polyhexes", "16"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        child.stdout.readline()
        child.send_signal(signal.SIGTERM)
        _, err = child.communicate(timeout=60)
    assert (child.returncode, err) == (143, "")


def test_ignored_signals_stay_ignored() -> None:
    """As under nohup, or for a command in the background of a script."""
    code = "import signal, sys; signal.signal(signal.SIGINT, signal.SIG_IGN); "
    code += "from slidelab.cli import interrupts; interrupts.install_handlers(); "
    code += "signal.raise_signal(signal.SIGINT); print('alive')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "alive\n"


def test_the_time_of_repetition_is_shorter_than_that_of_loss() -> None:
    assert interrupts.RETRY_SECONDS < interrupts.REPEAT_SECONDS < interrupts.LOST_SECONDS


def test_workers_of_the_atlas_print_nothing(tmp_path: Path) -> None:
    """The signal reaches the whole group of processes, several times, as from an impatient keyboard."""
    command = [sys.executable, "-m", "slidelab", "atlas", "gourds", "--cells", "13", "--processes", "2"]
    for delay in (0.3, 0.8, 1.5):
        with subprocess.Popen(
            [*command, "-o", tmp_path / "a.jsonl"], stderr=subprocess.PIPE, text=True, start_new_session=True
        ) as child:
            time.sleep(delay)
            for _ in range(3):
                os.killpg(child.pid, signal.SIGINT)
                time.sleep(0.05)
            _, err = child.communicate(timeout=60)
        assert child.returncode == 130
        assert len(err.splitlines()) == 1
        assert err.startswith("slidelab: stopped")
