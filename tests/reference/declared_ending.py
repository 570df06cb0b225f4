"""Who wins a declared hand, when a match is over, and what rewards that brings.

Source: rules.md sections 2, 5.1, 5.2 and 7.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from tests.reference.declared_options import CLOCKWISE, DeclaredOptions
from tests.reference.ending import rewards_for_winning
from tests.reference.special_cards import RUMMY


class HandResult(NamedTuple):
    """How one hand has ended.

    Attributes:
        winners: Seats that get a game point, in order.
        stalemate: Whether it was broken off by `max_turns`.
    """

    winners: list[int]
    stalemate: bool


class Outcome(NamedTuple):
    """Where an episode stands after a hand.

    Attributes:
        terminated: Whether it has come to its end.
        truncated: Whether it has been broken off.
        winners: Seats that have won it.
        playing: Seats that play the next hand; the same as before where there is none.
    """

    terminated: bool
    truncated: bool
    winners: list[int]
    playing: list[int]


def holders_of_rummy(hands: Sequence[Collection[str]]) -> set[int]:
    """The seats that hold a RUMMY card, whatever else they hold.

    Source: rules.md section 5.2.
    """
    return {seat for seat, hand in enumerate(hands) if RUMMY in hand}


def outcome(
    options: DeclaredOptions,
    scores: Sequence[int],
    result: HandResult,
    *,
    playing: list[int],
    hands_played: int,
) -> Outcome:
    """Whether the episode ends with the hand just scored, and who plays on.

    A single hand without a winner is broken off if it is a stalemate, and has come to its end
    if the stock ran out while nobody held a RUMMY card.

    Source: rules.md section 2 (a match), sections 5.1 and 5.2 (stalemate).
    """
    if options.match == "hand":
        return Outcome(not result.stalemate, result.stalemate, result.winners, playing)
    most = max(scores)
    leaders = [seat for seat, score in enumerate(scores) if score == most]
    decided = most >= (options.match_points or 0)
    if decided and (len(leaders) == 1 or not options.tie_break):
        return Outcome(True, False, leaders, playing)
    broken_off = options.max_hands is not None and hands_played >= options.max_hands
    return Outcome(False, broken_off, [], leaders if decided and not broken_off else playing)


def next_first_player(
    options: DeclaredOptions, first_player: int, result: HandResult, playing: Sequence[int]
) -> int:
    """Who plays first in the next hand, among the seats that play it.

    Source: rules.md section 2: after a stalemate the same; in `going_out` the winner, or the
    same where there is none; in `rummy_cards` the next clockwise.
    """
    if result.stalemate:
        return first_player
    if options.first_player_next == CLOCKWISE:
        return left_of(first_player, playing, options.num_players)
    return result.winners[0] if result.winners else first_player


def left_of(seat: int, playing: Sequence[int], num_players: int) -> int:
    """The next seat clockwise among those that play; who sits out gets no turn."""
    seats = [(seat + step) % num_players for step in range(1, num_players + 1)]
    return next(other for other in seats if other in playing)


def right_of(seat: int, playing: Sequence[int], num_players: int) -> int:
    """The next seat anticlockwise among those that play."""
    return next(other for other in playing if left_of(other, playing, num_players) == seat)


def rewards_of(
    options: DeclaredOptions, hand_winners: Sequence[int], winners: list[int], playing: list[int]
) -> list[float]:
    """The rewards of a hand that has just ended, by seat.

    "points": one game point to each winner of the hand. "zero_sum": the same, and the losers
    of the hand pay those points in equal parts; nobody pays or gets anything if all have won.
    "win": when the episode ends its winners share +1 and all others share -1.

    Args:
        options: The options of the game.
        hand_winners: Who has won the hand.
        winners: Who has won the episode; nobody until it ends.
        playing: Who has played the hand.

    Source: rules.md section 7.
    """
    if options.reward == "win":
        return rewards_for_winning(options.num_players, winners)
    rewards = [0.0] * options.num_players
    losers = [seat for seat in playing if seat not in hand_winners]
    if options.reward == "zero_sum" and not losers:
        return rewards
    for seat in hand_winners:
        rewards[seat] = 1.0
    if options.reward == "zero_sum":
        for seat in losers:
            rewards[seat] = -len(hand_winners) / len(losers)
    return rewards
