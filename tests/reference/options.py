"""The options of a table-meld game, checked and typed.

Source: rules.md sections 1 to 4 and 7.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Self

from tests.reference.cards import ACE_HIGH_OR_LOW, ACE_LOW, PACK

SHUFFLE_KEEP_TOP = "shuffle_keep_top"
SHUFFLE_ALL = "shuffle_all"
TURN_OVER = "turn_over"

ONLY_IN_A_MATCH = {"target", "deals", "max_hands"}


@dataclass(frozen=True, kw_only=True)
class TableOptions:
    """Every option with the value it has; nothing is filled in except the absent match options.

    Attributes:
        num_players: Seats at the table, 2 to 6.
        hand_size: Cards dealt to each seat.
        ace: "low" or "high_or_low".
        melds_per_turn: Most melds that one turn may lay down; None for any number.
        lay_off: Whether cards may be added to melds on the table.
        final_discard: Whether the last card of a hand must be discarded.
        restock: What happens to the discard pile when the stock is empty.
        going_rummy: Whether emptying the hand in one turn doubles the score.
        max_turns: Turns after which a hand ends without a winner.
        match: "hand" (an episode is one hand) or "match".
        target: Points that decide a match, or None.
        deals: Hands that decide a match, or None.
        max_hands: Hands after which an undecided match with a target is truncated.
        reward: "points", "zero_sum" or "win".
        reward_scale: What the rewards of "zero_sum" are divided by.
    """

    num_players: int
    hand_size: int
    ace: str
    melds_per_turn: int | None
    lay_off: bool
    final_discard: bool
    restock: str
    going_rummy: bool
    max_turns: int
    match: str
    target: int | None
    deals: int | None
    max_hands: int | None
    reward: str
    reward_scale: float

    @classmethod
    def from_mapping(cls, options: Mapping[str, object]) -> Self:
        """Check a mapping of options.

        Raises:
            ValueError: If an option is missing, unknown or has a value outside of what is allowed.
        """
        check_names(options, {field.name for field in fields(cls)})
        made = cls(
            num_players=_whole(options, "num_players", least=2, most=6),
            hand_size=_whole(options, "hand_size", least=1, most=len(PACK)),
            ace=_choice(options, "ace", ACE_LOW, ACE_HIGH_OR_LOW),
            melds_per_turn=_whole_or_none(options, "melds_per_turn"),
            lay_off=_truth(options, "lay_off"),
            final_discard=_truth(options, "final_discard"),
            restock=_choice(options, "restock", SHUFFLE_KEEP_TOP, SHUFFLE_ALL, TURN_OVER),
            going_rummy=_truth(options, "going_rummy"),
            max_turns=_whole(options, "max_turns", least=1),
            match=_choice(options, "match", "hand", "match"),
            target=_whole_or_none(options, "target"),
            deals=_whole_or_none(options, "deals"),
            max_hands=_whole_or_none(options, "max_hands"),
            reward=_choice(options, "reward", "points", "zero_sum", "win"),
            reward_scale=_positive(options, "reward_scale"),
        )
        made._check_together()
        return made

    def _check_together(self) -> None:
        if self.num_players * self.hand_size + 1 > len(PACK):
            raise ValueError(
                f"hand_size={self.hand_size} for num_players={self.num_players} and the card "
                f"turned up are more than the {len(PACK)} cards of the pack"
            )
        if self.match == "match":
            check_match(self.target, self.deals, self.max_hands)


def check_names(options: Mapping[str, object], known: set[str]) -> None:
    """Raise ValueError where an option is missing or unknown; those of a match may be absent."""
    unknown = sorted(set(options) - known)
    missing = sorted(known - ONLY_IN_A_MATCH - set(options))
    if unknown or missing:
        raise ValueError(f"unknown options {unknown}, missing options {missing}")


def check_match(target: int | None, deals: int | None, max_hands: int | None) -> None:
    """Raise ValueError where nothing would bring a match to its end."""
    if target is None and deals is None:
        raise ValueError("match='match' needs target or deals, both are None")
    if target is not None and max_hands is None:
        raise ValueError(f"a match with target={target} needs max_hands, not None")


def _whole(options: Mapping[str, object], name: str, *, least: int, most: int | None = None) -> int:
    value = options[name]
    if type(value) is not int:  # True is an int to isinstance
        raise ValueError(f"{name}={value!r} is not a whole number")
    if value < least or (most is not None and value > most):
        raise ValueError(f"{name}={value} is outside of {least} to {most}")
    return value


def _whole_or_none(options: Mapping[str, object], name: str) -> int | None:
    return None if options.get(name) is None else _whole(options, name, least=1)


def _truth(options: Mapping[str, object], name: str) -> bool:
    value = options[name]
    if value is not True and value is not False:
        raise ValueError(f"{name}={value!r} is neither True nor False")
    return value is True


def _choice(options: Mapping[str, object], name: str, *allowed: str) -> str:
    value = options[name]
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(f"{name}={value!r} is not one of {', '.join(allowed)}")
    return value


def _positive(options: Mapping[str, object], name: str) -> float:
    value = options[name]
    if not isinstance(value, int | float) or isinstance(value, bool) or not value > 0:
        raise ValueError(f"{name}={value!r} is not a number above 0")
    return float(value)
