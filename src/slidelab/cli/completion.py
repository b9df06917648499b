"""The command `completion`: scripts with which shells complete our commands."""

from __future__ import annotations

from typing import Annotated, Literal

from cyclopts import Parameter

from slidelab.cli.options import flag
from slidelab.cli.output import DONE
from slidelab.errors import NotationError

Shell = Literal["bash", "zsh", "fish"]

ZSH_REGISTRATION = """
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _cyclopts_slidelab "$@"
else
  compdef _cyclopts_slidelab slidelab
fi
"""
"""End of the script for zsh, so that it can be sourced as well as put into a folder of `fpath`."""


def completion(
    shell: Annotated[Shell | None, Parameter(help="the shell (default: the one that runs this)")] = None,
    *,
    install: Annotated[bool, flag("write the script to its place, and have the shell load it")] = False,
) -> int:
    """Print a script that completes commands, options and their values in a shell.

    For this session: source <(slidelab completion bash), the same for zsh, slidelab completion fish | source.
    For good: slidelab completion --install.
    """
    from slidelab.cli.app import build_app

    app = build_app(summaries=True)
    chosen = shell or _detect()
    if install:
        try:
            path = app.install_completion(shell=chosen)
        except OSError as error:
            raise NotationError(f"expected a folder for the script that can be written to: {error}") from None
        print(f"{path}: completion for {chosen}; it works in shells that start from now on")
    else:
        print(app.generate_completion(shell=chosen), ZSH_REGISTRATION if chosen == "zsh" else "", sep="")
    return DONE


def _detect() -> Shell:
    """Return the shell that runs this command."""
    from cyclopts.completion.detect import ShellDetectionError, detect_shell

    try:
        found = detect_shell()
    except ShellDetectionError:
        found = None
    if found in ("bash", "zsh", "fish"):
        return found
    raise NotationError(
        "expected a shell (bash, zsh or fish), got none - the one that runs this is not known"
    )
