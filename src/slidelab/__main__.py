"""The command line, `slidelab` or `python -m slidelab`: stopped by the user even while it loads."""

from __future__ import annotations

import sys


def main() -> None:
    """Load the command line, and run it."""
    try:
        from slidelab.cli import main as run
    except KeyboardInterrupt:
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
