"""Threads that share puzzles, gain graphs, distance tables and heuristics answer as one thread does."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from torture.answers import answer, draw_queries
from torture.case import Case, describe_error

__all__ = ["run"]

QUERIES = 12
"""Questions of each case; every one is asked by several threads."""


def run(case: Case) -> None:
    """Ask the same questions in several threads at once, then in one."""
    threads = case.rng.choice([2, 3, 6])
    queries = draw_queries(case.rng, QUERIES) * threads
    case.rng.shuffle(queries)
    case.about(f"{threads} threads, {sorted(set(queries))!s:.200}")
    with ThreadPoolExecutor(threads) as pool:
        futures = [pool.submit(answer, query) for query in queries]
    alone = {query: answer(query) for query in set(queries)}
    for query, future in zip(queries, futures, strict=True):
        error = future.exception()
        if error is not None:
            case.check(False, f"{query}: {describe_error(error)}")
        else:
            case.same(future.result(), alone[query], f"{query}")
