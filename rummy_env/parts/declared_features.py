"""Features where finished hands are declared: near-melds, and the distance from finished."""

from collections.abc import Sequence
from functools import cached_property, reduce
from operator import add
from typing import Any, NamedTuple

import numpy as np

from rummy_env.core.arrays import Bools, Float32s, Int8s, Rows, Words
from rummy_env.core.bits import ZERO, count_all
from rummy_env.core.cards import NO_CARD, NUM_REGULAR, card_flags
from rummy_env.core.features import FLAG, Detail, Feature, Graded, Plane, Scalar, thermometer
from rummy_env.core.rules import Rules
from rummy_env.core.visibility import SeatView
from rummy_env.melds import patterns
from rummy_env.melds.card_worth import counts
from rummy_env.melds.declaration import Declaration
from rummy_env.melds.hands import Hands
from rummy_env.melds.min_dist import LARGEST_HAND, UNREACHABLE, MinDist, min_dist
from rummy_env.melds.min_dist.discards import DistancesAfter
from rummy_env.parts.card_worth_features import card_worth_features
from rummy_env.parts.hand_planes import hand_hint, held, taken_in_sight
from rummy_env.parts.upper_discards import ALL_DISCARDS, upper_discards

_EIGHT = np.float32(8)
_FAINT = 0.2
"""The weight in outs of melds that lack two cards, relative to those that lack one."""
FARTHEST = 6
"""The largest distance observed; larger ones, and those of hands too large, count as this."""


class _Found(NamedTuple):
    """What the searches tell of hands; of one game, Python numbers."""

    draws: Any  # int8[N]
    with_top: Any  # int8[N], draws with the top discard; `UNREACHABLE` if it cannot be taken now
    least: Any  # uint64[N], discards that leave the least distance; none before a draw


class Distances:
    """Computes the distances of the hands in views; see `melds/min_dist/`."""

    def __init__(self, rules: Rules, declaration: Declaration) -> None:
        """Note the phases in which a card can be discarded."""
        self._declaration = declaration
        self._largest = LARGEST_HAND if rules.takes_several else rules.hand_size + 1
        self._discarding = np.array([*(phase.ends_turn for phase in rules.turn), False])

    @cached_property
    def _min_dist(self) -> MinDist:
        return min_dist(self._declaration, self._largest)

    def draws(self, view: SeatView) -> Int8s:
        """Return the draws needed to finish hands, int8[N]; `UNREACHABLE` for those too large.

        Before a discard, these are the draws after it; otherwise the next draw is one of them.
        """
        return view.once(self._found).draws

    def top_helps(self, view: SeatView) -> Bools:
        """Return bool[N], True where a viewer about to draw is nearer with the top discard."""
        found = view.once(self._found)
        return found.with_top < found.draws

    def least(self, view: SeatView) -> Words:
        """Return the regular cards whose discard leaves the least distance, uint64[N]."""
        return view.once(self._found).least

    def _found(self, view: SeatView) -> _Found:
        return self._of_many(view) if view.phase.ndim else self._of_one(view)

    def _of_one(self, view: SeatView) -> _Found:
        hand, discarding = self._declaration.hand(view.hand), self._to_discard(view)
        if hand.size >= self._largest + discarding:
            return _Found(UNREACHABLE, UNREACHABLE, 0)
        if discarding:
            found = self._min_dist.one(hand)
            return _Found(found.best, UNREACHABLE, found.keeping or hand.faces)
        draws, with_top = self._min_dist.one(hand.with_blank()).best, UNREACHABLE
        if view.to_move == 0 and view.phase >= 0 and view.top != NO_CARD:
            taken = hand.plus(self._declaration.pack, int(view.top))
            with_top = self._min_dist.one(taken).best
        return _Found(draws, with_top, 0)

    def _of_many(self, view: SeatView) -> _Found:
        draws, with_top = (np.full(len(view), UNREACHABLE, np.int8) for _ in range(2))
        least = np.zeros(len(view), np.uint64)
        rows, discards = view.once(self._discards)
        if discards is not None:
            draws[rows], keeping = discards.best, discards.keeping
            least[rows] = np.where(keeping != ZERO, keeping, discards.held)
        small = view.hand_sizes[:, 0] < self._largest
        waiting = (small & ~view.once(self._to_discard)).nonzero()[0]
        if waiting.size:
            may_take = (view.to_move == 0) & (view.phase >= 0) & (view.top != NO_CARD)
            items = may_take[waiting].nonzero()[0]
            hands = self._declaration.hands(view.hand[waiting])
            taken = hands.take(items).plus(self._declaration.pack, view.top[waiting[items]])
            found = self._min_dist.distance(Hands.join([hands.with_blank(), taken]))
            draws[waiting], with_top[waiting[items]] = np.split(found, [len(waiting)])
        return _Found(draws, with_top, least)

    def after_discards(self, view: SeatView) -> Int8s:
        """Return the distance after discarding each regular card that is held, int8[N, 52].

        `UNREACHABLE` elsewhere, and where nothing can be discarded now.
        """
        found = np.full((len(view), NUM_REGULAR), UNREACHABLE, np.int8)
        rows, discards = view.once(self._discards)
        if discards is not None:
            found[rows] = discards.distance()
        return found

    def chances_after(self, view: SeatView) -> Float32s:
        """Return the chance that the next stock card saves a draw, by discard; float32[52, N].

        0 for discards that do not leave the least distance. Wildcards are assumed to save a draw.
        """
        found = np.zeros((len(view), NUM_REGULAR), np.float32)
        rows, discards = view.once(self._discards)
        if discards is not None:
            unseen = view.unseen[rows]
            outs = discards.outs(self._declaration.hands(unseen), discards.keeping)
            count = count_all(unseen).astype(np.int64)
            found[rows] = outs / np.maximum(count, 1)[:, None]
        return found.T

    def _discards(self, view: SeatView) -> tuple[Rows, DistancesAfter | None]:
        """Return the games in which a card is to be discarded, intp[K], and their discards."""
        small = view.hand_sizes[:, 0] <= self._largest
        rows = (view.once(self._to_discard) & small).nonzero()[0]
        if not rows.size:
            return rows, None
        return rows, self._min_dist.discards(self._declaration.hands(view.hand[rows]))

    def nearness(self, view: SeatView) -> Float32s:
        """Return 2 for discards that leave the least distance, 1 for one more; float32[52, N]."""
        far = view.once(self.after_discards)
        more = far - far.min(axis=1, keepdims=True)
        return np.where(far < UNREACHABLE, np.maximum(2 - more, 0), 0).T.astype(np.float32)

    def helps(self, view: SeatView) -> Float32s:
        """Return the number of unseen copies of cards that would save a draw, float32[52, N]."""
        found = np.zeros((len(view), NUM_REGULAR), np.float32)
        drawing = ~view.once(self._to_discard) & (view.phase >= 0)
        rows = (drawing & (view.hand_sizes[:, 0] < self._largest)).nonzero()[0]
        if rows.size:
            _, useful = self._min_dist.draws(self._declaration.hands(view.hand[rows]))
            found[rows] = card_flags(useful.cards) * live_copies(view).T[rows]
        return found.T

    def _to_discard(self, view: SeatView) -> Bools:
        """Return True where the viewer is about to discard a card, or go out; bool[N]."""
        return self._discarding[view.phase] & (view.to_move == 0)


