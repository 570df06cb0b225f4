"""Dealing anew what a seat cannot know, for planners that try out how a game may go on.

A world is a table that agrees with all that a seat knows. It is made from the seat's view alone, so
a planner cannot see what the seat cannot. Seats are counted as in the view: the viewer is seat 0,
and the others follow clockwise.
"""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from rummy_env.core.arrays import Bools, Floats, Rows, UInt8s, Words
from rummy_env.core.bits import WORD_BITS
from rummy_env.core.cards import NO_CARD, NO_CODE, NUM_REGULAR, Pack
from rummy_env.core.rules import Rules
from rummy_env.core.shuffle import shuffled, shuffled_at, stream, uniform
from rummy_env.core.state import CODE_BIT, STOCK_STEPS, State, sets_of
from rummy_env.core.visibility import SeatView


class _Draw(IntEnum):
    """What the numbers that follow from a world's seed are for, so that no two uses share one."""

    HELD_FIRST = 0
    HELD_LATER = 1
    IN_HANDS = 2
    ELSEWHERE = 3
    STOCK_LEFT = 4
    KEPT_IN_HANDS = 5
    KEPT_ELSEWHERE = 6
    KEPT = 7
    """Of the first column of cards; the others have the numbers that follow."""


def determinise(
    view: SeatView, seeds: Words, items: Rows | None = None, odds: Floats | None = None
) -> State:
    """Lay tables that look the same to the viewer, with the hidden cards dealt at random.

    Hidden cards known not to have gone back into the stock when it was last renewed are in
    somebody's hand, and stay in the hands. Cards that no seat can part with (`Rules.kept`) are in
    hands or in the stock. Where cards may not be counted, the sizes of stock and discard pile are
    sampled from those that agree with the view.

    Args:
        view: The knowledge of a seat in each of N games.
        seeds: uint64[M], the seeds of the deal and of every later shuffle of each world.
        items: intp[M], the game of each world; by default one world per game, M = N.
        odds: float32[52, N], how likely each hidden regular card is to be in a hand, relative to
            the others; by default all alike.

    Returns:
        M games; the viewer has seat 0.
    """
    rules, seen = view.rules, _Places.seen(view)
    items = np.arange(len(view)) if items is None else items
    worlds = State.empty(len(items), rules.num_players, rules.pack, rules.state_fields)
    for name in rules.seen_fields:
        getattr(worlds, name)[:] = getattr(view, name)[items]
    worlds.terminated[:] = (worlds.phase < 0) & ~worlds.truncated
    worlds.seed[:] = seeds
    worlds.shuffles[:] = 1 + (view.renewed & ~view.stock_open)[items]  # the deal, and one more
    worlds.hands[:, 0], worlds.known[:] = seen.hand[items], seen.known[items]
    _lay_pile(worlds, seen.pile[items])
    sizes = view.hand_sizes - np.bitwise_count(seen.known).sum(axis=2, dtype=np.uint8)
    sizes[:, 0] = 0
    held = sizes.sum(axis=1, dtype=np.intp)
    fewest, most = _believable_stocks(view, seen.hidden, held)
    spread = most[items] - fewest[items] + 1
    stock_left = fewest[items] + (uniform(stream(seeds, _Draw.STOCK_LEFT)) * spread).astype(np.intp)
    weights = None if odds is None else _by_column(odds, rules.pack)[items]
    hidden = seen.hidden[items], seen.came_back[items], held[items]
    if rules.kept.size:
        playing = rules.num_players - worlds.sits_out.sum(axis=1)
        drawable = np.where(view.renewed[items], 0, stock_left)
        in_hands, elsewhere = _split_kept(
            *hidden, stock_left, drawable, playing, rules, seeds, weights
        )
    else:
        in_hands, elsewhere = _split_hidden(*hidden, seeds, weights)
    _deal_hands(worlds, in_hands, sizes.astype(np.intp)[items])
    _lay_stock(worlds, elsewhere, stock_left, seen.stock[items])
    if rules.sight.pile_known:
        renewed = np.where(seen.came_back, seen.hidden, NO_CODE)
        # A stock whose order is known is the pile turned over.
        both = [sets_of(cards, rules.pack.decks) for cards in (renewed, seen.stock)]
        worlds.recycled[:] = (both[0] | both[1])[items]
    else:
        in_stock = np.where(worlds.stock_open, 0, stock_left)  # the cards of an open one are known
        _cover_piles(worlds, elsewhere, in_stock)
    return worlds


