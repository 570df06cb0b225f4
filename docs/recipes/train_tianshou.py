"""Double DQN with Tianshou: one network plays both seats of small gin against itself."""

import argparse
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from against_random import against_random
from tianshou.algorithm import DQN, MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Batch, Collector, ReplayBuffer, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

import rummy_env

OPTIONS: dict[str, Any] = {"num_ranks": 7, "num_suits": 3, "hand_size": 6, "reward": "win"}
Indices = npt.NDArray[np.intp]
GAMES, MOVES = 10, 20  # played side by side, and in each of them between two updates


class SelfPlayDQN(DQN):  # type: ignore[misc]
    """DQN for two seats of a zero-sum game: what is good for the other seat is bad for mine.

    Tianshou's own takes the move after mine for mine, although the other seat may make it.
    """

    def _preprocess_batch(self, batch: Batch, buffer: ReplayBuffer, indices: Indices) -> Batch:
        self._me = batch.obs.agent_id[0]  # a batch has the moves of one seat
        return super()._preprocess_batch(batch, buffer, indices)

    def _target_q(self, buffer: ReplayBuffer, indices: Indices) -> torch.Tensor:
        worth = super()._target_q(buffer, indices)
        mine = buffer[indices].obs_next.agent_id == self._me
        return torch.where(torch.as_tensor(mine), worth, -worth)


def table() -> PettingZooEnv:
    """Return a game as Tianshou sees it; it raises if an action is not legal."""
    return PettingZooEnv(rummy_env.raw_env("gin", **OPTIONS))


def main(steps: int, seed: int) -> None:
    """Train, and print how the network does against random play before and after."""
    np.random.seed(seed)  # noqa: NPY002 - Tianshou explores by NumPy's global numbers
    torch.manual_seed(seed)
    torch.set_num_threads(1)  # enough for so small a network
    env = table()
    seen, actions = env.observation_space, env.action_space
    network = Net(
        state_shape=seen["observation"].shape, action_shape=actions.n, hidden_sizes=(128, 128)
    )
    policy = DiscreteQLearningPolicy(model=network, action_space=actions, eps_training=0.2)
    learner = SelfPlayDQN(
        policy=policy,
        optim=AdamOptimizerFactory(lr=1e-3),
        gamma=0.99,
        n_step_return_horizon=4,
        target_update_freq=20,
    )
    both = MultiAgentOffPolicyAlgorithm(algorithms=[learner, learner], env=env)

    @torch.no_grad()
    def choose(
        observations: npt.NDArray[np.int8], masks: npt.NDArray[np.bool_]
    ) -> npt.NDArray[np.intp]:
        return policy(Batch(obs=Batch(obs=observations, mask=masks), info=Batch())).act

    print("before:", against_random(choose, "rummy_env/Gin-v0", **OPTIONS))
    games = DummyVectorEnv([table] * GAMES)
    games.seed(seed)
    collector = Collector(both, games, VectorReplayBuffer(20_000, GAMES), exploration_noise=True)
    collector.reset()
    both.run_training(
        OffPolicyTrainerParams(
            training_collector=collector,
            max_epochs=1,
            epoch_num_steps=steps,
            collection_step_num_env_steps=GAMES * MOVES,
            update_step_num_gradient_steps_per_sample=0.08,
            batch_size=256,
            multi_agent_return_reduction=lambda returns: returns.mean(-1),
        )
    )
    print("after:", against_random(choose, "rummy_env/Gin-v0", **OPTIONS))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=15_000, help="moves of both seats together")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    main(arguments.steps, arguments.seed)
