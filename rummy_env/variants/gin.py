"""Gin, the two-player game in which a hand ends by knocking."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from rummy_env.core.cards import NUM_RANKS, SUITS, Pack
from rummy_env.core.checks import check_choice, check_range
from rummy_env.core.part import Ending, Move, Restock
from rummy_env.core.rules import END_HAND, END_TURN, Phase, Rules
from rummy_env.parts.discarding import Discard
from rummy_env.parts.drawing import DrawStock
from rummy_env.parts.gin_points import GinPoints
from rummy_env.parts.knocking import (
    WALL,
    AtFirstUpcard,
    AtWall,
    ClaimantHasDeadwood,
    CountedDiscard,
    DrawUpcard,
    Knock,
    KnockLimit,
    Pass,
    UpcardReturned,
)
from rummy_env.parts.laying_down import LayDownGroup, LayDownSequence, LayingDown
from rummy_env.parts.melding import LayOffGroup, LayOffSequence
from rummy_env.parts.restocking import HandEnds
from rummy_env.parts.rewards import rewards_by
from rummy_env.variants.matches import DEFAULT_MAX_TURNS, fill_match, points_match
from rummy_env.variants.options import check_words, filled

_STANDARD: Mapping[str, Any] = MappingProxyType(
    {
        "lay_off": "auto",
        "undercut_bonus": 25,
        "undercut_on_tie": True,
        "discard_taken_upcard": False,
        "big_gin": False,
        "wall": "void",
    }
)
PRESETS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "standard": _STANDARD,
        "eaai": _STANDARD,
        "openspiel": {
            **_STANDARD,
            "lay_off": "manual",
            "undercut_on_tie": False,
            "discard_taken_upcard": True,
            "wall": "knock",
        },
        "rlcard": {**_STANDARD, "lay_off": "none", "undercut_bonus": 0, "undercut_on_tie": False},
    }
)
"""Values of options that are not given; the standard ones are those of the EAAI challenge.

