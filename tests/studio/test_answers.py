"""What the server answers at once, against the library's own answers and against independent checks."""

from __future__ import annotations

import json
import re
from datetime import date, timedelta
from typing import Any

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import slidelab as sl
from slidelab.budget import Budget
from slidelab.draw.play import play_html
from slidelab.glossary import glossary
from slidelab.reach.report import facts
from slidelab.studio.answers import puzzle_answer, shuffle_answer
from slidelab.studio.facts import EXPLANATIONS
from slidelab.studio.forms import PuzzleRequest, ShuffleRequest
from slidelab.studio.library import GALLERY, Named, daily_puzzle, library
from slidelab.studio.rearrangement import rearrangement, verdict_answer
from studio.serving import Server, check_refusal

SMALL = [
    "square R(3,2) tiles 1",
    "hex F(2) hextiles 2",
    "hex F(2) gourds 1",
    "theta(1,2,2) tiles 1",
    "cycle(6) tiles 1",
    "king R(3,2) tiles 1",
]
README = ["square R(4,4)", "hex P(4,4)", "hex P(3,4)", "hex F(3) gourds", "square R(3,4)"]


# Puzzles


@pytest.mark.parametrize("text", ["15-puzzle", "hex F(3) gourds", "theta(1,2,2)", "king R(3,3)", "hex star"])
def test_the_page_gets_the_data_of_a_page_in_one_file(server: Server, text: str) -> None:
    answer = server.ask("/api/puzzle", text=text)
    puzzle = sl.puzzle(text)
    assert answer["puzzle"] == puzzle.text
    assert answer["position"] == answer["goal"] == puzzle.goal.text
    assert (answer["pieces"], answer["cells"], answer["holes"]) == (
        puzzle.piece_count,
        puzzle.board.size,
        puzzle.hole_count,
    )
    assert sl.board(answer["board"]) == puzzle.board
    html = play_html(puzzle, hints=False)
    found = re.search(r"<script[^>]*application/json[^>]*>(.*?)</script>", html, re.DOTALL)
    assert found is not None
    embedded = json.loads(found[1])
    for key in set(embedded) - {"hints", "searches", "isSolvable", "obstacle"}:
        assert answer["play"][key] == embedded[key], key
    assert answer["play"]["drawing"] in html
    assert answer["play"]["styles"] in html


SPELLINGS: list[dict[str, Any]] = [
    {"text": "2x2 : 1, 2, x, 3"},
    {"text": '{"puzzle": "square R(2,2)", "start": {"tiles": [1, 2, 0, 3]}}'},
    {"document": {"puzzle": {"board": "2x2"}, "start": "1 2 . 3"}},
    {"document": {"puzzle": {"board": {"kind": "square", "cells": [[0, 0], [1, 0], [0, 1], [1, 1]]}},
                  "start": {"tiles": [1, 2, 0, 3]}}},
]  # fmt: skip


@pytest.mark.parametrize("body", SPELLINGS, ids=str)
def test_positions_are_read_however_they_are_written(server: Server, body: dict[str, Any]) -> None:
    answer = server.ask("/api/puzzle", **body)
    assert answer["position"] == "square R(2,2) tiles 1 : 1 2 . 3"
    other = server.ask("/api/puzzle", **body, goal="2 1 . 3")
    assert other["goal"] == "square R(2,2) tiles 1 : 2 1 . 3"
    assert other["play"]["puzzle"]["goal"] != answer["play"]["puzzle"]["goal"]


def test_rows_of_numbers_are_a_square(server: Server) -> None:
    answer = server.ask("/api/puzzle", text="[[1,2,3],[4,5,6],[7,0,8]]")
    assert answer["position"] == "square R(3,3) tiles 1 : 1 2 3 4 5 6 7 . 8"


def test_a_solution_brings_its_moves(server: Server) -> None:
    solution = sl.puzzle("square R(2,2)").solve("3 1 . 2")
    answer = server.ask("/api/puzzle", document=solution.to_json())
    assert answer["moves"] == [move.text for move in solution.moves]


