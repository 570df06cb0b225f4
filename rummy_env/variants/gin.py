"""Gin, the two-player game in which a hand ends by knocking."""

from collections.abc import Mapping
from typing import Any

from rummy_env.core.cards import NUM_RANKS, SUITS, Pack
from rummy_env.core.checks import check_range
from rummy_env.core.part import Move, Restock
from rummy_env.core.rules import END_HAND, END_TURN, Phase, Rules
from rummy_env.parts.discarding import Discard
from rummy_env.parts.drawing import DrawStock
from rummy_env.parts.gin_points import GinPoints
from rummy_env.parts.knocking import (
    MOST_POINTS,
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
from rummy_env.parts.rewards import REWARDS
from rummy_env.variants.matches import DEFAULT_MAX_TURNS, fill_match, points_match
from rummy_env.variants.options import check_words, filled
from rummy_env.variants.presets import PRESETS

NEVER_ENDS = -1
"""The wall where no number of cards left in the stock ends a hand."""

SCORED = ("lay_off", "gin_bonus", "big_gin_bonus", "undercut_bonus", "undercut_on_tie")
"""The options of the scoring."""

MATCH_TARGET = 100
SMALLEST_HAND = 2
KNOCK_CARD = 10


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
    return Rules(
        name="gin",
        options=tuple(options.items()),
        pack=Pack(num_ranks=num_ranks, num_suits=num_suits),
        num_players=num_players,
        hand_size=hand_size,
        first_discard=True,
        turn=_turn(options, limit, restocking),
        restocking=restocking,
        endings=(UpcardReturned(),) if options["discard_taken_upcard"] else (),
        scoring=GinPoints(limit, **{name: options[name] for name in SCORED}),
        episode=points_match(options),
        rewards=REWARDS[reward],
        max_turns=max_turns,
    )


def _turn(options: Mapping[str, Any], limit: KnockLimit, restocking: Restock) -> tuple[Phase, ...]:
    """Return the phases of a turn and after a knock. Source: docs/rules/gin.md#the-turn."""
    manual, returned = options["lay_off"] == "manual", options["discard_taken_upcard"]
    take, passing = DrawUpcard(), Pass(limit)
    discard = (CountedDiscard if returned else Discard)(Pack(), return_taken=returned)
    big_gin, size = options["big_gin"], options["hand_size"]
    knock = Knock(limit, size, manual=manual, return_taken=returned, big_gin=big_gin)
    after_knock = "lay_down" if manual else END_HAND
    at_wall: dict[Move, str] = {knock: after_knock, passing: END_HAND}
    wall = Phase("wall", at_wall, when=AtWall(), otherwise="draw")
    last_turns = [wall] if options["wall"] == "knock" else []
    draw = Phase("draw", {DrawStock(restocking): "play", take: "play"})
    first = Phase(
        "first_upcard",
        {take: "play", passing: END_TURN},
        when=AtFirstUpcard(),
        otherwise=(*last_turns, draw)[0].name,
    )
    play = Phase("play", {knock: after_knock, discard: END_TURN})
    laying_down = _phases_after_knock(options, limit, passing) if manual else ()
    return first, *last_turns, draw, play, *laying_down


def _phases_after_knock(
    options: Mapping[str, Any], limit: KnockLimit, passing: Pass
) -> tuple[Phase, ...]:
    """The phases after a knock where cards go one by one. Source: docs/rules/gin.md#laying-down."""
    rules = LayingDown(return_taken=options["discard_taken_upcard"])
    melds: tuple[Move, ...] = LayDownGroup(rules, limit), LayDownSequence(rules, limit)
    lay_offs: tuple[Move, ...] = LayOffGroup(rules), LayOffSequence(rules)
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
    """Check the options and fill in defaults. Source: docs/rules/gin.md#options."""
    check_words("gin", {"preset": given["preset"]})
    options = filled(given, PRESETS[given["preset"]])
    check_range("num_players", options["num_players"], 2, 2)
    check_range("hand_size", options["hand_size"], SMALLEST_HAND, 10)
    check_range("num_ranks", options["num_ranks"], 3, NUM_RANKS)
    check_range("num_suits", options["num_suits"], 1, len(SUITS))
    check_words("gin", options)
    if not options["oklahoma"]:
        options = filled(options, {"knock_card": KNOCK_CARD})
        check_range("knock_card", options["knock_card"], 0, MOST_POINTS)
    if options["big_gin"] and options["lay_off"] == "manual":
        raise ValueError(
            "big_gin=True contradicts lay_off='manual': whoever lays down all cards one by one has "
            "discarded before; give lay_off='auto' or 'none', or big_gin=False"
        )
    _check_pack(options)
    _check_winnable(options)
    return fill_match(options, MATCH_TARGET)


def _check_winnable(options: Mapping[str, Any]) -> None:
    """Refuse hands that are never little enough to knock with."""
    if options["big_gin"] or options["oklahoma"]:
        return
    fewest = 0
    if options["hand_size"] == SMALLEST_HAND:  # two aces, or an ace and a two
        fewest = 2 if options["num_suits"] > 1 else 3
    elif options["hand_size"] == 5 and options["num_ranks"] < 5:  # a meld of four, and an ace
        fewest = 1
    if options["knock_card"] < fewest:
        raise ValueError(
            f"knock_card={options['knock_card']} with hand_size={options['hand_size']}: nobody "
            f"could ever knock; give knock_card at least {fewest}, or another hand_size"
        )


def _check_pack(options: Mapping[str, Any]) -> None:
    """Refuse packs too small for two hands, the upcard, the wall and a card to draw."""
    cards, needed = options["num_ranks"] * options["num_suits"], 2 * options["hand_size"] + WALL + 2
    if cards < needed:
        most = (cards - WALL - 2) // 2
        smaller = f", or hand_size at most {most}" if most >= SMALLEST_HAND else ""
        raise ValueError(
            f"num_ranks={options['num_ranks']} and num_suits={options['num_suits']} make {cards} "
            f"cards; hand_size={options['hand_size']} needs {needed}: give a larger pack{smaller}"
        )
