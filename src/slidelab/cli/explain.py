"""The command `explain`: the glossary."""

from __future__ import annotations

from dataclasses import asdict
from itertools import groupby
from typing import Annotated

from cyclopts import Parameter

from slidelab.cli import completers
from slidelab.cli.options import Json
from slidelab.cli.output import DONE, print_answer

WIDTH = 88
"""Characters of a line of text."""


def explain(
    *term: Annotated[
        str,
        Parameter(
            help="a term, such as parity or 'tight corner'; without one, all are listed",
            completer=completers.terms,
        ),
    ],
    json: Json = False,
) -> int:
    """Explain a term such as parity or God's number, or list all terms."""
    from textwrap import fill

    from slidelab.glossary import explain as look_up
    from slidelab.glossary import glossary

    if term:
        entry = look_up(" ".join(term))
        names = f" (also {', '.join(entry.aliases)})" if entry.aliases else ""
        text = fill(
            f"{entry.term}{names}: {entry.text}", WIDTH, break_on_hyphens=False, break_long_words=False
        )
        print_answer(json, asdict(entry), text)
        return DONE
    sections = []
    for section, entries in groupby(glossary(), key=lambda entry: entry.section):
        terms = ", ".join(entry.term for entry in entries)
        sections.append(f"{section}\n{fill(terms, WIDTH, initial_indent='  ', subsequent_indent='  ')}")
    hint = "'slidelab explain TERM' explains one of them."
    print_answer(json, [asdict(entry) for entry in glossary()], "\n\n".join([*sections, hint]))
    return DONE
