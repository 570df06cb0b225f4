"""The values and meaning of every option, for checks, docs and help texts.

The defaults are those of the functions in the catalogue; texts are Markdown.
"""

import re
from collections.abc import Mapping
from typing import Any

from rummy_env.core.checks import check_choice, check_flag
from rummy_env.core.rules import MOST
from rummy_env.importing import is_import_string
from rummy_env.melds.declaration import LEFTOVERS
from rummy_env.parts.restocking import RESTOCKS
from rummy_env.parts.rewards import REWARDS
from rummy_env.variants.presets import PRESETS

FLAG = (True, False)
UP_TO_MOST = f"1 to {MOST}"
Values = tuple[Any, ...] | str
"""`FLAG` or the allowed words; for numbers a description, since the variants check their ranges."""

OPTIONS: dict[str, tuple[Values, str]] = {
    "num_players": ("2 to 6", "Seats at the table."),
    "decks": ("1, 2", "Decks of 52 cards in the pack."),
    "hand_size": ("2 and more", "Cards dealt to each seat; `None`: 10, 7, 7, 6, 6 for 2 … 6."),
    "ace": (("low", "high_or_low"), "Whether queen-king-ace is a sequence besides ace-2-3."),
    "melds_per_turn": ("1 to 17, `None`", "Melds that one turn may lay down; `None`: any number."),
    "lay_off": (FLAG, "Whether cards may be added to melds on the table."),
    "final_discard": (FLAG, "Whether the last card of a hand must be discarded."),
    "restock": (
        tuple(RESTOCKS),
        "What becomes of the discard pile when the stock is empty.",
    ),
    "going_rummy": (FLAG, "Whether emptying the hand in one turn doubles the score."),
    "wildcards": ("0 to 3", "WILDs in the pack; 3 to 7 with `sequences_rummy=True`."),
    "leftover": (
        tuple(LEFTOVERS),
        "Cards of a finished hand that are in no meld.",
    ),
    "four_sevens": (FLAG, "Whether the sevens of all suits win at once."),
    "sequences_rummy": (FLAG, "Whether all melds are sequences, one without WILDs."),
    "group_card": (FLAG, "Whether GROUP is in the pack."),
    "sequence_card": (FLAG, "Whether SEQUENCE is in the pack."),
    "no_meld_card": (FLAG, "Whether NO_MELD is in the pack."),
    "cant_go_out_card": (
        FLAG,
        "Whether CANT_GO_OUT is in the pack; `None`: not under the going-out variation.",
    ),
    "going_out_variation": (FLAG, "Whether an empty stock is renewed."),
    "three_card_draw": (FLAG, "Whether two cards may follow the top discard."),
    "spread_out_discards": (FLAG, "Whether any discard may be taken, with those above."),
    "stock_estimate": (("coarse", "exact"), "How well players know the size of the stock."),
    "pile_recall": (FLAG, "Whether players remember the covered discards."),
    "num_ranks": ("3 to 13", "Ranks of the pack, from the ace up."),
    "num_suits": ("1 to 4", "Suits of the pack."),
    "knock_card": (
        "0 to 1000",
        "The most deadwood with which one may knock; `None`: 10, or as `oklahoma` says.",
    ),
    "free_top": (FLAG, "Whether the top discard, taken alone, need not be used."),
    "oklahoma": (FLAG, "Whether the first upcard's points are that limit instead."),
    "gin_bonus": ("0 to 1000", "Points for going gin."),
    "big_gin_bonus": ("0 to 1000", "Points for going big gin."),
    "preset": (
        tuple(PRESETS),
        "What the options marked `None` are; see [Presets](#presets).",
    ),
    "undercut_bonus": ("0 to 1000", "Points for an undercut."),
    "undercut_on_tie": (FLAG, "Whether equal deadwood is an undercut."),
    "discard_taken_upcard": (FLAG, "Whether the card just taken may be thrown back."),
    "big_gin": (FLAG, "Whether eleven cards in melds are more than gin."),
    "wall": (("void", "knock"), "What happens when two cards are left in the stock."),
    "match": (("hand", "match"), "Whether an episode is one hand or a match."),
    "target": (UP_TO_MOST, "Points that win a match."),
    "deals": (UP_TO_MOST, "Hands of a match without a target."),
    "max_hands": (UP_TO_MOST, "Hands after which a match without a winner is cut off."),
    "reward": (tuple(REWARDS), "What is paid; see [Rewards](#rewards)."),
    "max_turns": (UP_TO_MOST, "Turns after which a hand is cut off."),
}
"""The values and meaning of each option."""

OPTIONS_OF: dict[str, dict[str, tuple[Values, str]]] = {
    "going_out": {
        "num_players": ("2 to 10", "Seats at the table."),
        "hand_size": ("2 to 10", "Cards dealt to each seat; `None`: seven, or as many as allowed."),
    },
    "rummy_cards": {
        "num_players": ("2 to 6", "Seats at the table; 3 to 7 under the going-out variation."),
    },
    "rummy500": {
        "num_players": ("2 to 5", "Seats at the table."),
        "hand_size": ("1 and more", "Cards dealt to each seat; `None`: 13, 7, 7, 6 for 2 … 5."),
    },
    "gin": {
        "num_players": ("2", "Seats at the table."),
        "hand_size": ("2 to 10", "Cards dealt to each seat."),
        "lay_off": (
            ("auto", "manual", "none"),
            "Whether cards are laid off after a knock, and who arranges the hands.",
        ),
    },
}
"""The options for which a variant has other values."""


def entry(variant: str, option: str) -> tuple[Values, str]:
    """Return what `OPTIONS` or `OPTIONS_OF` say of an option; empty texts for a user's own."""
    if is_import_string(variant):
        return "", ""
    return OPTIONS_OF.get(variant, {}).get(option, OPTIONS.get(option, ("", "")))


def describe(variant: str, option: str) -> tuple[str, str]:
    """Return the values and meaning of an option; empty texts for a variant of the user's own."""
    values, meaning = entry(variant, option)
    return values if isinstance(values, str) else ", ".join(f"`{v!r}`" for v in values), meaning


def check_words(variant: str, options: Mapping[str, Any]) -> None:
    """Refuse words that are not listed, and flags that are neither True nor False.

    Raises:
        ValueError: Naming the option, the value and what may be given.
    """
    for option, value in options.items():
        values, _ = entry(variant, option)
        if values == FLAG:
            check_flag(option, value)
        elif isinstance(values, tuple):
            check_choice(option, value, values)


def filled(options: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """Replace options that are None by their defaults, where they have any."""
    return {name: defaults.get(name) if value is None else value for name, value in options.items()}


def plain(text: str) -> str:
    """Strip the Markdown from one of these texts, for a terminal; links to a page are removed."""
    return re.sub(r"; see \[.*?\)|`'?|'?`", "", text)
