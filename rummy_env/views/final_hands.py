"""How both hands lie on the table at the end of a hand of gin."""

from dataclasses import dataclass

import numpy as np

from rummy_env.core.bits import Words
from rummy_env.core.table import table_groups, table_sequences
from rummy_env.core.visibility import SeatView
from rummy_env.melds.showdown import Melded, Showdown, showdown
from rummy_env.parts.knocking import GIN, GinPoints


@dataclass(frozen=True)
class FinalHand:
    """One hand, arranged to the best.

    Attributes:
        melds: The melds.
        left: The cards in no meld.
        laid_off: The cards added to melds of the other hand.
        deadwood: What the cards left count.
    """

    melds: list[list[str]]
    left: list[str]
    laid_off: list[str]
    deadwood: int


def final_hand(view: SeatView, place: int) -> FinalHand | None:
    """The hand of a seat as it is shown after a knock or gin.

    Args:
        view: What a seat knows of one game, N = 1.
        place: The seat, counted from the viewer.

    Returns:
        None where hands are not shown: the game goes on, nobody knocked, or the melds have been
        laid down one by one and lie on the table.
    """
    scoring = view.rules.scoring
    if not isinstance(scoring, GinPoints) or scoring.lay_off == "manual":
        return None
    if view.phase[0] >= 0 or view.claim[0] == 0:
        return None
    shown, text = _shown(view, scoring), view.rules.pack.texts
    if place == view.claimant[0]:
        return _final(view, shown.knocker, [])
    return _final(view, shown.defender, sorted(text(shown.laid_off)))


def _shown(view: SeatView, scoring: GinPoints) -> Showdown:
    knocker = int(view.claimant[0])
    hands: list[Words] = [view.known[:, place, 0] for place in (knocker, 1 - knocker)]
    lay_off = np.asarray((view.claim < GIN) & (scoring.lay_off == "auto"))
    return showdown(*hands, lay_off=lay_off, limit=scoring.limit.of(view.upcard))


def _final(view: SeatView, hand: Melded, laid_off: list[str]) -> FinalHand:
    melds = table_groups(int(hand.grouped[0]))
    melds += table_sequences(int(hand.sequenced[0]), int(hand.starts[0]))
    return FinalHand(melds, view.rules.pack.texts(hand.left), laid_off, int(hand.deadwood[0]))
