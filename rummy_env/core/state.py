"""The table of every game, as a struct of arrays.

Letters of axes: B games, P seats, C cards of the pack, W words of a set of cards (one per deck),
R selected rows.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from rummy_env.core.bits import BIT, WORD_BITS, ZERO, Bools, Words
from rummy_env.core.cards import NO_CARD, Pack

_U8 = npt.NDArray[np.uint8]
_I8 = npt.NDArray[np.int8]
_I32 = npt.NDArray[np.int32]
Index = npt.NDArray[np.intp]
_NONE = np.uint8(NO_CARD)

CODE_BIT: Words = np.zeros(256, np.uint64)
"""uint64[256], the bit of a card's code within its word; 0 for `NO_CARD`."""
CODE_BIT[: 2 * WORD_BITS] = np.tile(BIT, 2)


@dataclass
class State:
    """B games side by side, changed in place."""

    clock = 0
    """Counts the changes, so that a view of an earlier moment can tell that it is one."""

    seed: Words
    """uint64[B], what every shuffle of the game is drawn from."""
    hands: Words
    """uint64[B, P, W], the cards that each seat holds."""
    known: Words
    """uint64[B, P, W], those of them that everybody saw the seat take from the discard pile."""
    stock: _U8
    """uint8[B, C], codes; the next card is at `stock_at`, the last before `stock_end`."""
    stock_at: _I32
    """int32[B]."""
    stock_end: _I32
    """int32[B]."""
    stock_open: Bools
    """bool[B], whether everybody saw the order of the stock (a pile turned over unshuffled)."""
    pile: _U8
    """uint8[B, C], codes of the discard pile, the top at `pile_size - 1`, then `NO_CARD`."""
    pile_size: _I32
    """int32[B]."""
    piled: Words
    """uint64[B, W], the cards that lie in the discard pile."""
    returned: Words
    """uint64[B, W], the cards of the stock as it was last renewed."""
    grouped: Words
    """uint64[B], the cards that lie in groups on the table."""
    sequenced: Words
    """uint64[B], the cards that lie in sequences; high aces as `melds.HIGH_ACES`."""
    starts: Words
    """uint64[B], the lowest cards of the sequences on the table."""
    to_move: _I8
    """int8[B], the seat to act."""
    phase: _I8
    """int8[B], index into the phases of the rules."""
    taken: _U8
    """uint8[B], code of the card taken from the discard pile in this turn, or `NO_CARD`."""
    taken_count: _U8
    """uint8[B], cards taken from the discard pile in this turn."""
    melds_made: _I8
    """int8[B], melds laid down in this turn."""
    played: Bools
    """bool[B, P], who melded or laid off in an earlier turn of this hand."""
    plays_made: Bools
    """bool[B], whether anything was melded or laid off in this turn."""
    claim: _I8
    """int8[B], what a seat has claimed to end the hand, as the claiming part numbers it; or 0."""
    claimant: _I8
    """int8[B], the seat that made the claim."""
    upcard: _U8
    """uint8[B], code of the card that the deal turned up, or `NO_CARD`."""
    passes: _I8
    """int8[B], how often in the hand a seat has passed."""
    returns: _I8
    """int8[B], turns in a row, up to the last, that put back the card taken from the pile."""
    dealer: _I8
    """int8[B]."""
    sits_out: Bools
    """bool[B, P], who does not play this hand of the match."""
    scores: _I32
    """int32[B, P], points so far in the episode."""
    hand_number: _I32
    """int32[B], hands completed in the episode."""
    turn_number: _I32
    """int32[B], turns completed in the hand."""
    shuffles: _I32
    """int32[B], shuffles of the hand, the deal included."""
    decisions: _I32
    """int32[B], actions taken in the episode."""
    winners: Bools
    """bool[B, P], who won the finished episode."""
    terminated: Bools
    """bool[B], the episode has ended by the rules."""
    truncated: Bools
    """bool[B], the episode was cut off."""

    @classmethod
    def empty(cls, num_games: int, num_players: int, pack: Pack) -> "State":
        """Tables on which nothing has been dealt."""
        b, p, c, w = num_games, num_players, pack.num_cards, pack.decks
        i32, i8, flag, u64 = np.int32, np.int8, np.bool_, np.uint64
        return cls(
            seed=np.zeros(b, u64),
            hands=np.zeros((b, p, w), u64),
            known=np.zeros((b, p, w), u64),
            stock=np.full((b, c), NO_CARD, np.uint8),
            stock_at=np.zeros(b, i32),
            stock_end=np.zeros(b, i32),
            stock_open=np.zeros(b, flag),
            pile=np.full((b, c), NO_CARD, np.uint8),
            pile_size=np.zeros(b, i32),
            piled=np.zeros((b, w), u64),
            returned=np.zeros((b, w), u64),
            grouped=np.zeros(b, u64),
            sequenced=np.zeros(b, u64),
            starts=np.zeros(b, u64),
            to_move=np.zeros(b, i8),
            phase=np.zeros(b, i8),
            taken=np.full(b, NO_CARD, np.uint8),
            taken_count=np.zeros(b, np.uint8),
            melds_made=np.zeros(b, i8),
            played=np.zeros((b, p), flag),
            plays_made=np.zeros(b, flag),
            claim=np.zeros(b, i8),
            claimant=np.zeros(b, i8),
            upcard=np.full(b, NO_CARD, np.uint8),
            passes=np.zeros(b, i8),
            returns=np.zeros(b, i8),
            dealer=np.zeros(b, i8),
            sits_out=np.zeros((b, p), flag),
            scores=np.zeros((b, p), i32),
            hand_number=np.zeros(b, i32),
            turn_number=np.zeros(b, i32),
            shuffles=np.zeros(b, i32),
            decisions=np.zeros(b, i32),
            winners=np.zeros((b, p), flag),
            terminated=np.zeros(b, flag),
            truncated=np.zeros(b, flag),
        )

    def arrays(self) -> Iterator[tuple[str, npt.NDArray[Any]]]:
        """Every array with its name; the first axis is always the games."""
        for field in fields(self):
            yield field.name, getattr(self, field.name)

    def take(self, rows: Index) -> "State":
        """A copy of some of the games, in the given order."""
        picked: dict[str, Any] = {name: array[rows] for name, array in self.arrays()}
        return State(**picked)

    def copy(self) -> "State":
        """A copy of all games."""
        return self.take(np.arange(len(self.seed)))

    def put(self, rows: Index, games: "State") -> None:
        """Overwrites games with others of the same rules."""
        for name, array in self.arrays():
            array[rows] = getattr(games, name)

    @property
    def num_bytes(self) -> int:
        """Memory of all arrays, in bytes."""
        return sum(array.nbytes for _, array in self.arrays())

    @property
    def num_players(self) -> int:
        """Seats at each table."""
        return self.scores.shape[1]

    def pile_top(self, rows: Index) -> _U8:
        """uint8[R], the code of the top discard, or `NO_CARD`."""
        last = rows * self.pile.shape[1] + self.pile_size.take(rows) - 1
        return np.where(self.pile_size.take(rows) > 0, self.pile.reshape(-1).take(last), _NONE)

    def next_seat(self, rows: Index, seats: _I8, step: int = 1) -> _I8:
        """int8[R], the next seat that plays this hand, clockwise; anticlockwise by step -1."""
        after: _I8 = (seats + np.int8(step)) % np.int8(self.num_players)
        while (skip := self.sits_out[rows, after]).any():
            after = np.where(skip, (after + np.int8(step)) % np.int8(self.num_players), after)
        return after

    def add_to_hands(self, rows: Index, seats: Index | _I8, codes: _U8) -> None:
        """Deals cards, uint8[R, cards], to a seat of each game."""
        for deck in range(self.hands.shape[2]):
            words = np.where(codes // WORD_BITS == deck, CODE_BIT.take(codes), ZERO)
            self.hands[rows, seats, deck] |= np.bitwise_or.reduce(words, axis=1)

    def discard(self, rows: Index, codes: _U8) -> None:
        """Puts a card on each discard pile."""
        size = self.pile_size.take(rows)
        self.pile.reshape(-1)[rows * self.pile.shape[1] + size] = codes
        self.pile_size[rows] = size + 1
        self._mark(self.piled, rows, codes)

    def pop_pile(self, rows: Index) -> _U8:
        """uint8[R], the top discard of each game, taken off its pile."""
        size = self.pile_size.take(rows) - 1
        last = rows * self.pile.shape[1] + size
        codes: _U8 = self.pile.reshape(-1).take(last)
        self.pile.reshape(-1)[last] = NO_CARD
        self.pile_size[rows] = size
        self._unmark(self.piled, rows, codes)
        return codes

    def pop_stock(self, rows: Index) -> _U8:
        """uint8[R], the next card of each stock, taken off it."""
        at = self.stock_at.take(rows)
        self.stock_at[rows] = at + 1
        codes: _U8 = self.stock.reshape(-1).take(rows * self.stock.shape[1] + at)
        return codes

    def stock_left(self, rows: Index) -> _I32:
        """int32[R], cards in the stock."""
        left: _I32 = self.stock_end.take(rows) - self.stock_at.take(rows)
        return left

    def _at(self, sets: Words, rows: Index, codes: _U8) -> Index:
        """Where the words of the cards lie in the flat array of `sets`."""
        decks = sets.shape[-1]
        return rows if decks == 1 else rows * decks + (codes >> 6)

    def _mark(self, sets: Words, rows: Index, codes: _U8) -> None:
        sets.reshape(-1)[self._at(sets, rows, codes)] |= CODE_BIT.take(codes)

    def _unmark(self, sets: Words, rows: Index, codes: _U8) -> None:
        sets.reshape(-1)[self._at(sets, rows, codes)] &= ~CODE_BIT.take(codes)
