"""What does a user type? The commands, from `analyze` to `bench`.

Builds on every other room. Start with `app.py`, the table of commands and exit codes; `arguments.py`
and `options.py` hold what commands read, `output.py` and `progress.py` what they print, `interrupts.py` what
Ctrl-C does.
"""

from __future__ import annotations

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit; errors become one line on standard error."""
    from slidelab.cli.app import main as run  # here, so that the import, too, can be interrupted

    run(arguments)
