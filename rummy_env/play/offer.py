"""The agents that a server offers, by name."""

from collections.abc import Mapping
from functools import lru_cache

from rummy_env.baselines.heuristics import Policy
from rummy_env.baselines.policies import NAMES, Named, name_of, resolve
from rummy_env.core.rules import Rules
from rummy_env.importing import is_import_string
from rummy_env.play.seats import Agent
from rummy_env.variants import VARIANTS


class Offer:
    """Agents by name: those of `NAMES`, and those that the server was started with.

    Attributes:
        allow_code: True if browsers may name import strings and model files, too.
    """

    def __init__(
        self,
        more: Mapping[str, Named] | None = None,
        *,
        allow_code: bool = False,
        variant: str = "",
    ) -> None:
        """Offer those of `NAMES` and `more` agents, by their names.

        `variant` is the one that the server was started with, which tables may have in any case.
        """
        self._named: dict[str, Named] = {**{name: name for name in NAMES}, **(more or {})}
        self.allow_code, self._variant = allow_code, variant
        self._policy = lru_cache(maxsize=256)(self._resolved)

    def check_variant(self, name: str) -> None:
        """Refuse, with a ValueError, an import string from a page or a file unless code is allowed.

        Importing it would run code.
        """
        if is_import_string(name) and name != self._variant and not self.allow_code:
            raise ValueError(
                f"variant={name!r:.80}: import strings from a page or a file need a server that "
                f"was started with this variant, or with --allow-code; known are "
                f"{', '.join(VARIANTS)}"
            )

    def policy(self, name: str, rules: Rules) -> Policy:
        """Return the agent of a name, to play some rules; equal ones are shared.

        Raises:
            ValueError: If there is no such agent, or it cannot play the rules.
        """
        if name not in self._named and not self.allow_code:
            offered = ", ".join(self._named)
            raise ValueError(
                f"agent {name!r:.80}: offered are {offered}; a server that was started with "
                f"--agents offers more, one with --allow-code any import string and model file"
            )
        return self._policy(name, rules)

    def _resolved(self, name: str, rules: Rules) -> Policy:
        try:
            return resolve(self._named.get(name, name), rules)
        except (ValueError, TypeError):
            raise
        except Exception as error:  # an agent of one's own may raise anything
            raise ValueError(f"agent {name!r:.80}: {type(error).__name__}: {error}") from error

    def __contains__(self, name: str) -> bool:
        return name in self._named

    def seat(self, asked: str, rules: Rules) -> Agent:
        """Return a seat for an agent, asked for as for `policy`, which raises.

        At the table it has the name by which it is offered, or the short one of a path.
        """
        name = asked if asked in self else name_of(asked)
        return Agent(name, self.policy(asked, rules), asked)

    def for_rules(self, rules: Rules) -> list[str]:
        """Return the names of those that play the rules."""
        return [name for name in self._named if self._plays(name, rules)]

    def _plays(self, name: str, rules: Rules) -> bool:
        try:
            self.policy(name, rules)
        except (ValueError, TypeError):
            return False
        return True
