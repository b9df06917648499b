"""Every claim of the papers is computed on small boards, and the verdicts on record are those computed."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from slidelab.boards import hamiltonian_cycle, is_proper, random_hexagons
from slidelab.claims import (
    PAPERS,
    Claim,
    Found,
    Paper,
    Result,
    Scope,
    append_result,
    read_results,
    run_claims,
    select_claims,
    verdict_of,
)
from slidelab.claims.alignment import Matching, aligned, hole_of, linear_alignment, matchings, play, pull
from slidelab.claims.search_counts import mean_counts
from slidelab.claims.triangle_trees import compact_boards, inner_tree
from slidelab.cli.app import COMMANDS, exit_code
from slidelab.errors import Damaged, NotationError
from slidelab.solve.gourds.splits import best_split, inner_corners

ROWS = select_claims()
QUICK = [row for row in ROWS if row[1].quick]


@pytest.mark.parametrize(("paper", "claim"), QUICK, ids=[f"{p.name}:{c.name}" for p, c in QUICK])
def test_the_computed_verdict_is_the_one_on_record(paper: Paper, claim: Claim) -> None:
    (result,) = run_claims([(paper, claim)], Scope())
    assert result.agrees, (result.verdict, result.found)
    assert (result.verdict == "holds up to") == bool(result.found.up_to and result.found.printed)
    if result.verdict in ("corrected", "refuted", "open"):
        assert result.found.note


def test_there_are_claims_of_every_paper() -> None:
    assert [paper.name for paper in PAPERS.values()] == ["hexagonal", "graphs", "gourds", "thesis", "fifteen"]
    names = [(paper.name, claim.name) for paper, claim in ROWS]
    assert len(names) == len(set(names)) >= 150
    assert len(ROWS) - len(QUICK) < 8


def test_commands_of_claims_exist() -> None:
    for paper, claim in ROWS:
        program, command, *_ = shlex.split(paper.command(claim))
        assert program == "slidelab"
        assert command in COMMANDS


@pytest.mark.parametrize(
    ("found", "verdict"),
    [
        (Found(True), "holds"),
        (Found(True, up_to="9 cells"), "holds up to"),
        (Found(False, True, up_to="9 cells"), "corrected"),
        (Found(False, False), "refuted"),
        (Found(False), "refuted"),
        (Found(None), "open"),
    ],
)
def test_verdicts(found: Found, verdict: str) -> None:
    assert verdict_of(found) == verdict


def wrong_claim(found: Found) -> tuple[Paper, Claim]:
    claim = Claim("x", "here", "something", "holds", lambda scope: found)
    return Paper("hexagonal", "", (claim,)), claim


def test_a_verdict_that_changes_is_noticed() -> None:
    (result,) = run_claims([wrong_claim(Found(False))], Scope())
    assert (result.verdict, result.agrees) == ("refuted", False)
    assert result.to_json()["on_record"] == "holds"


def test_the_command_exits_with_1_if_a_verdict_changes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("slidelab.claims.select_claims", lambda names, paper: [wrong_claim(Found(False))])
    assert exit_code(["claims", "--run"]) == 1
    out, err = capsys.readouterr()
    assert "refuted (on record: holds)" in out
    assert "hexagonal:x was holds, is refuted" in err


def test_the_command_lists_and_runs(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["claims", "--paper", "fifteen", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == len(PAPERS["fifteen"].claims)
    assert exit_code(["claims", "hexagonal:4.1", "figure-6", "--quick"]) == 0
    out = capsys.readouterr().out
    assert "holds up to all hexagonal boards of 6 cells" in out
    assert "graphs:figure-6: 14 twice" in out
    assert exit_code(["claims", "--csv"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(ROWS) + 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["claims", "--paper", "hexagon"], "did you mean"),
        (["claims", "nonsense"], "got 'nonsense'; 'slidelab claims' lists their names"),
        (["claims", "hexagonal:1.1", "hexagonal:1.11"], "did you mean 'hexagonal:1.1'?"),
        (
            ["claims", "hexagonal:1.1", "--paper", "gourds"],
            "a claim of the paper 'gourds', got 'hexagonal:1.1'",
        ),
        (["claims", "fifteen:signs", "--run", "--quick", "-o", "x"], "--output without --quick"),
        (["claims", "figure-1"], "several"),
        (["claims", "--output", "x"], "--run"),
    ],
)
def test_what_is_not_understood(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(words) == 2
    assert message in capsys.readouterr().err


def test_the_only_parallelogram_with_strong_parity_is_named() -> None:
    (result,) = run_claims(select_claims(["hexagonal:never-strong"]), Scope())
    assert result.verdict == "corrected"
    assert "P(2,2) has strong parity, no other parallelogram has; proved for all sizes" in result.found.note
    (station,) = run_claims(select_claims(["thesis:7.2-station"]), Scope())
    assert station.found.note == "1 board with a hole and a station"


def test_a_run_resumes(tmp_path: Path) -> None:
    path = tmp_path / "claims.jsonl"
    rows = select_claims(["fifteen:example", "fifteen:signs"])
    first, second = run_claims(rows, Scope())
    append_result(path, first)
    with path.open("a", encoding="utf-8") as file:
        file.write('{"paper": "fift')  # stopped in the middle of a line
    known = read_results(path, rows)
    assert list(known) == [("fifteen", "example")]

    def never(scope: Scope) -> Found:
        raise AssertionError("computed again")

    again = [(rows[0][0], Claim("example", "", "", "holds", never)), rows[1]]
    assert [result.verdict for result in run_claims(again, Scope(), known)] == ["holds", "holds"]
    append_result(path, second)
    assert len(read_results(path, rows)) == len(path.read_text(encoding="utf-8").splitlines()) == 2


def test_a_damaged_file_of_results_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "claims.jsonl"
    path.write_text('{"paper": 1}\n{"paper": 2}\n', encoding="utf-8")
    with pytest.raises(Damaged, match="line 1"):
        read_results(path, ROWS)


def test_names_of_claims() -> None:
    assert len(select_claims(["4.1", "hexagonal:4.1"], "hexagonal")) == 1
    assert [claim.place for _, claim in select_claims(["4.1"], "hexagonal")] == ["Lemma 4.1"]
    with pytest.raises(NotationError, match="several"):
        select_claims(["figure-1"])


# What some claims are computed with


def walked(board_size: int, seed: int, matching: Matching, steps: int) -> Matching:
    """Return where a long walk of the hole leads."""
    import random

    rng, board = random.Random(seed), random_hexagons(board_size, seed)
    for _ in range(steps):
        matching = pull(matching, rng.choice(board.neighbours[hole_of(matching)]))
    return matching


@pytest.mark.parametrize("seed", range(12))
def test_gourds_are_aligned_in_a_linear_number_of_moves(seed: int) -> None:
    """On larger boards, where the thesis takes a quadratic number: replayed, at most 3.5 n."""
    board = random_hexagons(101, seed)
    if not is_proper(board):
        pytest.skip("the board has a hole")
    cycle = hamiltonian_cycle(board)
    start = walked(101, seed, aligned(cycle, seed), 3_000)
    pulls = linear_alignment(cycle, start)
    assert play(board, start, pulls) == aligned(cycle, list(cycle).index(hole_of(start)))
    assert len(pulls) <= 3.5 * 50


def test_every_alternating_cycle_is_aligned() -> None:
    for board in compact_boards(5, 9, 2):
        cycle = hamiltonian_cycle(board)
        for matching in matchings(board):
            pulls = linear_alignment(cycle, matching)
            assert play(board, matching, pulls) == aligned(cycle, list(cycle).index(hole_of(matching)))


def test_triangles_inside_are_those_of_the_splits() -> None:
    """Points in polygons against the inner corners that the method of splitting uses."""
    for board in compact_boards(7, 9, 2):
        cycle = list(hamiltonian_cycle(board))
        tree = inner_tree(board, cycle)
        corners = inner_corners(board, cycle)
        sides = zip(cycle, [*cycle[1:], cycle[0]], corners, strict=True)
        assert all(frozenset(side) in tree for side in sides)
        split = best_split(board, cycle)
        if split is not None:
            assert frozenset((split.hole, *split.place)) in tree


def test_plain_a_star_finds_shortest_solutions() -> None:
    import slidelab as sl
    from slidelab.claims.search_counts import _Puzzle

    puzzle = _Puzzle(sl.board("square R(3,2)"), 5)
    distances = sl.puzzle("square R(3,2)")
    for seed in range(10):
        start = distances.shuffle(seed)
        tiles = [0] * 6
        for number, (cell,) in enumerate(start.pieces, 1):
            tiles[cell] = number
        for nearest in (True, False):
            expanded, generated, length = puzzle.search(tuple(tiles), 1.0, nearest)
            assert length == distances.distance(start)
            assert expanded <= generated
    low, high = (mean_counts("square R(3,2)", 5, 40, nearest_first=near) for near in (True, False))
    assert low.length == high.length
    assert low.expanded.value <= high.expanded.value


def test_results_have_a_json_form() -> None:
    (result,) = run_claims(select_claims(["hexagonal:1.1"]), Scope())
    assert isinstance(result, Result)
    value = result.to_json()
    assert value["verdict"] == "holds"
    assert "computed up to P(2," in value["note"]
    assert value["command"] == 'slidelab analyze "hex P(2,5)"'
