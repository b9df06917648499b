"""What the page offers to begin with: families of boards, rules, and a gallery of named puzzles."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import Any

import msgspec

from slidelab.boards.kinds import KINDS
from slidelab.boards.text import GRAPH_FAMILIES, LATTICE_FAMILIES, MIN_ARGUMENT
from slidelab.errors import NotationError, PuzzleError
from slidelab.messages import quoted
from slidelab.puzzles import puzzle
from slidelab.rules import RULES

__all__ = ["GALLERY", "Named", "daily_puzzle", "families", "library", "rules"]

MAX_SIDE = 100
"""Largest number of cells along a side that the page offers: a board of 10,000 cells."""

MAX_VERTICES = 200
"""Largest size of a graph that the page offers; positions of more are hard to see."""

MAX_COMPLETE = 40
"""Vertices of the largest complete graph that the page offers: 780 edges."""


@dataclass(frozen=True, slots=True)
class Named:
    """A puzzle of the gallery: its name, the text or JSON of a position, its group, and a line about it."""

    name: str
    text: str
    group: str
    about: str

    def to_json(self) -> dict[str, str]:
        """Return the JSON form."""
        return {"name": self.name, "text": self.text, "group": self.group, "about": self.about}


_NINE_GOURDS = {
    "puzzle": {
        "board": "hex F(3)",
        "rule": "gourds",
        "holes": 1,
        "colours": [
            ["blue", "blue"],
            ["blue", "green"],
            ["blue", "green"],
            ["blue", "red"],
            ["blue", "red"],
            ["green", "green"],
            ["green", "red"],
            ["green", "red"],
            ["red", "red"],
        ],
    },
    "cells": [
        *("red", "red", "red"),
        *("blue", "red", "red", "red"),
        *("blue", "blue", ".", "green", "green"),
        *("blue", "blue", "green", "green"),
        *("blue", "green", "green"),
    ],
    "start": {"gourds": [[7, 8], [4, 1], [11, 10], [5, 9], [16, 17], [14, 18], [2, 6], [12, 13], [0, 3]]},
}

_PETERSEN = "0-1 1-2 2-3 3-4 4-0 0-5 1-6 2-7 3-8 4-9 5-7 7-9 9-6 6-8 8-5"  # a pentagon, spokes, a pentagram

GALLERY: tuple[Named, ...] = (
    Named(
        "The 15-puzzle",
        "square R(4,4) : 5 1 2 4 10 9 7 8 13 6 . 3 15 11 14 12",
        "Classics",
        "Fifteen tiles and one hole: the craze of 1880.",
    ),
    Named(
        "Loyd's 15-puzzle",
        "square R(4,4) : 1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 .",
        "Classics",
        "14 and 15 swapped, with a prize of 1,000 dollars for a solution. There is none: parity forbids it.",
    ),
    Named(
        "The 8-puzzle",
        "square R(3,3) : 1 2 3 7 4 6 5 . 8",
        "Classics",
        "Small enough that every distance is known; good to begin with.",
    ),
    Named(
        "Hardest 8-puzzle, first",
        "square R(3,3) : 8 6 7 2 5 4 3 . 1",
        "Classics",
        "One of only two positions that need 31 moves, more than any other.",
    ),
    Named(
        "Hardest 8-puzzle, second",
        "square R(3,3) : 6 4 7 8 5 . 3 2 1",
        "Classics",
        "The other of the two positions that need 31 moves.",
    ),
    Named(
        "The 24-puzzle",
        "square R(5,5) : 1 13 3 5 . 11 2 7 4 10 8 22 18 9 14 12 6 17 24 15 16 21 19 23 20",
        "Classics",
        "Twenty-four tiles: shortest solutions can take minutes to prove.",
    ),
    Named(
        "Parallelogram P(3,3)",
        "hex P(3,3)",
        "Hexagons",
        "Seven hexagonal tiles and two holes; the two sharp corners are tight.",
    ),
    Named(
        "Parallelogram P(3,4)",
        "hex P(3,4)",
        "Hexagons",
        "Ten hexagonal tiles; a tile needs two holes beside each other to move.",
    ),
    Named(
        "Parallelogram P(4,4)",
        "hex P(4,4)",
        "Hexagons",
        "364 components: tiles in the tight corners always come back there.",
    ),
    Named("Flower F(2)", "hex F(2)", "Hexagons", "Five tiles around a flower of seven hexagons."),
    Named("Flower F(3)", "hex F(3)", "Hexagons", "Seventeen tiles on a hexagon of hexagons."),
    Named("Triangle T(5)", "hex T(5)", "Hexagons", "Three tight corners: what lies there is stuck."),
    Named(
        "Trimmed triangle Ttr(5)",
        "hex Ttr(5)",
        "Hexagons",
        "The triangle without its tight corners: every tile can go everywhere.",
    ),
    Named(
        "Trimmed parallelogram Ptr(4,4)",
        "hex Ptr(4,4)",
        "Hexagons",
        "The parallelogram without its tight corners.",
    ),
    Named(
        "The star",
        "hex star",
        "Hexagons",
        "The star that cannot be played: like this nothing can move, and six tiles are stuck for ever.",
    ),
    Named(
        "Nine gourds",
        msgspec.json.encode(_NINE_GOURDS).decode(),
        "Gourds and trimers",
        "The coloured puzzle of the gourds paper: every half on a cell of its colour.",
    ),
    Named(
        "Gourds on a flower",
        "hex F(3) gourds",
        "Gourds and trimers",
        "Nine pieces of two cells that slide, turn and pivot.",
    ),
    Named("Three gourds", "hex F(2) gourds", "Gourds and trimers", "Three gourds and one hole: a first try."),
    Named(
        "Trimers",
        "hex F(3) trimers",
        "Gourds and trimers",
        "Flexible chains of three cells.",
    ),
    Named(
        "Theta zero",
        "theta(1,2,2)",
        "Graphs",
        "The exception in Wilson's theorem: six tiles, and only 120 of 720 arrangements.",
    ),
    Named("Petersen", f"graph {_PETERSEN}", "Graphs", "Nine tiles on the Petersen graph, in any order."),
    Named("A polygon", "cycle(7)", "Graphs", "Tiles on a cycle keep their order: nothing but going round."),
    Named(
        "The king's board",
        "king R(3,3)",
        "Graphs",
        "Tiles that move like a king: also across the corners, so parity no longer forbids anything.",
    ),
)

_DAILY = (
    "square R(3,3)",
    "hex F(2)",
    "square R(4,3)",
    "hex P(3,3) hextiles 3",
    "square R(4,4)",
    "hex F(2) gourds",
    "king R(3,3)",
    "theta(1,2,2)",
    "square R(5,3)",
    "hex P(3,4) gourds",
    "hex Ptr(4,4)",
)
"""Puzzles of which there is a new one every day; their number shares no factor with that of weekdays."""


def library(day: date) -> dict[str, Any]:
    """Return families, rules and the gallery, with the puzzle of a day first.

    >>> found = library(date(2026, 11, 18))
    >>> found["gallery"][0]["group"], found["rules"][0]["name"]
    ('Daily', 'tiles')
    """
    gallery = [daily_puzzle(day), *GALLERY]
    return {"families": families(), "rules": rules(), "gallery": [named.to_json() for named in gallery]}


def daily_puzzle(day: date) -> Named:
    """Return the puzzle of a day, the same on every machine.

    >>> daily_puzzle(date(2026, 11, 18)) == daily_puzzle(date(2026, 11, 18))
    True
    """
    number = day.toordinal()
    kind = puzzle(_DAILY[number % len(_DAILY)], files=False)
    start = kind.shuffle(seed=number)
    if start == kind.goal:
        start = kind.shuffle(seed=number + 1_000_000)
    about = f"The puzzle of {day.isoformat()}: {kind.text}."
    return Named(f"Puzzle of the day, {day.isoformat()}", start.text, "Daily", about)


def read_date(text: str | None) -> date:
    """Return the date in a text such as 2026-11-18, today's by default.

    >>> read_date("yesterday")
    Traceback (most recent call last):
    slidelab.errors.NotationError: expected a date such as 2026-11-18, got 'yesterday'
    """
    if text is None:
        return date.today()
    try:
        if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text, re.ASCII):
            return date.fromisoformat(text)
    except ValueError:
        pass
    raise NotationError(f"expected a date such as 2026-11-18, got {quoted(text)}")


def families() -> list[dict[str, Any]]:
    """Return the families of boards with their parameters, as `slidelab boards` lists them.

    >>> families()[0]["text"], families()[0]["parameters"][0]
    ('hex P(3,4)', {'name': 'columns', 'min': 1, 'max': 100, 'default': 3})
    """
    found = []
    about = dict(KINDS)
    for kind, members in LATTICE_FAMILIES.items():
        for name, (_, signature, _) in members.items():
            found.append(_family(kind, name, signature, about, MAX_SIDE))
    for name, (_, signature, _) in GRAPH_FAMILIES.items():
        largest = MAX_COMPLETE if name == "complete" else MAX_VERTICES
        found.append(_family("graph", name, signature, about, largest))
    return found


def _family(kind: str, name: str, signature: str, about: dict[str, str], largest: int) -> dict[str, Any]:
    prefix = name if kind == "graph" else f"{kind} {name}"
    text = next(text for text in about if text == prefix or text.startswith(f"{prefix}("))
    values = [int(value) for value in re.findall(r"[0-9]+", text.partition("(")[2])]
    names = [part for part in signature.partition("(")[2].rstrip(")").split(",") if part]
    made = puzzle(text, files=False)
    least = MIN_ARGUMENT.get(name, 1)
    parameters = [
        {"name": own, "min": least, "max": largest, "default": value}
        for own, value in zip(names, values, strict=True)
    ]
    return {
        "kind": kind,
        "name": name,
        "text": text,
        "template": prefix + (f"({','.join(f'{{{own}}}' for own in names)})" if names else ""),
        "parameters": parameters,
        "rule": made.rule.name,
        "holes": made.hole_count,
        "rules": [rule for rule in RULES if _is_possible(text, rule)],
        "about": about[text],
    }


def _is_possible(text: str, rule: str) -> bool:
    try:
        puzzle(text, rule, files=False)
    except PuzzleError:
        return False
    return True


def rules() -> list[dict[str, Any]]:
    """Return the rules with what the page must know about them.

    >>> [rule["name"] for rule in rules()][:3]
    ['tiles', 'hextiles', 'gourds']
    """
    return [
        {
            "name": rule.name,
            "piece": rule.piece,
            "cells": rule.cells,
            "fewest_holes": rule.fewest_holes,
            "about": (rule.__doc__ or rule.name).strip().splitlines()[0],
        }
        for rule in RULES.values()
    ]
