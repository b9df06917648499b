"""`slidelab god`: answers, JSON forms, charts, limits; one clear line for all else."""

from __future__ import annotations

import json
import re
import resource
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path

import pytest

import slidelab as sl
from commands import Run, one_line, refused

GOLDEN = Path(__file__).parent.parent / "golden"
EIGHT = "square R(3,3)"
HARD = "8 6 7 2 5 4 3 . 1"


# God's number


@pytest.mark.parametrize(
    ("file", "arguments"),
    [
        ("god-flower.txt", ["god", "hex F(2)", "--holes", "3"]),
        ("god-start.txt", ["god", "square R(3,2)", "--start", "1 2 3 4 5 ."]),
    ],
)
def test_text_is_that_of_the_golden_files(run: Run, file: str, arguments: list[str]) -> None:
    result = run(*arguments)
    assert (result.code, result.err) == (0, "")
    assert result.out == (GOLDEN / file).read_text(encoding="utf-8")


def test_god_json_has_the_form_of_the_design(run: Run) -> None:
    value = run("god", "hex F(2)", "--holes", "3", "--json").json
    assert {"gods_number", "radius", "exact", "searches", "distribution"} <= set(value)
    assert (value["gods_number"], value["radius"], value["exact"], value["at_most"]) == (13, 12, True, 13)
    assert len(value["searches"]) == 5
    for search in value["searches"]:
        assert {"shape", "orbit", "depth"} <= set(search)
        assert len(search["shape"]) == 3
        assert len(search["distribution"]) - 1 == search["depth"]
        assert sum(search["distribution"]) == search["states"] == 132
    assert sum(search["orbit"] for search in value["searches"]) == 33
    assert max(search["depth"] for search in value["searches"]) == 13
    assert len(value["distribution"]) == 14
    puzzle = sl.puzzle(value["puzzle"])
    assert puzzle == sl.puzzle("hex F(2) hextiles 3")
    one, other = map(puzzle.configuration, value["hardest"])
    assert puzzle.distance(one, other) == 13


def test_shapes_of_gourds_are_their_cells(run: Run) -> None:
    value = run("god", "hex F(2)", "--rule", "gourds", "--json").json
    assert value["gods_number"] == 13
    for search in value["searches"]:
        cells = [cell for piece in search["shape"] for cell in piece]
        assert len(cells) == len(set(cells)) == 6
    assert sum(search["orbit"] for search in value["searches"]) == 20


@pytest.mark.parametrize(
    ("text", "rule"), [("hex P(2,2)", "trimers-triangle"), ("square R(2,3)", "trimers-bent"),
                       ("square R(2,3)", "trimers-straight"), ("hex F(2)", "trimers")]
)  # fmt: skip
def test_trimers_have_a_gods_number(run: Run, text: str, rule: str) -> None:
    result = run("god", text, "--rule", rule, "--json")
    assert result.code == 0
    assert result.json["exact"] is True


def test_distances_json_has_the_form_of_the_design(run: Run) -> None:
    value = run("god", EIGHT, "--start", "1 2 3 4 5 6 7 8 .", "--hardest", "2", "--json").json
    assert {"start", "states", "depth", "distribution", "hardest"} <= set(value)
    assert (value["states"], value["depth"], len(value["distribution"])) == (181440, 31, 32)
    assert value["start"] == {"tiles": [1, 2, 3, 4, 5, 6, 7, 8, 0]}
    assert sorted(c["tiles"] for c in value["hardest"]) == [
        [6, 4, 7, 8, 5, 0, 3, 2, 1],
        [8, 6, 7, 2, 5, 4, 3, 0, 1],
    ]
    assert value["metric"] == "single"


