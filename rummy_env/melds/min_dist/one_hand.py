"""The distance of one hand, and the discards that keep it, in Python integers.

A hand has few groupings and few ways to use its special cards, some three entries in all. The
arrays of `reach.py` and `discards.py` would spend their time in calls. The same tables are read
entry by entry here, in a tenth of the time, and a test holds both to the same results.
"""

from itertools import groupby
from typing import NamedTuple

from rummy_env.core.bits import WORD_BITS, positions
from rummy_env.core.cards import LANE_OF_ONE, LANES_OF_ONE
from rummy_env.core.lazy import lazy
from rummy_env.melds.declaration import GROUP, Declaration
from rummy_env.melds.hands import Hand
from rummy_env.melds.min_dist.exchanges import UNREACHABLE
from rummy_env.melds.min_dist.groups import all_groups_of_one
from rummy_env.melds.min_dist.reach import Tables
from rummy_env.melds.min_dist.useful import NO_GROUP, too_full
from rummy_env.melds.suit_tables import lane_worth, powers


class Way(NamedTuple):
    """One of `Ways`, in the order of its fields."""

    use: int
    kind: int
    joins: bool
    slack: int
    idle: int
    bought: int
    places: int


class Grouping(NamedTuple):
    """One of `Groups`, its free cards by suit."""

    free: int  # as in `Hand.naturals`
    suits: list[int]  # suit indices
    classes: list[int]  # of each suit
    pairs: int
    size: int


class Lookups:
    """Reads the tables of a `MinDist` for one hand."""

    def __init__(self, declaration: Declaration, known: Tables) -> None:
        self.decks, classes = declaration.pack.decks, known.exchanges.classes
        self.pure, self.largest, self.profiles = known.pure, known.largest, known.profiles
        self.may_join = GROUP in declaration.pack.specials
        self.least_out = known.exchanges.least_out_of_one
        # The memory of an array gives Python integers, not NumPy's.
        self.of_suit = classes.of_suit.data
        self._of_two, self._classes = classes.of_two.reshape(-1).data, len(classes.of_two)
        self._cards = (1 << self.decks * WORD_BITS) - 1
        self._worth, self.powers = lane_worth(self.decks).tolist(), powers(self.decks).tolist()
        self._runs: dict[int, list[list[Way]]] = {}

    def together(self, first: int, second: int) -> int:
        """Return the class of two classes taken together."""
        return self._of_two[first * self._classes + second]

    def groupings(self, naturals: int) -> list[Grouping]:
        """Return every grouping of regular cards; only the empty one where groups are no melds."""
        found = [naturals] if self.pure else all_groups_of_one(naturals, self.decks)
        return [self._grouping(each, naturals.bit_count()) for each in found]

    def _grouping(self, number: int, count: int) -> Grouping:
        free, pairs = number & self._cards, number >> self.decks * WORD_BITS & LANE_OF_ONE
        if self.decks == 1:
            suits = [free >> lane & LANE_OF_ONE for lane in LANES_OF_ONE]
        else:
            worth, second = self._worth, free >> WORD_BITS
            suits = [
                worth[free >> s & LANE_OF_ONE] + worth[second >> s & LANE_OF_ONE]
                for s in LANES_OF_ONE
            ]
        classes = [self.of_suit[suit] for suit in suits]
        return Grouping(free, suits, classes, pairs, count - free.bit_count())

    def runs(self, hand: Hand) -> list[list[Way]]:
        """Return the ways to use special cards; those that count the same use are one list."""
        profile = self.profiles.of_one(hand)
        if profile not in self._runs:
            start, every = self.profiles.start[profile : profile + 2].tolist(), self.profiles.ways
            fields = [getattr(every, name)[slice(*start)].tolist() for name in Way._fields]
            ways = [Way(*each) for each in zip(*fields, strict=True)]
            self._runs[profile] = [list(run) for _, run in groupby(ways, lambda way: way.use)]
        return self._runs[profile]


class OneHand:
    """What `Reach` and `DistancesAfter` tell of one hand.

    Attributes:
        best: The distance of the hand, which the best discards keep.
    """

    def __init__(self, known: Lookups, hand: Hand) -> None:
        self._known, self._blanks = known, hand.blanks
        runs = known.runs(hand)
        self._entries = [
            (min([self._fewest(grouping, whole, way) for way in run]), grouping, run)
            for grouping in known.groupings(hand.naturals)
            for whole in [self._whole(grouping)]
            for run in runs
        ]
        self.best = min([found for found, _, _ in self._entries], default=UNREACHABLE)

    @lazy
    def keeping(self) -> int:
        """The regular cards whose discard keeps the distance, as the bits of one deck."""
        cards = 0
        for found, grouping, run in self._entries:
            if found == self.best < UNREACHABLE:
                for way in run:
                    cards |= self._can_go(grouping, way)
        return cards

    def _whole(self, grouping: Grouping) -> int:
        """Return the class of all suits."""
        together, (clubs, diamonds, hearts, spades) = self._known.together, grouping.classes
        return together(together(clubs, diamonds), together(hearts, spades))

    def _fewest(self, grouping: Grouping, whole: int, way: Way) -> int:
        """Return the fewest exchanges with a grouping and a way; see `Reach`."""
        known, blanks = self._known, self._blanks
        out = known.least_out(way.kind, self._slack(grouping, way), whole)
        full_groups = known.profiles.full_groups
        if out == UNREACHABLE or (full_groups and too_full(grouping, way.places)):
            return UNREACHABLE
        return max(out + way.idle + blanks, way.bought, blanks)

    def _slack(self, grouping: Grouping, way: Way) -> int:
        """Return the surplus of stand-ins, less those that groups need."""
        slack = way.slack + self._blanks - grouping.pairs.bit_count()
        if not (self._known.may_join and way.joins):
            return slack
        return slack + (grouping.pairs > 0 if grouping.size else int(NO_GROUP))

    def _can_go(self, grouping: Grouping, way: Way) -> int:
        """Return the cards whose discard keeps the distance with a grouping and a way."""
        # A discard leaves a blank, which must be exchanged, so one card fewer may be left out.
        most = self.best - (way.idle + self._blanks) - 1
        if most < 0 or self.best <= self._blanks or self.best < way.bought:
            return 0
        known, most = self._known, min(most, self._known.largest)
        slack, cards = self._slack(grouping, way) + 1, 0
        faces = grouping.free | grouping.free >> WORD_BITS
        for suit, others in enumerate(self._others(grouping.classes)):
            cards_of_suit = faces >> LANES_OF_ONE[suit] & LANE_OF_ONE
            for rank in positions(cards_of_suit):
                fewer = known.of_suit[grouping.suits[suit] - known.powers[rank]]
                if known.least_out(way.kind, slack, known.together(fewer, others)) <= most:
                    cards |= 1 << LANES_OF_ONE[suit] + rank
        return cards

    def _others(self, classes: list[int]) -> list[int]:
        """Return the class of the three other suits, for each suit."""
        together, (clubs, diamonds, hearts, spades) = self._known.together, classes
        low, high = together(clubs, diamonds), together(hearts, spades)
        firsts = (together(diamonds, high), together(clubs, high))
        return [*firsts, together(spades, low), together(hearts, low)]
