"""How a hand is scored, when an episode is over, and what rewards that brings.

Source: rules.md sections 2, 4 and 7.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from tests.reference.cards import rank_of
from tests.reference.options import TableOptions

_COURT_CARDS = {"J": 10, "Q": 10, "K": 10}

BASIC_VALUES: Mapping[str, int] = {"A": 15} | dict.fromkeys("23456789T", 5) | _COURT_CARDS
"""Points of a card left in hand in `basic`. Source: rules.md section 4, seeds/001 "Scoring"."""

COURT_VALUES: Mapping[str, int] = (
    {"A": 1} | {rank: int(rank) for rank in "23456789"} | {"T": 10} | _COURT_CARDS
)
"""Points in `bonus` and `classic`. Source: rules.md section 4, seeds/002, seeds/003 "Scoring"."""

VALUES: Mapping[str, Mapping[str, int]] = {
    "basic": BASIC_VALUES,
    "bonus": COURT_VALUES,
    "classic": COURT_VALUES,
}


class Outcome(NamedTuple):
    """Where an episode stands after a hand.

    Attributes:
        terminated: Whether it has come to its end.
        truncated: Whether it has been broken off.
        winners: Seats that have won it.
    """

    terminated: bool
    truncated: bool
    winners: list[int]


def parts_of(
    hands: Sequence[Collection[str]], values: Mapping[str, int], *, went_rummy: bool
) -> list[int]:
    """What the cards left in each hand are worth to the winner, whose own hand is empty.

    Source: rules.md section 4, "Score" and "Going rummy".
    """
    factor = 2 if went_rummy else 1
    return [factor * sum(values[rank_of(card)] for card in hand) for hand in hands]


def outcome(
    options: TableOptions, scores: Sequence[int], *, hand_winner: int | None, hands_played: int
) -> Outcome:
    """Whether the episode ends with the hand just scored, and who has won it.

    Source: rules.md section 2 (a match) and section 4 (`max_turns`).
    """
    if options.match == "hand":
        winners = [] if hand_winner is None else [hand_winner]
        return Outcome(bool(winners), not winners, winners)
    most = max(scores)
    reached_target = options.target is not None and most >= options.target
    reached_deals = options.deals is not None and hands_played >= options.deals
    if reached_target or reached_deals:
        return Outcome(True, False, [seat for seat, score in enumerate(scores) if score == most])
    has_limit = options.target is not None and options.max_hands is not None
    broken_off = has_limit and hands_played >= (options.max_hands or 0)
    return Outcome(False, broken_off, [])


def rewards_for_points(parts: Sequence[int], winner: int) -> list[float]:
    """The score of the hand to its winner alone.

    Source: rules.md section 7 (`reward="points"`).
    """
    return [float(sum(parts)) if seat == winner else 0.0 for seat in range(len(parts))]


def rewards_of_zero_sum(parts: Sequence[int], winner: int, scale: float) -> list[float]:
    """Each loser pays the own part, the winner gets their sum, all divided by the scale.

    Source: rules.md section 7 (`reward="zero_sum"`).
    """
    return [
        sum(parts) / scale if seat == winner else -part / scale for seat, part in enumerate(parts)
    ]


def rewards_for_winning(num_players: int, winners: Collection[int]) -> list[float]:
    """The winners of an episode share +1, the losers share -1; without winners all is 0.

    Source: rules.md section 7 (`reward="win"`).
    """
    if not winners:
        return [0.0] * num_players
    losers = num_players - len(winners)
    return [1 / len(winners) if seat in winners else -1 / losers for seat in range(num_players)]
