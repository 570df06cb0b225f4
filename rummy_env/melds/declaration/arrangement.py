"""Division of a finished hand into melds, in one of the possible ways, for display.

Melds are laid one by one: of all melds that the lowest regular card could be in, the first after
which the remaining cards still form melds is laid. There is no backtracking.

    5h 6h WILD 9c 9d 9s Kd        left over: Kd
    5h in  [5h 6h WILD]           rest 9c 9d 9s             falls into melds: taken
    9c in  [9c 9d 9s]             nothing is left
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import NamedTuple

import numpy as np

from rummy_env.core.arrays import Bools, Words
from rummy_env.core.cards import RANKS, SUITS
from rummy_env.melds.declaration import GROUP, NO_MELD, RUMMY, SEQUENCE, WILD, Declaration
from rummy_env.melds.suit_tables import LONGEST_CORE, by_suit, sequences_lack

_LINE = RANKS + RANKS[0]
_ASCENDING = [rank + suit for suit in SUITS for rank in RANKS]
_LONGEST = 11
"""The longest sequence laid at first, so that surplus stand-ins can always join one."""

_AT_FIRST = 3
"""The number of melds that are tried before all others."""

_OWN_MELD = 3
"""The fewest wildcards that form a meld by themselves."""


class Arrangement(NamedTuple):
    """A finished hand, divided into melds.

    Attributes:
        melds: Groups, then sequences with every stand-in at the position it fills, each a list of
            cards as text; a RUMMY card is a meld by itself.
        left: The card left over, if there is one.
    """

    melds: list[list[str]]
    left: list[str]


def arrange(declaration: Declaration, hand: Words) -> Arrangement | None:
    """Divide a hand, uint64[W], into melds in one way; return None if it is not finished.

    If the rules and the cards allow it, no card is left over; otherwise the first that can be.

    Source: docs/rules/going_out.md#a-finished-hand
    """
    if not declaration.can_go_out(hand[None])[0]:
        return None
    cards = declaration.pack.texts(hand)
    whole = replace(declaration, leftover="none")
    spare = [NO_MELD] if NO_MELD in cards else dict.fromkeys(cards)  # no meld may hold it
    for left in ([], *([card] for card in spare)):
        if len(left) not in declaration.lefts:
            continue
        melded = Counter(cards) - Counter(left)
        words = declaration.pack.words(melded.elements())
        if whole.can_go_out(words[None])[0]:
            return Arrangement(_Layout(whole, melded).lay(), left)
    raise AssertionError(f"{cards} can go out, but no card can be left over")


@dataclass(frozen=True)
class _Meld:
    """A meld with its cards in order."""

    cards: tuple[str, ...]
    start: int | None = None  # position of a sequence's first card

    @property
    def is_group(self) -> bool:
        """Whether the meld is a group."""
        return self.start is None

    @property
    def stand_ins(self) -> int:
        """The number of stand-ins in the meld."""
        return sum(card in (WILD, GROUP, SEQUENCE) for card in self.cards)

    def joined(self, card: str) -> "_Meld":
        """Return the meld with a stand-in added: last, or first if the last position is taken."""
        if self.start is None or self.start + len(self.cards) < len(_LINE):
            return replace(self, cards=(*self.cards, card))
        return _Meld((card, *self.cards), self.start - 1)


class _Layout:
    """The melds laid so far, and the remaining cards, which are known to form melds."""

    def __init__(self, declaration: Declaration, cards: Counter[str]) -> None:
        self.declaration = declaration
        self.rummies = cards[RUMMY]
        self.rest = Counter({card: count for card, count in cards.items() if card != RUMMY})
        self.pure: list[_Meld] = []
        self.melds: list[_Meld] = []

    def lay(self) -> list[list[str]]:
        """Lay all cards and return the melds: groups, sequences, RUMMY cards."""
        if self.declaration.sequences_rummy:
            self._lay_first(self.pure, list(self._natural_sequences()))
        while lowest := next((card for card in _ASCENDING if self.rest[card]), None):
            self._lay_first(self.melds, self._melds_with(lowest))
        self._lay_stand_ins()
        melds = sorted(self.pure + self.melds, key=lambda meld: not meld.is_group)
        return [list(meld.cards) for meld in melds] + [[RUMMY]] * self.rummies

    def _natural_sequences(self) -> Iterator[_Meld]:
        """Yield natural sequences of three to five remaining cards; longer ones count as two."""
        for suit, length in product(SUITS, range(3, LONGEST_CORE + 1)):
            for start in range(len(_LINE) + 1 - length):
                cards = tuple(rank + suit for rank in _LINE[start : start + length])
                if all(self.rest[card] for card in cards):
                    yield _Meld(cards, start)

    def _melds_with(self, card: str) -> list[_Meld]:
        """Return the melds that a regular card can be in, most readable first.

        These have few stand-ins, are long, and do not begin with a stand-in unless they must.
        """
        melds = list(_sequences_with(card, self.rest))
        if not self.declaration.sequences_rummy:
            melds += _groups_with(card, self.rest)
        allowed = [meld for meld in melds if Counter(meld.cards) <= self.rest]
        return sorted(allowed, key=lambda m: (m.stand_ins, -len(m.cards), -(m.start or 0)))

    def _lay_first(self, place: list[_Meld], melds: list[_Meld]) -> None:
        """Lay the first meld after which the remaining cards still form melds.

        It is usually one of the first few, so these are tried before all the others.
        """
        first, others = melds[:_AT_FIRST], melds[_AT_FIRST:]
        fall = self._leave_melds(first)
        if not fall.any():
            first, fall = others, self._leave_melds(others)
        place.append(first[int(fall.argmax())])
        self.rest -= Counter(place[-1].cards)

    def _leave_melds(self, melds: list[_Meld]) -> Bools:
        """Return True where the remaining cards form melds once a meld is laid, bool[N]."""
        pack = self.declaration.pack
        rests = [pack.words((self.rest - Counter(meld.cards)).elements()) for meld in melds]
        hands = self.declaration.hands(np.array(rests))
        if self.declaration.sequences_rummy:
            lack = sequences_lack(by_suit(hands.naturals), pack.decks, 1)[0]
            another = bool(self.pure) | (hands.count > 0) | (hands.wild >= _OWN_MELD)
            return (lack <= hands.wild) & another
        groups = [[other.is_group for other in (*self.melds, meld)] for meld in melds]
        group, sequence = np.array([any(g) for g in groups]), np.array([not all(g) for g in groups])
        fall = np.zeros(len(melds), np.bool_)
        for group_joins, sequence_joins in product((False, True), repeat=2):
            lone = replace(
                hands,
                group=hands.group & ~(group & group_joins),
                sequence=hands.sequence & ~(sequence & sequence_joins),
            )
            fall |= self.declaration.wilds_needed(lone)[0] <= hands.wild
        return fall

    def _lay_stand_ins(self) -> None:
        """Lay the surplus stand-ins, on another meld or by themselves."""
        for card, kind in ((GROUP, True), (SEQUENCE, False)):
            if self.rest[card] and not any(meld.is_group == kind for meld in self.melds):
                self.melds.append(_Meld((WILD, WILD, card), None if kind else 0))
                self.rest -= Counter((WILD, WILD, card))
            elif self.rest[card]:
                self._join(card, kind)
        if self.rest[WILD] >= _OWN_MELD:
            self.melds.append(_Meld((WILD,) * self.rest[WILD]))
        else:
            for _ in range(self.rest[WILD]):
                self.melds[0] = self.melds[0].joined(WILD)

    def _join(self, card: str, kind: bool) -> None:
        place = [meld.is_group for meld in self.melds].index(kind)
        self.melds[place] = self.melds[place].joined(card)


def _groups_with(card: str, held: Counter[str]) -> Iterator[_Meld]:
    """Yield the groups with a card and any others of its rank, filled up to three."""
    rank_cards = [card[0] + suit for suit in SUITS]
    for counts in product(*(range(held[other] + 1) for other in rank_cards)):
        cards = [c for c, count in zip(rank_cards, counts, strict=True) for _ in range(count)]
        if card in cards:
            lacks = max(3 - len(cards), 0)
            yield _Meld((*cards, *[WILD] * lacks))
            if lacks:
                yield _Meld((*cards, GROUP, *[WILD] * (lacks - 1)))


def _sequences_with(card: str, held: Counter[str]) -> Iterator[_Meld]:
    """Yield the sequences that include a card, filled with stand-ins.

    They use all of their cards that are held, except one that SEQUENCE may replace: that card may
    be needed in a group, where SEQUENCE cannot be. A wildcard can, so it never replaces a card.
    """
    for length, start in product(range(3, _LONGEST + 1), range(len(_LINE))):
        places = [rank + card[1] for rank in _LINE[start : start + length]]
        if len(places) == length and card in places:
            natural = tuple(place if held[place] else WILD for place in places)
            yield _Meld(natural, start)
            for i in range(length):
                if held[SEQUENCE] and places[i] != card:
                    yield _Meld((*natural[:i], SEQUENCE, *natural[i + 1 :]), start)
