"""Tables that follow from the rules: options, actions, observations, the variants."""

import inspect
import re
from itertools import groupby
from typing import Any

import rummy_env
from rummy_env.command_line import summary
from rummy_env.core.actions import action_space
from rummy_env.core.features import GRADES
from rummy_env.core.visibility import SeatView
from rummy_env.evaluation.markdown import pipe_table
from rummy_env.registration import gymnasium_id, pettingzoo_id
from rummy_env.variants.options import describe
from rummy_env.views.features import OBSERVATIONS, OUTS, observer

TRIED: tuple[dict[str, Any], ...] = (
    *({"num_players": players} for players in range(2, 7)),
    {"num_players": 10, "wildcards": 3},
    {"wildcards": 0},
    {"sequences_rummy": True},
    {"decks": 2},
    {"group_card": False},
    {"going_out_variation": True, "num_players": 3},
    {"three_card_draw": True},
    {"four_sevens": True},
    {"spread_out_discards": True},
    {"stock_estimate": "exact"},
    {"pile_recall": True},
    {"ace": "high_or_low"},
    {"melds_per_turn": None},
    {"melds_per_turn": 1},
    {"lay_off": False},
    {"restock": "shuffle_keep_top"},
    {"restock": "turn_over"},
    {"going_rummy": False},
    {"going_rummy": True},
    {"match": "match"},
)
"""The options whose influence on actions and observation the pages list, where they exist."""

TRIED_IN: dict[str, tuple[dict[str, Any], ...]] = {
    "gin": (
        {"lay_off": "manual"},
        {"lay_off": "none"},
        {"oklahoma": True},
        {"discard_taken_upcard": True},
        {"wall": "knock"},
        {"big_gin": True},
        {"preset": "openspiel"},
        {"match": "match"},
    ),
    "rummy500": (
        *({"num_players": players} for players in range(3, 6)),
        {"ace": "low"},
        {"match": "match"},
    ),
}
"""The same where a variant has other values."""


def span(start: int, count: int) -> str:
    """Return the first and the last of some numbers: `"2 to 66"`."""
    return str(start) if count == 1 else f"{start} to {start + count - 1}"


def options_table(name: str) -> str:
    """Every option of a variant with its values, its default and its meaning."""
    usual, match = rummy_env.rules(name), rummy_env.rules(name, match="match")
    rows = []
    for option, parameter in inspect.signature(rummy_env.VARIANTS[name]).parameters.items():
        values, meaning = describe(name, option)
        default = f"`{parameter.default!r}`"
        if getattr(match, option) != getattr(usual, option) and option != "match":
            unless = " without `deals`" if "deals" in dict(usual.options) else ""
            default += f" ({getattr(match, option)} in a match{unless})"
        rows.append((f"`{option}`", values, default, meaning))
    return pipe_table(("option", "values", "default", "meaning"), rows)


def view_table() -> str:
    """Return what views have, and in which variants."""
    views = {name: SeatView.fields(rummy_env.rules(name)) for name in rummy_env.VARIANTS}
    found = {field: told for view in views.values() for field, told in view.items()}
    rows = []
    for field, told in found.items():
        having = [f"`{name}`" for name, view in views.items() if field in view]
        rows.append((f"`{field}`", told, "" if len(having) == len(views) else ", ".join(having)))
    return pipe_table(("name", "what it is", "by default only in"), rows)


def actions_table(name: str) -> str:
    """Return the blocks of actions of a variant under its default options."""
    space = action_space(rummy_env.rules(name))
    rows, start = [], 0
    for (number, kind), block in groupby(
        zip(space.move_of.tolist(), space.actions, strict=True),
        lambda item: (item[0], item[1].kind),
    ):
        actions = [action for _, action in block]
        first, last = actions[0], actions[-1]
        cards = " … ".join(" ".join(a.cards) for a in (first, last)) if first.cards else ""
        meaning = (inspect.getdoc(space.moves[number]) or "").partition("\n")[0]
        rows.append((span(start, len(actions)), f"`{kind}`", cards, meaning))
        start += len(actions)
    return pipe_table(("actions", "kind", "cards, first … last", "meaning"), rows)


