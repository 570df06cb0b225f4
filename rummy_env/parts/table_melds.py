"""How melds lie on the table: what may be laid down and laid off, and what is observed of it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rummy_env.core.bits import Words
from rummy_env.core.cards import NUM_REGULAR, SUITS
from rummy_env.core.features import FLAG, Feature, Numbers, Plane, Scalar, binary, thermometer
from rummy_env.core.fields import Field, Kind, Lasts
from rummy_env.core.part import Part
from rummy_env.core.rules import Rules
from rummy_env.core.visibility import SeatView
from rummy_env.melds.patterns import (
    MAX_SEQUENCE,
    completing,
    fits_groups,
    fits_sequences,
    in_melds,
)

MELDS_MADE = Field("melds_made", Kind.NUMBER, "melds laid down this turn", lasts=Lasts.TURN)
FIRST_PLAY = Field(
    "first_play",
    Kind.NUMBER,
    "the turn of the hand in which a seat first laid cards down; -1 while it has not",
    axes="P",
    blank=-1,
)
_REGULAR_BITS = np.uint64(NUM_REGULAR)


@dataclass(frozen=True)
class Melding(Part):
    """How melds are made and extended.

    Attributes:
        ace_high: Whether queen-king-ace is a sequence besides ace-two-three.
        melds_per_turn: Melds that may be laid down in one turn; None for any number.
        lay_off: Whether cards may be added to melds on the table.
        final_discard: Whether the last card of a hand must be discarded.
        recalls_plays: Whether it matters in which turn a seat first lays cards down.

    Source: docs/rules/basic.md#melds
    """

    ace_high: bool
    melds_per_turn: int | None
    lay_off: bool
    final_discard: bool
    recalls_plays: bool = False

    @property
    def state_fields(self) -> tuple[Field, ...]:  # type: ignore[override]  # by its options
        """The melds of the turn where these are limited; first plays where these matter."""
        counted = () if self.melds_per_turn is None else (MELDS_MADE,)
        return (*counted, FIRST_PLAY) if self.recalls_plays else counted

    @property
    def sequence_lengths(self) -> range:
        """Lengths in which sequences are laid down; with laying off, longer ones are grown."""
        return range(3, 4 if self.lay_off else MAX_SEQUENCE + 1)

    def fits(self, grouped: Words, sequenced: Words) -> Words:
        """uint64[N], the cards that extend some meld of the table, those inside melds included."""
        return fits_groups(grouped) | fits_sequences(sequenced, ace_high=self.ace_high)

    def playable(self, view: SeatView, hands: Words) -> Words:
        """uint64[N], the cards of hands that could be laid down or laid off at once."""
        melded = in_melds(hands, ace_high=self.ace_high)
        if not self.lay_off:
            return melded
        return melded | (hands & self.fits(view.grouped, view.sequenced))

    def features(self, rules: Rules) -> Sequence[Feature]:
        found: list[Feature] = [
            Plane("groups", "it lies in a group on the table", lambda v: v.grouped),
            Plane("sequences", "it lies in a sequence on the table", lambda v: v.sequenced),
            Plane("meldable", "it is in a meld that you hold", self._meldable, hint=True),
            Plane("wanted", "it would make a meld with two of your cards", self._wanted, hint=True),
        ]
        if self.lay_off:
            found.append(Plane("fits", "it fits a meld on the table", self._fitting, hint=True))
        if self.ace_high:
            aces = "aces laid above a king, clubs to spades"
            found.append(Scalar("high_aces", aces, _high_aces, binary(len(SUITS))))
        if self.melds_per_turn is not None:
            made = thermometer(range(1, self.melds_per_turn + 1))
            found.append(Scalar("melds", "melds made this turn", lambda v: v.melds_made, made))
        return found

    def _meldable(self, view: SeatView) -> Words:
        return in_melds(view.hand[:, 0], ace_high=self.ace_high)

    def _wanted(self, view: SeatView) -> Words:
        return completing(view.hand[:, 0], ace_high=self.ace_high)

    def _fitting(self, view: SeatView) -> Words:
        return self.fits(view.grouped, view.sequenced) & ~view.on_table


def has_played(seat: int) -> Scalar:
    """Whether a seat, counted from the viewer, has laid cards down in an earlier turn."""

    def value(view: SeatView) -> Numbers:
        first = view.first_play[:, seat]
        return (first >= 0) & (first < view.turn_number)

    meaning = f"seat +{seat} has melded or laid off in an earlier turn of the hand"
    return Scalar(f"played_{seat}", meaning, value, FLAG)


def _high_aces(view: SeatView) -> Numbers:
    return (view.sequenced >> _REGULAR_BITS).astype(np.intp)
