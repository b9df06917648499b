"""Tests have a cache folder of their own, can be interrupted, and forget the rules that they register."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from collections.abc import Iterator

import pytest


def pytest_configure() -> None:
    folder = tempfile.mkdtemp(prefix="slidelab-tests-")
    os.environ["SLIDELAB_CACHE"] = folder
    # A shell without job control starts background commands with SIGINT ignored, and programs inherit that:
    # those that tests start could not be interrupted.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


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