def observation_table(name: str) -> str:
    """Return the parts of observations under the default options, and where in each they begin."""
    rules, rows = rummy_env.rules(name), []
    layouts = [observer(rules, each).layout() for each in OBSERVATIONS]
    begins = [{part: start for part, start, *_ in layout} for layout in layouts]
    for part, _, width, meaning in layouts[OBSERVATIONS.index(OUTS)]:
        first = [str(begin.get(part, "-")) for begin in begins]
        rows.append((f"`{part}`", *first, width, meaning))
    heads = [f'first in `"{each}"`' for each in OBSERVATIONS]
    meaning = "1 if this holds, or a number in sixteenths"
    table = pipe_table(("name", *heads, "entries", meaning), rows)
    (told,) = (each for part, *_, each in layouts[OBSERVATIONS.index(OUTS)] if part == "outs")
    return f"{table}\n\n{_outs(told)}"


def _outs(told: str) -> str:
    """Say what `outs` counts; its meaning in the layout is short, and saved models name it."""
    found = re.search(r"^a quarter of .*, ([\d.]+) for two$", told)
    if found is None:
        raise ValueError(f"outs has another meaning: {told!r}; say here what it counts")
    one, two = float(GRADES) / 4, float(GRADES) / 4 * float(found[1])
    return (
        f"Numbers for cards are in sixteenths: an entry of {GRADES:.0f} stands for 1. `outs` "
        "counts melds of three that a card could become\n"
        f"part of: {one:g} for each meld of it, one of your cards and one unseen card, and {two:g} "
        "for each meld of it and two unseen\n"
        "cards; the sum is rounded."
    )


def sizes_table(name: str) -> str:
    """How many actions and entries there are under which options, and what the options add."""
    usual = rummy_env.rules(name)
    known = dict(usual.options)
    base = [part for part, *_ in observer(usual).layout()]
    rows = []
    for options in TRIED_IN.get(name, TRIED):
        if not options.keys() <= known.keys():
            continue
        rules = rummy_env.rules(name, **options)
        parts = [part for part, *_ in observer(rules).layout()]
        added = ", ".join(f"`{part}`" for part in parts if part not in base)
        left_out = ", ".join(f"`{part}`" for part in base if part not in parts)
        given = ", ".join(f"`{option}={value!r}`" for option, value in options.items())
        if rules != usual:
            sizes = len(action_space(rules)), observer(rules).size
            rows.append((given, *sizes, added, left_out))
    defaults = ("the defaults", len(action_space(usual)), observer(usual).size, "", "")
    columns = "option", "actions", "entries", "adds", "leaves out"
    return pipe_table(columns, [defaults, *rows])


def variants_table(pages: str) -> str:
    """All variants with their seats, in a sentence.

    Args:
        pages: The folder of their pages, as seen from the page that has the table.
    """
    rows = []
    for name, make in rummy_env.VARIANTS.items():
        rules = rummy_env.rules(name)
        seats, _ = describe(name, "num_players")
        sizes = len(action_space(rules)), observer(rules).size
        rows.append((f"[`{name}`]({pages}/{name}.md)", seats, summary(make), *sizes))
    columns = "variant", "players", "in short", "actions", "observation"
    return pipe_table(columns, rows, figures=2)


def ids_table(name: str) -> str:
    """Return what the variant is called in each library."""
    return pipe_table(
        ("library", "how it is made"),
        [
            ("rummy_env", f'`rummy_env.rules("{name}")`'),
            ("PettingZoo", f'`rummy_env.env("{name}")`, in its registry `{pettingzoo_id(name)}`'),
            ("Gymnasium", f'`gymnasium.make("{gymnasium_id(name)}")`, also `gymnasium.make_vec`'),
            ("Stable-Baselines3", f'`rummy_env.envs.sb3.RummyVecEnv("{name}", num_envs=64)`'),
        ],
    )
