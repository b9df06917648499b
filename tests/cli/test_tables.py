"""The formats of tables: the same values as in JSON, for every command that prints a table."""

from __future__ import annotations

import csv
import io

import pytest

from commands import Run


def rows(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


def test_csv_has_the_values_of_json(run: Run) -> None:
    command = ("analyze", "hex P(3,3)", "--holes", "2-4")
    header, *table = rows(run(*command, "--csv").out)
    values = run(*command, "--json").json
    assert len(table) == len(values) == 3
    for row, value in zip(table, values, strict=True):
        named = dict(zip(header, row, strict=True))
        assert int(named["shapes"]) == value["shapes"]
        assert int(named["components"]) == value["components"]
        assert int(named["size of each"]) == value["families"][0]["size"]
        assert named["group"] == value["families"][0]["group"]["name"]


def test_distributions_are_complete(run: Run) -> None:
    command = ("god", "theta(2,2,3)", "--start", "1 2 3 4 5 6 7 8 .")
    blocks = run(*command, "--csv").out.split("\n\n")
    distribution = [int(count) for _, count in rows(blocks[-1])[1:]]
    assert distribution == run(*command, "--json").json["distribution"]
    assert sum(distribution) == 362_880


def test_negative_numbers_have_no_commas_in_csv(run: Run) -> None:
    """A hole on 12 pairs of neighbours: 9! configurations and 12 * 8! moves."""
    table = dict(rows(run("topology", "square R(3,3)", "--csv").out.split("\n\n")[0]))
    assert int(table["Euler characteristic"]) == 362_880 - 12 * 40_320


COMMANDS = [
    ("analyze", "hex P(3,3)"),
    ("god", "2x2"),
    ("boards",),
    ("boards", "hex F(2)"),
    ("permutation", "8-puzzle", "--seed", "1"),
    ("bench", "papers", "--states", "1"),
    ("atlas", "gourds", "7"),
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_table_in_every_format(run: Run, command: tuple[str, ...]) -> None:
    commas, marks, tex = (run(*command, f"--{name}") for name in ("csv", "markdown", "latex"))
    assert {commas.code, marks.code, tex.code} == {0}
    widths = [{len(row) for row in rows(block)} for block in commas.out.split("\n\n")]
    assert all(len(width) == 1 for width in widths)
    assert tex.out.count(r"\begin{tabular}") == tex.out.count(r"\end{tabular}") == len(widths)
    for block, width in zip(marks.out.strip().split("\n\n"), widths, strict=True):
        lines = block.splitlines()
        assert set(lines[1].strip("| ").replace(" ", "").split("|")) <= {"---", "---:"}
        assert {line.replace(r"\|", "").count("|") - 1 for line in lines} == width


def test_bad_combinations(run: Run) -> None:
    assert "expected one format of tables" in run("analyze", "2x2", "--csv", "--latex").err
    assert "expected --json or --csv, got both" in run("analyze", "2x2", "--csv", "--json").out
    assert run("boards", "--polyhexes", "3", "--csv").code == 2
    assert run("analyze", "2xx", "--csv").code == 2
    assert run("analyze", "2xx", "--csv").out == ""
