"""What an observation says where hands end by knocking: deadwood, now and after each discard."""

from functools import cached_property

import numpy as np

from rummy_env.core.bits import WORD_BITS, ZERO, Bools, Words
from rummy_env.core.cards import NO_CARD, NUM_REGULAR
from rummy_env.core.rules import Rules
from rummy_env.core.state import CODE_BIT
from rummy_env.core.visibility import SeatView
from rummy_env.melds.deadwood import NOT_HELD, Points, deadwood, deadwood_after
from rummy_env.melds.near_melds import near, of_rank
from rummy_env.melds.patterns import completing, fits_groups, in_melds
from rummy_env.parts.knocking import Knock, UpcardReturned
from rummy_env.views.encoding import Gauge, Numbers, Plane, at_least, one_or_none

DEADWOOD_LEVELS = (*range(1, 11), 12, 14, 17, 20, 24, 28, 33, 40, 50, 60)
GAIN_LEVELS = (1, 2, 3, 4, 5, 6, 8, 10, 15, 20)
NEARLY_LEAST = (3, 6)
"""Discards that leave up to so many points more than the best one are told as well."""


class KnockersHand:
    """What the viewers' hands are worth; `view.once(KnockersHand)` makes one for each view.

    Before a draw it is as if the top discard were taken, so that any other card can be discarded.

    Attributes:
        hand: uint64[N], the cards.
        drawn: bool[N], whether a card has been drawn.
        open: bool[N], whether there are discards to think of: not after a knock, nor before a draw
            where the discard pile is empty.
    """

    def __init__(self, view: SeatView) -> None:
        self.hand: Words = view.hand[:, 0]
        self.drawn: Bools = view.hand_sizes[:, 0] > view.rules.hand_size
        self.open: Bools = (view.claim == 0) & (self.drawn | (view.top != NO_CARD))
        self._knock = _knock(view.rules)
        self._upcard, self._top, self._taken = view.upcard, view.top, view.taken

    @cached_property
    def limit(self) -> Points:
        """int16[N], the most deadwood with which one may knock."""
        return self._knock.limit.of(self._upcard)

    @cached_property
    def _after_all(self) -> Points:
        """int16[N, 52], the least deadwood after each discard, also of the top discard itself."""
        return deadwood_after(self.hand | np.where(self.drawn, ZERO, CODE_BIT.take(self._top)))

    @cached_property
    def after(self) -> Points:
        """int16[N, 64], the least deadwood after each discard; `NOT_HELD` where there is none."""
        after = np.full((len(self.hand), WORD_BITS), NOT_HELD)
        after[:, :NUM_REGULAR] = self._after_all
        barred = np.where(self.drawn, self._taken, self._top)
        if self._knock.return_taken:
            barred[self.drawn] = NO_CARD
        rows = (barred != NO_CARD).nonzero()[0]
        after[rows, barred[rows]] = NOT_HELD
        after[~self.open] = NOT_HELD
        return after

    @cached_property
    def least(self) -> Points:
        """int16[N], the least deadwood after a discard; `NOT_HELD` where there is none."""
        least = self.after
        while least.shape[1] > 1:  # many times faster than `min` along a short axis
            half = least.shape[1] // 2
            least = np.minimum(least[:, :half], least[:, half:])
        return least[:, 0]

    @cached_property
    def deadwood(self) -> Points:
        """int16[N], the least deadwood of the hand; with a card drawn, after the best discard."""
        code = np.minimum(self._top, NUM_REGULAR - 1)
        now = np.where(self.drawn, self.least, self._after_all[np.arange(len(code)), code])
        others = (~self.open).nonzero()[0]
        now[others] = deadwood(self.hand[others])
        return now

    @cached_property
    def gain(self) -> Points:
        """int16[N], points by which the top discard lowers the deadwood; 0 with a card drawn."""
        gain: Points = (self.deadwood - self.least) * (self.open & ~self.drawn)
        return np.maximum(gain, 0)

    def leaving(self, most: Points) -> Words:
        """uint64[N], the discards that leave at most so much deadwood, int16[N]."""
        enough = self.after <= np.minimum(most, NOT_HELD - 1)[:, None]
        octets = np.packbits(enough.reshape(-1), bitorder="little")
        return octets.view("<u8").astype(np.uint64, copy=False)


