"""Text and JSON of puzzles, positions, configurations and moves: every form, and every kind of mistake."""

# ruff: noqa: E501 - tables of inputs and messages, one a line

import json
import re
from pathlib import Path
from typing import Any

import pytest

import slidelab as sl
from slidelab.errors import IllegalMove, NotationError, PuzzleError, TooLarge
from slidelab.puzzles import Configuration, Document, Move, Puzzle, read_document, read_move

HUGE = 10**5000  # more digits than str() will write

SQUARE = sl.puzzle("square R(2,2)")
PAINTED = sl.puzzle("square R(2,2)", colours=["a", "a", "b"])
GOURDS = sl.puzzle("hex T(3) gourds 2")
PAINTED_GOURDS = sl.puzzle("hex T(3) gourds 2", colours=[["a", "b"], "b"])


# What is read


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("hex P(3,4)", "hex P(3,4) hextiles 2"),
        ("hex P( 3, 4 ) 3", "hex P(3,4) hextiles 3"),
        ("hex P(3,4) tiles", "hex P(3,4) tiles 1"),
        ("hex F(3) gourds", "hex F(3) gourds 1"),
        ("hex T(3) gourds", "hex T(3) gourds 2"),
        ("hex T(5)", "hex T(5) hextiles 2"),
        ("hex Ptr(3,4)", "hex Ptr(3,4) hextiles 2"),
        ("hex Ttr(5)", "hex Ttr(5) hextiles 2"),
        ("hex star", "hex star hextiles 2"),
        ("square R(4,4)", "square R(4,4) tiles 1"),
        ("king R(3,4) tiles 02", "king R(3,4) tiles 2"),
        ("theta(1,2,2)", "theta(1,2,2) tiles 1"),
        ("cycle(7) 2", "cycle(7) tiles 2"),
        ("graph 0-1 1-2 2-0", "cycle(3) tiles 1"),
        ("graph 0-1 1-2 2-0 3 tiles 2", "graph 0-1 0-2 1-2 3 tiles 2"),
        ("hex F(2)\ngourds 1\n", "hex F(2) gourds 1"),
        ("graph 0-1 1-2 gourds-sharp 1", "path(3) gourds-sharp 1"),
        ("graph a-b b-c gourds-sharp", "path(3) gourds-sharp 1"),
        ("hex P(3,4) :", "hex P(3,4) hextiles 2"),
        ("hex P(3,4) hextiles 2 : 1 2 3 4 5 6 7 8 9 . 10 .", "hex P(3,4) hextiles 2"),
        ("square R(2,2) : b . a b", "square R(2,2) tiles 1 : b . a b"),
        ("hex T(3) gourds 2 : 4-5=x 1-0=b-a", "hex T(3) gourds 2 : 0-1=a-b 4-5=x-x"),
        ("hex T(3) gourds 2 : =x =b-a", "hex T(3) gourds 2 : 0-1=a-b 2-4=x-x"),
        ("graph 0 1 2 gourds 1 : =b-a", "graph 0 1 2 gourds 1 : =a-b"),
        ("\nhex\n # #\n# # #\n # #\n", "hex F(2) hextiles 2"),
        ("##\n##", "square R(2,2) tiles 1"),
        ('"hex F(2) gourds 1"', "hex F(2) gourds 1"),
        ("[[0, 1], [1, 2]]", "path(3) tiles 1"),
        ('{"board": "hex F(2)"}', "hex F(2) hextiles 2"),
        ('{"board": "hex F(2)", "rule": "gourds", "holes": 3}', "hex F(2) gourds 3"),
        ('{"board": {"kind": "square", "cells": [[0, 0], [1, 0]]}}', "square R(2,1) tiles 1"),
        ('{"board": "square R(2,2)", "colours": ["b", "a", "b"]}', "square R(2,2) tiles 1 : a b b ."),
        ('{"board": "hex T(3)", "rule": "gourds", "colours": [["b", 10], 9]}',
         "hex T(3) gourds 2 : 0-1=9-9 2-4=10-b"),
        ('{"kind": "graph", "vertices": 3, "edges": [[0, 1], [1, 2]]}', "path(3) tiles 1"),
        ('{"puzzle": "hex F(2) gourds 1", "moves": []}', "hex F(2) gourds 1"),
        ('{"puzzle": {"board": "hex F(2)", "rule": "gourds"}, "start": 0}', "hex F(2) gourds 1"),
    ],
)  # fmt: skip
def test_puzzles(text: str, canonical: str) -> None:
    p = sl.puzzle(text)
    assert p.text == canonical
    assert p == sl.puzzle(canonical) == sl.puzzle(text.encode()) == sl.puzzle(text, files=False)
    assert p == sl.puzzle(p.to_json()) == sl.puzzle(json.dumps(p.to_json()))