def test_hardest_lists_so_many(run: Run) -> None:
    """From the middle of the board, 148 configurations take 30 moves."""
    start = ["god", EIGHT, "--start", "1 2 3 4 . 5 6 7 8"]
    for number in (0, 1, 5, 148, 10**6):
        value = run(*start, "--hardest", str(number), "--json").json
        listed = {tuple(c["tiles"]) for c in value["hardest"]}
        assert len(listed) == len(value["hardest"]) == min(number, 148)
    puzzle = sl.puzzle(EIGHT)
    for tiles in list(listed)[:5]:
        assert puzzle.distance(list(tiles), "1 2 3 4 . 5 6 7 8") == 30
    text = run(*start, "--hardest", "5").out
    expected = [c.text.partition(" : ")[2] for c in puzzle.distances("1 2 3 4 . 5 6 7 8", hardest=5).hardest]
    assert all(pieces in text for pieces in expected)


def test_several_puzzles_give_a_table(run: Run) -> None:
    lines = run("god", "hex F(2)", "hex T(3)", "--holes", "2-4").out.splitlines()
    assert lines[0].split()[:2] == ["puzzle", "God's"]
    assert [line.split()[4] for line in lines[1:]] == ["16", "13", "8", "3", "4", "6"]
    value = run("god", "hex F(2)", "--holes", "2-4", "--json").json
    assert [row["gods_number"] for row in value] == [16, 13, 8]
    value = run("god", "square R(2,2)", "cycle(5)", "--json").json
    assert [row["gods_number"] for row in value] == [6, 10]


def test_a_range_leaves_out_what_the_pieces_do_not_allow(run: Run) -> None:
    value = run("god", "hex F(2)", "--rule", "gourds", "--holes", "1-9", "--json").json
    assert [row["puzzle"]["holes"] for row in value] == [1, 3, 5]


def test_what_was_found_is_shown_though_another_is_too_large(run: Run) -> None:
    boards = ["square R(2,2)", "square R(4,4)", "square R(3,2)"]
    result = run("god", *boards, "--memory", "1G")
    assert result.code == 3
    assert len(result.out.splitlines()) == 3
    one_line(result, 3, "square R(4,4)")
    value = run("god", *boards, "--memory", "1G", "--json").json
    assert len(value) == 3
    assert [row["gods_number"] for row in value] == [6, None, 21]  # in the order of the question
    assert [sl.puzzle(row["puzzle"]) for row in value] == list(map(sl.puzzle, boards))


def test_straight_pushes(run: Run) -> None:
    value = run("god", EIGHT, "--metric", "straight", "--json").json
    assert (value["gods_number"], value["metric"]) == (24, "straight")
    assert "pushed at once" in run("god", EIGHT, "--metric", "straight").out
    assert run("god", EIGHT, "--start", HARD, "--metric", "straight", "--json").json["depth"] == 24


def test_colours(run: Run) -> None:
    value = run("god", "square R(3,2)", "--colours", "a a b b c", "--json").json
    assert sum(value["distribution"]) == 180
    assert value["exact"] is True
    assert sum(search["orbit"] for search in value["searches"]) == 180
    value = run("god", "square R(3,2) : a b a b c .", "--start", "a b a b c .", "--json").json
    assert value["states"] == 180
    assert value["start"] == {"tiles": ["a", "b", "a", "b", "c", 0]}


def test_a_position_is_a_start(run: Run) -> None:
    """Unless it is there to say the colours: then all starts are meant."""
    given = run("god", "square R(2,2)", "--start", "1 2 . 3").out
    assert run("god", "square R(2,2) : 1 2 . 3").out == given
    assert run("god", "hex F(2) hextiles 3 : 1 2 3 4 . . .", "--json").json["depth"] == 12
    assert "gods_number" in run("god", "square R(2,2) : a a b .", "--json").json


def test_a_puzzle_in_which_nothing_moves(run: Run) -> None:
    for text in ("graph 0 1 2", "graph 0-1 2 gourds 1"):
        result = run("god", text)
        assert result.code == 0
        assert "nothing can move" in result.out
        value = run("god", text, "--json").json
        assert (value["gods_number"], value["radius"], value["exact"]) == (0, 0, True)
        assert (value["searches"], value["distribution"], value["hardest"]) == ([], [1], [])
    value = run("god", "graph 0 1 2", "--start", "1 2 .", "--json").json
    assert (value["states"], value["depth"], value["distribution"]) == (1, 0, [1])
    assert run("solve", "graph 0 1 2", "--start", "1 2 .").out == "already solved\n"
    assert run("solve", "graph 0 1 2", "--start", "1 . 2").code == 1


