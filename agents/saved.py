"""Writes a `SuitPolicy` as a model that is pure data, for `rummy_env.baselines`, and reads one."""

from dataclasses import replace
from pathlib import Path

import numpy as np

import rummy_env
from agents.network import Actor, Critic, SuitPolicy
from rummy_env.baselines.layout import observation_layout
from rummy_env.baselines.model_card import CRITIC, ModelCard
from rummy_env.baselines.model_file import write_model
from rummy_env.baselines.networks import Arrays, SuitNet, wiring
from rummy_env.baselines.saved import SavedPolicy
from rummy_env.core.arrays import Float32s
from rummy_env.core.rules import Rules
from rummy_env.parts.rewards import counted


def suit_net(model: SavedPolicy) -> SuitNet:
    """Return the network of a model to start from; a ValueError if it is of another kind."""
    network = model.card.network
    if not isinstance(network, SuitNet):
        raise ValueError(
            f"--start {model.path}: its network is of the kind {network.kind!r}; give a model of "
            f"training.fit, of the kind {SuitNet.kind!r}"
        )
    return network


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