def test_what_a_text_leaves_open_comes_from_the_arguments() -> None:
    assert sl.puzzle("hex F(2)", "gourds", 3).text == "hex F(2) gourds 3"
    assert sl.puzzle("hex F(2) hextiles 2", "gourds", 1).text == "hex F(2) gourds 1"
    assert sl.puzzle({"board": "hex F(2)", "rule": "gourds"}, holes=3).text == "hex F(2) gourds 3"
    p = sl.puzzle("hex F(2) gourds 3")
    assert sl.puzzle(p) is p
    assert sl.puzzle(p, holes=1).text == "hex F(2) gourds 1"
    assert sl.puzzle(p, "tiles").text == "hex F(2) tiles 1"
    assert sl.puzzle(p, sl.RULES["tiles"], 4).text == "hex F(2) tiles 4"
    assert sl.puzzle(PAINTED, colours=["x", "y", "x"]).text == "square R(2,2) tiles 1 : x x y ."


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("hex P(3,4) : 1 2 3 4 5 6 7 8 9 10 . .", "hex P(3,4) hextiles 2 : 1 2 3 4 5 6 7 8 9 10 . ."),
        ("square R(2,2) : 3 1 / 0 02", "square R(2,2) tiles 1 : 3 1 . 2"),
        ("square R(2,2) :\n3 1\n. 2\n", "square R(2,2) tiles 1 : 3 1 . 2"),
        ("square R(2,2) 2 : 2 . / . 1", "square R(2,2) tiles 2 : 2 . . 1"),
        ("square R(2,2) : red x1 . red", "square R(2,2) tiles 1 : red x1 . red"),
        ("square R(2,2) : é ü . é", "square R(2,2) tiles 1 : é ü . é"),
        ("hex T(3) gourds 2 : 4-5 / 1-0", "hex T(3) gourds 2 : 4-5 1-0"),
        ("hex T(3) gourds : 4-5=red-blue 1-0=red", "hex T(3) gourds 2 : 5-4=blue-red 0-1=red-red"),
        ("hex T(3) gourds 2 : 4-5=9-10 1-0=10", "hex T(3) gourds 2 : 4-5=9-10 0-1=10-10"),
        ("square R(3,2) trimers 3 : 2-1-0", "square R(3,2) trimers 3 : 2-1-0"),
        ("square R(3,2) trimers 3 : 2-1-0=b-a", "square R(3,2) trimers 3 : 0-1-2=a-b"),
        ("square R(2,2) trimers-bent 1 : 0-1-3", "square R(2,2) trimers-bent 1 : 3-1-0"),
        ("hex T(3) trimers-triangle 3 : 1-2-0=a-c-b", "hex T(3) trimers-triangle 3 : 1-2-0=a-c-b"),
    ],
)
def test_positions(text: str, canonical: str) -> None:
    c = sl.position(text)
    pieces = canonical.partition(" : ")[2]
    assert c.text == canonical
    assert repr(c) == f"position({canonical!r})"
    assert c == sl.position(canonical) == sl.position(text.encode()) == sl.position(c)
    assert c == c.puzzle.configuration(c) == c.puzzle.configuration(text) == c.puzzle.configuration(pieces)
    assert c == c.puzzle.configuration(c.to_json()) == c.puzzle.configuration(json.dumps(c.to_json()))
    whole = {"puzzle": c.puzzle.to_json(), "start": c.to_json(), "goal": c.puzzle.goal.to_json()}
    assert c == sl.position(whole) == sl.position(json.dumps(whole))
    assert read_document(whole) == Document(c.puzzle, c, c.puzzle.goal)
    assert read_document(text) == Document(c.puzzle, c)


def test_json_of_configurations() -> None:
    assert sl.position("square R(2,2) : 3 1 . 2").to_json() == {"tiles": [3, 1, 0, 2]}
    assert sl.position("square R(2,2) : b a . a").to_json() == {"tiles": ["b", "a", 0, "a"]}
    assert sl.position("hex T(3) gourds 2 : 4-5 1-0").to_json() == {"gourds": [[4, 5], [1, 0]]}
    c = SQUARE.configuration([3, 1, 0, 2])
    for source in (
        [3, 1, 0, 2],
        (3, 1, 0, 2),
        ["3", "1", ".", "2"],
        "[3, 1, 0, 2]",
        {"tiles": [3, 1, "0", 2]},
    ):
        assert SQUARE.configuration(source) == c
    assert GOURDS.configuration([[4, 5], (1, 0)]).text == "hex T(3) gourds 2 : 4-5 1-0"


