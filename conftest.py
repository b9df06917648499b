"""Tests keep their pattern tables in a folder of their own, never in the user's."""

from __future__ import annotations

import os
import shutil
import tempfile


def pytest_configure() -> None:
    folder = tempfile.mkdtemp(prefix="slidelab-tests-")
    os.environ["SLIDELAB_CACHE"] = folder


def pytest_unconfigure() -> None:
    shutil.rmtree(os.environ["SLIDELAB_CACHE"], ignore_errors=True)
