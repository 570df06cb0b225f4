"""Writes a `SuitPolicy` as a model that is pure data, for `rummy_env.baselines`, and reads one."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

import rummy_env
from agents.network import Actor, Critic, SuitPolicy, inputs
from rummy_env.baselines.layout import observation_layout
from rummy_env.baselines.model_card import CRITIC, ModelCard
from rummy_env.baselines.model_file import write_model
from rummy_env.baselines.networks import Arrays, SuitNet, wiring
from rummy_env.baselines.saved import SavedPolicy
from rummy_env.core.arrays import Bools, Float32s
from rummy_env.core.rules import Rules
from rummy_env.parts.rewards import counted
from rummy_env.views.features import Features


class Pupil:
    """A saved model that learns: its actor in PyTorch.

    Attributes:
        actor: The network, whose parameters are learned.
    """

    def __init__(self, model: SavedPolicy) -> None:
        """Take over the arrays of a model; a ValueError if its network is of another kind."""
        network = model.card.network
        if not isinstance(network, SuitNet):
            raise ValueError(
                f"--start {model.path}: its network is of the kind {network.kind!r}; give a model "
                f"of training.fit, of the kind {SuitNet.kind!r}"
            )
        self._card, self._arrays = model.card, model.arrays
        self._wired = wiring(model.card.observation, model.card.actions)
        self.actor = Actor(network, self._wired)
        self.actor.weights.load_arrays(model.arrays)

    def log_chances(self, seen: Features, masks: Bools) -> Tensor:
        """Log-probabilities of actions, float32[N, A], by what `SavedPolicy.observe` returns."""
        given = inputs(self._wired, torch.as_tensor(seen), torch.float32)
        found: Tensor = self.actor(*given, masks)
        return found

    def save(self, path: Path, actor: Actor | None = None) -> SavedPolicy:
        """Write the model with its actor or another, and read it again."""
        write_model(path, self._card, {**self._arrays, **arrays_of(actor or self.actor)})
        return SavedPolicy(path)


def export(
    policy: SuitPolicy,
    rules: Rules,
    path: Path,
    actor: Actor | None = None,
    *,
    points: float | None = None,
) -> None:
    """Write a policy trained on these rules as a model: the `.npz`, and its card beside it.

    Another `actor` may be written in place of its own. Its critic is included if `points` is given:
    the points, or hands won, by which a seat leads the others at a value of 1.

    Raises:
        ValueError: If its input or output sizes are not those of the rules.
    """
    network, critic = policy.sizes
    arrays: dict[str, Float32s] = arrays_of(actor or policy.actor)
    valued = None
    if points is not None:
        valued = replace(critic, points=points, counts=counted(rules))
        arrays |= {CRITIC + name: array for name, array in arrays_of(policy.critic).items()}
    written = f"written by rummy_env {rummy_env.__version__}"
    write_model(path, ModelCard.of(rules, network, policy.observation, written, valued), arrays)


def arrays_for(model: SavedPolicy, rules: Rules) -> Arrays:
    """Return the arrays of a model's `SuitNet`, with inputs for the full observation of the rules.

    Inputs that the model does not read, the scores of a match, have weights of 0, so it plays as
    before.

    Raises:
        ValueError: If it cannot play the rules.
    """
    card, places = model.card, model.card.places(rules)
    own = wiring(card.observation, card.actions)
    whole = wiring(observation_layout(rules, card.reads), card.actions)
    found = dict(model.arrays)
    for name in ("suit_others", "pooled_others"):
        found[name] = np.zeros((whole.num_others, found[name].shape[1]), np.float32)
        found[name][places[own.others] - whole.others.start] = model.arrays[name]
    return found


def arrays_of(network: Actor | Critic) -> dict[str, Float32s]:
    """Return a network's arrays, by name."""
    named = network.weights.named_parameters()
    return {name: array.detach().cpu().numpy().copy() for name, array in named}
