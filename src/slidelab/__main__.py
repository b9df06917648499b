"""The command line, `slidelab` or `python -m slidelab`: stopped by the user even while it loads."""

import sys


def main() -> None:
    """Load the command line, run it and exit."""
    try:
        from slidelab.cli.__main__ import main as run
    except KeyboardInterrupt:
        if sys.stderr is not None:
            sys.stderr.write("slidelab: stopped\n")
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
