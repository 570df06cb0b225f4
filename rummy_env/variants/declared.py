"""The variants in which a finished hand is shown: `going_out` and `rummy_cards`."""

from collections.abc import Mapping
from typing import Any

from rummy_env.core.cards import Pack
from rummy_env.core.checks import check_flag, check_range
from rummy_env.core.part import Move, Restock
from rummy_env.core.rules import END_HAND, END_TURN, Phase, Rules, Sight
from rummy_env.melds.declaration import (
    CANT_GO_OUT,
    GROUP,
    NO_MELD,
    RUMMY,
    SEQUENCE,
    WILD,
    Declaration,
)
from rummy_env.parts.declaring import FourSevens, GoOut, LayDownRummy, WinsCounted, rummy_set
from rummy_env.parts.discarding import Discard
from rummy_env.parts.drawing import DrawDiscard, DrawStock, ExtraDraw, TakePile, TwoMoreCards
from rummy_env.parts.restocking import HandEnds, ShuffleKeepTop
from rummy_env.parts.rewards import REWARDS
from rummy_env.variants.matches import DEFAULT_MAX_TURNS, fill_match, wins_match
from rummy_env.variants.options import check_words, filled

LARGEST_HANDS = {2: 10, 3: 10, 4: 7, 5: 5, 6: 5, 7: 3, 8: 2, 9: 2, 10: 2}
"""The largest hand for each number of players. Source: docs/rules/going_out.md#players-and-cards"""
USUAL_HAND = 7
RUMMY_CARDS_HAND = 5
NUM_WILDCARDS = 3
UNDISCARDABLE = (NO_MELD, CANT_GO_OUT)


def going_out(
    *,
    num_players: int = 2,
    hand_size: int | None = None,
    wildcards: int = 3,
    leftover: str = "at_most_one",
    four_sevens: bool = False,
    sequences_rummy: bool = False,
    stock_estimate: str = "coarse",
    pile_recall: bool = False,
    match: str = "hand",
    max_hands: int | None = None,
    reward: str = "win",
    max_turns: int = DEFAULT_MAX_TURNS,
) -> Rules:
    """Going out: nothing is laid on the table; whoever shows a finished hand wins.

    Source: docs/rules/going_out.md
    """
    options = _check_going_out(locals())
    declaration = Declaration(
        Pack(1, (WILD,) * wildcards), leftover=leftover, sequences_rummy=sequences_rummy
    )
    wins: dict[Move, str] = {FourSevens(): END_HAND} if four_sevens else {}
    return _declared("going_out", options, declaration, wins, ShuffleKeepTop())


def rummy_cards(
    *,
    num_players: int = 2,
    decks: int = 1,
    group_card: bool = True,
    sequence_card: bool = True,
    no_meld_card: bool = True,
    cant_go_out_card: bool | None = None,
    going_out_variation: bool = False,
    three_card_draw: bool = False,
    four_sevens: bool = False,
    spread_out_discards: bool = False,
    stock_estimate: str = "coarse",
    pile_recall: bool = False,
    match: str = "hand",
    max_hands: int | None = None,
    reward: str = "win",
    max_turns: int = DEFAULT_MAX_TURNS,
) -> Rules:
    """Going out with five cards, and two RUMMY cards whose holders win as well.

    Source: docs/rules/rummy_cards.md
    """
    options = _check_rummy_cards(locals())
    cards = {"group_card": GROUP, "sequence_card": SEQUENCE}
    cards |= {"no_meld_card": NO_MELD, "cant_go_out_card": CANT_GO_OUT}
    included = (card for option, card in cards.items() if options[option])
    declaration = Declaration(Pack(decks, (*[WILD] * NUM_WILDCARDS, RUMMY, RUMMY, *included)))
    wins: dict[Move, str] = {LayDownRummy(rummy_set(declaration.pack)): END_HAND}
    if four_sevens:
        wins[FourSevens()] = END_HAND
    restock = ShuffleKeepTop() if going_out_variation else HandEnds()
    return _declared("rummy_cards", options, declaration, wins, restock)


