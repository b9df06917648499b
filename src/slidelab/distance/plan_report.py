"""A plan as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slidelab.distance.sharded import SHARDS_A_PROCESS
from slidelab.messages import big_number, byte_size, counted, duration
from slidelab.tables import text_table

if TYPE_CHECKING:
    from slidelab.distance.cluster_plan import ClusterPlan

__all__ = ["plan_text"]

EXACT_DIGITS = 25
"""Digits of the largest number of configurations that is printed in full."""


def plan_text(plan: ClusterPlan) -> str:
    """Format what is searched, and what that takes on several nodes and on one machine with a disk."""
    return f"{plan.puzzle.text}\n\n{_search(plan)}\n\n{_cluster(plan)}\n\n{_disk(plan)}"


def _search(plan: ClusterPlan) -> str:
    why = (
        "one plane: every move changes the colour of the shape"
        if plan.planes == 1
        else "two planes: shapes cannot be two-coloured"
    )
    rows = [
        ("configurations", big_number(plan.states, EXACT_DIGITS)),
        ("bits each", f"{plan.bits:.2f}, {why}"),
        ("depth", str(plan.depth)),
        ("full layers", f"about {plan.full_layers} of {plan.depth.moves + 1}, in the model"),
    ]
    if plan.searches is not None and plan.searches > 1:
        rows.append(("searches", f"one; God's number takes {plan.searches}, one for each kind of start"))
    return text_table(rows)


def _cluster(plan: ClusterPlan) -> str:
    run, has = plan.cluster, plan.machines
    network = f", {has.network / 1e9:,.3g} Gbit/s" if has.nodes > 1 else ""
    title = f"on {counted(has.nodes, 'node')}: {counted(has.cores, 'core')}, {byte_size(has.memory)}{network}"
    parts = (
        ("planes", run.planes),
        ("arriving words", run.arrivals),
        ("lists", run.lists),
        ("messages", run.buffers),
        ("tables", run.tables),
    )
    memory = ", ".join(f"{name} {byte_size(size)}" for name, size in parts if size)
    rows = [
        ("shards", _shards(run.digits, run.shards, _why_cluster(plan))),
        ("crossing", f"{run.crossing_edges:,} of {counted(plan.edges, 'edge')}"),
        ("memory a node", f"{byte_size(run.memory)}: {memory}"),
        ("fits", _fits(plan)),
    ]
    sends = run.traffic > 0
    if has.nodes > 1:
        most = f"at most {byte_size(run.node_traffic)} to or from one node"
        rows.append(("traffic a layer", f"{byte_size(run.traffic)}, {most}" if sends else "none"))
    saved = f"{byte_size(run.checkpoint_layer)} a full layer, {byte_size(run.checkpoint_space)} on the disk"
    rows += [("checkpoint", saved), ("computing", duration(run.compute_seconds))]
    if sends:
        rows.append(("messages", duration(run.network_seconds)))
    with_files = duration(run.seconds + run.checkpoint_seconds)
    rows.append(("time", f"about {duration(run.seconds)}, with checkpoints {with_files}"))
    return f"{title}\n{text_table(rows)}"


def _shards(digits: int, shards: int, why: str) -> str:
    return f"{shards:,} by {counted(digits, 'leading digit')}, {why}" if digits else "1"


def _why_cluster(plan: ClusterPlan) -> str:
    """Say why there are so many shards in memory."""
    if plan.machines.nodes == 1:
        return "so that words have 32-bit numbers"
    if plan.cluster.shards < SHARDS_A_PROCESS * plan.machines.nodes:
        return f"the most there can be; at most {plan.cluster.node_shards:,} a node"
    enough = f"at least {SHARDS_A_PROCESS} a node, small enough to send"
    return f"{enough}; at most {plan.cluster.node_shards:,} a node"


def _fits(plan: ClusterPlan) -> str:
    run, nodes = plan.cluster, plan.machines.nodes
    if run.fits:
        if nodes > run.shards:
            return f"yes; {run.shards:,} of the {nodes:,} nodes would have a shard"
        return (
            "yes" if run.least_nodes in (None, nodes) else f"yes; {counted(run.least_nodes, 'node')} would do"
        )
    if run.least_nodes is None:
        return "no, on no number of such nodes"
    return f"no; {counted(run.least_nodes, 'node')} would do"


def _disk(plan: ClusterPlan) -> str:
    run, has = plan.disk, plan.machines
    cores = counted(has.cores, "core")
    title = f"on one machine with a disk: {cores}, {byte_size(has.memory)}, {byte_size(has.disk_speed)}/s"
    rows = [
        (
            "shards",
            _shards(run.digits, run.shards, "the fewest that fit" if run.fits else "the most there can be"),
        ),
        ("crossing", f"{run.crossing_edges:,} of {counted(plan.edges, 'edge')}"),
        (
            "memory",
            f"{byte_size(run.memory)}: what is read, searched and written at once, and crosses",
        ),
        ("fits", "yes" if run.fits else "no"),
        ("disk space", byte_size(run.space)),
        ("a full layer", f"reads {byte_size(run.read_layer)}, writes {byte_size(run.write_layer)}"),
        ("all layers", f"read {byte_size(run.read)}, write {byte_size(run.written)}"),
        ("computing", duration(run.compute_seconds)),
        ("disk", duration(run.disk_seconds)),
        ("time", f"about {duration(run.seconds)}"),
    ]
    return f"{title}\n{text_table(rows)}"
