"""Plans of searches: sizes against the core's own, limits, and the model against what was searched."""

from __future__ import annotations

import json
import re
from math import factorial, perm
from typing import Any

import numpy as np
import pytest

import slidelab as sl
from commands import Run, one_line, refused
from slidelab import _core
from slidelab.budget import Budget
from slidelab.distance import cost_model
from slidelab.distance.cluster_plan import Machines, cluster_plan, crossing_blocks, ranges
from slidelab.distance.component import Component
from slidelab.distance.cost_model import MEASURED
from slidelab.distance.disk import DiskSearch
from slidelab.distance.layer_model import find_depth, layer_sizes, model_depth
from slidelab.distance.shard_outline import ShardOutline, cross, outline
from slidelab.distance.sharded import ShardedSearch
from slidelab.distance.starts import read_start
from slidelab.errors import NotationError, TooLarge

PUZZLES = [
    "square R(3,3)",
    "square R(2,5)",
    "square R(3,3) tiles 2",
    "king R(3,3)",
    "hex P(3,4)",
    "hex T(4) hextiles 3",
    "hex Ptr(3,5) gourds",
    "hex P(3,3) gourds",
    "theta(2,2,3)",
    "theta(1,2,2)",
    "hex F(2)",
    "graph 0-1 1-2 2-0 2-3 3-4 4-5 5-6 6-7 7-8 8-9 9-10 10-4",
]
"""Main orbits of all pieces, of some and of none; pieces with turns; one plane and two."""


def component_of(text: str) -> Component:
    return Component(read_start(sl.puzzle(text), None), budget=Budget())


def outlines(text: str) -> list[tuple[Component, ShardOutline, int]]:
    component = component_of(text)
    found = outline(component)
    return [(component, found, digits) for digits in range(found.max_digits + 1)]


