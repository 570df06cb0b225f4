"""The fewest wildcards for hands of any size, by one sweep over the positions of a sequence.

With dozens of cards there are too many groupings to try (see `groupings.py`). The sweep goes
through the positions A 2 ... Q K A and, at each, through the four suits. All that matters about
the cards passed is the length of the sequences still open, so partial solutions that agree in this
share one *state*; only the cheapest is kept, and none that needs more wildcards than there are.

    position      5        6        7        8
    hearts        5h       6h       WILD     -         open: 1, 2, 3 or more, closed
    spades        5s       -        7s       8s        5s is grouped or left out

A suit has at most as many open sequences as there are decks; more are never needed. A sequence may
close with fewer than three cards: stand-ins then fill it up, on either side. The step at the low
ace decides how many aces of the suit wait for the end above the king. Cards at a position that are
in no sequence form the group of the rank. No sequence uses a wildcard where it could use a card
that would be grouped, since the group may as well have the wildcard. Only SEQUENCE may do so.

A state is one integer; equal states of one hand differ only in the lowest field:

    bits   63 .... 33   32 ... 13   12 ... 9   8      7       6      5 ... 0
           hand         suits       ungrouped  left   SEQ.    GROUP  wildcards
                        4 x 5 bits  at rank    out    placed  placed
"""

from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np

from rummy_env.core.arrays import Bools, Int8s, Ints, Rows, Words
from rummy_env.core.cards import NUM_RANKS, card_flags
from rummy_env.melds.declaration.groupings import ALONE
from rummy_env.melds.hands import Hands, spread
from rummy_env.melds.suit_tables import IMPOSSIBLE

_WILDS_MASK = (1 << 6) - 1
_GROUP_PLACED, _SEQUENCE_PLACED, _LEFT_OUT = 1 << 6, 1 << 7, 1 << 8
_GROUPED_SHIFT, _GROUPED_MASK, _ONE_GROUPED = 9, 15, 1 << 9
_SUIT_SHIFTS, _SUIT_MASK = (13, 18, 23, 28), 31
_HAND_SHIFT = 33

_FIRST_WIDTH, _WIDER = 128, 8
"""States per hand that the first sweep keeps, and the factor for each sweep that follows."""
_MIXER, _MIXED_MASK, _COST_SHIFT = np.int64(0x1E3779B97F4A7C15), (1 << 24) - 1, 24
"""Breaks ties among states of equal cost: a multiplicative hash, of which 24 bits are used."""

_FIRST, _INNER, _LAST, _PAST = range(4)
"""Kinds of positions: the low ace, all between, the high ace, and the end: all sequences close."""
_KINDS = (_FIRST, *[_INNER] * (NUM_RANKS - 1), _LAST, _PAST)

_LACKS = (0, 2, 1, 0)
"""The stand-ins needed to close a sequence, by its number of cards."""

Suit = tuple[tuple[int, ...], int]
"""Cards in each open sequence of a suit (3 means three or more), and aces waiting for the end."""


class _Step(NamedTuple):
    """One way for a suit to pass a position."""

    lanes: tuple[int, ...]  # cards in each open sequence afterwards
    ungrouped: int  # cards held that go into no sequence
    wilds: int  # stand-ins that go into sequences
    extends: bool  # True if a sequence takes a card or a stand-in
    aces: int = 0  # aces that wait for the last position


@dataclass(frozen=True)
class _Steps:
    """All steps, by kind of position, state of the suit, and cards held.

    Those for kind k, state s and h cards are the entries from `bounds[0, k, s, h]` to
    `bounds[1, k, s, h]`.
    """

    bounds: Rows  # intp[2, 4, 32, 3]
    state: Ints  # int64[E], the suit's state afterwards
    ungrouped: Ints  # int64[E], as in `_Step`, like `wilds`
    wilds: Ints
    closing: Ints  # int64[32], stand-ins for each state of a suit if its sequences close
    joins: Bools  # bool[E], True if SEQUENCE may join a sequence here
    buys: Bools  # bool[E], True if the step may be taken without SEQUENCE joining


@cache
def _suit_states(decks: int) -> dict[Suit, int]:
    """Give every state of a suit a number; 0 is the initial state."""
    lanes = [lane for lane in product(range(4), repeat=decks) if list(lane) == sorted(lane)]
    return {suit: i for i, suit in enumerate(product(lanes, range(decks + 1)))}


