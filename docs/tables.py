"""Fills the tables of the rule pages from the code: options, actions and observations.

    python docs/tables.py

Each page of `docs/rules` that is named after a variant has places for them, marked
`<!-- options -->` to `<!-- /options -->`; what stands between the marks is replaced.
"""

import inspect
import re
from collections.abc import Callable, Iterable
from itertools import groupby
from pathlib import Path
from typing import Any

import rummy_env
from rummy_env.core.actions import action_space
from rummy_env.views.features import observer

PAGES = Path(__file__).parent / "rules"

OPTIONS = {
    "num_players": ("2 to 6", "Seats at the table."),
    "decks": ("1, 2", "Packs of 52 cards."),
    "hand_size": ("1 and more", "Cards dealt to each seat; `None` deals 10, 7, 7, 6, 6 to 2 … 6."),
    "ace": ("`'low'`, `'high_or_low'`", "Whether queen-king-ace is a sequence besides ace-2-3."),
    "melds_per_turn": ("1 to 17, `None`", "Melds that one turn may lay down; `None`: any number."),
    "lay_off": ("`True`, `False`", "Whether cards may be added to melds on the table."),
    "final_discard": ("`True`, `False`", "Whether the last card of a hand must be discarded."),
    "restock": (
        "`'shuffle_keep_top'`, `'shuffle_all'`, `'turn_over'`",
        "What becomes of the discard pile when the stock is empty.",
    ),
    "going_rummy": ("`True`, `False`", "Whether emptying the hand in one turn doubles the score."),
    "wildcards": ("0 to 3", "WILDs in the pack; 3 to 7 with `sequences_rummy=True`."),
    "leftover": (
        "`'at_most_one'`, `'none'`, `'exactly_one'`",
        "Cards of a finished hand that are in no meld.",
    ),
    "four_sevens": ("`True`, `False`", "Whether the sevens of all suits win at once."),
    "sequences_rummy": ("`True`, `False`", "Whether all melds are sequences, one without WILDs."),
    "group_card": ("`True`, `False`", "Whether GROUP is in the pack."),
    "sequence_card": ("`True`, `False`", "Whether SEQUENCE is in the pack."),
    "no_meld_card": ("`True`, `False`", "Whether NO_MELD is in the pack."),
    "cant_go_out_card": (
        "`True`, `False`",
        "Whether CANT_GO_OUT is in the pack; `None`: not under the going-out variation.",
    ),
    "going_out_variation": ("`True`, `False`", "Whether an empty stock is renewed."),
    "three_card_draw": ("`True`, `False`", "Whether two cards may follow the top discard."),
    "spread_out_discards": (
        "`True`, `False`",
        "Whether any discard may be taken, with those above.",
    ),
    "stock_estimate": ("`'coarse'`, `'exact'`", "How well players know the size of the stock."),
    "pile_recall": ("`True`, `False`", "Whether players remember the covered discards."),
    "num_ranks": ("3 to 13", "Ranks of the pack, from the ace up."),
    "num_suits": ("1 to 4", "Suits of the pack."),
    "knock_card": ("0 to 1000", "The most deadwood with which one may knock."),
    "oklahoma": ("`True`, `False`", "Whether the first upcard's points are that limit instead."),
    "gin_bonus": ("0 to 1000", "Points for going gin."),
    "big_gin_bonus": ("0 to 1000", "Points for going big gin."),
    "preset": (
        "`'standard'`, `'openspiel'`, `'eaai'`, `'rlcard'`",
        "What the options marked `None` are; see [Presets](#presets).",
    ),
    "undercut_bonus": ("0 to 1000", "Points for an undercut."),
    "undercut_on_tie": ("`True`, `False`", "Whether equal deadwood is an undercut."),
    "discard_taken_upcard": ("`True`, `False`", "Whether the card just taken may be thrown back."),
    "big_gin": ("`True`, `False`", "Whether eleven cards in melds are more than gin."),
    "wall": ("`'void'`, `'knock'`", "What happens when two cards are left in the stock."),
    "match": ("`'hand'`, `'match'`", "Whether an episode is one hand or a match."),
    "target": ("1 and more", "Points that win a match."),
    "deals": ("1 and more", "Hands of a match without a target."),
    "max_hands": ("1 and more", "Hands after which a match without a winner is cut off."),
    "reward": ("`'points'`, `'zero_sum'`, `'win'`", "What is paid; see [Rewards](#rewards)."),
    "max_turns": ("1 and more", "Turns after which a hand is cut off."),
}
"""For each option the values that it takes, and what it means."""

