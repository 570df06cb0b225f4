"""The neural network that training fits: one trunk for the policy and the value."""

from itertools import pairwise
from typing import Any

import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import Tensor, nn

NEVER = -1e8
"""The logit of an action that is not legal."""


class Trunk(BaseFeaturesExtractor):
    """Fully connected layers with ReLU between observation and heads."""

    def __init__(self, observation_space: spaces.Box, hidden: tuple[int, ...]) -> None:
        """Makes a layer for each number of hidden units; observations are int8[F]."""
        super().__init__(observation_space, features_dim=hidden[-1])
        sizes = [observation_space.shape[0], *hidden]
        layers: list[nn.Module] = []
        for inputs, outputs in pairwise(sizes):
            layers += [nn.Linear(inputs, outputs), nn.ReLU()]
        self.layers = nn.Sequential(*layers)

    def forward(self, observations: Tensor) -> Tensor:
        """float32[N, F] to float32[N, last of hidden]."""
        return self.layers(observations)


class TrunkPolicy(MaskableActorCriticPolicy):
    """MaskablePPO's policy with a shared trunk, and with one softmax a pass.

    The library's own masked distribution normalises several times, which costs time on a processor.
    The results are the same.
    """

    bf16 = False
    """True for matrix products in bfloat16, while playing as while learning: PPO compares both."""

    def __init__(self, *args: Any, hidden: tuple[int, ...] = (256, 256), **kwargs: Any) -> None:
        """Makes the network; all arguments but `hidden` are `MaskableActorCriticPolicy`'s."""
        kwargs |= {"net_arch": [], "features_extractor_class": Trunk}
        kwargs["features_extractor_kwargs"] = {"hidden": tuple(hidden)}
        super().__init__(*args, **kwargs)
        self.hidden = tuple(hidden)

    def _get_constructor_parameters(self) -> dict[str, Any]:
        return {**super()._get_constructor_parameters(), "hidden": self.hidden}

    def evaluate_all(self, obs: Tensor, action_masks: object) -> tuple[Tensor, Tensor]:
        """Log-probabilities of the actions, float32[N, A], and values, float32[N, 1]."""
        with torch.autocast("cpu", torch.bfloat16, enabled=self.bf16):
            features = self.extract_features(obs)
            logits, values = self.action_net(features).float(), self.value_net(features).float()
        if action_masks is not None:
            legal = torch.as_tensor(action_masks, device=logits.device).bool()
            logits = logits.masked_fill(~legal.reshape(logits.shape), NEVER)
        return torch.log_softmax(logits, dim=1), values

    def forward(
        self, obs: Tensor, deterministic: bool = False, action_masks: object = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Actions int64[N], values float32[N, 1], log-probabilities float32[N]."""
        chances, values = self.evaluate_all(obs, action_masks)
        if deterministic:
            actions = chances.argmax(dim=1)
        else:
            actions = torch.multinomial(chances.exp(), 1).squeeze(1)
        return actions, values, chances.gather(1, actions[:, None]).squeeze(1)

    def evaluate_actions(
        self, obs: Tensor, actions: Tensor, action_masks: object = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Values float32[N, 1], log-probabilities and entropies float32[N]."""
        chances, values = self.evaluate_all(obs, action_masks)
        chosen = chances.gather(1, actions.long()[:, None]).squeeze(1)
        return values, chosen, -(chances.exp() * chances).sum(dim=1)
