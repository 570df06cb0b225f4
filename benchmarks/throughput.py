"""Measures speed and memory: `python -m benchmarks.throughput`.

All figures are of one process on one core and of random legal play, the choice of the action
included. Beside every stretch of time is one of OpenSpiel's gin, and ratios are of the two: so they
hold on any machine, and on a busy one their spread tells how far.
"""

import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from statistics import median
from typing import Any

import rich
import rich.table
from matplotlib.figure import Figure

import rummy_env
from benchmarks import kept, peers, rates, stages
from benchmarks.flags import asked
from benchmarks.former import former_gin
from rummy_env import Rules
from rummy_env.baselines import resolve
from rummy_env.baselines.policies import playing
from rummy_env.command_line import plain_errors
from rummy_env.core import engine
from rummy_env.files import write_json
from rummy_env.views.features import PLAIN

PEER, FORMER = "OpenSpiel gin", "PettingZoo's former gin"


@dataclass(frozen=True)
class Settings:
    """Measures steps a second of every door, beside other engines.

    Attributes:
        variants: Which variants.
        batch: Games at once, for the engine.
        vec_batch: Games at once, for the batches of Gymnasium and Stable-Baselines3.
        seconds: Length of each of five stretches, one of OpenSpiel's gin beside each.
        former: Folder of a Python environment with PettingZoo's former gin, made where it is
            missing; without, that is not measured.
        out: Folder for throughput.json and throughput.png.
        profile: Shows where the time of a step goes, with masks and observations, in place of all
            else.
    """

    variants: tuple[str, ...] = ("basic", "bonus", "classic")
    batch: tuple[int, ...] = (1, 16, 256, 1024, 4096, 16384, 65536)
    vec_batch: tuple[int, ...] = (64, 512, 4096)
    seconds: float = 0.4
    former: Path | None = None
    out: Path | None = None
    profile: bool = False


@dataclass(frozen=True)
class Figures:
    """One line of the table.

    Attributes:
        what: What was measured.
        variant: The game.
        num_envs: Games at once.
        rate: Steps a second.
        ratios: The same as times OpenSpiel's gin, stretch by stretch, ascending; none without it.
    """

    what: str
    variant: str
    num_envs: int
    rate: float
    ratios: tuple[float, ...] = ()


ENGINE = {"engine: step, mask": False, "engine: step, mask, observation": True}
"""The engine's figures, and whether the observation is asked for."""
SINGLE_GAMES = 16
"""Games in Gymnasium's batch of single environments: more do not make it faster."""
SENT = 4
"""How many times as many games are under way as are received at once."""


def measure(settings: Settings) -> list[Figures]:
    """Measure everything, each beside the peer."""
    plays = {name: make() for name, make in peers.installed().items()}
    if settings.former is not None:
        plays[FORMER] = former_gin(settings.former)
    peer = plays.get(PEER)
    found = [
        Figures(name, "gin", 1, *rates.beside(play, peer, settings.seconds))
        for name, play in plays.items()
    ]
    for variant in settings.variants:
        found += _variant(rummy_env.rules(variant), settings, peer)
    return found


def _variant(rules: Rules, settings: Settings, peer: rates.Play | None) -> list[Figures]:
    def figures(what: str, num_envs: int, play: rates.Play) -> Figures:
        return Figures(what, rules.name, num_envs, *rates.beside(play, peer, settings.seconds))

    found = [
        figures(what, num_envs, rates.engine_steps(rules, num_envs, observation=observation))
        for what, observation in ENGINE.items()
        for num_envs in settings.batch
    ]
    for name in sorted(playing(rules, ("greedy", "strong"))):
        most = max(settings.vec_batch)
        play = rates.rollout_steps(rules, most, resolve(name, rules))
        found.append(figures(f"hands played out by {name}, its decisions included", most, play))
    for num_envs in settings.vec_batch:
        play = rates.gymnasium_actions(rules, num_envs)
        found.append(figures("Gymnasium make_vec, random opponent, all seats", num_envs, play))
    play = rates.gymnasium_actions(rules, SINGLE_GAMES, single=True)
    found.append(figures("SyncVectorEnv, random opponent, all seats", SINGLE_GAMES, play))
    found.append(figures("AEC, raw", 1, rates.aec_actions(rules, raw=True)))
    plain = rates.aec_actions(rules, raw=True, observation=PLAIN)
    found.append(figures("AEC, raw, plain observation", 1, plain))
    found.append(figures("AEC, wrapped", 1, rates.aec_actions(rules, raw=False)))
    for opponent in ("random", "greedy"):
        for num_envs in settings.vec_batch:
            play = rates.vec_env_steps(rules, num_envs, opponent)
            found.append(figures(f"VecEnv, {opponent} opponent", num_envs, play))
            play = rates.received_steps(rules, num_envs, opponent, sent=SENT * num_envs)
            found.append(figures(f"make_vec, send and recv, {opponent} opponent", num_envs, play))
    return found


