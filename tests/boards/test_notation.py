"""Text, JSON and drawings: what is printed parses back, and everything else is refused in one line."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from boards.strategies import boards, lattice_boards
from slidelab.boards import Board, board, hex_board, parse_board, parse_board_tokens, square_board
from slidelab.errors import NotationError, PuzzleError

TEXTS = {
    "hex P(3,4)": 12,
    "hex T(5)": 15,
    "hex F(3)": 19,
    "hex Ptr(3,4)": 10,
    "hex Ttr(5)": 12,
    "hex star": 13,
    "hex 0,0 -1,5": 2,
    "square R(4,4)": 16,
    "king R(3,4)": 12,
    "square -2,0 1,0": 2,
    "king 0,0 1,1": 2,
    "theta(1,2,2)": 7,
    "cycle(7)": 7,
    "path(1)": 1,
    "complete(5)": 5,
    "graph 0-1 0-2 0-3": 4,
    "graph 1-2 0": 3,
    "graph 0-1 0-2 0-3 1-2 3-4 3-5 4-5": 6,
    "graph 0-1 0-2 0-5 1-3 2-4 3-4": 6,
    "square 0,0 -1,1 0,1 1,1": 4,
    "hex 0,0 1,0 2,0 0,1 1,1 3,1": 6,
}


@pytest.mark.parametrize(("text", "size"), TEXTS.items())
def test_canonical_texts(text: str, size: int) -> None:
    b = board(text)
    assert (b.name, b.size) == (text, size)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("hex P(4)", "hex P(4,4)"),
        ("  hex   P( 3 , 4 )  ", "hex P(3,4)"),
        ("hex P (3, 4)", "hex P(3,4)"),
        ("cycle ( 7 )", "cycle(7)"),
        ("theta( 1, 2 ,2)\n", "theta(1,2,2)"),
        ("hex Ptr(1,3)", "hex P(1,3)"),
        ("hex F(1)", "hex P(1,1)"),
        ("hex 0,1 1,1 1,0 0,0", "hex P(2,2)"),
        ("square 0,1 0,0", "square R(1,2)"),
        ("square 1,1 1,0", "square 1,0 1,1"),
        ("graph 5-9 9-7 7-5 5-7 7-7", "cycle(3)"),
        ("graph 0-1\n1-2 0-3", "graph 0-1 0-3 1-2"),
        ("graph 0", "path(1)"),
        ("king R(2)", "king R(2,2)"),
        ("###", "square R(3,1)"),
    ],
)
def test_other_texts(text: str, name: str) -> None:
    assert board(text).name == name


@given(boards)
def test_text_round_trip(b: Board) -> None:
    assert board(b.name) == b
    assert board(b.name).name == b.name
    assert eval(repr(b)) == b


@given(boards)
def test_json_round_trip(b: Board) -> None:
    for form in (b.to_json(), json.dumps(b.to_json()), json.dumps(b.to_json(), indent=2).encode()):
        again = board(form)
        assert (again, again.name) == (b, b.name)
        assert again.positions == b.positions


@given(lattice_boards)
def test_drawing_round_trip(b: Board) -> None:
    drawn = board(str(b))
    # The drawing gives the cells up to translation, and what is drawn again is the very same board.
    assert drawn.kind == b.kind
    dx, dy = drawn.cells[0][0] - b.cells[0][0], drawn.cells[0][1] - b.cells[0][1]
    assert drawn.cells == tuple((x + dx, y + dy) for x, y in b.cells)
    assert str(drawn) == str(b)
    assert board(str(drawn)) == drawn


@pytest.mark.parametrize("text", [text for text in TEXTS if "(" in text or "star" in text])
def test_families_are_drawn_exactly(text: str) -> None:
    assert board(str(board(text))) == board(text)


@given(lattice_boards)
def test_a_drawing_may_stand_anywhere(b: Board) -> None:
    kind, *rows = str(b).splitlines()
    moved = "\r\n".join(["", f" {kind} ", "", *("     " + row.replace("#", "o") for row in rows), "", ""])
    assert board(moved) == board(str(b))


def test_drawings() -> None:
    assert board(" ##\n##") == square_board([(1, 0), (2, 0), (0, 1), (1, 1)])
    assert board("king\n#.\n.#").edges == ((0, 1),)
    assert board("hex\n# #\n   #\n# #") == hex_board([(0, 0), (1, 0), (1, 1), (-1, 2), (0, 2)])


def test_drawn_hexagons() -> None:
    b = board("hex\n # #\n#   #\n # #")
    assert b.cells == ((0, 0), (1, 0), (-1, 1), (1, 1), (-1, 2), (0, 2))
    assert len(b.edges) == 6
    assert board("hex\n # #\n# # #\n # #").name == "hex F(2)"
    assert board("hex\n# #\n # #").name == "hex P(2,2)"
    # The mirror image is no translate of a family member.
    assert board("hex\n   # # #\n  # # #\n # # #").name == "hex 0,0 1,0 2,0 -1,1 0,1 1,1 -2,2 -1,2 0,2"


def test_tokens() -> None:
    for text, used in [
        ("hex P(3,4) hextiles 2", 2),
        ("hex P( 3 , 4 ) hextiles 2", 6),
        ("hex star gourds", 2),
        ("hex 0,0 1,0 hextiles 2", 3),
        ("square R(4,4)", 2),
        ("graph 0-1 1-2 5 tiles 1", 4),
        ("graph 0-1 -3", 2),
        ("theta(1,2,2) tiles 1", 1),
        ("cycle (7) tiles", 2),
    ]:
        b, count = parse_board_tokens(text.split(), text)
        assert count == used
        assert board(" ".join(text.split()[:used])) == b


def test_a_board_in_a_puzzle_or_solution() -> None:
    form = {"kind": "square", "cells": [[0, 0], [1, 0]]}
    expected = board(form)
    assert board({"board": form, "rule": "tiles", "holes": 1}) == expected
    assert board({"puzzle": {"board": form, "rule": "tiles"}, "moves": []}) == expected
    assert board(json.dumps({"puzzle": {"board": "square R(2,1)"}})) == expected
    assert board({"puzzle": "square R(2,1) tiles 1 : 1 ."}) == expected
    assert board({"board": expected}) == expected
    assert board('"square R(2,1)"') == expected
    assert board("[[0, 1], [1, 2]]") == board("path(3)")


def test_other_sources() -> None:
    b = board("cycle(5)")
    assert board(b) is b
    assert board(nx.cycle_graph(5)) == b
    assert board(b.edges) == b
    assert board(iter(b.edges)) == b
    assert board(b"cycle(5)") == b


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a board such as 'hex P(3,4)', got an empty text"),
        (" \n ", "expected a board such as 'hex P(3,4)', got an empty text"),
        ("hex", "expected P(columns,rows) or T(side) or F(side) or Ptr(columns,rows) or Ttr(side) or star "
                     "or trapezoid(base,rows) or ring(side,width) or convex(m,n,a,b), "
                "got nothing - at token 2 of 'hex'"),
        ("hex P(3)x", "expected two numbers in P(columns,rows), got 'P(3)x' - at token 2 of 'hex P(3)x'"),
        ("hex P(3,4", "expected two numbers in P(columns,rows), got 'P(3,4' - at token 2 of 'hex P(3,4'; "
                      "did you mean 'hex P(3,4)'?"),
        ("hex P", "expected two numbers in P(columns,rows), got 'P' - at token 2 of 'hex P'"),
        ("hex P()", "expected two numbers in P(columns,rows), got 'P()' - at token 2 of 'hex P()'"),
        ("hex P(1,2,3)",
         "expected two numbers in P(columns,rows), got 'P(1,2,3)' - at token 2 of 'hex P(1,2,3)'"),
        ("hex P(3 4)", "expected two numbers in P(columns,rows), got 'P(3 4)' - at token 2 of 'hex P(3 4)'; "
                       "did you mean 'hex P(3,4)'?"),
        ("hex T(3,4)", "expected one number in T(side), got 'T(3,4)' - at token 2 of 'hex T(3,4)'"),
        ("hex P(0,4)",
         "expected numbers of at least 1 in P(columns,rows), got 'P(0,4)' - at token 2 of 'hex P(0,4)'"),
        ("hex F(-2)", "expected numbers of at least 1 in F(side), got 'F(-2)' - at token 2 of 'hex F(-2)'"),
        ("hex star(3)", "expected star, got 'star(3)' - at token 2 of 'hex star(3)'"),
        ("square Q(3)", "expected R(columns,rows), got 'Q(3)' - at token 2 of 'square Q(3)'; "
                        "did you mean 'square R(3)'?"),
        ("square R(٣)", "expected two numbers in R(columns,rows), got 'R(٣)' - at token 2 of 'square R(٣)'"),
        ("square R(1234567890)", "expected numbers of at most 9 digits, got 'R(1234567890)' - "
                                 "at token 2 of 'square R(1234567890)'"),
        ("hex 0,0 0,0", "expected different cells, got '0,0' - at token 3 of 'hex 0,0 0,0'"),
        ("hex 0,0 1,", "expected coordinates such as 0,-1, got '1,' - at token 3 of 'hex 0,0 1,'"),
        ("hex 0,0 1", "expected the end of the board, got '1' - at token 3 of 'hex 0,0 1'"),
        ("hex 0,0.5", "expected coordinates such as 0,-1, got '0,0.5' - at token 2 of 'hex 0,0.5'"),
        ("graph", "expected an edge such as 0-1 or a vertex, got nothing - at token 2 of 'graph'"),
        ("graph 0-1-2",
         "expected an edge such as 0-1 or a vertex, got '0-1-2' - at token 2 of 'graph 0-1-2'"),
        ("graph 0-1 x", "expected the end of the board, got 'x' - at token 3 of 'graph 0-1 x'"),
        ("theta(1,2)",
         "expected three numbers in theta(a,b,c), got 'theta(1,2)' - at token 1 of 'theta(1,2)'"),
        ("theta(0,0,2)", "expected at most one path without interior vertices, got 'theta(0,0,2)'"),
        ("cycle(2)", "expected numbers of at least 3 in cycle(n), got 'cycle(2)' - at token 1 of 'cycle(2)'"),
        ("cycle", "expected one number in cycle(n), got 'cycle' - at token 1 of 'cycle'"),
        ("moebius 7",
         "expected a board (hex, square, king, graph, theta, cycle, path or complete), got 'moebius' "
                      "- at token 1 of 'moebius 7'"),
        ("hex q",
         "expected P(columns,rows) or T(side) or F(side) or Ptr(columns,rows) or Ttr(side) or star "
                     "or trapezoid(base,rows) or ring(side,width) or convex(m,n,a,b), "
                     "got 'q' - at token 2 of 'hex q'"),
        ("no/such/file.json",
         "expected a board such as 'hex P(3,4)' or a file, got 'no/such/file.json' - no such file"),
        ("##\n#x",
         "expected '#' or 'o' (a cell), '.' or ' ' (none), got 'x' - at line 2, column 2 of the drawing"),
        ("king\n##\n\t#",
         "expected '#' or 'o' (a cell), '.' or ' ' (none), got '\\t' - at line 3, column 1 of the drawing"),
        ("hex\n##", "expected hexagons two characters apart, rows shifted by one, got another - "
                    "at line 2, column 2 of the drawing"),
        ("hex\n..\n.", "expected at least one cell '#', got none - at the drawing"),
        ("{", "expected JSON, got '{' - Input data was truncated"),
        ("{}", "expected an object with 'kind', 'board' or 'puzzle', got none of them - at `$`"),
        ('{"kind": "hexx"}', "invalid value 'hexx' - at `$.kind`"),
        ('{"kind": "hex"}', "object missing required field `cells` - at `$`"),
        ('{"kind": "hex", "cells": []}', "expected at least one cell, got none - at hex board, `$`"),
        ('{"kind": "hex", "cells": [[0, true]]}', "expected `int`, got `bool` - at `$.cells[0][1]`"),
        ('{"kind": "hex", "cells": [[0, 1.0]]}', "expected `int`, got `float` - at `$.cells[0][1]`"),
        ('{"kind": "hex", "cells": [[0, 1], [0]]}', "expected `array` of length 2, got 1 - at `$.cells[1]`"),
        ('{"puzzle": {"board": {"kind": "king", "cells": [["a", 1]]}}}',
         "expected `int`, got `str` - at `$.puzzle.board.cells[0][0]`"),
        ('{"kind": "hex", "cells": [[0, 0], [0, 0]]}',
         "expected different cells, got 0,0 twice - at cell 1 of a hex board, `$`"),
        ('{"kind": "hex", "cells": [[0, 0]], "cell": 1}', "object contains unknown field `cell` - at `$`"),
        ('{"kind": "graph", "vertices": 2, "edges": [[0, 2]]}',
         "expected vertices of the graph, got 2 - at edge 0 of the graph, `$`"),
        ('{"kind": "graph", "vertices": 2, "edges": [], "positions": [[0, 0]]}',
         "expected 2 positions, got 1 - at graph board, `$`"),
        ('{"board": 3}', "expected `object`, got `int` - at `$.board`"),
        ("[[0, 1], 2]", "expected `array`, got `int` - at `$[1]`"),
        ('"nonsense"',
         "expected a board (hex, square, king, graph, theta, cycle, path or complete), got 'nonsense' "
                       "- at token 1 of 'nonsense'"),
    ],
)  # fmt: skip
def test_messages(text: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        board(text)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    "source", [None, 3, 2.5, object(), {"kind": 1}, {1: 2}, [1, 2], [("a", "b")], b"\xff"]
)
def test_bad_objects(source: object) -> None:
    with pytest.raises(NotationError):
        board(source)


def test_deep_json() -> None:
    for text in ("[" * 100_000, '{"board":' * 100_000, '{"board":' * 900 + "1" + "}" * 900):
        with pytest.raises(NotationError):
            board(text)


def test_files(tmp_path: Path) -> None:
    texts = {
        "family.txt": "hex F(2)\n",
        "drawn.txt": "hex\n # #\n# # #\n # #\n",
        "board.json": json.dumps(board("hex F(2)").to_json()),
        "puzzle.json": json.dumps({"board": board("hex F(2)").to_json(), "rule": "gourds"}, indent=1),
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
        assert board(tmp_path / name) == board("hex F(2)")
        assert board(str(tmp_path / name)) == board("hex F(2)")
        with pytest.raises(NotationError):
            board(str(tmp_path / name), files=False)


def test_bad_files(tmp_path: Path) -> None:
    with pytest.raises(NotationError, match="no such file"):
        board(tmp_path / "missing.json")
    with pytest.raises(NotationError, match="is a directory"):
        board(tmp_path)
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    with pytest.raises(NotationError, match="UTF-8 text, got other bytes - at byte 0 of the file"):
        board(tmp_path / "binary")
    (tmp_path / "bad.json").write_text('{"kind": "hex", "cells": [[0]]}')
    with pytest.raises(NotationError, match=re.escape("at `$.cells[0]`, file ")):
        board(tmp_path / "bad.json")
    (tmp_path / "large.txt").write_text("hex F(100000)")
    with pytest.raises(PuzzleError, match=r"at most 100000 cells.*large.txt"):
        board(str(tmp_path / "large.txt"))


WORDS = [
    "hex",
    "square",
    "king",
    "graph",
    "theta",
    "cycle",
    "path",
    "complete",
    "P(",
    "T(",
    "Ptr(",
    "star",
    "R(",
]
NUMBERS = [")", ",", "-", "0", "1", "2", "37", "0,0", "1,2", "0-1", "99999999999"]
SIGNS = [" ", "\n", "#", ".", "{", "}", "[", '"', "kind", ":", "\0", "é", "٣", "/"]
PIECES = st.sampled_from(WORDS + NUMBERS + SIGNS)


def board_or_message(parse: Callable[[str], Board], text: str) -> Board | str:
    try:
        return parse(text)
    except PuzzleError as error:
        return str(error)


@settings(max_examples=500)
@given(
    st.one_of(
        st.text(max_size=60), st.lists(PIECES, max_size=12).map(" ".join), st.lists(PIECES).map("".join)
    )
)
@example("hex " + "9" * 5000 + ",0")
@example("hex P(" + "9" * 5000 + ")")
@example("graph " + "9" * 5000)
@example("x" * 5000)
@example("\0")
def test_any_text_gives_a_board_or_one_line(text: str) -> None:
    for parse in (board, parse_board):
        result = board_or_message(parse, text)
        if isinstance(result, Board):
            assert board(result.name) == result
        else:
            assert len(result.splitlines()) == 1
            assert len(result) < 400


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.just("hex star"),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["kind", "cells", "edges", "vertices", "board", "puzzle", "x"]), inner
        )
    ),
)


@given(json_values)
def test_any_json_gives_a_board_or_one_line(value: object) -> None:
    result = board_or_message(board, json.dumps(value))
    if isinstance(result, Board):
        assert board(result.to_json()) == result
    else:
        assert len(result.splitlines()) == 1


@given(st.text(alphabet="#o. \n", max_size=60))
def test_any_squares_drawing(text: str) -> None:
    drawn = {(x, y) for y, line in enumerate(text.splitlines()) for x, c in enumerate(line) if c in "#o"}
    if not drawn:
        with pytest.raises(NotationError):
            board(text)
    else:
        left, top = min(x for x, _ in drawn), min(y for _, y in drawn)
        assert set(board(text).cells) == {(x - left, y - top) for x, y in drawn}


def test_labels_of_vertices_are_kept() -> None:
    made = board(nx.Graph([("x", "y"), ("y", "z"), ("z", "x"), ("z", "w")]))
    assert made.labels == ("x", "y", "z", "w")
    assert set(made.to_networkx()) == {"x", "y", "z", "w"}
    again = board(made.to_json())
    assert (again, again.labels) == (made, made.labels)
    assert nx.utils.graphs_equal(board(made.to_networkx()).to_networkx(), made.to_networkx())
    assert board("graph 0-1 1-2").labels == ()
    assert board([(1, 3), (3, 7)]).labels == (1, 3, 7)
    assert [made.cell_text(cell) for cell in range(4)] == ["x", "y", "z", "w"]


def test_graphs_with_words_as_vertices() -> None:
    made = board("graph red-blue blue-green 7-red 8")
    assert made.labels == ("7", "8", "blue", "green", "red")
    assert made.edges == ((0, 4), (2, 3), (2, 4))
    assert board(made.name) == made


def test_families_keep_their_names_in_json() -> None:
    for text in ("hex P(3,4)", "hex star", "square R(4,2)", "theta(1,2,2)", "cycle(5)"):
        value = board(text).to_json()
        assert value["name"] == text
        assert board(value).name == text
    assert "name" not in board("hex 0,0 1,0 3,0").to_json()
    with pytest.raises(NotationError, match="expected the name of the same board, got 'square R\\(2,3\\)'"):
        board({**board("square R(3,2)").to_json(), "name": "square R(2,3)"})
    with pytest.raises(NotationError, match="expected 3 different labels, got 2 of 3"):
        board({"kind": "graph", "vertices": 3, "edges": [[0, 1]], "labels": ["a", "b", "a"]})