def test_starts_come_as_text_json_file_or_stdin(run: Run, tmp_path: Path) -> None:
    start = "1 2 3 4 . 5"
    file = tmp_path / "start.txt"
    file.write_text(start + "\n")
    as_json = json.dumps(sl.puzzle("square R(3,2)").configuration(start).to_json())
    expected = run("god", "square R(3,2)", "--start", start).out
    assert "from            1 2 3 4 . 5" in expected
    for given, stdin in ((as_json, ""), (str(file), ""), ("-", start)):
        assert run("god", "square R(3,2)", "--start", given, stdin=stdin).out == expected
    assert run("god", "-", "--start", start, stdin="square R(3,2)").out == expected
    for given, stdin in ((start, ""), (as_json, ""), (str(file), ""), ("-", start)):
        assert run("solve", "square R(3,2)", "--start", given, stdin=stdin).out.splitlines()[1] == "5:5>4"


# Charts


def test_the_chart_is_a_picture_by_itself(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "eight.svg"
    result = run("god", EIGHT, "--chart", str(target))
    assert (result.code, result.err) == (0, "")
    assert [path.name for path in tmp_path.iterdir()] == ["eight.svg"]
    text = target.read_text(encoding="utf-8")
    root = ElementTree.fromstring(text)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    for element in root.iter():
        for name, value in element.attrib.items():
            assert not name.endswith("href") or value.startswith("#")
            assert "url(" not in value.replace("url(#", "")
            assert "://" not in value
    assert not re.search(r"<(script|image|style|foreignObject|text)\b|<!|<\?", text)
    bars = [e for e in root.iter() if len(e) and e[0].tag.endswith("title") and e is not root]
    distribution = run("god", EIGHT, "--json").json["distribution"]
    assert [bar[0].text for bar in bars] == [f"{d}: {n:,}" for d, n in enumerate(distribution)]
    heights = [_height(bar[1].attrib["d"]) for bar in bars]
    assert heights.index(max(heights)) == distribution.index(max(distribution))
    assert min(heights) > 0


def _height(outline: str) -> float:
    ys = [float(y) for y in re.findall(r"[ML] \S+ (\S+)", outline)]
    return max(ys) - min(ys)


@pytest.mark.parametrize(
    "arguments",
    [
        ["graph 0 1 2"],
        ["square R(2,1)"],
        ["path(200)", "--start", " ".join([*map(str, range(1, 200)), "."])],
        ["square R(3,2) : a a b b c .", "--start", "a b a b c ."],
        ["hex F(2)", "--rule", "gourds"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_charts_of_all_kinds_are_well_formed(run: Run, tmp_path: Path, arguments: list[str]) -> None:
    target = tmp_path / "Chart.SVG"
    assert run("god", *arguments, "--chart", str(target)).code == 0
    ElementTree.fromstring(target.read_text(encoding="utf-8"))


def test_a_chart_is_replaced_whole(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "chart.svg"
    target.write_text("old" * 100_000)
    assert run("god", "square R(2,2)", "--chart", str(target)).code == 0
    assert target.read_text().startswith("<svg")
    assert target.read_text().endswith("</svg>\n")


def test_other_charts_are_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "folder.svg").mkdir()
    (tmp_path / "file").write_text("")
    before = sorted(path.name for path in tmp_path.iterdir())
    for name in ("chart.gif", "chart", "chart.svg.gz", "none/chart.svg", "file/chart.svg", "folder.svg"):
        expected = name.split("/")[0]
        one_line(run("god", "square R(2,2)", "--chart", str(tmp_path / name)), 2, expected)
        assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_a_wrong_name_for_the_chart_is_refused_before_the_search(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search may take days."""
    from slidelab.distance.search import Search

    def fail(*_: object) -> None:
        raise AssertionError("it searched")

    monkeypatch.setattr(Search, "run", fail)
    refused(run("god", "square R(2,2)", "--chart", str(tmp_path / "chart.gif")), "chart.gif")


def test_a_missing_package_is_noticed_before_the_search(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from slidelab.distance.search import Search

    def fail(*_: object) -> None:
        raise AssertionError("it searched")

    monkeypatch.setattr(Search, "run", fail)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    chart = str(tmp_path / "chart.svg")
    refused(run("god", "square R(2,2)", "--chart", chart), "matplotlib", "slidelab[charts]")


@pytest.mark.parametrize(
    ("name", "begins"), [("a.png", b"\x89PNG"), ("a.pdf", b"%PDF-"), ("a.svg", b"<svg ")]
)
def test_the_name_of_the_chart_says_its_kind(run: Run, tmp_path: Path, name: str, begins: bytes) -> None:
    result = run("god", "hex F(2)", "--holes", "3", "--chart", str(tmp_path / name))
    assert (result.code, result.err) == (0, "")
    assert (tmp_path / name).read_bytes().startswith(begins)


# Limits


def test_too_little_memory_says_what_is_needed_and_known(run: Run) -> None:
    result = run("god", EIGHT, "--memory", "10K")
    one_line(result, 3, "181,440 configurations")
    assert result.out == ""
    assert "the limit is 10 kB" in result.err
    assert "proved: at least 22, by a pair" in result.err
    value = run("god", EIGHT, "--memory", "10K", "--json").json
    assert (value["gods_number"], value["exact"], value["at_least"]) == (None, False, 20)
    assert value["states"] == 181440
    assert value["needs_bytes"] > 10_000
    one_line(run("solve", EIGHT, "--start", HARD, "--memory", "10K", "--method", "table"), 3, "10 kB")


@pytest.mark.parametrize("text", [EIGHT, "hex T(4) hextiles 3", "theta(2,2,3)"])
def test_the_memory_it_asks_for_is_enough(run: Run, text: str) -> None:
    for limit in ("1K", "25K"):
        value = run("god", text, "--memory", limit, "--threads", "1", "--json").json
        enough = run("god", text, "--memory", str(value["needs_bytes"]), "--threads", "1", "--json")
        assert enough.code == 0, (limit, enough.err)


def test_what_is_refused_takes_no_memory() -> None:
    """Half a gigabyte for everything: the interpreter, numpy, and the answer."""
    # Not `getrusage`: its peak is that of the parent to begin with.
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from slidelab.cli import main\n"
        "try:\n    main(sys.argv[1:])\n"
        "finally:\n"
        "    status = Path('/proc/self/status').read_text()\n"
        "    print(status.split('VmHWM:')[1].split()[0], file=sys.stderr)\n"
    )
    for arguments in (
        ["god", "square R(4,4)", "--memory", "10G"],
        ["god", "king R(4,3)", "--memory", "100M"],
        ["god", "hex F(3)", "--rule", "gourds", "--memory", "10G"],
    ):
        done = subprocess.run(
            [sys.executable, "-c", code, *arguments],
            capture_output=True,
            text=True,
            check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30)),
        )
        assert done.returncode == 3
        message, most = done.stderr.splitlines()
        assert "needs" in message
        assert int(most) < 500_000  # kilobytes


HUGE = [
    ["god", "square R(30,30)"],
    ["god", "hex F(15)"],
    ["god", "king R(12,12)"],
    ["god", "square R(30,30)", "--metric", "straight"],
    ["god", "hex P(30,30)", "--holes", "3"],
    ["god", "complete(60)"],
    ["god", "hex F(3)", "--rule", "gourds", "--memory", "10G"],
    ["god", "square R(3,3)", "--max-shapes", "3"],
]


@pytest.mark.parametrize("arguments", HUGE, ids=" ".join)
def test_huge_boards_are_refused(run: Run, arguments: list[str]) -> None:
    result = run(*arguments)
    one_line(result, 3, "limit is")
    assert result.out == ""


def test_huge_coloured_boards_say_how_large_they_are(run: Run) -> None:
    """Counted before anything is listed: 49 times 48 over 24."""
    colours = " ".join("a" * 24 + "b" * 24)
    result = run("god", "square R(7,7)", "--colours", colours, "--memory", "1M", "--json")
    assert result.code == 3
    assert result.json["states"] == 49 * 32_247_603_683_100


def test_as_many_coloured_starts_as_there_are_components(run: Run) -> None:
    """The goal can't move here, but other arrangements of the same colours can."""
    plain = run("god", "graph 0-1 1-2 2-0 3", "--json").json
    coloured = run("god", "graph 0-1 1-2 2-0 3", "--colours", "a b c", "--json").json
    assert plain["gods_number"] == 3
    assert coloured["gods_number"] == 3 or coloured["exact"] is False


# Everything that is wrong

BAD = [
    (["god"], "BOARD"),
    (["god", "hex Q(3)"], "Q(3)"),
    (["god", EIGHT, "hex Q(3)"], "Q(3)"),
    (["god", "no-such-file.json"], "no such file"),
    (["god", ""], "board"),
    (["god", "square R(1,1)"], "1"),
    (["god", EIGHT, "--holes", "9"], "9"),
    (["god", EIGHT, "--holes", "4-2"], "4-2"),
    (["god", EIGHT, "--holes", "-3"], "--holes"),
    (["god", EIGHT, "--threads", "0"], "- at --threads"),
    (["god", EIGHT, "--threads", "-1"], "- at --threads"),
    (["god", EIGHT, "--threads", "5000"], "- at --threads"),
    (["god", EIGHT, "--threads", "two"], "--threads"),
    (["god", EIGHT, "--metric", "crooked"], "crooked"),
    (["god", EIGHT, "--metric", ""], "metric"),
    (["god", "hex F(2)", "--metric", "straight"], "hextiles"),
    (["god", "theta(1,2,2)", "--metric", "straight"], "theta(1,2,2)"),
    (["god", EIGHT, "--memory", "much"], "- at --memory"),
    (["god", EIGHT, "--memory", "0"], "- at --memory"),
    (["god", EIGHT, "--memory", "-5M"], "--memory"),
    (["god", EIGHT, "--memory", ""], "- at --memory"),
    (["god", EIGHT, "--memory", "1.5G"], "- at --memory"),
    (["god", EIGHT, "--memory", "9" * 15 + "T"], "999"),
    (["god", EIGHT, "--max-shapes", "0"], "- at --max-shapes"),
    (["god", EIGHT, "--start", "1 2 3 4 5 6 7 8 .", "--hardest", "-1"], "hardest"),
    (["god", EIGHT, "--start", "1 2 3 4 5 6 7 8 .", "--hardest", "-99999999999999999999"], "hardest"),
    (["god", EIGHT, "--start", "1 2 3 4 5 6 7 8 .", "--hardest", "9" * 30], "hardest"),
    (["god", EIGHT, "--hardest", "-1"], "hardest"),
    (["god", EIGHT, "--hardest", "x"], "--hardest"),
    (["god", EIGHT, "--start", "1 2 3"], "9"),
    (["god", EIGHT, "--start", ""], "9"),
    (["god", EIGHT, "--start", "no-such-file.txt"], "no-such-file"),
    (["god", EIGHT, "--start", "1 1 2 3 4 5 6 7 ."], "again"),
    (["god", EIGHT, "square R(2,2)", "--start", "1 2 3 ."], "--start"),
    (["god", EIGHT, "square R(2,2)", "--start", ""], "expected"),
    (["god", EIGHT, "square R(2,2)", "--chart", "x.svg"], "--chart"),
    (["god", EIGHT, "--chart", ""], "svg"),
    (["god", EIGHT, "--checkpoint", ""], "folder"),
    (["god", EIGHT, "--colours", "a b"], "8"),
    (["god", EIGHT, "--nonsense"], "nonsense"),
]


@pytest.mark.parametrize(("arguments", "named"), BAD, ids=[" ".join(a)[:60] for a, _ in BAD])
def test_bad_input_gets_one_clear_line_and_exit_code_2(
    run: Run, arguments: list[str], named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    refused(run(*arguments), named)
    assert list(tmp_path.iterdir()) == []


def test_help_says_what_the_options_do(run: Run) -> None:
    for command, options in (
        ("god", ["--start", "--metric", "--hardest", "--chart", "--checkpoint", "--memory", "--threads"]),
        ("solve", ["--start", "--goal", "--seed", "--metric", "--memory", "--threads"]),
    ):
        out = run(command, "--help").out
        assert all(option in out for option in options)


def test_wrong_arguments_in_python_get_one_clear_line() -> None:
    puzzle = sl.puzzle(EIGHT)
    slips: list[Callable[[], object]] = [
        lambda: puzzle.distances(hardest=-1),
        lambda: puzzle.distances(frozenset({1, 2})),  # type: ignore[arg-type]
        lambda: puzzle.distances(frozenset({(0,), (1,)})),
        lambda: puzzle.distances(metric="crooked"),  # type: ignore[arg-type]
        lambda: puzzle.distances([1, 2]),
        lambda: puzzle.gods_number(metric=None),  # type: ignore[arg-type]
        lambda: puzzle.distance(None),  # type: ignore[arg-type]
        lambda: puzzle.solve({}),
    ]
    for slip in slips:
        with pytest.raises(sl.PuzzleError, match="expected") as caught:
            slip()
        assert "\n" not in str(caught.value)


def test_a_refusal_has_only_the_best_bounds(run: Run) -> None:
    thin = run("god", "theta(0,1,40)")
    assert thin.code == 3
    assert thin.err.count("at least") == 1
    assert "proved: at least 1,665, by counting walks" in thin.err
    wide = run("god", "6x6").err
    assert wide.count("at least") == 1
    assert "; proved: at least 209, by a pair" in wide


def test_bounds_are_proved_when_time_is_up(run: Run) -> None:
    late = run("god", "square R(2,7)", "--time", "0.01", "--memory", "6G")
    assert late.code == 3
    assert "the time limit was reached" in late.err
    assert "proved: at least 58, by a pair of configurations far apart; at most 140" in late.err
    value = run("god", "square R(2,7)", "--time", "0.01", "--memory", "6G", "--json").json
    assert (value["bounds"]["at_least"], value["bounds"]["at_most"]) == (58, 140)


def test_a_range_says_what_would_settle_it(run: Run) -> None:
    board = "square R(3,3) : a a b b c c d d ."
    result = run("god", board)
    assert result.code == 0
    assert "26 to 52" in result.out
    assert "not done          a search from each of 22,680 configurations would settle it" in result.out
    assert "at most 20,000" in result.out
    assert "not done" not in run("god", "square R(2,2) : a a b .").out


def test_quoted_numbers_stand_in_the_table(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from slidelab.cli import distance

    monkeypatch.setattr(distance, "QUOTED_SECONDS", 0.0)
    asked = ("god", "hex T(4) hextiles 8", "cycle(7)", "hex F(2)")
    lines = run(*asked).out.splitlines()
    names = ["hex T(4) hextiles 8", "cycle(7) tiles 1", "hex F(2) hextiles 2"]
    assert [line.split("  ")[0] for line in lines[1:4]] == names
    assert lines[3].split()[-2:] == ["16*", "15"]
    assert lines[4] == ""
    assert lines[-1].startswith("* hex F(2) hextiles 2: known: 16 (")
    rows = run(*asked, "--csv").out.splitlines()
    assert rows[0].endswith(",shapes,source")
    assert rows[2].endswith(",computed")
    assert rows[3].startswith("hex F(2) hextiles 2,16,15,")
