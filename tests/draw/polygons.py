"""Distances between outlines, written down plainly: what the tests of printed pieces measure with."""

from __future__ import annotations

import numpy as np


def from_segments(points, first, last):
    """The least distance of each point from any of the segments."""
    along = last - first
    share = ((points[:, None] - first) * along).sum(axis=2) / np.maximum((along**2).sum(axis=1), 1e-12)
    nearest = first + np.clip(share, 0, 1)[..., None] * along
    return np.linalg.norm(points[:, None] - nearest, axis=2).min(axis=1)


def inside(points, first, last):
    """Whether each point is inside the outline made of these segments: a ray to the right leaves it."""
    x, y = points[:, 0, None], points[:, 1, None]
    crosses = (first[:, 1] > y) != (last[:, 1] > y)
    rise = np.where(first[:, 1] == last[:, 1], 1.0, last[:, 1] - first[:, 1])
    at = first[:, 0] + (y - first[:, 1]) / rise * (last[:, 0] - first[:, 0])
    return (crosses & (at > x)).sum(axis=1) % 2 == 1


def sides(corners):
    return corners, np.roll(corners, -1, axis=0)


def gap(one, other, enough=2.0):
    """The distance of two outlines, negative if a corner of one is inside the other; inf if it is large."""
    least = np.inf
    for these, those in ((one, other), (other, one)):
        near = ((these > those.min(axis=0) - enough) & (these < those.max(axis=0) + enough)).all(axis=1)
        if near.any():
            far = from_segments(these[near], *sides(those))
            far[inside(these[near], *sides(those))] *= -1
            least = min(least, far.min())
    return least


def shoelace(corners):
    x, y = corners.T
    return 0.5 * float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum())