def test_coloured_cells_are_a_goal(server: Server) -> None:
    nine = next(named for named in GALLERY if named.name == "Nine gourds")
    answer = server.ask("/api/puzzle", text=nine.text)
    assert answer["floor"] == json.loads(nine.text)["cells"]
    assert answer["play"]["puzzle"]["goal"] is None
    placed = sl.position(answer["goal"])
    assert placed.puzzle.colours is not None
    for cells, labels in zip(placed.pieces, placed.puzzle.colours, strict=True):
        assert [answer["floor"][cell] for cell in cells] == list(labels)


@pytest.mark.parametrize("named", GALLERY, ids=lambda named: named.name)
def test_every_puzzle_of_the_gallery_has_a_picture(server: Server, named: Named) -> None:
    response = server.client.get("/api/picture", params={"text": named.text, "theme": "dark"})
    assert response.status_code == 200
    assert response.headers["content-type"] == "image/svg+xml"
    assert "sandbox" in response.headers["content-security-policy"]
    document = sl.read_document(named.text, files=False)
    start = document.start or document.puzzle.goal
    assert response.text == start.draw(theme="dark", floor=document.cells).svg
    tag = {"if-none-match": response.headers["etag"]}
    again = server.client.get("/api/picture", params={"text": named.text, "theme": "dark"}, headers=tag)
    assert again.status_code == 304


def test_pictures_that_are_refused(server: Server) -> None:
    check_refusal(server.client.get("/api/picture"), 400)
    check_refusal(server.client.get("/api/picture?text=/etc/passwd"), 400)
    check_refusal(server.client.get("/api/picture?text=2x2&theme=pink"), 400)
    check_refusal(server.client.get("/api/picture?text=square+R(40,40)"), 413)


def test_coloured_cells_are_played_also_if_no_goal_is_found_in_time() -> None:
    nine = next(named for named in GALLERY if named.name == "Nine gourds")
    answer = puzzle_answer(PuzzleRequest(text=nine.text), Budget.of(time=0), cells=100, depth=9)
    assert answer["goal"] is None
    assert answer["play"]["puzzle"]["floor"] == answer["floor"]


# Facts


@pytest.mark.parametrize("text", [*SMALL, *README])
def test_facts_are_those_of_the_analysis(server: Server, text: str) -> None:
    answer = server.ask("/api/facts", puzzle=text)
    analysis = sl.puzzle(text).analyze()
    assert answer["analysis"] == json.loads(json.dumps(analysis.to_json()))
    assert answer["incomplete"] is None
    shown = {fact["label"]: fact["value"] for fact in answer["facts"]}
    for name, value in facts(analysis):
        assert shown[name] == value
    assert sum(fact["key"] == "theorem" for fact in answer["facts"]) == len(analysis.theorems)


@pytest.mark.parametrize("text", ["square R(3,2)", "hex F(2)", "cycle(5)", "king R(2,2)"])
def test_components_and_gods_number_by_plain_search(server: Server, text: str) -> None:
    graph = sl.puzzle(text).graph()
    parts = [graph.subgraph(part) for part in nx.connected_components(graph) if len(part) > 1]
    answer = server.ask("/api/facts", puzzle=text)
    assert answer["analysis"]["components"] == len(parts)
    shown = {fact["key"]: fact["value"] for fact in answer["facts"]}
    diameter = max(nx.diameter(part) for part in parts)
    assert shown["gods_number"] == f"{diameter} moves (computed)"


def test_facts_name_cells_and_terms(server: Server) -> None:
    answer = server.ask(
        "/api/facts", puzzle="hex P(4,4)", position="hex P(4,4) : 2 1 3 4 5 6 7 8 9 10 11 12 13 14 . ."
    )
    found = {fact["key"]: fact for fact in answer["facts"]}
    assert found["tight_corners"]["cells"] == [0, 15]
    assert found["stuck_pieces"]["cells"] == [0, 11]
    assert "tight corner" in found["this_position"]["value"]
    terms = server.client.get("/api/glossary").json()
    assert {fact["term"] for fact in answer["facts"]} <= set(terms)


