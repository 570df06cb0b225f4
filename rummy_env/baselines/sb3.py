"""Models of Stable-Baselines3 as models that are pure data, which play without PyTorch."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces

from rummy_env.baselines.layout import observation_layout
from rummy_env.baselines.model_card import ModelCard
from rummy_env.baselines.model_file import write_model
from rummy_env.baselines.networks import Arrays, Mlp
from rummy_env.core.rules import Rules, check_rules
from rummy_env.importing import extra
from rummy_env.variants import in_short
from rummy_env.version import __version__
from rummy_env.views.features import HINTS, OBSERVATIONS, observer

with extra("train", "saving a model of Stable-Baselines3"):
    import torch
    from torch import nn

_PARTS = ("pi_features_extractor", "mlp_extractor", "action_net")
_ACTIVATIONS = {nn.ReLU: "relu", nn.Tanh: "tanh"}
_OTHERWISE = (
    "an agent whose method act asks model.predict plays with any network, see "
    "docs/gymnasium.md#a-network-of-your-own-in-stable-baselines3"
)
"""The way on for networks that cannot be saved."""
_TRIED = 16
"""Observations on which the saved network must agree with the original."""


def save_model(
    model: Any, rules: Rules, path: str | os.PathLike[str], *, observation: str = HINTS
) -> None:
    """Write a model that was trained on these rules: the `.npz`, and its card beside it.

    Args:
        model: A model such as MaskablePPO's, or its policy, with fully connected layers and ReLU or
            tanh between them: an `MlpPolicy`.
        rules: The rules.
        path: The `.npz`.
        observation: The name of the observation that it was trained on: "plain", "hints" or "outs".

    Raises:
        ValueError: If the network is of another kind, its input or output sizes are not those of
            the rules and the observation, or the model has learned from other rules, or from
            observations that `VecNormalize` or another wrapper scaled.
        TypeError: If it is no actor and critic of Stable-Baselines3, or the rules are none.
    """
    check_rules(rules)
    _check_trained_so(model, rules)
    network, arrays = _layers(_policy_of(model))
    reading, asked = len(arrays["weight_0"]), observation_layout(rules, observation).size
    if reading != asked:
        raise ValueError(_of_another_size(reading, rules))
    _check_unscaled(_policy_of(model).observation_space, rules, observation)
    written = f"written by rummy_env {__version__}"
    write_model(Path(path), ModelCard.of(rules, network, observation, written), arrays)


def _of_another_size(reading: int, rules: Rules) -> str:
    """Return what is wrong with a network that reads so many numbers, and the remedy."""
    sizes = {name: observation_layout(rules, name).size for name in OBSERVATIONS}
    offered = ", ".join(f"{name!r} has {size}" for name, size in sizes.items())
    fits = [name for name, size in sizes.items() if size == reading]
    remedy = (
        f"give observation={fits[0]!r}"
        if fits
        else "give the rules and the observation that it was trained on; a network for one of your "
        "own plays as an agent with a method act, see docs/adding_an_agent.md"
    )
    return f"the network reads {reading} numbers; of {in_short(rules)}, {offered}: {remedy}"


def _check_unscaled(learned: spaces.Space[Any], rules: Rules, observation: str) -> None:
    """Refuse models of observations in another range: a wrapper has changed what they saw."""
    if not isinstance(learned, spaces.Box):
        return
    own, low, high = observer(rules, observation), learned.low, learned.high
    if (low != own.low).any() or (high != own.high).any():
        raise ValueError(
            f"the model has learned from numbers from {low.min():g} to {high.max():g}, and an "
            f"agent sees {observation!r}, from {own.low} to {own.high}: train it without the "
            f"wrapper that changes them"
        )


def _check_trained_so(model: Any, rules: Rules) -> None:
    """Refuse models that saw something else than they will as an agent, as far as can be told."""
    games = model.get_env() if hasattr(model, "get_env") else None
    if games is None:
        return
    scaling = model.get_vec_normalize_env()
    if scaling is not None and scaling.norm_obs:
        raise ValueError(
            "the model has learned from observations that VecNormalize scaled, and an agent sees "
            "them as they are: train with norm_obs=False"
        )
    with suppress(AttributeError):  # of an environment that is not one of ours
        if (own := games.get_attr("rules", 0)[0]) != rules:
            raise ValueError(
                f"the model was trained on {in_short(own)}: give these rules, not {in_short(rules)}"
            )


def _policy_of(model: Any) -> Any:
    """Return the policy of a model, if it can be saved."""
    policy = getattr(model, "policy", model)
    if not all(hasattr(policy, part) for part in _PARTS):
        raise TypeError(
            f"{type(model).__name__} is no actor and critic of Stable-Baselines3: give a model "
            f"such as MaskablePPO's, or its policy"
        )
    if hasattr(policy, "lstm_actor"):
        raise ValueError(
            f"{type(policy).__name__} remembers what it has seen, and a model does not: train an "
            f"MlpPolicy"
        )
    if isinstance(policy.observation_space, spaces.Dict):
        raise ValueError(
            f"{type(policy).__name__} reads several arrays, and a model reads one: train an "
            f"MlpPolicy, without observation_keys; the mask reaches MaskablePPO all the same"
        )
    return policy


def _layers(policy: Any) -> tuple[Mlp, Arrays]:
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
            f"{', '.join(type(layer).__name__ for layer in layers)}: {_OTHERWISE}"
        )
    network = Mlp(tuple(layer.out_features for layer in linear[:-1]), activations.pop())
    arrays: dict[str, Any] = {}
    for i, layer in enumerate(linear):
        arrays[f"weight_{i}"] = np.ascontiguousarray(layer.weight.detach().cpu().numpy().T)
        arrays[f"bias_{i}"] = layer.bias.detach().cpu().numpy().copy()
    _check_same(policy, network, arrays)
    return network, arrays


def _check_same(policy: Any, network: Mlp, arrays: Arrays) -> None:
    """Refuse policies that do more than their layers, such as adding a layer's input to it."""
    seen = np.random.default_rng(0).integers(0, 2, (_TRIED, len(arrays["weight_0"])), np.int8)
    with torch.no_grad():
        logits = policy.get_distribution(policy.obs_to_tensor(seen)[0]).distribution.logits
    mine = torch.as_tensor(network.forward(arrays, seen))
    if not torch.allclose(mine.log_softmax(dim=1), logits.cpu(), rtol=1e-3, atol=1e-3):
        raise ValueError(
            f"{type(policy).__name__} does more than its layers say, so it cannot be saved: "
            f"{_OTHERWISE}"
        )
