"""Text for LaTeX."""

from __future__ import annotations

__all__ = ["escape_latex", "is_plain_latex"]

_COMMANDS = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "\u2013": "--",
    "\u2014": "---",
    "\u2018": "`",
    "\u2019": "'",
    "\u2026": r"\dots{}",
    "\u2190": r"$\leftarrow$",
    "\u2191": r"$\uparrow$",
    "\u2192": r"$\rightarrow$",
    "\u2193": r"$\downarrow$",
    "\u2212": r"$-$",
    "\u00b7": r"$\cdot$",
    "\u00d7": r"$\times$",
    "\u03b8": r"$\theta$",
    "\u2264": r"$\leq$",
    "\u2265": r"$\geq$",
}
"""Characters that LaTeX would take for commands, or does not find in its fonts."""


def is_plain_latex(text: str) -> bool:
    """Return whether a text can be written with the fonts that every LaTeX has.

    Examples
    --------
    >>> is_plain_latex("15"), is_plain_latex("\u7ea2")
    (True, False)
    """
    return all(character in _COMMANDS or " " <= character <= "~" for character in text)


def escape_latex(text: str) -> str:
    r"""Return a text in which LaTeX finds no commands of its own; other characters stay.

    Examples
    --------
    >>> print(escape_latex("50% of {a_1}"))
    50\% of \{a\_1\}
    """
    plain = text.replace('"', "''")
    return "".join(_COMMANDS.get(character, character) for character in plain)
