"""PPO with TorchRL: one network plays both seats of the PettingZoo game against itself."""

import argparse
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from against_random import against_random
from tensordict import TensorDict
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.envs import PettingZooWrapper
from torchrl.envs.utils import MarlGroupMapType
from torchrl.modules import MaskedCategorical, ProbabilisticActor
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import rummy_env

OPTIONS: dict[str, Any] = {"reward": "win"}
BATCH, EPOCHS, MINIBATCH = 2000, 8, 250
SEATS = "agents"  # the wrapper stacks the agents' tensors in a group of that name
KEYS = {
    "value": (SEATS, "state_value"),
    **{key: (SEATS, key) for key in ("reward", "done", "terminated", "advantage", "value_target")},
}


class Network(nn.Module):
    """From observations, int8[..., F], to as many numbers as asked for."""

    def __init__(self, outputs: int) -> None:
        super().__init__()
        hidden = (nn.LazyLinear(128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU())
        self.layers = nn.Sequential(*hidden, nn.Linear(128, outputs))

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Observations are of zeros and ones, so they need no scaling."""
        return self.layers(observations.float())


def main(steps: int, seed: int) -> None:
    """Train, and print how the network does against random play before and after."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)  # enough for so small a network
    game = rummy_env.raw_env("basic", **OPTIONS)  # raises if an action is not legal
    env = PettingZooWrapper(
        game, use_mask=True, group_map=MarlGroupMapType.ALL_IN_ONE_GROUP, seed=seed
    )
    seen = [(SEATS, "observation", "observation")]
    network = Network(game.engine.num_actions)
    actor = ProbabilisticActor(
        TensorDictModule(network, seen, [(SEATS, "logits")]),
        in_keys={"logits": (SEATS, "logits"), "mask": (SEATS, "action_mask")},
        out_keys=[(SEATS, "action")],
        distribution_class=MaskedCategorical,
        return_log_prob=True,
        log_prob_key=(SEATS, "log_prob"),
    )
    critic = TensorDictModule(Network(1), seen, [KEYS["value"]])
    critic(actor(env.reset()))  # tells the lazy layers their size
    advantages = GAE(gamma=0.995, lmbda=0.95, value_network=critic)
    advantages.set_keys(**KEYS)
    loss = ClipPPOLoss(actor, critic, entropy_coeff=0.01, normalize_advantage=True)
    loss.set_keys(action=(SEATS, "action"), sample_log_prob=(SEATS, "log_prob"), **KEYS)
    optimizer = torch.optim.Adam(loss.parameters(), lr=2e-3)

    @torch.no_grad()
    def choose(
        observations: npt.NDArray[np.int8], masks: npt.NDArray[np.bool_]
    ) -> npt.NDArray[np.intp]:
        logits = network(torch.as_tensor(observations))
        return MaskedCategorical(logits=logits, mask=torch.as_tensor(masks)).sample().numpy()

    print("before:", against_random(choose, "rummy_env/Basic-v0", **OPTIONS))
    batches = Collector(
        env,
        actor,
        frames_per_batch=min(BATCH, steps),
        total_frames=steps,
        auto_register_policy_transforms=False,
    )
    for played in batches:
        with torch.no_grad():
            advantages(played)
        # One seat moves in a step; what the other one "did" meanwhile teaches nothing.
        moves = played[SEATS][played[SEATS, "mask"]]
        for _ in range(EPOCHS):
            for part in moves[torch.randperm(len(moves))].split(MINIBATCH):
                terms = loss(TensorDict({SEATS: part}, part.batch_size))
                optimizer.zero_grad()
                sum(terms[f"loss_{name}"] for name in ("objective", "critic", "entropy")).backward()
                optimizer.step()
    print("after:", against_random(choose, "rummy_env/Basic-v0", **OPTIONS))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=16_000, help="moves of both seats together")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    main(arguments.steps, arguments.seed)
