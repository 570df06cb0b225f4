"""What cards of `rummy500` are worth, how a hand is scored and when an episode is over.

Source: rules.md sections 2, 7 and 9.
"""

from collections.abc import Collection, Mapping, Sequence

from tests.reference.cards import Cards, is_group, rank_of
from tests.reference.ending import COURT_VALUES, Outcome, rewards_for_winning
from tests.reference.rummy500_options import Rummy500Options

VALUES: Mapping[str, int] = {**COURT_VALUES, "A": 15}
"""Points of each rank letter, laid or in hand. Source: rules.md section 9, "Values"."""

LOW_ACE = 1
"""Points of an ace that is laid as the low end of a sequence, instead of 15."""


def value_in_meld(card: str, meld: Cards) -> int:
    """What a card counts that lies in a meld; an ace at the low end of a sequence counts 1.

    Source: rules.md section 9, "Values".
    """
    low = rank_of(card) == "A" and not is_group(meld) and meld[0] == card
    return LOW_ACE if low else VALUES[rank_of(card)]


def points_of_play(cards: Cards, melds: Collection[Cards]) -> int:
    """What the cards of one play count for the player who has laid them.

    Args:
        cards: The cards melded, or the one laid off.
        melds: The melds on the table after the play.
    """
    (meld,) = (meld for meld in melds if cards[0] in meld)
    return sum(value_in_meld(card, meld) for card in cards)


def hand_scores(laid: Sequence[int], hands: Sequence[Collection[str]]) -> list[int]:
    """The points that each seat has laid, less the value of the cards it holds.

    Source: rules.md section 9, "Score of a hand".
    """
    held = [sum(VALUES[rank_of(card)] for card in hand) for hand in hands]
    return [points - less for points, less in zip(laid, held, strict=True)]


def most(points: Sequence[int]) -> list[int]:
    """The seats that have the most points."""
    return [seat for seat, own in enumerate(points) if own == max(points)]


def outcome(
    options: Rummy500Options,
    scores: Sequence[int],
    *,
    hand_scored: Sequence[int] | None,
    hands_played: int,
) -> Outcome:
    """Whether the episode ends with the hand just played, and who has won it.

    A match to a target is played on while several have the most points; after the last deal they
    share the win.

    Args:
        options: The options of the game.
        scores: The points of each seat in the match, this hand's among them.
        hand_scored: The points of each seat in this hand; None if it was truncated.
        hands_played: Hands played so far, this one among them.

    Source: rules.md sections 2 and 9, "Match".
    """
    if options.match == "hand":
        winners = [] if hand_scored is None else most(hand_scored)
        return Outcome(bool(winners), not winners, winners)
    leaders = most(scores)
    reached_target = options.target is not None and max(scores) >= options.target
    reached_deals = options.deals is not None and hands_played >= options.deals
    if reached_deals or (reached_target and len(leaders) == 1):
        return Outcome(True, False, leaders)
    has_limit = options.target is not None and options.max_hands is not None
    broken_off = has_limit and hands_played >= (options.max_hands or 0)
    return Outcome(False, broken_off, [])


def rewards_of(
    options: Rummy500Options, hand_scored: Sequence[int] | None, winners: Collection[int]
) -> list[float]:
    """The rewards of a hand that has just ended, by the option `reward`.

    Args:
        options: The options of the game.
        hand_scored: The points of each seat in this hand; None if it was truncated.
        winners: Who has won the episode, if it is over.

    Source: rules.md sections 7 and 9, "Rewards".
    """
    if options.reward == "win":
        return rewards_for_winning(options.num_players, winners)
    if hand_scored is None:
        return [0.0] * options.num_players
    if options.reward == "points":
        return [float(own) for own in hand_scored]
    total, others = sum(hand_scored), options.num_players - 1
    return [(own - (total - own) / others) / options.reward_scale for own in hand_scored]
