"""One puzzle as an environment of Gymnasium."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from slidelab.bridges.gym.setting import Setting
from slidelab.errors import NotationError
from slidelab.gains.arrays import Batch
from slidelab.puzzles import Configuration, ConfigurationLike, PuzzleLike

__all__ = ["PuzzleEnv"]

MAX_CACHED_MASKS = 100_000
"""Masks of legal moves that are kept, one for each set of holes."""

RENDER_WIDTH_PIXELS = 400


class PuzzleEnv(gymnasium.Env[NDArray[Any], np.int64]):
    """A sliding puzzle: an action is a move, and an episode ends at the goal.

    Every step has the reward -1, so that the best return is minus the distance to the goal. Actions are
    the numbers of moves of `Puzzle.arrays`. A move that is not legal changes nothing and counts as a step;
    ``info["action_mask"]`` says which are legal, as ``action_space.sample(mask)`` takes it, and
    `action_masks` for libraries that ask for them. ``info["distance"]`` is the number of moves of a shortest
    solution, if there is a table.

    Parameters
    ----------
    puzzle
        A puzzle, or anything that `slidelab.puzzle` reads; a position is the goal.
    goal
        The goal; by default that of the puzzle.
    scramble
        Number of random moves from the goal to the start of an episode; by default the start is uniform among
        all configurations that can be reached.
    distances
        Whether there is a table of all distances; by default if it takes at most 10 MB.
    one_hot
        Whether observations are one-hot vectors instead of numbers of pieces (or of cells, for pieces of
        several cells).
    render_mode
        ``"ansi"`` for text, ``"rgb_array"`` for pixels (``pip install slidelab[png]``).

    Examples
    --------
    >>> import gymnasium, slidelab.bridges.gym
    >>> env = gymnasium.make("slidelab/8Puzzle-v0")
    >>> observation, info = env.reset(seed=1, options={"start": "1 2 3 4 5 6 . 7 8"})
    >>> observation, info["distance"], info["action_mask"].nonzero()[0]
    (array([1, 2, 3, 4, 5, 6, 0, 7, 8], dtype=uint8), 2, array([ 9, 20]))
    >>> observation, reward, terminated, truncated, info = env.step(20)
    >>> reward, terminated, info["distance"]
    (-1.0, False, 1)
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        puzzle: PuzzleLike = "square R(3,3)",
        *,
        goal: ConfigurationLike | None = None,
        scramble: int | None = None,
        distances: bool | None = None,
        one_hot: bool = False,
        render_mode: str | None = None,
    ) -> None:
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise NotationError(f"expected 'ansi' or 'rgb_array', got {render_mode!r:.40} - at render_mode")
        self.setting = Setting(puzzle, goal, scramble, distances, one_hot, 1)
        self.observation_space = self.setting.observation_space
        self.action_space = self.setting.action_space
        self.render_mode = render_mode
        self._is_tiles = self.setting.puzzle.rule.cells == 1
        self._ends: list[tuple[int, int]] = [
            (before[0], after[0]) for before, after in self.setting.arrays.move_cells.tolist()
        ]
        self._goal = self.setting.goal_row.tobytes()
        self._masks: dict[int, NDArray[np.int8]] = {}
        self._row: Batch | None = None
        self._holes = 0
        self._mask: NDArray[np.int8] = np.zeros(0, dtype=np.int8)

    @property
    def configuration(self) -> Configuration:
        """The configuration now."""
        return self.setting.arrays.decode(self._current()[None])[0]

    def _current(self) -> Batch:
        if self._row is None:
            raise ResetNeeded("call reset before anything else")
        return self._row

    def action_masks(self) -> NDArray[np.bool_]:
        """Return for each action whether it is legal now."""
        self._current()
        return self._mask.astype(np.bool_)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begin an episode.

        Parameters
        ----------
        seed
            Seed of the random numbers, from which all later starts follow, too.
        options
            ``{"start": configuration}`` or ``{"scramble": moves}`` for this episode.
        """
        super().reset(seed=seed)
        row = self._row = self.setting.chosen_starts(1, self.np_random, options)[0]
        self._holes = sum(1 << cell for cell in np.flatnonzero(row == 0).tolist()) if self._is_tiles else 0
        self._mask = self._legal_moves(row)
        return self._observe(row), self._info(row, True)

    def step(self, action: np.int64 | int) -> tuple[NDArray[Any], float, bool, bool, dict[str, Any]]:
        """Make a move; one that is not legal changes nothing."""
        row, number = self._current(), int(action)
        if not 0 <= number < len(self._ends):
            raise NotationError(f"expected an action from 0 to {len(self._ends) - 1}, got {number}")
        legal = bool(self._mask[number])
        if legal and self._is_tiles:
            before, after = self._ends[number]
            row[after] = row[before]
            row[before] = 0
            self._holes ^= 1 << before | 1 << after
            self._mask = self._legal_moves(row)
        elif legal:
            rows, _, mask, _ = self.setting.arrays.step(row[None], [number], self.setting.goal_row)
            row = self._row = rows[0]
            self._mask = mask.view(np.int8).reshape(-1)
        return self._observe(row), -1.0, row.tobytes() == self._goal, False, self._info(row, legal)

    def _legal_moves(self, row: Batch) -> NDArray[np.int8]:
        """Return the mask of legal moves, which for tiles depends on the holes alone."""
        if self._is_tiles and (mask := self._masks.get(self._holes)) is not None:
            return mask
        mask = self.setting.arrays.legal_moves(row[None]).view(np.int8).reshape(-1)
        if self._is_tiles:
            if len(self._masks) >= MAX_CACHED_MASKS:
                self._masks.clear()
            self._masks[self._holes] = mask
        return mask

    def _observe(self, row: Batch) -> NDArray[Any]:
        if not self.setting.one_hot and self._is_tiles:
            return row.copy()
        observation: NDArray[Any] = self.setting.observe(row[None])[0]
        return observation

    def _info(self, row: Batch, legal: bool) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": self._mask.copy(), "legal": legal}
        if self.setting.table is not None:
            info["distance"] = self.setting.distance(row)
        return info

    def render(self) -> Any:
        """Return the configuration as text or as pixels."""
        if self.render_mode == "ansi":
            return str(self.configuration)
        if self.render_mode == "rgb_array":
            return _pixels(self.configuration)
        return None


def _pixels(configuration: Configuration) -> NDArray[np.uint8]:
    """Return a picture as an array of height, width and three colours."""
    from io import BytesIO

    from slidelab.draw.png import png
    from slidelab.packages import require

    require("PIL", "pixels need", "png")
    from PIL import Image

    with Image.open(BytesIO(png(configuration.draw(), RENDER_WIDTH_PIXELS))) as image:
        return np.asarray(image.convert("RGB"), dtype=np.uint8)
