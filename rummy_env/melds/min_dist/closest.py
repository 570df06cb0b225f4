"""The finished hand that keeps the most of a given hand, by search.

A finished hand of up to eleven cards is at most three melds, RUMMY cards and the card left over:
sequences of three to five places (longer ones are two) and at most one group of a rank. The search
lays one meld after another; a branch ends where the places left cannot keep enough cards.

    hand 5s 6s 7s 7d 7c 7h 8h 9h      places         kept              gaps
                                      7h 8h 9h       all three
                                      5s 6s 7s       all three
                                      two sevens     no meld
                                      three sevens   7c 7d             one, forced

A *gap* is a place for which the hand has no card: a stand-in holds it, or a card from outside. It
is *forced* if all cards for it are used already: then only a stand-in can hold it.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from rummy_env.core.bits import Words
from rummy_env.core.cards import RANKS, SUITS
from rummy_env.melds.declaration import CANT_GO_OUT, GROUP, RUMMY, SEQUENCE, WILD, Declaration
from rummy_env.melds.suit_tables import LONGEST_CORE

_NEVER = -1


@dataclass(frozen=True)
class _Meld:
    """A meld by its places.

    Attributes:
        rank: The rank of a group; empty for a sequence.
        places: The cards of a sequence; empty for a group.
        length: How many places.
        shared: How many of them the hand could hold.
    """

    rank: str
    places: tuple[str, ...]
    length: int
    shared: int


def most_kept(declaration: Declaration, hand: Words, bound: int) -> int:
    """The most cards of a hand that a finished hand of the same size can have.

    Args:
        declaration: What a finished hand is.
        hand: uint64[W], at most eleven cards.
        bound: More than this cannot be kept; the search ends when it has found so many.

    Returns:
        Their number; -1 where no hand of this size is finished.
    """
    return _Search(declaration, Counter(declaration.pack.texts(hand)), bound).run()


class _Search:
    """The search for one hand."""

    def __init__(self, declaration: Declaration, hand: Counter[str], bound: int) -> None:
        pack = declaration.pack
        self.declaration = declaration
        self.hand = hand
        self.bound = bound
        self.pack = Counter(pack.text(code) for code in pack.codes.tolist())
        self.best = _NEVER

    def run(self) -> int:
        """The most cards kept."""
        size = self.hand.total()
        for rummy, left in product(range(self.pack[RUMMY] + 1), self.declaration.lefts):
            others = min(rummy, self.hand[RUMMY])
            if size >= rummy + left:
                self._lay([], 0, size - rummy - left, others, left)
        return self.best

    @cached_property
    def melds(self) -> list[_Meld]:
        """All melds, those with the fewest gaps first."""
        found = [
            _Meld("", places, len(places), sum(self.hand[card] > 0 for card in places))
            for places in _sequences()
        ]
        if not self.declaration.sequences_rummy:
            for rank, length in product(RANKS, range(3, self.hand.total() + 1)):
                held = sum(self.hand[rank + suit] for suit in SUITS)
                found.append(_Meld(rank, (), length, min(held, length)))
        return sorted(found, key=lambda meld: (meld.length - meld.shared, -meld.length))

    @cached_property
    def most_shared(self) -> list[int]:
        """The most cards that melds of so many places could hold."""
        most = [0]
        for places in range(1, self.hand.total() + 1):
            fitting = [meld for meld in self.melds if meld.length <= places]
            found = [most[places - meld.length] + meld.shared for meld in fitting]
            most.append(max(found, default=-places * len(RANKS)))
        return most

    def _lay(self, laid: list[_Meld], start: int, places: int, others: int, left: int) -> None:
        """Lays melds on the places that remain, in every way that could be better.

        Args:
            laid: Melds so far.
            start: Only melds from here on are laid.
            places: How many places remain.
            others: RUMMY cards kept.
            left: How many cards are over in the end.
        """
        if places == 0:
            self.best = max(self.best, self._kept(laid, others, left))
            return
        stand_ins = sum(self.hand[card] for card in (WILD, GROUP, SEQUENCE))
        shared = sum(meld.shared for meld in laid) + stand_ins + others + left
        for i in range(start, len(self.melds)):
            meld = self.melds[i]
            rest = places - meld.length
            if self.best >= self.bound:
                return
            if rest < 0 or shared + meld.shared + self.most_shared[rest] <= self.best:
                continue
            if not meld.rank or all(meld.rank != other.rank for other in laid):
                self._lay([*laid, meld], i, rest, others, left)

    def _kept(self, laid: list[_Meld], others: int, left: int) -> int:
        """Cards kept if these melds are filled as well as can be; -1 if they cannot be."""
        found = self._filled(laid)
        if found == _NEVER:
            return _NEVER
        kept = found + others
        return kept + (left > 0 and self.hand.total() - self.hand[CANT_GO_OUT] > kept)

    def _filled(self, laid: list[_Meld]) -> int:
        """Cards of the hand in these melds, or -1."""
        used = Counter(card for meld in laid for card in meld.places)
        held = sum(min(count, self.hand[card]) for card, count in used.items())
        gaps = _Gaps(
            sequences=used.total() - held,
            forced=sum(max(count - self.pack[card], 0) for card, count in used.items()),
        )
        if self.declaration.sequences_rummy:
            return self._with_pure(laid, gaps, held)
        for meld in laid:
            if meld.rank:
                held += self._fill_group(meld, used, gaps)
        return self._with_stand_ins(gaps, held)

    def _fill_group(self, meld: _Meld, used: Counter[str], gaps: "_Gaps") -> int:
        """Counts the gaps of a group; the cards of the hand that are left for it."""
        cards = [meld.rank + suit for suit in SUITS]
        held = min(meld.length, sum(max(self.hand[card] - used[card], 0) for card in cards))
        there = sum(max(self.pack[card] - used[card], 0) for card in cards)
        movable = any(used[card] > 0 and self.hand[card] > 0 for card in cards)
        gaps.groups += meld.length - held
        gaps.forced_in_groups += max(meld.length - there, 0)
        gaps.movable |= movable and meld.length > held
        return held

    def _with_stand_ins(self, gaps: "_Gaps", held: int) -> int:
        """Cards kept with the best choice of stand-ins, of the hand or from outside."""
        best = _NEVER
        for group, sequence in product(range(self.pack[GROUP] + 1), range(self.pack[SEQUENCE] + 1)):
            forced = gaps.forced_after(group, sequence)
            if forced is None or forced > self.pack[WILD]:
                continue
            wilds = min(self.hand[WILD], gaps.groups + gaps.sequences - group - sequence)
            specials = group * self.hand[GROUP] + sequence * self.hand[SEQUENCE]
            best = max(best, held + wilds + specials)
        return best

    def _with_pure(self, laid: list[_Meld], gaps: "_Gaps", held: int) -> int:
        """Cards kept with the best choice of the sequence that has no WILDCARD."""
        if len(laid) < 2 or gaps.forced > self.pack[WILD]:
            return _NEVER
        pure = min(meld.length - meld.shared for meld in laid)
        return held + min(self.hand[WILD], gaps.sequences - pure)


@dataclass
class _Gaps:
    """What chosen melds lack.

    Attributes:
        sequences: Gaps in sequences.
        forced: Those of them that only stand-ins can hold.
        groups: Gaps in groups.
        forced_in_groups: The same in groups.
        movable: Whether a group's gap can change places with a card that lies in a sequence.
    """

    sequences: int
    forced: int
    groups: int = 0
    forced_in_groups: int = 0
    movable: bool = False

    def forced_after(self, group: int, sequence: int) -> int | None:
        """Forced gaps left when GROUP, SEQUENCE or both hold one; None if they find no place."""
        groups, in_groups, in_sequences = self.groups - group, self.forced_in_groups, self.forced
        in_groups -= min(group, in_groups)
        if sequence and self.movable and (in_groups or not self.sequences):
            groups, in_groups = groups - 1, in_groups - min(1, in_groups)
        elif sequence:
            in_sequences -= min(1, in_sequences)
            if not self.sequences:
                return None
        return None if groups < 0 else in_groups + in_sequences


def _sequences() -> Iterator[tuple[str, ...]]:
    """All sequences of three to five places."""
    line = RANKS + RANKS[0]
    for suit, length in product(SUITS, range(3, LONGEST_CORE + 1)):
        for start in range(len(line) + 1 - length):
            yield tuple(rank + suit for rank in line[start : start + length])
