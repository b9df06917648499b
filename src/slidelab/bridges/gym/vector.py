"""Many puzzles at once as a vector environment of Gymnasium, on the array kernels."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from slidelab.arguments import whole_number
from slidelab.bridges.gym.setting import Setting
from slidelab.errors import NotationError
from slidelab.gains.arrays import Batch
from slidelab.puzzles import ConfigurationLike, PuzzleLike

__all__ = ["PuzzleVectorEnv"]


class PuzzleVectorEnv(VectorEnv[NDArray[Any], NDArray[np.int64], NDArray[Any]]):
    """Many independent copies of `PuzzleEnv`, stepped together in C++.

    An episode that has ended begins anew with the next step, whose action is ignored and whose reward is 0
    (`AutoresetMode.NEXT_STEP`).

    Parameters
    ----------
    num_envs
        Number of copies.
    puzzle, goal, scramble, distances, one_hot
        As for `PuzzleEnv`.
    max_episode_steps
        Steps after which an episode is cut off; None for no limit.
    threads
        Threads to use; results do not depend on it.

    Examples
    --------
    >>> import gymnasium, slidelab.bridges.gym
    >>> envs = gymnasium.make_vec("slidelab/15Puzzle-v0", num_envs=1000, scramble=20)
    >>> observations, infos = envs.reset(seed=1)
    >>> observations.shape, infos["action_mask"].shape
    ((1000, 16), (1000, 48))
    >>> observations, rewards, terminated, truncated, infos = envs.step(envs.sample_actions())
    >>> float(rewards.sum()), bool(infos["legal"].all())
    (-1000.0, True)
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 (as the base class has it)
        "render_modes": ["ansi"],
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        puzzle: PuzzleLike = "square R(3,3)",
        *,
        goal: ConfigurationLike | None = None,
        scramble: int | None = None,
        distances: bool | None = None,
        one_hot: bool = False,
        max_episode_steps: int | None = None,
        threads: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in (None, "ansi"):
            raise NotationError(f"expected 'ansi', got {render_mode!r:.40} - at render_mode")
        self.num_envs = whole_number(num_envs, 1, "num_envs")
        self.max_episode_steps = (
            None if max_episode_steps is None else whole_number(max_episode_steps, 1, "max_episode_steps")
        )
        self.setting = Setting(puzzle, goal, scramble, distances, one_hot, threads)
        self.single_observation_space = self.setting.observation_space
        self.single_action_space = self.setting.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.render_mode = render_mode
        self._all = np.ones(num_envs, dtype=np.bool_)
        self._all.flags.writeable = False  # it is handed out
        self._rows: Batch | None = None
        self._mask: NDArray[np.bool_] = np.empty((0, 0), dtype=np.bool_)
        self._ended = np.zeros(num_envs, dtype=np.bool_)
        self._steps = np.zeros(num_envs, dtype=np.int64)

    @property
    def rows(self) -> Batch:
        """The configurations now, as `Puzzle.arrays` lays them out."""
        if self._rows is None:
            raise ResetNeeded("call reset before anything else")
        return self._rows

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begin an episode of each copy.

        Parameters
        ----------
        seed
            Seed of the random numbers, from which all later starts follow, too.
        options
            As for `PuzzleEnv.reset`, and ``reset_mask``, an array of booleans: the copies that are reset.
        """
        super().reset(seed=seed)
        which = np.asarray((options or {}).get("reset_mask", self._all), dtype=np.bool_)
        if which.shape != (self.num_envs,) or (self._rows is None and not which.all()):
            raise NotationError(f"expected a mask of {self.num_envs} copies, all at first, got {which!r:.60}")
        rows = np.empty((self.num_envs, *self.setting.arrays.row_shape), self.setting.arrays.dtype)
        if self._rows is not None:
            rows[:] = self._rows
        rows[which] = self.setting.chosen_starts(int(which.sum()), self.np_random, options)
        self._steps[which], self._ended[which] = 0, False
        self._place(rows, self.setting.arrays.legal_moves(rows))
        return self.setting.observe(rows), self._infos(self._all.copy())

    def step(
        self, actions: ArrayLike
    ) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Make a move in each copy; those that are not legal change nothing."""
        arrays, rows, began = self.setting.arrays, self.rows, self._ended
        numbers = np.asarray(actions)
        if numbers.shape != (self.num_envs,) or numbers.dtype.kind not in "iu":
            raise NotationError(
                f"expected {self.num_envs} actions, got {numbers.dtype} of shape {numbers.shape}"
            )
        numbers = np.ascontiguousarray(numbers, dtype=np.int64)
        if numbers.view(np.uint64).max() >= arrays.move_count:  # negative numbers are the largest so
            raise NotationError(f"expected actions from 0 to {arrays.move_count - 1}, got others")
        rows, legal, mask, terminated = arrays.step(rows, numbers, self.setting.goal_row)
        rewards = np.full(self.num_envs, -1.0)
        self._steps += 1
        if began.any():
            rows[began] = starts = self.setting.starts(int(np.count_nonzero(began)), self.np_random)
            mask[began] = arrays.legal_moves(starts)
            legal[began], terminated[began], rewards[began], self._steps[began] = True, False, 0.0, 0
        self._place(rows, mask)
        if self.max_episode_steps is None:
            truncated = np.zeros(self.num_envs, dtype=np.bool_)
        else:
            truncated = (self._steps >= self.max_episode_steps) & ~terminated
        self._ended = terminated | truncated
        return self.setting.observe(rows), rewards, terminated, truncated, self._infos(legal)

    def _place(self, rows: Batch, mask: NDArray[np.bool_]) -> None:
        """Set the configurations and their legal moves."""
        self._rows, self._mask = rows, mask
        self._mask.flags.writeable = False  # it is handed out

    def _infos(self, legal: NDArray[np.bool_]) -> dict[str, Any]:
        infos: dict[str, Any] = {"action_mask": self._mask.view(np.int8), "legal": legal}
        if (distances := self.setting.distances(self.rows)) is not None:
            infos["distance"] = distances
        return infos | {f"_{key}": self._all for key in infos}

    def action_masks(self) -> NDArray[np.bool_]:
        """Return for each copy and action whether it is legal now."""
        return self._mask.copy()

    def sample_actions(self) -> NDArray[np.int64]:
        """Return a random legal action for each copy; 0 where there is none.

        ``action_space.sample`` draws illegal ones, too, and needs a mask for each copy.
        """
        seed = int(self.np_random.integers(2**63))
        moves = self.setting.arrays.random_walks(self.rows, 1, seed=seed, backtrack=True).moves[:, 0]
        return np.maximum(moves, 0).astype(np.int64)

    def render(self) -> tuple[str, ...] | None:
        """Return the configurations as text."""
        if self.render_mode is None:
            return None
        return tuple(map(str, self.setting.arrays.decode(self.rows)))
