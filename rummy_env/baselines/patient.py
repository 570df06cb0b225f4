"""The patient baseline for variants with melds on the table."""

from dataclasses import dataclass

from rummy_env.baselines.laying_out import left_over
from rummy_env.baselines.strong_table import Facts, StrongTable, fewest_of_others
from rummy_env.core.arrays import Bools, Float32s, Rows, UInt8s
from rummy_env.core.rules import Rules
from rummy_env.core.state import CODE_BIT
from rummy_env.core.visibility import SeatView
from rummy_env.melds.beliefs import chances_held
from rummy_env.melds.card_worth import meld_chances


@dataclass(frozen=True)
class PatientTable(StrongTable):
    """Weighs cards as `StrongTable` does, and lays off late: what lies on the table serves all.

    It also takes the top discard if it can go out with that card, and judges what the next player
    needs by what that player did. The more players there are, the less it cares about each. What a
    search did otherwise than `StrongTable` showed what to change, and duels over duplicate deals
    found the numbers; see docs/decisions/0030-a-patient-heuristic.md.

    Attributes:
        hold_sizes: As for `StrongTable`, in parts of the cards that were dealt.
        lay_off_sizes: The same for cards to lay off, however many would be left ...
        dear: ... but for cards that cost this many points: they are laid off once melds are.
    """

    fitting: float = 4.0
    caught_late: float = 0.9
    danger: float = 3.0
    hold_sizes: float = 0.4
    hold_left: int = 2
    lay_off_sizes: float = 0.3
    dear: float = 10

    def _draw(self, facts: Facts, view: SeatView, mask: Bools) -> Rows:
        """Take the top discard to go out with it, or where it gains more than the stock does."""
        actions = super()._draw(facts, view, mask)
        items = (mask[:, facts.take] & (actions == facts.stock)).nonzero()[0]
        some = view.take(items)
        left = left_over(some, facts.melding)
        left_with = left_over(some, facts.melding, some.hand[:, 0] | CODE_BIT.take(some.top))
        # Where nothing is left anyway, any card goes out, but for the one that was taken: it may
        # not be discarded.
        actions[items[(left_with <= 1) & (left > 0)]] = facts.take
        return actions

    def _needs(self, facts: Facts, view: SeatView) -> Float32s:
        """float32[52, N], the same by what that player threw away, left lying and took."""
        return meld_chances(chances_held(view, view.next), ace_high=facts.melding.ace_high)

    def _share(self, rules: Rules) -> float:
        """Return the weight of what a single other player does: all are to be led on average."""
        return 1 / (rules.num_players - 1)

    def _holds(self, facts: Facts, view: SeatView, left: UInt8s) -> Bools:
        """Return bool[N, plays], True to wait; `left`, uint8[N], is what would be left."""
        melds = super()._holds(facts, view, left)
        many = fewest_of_others(view) > self.lay_off_sizes * view.rules.hand_size
        lays_off, dear = facts.lays_off, facts.points_of_plays >= self.dear
        # Flags by flags: np.where takes many times as long for flags that are broadcast.
        held: Bools = lays_off & dear & self._safe(view)[:, None]
        held |= lays_off & ~dear & many[:, None]
        return held | (~lays_off & melds)

    def _safe(self, view: SeatView) -> Bools:
        """Return bool[N], True while nobody is close to going out."""
        return fewest_of_others(view) > self.hold_sizes * view.rules.hand_size
