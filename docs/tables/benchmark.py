"""Tables of the kept benchmark: `benchmarks/results/throughput.json`."""

import json
from collections.abc import Iterable
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks import ceiling
from benchmarks.growth import HEADINGS as GROWTH
from benchmarks.growth import Growth
from benchmarks.growth import row as growth_row
from benchmarks.throughput import HEADINGS, Figures
from benchmarks.throughput import rows as texts
from docs.tables.markdown import table

KEPT = Path(__file__).parents[2] / "benchmarks" / "results" / "throughput.json"

TELLING = {
    "engine: step, mask": (4096, 65536),
    "engine: step, mask, observation": (4096,),
    "Gymnasium make_vec, random opponent, all seats": (4096,),
    "AEC, raw": (1,),
    "AEC, raw, plain observation": (1,),
    "SyncVectorEnv, random opponent, all seats": (16,),
    "VecEnv, greedy opponent": (512,),
    "make_vec, send and recv, greedy opponent": (512,),
}
"""What the README shows, and with how many games at once; and all of one game that play gin."""


def kept() -> dict[str, Any]:
    """The benchmark as it was kept."""
    facts: dict[str, Any] = json.loads(KEPT.read_text(encoding="utf-8"))
    return facts


def _table(found: list[Figures], shown: Iterable[Figures]) -> str:
    """Some of the figures, with the ratios that all of them make."""
    wanted = list(shown)
    lines = [row for figures, row in zip(found, texts(found), strict=True) if figures in wanted]
    return table(" | ".join(HEADINGS), lines, figures=3)


def figures() -> list[Figures]:
    """All that was measured."""
    return [Figures(**{**each, "ratios": tuple(each["ratios"])}) for each in kept()["figures"]]


def speed_table() -> str:
    """All figures."""
    found = figures()
    return _table(found, found)


def growth_table() -> str:
    """Speed and memory by players and packs."""
    found = json.loads((KEPT.parent / "growth.json").read_text(encoding="utf-8"))["figures"]
    return table(" | ".join(GROWTH), (growth_row(Growth(**each)) for each in found), figures=7)


def ceiling_table() -> str:
    """What a player that sees all cards wins."""
    found = json.loads((KEPT.parent / "ceiling.json").read_text(encoding="utf-8"))["figures"]
    head, lines = " | ".join(ceiling.HEADINGS), (ceiling.row(ceiling.read(each)) for each in found)
    return table(head, lines, figures=3)


def telling_speed_table() -> str:
    """The figures that tell most."""
    found = figures()
    peers = [each for each in found if each.what.startswith(("OpenSpiel", "RLCard", "PettingZoo"))]
    telling = [each for each in found if each.num_envs in TELLING.get(each.what, ())]
    return _table(found, [*telling, *peers])


def speed_sentence() -> str:
    """What the engine does in most games at once, and how that compares in gin."""
    found, most = figures(), max(max(counts) for counts in TELLING.values())
    fast = [each for each in found if each.what == "engine: step, mask" and each.num_envs == most]
    rates = sorted(each.rate for each in fast)
    (gin,) = (median(each.ratios) for each in fast if each.variant == "gin")
    return (
        f"**{rates[0] / 1e6:.1f} to {rates[-1] / 1e6:.1f} million steps a second** on one core, in "
        f"{most:,} games at once, legal actions and a random choice included: in gin "
        f"{gin:.0f} times OpenSpiel ([all figures](#speed))."
    )


def command() -> str:
    """What was called, and where."""
    facts = kept()
    return (
        f"`{facts['command']}`, rummy_env {facts['rummy_env']}, Python {facts['python']}, "
        f"{facts['processor']} with {facts['cores']} cores."
    )


def memory_table() -> str:
    """The bytes that the state of a game takes."""
    sizes = kept()["bytes_per_game"]
    rows = ((f"`{name}`", f"{size:,.0f}") for name, size in sizes.items())
    return table("variant | bytes a game", rows, figures=1)
