"""Who plays the other seats: the protocol of a policy, and the built-in ones."""

import importlib
import inspect
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Protocol

import numpy as np

from rummy_env.core.actions import ActionSpace, action_space, choose
from rummy_env.core.bits import ONE, ZERO, Bools, Rows, Words
from rummy_env.core.cards import NUM_RANKS, NUM_REGULAR, rank_word, regular_bit
from rummy_env.core.melds import fits_groups, fits_sequences, groups, sequence_starts
from rummy_env.core.rules import Rules
from rummy_env.core.shuffle import GameRandom
from rummy_env.core.state import CODE_BIT
from rummy_env.core.visibility import SeatView
from rummy_env.parts.melding import Melding, Play
from rummy_env.parts.scoring import CardsLeft

_QUEENS = rank_word("Q")
_TWO, _QUEEN_TO_ACE = np.uint64(2), np.uint64(11)


class Policy(Protocol):
    """Whatever chooses actions.

    A policy sees what its seat may know and nothing else. It plays any number of games at once, keeps
    nothing from one call to the next, and draws all its randomness from `rng`, so that a game comes
    out the same in every batch.
    """

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        """Chooses an action in each of N games.

        Args:
            view: What the seat to move knows.
            mask: bool[N, A], True = legal; at least one in every game.
            rng: Random numbers, a stream a game.

        Returns:
            intp[N], legal actions.
        """
        ...


class Random:
    """Plays any legal action, all equally likely."""

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        """See `Policy.act`."""
        return choose(mask, rng.random())


class Greedy:
    """Takes what it can get at once, and looks no further.

    Where melds are laid on the table it lays down and lays off all it can, takes the top discard if
    that card can be laid down or off at once, draws from the stock otherwise, and discards what
    scores most if caught; a card that it could lay down or off in a later turn goes last.
    """

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        """See `Policy.act`.

        Raises:
            ValueError: If there is no greedy play for the rules.
        """
        return _greed(view.rules).act(view, mask)


class TableGreed:
    """Greed where melds are laid on the table: an order of preference among all actions.

    The first legal action of that order is played, but for actions that are unwanted at the moment:
    these come behind all others.
    """

    MELDS = ("meld_group", "meld_sequence")
    LAY_OFFS = ("lay_off_group", "lay_off_sequence")
    PREFERENCE = (("draw_discard",), ("draw_stock",), MELDS, LAY_OFFS, ("discard",))

    def __init__(self, rules: Rules) -> None:
        space = action_space(rules)
        self._melding = melding_of(rules)
        self._take = space.index("draw_discard")
        self._discards = block(space, "discard")
        tier = {kind: i for i, kinds in enumerate(self.PREFERENCE) for kind in kinds}
        values = rules.scoring.values.by_card
        shed = [-sum(values[regular_bit(card)] for card in action.cards) for action in space.actions]
        tiers = [tier[action.kind] for action in space.actions]
        self._order: Rows = np.lexsort((shed, tiers))

    @classmethod
    def plays(cls, rules: Rules) -> bool:
        """Whether this is the greed for the rules."""
        known = {kind for kinds in cls.PREFERENCE for kind in kinds}
        kinds = {action.kind for action in action_space(rules).actions}
        return kinds <= known and isinstance(rules.scoring, CardsLeft)

    def act(self, view: SeatView, mask: Bools) -> Rows:
        """Chooses an action in each game; see `Policy.act`."""
        ranked = mask.take(self._order, axis=1)
        wanted = mask & ~self._unwanted(view, mask.shape)
