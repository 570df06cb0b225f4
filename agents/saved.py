"""Writes PyTorch networks as models that are pure data, for `rummy_env.baselines`; reads them."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

import rummy_env
from agents.network import Actor, Critic, SuitPolicy
from rummy_env.baselines.layout import observation_layout
from rummy_env.baselines.model_card import CRITIC, ModelCard
from rummy_env.baselines.model_file import write_model
from rummy_env.baselines.networks import Arrays, Mlp, Network, wiring
from rummy_env.baselines.saved import SavedPolicy
from rummy_env.core.arrays import Float32s
from rummy_env.core.rules import Rules
from rummy_env.parts.rewards import counted
from rummy_env.views.features import HINTS

_ACTIVATIONS = {nn.ReLU: "relu", nn.Tanh: "tanh"}
_TRIED = 16
"""Observations on which the exported network must agree with the original."""


def export(
    policy: Any,
    rules: Rules,
    path: Path,
    actor: Actor | None = None,
    *,
    points: float | None = None,
) -> None:
    """Write a policy trained on these rules as a model: the `.npz`, and its card beside it.

    The policy is a `SuitPolicy`, or another MaskablePPO policy with fully connected layers, which
    reads the observation "hints". For a `SuitPolicy`, another `actor` may be written in place of
    its own, and its critic is included if `points` is given: the points, or hands won, by which a
    seat leads the others at a value of 1.

    Raises:
        ValueError: If the network is of another kind, or its input or output sizes are not those of
            the rules.
    """
    network: Network
    reads, critic = HINTS, None
    if isinstance(policy, SuitPolicy):
        network, reads, arrays = (
            policy.sizes[0],
            policy.observation,
            arrays_of(actor or policy.actor),
        )
        if points is not None:
            critic = replace(policy.sizes[1], points=points, counts=counted(rules))
            arrays |= {CRITIC + name: array for name, array in arrays_of(policy.critic).items()}
    else:
        network, arrays = network_of(policy)
        reading, asked = len(arrays["weight_0"]), observation_layout(rules, HINTS).size
        if reading != asked:
            raise ValueError(
                f"the network reads {reading} numbers, and {HINTS!r} of {rules!r} has {asked}: a "
                f"model reads {HINTS!r}; a network for an observation of your own plays as an "
                f"agent with a method act, see docs/adding_an_agent.md"
            )
    written = f"written by rummy_env {rummy_env.__version__}"
    write_model(path, ModelCard.of(rules, network, reads, written, critic), arrays)


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


def network_of(policy: Any) -> tuple[Mlp, dict[str, Float32s]]:
    """Return the layers between observation and logits, as NumPy computes them; or a ValueError."""
    parts = (policy.pi_features_extractor, policy.mlp_extractor.policy_net, policy.action_net)
    leaves = [leaf for part in parts for leaf in part.modules() if not [*leaf.children()]]
    layers = [leaf for leaf in leaves if not isinstance(leaf, nn.Flatten | nn.Sequential)]
    linear, between = layers[::2], layers[1::2]
    activations = {_ACTIVATIONS.get(type(layer), "") for layer in between} or {"relu"}
    fits = all(isinstance(layer, nn.Linear) and layer.bias is not None for layer in linear)
    if not fits or len(linear) != len(between) + 1 or len(activations) > 1 or "" in activations:
        raise ValueError(
            f"only fully connected layers with ReLU or tanh between them can be saved, not "
            f"{', '.join(type(layer).__name__ for layer in layers)}"
        )
    network = Mlp(tuple(layer.out_features for layer in linear[:-1]), activations.pop())
    arrays: dict[str, Float32s] = {}
    for i, layer in enumerate(linear):
        arrays[f"weight_{i}"] = np.ascontiguousarray(layer.weight.detach().numpy().T)
        arrays[f"bias_{i}"] = layer.bias.detach().numpy().copy()
    _check_same(policy, network, arrays)
    return network, arrays


def _check_same(policy: Any, network: Mlp, arrays: dict[str, Float32s]) -> None:
    """Refuse policies that do more than their layers, such as adding a layer's input to it."""
    seen = np.random.default_rng(0).integers(0, 2, (_TRIED, len(arrays["weight_0"])), np.int8)
    with torch.no_grad():
        theirs = policy.get_distribution(torch.as_tensor(seen)).distribution.logits
    logits = torch.as_tensor(network.forward(arrays, seen))
    if not torch.allclose(logits.log_softmax(dim=1), theirs, rtol=1e-3, atol=1e-3):
        raise ValueError(
            f"{type(policy).__name__} does more than its layers say: it cannot be saved"
        )
