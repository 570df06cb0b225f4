"""Self-play in one file: PPO in which one network plays and learns in every seat."""

import argparse
import time
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import mse_loss

from rummy_env.core.shuffle import GameRandom
from rummy_env.core.visibility import SeatView
from rummy_env.envs.self_play import SelfPlayEnv
from rummy_env.evaluation import duel


class Agent(nn.Module):
    """An actor and a critic on the observation "outs"."""

    def __init__(self, observations: int, actions: int) -> None:
        super().__init__()
        self.actor, self.critic = layers(observations, actions), layers(observations, 1)

    def log_chances(self, seen: Tensor, masks: Tensor) -> Tensor:
        """float32[N, A], log-probabilities of the actions."""
        logits: Tensor = self.actor(seen.float() / 16)
        return torch.log_softmax(logits.masked_fill(~masks, -1e8), dim=1)

    def values(self, seen: Tensor) -> Tensor:
        """float32[N]."""
        found: Tensor = self.critic(seen.float() / 16)[:, 0]
        return found


def layers(inputs: int, outputs: int) -> nn.Sequential:
    """Two hidden layers."""
    hidden = [nn.Linear(inputs, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU()]
    return nn.Sequential(*hidden, nn.Linear(128, outputs))


class Likeliest:
    """The agent as a policy for duels: it plays its likeliest action."""

    def __init__(self, agent: Agent, env: SelfPlayEnv) -> None:
        self.agent, self.observer = agent, env.observer

    def act(self, view: SeatView, mask: np.ndarray, rng: GameRandom) -> np.ndarray:
        """See `rummy_env.baselines.Policy`."""
        with torch.no_grad():
            seen = torch.as_tensor(self.observer(view))
            return self.agent.log_chances(seen, torch.as_tensor(mask)).argmax(dim=1).numpy()


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
    """Two epochs of PPO."""
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


def main() -> None:
    """Train for so many minutes, and tell how hands against greedy go."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--variant", default="basic")
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--games", type=int, default=512)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    torch.manual_seed(given.seed)
    env = SelfPlayEnv(given.variant, given.games, seed=given.seed, observation="outs", share=0.1)
    env.reset()
    agent = Agent(env.observer.size, env.engine.num_actions)
    optimizer = torch.optim.Adam(agent.parameters(), lr=1e-3)
    start, decisions = time.perf_counter(), 0
    while time.perf_counter() - start < 60 * given.minutes:
        block = collect(env, agent, 32)
        update(agent, optimizer, block)
        decisions += len(block["gains"])
    found = duel(env.engine.rules, Likeliest(agent, env), "greedy", deals=200, seed=2026)
    wins = found.sides[0].hand_wins
    print(f"{decisions:,} decisions; hands against greedy {wins.value:.1%}", end=" ")
    print(f"[{wins.low:.1%}, {wins.high:.1%}], points a hand {found.lead.value:+.1f}")


if __name__ == "__main__":
    main()
