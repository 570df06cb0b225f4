"""Cards as bits of a word.

A regular card is bit `13 * suit + rank` (suits clubs, diamonds, hearts, spades; ranks ace = 0 to
king = 12), so that a hand is one `uint64`:

    bit   0 ........ 12  13 ....... 25  26 ....... 38  39 ....... 51  52 ................ 63
          A 2 ... Q K c  A 2 ... Q K d  A 2 ... Q K h  A 2 ... Q K s  special cards of the pack

Neighbouring ranks are neighbouring bits; where one suit ends the next begins, so every shift that
looks for a sequence is masked with the ranks that it may start from or arrive at. With two decks a
hand is two words: a card of the second deck has its bit in the second.

A card's *code* is `64 * deck + bit`; piles are arrays of codes.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rummy_env.core.arrays import Bools, UInt8s, Words
from rummy_env.core.bits import WORD_BITS, flags, positions, word
from rummy_env.core.checks import check_range, shown

RANKS = "A23456789TJQK"
SUITS = "cdhs"
NUM_RANKS = 13
NUM_REGULAR = 52
KING = 12

NO_CARD = 255
"""The code that stands for no card at all."""
NO_CODE = np.uint8(NO_CARD)
"""The same, as the entries of arrays are."""

REGULAR = word(range(NUM_REGULAR))
"""All regular cards."""

REGULAR_BITS = np.uint64(NUM_REGULAR)
"""By how much a first word is shifted right, so that its special cards are left."""

LANE = word(range(NUM_RANKS))
"""The cards of the first suit; `LANES` has the positions of all suits."""
LANES: Words = np.arange(4, dtype=np.uint64) * np.uint64(NUM_RANKS)
LANE_OF_ONE, LANES_OF_ONE = int(LANE), LANES.tolist()
"""The same as Python integers, for a single hand."""


def rank_word(ranks: str) -> np.uint64:
    """All cards of the given ranks: `rank_word("A")` is the four aces."""
    return word([NUM_RANKS * suit + RANKS.index(rank) for suit in range(4) for rank in ranks])


ACES = rank_word("A")
KINGS = rank_word("K")


def card_flags(sets: Words) -> Bools:
    """Return bool[N, 52], sets of cards, uint64[N], as a flag for each regular card."""
    return flags(sets, NUM_REGULAR)


def regular_text(bit: int) -> str:
    """`"7h"` for the bit of the seven of hearts."""
    return RANKS[bit % NUM_RANKS] + SUITS[bit // NUM_RANKS]


def is_regular(text: str) -> bool:
    """Return True for the text of a regular card, such as `"7h"`."""
    return len(text) == 2 and text[0] in RANKS and text[1] in SUITS


def regular_bit(text: str) -> int:
    """Return the bit of a regular card.

    Raises:
        ValueError: If the text is no card, such as `"10h"`.
    """
    if not is_regular(text):
        raise ValueError(
            f"{text!r} is no card: write one of {RANKS} and one of {SUITS}, as in '7h'"
        )
    return NUM_RANKS * SUITS.index(text[1]) + RANKS.index(text[0])


@dataclass(frozen=True)
class Pack:
    """The cards that a game is played with.

    Attributes:
        decks: Decks of 52 regular cards, 1 or 2.
        specials: Names of the special cards, one entry a card; equal names are equal cards.
        num_ranks: Ranks of the regular cards, from the ace up.
        num_suits: Suits of the regular cards, from clubs on.

    Raises:
        ValueError: If there is no such pack, or no room for so many special cards.
    """

    decks: int = 1
    specials: tuple[str, ...] = ()
    num_ranks: int = NUM_RANKS
    num_suits: int = len(SUITS)

    def __post_init__(self) -> None:
        check_range("decks", self.decks, 1, 2)
        check_range("num_ranks", self.num_ranks, 1, NUM_RANKS)
        check_range("num_suits", self.num_suits, 1, len(SUITS))
        if not isinstance(self.specials, tuple) or not all(
            isinstance(name, str) for name in self.specials
        ):
            raise ValueError(f"specials={shown(self.specials)}: give a tuple of names")
        if regular := [*filter(is_regular, self.specials)]:
            raise ValueError(
                f"specials={shown(regular)}: regular cards belong to the pack as it is"
            )
        room = WORD_BITS - NUM_REGULAR
        if len(self.specials) > room:
            raise ValueError(
                f"specials={shown(self.specials)}: a pack has room for {room} special cards"
            )
        if list(self.specials) != sorted(self.specials, key=self.specials.index):
            raise ValueError(
                f"specials={shown(self.specials)}: name equal cards next to each other"
            )

    @cached_property
    def codes(self) -> UInt8s:
        """uint8[C], the code of every card, ascending."""
        regular = [
            WORD_BITS * deck + NUM_RANKS * suit + rank
            for deck in range(self.decks)
            for suit in range(self.num_suits)
            for rank in range(self.num_ranks)
        ]
        special = [NUM_REGULAR + i for i in range(len(self.specials))]
        return np.array(sorted(regular + special), np.uint8)

    @cached_property
    def cards(self) -> tuple[str, ...]:
        """All cards as text, one for each of `codes`."""
        return tuple(map(self.text, self.codes.tolist()))

    @cached_property
    def everything(self) -> Words:
        """uint64[decks], all cards."""
        return self.words(self.cards)

    @property
    def num_cards(self) -> int:
        """Cards in all."""
        return len(self.codes)

    @property
    def is_single(self) -> bool:
        """True if it has no special cards and no equal ones: one word holds any set of cards."""
        return self.decks == 1 and not self.specials

    @cached_property
    def distinct_cards(self) -> tuple[str, ...]:
        """The cards that can be told apart; all 52 regular ones by their bits, then the special.

        In a smaller pack some of them are missing; they keep their places.
        """
        return (*map(regular_text, range(NUM_REGULAR)), *dict.fromkeys(self.specials))

    @cached_property
    def faces(self) -> frozenset[str]:
        """The cards of the pack as text, equal ones once."""
        return frozenset(self.cards)

    @cached_property
    def has_equals(self) -> bool:
        """True if some cards look alike."""
        return self.decks > 1 or len(set(self.specials)) < len(self.specials)

    @cached_property
    def lowest_codes(self) -> UInt8s:
        """uint8[256], the lowest code of the cards that look like this one; else `NO_CARD`."""
        table = np.full(256, NO_CARD, np.uint8)
        table[self.codes] = [self.code(card) for card in self.cards]
        return table

    @cached_property
    def copies(self) -> UInt8s:
        """uint8[256, K], for the lowest code of a face all codes that look alike, `NO_CARD` after.

        K is the number of copies of the most frequent face.
        """
        most = max(Counter(self.cards).values())
        table = np.full((256, most), NO_CARD, np.uint8)
        for face in dict.fromkeys(self.cards):
            same = self.codes[[card == face for card in self.cards]]
            table[same[0], : len(same)] = same
        return table

    def alike(self, sets: Words) -> Words:
        """Return sets of cards, uint64[..., decks], with equal cards counted instead of told apart.

        The result has as many of equal cards, always the lowest codes of these.
        """
        if not self.has_equals:
            return sets
        if self.decks == 1:
            return sets & REGULAR | self._lowest_specials[sets >> REGULAR_BITS]
        first, second = sets[..., 0], sets[..., 1]
        regular, special = first & REGULAR, self._lowest_specials[first >> REGULAR_BITS]
        # Held once, and held twice:
        return np.stack([regular | second | special, regular & second], axis=-1)

    @cached_property
    def _lowest_specials(self) -> Words:
        """uint64[2 ** specials], for every set of special cards its lowest copies, in place."""
        table = np.zeros(1 << len(self.specials), np.uint64)
        for held in range(len(table)):
            count = Counter(self.specials[i] for i in positions(held))
            lowest = [self.specials.index(name) + i for name in count for i in range(count[name])]
            table[held] = word([NUM_REGULAR + i for i in lowest])
        return table

    def text(self, code: int) -> str:
        """Return the notation of a card: `"7h"`, or the name of a special card."""
        bit = code % WORD_BITS
        return regular_text(bit) if bit < NUM_REGULAR else self.specials[bit - NUM_REGULAR]

    def code(self, text: str) -> int:
        """Return the code of a card; of equal cards, the first.

        Raises:
            ValueError: If it is neither a regular card nor a special one of the pack.
        """
        if text in self.specials:
            return NUM_REGULAR + self.specials.index(text)
        return regular_bit(text)

    def words(self, texts: Iterable[str]) -> Words:
        """Return uint64[decks], a set of cards: equal cards take one copy after the other.

        Raises:
            ValueError: If there are more of some cards than in the pack.
        """
        bits = [0] * self.decks
        left = Counter(texts)
        for code, card in zip(self.codes.tolist(), self.cards, strict=True):
            if left[card] > 0:
                left[card] -= 1
                bits[code // WORD_BITS] |= 1 << code % WORD_BITS
        if spare := +left:
            most = {card: self.cards.count(card) for card in sorted(spare)}
            raise ValueError(
                f"{sorted(spare.elements())} are not in the pack, or not so often: it has {most}"
            )
        return np.array(bits, np.uint64)

    def texts(self, words: Words) -> list[str]:
        """Return the cards of one set, a word a deck, in the order of their codes.

        Raises:
            ValueError: If they are several sets.
        """
        if np.ndim(words) != 1:
            raise ValueError(
                f"sets of shape {np.shape(words)}: give one, as in texts(view.hand[0])"
            )
        return [self.text(bit) for value in words for bit in positions(int(value))]