@dataclass(frozen=True)
class _Places:
    """Where the cards that a seat knows of lie in N games, with equal ones told apart.

    Attributes:
        hand: uint64[N, W].
        known: uint64[N, P, W].
        pile: uint8[N, C], codes, oldest first, then `NO_CARD`; so are the next two.
        stock: A stock whose order is known, next card first.
        hidden: Cards whose place is not known.
        came_back: bool[N, C], True for those of `hidden` that may be back in the stock; of equal
            cards, as many as the viewer must allow for.
    """

    hand: Words
    known: Words
    pile: UInt8s
    stock: UInt8s
    hidden: UInt8s
    came_back: Bools

    @classmethod
    def seen(cls, view: SeatView) -> "_Places":
        """Read a view, and tell equal cards apart: the viewer gets the lowest copies."""
        pack = view.rules.pack
        others = [view.known[:, place] for place in range(1, view.rules.num_players)]
        places = [*(_listed(cards, pack) for cards in (view.hand, *others)), view.pile, view.stock]
        hidden, came_back = _listed(view.unseen, pack), _listed(view.recycled, pack)
        came_back = (came_back != NO_CARD) & (came_back == hidden)
        came_back[view.stock_open] = False  # nobody draws a card unseen from such a stock
        if pack.has_equals:
            *places, hidden = _told_apart([*places, hidden], pack)
        *hands, pile, stock = places
        words = [sets_of(cards, view.hand.shape[1]) for cards in hands]
        known = np.stack([view.known[:, 0], *words[1:]], axis=1)
        return cls(words[0], known, pile, stock, hidden, came_back)


def _listed(sets: Words, pack: Pack) -> UInt8s:
    """uint8[N, C], the codes of cards in sets, uint64[N, W], each in its place; else `NO_CARD`."""
    deck, bits = pack.codes // WORD_BITS, CODE_BIT.take(pack.codes)
    return np.where(sets.take(deck, axis=1) & bits, pack.codes, NO_CODE)


