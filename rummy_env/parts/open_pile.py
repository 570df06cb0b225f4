"""Taking cards from an open pile that must be used, and points for the cards laid down.

The deepest card taken from the pile must be melded or laid off in the same turn. Whether it can be
is decided exactly, without a search: with the cards of the hand, it has three ways onto the table.

    1 card    it fits a meld that lies there
    2 cards   it follows a card of the hand that is laid off on a sequence: 7h on 6h on 3h 4h 5h
    3 cards   it is in a meld of three that the hand holds

Any longer way contains one of these: in three or more consecutive cards of a suit, the card and
its two neighbours are a meld of three.
"""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from rummy_env.core.arrays import Bools, Int32s, Rows, Words
from rummy_env.core.bits import WORD_BITS, ZERO, flags, scattered
from rummy_env.core.cards import NO_CARD, NUM_REGULAR
from rummy_env.core.display import Note
from rummy_env.core.features import Feature, Plane, of_seat, steps
from rummy_env.core.fields import Field, Kind, Lasts
from rummy_env.core.movers import Movers
from rummy_env.core.naming import card_name
from rummy_env.core.one_or_many import any_set, chosen, count_bits, places, put, select
from rummy_env.core.part import Result, Scoring
from rummy_env.core.rules import Rules
from rummy_env.core.state import CODE_BIT, State
from rummy_env.core.table import HIGH_ACES
from rummy_env.core.visibility import SeatView
from rummy_env.melds.patterns import fits_after_one, in_melds
from rummy_env.parts.discarding import Discard
from rummy_env.parts.drawing import TakePile, top_playable
from rummy_env.parts.match import leaders
from rummy_env.parts.melding import (
    Laid,
    LayOffGroup,
    LayOffSequence,
    MeldGroup,
    MeldSequence,
    Play,
)
from rummy_env.parts.rewards import leads
from rummy_env.parts.scoring import CardValues
from rummy_env.parts.table_melds import Melding
from rummy_env.parts.upper_discards import ALL_DISCARDS, upper_discards

MUST_USE = Field(
    "must_use", Kind.CARD, "the card taken that is still to be laid down", lasts=Lasts.TURN
)
LAID = Field("laid", Kind.NUMBER, "points that each seat has laid down in the hand", axes="P")

LEVELS = (1, 10, 20, 30, 45, 60, 80, 100, 125, 150, 200)
"""The thresholds by which points laid are observed."""


@dataclass(frozen=True)
class UsingMelding(Melding):
    """The rules of melding where a card taken may have to be used in the same turn.

    Source: docs/rules/rummy500.md#the-turn
    """

    def check_rules(self, rules: Rules) -> None:
        """Refuse rules that lack a way of laying cards down: each may be the use of a card."""
        super().check_rules(rules)
        if self.melds_per_turn is not None:
            raise ValueError(
                f"melds_per_turn={self.melds_per_turn}: a card that was taken may need another "
                f"meld; give None"
            )
        ways = (GroupForPoints, SequenceForPoints, OnGroupForPoints, OnSequenceForPoints)
        for way in ways:
            if not rules.parts_of(way):
                raise ValueError(f"turn: it lacks {way.__name__}; UsingMelding counts on all ways")

    def can_use(self, cards: Words, hands: Words, grouped: Words, sequenced: Words) -> Bools:
        """Return True where a card, uint64[N], of a hand can be laid down in this turn; bool[N].

        `grouped` and `sequenced`, uint64[N], are the cards that lie on the table. The module
        docstring lists the three ways onto it.
        """
        alone = self.fits(grouped, sequenced) & cards != ZERO
        second = fits_after_one(sequenced, hands, ace_high=self.ace_high) & cards != ZERO
        third = in_melds(hands, ace_high=self.ace_high) & cards != ZERO
        if self.final_discard:
            spare = count_bits(hands)  # each way must leave a card to discard
            alone, second, third = alone & (spare > 1), second & (spare > 2), third & (spare > 3)
        return alone | second | third