OPTIONS_OF: dict[str, dict[str, tuple[str, str]]] = {
    "going_out": {
        "num_players": ("2 to 10", "Seats at the table."),
        "hand_size": ("2 to 10", "Cards dealt to each seat; `None`: seven, or as many as allowed."),
    },
    "rummy_cards": {
        "num_players": ("2 to 6", "Seats at the table; 3 to 7 under the going-out variation."),
    },
    "gin": {
        "num_players": ("2", "Seats at the table."),
        "hand_size": ("2 to 10", "Cards dealt to each seat."),
        "lay_off": (
            "`'auto'`, `'manual'`, `'none'`",
            "Whether cards are laid off after a knock, and who arranges the hands.",
        ),
    },
}
"""The same where a variant has other values."""

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
}
"""The same where a variant has other values."""


def table(head: str, rows: Iterable[Iterable[object]]) -> str:
    """A Markdown table; the columns of its head are parted by strokes."""
    columns = [column.strip() for column in head.split("|")]
    lines = [columns, ["---"] * len(columns), *([str(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def span(start: int, count: int) -> str:
    """The first and the last of some numbers: `"2 to 66"`."""
    return str(start) if count == 1 else f"{start} to {start + count - 1}"


def options_table(name: str) -> str:
    """Every option of a variant with its values, its default and its meaning."""
    usual, match = rummy_env.rules(name), rummy_env.rules(name, match="match")
    rows = []
    for option, parameter in inspect.signature(rummy_env.VARIANTS[name]).parameters.items():
        values, meaning = OPTIONS_OF.get(name, {}).get(option, OPTIONS[option])
        default = f"`{parameter.default!r}`"
        if getattr(match, option) != getattr(usual, option) and option != "match":
            unless = " without `deals`" if "deals" in dict(usual.options) else ""
            default += f" ({getattr(match, option)} in a match{unless})"
        rows.append((f"`{option}`", values, default, meaning))
    return table("option | values | default | meaning", rows)


def actions_table(name: str) -> str:
    """The blocks of actions of a variant under its default options."""
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
    return table("actions | kind | cards, first … last | meaning", rows)


def observation_table(name: str) -> str:
    """The parts of an observation under the default options."""
    layout = observer(rummy_env.rules(name)).layout()
    return table(
        "entries | name | an entry is 1 if",
        [(span(start, width), f"`{part}`", meaning) for part, start, width, meaning in layout],
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
    return table("option | actions | entries | adds | leaves out", [defaults, *rows])


TABLES: dict[str, Callable[[str], str]] = {
    "options": options_table,
    "actions": actions_table,
    "observation": observation_table,
    "sizes": sizes_table,
}


def filled(page: str, name: str) -> str:
    """A page with all its tables as the code has them now.

    Raises:
        ValueError: If the page lacks the place of a table.
    """
    for mark, make in TABLES.items():
        place = re.compile(f"(<!-- {mark} -->).*(<!-- /{mark} -->)", re.DOTALL)
        if not place.search(page):
            raise ValueError(f"the page of {name} has no <!-- {mark} --> … <!-- /{mark} -->")
        page = place.sub(rf"\1\n\n{make(name)}\n\n\2", page)
    return page


def main() -> None:
    """Rewrites the pages of all variants."""
    for name in rummy_env.VARIANTS:
        path = PAGES / f"{name}.md"
        page = path.read_text(encoding="utf-8")
        new = filled(page, name)
        print(f"{path.name}: {'unchanged' if new == page else 'rewritten'}")
        path.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main()
