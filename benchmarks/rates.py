"""How many steps a second each entry point of rummy_env makes, with random legal play."""

import time
from collections.abc import Callable
from functools import partial
from statistics import median

import numpy as np
from gymnasium.vector import SyncVectorEnv

from rummy_env import Engine, Rules, raw_env
from rummy_env import env as wrapped_env
from rummy_env.baselines import Policy, Random
from rummy_env.baselines.asking import decide
from rummy_env.core.actions import choose
from rummy_env.core.arrays import Bools, Rows
from rummy_env.core.shuffle import GameRandom
from rummy_env.core.visibility import SeatView
from rummy_env.envs.single import RummyEnv
from rummy_env.envs.vector import RummyVectorEnv
from rummy_env.views.features import HINTS, observer

STEPS_BETWEEN_DEALS = 8
"""A game that has ended waits for at most so many steps; only steps of running games count."""

STRETCHES = 5
"""How often each rate is measured."""

Play = Callable[[], int]
"""Plays for a moment and says how many steps that were."""


def rate(play: Play, seconds: float) -> float:
    """Return steps a second, as `beside` measures them."""
    return beside(play, None, seconds)[0]


def beside(play: Play, peer: Play | None, seconds: float) -> tuple[float, tuple[float, ...]]:
    """Return steps a second, and the ratios to a peer that is timed between, after a warm-up.

    A machine that others use too is slower in one second than in the next, for both: so each ratio
    is of two stretches of time side by side.

    Args:
        play: What to time.
        peer: What to hold it against; None for nothing.
        seconds: Length of each stretch, at least.

    Returns:
        The median rate, and the ratios, ascending; none without a peer.
    """
    play()
    found, ratios = [], []
    for _ in range(STRETCHES):
        found.append(_stretch(play, seconds))
        if peer is not None:
            ratios.append(found[-1] / _stretch(peer, seconds))
    return median(found), tuple(sorted(ratios))


def _stretch(play: Play, seconds: float) -> float:
    steps, start = 0, time.perf_counter()
    while (now := time.perf_counter()) - start < seconds:
        steps += play()
    return steps / (now - start)


def _settled(rules: Rules, num_envs: int) -> tuple[Engine, np.random.Generator]:
    """Games in the midst of play, not all at their beginning."""
    engine, rng = Engine(rules, num_envs, seed=1), np.random.default_rng(1)
    engine.reset()
    for _ in range(60):
        engine.step(engine.random_actions(rng))
        engine.reset(engine.finished.nonzero()[0])
    return engine, rng


def engine_steps(rules: Rules, num_envs: int, *, observation: bool) -> Play:
    """Return what plays an engine, with masks; finished games are dealt anew every few steps."""
    engine, rng = _settled(rules, num_envs)
    observe = observer(rules)

    def play() -> int:
        steps = 0
        for _ in range(STEPS_BETWEEN_DEALS):
            steps += num_envs - int(engine.finished.sum())
            engine.legal_mask()
            if observation:
                observe(engine.look(engine.to_move))
            engine.step(engine.random_actions(rng))
        engine.reset(engine.finished.nonzero()[0])
        return steps

    return play


def rollout_steps(rules: Rules, num_envs: int, policy: Policy) -> Play:
    """Hands played out by a policy in every seat, its decisions included."""
    engine, _ = _settled(rules, num_envs)

    def play() -> int:
        steps = 0
        for _ in range(STEPS_BETWEEN_DEALS):
            rows = engine.running
            engine.step(decide(engine, [policy], rows), rows)
            steps += rows.size
        engine.reset(engine.finished.nonzero()[0])
        return steps

    return play


def aec_actions(rules: Rules, *, raw: bool, observation: str = HINTS) -> Play:
    """Return what plays the PettingZoo environment, by `last` and `step`, a hand at a time."""
    made = raw_env if raw else wrapped_env
    env = made(rules.name, observation=observation, **dict(rules.options))
    rng = np.random.default_rng(1)

    def play() -> int:
        env.reset(seed=int(rng.integers(1 << 30)))
        steps = 0
        for agent in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            legal = observation["action_mask"].nonzero()[0]
            env.step(int(legal[rng.integers(len(legal))]))
            steps += 1
            assert agent
        return steps

    return play


def vec_env_steps(rules: Rules, num_envs: int, opponents: str) -> Play:
    """Return what plays a Stable-Baselines3 VecEnv, and counts the learner's decisions."""
    from rummy_env.envs.sb3 import RummyVecEnv

    env = RummyVecEnv(rules, num_envs, opponents=opponents, seed=1)
    rng = np.random.default_rng(1)
    env.reset()

    def play() -> int:
        env.step(choose(env.action_masks(), rng.random(num_envs)))
        return num_envs

    return play


def received_steps(rules: Rules, num_envs: int, opponents: str, *, sent: int) -> Play:
    """Gymnasium's native batch by `send` and `recv`: so many games of those sent at once.

    Decisions of the learner; where a game was over, which deals it anew, there was none.
    """
    envs, rng = RummyVectorEnv(rules, sent, opponents=opponents), np.random.default_rng(1)
    _, infos = envs.reset(seed=1)
    envs.send(choose(infos["action_mask"].view(np.bool_), rng.random(sent)), np.arange(sent))

    def play() -> int:
        *_, infos = envs.recv(num_envs)
        masks = infos["action_mask"].view(np.bool_)
        running = masks.any(axis=1)
        masks[~running, 0] = True
        envs.send(choose(masks, rng.random(num_envs)), infos["env_id"])
        return int(running.sum())

    return play


class Counted(Random):
    """A random opponent that counts what it plays."""

    played = 0

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        """As `Random` does."""
        self.played += len(mask)
        return super().act(view, mask, rng)


def gymnasium_actions(rules: Rules, num_envs: int, *, single: bool = False) -> Play:
    """Gymnasium's native batch: actions of all seats, those of random opponents included.

    So the figure can be held against that of the engine with masks and observations. `single` takes
    Gymnasium's batch of single environments in its place.
    """
    opponent, rng = Counted(), np.random.default_rng(1)
    envs = (
        SyncVectorEnv([partial(RummyEnv, rules, opponents=opponent)] * num_envs)
        if single
        else (RummyVectorEnv(rules, num_envs, opponents=opponent))
    )
    _, infos = envs.reset(seed=1)

    def play() -> int:
        nonlocal infos
        opponent.played = 0
        masks = np.asarray(infos["action_mask"], np.int8).view(np.bool_)
        running = masks.any(axis=1)
        masks[~running, 0] = True
        *_, infos = envs.step(choose(masks, rng.random(num_envs)))
        return int(running.sum()) + opponent.played

    return play


def bytes_per_game(rules: Rules) -> float:
    """Memory of the state of one game, in bytes."""
    return Engine(rules, 1024).state.num_bytes / 1024
