"""Melds on the table: the rules of laying down and laying off, and their features."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from rummy_env.core.arrays import Array, Words
from rummy_env.core.bits import ZERO
from rummy_env.core.cards import NUM_REGULAR
from rummy_env.core.checks import check_flag, check_range
from rummy_env.core.display import Hand
from rummy_env.core.features import FLAG, Detail, Feature, Graded, Plane, Scalar, thermometer
from rummy_env.core.fields import Field, Kind, Lasts
from rummy_env.core.part import Part, check_shared
from rummy_env.core.rules import Rules
from rummy_env.core.state import State
from rummy_env.core.table import HIGH_ACES, flat_sequences
from rummy_env.core.visibility import SeatView
from rummy_env.melds.card_worth import meld_chances
from rummy_env.melds.patterns import MAX_SEQUENCE, completing, fits_groups, fits_sequences, in_melds
from rummy_env.parts.card_worth_features import card_worth_features
from rummy_env.parts.discarding import Discard
from rummy_env.parts.hand_planes import hand_hint, held
from rummy_env.parts.held_melds import held_melds

_FAINT = 0.12
"""The weight in outs of melds that lack two cards, relative to those that lack one."""

MELDS_MADE = Field("melds_made", Kind.NUMBER, "melds laid down this turn", lasts=Lasts.TURN)
FIRST_PLAY = Field(
    "first_play",
    Kind.NUMBER,
    "the turn of the hand in which a seat first laid cards down; -1 while it has not",
    axes="P",
    blank=-1,
    least=-1,
)


@dataclass(frozen=True)
class Melding(Part):
    """The rules of making and extending melds.

    Attributes:
        ace_high: True if queen-king-ace is a sequence besides ace-two-three.
        melds_per_turn: Melds that may be laid down in one turn; None for any number.
        lay_off: True if cards may be added to melds on the table.
        final_discard: True if the last card of a hand must be discarded.
        recalls_plays: True if it matters in which turn a seat first lays cards down.
        return_taken: True if the card taken from the pile may be discarded in the same turn, as
            `Discard` has it: then no play can leave a seat with nothing else.

    Source: docs/rules/basic.md#melds
    """

    ace_high: bool
    melds_per_turn: int | None
    lay_off: bool
    final_discard: bool
    recalls_plays: bool = False
    return_taken: bool = False

    def __post_init__(self) -> None:
        for flag in ("ace_high", "lay_off", "final_discard", "recalls_plays", "return_taken"):
            check_flag(flag, getattr(self, flag))
        if self.melds_per_turn is not None:
            check_range("melds_per_turn", self.melds_per_turn, 1, NUM_REGULAR // 3)

    @property
    def state_fields(self) -> tuple[Field, ...]:  # type: ignore[override]  # by its options
        """The melds made in the turn if these are limited; first plays if these matter."""
        counted = () if self.melds_per_turn is None else (MELDS_MADE,)
        return (*counted, FIRST_PLAY) if self.recalls_plays else counted

    @property
    def sequence_lengths(self) -> range:
        """The lengths in which sequences are laid down; with laying off, longer ones are grown."""
        return range(3, 4 if self.lay_off else MAX_SEQUENCE + 1)

    def fits(self, grouped: Words, sequenced: Words) -> Words:
        """Return the cards that extend a meld on the table, or are inside one, uint64[N]."""
        return fits_groups(grouped) | fits_sequences(sequenced, ace_high=self.ace_high)

    def playable(self, view: SeatView, hands: Words) -> Words:
        """Return the cards of hands that could be laid down or laid off at once, uint64[N]."""
        melded = in_melds(hands, ace_high=self.ace_high)
        if not self.lay_off:
            return melded
        return melded | (hands & self.fits(view.grouped, view.sequenced))

    def check_rules(self, rules: Rules) -> None:
        check_shared(rules, Melding)
        for discard in rules.parts_of(Discard):
            if discard.return_taken != self.return_taken:
                raise ValueError(f"{self} beside {discard}: give both the same return_taken")

    def check_table(self, state: State, rules: Rules) -> None:
        if not self.ace_high and (state.sequenced[0] & HIGH_ACES) != ZERO:
            raise ValueError("melds: queen, king, ace is no sequence where aces are low")

    def shown_hand(self, view: SeatView, seat: int, cards: Words) -> Hand | None:
        """Return the hand with its melds placed together."""
        return held_melds(view, seat, cards, ace_high=self.ace_high)

    def features(self, rules: Rules) -> Sequence[Feature]:
        high = self.ace_high
        hint = partial(Plane, detail=Detail.HINTS)
        sequences = "it lies in a sequence on the table" + ", but for aces above kings" * high
        found: list[Feature] = [
            Plane("groups", "it lies in a group on the table", lambda v: v.grouped),
            Plane("sequences", sequences, lambda v: v.sequenced),
            hand_hint("meldable", lambda v: in_melds(v.hand.T[0], ace_high=high)),
            hand_hint("wanted", lambda v: completing(v.hand.T[0], ace_high=high)),
        ]
        if self.lay_off:
            fits = "it fits a meld on the table"
            found.append(
                hint("fits", fits, lambda v: self.fits(v.grouped, v.sequenced) & ~v.on_table)
            )
        if high:
            above = "it is an ace that lies above a king"
            found.append(
                Plane("high_aces", above, lambda v: flat_sequences(v.sequenced & HIGH_ACES))
            )
        if self.melds_per_turn is not None:
            made = thermometer(range(1, self.melds_per_turn + 1))
            found.append(Scalar("melds", "melds made this turn", lambda v: v.melds_made, made))
        return [*found, *self._graded()]

    def _graded(self) -> Sequence[Graded]:
        """Return graded features: what every card is worth to the viewer and the next player."""
        high = self.ace_high
        return [completes(high), *card_worth_features(held, faint=_FAINT, ace_high=high)]


def completes(ace_high: bool) -> Graded:
    """Return the feature of the melds that a card makes with the viewer's hand."""
    meaning = "melds of three that it makes with your hand"
    return Graded("completes", meaning, lambda v: meld_chances(v.once(held), ace_high=ace_high))


def has_played(seat: int) -> Scalar:
    """Return a flag: a seat, counted from the viewer, laid cards down in an earlier turn."""

    def value(view: SeatView) -> Array:
        first = view.first_play.T[seat]
        return (first >= 0) & (first < view.turn_number)

    meaning = f"seat +{seat} has melded or laid off in an earlier turn of the hand"
    return Scalar(f"played_{seat}", meaning, value, FLAG)
