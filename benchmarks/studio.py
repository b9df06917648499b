"""Load on the studio: many clients asking facts and hints on loopback, then the same beside a hostile one.

python benchmarks/studio.py [--seconds 30] [--clients 50] [--think 0.1]

Starts `slidelab play` as a process of its own. A client asks for facts about a board of the README or for a
hint, waits for the answer, thinks, and asks again. Hints are asked along solutions of positions of its own,
so most of them are computed; facts are computed once and remembered. The hostile client comes from another
address (127.0.0.2) and does not think.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles
from typing import Any

import slidelab as sl

BOARDS = (
    "square R(4,4)",
    "hex P(4,4)",
    "hex P(3,4)",
    "hex F(3) gourds",
    "square R(3,4)",
    "hex F(2) hextiles 3",
)
"""Boards of the README, whose facts are asked."""

PLAYED = ("square R(3,3)", "hex F(2)", "hex F(2) gourds", "theta(1,2,2)", "hex P(3,3)")
"""Puzzles that are played with hints."""

HEAVY = "5x5 : " + " ".join(map(str, range(24, 0, -1))) + " ."


HOSTILE_LOOPS = 4
"""Loops in which the hostile client tries all its tricks at the same time."""


class Connection:
    """A kept-alive connection that sends requests and reads answers, with little work of its own."""

    def __init__(self, port: int, source: str = "127.0.0.1") -> None:
        self.port, self.source = port, source
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def request(self, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, bytes]:
        """Return status and body of an answer; 0 if the connection was closed instead."""
        fields = {
            "host": f"127.0.0.1:{self.port}",
            "content-type": "application/json",
            "content-length": str(len(body)),
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        head = f"{method} {path} HTTP/1.1\r\n" + "".join(f"{name}: {own}\r\n" for name, own in fields.items())
        try:
            if self.streams is None:
                self.streams = await asyncio.open_connection(
                    "127.0.0.1", self.port, local_addr=(self.source, 0), limit=1 << 22
                )
            reader, writer = self.streams
            writer.write(head.encode() + b"\r\n" + body)
            await writer.drain()
            answer = await reader.readuntil(b"\r\n\r\n")
            lines = answer.decode("latin-1").lower().split("\r\n")
            length = next(int(line[15:]) for line in lines if line.startswith("content-length:"))
            content = await reader.readexactly(length)
            if "connection: close" in lines:
                self.close()
            return int(lines[0].split()[1]), content
        except (OSError, asyncio.IncompleteReadError, StopIteration):
            self.close()
            return 0, b""

    def close(self) -> None:
        """Close the connection; the next request opens another."""
        if self.streams is not None:
            self.streams[1].close()
            self.streams = None


@dataclass
class Record:
    """Times and statuses of one kind of request."""

    seconds: list[float] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)

    def line(self, name: str, duration: float) -> str:
        cuts = quantiles(self.seconds, n=100) if len(self.seconds) > 1 else [0.0] * 99
        bad = {status: count for status, count in self.statuses.items() if status != 200}
        return (
            f"  {name:<12} {len(self.seconds):>7,} requests  {len(self.seconds) / duration:>6.0f} a second  "
            f"p50 {cuts[49] * 1e3:6.1f} ms  p95 {cuts[94] * 1e3:6.1f} ms  p99 {cuts[98] * 1e3:6.1f} ms  "
            f"errors {sum(bad.values())} {bad or ''}"
        )


async def timed(record: Record, work: Awaitable[tuple[int, bytes]]) -> bytes:
    began = time.perf_counter()
    status, body = await work
    record.seconds.append(time.perf_counter() - began)
    record.statuses[status] += 1
    return body


async def client(port: int, number: int, end: float, think: float, facts: Record, hints: Record) -> None:
    """Ask for facts and hints until the time is up."""
    rng, connection = random.Random(number), Connection(port)
    here: str | None = None
    seed = number * 1000
    while time.monotonic() < end:
        await asyncio.sleep(rng.uniform(0.5, 1.5) * think)
        if rng.random() < 0.5:
            body = json.dumps({"puzzle": rng.choice(BOARDS)}).encode()
            await timed(facts, connection.request("POST", "/api/facts", body))
            continue
        if here is None:
            seed += 1
            here = sl.puzzle(PLAYED[seed % len(PLAYED)]).shuffle(seed=seed).text
        body = json.dumps({"position": here}).encode()
        answer = json.loads(await timed(hints, connection.request("POST", "/api/hint", body)) or b"{}")
        here = sl.position(here).play(answer["move"]).text if answer.get("move") else None
    connection.close()


async def hostile(port: int, end: float, statuses: dict[str, Counter[int]]) -> None:
    """Do all that a hostile client can think of, as fast as it can, until the time is up."""
    connection, numbers = Connection(port, "127.0.0.2"), iter(range(10**9))
    deep = b'{"document": ' + b"[" * 300_000 + b"]" * 300_000 + b"}"
    large = b'{"text": "' + b"x" * 1_500_000 + b'"}'

    def post(path: str, body: Any, **headers: str) -> Awaitable[tuple[int, bytes]]:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        return connection.request("POST", path, content, **headers)

    tricks: dict[str, Callable[[], Awaitable[tuple[int, bytes]]]] = {
        "huge board": lambda: post("/api/facts", {"puzzle": f"square R({300 + next(numbers)},300)"}),
        "deep JSON": lambda: post("/api/puzzle", deep),
        "wrong types": lambda: post("/api/hint", {"position": [next(numbers)]}),
        "large body": lambda: post("/api/puzzle", large),
        "job": lambda: post("/api/jobs", {"kind": "solve", "position": HEAVY}),
        "path": lambda: connection.request("GET", "/page/../../../../etc/passwd"),
        "host": lambda: connection.request("GET", "/api/library", host="evil.example"),
        "origin": lambda: post("/api/jobs", {"kind": "god", "puzzle": "4x4"}, origin="http://evil.example"),
        "heavy facts": lambda: post(
            "/api/facts", {"puzzle": f"hex P(60,60) hextiles {2 + next(numbers) % 3000}"}
        ),
        "garbage": lambda: post("/api/puzzle", b"\xff\x00{{{"),
    }
    slow = [asyncio.create_task(slow_body(port, end, statuses)) for _ in range(10)]
    while time.monotonic() < end:
        for name, trick in tricks.items():
            for _ in range(40 if name == "job" else 1):
                statuses.setdefault(name, Counter())[(await trick())[0]] += 1
                if time.monotonic() >= end:
                    break
    await asyncio.gather(*slow)


async def slow_body(port: int, end: float, statuses: dict[str, Counter[int]]) -> None:
    """Send a request byte by byte."""
    while time.monotonic() < end:
        with suppress(OSError, asyncio.IncompleteReadError, TimeoutError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=("127.0.0.2", 0))
            head = f"POST /api/facts HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\ncontent-type: application/json\r\n"
            writer.write(f"{head}content-length: 100000\r\n\r\n".encode())
            status = 0
            async with asyncio.timeout(end - time.monotonic()):
                answer = asyncio.create_task(reader.readline())
                while not answer.done():
                    writer.write(b" ")
                    await asyncio.sleep(0.2)
                status = int((await answer or b"x 0").split()[1])
            statuses.setdefault("slow body", Counter())[status] += 1
            writer.close()


def memory(pid: int) -> tuple[float, float]:
    """Return megabytes of a process and of its children."""

    def resident(number: int) -> float:
        with suppress(OSError, ValueError):
            return int(Path(f"/proc/{number}/statm").read_text().split()[1]) * 4096 / 1e6
        return 0.0

    tasks = Path(f"/proc/{pid}/task")
    children = {int(child) for task in tasks.iterdir() for child in (task / "children").read_text().split()}
    return resident(pid), sum(map(resident, children))


async def measure(
    pid: int, port: int, seconds: float, clients: int, think: float, with_hostile: bool
) -> None:
    facts, hints, statuses = Record(), Record(), dict[str, Counter[int]]()
    connection = Connection(port)
    for board in BOARDS:
        await connection.request("POST", "/api/facts", json.dumps({"puzzle": board}).encode())
    before = memory(pid)
    end = time.monotonic() + seconds
    work = [client(port, number, end, think, facts, hints) for number in range(clients)]
    if with_hostile:
        work += [hostile(port, end, statuses) for _ in range(HOSTILE_LOOPS)]
    await asyncio.gather(*work)
    print(f"{clients} clients for {seconds:g} s" + (" beside a hostile one" if with_hostile else ""))
    print(facts.line("cached facts", seconds))
    print(hints.line("hints", seconds))
    after = memory(pid)
    grown = [
        f"{name} {a:.0f} to {b:.0f} MB"
        for name, a, b in zip(("server", "workers"), before, after, strict=True)
    ]
    print(f"  memory       {', '.join(grown)}")
    for name, found in statuses.items():
        print(
            f"  hostile      {name:<12} "
            + ", ".join(f"{status}: {count:,}" for status, count in sorted(found.items()))
        )
    connection.close()  # it has been idle for too long
    status, _ = await connection.request("GET", "/api/health")
    print(f"  the server answers with {status}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument(
        "--think", type=float, default=0.1, help="seconds between an answer and the next request"
    )
    given = parser.parse_args()
    command = [sys.executable, "-m", "slidelab", "play", "--no-browser", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        port = int(process.stdout.readline().rstrip("/\n").rpartition(":")[2])
        try:
            for with_hostile in (False, True):
                asyncio.run(
                    measure(process.pid, port, given.seconds, given.clients, given.think, with_hostile)
                )
        finally:
            process.terminate()


if __name__ == "__main__":
    main()
