"""Environments of Gymnasium: its own checker, the rules of the puzzle, many copies against single ones."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from hypothesis import given, settings
from hypothesis import strategies as st

import slidelab as sl
from slidelab.bridges.gym import IDS, PuzzleEnv, PuzzleVectorEnv
from slidelab.gains.arrays import Stepped

PUZZLES = (
    "square R(3,3)",
    "hex P(3,3) hextiles 3",
    "king R(3,2) tiles 2",
    "hex F(2) gourds",
    "square R(3,3) trimers 3",
    "square R(3,2) : a a b b c .",
    "hex T(2) gourds : 0-1=red-blue",
)


@pytest.mark.parametrize("name", IDS)
def test_the_checker_of_gymnasium(name: str) -> None:
    """Warnings are errors in our tests, so there are none."""
    check_env(gymnasium.make(name).unwrapped)


@pytest.mark.parametrize("one_hot", [False, True])
@pytest.mark.parametrize("puzzle", PUZZLES)
def test_any_puzzle(puzzle: str, one_hot: bool) -> None:
    check_env(gymnasium.make("slidelab/Puzzle-v0", puzzle=puzzle, scramble=5, one_hot=one_hot).unwrapped)


@settings(max_examples=30, deadline=None)
@given(puzzle=st.sampled_from(PUZZLES), seed=st.integers(0, 10**6))
def test_steps_are_moves(puzzle: str, seed: int) -> None:
    env = PuzzleEnv(puzzle)
    arrays, goal, rng = env.setting.arrays, env.setting.goal, np.random.default_rng(seed)
    observation, info = env.reset(seed=seed)
    here = env.configuration
    assert here != goal
    for _ in range(12):
        assert env.observation_space.contains(observation)
        assert arrays.encode([here]).ravel().tolist() == observation.tolist()
        assert env.action_masks().tolist() == info["action_mask"].astype(bool).tolist()
        legal = {int(number) for number in arrays.encode_moves(here.moves)}
        assert legal == set(np.flatnonzero(info["action_mask"]).tolist())
        assert info["distance"] == here.puzzle.distance(here, goal)
        action = int(rng.choice(sorted(legal))) if rng.random() < 0.8 else int(env.action_space.sample())
        if action in legal:
            (move,) = arrays.decode_moves(here, [action])
            here = here.play(move)
        observation, reward, terminated, truncated, info = env.step(action)
        assert env.configuration == here
        assert (reward, terminated, truncated) == (-1.0, here == goal, False)
        assert info["legal"] == (action in legal)


def test_a_shortest_solution_has_the_return_of_its_length() -> None:
    env = gymnasium.make("slidelab/8Puzzle-v0")
    start = sl.position("3x3 : 8 6 7 2 5 4 3 . 1")
    _, info = env.reset(options={"start": start})
    assert info["distance"] == 31
    total, terminated = 0.0, False
    moves = sl.puzzle("8-puzzle").solve(start).moves
    for action in sl.puzzle("8-puzzle").arrays().encode_moves(moves).tolist():
        assert not terminated
        _, reward, terminated, _, _ = env.step(action)
        total += float(reward)
    assert terminated
    assert total == -31


@pytest.mark.parametrize("puzzle", PUZZLES)
def test_many_copies_are_many_single_ones(puzzle: str) -> None:
    """The same actions from the same starts, also illegal ones; ended copies begin anew one step later."""
    count, limit = 5, 9
    envs = PuzzleVectorEnv(count, puzzle, scramble=3, max_episode_steps=limit, threads=2)
    observations, infos = envs.reset(seed=3)
    singles = [PuzzleEnv(puzzle) for _ in range(count)]
    starts = envs.setting.arrays.decode(envs.rows)
    for env, start in zip(singles, starts, strict=True):
        env.reset(options={"start": start})
    steps, ended = [0] * count, [False] * count
    rng = np.random.default_rng(5)
    restarts = 0
    for _ in range(40):
        legal = envs.sample_actions()
        actions = np.where(rng.random(count) < 0.8, legal, envs.action_space.sample())
        assert all(envs.action_masks()[k, legal[k]] or not envs.action_masks()[k].any() for k in range(count))
        observations, rewards, terminated, truncated, infos = envs.step(actions)
        assert envs.observation_space.contains(observations)
        fresh = envs.setting.arrays.decode(envs.rows)
        for k, env in enumerate(singles):
            if ended[k]:
                restarts += 1
                observation, info = env.reset(options={"start": fresh[k]})
                expected: tuple[Any, ...] = (0.0, False, False)
                steps[k] = 0
                assert fresh[k] != envs.setting.goal
            else:
                observation, reward, done, _, info = env.step(actions[k])
                steps[k] += 1
                expected = (reward, done, steps[k] >= limit and not done)
            assert observations[k].tolist() == observation.tolist()
            assert (rewards[k], terminated[k], truncated[k]) == expected
            assert infos["action_mask"][k].tolist() == info["action_mask"].tolist()
            assert infos["distance"][k] == info["distance"]
            assert infos["legal"][k] == info["legal"]
            ended[k] = bool(terminated[k] or truncated[k])
    assert restarts > 5


def test_made_by_gymnasium() -> None:
    envs = gymnasium.make_vec("slidelab/15Puzzle-v0", num_envs=7, scramble=4)
    assert isinstance(envs.unwrapped, PuzzleVectorEnv)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    assert envs.unwrapped.max_episode_steps == 500
    first, infos = envs.reset(seed=1)
    again, _ = envs.reset(seed=1)
    assert np.array_equal(first, again)
    assert infos["_action_mask"].all()
    assert "distance" not in infos  # no table of ten trillion configurations
    sync = gymnasium.make_vec("slidelab/8Puzzle-v0", num_envs=2, vectorization_mode="sync")
    sync.reset(seed=1)
    _, _, _, _, info = sync.step(sync.action_space.sample())
    assert info["distance"].shape == (2,)


def test_results_do_not_depend_on_threads() -> None:
    runs = []
    for threads in (1, 3):
        envs = PuzzleVectorEnv(3000, "hex F(2) gourds", scramble=6, threads=threads)
        observations, _ = envs.reset(seed=2)
        total = observations.astype(int)
        for _ in range(10):
            observations, *_ = envs.step(envs.sample_actions())
            total = total * 3 + observations
        runs.append(total)
    assert np.array_equal(runs[0], runs[1])


def test_what_is_handed_out_is_not_used_again() -> None:
    envs = PuzzleVectorEnv(4, "square R(3,3)")
    observations, infos = envs.reset(seed=1)
    kept = observations.copy(), infos["action_mask"].copy()
    observations[:] = 0
    with pytest.raises(ValueError, match="read-only"):
        infos["action_mask"][:] = 0
    envs.step(envs.sample_actions())
    assert np.array_equal(infos["action_mask"], kept[1])
    assert sorted(envs.rows[0].tolist()) == list(range(9))


def test_reset_options() -> None:
    envs = PuzzleVectorEnv(4, "square R(3,3)")
    envs.reset(seed=1)
    before = envs.rows.copy()
    envs.reset(options={"start": "1 2 3 4 5 6 . 7 8", "reset_mask": np.array([True, False, False, True])})
    assert (envs.rows[0] == envs.rows[3]).all()
    assert (envs.rows[1:3] == before[1:3]).all()
    env = PuzzleEnv("square R(3,3)", goal="8 7 6 5 4 3 2 1 .")
    for seed in range(20):
        assert env.reset(seed=seed, options={"scramble": 1})[1]["distance"] == 1
    position = PuzzleEnv("square R(2,2) : 3 1 . 2")
    assert position.setting.goal.pieces_text == "3 1 . 2"


def test_uniform_starts_can_be_solved() -> None:
    env = PuzzleEnv("square R(3,3)")
    assert all(env.reset(seed=seed)[1]["distance"] > 0 for seed in range(30))


def test_rendering() -> None:
    env = PuzzleEnv("square R(2,2)", render_mode="ansi")
    env.reset(options={"start": "3 1 . 2"})
    assert env.render() == "3 1\n. 2"
    pixels = PuzzleEnv("square R(2,2)", render_mode="rgb_array")
    pixels.reset(seed=1)
    assert pixels.render().shape == (400, 400, 3)
    many = PuzzleVectorEnv(2, "square R(2,2)", render_mode="ansi")
    many.reset(options={"start": "3 1 . 2"})
    assert many.render() == ("3 1\n. 2",) * 2


def test_bad_input() -> None:
    env, envs = PuzzleEnv(), PuzzleVectorEnv(2)
    with pytest.raises(ResetNeeded):
        env.step(0)
    with pytest.raises(ResetNeeded):
        envs.step([0, 0])
    for each in (env, envs):
        each.reset(seed=1)
        with pytest.raises(sl.NotationError, match="'start' and 'scramble', got 'begin'"):
            each.reset(options={"begin": 1})
    with pytest.raises(sl.NotationError, match="from 0 to 23, got 24"):
        env.step(24)
    for wrong in ([0], [0, 24], [-1, 0], [0.5, 0.5]):
        with pytest.raises(sl.NotationError):
            envs.step(wrong)
    with pytest.raises(sl.NotationError, match="render_mode"):
        PuzzleEnv(render_mode="human")
    with pytest.raises(sl.NotationError, match="at scramble"):
        PuzzleEnv(scramble=0)
    with pytest.raises(sl.TooLarge):
        PuzzleEnv("square R(5,5)", distances=True)


def test_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("slidelab.bridges.gym")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    with pytest.raises(sl.PuzzleError, match=r"the package gymnasium: pip install 'slidelab\[gym\]'"):
        import_module("slidelab.bridges.gym")


@pytest.mark.parametrize("puzzle", PUZZLES)
def test_the_kernel_of_a_step(puzzle: str) -> None:
    """In one pass the same as `legal_moves`, `apply` and a comparison."""
    arrays = sl.puzzle(puzzle).arrays()
    goal = arrays.encode([arrays.puzzle.goal])
    batch = arrays.random_walks(np.repeat(goal, 300, axis=0), 3, seed=1).states
    rng = np.random.default_rng(1)
    moves = rng.integers(-2, arrays.move_count + 2, 300)
    found: Stepped = arrays.step(batch, moves, goal[0])
    inside = (moves >= 0) & (moves < arrays.move_count)
    legal = inside & arrays.legal_moves(batch)[np.arange(300), np.where(inside, moves, 0)]
    assert np.array_equal(found.made, legal)
    expected = arrays.apply(batch, np.where(legal, moves, -1))
    assert np.array_equal(found.states, expected)
    assert np.array_equal(found.legal, arrays.legal_moves(expected))
    assert found.solved.tolist() == [row.tolist() == goal[0].tolist() for row in expected]
    with pytest.raises(sl.PuzzleError, match="for each of 300 rows"):
        arrays.step(batch, moves[1:], goal[0])
