"""Who plays the other seats: the protocol of a policy, and the built-in ones."""

import importlib
import inspect
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from rummy_env.core.actions import ActionSpace, action_space, choose
from rummy_env.core.bits import ZERO, Bools, Rows, Words
from rummy_env.core.cards import NUM_REGULAR, regular_bit
from rummy_env.core.melds import fits_groups, fits_sequences, in_melds
from rummy_env.core.rules import Rules
from rummy_env.core.shuffle import GameRandom
from rummy_env.core.state import CODE_BIT
from rummy_env.core.visibility import SeatView
from rummy_env.parts.melding import Melding, Play
from rummy_env.parts.scoring import CardsLeft


class Policy(Protocol):
    """Whatever chooses actions.

    A policy sees what its seat may know and nothing else. It plays any number of games at once,
    keeps nothing from one call to the next, and draws all its randomness from `rng`, so that a game
    comes out the same in every batch.
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
    scores most if caught; a card that it could lay down or off in a later turn goes last. Once the
    stock has been renewed, it discards any other card instead, all equally likely.
    """

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        """See `Policy.act`.

        Raises:
            ValueError: If there is no greedy play for the rules.
        """
        return _greed(view.rules).act(view, mask, rng)


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
        points = card_points(rules)
        shed = [-sum(points[regular_bit(c)] for c in action.cards) for action in space.actions]
        tiers = [tier[action.kind] for action in space.actions]
        self._order: Rows = np.lexsort((shed, tiers))

    @classmethod
    def plays(cls, rules: Rules) -> bool:
        """Whether this is the greed for the rules."""
        known = {kind for kinds in cls.PREFERENCE for kind in kinds}
        kinds = {action.kind for action in action_space(rules).actions}
        return kinds <= known and isinstance(rules.scoring, CardsLeft)

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


_GREEDS = (TableGreed,)


@lru_cache(maxsize=64)
def _greed(rules: Rules) -> TableGreed:
    for greed in _GREEDS:
        if greed.plays(rules):
            return greed(rules)
    kinds = sorted({action.kind for action in action_space(rules).actions})
    raise ValueError(f"no greedy play for {rules!r}, in which one can {', '.join(kinds)}")


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


def block(space: ActionSpace, kind: str) -> slice:
    """The numbers of all actions of a kind."""
    numbers = [i for i, action in enumerate(space.actions) if action.kind == kind]
    return slice(numbers[0], numbers[-1] + 1)


def card_flags(words: Words) -> Bools:
    """bool[N, 52], sets of cards, uint64[N], as a flag a card."""
    octets = words.astype("<u8", copy=False)[:, None].view(np.uint8)
    return np.unpackbits(octets, axis=1, count=NUM_REGULAR, bitorder="little").view(np.bool_)


_BUILT_IN: dict[str, Callable[[], Policy]] = {"random": Random, "greedy": Greedy}
BUILT_IN: Mapping[str, Callable[[], Policy]] = MappingProxyType(_BUILT_IN)
"""The policies that can be named, by name."""


def resolve(opponent: str | Policy) -> Policy:
    """A policy from its name.

    Args:
        opponent: A name of `BUILT_IN`, an import string such as `"agents.heuristics:Strong"`, or a
            policy. A class is made without arguments.

    Raises:
        ValueError: If there is no such policy.
        TypeError: If what is given is no policy: it has no method `act`, or is a class that cannot
            be made without arguments.
    """
    found = _named(opponent) if isinstance(opponent, str) else opponent
    if inspect.isclass(found):
        found = _made(found)
    if not callable(getattr(found, "act", None)):
        raise TypeError(f"opponent {opponent!r} has no method act(view, mask, rng)")
    return found


def _named(name: str) -> Any:
    if name in BUILT_IN:
        return BUILT_IN[name]
    module, colon, attribute = name.partition(":")
    if not (module and colon and attribute):
        names = ", ".join(map(repr, BUILT_IN))
        raise ValueError(
            f"opponent {name!r}: give one of {names}, or module:attribute as in "
            f"'agents.heuristics:Strong'"
        )
    try:
        return getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"opponent {name!r} cannot be imported: {error}") from error


def _made(policy: type) -> Any:
    try:
        inspect.signature(policy).bind()
    except TypeError as error:
        raise TypeError(f"{policy!r} cannot be made without arguments: {error}") from error
    return policy()
