"""Features of deadwood, now and after each discard, where hands end by knocking."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from rummy_env.core.arrays import Bools, Float32s, Int8s, Int16s, UInt8s, Words
from rummy_env.core.bits import ZERO, flags
from rummy_env.core.cards import NO_CARD, NUM_REGULAR
from rummy_env.core.features import (
    Detail,
    Feature,
    Graded,
    Plane,
    Scalar,
    one_hot_or_none,
    thermometer,
)
from rummy_env.core.lazy import lazy
from rummy_env.core.one_or_many import any_set, places, put, select
from rummy_env.core.rules import Rules
from rummy_env.core.state import CODE_BIT
from rummy_env.core.visibility import SeatView
from rummy_env.melds.card_worth import counts
from rummy_env.melds.deadwood import deadwood
from rummy_env.melds.discards import NOT_HELD, Discards, DiscardsOfOne, discards_of
from rummy_env.melds.patterns import completing, fits_groups, in_melds, near, pairing
from rummy_env.parts.card_worth_features import card_worth_features
from rummy_env.parts.hand_planes import hand_hint, taken_in_sight
from rummy_env.parts.upper_discards import LAST_DISCARDS, upper_discards

DEADWOOD_LEVELS = (*range(1, 11), 12, 14, 17, 20, 24, 28, 33, 40, 50, 60)
GAIN_LEVELS = (1, 2, 3, 4, 5, 6, 8, 10, 15, 20)
NEARLY_LEAST = (3, 6)
"""Points by which a discard may miss the best one; there is a plane for each value."""

MOST_DEADWOOD, DEADWOOD_UNIT = 60, 20
_FAINT = 1 / 16
"""The weight in outs of melds that lack two cards, relative to those that lack one."""

Limit = Callable[[UInt8s], Int16s]
"""From upcards, uint8[N], to the most deadwood with which one may knock, int16[N]."""


class KnockersHand:
    """The deadwood of the viewers' hands; for a view of one game, without the games' axis.

    Before a draw, discards are evaluated as if the top discard had been taken. Whether that card
    can be discarded again is as `return_taken` says.

    Attributes:
        hand: uint64[N], the cards.
        drawn: bool[N], True where a card has been drawn.
        open: bool[N], True where discards are evaluated: not after a knock, nor before a draw
            with an empty discard pile.
    """

    def __init__(self, view: SeatView, *, return_taken: bool) -> None:
        self.hand: Words = view.hand.T[0]
        self.drawn: Bools = view.hand_sizes.T[0] > view.rules.hand_size
        self.open: Bools = (view.claim == 0) & (self.drawn | (view.top != NO_CARD))
        self._top = view.top
        taken = select(self.drawn, CODE_BIT[view.taken], CODE_BIT[view.top])
        self._barred = taken & ZERO if return_taken else taken

    @lazy
    def cards(self) -> Words:
        """The hand, plus the top discard before a draw; uint64[N]."""
        return self.hand | select(self.drawn, ZERO, CODE_BIT[self._top])

    @lazy
    def _discards(self) -> Discards | DiscardsOfOne:
        """What can be discarded, including the top discard."""
        return discards_of(self.cards)

    @lazy
    def after(self) -> Int16s:
        """The least deadwood after each discard, int16[N, 52]; `NOT_HELD` if none."""
        closed = flags(select(self.open, self._barred, ~ZERO), NUM_REGULAR)
        return np.where(closed, NOT_HELD, self._discards.each)

    @lazy
    def least(self) -> Int16s:
        """The least deadwood after any discard, int16[N]; `NOT_HELD` where there is none."""
        return select(self.open, self._discards.least(self._barred), NOT_HELD)

    @lazy
    def deadwood(self) -> Int16s:
        """The hand's least deadwood, int16[N]; after a draw, that after the best discard."""
        top = np.minimum(self._top, NUM_REGULAR - 1)
        now: Int16s = select(self.drawn, self.least, self._discards.after(top))
        closed = ~self.open
        if any_set(closed):
            items = places(closed)
            now = put(now, items, deadwood(self.hand[items]))
        return now

    @lazy
    def gain(self) -> Int16s:
        """Points by which the top discard lowers the deadwood, int16[N]; 0 after a draw."""
        gain: Int16s = (self.deadwood - self.least) * (self.open & ~self.drawn)
        return np.maximum(gain, 0)

    def leaving(self, most: Sequence[Int16s]) -> list[Words]:
        """Return the discards that leave at most `most` deadwood, K int16[N]; K uint64[N]."""
        allowed = select(self.open, ~self._barred, ZERO)
        return [cards & allowed for cards in self._discards.leaving(most)]


