"""Networks of suits and cards with random weights, and what they look at."""

from functools import cache

import numpy as np
import numpy.typing as npt
import torch
from gymnasium.spaces import Discrete

import rummy_env
from agents.network import SuitPolicy
from rummy_env import Engine, Rules
from rummy_env.baselines.layout import action_layout, observation_layout
from rummy_env.baselines.networks import Shapes, SuitNet, Wiring, wiring
from rummy_env.baselines.value_net import ValueNet
from rummy_env.core.actions import action_space
from rummy_env.core.arrays import Bools, Float32s
from rummy_env.envs.observations import box
from rummy_env.views.features import OUTS, Features, observer
from tests.conftest import few_or_all
from tests.rollout import choices, dealt, fitting, seatings, tables

RULES = [
    fitting(name, num_players=players)
    for name in rummy_env.VARIANTS
    for players in (2, 4)
    if players in seatings(name)
]
"""Each variant for two and, where it can be had, for four."""

OTHERS = [
    fitting("gin", preset="openspiel", knock_card=60),
    fitting("classic", num_players=3, ace="high_or_low", hand_size=4, max_turns=40),
    fitting("rummy_cards", num_players=3, decks=2, three_card_draw=True, four_sevens=True),
    fitting("going_out", sequences_rummy=True, wildcards=4, pile_recall=True),
]
"""Rules that change what is observed, or what can be done."""

FEW = RULES[::2]
"""Each variant."""

over_more_rules = few_or_all("rules", few=[*FEW[::2], *OTHERS], every=[*RULES, *OTHERS])

Vector = npt.NDArray[np.float64]

NETWORK, CRITIC = SuitNet(suit=24, pooled=40, card=12), ValueNet(suit=24, pooled=40)


@cache
def positions(rules: Rules) -> list[Engine]:
    """Games at various times."""
    games, found = dealt(rules, 5, seed=12), []
    for _ in range(5):
        found.append(Engine(rules, 5))
        for row, table in enumerate(tables(games)):
            found[-1].restore(row, table)
        for _ in range(17):
            games.reset(games.finished.nonzero()[0])
            games.step(choices(games))
    return found


def movers(engine: Engine) -> Features:
    """What the seats to move observe."""
    return observer(engine.rules, OUTS)(engine.look(engine.to_move))


def wires(rules: Rules) -> Wiring:
    """What a network reads and names under these rules."""
    return wiring(observation_layout(rules, OUTS), action_layout(rules))


def random_arrays(shapes: Shapes, seed: int = 3) -> dict[str, Float32s]:
    """Random arrays that make logits of every size, biases among them."""
    rng = np.random.default_rng(seed)
    return {
        name: rng.normal(0, shape[0] ** -0.5 if len(shape) > 1 else 0.3, shape).astype(np.float32)
        for name, shape in shapes.items()
    }


@cache
def policy_of(rules: Rules) -> SuitPolicy:
    """An actor and a critic with random weights."""
    spaces = box(observer(rules, OUTS)), Discrete(len(action_space(rules)))
    policy = SuitPolicy(*spaces, lambda _: 1e-3, rules=rules, actor=NETWORK, critic=CRITIC)
    with torch.no_grad():
        for seed, weights in enumerate((policy.actor.weights, policy.critic.weights)):
            named = dict(weights.named_parameters())
            shapes = {name: tuple(array.shape) for name, array in named.items()}
            for name, array in random_arrays(shapes, seed).items():
                named[name].copy_(torch.as_tensor(array))
    return policy


def everything_legal(rules: Rules, seen: Features) -> Bools:
    """bool[N, A], masks that forbid nothing."""
    return np.ones((len(seen), wires(rules).num_actions), np.bool_)
