"""Time and memory of analyses of large boards, and ratios to plain programs in the same run.

Every case runs three times, each in its own process, on one core; the best time and the peak memory are
printed. Nothing here passes or fails by time.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

TARGETS: tuple[tuple[str, float | None], ...] = (
    ("hex P(20,20)", 2.0),
    ("square R(30,30)", 2.0),
    ("hex P(6,6) 3", 3.0),
    ("hex F(3) gourds", 2.0),
    ("square R(50,50)", None),
    ("hex P(40,40)", None),
    ("hex P(8,8) 3", None),
    ("hex P(6,6) 4", None),
    ("hex P(5,5) gourds", None),
    ("hex F(3) trimers", None),
)
"""Puzzles, and the seconds that their analysis should not exceed."""


def analysis(text: str) -> dict[str, object]:
    import slidelab as sl

    found = sl.puzzle(text).analyze()
    family = found.families[0]
    return {"components": found.components, "shapes": found.shapes, "group": family.group.name}


def ours_tables() -> dict[str, object]:
    import slidelab as sl

    return {"components": sl.puzzle("hex T(4)", holes=3).analyze(connection=False).components}


def plain_tables() -> dict[str, object]:
    """Count components as the papers do, by breadth-first search over the configurations of one component."""
    sys.path.insert(0, str(ROOT / "tests"))
    from math import factorial

    from plain import Plain, hex_board, triangle_cells  # type: ignore[import-not-found, unused-ignore]

    puzzle = Plain.on(hex_board(triangle_cells(4)), "hextiles", 3)
    start = (1, 2, 3, 4, 5, 6, 7, 0, 0, 0)
    here = sum(1 for c in puzzle.component(start) if c[7:] == (0, 0, 0))
    return {"components": factorial(7) // here}


def ours_group() -> dict[str, object]:
    import slidelab as sl

    return {"order": str(sl.puzzle("square R(6,6)").group().order)}


def plain_group() -> dict[str, object]:
    import slidelab as sl

    return {"order": str(sl.puzzle("square R(6,6)").group().to_sympy().order())}


RATIOS = (
    ("components of hex T(4), 3 holes", "ours_tables", "plain_tables", "plain search of one component"),
    ("group of square R(6,6), degree 35", "ours_group", "plain_group", "SymPy's Schreier-Sims"),
)


def child(name: str, argument: str) -> None:
    if name != "analysis":  # ratios compare the work, not the imports
        import numpy  # noqa: F401
        import sympy.combinatorics  # noqa: F401

        import slidelab.reach.analysis  # noqa: F401
    began = time.perf_counter()
    result = analysis(argument) if name == "analysis" else globals()[name]()
    seconds = time.perf_counter() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": seconds, "peak": peak, "result": result}))


def run(name: str, argument: str = "", times: int = 3) -> tuple[float, float, dict[str, object]]:
    """Return the best time in seconds (imports included), the peak memory in megabytes, and the result."""
    best = None
    for _ in range(times):
        out = subprocess.run(
            [sys.executable, __file__, "--child", name, argument], check=True, capture_output=True, text=True
        )
        found = json.loads(out.stdout)
        if best is None or found["seconds"] < best["seconds"]:
            best = found
    assert best is not None
    return best["seconds"], best["peak"], best["result"]


def start_up() -> float:
    command = [str(Path(sys.executable).with_name("slidelab")), "--help"]
    best = 9.0
    for _ in range(5):
        began = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        best = min(best, time.perf_counter() - began)
    return best


def main() -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    print(f"{'analysis':20} {'seconds':>8} {'target':>6} {'peak MB':>8}  components, group")
    for text, target in TARGETS:
        seconds, peak, result = run("analysis", text)
        limit = f"< {target:.0f}" if target else ""
        print(f"{text:20} {seconds:8.2f} {limit:>6} {peak:8.0f}  {result['components']}, {result['group']}")
    print(f"{'slidelab --help':20} {start_up():8.2f} {'< 0.3':>6}\n")
    print(f"{'compared with plain programs':34} {'slidelab':>9} {'plain':>9} {'ratio':>8}")
    for title, ours, theirs, what in RATIOS:
        quick, _, a = run(ours)
        slow, _, b = run(theirs, times=1)
        agree = "same result" if a == b else f"DIFFERENT RESULTS {a} {b}"
        print(f"{title:34} {quick:8.3f}s {slow:8.3f}s {slow / quick:7.0f}x  {what}, {agree}")


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1] == "--child":
        child(sys.argv[2], sys.argv[3])
    else:
        main()
