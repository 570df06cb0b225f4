"""How a hand of gin ends: knocking, gin, laying melds down and laying off, the points of it."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rummy_env.core.bits import BIT, ZERO, Bools, Rows, Words, bit_index, lowest
from rummy_env.core.cards import NUM_REGULAR, Pack, regular_text
from rummy_env.core.rules import Action, Condition, Ending, Move, Result, Scoring
from rummy_env.core.state import CODE_BIT, State
from rummy_env.core.turn import Turn
from rummy_env.melds.deadwood import deadwood, knockable, points
from rummy_env.melds.showdown import showdown

KNOCK, GIN, BIG_GIN = 1, 2, 3
"""What `State.claim` says of a hand."""

WALL = 2
"""Cards that are left in the stock. Source: docs/rules/gin.md#the-wall"""

LAY_OFFS = ("auto", "manual", "none")
_GIN_CHOICE = NUM_REGULAR
_CARD_VALUES: npt.NDArray[np.int16] = points(BIT[:NUM_REGULAR])


@dataclass(frozen=True)
class KnockLimit:
    """The most deadwood with which a player may knock.

    Attributes:
        knock_card: Points.
        oklahoma: Whether the first upcard's points are the limit instead; an ace allows gin only.

    Source: docs/rules/gin.md#knocking
    """

    knock_card: int
    oklahoma: bool

    def of(self, upcard: npt.NDArray[np.uint8]) -> npt.NDArray[np.int16]:
        """int16[N], the limits, from the cards that the deals turned up, uint8[N]."""
        if not self.oklahoma:
            return np.full(len(upcard), self.knock_card, np.int16)
        value = _CARD_VALUES.take(np.minimum(upcard, NUM_REGULAR - 1))
        return np.where(value == 1, 0, value).astype(np.int16)


@dataclass(frozen=True)
class AtFirstUpcard(Condition):
    """Whether the card that the deal turned up was refused by everybody so far.

    Source: docs/rules/gin.md#the-first-upcard
    """

    def holds(self, turn: Turn) -> Bools:
        passes = turn.state.passes.take(turn.rows)
        all_passed = passes == turn.state.turn_number.take(turn.rows)
        return np.asarray(all_passed & (passes < turn.state.num_players))


@dataclass(frozen=True)
class AtWall(Condition):
    """Whether only the cards of the wall are left in the stock.

    Source: docs/rules/gin.md#the-wall
    """

    def holds(self, turn: Turn) -> Bools:
        return np.asarray(turn.state.stock_left(turn.rows) <= WALL)


@dataclass(frozen=True)
class ClaimantHasDeadwood(Condition):
    """Whether whoever knocked has cards outside of melds: on gin nothing is laid off.

    Source: docs/rules/gin.md#laying-off
    """

    def holds(self, turn: Turn) -> Bools:
        return np.asarray(_claimed_hands(turn.state, turn.rows) != ZERO)


def _claimed_hands(state: State, rows: Rows) -> Words:
    """uint64[R], the hands of those who knocked."""
    return state.hands[rows, state.claimant[rows], 0]


@dataclass(frozen=True)
class Pass(Move):
    """Refuse the first upcard, let the hand end at the wall, or be done with laying cards down.

    Attributes:
        limit: What a knocker must come down to.

    Source: docs/rules/gin.md#the-first-upcard
    """

    limit: KnockLimit

    def actions(self, pack: Pack) -> tuple[Action, ...]:
        return (Action("pass"),)

    def widths(self, pack: Pack) -> tuple[int, ...]:
        return (1,)

    def legal(self, turn: Turn) -> tuple[Words, ...]:
        enough = points(turn.hand) <= self.limit.of(turn.state.upcard.take(turn.rows))
        return ((enough | ~is_knocker(turn)).astype(np.uint64),)

    def apply(self, turn: Turn, choice: Rows) -> None:
        turn.state.passes[turn.rows] += 1
        after_knock = turn.state.claim.take(turn.rows).nonzero()[0]
        if after_knock.size:
            turn.only(after_knock).show()


