"""A strong heuristic for every variant: the opponent to beat after `Greedy`."""

from dataclasses import dataclass, field

from rummy_env.baselines.declared import DeclaredGreed
from rummy_env.baselines.gin import Camper
from rummy_env.baselines.gin_greed import GinGreed
from rummy_env.baselines.policies import Policy
from rummy_env.baselines.strong_declared import StrongDeclared
from rummy_env.baselines.strong_table import StrongTable
from rummy_env.core.bits import Bools, Rows
from rummy_env.core.rules import Rules
from rummy_env.core.shuffle import GameRandom
from rummy_env.core.visibility import SeatView


@dataclass(frozen=True)
class Strong:
    """Plays by the heuristic for the family of variants that the rules belong to.

    Attributes:
        at_table: Where melds are laid on the table.
        declaring: Where a finished hand is declared.
        knocking: Where a hand ends by knocking.
    """

    at_table: StrongTable = field(default_factory=StrongTable)
    declaring: StrongDeclared = field(default_factory=StrongDeclared)
    knocking: Camper = field(default_factory=Camper)

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        """Chooses an action in each of N games; see `rummy_env.baselines.policies.Policy`.

        Raises:
            ValueError: If the rules belong to none of these families.
        """
        return self._policy(view.rules).act(view, mask, rng)

    def _policy(self, rules: Rules) -> Policy:
        if GinGreed.plays(rules):
            return self.knocking
        if DeclaredGreed.plays(rules):
            return self.declaring
        if StrongTable.plays(rules):
            return self.at_table
        raise ValueError(f"no strong play for {rules!r}: give another agent, such as 'random'")
