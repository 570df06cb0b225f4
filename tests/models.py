"""Small saved policies that have learned nothing."""

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np

import rummy_env
from rummy_env import Rules
from rummy_env.baselines.model_card import ModelCard
from rummy_env.baselines.model_file import write_model
from rummy_env.baselines.networks import Mlp, Network, SuitNet
from rummy_env.baselines.saved import SavedPolicy
from rummy_env.core.arrays import Rows
from rummy_env.views.features import HINTS, OUTS
from tests.policies import decisions
from tests.rollout import dealt

SMALL_RULES = rummy_env.rules("basic", hand_size=3, max_turns=40)
MLP, SUITS = Mlp((16,), "relu"), SuitNet(6, 8, 4)
KINDS: dict[str, tuple[Network, str]] = {"mlp": (MLP, HINTS), "suits": (SUITS, OUTS)}
"""A network of every kind, with what it reads."""


def untrained(
    rules: Rules,
    path: Path,
    seed: int = 1,
    *,
    network: Network = MLP,
    reads: str = HINTS,
    **changes: Any,
) -> Path:
    """A model that has learned nothing, with changes to its card."""
    card = dataclasses.replace(ModelCard.of(rules, network, reads), **changes)
    rng = np.random.default_rng(seed)
    arrays = {name: rng.normal(0, 0.3, shape) for name, shape in card.shapes.items()}
    write_model(path, card, {name: some.astype(np.float32) for name, some in arrays.items()})
    return path


def asked(agent: SavedPolicy, rules: Rules) -> Rows:
    """What a saved policy does at the beginning of a game."""
    return decisions(agent, dealt(rules, 3), np.arange(3))
