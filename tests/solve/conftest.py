"""Pattern databases that these tests build are saved in a folder of their own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from slidelab.solve import next_move
from slidelab.solve.patterns import heuristic, store


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SLIDELAB_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture
def forget() -> Iterator[None]:
    """Clear all caches before and after a test."""
    forget_all()
    yield
    forget_all()


def forget_all() -> None:
    store._databases.cache_clear()
    heuristic._heuristic.cache_clear()
    heuristic.core_searches.cache_clear()
    next_move._next_moves.cache_clear()
