"""Moves that end a hand at once: going out, both RUMMY cards, the four sevens."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import ClassVar

import numpy as np

from rummy_env.core.arrays import Float64s, Rows, Words
from rummy_env.core.cards import Pack, rank_word
from rummy_env.core.checks import shown
from rummy_env.core.display import Hand
from rummy_env.core.features import Feature
from rummy_env.core.movers import Movers
from rummy_env.core.one_or_many import as_words
from rummy_env.core.part import Move, Result, Scoring
from rummy_env.core.rules import Rules
from rummy_env.core.state import State
from rummy_env.core.visibility import SeatView
from rummy_env.melds import arrange
from rummy_env.melds.declaration import RUMMY, Declaration
from rummy_env.melds.min_dist import finished
from rummy_env.parts.declared_features import declared_features
from rummy_env.parts.endings import CLAIM, CLAIMANT, check_claim, claim_hand
from rummy_env.parts.held_melds import held_melds

SHARED, ALONE, SEVENS = 1, 2, 3
"""The claims: going out, both RUMMY cards, which win alone, and the four sevens."""
_ENDINGS = ("stock exhausted", "went out", "both RUMMY cards", "four sevens")

_SEVENS = rank_word("7")


class ShowHand(Move):
    """Show the whole hand with a claim that ends the hand."""

    claim: ClassVar[int]
    state_fields: ClassVar = (CLAIM, CLAIMANT)

    def apply(self, movers: Movers, choice: Rows) -> None:
        claim_hand(movers, self.claim)
        movers.show()


@dataclass(frozen=True)
class GoOut(ShowHand):
    """Show a finished hand.

    `declaration` defines which hands are finished.

    Source: docs/rules/going_out.md#a-finished-hand
    """

    kind = "go_out"
    lean = True
    claim = SHARED
    declaration: Declaration

    def check_rules(self, rules: Rules) -> None:
        if self.declaration.pack != rules.pack:
            raise ValueError(
                f"pack={rules.pack}: {self.kind} was made for {self.declaration.pack}; make it for "
                f"this one"
            )

    def features(self, rules: Rules) -> Sequence[Feature]:
        return declared_features(rules, self.declaration)

    def shown_hand(self, view: SeatView, seat: int, cards: Words) -> Hand | None:
        """Return the hand that ended the game divided into melds, and other hands as held."""
        whole = np.bitwise_count(cards).sum() == view.hand_sizes[0, seat]
        ended = view.phase[0] < 0 and seat == view.to_move[0] and whole
        arranged = arrange(cards, self.declaration) if ended else None
        if arranged is None:
            return held_melds(view, seat, cards, ace_high=True)
        return Hand(cards=tuple(arranged.left), melds=tuple(map(tuple, arranged.melds)))

    def legal(self, movers: Movers) -> tuple[Words, ...]:
        return (as_words(finished(self.declaration, movers.decks)),)


@dataclass(frozen=True)
class LayDownRummy(ShowHand):
    """Lay down both RUMMY cards, before or after the draw, and be the only winner.

    `cards` is the set of these two in the first deck.

    Source: docs/rules/rummy_cards.md#both-rummy-cards
    """

    kind = "lay_down_rummy"
    lean = True
    claim = ALONE
    cards: np.uint64

    def __post_init__(self) -> None:
        if int(self.cards).bit_count() != 2:
            raise ValueError(f"cards={shown(self.cards)}: give the set of both RUMMY cards")

    def legal(self, movers: Movers) -> tuple[Words, ...]:
        return (as_words(movers.hand & self.cards == self.cards),)


@dataclass(frozen=True)
class FourSevens(ShowHand):
    """Lay down the natural sevens of all four suits, before or after the draw.

    Source: docs/rules/going_out.md#four-sevens
    """

    kind = "four_sevens"
    lean = True
    claim = SEVENS

    def legal(self, movers: Movers) -> tuple[Words, ...]:
        return (as_words(reduce(or_, movers.decks) & _SEVENS == _SEVENS),)


@dataclass(frozen=True)
class WinsCounted(Scoring):
    """Every winner of a hand gets one game point; seats that hold a card of `rummy` win too.

    `rummy` is the set of RUMMY cards in the first deck.

    Source: docs/rules/going_out.md#score, docs/rules/rummy_cards.md#score
    """

    rummy: np.uint64
    zero_sum_scale: float = 1.0
    unit = "game point"
    state_fields: ClassVar = (CLAIM, CLAIMANT)

    def check_table(self, state: State, rules: Rules) -> None:
        check_claim(state, rules, SEVENS)

    def how_ended(self, view: SeatView) -> Sequence[str]:
        return [_ENDINGS[claim] for claim in view.claim.tolist()]

    def score(self, state: State, rows: Rows) -> Result:
        claim = state.claim[rows, None]
        winners = (state.hands[rows, :, 0] & self.rummy != 0) & (claim != ALONE)
        declared = (claim[:, 0] > 0).nonzero()[0]
        winners[declared, state.claimant[rows[declared]]] = True
        losers = ~winners & ~state.sits_out[rows]
        count = losers.sum(axis=1, keepdims=True)
        each = winners.sum(axis=1, keepdims=True) / np.maximum(count, 1)
        gains: Float64s = np.where(losers, -each, winners * (count > 0))
        return Result(winners, winners.astype(np.int32), gains)


def rummy_set(pack: Pack) -> np.uint64:
    """Return the RUMMY cards of a pack, as a set in its first deck."""
    return pack.words([RUMMY] * pack.specials.count(RUMMY))[0]