def _told_apart(places: list[UInt8s], pack: Pack) -> list[UInt8s]:
    """Turn equal cards into different ones: the first place gets the first copies, and so on.

    Args:
        places: uint8[N, C] each, cards by the lowest codes among equals; in total at most those of
            the pack.
        pack: The pack.
    """
    cards = np.concatenate(places, axis=1)
    faces = pack.lowest_codes.take(cards)
    order = np.argsort(faces, axis=1, kind="stable")
    ordered = np.take_along_axis(faces, order, axis=1)
    columns = np.arange(cards.shape[1])
    begins = np.ones(ordered.shape, np.bool_)
    begins[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    copy = columns - np.maximum.accumulate(np.where(begins, columns, 0), axis=1)
    copy[ordered == NO_CARD] = 0
    found = np.empty_like(cards)
    np.put_along_axis(found, order, pack.copies[ordered, copy], axis=1)
    return np.split(found, len(places), axis=1)


def _by_column(odds: Floats, pack: Pack) -> Floats:
    """Return float64[N, C], the odds of each card of the pack in its place; 1 for special ones."""
    faces = pack.codes % WORD_BITS
    listed = np.ones((odds.shape[1], WORD_BITS))
    listed[:, :NUM_REGULAR] = odds.T
    return listed.take(faces, axis=1)


def _split_hidden(
    codes: UInt8s, came_back: Bools, held: Rows, seeds: Words, odds: Floats | None
) -> tuple[UInt8s, UInt8s]:
    """Split the hidden cards into those held by others, intp[N] of them, and those elsewhere.

    Cards are held according to their odds, float64[N, C]. Returns two uint8[N, C], codes in random
    order, then `NO_CARD`. Cards that never went back into the stock are held first, because
    somebody must hold them; those that `came_back` make up the rest.
    """
    columns = np.arange(codes.shape[1], dtype=np.uint8)
    hidden = codes != NO_CARD
    never, back = (np.where(hidden & some, columns, NO_CODE) for some in (~came_back, came_back))
    first = shuffled(stream(seeds, _Draw.HELD_FIRST), never, odds)
    later = shuffled(stream(seeds, _Draw.HELD_LATER), back, odds)
    count = (hidden & ~came_back).sum(axis=1)[:, None]
    later = np.take_along_axis(later, np.maximum(columns - count, 0), axis=1)
    pool = np.where(columns < count, first, later)
    pool[columns >= hidden.sum(axis=1)[:, None]] = NO_CARD
    in_hands = np.where(columns < held[:, None], pool, NO_CODE)
    elsewhere = np.where(columns < held[:, None], NO_CODE, pool)
    return (
        shuffled_at(stream(seeds, _Draw.IN_HANDS), in_hands, codes),
        shuffled_at(stream(seeds, _Draw.ELSEWHERE), elsewhere, codes),
    )


def _split_kept(
    codes: UInt8s,
    came_back: Bools,
    held: Rows,
    stock_left: Rows,
    drawable: Rows,
    playing: Rows,
    rules: Rules,
    seeds: Words,
    odds: Floats | None,
) -> tuple[UInt8s, UInt8s]:
    """Return the same as `_split_hidden`, where some cards are never discarded (`Rules.kept`).

    All cards in the stock, `stock_left`, intp[N], come first among those elsewhere. Of these,
    `drawable`, intp[N], may be such cards: none of a stock that was renewed, all of whose cards had
    been discarded.
    """
    kept = np.isin(codes, rules.kept)
    dealt = rules.pack.num_cards - stock_left  # and drawn, by turns: to all seats alike
    got = np.maximum(dealt * (playing - 1) // playing, held)
    drawn = _drawn_by_others(kept, held, got, drawable, seeds)
    rest = np.where(kept, NO_CODE, codes)
    in_hands, elsewhere = _split_hidden(rest, came_back, held - drawn.sum(axis=1), seeds, odds)
    with_hands, left = (np.where(some, codes, NO_CODE) for some in (drawn, kept & ~drawn))
    return (
        _mixed(stream(seeds, _Draw.KEPT_IN_HANDS), with_hands, in_hands, held),
        _mixed(stream(seeds, _Draw.KEPT_ELSEWHERE), left, elsewhere, stock_left),
    )


def _drawn_by_others(kept: Bools, held: Rows, got: Rows, left: Rows, seeds: Words) -> Bools:
    """Sample which cards that no seat can part with are in hands, bool[N, C], not in the stock.

    Such a card is with whoever drew it, so it is as likely to be in a hand as one of all cards that
    the others ever got is to be one of these and not of the stock.

    Args:
        kept: bool[N, C], the cards.
        held: intp[N], the hidden cards that the others hold.
        got: intp[N], all that they ever got.
        left: intp[N], the cards in the stock that may be such cards.
        seeds: uint64[N].
    """
    drawn = np.zeros_like(kept)
    for column in np.flatnonzero(kept.any(axis=0)).tolist():
        here = kept[:, column]
        by_chance = uniform(stream(seeds, _Draw.KEPT + column)) * (got + left) < got
        drawn[:, column] = here & (held > 0) & (by_chance | (left == 0))
        held, got = held - drawn[:, column], got - drawn[:, column]
        left = left - (here & ~drawn[:, column])
    return drawn


def _mixed(keys: Words, more: UInt8s, cards: UInt8s, count: Rows) -> UInt8s:
    """Put some cards before others, and shuffle the first `count`, intp[N], of all; uint8[N, C].

    In `more` and `cards`, uint8[N, C], together at most C cards, `NO_CARD` may stand anywhere.
    """
    joined = np.concatenate([more, cards], axis=1)
    order = np.argsort(joined == NO_CARD, axis=1, kind="stable")[:, : cards.shape[1]]
    joined = np.take_along_axis(joined, order, axis=1)
    columns = np.arange(cards.shape[1], dtype=np.uint8)
    first = columns < count[:, None]
    return np.where(first, shuffled_at(keys, np.where(first, columns, NO_CODE), joined), joined)


def _believable_stocks(view: SeatView, hidden: UInt8s, held: Rows) -> tuple[Rows, Rows]:
    """Return the fewest and the most cards, intp[N], that may be in the stock.

    All hidden cards, uint8[N, C], that the others do not hold, intp[N], unless the pile is covered:
    then some lie below its top, and every turn has added at most one card to the pile, as the deal
    may have. Cards that no seat can part with are in the stock where the hands have no room for
    them.
    """
    cards = (hidden != NO_CARD).sum(axis=1) - held
    if view.rules.sight.pile_known:
        return cards, cards
    if view.rules.sight.stock_counted:
        return (view.stock_left.astype(np.intp),) * 2
    steps = np.array([0, *STOCK_STEPS, view.rules.pack.num_cards + 1])
    added = view.turn_number - 1 + int(view.rules.first_discard)
    below = np.where(view.top == NO_CARD, 0, np.maximum(added, 0))
    kept = np.isin(hidden, view.rules.kept).sum(axis=1) - held
    fewest = np.maximum(steps[view.stock_estimate], np.maximum(cards - below, kept))
    return fewest, np.minimum(steps[view.stock_estimate + 1] - 1, cards)


def _deal_hands(worlds: State, cards: UInt8s, sizes: Rows) -> None:
    """Give every other seat as many of the cards as it holds hidden ones."""
    rows, columns = np.arange(len(cards)), np.arange(cards.shape[1])
    ends = sizes.cumsum(axis=1)
    worlds.hands[:, 1:] = worlds.known[:, 1:]
    for seat in range(1, worlds.num_players):
        mine = (columns >= ends[:, seat - 1, None]) & (columns < ends[:, seat, None])
        worlds.add_to_hands(rows, np.full_like(rows, seat), np.where(mine, cards, NO_CODE))


def _lay_pile(worlds: State, pile: UInt8s) -> None:
    """Lay the discard piles as they are known."""
    worlds.pile[:] = pile
    worlds.pile_size[:] = (pile != NO_CARD).sum(axis=1)
    worlds.piled[:] = sets_of(pile, worlds.piled.shape[1])


def _lay_stock(worlds: State, cards: UInt8s, stock_left: Rows, known: UInt8s) -> None:
    """Lay the stocks: in their order where it is known, else the first of the cards."""
    columns, is_open = np.arange(cards.shape[1]), worlds.stock_open[:, None]
    laid = np.where(columns < stock_left[:, None], cards, NO_CODE)
    worlds.stock[:] = np.where(is_open, known, laid)
    worlds.stock_at[:] = 0
    worlds.stock_end[:] = (worlds.stock != NO_CARD).sum(axis=1)


def _cover_piles(worlds: State, cards: UInt8s, stock_left: Rows) -> None:
    """Lay what is not in the stock under the top discards."""
    rows, columns = np.arange(len(cards)), np.arange(cards.shape[1])
    below = (cards != NO_CARD).sum(axis=1) - stock_left
    source = np.minimum(stock_left[:, None] + columns, cards.shape[1] - 1)
    pile = np.where(columns < below[:, None], np.take_along_axis(cards, source, axis=1), NO_CODE)
    pile[rows, below] = worlds.pile_top(rows)
    _lay_pile(worlds, pile)
