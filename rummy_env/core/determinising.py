"""Dealing anew what a seat cannot know, for planners that try out how a game may go on."""

from typing import Any

import numpy as np
import numpy.typing as npt

from rummy_env.core.bits import WORD_BITS, ZERO, Bools, Rows, Words
from rummy_env.core.cards import NO_CARD
from rummy_env.core.rules import Rules
from rummy_env.core.shuffle import shuffled, stream, uniform
from rummy_env.core.state import CODE_BIT, State
from rummy_env.core.visibility import STOCK_STEPS, SeatView, look

_NONE = np.uint8(NO_CARD)
_U8 = npt.NDArray[np.uint8]


def determinise(
    rules: Rules, state: State, rows: Rows, seats: npt.NDArray[np.integer[Any]], seed: Words
) -> State:
    """Copy games and deal anew all that a seat cannot know.

    The seat's view stays the same to the last bit. Cards that were never seen since the stock was
    last renewed are in somebody's hand, and stay in the hands. Where cards may not be counted, the
    sizes of stock and discard pile are sampled from those that agree with the view.

    Args:
        rules: The rules of the games.
        state: All games; not changed.
        rows: intp[N], the games to copy; the same one may come several times.
        seats: int[N], the seats whose knowledge is kept.
        seed: uint64[N], the seeds of the redeal and of every later shuffle.
    """
    games = state.take(rows)
    games.seed[:] = seed
    view = look(rules, games, np.arange(len(rows)), seats)
    sizes = view.hand_sizes - np.bitwise_count(view.known).sum(axis=2, dtype=np.uint8)
    sizes[:, 0] = 0
    held = sizes.sum(axis=1, dtype=np.intp)
    codes, came_back = _hidden_cards(view)
    in_hands, elsewhere = _split_hidden(codes, came_back, held, seed)
    stock_left = _believable_stock(view, (elsewhere != NO_CARD).sum(axis=1), stream(seed, 4))
    _redeal_hands(games, np.asarray(seats, np.intp), in_hands, sizes.astype(np.intp))
    _redeal_stock(games, elsewhere, stock_left)
    if not rules.sight.pile_known:
        _redeal_covered_piles(games, elsewhere, stock_left)
        games.recycled[:] = 0
    return games


def _hidden_cards(view: SeatView) -> tuple[_U8, Bools]:
    """List the cards whose place the viewer does not know: uint8[N, C] codes, then `NO_CARD`.

    Equal cards are next to each other. With them, bool[N, C], True for those that may be back in
    the stock, as many of equal cards as the viewer must allow.
    """
    pack = view.rules.pack
    codes = pack.codes[np.argsort(pack.lowest_codes[pack.codes], kind="stable")]
    deck, bits = codes // WORD_BITS, CODE_BIT.take(codes)

    def flags(sets: Words) -> Bools:
        return np.asarray((sets.take(deck, axis=1) & bits) != 0)

    hidden = flags(view._unseen)
    order = np.argsort(~hidden, axis=1, kind="stable")
    told_order = np.argsort(~flags(view.unseen), axis=1, kind="stable")
    count = hidden.sum(axis=1, keepdims=True)
    listed = np.where(np.arange(len(codes)) < count, codes[order], _NONE)
    return listed, np.take_along_axis(flags(view.recycled), told_order, axis=1)


