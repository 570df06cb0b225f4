"""Rummy 500: melds score for the player who lays them down, and the discard pile lies open."""

from typing import Any

from rummy_env.core.cards import Pack
from rummy_env.core.checks import check_range
from rummy_env.core.part import Move
from rummy_env.core.rules import END_TURN, Phase, Rules, Sight
from rummy_env.parts.drawing import DrawStock
from rummy_env.parts.endings import EmptiedHand
from rummy_env.parts.open_pile import (
    DiscardOnceUsed,
    GroupForPoints,
    LaidPoints,
    OnGroupForPoints,
    OnSequenceForPoints,
    SequenceForPoints,
    TakeToUse,
    UsingMelding,
)
from rummy_env.parts.restocking import HandEnds
from rummy_env.parts.rewards import REWARDS
from rummy_env.parts.scoring import CardValues
from rummy_env.variants.matches import DEFAULT_MAX_TURNS, fill_match, points_match
from rummy_env.variants.options import check_words, filled

VALUES = CardValues((15, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10))
"""Ace 15, two to ten their number, court cards 10. Source: docs/rules/rummy500.md#score"""
HAND_SIZES = {2: 13, 3: 7, 4: 7, 5: 6}
MATCH_TARGET = 500


def rummy500(
    *,
    num_players: int = 2,
    hand_size: int | None = None,
    ace: str = "high_or_low",
    final_discard: bool = False,
    free_top: bool = True,
    match: str = "hand",
    target: int | None = None,
    deals: int | None = None,
    max_hands: int | None = None,
    reward: str = "zero_sum",
    max_turns: int = DEFAULT_MAX_TURNS,
) -> Rules:
    """Rummy 500: laid cards score for who lays them; any card of the open pile can be taken.

    Source: docs/rules/rummy500.md
    """
    options = _check_options(locals())
    melding = UsingMelding(
        ace_high=ace == "high_or_low",
        melds_per_turn=None,
        lay_off=True,
        final_discard=final_discard,
    )
    restock = HandEnds()
    kinds = GroupForPoints, SequenceForPoints, OnGroupForPoints, OnSequenceForPoints
    plays: dict[Move, str] = dict.fromkeys((kind(melding, VALUES) for kind in kinds), "play")
    take = TakeToUse(Pack(), melding=melding, free_top=free_top)
    return Rules(
        name="rummy500",
        options=tuple(options.items()),
        pack=Pack(),
        num_players=num_players,
        hand_size=options["hand_size"],
        first_discard=True,
        turn=(
            Phase("draw", {DrawStock(restock): "play", take: "play"}),
            Phase("play", {**plays, DiscardOnceUsed(Pack(), melding=melding): END_TURN}),
        ),
        restocking=restock,
        endings=(EmptiedHand(),),
        scoring=LaidPoints(VALUES),
        episode=points_match(options, plays_on=True),
        rewards=REWARDS[reward],
        max_turns=max_turns,
        sight=Sight(pile_spread=True),
    )


def _check_options(given: dict[str, Any]) -> dict[str, Any]:
    """Check the options and fill in defaults. Source: docs/rules/rummy500.md#options."""
    check_range("num_players", given["num_players"], 2, 5)
    check_words("rummy500", given)
    options = filled(given, {"hand_size": HAND_SIZES[given["num_players"]]})
    return fill_match(options, MATCH_TARGET)
