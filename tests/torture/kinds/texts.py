"""Texts, JSON and pictures: everything parses back to itself, and damaged input is refused in words."""

from __future__ import annotations

import json
from random import Random
from xml.etree import ElementTree

import slidelab as sl
from slidelab.errors import PuzzleError
from slidelab.puzzles import Configuration
from torture.case import Case
from torture.puzzles import draw_puzzle

__all__ = ["mutate", "run"]

ALPHABET = " 0123456789-,.:/()=[]{}\"'#oabchexPTFRtilesgourdskin\n\téß☃\x00\ud800"

MUTATIONS = 40
"""Damaged texts of each case."""


def run(case: Case) -> None:
    """Write one puzzle in every form and read it back."""
    made = draw_puzzle(case.rng, case.rng.choice([3, 6, 12, 30, 80]), coloured=0.5)
    puzzle = made.puzzle
    case.about(f"{puzzle.text:.150}")
    _check_puzzle(case, puzzle)
    try:
        configuration = puzzle.shuffle(case.rng.randrange(10**6), time=5)
    except PuzzleError:
        return  # the pieces do not fit, or nothing is known about so large a puzzle
    _check_configuration(case, configuration)
    _check_solution(case, configuration)
    _check_picture(case, configuration)
    for _ in range(MUTATIONS):
        _read_damaged(case, configuration)


def _check_puzzle(case: Case, puzzle: sl.Puzzle) -> None:
    with case.attempt("puzzle from its texts"):
        case.same(sl.puzzle(puzzle.text), puzzle, "puzzle from its text")
        case.same(sl.puzzle(puzzle.to_json()), puzzle, "puzzle from its JSON")
        case.same(sl.puzzle(json.dumps(puzzle.to_json())), puzzle, "puzzle from its JSON text")
    with case.attempt("board from its texts"):
        board = puzzle.board
        case.same(sl.board(board.name), board, "board from its name")
        case.same(sl.board(board.to_json()), board, "board from its JSON")
        if board.kind != "graph":
            drawn = sl.board(str(board))
            case.same(len(drawn), len(board), "cells of the drawn board")
            case.same(drawn.edges, board.edges, "edges of the drawn board")


def _check_configuration(case: Case, configuration: Configuration) -> None:
    puzzle = configuration.puzzle
    with case.attempt("configuration from its texts"):
        case.same(sl.position(configuration.text), configuration, "position from its text")
        case.same(puzzle.configuration(configuration.pieces_text), configuration, "pieces from their text")
        case.same(puzzle.configuration(configuration.to_json()), configuration, "configuration from JSON")
        both = {"puzzle": puzzle.to_json(), "start": configuration.to_json()}
        case.same(sl.position(both), configuration, "position from JSON")
        case.check(str(configuration), "the configuration does not print")
    with case.attempt("moves"):
        for move in list(configuration.moves)[:20]:
            case.same(sl.read_move(move.text), move, "move from its text")
            case.same(sl.read_move(move.to_json()), move, "move from its JSON")
            there = configuration.play(move)
            case.same(there.play(move.reversed), configuration, f"configuration after {move.text} and back")


def _check_solution(case: Case, goal: Configuration) -> None:
    here, moves = goal, []
    for _ in range(case.rng.randint(0, 30)):
        options = list(here.moves)
        if not options:
            break
        move = case.rng.choice(options)
        here = here.play(move)
        moves.append(move)
    with case.attempt("solution from JSON"):
        solution = sl.Solution(goal, here, moves)
        case.same(
            "".join(solution.json_chunks()), json.dumps(solution.to_json(), ensure_ascii=False), "chunks"
        )
        again = sl.read_document(solution.to_json()).solution()
        case.check(again is not None, "the solution is lost")
        if again is not None:
            found = (again.start, again.goal, again.text)
            case.same(found, (solution.start, solution.goal, solution.text), "solution from JSON")


def _check_picture(case: Case, configuration: Configuration) -> None:
    theme = case.rng.choice(["light", "dark", "print"])
    with case.attempt(f"draw, theme={theme}"):
        picture = configuration.draw(theme=theme, cells=case.rng.choice([None, True, False]))
        path = case.folder / "picture.svg"
        picture.save(path)
        root = ElementTree.parse(path).getroot()
        case.check(root.tag.endswith("svg"), "the picture is no SVG")
        path.unlink()


def mutate(rng: Random, text: str) -> str:
    """Return a text with a few characters changed, left out, put in or doubled."""
    for _ in range(rng.choice([1, 1, 2, 5])):
        at = rng.randrange(len(text) + 1)
        end = min(len(text), at + rng.choice([0, 1, 1, 3, 10]))
        put = "".join(rng.choice(ALPHABET) for _ in range(rng.choice([0, 1, 1, 2])))
        if rng.random() < 0.2:
            put = text[at:end] * 2
        text = text[:at] + put + text[end:]
    return text


def _read_damaged(case: Case, configuration: Configuration) -> None:
    rng, puzzle = case.rng, configuration.puzzle
    form = rng.choice(["line", "pieces", "json", "document", "board"])
    both = {"puzzle": puzzle.to_json(), "start": configuration.to_json(), "moves": ["1:0>1"]}
    text = {
        "line": configuration.text,
        "pieces": configuration.pieces_text,
        "json": json.dumps(configuration.to_json()),
        "document": json.dumps(both),
        "board": str(puzzle.board),
    }[form]
    text = mutate(rng, text)
    with case.attempt(f"damaged {form} {text!r:.120}", PuzzleError):
        if form in ("pieces", "json"):
            found = puzzle.configuration(text, files=False)
            case.same(found.puzzle, puzzle, "puzzle of a damaged configuration")
        elif form == "board":
            board = sl.board(text, files=False)
            case.same(sl.board(board.name), board, "board from its name")
        else:
            document = sl.read_document(text, files=False)
            solution = document.solution()
            case.check(solution is None or solution.length < 2, "moves out of nothing")
            if document.start is not None:
                case.same(sl.position(document.start.text), document.start, "position from its text")