@cache
def _steps(decks: int) -> _Steps:
    states, found = _suit_states(decks), list[_Step]()
    bounds = np.zeros((2, len(set(_KINDS)), _SUIT_MASK + 1, decks + 1), np.intp)
    for kind, (suit, i), held in product(set(_KINDS), states.items(), range(decks + 1)):
        bounds[0, kind, i, held] = len(found)
        steps = _steps_from(kind, suit, held)
        # Only SEQUENCE may take a place for which a card is available: see the module docstring.
        found += [step for step in steps if step.ungrouped == 0 or step.wilds <= 1]
        bounds[1, kind, i, held] = len(found)
    closing = np.zeros(_SUIT_MASK + 1, np.int64)
    closing[: len(states)] = [sum(_LACKS[lane] for lane in lanes) for lanes, _ in states]
    return _Steps(
        bounds,
        closing=closing,
        state=np.array([states[step.lanes, step.aces] for step in found]),
        ungrouped=np.array([step.ungrouped for step in found]),
        wilds=np.array([step.wilds for step in found]),
        joins=np.array([step.extends or step.wilds > 0 for step in found]),
        buys=np.array([step.ungrouped == 0 or step.wilds == 0 for step in found]),
    )


def _steps_from(kind: int, suit: Suit, held: int) -> list[_Step]:
    """Return the steps of a suit at a kind of position."""
    lanes, aces = suit
    if kind == _FIRST:
        return [
            step._replace(aces=waiting)
            for waiting in range(held + 1)
            for step in _extensions(lanes, held - waiting)
        ]
    if kind == _INNER:
        return [step._replace(aces=aces) for step in _extensions(lanes, held)]
    if kind == _LAST:
        return [step for step in _extensions(lanes, aces) if step.ungrouped == 0]
    return [step for step in _extensions(lanes, 0) if not any(step.lanes)]


def _extensions(lanes: tuple[int, ...], held: int) -> list[_Step]:
    """Return every way to extend or close each open sequence with some of the cards held."""
    found = set()
    for how in product(("close", "card", "stand-in"), repeat=len(lanes)):
        taken = list(zip(lanes, how, strict=True))
        after = sorted(0 if h == "close" else min(lane + 1, 3) for lane, h in taken)
        wilds = how.count("stand-in") + sum(_LACKS[lane] for lane, h in taken if h == "close")
        begins_with_stand_in = (0, "stand-in") in taken
        ungrouped = held - how.count("card")
        if ungrouped >= 0 and not begins_with_stand_in:
            found.add(_Step(tuple(after), ungrouped, wilds, set(how) != {"close"}))
    return sorted(found)


def wilds_needed_by_sweep(hands: Hands, either: Bools) -> Int8s:
    """Return `Declaration.wilds_needed` for hands of any size, int8[2, N]; `either` is bool[N].

    Source: docs/rules/going_out.md#a-finished-hand
    """
    best = np.full((2, len(hands)), IMPOSSIBLE, np.int8)
    rows, width = np.arange(len(hands)), _FIRST_WIDTH
    while rows.size:
        some = hands.take(rows)
        found, exact = _sweep(some, width)
        best[:, rows] = np.minimum(best[:, rows], found)
        known = found <= some.wild
        enough = np.where(either[rows], known.any(axis=0), known.all(axis=0))
        rows, width = rows[~(exact | enough)], _WIDER * width
    return best


def _sweep(hands: Hands, width: int) -> tuple[Int8s, Bools]:
    """Do one sweep in which no hand has more than `width` states at any time.

    Returns the answers, int8[2, N], which may be too high, and bool[N], True where they are exact
    because no state was dropped.
    """
    held, decks = _held(hands.naturals), len(hands.naturals)
    exact = np.ones(len(hands), np.bool_)
    states = np.arange(len(hands), dtype=np.int64) << _HAND_SHIFT
    states += np.where(hands.group, 0, _GROUP_PLACED)
    states += np.where(hands.sequence, 0, _SEQUENCE_PLACED)
    for position, kind in enumerate(_KINDS):
        for suit in range(4):
            # After the king, the cards held do not matter: the aces wait in the suit's state.
            cards = held[:, suit, position % NUM_RANKS]
            states = _pass_suit(states, kind, suit, cards, decks)
            states = _narrowed(_cheapest(states, hands.wild), decks, width, exact)
        states = _narrowed(_cheapest(_settle_group(states), hands.wild), decks, width, exact)
    return _read_off(states, len(hands)), exact