def test_every_explanation_has_a_term_of_the_glossary() -> None:
    terms = {entry.term for entry in glossary()}
    assert {term for term, _ in EXPLANATIONS.values()} <= terms


def test_facts_are_answered_again_from_memory(server: Server) -> None:
    first = server.ask("/api/facts", puzzle="square R(3,2) tiles 2")
    before = dict(server.studio.quick.usage._used)
    assert server.ask("/api/facts", puzzle="square R(3,2) tiles 2") == first
    assert server.studio.quick.usage._used == before  # no worker was asked


def test_facts_of_large_boards_say_what_is_missing(server: Server) -> None:
    answer = server.ask("/api/facts", puzzle="hex P(40,40) hextiles 5")
    assert answer["analysis"]["by_theorem_alone"] is True
    assert answer["incomplete"]


# Verdicts


@pytest.mark.parametrize(
    "text",
    [
        "15 : 1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 .",
        "15 : . 2 3 4 5 6 7 8 9 10 11 12 13 14 15 1",
        "hex P(4,4) : 2 1 3 4 5 6 7 8 9 10 11 12 13 14 . .",
        "theta(1,2,2) : 2 1 3 4 5 6 .",
        "cycle(6) : 1 3 2 4 5 .",
        "hex F(2) gourds : 0-1 2-3 4-6",
        "30x30 : " + " ".join(map(str, [2, 1, *range(3, 900)])) + " .",
    ],
)
def test_verdicts_are_those_of_the_library(server: Server, text: str) -> None:
    start = sl.position(text)
    answer = server.ask("/api/solvable", position=text)
    verdict = start.puzzle.solvable(start)
    assert (answer["solvable"], answer["reason"]) == (verdict.solvable, verdict.reason)
    assert answer["certificate"] == json.loads(json.dumps(verdict.certificate))
    if answer["after"] is not None:
        assert start.play(*answer["path"]).text == answer["after"]
        assert apply_cycles(sl.position(answer["after"]), answer["cycle_pieces"]) == start.puzzle.goal


def apply_cycles(here: sl.Configuration, cycles: list[list[int]]) -> sl.Configuration:
    """Put every piece of a cycle where the next one lies."""
    pieces = list(here.pieces)
    for cycle in cycles:
        for piece, following in zip(cycle, cycle[1:] + cycle[:1], strict=True):
            pieces[piece - 1] = here.pieces[following - 1]
    return sl.Configuration(here.puzzle, tuple(pieces))


def test_loyds_swap_and_the_stuck_corner(server: Server) -> None:
    loyd = server.ask("/api/solvable", position="15 : 1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 .")
    assert loyd["cycles"] == [["14", "15"]]
    assert loyd["swap"] == ["14", "15"]
    assert loyd["swap_pieces"] == [14, 15]
    assert loyd["stuck"] == []
    corner = server.ask("/api/solvable", position="hex P(4,4) : 2 1 3 4 5 6 7 8 9 10 11 12 13 14 . .")
    assert corner["stuck"] == [0]
    assert corner["swap"] is None
    assert [0] in corner["orbits"]


@given(st.permutations([*range(1, 9), 0]))
@settings(max_examples=60, deadline=None)
def test_parity_and_cycles_of_the_8_puzzle(row: list[int]) -> None:
    """Solvable if and only if the cycles that are left are an even permutation."""
    start = sl.position({"puzzle": "square R(3,3)", "start": {"tiles": row}})
    goal = start.puzzle.goal
    answer = verdict_answer(start, goal, Budget())
    needed = rearrangement(start, goal)
    assert needed is not None
    assert apply_cycles(needed.after, [list(cycle) for cycle in needed.cycles]) == goal
    # Counted independently: inversions of the tiles, in reading order.
    tiles = [tile for tile in row if tile]
    inversions = sum(a > b for k, a in enumerate(tiles) for b in tiles[k + 1 :])
    assert answer["solvable"] == (inversions % 2 == 0) == (not needed.is_odd)
    assert (answer["swap"] is None) == answer["solvable"]