def test_equal_pieces_have_no_names() -> None:
    one = sl.position("hex T(3) gourds 2 : 0-1=a-b 3-4=b-a")
    assert one == sl.position("hex T(3) gourds 2 : 4-3=a-b 1-0=b-a")
    board, rule = sl.board("hex T(3)"), sl.RULES["gourds"]
    # The least reading may change the order: (a b) comes before (a c), though (b a) comes after it.
    p = Puzzle(board, rule, 2, (("a", "c"), ("b", "a")))
    assert p == sl.puzzle(p.text) == sl.puzzle("hex T(3)", "gourds", 2, [["a", "b"], ["c", "a"]])
    assert p.colours == (("a", "b"), ("a", "c"))


def test_nothing_is_given() -> None:
    assert read_document("square R(2,2)") == Document(SQUARE)
    assert read_document({"board": "square R(2,2)"}) == Document(SQUARE)
    assert read_document("hex T(3) gourds 2 : =a-b =b") == Document(PAINTED_GOURDS)


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("3:2>5", Move(3, (2,), (5,))),
        (" 03:2>05\n", Move(3, (2,), (5,))),
        ("1:4-5>5-6", Move(1, (4, 5), (5, 6))),
        ("999999999:0>999999999", Move(999999999, (0,), (999999999,))),
        ('{"piece": 3, "from": [2], "to": [5]}', Move(3, (2,), (5,))),
        ('{"piece": 1, "from": [4, 5], "to": [5, 6], "kind": "turn"}', Move(1, (4, 5), (5, 6), "turn")),
    ],
)
def test_moves(text: str, move: Move) -> None:
    assert read_move(text) == read_move(move) == read_move(move.text) == read_move(move.to_json()) == move
    assert read_move(text).to_json() == move.to_json()


def test_large_boards_are_read_and_drawn() -> None:
    c = sl.position("hex 0,0 999999999,0 -999999999,999999999 : 1 . .")
    assert str(c) == "0:1  1:.  2:."
    many = sl.position("path(50000) : " + "a " * 49_999 + ".")
    assert sl.position(many.text) == many


# What is refused

