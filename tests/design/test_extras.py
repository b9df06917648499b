"""Without an optional package, what needs it says what to install."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

import slidelab as sl
from slidelab.errors import PuzzleError


@pytest.mark.parametrize(
    ("module", "extra", "call"),
    [
        ("networkx", "graph", lambda: sl.puzzle("square R(2,2)").graph()),
        ("networkx", "graph", lambda: sl.board("square R(2,2)").to_networkx()),
        ("sympy", "sympy", lambda: sl.puzzle("square R(2,2)").group().to_sympy()),
    ],
)
def test_missing_packages(
    module: str, extra: str, call: Callable[[], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    call()
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(PuzzleError, match=rf"the package {module}: pip install 'slidelab\[{extra}\]'"):
        call()
