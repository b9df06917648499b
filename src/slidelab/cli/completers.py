"""Values that shells offer for an option or an argument, asked for when the user presses Tab."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cyclopts.completion import CompletionContext

__all__ = ["boards", "files", "instance_sets", "methods", "papers", "rules", "terms", "themes"]

BOARDS = (
    "8-puzzle",
    "15-puzzle",
    "24-puzzle",
    "4x4",
    "hex P(3,4)",
    "hex T(5)",
    "hex F(3)",
    "hex F(3) gourds",
)
"""Boards that are offered beside files; what families there are is in `slidelab boards`."""


def files(context: CompletionContext) -> Iterable[str]:
    """Return the files and folders whose names begin with what was typed."""
    from glob import escape, glob
    from pathlib import Path

    found = glob(f"{escape(context.incomplete)}*")  # noqa: PTH207 (keeps what was typed, such as ./)
    return [f"{name}/" if Path(name).is_dir() else name for name in sorted(found)]


def boards(context: CompletionContext) -> Iterable[str]:
    """Return some boards, and files."""
    return [*BOARDS, *files(context)]


def methods(_: CompletionContext) -> Mapping[str, str]:
    """Return the methods of solving."""
    from slidelab.solve.methods import METHODS

    return {name: method.summary for name, method in METHODS.items()}


def rules(_: CompletionContext) -> Iterable[str]:
    """Return the rules."""
    from slidelab.rules import RULES

    return list(RULES)


def themes(_: CompletionContext) -> Iterable[str]:
    """Return the themes of pictures."""
    from slidelab.draw.theme import THEMES

    return list(THEMES)


def papers(_: CompletionContext) -> Iterable[str]:
    """Return the sizes of paper."""
    return ["a4", "letter"]


def instance_sets(_: CompletionContext) -> Mapping[str, str]:
    """Return the instance sets."""
    from slidelab.solve.instances import INSTANCE_SETS

    return {name: found.summary for name, found in INSTANCE_SETS.items()}


def terms(_: CompletionContext) -> Iterable[str]:
    """Return the terms that are explained."""
    from slidelab.glossary import glossary

    return [entry.term.lower() for entry in glossary()]
