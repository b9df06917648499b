"""Tests have a cache folder of their own, and forget the rules that they register."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator

import pytest


def pytest_configure() -> None:
    folder = tempfile.mkdtemp(prefix="slidelab-tests-")
    os.environ["SLIDELAB_CACHE"] = folder


def pytest_unconfigure() -> None:
    shutil.rmtree(os.environ["SLIDELAB_CACHE"], ignore_errors=True)


@pytest.fixture(autouse=True)
def known_rules() -> Iterator[None]:
    from slidelab.rules import registry

    before = dict(registry._rules)
    yield
    if registry._rules != before:
        registry._rules.clear()
        registry._rules.update(before)
