"""PPO with RLlib on the Gymnasium batch, against random play, masks in the observation."""

import argparse

import numpy as np
import numpy.typing as npt
import torch
from against_random import against_random
from ray.rllib.algorithms.ppo import PPO, PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule

GAME, OPTIONS = "rummy_env:rummy_env/Basic-v0", {"reward": "win"}
GAMES, BATCH, EPOCHS, MINIBATCH = 64, 4096, 6, 512
ENVIRONMENT = OPTIONS | {
    "opponents": "random",
    "illegal_action": "raise",
    "observation_keys": ("observations", "action_mask"),  # the names that the module looks for
    "observation_dtype": "float32",
}


def algorithm(seed: int, runners: int) -> PPO:
    """PPO whose module takes the mask out of the observation and bars illegal actions by it.

    The games are divided over so many processes; with none, this one plays them all.
    """
    network = {"head_fcnet_hiddens": [128, 128], "head_fcnet_activation": "relu"}
    module = RLModuleSpec(module_class=ActionMaskingTorchRLModule, model_config=network)
    return (
        PPOConfig()
        .environment(GAME, env_config=ENVIRONMENT)
        .env_runners(
            num_env_runners=runners,
            num_envs_per_env_runner=GAMES // max(runners, 1),
            gym_env_vectorize_mode="vector_entry_point",
        )
        .rl_module(rl_module_spec=module)
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
        logits = ppo.get_module().forward_inference({Columns.OBS: seen})[Columns.ACTION_DIST_INPUTS]
        return torch.multinomial(logits.softmax(-1), 1)[:, 0].numpy()

    print("before:", against_random(choose, GAME, **OPTIONS))
    done = 0
    while done < steps:
        done = ppo.train()["num_env_steps_sampled_lifetime"]
    print("after:", against_random(choose, GAME, **OPTIONS))
    ppo.stop()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=80_000, help="moves of the learner")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--runners", type=int, default=0, help="processes that play")
    arguments = parser.parse_args()
    main(arguments.steps, arguments.seed, arguments.runners)
