"""Greed where melds are laid on the table."""

import numpy as np
import numpy.typing as npt

from rummy_env.baselines.picking import block, kinds_of
from rummy_env.core.actions import action_space, choose
from rummy_env.core.bits import ZERO, Bools, Rows, Words
from rummy_env.core.cards import card_flags, regular_bit
from rummy_env.core.rules import Rules
from rummy_env.core.shuffle import GameRandom
from rummy_env.core.state import CODE_BIT
from rummy_env.core.visibility import SeatView
from rummy_env.melds.patterns import fits_groups, fits_sequences, in_melds
from rummy_env.parts.melding import Melding, Play
from rummy_env.parts.scoring import CardsLeft


class TableGreed:
    """An order of preference among all actions.

    The first legal action of that order is played, but for actions that are unwanted at the moment:
    these come behind all others.
    """

    MELDS = ("meld_group", "meld_sequence")
    LAY_OFFS = ("lay_off_group", "lay_off_sequence")
    PREFERENCE = (("draw_discard",), ("draw_stock",), MELDS, LAY_OFFS, ("discard",))
    NEEDED = frozenset({"draw_discard", "draw_stock", "discard"})

    def __init__(self, rules: Rules) -> None:
        space = action_space(rules)
        self._melding = melding_of(rules)
        self._take = space.index("draw_discard")
        self._discards = block(space, "discard")
        tier = {kind: i for i, kinds in enumerate(self.PREFERENCE) for kind in kinds}
        points = card_points(rules)
        shed = [-sum(points[regular_bit(c)] for c in action.cards) for action in space.actions]
        tiers = [tier[action.kind] for action in space.actions]
        self._order: Rows = np.lexsort((shed, tiers))

    @classmethod
    def plays(cls, rules: Rules) -> bool:
        """Whether this is the greed for the rules."""
        known = {kind for kinds in cls.PREFERENCE for kind in kinds}
        fits = cls.NEEDED <= kinds_of(action_space(rules)) <= known
        return fits and isinstance(rules.scoring, CardsLeft)

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        """Chooses an action in each of N games: intp[N]."""
        liked = mask.copy()
        liked[:, self._take] &= self._helps_at_once(view)
        liked[:, self._discards] &= ~card_flags(self._playable(view, view.hand[:, 0]))
        open_to = np.where(liked.any(axis=1, keepdims=True), liked, mask)
        actions = self._order.take(open_to[:, self._order].argmax(axis=1))
        stuck = (self._renewed(view) & (actions >= self._discards.start)).nonzero()[0]
        actions[stuck] = choose(open_to[stuck], rng.random()[stuck])
        return actions

    @staticmethod
    def _renewed(view: SeatView) -> Bools:
        """bool[N], whether the stock is made of cards that were discarded before.

        If everybody still hoards the cheapest cards then, no hand would ever end.
        """
        return view.stock_open | (view.returned[:, 0] != ZERO)

    def _helps_at_once(self, view: SeatView) -> Bools:
        """bool[N], whether the top discard could be laid down or off if it were taken."""
        top = CODE_BIT.take(view.top)
        return self._playable(view, view.hand[:, 0] | top) & top != ZERO

    def _playable(self, view: SeatView, hand: Words) -> Words:
        """uint64[N], the cards of each hand that are in a meld or fit one on the table."""
        melded = in_melds(hand, ace_high=self._melding.ace_high)
        return melded | (hand & fitting(view, self._melding))


def melding_of(rules: Rules) -> Melding:
    """How melds are laid on the table.

    Raises:
        ValueError: If the rules have no melds on the table.
    """
    for move in rules.moves():
        if isinstance(move, Play):
            return move.melding
    raise ValueError(f"{rules!r} has no melds on the table")


def card_points(rules: Rules) -> npt.NDArray[np.int32]:
    """What each card costs whoever is caught with it.

    Returns:
        int32[52], points.

    Raises:
        ValueError: If cards left in the hand cost nothing.
    """
    if not isinstance(rules.scoring, CardsLeft):
        raise ValueError(f"{rules!r}: cards left in the hand cost nothing")
    return rules.scoring.values.by_card


def fitting(view: SeatView, melding: Melding) -> Words:
    """uint64[N], the cards that could be laid off on the melds of the table."""
    if not melding.lay_off:
        return np.zeros(len(view), np.uint64)
    on_sequences = fits_sequences(view.sequenced, ace_high=melding.ace_high)
    return fits_groups(view.grouped) | on_sequences
