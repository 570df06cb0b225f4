"""The ways to use the special cards of a hand, listed in advance for all possible hands.

A way says which special cards are in melds and how many cards are left over at the end. A few
numbers describe its effect on the regular cards (`exchanges.py`). The special cards of a hand,
together with its size, are its *profile*. There are few profiles, so each has a list of its ways.

    5h 6h 9c 9d Ks GROUP    GROUP in a meld    u = Ks         slack 1: 5h 6h lack one, 9c 9d none
                            GROUP in none      u = Ks GROUP   slack 2, 9c 9d lack one, 5h 6h one
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np

from rummy_env.core.arrays import Bools, Int8s, Rows
from rummy_env.core.cards import Pack
from rummy_env.melds.declaration import GROUP, RUMMY, WILD, Declaration
from rummy_env.melds.hands import MOST_OF, Batch, Hand, Hands

GROUP_BESIDE_ONE, SEQUENCE_JOINS = 1, 2
"""Flags of `Ways.kind`: GROUP beside a card that would be left out; SEQUENCE in a sequence."""
MOST_BOUGHT = 3
"""The most places of the sequence without wildcards that incoming cards may fill."""
_SMALLEST = 4
"""From this size on, a finished hand never needs a RUMMY card that it does not hold yet."""


@dataclass(frozen=True)
class Ways(Batch):
    """Ways to use the special cards, those of one profile side by side."""

    use: Rows  # intp[E], the same number for ways that differ only in how they are counted
    kind: Rows  # intp[E], how the stand-ins that sequences need are counted, see `Exchanges`
    joins: Bools  # bool[E], True if GROUP takes the place of a card that a group lacks
    slack: Int8s  # int8[E], the surplus of stand-ins over regular cards left out
    idle: Int8s  # int8[E], special cards in no meld, less the cards left over
    bought: Int8s  # int8[E], places that are bought for the sequence without wildcards
    places: Int8s  # int8[E], places in melds


class Profiles:
    """The ways of every profile; profile p has the entries from `start[p]` to `start[p + 1]`."""

    def __init__(self, declaration: Declaration, largest: int) -> None:
        self._pure, self._lefts = declaration.sequences_rummy, declaration.lefts
        self._rummies = declaration.pack.specials.count(RUMMY)
        self._most = {kind: declaration.pack.specials.count(kind) for kind in MOST_OF}
        self._sizes = largest + 1
        self.full_groups = _full_groups(declaration.pack)
        hands, sizes = self._all()
        profiles, parts = [], []
        for possible, ways in self._uses(hands, sizes):
            profiles.append(np.flatnonzero(possible))
            parts.append(ways.take(possible))
        self.start, self.ways = _listed(np.concatenate(profiles), Ways.join(parts), len(sizes))

    def of(self, hands: Hands) -> Rows:
        """Return the profiles, intp[N], of hands."""
        number = hands.size.astype(np.intp)
        for kind, most in self._most.items():
            number = number * (most + 1) + getattr(hands, kind.lower())
        return number

    def of_one(self, hand: Hand) -> int:
        """Return the profile of one hand."""
        number = hand.size
        for held, most in zip(hand.specials, self._most.values(), strict=True):
            number = number * (most + 1) + held
        return number

    def _all(self) -> tuple[Hands, Int8s]:
        """Return hands of special cards only, one for each profile, and their sizes, int8[P]."""
        axes = np.indices([self._sizes, *(most + 1 for most in self._most.values())], np.int8)
        sizes, *held = axes.reshape(len(axes), -1)
        cards: dict[str, Any] = dict(zip(map(str.lower, MOST_OF), held, strict=True))
        for kind in (kind for kind, most in MOST_OF.items() if most == 1):
            cards[kind.lower()] = cards[kind.lower()] > 0
        none = np.zeros_like(sizes)
        return Hands(naturals=np.zeros((1, len(sizes)), np.uint64), blanks=none, **cards), sizes

    def _uses(self, hands: Hands, sizes: Int8s) -> Iterator[tuple[Bools, Ways]]:
        """Yield every use of special cards: profiles that allow it, bool[P], and their ways."""
        choices = product(
            _both(hands.group), _both(hands.sequence), range(self._rummies + 1), self._lefts
        )
        may_come = (sizes < _SMALLEST) | self.full_groups
        for number, (group, sequence, rummy, left) in enumerate(choices):
            places = sizes - np.int8(left + rummy)
            # RUMMY cards that are melded but not held have to be drawn, each in an exchange.
            coming = np.maximum(np.int8(rummy) - hands.rummy, 0)
            possible = self._possible(hands, places, group=group, sequence=sequence, left=left)
            possible &= may_come | (coming == 0)
            idle = hands.no_meld + (hands.rummy + coming - np.int8(rummy))
            idle += hands.group & (not group)
            idle += hands.sequence & (not sequence)
            slack = hands.wild + idle - coming - np.int8(left)
            # Without any meld, even wildcards have to be discarded.
            idle += hands.wild * (places == 0)
            numbers = (np.full(len(sizes), number), np.zeros(len(sizes), np.intp))
            # Unless groups are limited to four cards, the number of places makes no difference.
            shown = places if self.full_groups else np.zeros_like(places)
            flags, none = np.zeros(len(sizes), np.bool_), np.zeros_like(sizes)
            plain = Ways(*numbers, flags, slack, idle - np.int8(left), none, shown)
            for kind, joins, bought in self._counted(group=group, sequence=sequence):
                yield (
                    possible,
                    replace(
                        plain,
                        kind=plain.kind + kind,
                        joins=flags | joins,
                        bought=none + np.int8(bought),
                    ),
                )

    def _counted(self, *, group: bool, sequence: bool) -> list[tuple[int, bool, int]]:
        """Return (kind, joins, bought) for each way to count one use."""
        if self._pure:
            return [(bought, False, bought) for bought in range(MOST_BOUGHT + 1)]
        kind = SEQUENCE_JOINS * sequence
        return (
            [(kind, True, 0), (kind + GROUP_BESIDE_ONE, False, 0)] if group else [(kind, False, 0)]
        )

    def _possible(
        self, hands: Hands, places: Int8s, *, group: bool, sequence: bool, left: int
    ) -> Bools:
        """Return True for hands that can use special cards like this in `places`, bool[P]."""
        possible = (hands.group | (not group)) & (hands.sequence | (not sequence))
        possible &= ~hands.cant_go_out
        if left == 0:
            possible &= ~hands.no_meld
        if self._pure:
            return possible & (places >= 6)
        if left == 0 and 1 in self._lefts and not self.full_groups:
            # If some meld has more than three cards, one of them may be left over instead.
            possible &= places % 3 == 0
        return possible & ((places >= 3) | (places == 0))


def _listed(profile: Rows, ways: Ways, count: int) -> tuple[Rows, Ways]:
    """Return where each profile begins, and the ways sorted by profile, without duplicates."""
    told = [getattr(ways, name).astype(np.int16) for name in Ways.__match_args__[1:]]
    _, first = np.unique(np.stack([profile, *told]), axis=1, return_index=True)
    # Uses keep their order, and the ways to count a use stay adjacent.
    first = np.sort(first)
    order = first[np.lexsort((ways.use[first], profile[first]))]
    return np.searchsorted(profile[order], np.arange(count + 1)), ways.take(order)


def _full_groups(pack: Pack) -> bool:
    """Return True if no group can have more than the four cards of its rank."""
    return pack.decks == 1 and not {WILD, GROUP} & set(pack.specials)


def _both(held: Bools) -> tuple[bool, ...]:
    """Return the possible answers to "is it in a meld?": False, and True if any hand holds it."""
    answers = False, True  # cut short, since Cython compiles no choice between two such tuples
    return answers if held.any() else answers[:1]
