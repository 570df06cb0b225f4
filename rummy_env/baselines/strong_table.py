"""The strong baseline for variants with melds on the table."""

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from rummy_env.baselines.explanation import Explanation, weighed
from rummy_env.baselines.kinds import Knowing
from rummy_env.baselines.laying_out import left_over
from rummy_env.baselines.plays import Plays, in_turn
from rummy_env.baselines.table import TableGreed
from rummy_env.core.actions import action_space
from rummy_env.core.arrays import Bools, Float32s, Float64s, Rows, UInt8s, Words
from rummy_env.core.bits import ZERO, merged
from rummy_env.core.cards import NUM_REGULAR
from rummy_env.core.checks import check_number, check_numbers
from rummy_env.core.rules import Rules
from rummy_env.core.shuffle import GameRandom
from rummy_env.core.state import CODE_BIT
from rummy_env.core.visibility import SeatView
from rummy_env.melds.card_worth import chances_of_next, meld_chances, planes, rounded
from rummy_env.parts.scoring import CardsLeft
from rummy_env.parts.table_melds import has_played


@dataclass(frozen=True)
class StrongTable(Knowing):
    """Weighs every card by the melds that it may make, its cost, and the help it is to others.

    Worth is counted in outs: a card is worth 1 for each unseen card that would complete a meld
    with it and another card of the hand. The defaults were found in duels over duplicate deals,
    against `Greedy` and against itself with other values.

    Attributes:
        chance: The weight of a meld that lacks two cards beside one that lacks one, and of that one
            beside a complete one.
        fitting: Outs that a card is worth which can be laid off at once.
        caught: Outs that a point in the hand costs.
        caught_late: Outs that it costs on top when another player is down to one card; while all
            others hold n or more, divided by n to the power of 3/2.
        danger: Outs to pay for the certainty that the next player melds the discard.
        reluctance: Outs by which the top discard must beat the average card of the stock: others
            see it taken, and it may not be discarded again in this turn.
        shed: Outs that getting rid of a card is worth where melds compete for cards.
        hold_sizes: Melds are held back, so that nobody can lay off on them, only while every
            other player holds more cards than this ...
        hold_left: ... and laying out all would leave at most this many cards.
        hold_left_rummy: The same while laying out all in one turn can still double the score.

    Raises:
        ValueError: If `chance` is not above 0, or above 1.
    """

    chance: float = 0.12
    fitting: float = 8.0
    caught: float = 0.03
    caught_late: float = 0.35
    danger: float = 2.5
    reluctance: float = 0.8
    shed: float = 50.0
    hold_sizes: float = 3
    hold_left: int = 3
    hold_left_rummy: int = NUM_REGULAR

    NEEDED: ClassVar = {"draw_discard", "draw_stock", "meld_group", "meld_sequence", "discard"}
    BESIDES: ClassVar = {"lay_off_group", "lay_off_sequence"}

    def __post_init__(self) -> None:
        check_numbers(vars(self))
        check_number("chance", self.chance, "a number above 0, at most 1", lambda p: 0 < p <= 1)

    @classmethod
    def plays(cls, rules: Rules) -> bool:
        """Return True if groups and sequences are laid on the table."""
        return super().plays(rules) and TableGreed.plays(rules)

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        """Choose an action in each of N games; see `rummy_env.baselines.heuristics.Policy`.

        Raises:
            ValueError: If the rules have no melds on the table, or no cards left to pay for.
        """
        return in_turn(_facts(view.rules), view, mask, self._draw, self._play)

    def explain(self, view: SeatView, mask: Bools, rng: GameRandom) -> Explanation:
        """Return what it weighs, in outs; see `rummy_env.baselines.explanation`."""
        facts = _facts(view.rules)
        legal = mask[0]
        weights: dict[str, Float64s] = {}
        if legal[facts.take] or legal[facts.stock]:
            top, stock = self._gains(facts, view)
            gains = np.array([top[0], stock[0]])
            weights["gain"] = weighed(legal, [facts.take, facts.stock], gains)
        elif legal[facts.discards].any():
            worth, helps = self._worth(facts, view)[:, 0], self._helps(facts, view)[:, 0]
            weights["worth"] = weighed(legal, facts.discards, worth)
            weights["helps the next player"] = weighed(legal, facts.discards, helps)
        return Explanation(weights=weights)

    def _draw(self, facts: "Facts", view: SeatView, mask: Bools) -> Rows:
        """Take the top discard where it gains more than the stock does on average."""
        top, stock = self._gains(facts, view)
        better = top > stock + np.float32(self.reluctance)
        take = mask[:, facts.take] & (better | ~mask[:, facts.stock])
        return np.where(take, facts.take, facts.stock)

    def _gains(self, facts: "Facts", view: SeatView) -> tuple[Float32s, Float64s]:
        """Return what the top discard gains, float32[N], and the stock on average, float64[N]."""
        worth = self._worth(facts, view)
        least = np.where(planes(view.hand[:, 0]) != 0, worth, np.inf).min(axis=0)
        drawn = planes(_next_cards(view))
        gain = np.maximum(worth - least, 0) * drawn
        stock = gain.sum(axis=0, dtype=np.float64) / np.maximum(drawn.sum(axis=0), 1)
        top = worth[np.minimum(view.top, NUM_REGULAR - 1), np.arange(len(view))] - least
        return top, stock

    def _helps(self, facts: "Facts", view: SeatView) -> Float32s:
        """float32[52, N], what every card may be worth to the next player, `rounded`."""
        danger = np.float32(self.danger * self._share(view.rules))
        return rounded(self._needs(facts, view) * danger)

    def _needs(self, facts: "Facts", view: SeatView) -> Float32s:
        """float32[52, N], the melds that the next player is expected to make with every card."""
        return chances_of_next(view, ace_high=facts.melding.ace_high)

    def _share(self, rules: Rules) -> float:
        """Return the weight of what a single other player does."""
        return 1.0

    def _play(self, facts: "Facts", view: SeatView, mask: Bools) -> Rows:
        """Lay down and lay off, unless that is held back; then discard what is worth least."""
        worth = self._worth(facts, view)
        given = worth + self._helps(facts, view)
        given[~mask[:, facts.discards].T] = np.inf
        actions = given.argmin(axis=0) + facts.discards.start
        items = np.flatnonzero(mask[:, facts.plays].any(axis=1))
        if items.size:
            plays = mask[items, facts.plays] & facts.are_plays
            plays &= ~self._held(facts, view.take(items))
            some = plays.any(axis=1)
            items = items[some]
            actions[items] = self._lay_out(facts, plays[some], worth[:, items])
        return actions

    def _lay_out(self, facts: "Facts", plays: Bools, worth: Float32s) -> Rows:
        """Return the play that sheds most; of melds that compete, the one that spoils least."""
        shed = np.zeros((NUM_REGULAR + 1, len(plays)))
        shed[:NUM_REGULAR] = self.shed - worth
        sheds = shed.take(facts.cards_of_plays, axis=0).sum(axis=0)
        return np.where(plays.T, sheds, -np.inf).argmax(axis=0) + facts.plays.start

    def _worth(self, facts: "Facts", view: SeatView) -> Float32s:
        """Return float32[52, N], the worth of every card, held or taken, `rounded`."""
        chance = np.float32(self.chance)
        # Live cards may still come: they are in the stock or, unknown, in other hands.
        seen = view.hand | view.piled | merged(view.known.swapaxes(1, 2))
        live = view.rules.pack.everything[0] & ~(seen[:, 0] | view.on_table)
        likely = planes(view.hand[:, 0]) + planes(live) * chance
        worth = meld_chances(likely, ace_high=facts.melding.ace_high) / chance
        if facts.melding.lay_off:
            fits = facts.melding.fits(view.grouped, view.sequenced)
            worth += planes(fits) * np.float32(self.fitting)
        late = _LATE.take(fewest_of_others(view))
        risk = np.float32(self.caught_late * self._share(view.rules))
        point = np.float32(self.caught) + risk * late
        return rounded(worth - facts.points * point)

    def _held(self, facts: "Facts", view: SeatView) -> Bools:
        """Return bool[N, plays or 1], True for plays to hold back; none if the hand can go out."""
        left = left_over(view, facts.melding)
        held = self._holds(facts, view, left) | (left < facts.fewest_left)[:, None]
        return held & (left > 1)[:, None]

    def _holds(self, facts: "Facts", view: SeatView, left: UInt8s) -> Bools:
        """Return bool[N, plays or 1], True to wait; `left`, uint8[N], is what would be left."""
        most: int | Rows = self.hold_left
        if facts.doubles:
            most = np.where(has_played(0).value(view), self.hold_left, self.hold_left_rummy)
        return ((left <= most) & self._safe(view))[:, None]

    def _safe(self, view: SeatView) -> Bools:
        """Return bool[N], True while nobody is close to going out."""
        return fewest_of_others(view) > self.hold_sizes


