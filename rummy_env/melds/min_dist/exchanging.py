"""How far hands are from finished: the least number of cards to exchange.

Cards given up are left out of the melds, and each that comes for one of them is at best a
WILDCARD. So the numbers of `grouping.py`, for every number of cards left out, tell the fewest
exchanges if every new card were a WILDCARD:

    5h 6h 9c 9d Ks 2c        left out    left over    exchanged    lacks
                             Ks 2c       Ks           2c           two: not enough
                             Ks 2c       nothing      Ks 2c        two: the distance is 2

A new card need not be a WILDCARD; a regular card mostly does as well. If a sequence wants one that
lies in a group of the hand, it may have it, and a card of that rank comes into the group instead.
A card too many comes into a group, or at the end of a sequence. That fails in two cases only: all
cards of a rank are held, or there are five places and they are one group. Where the pack has not
enough WILDCARDs outside for such a hand, it is searched by itself (`closest.py`); such are few.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from rummy_env.core.bits import Bools, Words
from rummy_env.melds.declaration import RUMMY, WILD, Cards, Declaration
from rummy_env.melds.declaration.grouping import Holding, wilds_needed
from rummy_env.melds.min_dist.closest import most_kept
from rummy_env.melds.suit_tables import (
    LANE,
    LANES,
    Counts,
    by_suit,
    sequences_lack,
    sequences_lack_beside_pure,
)

LARGEST_HAND = 11
UNREACHABLE = 127
"""The distance of hands of a size that no finished hand has."""

ONE_MELD = 5
"""So many places are one meld; where it is a group, it cannot do without a stand-in."""

_MOST_MELDS = LARGEST_HAND // 3
_PURE = 3
"""Places of a sequence without any WILDCARD: so many may be new, and so many WILDCARDs too many."""
_CHUNK = 2048


def distance(declaration: Declaration, hands: Words) -> Counts:
    """The least number of cards that must be exchanged for others of the pack.

    Args:
        declaration: What a finished hand is.
        hands: uint64[N, W], at most eleven cards each.

    Returns:
        int8[N]; 0 where the hand can go out, `UNREACHABLE` where no hand of its size is finished.

    Raises:
        ValueError: If a hand has more than eleven cards.
    """
    sizes = np.bitwise_count(hands).sum(axis=1, dtype=np.int8)
    if sizes.max(initial=0) > LARGEST_HAND:
        raise ValueError(
            f"hand {int(sizes.argmax())} has {int(sizes.max())} cards: "
            f"distances are worked out for hands of at most {LARGEST_HAND}"
        )
    out = np.empty(len(hands), np.int8)
    for start in range(0, len(hands), _CHUNK):
        chunk = slice(start, start + _CHUNK)
        cards = declaration.sort(hands[chunk])
        out[chunk], surely = _if_all_new_were_wild(declaration, cards, sizes[chunk])
        doubtful = (surely > out[chunk]) | _rank_held(cards.naturals)
        doubtful &= out[chunk] > declaration.pack.specials.count(WILD) - cards.wild
        for row in start + np.flatnonzero(doubtful & (out[chunk] < UNREACHABLE)):
            bound = int(sizes[row] - out[row])
            out[row] = sizes[row] - most_kept(declaration, hands[row], bound)
    return out


def _rank_held(naturals: Words) -> Bools:
    """bool[N], whether all cards of a rank are held."""
    return np.bitwise_and.reduce([deck >> lane & LANE for deck in naturals for lane in LANES]) > 0


def _if_all_new_were_wild(
    declaration: Declaration, cards: Cards, size: Counts
) -> tuple[Counts, Counts]:
    """The distance if any card might come any number of times.

    Returns:
        Two int8[N]: the distance, and the same without a group of `ONE_MELD` places.
    """
    best = surely = _without_kept_melds(declaration, cards, size)
    rummies = range(int(cards.rummy.max(initial=0)) + 1)
    wilds = range(_PURE + 1 if declaration.sequences_rummy else 1)
    for need in _needs(declaration, cards):
        for rummy, given_up, left in product(rummies, wilds, declaration.lefts):
            wild = np.maximum(cards.wild - given_up, 0)
            melded = np.minimum(cards.rummy, rummy)
            idle = need.idle + (cards.rummy - melded) + (cards.wild - wild)
            found = _exchanges(cards, need, need.lacking - wild, idle, left)
            best = np.minimum(best, found)
            in_doubt = need.with_groups & (size - left - melded == ONE_MELD)
            surely = np.minimum(surely, np.where(in_doubt, UNREACHABLE, found))
    return best, surely


@dataclass(frozen=True)
class _Need:
    """What it takes for kept cards to fall into melds.

    Attributes:
        lacking: int8[J, N], stand-ins needed, for each number of regular cards left out.
        idle: int8[N], cards in no meld, among NO MELD, CAN'T GO OUT, GROUP and SEQUENCE.
        melds: bool[N], whether there is a meld even where no regular card is kept.
        fewest_new: New cards that there must be at least.
        with_groups: Whether the cards may lie in groups.
    """

    lacking: Counts
    idle: Counts
    melds: Bools
    fewest_new: int = 0
    with_groups: bool = True


def _needs(declaration: Declaration, cards: Cards) -> Iterator[_Need]:
    """All there are: GROUP and SEQUENCE melded or not, groups or sequences alone."""
    suits, decks = by_suit(cards.naturals), declaration.pack.decks
    depth = int(cards.count.max(initial=0)) + 1
    idle = cards.no_meld.astype(np.int8) + cards.cant_go_out
    if declaration.sequences_rummy:
        for_two = 6 - cards.count + np.arange(depth, dtype=np.int8)[:, None]
        for new in range(_PURE + 1):
            lack = sequences_lack_beside_pure(suits, depth, new)
            yield _Need(np.maximum(lack, for_two), idle, idle == idle, new, with_groups=False)
        return
    lack, none = sequences_lack(suits, decks, depth), np.zeros_like(cards.group)
    yield _Need(lack, idle + cards.group + cards.sequence, none, with_groups=False)
    for group, sequence in product(_kept(cards.group), _kept(cards.sequence)):
        holding = Holding(cards.naturals, group, sequence)
        lack = wilds_needed(holding, np.full_like(cards.wild, _MOST_MELDS), depth)
        given_up = (cards.group & ~group).astype(np.int8) + (cards.sequence & ~sequence)
        yield _Need(lack, idle + given_up, group | sequence)


def _kept(held: Bools) -> list[Bools]:
    """The card in a meld where it is held, and in none."""
    return [held, np.zeros_like(held)] if held.any() else [held]


def _exchanges(cards: Cards, need: _Need, lacking: Counts, idle: Counts, left: int) -> Counts:
    """int8[N], exchanges with which the cards kept and the new ones fall into melds.

    Args:
        cards: The hands.
        need: What it takes.
        lacking: int8[J, N], stand-ins that must come, for each number of regular cards left out.
        idle: int8[N], special cards in no meld.
        left: How many cards are over in the end.
    """
    out = np.arange(len(lacking), dtype=np.int8)[:, None]
    unmelded = idle + out
    stays = (unmelded > cards.cant_go_out) & (left > 0)
    exchanged = unmelded - stays
    new = exchanged - (left - stays)
    enough = (lacking <= new) & (new >= need.fewest_new)
    allowed = enough & (out <= cards.count) & ((out < cards.count) | need.melds)
    return np.where(allowed, exchanged, UNREACHABLE).min(axis=0).astype(np.int8)


def _without_kept_melds(declaration: Declaration, cards: Cards, size: Counts) -> Counts:
    """int8[N], exchanges where only WILDCARDs, RUMMY cards and the card left over are kept."""
    best = np.full_like(size, UNREACHABLE)
    if declaration.sequences_rummy:
        return best
    rummies = declaration.pack.specials.count(RUMMY)
    for rummy, left in product(range(rummies + 1), declaration.lefts):
        melded = size - left - rummy
        kept = np.minimum(cards.wild, melded) + np.minimum(cards.rummy, rummy)
        kept += (left > 0) & (size - cards.cant_go_out > kept)
        possible = (melded == 0) | (melded >= 3)
        best = np.where(possible, np.minimum(best, size - kept), best)
    return best