def is_knocker(turn: Turn) -> Bools:
    """bool[R], whether the mover has knocked."""
    claimed = turn.state.claim.take(turn.rows) > 0
    return np.asarray(claimed & (turn.state.claimant.take(turn.rows) == turn.seat))


@dataclass(frozen=True)
class Knock(Move):
    """Discard a card and end the hand with little deadwood, or with none.

    Where melds are laid down one by one, whoever lays down all has gin; otherwise gin is an action
    of its own, and knocking is with deadwood.

    Attributes:
        limit: The most deadwood.
        hand_size: Cards of a hand before the draw.
        manual: Whether the melds are then laid down one by one.
        return_taken: Whether the card taken from the discard pile in this turn may be discarded.
        big_gin: Whether a hand without deadwood before the discard is more than gin.

    Source: docs/rules/gin.md#knocking, docs/rules/gin.md#gin
    """

    limit: KnockLimit
    hand_size: int
    manual: bool
    return_taken: bool
    big_gin: bool

    def actions(self, pack: Pack) -> tuple[Action, ...]:
        knocks = tuple(Action("knock", (regular_text(bit),)) for bit in range(NUM_REGULAR))
        return knocks if self.manual else (*knocks, Action("gin"))

    def widths(self, pack: Pack) -> tuple[int, ...]:
        return (NUM_REGULAR,) if self.manual else (NUM_REGULAR, 1)

    def legal(self, turn: Turn) -> tuple[Words, ...]:
        cards, barred = self._cards(turn)
        found = knockable(cards, self.limit.of(turn.state.upcard.take(turn.rows)))
        if self.manual:
            return (found & ~barred,)
        gin = np.zeros(len(cards), np.uint64)
        rows = found.nonzero()[0]
        if rows.size:
            gin[rows] = knockable(cards[rows], np.zeros(rows.size, np.int16))
        has_gin = gin & ~barred != ZERO
        if self.big_gin:
            has_gin |= deadwood(cards) == 0
        return found & ~gin & ~barred, has_gin.astype(np.uint64)

    def _cards(self, turn: Turn) -> tuple[Words, Words]:
        """The mover's cards, at the wall with the upcard, and those that may not be discarded."""
        drawn, barred = turn.hand_size > self.hand_size, turn.taken_held
        if drawn.all():
            return turn.hand, ZERO * barred if self.return_taken else barred
        top = np.where(drawn, ZERO, CODE_BIT.take(turn.state.pile_top(turn.rows)))
        return turn.hand | top, ZERO * barred if self.return_taken else barred | top

    def apply(self, turn: Turn, choice: Rows) -> None:
        cards, barred = self._cards(turn)
        self._take_upcard(turn)
        discard = np.where(choice < NUM_REGULAR, BIT.take(choice % NUM_REGULAR), ZERO)
        claim = np.full(len(choice), KNOCK, np.int8)
        gin = (choice == _GIN_CHOICE).nonzero()[0]
        if gin.size:
            none_left = np.zeros(gin.size, np.int16)
            discard[gin] = lowest(knockable(cards[gin], none_left) & ~barred[gin])
            claim[gin] = GIN
        if self.big_gin:
            big = gin[deadwood(cards[gin]) == 0]
            discard[big], claim[big] = ZERO, BIG_GIN
        self._put_down(turn, discard)
        turn.claim(claim)
        if not self.manual:
            turn.state.known[turn.rows] = turn.state.hands[turn.rows]

    def _take_upcard(self, turn: Turn) -> None:
        """Takes the upcard where nothing was drawn."""
        before = (turn.hand_size <= self.hand_size).nonzero()[0]
        if before.size:
            some = turn.only(before)
            codes = some.state.pop_pile(some.rows)
            some.gain(codes)
            some.state.taken[some.rows] = codes
            turn.hand = turn.hand.copy()
            turn.hand[before] = some.hand

    @staticmethod
    def _put_down(turn: Turn, discard: Words) -> None:
        turn.lose(discard)
        some = discard.nonzero()[0]
        turn.state.discard(turn.rows[some], bit_index(discard[some]).astype(np.uint8))


