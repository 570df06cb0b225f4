"""The flags of a training run, and what they may be."""

from dataclasses import dataclass
from math import prod
from pathlib import Path

from rummy_env.baselines.model_card import Mlp, ModelCard
from rummy_env.baselines.saved import MAX_NUMBERS
from rummy_env.core.checks import check_range
from rummy_env.core.rules import Rules
from rummy_env.evaluation.statistics import MIN_DEALS, MOST_DEALS

MOST, MANY, TINY = 10**12, 10**6, 1e-9
RANGES: dict[str, tuple[float, float]] = {
    "seed": (0, 2**32 - 1),
    "minibatch_size": (2, MOST),
    "torch_threads": (1, 1024),
    "minutes": (1e-9, MOST),
    **dict.fromkeys(("num_envs", "num_steps", "update_epochs"), (1, MANY)),
    **dict.fromkeys(("eval_deals", "compare_deals"), (MIN_DEALS, MOST_DEALS)),
    **dict.fromkeys(("gamma", "gae_lambda"), (0, 1)),
    **dict.fromkeys(("learning_rate", "clip_coef", "max_grad_norm"), (TINY, MOST)),
    **dict.fromkeys(("ent_coef", "vf_coef", "past_weight"), (0, MOST)),
}
"""The least and the greatest value of flags that are numbers, where not 1 and `MOST`."""


@dataclass(frozen=True)
class Settings:
    """Trains an agent with MaskablePPO, then compares it with the baselines.

    Attributes:
        total_timesteps: Learner's decisions; 5 million unless given.
        minutes: Stop after this training time, if that comes first.
        seed: The seed of the games, the network and the order of learning.
        out: Folder of the run; runs/VARIANT-SEED unless given.
        resume: Folder of a run to go on with; all flags but the two limits are its own.
        trust: Open the checkpoint of the run to go on with, even though that can run any code its
            maker put into it.
        num_envs: Games at once.
        num_steps: Decisions of each game in one rollout.
        minibatch_size: Decisions in a minibatch.
        update_epochs: Passes over a rollout.
        learning_rate: Adam's, at the beginning; it falls to a tenth over the run.
        gamma: Discount.
        gae_lambda: Lambda of the generalised advantage estimate.
        clip_coef: PPO's clipping range.
        ent_coef: Weight of the entropy.
        vf_coef: Weight of the value loss.
        max_grad_norm: Gradients are clipped at this norm.
        hidden: Units of the network's layers.
        opponents: The opponent pool, each AGENT or AGENT=WEIGHT; unless given, random=1 greedy=4
            strong=3, those of them that play the rules.
        teacher: The agent whose demonstrations are cloned before reinforcement learning; "none"
            for no agent; unless given, the strongest baseline that plays the rules.
        teacher_decisions: Decisions of the teacher to clone.
        past_weight: Weight of the learner's past versions in the pool, all together.
        past_kept: The number of past versions kept in the pool.
        rivals: The agents that the policy is evaluated against, and compared with at the end;
            unless given, random, greedy and strong, those of them that play the rules.
        eval_every: Learner's decisions between evaluations.
        eval_deals: Deals of an evaluation, against each rival.
        compare_deals: Deals of the comparison at the end.
        torch_threads: Threads of PyTorch.
        bf16: Matrix products in bfloat16 while learning: faster where the processor has them.
    """

    total_timesteps: int | None = None
    minutes: float | None = None
    seed: int = 1
    out: Path | None = None
    resume: Path | None = None
    trust: bool = False
    num_envs: int = 1024
    num_steps: int = 32
    minibatch_size: int = 4096
    update_epochs: int = 3
    learning_rate: float = 7e-4
    gamma: float = 1.0
    gae_lambda: float = 0.95
    clip_coef: float = 0.2
    ent_coef: float = 0.01
    vf_coef: float = 0.5
    max_grad_norm: float = 0.5
    hidden: tuple[int, ...] = (256, 256)
    opponents: tuple[str, ...] | None = None
    teacher: str | None = None
    teacher_decisions: int = 200_000
    past_weight: float = 4.0
    past_kept: int = 4
    rivals: tuple[str, ...] | None = None
    eval_every: int = 1_000_000
    eval_deals: int = 500
    compare_deals: int = 2000
    torch_threads: int = 2
    bf16: bool = True


def check(given: Settings, rules: Rules) -> None:
    """Refuses flags that make no sense, before anything is played.

    Raises:
        ValueError: Naming the flag, its value and what may be given.
    """
    for name, value in vars(given).items():
        low, high = RANGES.get(name, (1, MOST))
        if value in ((), ""):
            raise ValueError(f"{name}={value!r}: give at least one, or leave the flag out")
        if isinstance(value, float) and not low <= value <= high:
            raise ValueError(f"{name}={value!r}: give a number from {low} to {high}")
        if isinstance(value, int) and not isinstance(value, bool):
            check_range(name, value, int(low), int(high))
    numbers = sum(map(prod, ModelCard.of(rules, Mlp(given.hidden, "relu"), "").shapes.values()))
    if numbers > MAX_NUMBERS:
        raise ValueError(f"hidden={given.hidden}: {numbers} numbers; give at most {MAX_NUMBERS}")
    if (rollout := given.num_envs * given.num_steps) % given.minibatch_size == 1:
        raise ValueError(
            f"minibatch_size={given.minibatch_size}: give one that does not leave a minibatch of 1 "
            f"in a rollout of {rollout} decisions, num_envs times num_steps"
        )
