"""What does a user type? The commands, from `analyze` to `bench`.

Builds on every other room. Start with `app.py`, the table of commands and exit codes; `arguments.py`
and `options.py` hold what commands read, `output.py` and `progress.py` what they print.
"""

from slidelab.cli.app import main

__all__ = ["main"]
