"""Policies in PyTorch that have learned nothing, and games for them."""

from typing import Any

import torch
from gymnasium.spaces import Discrete
from sb3_contrib import MaskablePPO

import rummy_env
from agents.network import SuitPolicy
from rummy_env import Rules
from rummy_env.baselines import Random, resolve
from rummy_env.baselines.networks import SuitNet
from rummy_env.baselines.value_net import ValueNet
from rummy_env.envs.sb3 import RummyVecEnv
from rummy_env.envs.self_play import SelfPlayEnv
from rummy_env.views.features import OUTS
from training.vec_env import SelfPlayVecEnv


def learner(rules: Rules, num_envs: int) -> Any:
    """A new policy, the same every time, and games in which it observes what it reads."""
    torch.manual_seed(1)
    env = RummyVecEnv(rules, num_envs, opponents=Random(), observation="outs")
    sizes = {"actor": SuitNet(16, 16, 8), "critic": ValueNet(8, 8)}
    model = MaskablePPO(SuitPolicy, env, policy_kwargs={"rules": rules, **sizes}, device="cpu")
    return model.policy, env


def advised_games() -> SelfPlayVecEnv:
    """Games in which greedy's advice is observed, just dealt; every time the same."""
    whole = SelfPlayEnv(rummy_env.rules("basic"), 64, observation=OUTS, seed=5)
    env = SelfPlayVecEnv(whole, resolve("greedy"))
    env.reset()
    return env


def sure_policy(env: SelfPlayVecEnv) -> SuitPolicy:
    """A policy that is sure where there are few actions, and only there; every time the same."""
    torch.manual_seed(1)
    sizes: dict[str, Any] = {"actor": SuitNet(6, 8, 4, "greedy"), "critic": ValueNet(8, 16)}
    space, actions = env.observation_space, Discrete(env.games.engine.num_actions)
    rules = rummy_env.rules("basic")
    policy = SuitPolicy(space, actions, lambda _: 1e-3, rules=rules, **sizes)
    policy.actor.trust(2.5)
    return policy
