"""The protocol of a policy, and the heuristics by name."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any, ClassVar, Protocol

import numpy as np

from rummy_env.baselines.declared import DeclaredGreed
from rummy_env.baselines.explanation import Explanation, explanations
from rummy_env.baselines.gin import Camper, Careful, GinGreed, Simple
from rummy_env.baselines.patient import PatientTable
from rummy_env.baselines.strong_declared import StrongDeclared
from rummy_env.baselines.strong_open_pile import StrongOpenPile
from rummy_env.baselines.strong_table import StrongTable
from rummy_env.baselines.table import TableGreed
from rummy_env.core.actions import as_mask, choose
from rummy_env.core.arrays import Bools, Rows
from rummy_env.core.checks import shown
from rummy_env.core.part import Scoring
from rummy_env.core.rules import Rules
from rummy_env.core.shuffle import GameRandom
from rummy_env.core.visibility import SeatView
from rummy_env.parts.scoring import PIP_VALUES, CardsLeft
from rummy_env.variants import in_short


class Policy(Protocol):
    """Chooses actions.

    A policy sees what its seat may know and nothing else. It plays any number of games at once,
    keeps nothing from one call to the next, and draws all its randomness from `rng`, so that a game
    comes out the same in every batch.

    A policy that cannot play all rules has a second method, `plays(rules) -> bool`. Rules for which
    it returns False are refused before a game begins; it may raise a ValueError that says why.
    """

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        """Choose an action in each of N games.

        Args:
            view: The knowledge of the seat to move.
            mask: bool[N, A], True = legal; at least one in every game.
            rng: Random numbers, one stream per game.

        Returns:
            intp[N], legal actions.
        """
        ...


class Random:
    """Plays any legal action, all equally likely."""

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        """See `Policy.act`."""
        return choose(mask, rng.random())


class ByFamily:
    """Plays by the heuristic for the family of variants that the rules belong to."""

    FAMILIES: ClassVar[tuple[Any, ...]]
    """One heuristic per family; a class is instantiated for each set of rules."""

    @classmethod
    def plays(cls, rules: Rules) -> bool:
        """Return True if there is a heuristic for the rules."""
        return any(family.plays(rules) for family in cls.FAMILIES)

    @classmethod
    def unknown(cls, rules: Rules) -> frozenset[str]:
        """Return the kinds of action that the heuristic nearest to the rules does not know."""
        return min((family.unknown(rules) for family in cls.FAMILIES), key=len)

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        """See `Policy.act`.

        Raises:
            ValueError: If there is no heuristic for the rules.
        """
        return self.heuristic(view.rules).act(view, as_mask(mask, len(view)), rng)

    def explain(self, view: SeatView, mask: Bools, rng: GameRandom) -> Explanation:
        """Return what the heuristic weighs; empty if it does not explain itself.

        Raises:
            ValueError: If there is no heuristic for the rules.
        """
        return next(explanations(self.heuristic(view.rules), view, as_mask(mask), rng))

    @classmethod
    @lru_cache(maxsize=64)
    def heuristic(cls, rules: Rules) -> Policy:
        """Return the heuristic for the rules; a ValueError if there is none."""
        check_can_play(cls.__name__.lower(), cls(), rules)
        family = next(family for family in cls.FAMILIES if family.plays(rules))
        return family(rules) if isinstance(family, type) else family


class Greedy(ByFamily):
    """Makes the best move for now, and looks no further ahead.

    Where melds are laid on the table, it lays down and lays off all it can, takes the top discard
    if that card can be laid down or off at once, draws from the stock otherwise, and discards the
    card that costs most if caught; a card that it could lay down or off in a later turn goes last.
    Once the stock has been renewed, it discards any other card instead, all equally likely.

    Where a finished hand is declared, it wins when it can, and otherwise discards a card after
    which MinDist is least; it takes from the discard pile only cards that lower MinDist. It keeps
    stand-ins and RUMMY cards. Equally good discards are equally likely.

    Where a hand ends by knocking, it takes the top discard if that lowers its deadwood, discards
    the card that leaves the least, the highest card first, and knocks at once.
    """

    FAMILIES = (TableGreed, DeclaredGreed, GinGreed())


class Strong(ByFamily):
    """The opponent to beat after `Greedy`: counts live cards, and feeds nobody.

    Where any card of the pile can be taken, it throws bait, takes the pile from deep down, and lays
    down late.
    """

    FAMILIES = (StrongTable(), StrongOpenPile(), StrongDeclared(), Camper())


class Patient(ByFamily):
    """The opponent to beat after `Strong` where melds are laid on the table: it lays off late."""

    FAMILIES = (PatientTable(),)


class Farsighted(ByFamily):
    """The opponent to beat after `Strong` where hands are declared: it keeps what has a future.

    A card that saves no draw may make it easier to save one later: a loose six beside a pair that
    waits may become a second pair that waits, where a king has fewer neighbours. Duels over
    duplicate deals found the numbers; see docs/decisions/0037-cards-that-have-a-future.md.
    """

    FAMILIES = (StrongDeclared(hazard=0.17, danger=0.6, promise=0.005),)


HEURISTICS: Mapping[str, Callable[[], Policy]] = MappingProxyType(
    {
        "random": Random,
        "greedy": Greedy,
        "strong": Strong,
        "patient": Patient,
        "farsighted": Farsighted,
        "simple": Simple,
        "careful": Careful,
        "camper": Camper,
    }
)
"""The untrained policies; patient plays only where strong weighs melds on the table, farsighted
only where hands are declared, and simple, careful and camper only gin."""


def check_can_play(name: str, policy: Policy, rules: Rules) -> None:
    """Refuse rules that a policy, known by this name, cannot play.

    Raises:
        ValueError: Naming the rules, the kinds of action unknown to the policy, and the remedy.
    """
    if _can_play(policy, rules):
        return
    unknown = sorted(getattr(policy, "unknown", lambda rules: ())(rules))
    scoring = type(rules.scoring)
    if unknown:
        why = f"not knowing the moves {', '.join(unknown)}"
    elif scoring.caught is Scoring.caught and _could_play(policy, rules):
        why = f"since {scoring.__name__} has no method caught() to tell what cards cost"
    else:
        why = "by its cards, melds, turn or scoring"
    able = ", ".join(repr(name) for name, made in HEURISTICS.items() if _can_play(made(), rules))
    raise ValueError(
        f"{name} cannot play {rules.name!r}, {why}: give {able}, or a policy of your own "
        f"(asked for was {in_short(rules)})"
    )


def _could_play(policy: Policy, rules: Rules) -> bool:
    """Return True if a policy can play the rules once cards cost something."""
    try:
        return _can_play(policy, replace(rules, scoring=CardsLeft(PIP_VALUES, going_rummy=False)))
    except ValueError:  # what the rules are made of needs its own scoring
        return False


def _can_play(policy: Policy, rules: Rules) -> bool:
    plays = getattr(policy, "plays", None)
    if plays is None:
        return True
    name = type(policy).__name__
    try:
        answer = plays(rules)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from error
    except Exception as error:
        error.add_note(f"raised by {name}.plays")
        raise
    if not isinstance(answer, bool | np.bool_):
        raise TypeError(f"{name}.plays answers {shown(answer)}: give True or False")
    return bool(answer)
