"""Moves and endings of gin: the first upcard, knocking, gin, passing."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar

import numpy as np

from rummy_env.core.arrays import Bools, Int16s, Rows, UInt8s, Words
from rummy_env.core.bits import BIT, ZERO, bit_index, lowest
from rummy_env.core.cards import NO_CARD, NUM_REGULAR, Pack, regular_text
from rummy_env.core.checks import check_flag, check_range, shown
from rummy_env.core.display import Note, Spot
from rummy_env.core.features import FLAG, Feature, Scalar, thermometer
from rummy_env.core.fields import Field, Kind
from rummy_env.core.movers import Movers
from rummy_env.core.naming import card_name, quantity
from rummy_env.core.one_or_many import any_set, as_words, places, put, select
from rummy_env.core.part import Action, Condition, Ending, Move, Part, check_shared
from rummy_env.core.rules import END_HAND, Rules, following
from rummy_env.core.state import CODE_BIT, State
from rummy_env.core.visibility import SeatView
from rummy_env.melds.deadwood import MOST_CARDS, deadwood, points
from rummy_env.melds.discards import Discards, knockable
from rummy_env.parts.discarding import Discard
from rummy_env.parts.drawing import DrawDiscard, take_discard
from rummy_env.parts.endings import CLAIM, CLAIMANT, check_claim, claim_hand
from rummy_env.parts.knocking_features import knocking_features
from rummy_env.parts.recall import DISCARDED, PASSED, recall

KNOCK, GIN, BIG_GIN = 1, 2, 3
"""The claims with which a hand ends."""
PASSES = Field("passes", Kind.NUMBER, "passes in the hand")
PUT_BACKS = Field(
    "put_backs", Kind.NUMBER, "turns in a row, up to the last, that put back the card taken"
)

WALL = 2
"""The number of cards that stay in the stock. Source: docs/rules/gin.md#the-wall"""

MOST_POINTS = 1000
"""The most points of a limit, or of a bonus."""
_GIN_CHOICE = NUM_REGULAR
_CARD_VALUES: Int16s = points(BIT[:NUM_REGULAR])


@dataclass(frozen=True)
class KnockLimit(Part):
    """The most deadwood with which a player may knock, `knock_card` points.

    With `oklahoma`, the points of the first upcard are the limit instead, and `knock_card` is None;
    an ace allows only gin.

    Source: docs/rules/gin.md#knocking
    """

    knock_card: int | None
    oklahoma: bool = False

    def __post_init__(self) -> None:
        check_flag("oklahoma", self.oklahoma)
        if not self.oklahoma:
            check_range("knock_card", self.knock_card, 0, MOST_POINTS)
        elif self.knock_card is not None:
            raise ValueError(
                f"knock_card={shown(self.knock_card)} has no effect with oklahoma=True, where the "
                f"first upcard gives the limit: leave one of them out"
            )

    def of(self, upcard: UInt8s) -> Int16s:
        """Return the limits, int16[N], given the cards that the deals turned up, uint8[N]."""
        if self.knock_card is not None:
            return np.full_like(upcard, self.knock_card, np.int16)
        value = _CARD_VALUES[np.minimum(upcard, NUM_REGULAR - 1)]
        return value * (value != 1)

    def check_rules(self, rules: Rules) -> None:
        check_shared(rules, KnockLimit)
        if self.oklahoma and not rules.first_discard:
            raise ValueError("oklahoma: the limit is that of the upcard: give first_discard=True")

    def check_table(self, state: State, rules: Rules) -> None:
        if self.oklahoma and state.upcard[0] == NO_CARD:
            raise ValueError("upcard=None: give the card that the deal turned up, for the limit")

    def features(self, rules: Rules) -> Sequence[Feature]:
        if not self.oklahoma:
            return ()
        limit = "the most deadwood with which one may knock, at least 1, 2 ..."
        levels = thermometer(range(1, 11))
        return [Scalar("limit", limit, lambda v: self.of(v.upcard), levels)]

    def notes(self, view: SeatView) -> Sequence[Note]:
        if not self.oklahoma:
            return ()
        card = card_name(view.rules.pack.text(int(view.upcard[0])))
        most = quantity(int(self.of(view.upcard)[0]), "point")
        return [("limit", f"{most}, by the upcard {card}")]


@dataclass(frozen=True)
class AtFirstUpcard(Condition):
    """Holds while the upcard of the deal is offered, having been refused by everybody so far.

    Source: docs/rules/gin.md#the-first-upcard
    """

    lean = True
    state_fields: ClassVar = (PASSES,)

    def holds(self, movers: Movers) -> Bools:
        state, rows = movers.state, movers.rows
        passes = state.passes[rows]
        all_passed: Bools = passes == state.turn_number[rows]
        return all_passed & (passes < state.num_players)

    def notes(self, view: SeatView) -> Sequence[Note]:
        phase, upcard = int(view.phase[0]), int(view.upcard[0])
        if phase < 0 or view.rules.turn[phase].when != self or upcard == NO_CARD:
            return ()
        card = card_name(view.rules.pack.text(upcard))
        refused = ", refused once" if view.passes[0] else ""
        return [("upcard", f"{card} to take or refuse{refused}")]


