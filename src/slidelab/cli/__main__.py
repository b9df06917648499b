"""The command line as a process: `python -m slidelab.cli`, and what `slidelab` runs."""

from __future__ import annotations

import sys
from typing import NoReturn

__all__ = ["main"]


def main() -> NoReturn:
    """Run the command line as the only task of this process and exit, whatever interrupts it."""
    try:
        from slidelab.cli.interrupts import ignore_signals, install_handlers

        install_handlers()
        from slidelab.cli.app import exit_code

        code = exit_code()
        ignore_signals()
    except KeyboardInterrupt:
        code = _stopped()
    except SystemExit:  # by SIGTERM
        ignore_signals()
        raise
    sys.exit(code)


def _stopped() -> int:
    """Print that a Ctrl-C was heard before a command began, or after it ended."""
    from slidelab.cli.interrupts import ignore_signals
    from slidelab.cli.output import STOPPED, print_error

    ignore_signals()
    return print_error("stopped", STOPPED)


if __name__ == "__main__":
    main()
