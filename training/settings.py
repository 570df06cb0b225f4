"""The flags of a training run, and what they may be."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil, prod
from pathlib import Path
from typing import Literal

from rummy_env.baselines.heuristics import HEURISTICS
from rummy_env.baselines.layout import action_layout, observation_layout
from rummy_env.baselines.model_file import MAX_NUMBERS
from rummy_env.baselines.networks import MAX_UNITS, SuitNet, wiring
from rummy_env.baselines.value_net import ValueNet
from rummy_env.core.checks import check_choice, check_range
from rummy_env.core.rules import Rules
from rummy_env.evaluation.statistics import MIN_DEALS, MOST_DEALS
from rummy_env.workers import check_workers
from training.objective import Objective

NOBODY = "none"
"""In place of a teacher or an adviser."""
TRAINED, CLONE = "trained", "clone"
"""What a report calls the best model of its run, and the model before it learned."""
MOST, MANY, TINY = 10**12, 10**6, 1e-9
FLAGS_OF_ACTOR = {
    "suit": "--suit-units",
    "pooled": "--pooled-units",
    "card": "--card-units",
}
"""The flags of the actor's sizes, by the names that its `SuitNet` has for them."""
RANGES: dict[str, tuple[float, float]] = {
    "seed": (0, 2**32 - 1),
    "minibatch_size": (2, MOST),
    "torch_threads": (1, 1024),
    **dict.fromkeys(("suit_units", "pooled_units", "card_units"), (1, MAX_UNITS)),
    "critic_units": (1, MAX_UNITS // 2),
    **dict.fromkeys(("num_envs", "num_steps", "update_epochs", "evaluations"), (1, MANY)),
    **dict.fromkeys(("eval_deals", "compare_deals"), (MIN_DEALS, MOST_DEALS)),
    **dict.fromkeys(("gamma", "gae_lambda", "share", "past_share", "average"), (0, 1)),
    **dict.fromkeys(("surest", "sure_kept"), (TINY, 1)),
    **dict.fromkeys(("learning_rate", "value_rate", "clip_coef", "temperature"), (TINY, MOST)),
    "adam_eps": (TINY**2, 1),
    **dict.fromkeys(("minutes", "max_grad_norm"), (TINY, MOST)),
    **dict.fromkeys(
        ("ent_coef", "ent_extra", "vf_coef", "kl_coef", "target_kl", "warmup"), (0, MOST)
    ),
    **dict.fromkeys(("advice", "move_cost"), (0, MOST)),
    "workers": (1, MANY),
    "staleness": (0, 1),
}
"""The least and the greatest value of flags that are numbers, where not 1 and `MOST`."""


@dataclass(frozen=True)
class Settings:
    """Trains an agent: clones a heuristic, learns by self-play, and compares the result.

    Attributes:
        total_timesteps: Decisions of the learner; by default 5 million, or as many as --minutes
            allows.
        minutes: Stop after this time of learning. Demonstrations, cloning, evaluations and the
            comparison are not counted. With --resume, the total of all sessions.
        seed: The seed of the games, the networks and the order of learning.
        out: Folder of the run; by default runs/VARIANT-SEED.
        resume: Folder of a run to continue. All flags are those of that run, but for the two
            limits, those of workers, --device, --torch-threads and --compare-deals.
        trust: Open the checkpoint of the run to resume, although a checkpoint can run any code its
            maker put into it.
        device: The device of the networks.
        observation: What the learner sees.
        num_envs: Games at once; by default 2,048 where `patient` plays, else 1,024, as in runs of
            less than five minutes.
        num_steps: Steps of each game in a rollout; each is a decision of some seat. By default 96
            where `patient` plays, else 48, as in such short runs.
        minibatch_size: Decisions in a minibatch.
        update_epochs: Passes over a rollout.
        surest: A choice is sure where the policy gave its likeliest action a higher probability;
            there is next to nothing to learn from it.
        sure_kept: The share of sure choices that is learned from.
        learning_rate: The actor's learning rate at the beginning; it falls to a twentieth.
        value_rate: The critic's learning rate, as a multiple of the actor's.
        adam_eps: Adam's epsilon. Gradients that are seldom more than this hardly move a weight.
        warmup: Rollouts in which the critic learns alone, before the actor may change; in a short
            run fewer, a fifth of it.
        average: The actor that is evaluated and saved is a running average; this share of it stays
            after a rollout. 0 for the actor as it is.
        gamma: Discount from one decision of a seat to its next.
        gae_lambda: Lambda of the generalised advantage estimate. By default 0.95 with two
            players where `patient` plays, else 0.8.
        clip_coef: PPO's clipping range.
        target_kl: The updates of a rollout end at one and a half times this KL divergence; 0 for no
            limit.
        kl_coef: The price of leaving the clone, per nat of log-probability; it falls to 0 over the
            run.
        ent_coef: Weight of the entropy.
        ent_extra: What the entropy weighs more than that at first; it falls to 0 with the square of
            the share of the run that is left. A learner that goes on from a model tries more then.
        vf_coef: Weight of the value loss.
        max_grad_norm: Gradients are clipped at this norm.
        suit_units: The actor's units for each suit.
        pooled_units: The actor's units for all suits together.
        card_units: The actor's units for each card.
        objective: What to maximise: the rewards of the rules, or in single hands the lead, the
            points (or hands, if winning alone is paid) that a seat makes more than the others on
            average, which ranks.
        move_cost: What each move of a game costs every seat, in rewards. Where waiting is free, a
            learner may learn to wait for its own copy.
        privileged: Show the critic what is hidden: what the next player observes, the hands of the
            others, and the next cards of the stock. The actor never sees any of it.
        critic_units: The critic's units for each suit; it has twice as many for all together.
        opponents: The opponent pool, each AGENT or AGENT=WEIGHT; by default the baselines of the
            usual pool that play the rules.
        share: The share of games that have opponents from the pool; in the rest the learner has
            every seat. In one half of that share the opponents have all seats but one, in the other
            half one alone (with two players that is the same). By default 1 where `patient` plays,
            unless the learner begins with no model, teacher or adviser; else 0.5.
        past_share: The part of that share in which they are past versions of the learner.
        past_kept: The number of past versions kept in the pool.
        start: A model to start from, instead of a clone. It may have learned other rules, if their
            actions are the same and all that it observes is observed here, too: a model of single
            hands can start a run on matches, and one of a smaller table a run at a larger one.
            What it has not observed before begins with weights of 0.
        teacher: The agent whose demonstrations are cloned before reinforcement learning; "none"
            for no agent; by default the strongest baseline that plays the rules, with more than
            two players `patient` not counted.
        teacher_decisions: Decisions of the teacher to clone, at least: games are played to their
            ends. By default 500,000; in a short run 50,000 for each minute, or a tenth of the
            decisions of the learner. By hindsight four times as many.
        adviser: The heuristic whose action the actor sees at every decision, so that learning
            starts from its play and keeps what it finds better; "none" for none. By default that of
            the model to start from, or the teacher if that is another heuristic than `random` and
            `greedy`, which would hold learning back.
        hindsight: Clone what the teacher's discards were worth with the next player's cards on the
            table, in place of what it discarded. The teacher has to be the adviser, too, and to
            weigh chances to win, as farsighted does.
        advice: What is added to the logit of the adviser's action before learning begins; not used
            with --start. By default 2, and 0 with --hindsight.
        temperature: The logits are divided by it before learning begins, since a clone is so sure
            of its teacher's actions that it would try no others. By default 2.4 for a clone, 1.2
            for one of `patient`, else 1, as with --hindsight.
        rivals: The agents that the policy is evaluated against and compared with at the end; by
            default the baselines of the usual pool.
        evaluations: Evaluations, evenly over the run, besides the one before learning.
        eval_deals: Deals of an evaluation, against each rival; by default 500, and fewer in runs of
            less than five minutes.
        compare_deals: Deals of the comparison at the end; by default 2,000, and fewer after such
            runs.
        torch_threads: Threads of PyTorch and of NumPy's matrix products.
        bf16: Matrix products in bfloat16; by default where a trial shows them to be much faster on
            this device.
        workers: Play in this many processes of a Ray cluster, each with its share of the games; by
            default all games are played in this process.
        ray_address: The cluster, HOST:PORT, or auto for the one that runs on this machine; by
            default workers are started here.
        staleness: Updates by which the weights of the workers may lag behind: 0, or 1 to play the
            next rollout while this one is learned from.
    """

    total_timesteps: int | None = None
    minutes: float | None = None
    seed: int = 1
    out: Path | None = None
    resume: Path | None = None
    trust: bool = False
    device: str = "cpu"
    observation: Literal["plain", "hints", "outs"] = "outs"
    num_envs: int | None = None
    num_steps: int | None = None
    minibatch_size: int = 4096
    update_epochs: int = 2
    surest: float = 0.99
    sure_kept: float = 0.25
    learning_rate: float = 7e-4
    value_rate: float = 2.5
    adam_eps: float = 1e-8
    warmup: int = 4
    average: float = 0.95
    gamma: float = 1.0
    gae_lambda: float | None = None
    clip_coef: float = 0.2
    target_kl: float = 0.0
    kl_coef: float = 0.0
    ent_coef: float = 0.002
    ent_extra: float = 0.0
    vf_coef: float = 0.5
    max_grad_norm: float = 0.5
    suit_units: int = 128
    pooled_units: int = 256
    card_units: int = 32
    critic_units: int = 96
    objective: Objective = "reward"
    move_cost: float = 0.0
    privileged: bool = False
    opponents: tuple[str, ...] | None = None
    share: float | None = None
    past_share: float = 0.0
    past_kept: int = 4
    start: Path | None = None
    teacher: str | None = None
    teacher_decisions: int | None = None
    adviser: str | None = None
    hindsight: bool = False
    advice: float | None = None
    temperature: float | None = None
    rivals: tuple[str, ...] | None = None
    evaluations: int = 10
    eval_deals: int | None = None
    compare_deals: int | None = None
    torch_threads: int = 2
    bf16: bool | None = None
    workers: int | None = None
    ray_address: str | None = None
    staleness: int = 0

    @property
    def actor(self) -> SuitNet:
        """The sizes of the actor."""
        adviser = "" if self.adviser in (None, NOBODY) else self.adviser
        return SuitNet(self.suit_units, self.pooled_units, self.card_units, adviser)

    @property
    def from_scratch(self) -> bool:
        """True if the actor begins with nothing: no model, no clone, and nobody advises it."""
        return self.start is None and self.teacher == self.adviser == NOBODY

    @property
    def critic(self) -> ValueNet:
        """The sizes of the critic."""
        return ValueNet(self.critic_units, 2 * self.critic_units)


@dataclass(frozen=True, kw_only=True)
class Complete(Settings):
    """The settings of a run, in which flags that were not given have what is usual."""

    num_envs: int
    num_steps: int
    gae_lambda: float
    opponents: tuple[str, ...]
    share: float
    teacher: str
    teacher_decisions: int
    adviser: str
    advice: float
    temperature: float
    rivals: tuple[str, ...]
    eval_deals: int
    compare_deals: int


def check(given: Settings, rules: Rules) -> None:
    """Refuse flags that make no sense, before anything is played.

    Raises:
        ValueError: Naming the flag, its value and what may be given.
    """
    for name, value in vars(given).items():
        if value in ((), ""):
            raise ValueError(f"{name}={value!r}: give at least one, or leave the flag out")
    if given.adviser is not None:
        check_choice("adviser", given.adviser, (NOBODY, *HEURISTICS))
    check_ranges(given, RANGES)
    if given.objective == "lead" and not rules.episode.single:
        raise ValueError("objective='lead': a match is won, not led by points; leave the flag out")
    _check_workers(given)
    wired = wiring(observation_layout(rules, given.observation), action_layout(rules))
    for network in (given.actor, given.critic):
        numbers = sum(map(prod, network.shapes(wired).values()))
        if numbers > MAX_NUMBERS:
            raise ValueError(f"{network}: {numbers} numbers; give units for {MAX_NUMBERS} at most")


def flag_of(name: str) -> str:
    """Return the flag of a setting, as one writes it."""
    return f"--{name.replace('_', '-')}"


def check_ranges(given: object, ranges: Mapping[str, tuple[float, float]]) -> None:
    """Refuse flags that are numbers out of their range, 1 to `MOST` where it has none."""
    for name, value in vars(given).items():
        low, high = ranges.get(name, (1, MOST))
        if isinstance(value, float) and not low <= value <= high:
            allowed = "above 0" if low == TINY else f"from {low} to {high}"
            raise ValueError(f"{name}={value!r}: give a number {allowed}")
        if isinstance(value, int) and not isinstance(value, bool):
            check_range(name, value, ceil(low), int(high))


def _check_workers(given: Settings) -> None:
    """Refuse flags that are for workers where there are none."""
    check_workers(given.workers, given.ray_address)
    if given.workers is None and given.staleness:
        raise ValueError(f"staleness={given.staleness!r}: it is for workers; give --workers too")