@dataclass(frozen=True)
class DrawUpcard(DrawDiscard):
    """Take the top discard, but for a first upcard that both players have refused.

    Source: docs/rules/gin.md#the-first-upcard
    """

    lean = True
    state_fields: ClassVar = (PASSES,)

    def legal(self, movers: Movers) -> tuple[Words, ...]:
        state, rows = movers.state, movers.rows
        passes = state.passes[rows]
        just_refused = (passes == state.num_players) & (passes == state.turn_number[rows])
        (there,) = super().legal(movers)
        return (there & as_words(~just_refused),)


@dataclass(frozen=True)
class AtWall(Condition):
    """Holds if only the wall is left in the stock. Source: docs/rules/gin.md#the-wall."""

    lean = True

    def holds(self, movers: Movers) -> Bools:
        return movers.state.stock_left(movers.rows) <= WALL


@dataclass(frozen=True)
class ClaimantHasDeadwood(Condition):
    """Holds if the knocker has cards outside melds: on gin, nothing is laid off.

    Source: docs/rules/gin.md#laying-off
    """

    lean = True

    def holds(self, movers: Movers) -> Bools:
        state, rows = movers.state, movers.rows
        return state.hands[rows, state.claimant[rows], 0] != ZERO


@dataclass(frozen=True)
class Pass(Move):
    """Refuse the first upcard, let the hand end at the wall, or be done with laying cards down.

    `limit` is the deadwood that a knocker must come down to.

    Source: docs/rules/gin.md#the-first-upcard
    """

    limit: KnockLimit
    kind = "pass"
    lean = True
    state_fields: ClassVar = (PASSES, PASSED, CLAIM, CLAIMANT)

    def features(self, rules: Rules) -> Sequence[Feature]:
        passes = "passes in the hand, at least 1, 2"
        return [Scalar("passes", passes, lambda v: v.passes, thermometer([1, 2]))]

    def legal(self, movers: Movers) -> tuple[Words, ...]:
        """Return where passing is legal; a knocker must come down to the limit first.

        In a game that is always possible, or the knocker could not have knocked. If a planner has
        dealt the knocker another hand, for which it is impossible, passing is legal.
        """
        most = self.limit.of(movers.state.upcard[movers.rows])
        bound = is_knocker(movers) & (points(movers.hand) > most)
        words = as_words(~bound)
        if any_set(bound):
            items = places(bound)
            words = put(words, items, as_words(deadwood(movers.hand[items]) > most[items]))
        return (words,)

    def apply(self, movers: Movers, choice: Rows) -> None:
        state, rows = movers.state, movers.rows
        if any_set(state.claim[rows]):  # all of them are in one phase, before or after a knock
            movers.show()
        else:
            state.passes[rows] += 1
            recall(PASSED, movers, state.pile_top(rows))


def is_knocker(movers: Movers) -> Bools:
    """Return True where the mover has knocked, bool[R]."""
    claimed: Bools = movers.state.claim[movers.rows] > 0
    return claimed & (movers.state.claimant[movers.rows] == movers.seat)


