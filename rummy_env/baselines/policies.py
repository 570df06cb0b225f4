"""The protocol of a policy, and the baselines by name."""

import inspect
import os
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Protocol

from rummy_env.baselines.declared import DeclaredGreed
from rummy_env.baselines.explanation import Explanation, explanations
from rummy_env.baselines.gin import Camper, Careful, GinGreed, Simple
from rummy_env.baselines.saved import SUFFIX, SavedPolicy, Trained
from rummy_env.baselines.strong_declared import StrongDeclared
from rummy_env.baselines.strong_table import StrongTable
from rummy_env.baselines.table import TableGreed
from rummy_env.core.actions import choose
from rummy_env.core.bits import Bools, Rows
from rummy_env.core.importing import imported, is_import_string
from rummy_env.core.rules import Rules
from rummy_env.core.shuffle import GameRandom
from rummy_env.core.visibility import SeatView

MODELS = (SUFFIX, ".zip")
"""Suffixes of models; `SavedPolicy` says how a zip becomes one."""


class Policy(Protocol):
    """Chooses actions.

    A policy sees what its seat may know and nothing else. It plays any number of games at once,
    keeps nothing from one call to the next, and draws all its randomness from `rng`, so that a game
    comes out the same in every batch.

    A policy that cannot play all rules has a second method, `plays(rules) -> bool`: rules for which
    it is false are refused before a game begins. It may raise a ValueError that says why.
    """

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        """Chooses an action in each of N games.

        Args:
            view: The knowledge of the seat to move.
            mask: bool[N, A], True = legal; at least one in every game.
            rng: Random numbers, a stream a game.

        Returns:
            intp[N], legal actions.
        """
        ...


Named = str | os.PathLike[str] | Policy | type[Policy]
"""A policy, or what `resolve` makes one of."""


class Random:
    """Plays any legal action, all equally likely."""

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        """See `Policy.act`."""
        return choose(mask, rng.random())


class ByFamily:
    """Plays by the heuristic for the family of variants that the rules belong to."""

    FAMILIES: ClassVar[tuple[Any, ...]]
    """One heuristic a family; of classes, an instance is made for each rules."""

    @classmethod
    def plays(cls, rules: Rules) -> bool:
        """True if there is a heuristic for the rules."""
        return any(family.plays(rules) for family in cls.FAMILIES)

    @classmethod
    def unknown(cls, rules: Rules) -> set[str]:
        """The kinds of action that the heuristic nearest to the rules does not know."""
        return min((family.unknown(rules) for family in cls.FAMILIES), key=len)

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        """See `Policy.act`.

        Raises:
            ValueError: If there is no heuristic for the rules.
        """
        return self._heuristic(view.rules).act(view, mask, rng)

    def explain(self, view: SeatView, mask: Bools, rng: GameRandom) -> Explanation:
        """What the heuristic weighs; nothing where it does not tell.

        Raises:
            ValueError: If there is no heuristic for the rules.
        """
        return next(explanations(self._heuristic(view.rules), view, mask, rng))

    @classmethod
    @lru_cache(maxsize=64)
    def _heuristic(cls, rules: Rules) -> Policy:
        check_plays(cls(), rules)
        family = next(family for family in cls.FAMILIES if family.plays(rules))
        return family(rules) if isinstance(family, type) else family


class Greedy(ByFamily):
    """Takes the best of this move, and looks no further ahead.

    Where melds are laid on the table, it lays down and lays off all it can, takes the top discard
    if that card can be laid down or off at once, draws from the stock otherwise, and discards the
    card that costs most if caught; a card that it could lay down or off in a later turn goes last.
    Once the stock has been renewed, it discards any other card instead, all equally likely.

    Where a finished hand is declared, it wins when it can, and otherwise discards a card after
    which MinDist is least; it takes from the discard pile only cards that lower MinDist. It keeps
    stand-ins and RUMMY cards. Of equally good discards all are equally likely.

    Where a hand ends by knocking, it takes the top discard if that lowers its deadwood, discards
    the card that leaves least, the highest card first, and knocks at once.
    """

    FAMILIES = (TableGreed, DeclaredGreed, GinGreed())


class Strong(ByFamily):
    """The opponent to beat after `Greedy`: counts live cards, and feeds nobody."""

    FAMILIES = (StrongTable(), StrongDeclared(), Camper())


BASELINES: Mapping[str, Callable[[], Policy]] = MappingProxyType(
    {
        "random": Random,
        "greedy": Greedy,
        "strong": Strong,
        "simple": Simple,
        "careful": Careful,
        "camper": Camper,
        "trained": Trained,
    }
)
"""The policies that can be named; simple, careful and camper play gin alone."""


def resolve(opponent: Named, rules: Rules | None = None) -> Policy:
    """The policy that is named or given.

    Args:
        opponent: A name of `BASELINES`, the path of a model (`.npz`), an import string such as
            `"my_agents:Eager"`, or a policy. A class is made without arguments.
        rules: The rules that it is to play; None for any.

    Raises:
        ValueError: If there is no such policy, or it cannot play the rules.
        TypeError: If the object is no policy: it has no method `act`, or is a class that cannot be
            made without arguments.
    """
    found: Any = opponent
    if isinstance(opponent, str | os.PathLike):
        found = _named(os.fspath(opponent))
    if inspect.isclass(found):
        try:
            inspect.signature(found).bind()
        except TypeError as error:
            raise TypeError(f"{found!r} cannot be made without arguments: {error}") from error
        found = found()
    if not callable(getattr(found, "act", None)):
        raise TypeError(f"opponent {opponent!r} has no method act(view, mask, rng)")
    if rules is not None:
        check_plays(found, rules)
    return found


def check_plays(policy: Policy, rules: Rules) -> None:
    """Refuses rules that a policy cannot play.

    Raises:
        ValueError: Naming the rules, the kinds of action unknown to the policy, and the remedy.
    """
    plays = getattr(policy, "plays", None)
    if plays is None or plays(rules):
        return
    unknown = sorted(getattr(policy, "unknown", lambda rules: ())(rules))
    why = f", not knowing {', '.join(unknown)}" if unknown else ", by its turn or its scoring"
    raise ValueError(
        f"{name_of(policy)} cannot play {rules!r}{why}: give opponents='random', or a policy of "
        f"your own"
    )


def name_of(opponent: Named) -> str:
    """A short name: that of a baseline, the end of a path or an import string, or the class."""
    if isinstance(opponent, str) and not opponent.endswith(MODELS):
        return opponent.rpartition(":")[2]
    if isinstance(opponent, str | os.PathLike):
        return "/".join(Path(opponent).with_suffix("").parts[-2:])
    policy = opponent if inspect.isclass(opponent) else type(opponent)
    names = (name for name, baseline in BASELINES.items() if baseline is policy)
    return next(names, policy.__name__)


def _named(name: str) -> Any:
    if name in BASELINES:
        return BASELINES[name]
    if name.endswith(MODELS):
        return SavedPolicy(name)
    if not is_import_string(name):
        names = ", ".join(map(repr, BASELINES))
        raise ValueError(
            f"opponent {name!r}: give one of {names}, the path of a model ({SUFFIX}), or "
            f"module:attribute as in 'my_agents:Eager'"
        )
    return imported("opponent", name)
