"""The command line, `slidelab` or `python -m slidelab`: stopped by the user even while it loads."""

import sys

# In memory already, while the module `signal` takes time to load.
from _signal import SIG_IGN, SIGINT, signal  # type: ignore[import-not-found]


def main() -> None:
    """Load the command line, run it and exit."""
    try:
        from slidelab.cli.__main__ import main as run
    except KeyboardInterrupt:
        signal(SIGINT, SIG_IGN)
        if sys.stderr is not None:
            sys.stderr.write("slidelab: stopped\n")
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