def _knock(rules: Rules) -> Knock:
    return next(move for move in rules.moves() if isinstance(move, Knock))


def knocking_planes() -> tuple[Plane, ...]:
    """The sets of cards that matter to those who may knock."""
    discards = "discarding it, if need be after taking the top discard, leaves"

    def within(more: int) -> Plane:
        def cards(view: SeatView) -> Words:
            mine = view.once(KnockersHand)
            return mine.leaving(mine.least + np.int16(more))

        meaning = f"{discards} the least deadwood, or at most {more} points more"
        return Plane(f"least_{more}", meaning, cards)

    return (
        Plane("upcard", "the deal turned it up", lambda v: CODE_BIT.take(v.upcard)),
        Plane("meldable", "it is in a meld that you hold", _meldable),
        Plane("close", "you hold it and another of its suit at most two away", _close),
        Plane("paired", "you hold it and another of its rank", _paired),
        Plane("wanted", "it would make a meld with two of your cards", _wanted),
        Plane(
            "feeding", "seat +1 is known to hold one of its rank, or one as close to it", _feeding
        ),
        Plane("gin", f"{discards} no deadwood", _gin),
        Plane("knock", f"{discards} little enough deadwood to knock", _little),
        Plane("least", f"{discards} the least deadwood", _least),
        *map(within, NEARLY_LEAST),
    )


def knocking_gauges(rules: Rules) -> tuple[Gauge, ...]:
    """The quantities that matter to those who may knock; nothing in other rules."""
    knocks = [move for move in rules.moves() if isinstance(move, Knock)]
    if not knocks:
        return ()
    own = "least deadwood of your hand, with a card drawn after the best discard"
    gain = "points by which the top discard would lower it"
    gauges = [
        Gauge(
            "deadwood", f"{own}, at least {DEADWOOD_LEVELS}", _deadwood, at_least(DEADWOOD_LEVELS)
        ),
        Gauge("gain", f"{gain}, at least {GAIN_LEVELS}", _gain, at_least(GAIN_LEVELS)),
        Gauge("passes", "passes in the hand, at least 1, 2", lambda v: v.passes, at_least([1, 2])),
        Gauge("knocked", "who knocked, from you", lambda v: v.claimant + 1, one_or_none(2)),
    ]
    if knocks[0].limit.oklahoma:
        limit = "the most deadwood with which one may knock, at least 1, 2 ..."
        gauges.append(Gauge("limit", limit, _limit, at_least(range(1, 11))))
    if any(isinstance(ending, UpcardReturned) for ending in rules.endings):
        back = "the last turn put the card taken back on the pile"
        gauges.append(Gauge("put_back", back, lambda v: v.returns, at_least([1])))
    return tuple(gauges)


def _meldable(view: SeatView) -> Words:
    return in_melds(view.hand[:, 0], ace_high=False)


def _close(view: SeatView) -> Words:
    return view.hand[:, 0] & near(view.hand[:, 0], ace_high=False)


def _paired(view: SeatView) -> Words:
    return view.hand[:, 0] & of_rank(view.hand, 2)


def _wanted(view: SeatView) -> Words:
    return completing(view.hand[:, 0], ace_high=False)


def _feeding(view: SeatView) -> Words:
    known = view.known[:, 1, 0]
    return (near(known, ace_high=False) | fits_groups(known)) & ~known


def _gin(view: SeatView) -> Words:
    return view.once(KnockersHand).leaving(np.zeros(len(view), np.int16))


def _little(view: SeatView) -> Words:
    mine = view.once(KnockersHand)
    return mine.leaving(mine.limit)


def _least(view: SeatView) -> Words:
    mine = view.once(KnockersHand)
    return mine.leaving(mine.least)


def _deadwood(view: SeatView) -> Numbers:
    return view.once(KnockersHand).deadwood


def _gain(view: SeatView) -> Numbers:
    return view.once(KnockersHand).gain


def _limit(view: SeatView) -> Numbers:
    return view.once(KnockersHand).limit
