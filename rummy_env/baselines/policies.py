"""Who plays the other seats: the protocol of a policy, and the built-in ones."""

import inspect
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Protocol

from rummy_env.baselines.declared import DeclaredGreed
from rummy_env.baselines.gin_greed import GinGreed
from rummy_env.baselines.kinds import kinds_of
from rummy_env.baselines.table import TableGreed
from rummy_env.core.actions import action_space, choose
from rummy_env.core.bits import Bools, Rows
from rummy_env.core.importing import imported, is_import_string
from rummy_env.core.rules import Rules
from rummy_env.core.shuffle import GameRandom
from rummy_env.core.visibility import SeatView


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

    Where a finished hand is declared it wins when it can, and otherwise discards a card after which
    it is as few draws short of that as can be; it takes from the discard pile only what makes that
    fewer. Stand-ins and RUMMY cards it keeps. Of equally good discards all are equally likely.

    Where a hand ends by knocking it takes the top discard if that lowers its deadwood, discards
    what leaves least, the highest card first, and knocks at once.
    """

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        """See `Policy.act`.

        Raises:
            ValueError: If there is no greedy play for the rules.
        """
        return _greed(view.rules).act(view, mask, rng)


_GREEDS = (TableGreed, DeclaredGreed, GinGreed)


@lru_cache(maxsize=64)
def _greed(rules: Rules) -> TableGreed | DeclaredGreed | GinGreed:
    for greed in _GREEDS:
        if greed.plays(rules):
            return greed(rules)
    kinds = sorted(kinds_of(action_space(rules)))
    raise ValueError(f"no greedy play for {rules!r}, in which one can {', '.join(kinds)}")


_BUILT_IN: dict[str, Callable[[], Policy]] = {"random": Random, "greedy": Greedy}
BUILT_IN: Mapping[str, Callable[[], Policy]] = MappingProxyType(_BUILT_IN)
"""The policies that can be named, by name."""


def resolve(opponent: str | Policy) -> Policy:
    """A policy from its name.

    Args:
        opponent: A name of `BUILT_IN`, an import string such as
            `"rummy_env.baselines.strong:Strong"`, or a policy. A class is made without arguments.

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
    if not is_import_string(name):
        names = ", ".join(map(repr, BUILT_IN))
        raise ValueError(
            f"opponent {name!r}: give one of {names}, or module:attribute as in "
            f"'rummy_env.baselines.strong:Strong'"
        )
    return imported("opponent", name)


def _made(policy: type) -> Any:
    try:
        inspect.signature(policy).bind()
    except TypeError as error:
        raise TypeError(f"{policy!r} cannot be made without arguments: {error}") from error
    return policy()
