"""Answers that are remembered, by the bytes of what was asked."""

from __future__ import annotations

from collections import OrderedDict

__all__ = ["AnswerCache"]

ENTRY_BYTES = 200
"""What an entry takes besides its key and its answer."""


class AnswerCache:
    """The answers used last, up to a number of bytes.

    >>> cache = AnswerCache(2000)
    >>> for name in "abc":
    ...     cache.put(name, b"x" * 700)
    >>> cache.get("a") is None, len(cache.get("c"))
    (True, 700)
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.size = 0
        self._answers: OrderedDict[str, bytes] = OrderedDict()

    def get(self, key: str) -> bytes | None:
        """Return the answer, or None."""
        answer = self._answers.get(key)
        if answer is not None:
            self._answers.move_to_end(key)
        return answer

    def put(self, key: str, answer: bytes) -> None:
        """Remember an answer and forget those not used for longest; one of over half the size is not kept."""
        if _cost(key, answer) > self.most // 2:
            return
        if (old := self._answers.pop(key, None)) is not None:
            self.size -= _cost(key, old)
        self._answers[key] = answer
        self.size += _cost(key, answer)
        while self.size > self.most:
            oldest, forgotten = self._answers.popitem(last=False)
            self.size -= _cost(oldest, forgotten)


def _cost(key: str, answer: bytes) -> int:
    return 4 * len(key) + len(answer) + ENTRY_BYTES