@dataclass(frozen=True)
class Knock(Move):
    """Discard a card and end the hand: `knock` with little deadwood, `gin` with none.

    Where melds are laid down one by one, laying down all cards is gin. Otherwise gin is an action
    of its own, and a knock leaves deadwood.

    Attributes:
        limit: The most deadwood with which one may knock.
        hand_size: The number of cards in a hand before the draw.
        manual: True if melds are laid down one by one after the knock.
        return_taken: True if the card taken from the discard pile in this turn may be discarded.
        big_gin: True if a hand without deadwood before the discard is big gin.

    Source: docs/rules/gin.md#knocking, docs/rules/gin.md#gin
    """

    limit: KnockLimit
    hand_size: int
    _: KW_ONLY
    manual: bool
    return_taken: bool
    big_gin: bool
    state_fields: ClassVar = (DISCARDED, CLAIM, CLAIMANT)
    kind = "knock"
    path = Spot.HAND, Spot.DISCARDS
    lean = True

    def __post_init__(self) -> None:
        for flag in ("manual", "return_taken", "big_gin"):
            check_flag(flag, getattr(self, flag))

    def check_rules(self, rules: Rules) -> None:
        if self.hand_size != rules.hand_size:
            raise ValueError(
                f"hand_size={rules.hand_size}: {self.kind} was made for hands of {self.hand_size} "
                f"cards; make the rules anew, as rummy_env.rules('gin', hand_size=...) does"
            )
        if not rules.pack.is_single:
            raise ValueError(f"pack={rules.pack}: deadwood is counted in one pack of regular cards")

    def features(self, rules: Rules) -> Sequence[Feature]:
        return knocking_features(rules, self.limit.of, return_taken=self.return_taken)

    def check_table(self, state: State, rules: Rules) -> None:
        largest = np.bitwise_count(state.hands[0]).sum(axis=-1).max()
        if largest > MOST_CARDS:  # the time and memory to meld it would have no bounds
            raise ValueError(f"hands: {largest} cards in one; give at most {MOST_CARDS}")
        then = {to for phase in rules.turn for move, to in phase.moves if move == self}
        check_claim(state, rules, BIG_GIN, sorted(following(rules.turn, *(then - {END_HAND}))))
        if self.manual or not state.claim[0]:
            return
        least = deadwood(state.hands[0, state.claimant[0]])[0]
        most = 0 if state.claim[0] >= GIN else self.limit.of(state.upcard)[0]
        if least > most:
            raise ValueError(f"claim: the claimant has {least} points of deadwood, above {most}")

    def actions(self, pack: Pack) -> tuple[Action, ...]:
        knocks = tuple(Action(self.kind, (regular_text(bit),)) for bit in range(NUM_REGULAR))
        return knocks if self.manual else (*knocks, Action("gin"))

    def widths(self, pack: Pack) -> tuple[int, ...]:
        return (NUM_REGULAR,) if self.manual else (NUM_REGULAR, 1)

    def legal(self, movers: Movers) -> tuple[Words, ...]:
        cards, barred = self._cards(movers)
        found, gin = knockable(cards, self.limit.of(movers.state.upcard[movers.rows]))
        if self.manual:
            return (found & ~barred,)
        has_gin = gin & ~barred != ZERO
        if self.big_gin:
            has_gin = has_gin | (deadwood(cards) == 0)
        return found & ~gin & ~barred, as_words(has_gin)

    def _cards(self, movers: Movers) -> tuple[Words, Words]:
        """Return the mover's cards, at the wall with the upcard, and those barred as discards."""
        cards, barred = movers.hand, movers.taken_held
        before = self._has_not_drawn(movers)
        if any_set(before):
            top = select(before, CODE_BIT[movers.state.pile_top(movers.rows)], ZERO)
            cards, barred = cards | top, barred | top
        return cards, barred & ZERO if self.return_taken else barred

    def _has_not_drawn(self, movers: Movers) -> Bools:
        """Return True where the mover knocks at the wall, without a draw; bool[R].

        A table laid by hand may have short hands, too; there the stock tells.
        """
        at_wall = movers.state.stock_left(movers.rows) <= WALL
        return at_wall & (movers.hand_size <= self.hand_size)

    def apply(self, movers: Movers, choice: Rows) -> None:
        if not movers.rows.ndim:  # happens once a hand, so not worth optimising
            self.apply(Movers(movers.state, movers.rows[None]), choice[None])
            movers.hold_again()
            return
        cards, barred = self._cards(movers)
        self._take_upcard(movers)
        discard = BIT.take(choice)  # of gin, which names no card, it follows below
        claim = np.full(len(choice), KNOCK, np.int8)
        gin = (choice == _GIN_CHOICE).nonzero()[0]
        if gin.size:
            (leaving_none,) = Discards(cards[gin]).leaving([np.zeros(len(gin), np.int16)])
            discard[gin] = lowest(leaving_none & ~barred[gin])
            claim[gin] = GIN
        if self.big_gin:
            big = gin[deadwood(cards[gin]) == 0]
            discard[big], claim[big] = ZERO, BIG_GIN
        movers.lose(discard)
        some = discard.nonzero()[0]
        codes = bit_index(discard[some]).astype(np.uint8)
        recall(DISCARDED, movers.only(some), codes)
        movers.state.discard(movers.rows[some], codes)
        claim_hand(movers, claim)
        if not self.manual:
            movers.state.known[movers.rows] = movers.state.hands[movers.rows]

    def _take_upcard(self, movers: Movers) -> None:
        """Take the upcard where no card was drawn."""
        before = self._has_not_drawn(movers).nonzero()[0]
        if before.size:
            take_discard(movers.only(before))
            movers.hold_again()


@dataclass(frozen=True)
class CountedDiscard(Discard):
    """A discard that counts the consecutive turns in which the card taken is put back.

    Source: docs/rules/gin.md#the-turn
    """

    lean = True
    state_fields: ClassVar = (PUT_BACKS,)

    def apply(self, movers: Movers, choice: Rows) -> None:
        super().apply(movers, choice)
        state, rows = movers.state, movers.rows
        back = state.pile_top(rows) == state.taken[rows]
        state.put_backs[rows] = (state.put_backs[rows] + 1) * back


@dataclass(frozen=True)
class UpcardReturned(Ending):
    """The hand ends when both players in turn have taken the upcard and put it back.

    Source: docs/rules/gin.md#the-turn
    """

    lean = True
    state_fields: ClassVar = (PUT_BACKS,)

    def ends(self, movers: Movers) -> Bools:
        return movers.state.put_backs[movers.rows] >= movers.state.num_players

    def features(self, rules: Rules) -> Sequence[Feature]:
        back = "the last turn put the card taken back on the pile"
        return [Scalar("put_back", back, lambda v: v.put_backs, FLAG)]