def knocking_features(rules: Rules, limit: Limit, *, return_taken: bool) -> Sequence[Feature]:
    """Return the features of rules in which hands end by knocking; see `Knock` for options."""
    hand = partial(KnockersHand, return_taken=return_taken)
    upcard = "the deal turned it up"
    return [
        *upper_discards(LAST_DISCARDS),
        *taken_in_sight(rules),
        Plane("upcard", upcard, lambda v: CODE_BIT[v.upcard]),
        *_hand_planes(),
        *_discard_planes(hand, limit),
        *_quantities(hand),
        Scalar(
            "knocked",
            "who knocked, from you",
            lambda v: v.claimant + 1,
            one_hot_or_none(2),
        ),
        *_graded(hand),
    ]


def _hand_planes() -> Sequence[Plane]:
    """Return the planes that follow from the cards of one hand."""
    feeding = "seat +1 is known to hold one of its rank, or one as close to it"
    fed = partial(Plane, detail=Detail.HINTS)
    return [
        hand_hint("meldable", lambda v: in_melds(v.hand.T[0], ace_high=False)),
        hand_hint("close", lambda v: v.hand.T[0] & near(v.hand.T[0], ace_high=False)),
        hand_hint("paired", lambda v: v.hand.T[0] & pairing(v.hand.T[0])),
        hand_hint("wanted", lambda v: completing(v.hand.T[0], ace_high=False)),
        fed("feeding", feeding, lambda v: _feeding(v.known.T[0, 1])),
    ]


def _discard_planes(hand: Callable[[SeatView], KnockersHand], limit: Limit) -> Sequence[Plane]:
    """Return the planes of discards, by the deadwood that they leave."""
    discards = "discarding it, if need be after taking the top discard, leaves"
    nearly = "the least deadwood, or at most {} points more"

    def leaving(view: SeatView) -> tuple[Words, ...]:
        mine = view.once(hand)
        few = [mine.least + np.int16(more) for more in NEARLY_LEAST]
        knock, least, *others = mine.leaving([limit(view.upcard), mine.least, *few])
        return select(mine.least == 0, least, ZERO), knock, least, *others

    def plane(number: int) -> Callable[[SeatView], Words]:
        return lambda view: view.once(leaving)[number]

    named = {
        "gin": "no deadwood",
        "knock": "little enough deadwood to knock",
        "least": "the least deadwood",
        **{f"least_{more}": nearly.format(more) for more in NEARLY_LEAST},
    }
    return [
        Plane(name, f"{discards} {meaning}", plane(number), detail=Detail.HINTS)
        for number, (name, meaning) in enumerate(named.items())
    ]


def _graded(hand: Callable[[SeatView], KnockersHand]) -> Sequence[Graded]:
    """Return graded features: what every card is worth to the viewer and to the next player."""

    def left(view: SeatView) -> Float32s:
        after = np.minimum(view.once(hand).after, MOST_DEADWOOD)
        return after.T * np.float32(1 / DEADWOOD_UNIT)

    def cards(view: SeatView) -> Int8s:
        return counts(view.once(hand).cards)

    deadwood_left = f"the least deadwood after discarding it, in parts of {DEADWOOD_UNIT}"
    return [
        Graded("after", f"{deadwood_left}, at most {MOST_DEADWOOD}", left),
        *card_worth_features(cards, faint=_FAINT, ace_high=False),
    ]


def _quantities(hand: Callable[[SeatView], KnockersHand]) -> Sequence[Scalar]:
    """Return scalars: the deadwood of the hand, and what the top discard would do to it."""
    own = "least deadwood of your hand, with a card drawn after the best discard"
    gain = "points by which the top discard would lower it"
    own, gain = f"{own}, at least {DEADWOOD_LEVELS}", f"{gain}, at least {GAIN_LEVELS}"
    hint, levels = partial(Scalar, detail=Detail.HINTS), thermometer(DEADWOOD_LEVELS)
    return [
        hint("deadwood", own, lambda v: v.once(hand).deadwood, levels),
        hint("gain", gain, lambda v: v.once(hand).gain, thermometer(GAIN_LEVELS)),
    ]


def _feeding(known: Words) -> Words:
    return (near(known, ace_high=False) | fits_groups(known)) & ~known