def _declared(
    name: str,
    options: dict[str, Any],
    declaration: Declaration,
    wins: dict[Move, str],
    restock: Restock,
) -> Rules:
    """Rummy in which a finished hand is shown: draw, go out or discard.

    The `wins` are moves that may win both before and after the draw.
    """
    pack = declaration.pack
    discard = Discard(pack, barred=UNDISCARDABLE, return_taken=True)
    play: dict[Move, str] = {GoOut(declaration): END_HAND, **wins, discard: END_TURN}
    open_pile = options.get("spread_out_discards", False)
    from_pile = TakePile(pack, barred=UNDISCARDABLE) if open_pile else DrawDiscard()
    turn = [Phase("play", play)]
    if options.get("three_card_draw", False):
        more = {ExtraDraw(): "play", **play}
        turn.insert(0, Phase("extra_draw", more, when=TwoMoreCards(), otherwise="play"))
    turn.insert(0, Phase("draw", {DrawStock(restock): "play", from_pile: turn[0].name, **wins}))
    return Rules(
        name=name,
        options=tuple(options.items()),
        pack=pack,
        num_players=options["num_players"],
        hand_size=options.get("hand_size", RUMMY_CARDS_HAND),
        first_discard=False,
        turn=tuple(turn),
        restocking=restock,
        endings=(),
        scoring=WinsCounted(rummy_set(pack)),
        episode=wins_match(options, shared=RUMMY in pack.specials),
        rewards=REWARDS[options["reward"]],
        max_turns=options["max_turns"],
        sight=Sight(
            stock_counted=options["stock_estimate"] == "exact",
            pile_known=options["pile_recall"] or open_pile,
            pile_spread=open_pile,
        ),
    )


def _check_going_out(given: dict[str, Any]) -> dict[str, Any]:
    """Check the options and fill in defaults. Source: docs/rules/going_out.md#options."""
    check_words("going_out", given)
    check_range("num_players", given["num_players"], 2, 10)
    largest = LARGEST_HANDS[given["num_players"]]
    options = filled(given, {"hand_size": min(largest, USUAL_HAND)})
    beside = f"num_players={options['num_players']}"
    check_range("hand_size", options["hand_size"], 2, largest, beside=beside)
    fewest, most = (3, 7) if options["sequences_rummy"] else (0, 3)
    beside = f"sequences_rummy={options['sequences_rummy']}"
    check_range("wildcards", options["wildcards"], fewest, most, beside=beside)
    _check_winnable(options)
    return fill_match(options)


def _check_winnable(options: Mapping[str, Any]) -> None:
    """Refuse hands too small to ever be finished."""
    players = options["num_players"]
    cards = f"hand_size={options['hand_size']} with num_players={players}"
    melded = 6 if options["sequences_rummy"] else 3
    fewest = melded - 1 + (options["leftover"] == "exactly_one")
    if options["hand_size"] < fewest:
        why = "sequences_rummy=True" if options["sequences_rummy"] else "leftover='exactly_one'"
        raise ValueError(
            f"{cards} contradicts {why}: nobody could ever go out; give hand_size at least "
            f"{fewest}{_fewer_players(fewest, players)}, or leave the option out"
        )
    if options["four_sevens"] and options["hand_size"] < 3:
        raise ValueError(
            f"{cards} contradicts four_sevens=True: nobody could ever hold four sevens; give "
            f"hand_size at least 3{_fewer_players(3, players)}, or leave the option out"
        )


def _fewer_players(hand_size: int, num_players: int) -> str:
    """Return the remark that a hand is too large for so many players, or nothing."""
    return ", which fewer players may have" if hand_size > LARGEST_HANDS[num_players] else ""


def _check_rummy_cards(given: dict[str, Any]) -> dict[str, Any]:
    """Check the options and fill in defaults. Source: docs/rules/rummy_cards.md#options."""
    variation = given["going_out_variation"]
    check_flag("going_out_variation", variation)
    options = filled(given, {"cant_go_out_card": not variation})
    check_words("rummy_cards", options)
    fewest, most = (3, 7) if variation else (2, 6)
    beside = f"going_out_variation={variation}"
    check_range("num_players", options["num_players"], fewest, most, beside=beside)
    if variation and options["cant_go_out_card"]:
        raise ValueError(
            "cant_go_out_card=True contradicts going_out_variation=True, which is played without "
            "that card: leave one of them out"
        )
    return fill_match(options)
