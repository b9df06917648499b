"""A part of a solution in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["Passage"]


@dataclass(frozen=True, slots=True)
class Passage:
    """Moves `first` to `last` (not counting `last`) of a solution, in words."""

    first: int
    last: int
    text: str
    depth: int = 0

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {"from": self.first, "to": self.last, "text": self.text, "depth": self.depth}
