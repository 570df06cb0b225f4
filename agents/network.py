"""The networks that training fits: `SuitNet` in PyTorch, and a value network."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import torch
from sb3_contrib.common.maskable.distributions import MaskableDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch import Tensor, nn

from agents.privileged import Hidden
from rummy_env.baselines.layout import action_layout, observation_layout
from rummy_env.baselines.networks import Arrays, Shapes, SuitNet, Wiring, wiring
from rummy_env.baselines.value_net import ValueNet
from rummy_env.core.rules import Rules
from rummy_env.views.features import OUTS

NEVER = -1e8
"""The logit of an action that is not legal."""
_LAST = ("ranks", "cards", "others", "others_bias", "trust", "trust_bias")
"""The arrays of an actor's last layer: its logits are linear in them."""
_FAINT = ("ranks", "cards", "others", "trust", "value")
"""The arrays whose initial values are a hundredth of the usual, so that nothing is preferred."""


Inputs = tuple[Tensor, Tensor, Tensor]
"""Cards by suit, other entries, advice; see `Wiring.inputs`."""


def inputs(wired: Wiring, observations: Tensor, dtype: torch.dtype) -> Inputs:
    """[4 * N, 13 * P], [N, S] and [N, A or 0] of this type, from int8[N, F + A or F]."""
    return wired.inputs(observations, partial(observations.new_empty, dtype=dtype))


class Weights(nn.Module):
    """The arrays of a network, by name; matrices [inputs, outputs]. Constants are not learned."""

    def __init__(self, shapes: Shapes, constants: Arrays) -> None:
        """Draw them at random, as `nn.Linear` does; biases are 0."""
        super().__init__()
        for name, shape in shapes.items():
            array = torch.zeros(shape)
            if len(shape) > 1:
                bound = (0.01 if name in _FAINT else 1.0) * shape[0] ** -0.5
                nn.init.uniform_(array, -bound, bound)
            self.register_parameter(name, nn.Parameter(array))
        for name, constant in constants.items():
            self.register_buffer(name, torch.as_tensor(constant), persistent=False)

    def load_arrays(self, arrays: Arrays) -> None:
        """Copy the numbers of arrays with these names and shapes."""
        with torch.no_grad():
            for name, array in self.named_parameters():
                array.copy_(torch.as_tensor(arrays[name]))

    def as_type(self, dtype: torch.dtype) -> dict[str, Tensor]:
        """Return the arrays in another precision."""
        named = (*self.named_parameters(), *self.named_buffers())
        return {name: array.to(dtype) for name, array in named}


class Actor(nn.Module):
    """A `SuitNet`."""

    def __init__(self, network: SuitNet, wired: Wiring) -> None:
        super().__init__()
        self.network = network
        self.weights = Weights(network.shapes(wired), wired.constants)
        self.register_buffer("names", torch.as_tensor(wired.names), persistent=False)

    def approach(self, other: "Actor", kept: float) -> None:
        """Move the weights towards another actor's, keeping a share of their own, 0 to 1."""
        with torch.no_grad():
            for own, theirs in zip(self.parameters(), other.parameters(), strict=True):
                own.lerp_(theirs, 1 - kept)

    def trust(self, logit: float) -> None:
        """Add this much to the logit of the adviser's action in all positions."""
        with torch.no_grad():
            self.weights.get_parameter("trust_bias").add_(logit)

    def soften(self, temperature: float) -> None:
        """Divide all logits by a temperature; above 1, it evens out the probabilities."""
        with torch.no_grad():
            for name, array in self.weights.named_parameters():
                if name in _LAST:
                    array.div_(temperature)

    def forward(self, cards: Tensor, others: Tensor, advice: Tensor, masks: Any) -> Tensor:
        """Log-probabilities of the actions, float32[N, A]; masks are bool[N, A], True = legal."""
        legal = torch.as_tensor(masks, device=cards.device).bool()
        arrays = self.weights.as_type(cards.dtype)
        names = self.get_buffer("names").to(cards.dtype)
        named = (legal.to(cards.dtype) @ names).view(-1).nonzero()[:, 0]
        given = cards, others, advice, named
        logits: Tensor = self.network.forward(arrays, *given, relu=torch.relu_)
        return torch.log_softmax(logits.float().masked_fill(~legal, NEVER), dim=1)


class Critic(nn.Module):
    """A `ValueNet`."""

    def __init__(self, network: ValueNet, wired: Wiring, hidden: Hidden | None) -> None:
        """Make it; `hidden` are the entries that it reads besides the actor's."""
        super().__init__()
        self.network = network
        shapes, scale = network.shapes(wired), wired.scale
        if hidden is not None:
            shapes, scale = hidden.widened(shapes), np.concatenate([scale, hidden.scale])
        self.weights = Weights(shapes, {"scale": scale})

    def forward(self, cards: Tensor, others: Tensor) -> Tensor:
        """float32[N, 1]."""
        arrays = self.weights.as_type(cards.dtype)
        found: Tensor = self.network.forward(arrays, cards, others, relu=torch.relu_)
        return found.float()


