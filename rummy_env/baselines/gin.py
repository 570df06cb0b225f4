"""Baselines for gin, from that of the EAAI challenge to one that waits for gin.

They differ in their draws, discards and knocks; after a knock all play alike.
"""

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from rummy_env.baselines.explanation import Explanation, weighed
from rummy_env.baselines.gin_moves import GinPlay, GinTurn, dearest_of_least, gin_moves
from rummy_env.core.actions import as_mask, choose
from rummy_env.core.arrays import Bools, Float32s, Float64s, Int16s, Int32s, Rows
from rummy_env.core.bits import ZERO
from rummy_env.core.checks import check_numbers
from rummy_env.core.shuffle import GameRandom
from rummy_env.core.visibility import SeatView
from rummy_env.melds.card_worth import chances_of_next, counts, outs
from rummy_env.melds.discards import NOT_HELD
from rummy_env.melds.patterns import in_melds
from rummy_env.parts.gin_points import GinPoints

FAINT = 1 / 16
"""The weight of a card that is not held beside one that is, in counting outs."""

LAST_TURN = 50
"""Later turns of a player are like this one."""


class Simple(GinPlay):
    """The baseline of the EAAI challenge.

    Takes the top discard only into a meld, discards any card that leaves the least deadwood, and
    knocks at once.
    """

    def takes(self, turn: GinTurn) -> Bools:
        """Take a card that goes into a meld."""
        return fits_a_meld(turn)

    def discards(self, turn: GinTurn, legal: Bools) -> Rows:
        """Discard any card that leaves the least deadwood."""
        left = np.where(legal, turn.after, NOT_HELD)
        return choose(left == left.min(axis=1, keepdims=True), turn.rng.random())


class GinGreed(GinPlay):
    """Lowers its deadwood as far as this card may, and knocks at once."""

    def takes(self, turn: GinTurn) -> Bools:
        """Take any card that lowers the deadwood."""
        return turn.gain() > 0

    def discards(self, turn: GinTurn, legal: Bools) -> Rows:
        """Discard the card that leaves the least deadwood; of equal ones the highest."""
        return dearest_of_least(turn.after, legal)


def fits_a_meld(turn: GinTurn) -> Bools:
    """Return bool[N], True where the top discard would be in a meld if it were taken."""
    return in_melds(turn.cards, ace_high=False) & turn.top != ZERO