# Hints


@pytest.mark.parametrize("text", SMALL)
def test_every_hint_is_a_step_nearer_by_a_table(server: Server, text: str) -> None:
    puzzle = sl.puzzle(text)
    table = sl.distance_table(puzzle.goal)
    here = puzzle.shuffle(seed=5)
    distance = table.distance(here, puzzle.goal)
    assert distance is not None
    for left in range(distance, 0, -1):
        answer = server.ask("/api/hint", position=here.text)
        assert answer["distance"] == answer["bound"] == answer["known"] == left
        assert here.play(*answer["line"]) == puzzle.goal
        here = here.play(answer["move"])
        assert table.distance(here, puzzle.goal) == left - 1
    final = server.ask("/api/hint", position=here.text)
    assert (final["move"], final["distance"]) == (None, 0)


def test_a_hint_is_also_in_words(server: Server) -> None:
    answer = server.ask("/api/hint", position="15 : 1 2 3 4 5 6 7 8 9 10 11 12 13 x 14 15")
    assert (answer["move"], answer["words"], answer["direction"]) == ("14:14>13", "slide 14 left", "←")
    assert answer["step"] == {"piece": 14, "from": [14], "to": [13]}


def test_no_hint_where_there_is_no_solution(server: Server) -> None:
    answer = server.ask("/api/hint", position="3x3 : 2 1 3 4 5 6 7 8 .")
    assert (answer["move"], answer["solvable"]) == (None, False)
    assert "odd permutation" in answer["reason"]


# Shuffles


@pytest.mark.parametrize("text", ["square R(3,3) tiles 1", "hex F(2) gourds 1", "theta(1,2,2) tiles 1"])
@pytest.mark.parametrize("how", [{"moves": 7}, {"difficulty": "medium"}, {"difficulty": "hardest"}, {}])
def test_the_distance_of_a_shuffle_is_exact_by_a_table(
    server: Server, text: str, how: dict[str, Any]
) -> None:
    goal = sl.puzzle(text).goal
    answer = server.ask("/api/shuffle", puzzle=text, seed=11, **how)
    table = sl.distance_table(goal)
    assert answer["exact"] is True
    assert table.distance(sl.position(answer["position"]), goal) == answer["distance"]
    if "moves" in how:
        assert answer["distance"] == 7
    if how.get("difficulty") == "hardest":
        assert answer["distance"] == table.depth
    assert server.ask("/api/shuffle", puzzle=text, seed=11, **how) == answer


def test_a_shuffle_without_a_seed_says_which_it_was(server: Server) -> None:
    answer = server.ask("/api/shuffle", puzzle="15")
    again = server.ask("/api/shuffle", puzzle="15", seed=answer["seed"])
    assert again["position"] == answer["position"]
    assert answer["position"] == sl.puzzle("15").shuffle(seed=answer["seed"]).text


@pytest.mark.parametrize("difficulty", ["easy", "medium", "hard", "hardest"])
def test_a_difficulty_is_estimated_where_distances_are_not_found(difficulty: str) -> None:
    """The time is up at once, so that no distance is ever found."""
    request = ShuffleRequest(puzzle="hex F(3) gourds", seed=3, difficulty=difficulty)  # type: ignore[arg-type]
    answer = shuffle_answer(request, Budget.of(time=0), cells=100, depth=9)
    assert answer["exact"] is False
    assert answer["distance"] is None
    start = sl.position(answer["position"])
    assert start.puzzle.solvable(start)
    assert answer["at_most"] == {"easy": 9, "medium": 36}.get(difficulty)
    if difficulty == "easy":
        assert start.puzzle.solve(start).length <= 9


