"""Statements about families: what is proved holds on small boards, and forged proofs are refused."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from copy import deepcopy
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, factorial
from pathlib import Path
from typing import Any

import pytest

import slidelab as sl
from commands import Run, one_line, refused
from reach.damage import damage
from slidelab.boards import board
from slidelab.errors import NotationError, TooLarge
from slidelab.reach.families import count_components
from slidelab.reach.proof_check.entry import check_proof
from slidelab.reach.proof_check.formulas import parse_polynomial
from slidelab.reach.proof_check.refusal import Refused
from slidelab.reach.prover.families import FamilyProof, Refuted, prove_family
from slidelab.reach.prover.linear import Linear, contradiction
from slidelab.reach.prover.statements import parse_statement

CONVEX_TWO_HOLES = (
    "hex convex(m,n,a,b) 2 for a,b >= 1, m >= a+2, n >= a+2, m >= b+2, n >= b+2, m+n >= a+b+4, "
    "2m+2n >= a+b+11: strong parity"
)
"""All convex boards without a tight corner, but for F(2), which has 2m + 2n = a + b + 10."""

PAPERS = (
    "hex P(2,m) h for m >= 2, h >= 2: (2m-h)! components",  # Theorem 1.1
    "hex P(m,n) h for m,n >= 3, h >= 3: one component",  # Theorem 1.3
    "hex T(m) h for m >= 5, h >= 3: one component",  # Corollary 1.4
    "hex F(m) h for m >= 3, h >= 3: one component",
    "hex P(m,n) 2 for m,n >= 3: weak parity",  # Theorem 1.5
    "hex P(m,n) for m,n >= 3: connection number 3",  # Theorem 1.7
    "hex T(m) for m >= 5: connection number 3",
    "hex F(m) for m >= 3: connection number 3",
    "hex F(m) 2 for m >= 3: strong parity",  # Theorem 1.8
    "hex Ttr(m) 2 for m >= 5: strong parity",
    "hex Ptr(m,n) 2 for m,n >= 3, m+n >= 7: strong parity",
    "hex P(m,n) 2 for m,n >= 3, m+n >= 7: 4*comb(m*n-2,2) components",  # Theorem 1.9 and Lemma 4.3
    "hex T(m) 2 for m >= 5: 12*comb(m*(m+1)/2-2,3) components",
    "square R(m,n) 1 for m,n >= 2: two components",  # Wilson
    "square R(m,n) 2 for m,n >= 2, m+n >= 5: one component",
    "hex P(m,n) gourds for m,n >= 2: one component",  # Gourds, Theorem 9
    "hex F(m) gourds for m >= 2: one component",
)
"""The statements of the papers."""

NEW = (
    "hex T(m) 3 for m >= 4: one component",
    "hex trapezoid(m,n) 3 for n >= 3, m >= n, m >= 4: one component",
    "hex ring(m,k) 3 for k >= 3, m >= k+1: one component",
    "hex Ptr(m,n) 3 for m,n >= 3, m+n >= 7: one component",
    "hex Ttr(m) 3 for m >= 5: one component",
    "hex trapezoid(m,2) h for m >= 2, h >= 2: (2m-1-h)! components",
    "hex convex(m,n,1,0) 3 for m,n >= 3: one component",
    "hex convex(m,m,1,m-2) 2 for m >= 4: strong parity",
    CONVEX_TWO_HOLES,
)
"""Statements that no paper has."""


@pytest.mark.parametrize("text", [*PAPERS, *NEW])
def test_statements_are_proved_checked_and_true(text: str) -> None:
    """The proof passes the checker after a trip through JSON, and small boards agree with the claim."""
    proof = sl.prove(text)
    assert isinstance(proof, FamilyProof)
    statement = proof.statement
    checked = check_proof(json.loads(json.dumps(proof.to_json())))
    assert checked.replace(" ", "") == str(statement).replace(" ", "")
    tested = 0
    for values in product(range(1, 7), repeat=len(statement.names)):
        sizes = dict(zip(statement.names, values, strict=True))
        if any(form.at(sizes) < 0 for form in statement.conditions):
            continue
        numbers = ",".join(str(form.at(sizes)) for form in statement.family.arguments)
        member = board(f"{statement.family.kind} {statement.family.name}({numbers})")
        assert frozenset(member.cells) == statement.family.cells(sizes)
        holes = sizes[statement.holes] if isinstance(statement.holes, str) else statement.holes
        if holes >= member.size or member.size > 20 or (statement.rule == "gourds" and member.size % 2 == 0):
            continue
        assert agrees(statement.claim, sl.puzzle(member, statement.rule, holes), sizes)
        tested += 1
    assert tested or "ring" in text


def agrees(claim: str, puzzle: sl.Puzzle, sizes: dict[str, int]) -> bool:
    """Whether the gain graph agrees with a claim about one board."""
    if claim == "weak parity":
        return bool(puzzle.analyze(connection=False).weak_parity)
    if claim == "connection number 3":
        return [count_components(sl.puzzle(puzzle.board, "hextiles", holes)) == 1 for holes in (2, 3)] == [
            False,
            True,
        ]
    found = count_components(puzzle)
    if claim in ("one component", "two components", "strong parity"):
        return found == (1 if claim == "one component" else 2)
    names: dict[str, Any] = {"comb": comb, "factorial": factorial, **sizes}
    formula = claim.removesuffix(" components").replace("2m", "2*m").replace("/", "//")
    if formula.endswith("!"):
        formula = f"factorial{formula[:-1]}"
    return bool(found == eval(formula, {"__builtins__": {}}, names))


def test_all_convex_boards_with_three_holes() -> None:
    """A proof that takes most of a minute to find, a moment to check; T(3) and F(2) are the exceptions."""
    form = json.loads((Path(__file__).parent.parent / "golden" / "convex-three-holes.json").read_text())
    checked = check_proof(form)
    assert checked.startswith("hex convex(m,n,a,b) hextiles 3 for ")
    assert checked.endswith("2m+2n >= a+b+11: one component")
    text = checked.replace("2m+2n >= a+b+11", "2m+2n >= a+b+10")
    with pytest.raises(Refuted, match=r"convex\(3,3,0,2\) has 6 components"):  # a triangle T(3)
        prove_family(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hex P(m,n) 2 for m,n >= 3: strong parity", r"P\(3,3\) has 1,008 components"),
        ("hex P(m,n) 3 for m,n >= 2: one component", r"P\(2,3\) has 6 components"),
        ("hex T(m) 3 for m >= 3: one component", r"T\(3\) has 6 components"),
        ("hex Ttr(m) 2 for m >= 4: strong parity", r"Ttr\(4\) has 24 components"),
        ("hex trapezoid(m,n) 3 for n >= 3, m >= n: one component", r"trapezoid\(3,3\)"),
        ("square R(m,n) 1 for m,n >= 1, m+n >= 4: two components", r"R\(1,4\) has 6"),
        ("square R(m,n) gourds for m,n >= 2: one component", r"R\(3,3\) has 48 components"),
        ("hex P(m,n) gourds for m >= 2, n >= 1: one component", r"P\(3,1\) has 2 components"),
        ("hex P(m,n) 2 for m,n >= 3: 4*comb(m*n-2,2) components", r"P\(3,3\) has 1,008 components, not 84"),
        ("hex P(m,n) 2 for m,n >= 3, m+n >= 7: 5*comb(m*n-2,2) components", "180 components, not 225"),
        ("hex T(m) 2 for m >= 5: 11*comb(m*(m+1)/2-2,3) components", "has 3,432 components, not 3,146"),
        ("hex T(m) 2 for m >= 5: m/2 components", "has 3,432 components, not 5/2"),
        (
            "hex P(2,m) h for m >= 2, h >= 2: (2m-h+1)! components",
            r"P\(2,2\) with 2 holes has 2 comp.* not 6",
        ),
        ("hex P(2,m) h for m >= 2, h >= 2: (m-9)! components", r"2 components, not \(-7\)!"),
        ("hex T(m) for m >= 3: connection number 3", r"T\(3\) has 6 components with 3 holes"),
        ("hex P(m,n) for m,n >= 3: connection number 2", r"P\(3,3\) has 1,008 components with 2 holes"),
        ("hex P(m,n) for m,n >= 3: connection number 4", r"P\(3,3\) has one component with 3 holes already"),
        ("hex F(m) h for m >= 2, h >= 3: one component", r"F\(2\) with 3 holes has 6 components"),
        ("hex P(2,n) h for n >= 2, h >= 2: one component", r"P\(2,2\) with 2 holes has 2 components"),
    ],
)
def test_false_statements_are_refuted(text: str, message: str) -> None:
    """Conditions weakened by one, other formulas and numbers: a board contradicts the statement."""
    with pytest.raises(Refuted, match=message):
        prove_family(text)


@pytest.mark.parametrize(
    "text",
    [
        "hex P(m,n) 3 for m,n >= 12: one component",
        "hex P(m,n) h for m,n >= 1000, h >= 7: one component",
        "hex P(m,n) 3 for m >= 12, n >= 3, m+n >= 20: one component",
        "hex T(m) for m >= 40: connection number 3",
        "hex P(m,n) 2 for m,n >= 12: 4*comb(m*n-2,2) components",
    ],
)
def test_special_cases_are_proved_from_smaller_sizes(text: str) -> None:
    """The sizes are too large for an induction to begin at; the statement for smaller ones contains it."""
    proof = sl.prove(text)
    assert isinstance(proof, FamilyProof)
    assert proof.form["by"] == "special case"
    assert check_proof(json.loads(json.dumps(proof.to_json()))) == proof.check()


def more_sizes(form: dict[str, Any]) -> None:
    form["statement"]["conditions"][0][""] = -3  # T(3) has six components


def other_claim_of_the_general_case(form: dict[str, Any]) -> None:
    form["statement"]["claim"] = "two components"


def other_holes_of_the_special_case(form: dict[str, Any]) -> None:
    form["statement"]["holes"] = 4


def no_multipliers(form: dict[str, Any]) -> None:
    form["proof"]["allowed"] = []


@pytest.mark.parametrize(
    "forge",
    [more_sizes, other_claim_of_the_general_case, other_holes_of_the_special_case, no_multipliers],
    ids=lambda forge: forge.__name__,
)
def test_forged_special_cases_are_refused(forge: Callable[[dict[str, Any]], None]) -> None:
    form = proof_form("hex T(m) 3 for m >= 12: one component")
    proved = "hex T(m) hextiles 3 for m >= 12: one component"
    assert check_proof(deepcopy(form)) == proved
    forge(form)
    with pytest.raises(Refused):
        check_proof(form)


@pytest.mark.parametrize(("kind", "size"), [("hex", "m"), ("hex", "n"), ("square", "m")])
def test_a_size_may_be_the_number_of_holes(kind: str, size: str) -> None:
    family = "P" if kind == "hex" else "R"
    proof = sl.prove(f"{kind} {family}(m,n) {size} for m,n >= 3: one component")
    assert isinstance(proof, FamilyProof)
    assert proof.form["by"] == "more holes"
    for holes in (3, 4):
        member = f"{family}(3,4)" if size == "n" and holes == 4 else f"{family}({holes},3)"
        assert count_components(sl.puzzle(f"{kind} {member}", holes=holes)) == 1


def test_no_proof_is_printed_that_the_checker_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise Refused("forged")

    monkeypatch.setattr("slidelab.reach.prover.families.check_family", refuse)
    with pytest.raises(TooLarge, match=r"no proof was found for .*: forged"):
        sl.prove("hex P(m,n) 3 for m,n >= 3: one component")
    monkeypatch.setattr("slidelab.reach.prover.proof.check_concrete", refuse)
    with pytest.raises(TooLarge, match=r"no proof was found for .*: forged"):
        sl.prove("hex P(4,5)")


@pytest.mark.parametrize(
    "text",
    [
        "hex P(m,n) 2 for m,n >= 30: connection number 4",
        "hex P(m,n) 5 for m,n >= 3: connection number 3",
        "hex P(m,n) gourds 3 for m,n >= 2: one component",
        "square R(m,n) gourds for m,n >= 5: one component",
        "hex P(m,n) tiles 2 for m,n >= 3: one component",
        "hex P(m,n) 2 for m,n >= 30: strong parity",
        "hex ring(m,k) 3 for k >= 2, m >= k+1: one component",
    ],
)
def test_what_is_not_proved(text: str) -> None:
    with pytest.raises(TooLarge, match="no proof was found"):
        prove_family(text)


@pytest.mark.parametrize(
    "text",
    [
        "hex P(m,n) for : one component",
        "hex Q(m) for m >= 2: one component",
        "hex P(m) 3 for m >= 3: one component",
        "hex P(m*m,n) 3 for m >= 3: one component",
        "hex P(q,r) 3 for q,r >= 3: one component",
        "hex P(m,n) h for m,n >= 3: one component",
        "hex P(m,n) 3 for m,n: one component",
        "hex P(m,n) 3 for m >= 3, n >= 0: one component",
        "hex trapezoid(m,n) 3 for m,n >= 4: one component",
        "square R(m,n) hextiles 2 for m,n >= 2: weak parity",
        "hex P(m,n) 3 for m,n >= 3, m <= 2: one component",
        "hex ring(m,k) 3 for m,k >= 3: one component",
        f"hex P(m,n) 3 for m,n >= {'9' * 30}: one component",
        f"hex P(m,n) 3 for {'m,' * 900} n >= 3: one component",
    ],
)
def test_bad_statements(text: str) -> None:
    with pytest.raises(NotationError):
        sl.prove(text)


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        ("one componnet", "did you mean 'one component'?"),
        ("stong parity", "did you mean 'strong parity'?"),
        ("(m*n)!!! components", ": a formula does not end"),
        ("comb(m*n-2 components", "formula"),
        ("k*m components", "formula"),
        ("connected", "expected a claim"),
    ],
)
def test_claims_that_cannot_be_read(run: Run, claim: str, words: str) -> None:
    refused(run("prove", f"hex P(m,n) 3 for m,n >= 3: {claim}"), words)


# Forged proofs


@cache
def proof_text(text: str) -> str:
    return json.dumps(sl.prove(text).to_json())


def proof_form(text: str) -> dict[str, Any]:
    form = json.loads(proof_text(text))
    assert isinstance(form, dict)
    return form


def first_case(form: dict[str, Any]) -> dict[str, Any]:
    case = form["proof"]["cases"][0]
    assert isinstance(case, dict)
    return case


def weaker_condition(form: dict[str, Any]) -> None:
    form["statement"]["conditions"][0][""] += 1


def other_claim(form: dict[str, Any]) -> None:
    form["statement"]["claim"] = "strong parity"


def fewer_holes(form: dict[str, Any]) -> None:
    form["statement"]["holes"] = form["proof"]["holes"] = 2


def smaller_overlap(form: dict[str, Any]) -> None:
    overlap = first_case(form)["overlaps"][0]
    overlap["cells"], overlap["inside"] = overlap["cells"][:3], overlap["inside"][:3]


def no_overlap(form: dict[str, Any]) -> None:
    first_case(form)["overlaps"] = []


def moved_anchor(form: dict[str, Any]) -> None:
    anchor = first_case(form)["overlaps"][0]["anchor"][0]
    anchor[""] = anchor.get("", 0) - 5


def wider_case(form: dict[str, Any]) -> None:
    for condition in first_case(form)["conditions"]:
        condition[""] = condition.get("", 0) + 1


def one_part(form: dict[str, Any]) -> None:
    case = first_case(form)
    case["parts"] = case["parts"][:1]


def part_of_the_same_size(form: dict[str, Any]) -> None:
    for entry in first_case(form)["parts"]:
        entry["sizes"] = {"m": {"m": 1}, "n": {"n": 1}}


def negative_multiplier(form: dict[str, Any]) -> None:
    multipliers = form["proof"]["least"]["sum"]
    multipliers[0] = -multipliers[0]


def no_boards(form: dict[str, Any]) -> None:
    form["boards"] = []


def no_base(form: dict[str, Any]) -> None:
    form["proof"]["bases"] = []


def another_base(form: dict[str, Any]) -> None:
    form["proof"]["bases"][0]["step"] = sl.prove("hex P(3,4)", holes=3).to_json()["steps"][0]


def larger_upper(form: dict[str, Any]) -> None:
    form["proof"]["upper"]["m"] -= 1


def other_family(form: dict[str, Any]) -> None:
    form["statement"]["family"]["name"] = "Ptr"


FORGERIES = [
    weaker_condition,
    other_claim,
    fewer_holes,
    smaller_overlap,
    no_overlap,
    moved_anchor,
    wider_case,
    one_part,
    part_of_the_same_size,
    negative_multiplier,
    no_boards,
    no_base,
    another_base,
    larger_upper,
    other_family,
]


@pytest.mark.parametrize("forge", FORGERIES, ids=lambda forge: forge.__name__)
def test_forged_inductions_are_refused(forge: Callable[[dict[str, Any]], None]) -> None:
    form = proof_form("hex P(m,n) 3 for m,n >= 3: one component")
    assert check_proof(deepcopy(form)) == "hex P(m,n) hextiles 3 for m >= 3, n >= 3: one component"
    forge(form)
    with pytest.raises(Refused) as caught:
        check_proof(form)
    assert "\n" not in str(caught.value)


def tampered(form: dict[str, Any], path: str, value: object) -> dict[str, Any]:
    """Return a form with another value at a path such as ``proof/bases/0/step/by``; None removes the key."""
    *parents, last = path.split("/")
    inner: Any = form
    for key in parents:
        inner = inner[int(key)] if isinstance(inner, list) else inner[key]
    if value is None:
        del inner[last]
    else:
        inner[last] = value
    return form


@pytest.mark.parametrize("value", [None, "patching", "", 3, ["proof"], True])
@pytest.mark.parametrize("path", ["kind", "proof/bases/0/step/by", "proof/bases/0/step/claim"])
def test_every_field_of_an_induction_is_checked(path: str, value: object) -> None:
    form = proof_form("hex P(m,n) 3 for m,n >= 3: one component")
    with pytest.raises(Refused):
        check_proof(tampered(form, path, value))


@pytest.mark.parametrize("value", [None, "h", "", 3.0, "3", [3], True])
@pytest.mark.parametrize("path", ["statement/holes", "proof/holes", "proof/bases/0/step/holes"])
def test_numbers_of_holes_are_whole_numbers(path: str, value: object) -> None:
    form = proof_form("hex P(m,n) 3 for m,n >= 3: one component")
    with pytest.raises(Refused):
        check_proof(tampered(form, path, value))


@pytest.mark.parametrize("path", ["statement/holes", "proof/holes", "proof/bases/0/step/holes"])
def test_true_is_not_one_hole(path: str) -> None:
    form = proof_form("square R(m,n) 1 for m,n >= 2: two components")
    assert check_proof(deepcopy(form)).startswith("square R(m,n) tiles 1 for")
    with pytest.raises(Refused):
        check_proof(tampered(form, path, True))


def test_proofs_inside_proofs_have_their_kind() -> None:
    form = proof_form("hex P(m,n) h for m,n >= 3, h >= 3: one component")
    with pytest.raises(Refused, match="expected an object with 'kind'"):
        check_proof(tampered(form, "proof/of/kind", None))


def test_boards_are_computed_once_and_only_where_needed() -> None:
    form = proof_form("hex P(m,n) 3 for m,n >= 3: one component")
    (base,) = form["proof"]["bases"]
    twice = deepcopy(form)
    twice["proof"]["bases"].append(base)
    with pytest.raises(Refused, match="computed twice"):
        check_proof(twice)
    form["proof"]["bases"].append({"sizes": {"m": 9, "n": 9}, "step": "anything"})
    with pytest.raises(Refused, match="is in a case"):
        check_proof(form)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("kind", None),
        ("kind", "verdict"),
        ("puzzle/holes", 2.0),
        ("puzzle/holes", True),
        ("steps/0/holes", 2.0),
    ],
)
def test_fields_of_a_proof_of_one_board_are_checked(path: str, value: object) -> None:
    form = json.loads(json.dumps(sl.prove("hex P(4,5)").to_json()))
    with pytest.raises(Refused):
        check_proof(tampered(form, path, value))


def test_other_sizes_in_a_statement_are_refused() -> None:
    """The boards of P(9m,n) are larger than those that were computed for P(m,n)."""
    form = proof_form("hex P(m,n) 3 for m,n >= 3: one component")
    form["statement"]["family"]["arguments"][0]["m"] = 9
    with pytest.raises(Refused):
        check_proof(form)
    single = proof_form("hex T(m) 3 for m >= 4: one component")
    single["proof"]["cases"], single["proof"]["upper"]["m"] = [], 10**5
    with pytest.raises(Refused):
        check_proof(single)


def test_the_text_of_a_statement_is_not_trusted() -> None:
    form = proof_form("hex T(m) 3 for m >= 4: one component")
    form["statement"]["text"] = "everything holds"
    assert check_proof(form) == "hex T(m) hextiles 3 for m >= 4: one component"


@pytest.mark.parametrize(
    ("text", "forge"),
    [
        ("hex P(2,m) h for m >= 2, h >= 2: (2m-h)! components", ("order", [2, 1])),
        ("hex P(2,m) h for m >= 2, h >= 2: (2m-h)! components", ("order", [1, 3])),
        ("hex P(m,n) gourds for m,n >= 2: one component", ("cells", [[0, 0], [1, 0]])),
        ("hex P(m,n) 2 for m,n >= 3, m+n >= 7: 4*comb(m*n-2,2) components", ("wide", [])),
    ],
)
def test_other_forged_proofs_are_refused(text: str, forge: tuple[str, Any]) -> None:
    form = proof_form(text)
    form["proof"][forge[0]] = forge[1]
    with pytest.raises(Refused):
        check_proof(form)


def nested(depth: int) -> dict[str, Any]:
    form: dict[str, Any] = proof_form("hex P(m,n) h for m,n >= 3, h >= 3: one component")
    for _ in range(depth):
        form = {**form, "proof": {"by": "more holes", "of": form, "sum": []}}
    return form


def test_large_files_are_refused_soon() -> None:
    """Deep trees, deep proofs, formulas with many terms, numbers with many digits."""
    with pytest.raises(Refused, match="nested too deep"):
        check_proof(nested(400))
    form = proof_form("hex P(m,n) 3 for m,n >= 3: one component")
    tree: dict[str, Any] = {"part": 0, "cases": []}
    for _ in range(600):
        tree = {"part": 0, "cases": [tree] * len(first_case(form)["parts"]) * 3}
    first_case(form)["cover"] = tree
    with pytest.raises(Refused):
        check_proof(form)
    with pytest.raises(Refused, match="too many terms"):
        parse_polynomial(f"comb({'+'.join('abcdefghijklmnop')},12)", list("abcdefghijklmnop"))
    corners = proof_form("hex P(m,n) 2 for m,n >= 3, m+n >= 7: 4*comb(m*n-2,2) components")
    corners["statement"]["claim"] = "(" * 150 + "m" + ")" * 150 + " components"
    with pytest.raises(Refused):
        check_proof(corners)
    form = proof_form("hex P(m,n) 3 for m,n >= 3: one component")
    form["proof"]["upper"]["m"] = 10**4000
    with pytest.raises(Refused):
        check_proof(form)


@pytest.mark.parametrize(
    "condition", [{"m": -1, "": 2}, {"m": -1, "": -100}], ids=["empty", "empty and far away"]
)
def test_statements_about_no_boards_are_refused(condition: dict[str, int]) -> None:
    """No sizes satisfy the conditions: nothing is computed, so nothing is proved."""
    form = proof_form("hex P(m,n) 3 for m,n >= 3: one component")
    form["statement"]["conditions"].append(condition)
    with pytest.raises(Refused):
        check_proof(form)


@pytest.mark.parametrize("name", ["q", "r", "", "m ", "1", 3, None, ["m"]])
def test_names_of_sizes(name: Any) -> None:
    form = proof_form("hex T(m) 3 for m >= 4: one component")
    form["statement"]["sizes"] = [name]
    with pytest.raises(Refused):
        check_proof(form)


@pytest.mark.parametrize("seed", range(40))
def test_random_damage_is_refused_or_harmless(seed: int) -> None:
    rng = random.Random(seed)
    form = proof_form("hex T(m) 3 for m >= 4: one component")
    damage(form, rng, 0.2)
    try:
        proved = check_proof(form)
    except Refused:
        return
    assert proved.startswith("hex T(m) hextiles 3 for m >= 4: one component")


# Arithmetic


def test_contradictions_against_enumeration() -> None:
    """Multipliers exist only if no point satisfies the conditions; and they do what they should."""
    rng = random.Random(1)
    found = {True: 0, False: 0}
    for _ in range(300):
        forms = [
            Linear.of({"x": rng.randint(-2, 2), "y": rng.randint(-2, 2), "": rng.randint(-4, 3)})
            for _ in range(rng.randrange(2, 6))
        ]
        multipliers = contradiction(forms)
        points = product(range(-8, 9), repeat=2)
        exists = any(all(form.at({"x": x, "y": y}) >= 0 for form in forms) for x, y in points)
        if multipliers is not None:
            assert not exists
            pairs = list(zip(multipliers, forms, strict=True))
            x, y, constant = (
                sum(k * f.coefficients.get(name, 0) for k, f in pairs) for name in ("x", "y", "")
            )
            assert x == y == 0 > constant
        found[multipliers is not None] += 1
    assert min(found.values()) > 20


def test_polynomials() -> None:
    assert parse_polynomial("4*comb(m*n-2,2)", ["m", "n"]) == parse_polynomial("2(m n-2)(m n-3)", ["m", "n"])
    assert parse_polynomial("m*(m+1)/2", ["m"])[(("m", 2),)] == Fraction(1, 2)
    for text in ("m/", "m/n", "comb(m,n)", "(m", "x", "m**40", "9" * 40):
        with pytest.raises(Refused):
            parse_polynomial(text, ["m", "n"])


def test_statements_read_back() -> None:
    for text in (*PAPERS, *NEW):
        statement = parse_statement(text)
        assert parse_statement(str(statement)) == statement


# The command


def test_command(run: Run, tmp_path: Path) -> None:
    text = "hex P(m,n) 3 for m,n >= 3: one component"
    done = run("prove", text)
    assert done.code == 0
    assert "P(m,n) is the union of P(m-1,n) and P(m-1,n) + (1,0)" in done.out
    path = tmp_path / "proof.json"
    form = json.loads(run("prove", text, "--json").out)
    path.write_text(json.dumps(form))
    assert run("prove", "--check", str(path)).out.startswith("the proof holds: hex P(m,n) hextiles 3")
    form["statement"]["conditions"][0][""] = -2
    path.write_text(json.dumps(form))
    one_line(run("prove", "--check", str(path)), 1, "the proof does not hold")
    refuted = run("prove", "hex P(m,n) 2 for m,n >= 3: strong parity")
    assert refuted.code == 1
    assert "is false" in refuted.out
    one_line(run("prove", "hex Q(m) for m >= 2: one component"), 2, "expected one of P, T, F")


STATEMENT = "hex P(m,n) 3 for m,n >= 3: one component"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "expected a BOARD or a STATEMENT in quotes, such as 'hex P(4,5)' or 'hex P(m,n) 3 for"),
        (("--check",), "expected a FILE with a proof, or - for standard input"),
        (("hex P(3,3) 3: one component",), "expected 'for' and conditions on the sizes before the colon"),
        (("hex P(m,n) 3 : one component",), "expected 'for' and conditions on the sizes before the colon"),
        (("hex P(M,N) 3 for M,N >= 3: one component",), "expected small letters for sizes, got 'M'"),
        (("hex P(m,n) H for m,n,H >= 3: one component",), "expected small letters for sizes, got 'H'"),
        (("hex P(4,4)", "--holes", "abc"), "expected a whole number, got 'abc' - at --holes"),
        ((STATEMENT, "--holes", "4"), "expected the number of holes in the statement itself"),
        ((STATEMENT, "--rule", "tiles"), "expected the rule in the statement itself"),
        (("--check", "proof.json", "--holes", "4"), "expected --check without --holes"),
        (("--check", "proof.json", "--rule", "tiles"), "expected --check without --rule"),
    ],
)
def test_what_the_command_refuses(run: Run, words: tuple[str, ...], message: str) -> None:
    refused(run("prove", *words), message)


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"\x7fELF\xd0\xff", "got a binary file"), (b"[1]", "expected a proof as a JSON object")],
)
def test_files_that_are_no_proofs(run: Run, tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    refused(run("prove", "--check", str(path)), message)
