"""The variants in which melds are laid on the table: `basic`, `bonus` and `classic`."""

from typing import Any

from rummy_env.core.cards import NUM_REGULAR, Pack
from rummy_env.core.checks import check_range
from rummy_env.core.part import Move
from rummy_env.core.rules import END_TURN, Phase, Rules
from rummy_env.parts.discarding import Discard
from rummy_env.parts.drawing import DrawDiscard, DrawStock
from rummy_env.parts.endings import EmptiedHand
from rummy_env.parts.melding import LayOffGroup, LayOffSequence, MeldGroup, MeldSequence
from rummy_env.parts.restocking import RESTOCKS
from rummy_env.parts.rewards import REWARDS
from rummy_env.parts.scoring import FIVE_TEN_FIFTEEN, PIP_VALUES, CardsLeft, CardValues
from rummy_env.parts.table_melds import Melding
from rummy_env.variants.matches import DEFAULT_MAX_TURNS, fill_match, points_match
from rummy_env.variants.options import check_words, filled

HAND_SIZES = {2: 10, 3: 7, 4: 7, 5: 6, 6: 6}


def basic(
    *,
    num_players: int = 2,
    hand_size: int | None = None,
    ace: str = "low",
    melds_per_turn: int | None = None,
    lay_off: bool = True,
    final_discard: bool = False,
    restock: str = "shuffle_keep_top",
    going_rummy: bool = False,
    match: str = "hand",
    target: int | None = None,
    deals: int | None = None,
    max_hands: int | None = None,
    reward: str = "zero_sum",
    max_turns: int = DEFAULT_MAX_TURNS,
) -> Rules:
    """Basic rummy: any number of melds a turn, ace 15 points, two to ten 5, court cards 10.

    Source: docs/rules/basic.md
    """
    return _table_melds("basic", FIVE_TEN_FIFTEEN, 500, locals())


def bonus(
    *,
    num_players: int = 2,
    hand_size: int | None = None,
    ace: str = "low",
    melds_per_turn: int | None = 1,
    lay_off: bool = True,
    final_discard: bool = False,
    restock: str = "shuffle_all",
    going_rummy: bool = True,
    match: str = "hand",
    target: int | None = None,
    deals: int | None = None,
    max_hands: int | None = None,
    reward: str = "zero_sum",
    max_turns: int = DEFAULT_MAX_TURNS,
) -> Rules:
    """Rummy with a bonus: one meld a turn; emptying the hand all at once doubles the score.

    Source: docs/rules/bonus.md
    """
    return _table_melds("bonus", PIP_VALUES, 100, locals())


def classic(
    *,
    num_players: int = 2,
    hand_size: int | None = None,
    ace: str = "low",
    melds_per_turn: int | None = 1,
    lay_off: bool = True,
    final_discard: bool = False,
    restock: str = "turn_over",
    going_rummy: bool = False,
    match: str = "hand",
    target: int | None = None,
    deals: int | None = None,
    max_hands: int | None = None,
    reward: str = "zero_sum",
    max_turns: int = DEFAULT_MAX_TURNS,
) -> Rules:
    """Classic rummy: one meld a turn; an exhausted stock is the discard pile turned over.

    Source: docs/rules/classic.md
    """
    return _table_melds("classic", PIP_VALUES, 100, locals())


def _table_melds(name: str, values: CardValues, target: int, given: dict[str, Any]) -> Rules:
    """Rummy in which melds are laid on the table: draw, meld and lay off, discard."""
    options = _check_table_options(name, given, target)
    melding = Melding(
        ace_high=options["ace"] == "high_or_low",
        melds_per_turn=options["melds_per_turn"],
        lay_off=options["lay_off"],
        final_discard=options["final_discard"],
        recalls_plays=options["going_rummy"],
    )
    restock = RESTOCKS[options["restock"]]
    plays: list[Move] = [MeldGroup(melding), MeldSequence(melding)]
    if melding.lay_off:
        plays += [LayOffGroup(melding), LayOffSequence(melding)]
    return Rules(
        name=name,
        options=tuple(options.items()),
        pack=Pack(),
        num_players=options["num_players"],
        hand_size=options["hand_size"],
        first_discard=True,
        turn=(
            Phase("draw", {DrawStock(restock): "play", DrawDiscard(): "play"}),
            Phase("play", {**dict.fromkeys(plays, "play"), Discard(Pack()): END_TURN}),
        ),
        restocking=restock,
        endings=(EmptiedHand(),),
        scoring=CardsLeft(values, going_rummy=options["going_rummy"]),
        episode=points_match(options),
        rewards=REWARDS[options["reward"]],
        max_turns=options["max_turns"],
    )


def _check_table_options(name: str, given: dict[str, Any], target: int) -> dict[str, Any]:
    """Check the options and fill in defaults. Source: docs/rules/basic.md#options."""
    check_range("num_players", given["num_players"], 2, 6)
    check_words(name, given)
    options = filled(given, {"hand_size": HAND_SIZES[given["num_players"]]})
    fewest = 2 + options["final_discard"]  # with fewer, nobody could ever go out
    most = (NUM_REGULAR - 2) // options["num_players"]  # with more, there is no stock
    beside = f"num_players={options['num_players']} and final_discard={options['final_discard']}"
    check_range("hand_size", options["hand_size"], fewest, most, beside=beside)
    return fill_match(options, target)
