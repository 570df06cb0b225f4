"""Self-play in one file: PPO in which one network plays and learns in every seat."""

import argparse
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from against_random import against_random
from torch import Tensor, nn
from torch.nn.functional import mse_loss

from rummy_env.envs.self_play import SelfPlayEnv


class Agent(nn.Module):
    """An actor and a critic on the observation "outs"."""

    def __init__(self, observations: int, actions: int) -> None:
        super().__init__()
        self.actor, self.critic = layers(observations, actions), layers(observations, 1)

    def log_chances(self, seen: Tensor, masks: Tensor) -> Tensor:
        """Return float32[N, A], log-probabilities of the actions."""
        logits: Tensor = self.actor(seen.float() / 16)
        return torch.log_softmax(logits.masked_fill(~masks, -1e8), dim=1)

    def values(self, seen: Tensor) -> Tensor:
        """Return float32[N]."""
        found: Tensor = self.critic(seen.float() / 16)[:, 0]
        return found


def layers(inputs: int, outputs: int) -> nn.Sequential:
    """Two hidden layers."""
    hidden = [nn.Linear(inputs, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU()]
    return nn.Sequential(*hidden, nn.Linear(128, outputs))


def collect(env: SelfPlayEnv, agent: Agent, steps: int) -> dict[str, Tensor]:
    """Play; the decisions, and what each was worth to its seat (lambda 0.95, no discount)."""
    turn, games = env.turn(), np.arange(env.num_envs)
    told: list[dict[str, Any]] = []
    for _ in range(steps):
        seen, masks = torch.as_tensor(turn.observations), torch.as_tensor(turn.masks)
        with torch.no_grad():
            logs, values = agent.log_chances(seen, masks), agent.values(seen)
        actions = torch.multinomial(logs.exp(), 1)
        old = logs.gather(1, actions)[:, 0]
        step = {"seen": seen, "masks": masks, "actions": actions, "old": old, "values": values}
        seats, learning = turn.seats, turn.learning
        turn, outcome = env.step(actions[:, 0].numpy())
        ended = outcome.terminated | outcome.truncated
        told.append(step | {"paid": outcome.rewards, "ended": ended, "who": (seats, learning)})
    # Back along the decisions of each seat of each game; a hand pays every seat's last one.
    ahead, carried, settled = np.zeros((3, env.num_envs, env.learners.shape[1]), np.float32)
    for step in reversed(told):
        ahead[step["ended"]] = carried[step["ended"]] = 0
        settled[step["ended"]] = 1
        ahead += step["paid"]
        (seats, learning), value = step["who"], step["values"].numpy()
        gain = ahead[games, seats] - value + 0.95 * carried[games, seats]
        known = learning & (settled[games, seats] > 0)
        step |= {"gains": torch.as_tensor(gain), "known": torch.as_tensor(known)}
        rows, seats = games[learning], seats[learning]
        carried[rows, seats] = (gain * known)[rows]
        ahead[rows, seats], settled[rows, seats] = value[rows], 1
    names = ("seen", "masks", "actions", "old", "values", "gains")
    known = torch.cat([step["known"] for step in told])
    return {name: torch.cat([step[name] for step in told])[known] for name in names}


def update(agent: Agent, optimizer: torch.optim.Optimizer, block: dict[str, Tensor]) -> None:
    """Learn from the decisions, in two epochs of PPO."""
    returns, gains = block["gains"] + block["values"], block["gains"]
    gains = (gains - gains.mean()) / (gains.std() + 1e-8)
    for _ in range(2):
        for some in torch.split(torch.randperm(len(gains)), 2048):
            logs = agent.log_chances(block["seen"][some], block["masks"][some])
            chosen = logs.gather(1, block["actions"][some])[:, 0]
            ratio = (chosen - block["old"][some]).exp()
            clipped = ratio.clamp(0.8, 1.2)
            gain = torch.min(ratio * gains[some], clipped * gains[some]).mean()
            entropy = -(logs.exp() * logs).sum(dim=1).mean()
            value_loss = mse_loss(agent.values(block["seen"][some]), returns[some])
            optimizer.zero_grad()
            (value_loss - gain - 0.005 * entropy).backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimizer.step()


def main(steps: int, seed: int) -> None:
    """Train for so many decisions of both seats, and tell how games against random play go."""
    torch.manual_seed(seed)
    env = SelfPlayEnv("basic", 256, seed=seed, observation="outs", share=0.1)
    env.reset()
    agent = Agent(env.observer.size, env.engine.num_actions)
    optimizer = torch.optim.Adam(agent.parameters(), lr=1e-3)

    @torch.no_grad()
    def choose(
        observations: npt.NDArray[np.int8], masks: npt.NDArray[np.bool_]
    ) -> npt.NDArray[np.intp]:
        logs = agent.log_chances(torch.as_tensor(observations), torch.as_tensor(masks))
        return logs.argmax(dim=1).numpy()

    print("before:", against_random(choose, "rummy_env/Basic-v0", observation="outs"))
    decisions = 0
    while decisions < steps:
        block = collect(env, agent, 32)
        update(agent, optimizer, block)
        decisions += len(block["gains"])
    print("after:", against_random(choose, "rummy_env/Basic-v0", observation="outs"))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=400_000, help="decisions of both seats")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    main(arguments.steps, arguments.seed)