BAD_PUZZLES = [
    ("", "expected a board such as 'hex P(3,4)', got an empty text"),
    ("hex P(3,4", "expected two numbers in P(columns,rows), got 'P(3,4' - at token 2 of 'hex P(3,4'"),
    ("moebius 7", "expected a board (hex, square, king, graph, theta, cycle, path or complete), got 'moebius' - "
                  "at token 1 of 'moebius 7'"),
    ("hex 0,0 0,0 tiles 1", "expected different cells, got '0,0' - at token 3 of 'hex 0,0 0,0 tiles 1'"),
    ("hex tiles 1", "got 'tiles' - at token 2 of 'hex tiles 1'"),
    ("graph tiles 1", "expected an edge such as 0-1 or a vertex, got 'tiles' - at token 2 of 'graph tiles 1'"),
    ("hex F(2) nonsense 1", "a number of holes or a colon, got 'nonsense' - at token 3 of 'hex F(2) nonsense 1'"),
    ("hex F(2) gourds x", "expected a number of holes or a colon, got 'x' - at token 4 of 'hex F(2) gourds x'"),
    ("hex F(2) gourds 1 2", "expected a colon and the pieces, got '2' - at token 5 of 'hex F(2) gourds 1 2'"),
    ("hex F(2) gourds -1", "expected a number of holes or a colon, got '-1' - at token 4"),
    ("hex F(2) gourds ٣", "expected a number of holes or a colon, got '٣' - at token 4"),
    ("hex F(2) gourds 1\0", "expected a number of holes or a colon, got '1\\x00' - at token 4"),
    ("hex F(2) gourds 9999999999", "expected a number of holes or a colon, got '9999999999' - at token 4"),
    ("hex F(2) " + "x" * 5000, "a number of holes or a colon, got 'xxx"),
    ("square R(2,2) tiles 0", "expected at least 1 hole for tiles, got 0 - on 'square R(2,2)'"),
    ("square R(2,2) tiles 4", "expected fewer holes than 4 cells, got 4 - on 'square R(2,2)'"),
    ("square R(2,2) tiles 999999999", "expected fewer holes than 4 cells, got 999999999 - on 'square R(2,2)'"),
    ("hex P(3,4) hextiles 1", "expected at least 2 holes for hextiles, got 1 - on 'hex P(3,4)'"),
    ("hex T(3) gourds 1", "expected a number of holes that leaves whole gourds of 2 cells, got 1 of 6 cells - "
                          "on 'hex T(3)'"),
    ("path(1)", "expected fewer holes than 1 cell, got 1 - on 'path(1)'"),
    ("cycle(5) trimers-bent", "trimers-bent are rigid and can only be played on hex and square boards, got 'cycle(5)'"),
    ("graph 0 1 2 gourds 1 : =a =b", "expected 1 colours, got 2 - on 'graph 0 1 2'"),
    ("graph 0 1 2 gourds 1 : =a-b-c", "expected 2 colours a gourd, got 3 - at gourd 1"),
    ("no/such/file.json", "expected a board such as 'hex P(3,4)' or a file, got 'no/such/file.json' - no such file"),
    ("{", "expected JSON, got '{' - Input data was truncated"),
    ('{"board": 3}', "expected `str | object`, got `int` - at `$.board`"),
    ('{"board": "hex F(2) tiles 1"}', "expected the end of the board, got 'tiles' - at token 3 of 'hex F(2) tiles 1'"),
    ('{"board": "hex F(2)", "holes": "2"}', "expected `int | null`, got `str` - at `$.holes`"),
    ('{"board": "hex F(2)", "holes": 2.0}', "expected `int | null`, got `float` - at `$.holes`"),
    ('{"board": "hex F(2)", "holes": true}', "expected `int | null`, got `bool` - at `$.holes`"),
    ('{"board": "hex F(2)", "holes": -1}', "expected at least 2 holes for hextiles, got -1 - on 'hex F(2)'"),
    ('{"board": "hex F(2)", "holes": %s}' % ("9" * 99), "got a number of more than 18 digits - on 'hex F(2)'"),
    ('{"board": "hex F(2)", "holes": %s}' % ("9" * 9999), "expected JSON, got "),
    ('{"board": "hex F(2)", "rule": "tile"}', "trimers-triangle), got 'tile' - on 'hex F(2)'"),
    ('{"board": "hex F(2)", "rule": "%s"}' % ("x" * 9999), "trimers-triangle), got 'xxx"),
    ('{"board": "hex F(2)", "a\\nb": 1}', "object contains unknown field `a\\nb` - at `$`"),
    ('{"board": "hex F(2)", "%s": 1}' % ("x" * 9999), "object contains unknown field `xxx"),
    ('{"board": "hex F(2)", "colours": ["a"]}', "expected 5 colours, got 1 - on 'hex F(2)'"),
    ('{"board": "hex F(2)", "colours": "a"}', "expected `array | null`, got `str` - at `$.colours`"),
    ('{"board": "path(2)", "colours": ["a b"]}', "expected a word as a colour, got 'a b' - at tile 1"),
    ('{"board": "path(2)", "colours": [1]}', "expected a word as a colour, got '1' - at tile 1"),
    ('{"board": "path(2)", "colours": ["²"]}', "expected a word as a colour, got '²' - at tile 1"),
    ('{"board": "path(2)", "colours": [-1]}', "expected `int` >= 0, got -1 - at `$.colours[0]`"),
    ('{"board": "path(2)", "colours": [["a", "b"]]}', "expected 1 colours a tile, got 2 - at tile 1"),
    ('{"board": "path(2)", "colours": [[]]}', "expected 1 colours a tile, got 0 - at tile 1"),
    ('{"board": "path(2)", "colours": ["%s"]}' % ("x" * 61), "expected a word as a colour, got 'xxx"),
    ('{"board": {"kind": "hex", "cells": []}}', "expected at least one cell, got none - at hex board"),
    ('{"board": {"kind": "hex", "cells": [[0, 0], [0, 0]]}}', "expected different cells, got 0,0 twice - at cell 1"),
    ('{"board": {"kind": "hex", "cells": [[0, %s]]}}' % ("9" * 99), "got a number of more than 18 digits"),
    ('{"puzzle": 3}', "expected a text or an object, got int - at `$.puzzle`"),
    ('{"puzzle": {"puzzle": "hex F(2)"}}', "expected a puzzle, got one inside another - at `$.puzzle.puzzle`"),
    ("[[0, 1], [0, %s]]" % ("9" * 99), "expected `int` <= 999999999, got a number of more than 18 digits - at `$[1][1]`"),
    ("\ud800", "expected a file that can be read, got '\\ud800'"),
    ('{"\ud800', "expected JSON, got '{\"\\ud800'"),
]  # fmt: skip

