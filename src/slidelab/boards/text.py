"""Boards as text: one line, or a drawing.

One-line texts::

    hex P(3,4)   hex T(5)   hex F(3)   hex Ptr(3,4)   hex Ttr(5)   hex star   hex 0,0 1,0 0,1
    hex trapezoid(6,3)   hex ring(5,3)   hex convex(5,4,1,2)
    square R(4,4)   king R(3,4)   square 0,0 1,0 1,1
    theta(1,2,2)   cycle(7)   path(4)   complete(5)   graph 0-1 1-2 2-0 3

Upper and lower case make no difference. Everyday names such as ``15-puzzle`` and ``4x4`` are in `shorthand`.

The first line of a drawing (see `ascii`) may be ``hex``, ``square`` or ``king``; without it the cells are
squares::

    hex
     # #
    # # #
     # #

A drawing does not show where the origin is. A drawn board that is a translate of a family member gets its
coordinates (the drawing above is ``hex F(2)``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Sequence

from slidelab.arguments import correct_words, with_suggestion
from slidelab.boards import graphs, hexagons, squares
from slidelab.boards.ascii import is_drawing, parse_drawing
from slidelab.boards.lattice import DIRECTIONS, Cell, Edge
from slidelab.boards.limits import MAX_COORDINATE
from slidelab.boards.model import Board
from slidelab.boards.shorthand import (
    expand_shorthand,
    is_shorthand,
    read_size,
    shorthand_candidates,
)
from slidelab.errors import NotationError, UnknownWord
from slidelab.messages import nearest, quoted

__all__ = [
    "is_board_text",
    "is_canonical_start",
    "lattice_board",
    "parse_board_tokens",
    "parse_text",
    "suggest_board",
]

MAX_DIGITS = len(str(MAX_COORDINATE))
"""Longest number in a text; longer ones are refused before `int`, which is slow on thousands of digits."""

# For each kind of text: name -> (function, signature for messages, allowed numbers of arguments).
Family = tuple[Callable[..., Board], str, tuple[int, ...]]
LATTICE_FAMILIES: dict[str, dict[str, Family]] = {
    "hex": {
        "P": (hexagons.parallelogram, "P(columns,rows)", (1, 2)),
        "T": (hexagons.triangle, "T(side)", (1,)),
        "F": (hexagons.flower, "F(side)", (1,)),
        "Ptr": (hexagons.trimmed_parallelogram, "Ptr(columns,rows)", (1, 2)),
        "Ttr": (hexagons.trimmed_triangle, "Ttr(side)", (1,)),
        "star": (hexagons.star, "star", (0,)),
        "trapezoid": (hexagons.trapezoid, "trapezoid(base,rows)", (2,)),
        "ring": (hexagons.hexagonal_ring, "ring(side,width)", (2,)),
        "convex": (hexagons.convex, "convex(m,n,a,b)", (4,)),
    },
    "square": {"R": (squares.rectangle, "R(columns,rows)", (1, 2))},
    "king": {"R": (squares.king_rectangle, "R(columns,rows)", (1, 2))},
}
GRAPH_FAMILIES: dict[str, Family] = {
    "theta": (graphs.theta, "theta(a,b,c)", (3,)),
    "cycle": (graphs.cycle, "cycle(n)", (1,)),
    "path": (graphs.path, "path(n)", (1,)),
    "complete": (graphs.complete, "complete(n)", (1,)),
}
KINDS = (*DIRECTIONS, "graph", *GRAPH_FAMILIES)
"""First words of boards."""

SHAPE_WORDS = {
    "parallelogram": "hex P",
    "rhombus": "hex P",
    "triangle": "hex T",
    "flower": "hex F",
    "hexagon": "hex F",
    "star": "hex star",
    "rectangle": "square R",
    "grid": "square R",
    "ring": "cycle",
    "circle": "cycle",
    "line": "path",
    "clique": "complete",
}
"""Common words for shapes, and the families they stand for in suggestions."""

MIN_ARGUMENT = {"theta": 0, "cycle": 3, "convex": 0}
ARGUMENT_COUNTS = ("no number", "one number", "two numbers", "three numbers", "four numbers")
CALL = re.compile(r"([A-Za-z]+)\(([^()]*)\)")
LOOSE_CALL = re.compile(r"([A-Za-z]+)[\s(\[{]*([0-9]+(?:[\s,;]+[0-9]+)*)[\s)\]}]*")
LETTERS = re.compile("[A-Za-z]*")
MAX_CALL_TOKENS = 5
"""Tokens of the longest call with blanks in it, ``convex 5 4 1 2``."""

WHOLE_NUMBER = re.compile("-?[0-9]+")
COORDINATES = re.compile(r"(-?[0-9]+),(-?[0-9]+)")
VERTEX_OR_EDGE = re.compile(r"([0-9]+)(?:-([0-9]+))?")
LABELLED_EDGE = re.compile(r"(\w{1,60})-(\w{1,60})")


def parse_text(text: str) -> Board:
    r"""Return the board that a one-line text or a drawing describes.

    >>> parse_text(" # \n###")
    board('square 1,0 0,1 1,1 2,1')
    """
    lines = [line.rstrip() for line in text.splitlines()]
    while lines and not lines[0]:
        lines.pop(0)
    if not lines:
        raise NotationError("expected a board such as 'hex P(3,4)', got an empty text")
    if is_drawing(lines):
        kind, cells = parse_drawing(lines)
        return lattice_board(kind, hexagons.family_translate(cells) or cells if kind == "hex" else cells)
    tokens = text.split()
    try:
        return _whole_board(tokens, text)
    except UnknownWord as error:
        raise with_suggestion(tokens, error, lambda words: _whole_board(words, text)) from None


def suggest_board(text: str) -> str | None:
    """Return the one-line board that a text with misspelt words is meant to be, None if it is unclear.

    >>> suggest_board("cylce(7)"), suggest_board("R(4,4)"), suggest_board("board.json")
    ('cycle(7)', 'square R(4,4)', None)
    """
    tokens = text.split()
    try:
        _whole_board(tokens, text)
    except UnknownWord as error:
        return correct_words(tokens, error, lambda words: _whole_board(words, text))
    except NotationError:
        return None
    return text.strip()


def _whole_board(tokens: Sequence[str], text: str) -> Board:
    board, used = parse_board_tokens(tokens, text)
    if used < len(tokens):
        raise _error("the end of the board", tokens, used, text)
    return board


def is_canonical_start(text: str) -> bool:
    """Return whether the first word of a text is the first word of a one-line board, in lower case.

    Such a text is never the name of a file.

    >>> is_canonical_start("theta(1,2,2) tiles 1"), is_canonical_start("theta.json")
    (True, False)
    """
    words = text.split(maxsplit=1)
    return bool(words) and words[0].split("(")[0] in KINDS


def is_board_text(text: str) -> bool:
    """Return whether a text begins like a one-line board, be it in upper case or by an everyday name.

    >>> is_board_text("Square R(4,4)"), is_board_text("4x4 : 1 2 3"), is_board_text("theta.json")
    (True, True, False)
    """
    words = text.partition(":")[0].lower().split(maxsplit=1)
    return bool(words) and (words[0].split("(")[0] in KINDS or is_shorthand(text))


def parse_board_tokens(tokens: Sequence[str], text: str, rules: Container[str] = ()) -> tuple[Board, int]:
    """Read a board from the front of `tokens`, and return it with the number of tokens it took.

    A list of coordinates ends at the first token without a comma, a list of edges at the first token that is
    neither ``a-b`` nor a number.

    Parameters
    ----------
    tokens
        The parts of `text` between blanks.
    text
        Quoted in errors.
    rules
        Words that end a board, though they may look like an edge between vertices that have names.

    Examples
    --------
    >>> parse_board_tokens("hex P(3, 4) hextiles 2".split(), "hex P(3, 4) hextiles 2")
    (board('hex P(3,4)'), 3)
    >>> parse_board_tokens("graph 0-1 1-2 tiles 1".split(), "graph 0-1 1-2 tiles 1")
    (board('path(3)'), 3)
    """
    if not tokens:
        raise NotationError(
            f"expected a board such as 'hex P(3,4)', got nothing - at token 1 of {quoted(text)}"
        )
    if short := expand_shorthand(tokens, text):
        expanded, used = short
        return parse_board_tokens(expanded.split(), text)[0], used
    head = tokens[0].lower()
    if head == "graph":
        listed = _before(tokens, rules)
        if len(listed) == 1:
            raise _error("an edge such as 0-1 or a vertex", tokens, 1, text)
        return _graph_tokens(listed, text)
    if head in DIRECTIONS:
        if len(tokens) > 1 and "," in tokens[1] and not _letters(tokens[1]) and "(" not in tokens[1]:
            return _coordinate_tokens(tokens, text)
        return _family_tokens(tokens, 1, LATTICE_FAMILIES[head], text)
    if head.split("(")[0] in GRAPH_FAMILIES:
        return _family_tokens(tokens, 0, GRAPH_FAMILIES, text)
    expected = f"a board ({', '.join(KINDS[:-1])} or {KINDS[-1]})"
    repaired, length = _call_candidates(tokens, 0, GRAPH_FAMILIES)
    candidates = repaired or _head_candidates(tokens[0])
    raise UnknownWord(str(_error(expected, tokens, 0, text)), 0, candidates, length)


def _before(tokens: Sequence[str], rules: Container[str]) -> Sequence[str]:
    """Return the tokens before the first that is a rule."""
    end = next((place for place, token in enumerate(tokens) if token.lower() in rules), len(tokens))
    return tokens[:end]


def lattice_board(kind: str, cells: Iterable[Cell]) -> Board:
    """Return the board of these hexagons or squares."""
    return hexagons.hex_board(cells) if kind == "hex" else squares.square_board(cells, king=kind == "king")


def _error(expected: str, tokens: Sequence[str], place: int, text: str) -> NotationError:
    got = quoted(tokens[place]) if place < len(tokens) else "nothing"
    return NotationError(f"expected {expected}, got {got} - at token {place + 1} of {quoted(text)}")


def _number(digits: str, tokens: Sequence[str], place: int, text: str) -> int:
    if len(digits.lstrip("-")) > MAX_DIGITS:
        raise _error(f"numbers of at most {MAX_DIGITS} digits", tokens, place, text)
    return int(digits)


def _head_candidates(head: str) -> tuple[str, ...]:
    """Return what the first word of a board may be meant to be."""
    name = _letters(head)
    rest = head[len(name) :]
    found = [f"{SHAPE_WORDS[word]}{rest}" for word in nearest(name, SHAPE_WORDS, likeness=0.8)]
    found += [f"{kind}{rest}" for kind in nearest(name, KINDS)]
    # "hexP(3,4)" and "R(4,4)": a blank or the kind is missing.
    found += [f"{kind} {head[len(kind) :]}" for kind in DIRECTIONS if head.lower().startswith(kind)]
    found += [f"{kind} {head}" for kind in LATTICE_FAMILIES if _family_name(name, LATTICE_FAMILIES[kind])]
    return (*found, *shorthand_candidates(head))


def _family_name(name: str, families: dict[str, Family]) -> str | None:
    """Return the name of a family in its own spelling; upper and lower case make no difference."""
    return next((family for family in families if family.lower() == name.lower()), None)


def _letters(token: str) -> str:
    """Return the letters at the beginning of a token."""
    found = LETTERS.match(token)
    return found[0] if found else ""


def _family_candidates(token: str, families: dict[str, Family]) -> tuple[str, ...]:
    """Return what the name of a family may be meant to be: one like it, or one with as many numbers."""
    name = _letters(token)
    rest = token[len(name) :]
    words = [SHAPE_WORDS[word].split()[-1] for word in nearest(name, SHAPE_WORDS, likeness=0.8)]
    likely = [word for word in words if word in families] + nearest(name, families)
    if rest.startswith("("):
        likely += [family for family, (_, _, counts) in families.items() if rest.count(",") + 1 in counts]
    return tuple(f"{family}{rest}" for family in dict.fromkeys(likely))


def _call_candidates(
    tokens: Sequence[str], place: int, families: dict[str, Family]
) -> tuple[tuple[str, ...], int]:
    """Return the call of a family that lacks its brackets or commas, and how many tokens it takes.

    >>> _call_candidates(["theta", "1", "2", "2", "tiles"], 0, GRAPH_FAMILIES)
    (('theta(1,2,2)',), 4)
    >>> _call_candidates(["hex", "P3,4"], 1, LATTICE_FAMILIES["hex"])
    (('P(3,4)',), 1)
    """
    for length in range(min(MAX_CALL_TOKENS, len(tokens) - place), 0, -1):
        match = LOOSE_CALL.fullmatch(" ".join(tokens[place : place + length]))
        name = _family_name(match[1], families) if match else None
        if match is None or name is None:
            continue
        numbers = re.findall("[0-9]+", match[2])
        if len(numbers) in families[name][2]:
            return (f"{name}({','.join(numbers)})",), length
    return (), 1


def _family_tokens(
    tokens: Sequence[str], place: int, families: dict[str, Family], text: str
) -> tuple[Board, int]:
    name = _family_name(tokens[place].split("(")[0], families) if place < len(tokens) else None
    if name is None:
        expected = " or ".join(signature for _, signature, _ in families.values())
        repaired, length = _call_candidates(tokens, place, families)
        candidates = repaired or (_family_candidates(tokens[place], families) if place < len(tokens) else ())
        raise UnknownWord(str(_error(expected, tokens, place, text)), place, candidates, length)
    make, signature, counts = families[name]
    if counts == (0,):
        if tokens[place].lower() != name:
            raise _error(signature, tokens, place, text)
        return make(), place + 1
    call, end = _call(tokens, place)
    # From here on the call counts as one token, with its blanks.
    joined = [*tokens[:place], call]
    match = CALL.fullmatch(call)
    numbers = [part.strip() for part in match[2].split(",")] if match else []
    if match and 2 in counts and (size := read_size(match[2])):
        if size[0] != size[1]:
            a, b = size
            expected = f"a comma, {name}({b},{a}) for {a} rows or {name}({a},{b}) for {b}"
            raise _error(expected, joined, place, text)
        numbers = [str(number) for number in size]
    if len(numbers) not in counts or not all(WHOLE_NUMBER.fullmatch(number) for number in numbers):
        error = _error(f"{ARGUMENT_COUNTS[counts[-1]]} in {signature}", joined, place, text)
        raise UnknownWord(str(error), place, *_call_candidates(tokens, place, families))
    values = [_number(number, joined, place, text) for number in numbers]
    least = MIN_ARGUMENT.get(name, 1)
    if min(values) < least:
        raise _error(f"numbers of at least {least} in {signature}", joined, place, text)
    return make(*values), end


def _call(tokens: Sequence[str], place: int) -> tuple[str, int]:
    """Join the tokens of a call such as ``P(3, 4)``; return it and the place after it."""
    call, end = tokens[place], place + 1
    if "(" not in call and end < len(tokens) and tokens[end].startswith("("):
        call, end = call + tokens[end], end + 1
    if "(" in call:
        while ")" not in call and end < len(tokens):
            call, end = f"{call} {tokens[end]}", end + 1
    return call, end


def _coordinate_tokens(tokens: Sequence[str], text: str) -> tuple[Board, int]:
    cells: dict[Cell, None] = {}
    for place in range(1, len(tokens)):
        if "," not in tokens[place]:
            break
        match = COORDINATES.fullmatch(tokens[place])
        if match is None:
            raise _error("coordinates such as 0,-1", tokens, place, text)
        cell = (_number(match[1], tokens, place, text), _number(match[2], tokens, place, text))
        if cell in cells:
            raise _error("different cells", tokens, place, text)
        cells[cell] = None
    return lattice_board(tokens[0].lower(), cells), len(cells) + 1


def _graph_tokens(tokens: Sequence[str], text: str) -> tuple[Board, int]:
    edges: list[Edge] = []
    vertices: set[int] = set()
    place = 1
    if any(VERTEX_OR_EDGE.fullmatch(t) is None and LABELLED_EDGE.fullmatch(t) for t in tokens[1:]):
        return _labelled_graph_tokens(tokens)
    while place < len(tokens) and (match := VERTEX_OR_EDGE.fullmatch(tokens[place])):
        ends = [_number(digits, tokens, place, text) for digits in match.groups() if digits is not None]
        vertices.update(ends)
        if len(ends) == 2:
            edges.append((ends[0], ends[1]))
        place += 1
    if place == 1:
        raise _error("an edge such as 0-1 or a vertex", tokens, 1, text)
    return graphs.from_edges(edges, vertices), place


def _labelled_graph_tokens(tokens: Sequence[str]) -> tuple[Board, int]:
    """Read edges between vertices that are called by words; single vertices are numbers."""
    edges: list[tuple[str, str]] = []
    single: list[str] = []
    place = 1
    while place < len(tokens):
        if match := LABELLED_EDGE.fullmatch(tokens[place]):
            edges.append((match[1], match[2]))
        elif VERTEX_OR_EDGE.fullmatch(tokens[place]):
            single.append(tokens[place])
        else:
            break
        place += 1
    return graphs.from_labelled_edges(edges, single), place