Source: docs/rules/gin.md#presets
"""

NEVER_ENDS = -1
"""Cards left in the stock with which a turn ends a hand by itself, where it does not."""

MATCH_TARGET = 100
KNOCK_CARD = 10
MOST_POINTS = 1000


def gin(
    *,
    num_players: int = 2,
    hand_size: int = 10,
    num_ranks: int = NUM_RANKS,
    num_suits: int = len(SUITS),
    knock_card: int | None = None,
    oklahoma: bool = False,
    gin_bonus: int = 25,
    big_gin_bonus: int = 31,
    preset: str = "standard",
    lay_off: str | None = None,
    undercut_bonus: int | None = None,
    undercut_on_tie: bool | None = None,
    discard_taken_upcard: bool | None = None,
    big_gin: bool | None = None,
    wall: str | None = None,
    match: str = "hand",
    target: int | None = None,
    max_hands: int | None = None,
    reward: str = "zero_sum",
    max_turns: int = DEFAULT_MAX_TURNS,
) -> Rules:
    """Gin: knock with little deadwood, or go gin; the opponent lays off and may undercut.

    Source: docs/rules/gin.md
    """
    options = _check_options(locals())
    limit = KnockLimit(options["knock_card"], oklahoma=oklahoma)
    restocking = HandEnds(WALL if options["wall"] == "void" else NEVER_ENDS)
    returned: tuple[Ending, ...] = (UpcardReturned(),)
    return Rules(
        name="gin",
        options=tuple(options.items()),
        pack=Pack(num_ranks=num_ranks, num_suits=num_suits),
        num_players=num_players,
        hand_size=hand_size,
        first_discard=True,
        turn=_turn(options, limit, restocking),
        restocking=restocking,
        endings=returned if options["discard_taken_upcard"] else (),
        scoring=GinPoints(
            limit=limit,
            lay_off=options["lay_off"],
            gin_bonus=gin_bonus,
            big_gin_bonus=big_gin_bonus,
            undercut_bonus=options["undercut_bonus"],
            undercut_on_tie=options["undercut_on_tie"],
        ),
        episode=points_match(options),
        rewards=rewards_by(reward),
        max_turns=max_turns,
    )


def _turn(options: Mapping[str, Any], limit: KnockLimit, restocking: Restock) -> tuple[Phase, ...]:
    """The phases of a turn, and those that follow a knock.

    Source: docs/rules/gin.md#the-turn
    """
    manual, return_taken = options["lay_off"] == "manual", options["discard_taken_upcard"]
    passing = Pass(limit)
    discard = (CountedDiscard if return_taken else Discard)(Pack(), return_taken=return_taken)
    knock = Knock(
        limit,
        options["hand_size"],
        manual=manual,
        return_taken=return_taken,
        big_gin=options["big_gin"],
    )
    take = DrawUpcard()
    after_knock = "lay_down" if manual else END_HAND
    last_turns = options["wall"] == "knock"
    phases = [
        Phase(
            "first_upcard",
            {take: "play", passing: END_TURN},
            when=AtFirstUpcard(),
            otherwise="wall" if last_turns else "draw",
        ),
        Phase("draw", {DrawStock(restocking): "play", take: "play"}),
        Phase("play", {knock: after_knock, discard: END_TURN}),
    ]
    if last_turns:
        at_wall: dict[Move, str] = {knock: after_knock, passing: END_HAND}
        phases.insert(1, Phase("wall", at_wall, when=AtWall(), otherwise="draw"))
    return (*phases, *_phases_after_knock(limit, passing)) if manual else tuple(phases)


def _phases_after_knock(limit: KnockLimit, passing: Pass) -> tuple[Phase, ...]:
    """The phases after a knock where melds and lay-offs are chosen one by one.

    Source: docs/rules/gin.md#laying-down
    """
    laying_down = LayingDown()
    melds: tuple[Move, ...] = (
        LayDownGroup(laying_down, limit),
        LayDownSequence(laying_down, limit),
    )
    lay_offs: tuple[Move, ...] = (LayOffGroup(laying_down), LayOffSequence(laying_down))
    return (
        Phase("lay_down", {**dict.fromkeys(melds, "lay_down"), passing: "lay_off"}),
        Phase(
            "lay_off",
            {**dict.fromkeys(lay_offs, "lay_off"), passing: "defend"},
            when=ClaimantHasDeadwood(),
            otherwise="defend",
            answers=True,
        ),
        Phase("defend", {**dict.fromkeys(melds, "defend"), passing: END_HAND}),
    )


def _check_options(given: dict[str, Any]) -> dict[str, Any]:
    """The options, checked, with every default that depends on others filled in.

    Source: docs/rules/gin.md#options
    """
    check_choice("preset", given["preset"], tuple(PRESETS))
    options = filled(given, PRESETS[given["preset"]])
    check_words("gin", options)
    check_range("num_players", options["num_players"], 2, 2)
    check_range("hand_size", options["hand_size"], 2, 10)
    check_range("num_ranks", options["num_ranks"], 3, NUM_RANKS)
    check_range("num_suits", options["num_suits"], 1, len(SUITS))
    for bonus in ("gin_bonus", "big_gin_bonus", "undercut_bonus"):
        check_range(bonus, options[bonus], 0, MOST_POINTS)
    _check_knock_card(options)
    if options["big_gin"] and options["lay_off"] == "manual":
        raise ValueError(
            "big_gin=True contradicts lay_off='manual': whoever lays down all cards one by one has "
            "discarded before; give lay_off='auto' or 'none', or big_gin=False"
        )
    _check_pack(options)
    return fill_match(options, MATCH_TARGET)


def _check_knock_card(options: dict[str, Any]) -> None:
    """Fills in the limit of a knock, which under `oklahoma` the upcard gives."""
    if options["oklahoma"]:
        if options["knock_card"] is not None:
            raise ValueError(
                f"knock_card={options['knock_card']!r} has no effect with oklahoma=True, where the "
                f"first upcard gives the limit: leave one of them out"
            )
    elif options["knock_card"] is None:
        options["knock_card"] = KNOCK_CARD
    else:
        check_range("knock_card", options["knock_card"], 0, MOST_POINTS)


def _check_pack(options: Mapping[str, Any]) -> None:
    """Refuse packs too small for two hands, the upcard, the wall and a card to draw.

    Raises:
        ValueError: Naming the sizes.
    """
    cards, needed = options["num_ranks"] * options["num_suits"], 2 * options["hand_size"] + WALL + 2
    if cards < needed:
        raise ValueError(
            f"num_ranks={options['num_ranks']} and num_suits={options['num_suits']} make {cards} "
            f"cards; hand_size={options['hand_size']} needs {needed}: give a larger pack, or "
            f"hand_size at most {(cards - WALL - 2) // 2}"
        )