def test_shuffles_keep_to_their_goal(server: Server) -> None:
    goal = "square R(3,3) tiles 1 : 2 1 3 4 5 6 7 8 ."
    answer = server.ask("/api/shuffle", puzzle="3x3", seed=1, moves=5, goal=goal)
    assert (
        sl.distance_table(sl.position(goal)).distance(sl.position(answer["position"]), sl.position(goal)) == 5
    )


# Library and glossary


def test_the_gallery_can_be_opened(server: Server) -> None:
    gallery = server.client.get("/api/library?date=2026-11-18").json()["gallery"]
    assert [entry["text"] for entry in gallery[1:]] == [named.text for named in GALLERY]
    for entry in gallery:
        assert server.ask("/api/puzzle", text=entry["text"])["position"], entry["name"]


def test_only_loyds_puzzle_cannot_be_solved() -> None:
    impossible = []
    for named in GALLERY:
        document = sl.read_document(named.text, files=False)
        if (
            document.start is not None
            and document.cells is None
            and not document.puzzle.solvable(document.start)
        ):
            impossible.append(named.name)
    assert impossible == ["Loyd's 15-puzzle"]


def test_the_hardest_8_puzzles_are() -> None:
    table = sl.distance_table(sl.puzzle("8-puzzle").goal)
    hardest = [sl.position(named.text) for named in GALLERY if named.name.startswith("Hardest")]
    assert [table.distance(start, start.puzzle.goal) for start in hardest] == [31, 31]
    assert table.distribution[31] == len(set(hardest)) == 2


def test_nothing_moves_on_the_star() -> None:
    star = next(named for named in GALLERY if named.name == "The star")
    assert list(sl.puzzle(star.text).goal.moves) == []


def test_families_and_rules(server: Server) -> None:
    found = server.client.get("/api/library").json()
    for family in found["families"]:
        defaults = {each["name"]: each["default"] for each in family["parameters"]}
        puzzle = sl.puzzle(family["template"].format(**defaults))
        assert puzzle == sl.puzzle(family["text"])
        assert (puzzle.rule.name, puzzle.hole_count) == (family["rule"], family["holes"])
        for rule in family["rules"]:
            assert sl.puzzle(family["text"], rule).rule.name == rule
    assert [rule["name"] for rule in found["rules"]] == list(sl.RULES)


def test_every_day_has_a_puzzle_of_its_own_that_can_be_solved() -> None:
    days = [date(2026, 11, 18) + timedelta(days=k) for k in range(22)]
    puzzles = [daily_puzzle(day) for day in days]
    assert len({named.text for named in puzzles}) == len(days)
    for named in puzzles:
        start = sl.position(named.text)
        assert start != start.puzzle.goal
        assert start.puzzle.solvable(start)
    assert library(days[0])["gallery"][0]["text"] == puzzles[0].text


def test_the_glossary_is_the_one_of_explain(server: Server) -> None:
    assert server.client.get("/api/glossary").json() == {entry.term: entry.text for entry in glossary()}


def test_vertices_are_drawn_where_they_were(server: Server) -> None:
    at = [[0.0, 0.0], [4.0, 0.0], [0.0, 3.0]]
    cells = server.ask("/api/puzzle", text="graph 0-1 1-2 2-0", positions=at)["play"]["cells"]
    points = [complex(*cells[k : k + 2]) for k in (0, 2, 4)]
    sides = [abs(points[k] - points[k - 1]) for k in range(3)]
    assert sides[2] / sides[0] == pytest.approx(5 / 3, rel=0.01)
    assert "3 positions" in server.refused("/api/puzzle", {"text": "cycle(3)", "positions": at[:2]})
    assert "vertices of a graph" in server.refused("/api/puzzle", {"text": "2x2", "positions": at})
