"""The far-sighted baseline for variants with declared hands."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from rummy_env.baselines.declared import Discarding
from rummy_env.baselines.strong_declared import DeclaredPlay, LiveCards, StrongDeclared
from rummy_env.core.arrays import Bools, Float64s, Int8s, Rows, UInt8s
from rummy_env.core.cards import NUM_REGULAR, card_flags
from rummy_env.core.rules import Rules
from rummy_env.melds.hands import Hands

_AT_ONCE = 16_384
"""Hands after a draw that are weighed together: more take more memory, and are no faster."""


@dataclass(frozen=True)
class FarsightedDeclared(StrongDeclared):
    """Weighs hands as `StrongDeclared` does, but with every card that it may draw next.

    A hand is worth the mean of what it becomes, over all live cards: cards that save no draw count
    as well, since many of them make it easier to save one later. It is slow: each decision weighs
    some hundred hands. docs/decisions/0037 has what that brings.
    """

    def _play(self, rules: Rules) -> DeclaredPlay:
        return _farsighted_play(rules, self)


class _FarsightedPlay(DeclaredPlay):
    """The play for some rules."""

    def __init__(self, rules: Rules, style: StrongDeclared) -> None:
        super().__init__(rules, style)
        self._by_outs = DeclaredPlay(rules, style)
        pack = rules.pack
        kinds = dict.fromkeys(pack.specials)
        self._codes = np.array([*range(NUM_REGULAR), *map(pack.code, kinds)], np.uint8)
        self._kinds = [kind.lower() for kind in kinds]

    def holding(self, hands: Hands, discards: Discarding, live: LiveCards) -> Float64s:
        """Return what `DeclaredPlay` does: the next draw is a turn away."""
        return self._by_outs.holding(hands, discards, live)

    def _after_regular(
        self, hands: Hands, discards: Discarding, live: LiveCards, tried: Bools
    ) -> Float64s:
        row, card = np.nonzero(tried)
        return self._waiting(hands.take(row).without_regular(card), live, row)

    def _waiting(self, hands: Hands, live: LiveCards, row: Rows) -> Float64s:
        stays = self._by_outs.before_draw(hands, live, row) * self._survives[live.others[row]]
        found = np.zeros(len(hands))
        for items, chances, worth in self._draws_of(hands, live, row):
            # The pile is a second chance to get a card that is worth more than to go on waiting.
            gained = np.maximum(worth - stays[items], 0) * self._style.from_pile
            np.add.at(found, items, chances * (worth + gained))
        return found

    def before_draw(self, hands: Hands, live: LiveCards, row: Rows) -> Float64s:
        """Return what `DeclaredPlay` does: the mean over the cards that may be drawn."""
        found = np.zeros(len(hands))
        for items, chances, worth in self._draws_of(hands, live, row):
            np.add.at(found, items, chances * worth)
        return found

    def _draws_of(
        self, hands: Hands, live: LiveCards, row: Rows
    ) -> Iterator[tuple[Rows, Float64s, Float64s]]:
        """Yield draws of live cards: the hand, intp[K], its chance, and what the hand is worth."""
        copies = self._copies(live)
        item, place = np.nonzero(copies.take(row, axis=0))
        for start in range(0, len(item), _AT_ONCE):
            items, places = (numbers[start : start + _AT_ONCE] for numbers in (item, place))
            game, codes = row[items], self._codes[places]
            drawn = hands.take(items).plus(self.moves.rules.pack, codes)
            chances = live.chance(copies[game, places], game)
            yield items, chances, self._drawn(drawn, codes, live.take(game))

    def _copies(self, live: LiveCards) -> Int8s:
        """int8[N, cards], how many of each card are live; the cards are those of `_codes`."""
        cards = live.cards
        regular = sum(card_flags(deck).astype(np.int8) for deck in cards.naturals)
        special = [getattr(cards, kind).astype(np.int8)[:, None] for kind in self._kinds]
        return np.concatenate([regular, *special], axis=1)

    def _drawn(self, hands: Hands, codes: UInt8s, live: LiveCards) -> Float64s:
        """float64[M], the chance to win of hands that have drawn a card."""
        discards = self.moves.weigh(hands)
        worth = self.holding(hands, discards, live)
        worth[discards.finished | (codes == self._rummy)] = 1.0
        return worth


_farsighted_play = lru_cache(maxsize=64)(_FarsightedPlay)
