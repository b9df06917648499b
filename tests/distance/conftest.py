"""Fixtures of the tests of checkpoints."""

from __future__ import annotations

import pytest

from distance.checkpoints import Saved, Stop
from slidelab.distance.checkpoint import Checkpoint
from slidelab.distance.search import Search


@pytest.fixture
def saved(monkeypatch: pytest.MonkeyPatch) -> Saved:
    """Record every layer that is saved."""
    recorded = Saved()
    real = Checkpoint.save

    def save(self: Checkpoint, search: Search) -> None:
        real(self, search)
        recorded.append((self.folder, len(search.layers) - 1))
        if recorded.stop_at is not None and len(recorded) >= recorded.stop_at:
            raise Stop

    monkeypatch.setattr(Checkpoint, "save", save)
    return recorded