BAD_POSITIONS = [
    ("square R(2,2)", "expected a colon between the board and its pieces, got 'square R(2,2)'"),
    (": 1 2 3 .", "expected a board such as 'hex P(3,4)', got nothing - at token 1 of ': 1 2 3 .'"),
    ("square R(2,2) :", "expected 4 entries, one a cell, got 0 in '' - on 'square R(2,2)'"),
    ("square R(2,2) : 1 2 3", "expected 4 entries, one a cell, got 3 in '1 2 3' - on 'square R(2,2)'"),
    ("square R(2,2) : 1 2 3 4 .", "expected 4 entries, one a cell, got 5 in '1 2 3 4 .' - on 'square R(2,2)'"),
    ("square R(2,2) : 1 2 3 4", "expected 3 tiles and 1 hole, got 4 and 0 - on 'square R(2,2)'"),
    ("square R(2,2) : 1 2 . .", "expected 3 tiles and 1 hole, got 2 and 2 - on 'square R(2,2)'"),
    ("square R(2,2) : a a . .", "expected 3 tiles and 1 hole, got 2 and 2 - on 'square R(2,2)'"),
    ("square R(2,2) : 1 2 2 .", "expected tiles 1 to 3 once each, got '2' again - at cell 2 of 'square R(2,2)'"),
    ("square R(2,2) : 1 2 4 .", "expected tiles 1 to 3 once each, got '4' - at cell 2 of 'square R(2,2)'"),
    ("square R(2,2) : 1 2 -3 .", "expected tiles 1 to 3 once each, got '-3' - at cell 2 of 'square R(2,2)'"),
    ("square R(2,2) : 1 2 ٣ .", "expected tiles 1 to 3 once each, got '٣' - at cell 2 of 'square R(2,2)'"),
    ("square R(2,2) : 1 2 3\0 .", "expected tiles 1 to 3 once each, got '3\\x00' - at cell 2 of 'square R(2,2)'"),
    ("square R(2,2) : 1 2 1234567890 .", "expected tiles 1 to 3 once each, got '1234567890' - at cell 2"),
    ("square R(2,2) : 1 2 %s ." % ("9" * 9999), "expected tiles 1 to 3 once each, got '999"),
    ("square R(2,2) : 1 a . a", "expected words only, or numbers only, got '1' among words - at cell 0"),
    ("square R(2,2) : a a . a-b", "expected words only, or numbers only, got 'a-b' among words - at cell 3"),
    ("square R(2,2) : 0-1 2-3", "expected 4 entries, one a cell, got 2 in '0-1 2-3' - on 'square R(2,2)'"),
    ("hex T(3) gourds 2 : 1 2 3 4 . .", "expected 2 gourds, got 6 in '1 2 3 4 . .' - on 'hex T(3)'"),
    ("hex T(3) gourds 2 : 0-1", "expected 2 gourds, got 1 in '0-1' - on 'hex T(3)'"),
    ("hex T(3) gourds 2 : 0-1 3", "expected cells of a gourd such as 4-5, got '3' - at gourd 2 of 'hex T(3)'"),
    ("hex T(3) gourds 2 : 0-1 3-4-5", "expected cells of a gourd such as 4-5, got '3-4-5' - at gourd 2"),
    ("hex T(3) gourds 2 : 0-1 3--4", "expected cells of a gourd such as 4-5, got '3--4' - at gourd 2"),
    ("hex T(3) gourds 2 : 0-1 3-٤", "expected cells of a gourd such as 4-5, got '3-٤' - at gourd 2"),
    ("hex T(3) gourds 2 : 0-1 =a", "expected colours at every gourd or at none, got '0-1' - at gourd 1"),
    ("hex T(3) gourds 2 : =a =b", "expected cells of a gourd such as 4-5, got '=a' - at gourd 1"),
    ("hex T(3) gourds 2 : 0-5 3-4", "expected 2 cells on which a piece of gourds can lie, got '0-5' - at gourd 1"),
    ("hex T(3) gourds 2 : 0-0 3-4", "expected 2 cells on which a piece of gourds can lie, got '0-0' - at gourd 1"),
    ("hex T(3) gourds 2 : 0-1 1-3", "expected one gourd a cell, got gourds 1 and 2 - at cell 1 of 'hex T(3)'"),
    ("hex T(3) gourds 2 : 0-1 5-6", "expected cells 0 to 5, got 6 - at gourd 2 on 'hex T(3)'"),
    ("hex T(3) gourds 2 : 0-1=a 3-4", "expected colours at every gourd or at none, got '3-4' - at gourd 2"),
    ("hex T(3) gourds 2 : 0-1=a-b-c 3-4=a", "expected 2 colours a gourd, got 3 - at gourd 1"),
    ("hex T(3) gourds 2 : 0-1=a- 3-4=a", "expected a word as a colour, got '' - at gourd 1"),
    ("square R(3,2) trimers-straight 3 : 0-1-4", "on which a piece of trimers-straight can lie, got '0-1-4'"),
    ("{}", "expected an object with 'puzzle' and 'start', or 'puzzle' and pieces, got '' - at `$`"),
    (
        '{"puzzle": "square R(2,2)"}',
        "expected an object with 'puzzle' and 'start', or 'puzzle' and pieces, got 'puzzle' - at `$`",
    ),
    ('{"puzzle": "square R(2,2)", "start": 3}', "expected a configuration as text, JSON or a list, got int"),
    ('{"puzzle": [[0, %s]], "start": 3}' % ("9" * 999), "expected a text or an object, got list - at `$.puzzle`"),
    ("missing.txt", "expected a board such as 'hex P(3,4)' or a file, got 'missing.txt' - no such file"),
    (b"\xff", "expected UTF-8 text, got other bytes - at byte 0 of the bytes"),
    (3, "expected a position as text or JSON, got int"),
]  # fmt: skip