@pytest.mark.parametrize("text", PUZZLES)
def test_sizes_are_those_of_the_core(text: str) -> None:
    for component, found, digits in outlines(text):
        code = component.make_code(digits)
        assert found.states == component.states
        assert found.shards(digits) == code.shards
        assert found.words(digits) == code.words
        assert found.row(digits) == code.row
        assert found.labels == code.x_count
        assert found.alternates == code.alternates
        assert found.crossing_edges(digits) == code.crossing_edges
        assert found.edges == len(component.edges)
        for own in {1, code.shards // 2, code.shards} - {0}:
            search = _core.ShardSearch(code, 0, own)
            for plane in range(2):
                assert found.plane_shapes[plane] == search.plane_shapes(plane)
                assert found.crossing_arcs(plane, digits) == search.crossings_into(plane)
            for threads in (1, 3):
                assert sum(found.search_bytes(digits, own, threads)) == search.bytes_needed(threads)


@pytest.mark.parametrize("text", PUZZLES)
def test_bytes_of_tables_are_near_those_of_the_core(text: str) -> None:
    for component, found, digits in outlines(text):
        code = component.make_code(digits)
        assert abs(found.code_bytes(digits) - code.bytes) <= 60_000  # tables of long runs are left out


@pytest.mark.parametrize("text", ["square R(3,3)", "hex P(3,4)", "hex Ptr(3,5) gourds"])
@pytest.mark.parametrize("processes", [2, 3, 5])
def test_traffic_is_that_of_the_core(text: str, processes: int) -> None:
    for component, found, digits in outlines(text):
        shards = found.shards(digits)
        if shards < processes:
            continue
        parts = ranges(shards, processes)
        code = component.make_code(digits)
        for plane in range(2):
            search = _core.ShardSearch(code, 0, shards)
            start = component.known_index(component.start)
            search.begin(start)
            if search.plane_of(1) != plane and found.alternates:
                search.advance(1)
            elif search.plane_of(1) != plane:
                continue
            sent = np.zeros((processes, processes), dtype=np.int64)
            for crossing in range(search.crossings):
                for k, source in enumerate(parts):
                    for m, target in enumerate(parts):
                        if k != m:
                            sent[k, m] += search.count_blocks(crossing, source, target)
            most = max(sent.sum(axis=0).max(), sent.sum(axis=1).max())
            assert crossing_blocks(found, plane, digits, processes) == (int(sent.sum()), int(most))


def test_blocks_cross_to_where_the_core_says() -> None:
    component = component_of("hex P(3,4)")
    found = outline(component)
    digits = found.max_digits
    search = _core.ShardSearch(component.make_code(digits), 0, 1)
    runs = [run for run, count in found.crossing(0, digits).items() for _ in range(count)]
    expected = {
        (tuple(origin), (shard, digit))
        for crossing in range(search.crossings_into(0))
        for shard in range(found.shards(digits))
        for digit, origin in enumerate(search.origins(0, crossing, shard))
    }
    blocks = found.pieces - digits
    source, digit = np.divmod(np.arange(found.shards(digits) * blocks), blocks)
    made = set()
    for run in runs:
        there = cross(found.pieces, digits, run, source, digit)
        made |= set(
            zip(
                zip(source.tolist(), digit.tolist(), strict=True),
                zip(*(a.tolist() for a in there), strict=True),
                strict=True,
            )
        )
    assert made == expected


@pytest.mark.parametrize("text", ["square R(3,4)", "hex Ptr(3,5)", "hex P(3,4)"])
def test_plans_are_those_of_the_searches(text: str) -> None:
    component = component_of(text)
    one = cluster_plan(component.puzzle, Machines.of(1, 2, "8G"))
    search = ShardedSearch(component, Budget.of(memory="8G", threads=2))
    assert abs(one.cluster.memory - search.needed_bytes) < 0.01 * search.needed_bytes + 10_000
    for memory in ("2M", "20M", "8G"):
        plan = cluster_plan(component.puzzle, Machines.of(1, 2, memory))
        try:
            on_disk = DiskSearch(component, Budget.of(memory=memory, threads=2))
        except TooLarge:
            assert not plan.disk.fits
            continue
        assert plan.disk.fits
        assert plan.disk.shards == on_disk.code.shards
        assert plan.disk.space == on_disk.disk_bytes
        assert abs(plan.disk.memory - on_disk.needed_bytes) < 0.01 * on_disk.needed_bytes + 10_000


def plan_of(text: str, **options: Any) -> Any:
    return sl.puzzle(text).plan(**{"cores": 2, "memory": "24G", **options})


def test_the_fifteen_puzzle() -> None:
    plan = plan_of("15-puzzle", nodes=64)
    assert plan.states == 10_461_394_944_000
    assert plan.planes == 1
    assert plan.plane_bytes == plan.states // 60 * 8
    assert (plan.cluster.digits, plan.cluster.shards) == (3, perm(15, 3))
    assert (plan.cluster.crossing_edges, plan.edges) == (3, 24)
    assert plan.cluster.node_shards == 43
    assert plan.depth.moves == 80
    # Three arcs into each plane cross, each with all words of a shape: not all of them leave a node.
    assert 0 < plan.cluster.traffic < 3 * plan.plane_bytes // 16
    assert plan.cluster.node_traffic >= plan.cluster.traffic / 64
    assert not plan.cluster.fits
    assert plan_of("15-puzzle", nodes=plan.cluster.least_nodes).cluster.fits
    assert not plan_of("15-puzzle", nodes=plan.cluster.least_nodes - 1).cluster.fits
    assert plan.disk.fits


@pytest.mark.parametrize(("text", "states"), [("3x5", 653_837_184_000), ("hex F(3) gourds", 425_097_953_280)])
def test_other_large_puzzles(text: str, states: int) -> None:
    plan = plan_of(text, nodes=8)
    assert plan.states == states
    assert plan.cluster.fits
    assert plan.cluster.least_nodes <= 8
    if plan.depth.lower_bound is not None:
        assert plan.depth.source == "estimated"
        assert plan.depth.lower_bound <= plan.depth.moves


def test_more_of_everything_takes_less() -> None:
    plans = [plan_of("3x5", nodes=nodes) for nodes in (2, 4, 8, 16)]
    assert sorted(plans, key=lambda p: -p.cluster.memory) == plans
    assert sorted(plans, key=lambda p: -p.cluster.seconds) == plans
    assert len({p.disk for p in plans}) == 1
    least = [plan_of("3x5", memory=memory).cluster.least_nodes for memory in ("4G", "8G", "24G", "96G")]
    assert sorted(least, reverse=True) == least
    assert least[-1] == 1
    shards = [plan_of("3x5", memory=memory).disk.shards for memory in ("200M", "2G", "24G", "500G")]
    assert sorted(shards, reverse=True) == shards
    assert shards[-1] == 1
    slow, fast = (plan_of("3x5", nodes=8, network=speed).cluster for speed in ("100M", "100G"))
    assert slow.seconds > fast.seconds
    slow, fast = (plan_of("3x5", disk_speed=speed).disk for speed in ("10M", "10G"))
    assert slow.seconds > fast.seconds
    assert plan_of("3x5", cores=1).cluster.seconds > plan_of("3x5", cores=8).cluster.seconds


def test_no_number_of_nodes_may_do() -> None:
    plan = plan_of("3x5", memory="100M", nodes=3)
    assert plan.cluster.least_nodes is None
    assert "on no number of such nodes" in str(plan)


@pytest.mark.parametrize("text", ["15-puzzle", "hex F(2)", "hex P(3,4) gourds 2", "square R(2,2)"])
def test_plans_as_json_and_text(text: str) -> None:
    plan = plan_of(text, nodes=3)
    form = plan.to_json()
    assert json.loads(json.dumps(form)) == form
    assert form["cluster"]["memory"] == sum(
        form["cluster"][part] for part in ("planes", "arrivals", "lists", "buffers", "tables")
    )
    assert str(plan).count("\n") > 15
    assert max(map(len, str(plan).splitlines())) <= 120


def test_coloured_pieces() -> None:
    puzzle = sl.puzzle("square R(3,3)", colours=["a"] * 4 + ["b"] * 4)
    plan = puzzle.plan(nodes=2)
    assert plan.states == puzzle.distances().states
    assert plan.cluster.shards == 1
    assert plan.searches is None


def test_one_shard_sends_nothing() -> None:
    """It needs no buffers for messages, and idle nodes are counted."""
    plan = plan_of("3x2", nodes=8)
    assert (plan.cluster.shards, plan.cluster.buffers, plan.cluster.traffic) == (1, 0, 0)
    lines = [" ".join(line.split()) for line in str(plan).splitlines()]
    assert "fits yes; 1 of the 8 nodes would have a shard" in lines
    assert "traffic a layer none" in lines
    assert not any(line.startswith("messages") or "4 shards" in line for line in lines)


def test_large_numbers_are_exact_and_readable() -> None:
    text = str(plan_of("4x5"))
    assert "1,216,451,004,088,320,000" in text
    assert " PB" in text
    assert " years" in text
    assert not re.search(r"\d{5,} days", text)


@pytest.mark.parametrize("network", ["10GB", "10gb", "5B"])
def test_bytes_are_no_speed_of_a_network(network: str) -> None:
    with pytest.raises(NotationError, match=r"expected bits a second such as 10G, got .* - at network$"):
        plan_of("3x3", network=network)


def test_too_many_configurations() -> None:
    assert plan_of("2x10").states == factorial(20) // 2
    with pytest.raises(TooLarge, match="expected at most 21 pieces that change places, got 22"):
        plan_of("theta(1,2,18)")
    with pytest.raises(TooLarge, match="more than shards can number"):
        plan_of("square R(5,5)")


@pytest.mark.parametrize(
    "text", ["square R(3,3)", "hex P(3,4)", "hex Ptr(3,5) gourds", "square R(3,3) tiles 2"]
)
def test_depths_are_foreseen(text: str) -> None:
    """A model may be wrong by a third, but not more."""
    layers = list(sl.puzzle(text).distances().distribution)
    first = next(k for k in range(len(layers)) if sum(layers[: k + 1]) >= sum(layers) // 50)
    estimate = model_depth(layers[: first + 1], sum(layers))
    assert 0.66 < estimate / (len(layers) - 1) < 1.5
    sizes = layer_sizes(sum(layers), len(layers) - 1)
    mean, true_mean = (sum(d * n for d, n in enumerate(each)) / sum(each) for each in (sizes, layers))
    assert abs(mean - true_mean) < 0.12 * len(layers)


def test_small_puzzles_are_searched() -> None:
    depth = find_depth(component_of("hex F(2)"))
    assert (depth.moves, depth.source) == (16, "searched")


def test_costs_depend_on_slots_counted_from_the_end() -> None:
    assert MEASURED.run(14, (0, 0)) == MEASURED.identity
    assert MEASURED.run(14, (9, 12)) == MEASURED.run(9, (4, 7))
    assert MEASURED.run(14, (0, 3)) == MEASURED.run(14, (2, 5))


@pytest.mark.parametrize(
    ("options", "place"),
    [
        ({"nodes": 0}, "nodes"),
        ({"cores": 0}, "cores"),
        ({"memory": "24X"}, "memory"),
        ({"network": 0}, "network"),
        ({"disk_speed": "fast"}, "disk_speed"),
    ],
)
def test_bad_machines(run: Run, options: dict[str, Any], place: str) -> None:
    with pytest.raises(NotationError, match=f"- at {place}$"):
        plan_of("3x3", **options)
    words = [f"--{name.replace('_', '-')}={value}" for name, value in options.items()]
    refused(run("plan", "3x3", *words), f"- at --{place.replace('_', '-')}")


def test_the_command(run: Run) -> None:
    machines = ("--nodes", "64", "--cores", "2", "--memory", "24G", "--network", "10G")
    done = run("plan", "square R(4,4)", *machines)
    assert done.code == 0
    assert "10,461,394,944,000" in done.out
    assert "no; 72 nodes would do" in done.out
    assert run("plan", "square R(4,4)", *machines, "--json").json == plan_of("15-puzzle", nodes=64).to_json()
    refused(run("plan", "squere R(4,4)"))
    refused(run("plan"), "--calibrate")
    one_line(run("plan", "square R(5,5)"), 3, "more than shards can number")


def test_calibration(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cost_model, "CALIBRATION_PIECES", 9)
    monkeypatch.setattr(cost_model, "FILE_WORDS", 1 << 10)
    found = run("plan", "3x3", "--calibrate", "--json").json["costs"]
    assert set(found) == set(MEASURED.to_json())
    assert len(found["runs"]) == len(found["runs"][0]) == 8
    assert found["merge"] + found["identity"] > 0
    assert "run from" in run("plan", "--calibrate").out
