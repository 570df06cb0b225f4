"""The view of a seat: the only gate between the table and whoever plays.

Features, texts, heuristics and search see a `SeatView` and nothing else. It hides the cards in the
other hands, except those that everybody saw being taken from the discard pile, and the order of the
stock, except that of a pile that was turned over unshuffled.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np

from rummy_env.core.arrays import Array, Bools, Int8s, Int32s, Integers, Rows, UInt8s, Words
from rummy_env.core.bits import WORD_BITS, ZERO, count_all, merged
from rummy_env.core.cards import NO_CODE
from rummy_env.core.fields import Field, Kind
from rummy_env.core.lazy import lazy
from rummy_env.core.one_or_many import any_set, select
from rummy_env.core.rules import Rules, check_rules
from rummy_env.core.state import CODE_BIT, STOCK_STEPS, State, sets_of
from rummy_env.core.table import flat_sequences

EVERY = slice(None)
SeatIndex = tuple[slice | Rows, int | Rows]
"""A seat of each game, counted from the viewer, as an index of arrays [N, P, ...]: an intp[N] for
each axis, or `EVERY` game and a number."""

Made = TypeVar("Made")

_ESTIMATES: Int8s = np.searchsorted(STOCK_STEPS, np.arange(256), side="right").astype(np.int8)
"""How many of `STOCK_STEPS` a number of cards reaches."""


class SeatView:
    """The knowledge of one seat in each of N games.

    Seats are counted from the viewer, clockwise: seat 0 is the viewer. Everybody remembers every
    card that was seen, unless the rules keep the discard pile covered: then only its top is known.
    Equal cards cannot be told apart: a set counts them by its lowest codes. Every attribute is
    computed once. A view belongs to one moment: reading a new attribute after the games have moved
    on raises a RuntimeError.

    Attributes:
        rules: The rules of the games.
    """

    OWN = (
        *("hand", "known", "hand_sizes", "top", "piled", "pile", "recycled"),
        *("renewed", "stock_estimate", "stock", "unseen"),
    )
    """The attributes of a view other than fields and, where it is known, `stock_left`."""

    _show: Mapping[str, "Show"] = MappingProxyType({})  # so that a blank view can refuse, too

    def __init__(self, rules: Rules, state: State, rows: Rows, seats: Rows) -> None:
        """Look at some games, intp[N], as a seat of each, intp[N], which need not be the mover.

        With one game and seat as numbers, attributes are scalars, and arrays lack the games' axis.
        """
        self.rules = rules
        self._state = state
        self._clock = state.clock
        self._rows = rows
        self._seats = seats
        self._show = _shows(rules)
        self._made: dict[Callable[[SeatView], Any], Any] = {}

    def __len__(self) -> int:
        return len(self._rows)

    def __reduce__(self) -> tuple[type["ToldView"], tuple[Rules, dict[str, Array]]]:
        """Copy and pickle as a value: what the seat knows, without the table."""
        return ToldView, (self.rules, self.told())

    @staticmethod
    @lru_cache(maxsize=64)
    def fields(rules: Rules) -> Mapping[str, str]:
        """Return what a view of these rules tells, by name, with its type and its meaning.

        A view's `on_table` and `next` follow from these.
        """
        check_rules(rules)
        counted = ("stock_left",) if rules.sight.stock_counted else ()
        own = {name: _summary(getattr(SeatView, name)) for name in (*SeatView.OWN, *counted)}
        return MappingProxyType({**own, **{n: f.summary for n, f in rules.seen_fields.items()}})

    def take(self, items: Rows) -> "SeatView":
        """Return the views of some of the games."""
        return SeatView(self.rules, self._table, self._rows[items], self._seats[items])

    def one(self) -> "SeatView":
        """Return the view of one game, N = 1, without the games' axis; it has no `len`, no `next`.

        Most of the game's row is read at once.
        """
        row, arrays = self._rows[0], self._table.__dict__
        view = SeatView(self.rules, self._state, row, self._seats[0])
        view.__dict__.update({name: arrays[name][row] for name in _plain(self.rules)})
        return view

    def __getattr__(self, name: str) -> Array:
        """Return a field of the rules that every seat is shown, computed once.

        Seats are counted from the viewer, equal cards look the same, and an array with an entry
        for every seat begins with the viewer's.
        """
        if (show := self._show.get(name)) is None:
            if name == "stock_left":
                raise AttributeError("the stock may not be counted here: ask for stock_estimate")
            has = ", ".join(["rules", "on_table", "next", *self.fields(self.rules)])
            raise AttributeError(f"a view has no {name!r}; it has {has}")
        shown = self.__dict__[name] = show(self, self._table.__dict__[name])
        return shown

    def once(self, make: "Callable[[SeatView], Made]") -> "Made":
        """Call a function of the view at most once, and remember its result."""
        if make not in self._made:
            self._made[make] = make(self)
        return self._made[make]

    def told(self) -> dict[str, Array]:
        """All that the seat knows, as values by name; `ToldView` makes a view of them."""
        names = self.fields(self.rules)
        return {name: np.array(getattr(self, name), order="C")[()] for name in names}

    @property
    def _table(self) -> State:
        if self._clock != self._state.clock:
            raise RuntimeError("the games have moved on since this view was made: look again")
        return self._state

    @lazy
    def _around(self) -> Rows:
        """intp[N, P], the indices of the seats in a flat array of all seats, the viewer's first."""
        players = self.rules.num_players
        return (self._rows * players)[..., None] + _seats_around(players)[self._seats]

    @lazy
    def _words(self) -> Rows:
        """intp[N, P, W], the indices of the words of the seats' sets of cards."""
        decks, seats = self.rules.pack.decks, self._around[..., None]
        return seats * decks + np.arange(decks) if decks > 1 else seats

    @lazy
    def hand(self) -> Words:
        """uint64[N, W], the viewer's cards."""
        return self.rules.pack.alike(self._hand)

    @lazy
    def _hand(self) -> Words:
        """uint64[N, W], the same with equal cards told apart, as for all names with underscores."""
        decks = self.rules.pack.decks
        own = self._rows * self.rules.num_players + self._seats
        return self._table.hands.reshape(-1, decks).take(own, axis=0)

    @lazy
    def known(self) -> Words:
        """uint64[N, P, W], cards that everybody saw a seat take and that it still holds."""
        return self.rules.pack.alike(self._known)

    @lazy
    def _known(self) -> Words:
        return self._table.flat["known"][self._words]

    @lazy
    def hand_sizes(self) -> UInt8s:
        """uint8[N, P], cards that each seat holds."""
        return count_all(self._table.flat["hands"][self._words])

    @lazy
    def next(self) -> SeatIndex:
        """The next seat that plays this hand, as an index of an array [N, P, ...].

        It is the second seat, but in tie-break hands that this seat sits out.
        """
        skipped = self.sits_out[:, 1]
        if not any_set(skipped):
            return EVERY, 1
        return np.arange(len(self)), 1 + (~self.sits_out[:, 1:]).argmax(axis=1)

    @lazy
    def top(self) -> UInt8s:
        """uint8[N], code of the top discard, or `NO_CARD`."""
        return self._alike(self._top)

    @lazy
    def _top(self) -> UInt8s:
        return self._table.pile_top(self._rows)

    def _alike(self, codes: UInt8s) -> UInt8s:
        """Cards, with equal ones no longer told apart."""
        return self.rules.pack.lowest_codes[codes] if self.rules.pack.has_equals else codes

    @lazy
    def piled(self) -> Words:
        """uint64[N, W], the cards of the discard pile, or only its top card where it is covered."""
        return self.rules.pack.alike(self._piled)

    @lazy
    def _piled(self) -> Words:
        if self.rules.sight.pile_known:
            return self._table.piled.take(self._rows, axis=0)
        decks = np.arange(self.rules.pack.decks)
        top, bit = self._top[..., None], CODE_BIT[self._top][..., None]
        return np.where(top // WORD_BITS == decks, bit, ZERO)

    @lazy
    def pile(self) -> UInt8s:
        """uint8[N, C], their codes, oldest first, then `NO_CARD`."""
        if self.rules.sight.pile_known:
            return self._alike(self._table.pile.take(self._rows, axis=0))
        covered = np.full((*self._rows.shape, self.rules.pack.num_cards), NO_CODE)
        covered[..., 0] = self.top
        return covered

    @lazy
    def recycled(self) -> Words:
        """uint64[N, W], cards reshuffled into the stock that the viewer has not seen since.

        Of equal cards, it has as many as may still be there. Empty where the pile is covered.
        """
        if not self.rules.sight.pile_known:
            return np.zeros_like(self._hand)
        renewed = self._table.recycled.take(self._rows, axis=0)
        if not any_set(renewed):
            return renewed
        unseen, pack = self._not_in_sight, self.rules.pack
        return pack.alike(renewed) & pack.alike(unseen) if pack.has_equals else renewed & unseen

    @lazy
    def renewed(self) -> Bools:
        """bool[N], True where the stock is no longer the one that was left by the deal."""
        table = self._table
        renewed: Bools = (table.shuffles[self._rows] > 1) | table.stock_open[self._rows]
        return renewed

    @lazy
    def stock_left(self) -> Int32s:
        """int32[N], cards in the stock.

        Raises:
            AttributeError: If they may not be counted; a seat then knows only `stock_estimate`.
        """
        if not self.rules.sight.stock_counted:
            raise AttributeError  # falls back to `__getattr__`, which says why
        return self._table.stock_left(self._rows)

    @lazy
    def stock_estimate(self) -> Int8s:
        """int8[N], how many of the numbers of `STOCK_STEPS` the size of the stock reaches."""
        return _ESTIMATES[self._table.stock_left(self._rows)]

    @lazy
    def stock(self) -> UInt8s:
        """uint8[N, C], codes of a stock whose order is known, next card first; else `NO_CARD`."""
        return self._alike(self._stock)

    @lazy
    def _stock(self) -> UInt8s:
        known = _open_stock(self._table, self._rows.reshape(-1))
        return known if self._rows.ndim else known[0]

    @lazy
    def on_table(self) -> Words:
        """uint64[N], every card that lies in a meld."""
        return self.grouped | flat_sequences(self.sequenced)

    @lazy
    def unseen(self) -> Words:
        """uint64[N, W], the cards whose place the viewer does not know.

        They are in the other hands, in the stock, or in a covered discard pile. Where the order of
        the stock is known, its cards are not unseen.
        """
        return self.rules.pack.alike(self._unseen)

    @lazy
    def _unseen(self) -> Words:
        """uint64[N, W], the same with equal cards told apart, for dealing these anew."""
        if not any_set(self.stock_open):
            return self._not_in_sight
        return self._not_in_sight & ~sets_of(self._stock, self.rules.pack.decks)

    @lazy
    def _not_in_sight(self) -> Words:
        """uint64[N, W], all cards but those in melds, on the pile, or known to be in a hand."""
        seen = self._hand | self._piled | merged(self._known.swapaxes(-2, -1))
        hidden = self.rules.pack.everything & ~seen
        hidden[..., 0] &= ~self.on_table
        return hidden


class ToldView(SeatView):
    """A view that is a value: it holds what a seat knows, and has no access to the table."""

    def __init__(self, rules: Rules, told: Mapping[str, Array]) -> None:
        """Take over what `SeatView.told` returned for N games."""
        self.rules = rules
        self._made = {}
        self._names = tuple(told)
        self.__dict__.update(told)

    def __len__(self) -> int:
        return len(self.hand)

    def take(self, items: Rows) -> "ToldView":
        """Return the views of some of the games."""
        return ToldView(self.rules, {name: self.__dict__[name][items] for name in self._names})

    def one(self) -> "ToldView":
        """Return the view of one game, N = 1, without the games' axis."""
        return ToldView(self.rules, {name: self.__dict__[name][0] for name in self._names})


@lru_cache(maxsize=16)
def _seats_around(players: int) -> Rows:
    """Return intp[P, P], for each seat all seats clockwise from it."""
    seats = np.arange(players)
    return (seats[:, None] + seats) % players


@lru_cache(maxsize=256)
def _plain(rules: Rules) -> tuple[str, ...]:
    """Return the fields that all seats see as they are: no cards with equals, no seats, no axes."""
    relative = {Kind.SEAT, Kind.CARD} if rules.pack.has_equals else {Kind.SEAT}
    seen = rules.seen_fields.items()
    return tuple(name for name, f in seen if not f.axes and f.kind not in relative)


def _summary(attribute: lazy[Array]) -> str:
    """Return the first paragraph of its docstring."""
    first = (attribute.__doc__ or "").partition("\n\n")[0]
    return first.removesuffix(".")


Show = Callable[[SeatView, Array], Array]
"""A function from a view and an array of the state to what the viewer is shown of it."""


@lru_cache(maxsize=256)
def _shows(rules: Rules) -> Mapping[str, Show]:
    """Return the functions that show fields that all seats see, by name of the field."""
    return {name: _show(rules, field) for name, field in rules.seen_fields.items()}


def _show(rules: Rules, field: Field) -> Show:
    if field.axes == "P":
        return lambda view, array: array.reshape(-1)[view._around]
    if field.kind is Kind.SEAT:
        return _show_seat_or_none if field.blank < 0 else _show_seat
    if field.axes:
        alike = rules.pack.alike
        return lambda view, array: alike(array[view._rows])
    if field.kind is Kind.CARD:
        return lambda view, array: view._alike(array[view._rows])
    return lambda view, array: array[view._rows]


def _show_seat(view: SeatView, seats: Int8s) -> Rows:
    """Return intp[N], a seat of each game, counted from the viewer."""
    return (seats[view._rows] - view._seats) % view.rules.num_players


def _show_seat_or_none(view: SeatView, seats: Int8s) -> Rows:
    """Return the same; -1 for none."""
    return select(seats[view._rows] < 0, -1, _show_seat(view, seats))


def look(rules: Rules, state: State, rows: Rows, seats: Integers) -> SeatView:
    """Return the view of a seat, int[N], in each of some games, intp[N]; not only of the mover.

    Both are copied: whoever changed them later would see another seat's cards.
    """
    return SeatView(rules, state, rows.copy(), np.array(seats, np.intp))


def _open_stock(state: State, rows: Rows) -> UInt8s:
    """Return uint8[N, C], the stock in order where everybody knows it; `NO_CARD` elsewhere."""
    items = state.stock_open.take(rows).nonzero()[0]
    shape = (len(rows), state.stock.shape[1])
    if not items.size:
        return np.broadcast_to(NO_CODE, shape)
    cards = np.full(shape, NO_CODE)
    columns = state.stock_at[rows[items], None] + np.arange(shape[1])
    inside = columns < state.stock_end[rows[items], None]
    codes = np.take_along_axis(state.stock[rows[items]], np.minimum(columns, shape[1] - 1), axis=1)
    cards[items] = np.where(inside, codes, NO_CODE)
    return cards