@dataclass(frozen=True)
class TakeToUse(TakePile):
    """Take a card of the open pile and all above it; the deepest must be used in the turn.

    With `free_top`, the top card taken alone need not be used.

    Source: docs/rules/rummy500.md#the-turn
    """

    _: KW_ONLY
    melding: UsingMelding
    free_top: bool

    preference = 5.0
    state_fields: ClassVar = (MUST_USE,)

    def check_rules(self, rules: Rules) -> None:
        """Refuse equal cards and special ones, which nobody could use."""
        super().check_rules(rules)
        if not rules.pack.is_single:
            raise ValueError("TakeToUse needs a pack of 52 different cards: give pack=Pack()")

    def legal(self, movers: Movers) -> tuple[Words, ...]:
        state, rows = movers.state, movers.rows
        size = state.pile_size[rows]
        depth = np.arange(int(size.max(initial=0)))
        place = size[:, None] - 1 - depth
        codes = np.take_along_axis(state.pile.take(rows, axis=0), np.maximum(place, 0), axis=1)
        cards = np.where(place >= 0, CODE_BIT[codes], ZERO)
        hands = np.bitwise_or.accumulate(cards, axis=1) | movers.hand[:, None]
        on_table = state.grouped[rows, None], state.sequenced[rows, None]
        allowed = self.melding.can_use(cards, hands, *on_table)
        if self.free_top:
            allowed[:, :1] = True
        return (np.bitwise_or.reduce(np.where(allowed, cards, ZERO), axis=1),)

    def apply(self, movers: Movers, choice: Rows) -> None:
        super().apply(movers, choice)
        state, rows = movers.state, movers.rows
        free = (state.taken_count[rows] == 1) & self.free_top
        state.must_use[rows] = np.where(free, NO_CARD, state.taken[rows])

    def wanted(self, view: SeatView) -> Bools:
        """Return True for cards that must be used, since they can be, and a playable top card."""
        wanted = np.ones((len(view), NUM_REGULAR), np.bool_)
        items = (~top_playable(view) & (view.top != NO_CARD)).nonzero()[0]
        wanted[items, view.top[items]] = False
        return wanted

    def features(self, rules: Rules) -> Sequence[Feature]:
        must = "you took it from the pile, and it must be laid down in this turn"
        return [
            *upper_discards(ALL_DISCARDS),
            Plane("must_use", must, lambda v: CODE_BIT[v.must_use]),
        ]

    def notes(self, view: SeatView) -> Sequence[Note]:
        if view.must_use[0] == NO_CARD:
            return ()
        return [("to use", card_name(view.rules.pack.text(int(view.must_use[0]))))]


@dataclass(frozen=True)
class DiscardOnceUsed(Discard):
    """Put a card on the pile, once the card that must be used has been laid down.

    In a game that is always possible, or the card could not have been taken. If a planner has
    dealt the mover another hand, for which it is impossible, any discard ends the turn.

    Source: docs/rules/rummy500.md#the-turn
    """

    _: KW_ONLY
    melding: UsingMelding

    lean = True
    dear_first = False  # a costly card may still be laid down, by its holder or the next player
    state_fields: ClassVar = (MUST_USE,)

    def legal(self, movers: Movers) -> tuple[Words, ...]:
        words = super().legal(movers)
        must = CODE_BIT[movers.state.must_use[movers.rows]]
        if not any_set(must):
            return words
        items = places(must)
        few = movers.only(items)
        on_table = few.state.grouped[few.rows], few.state.sequenced[few.rows]
        usable = self.melding.can_use(must[items], few.hand, *on_table)
        return tuple(put(found, items, select(usable, ZERO, found[items])) for found in words)


