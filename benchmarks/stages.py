"""Where the time of a step goes: `python -m benchmarks.throughput --profile`."""

import cProfile
import pstats
import time
from collections.abc import Iterator
from typing import Any

import rich
import rich.table

from benchmarks.rates import Play, engine_steps
from rummy_env import Rules

STAGES = {
    "random choice": ("core/engine.py", "random_actions"),
    "is it legal?": ("core/engine.py", "_check_legal"),
    "moves, endings, scores": ("core/flow.py", "play"),
    "what is legal next": ("core/engine.py", "_update_legal"),
    "mask as an array": ("core/engine.py", "legal_mask"),
    "views": ("core/engine.py", "look"),
    "observation": ("views/features.py", "__call__"),
    "deals": ("core/engine.py", "reset"),
}
"""The stages of a step, each by a function: its file and its name."""
_DEALT = ("core/engine.py", "_note_dealt")
_MOST = 12
"""How many functions are shown beside the stages."""

Name = tuple[str, str]
Times = dict[Name, tuple[float, float]]
"""Seconds of functions, by file and name: their own, and those of all that they call, too."""


def profiled(play: Play, seconds: float) -> tuple[int, float, Times]:
    """Play for some seconds, after a warm-up: steps, seconds, and those of every function.

    What deals take to find out what is legal is not counted twice.
    """
    play()
    profile, steps, start = cProfile.Profile(), 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        steps += profile.runcall(play)
    stats: Any = pstats.Stats(profile)
    found: Times = {}
    for place, (_, _, own, whole, callers) in stats.stats.items():
        name = _name(place)
        whole -= sum(call[3] for caller, call in callers.items() if _name(caller) == _DEALT)
        before = found.get(name, (0.0, 0.0))
        found[name] = before[0] + own, before[1] + whole
    return steps, stats.total_tt, found


def _name(place: tuple[str, int, str]) -> Name:
    """Return the folder and file of a function, as the profiler tells of it, and its name."""
    file, _, name = place
    return "/".join(file.replace("\\", "/").split("/")[-2:]), name


def stages(times: Times, total: float) -> Iterator[tuple[str, float]]:
    """Every stage and its share of the time; the rest is what the benchmark itself takes."""
    shares = {stage: times[key][1] / total for stage, key in STAGES.items()}
    yield from shares.items()
    yield "the rest", 1 - sum(shares.values())


def show(rules: Rules, num_envs: int, seconds: float) -> None:
    """Print where the time goes of so many games, with masks and observations."""
    play = engine_steps(rules, num_envs, observation=True)
    steps, total, times = profiled(play, seconds)
    title = f"{rules.name}, {num_envs:,} games: {total / steps * 1e9:,.0f} ns a step, profiled"
    table = rich.table.Table(title=title)
    for heading in ("stage, or function by its own time", "share"):
        table.add_column(heading, justify="right" if heading == "share" else "left")
    for stage, share in stages(times, total):
        table.add_row(stage, f"{share:.1%}")
    table.add_section()
    own = sorted(times.items(), key=lambda item: -item[1][0])
    for (file, name), (seconds_of_its_own, _) in own[:_MOST]:
        table.add_row(f"{file}: {name}", f"{seconds_of_its_own / total:.1%}")
    rich.print(table)
