"""What a move reads and changes: the seats to move and their hands."""

import numpy as np
import numpy.typing as npt

from rummy_env.core.bits import ZERO, Bools, Words
from rummy_env.core.lazy import lazy
from rummy_env.core.state import CODE_BIT, Index, State

_U8 = npt.NDArray[np.uint8]
_I8 = npt.NDArray[np.int8]


class Turn:
    """The seats to move in some of the games, at one moment: what a move reads and then changes.

    Attributes:
        state: All games.
        rows: intp[R], the games concerned, each once.
    """

    def __init__(self, state: State, rows: Index) -> None:
        self.state = state
        self.rows = rows
        self.seat: _I8 = state.to_move.take(rows)
        decks = state.hands.shape[2]
        self._at: Index = (rows * state.num_players + self.seat) * decks
        self.hand: Words = state.hands.reshape(-1).take(self._at)
        """uint64[R], cards of the first deck in the mover's hand (all of them, with one deck)."""

    @lazy
    def cards(self) -> Words:
        """uint64[R, W], all cards in the mover's hand."""
        decks = self.state.hands.shape[2]
        if decks == 1:
            return self.hand[:, None]
        return self.state.hands.reshape(-1).take(self._at[:, None] + np.arange(decks))

    @lazy
    def taken_held(self) -> Words:
        """uint64[R], the card taken from the discard pile in this turn, while it is in the hand."""
        return self.hand & CODE_BIT.take(self.state.taken.take(self.rows))

    @lazy
    def hand_size(self) -> npt.NDArray[np.uint8]:
        """uint8[R], cards in the mover's hand."""
        size: npt.NDArray[np.uint8] = np.bitwise_count(self.hand)
        return size

    def only(self, items: Index) -> "Turn":
        """The same of fewer games."""
        return Turn(self.state, self.rows.take(items))

    def gain(self, codes: _U8) -> None:
        """The mover takes a card into the hand."""
        hands = self.state.hands.reshape(-1)
        if self.state.hands.shape[2] == 1:
            self.hand = self.hand | CODE_BIT.take(codes)
            hands[self._at] = self.hand
        else:
            hands[self._where(codes)] |= CODE_BIT.take(codes)
            self.hand = hands.take(self._at)

    def reveal(self, codes: _U8) -> None:
        """Notes that everybody saw the mover take these cards."""
        self.state.known.reshape(-1)[self._where(codes)] |= CODE_BIT.take(codes)

    def show(self) -> None:
        """The mover lays the whole hand on the table, for everybody to see."""
        self.state.known[self.rows, self.seat] = self.state.hands[self.rows, self.seat]

    def lose(self, cards: Words) -> None:
        """Cards of the first deck leave the mover's hand, seen by everybody."""
        self.hand = self.hand & ~cards
        self.state.hands.reshape(-1)[self._at] = self.hand
        self.state.known.reshape(-1)[self._at] &= ~cards

    def give_up(self, copies: _U8) -> _U8:
        """A card leaves the mover's hand, seen by everybody.

        Of equal cards it is one that everybody knows of, as far as there is one: so the others
        know of the rest what they can conclude, and no more.

        Args:
            copies: uint8[R, K], the codes of cards that look alike, at least one of them held;
                `NO_CARD` where there are fewer.

        Returns:
            uint8[R], the code of the card.
        """
        hands, known = self.state.hands.reshape(-1), self.state.known.reshape(-1)
        deck = np.minimum(copies >> np.uint8(6), self.state.hands.shape[2] - 1)
        places, bits = self._at[:, None] + deck, CODE_BIT.take(copies)
        held = (hands.take(places) & bits) != ZERO
        best = (held + (held & ((known.take(places) & bits) != ZERO)).astype(np.int8)).argmax(1)
        codes = copies[np.arange(len(copies)), best]
        at = self._where(codes)
        hands[at] &= ~CODE_BIT.take(codes)
        known[at] &= ~CODE_BIT.take(codes)
        self.hand = hands.take(self._at)
        return codes

    def _where(self, codes: _U8) -> Index:
        """intp[R], where the words of the cards lie in all hands."""
        return self._at if self.state.hands.shape[2] == 1 else self._at + (codes >> 6)

    def emptied(self) -> Bools:
        """bool[R], whether the mover holds no card."""
        decks = self.state.hands.shape[2]
        empty: Bools = self.hand == ZERO
        for deck in range(1, decks):
            empty &= self.state.hands.reshape(-1).take(self._at + deck) == ZERO
        return empty
