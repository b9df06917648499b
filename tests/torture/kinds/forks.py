"""Other processes, forked or started anew, answer as this one does."""

from __future__ import annotations

import multiprocessing
import warnings

from torture.answers import answer, draw_queries
from torture.case import Case

__all__ = ["run"]

QUERIES = 10
"""Questions of each case."""


def run(case: Case) -> None:
    """Ask the same questions here and in two other processes."""
    method = case.rng.choice(["fork", "fork", "spawn"])
    queries = draw_queries(case.rng, QUERIES)
    case.about(f"{method}, {queries!s:.200}")
    before = case.rng.random() < 0.5
    # Asked before, the processes that are forked inherit gain graphs, tables and ended threads.
    expected = [answer(query) for query in queries] if before else []
    with case.attempt("processes"), warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        with multiprocessing.get_context(method).Pool(2) as pool:
            found = pool.map(answer, queries, chunksize=1)
        expected = expected or [answer(query) for query in queries]
        for query, there, here in zip(queries, found, expected, strict=True):
            case.same(there, here, f"{query}")
