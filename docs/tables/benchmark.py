"""Tables of the kept benchmarks: `benchmarks/results`."""

import json
from collections.abc import Iterable
from statistics import median
from typing import Any

from benchmarks import ceiling, heuristics, kept, luck, search
from benchmarks.growth import HEADINGS as GROWTH
from benchmarks.growth import Growth
from benchmarks.growth import row as growth_row
from benchmarks.throughput import HEADINGS, PEER, Figures
from benchmarks.throughput import rows as texts
from rummy_env.evaluation.markdown import pipe_table, stacked
from rummy_env.evaluation.words import points

OBSERVED = "engine: step, mask, observation"
TELLING = {
    "engine: step, mask": (4096, 65536),
    OBSERVED: (4096,),
    "Gymnasium make_vec, random opponent, all seats": (4096,),
    "hands played out by strong, its decisions included": (4096,),
    "AEC, raw": (1,),
    "AEC, raw, plain observation": (1,),
    "SyncVectorEnv, random opponent, all seats": (16,),
    "VecEnv, greedy opponent": (512, 4096),
    "make_vec, send and recv, greedy opponent": (512,),
}
"""What the README shows, and with how many games at once."""

AGAIN = f"{PEER}, against itself: the noise"
"""What the line is called in which the measure of all ratios is measured."""


def throughput() -> dict[str, Any]:
    """Return the benchmark of speed as it was kept."""
    text = (kept.RESULTS / "throughput.json").read_text(encoding="utf-8")
    facts: dict[str, Any] = json.loads(text)
    return facts


def _table(found: list[Figures], shown: Iterable[Figures]) -> str:
    """Return some of the figures, with the ratios that all of them make."""
    wanted = list(shown)
    lines = [row for figures, row in zip(found, texts(found), strict=True) if figures in wanted]
    named = [[AGAIN if cell == PEER else cell for cell in line] for line in lines]
    return pipe_table(HEADINGS, named, figures=3)


def figures() -> list[Figures]:
    """All that was measured."""
    return [
        Figures(**{**each, "ratios": tuple(each["ratios"])}) for each in throughput()["figures"]
    ]


def speed_table() -> str:
    """All figures."""
    found = figures()
    return _table(found, found)


def growth_table() -> str:
    """Speed and memory by players and decks."""
    lines = (growth_row(Growth(**each)) for each in kept.read(kept.RESULTS / "growth.json"))
    return pipe_table(GROWTH, lines, figures=7)


def ceiling_table() -> str:
    """Return what a player that sees all cards wins."""
    found = map(ceiling.read, kept.read(kept.RESULTS / "ceiling.json"))
    return pipe_table(ceiling.HEADINGS, map(ceiling.row, found), figures=3)


def rules_of(heuristic: str) -> str:
    """Return what each rule of a heuristic is worth."""
    found = [*map(heuristics.read, kept.read(kept.RESULTS / f"{heuristic}.json"))]
    heads = heuristics.headings(found[0])
    return pipe_table(heads, map(heuristics.row, found), figures=len(heads) - 1)


def luck_table() -> str:
    """Return what taking luck off saves."""
    found = map(luck.read, kept.read(kept.RESULTS / "luck.json"))
    return pipe_table(luck.HEADINGS, map(luck.row, found), figures=4)


GATE, BUDGETS = 1.0, (8, 64, 256, 1024)
"""What the table of searches shows: standard errors ahead, and worlds."""


def search_table() -> str:
    """Return what search adds, by worlds; and milliseconds of the most."""
    columns = "game", "base", "tried out to the", "decisions", *map(str, BUDGETS), "ms"
    lines = map(_search_row, search.curves(kept.RESULTS / "search"))
    return pipe_table(columns, lines, figures=len(BUDGETS) + 2)


def _search_row(curve: search.Curve) -> list[str]:
    """Return a line of the table of searches, with "-" for budgets that were not tried."""
    gate = curve.gates.index(GATE)
    added = {budget.worlds: stacked(points(budget.added[gate])) for budget in curve.budgets}
    spent = f"{curve.budgets[-1].milliseconds:.0f}"
    name = f"`{curve.variant}`", f"`{curve.base}`", curve.leaf
    return [*name, f"{curve.searched:,}", *(added.get(worlds, "-") for worlds in BUDGETS), spent]


def telling_speed_table() -> str:
    """Return the ratios that tell most, with a column for each game."""
    found = figures()
    games = list(dict.fromkeys(each.variant for each in found))
    ours = {(each.what, each.num_envs, each.variant): each for each in found}
    peers = [
        each.what for each in found if each.what.startswith(("OpenSpiel", "RLCard", "Petting"))
    ]
    wanted = [(peer, 1) for peer in peers]
    wanted += [(what, count) for what, counts in TELLING.items() for count in counts]
    lines = [
        (
            AGAIN if what == PEER else what,
            f"{count:,}",
            *(_ratio(ours.get((what, count, game))) for game in games),
        )
        for what, count in wanted
    ]
    return pipe_table(("entry point", "games at once", *games), lines, figures=5)


def _ratio(found: Figures | None) -> str:
    """Return the median of a figure's ratios; empty where nothing was measured."""
    if found is None:
        return ""
    ratio = median(found.ratios)
    return f"{ratio:.{2 - (ratio >= 1) - (ratio >= 10)}f}"


def speed_sentence() -> str:
    """Return what the engine does in most games at once and in one, and in gin by OpenSpiel's."""
    most = max(max(counts) for counts in TELLING.values())
    (seen,) = TELLING[OBSERVED]
    fast, observed = _lines("engine: step, mask", most), _lines(OBSERVED, seen)
    rates, with_it = (sorted(each.rate / 1e6 for each in some) for some in (fast, observed))
    alone = _lines("engine: step, mask", 1), _lines("AEC, raw", 1)
    *some, last = sorted(f"`{each.variant}`" for each in fast)
    return (
        f"**{rates[0]:.1f} to {rates[-1]:.1f} million steps a second** on one core, in {most:,} "
        f"games of {', '.join(some)} or {last} at once, legal actions and a random choice "
        f"included: in gin {_gin(fast)} times OpenSpiel. With observations, {seen:,} games make "
        f"{with_it[0]:.1f} to {with_it[-1]:.1f} million, in gin {_gin(observed)} times OpenSpiel. "
        f"A single game is slower: in gin {_gin(alone[0])} times OpenSpiel, and "
        f"{_gin(alone[1])} times through PettingZoo, with observations ([all figures](#speed))."
    )


def _lines(what: str, num_envs: int) -> list[Figures]:
    """Return what was measured of an entry point with so many games at once, by game."""
    return [each for each in figures() if (each.what, each.num_envs) == (what, num_envs)]


def _gin(found: Iterable[Figures]) -> str:
    """Return the ratio in gin."""
    (gin,) = (each for each in found if each.variant == "gin")
    return _ratio(gin)


def command() -> str:
    """Return what was called, and where."""
    facts = throughput()
    return (
        f"`{facts['command']}`, rummy_env {facts['rummy_env']}, Python {facts['python']}, "
        f"{facts['processor']} with {facts['cores']} cores."
    )


def memory_table() -> str:
    """Return the bytes that the state of a game takes."""
    sizes = throughput()["bytes_per_game"]
    rows = ((f"`{name}`", f"{size:,.0f}") for name, size in sizes.items())
    return pipe_table(("variant", "bytes a game"), rows, figures=1)
