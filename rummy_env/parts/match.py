"""Episodes: one hand, or a match to a target, of a number of deals, or to game points."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from rummy_env.core.arrays import Array, Bools, Int32s, Rows
from rummy_env.core.checks import check_flag, check_range
from rummy_env.core.features import FLAG, Feature, Scalar, of_seat, steps
from rummy_env.core.part import Episode
from rummy_env.core.rules import MOST, Rules
from rummy_env.core.state import State
from rummy_env.core.visibility import SeatView

SCORE_SHARES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
"""The shares of the points that usually win a match at which scores are observed."""
SHARES = (0.05, *SCORE_SHARES)
"""The shares of the maximum number of hands at which the hands played are observed."""


def leaders(scores: Int32s) -> Bools:
    """Return which seats have the most points, bool[R, P]."""
    return scores == scores.max(axis=1, keepdims=True)


@dataclass(frozen=True)
class SingleHand(Episode):
    """An episode is one hand."""

    single = True

    def decided(self, state: State, rows: Rows, *, cut_off: bool) -> Bools:
        return np.full(len(rows), not cut_off)

    def stopped(self, state: State, rows: Rows, *, cut_off: bool) -> Bools:
        return np.full(len(rows), cut_off)

    def winners(self, state: State, rows: Rows, last_hand: Bools) -> Bools:
        return last_hand


def standing(
    rules: Rules, hands: int, thresholds: Sequence[float], meaning: str
) -> Sequence[Feature]:
    """Return scalars of a match: points of the seats by thresholds, hands played by shares."""

    def score(seat: int) -> Callable[[SeatView], Array]:
        return lambda view: np.maximum(view.scores.T[seat], 0)

    shares = [share * hands for share in SHARES]
    return [
        *(
            steps(f"score_{seat}", f"points of seat +{seat}, {meaning}", score(seat), thresholds)
            for seat in range(rules.num_players)
        ),
        steps("hands", f"hands played, shares of {hands}", lambda v: v.hand_number, shares),
    ]


class _Hands(Episode):
    """An episode of several hands, won by the most points; by default, the deal passes clockwise.

    Source: docs/rules/basic.md#a-match
    """

    @staticmethod
    def _tenths(rules: Rules, hands: int, full: int) -> Sequence[Feature]:
        """Return the standing in tenths of `full`, the points that usually win the match."""
        tenths = [share * full for share in SCORE_SHARES]
        return standing(rules, hands, tenths, f"steps of a tenth of {full}")

    def winners(self, state: State, rows: Rows, last_hand: Bools) -> Bools:
        return leaders(state.scores[rows])


@dataclass(frozen=True)
class _UpToTarget(_Hands):
    """An episode up to a target; an undecided match is cut off after `max_hands`."""

    target: int
    max_hands: int

    @property
    @abstractmethod
    def plays_on(self) -> bool:
        """True if seats tied for the lead at the target play on until one leads."""

    def __post_init__(self) -> None:
        check_range("target", self.target, 1, MOST)
        check_range("max_hands", self.max_hands, 1, MOST)

    def decided(self, state: State, rows: Rows, *, cut_off: bool) -> Bools:
        scores = state.scores[rows]
        reached: Bools = scores.max(axis=1) >= self.target
        return reached & (leaders(scores).sum(axis=1) == 1) if self.plays_on else reached

    def stopped(self, state: State, rows: Rows, *, cut_off: bool) -> Bools:
        return state.hand_number[rows] + 1 >= self.max_hands


@dataclass(frozen=True)
class ToTarget(_UpToTarget):
    """The first to have so many points wins; an undecided match is cut off after `max_hands`.

    With `plays_on`, seats tied for the lead at the target play on until one leads.
    """

    plays_on: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_flag("plays_on", self.plays_on)

    def features(self, rules: Rules) -> Sequence[Feature]:
        return self._tenths(rules, self.max_hands, self.target)


@dataclass(frozen=True)
class OfDeals(_Hands):
    """The most points after `deals` hands win; a tie is a shared win."""

    deals: int

    def __post_init__(self) -> None:
        check_range("deals", self.deals, 1, MOST)

    def features(self, rules: Rules) -> Sequence[Feature]:
        return self._tenths(rules, self.deals, round(self.deals * rules.scoring.zero_sum_scale / 2))

    def decided(self, state: State, rows: Rows, *, cut_off: bool) -> Bools:
        return state.hand_number[rows] + 1 >= self.deals

    def stopped(self, state: State, rows: Rows, *, cut_off: bool) -> Bools:
        return np.zeros(len(rows), np.bool_)


@dataclass(frozen=True)
class GamePoints(_UpToTarget):
    """The first to win a number of hands wins; a hand may have several winners.

    Attributes:
        target: Hands to win.
        max_hands: Hands after which an undecided match is cut off.
        winner_first: True if the winner of a hand plays first in the next; otherwise the first
            player moves clockwise, except after a hand that was cut off.
        sends_out: True if seats tied for the lead at the target play on alone until one leads;
            otherwise they win together.

    Source: docs/rules/going_out.md#a-match, docs/rules/rummy_cards.md#a-match
    """

    winner_first: bool
    sends_out: bool

    def __post_init__(self) -> None:
        super().__post_init__()
        check_flag("winner_first", self.winner_first)
        check_flag("sends_out", self.sends_out)

    @property
    def plays_on(self) -> bool:
        return self.sends_out

    def features(self, rules: Rules) -> Sequence[Feature]:
        scores = range(1, self.target + 1)
        found = [*standing(rules, self.max_hands, scores, "at least 1, 2 ...")]
        for seat in range(rules.num_players) if self.sends_out else ():
            out = f"seat +{seat} sits this hand out"
            found.append(Scalar(f"out_{seat}", out, of_seat("sits_out", seat), FLAG))
        return found

    def seat_next(self, state: State, rows: Rows, last_hand: Bools, *, cut_off: bool) -> None:
        first = state.next_seat(rows, state.dealer[rows])
        scores = state.scores[rows]
        tied = self.sends_out & (scores.max(axis=1, keepdims=True) >= self.target)
        state.sits_out[rows] = tied & ~leaders(scores)
        if self.winner_first:
            first = np.where(last_hand.any(axis=1), last_hand.argmax(axis=1).astype(np.int8), first)
        elif not cut_off:
            first = state.next_seat(rows, first)
        state.dealer[rows] = state.next_seat(rows, first, -1)
