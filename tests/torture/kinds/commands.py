"""The command line: random commands with random options end with a documented code and no traceback."""

from __future__ import annotations

import json
from random import Random

import slidelab as sl
from reach.twins import Twin
from slidelab.cli.batch import BATCH_COMMANDS
from slidelab.errors import PuzzleError
from torture.case import Case
from torture.commands import Ended, Output, check_end, run_command
from torture.kinds.texts import mutate
from torture.options import accepted_methods
from torture.oracle import replay
from torture.puzzles import draw_puzzle, draw_small

__all__ = ["draw_command", "run"]

COMMANDS = 3
"""Commands of each case; one takes some half a second."""

NO_ANSWER_COMMANDS = ("solvable", "solve", "hint", "place", "draw")
"""Commands that may end with exit code 1."""

PICTURES = ("svg", "png", "pdf", "gif", "html", "stl", "3mf")
SHOWS = (
    "position",
    "orbits",
    "graph",
    "gain-graph",
    "distances",
    "moves",
    "layers",
    "cycle",
    "solid",
    "story",
)


def run(case: Case) -> None:
    """Run a few random commands."""
    for _ in range(COMMANDS):
        rng = case.rng
        made = draw_small(rng, 3000) if rng.random() < 0.7 else draw_puzzle(rng, rng.choice([16, 30, 100]))
        words = draw_command(rng, made)
        if rng.random() < 0.15:
            at = rng.randrange(len(words))
            words[at] = mutate(rng, words[at]).replace("\0", "").encode("utf-8", "replace").decode()
        if rng.random() < 0.05:
            words.insert(
                rng.randrange(len(words)), rng.choice(["--help", "-", "--", "--nonsense", "", "--json"])
            )
        if rng.random() < 0.15 and words[0] in BATCH_COMMANDS:
            words[1] = "-"
        stdin = "\n".join([made.puzzle.text] * rng.choice([1, 1, 3])) if "-" in words else ""
        output: Output = rng.choice(["unread", "closed", "full"]) if rng.random() < 0.2 else "read"
        case.about(f"output {output}")
        ended = run_command(case, *words, stdin=stdin, output=output)
        if check_end(case, ended):
            _check_answer(case, made, ended, output)


def draw_command(rng: Random, made: Twin) -> list[str]:
    """Return the words of a random command about a puzzle."""
    text = made.puzzle.text
    name = rng.choice(
        [
            "analyze",
            "solvable",
            "shuffle",
            "god",
            "solve",
            "solve",
            "hint",
            "place",
            "draw",
            "boards",
            "pdb",
            "atlas",
            "sheet",
            "explain",
        ]
    )
    start = ["--seed", str(rng.randrange(1000))]
    seconds = ["--time", str(rng.choice([0.1, 1, 3]))]
    words = {
        "analyze": lambda: [
            text,
            *_maybe(rng, ["--holes", "1-4"]),
            *_maybe(rng, ["--no-connection"]),
            *seconds,
        ],
        "solvable": lambda: [text, *start, *_maybe(rng, ["--check"]), *_maybe(rng, ["--moves"]), *seconds],
        "shuffle": lambda: [text, *start, *_maybe(rng, ["--count", "5"]), *_distance_words(rng), *seconds],
        "god": lambda: [text, *_god_words(rng, made), *seconds],
        "solve": lambda: [text, *start, *_solve_words(rng, made), *seconds],
        "hint": lambda: [text, *_start_words(rng, made), *seconds],
        "place": lambda: [text, "--cells", _cells_word(rng, made), *_maybe(rng, ["--count"]), *seconds],
        "draw": lambda: [text, "-o", f"picture.{rng.choice(PICTURES)}", *_draw_words(rng), *seconds],
        "boards": lambda: [made.puzzle.board.name, *_maybe(rng, ["--cycle"]), *seconds],
        "pdb": lambda: rng.choice([["list"], ["clear"], ["build", text, "--tables", "1M", *seconds]]),
        "sheet": lambda: [
            text,
            *start,
            "-o",
            rng.choice(["sheet.pdf", "sheet.svg"]),
            "--count",
            "3",
            *seconds,
        ],
        "explain": lambda: [rng.choice(["parity", "gourd", "orbits", "nonsense"])],
        "atlas": lambda: ["gourds", "--cells", rng.choice(["7", "9", "8", "19"])],
    }[name]()
    return [name, *words, *_maybe(rng, ["--json"])]


