"""The glossary: what the terms mean that answers and documents use.

Its entries are in ``glossary.md`` beside this file, of which ``docs/design/words.md`` is a copy.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from slidelab.errors import NotationError
from slidelab.messages import did_you_mean, quoted

__all__ = ["Entry", "explain", "glossary"]

FILE = Path(__file__).with_name("glossary.md")

_ENTRY = re.compile(r"- \*\*(?P<term>.+?)\*\*(?: \((?P<aliases>[^)]*)\))?: (?P<text>.*)")
_LINK = re.compile(r"\[([^\]]*)\]\(([^)]*)\)")


@dataclass(frozen=True, slots=True)
class Entry:
    """A term, other names for it, the section of the glossary that it is in, and what it means."""

    term: str
    aliases: tuple[str, ...]
    section: str
    text: str


@cache
def glossary() -> tuple[Entry, ...]:
    """Return all entries in the order of the glossary.

    >>> glossary()[0].term, glossary()[2].aliases
    ('Board', ('blank', 'empty cell'))
    """
    return tuple(_entries(FILE.read_text(encoding="utf-8")))


def explain(term: str) -> Entry:
    """Return the entry of a term; case, plural and punctuation make no difference.

    Parameters
    ----------
    term
        A term, or another name that its entry lists.

    Raises
    ------
    NotationError
        If there is no such entry. The message names a similar term.

    Examples
    --------
    >>> explain("Gods-numbers").term
    "God's number"
    >>> explain("partiy")
    Traceback (most recent call last):
    slidelab.errors.NotationError: expected a term of the glossary, got 'partiy'; did you mean 'parity'?
    """
    by_name = {_plain(name): entry for entry in reversed(glossary()) for name in (*entry.aliases, entry.term)}
    by_name |= {_plain(entry.term): entry for entry in glossary()}
    plain = _plain(term)
    for name in (plain, plain.removesuffix("s"), plain.removesuffix("es"), f"{plain}s"):
        if name in by_name:
            return by_name[name]
    names = [name.lower() for entry in glossary() for name in (entry.term, *entry.aliases)]
    raise NotationError(f"expected a term of the glossary, got {quoted(term)}{did_you_mean(term, names)}")


def _plain(name: str) -> str:
    """Return a name without what people leave out or write in several ways."""
    return " ".join(re.sub(r"[-_]", " ", re.sub(r"['’*\\]", "", name.lower())).split())


def _entries(text: str) -> Iterator[Entry]:
    section, lines = "", list[str]()
    for line in [*text.splitlines(), "## end"]:
        if line.startswith("  ") and lines:
            lines.append(line.strip())
            continue
        if lines:
            yield _entry(" ".join(lines), section)
            lines = []
        if line.startswith("## "):
            section = line.removeprefix("## ")
        elif line.startswith("- "):
            lines = [line]


def _entry(line: str, section: str) -> Entry:
    match = _ENTRY.fullmatch(line)
    if match is None:
        raise ValueError(f"no entry of the glossary: {line}")
    aliases = tuple(part.strip() for part in (match["aliases"] or "").split(",") if part.strip())
    text = _LINK.sub(r"\1 (docs/design/\2)", match["text"]).replace("docs/design/../", "docs/")
    return Entry(_unmarked(match["term"]), aliases, section, _unmarked(text))


def _unmarked(text: str) -> str:
    r"""Return Markdown without bold face, emphasis and code marks.

    >>> _unmarked(r"**turns**, `A*`, *of* IDA\*")
    'turns, A*, of IDA*'
    """
    code = re.split(r"`([^`]*)`", text)
    for k in range(0, len(code), 2):
        stars = re.sub(r"(?<![\w\\*])\*{1,2}([^*]+?)(?<!\\)\*{1,2}(?!\w)", r"\1", code[k])
        code[k] = stars.replace("\\*", "*")
    for k in range(1, len(code), 2):
        code[k] = f"'{code[k]}'" if " " in code[k] and "'" not in code[k] else code[k]
    return "".join(code)
