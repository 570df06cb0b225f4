"""What a seat may know: the only gate between the table and whoever plays.

Features, texts, heuristics and search see a `SeatView` and nothing else. Hidden are the cards in
the other hands, but for those that were taken from the discard pile in everybody's sight, and the
order of the stock, but for a pile that was turned over unshuffled.
"""

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from rummy_env.core.bits import ONE, WORD_BITS, Bools, Rows, Words
from rummy_env.core.cards import NO_CARD, NUM_RANKS, NUM_REGULAR, REGULAR
from rummy_env.core.melds import HIGH_ACES
from rummy_env.core.rules import Rules
from rummy_env.core.shuffle import shuffled, stream
from rummy_env.core.state import CODE_BIT, State

_NONE = np.uint8(NO_CARD)
_U8 = npt.NDArray[np.uint8]
_I8 = npt.NDArray[np.int8]
_I32 = npt.NDArray[np.int32]


class SeatView:
    """The knowledge of one seat in each of N games.

    Seats are counted from the viewer, clockwise: seat 0 is the viewer. Everybody remembers every
    card that was seen. What is asked for is worked out once; a view is of one moment, and asking
    it for something new after the games have moved on is an error.

    Attributes:
        rules: The rules of the games.
    """

    FIELDS = (
        "hand",
        "known",
        "hand_sizes",
        "phase",
        "to_move",
        "dealer",
        "top",
        "taken",
        "piled",
        "pile",
        "returned",
        "stock_left",
        "stock_open",
        "stock",
        "grouped",
        "sequenced",
        "starts",
        "melds_made",
        "played",
        "scores",
        "hand_number",
        "turn_number",
        "winners",
    )
    """Everything that a seat may know; the other properties are worked out from these."""

    def __init__(self, rules: Rules, state: State, rows: Rows, seats: Rows) -> None:
        """Looks at the table; `look` and `Engine.look` do it for you.

        Args:
            rules: The rules of the games.
            state: All games.
            rows: intp[N], which games.
            seats: intp[N], which seat of each; not necessarily the one to move.
        """
        self.rules = rules
        self._state = state
        self._clock = state.clock
        self._rows = rows
        self._seats = seats

    def __len__(self) -> int:
        return len(self._rows)

    def take(self, items: Rows) -> "SeatView":
        """The views of some of the games."""
        return SeatView(self.rules, self._table, self._rows[items], self._seats[items])

    @property
    def _table(self) -> State:
        if self._clock != self._state.clock:
            raise RuntimeError("the games have moved on since this view was made: look again")
        return self._state

    @cached_property
    def _around(self) -> Rows:
        """intp[N, P], where the seats lie in a flat array of all seats, the viewer's first."""
        players = self.rules.num_players
        seats = self._seats[:, None] + np.arange(players)
        seats -= players * (seats >= players)
        return self._rows[:, None] * players + seats

    def _from_viewer(self, seats: _I8) -> Rows:
        """intp[N], a seat of each game, int8[B], counted from the viewer."""
        places = seats.take(self._rows) - self._seats
        return places + self.rules.num_players * (places < 0)

    @cached_property
    def _words(self) -> Rows:
        """intp[N, P, W], where the words of the seats' sets of cards lie."""
        decks = self.rules.pack.decks
        return self._around[:, :, None] * decks + np.arange(decks)

    @cached_property
    def hand(self) -> Words:
        """uint64[N, W], the viewer's cards."""
        decks = self.rules.pack.decks
        own = self._rows * self.rules.num_players + self._seats
        return self._table.hands.reshape(-1, decks).take(own, axis=0)

    @cached_property
    def known(self) -> Words:
        """uint64[N, P, W], cards that everybody saw a seat take and that it still holds."""
        return self._table.known.reshape(-1).take(self._words)

    @cached_property
    def hand_sizes(self) -> _U8:
        """uint8[N, P], cards that each seat holds."""
        counts = np.bitwise_count(self._table.hands.reshape(-1).take(self._words))
        sizes: _U8 = counts[:, :, 0]
        for deck in range(1, counts.shape[2]):
            sizes = sizes + counts[:, :, deck]
        return sizes

    @cached_property
    def phase(self) -> _I8:
        """int8[N], index into `rules.turn`; -1 when the game is finished."""
        return self._table.phase.take(self._rows)

    @cached_property
    def to_move(self) -> Rows:
        """intp[N], whose turn it is; 0 is the viewer."""
        return self._from_viewer(self._table.to_move)

    @cached_property
    def dealer(self) -> Rows:
        """intp[N]."""
        return self._from_viewer(self._table.dealer)

    @cached_property
    def top(self) -> _U8:
        """uint8[N], code of the top discard, or `NO_CARD`."""
        return self._table.pile_top(self._rows)

    @cached_property
    def taken(self) -> _U8:
        """uint8[N], code of the card taken from the discard pile in this turn, or `NO_CARD`."""
        return self._table.taken.take(self._rows)

    @cached_property
    def piled(self) -> Words:
        """uint64[N, W], the cards in the discard pile."""
        return self._table.piled.take(self._rows, axis=0)

    @cached_property
    def pile(self) -> _U8:
        """uint8[N, C], their codes, oldest first, then `NO_CARD`."""
        return self._table.pile.take(self._rows, axis=0)

    @cached_property
    def returned(self) -> Words:
        """uint64[N, W], cards reshuffled into the stock that the viewer has not seen again."""
        return self._table.returned.take(self._rows, axis=0) & ~self.hand

    @cached_property
    def stock_left(self) -> _I32:
        """int32[N], cards in the stock."""
        return self._table.stock_left(self._rows)

    @cached_property
    def stock_open(self) -> Bools:
        """bool[N], whether the order of the stock is known."""
        return self._table.stock_open.take(self._rows)

    @cached_property
    def stock(self) -> _U8:
        """uint8[N, C], codes of a stock whose order is known, next card first; else `NO_CARD`."""
        return _open_stock(self._table, self._rows)

    @cached_property
    def grouped(self) -> Words:
        """uint64[N], the cards in groups on the table."""
        return self._table.grouped.take(self._rows)

    @cached_property
    def sequenced(self) -> Words:
        """uint64[N], the cards in sequences; high aces as `melds.HIGH_ACES`."""
        return self._table.sequenced.take(self._rows)

    @cached_property
    def starts(self) -> Words:
        """uint64[N], the lowest cards of the sequences."""
        return self._table.starts.take(self._rows)

    @cached_property
    def melds_made(self) -> _I8:
        """int8[N], melds laid down in this turn."""
        return self._table.melds_made.take(self._rows)

    @cached_property
    def played(self) -> Bools:
        """bool[N, P], who melded or laid off in an earlier turn of this hand."""
        return self._table.played.reshape(-1).take(self._around)

    @cached_property
    def scores(self) -> _I32:
        """int32[N, P], points so far in the episode."""
        return self._table.scores.reshape(-1).take(self._around)

    @cached_property
    def hand_number(self) -> _I32:
        """int32[N], hands completed."""
        return self._table.hand_number.take(self._rows)

    @cached_property
    def turn_number(self) -> _I32:
        """int32[N], turns completed in the hand."""
        return self._table.turn_number.take(self._rows)

    @cached_property
    def winners(self) -> Bools:
        """bool[N, P], who has won the finished episode."""
        return self._table.winners.reshape(-1).take(self._around)

    @cached_property
    def on_table(self) -> Words:
        """uint64[N], every card that lies in a meld."""
        return self.grouped | flat_sequences(self.sequenced)

    @cached_property
    def unseen(self) -> Words:
        """uint64[N, W], the cards whose place the viewer does not know.

        They are in the other hands or in the stock. Where the order of the stock is known, its
        cards are not unseen.
        """
        hidden = np.tile(self.rules.pack.everything, (len(self), 1))
        hidden &= ~(self.hand | self.piled | np.bitwise_or.reduce(self.known, axis=1))
        hidden[:, 0] &= ~self.on_table
        if self.stock_open.any():
            for deck in range(hidden.shape[1]):
                codes = np.where(self.stock // WORD_BITS == deck, self.stock, _NONE)
                hidden[:, deck] &= ~np.bitwise_or.reduce(CODE_BIT.take(codes), axis=1)
        return hidden


def flat_sequences(sequenced: Words) -> Words:
    """The cards laid down as sequences with high aces among the other aces, as in a hand.

    Args:
        sequenced: uint64[N], as `State.sequenced`.

    Returns:
        uint64[N].
    """
    cards = sequenced & REGULAR
    if not (sequenced & HIGH_ACES).any():
        return cards
    high = (sequenced & HIGH_ACES) >> np.uint64(NUM_REGULAR)
    for suit in range(4):
        cards = cards | ((high >> np.uint64(suit)) & ONE) << np.uint64(NUM_RANKS * suit)
    return cards


def look(rules: Rules, state: State, rows: Rows, seats: npt.NDArray[np.integer[Any]]) -> SeatView:
    """What a seat of each game may know.

    Args:
        rules: The rules of the games.
        state: All games.
        rows: intp[N], which games.
        seats: int[N], which seat of each; not necessarily the one to move.
    """
    return SeatView(rules, state, rows, np.asarray(seats, np.intp))


def _open_stock(state: State, rows: Rows) -> _U8:
    """uint8[N, C], the stock in order where everybody knows it; `NO_CARD` elsewhere."""
    items = state.stock_open.take(rows).nonzero()[0]
    shape = (len(rows), state.stock.shape[1])
    if not items.size:
        return np.broadcast_to(_NONE, shape)
    cards = np.full(shape, _NONE)
    columns = state.stock_at[rows[items], None] + np.arange(shape[1])
    inside = columns < state.stock_end[rows[items], None]
    codes = np.take_along_axis(state.stock[rows[items]], np.minimum(columns, shape[1] - 1), axis=1)
    cards[items] = np.where(inside, codes, _NONE)
    return cards


def determinise(
    rules: Rules, state: State, rows: Rows, seats: npt.NDArray[np.integer[Any]], seed: Words
) -> State:
    """Copies of games in which all that a seat cannot know is dealt anew.

    The seat's view stays the same to the last bit. Cards that were never seen since the stock was
    last renewed are in somebody's hand, and stay in the hands.

    Args:
        rules: The rules of the games.
        state: All games; not changed.
        rows: intp[N], which games; the same one may come several times.
        seats: int[N], whose knowledge is kept.
        seed: uint64[N], what the redeal and every later shuffle are drawn from.

    Returns:
        N games.
    """
    games = state.take(rows)
    games.seed[:] = seed
    view = look(rules, games, np.arange(len(rows)), seats)
    sizes = view.hand_sizes - np.bitwise_count(view.known).sum(axis=2, dtype=np.uint8)
    sizes[:, 0] = 0
    in_hands, in_stock = _split_hidden(view, sizes.sum(axis=1, dtype=np.intp), seed)
    _redeal_hands(games, np.asarray(seats, np.intp), in_hands, sizes.astype(np.intp))
    _redeal_stock(games, in_stock)
    return games


def _split_hidden(view: SeatView, held: Rows, seed: Words) -> tuple[_U8, _U8]:
    """Deals the hidden cards into those held by others and those of the stock.

    Args:
        view: What is known.
        held: intp[N], how many hidden cards the others hold.
        seed: uint64[N].

    Returns:
        Two uint8[N, C], codes in random order, then `NO_CARD`.
    """
    codes = view.rules.pack.codes
    deck, bit = codes // WORD_BITS, CODE_BIT.take(codes)
    hidden = (view.unseen.take(deck, axis=1) & bit) != 0
    came_back = (view.returned.take(deck, axis=1) & bit) != 0
    first = shuffled(stream(seed, 0), np.where(hidden & ~came_back, codes, _NONE))
    later = shuffled(stream(seed, 1), np.where(hidden & came_back, codes, _NONE))
    count = (hidden & ~came_back).sum(axis=1)[:, None]
    columns = np.arange(len(codes))
    later = np.take_along_axis(later, np.maximum(columns - count, 0), axis=1)
    pool = np.where(columns < count, first, later)
    pool[columns >= hidden.sum(axis=1)[:, None]] = NO_CARD
    in_hands = np.where(columns < held[:, None], pool, _NONE)
    in_stock = np.where(columns < held[:, None], _NONE, pool)
    return _order(stream(seed, 2), in_hands), _order(stream(seed, 3), in_stock)


def _order(keys: Words, codes: _U8) -> _U8:
    """The cards among the codes in random order, then `NO_CARD`."""
    count = (codes != NO_CARD).sum(axis=1)[:, None]
    return np.where(np.arange(codes.shape[1]) < count, shuffled(keys, codes), _NONE)


def _redeal_hands(games: State, seats: Rows, cards: _U8, sizes: Rows) -> None:
    """Gives every other seat as many of the cards as it holds hidden ones."""
    items, columns = np.arange(len(seats)), np.arange(cards.shape[1])
    ends = sizes.cumsum(axis=1)
    for place in range(1, games.num_players):
        seat = (seats + place) % games.num_players
        mine = (columns >= ends[:, place - 1, None]) & (columns < ends[:, place, None])
        games.hands[items, seat] = games.known[items, seat]
        games.add_to_hands(items, seat, np.where(mine, cards, _NONE))


def _redeal_stock(games: State, cards: _U8) -> None:
    """Lays new stocks where the order is not known."""
    rows = (~games.stock_open).nonzero()[0]
    games.stock_end[rows] -= games.stock_at[rows]
    games.stock_at[rows] = 0
    games.stock[rows] = cards[rows]