def _maybe(rng: Random, words: list[str], chance: float = 0.3) -> list[str]:
    return words if rng.random() < chance else []


def _distance_words(rng: Random) -> list[str]:
    levels = ["easy", "medium", "hard", "hardest"]
    moves = ["--moves", str(rng.choice([0, 1, 5, 12, 60]))]
    return _maybe(rng, rng.choice([moves, ["--difficulty", rng.choice(levels)]]))


def _god_words(rng: Random, made: Twin) -> list[str]:
    words = _maybe(rng, ["--threads", str(rng.randint(1, 4))]) + _maybe(
        rng, ["--memory", rng.choice(["1M", "100M"])]
    )
    words += _maybe(rng, ["--metric", "straight"], 0.15) + _maybe(rng, ["--chart", "chart.svg"], 0.1)
    if rng.random() < 0.5:
        words += [*_start_words(rng, made), *_maybe(rng, ["--hardest", "3"])]
    return words + _maybe(rng, ["--checkpoint", "layers"])


def _solve_words(rng: Random, made: Twin) -> list[str]:
    method = rng.choice(accepted_methods(made))
    words = ["--method", method]
    if method == "weighted":
        words += _maybe(rng, ["--weight", rng.choice(["1", "1.3", "7"])])
    words += _maybe(rng, ["--tables", rng.choice(["0", "10k", "5M"])]) + _maybe(rng, ["--explain"])
    words += _maybe(rng, [rng.choice(["--shorten", "--no-shorten"])]) + _maybe(rng, ["--steps"], 0.1)
    words += _maybe(rng, ["--memory", rng.choice(["1k", "1M", "200M"])], 0.2)
    return words + _maybe(rng, ["--max-shapes", rng.choice(["1", "50", "5000"])], 0.2)


def _start_words(rng: Random, made: Twin) -> list[str]:
    try:
        return ["--start", made.puzzle.shuffle(rng.randrange(1000), time=5).pieces_text]
    except PuzzleError:
        return ["--start", "1 2 3"]


def _cells_word(rng: Random, made: Twin) -> str:
    labels = [label for piece in made.puzzle.colours or (("a", "b"),) for label in piece]
    return " ".join(rng.choice([*labels, "."]) for _ in range(made.plain.n))


def _draw_words(rng: Random) -> list[str]:
    words = _maybe(rng, ["--show", rng.choice(SHOWS)]) + _maybe(
        rng, ["--theme", rng.choice(["dark", "print", "x"])]
    )
    words += _maybe(rng, ["--play"], 0.1)
    return (
        words
        + _maybe(rng, ["--seed", "3"], 0.6)
        + _maybe(rng, ["--size", rng.choice(["5", "64", "-1"])], 0.1)
    )


def _check_answer(case: Case, made: Twin, ended: Ended, output: Output) -> None:
    name = ended.arguments[0]
    case.check(ended.code != 1 or name in NO_ANSWER_COMMANDS, f"{ended.line}: exit code 1")
    told = ended.out or ended.err or output != "read"
    case.check(ended.code == 0 or told, f"{ended.line}: exit code {ended.code} without a word")
    if output != "read" or ended.code != 0 or "--json" not in ended.arguments or "--help" in ended.arguments:
        return
    with case.attempt(f"JSON of {ended.line}"):
        batch = "-" in ended.arguments and not ended.out.startswith("[")  # one line for each source
        for value in map(json.loads, ended.out.splitlines() if batch else [ended.out]):
            if name != "solve" or "error" in value:
                continue
            solution = sl.read_document(value).solution()
            case.check(solution is not None, f"{ended.line}: no solution")
            if solution is not None and solution.puzzle == made.puzzle:
                wrong = replay(made, solution.start, solution.goal, solution.moves)
                case.check(not wrong, f"{ended.line}: {wrong}")
