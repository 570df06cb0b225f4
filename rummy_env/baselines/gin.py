"""Players of gin, from the baseline of the EAAI challenge to one that waits for gin.

They differ in their draws, discards and knocks; after a knock all play alike.
"""

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rummy_env.baselines.card_worth import Planes, meld_chances, planes
from rummy_env.baselines.gin_moves import GinPlay, GinTurn, dearest_of_least
from rummy_env.core.actions import choose
from rummy_env.core.bits import ZERO, Bools, Rows
from rummy_env.core.rules import Rules
from rummy_env.core.visibility import SeatView
from rummy_env.melds.deadwood import NOT_HELD, Points
from rummy_env.melds.patterns import in_melds
from rummy_env.parts.gin_points import GinPoints

_FAINT = np.float32(1 / 16)
"""The weight of a card that is not held beside one that is, in counting outs."""

LAST_TURN = 50
"""Later turns of a player are like this one."""


class Simple(GinPlay):
    """The baseline of the EAAI challenge.

    Takes the top discard only into a meld, discards any card that leaves the least deadwood, and
    knocks at once.
    """

    def takes(self, turn: GinTurn) -> Bools:
        """Into a meld."""
        return fits_a_meld(turn)

    def discards(self, turn: GinTurn, legal: Bools) -> Rows:
        """Any card that leaves the least."""
        left = np.where(legal, turn.after, NOT_HELD)
        return choose(left == left.min(axis=1, keepdims=True), turn.rng.random())

    def knocks(self, turn: GinTurn, left: Points) -> Bools:
        """At once."""
        return np.ones(len(left), np.bool_)


class GinGreed(GinPlay):
    """Lowers its deadwood as far as this card may, and knocks at once."""

    def takes(self, turn: GinTurn) -> Bools:
        """Any card that lowers the deadwood."""
        return turn.gain() > 0

    def discards(self, turn: GinTurn, legal: Bools) -> Rows:
        """The card that leaves least; of equal ones the highest."""
        return dearest_of_least(turn.after, legal)

    def knocks(self, turn: GinTurn, left: Points) -> Bools:
        """At once."""
        return np.ones(len(left), np.bool_)


def fits_a_meld(turn: GinTurn) -> Bools:
    """bool[N], True where the top discard would be in a meld if it were taken."""
    return np.asarray(in_melds(turn.cards, ace_high=False) & turn.top != ZERO)


@dataclass(frozen=True)
class Weighing(GinPlay):
    """Weighs what a discard leaves, what outs it spoils, and what it gives away.

    The top discard it takes only where a meld with it lowers the deadwood: the opponent sees it
    taken, and a card of the stock may be as good. The defaults were found in duels over duplicate
    deals.

    Attributes:
        out: Points of deadwood that an out is worth in the first turn.
        fading: The worth of an out in any turn, as a part of that in the turn before.
        danger: Points to pay for the certainty that the opponent melds the discard.
        feared: The least bonus for an undercut that makes it think before it knocks.
    """

    out: float = 1.4
    fading: float = 0.9
    danger: float = 3.0
    feared: int = 10

    def takes(self, turn: GinTurn) -> Bools:
        """If a meld with it lowers the deadwood."""
        return fits_a_meld(turn) & (turn.gain() > 0)

    def discards(self, turn: GinTurn, legal: Bools) -> Rows:
        """The card that costs least."""
        view = turn.view
        worth = self.out * self.fading ** np.arange(LAST_TURN + 1)
        costs = outs(turn) * worth.astype(np.float32).take(own_turn(view))
        costs += meldable(view) * np.float32(self.danger)
        costs += turn.after.T
        return np.where(legal.T, costs, np.float32(np.inf)).argmin(axis=0)

    def knocks(self, turn: GinTurn, left: Points) -> Bools:
        """At once where an undercut pays little, otherwise with so little that it is safe."""
        fearless = undercut_bonus(turn.view.rules) < self.feared
        return (left <= self.safe(turn.view)) | fearless

    @abstractmethod
    def safe(self, view: SeatView) -> Points:
        """int16[N], the most deadwood with which to knock where an undercut is to be feared."""


def undercut_bonus(rules: Rules) -> int:
    """Points that an undercut brings besides the difference."""
    assert isinstance(rules.scoring, GinPoints)
    return rules.scoring.undercut_bonus


def own_turn(view: SeatView) -> npt.NDArray[np.int32]:
    """int32[N], the turns that the viewers have completed in the hand, at most `LAST_TURN`."""
    return np.minimum(view.turn_number // 2, LAST_TURN)


def outs(turn: GinTurn) -> Planes:
    """The number of cards that would complete a meld with each card and another of the hand.

    Cards are counted that nobody has seen. Those that lack two cards count a little as well.

    Returns:
        float32[52, N].
    """
    held = planes(turn.cards)
    hoped = held + planes(turn.view.unseen[:, 0]) * _FAINT
    made = meld_chances(hoped, ace_high=False) - meld_chances(held, ace_high=False)
    return made / _FAINT


def meldable(view: SeatView) -> Planes:
    """The odds that the opponent holds the cards that make a meld with each card.

    The opponent holds what it was seen to take; each other card of its hand may be any that nobody
    has seen. Of these there are none among the cards that it threw away or left lying.

    Returns:
        float32[52, N], the expected number of such melds.
    """
    unseen, known = view.unseen[:, 0], view.known[:, 1, 0]
    hidden = view.hand_sizes[:, 1] - np.bitwise_count(known)
    share = (hidden / np.maximum(np.bitwise_count(unseen), 1)).astype(np.float32)
    return meld_chances(planes(unseen) * share + planes(known), ace_high=False)


@dataclass(frozen=True)
class Careful(Weighing):
    """Knocks with ever less as the hand goes on and as the opponent is seen to take cards.

    Attributes:
        first: Points with which it knocks in its first turn, if the rules allow.
        decline: Points less in every turn after that.
        taken: Points less for every card that the opponent took and still holds.
    """

    first: float = 10.0
    decline: float = 1.0
    taken: float = 1.0

    def safe(self, view: SeatView) -> Points:
        """The deadwood that the opponent has hardly come down to by now."""
        taken = np.bitwise_count(view.known[:, 1, 0])
        limit = self.first - self.decline * own_turn(view) - self.taken * taken
        return np.maximum(limit, 0).astype(np.int16)


@dataclass(frozen=True)
class Camper(Weighing):
    """Knocks in its first turns; later it waits for gin, and for a knock that it can undercut.

    Attributes:
        early: In how many turns it knocks.
    """

    early: int = 4

    def safe(self, view: SeatView) -> Points:
        """All that is allowed, and later nothing."""
        return np.where(own_turn(view) < self.early, NOT_HELD, np.int16(0))
