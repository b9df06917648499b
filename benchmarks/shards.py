"""The same distributions from threads, a disk, and several processes of MPI, with the time of each.

    python benchmarks/shards.py                      puzzles of some hundred million configurations
    python benchmarks/shards.py "square R(2,7)"      one puzzle, 43.6 billion configurations, 6 GB

Each search runs in a process of its own, so that peak memory is that of one search (of all processes together
with MPI). Sent is what the processes really send in full layers, in all and in the largest; `slidelab plan`
has what it should be.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import slidelab as sl
from slidelab.budget import Budget
from slidelab.distance.component import Component
from slidelab.distance.distances import make_search, read_start
from slidelab.distance.mpi_world import MpiWorld

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PUZZLES = (
    "square R(3,4)",
    "square R(2,6)",
    "hex Ptr(3,5)",
    "hex F(2) gourds 1",
    "hex P(3,3) gourds 1",
    "square R(3,3) coloured",
)
MPIEXEC = Path(sys.executable).with_name("mpiexec")


class CountingWorld(MpiWorld):
    """Processes that count the bytes of the blocks they send, and the layers in which they do."""

    sent = 0
    largest = 0
    before = 0

    def swap(
        self, outgoing: Sequence[NDArray[np.uint64]], incoming: Sequence[NDArray[np.uint64]], tag: int
    ) -> None:
        """Send an array to each process and fill one from each."""
        self.sent += sum(words.nbytes for k, words in enumerate(outgoing) if k != self.rank)
        super().swap(outgoing, incoming, tag)

    def every(self, value: bool) -> bool:
        """Return whether a value is true in all processes; it is asked once before a layer."""
        self.largest = max(self.largest, self.sent - self.before)
        self.before = self.sent
        return super().every(value)


def component_of(text: str) -> Component:
    if text.endswith(" coloured"):
        puzzle = sl.puzzle(text.removesuffix(" coloured"), colours=list("aabbccdd"))
    else:
        puzzle = sl.puzzle(text)
    return Component(read_start(puzzle, None))


def search_once(text: str, kind: str, threads: int, memory: str | None) -> None:
    """Search in this process, or with others, and print the result as JSON."""
    world = None
    if kind == "mpi":
        from mpi4py import MPI

        world = CountingWorld(MPI.COMM_WORLD)
    budget = Budget.of(memory=memory, threads=threads)
    component = component_of(text)
    began = time.perf_counter()
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        disk = Path(folder) if kind == "disk" else None
        folders = [] if disk is None else [disk]
        search = make_search(
            component, budget, hardest=3, folders=folders, on_disk=disk is not None, world=world
        )
        start = component.known_index(component.start)
        if disk is None:
            layers = search.run(start)
        else:
            with search.open_folder(disk, {"start": component.start.text}) as opened:
                layers = search.run(start, opened)
        hardest = search.farthest(3)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    sent = largest = 0
    if world is not None:
        peak, sent, largest = world.total([peak, world.sent, world.largest])
    if world is None or world.rank == 0:
        digest = hashlib.sha256(json.dumps([layers, hardest]).encode()).hexdigest()[:12]
        result = {
            "seconds": time.perf_counter() - began,
            "depth": len(layers) - 1,
            "states": sum(layers),
            "digest": digest,
            "peak": peak,
            "sent": sent,
            "largest": largest,
        }
        print(json.dumps(result), flush=True)


def measured(text: str, kind: str, threads: int, ranks: int, memory: str | None) -> dict[str, Any]:
    """Return the result of a search in a new process, or in several."""
    command = [sys.executable, __file__, text, "--kind", kind, "--threads", str(threads)]
    if memory:
        command += ["--memory", memory]
    if ranks:
        command = [str(MPIEXEC), "-n", str(ranks), *command]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode:
        raise SystemExit(f"{' '.join(command)}: {run.stderr or run.stdout}")
    found: dict[str, Any] = json.loads(run.stdout.splitlines()[-1])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("puzzles", nargs="*", default=PUZZLES)
    parser.add_argument("--kind", choices=("memory", "disk", "mpi"))
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--memory")
    parser.add_argument("--ranks", type=int, nargs="*", default=(1, 2, 3, 4))
    parser.add_argument("--disk-memory", default="1G")
    parser.add_argument("--no-disk", action="store_true")
    options = parser.parse_args()
    if options.kind:
        search_once(options.puzzles[0], options.kind, options.threads, options.memory)
        return
    print(
        f"{'puzzle':24} {'how':22} {'seconds':>8} {'peak MB':>8} {'sent MB':>8} {'a layer':>8}  depth  result"
    )
    for text in options.puzzles:
        cases = [("2 threads", "memory", 2, 0, None)]
        if not options.no_disk:
            cases.append((f"disk, {options.disk_memory}", "disk", 2, 0, options.disk_memory))
        cases += [(f"{n} processes", "mpi", 2 if n == 1 else 1, n, None) for n in options.ranks]
        digests = set()
        for name, kind, threads, ranks, memory in cases:
            found = measured(text, kind, threads, ranks, memory)
            digests.add(found["digest"])
            print(
                f"{text:24} {name:22} {found['seconds']:8.2f} {found['peak'] / 1e6:8.0f} "
                f"{found['sent'] / 1e6:8.1f} {found['largest'] / 1e6:8.1f}  {found['depth']:5}  "
                f"{found['digest']}",
                flush=True,
            )
        if len(digests) != 1:
            raise SystemExit(f"{text}: results differ")


if __name__ == "__main__":
    main()
