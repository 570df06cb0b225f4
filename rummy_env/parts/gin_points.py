"""Points of a hand of gin, and both hands as shown after a knock."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar

import numpy as np

from rummy_env.core.arrays import Bools, Int16s, Int32s, Rows, UInt8s, Words
from rummy_env.core.bits import ZERO
from rummy_env.core.cards import Pack
from rummy_env.core.checks import check_choice, check_flag, check_range
from rummy_env.core.display import Hand, Note
from rummy_env.core.part import Result, Scoring
from rummy_env.core.rules import Rules
from rummy_env.core.state import State
from rummy_env.core.visibility import SeatView
from rummy_env.melds.deadwood import points
from rummy_env.melds.showdown import Melded, Showdown, best_arrangement, showdown
from rummy_env.parts.endings import CLAIM, CLAIMANT
from rummy_env.parts.held_melds import melds_of
from rummy_env.parts.knocking import BIG_GIN, GIN, KNOCK, MOST_POINTS, WALL, Knock, KnockLimit

_CLAIMS = {KNOCK: "knocked", GIN: "gin", BIG_GIN: "big gin"}


@dataclass(frozen=True)
class GinPoints(Scoring):
    """The seat with less deadwood gets the difference, plus bonuses.

    Attributes:
        limit: The most deadwood with which one may knock.
        lay_off: `"auto"`, `"manual"` or `"none"`.
        gin_bonus: Points for going gin.
        big_gin_bonus: Points for big gin.
        undercut_bonus: Points for a defender who has no more deadwood than the knocker.
        undercut_on_tie: True if equal deadwood is an undercut; otherwise nobody scores.

    Source: docs/rules/gin.md#score
    """

    limit: KnockLimit
    lay_off: str
    gin_bonus: int
    big_gin_bonus: int
    undercut_bonus: int
    undercut_on_tie: bool

    state_fields: ClassVar = (CLAIM, CLAIMANT)

    def __post_init__(self) -> None:
        check_choice("lay_off", self.lay_off, ("auto", "manual", "none"))
        for bonus in ("gin_bonus", "big_gin_bonus", "undercut_bonus"):
            check_range(bonus, getattr(self, bonus), 0, MOST_POINTS)
        check_flag("undercut_on_tie", self.undercut_on_tie)

    def check_rules(self, rules: Rules) -> None:
        if rules.num_players != 2:
            raise ValueError(
                f"num_players={rules.num_players}: the points of gin are those of two players"
            )
        manual = self.lay_off == "manual"
        if any(knock.manual != manual for knock in rules.parts_of(Knock)):
            raise ValueError(
                f"lay_off={self.lay_off!r} beside a knock with manual={not manual}: make the rules "
                f"anew, as rummy_env.rules('gin', lay_off=...) does"
            )

    def score(self, state: State, rows: Rows) -> Result:
        points_won = np.zeros((len(rows), state.num_players), np.int32)
        winners = np.zeros(points_won.shape, np.bool_)
        claimed = (state.claim[rows] > 0).nonzero()[0]
        if claimed.size:
            winner, worth, tied = self._settle(state, rows[claimed])
            points_won[claimed, winner], winners[claimed, winner] = worth, ~tied
        gains = (points_won - points_won[:, ::-1]).astype(np.float64)
        return Result(winners, points_won, gains)

    def _settle(self, state: State, rows: Rows) -> tuple[Rows, Int32s, Bools]:
        """Settle hands ended by a claim.

        Returns:
            The winners, intp[R]; their points, int32[R], which may be 0; and bool[R], True where
            nobody wins: knocks that are matched without being undercut.
        """
        knocker = state.claimant[rows].astype(np.intp)
        hands = state.hands[rows, knocker, 0], state.hands[rows, 1 - knocker, 0]
        mine, theirs, gin = self._deadwood(*hands, state.claim[rows], state.upcard[rows])
        lead = (theirs - mine).astype(np.int32)
        bonus = np.where(state.claim[rows] == BIG_GIN, self.big_gin_bonus, self.gin_bonus)
        undercut = self._undercut(lead, gin)
        worth = np.abs(lead) + np.where(gin, bonus, undercut * self.undercut_bonus)
        tied = ~gin & ~undercut & (lead == 0)
        return np.where(undercut, 1 - knocker, knocker), worth.astype(np.int32), tied

    def _undercut(self, lead: Int32s, gin: Bools) -> Bools:
        """Return True where the defender undercuts a knocker without gin, bool[R]."""
        return ~gin & ((lead < 0) | ((lead == 0) & self.undercut_on_tie))

    def _deadwood(
        self, mine: Words, theirs: Words, claim: Int32s, upcard: UInt8s
    ) -> tuple[Int16s, Int16s, Bools]:
        """Return the deadwood of knockers and opponents, int16[R], and whether it is gin, bool[R].

        All arguments are [R]: both hands, the claims, and the cards that the deals turned up.
        """
        if self.lay_off == "manual":
            return points(mine), points(theirs), mine == ZERO
        shown = self._showdown(mine, theirs, claim, upcard)
        return shown.knocker.deadwood, shown.defender.deadwood, claim >= GIN

    def _showdown(self, mine: Words, theirs: Words, claim: Int32s, upcard: UInt8s) -> Showdown:
        """Return both hands as they are shown; the arguments are those of `_deadwood`."""
        lay_off = (claim < GIN) & (self.lay_off == "auto")
        return showdown(mine, theirs, lay_off=lay_off, limit=self.limit.of(upcard))

    def _went_gin(self, view: SeatView) -> Bools:
        """Return True where the knocker went gin, without the eleventh card, bool[N]."""
        if self.lay_off == "manual":  # nobody says gin: the knocker has laid everything down
            rows = np.arange(len(view))
            return (view.claim > 0) & (view.hand_sizes[rows, view.claimant] == 0)
        return view.claim == GIN

    def how_ended(self, view: SeatView) -> Sequence[str]:
        rows = np.arange(len(view))
        undercut = view.hand_winners.any(axis=1) & ~view.hand_winners[rows, view.claimant]
        met = [view.claim == 0, view.claim == BIG_GIN, self._went_gin(view), undercut]
        return np.select(met, ["void", "big gin", "gin", "undercut"], "knock").tolist()

    def notes(self, view: SeatView) -> Sequence[Note]:
        counted = view.rules.sight.stock_counted
        return [("stock", "the wall")] if counted and view.stock_left[0] <= WALL else ()

    def role(self, view: SeatView, seat: int) -> str:
        if seat != view.claimant[0]:
            return ""
        return _CLAIMS[GIN if self._went_gin(view)[0] else int(view.claim[0])]

    def shown_hand(self, view: SeatView, seat: int, cards: Words) -> Hand | None:
        """Arrange a hand at its best: with the other hand after a knock, or alone if it is open.

        Where melds are laid down one by one, they are already on the table after a knock.
        """
        if view.phase[0] < 0 and view.claim[0] > 0 and self.lay_off != "manual":
            return self._final_hand(view, seat)
        if np.bitwise_count(cards).sum() < view.hand_sizes[0, seat]:
            return None
        return _at_best(view.rules.pack, int(cards[0]))

    def _final_hand(self, view: SeatView, seat: int) -> Hand:
        knocker = int(view.claimant[0])
        mine, theirs = view.known[:, knocker, 0], view.known[:, 1 - knocker, 0]
        shown = self._showdown(mine, theirs, view.claim, view.upcard)
        if seat == knocker:
            return _arranged(view.rules.pack, shown.knocker)
        laid_off = tuple(sorted(view.rules.pack.texts(shown.laid_off)))
        return replace(_arranged(view.rules.pack, shown.defender), laid_off=laid_off)


@lru_cache(maxsize=4096)
def _at_best(pack: Pack, cards: int) -> Hand:
    """Return a hand with its least deadwood; cached, as it is shown again after every move."""
    return _arranged(pack, best_arrangement(np.array([cards], np.uint64)))


def _arranged(pack: Pack, hand: Melded) -> Hand:
    """Return a hand, N = 1, as it is shown."""
    cards = tuple(pack.texts(hand.left))
    return Hand(cards, melds=melds_of(hand), deadwood=int(hand.deadwood[0]))