BAD_CONFIGURATIONS: list[tuple[Puzzle, Any, str]] = [
    (SQUARE, "missing.json", "expected the pieces of 'square R(2,2) tiles 1' or a file, got 'missing.json' - no such file"),
    (SQUARE, "", "expected 4 entries, one a cell, got 0 in '' - on 'square R(2,2)'"),
    (SQUARE, "\0", "expected 4 entries, one a cell, got 1 in '\\x00' - on 'square R(2,2)'"),
    (SQUARE, "a a b .", "expected tiles 1 to 3 once each, got 'a' - at cell 0 of 'square R(2,2)'"),
    (SQUARE, "square R(2,3) : 1 2 3 4 5 .", "expected a configuration of 'square R(2,2) tiles 1', got one of 'square R(2,3)"),
    (SQUARE, "square R(2,2) : a a b .", "expected tiles 1 to 3 once each, got 'a' - at cell 0 of 'square R(2,2)'"),
    (SQUARE, {"tiles": [1, 2, 3, -1]}, "expected `int` >= 0, got -1 - at `$.tiles[3]`"),
    (SQUARE, {"tiles": [1, 2, 0, HUGE]}, "expected `int` <= 999999999, got a number of more than 18 digits - at `$.tiles[3]`"),
    (SQUARE, {"tiles": [1, 2, 0, 3.0]}, "expected `int | str`, got `float` - at `$.tiles[3]`"),
    (SQUARE, {"tiles": [1, 2, 0, None]}, "expected `int | str`, got `null` - at `$.tiles[3]`"),
    (SQUARE, {"tiles": [1, 2, 0, "\ud800"]}, "expected tiles 1 to 3 once each, got '\\ud800' - at cell 3"),
    (SQUARE, {"tiles": 3}, "expected `array`, got `int` - at `$.tiles`"),
    (SQUARE, {"gourds": [[0, 1]]}, "expected an object with the key 'tiles' only, got 'gourds' - at `$`"),
    (SQUARE, {"tiles": [1, 2, 3, 0], "x": 1}, "expected an object with the key 'tiles' only, got 'tiles x' - at `$`"),
    (SQUARE, [[0], [1], [2]], "expected `int | str`, got `array` - at `$.tiles[0]`"),
    (SQUARE, "[1, 2", "expected JSON, got '[1, 2' - Input data was truncated"),
    (SQUARE, None, "expected a configuration as text, JSON or a list, got NoneType"),
    (PAINTED, "a b b .", "expected the colours 'a a b', got 'b' again - at cell 2 of 'square R(2,2)'"),
    (PAINTED, "a a c .", "expected the colours 'a a b', got 'c' - at cell 2 of 'square R(2,2)'"),
    (PAINTED, "1 2 3 .", "expected the colours 'a a b', got '1' - at cell 0 of 'square R(2,2)'"),
    (PAINTED, "square R(2,2) : 1 2 3 .", "expected the colours 'a a b', got '1' - at cell 0 of 'square R(2,2)'"),
    (GOURDS, "0-1=a 3-4=b", "expected gourds without colours, got '0-1=a' - at gourd 1 of 'hex T(3)'"),
    (GOURDS, {"gourds": [[0, 1]]}, "expected 2 gourds, got 1 - on 'hex T(3)'"),
    (GOURDS, {"gourds": [[0, 1], []]}, "expected 2 cells on which a piece of gourds can lie, got '' - at gourd 2"),
    (GOURDS, {"gourds": [[0, 1], [3]]}, "expected 2 cells on which a piece of gourds can lie, got '3' - at gourd 2"),
    (GOURDS, {"gourds": [[0, 1], [3, HUGE]]}, "got a number of more than 18 digits - at `$.gourds[1][1]`"),
    (GOURDS, {"gourds": [[0, 1], [3, True]]}, "expected `int`, got `bool` - at `$.gourds[1][1]`"),
    (PAINTED_GOURDS, "0-1=a 3-4=b", "expected the colours 'a-b b-b', got '0-1=a' - at gourd 1 of 'hex T(3)'"),
    (PAINTED_GOURDS, "0-1=b 3-4=b", "expected the colours 'a-b b-b', got '3-4=b' - at gourd 2 of 'hex T(3)'"),
]  # fmt: skip

