"""Instance sets: published numbers that can be recomputed, and the command that prints them."""

from __future__ import annotations

import pytest

import slidelab as sl
from commands import Run, refused
from slidelab.solve.instances import INSTANCE_SETS


@pytest.mark.parametrize("name", INSTANCE_SETS)
def test_sets(name: str) -> None:
    found = sl.instances(name)
    assert len(found) == (50 if name == "korf24" else 100)
    assert len({instance.start for instance in found}) == len(found)
    manhattan = found.puzzle.heuristic(found.goal, tables=0)
    for instance in found:
        assert found.numbered(instance.number) == instance
        assert instance.start.puzzle == found.puzzle
        assert instance.goal == found.goal
        bound = manhattan(instance.start)
        assert bound is not None
        assert bound <= instance.length
        assert (bound - instance.length) % 2 == 0  # moves alternate the colour of the hole
        assert instance.facts.get("manhattan", bound) == bound
    assert all(found.puzzle.solvable(instance.start, instance.goal) for instance in found[:3])


def test_published_means() -> None:
    """The means that the papers print."""
    means = {
        name: sum(i.length for i in sl.instances(name)) / len(sl.instances(name)) for name in INSTANCE_SETS
    }
    assert means["korf100"] == 53.05
    assert means["korf24"] == 100.78
    assert 88 < means["deepcubea24"] < 91  # the first hundred of five hundred: 89.42 for all of them


def test_the_command(run: Run) -> None:
    listed = run("instances")
    assert all(name in listed.out for name in INSTANCE_SETS)
    assert [row["instances"] for row in run("instances", "--json").json] == [100, 50, 100, 100, 100]
    printed = run("instances", "korf100")
    assert [sl.position(line) for line in printed.out.splitlines()] == [
        i.start for i in sl.instances("korf100")
    ]
    assert "goal . 1 2 3" in printed.err
    refused(run("instances", "korf101"), "did you mean 'korf100'?")
    refused(run("instances", "korf100", "--number", "101"), "expected a number from 1 to 100")


def test_its_output_is_input(run: Run) -> None:
    form = run("instances", "korf100", "--number", "55", "--json")
    solved = run("solve", "-", "--json", stdin=form.out)
    assert solved.json["length"] == form.json["length"] == 41
    assert run("check", "-", stdin=solved.out).out == "41 legal moves to the goal\n"
