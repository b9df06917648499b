"""Environments of Gymnasium: one puzzle, or many at once on the array kernels.

Importing this package registers the environments of `IDS`, so that ``gymnasium.make`` finds them.
`setting.py` has what both kinds share. Needs ``pip install slidelab[gym]``.
"""

from slidelab.packages import require

require("gymnasium", "an environment needs", "gym")

from slidelab.bridges.gym.environment import PuzzleEnv  # noqa: E402
from slidelab.bridges.gym.registration import IDS, register_environments  # noqa: E402
from slidelab.bridges.gym.vector import PuzzleVectorEnv  # noqa: E402

__all__ = ["IDS", "PuzzleEnv", "PuzzleVectorEnv", "register_environments"]

register_environments()