LIKE = "expected a move such as 3:2>5 or 1:4-5>5-6, got "
BAD_MOVES: list[tuple[Any, str]] = [
    *((text, LIKE + repr(text)) for text in ["", "x", "3", "3:2", "3:2>", "3:2>5>1", "-3:2>5", "3:2>-5", "٣:2>5", "3:2>5\0"]),
    ("1234567890:1>2", LIKE + "'1234567890:1>2'"),
    ("x" * 9999, LIKE + "'xxx"),
    ("0:1>2", "expected a piece from 1 on, got 0 - in move '0:1>2'"),
    ("1:1-2>3", "expected as many cells after as before, and at least one, got 2 and 1 - in move '1:1-2>3'"),
    ({"piece": 1, "from": [], "to": []}, "and at least one, got 0 and 0 - in move '1:>'"),
    ({"piece": 1, "from": [0] * 9999, "to": [1]}, "got 9999 and 1 - in move '1:0-0"),
    ({"piece": -1, "from": [1], "to": [2]}, "expected `int` >= 0, got -1 - at `$.piece`"),
    ({"piece": HUGE, "from": [1], "to": [2]}, "expected `int` <= 999999999, got a number of more than 18 digits - at `$.piece`"),
    ({"piece": 1, "from": 1, "to": [2]}, "expected `array`, got `int` - at `$.from`"),
    ({"piece": 1, "from": "\ud800", "to": [2]}, "surrogates not allowed"),
    ({"piece": 1, "from": [1]}, "object missing required field `to` - at `$`"),
    ({"piece": 1, "from": [1], "to": [2], "x": 1}, "object contains unknown field `x` - at `$`"),
    ({"piece": 1, "from": [1], "to": [2], "kind": ""}, "expected a kind of move such as slide, got '' - in move '1:1>2'"),
    ({"piece": 1, "from": [1], "to": [2], "kind": "\ud800"}, "expected a kind of move such as slide, got '\\ud800' - in"),
    (None, "expected `object`, got `null` - at `$`"),
    ("{", "expected JSON, got '{' - Input data was truncated"),
]  # fmt: skip


def refused(caught: pytest.ExceptionInfo[PuzzleError], message: str) -> None:
    said = str(caught.value)
    assert message in said
    assert len(said.splitlines()) == 1
    assert len(said) <= 300


@pytest.mark.parametrize(("text", "message"), BAD_PUZZLES)
def test_bad_puzzles(text: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        sl.puzzle(text)
    refused(caught, message)


@pytest.mark.parametrize(("source", "message"), BAD_POSITIONS)
def test_bad_positions(source: Any, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        sl.position(source)
    refused(caught, message)


@pytest.mark.parametrize("number", range(len(BAD_CONFIGURATIONS)))
def test_bad_configurations(number: int) -> None:
    p, source, message = BAD_CONFIGURATIONS[number]
    with pytest.raises(NotationError) as caught:
        p.configuration(source)
    refused(caught, message)


@pytest.mark.parametrize("number", range(len(BAD_MOVES)))
def test_bad_moves(number: int) -> None:
    source, message = BAD_MOVES[number]
    with pytest.raises(NotationError) as caught:
        read_move(source)
    refused(caught, message)


@pytest.mark.parametrize(
    ("move", "message"),
    [
        ("9:0>1", "expected a piece from 1 to 3, got 9 - in move '9:0>1'"),
        ("1:1>0", "expected piece 1 on '0', where it lies, got '1' - in move '1:1>0'"),
        ("1:0>1", "expected a move such as 2:1>3 3:2>3, got '1:0>1'"),
        ("3:2>999999999", "expected a move such as 2:1>3 3:2>3, got '3:2>999999999'"),
        (
            "1:" + "0-" * 999 + "0>" + "1-" * 999 + "1",
            "expected piece 1 on '0', where it lies, got '0-0",
        ),
    ],
)
def test_illegal_moves(move: str, message: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        SQUARE.goal.play(move)
    refused(caught, message)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"holes": HUGE}, "expected fewer holes than 4 cells, got a number of more than 18 digits"),
        ({"holes": -HUGE}, "expected at least 1 hole for tiles, got a number of more than 18 digits"),
        ({"holes": 1.0}, "expected a whole number of holes, got float"),
        ({"holes": True}, "expected a whole number of holes, got bool"),
        ({"rule": "tile"}, "got 'tile' - on 'square R(2,2)'"),
        ({"colours": ["a", "b"]}, "expected 3 colours, got 2 - on 'square R(2,2)'"),
        ({"colours": 3}, "expected `array`, got `int` - at `$.colours`"),
        ({"colours": ["a", "b", None]}, "expected `int | str | array`, got `null` - at `$.colours[2]`"),
        ({"colours": ["a", "b", HUGE]}, "got a number of more than 18 digits - at `$.colours[2]`"),
    ],
    ids=range(9),
)
def test_bad_arguments(options: dict[str, Any], message: str) -> None:
    with pytest.raises(NotationError) as caught:
        sl.puzzle("square R(2,2)", **options)
    refused(caught, message)


