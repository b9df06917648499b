"""The command `prove`: proofs of what can be reached, and their check."""

from __future__ import annotations

from typing import Annotated

from slidelab.cli import completers
from slidelab.cli.arguments import Holes, Rule, read_input
from slidelab.cli.options import Json, ShowProgress, Time, budget_from, flag, text
from slidelab.cli.output import DONE, NO, print_answer, print_error, print_json
from slidelab.errors import NotationError


def prove(
    puzzle: Annotated[
        str,
        text(
            "a puzzle, a statement such as 'hex P(m,n) 3 for m,n >= 3: one component', or with --check a "
            "file (or - ) with a proof",
            completer=completers.boards,
        ),
    ],
    *,
    rule: Rule = None,
    holes: Holes = None,
    check: Annotated[
        bool, flag("verify a proof, the output of --json, without the code that found it")
    ] = False,
    time: Time = None,
    progress: ShowProgress = True,
    json: Json = False,
) -> int:
    """Prove what can be reached on a board, or on all boards of a family.

    Prints the proof as a tree, or with --json in the form that --check verifies. Exit code 1 if a statement
    is refuted or a proof does not hold, 3 if no proof is found.
    """
    if check:
        if rule is not None or holes is not None:
            option = "--rule" if rule is not None else "--holes"
            raise NotationError(f"expected --check without {option}: the proof says what it is about")
        return _check(puzzle, json)
    from slidelab.reach.prover.entry import prove as run
    from slidelab.reach.prover.families import Refuted

    with budget_from(time, progress=progress) as budget:
        try:
            proof = run(read_input(puzzle), rule, holes, time=time, progress=budget.progress)
        except Refuted as error:
            print_answer(json, {"proved": False, "reason": str(error)}, error)
            return NO
    print_answer(json, proof.to_json(), proof)
    return DONE


def _check(source: str, json: bool) -> int:
    """Check the proof in a file, and print what it proves or the first step that does not hold."""
    from slidelab.reach.proof_check.entry import check_proof
    from slidelab.reach.proof_check.refusal import Refused

    try:
        proved = check_proof(_read_proof(source))
    except Refused as problem:
        if json:
            print_json({"holds": False, "reason": str(problem)})
            return NO
        return print_error(f"the proof does not hold: {problem}", NO)
    print_answer(json, {"holds": True, "proves": proved}, f"the proof holds: {proved}")
    return DONE


def _read_proof(source: str) -> object:
    from json import JSONDecodeError, loads
    from pathlib import Path

    content = read_input(source)
    if content == source:
        try:
            content = Path(source).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            raise NotationError(f"expected a proof as JSON in {source!r:.80}, got a binary file") from None
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise NotationError(f"expected a file with a proof, got {source!r:.80}: {reason}") from None
    try:
        form = loads(content)
    except (JSONDecodeError, RecursionError, ValueError):
        raise NotationError(f"expected a proof as JSON in {source!r:.80}, got other text") from None
    if not isinstance(form, dict):
        raise NotationError(f"expected a proof as a JSON object in {source!r:.80}, got {type(form).__name__}")
    return form
