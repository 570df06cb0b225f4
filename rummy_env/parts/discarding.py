"""Moves with one action per distinguishable card; among them discarding, which ends a turn."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from rummy_env.core.arrays import Bools, Rows, Words
from rummy_env.core.bits import positions, word
from rummy_env.core.cards import NUM_REGULAR, REGULAR, REGULAR_BITS, Pack, card_flags, is_regular
from rummy_env.core.checks import check_flag, shown
from rummy_env.core.display import Spot
from rummy_env.core.features import Feature
from rummy_env.core.fields import Field
from rummy_env.core.movers import Movers
from rummy_env.core.part import Action, Move
from rummy_env.core.rules import Rules
from rummy_env.core.state import CODE_BIT, State
from rummy_env.core.visibility import SeatView
from rummy_env.parts.recall import DISCARDED, recall, recall_features


@dataclass(frozen=True)
class CardMove(Move):
    """One action per card, except for special cards that are `barred`; equal cards share one."""

    pack: Pack
    barred: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.barred, tuple):
            raise ValueError(f"barred={shown(self.barred)}: give a tuple of cards")
        if regular := [*filter(is_regular, self.barred)]:
            raise ValueError(f"barred={regular}: only special cards can be barred")

    def check_rules(self, rules: Rules) -> None:
        own, pack = self.pack, rules.pack
        if (own.decks, own.specials) != (pack.decks, pack.specials):
            raise ValueError(f"pack={pack}: {self.kind} was made for {own}; make it for this one")

    @cached_property
    def _cards(self) -> tuple[str, ...]:
        return tuple(face for face in self.pack.distinct_cards if face not in self.barred)

    @cached_property
    def _codes(self) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
        """The lowest code of each card, uint8[choices]."""
        return np.array([self.pack.code(face) for face in self._cards], np.uint8)

    @cached_property
    def _special_choices(self) -> Words:
        """The choices for each set of special cards, uint64[2 ** specials]."""
        names, choices = self.pack.specials, self._cards[NUM_REGULAR:]
        table = np.zeros(1 << len(names), np.uint64)
        for held in range(len(table)):
            here = {names[i] for i in positions(held)}
            table[held] = word([i for i, face in enumerate(choices) if face in here])
        return table

    def actions(self, pack: Pack) -> tuple[Action, ...]:
        return tuple(Action(self.kind, (face,)) for face in self._cards)

    def widths(self, pack: Pack) -> tuple[int, ...]:
        special = len(self._cards) - NUM_REGULAR
        return (NUM_REGULAR, special) if special else (NUM_REGULAR,)

    def _choices(self, decks: Sequence[Words]) -> tuple[Words, ...]:
        """Return the choices among cards, uint64[R] per deck, as one word for each of `widths`."""
        regular = decks[0] & REGULAR
        for cards in decks[1:]:
            regular = regular | cards
        if len(self._cards) == NUM_REGULAR:
            return (regular,)
        return regular, self._special_choices[decks[0] >> REGULAR_BITS]


@dataclass(frozen=True)
class Discard(CardMove):
    """Put a card on the discard pile.

    `return_taken` says whether the card taken from the pile in this turn may be discarded. Only in
    one pack of regular cards may it be False; a ValueError says so.

    Source: docs/rules/basic.md#the-turn, docs/rules/going_out.md#the-turn
    """

    return_taken: bool = False
    kind = "discard"
    state_fields: ClassVar[tuple[Field, ...]] = (DISCARDED,)
    path = Spot.HAND, Spot.DISCARDS
    preference = 1.0
    lean = True

    def __post_init__(self) -> None:
        super().__post_init__()
        check_flag("return_taken", self.return_taken)
        if not (self.return_taken or self.pack.is_single):
            raise ValueError(
                f"return_taken=False with {self.pack}: it is worked out for one pack of regular "
                f"cards; give return_taken=True"
            )

    @property
    def kept(self) -> tuple[str, ...]:
        return self.barred

    def check_rules(self, rules: Rules) -> None:
        super().check_rules(rules)
        barred = sum(card in self.barred for card in self.pack.cards)
        if rules.hand_size < barred:
            raise ValueError(
                f"hand_size={rules.hand_size}: with nothing but cards that are barred, {barred} in "
                f"the pack, a seat could discard none; give hand_size at least {barred}"
            )

    def check_table(self, state: State, rules: Rules) -> None:
        pile = [self.pack.text(code) for code in state.pile[0, : state.pile_size[0]].tolist()]
        if lying := sorted({*pile} & {*self.barred}):
            raise ValueError(f"discard: {', '.join(lying)} may never be discarded; leave it out")

    def features(self, rules: Rules) -> Sequence[Feature]:
        return recall_features(rules)

    def wanted(self, view: SeatView) -> Bools:
        """Return True except for cards that can be laid down, which are kept for a later turn."""
        keep = view.rules.playable(view, view.hand[:, 0])
        wanted = np.ones((len(view), len(self._cards)), np.bool_)
        wanted[:, :NUM_REGULAR] = ~card_flags(keep)
        return wanted

    def legal(self, movers: Movers) -> tuple[Words, ...]:
        words = self._choices(movers.decks)
        if self.return_taken:
            return words
        return (words[0] & ~movers.taken_held, *words[1:])

    def apply(self, movers: Movers, choice: Rows) -> None:
        codes = self._codes[choice]
        if self.pack.has_equals:
            codes = movers.give_up(self.pack.copies[codes])
        else:
            movers.lose(CODE_BIT[codes])
        recall(DISCARDED, movers, codes)
        movers.state.discard(movers.rows, codes)