def _draw(chances: Tensor) -> Tensor:
    """Return int64[N], an action drawn from log-probabilities, [N, A].

    Compares one random number per row with the running sum of a softmax. This is many times as fast
    as `multinomial` over `exp`, which is slow where it underflows. An impossible action adds
    nothing to the sum.
    """
    sums = chances.softmax(dim=1).cumsum(dim=1, dtype=torch.float64)
    # By the generator of the processor, whatever the device: a checkpoint keeps that one.
    drawn = torch.rand(len(sums), 1, dtype=torch.float64).to(sums.device) * sums[:, -1:]
    return torch.searchsorted(sums, drawn, right=True)[:, 0]


class SuitPolicy(MaskableActorCriticPolicy):
    """A policy for MaskablePPO with two networks that share nothing: an actor and a critic."""

    def __init__(
        self,
        *args: Any,
        rules: Rules,
        observation: str = OUTS,
        actor: SuitNet | None = None,
        critic: ValueNet | None = None,
        value_rate: float = 1.0,
        privileged: bool = False,
        bf16: bool = False,
        **kwargs: Any,
    ) -> None:
        """Make the networks.

        Args:
            *args: As `MaskableActorCriticPolicy` takes them.
            rules: The rules of the games.
            observation: The name of the observation.
            actor: The sizes of the actor; by default, the usual ones.
            critic: The sizes of the critic.
            value_rate: The critic's learning rate, as a multiple of the actor's.
            privileged: Whether the critic sees what is hidden from the actor.
            bf16: Whether matrix products are in bfloat16, in play and in learning alike: PPO
                compares both.
            **kwargs: As `MaskableActorCriticPolicy` takes them.
        """
        self.rules, self.observation = rules, observation
        self.sizes = actor or SuitNet(), critic or ValueNet()
        self.value_rate, self.privileged, self.bf16 = value_rate, privileged, bf16
        super().__init__(*args, **kwargs)

    def _get_constructor_parameters(self) -> dict[str, Any]:
        actor, critic = self.sizes
        names = ("rules", "observation", "value_rate", "privileged", "bf16")
        own = {name: getattr(self, name) for name in names}
        return {**super()._get_constructor_parameters(), **own, "actor": actor, "critic": critic}

    def _build(self, lr_schedule: Callable[[float], float]) -> None:
        layouts = observation_layout(self.rules, self.observation), action_layout(self.rules)
        wired = wiring(*layouts)
        self.num_actions = wired.num_actions
        actor, critic = self.sizes
        self._wired = wired
        self._hidden = Hidden(wired, self.rules.num_players) if self.privileged else None
        self.actor, self.critic = Actor(actor, wired), Critic(critic, wired, self._hidden)
        self._advised = wired.size + wired.num_actions * bool(actor.adviser)
        rate = lr_schedule(1)
        groups = [
            {"params": [*self.actor.parameters()], "lr": rate, "factor": 1.0},
            {"params": [*self.critic.parameters()], "lr": rate, "factor": self.value_rate},
        ]
        self.optimizer = self.optimizer_class(groups, **self.optimizer_kwargs)

    def given(self, obs: Tensor) -> Inputs:
        """Return the inputs of the actor, from observations.

        Observations are int8[N, F], or int8[N, F + A] with the adviser's actions, one-hot; what is
        hidden from the actor may follow.
        """
        seen = obs[:, : self._advised]
        return inputs(self._wired, seen, torch.bfloat16 if self.bf16 else torch.float32)

    def _values(self, given: Inputs, obs: Tensor) -> Tensor:
        """float32[N, 1], from the actor's inputs and what is hidden from it in the observations."""
        cards, others, _ = given
        if self._hidden is not None:
            more = self._hidden.inputs(obs[:, self._advised :], cards.new_empty)
            cards, others = torch.cat([cards, more[0]], dim=1), torch.cat([others, more[1]], dim=1)
        return self.critic(cards, others)

    def log_chances(self, given: Inputs, action_masks: Any) -> Tensor:
        """Log-probabilities of the actions, float32[N, A]."""
        if action_masks is None:
            action_masks = torch.ones(len(given[1]), self.num_actions, dtype=torch.bool)
        return self.actor(*given, action_masks)

    def choose(
        self, obs: Tensor, action_masks: Any, deterministic: bool = False
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Actions int64[N]; their log-probabilities, and those of the likeliest, float32[N]."""
        chances = self.log_chances(self.given(obs), action_masks)
        actions = chances.argmax(dim=1) if deterministic else _draw(chances)
        return actions, chances.gather(1, actions[:, None]).squeeze(1), chances.amax(dim=1)

    def forward(
        self, obs: Tensor, deterministic: bool = False, action_masks: Any = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Actions int64[N], values float32[N, 1], log-probabilities float32[N]."""
        actions, chosen, _ = self.choose(obs, action_masks, deterministic)
        return actions, self.predict_values(obs), chosen

    def evaluate_actions(
        self, obs: Tensor, actions: Tensor, action_masks: Any = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Values float32[N, 1], log-probabilities and entropies float32[N]."""
        given = self.given(obs)
        chances = self.log_chances(given, action_masks)
        chosen = chances.gather(1, actions.long()[:, None]).squeeze(1)
        return self._values(given, obs), chosen, -(chances.softmax(dim=1) * chances).sum(dim=1)

    def predict_values(self, obs: Any) -> Tensor:
        """float32[N, 1]."""
        return self._values(self.given(obs), obs)

    def get_distribution(self, obs: Any, action_masks: Any = None) -> MaskableDistribution:
        """Return the distribution of the actions."""
        return self.action_dist.proba_distribution(self.log_chances(self.given(obs), action_masks))
