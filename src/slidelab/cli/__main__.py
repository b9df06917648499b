"""The command line as a process: `python -m slidelab.cli`, and what `slidelab` runs."""

import sys

# In memory already, while the module `signal` takes time to load.
from _signal import SIG_IGN, SIGINT, signal  # type: ignore[import-not-found]

__all__ = ["main"]


def main() -> None:
    """Run the command line as the only task of this process and exit, whatever interrupts it."""
    try:
        from slidelab.cli.interrupts import ignore_signals, install_handlers

        install_handlers()
        from slidelab.cli.app import POOL_COMMANDS, exit_code
        from slidelab.mpi import launch

        if sys.argv[1:2] and sys.argv[1] in POOL_COMMANDS:
            from slidelab.cli.ranks import run_together

            code = run_together(exit_code)
        elif launch() is None:
            code = exit_code()
        else:
            from slidelab.cli.processes import run_alike, run_first

            code = (run_alike if sys.argv[1:2] == ["god"] else run_first)(exit_code)
        ignore_signals()
    except KeyboardInterrupt:
        signal(SIGINT, SIG_IGN)  # a second one may come before the handlers are installed
        code = _stopped()
    except SystemExit:  # by SIGTERM
        ignore_signals()
        raise
    except Exception as error:  # while modules were imported
        code = _failed(error)
    sys.exit(code)


def _stopped() -> int:
    """Print that a Ctrl-C came before a command began, or after it ended."""
    from slidelab.cli.interrupts import ignore_signals
    from slidelab.cli.output import STOPPED, print_error

    ignore_signals()
    return print_error("stopped", STOPPED)


def _failed(error: Exception) -> int:
    """Print an error that is not one of a command; Python wraps those of classes that are being made."""
    from slidelab.cli.output import print_defect

    if isinstance(error.__cause__, KeyboardInterrupt):
        return _stopped()
    return print_defect(error, sys.argv[1:])


if __name__ == "__main__":
    main()
