"""The table of every game, as a struct of arrays.

Letters of axes: B games, P seats, C cards of the pack, W words of a set of cards (one per deck),
R selected rows.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rummy_env.core.arrays import Array, Bools, Int8s, Int32s, Rows, UInt8s, Words
from rummy_env.core.bits import BIT, WORD_BITS, ZERO
from rummy_env.core.cards import NO_CARD, Pack
from rummy_env.core.fields import CORE, DTYPES, Field, Lasts
from rummy_env.core.one_or_many import any_set, select

CODE_BIT: Words = np.zeros(256, np.uint64)
"""uint64[256], the bit of a card's code within its word; 0 for `NO_CARD`."""
CODE_BIT[: 2 * WORD_BITS] = np.tile(BIT, 2)

STOCK_STEPS = (1, 5, 10, 20, 40)
"""The sizes of a stock that can be told apart by looking at it, without counting."""


def sets_of(codes: UInt8s, words: int) -> Words:
    """Return uint64[..., words], the sets of cards in lists of codes, uint8[..., C]."""
    bits = CODE_BIT.take(codes)
    decks = codes // WORD_BITS
    sets = [np.where(decks == deck, bits, ZERO) for deck in range(words)]
    return np.stack([np.bitwise_or.reduce(cards, axis=-1) for cards in sets], axis=-1)


class State:
    """B games side by side, changed in place.

    Attributes:
        fields: The declaration of every array; each array is an attribute of that name, and has
            the games on its first axis.
        clock: Counts the changes, so that a view of an earlier moment can tell that it is one.
        flat: The same arrays without axes, by name.

    Where a method has `rows`, intp[R], one number, an intp, is one game, and all that is asked or
    told of it is a scalar.
    """

    def __init__(self, fields: tuple[Field, ...], arrays: Mapping[str, Array]) -> None:
        """Take over an array for each declaration, by name; `empty` makes new ones."""
        self.fields = fields
        self.clock = 0
        self.__dict__.update(arrays)
        self.flat = {n: a if a.ndim == 1 else a.reshape(-1) for n, a in arrays.items()}
        self._cleared = {
            lasts: [(arrays[f.name], f.blank) for f in fields if f.lasts is lasts]
            for lasts in Lasts
        }

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Array:
            """Return the array of a field."""

    @classmethod
    def empty(
        cls, num_games: int, num_players: int, pack: Pack, fields: tuple[Field, ...] = CORE
    ) -> "State":
        """Tables on which nothing has been dealt."""
        sizes = {"P": num_players, "W": pack.decks, "C": pack.num_cards}
        arrays = {
            field.name: np.full(
                (num_games, *(sizes[axis] for axis in field.axes)), field.blank, DTYPES[field.kind]
            )
            for field in fields
        }
        return cls(fields, arrays)

    def __deepcopy__(self, memo: dict[int, Any]) -> "State":
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return State, (self.fields, dict(self.arrays()))

    def arrays(self) -> Iterator[tuple[str, Array]]:
        """Every array with its name; the first axis is always the games."""
        for field in self.fields:
            yield field.name, self.__dict__[field.name]

    def clear(self, rows: Rows, lasts: Lasts) -> None:
        """Make the arrays blank that last so long, in some of the games."""
        for array, blank in self._cleared[lasts]:
            array[rows] = blank

    def take(self, rows: Rows) -> "State":
        """Return a copy of some of the games, in the given order."""
        return State(self.fields, {name: array[rows] for name, array in self.arrays()})

    def copy(self) -> "State":
        """Return a copy of all games."""
        return State(self.fields, {name: array.copy() for name, array in self.arrays()})

    @staticmethod
    def join(some: Sequence["State"]) -> "State":
        """Join the games of several tables of the same rules, at least one, one after the other."""
        names = (name for name, _ in some[0].arrays())
        joined = {name: np.concatenate([each.__dict__[name] for each in some]) for name in names}
        return State(some[0].fields, joined)

    def put(self, rows: Rows, games: "State") -> None:
        """Overwrite games with others of the same rules."""
        for name, array in self.arrays():
            array[rows] = games.__dict__[name]

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shape of every array, without the axis of the games."""
        return {name: array.shape[1:] for name, array in self.arrays()}

    @property
    def num_bytes(self) -> int:
        """Memory of all arrays, in bytes."""
        return sum(array.nbytes for _, array in self.arrays())

    @property
    def finished(self) -> Bools:
        """bool[B], which games have ended, by the rules or cut off."""
        return self.terminated | self.truncated

    @property
    def num_players(self) -> int:
        """Seats at each table."""
        return self.scores.shape[1]

    def pile_top(self, rows: Rows) -> UInt8s:
        """Return uint8[R], the code of the top discard, or `NO_CARD`."""
        size = self.pile_size[rows]
        last = rows * self.pile.shape[1] + size - (size > 0)  # no card there where there is none
        return self.flat["pile"][last]

    def next_seat(self, rows: Rows, seats: Int8s, step: int = 1) -> Int8s:
        """int8[R], the next seat that plays this hand, clockwise; anticlockwise by step -1."""
        after: Int8s = (seats + np.int8(step)) % np.int8(self.num_players)
        while any_set(skip := self.sits_out[rows, after]):
            after = select(skip, (after + np.int8(step)) % np.int8(self.num_players), after)
        return after

    def add_to_hands(self, rows: Rows, seats: Rows | Int8s, codes: UInt8s) -> None:
        """Deal cards, uint8[R, cards], to a seat of each game."""
        self.hands[rows, seats] |= sets_of(codes, self.hands.shape[2])

    def discard(self, rows: Rows, codes: UInt8s) -> None:
        """Put a card, uint8[R], on each discard pile."""
        size = self.pile_size[rows]
        self.flat["pile"][rows * self.pile.shape[1] + size] = codes
        self.pile_size[rows] = size + 1
        self.flat["piled"][self._at(rows, codes)] |= CODE_BIT[codes]

    def pop_pile(self, rows: Rows) -> UInt8s:
        """Return uint8[R], the top discard of each game, taken off its pile."""
        size = self.pile_size[rows] - 1
        last = rows * self.pile.shape[1] + size
        pile = self.flat["pile"]
        codes: UInt8s = pile[last]
        pile[last] = NO_CARD
        self.pile_size[rows] = size
        self.flat["piled"][self._at(rows, codes)] &= ~CODE_BIT[codes]
        return codes

    def pop_stock(self, rows: Rows) -> UInt8s:
        """Return uint8[R], the next card of each stock, taken off it."""
        at = self.stock_at[rows]
        self.stock_at[rows] = at + 1
        return self.flat["stock"][rows * self.stock.shape[1] + at]

    def stock_left(self, rows: Rows) -> Int32s:
        """Return int32[R], cards in the stock."""
        return self.stock_end[rows] - self.stock_at[rows]

    def _at(self, rows: Rows, codes: UInt8s) -> Rows:
        """Where the cards' words are among those of sets of cards of each game."""
        decks = self.piled.shape[1]
        return rows if decks == 1 else rows * decks + codes // WORD_BITS
