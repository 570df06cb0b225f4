"""The far-sighted baseline for variants with declared hands."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from rummy_env.baselines.strong_declared import DeclaredPlay, StrongDeclared
from rummy_env.core.arrays import Bools, Float64s
from rummy_env.core.bits import merged
from rummy_env.core.cards import NUM_REGULAR
from rummy_env.core.rules import Rules
from rummy_env.core.visibility import SeatView
from rummy_env.melds.card_worth import counts, outs
from rummy_env.parts.declared_features import live_copies

_FAINT = 0.07
"""The weight of a meld that lacks two live cards, relative to one that lacks one."""


@dataclass(frozen=True)
class FarsightedDeclared(StrongDeclared):
    """Weighs draws and discards as `StrongDeclared` does, and keeps cards that have a future.

    A card that saves no draw may make it easier to save one later: a loose six beside a pair that
    waits may become a second pair that waits, where a king has fewer neighbours. Duels over
    duplicate deals found the numbers; see docs/decisions/0037-cards-that-have-a-future.md.

    Attributes:
        promise: The chance to win that is lost for each live card that would complete a meld of
            three with the discard and another card of the hand.

    Raises:
        ValueError: If a number is none that it can be.
    """

    hazard: float = 0.17
    danger: float = 0.6
    promise: float = 0.005

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.promise <= 1:
            raise ValueError(f"promise={self.promise!r}: give a chance, 0 to 1")

    def _play(self, rules: Rules) -> DeclaredPlay:
        return _farsighted_play(rules, self)


class _FarsightedPlay(DeclaredPlay):
    """The play for some rules."""

    def __init__(self, rules: Rules, style: FarsightedDeclared) -> None:
        super().__init__(rules, style)
        self._promise = style.promise

    def weigh_discards(self, view: SeatView, mask: Bools) -> tuple[Float64s, Float64s]:
        """Return what `DeclaredPlay` does, less what the discards promise; that may be below 0."""
        chance, given_away = super().weigh_discards(view, mask)
        chance[:, :NUM_REGULAR] -= self._promised(view)
        return chance, given_away

    def _promised(self, view: SeatView) -> Float64s:
        """float64[N, 52], the chance to win that regular cards stand for while they are held."""
        hoped = outs(counts(merged(view.hand)), live_copies(view), faint=_FAINT, ace_high=True)
        return hoped.T.astype(np.float64) * self._promise


_farsighted_play = lru_cache(maxsize=64)(_FarsightedPlay)
