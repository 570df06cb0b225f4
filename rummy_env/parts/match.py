"""What an episode is: one hand, or hands up to a target or a number."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rummy_env.core.bits import Bools, Rows
from rummy_env.core.checks import check_range
from rummy_env.core.rules import Match
from rummy_env.core.state import State

MAX_HANDS = 1_000_000


def _pass_deal(state: State, rows: Rows) -> npt.NDArray[np.int8]:
    return ((state.dealer[rows] + 1) % state.num_players).astype(np.int8)


@dataclass(frozen=True)
class SingleHand(Match):
    """An episode is one hand."""

    def decided(self, state: State, rows: Rows, *, cut_off: bool) -> Bools:
        return np.full(len(rows), not cut_off)

    def stopped(self, state: State, rows: Rows, *, cut_off: bool) -> Bools:
        return np.full(len(rows), cut_off)

    def winners(self, state: State, rows: Rows, last_hand: Bools) -> Bools:
        return last_hand

    def next_dealer(self, state: State, rows: Rows, last_hand: Bools) -> npt.NDArray[np.int8]:
        return _pass_deal(state, rows)


class _Hands(Match):
    """An episode is several hands, the deal passing clockwise; most points win.

    Source: docs/rules/basic.md#a-match
    """

    def winners(self, state: State, rows: Rows, last_hand: Bools) -> Bools:
        scores = state.scores[rows]
        return np.asarray(scores == scores.max(axis=1, keepdims=True))

    def next_dealer(self, state: State, rows: Rows, last_hand: Bools) -> npt.NDArray[np.int8]:
        return _pass_deal(state, rows)


@dataclass(frozen=True)
class ToTarget(_Hands):
    """The first to reach the target wins.

    Attributes:
        target: Points.
        max_hands: Hands after which an undecided match is cut off.
    """

    target: int
    max_hands: int

    def __post_init__(self) -> None:
        check_range("target", self.target, 1, MAX_HANDS)
        check_range("max_hands", self.max_hands, 1, MAX_HANDS)

    def decided(self, state: State, rows: Rows, *, cut_off: bool) -> Bools:
        return np.asarray((state.scores[rows] >= self.target).any(axis=1))

    def stopped(self, state: State, rows: Rows, *, cut_off: bool) -> Bools:
        return np.asarray(state.hand_number[rows] + 1 >= self.max_hands)


@dataclass(frozen=True)
class OfDeals(_Hands):
    """The most points after a number of hands win; a tie is shared.

    Attributes:
        deals: Hands of the match.
    """

    deals: int

    def __post_init__(self) -> None:
        check_range("deals", self.deals, 1, MAX_HANDS)

    def decided(self, state: State, rows: Rows, *, cut_off: bool) -> Bools:
        return np.asarray(state.hand_number[rows] + 1 >= self.deals)

    def stopped(self, state: State, rows: Rows, *, cut_off: bool) -> Bools:
        return np.zeros(len(rows), np.bool_)
