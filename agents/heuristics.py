"""A strong heuristic for every variant: the opponent to beat after `Greedy`."""

from dataclasses import dataclass, field

from agents.strong_at_table import StrongAtTable
from agents.strong_declaring import StrongDeclaring
from rummy_env.core.bits import Bools, Rows
from rummy_env.core.shuffle import GameRandom
from rummy_env.core.visibility import SeatView
from rummy_env.greed.declared import DeclaredGreed


@dataclass(frozen=True)
class Strong:
    """Plays by the heuristic for the family of variants that the rules belong to.

    Attributes:
        at_table: Where melds are laid on the table.
        declaring: Where a finished hand is declared.
    """

    at_table: StrongAtTable = field(default_factory=StrongAtTable)
    declaring: StrongDeclaring = field(default_factory=StrongDeclaring)

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        """Chooses an action in each of N games; see `rummy_env.opponents.Policy`.

        Raises:
            ValueError: If the rules belong to none of these families.
        """
        policy = self.declaring if DeclaredGreed.plays(view.rules) else self.at_table
        return policy.act(view, mask, rng)