def live_copies(view: SeatView) -> Int8s:
    """Return the copies of each regular card that the viewer has not located, int8[52, N]."""
    return reduce(add, [counts(view.unseen[:, deck]) for deck in range(view.unseen.shape[1])])


def declared_features(rules: Rules, declaration: Declaration) -> Sequence[Feature]:
    """Return the features of rules in which a finished hand is declared."""
    search, levels = Distances(rules, declaration), thermometer(range(1, FARTHEST + 1))
    least = "discarding it, of the regular cards, leaves your hand closest to finished"
    draws = "draws that your hand is short of finished, the next included, at least 1, 2 ..."
    helps = "to draw, you would be nearer with the top discard"
    return [
        *(upper_discards(ALL_DISCARDS) if rules.sight.pile_known else ()),
        *taken_in_sight(rules),
        *_hand_planes(groups=not declaration.sequences_rummy),
        Plane("least", least, search.least, detail=Detail.HINTS),
        Scalar("distance", draws, search.draws, levels, detail=Detail.HINTS),
        Scalar("top_helps", helps, search.top_helps, FLAG, detail=Detail.HINTS),
        *_graded(search),
    ]


def _graded(search: Distances) -> list[Graded]:
    """Return graded features: what every card is worth to the viewer and to the next player."""
    near = "2 where discarding it leaves your hand closest to finished, 1 where one draw farther"
    soon = "discarding it leaves your hand closest: 8 times the chance that the next card helps"
    saves = "to draw, its unseen copies if it would save a draw"
    return [
        Graded("after", near, search.nearness),
        Graded("outs_after", soon, lambda view: search.chances_after(view) * _EIGHT),
        Graded("saves", saves, search.helps),
        Graded("live", "its copies that you have not located", live_copies),
        *card_worth_features(held, faint=_FAINT, ace_high=True),
    ]


def _hand_planes(*, groups: bool) -> list[Plane]:
    """Return the hint planes about a hand, ignoring stand-ins."""
    pairs = hand_hint("paired", lambda v: v.hand.T[0] & patterns.of_rank(v.hand.T, 2))
    return [
        hand_hint("meldable", lambda v: patterns.meldable(v.hand.T, groups=groups)),
        hand_hint("close", lambda v: v.hand.T[0] & patterns.near(v.hand.T[0], ace_high=True)),
        *([pairs] if groups else []),
        hand_hint("wanted", lambda v: patterns.wanted(v.hand.T, groups=groups)),
        hand_hint("joining", lambda v: patterns.joining(v.hand.T, groups=groups)),
    ]