@dataclass(frozen=True)
class PlayForPoints(Play):
    """A move that lays cards down for points, and leaves a card that must be used usable.

    An ace at the low end of a sequence counts 1.

    Source: docs/rules/rummy500.md#no-dead-ends, docs/rules/rummy500.md#score
    """

    melding: UsingMelding
    values: CardValues

    state_fields: ClassVar = (MUST_USE, LAID)

    @cached_property
    def _low(self) -> CardValues:
        """The card values in sequences, where a high ace is marked separately."""
        return CardValues((1, *self.values.by_rank[1:]))

    def legal(self, movers: Movers) -> tuple[Words, ...]:
        words = super().legal(movers)
        must = movers.state.must_use[movers.rows] != NO_CARD
        if not any_set(must):
            return words
        items = places(must)
        few = movers.only(items)
        return tuple(
            put(found, items, self._usable_after(few, found[items], start))
            for found, start in zip(words, self._first_choices, strict=True)
        )

    def _usable_after(self, movers: Movers, plays: Words, start: int) -> Words:
        """Keep the plays of one word, uint64[R], that use the card or leave it usable.

        The lowest bit of the word is the choice `start`.
        """
        if not any_set(plays):
            return plays
        items, bit = flags(plays.reshape(-1), WORD_BITS).nonzero()
        rows, choice = movers.rows.reshape(-1)[items], start + bit
        hand = movers.hand.reshape(-1)[items] & ~self._held[choice]
        must = CODE_BIT[movers.state.must_use[rows]]
        laid = self._with(Laid.of(movers.state, rows), choice)
        usable = self.melding.can_use(must, hand, laid.grouped, laid.sequenced)
        kept = scattered(plays.size, items, bit, usable | (hand & must == ZERO))
        return kept if plays.ndim else kept[0]

    def apply(self, movers: Movers, choice: Rows) -> None:
        state, rows = movers.state, movers.rows
        before = Laid.of(state, rows)
        super().apply(movers, choice)
        now = Laid.of(state, rows)
        grouped, sequenced = now.grouped & ~before.grouped, now.sequenced & ~before.sequenced
        state.laid[rows, movers.seat] += self._points(grouped, sequenced)
        must = CODE_BIT[state.must_use[rows]]
        state.must_use[chosen(rows, movers.hand & must == ZERO)] = NO_CARD

    def _points(self, grouped: Words, sequenced: Words) -> Int32s:
        """Return the points of cards laid on the table as groups and as sequences, int32[R]."""
        high_aces = count_bits(sequenced & HIGH_ACES) * np.int32(self.values.by_rank[0])
        return self.values.total(grouped) + self._low.total(sequenced) + high_aces


class GroupForPoints(PlayForPoints, MeldGroup):
    """Lay down three or four cards of one rank."""

    lean = True


class SequenceForPoints(PlayForPoints, MeldSequence):
    """Lay down three consecutive cards of one suit."""

    lean = True


class OnGroupForPoints(PlayForPoints, LayOffGroup):
    """Add the fourth card to a group."""

    lean = True


class OnSequenceForPoints(PlayForPoints, LayOffSequence):
    """Add a card to either end of a sequence."""

    lean = True


@dataclass(frozen=True)
class LaidPoints(Scoring):
    """Every seat scores the points it has laid down, less the value of the cards it holds.

    Source: docs/rules/rummy500.md#score
    """

    values: CardValues

    state_fields: ClassVar = (LAID,)

    def check_rules(self, rules: Rules) -> None:
        if not rules.parts_of(GroupForPoints):
            raise ValueError("LaidPoints: no move lays cards down for points; give GroupForPoints")

    def score(self, state: State, rows: Rows) -> Result:
        points = state.laid[rows] - self.values.total(state.hands[rows, :, 0])
        return Result(leaders(points), points, leads(points))

    def caught(self) -> Int32s:
        return self.values.by_card

    def role(self, view: SeatView, seat: int) -> str:
        return f"{view.laid[0, seat]} laid"

    def features(self, rules: Rules) -> Sequence[Feature]:
        said = f"points laid by seat +{{}}, at least {LEVELS}"
        return [
            steps(f"laid_{seat}", said.format(seat), of_seat("laid", seat), LEVELS)
            for seat in range(rules.num_players)
        ]
