"""The names under which Gymnasium finds our environments."""

from __future__ import annotations

import gymnasium

__all__ = ["IDS", "register_environments"]

IDS: dict[str, tuple[dict[str, str], int]] = {
    "slidelab/Puzzle-v0": ({}, 1000),
    "slidelab/8Puzzle-v0": ({"puzzle": "square R(3,3)"}, 200),
    "slidelab/15Puzzle-v0": ({"puzzle": "square R(4,4)"}, 500),
    "slidelab/24Puzzle-v0": ({"puzzle": "square R(5,5)"}, 1000),
    "slidelab/HexTiles-v0": ({"puzzle": "hex P(3,4)"}, 500),
    "slidelab/Gourds-v0": ({"puzzle": "hex F(2) gourds"}, 200),
}
"""Names of environments, with their arguments and the steps after which an episode is cut off."""


def register_environments() -> None:
    """Register the environments of `IDS` with Gymnasium, unless that was done.

    Examples
    --------
    >>> import gymnasium, slidelab.bridges.gym
    >>> gymnasium.spec("slidelab/15Puzzle-v0").max_episode_steps
    500
    """
    for name, (arguments, steps) in IDS.items():
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point="slidelab.bridges.gym.environment:PuzzleEnv",
                vector_entry_point="slidelab.bridges.gym.vector:PuzzleVectorEnv",
                max_episode_steps=steps,
                kwargs=dict(arguments),
            )
