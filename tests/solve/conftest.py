"""Pattern tables that these tests make are kept in a folder of their own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from slidelab.solve import next_move as hints
from slidelab.solve.patterns import heuristic as guide


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SLIDELAB_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture
def forget() -> Iterator[None]:
    """Nothing is remembered from other tests, and nothing left for them."""
    forget_all()
    yield
    forget_all()


def forget_all() -> None:
    guide._patterns.cache_clear()
    guide._guide.cache_clear()
    guide.searches.cache_clear()
    hints._plan.cache_clear()