@pytest.mark.parametrize(
    "text", ["square R(999999999,999999999)", "hex P(400,400) tiles 1 : 1", '{"board": "cycle(999999999)"}']
)
def test_too_large(text: str) -> None:
    with pytest.raises(TooLarge, match="expected at most 100000 cells, got"):
        sl.puzzle(text)


def test_deep_json() -> None:
    for text in ('{"board":' * 100_000, '{"puzzle":' * 500 + "1" + "}" * 500, '{"tiles":' + "[" * 100_000):
        for read in (sl.puzzle, sl.position, SQUARE.configuration, read_move):
            with pytest.raises(NotationError) as caught:
                read(text)
            refused(caught, "")
    loop: dict[str, Any] = {}
    loop["board"] = loop["puzzle"] = loop["start"] = loop
    for read in (sl.puzzle, sl.position, SQUARE.configuration, read_move):
        with pytest.raises(NotationError) as caught:
            read(loop)
        refused(caught, "")


# Files


def test_files(tmp_path: Path) -> None:
    c = sl.position("square R(2,2) : 3 1 . 2")
    (tmp_path / "line.txt").write_text(c.text + "\n")
    (tmp_path / "pieces.txt").write_text("3 1\n. 2\n")
    (tmp_path / "pieces.json").write_text(json.dumps(c.to_json()))
    (tmp_path / "solution.json").write_text(
        json.dumps({"puzzle": SQUARE.to_json(), "start": c.to_json(), "moves": []})
    )
    for name in ("line.txt", "solution.json"):
        for path in (tmp_path / name, str(tmp_path / name)):
            assert sl.puzzle(path) == SQUARE
            assert sl.position(path) == c
            assert read_document(path).start == c
    # A row of pieces between slashes is no file name, though it looks like one.
    assert SQUARE.configuration("3/1/./2") == c
    for name in ("line.txt", "pieces.txt", "pieces.json"):
        for path in (tmp_path / name, str(tmp_path / name)):
            assert SQUARE.configuration(path) == c


def read_all(path: Path | str) -> list[Any]:
    return [lambda: sl.puzzle(path), lambda: sl.position(path), lambda: SQUARE.configuration(path)]


def test_bad_files(tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"\x80\0\xff")
    for name, message in [
        ("missing.txt", "no such file"),
        ("binary", "expected UTF-8 text"),
        ("", "is a directory"),
    ]:
        for path in (tmp_path / name, str(tmp_path / name)):
            for read in read_all(path):
                with pytest.raises(NotationError, match=re.escape(message)):
                    read()


def test_text_from_strangers_opens_no_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("line.txt").write_text("square R(2,2) : 3 1 . 2")
    Path("chain.txt").write_text("line.txt")
    Path("pieces").write_text("3 1 . 2")
    for text in (
        "line.txt",
        '{"board": "line.txt"}',
        '{"puzzle": "line.txt"}',
        '{"puzzle": "line.txt", "start": "1 2 3 ."}',
    ):
        with pytest.raises(NotationError):
            sl.puzzle(text, files=False)
        with pytest.raises(NotationError):
            sl.position(text, files=False)
    # What stands in a file or in JSON is text from a stranger.
    for text in (
        "chain.txt",
        '{"puzzle": "line.txt", "start": "1 2 3 ."}',
        '{"puzzle": "square R(2,2)", "start": "pieces"}',
    ):
        with pytest.raises(NotationError):
            sl.position(text)
    with pytest.raises(NotationError):
        SQUARE.configuration("pieces", files=False)
    assert isinstance(SQUARE.configuration("pieces"), Configuration)