def _split_hidden(codes: _U8, came_back: Bools, held: Rows, seed: Words) -> tuple[_U8, _U8]:
    """Deal the hidden cards into those held by others, intp[N] of them, and those elsewhere.

    Returns two uint8[N, C], codes in random order, then `NO_CARD`. Cards that never went back into
    the stock come first, because somebody must hold them; those that `came_back` fill up.
    """
    columns = np.arange(codes.shape[1], dtype=np.uint8)
    hidden = codes != NO_CARD
    first = shuffled(stream(seed, 0), np.where(hidden & ~came_back, columns, _NONE))
    later = shuffled(stream(seed, 1), np.where(hidden & came_back, columns, _NONE))
    count = (hidden & ~came_back).sum(axis=1)[:, None]
    later = np.take_along_axis(later, np.maximum(columns - count, 0), axis=1)
    pool = np.where(columns < count, first, later)
    pool[columns >= hidden.sum(axis=1)[:, None]] = NO_CARD
    in_hands = np.where(columns < held[:, None], pool, _NONE)
    elsewhere = np.where(columns < held[:, None], _NONE, pool)
    return _order(stream(seed, 2), in_hands, codes), _order(stream(seed, 3), elsewhere, codes)


def _order(keys: Words, places: _U8, codes: _U8) -> _U8:
    """The cards at the places, uint8[N, C], in random order, then `NO_CARD`."""
    count = (places != NO_CARD).sum(axis=1)[:, None]
    inside = np.arange(places.shape[1]) < count
    order = np.where(inside, shuffled(keys, places), 0).astype(np.intp)
    return np.where(inside, np.take_along_axis(codes, order, axis=1), _NONE)


def _believable_stock(view: SeatView, cards: Rows, keys: Words) -> Rows:
    """Sample how many of the hidden cards that nobody holds, intp[N], are in the stock; intp[N].

    All of them but for a covered pile: there the others lie below its top, to which every turn has
    added a card at most.
    """
    if view.rules.sight.pile_known:
        return cards
    if view.rules.sight.stock_counted:
        return view.stock_left.astype(np.intp)
    steps = np.array([0, *STOCK_STEPS, view.rules.pack.num_cards + 1])
    below = np.where(view.top == NO_CARD, 0, np.maximum(view.turn_number - 1, 0))
    fewest = np.maximum(steps[view.stock_estimate], cards - below)
    most = np.minimum(steps[view.stock_estimate + 1] - 1, cards)
    return fewest + (uniform(keys) * (most - fewest + 1)).astype(np.intp)


def _redeal_hands(games: State, seats: Rows, cards: _U8, sizes: Rows) -> None:
    """Give every other seat as many of the cards as it holds hidden ones."""
    items, columns = np.arange(len(seats)), np.arange(cards.shape[1])
    ends = sizes.cumsum(axis=1)
    for place in range(1, games.num_players):
        seat = (seats + place) % games.num_players
        mine = (columns >= ends[:, place - 1, None]) & (columns < ends[:, place, None])
        games.hands[items, seat] = games.known[items, seat]
        games.add_to_hands(items, seat, np.where(mine, cards, _NONE))


def _redeal_stock(games: State, cards: _U8, stock_left: Rows) -> None:
    """Lay new stocks where the order is not known, of the first of the cards."""
    rows = (~games.stock_open).nonzero()[0]
    columns = np.arange(cards.shape[1])
    games.stock[rows] = np.where(columns < stock_left[rows, None], cards[rows], _NONE)
    games.stock_at[rows] = 0
    games.stock_end[rows] = stock_left[rows]


def _redeal_covered_piles(games: State, cards: _U8, stock_left: Rows) -> None:
    """Lay what is not in the stock under the top discards."""
    items, columns = np.arange(len(cards)), np.arange(cards.shape[1])
    below = (cards != NO_CARD).sum(axis=1) - stock_left
    top = games.pile_top(items)
    source = np.minimum(stock_left[:, None] + columns, cards.shape[1] - 1)
    pile = np.where(columns < below[:, None], np.take_along_axis(cards, source, axis=1), _NONE)
    pile[items, below] = top
    games.pile[:] = pile
    games.pile_size[:] = below + (top != NO_CARD)
    for deck in range(games.piled.shape[1]):
        words = np.where(pile // WORD_BITS == deck, CODE_BIT.take(pile), ZERO)
        games.piled[:, deck] = np.bitwise_or.reduce(words, axis=1)