def fewest_of_others(view: SeatView) -> Rows:
    """Return intp[N], the fewest cards that another player holds."""
    return view.hand_sizes[:, 1:].min(axis=1)


_LATE: Float32s = np.array([max(size, 1) ** -1.5 for size in range(NUM_REGULAR + 1)], np.float32)
"""By how many cards the others hold; a table, for powers are not rounded alike in all batches."""


class Facts(Plays):
    """The actions, the cost of cards and the way of melding of some rules."""

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules)
        # Laying a whole hand out at once, but for the discard, may double the score.
        limit, scoring = self.melding.melds_per_turn, rules.scoring
        in_one_turn = limit is None or 3 * limit >= rules.hand_size - 1
        self.doubles = in_one_turn and isinstance(scoring, CardsLeft) and scoring.going_rummy
        # The fewest cards, before the discard, with which a hand can be emptied in a later turn:
        # where nobody lays off, the last have to be a meld together.
        self.fewest_left = 2 if self.melding.lay_off else 3 + self.melding.final_discard
        self.take = action_space(rules).index("draw_discard")


_facts = lru_cache(maxsize=64)(Facts)


def _next_cards(view: SeatView) -> Words:
    """Return uint64[N], the cards that may come from the stock; one card where it is known.

    An empty stock can be drawn from only where the pile is then turned over.
    """
    first = np.where(view.stock_estimate > 0, view.stock[:, 0], view.pile[:, 0])
    known = CODE_BIT.take(first)
    return np.where(known != ZERO, known, view.unseen[:, 0])