def rows(found: list[Figures]) -> list[tuple[str, ...]]:
    """Return the table as text, with the ratios to OpenSpiel where that was measured."""
    return [
        (
            figures.variant,
            figures.what,
            f"{figures.num_envs:,}",
            f"{figures.rate:,.0f}",
            spread(figures.ratios),
        )
        for figures in found
    ]


def spread(ratios: Sequence[float]) -> str:
    """Return the median of some numbers, and the least and the greatest."""
    if not ratios:
        return ""
    return f"{median(ratios):.2f} [{min(ratios):.2f}, {max(ratios):.2f}]"


HEADINGS = ("game", "what", "games at once", "steps a second", "times OpenSpiel")


def show(found: list[Figures], memory: dict[str, float]) -> None:
    """Print the table."""
    table = rich.table.Table(title="Steps a second, one core, random legal play")
    for i, heading in enumerate(HEADINGS):
        table.add_column(heading, justify="right" if i > 1 else "left")
    for row in rows(found):
        table.add_row(*row)
    rich.print(table)
    for variant, size in memory.items():
        rich.print(f"{variant}: {size:,.0f} bytes a game")


def write(found: list[Figures], memory: dict[str, float], folder: Path, command: str) -> None:
    """Write throughput.json and throughput.png; docs/benchmark.md has the table."""
    folder.mkdir(parents=True, exist_ok=True)
    facts: dict[str, Any] = {
        "command": command,
        "python": platform.python_version(),
        "processor": platform.machine(),
        "cores": os.cpu_count(),
        "rummy_env": rummy_env.__version__,
        "compiled": not engine.__file__.endswith(".py"),
        "bytes_per_game": memory,
        "figures": [vars(figures) for figures in found],
    }
    write_json(folder / "throughput.json", facts)
    draw(found, folder / "throughput.png")


def draw(found: list[Figures], path: Path) -> None:
    """Draw steps a second over games at once: of gin, which the peers play, if it was measured."""
    figure = Figure(figsize=(7.5, 4.8), layout="constrained")
    axes = figure.subplots()
    across = axes.get_yaxis_transform()
    variants = [figures.variant for figures in found if figures.what in ENGINE]
    shown = "gin" if "gin" in variants else variants[0]
    for what in ENGINE:
        mine = [f for f in found if f.what == what and f.variant == shown]
        axes.plot([f.num_envs for f in mine], [f.rate for f in mine], marker="o", label=what)
    others = [figures for figures in found if figures.what in {*peers.KNOWN, FORMER}]
    for number, figures in enumerate(others):  # each name farther to the left: lines lie close
        axes.axhline(figures.rate, linestyle="--", linewidth=1, color="0.4")
        x, told = 0.98 - 0.19 * number, {"fontsize": 7, "color": "0.3"}
        axes.text(x, figures.rate, figures.what, told, ha="right", va="bottom", transform=across)
    axes.set(xscale="log", yscale="log", xlabel="games at once", ylabel="steps a second")
    axes.set_title(f"Random legal play on one core: {shown}")
    axes.grid(alpha=0.3, which="both")
    axes.legend()
    figure.savefig(path, dpi=120)


@plain_errors()
def main() -> None:
    """Run the command."""
    settings = asked(Settings, "benchmarks.throughput")
    if settings.profile:
        for name, num_envs in product(settings.variants, settings.batch):
            stages.show(rummy_env.rules(name), num_envs, settings.seconds)
        return
    found = measure(settings)
    memory = {name: rates.bytes_per_game(rummy_env.rules(name)) for name in settings.variants}
    show(found, memory)
    if settings.out is not None:
        write(found, memory, settings.out, kept.command("benchmarks.throughput"))


if __name__ == "__main__":
    main()
