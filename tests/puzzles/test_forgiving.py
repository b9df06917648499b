"""What people type in their first minute: everyday names, other signs for holes, lists, misspelt words."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import slidelab as sl
from slidelab.errors import NotationError

# ruff: noqa: E501 - tables of inputs and messages, one a line

BOARDS = [
    *((text, "square R(4,4)") for text in ("15-puzzle", "15", "4x4", "fifteen", "15 puzzle", "15puzzle")),
    *((text, "square R(4,4)") for text in ("Fifteen-Puzzle", "fifteen puzzle", "4×4", "4 X 4", "FIFTEEN")),
    *((text, "square R(4,4)") for text in ("square 4x4", "Square r(4,4)", "SQUARE R( 4 , 4 )", "square R(4x4)")),
    *((text, "square R(3,3)") for text in ("8-puzzle", "8", "eight", "3x3")),
    *((text, "square R(5,5)") for text in ("24-puzzle", "24", "twenty-four", "5x5")),
    ("3-puzzle", "square R(2,2)"),
    ("99", "square R(10,10)"),
    ("3x4", "square R(4,3)"),
    ("square 3x4", "square R(4,3)"),
    ("hex 3x4", "hex P(4,3)"),
    ("HEX p(3, 4)", "hex P(3,4)"),
    ("king 2x3", "king R(3,2)"),
    ("hex PTR(3,4)", "hex Ptr(3,4)"),
    ("Hex Star", "hex star"),
    ("Theta(1,2,2)", "theta(1,2,2)"),
    ("CYCLE (7)", "cycle(7)"),
    ("Graph 0-1 1-2", "path(3)"),
    ("Hex 0,0 1,0 0,1", "hex 0,0 1,0 0,1"),
    ("Hex\n # #\n# # #\n # #", "hex F(2)"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "name"), BOARDS)
def test_everyday_names_of_boards(text: str, name: str) -> None:
    assert sl.board(text).name == name
    assert sl.board(text, files=False).name == name
    assert sl.puzzle(text) == sl.puzzle(name) == sl.puzzle({"puzzle": text})
    if "\n" not in text and "raph" not in text:
        assert sl.puzzle(f"{text} Tiles 2") == sl.puzzle(name, "tiles", 2)


@given(st.integers(1, 30), st.integers(1, 30))
def test_sizes_have_the_rows_first(rows: int, columns: int) -> None:
    for kind, family in (("square", "R"), ("king", "R"), ("hex", "P")):
        assert sl.board(f"{kind} {rows}x{columns}") == sl.board(f"{kind} {family}({columns},{rows})")
    ys = [y for _, y in sl.board(f"{rows}x{columns}").cells]
    assert (len(set(ys)), ys.count(0)) == (rows, columns)


NINE = "square R(3,3) tiles 1 : 1 2 3 4 5 6 7 . 8"
NINES = [
    "8-puzzle : 1 2 3 4 5 6 7 _ 8",
    "3x3 : 1,2,3,4,5,6,7,0,8",
    "3x3: 1 2 3; 4 5 6; 7 x 8",
    "3x3 : 1 2 3 | 4 5 6 | 7 X 8",
    "8 : 1, 2, 3, 4, 5, 6, 7, -, 8",
    "eight : 1 2 3 4 5 6 7 blank 8",
    "Square R(3, 3) Tiles 1 : [1, 2, 3, 4, 5, 6, 7, 0, 8]",
    "3x3 : [[1,2,3],[4,5,6],[7,0,8]]",
    "3x3 : ((1, 2, 3), (4, 5, 6), (7, '.', 8))",
    "3x3 : [[1 2 3]\n [4 5 6]\n [7 0 8]]",
    "[[1,2,3],[4,5,6],[7,0,8]]",
    "[1, 2, 3, 4, 5, 6, 7, 0, 8]",
]


@pytest.mark.parametrize("text", NINES)
def test_positions(text: str) -> None:
    assert sl.position(text).text == NINE
    assert sl.position(text, files=False).text == NINE
    assert sl.read_document(text).start == sl.position(NINE)
    assert sl.puzzle(text) == sl.puzzle("8-puzzle")
    pieces = text.partition(":")[2] or text
    assert sl.puzzle("3x3").configuration(pieces).text == NINE


def test_lists() -> None:
    rows = [[1, 2, 3], [4, 5, 6], [7, 0, 8]]
    assert sl.position(rows) == sl.position([x for row in rows for x in row]) == sl.position(NINE)
    assert sl.puzzle("3x3").configuration(rows) == sl.puzzle("3x3").configuration({"tiles": rows})
    mixed: list[int | str] = [1, 2, 3, 4, 5, 6, 7, "x", 8]
    assert sl.puzzle("3x3").configuration(mixed).text == NINE
    # Pairs of numbers stay edges.
    assert sl.puzzle("[[0, 1], [1, 2]]").board.name == "path(3)"
    assert sl.puzzle([(1, 2), (3, 0)]).board == sl.board("graph 1-2 3-0")
    hexagons = sl.puzzle("hex T(3)")
    assert hexagons.configuration([[1], [2, 3], [4, 0, 0]]) == hexagons.goal
    with pytest.raises(
        NotationError, match=re.escape("expected rows of 4, 4 and 4 entries, got 3, 3, 3 and 3")
    ):
        sl.puzzle("3x4").configuration([[1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 0]])


def test_lists_of_gourds() -> None:
    expected = sl.position("hex T(3) gourds 2 : 4-5 1-0")
    for pieces in ("[[4, 5], [1, 0]]", "(4, 5), (1, 0)", "4-5, 1-0", "4-5; 1-0"):
        assert sl.position(f"hex T(3) gourds 2 : {pieces}") == expected
        assert expected.puzzle.configuration(pieces) == expected


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("2x2 : x a . b", "square R(2,2) tiles 1 : x a . b"),  # a colour: the hole is there already
        ("2x2 : _ a . b", "square R(2,2) tiles 1 : _ a . b"),
        ("2x2 : a b x b", "square R(2,2) tiles 1 : a b . b"),  # a hole is missing
        ("2x2 : a b - b", "square R(2,2) tiles 1 : a b . b"),
        ("2x2 tiles 2 : x x a x", None),
        ("2x2 tiles 2 : x x a b", "square R(2,2) tiles 2 : . . a b"),
        ("2x2 tiles 2 : x _ 1 2", "square R(2,2) tiles 2 : . . 1 2"),
        ("2x2 tiles 2 : . x 1 2", "square R(2,2) tiles 2 : . . 1 2"),
        ("2x2 : a _ x b", None),  # one of the two, but which?
        ("2x2 : 1 _ x 2", None),
    ],
)
def test_a_sign_is_a_hole_only_where_it_must_be(text: str, canonical: str | None) -> None:
    if canonical is None:
        with pytest.raises(NotationError):
            sl.position(text)
    else:
        assert sl.position(text).text == canonical


def test_files_come_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("15", "4x4", "fifteen", "Cycle(7)"):
        Path(name).write_text("hex F(2)")
        assert sl.board(name).name == "hex F(2)"
        assert sl.puzzle(name).board.name == "hex F(2)"
        assert sl.puzzle(name, files=False).board.name != "hex F(2)"
        Path(name).unlink()
        assert sl.board(name).name != "hex F(2)"
    Path("cycle(7)").write_text("hex F(2)")
    assert sl.board("cycle(7)").name == "cycle(7)"  # as ever


REFUSED = [
    ("12", "expected n tiles of an n-puzzle such as 8 or 15, where n + 1 is a square, got '12'"),
    ("11", "11 tiles and a hole fit on 2x6 and 3x4"),
    ("11-puzzle tiles 1", "got '11-puzzle' - at token 1 of '11-puzzle tiles 1'; 11 tiles and a hole fit on 2x6"),
    ("0", "where n + 1 is a square, got '0'"),
    ("0x4", "expected numbers of at least 1 in R(columns,rows)"),
    ("square R(3x4)", "expected a comma, R(4,3) for 3 rows or R(3,4) for 4, got 'R(3x4)'"),
    ("3 1 . 2", "expected a board and a colon before the pieces, as in '3x3 : 1 2 3 ...', got '3 1 . 2'"),
    ("9999999999x4", "no such file"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), REFUSED)
def test_refused(text: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        sl.puzzle(text)
    assert message in str(caught.value)


MEANT = [
    ("hexx P(3,4)", "hex P(3,4)"),
    ("squar R(4,4)", "square R(4,4)"),
    ("hex Q(3,4)", "hex P(3,4)"),
    ("square Q(3, 4) tiles 2", "square R(3, 4) tiles 2"),
    ("hex Prt(3,4)", "hex Ptr(3,4)"),
    ("hex stra", "hex star"),
    ("R(4,4)", "square R(4,4)"),
    ("P(3,4) hextiles", "hex P(3,4) hextiles"),
    ("hexP(3,4)", "hex P(3,4)"),
    ("thetta(1,2,2)", "theta(1,2,2)"),
    ("cylce(7) 2", "cycle(7) 2"),
    ("grahp 0-1 1-2", "graph 0-1 1-2"),
    ("fiften", "fifteen"),
    ("15-puzle", "15-puzzle"),
    ("hex P(3,4) hextile", "hex P(3,4) hextiles"),
    ("hex F(2) gourd", "hex F(2) gourds"),
    ("hexx Q(3,4) hextile 2", "hex P(3,4) hextiles 2"),
    ("squar R(2,2) : 1 2 . 3", "square R(2,2)"),
    ("hex F3", "hex F(3)"),
    ("hex F 3 gourds", "hex F(3) gourds"),
    ("hex P3,4", "hex P(3,4)"),
    ("hex P[3, 4] hextiles 2", "hex P(3,4) hextiles 2"),
    ("square R 4 4", "square R(4,4)"),
    ("hex P(3 4)", "hex P(3,4)"),
    ("hex P(3,4", "hex P(3,4)"),
    ("F3", "hex F(3)"),
    ("theta(1 2 2)", "theta(1,2,2)"),
    ("theta 1 2 2 tiles 1", "theta(1,2,2) tiles 1"),
    ("theta1,2,2", "theta(1,2,2)"),
    ("cycle7", "cycle(7)"),
    ("cycle 7 tiles 2", "cycle(7) tiles 2"),
    ("triangle(4)", "hex T(4)"),
    ("triangle 4", "hex T(4)"),
    ("hex triangle(4)", "hex T(4)"),
    ("Flower(3) gourds", "hex F(3) gourds"),
    ("hexagon(3)", "hex F(3)"),
    ("rectangle(4,3)", "square R(4,3)"),
    ("king rectangle(4,3)", "king R(4,3)"),
    ("star", "hex star"),
    ("ring(7)", "cycle(7)"),
    ("square(4,4)", "square R(4,4)"),
]


@pytest.mark.parametrize(("text", "meant"), MEANT)
def test_did_you_mean(text: str, meant: str) -> None:
    with pytest.raises(NotationError) as caught:
        sl.puzzle(text)
    assert str(caught.value).endswith(f"; did you mean {meant!r}?")
    sl.puzzle(meant)


@pytest.mark.parametrize("text", ["moebius 7", "hexx P(3,4) nonsense", "hexx P(3,4) hextiles 1", "nonsense"])
def test_nothing_is_meant(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        sl.puzzle(text)
    assert "did you mean" not in str(caught.value)


@given(st.text(max_size=40), st.sampled_from([text for text, _ in MEANT]), st.integers(0, 20))
def test_every_suggestion_works(typed: str, text: str, place: int) -> None:
    for source in (typed, text[:place] + typed[:2] + text[place:]):
        try:
            sl.puzzle(source)
        except sl.PuzzleError as error:
            if (found := re.search(r"did you mean '(.*)'\?$", str(error))) and not Path(found[1]).is_file():
                sl.puzzle(found[1], files=False)


def test_rules_that_are_meant_can_be_played() -> None:
    with pytest.raises(NotationError, match=r"; did you mean 'hextiles'\?"):
        sl.puzzle("hex P(3,4)", "hextile")
    with pytest.raises(NotationError, match=r"; did you mean 'trimers'\?"):
        sl.puzzle("cycle(7)", "trimers-bend")  # trimers-bent is nearer, but needs squares or hexagons
    assert sl.puzzle("hex P(3,4)", "Gourds").rule.name == "gourds"


def test_files_that_are_meant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("examples", "nine-gord.json").mkdir(parents=True)
    for name in ("examples/nine-gourds.json", "other.txt"):
        Path(name).write_text("hex F(2) gourds : 0-1 2-3 4-6")
    readers: list[Callable[[str], object]] = [sl.board, sl.puzzle, sl.position]
    for read in (*readers, sl.puzzle("hex F(2) gourds").configuration):
        for typed, meant in (
            ("examples/nine-gords.json", "examples/nine-gourds.json"),
            ("othr.txt", "other.txt"),
        ):
            with pytest.raises(NotationError, match=re.escape(f"; did you mean {meant!r}?")):
                read(typed)
        with pytest.raises(NotationError, match=r"no such file$"):
            read("examples/zzz.json")
    with pytest.raises(NotationError, match=r"no such file$"):
        sl.board("no-such-folder/nine-gourds.json")
