"""The options of `rummy500`, checked and typed.

Source: rules.md sections 2, 7 and 9.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Self

from tests.reference.cards import ACE_HIGH_OR_LOW, ACE_LOW, PACK
from tests.reference.options import (
    _choice,
    _positive,
    _truth,
    _whole,
    _whole_or_none,
    check_match,
    check_names,
)


@dataclass(frozen=True, kw_only=True)
class Rummy500Options:
    """Every option with the value it has; nothing is filled in except the absent match options.

    Attributes:
        num_players: Seats at the table, 2 to 5.
        hand_size: Cards dealt to each seat.
        ace: "low" or "high_or_low".
        final_discard: Whether the last card of a hand must be discarded.
        free_top: Whether the top discard, taken alone, need not be used in the turn.
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
    final_discard: bool
    free_top: bool
    max_turns: int
    match: str
    target: int | None
    deals: int | None
    max_hands: int | None
    reward: str
    reward_scale: float

    @property
    def lay_off(self) -> bool:
        """Cards may be added to melds on the table; that is no choice here."""
        return True

    @property
    def melds_per_turn(self) -> None:
        """A turn may lay down any number of melds; that is no choice either."""
        return None

    @classmethod
    def from_mapping(cls, options: Mapping[str, object]) -> Self:
        """Check a mapping of options.

        Raises:
            ValueError: If an option is missing, unknown or has a value outside of what is allowed.
        """
        check_names(options, {field.name for field in fields(cls)})
        made = cls(
            num_players=_whole(options, "num_players", least=2, most=5),
            hand_size=_whole(options, "hand_size", least=1, most=len(PACK)),
            ace=_choice(options, "ace", ACE_LOW, ACE_HIGH_OR_LOW),
            final_discard=_truth(options, "final_discard"),
            free_top=_truth(options, "free_top"),
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
        """Refuse a deal after which nobody could draw from the stock, and an endless match."""
        if self.num_players * self.hand_size + 2 > len(PACK):
            raise ValueError(
                f"hand_size={self.hand_size} for num_players={self.num_players}, the card turned "
                f"up and one for the stock are more than the {len(PACK)} cards of the pack"
            )
        if self.match == "match":
            check_match(self.target, self.deals, self.max_hands)
