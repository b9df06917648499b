"""What all commands share: the app, its options, and exit codes."""

from __future__ import annotations

from typing import Annotated

from cyclopts import App, Parameter

DONE, NO, BAD_INPUT, GAVE_UP, STOPPED = 0, 1, 2, 3, 130

app = App(
    name="slidelab",
    help=(
        "The laboratory for sliding puzzles: "
        "what can be reached, how far it is, how to get there, and why not."
    ),
    help_epilogue=(
        "A BOARD is a text such as 'hex P(3,4)', 'square R(4,4)' or 'theta(1,2,2)', a whole position "
        "such as 'square R(3,3) : 1 2 3 4 5 6 8 7 .', a file, or - for standard input. "
        "'slidelab boards' lists them all."
    ),
    version=lambda: __import__("slidelab").__version__,
    version_flags=["--version"],
    help_format="plaintext",  # no Markdown parser at start-up
    suppress_keyboard_interrupt=False,
)

BoardText = Annotated[str, Parameter(allow_leading_hyphen=True, help="board, puzzle or position: see below")]
Rule = Annotated[
    str | None, Parameter(help="tiles, hextiles, gourds, gourds-sharp, trimers, trimers-straight, ...")
]
Holes = Annotated[int | None, Parameter(help="number of holes")]
Colours = Annotated[
    str | None,
    Parameter(
        allow_leading_hyphen=True,
        help="colours of the pieces instead of numbers: 'a*2 b*2 c', for gourds 'a-a a-b*2'",
    ),
]
Cells = Annotated[
    str | None,
    Parameter(
        allow_leading_hyphen=True,
        help="coloured gourds: the colour of each cell of the goal, . for an empty one: 'red*3 . blue*3'",
    ),
]
Json = Annotated[
    bool, Parameter(name="--json", negative="", help="JSON for programs instead of text for people")
]
Start = Annotated[
    str | None, Parameter(allow_leading_hyphen=True, help="where the pieces start: text, JSON, a file or -")
]
Seed = Annotated[int | None, Parameter(help="shuffle with this seed")]
Shapes = Annotated[int, Parameter(name="--max-shapes", help="stop if the puzzle has more shapes than this")]
Memory = Annotated[
    str | None, Parameter(name="--memory", help="largest memory, e.g. 2G (default: most of the machine's)")
]
Threads = Annotated[int | None, Parameter(help="how many threads (default: all cores)")]
Metric = Annotated[
    str, Parameter(help="single, or straight: a straight row of tiles pushed at once counts as one move")
]

MOST_SHAPES = 3_000_000
