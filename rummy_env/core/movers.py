"""The movers: the seats to move and their hands, which a move reads and changes."""

from functools import reduce
from operator import add
from typing import TYPE_CHECKING

import numpy as np

from rummy_env.core.arrays import Bools, Int8s, Rows, UInt8s, Words
from rummy_env.core.bits import WORD_BITS, ZERO
from rummy_env.core.lazy import lazy
from rummy_env.core.one_or_many import count_bits
from rummy_env.core.state import CODE_BIT, State

if TYPE_CHECKING:
    from rummy_env.core.part import Part


class Movers:
    """The seats to move in some of the games, at one moment: what a move reads and then changes.

    Where `rows` is one number, everything is scalars.

    Attributes:
        state: All games.
        rows: intp[R], the games concerned, each once; or one of them.
        seat: int8[R], the seats to move.
        hand: uint64[R], cards of the first deck in the mover's hand (all of them, with one deck).
    """

    def __init__(self, state: State, rows: Rows) -> None:
        self.state = state
        self.rows = rows
        self.seat: Int8s = state.to_move[rows]
        self._decks = state.hands.shape[2]
        self._at: Rows = (rows * state.num_players + self.seat) * self._decks
        self.hand: Words = state.flat["hands"][self._at]

    def hold_again(self) -> None:
        """Take note that the hands have changed."""
        self._note(self.state.flat["hands"][self._at])

    def _note(self, hand: Words) -> None:
        self.hand = hand
        for name in _OF_HANDS:
            self.__dict__.pop(name, None)

    @lazy
    def decks(self) -> list[Words]:
        """W times uint64[R], the cards in the mover's hand, deck by deck."""
        hands = self.state.flat["hands"]
        return [self.hand, *(hands[self._at + deck] for deck in range(1, self._decks))]

    @lazy
    def taken_held(self) -> Words:
        """uint64[R], the card taken from the discard pile in this turn, while it is in the hand."""
        return self.hand & CODE_BIT[self.state.taken[self.rows]]

    @lazy
    def hand_size(self) -> UInt8s:
        """uint8[R], cards in the mover's hand."""
        first = count_bits(self.hand)
        return first if self._decks == 1 else reduce(add, map(count_bits, self.decks[1:]), first)

    @lazy
    def beside_taken(self) -> Words:
        """uint64[R], the hand without `taken_held`."""
        return self.hand & ~self.taken_held

    @lazy
    def size_beside_taken(self) -> UInt8s:
        """uint8[R], the cards of the hand beside `taken_held`; 0 where there is no such card."""
        return count_bits(self.beside_taken) * (self.taken_held != ZERO)

    def only(self, items: Rows) -> "Movers":
        """Return the same of fewer games, by `one_or_many.places`."""
        return Movers(self.state, self.rows[items])

    def for_part(self, part: "Part") -> "Movers":
        """Return the same as `part` takes it: one game as arrays, if it does not know numbers."""
        lean = part.lean or self.rows.ndim
        return self if lean else Movers(self.state, self.rows[None])

    def gain(self, codes: UInt8s) -> None:
        """Move a card into the mover's hand."""
        hands = self.state.flat["hands"]
        if self._decks == 1:
            hands[self._at] = hand = self.hand | CODE_BIT[codes]
            self._note(hand)
        else:
            hands[self._where(codes)] |= CODE_BIT[codes]
            self.hold_again()

    def reveal(self, codes: UInt8s) -> None:
        """Note that everybody saw the mover take these cards."""
        self.state.flat["known"][self._where(codes)] |= CODE_BIT[codes]

    def show(self) -> None:
        """Lay the mover's whole hand on the table, for everybody to see."""
        self.state.known[self.rows, self.seat] = self.state.hands[self.rows, self.seat]

    def lose(self, cards: Words) -> None:
        """Take cards of the first deck from the mover's hand, seen by everybody."""
        self.state.flat["hands"][self._at] = hand = self.hand & ~cards
        self.state.flat["known"][self._at] &= ~cards
        self._note(hand)

    def give_up(self, copies: UInt8s) -> UInt8s:
        """Remove one of some equal cards, uint8[R, K], from the hand, seen by everybody: uint8[R].

        At least one of them must be held; `NO_CARD` fills up. It is one that everybody knows of, if
        there is one: so the others know of the rest what they can conclude, and no more.
        """
        hands, known = self.state.flat["hands"], self.state.flat["known"]
        deck = np.minimum(copies // WORD_BITS, self._decks - 1)
        places, bits = self._at[..., None] + deck, CODE_BIT[copies]
        held = (hands[places] & bits) != ZERO
        best = (held + (held & ((known[places] & bits) != ZERO)).astype(np.int8)).argmax(-1)
        each = (np.arange(len(copies)),) if self.rows.ndim else ()
        codes: UInt8s = copies[*each, best]
        at = self._where(codes)
        hands[at] &= ~CODE_BIT[codes]
        known[at] &= ~CODE_BIT[codes]
        self.hold_again()
        return codes

    def _where(self, codes: UInt8s) -> Rows:
        """Return intp[R], where the words of the cards lie in all hands."""
        return self._at if self._decks == 1 else self._at + codes // WORD_BITS

    def emptied(self) -> Bools:
        """Return bool[R], True where the mover holds no card."""
        empty: Bools = self.hand == ZERO
        for deck in range(1, self._decks):
            empty = empty & (self.state.flat["hands"][self._at + deck] == ZERO)
        return empty


_OF_HANDS = [name for name, value in vars(Movers).items() if isinstance(value, lazy)]
"""What is worked out from the hands, and no longer right once these change."""
