"""The catalogue: every variant as a function from options to rules.

To add a variant, write one function here that assembles a `Rules` value from `rummy_env.parts`, and
enter it in `VARIANTS`; every environment, test, table and command follows from the catalogue.
"""

import inspect
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from rummy_env.core.cards import Pack
from rummy_env.core.checks import check_choice, check_flag, check_range
from rummy_env.core.rules import END_TURN, Match, Move, Phase, Restock, Rules
from rummy_env.parts.discarding import Discard
from rummy_env.parts.drawing import DrawDiscard, DrawStock
from rummy_env.parts.endings import EmptiedHand
from rummy_env.parts.match import OfDeals, SingleHand, ToTarget
from rummy_env.parts.melding import (
    LayOffGroup,
    LayOffSequence,
    MeldGroup,
    Melding,
    MeldSequence,
)
from rummy_env.parts.restocking import ShuffleAll, ShuffleKeepTop, TurnOver
from rummy_env.parts.scoring import FIVE_TEN_FIFTEEN, PIP_VALUES, CardsLeft, CardValues

ACES = ("low", "high_or_low")
MATCHES = ("hand", "match")
RESTOCKS: Mapping[str, Restock] = MappingProxyType(
    {
        "shuffle_keep_top": ShuffleKeepTop(),
        "shuffle_all": ShuffleAll(),
        "turn_over": TurnOver(),
    }
)
DEFAULT_MAX_TURNS = 200
DEFAULT_MAX_HANDS = 100


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


VARIANTS: Mapping[str, Callable[..., Rules]] = MappingProxyType(
    {"basic": basic, "bonus": bonus, "classic": classic}
)
"""Every variant by name: functions from keyword options to `Rules`."""


def rules(name: str, **options: Any) -> Rules:
    """The rules of a variant.

    Args:
        name: One of `VARIANTS`.
        **options: The variant's options; what is left out takes the default that its page lists.

    Raises:
        ValueError: If there is no such variant or option, or a value is impossible; the message
            names the value and what would be right.
    """
    check_choice("variant", name, tuple(VARIANTS))
    known = inspect.signature(VARIANTS[name]).parameters
    for option, value in options.items():
        if option not in known:
            raise ValueError(f"{name} has no option {option}={value!r}; it has {', '.join(known)}")
    return VARIANTS[name](**options)


def _table_melds(name: str, values: CardValues, target: int, given: dict[str, Any]) -> Rules:
    """Rummy in which melds are laid on the table: draw, meld and lay off, discard."""
    options = _check_table_options(given, target)
    melding = Melding(
        ace_high=options["ace"] == "high_or_low",
        melds_per_turn=options["melds_per_turn"],
        lay_off=options["lay_off"],
        final_discard=options["final_discard"],
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
            Phase("play", {**dict.fromkeys(plays, "play"), Discard(): END_TURN}),
        ),
        restocking=restock,
        endings=(EmptiedHand(),),
        scoring=CardsLeft(values, going_rummy=options["going_rummy"]),
        episode=_points_match(options),
        reward=options["reward"],
        max_turns=options["max_turns"],
    )


def _check_table_options(given: dict[str, Any], target: int) -> dict[str, Any]:
    """The options, checked, with every default that depends on others filled in.

    Source: docs/rules/basic.md#options
    """
    options = dict(given)
    check_range("num_players", options["num_players"], 2, 6)
    if options["hand_size"] is None:
        options["hand_size"] = {2: 10, 3: 7, 4: 7, 5: 6, 6: 6}[options["num_players"]]
    check_choice("ace", options["ace"], ACES)
    if options["melds_per_turn"] is not None:
        check_range("melds_per_turn", options["melds_per_turn"], 1, 17)
    for flag in ("lay_off", "final_discard", "going_rummy"):
        check_flag(flag, options[flag])
    check_choice("restock", options["restock"], tuple(RESTOCKS))
    return _fill_match_options(options, target)


def _fill_match_options(options: dict[str, Any], target: int) -> dict[str, Any]:
    """The options that say when a match of points ends, checked and filled in.

    Source: docs/rules/basic.md#a-match
    """
    check_choice("match", options["match"], MATCHES)
    names = ("target", "deals", "max_hands")
    set_here = [name for name in names if options[name] is not None]
    if options["match"] == "hand":
        if set_here:
            name = set_here[0]
            raise ValueError(
                f"{name}={options[name]!r} has no effect on a single hand: give match='match' too"
            )
        return options
    if options["deals"] is not None:
        for name in set_here:
            if name != "deals":
                raise ValueError(
                    f"{name}={options[name]!r} contradicts deals={options['deals']!r}: a match "
                    f"ends either at a target or after a number of deals; give one of them"
                )
        return options
    defaults = {"target": target, "max_hands": DEFAULT_MAX_HANDS}
    return {**options, **{n: v for n, v in defaults.items() if options[n] is None}}


def _points_match(options: Mapping[str, Any]) -> Match:
    if options["match"] == "hand":
        return SingleHand()
    if options["deals"] is not None:
        return OfDeals(options["deals"])
    return ToTarget(options["target"], options["max_hands"])