@dataclass(frozen=True)
class Weighing(GinPlay):
    """Weighs the deadwood after a discard, the outs that it spoils, and what it gives away.

    The top discard it takes only where a meld with it lowers the deadwood: the opponent sees it
    taken, and a card of the stock may be as good. The defaults were found in duels over duplicate
    deals.

    Attributes:
        out: Points of deadwood that an out is worth in the first turn.
        fading: The factor by which the worth of an out changes from turn to turn.
        danger: Points to pay for the certainty that the opponent melds the discard.
        feared: The least undercut bonus that makes it think before it knocks.
    """

    out: float = 1.4
    fading: float = 0.9
    danger: float = 3.0
    feared: int = 10

    def __post_init__(self) -> None:
        check_numbers(vars(self))

    def takes(self, turn: GinTurn) -> Bools:
        """Take a card if a meld with it lowers the deadwood."""
        return self._saved(turn) > 0

    @staticmethod
    def _saved(turn: GinTurn) -> Int16s:
        """Return int16[N], points by which a meld with the top discard lowers the deadwood."""
        return np.where(fits_a_meld(turn), turn.gain(), np.int16(0))

    def discards(self, turn: GinTurn, legal: Bools) -> Rows:
        """Discard the card that costs least."""
        spoiled, given = self._costs(turn)
        costs = spoiled + given + turn.after.T
        return np.where(legal.T, costs, np.float32(np.inf)).argmin(axis=0)

    def _costs(self, turn: GinTurn) -> tuple[Float32s, Float32s]:
        """float32[52, N] each, points: the outs that a discard spoils, and what it gives away."""
        view = turn.view
        worth = self.out * self.fading ** np.arange(LAST_TURN + 1)
        cards, unseen = counts(turn.cards), counts(view.unseen[:, 0])
        hopes = outs(cards, unseen, faint=FAINT, ace_high=False)
        spoiled = hopes * worth.astype(np.float32).take(own_turn(view))
        return spoiled, chances_of_next(view, ace_high=False) * np.float32(self.danger)

    def knocks(self, turn: GinTurn, left: Int16s) -> Bools:
        """Knock at once where an undercut pays little, otherwise with little enough to be safe."""
        return left <= self._most(turn.view)

    def _most(self, view: SeatView) -> Int16s:
        """Return int16[N], the most deadwood with which it knocks."""
        scoring = view.rules.scoring
        assert isinstance(scoring, GinPoints)
        everything = np.full(len(view), NOT_HELD)
        return everything if scoring.undercut_bonus < self.feared else self.safe(view)

    def explain(self, view: SeatView, mask: Bools, rng: GameRandom) -> Explanation:
        """Return what it weighs, in points; nothing after a knock. See `baselines.explanation`.

        It discards what costs least in all, and knocks with the deadwood of `knocks with` or less.
        """
        moves, mask = gin_moves(view.rules), as_mask(mask, len(view))
        turn = GinTurn(moves, view, mask, rng)
        if mask[0, moves.discards].any() or moves.ending(mask)[0]:
            return Explanation(weights=self._weights_of_discards(turn))
        if moves.drawing(mask)[0]:
            saved = weighed(mask[0], moves.take, self._saved(turn)[0])
            return Explanation(weights={"deadwood saved": saved})
        return Explanation()

    def _weights_of_discards(self, turn: GinTurn) -> dict[str, Float64s]:
        """Return what is weighed of discards and knocks in one game."""
        moves, legal, after = turn.moves, turn.mask[0], turn.after[0]
        left = np.full(len(legal), np.nan)
        left[moves.discards] = left[moves.knocks] = after
        if moves.gin is not None:
            left[moves.gin] = 0
        spoiled, given = self._costs(turn)
        weights = {
            "deadwood left": weighed(legal, slice(None), left),
            "outs lost": weighed(legal, moves.discards, spoiled[:, 0]),
            "helps the opponent": weighed(legal, moves.discards, given[:, 0]),
        }
        if legal[moves.knocks].any():
            most = min(self._most(turn.view)[0], after[legal[moves.knocks]].max())
            weights["knocks with"] = weighed(legal, moves.knocks, most)
        return weights

    @abstractmethod
    def safe(self, view: SeatView) -> Int16s:
        """int16[N], the most deadwood with which to knock where an undercut is to be feared."""


def own_turn(view: SeatView) -> Int32s:
    """int32[N], the turns that the viewers have completed in the hand, at most `LAST_TURN`."""
    return np.minimum(view.turn_number // 2, LAST_TURN)


@dataclass(frozen=True)
class Careful(Weighing):
    """Knocks with less deadwood as the hand goes on and as the opponent is seen to take cards.

    Attributes:
        first: Points with which it knocks in its first turn, if the rules allow.
        decline: Points less in every turn after that.
        taken: Points less for every card that the opponent took and still holds.
    """

    first: float = 10.0
    decline: float = 1.0
    taken: float = 1.0

    def safe(self, view: SeatView) -> Int16s:
        """Return a deadwood that the opponent has hardly reached by now."""
        taken = np.bitwise_count(view.known[:, 1, 0])
        limit = self.first - self.decline * own_turn(view) - self.taken * taken
        return np.maximum(limit, 0).astype(np.int16)


@dataclass(frozen=True)
class Camper(Weighing):
    """Knocks in its first turns; later it waits for gin, and for a knock that it can undercut.

    Attributes:
        early: The number of turns in which it knocks.
    """

    early: int = 4

    def safe(self, view: SeatView) -> Int16s:
        """Everything in early turns, and later nothing."""
        return np.where(own_turn(view) < self.early, NOT_HELD, np.int16(0))
