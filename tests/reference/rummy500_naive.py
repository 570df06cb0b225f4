"""What is legal in a turn of `rummy500`, found once more: melds are sets, every play is tried.

It is written apart from `rummy500_turn` and `cards`, so that it can tell whether the plays that are
left out there matter after all. Small hands only.

Source: rules.md sections 1, 3, 4 and 9.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

Meld = frozenset[str]
Melds = frozenset[Meld]
Move = tuple[str, frozenset[str]]

_CIRCLE = "A23456789TJQK"


def runs(ace: str) -> dict[Meld, int]:
    """Every sequence as a set of cards, with the place of its lowest card; an ace below a 2: 0."""
    line = _CIRCLE + ("A" if ace == "high_or_low" else "")
    found: dict[Meld, int] = {}
    for suit in "cdhs":
        for start, end in combinations(range(len(line) + 1), 2):
            if 3 <= end - start <= len(_CIRCLE):
                found.setdefault(frozenset(rank + suit for rank in line[start:end]), start)
    return found


def is_group(cards: frozenset[str]) -> bool:
    """Whether three or four cards are all of one rank."""
    return len(cards) in (3, 4) and len({card[0] for card in cards}) == 1


@dataclass
class Naive:
    """The rules of a turn.

    Attributes:
        ace: "low" or "high_or_low".
        final_discard: Whether the last card of a hand must be discarded.
        free_top: Whether the top card taken alone need not be used.
    """

    ace: str
    final_discard: bool
    free_top: bool
    _known: dict[object, bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._runs = runs(self.ace)

    def takes(self, hand: frozenset[str], melds: Melds, pile: Sequence[str]) -> set[str]:
        """The cards of a pile, top last, that may be taken with all above them."""
        legal = set()
        for place, card in enumerate(pile):
            must, barred = self.duties(pile, card)
            if self.finishes(hand.union(pile[place:]), melds, must, barred):
                legal.add(card)
        return legal

    def duties(self, pile: Sequence[str], card: str) -> tuple[str | None, str | None]:
        """The card that must be used and the one that is barred, once a card has been taken."""
        free = self.free_top and card == pile[-1]
        return (None, card) if free else (card, None)

    def legal(
        self, hand: frozenset[str], melds: Melds, must: str | None, barred: str | None
    ) -> set[Move]:
        """The plays and discards that are legal.

        Args:
            hand: The cards of the player.
            melds: The melds on the table.
            must: The card that has still to be used.
            barred: The card that may not be discarded.
        """
        legal: set[Move] = set()
        for kind, cards, table in self.plays(hand, melds):
            if self.finishes(hand - cards, table, must, barred):
                legal.add((kind, cards))
        if must not in hand:
            legal |= {("discard", frozenset({card})) for card in hand if card != barred}
        return legal

    def finishes(
        self, hand: frozenset[str], melds: Melds, must: str | None, barred: str | None
    ) -> bool:
        """Whether some sequence of plays, or none, leads to the end of the turn."""
        key = (hand, melds, must, barred)
        if key not in self._known:
            self._known[key] = self._finishes(hand, melds, must, barred)
        return self._known[key]

    def _finishes(
        self, hand: frozenset[str], melds: Melds, must: str | None, barred: str | None
    ) -> bool:
        if not hand and not self.final_discard:
            return True
        if must not in hand and hand - {barred}:
            return True
        after = [(hand - cards, table) for _, cards, table in self.plays(hand, melds)]
        return any(self.finishes(left, table, must, barred) for left, table in after)

    def plays(
        self, hand: frozenset[str], melds: Melds
    ) -> Iterator[tuple[str, frozenset[str], Melds]]:
        """Every play that the cards allow: its kind, its cards, the melds after it."""
        for size in (3, 4):
            for chosen in combinations(hand, size):
                cards = frozenset(chosen)
                if is_group(cards):
                    yield "meld_group", cards, melds | {cards}
                if size == 3 and cards in self._runs:
                    yield "meld_sequence", cards, melds | {cards}
        for card in hand:
            one = frozenset({card})
            for meld in melds:
                if is_group(meld) and is_group(meld | one):
                    yield "lay_off_group", one, (melds - {meld}) | {meld | one}
            fitting = [meld for meld in melds if meld in self._runs and meld | one in self._runs]
            if fitting:
                lower = min(fitting, key=self._runs.__getitem__)
                yield "lay_off_sequence", one, (melds - {lower}) | {lower | one}
