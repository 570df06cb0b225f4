"""PPO with RLlib in self-play: one network plays all seats, by the multi-agent API."""

import argparse
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from against_random import against_random
from gymnasium.spaces import Box, Dict
from ray.rllib.algorithms.ppo import PPO, PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.multi_agent_env import MultiAgentEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule

import rummy_env

GAME, OPTIONS = "rummy_env:rummy_env/Basic-v0", {"reward": "win"}
NETWORK = "everybody"
BATCH, EPOCHS, MINIBATCH = 4096, 6, 512


class Table(MultiAgentEnv):  # type: ignore[misc]
    """A game whose seats are RLlib's agents; it raises if an action is not legal."""

    def __init__(self, config: Any = None) -> None:
        super().__init__()
        self.game = rummy_env.raw_env("basic", **OPTIONS)
        self.agents = self.possible_agents = list(self.game.possible_agents)
        seen: Any = self.game.observation_space(self.agents[0])
        observed, mask = seen["observation"], seen["action_mask"]
        space = Dict(  # under the names that the module looks for
            observations=Box(0, observed.high.max(), observed.shape),
            action_mask=Box(0, 1, mask.shape),
        )
        self.observation_spaces = dict.fromkeys(self.agents, space)
        self.action_spaces = {name: self.game.action_space(name) for name in self.agents}

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, Any]:
        """Deal; the seat to act observes, and nobody else."""
        self.game.reset(seed=seed)
        return self._seen([self.game.agent_selection]), {}

    def step(self, action_dict: dict[str, Any]) -> tuple[Any, Any, Any, Any, Any]:
        """Play the action of the seat to act; what it pays goes to all seats at once."""
        game = self.game
        game.step(int(action_dict[game.agent_selection]))
        ended = {"__all__": all(game.terminations.values())}
        cut_off = {"__all__": not ended["__all__"] and any(game.truncations.values())}
        over = ended["__all__"] or cut_off["__all__"]
        seen = self._seen(self.possible_agents if over else [game.agent_selection])
        return seen, dict(game.rewards), ended, cut_off, {}

    def _seen(self, agents: list[str]) -> dict[str, dict[str, npt.NDArray[np.float32]]]:
        told = {agent: self.game.observe(agent) for agent in agents}
        return {
            agent: {
                "observations": seen["observation"].astype(np.float32),
                "action_mask": seen["action_mask"].astype(np.float32),
            }
            for agent, seen in told.items()
        }


def algorithm(seed: int, runners: int) -> PPO:
    """PPO with one network for all seats; so many processes play, or this one, with none."""
    network = {"head_fcnet_hiddens": [128, 128], "head_fcnet_activation": "relu"}
    module = RLModuleSpec(module_class=ActionMaskingTorchRLModule, model_config=network)
    return (
        PPOConfig()
        .environment(Table, disable_env_checking=True)  # the check plays illegal actions
        .env_runners(num_env_runners=runners)
        .multi_agent(policies={NETWORK}, policy_mapping_fn=lambda seat, *rest, **more: NETWORK)
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={NETWORK: module}))
        .training(
            train_batch_size_per_learner=BATCH,
            num_epochs=EPOCHS,
            minibatch_size=MINIBATCH,
            lr=3e-3,
            gamma=0.99,
            lambda_=0.95,
            entropy_coeff=0.02,
        )
        .debugging(seed=seed, log_level="ERROR")
        .build_algo()
    )


def main(steps: int, seed: int, runners: int) -> None:
    """Train, and print how the network does against random play before and after."""
    torch.set_num_threads(1)  # enough for so small a network
    ppo = algorithm(seed, runners)

    @torch.no_grad()
    def choose(
        observations: npt.NDArray[np.int8], masks: npt.NDArray[np.bool_]
    ) -> npt.NDArray[np.intp]:
        seen = {"observations": torch.as_tensor(observations).float()}
        seen["action_mask"] = torch.as_tensor(masks).float()
        module = ppo.get_module(NETWORK)
        logits = module.forward_inference({Columns.OBS: seen})[Columns.ACTION_DIST_INPUTS]
        return torch.multinomial(logits.softmax(-1), 1)[:, 0].numpy()

    print("before:", against_random(choose, GAME, **OPTIONS))
    done = 0
    while done < steps:
        done = ppo.train()["num_env_steps_sampled_lifetime"]
    print("after:", against_random(choose, GAME, **OPTIONS))
    ppo.stop()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=80_000, help="moves of all seats")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--runners", type=int, default=0, help="processes that play")
    arguments = parser.parse_args()
    main(arguments.steps, arguments.seed, arguments.runners)
