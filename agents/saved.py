"""Writes a `SuitPolicy` as a model that is pure data, for `rummy_env.baselines`, and reads one."""

from dataclasses import replace
from pathlib import Path

import numpy as np

import rummy_env
from agents.network import Actor, Critic, SuitPolicy
from rummy_env.baselines.layout import action_layout, observation_layout
from rummy_env.baselines.model_card import CRITIC, ModelCard
from rummy_env.baselines.model_file import write_model
from rummy_env.baselines.networks import Arrays, Entry, SuitNet, read_by
from rummy_env.baselines.saved import SavedPolicy
from rummy_env.core.arrays import Float32s
from rummy_env.core.rules import Rules
from rummy_env.parts.rewards import counted
from rummy_env.variants import in_short


def suit_net(model: SavedPolicy) -> SuitNet:
    """Return the network of a model to go on from; a ValueError if it is of another kind."""
    network = model.card.network
    if not isinstance(network, SuitNet):
        raise ValueError(
            f"{model.path}: its network is of the kind {network.kind!r}; give a model of "
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
    """Return the arrays of a model's `SuitNet`, as a network for these rules begins with them.

    What the model does not read, such as the scores of a match or what further players do, has
    weights of 0: matches are played as single hands, and at a larger table the next player is the
    only other one. A part with more or fewer entries than in the model begins with the same ones.

    Raises:
        ValueError: If the rules have other actions, or lack a part that the model reads.
    """
    card, whole = model.card, observation_layout(rules, model.card.reads)
    try:
        card.actions.check_same(action_layout(rules))
        whole.check_has_parts(card.observation)
    except ValueError as error:
        refused = f"{model.path} cannot go on to {in_short(rules)}: {card.otherwise(rules)}{error}"
        raise ValueError(refused) from None
    had, has = read_by(card.observation), read_by(whole)
    own = {name: model.arrays[name] for name in model.arrays if not name.startswith(CRITIC)}
    return own | {name: _moved(own[name], had[name], has[name]) for name in had}


def _moved(array: Float32s, had: list[Entry], has: list[Entry]) -> Float32s:
    """Return the rows of an array in another order, and 0 where there was none."""
    found = np.zeros((len(has), array.shape[1]), np.float32)
    places = {entry: row for row, entry in enumerate(had)}
    for row, entry in enumerate(has):
        if entry in places:
            found[row] = array[places[entry]]
    return found


def arrays_of(network: Actor | Critic) -> dict[str, Float32s]:
    """Return a network's arrays, by name."""
    named = network.weights.named_parameters()
    return {name: array.detach().cpu().numpy().copy() for name, array in named}