@dataclass(frozen=True)
class UpcardReturned(Ending):
    """The hand ends when both players in turn have taken the upcard and put it back.

    Attributes:
        hand_size: Cards of a hand at the end of a turn.

    Source: docs/rules/gin.md#the-turn
    """

    hand_size: int

    def ends(self, turn: Turn) -> Bools:
        state, rows = turn.state, turn.rows
        taken = state.taken.take(rows)
        back = (taken == state.pile_top(rows)) & (state.pile_size.take(rows) > 0)
        over = (turn.hand_size <= self.hand_size) & (state.claim.take(rows) == 0)
        before = state.returns.take(rows)
        returns = np.where(over, np.where(back, before + 1, 0), before).astype(np.int8)
        state.returns[rows] = returns
        return np.asarray(returns >= state.num_players)


@dataclass(frozen=True)
class GinPoints(Scoring):
    """The difference of the deadwoods, and the bonuses, to whoever has less.

    Attributes:
        limit: The most deadwood with which one may knock.
        lay_off: `"auto"`, `"manual"` or `"none"`.
        gin_bonus: Points for going gin.
        big_gin_bonus: Points for big gin.
        undercut_bonus: Points for a defender who has no more deadwood than the knocker.
        undercut_on_tie: Whether equal deadwood is an undercut; otherwise nobody scores.
        zero_sum_scale: Points that make a reward of 1.

    Source: docs/rules/gin.md#score
    """

    limit: KnockLimit
    lay_off: str
    gin_bonus: int
    big_gin_bonus: int
    undercut_bonus: int
    undercut_on_tie: bool
    zero_sum_scale: float = 100.0

    def score(self, state: State, rows: Rows) -> Result:
        points_won = np.zeros((len(rows), state.num_players), np.int32)
        claimed = (state.claim[rows] > 0).nonzero()[0]
        if claimed.size:
            winner, worth = self._settle(state, rows[claimed])
            points_won[claimed, winner] = worth
        gains = (points_won - points_won[:, ::-1]).astype(np.float64)
        return Result(points_won > 0, points_won, gains)

    def _settle(self, state: State, rows: Rows) -> tuple[Rows, npt.NDArray[np.int32]]:
        """Who gets how many points of hands that somebody ended: intp[R] and int32[R]."""
        knocker = state.claimant[rows].astype(np.intp)
        mine, theirs, gin = self._deadwood(state, rows)
        lead = (theirs - mine).astype(np.int32)
        bonus = np.where(state.claim[rows] == BIG_GIN, self.big_gin_bonus, self.gin_bonus)
        undercut = ~gin & ((lead < 0) | ((lead == 0) & self.undercut_on_tie))
        worth = np.abs(lead) + np.where(gin, bonus, undercut * self.undercut_bonus)
        return np.where(undercut, 1 - knocker, knocker), worth.astype(np.int32)

    def _deadwood(
        self, state: State, rows: Rows
    ) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int16], Bools]:
        """The knockers' deadwood and their opponents', int16[R], and whether it is gin."""
        knocker = state.claimant[rows].astype(np.intp)
        mine, theirs = state.hands[rows, knocker, 0], state.hands[rows, 1 - knocker, 0]
        if self.lay_off == "manual":
            return points(mine), points(theirs), mine == ZERO
        gin = state.claim[rows] >= GIN
        limit = self.limit.of(state.upcard[rows])
        shown = showdown(mine, theirs, lay_off=~gin & (self.lay_off == "auto"), limit=limit)
        return shown.knocker.deadwood, shown.defender.deadwood, gin