def _narrowed(states: Ints, decks: int, width: int, exact: Bools) -> Ints:
    """Keep the most promising states: those that need the fewest wildcards if all ends here.

    States of a hand are adjacent, and at most `width` of them are kept; hands that lose some
    become False in `exact`, bool[N].
    """
    hand = states >> _HAND_SHIFT
    count = np.bincount(hand, minlength=len(exact))
    if count.max(initial=0) <= width:
        return states
    exact &= count <= width
    cost = (states & _WILDS_MASK) + np.bitwise_count(~states & (_GROUP_PLACED | _SEQUENCE_PLACED))
    for shift in _SUIT_SHIFTS:
        cost += _steps(decks).closing[states >> shift & _SUIT_MASK]
    # Neighbouring states of equal cost are too similar: the upper bits of a product mix them.
    mixed = (states * _MIXER) >> _HAND_SHIFT & _MIXED_MASK
    order = ((hand << _HAND_SHIFT) + (cost << _COST_SHIFT) + mixed).argsort()
    rank = np.arange(len(states)) - (np.cumsum(count) - count)[hand]
    return states[order[rank < width]]


def _held(naturals: Words) -> Ints:
    """Return the number of copies of each regular card, int64[N, 4, 13]."""
    return card_flags(naturals).sum(axis=0, dtype=np.int64).reshape(-1, 4, NUM_RANKS)


def _pass_suit(states: Ints, kind: int, suit: int, cards: Ints, decks: int) -> Ints:
    """Replace every state by all that can follow from one suit's cards at one position."""
    steps, shift = _steps(decks), _SUIT_SHIFTS[suit]
    before = states >> shift & _SUIT_MASK
    held = cards[states >> _HAND_SHIFT]
    parent, step = spread(*steps.bounds[:, kind, before, held])
    after = (states - (before << shift))[parent] + (steps.state[step] << shift)
    after += (steps.ungrouped[step] << _GROUPED_SHIFT) + steps.wilds[step]
    joins = steps.joins[step] & (after & _SEQUENCE_PLACED == 0)
    # SEQUENCE takes the place of one stand-in, or extends a sequence that lacks none.
    saved = np.minimum(steps.wilds[step[joins]], 1)
    return np.concatenate([after[steps.buys[step]], after[joins] + _SEQUENCE_PLACED - saved])


def _settle_group(states: Ints) -> Ints:
    """Group the cards of a rank that are in no sequence, except one that may be left out."""
    grouped = states >> _GROUPED_SHIFT & _GROUPED_MASK
    may_leave = (grouped > 0) & (states & _LEFT_OUT == 0)
    left_out = states[may_leave] + _LEFT_OUT - _ONE_GROUPED
    states = np.concatenate([states, left_out])
    grouped = states >> _GROUPED_SHIFT & _GROUPED_MASK
    settled = states - (grouped << _GROUPED_SHIFT)
    lacks = np.where(grouped > 0, np.maximum(3 - grouped, 0), 0)
    joins = (grouped > 0) & (states & _GROUP_PLACED == 0)
    saved = np.minimum(lacks[joins], 1)
    settled += lacks
    return np.concatenate([settled, settled[joins] + _GROUP_PLACED - saved])


def _cheapest(states: Ints, most: Int8s) -> Ints:
    """Keep the cheapest of equal states, and none that needs more wildcards than there are."""
    # Wildcards are the lowest field, so after sorting the cheapest of equal states comes first.
    affordable = states & _WILDS_MASK <= most[states >> _HAND_SHIFT]
    states = np.sort(states[affordable])
    return states[np.diff(states & ~_WILDS_MASK, prepend=-1) != 0]


def _read_off(states: Ints, hands: int) -> Int8s:
    """Return the answers, int8[2, N], from the states after the last position."""
    wilds = states & _WILDS_MASK
    wilds += ALONE * (states & _GROUP_PLACED == 0) + ALONE * (states & _SEQUENCE_PLACED == 0)
    best = np.full((2, hands), IMPOSSIBLE, np.int8)
    left_out = (states & _LEFT_OUT > 0).astype(np.intp)
    np.minimum.at(best, (left_out, states >> _HAND_SHIFT), wilds.astype(np.int8))
    return best
