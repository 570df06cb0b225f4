"""The strong baseline for variants in which any card of the discard pile can be taken."""

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from rummy_env.baselines.explanation import Explanation, weighed
from rummy_env.baselines.kinds import Knowing, block
from rummy_env.baselines.laying_out import left_over
from rummy_env.baselines.plays import PLAYS, Plays, in_turn
from rummy_env.baselines.strong_table import fewest_of_others
from rummy_env.baselines.table import TableGreed
from rummy_env.core.actions import action_space
from rummy_env.core.arrays import Bools, Float32s, Rows
from rummy_env.core.bits import count_all
from rummy_env.core.cards import NO_CARD, NUM_REGULAR
from rummy_env.core.checks import check_numbers
from rummy_env.core.rules import Rules
from rummy_env.core.shuffle import GameRandom
from rummy_env.core.visibility import SeatView
from rummy_env.melds.card_worth import even_chances, meld_chances, planes, rounded


@dataclass(frozen=True)
class StrongOpenPile(Knowing):
    """Throws bait, takes the pile from deep down, and lays down late.

    Melds that stay in the hand can use many a card of the pile, and who can use a deep one takes
    all above it. So it lays down only the card that must be used, until the hand may end before its
    next turn. It throws cards of its melds, which it can take back with all that has come to lie on
    them, but none that others can use. What a model had learned showed what to do, and duels over
    duplicate deals found the numbers; see docs/decisions/0039-bait.md.

    Weights are counted in melds: a card is worth 1 for each meld that it completes in the hand.

    Attributes:
        enough: The pile is taken for this many cards, in parts of those that were dealt and of the
            number of other players, who may take it first.
        hold_sizes: Melds are held back while every other player holds more cards than this.
        live: How much of a card of the hand one is worth that may still come.
        piled: The same for one that lies on the pile.
        bait: What it is worth to throw a card that is in a meld of the hand.
        danger: Melds to pay for the certainty that the next player melds the discard, in parts of
            the number of other players ...
        fitting: ... or that somebody lays it off, in full.
        deep: The same, for each point on the pile, for the certainty that the next player melds it
            with cards of the pile, and so takes more than the discard.
    """

    enough: float = 1 / 3
    hold_sizes: float = 3
    live: float = 0.4
    piled: float = 3.0
    bait: float = 2.0
    danger: float = 20.0
    fitting: float = 3.5
    deep: float = 1.5

    NEEDED: ClassVar = {"draw_stock", "take_pile", *PLAYS, "discard"}

    def __post_init__(self) -> None:
        check_numbers(vars(self))

    @classmethod
    def plays(cls, rules: Rules) -> bool:
        """Return True if cards of the pile can be taken to be laid on the table."""
        known = rules.sight.stock_counted and "must_use" in rules.seen_fields
        return super().plays(rules) and TableGreed.plays(rules) and known

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        """Choose an action in each of N games; see `rummy_env.baselines.heuristics.Policy`."""
        return in_turn(_facts(view.rules), view, mask, self._draw, self._play)

    def explain(self, view: SeatView, mask: Bools, rng: GameRandom) -> Explanation:
        """Return what it weighs, in melds; see `rummy_env.baselines.explanation`."""
        facts = _facts(view.rules)
        if not mask[0, facts.discards].any():
            return Explanation()
        found = {"worth": self._worth(facts, view), "danger": self._danger(facts, view)}
        weights = {
            name: weighed(mask[0], facts.discards, each[:, 0].astype(np.float64))
            for name, each in found.items()
        }
        return Explanation(weights=weights)

    def _draw(self, facts: "_Facts", view: SeatView, mask: Bools) -> Rows:
        """Take the deepest card that can be used, for enough cards; one alone, to lay it down."""
        items, size = np.arange(len(view)), count_all(view.piled).astype(np.intp)
        cards = np.minimum(view.pile, NUM_REGULAR - 1).astype(np.intp)
        legal = np.take_along_axis(mask[:, facts.takes], cards, axis=1)
        legal &= np.arange(cards.shape[1]) < size[:, None]
        deepest = legal.argmax(axis=1)
        card, taken = cards[items, deepest], size - deepest
        fits = planes(facts.melding.fits(view.grouped, view.sequenced))
        usable = (self._made(facts, view) + fits)[card, items] >= 1
        enough = int(self.enough * view.rules.hand_size / (view.rules.num_players - 1))
        worthwhile = (taken >= enough) | ~self._calm(view)
        wanted = worthwhile & (usable | (taken > 1)) | ~mask[:, facts.stock]
        take = legal.any(axis=1) & wanted
        return np.where(take, facts.takes.start + card, facts.stock)

    def _play(self, facts: "_Facts", view: SeatView, mask: Bools) -> Rows:
        """Lay down what is not held back; then discard."""
        weights = self._worth(facts, view) + self._danger(facts, view)
        weights[~mask[:, facts.discards].T] = np.inf
        actions = weights.argmin(axis=0) + facts.discards.start
        items = np.flatnonzero(mask[:, facts.plays].any(axis=1))
        if items.size:
            some, plays = view.take(items), mask[items, facts.plays] & facts.are_plays
            hold = self._calm(some) & (left_over(some, facts.melding) > 1)
            plays = np.where(hold[:, None], self._due(facts, some, plays), plays)
            # While melds are held, the cheapest will do; then the dearest are laid down first.
            points = np.where(hold[:, None], -facts.points_of_plays, facts.points_of_plays)
            chosen = np.where(plays, points, -np.inf).argmax(axis=1) + facts.plays.start
            playing = plays.any(axis=1)
            actions[items[playing]] = chosen[playing]
        return actions

    def _due(self, facts: "_Facts", view: SeatView, plays: Bools) -> Bools:
        """Return bool[N, plays], those of some plays that lay down the card that must be used.

        That card may have to follow another one onto the table: then any play will do.
        """
        must = view.must_use[:, None]
        uses = plays & (facts.cards_of_plays[:, None] == must).any(axis=0)
        due: Bools = np.where(uses.any(axis=1)[:, None], uses, plays) & (must != NO_CARD)
        return due

    def _calm(self, view: SeatView) -> Bools:
        """Return bool[N], True while the viewer's next turn will probably come."""
        turns = view.stock_left > view.rules.num_players
        return turns & (fewest_of_others(view) > self.hold_sizes)

    def _made(self, facts: "_Facts", view: SeatView) -> Float32s:
        """Return float32[52, N], the melds of three that each card makes with the hand."""
        return meld_chances(planes(view.hand[:, 0]), ace_high=facts.melding.ace_high)

    def _worth(self, facts: "_Facts", view: SeatView) -> Float32s:
        """Return float32[52, N], the melds that each card may make, less what it is as bait."""
        likely = planes(view.hand[:, 0])
        likely += planes(view.unseen[:, 0]) * np.float32(self.live)
        likely += planes(view.piled[:, 0]) * np.float32(self.piled)
        worth = meld_chances(likely, ace_high=facts.melding.ace_high)
        bait = self._calm(view).astype(np.float32) * np.float32(self.bait)
        return rounded(worth - np.minimum(self._made(facts, view), 1) * bait)

    def _danger(self, facts: "_Facts", view: SeatView) -> Float32s:
        """Return float32[52, N], what each card is to the others, once it lies on the pile."""
        high = facts.melding.ace_high
        held, piled = even_chances(view), planes(view.piled[:, 0])
        alone = meld_chances(held, ace_high=high)
        deeper = meld_chances(np.minimum(held + piled, np.float32(1)), ace_high=high) - alone
        points = (piled * facts.points).sum(axis=0)
        fits = planes(facts.melding.fits(view.grouped, view.sequenced))
        danger = alone * np.float32(self.danger / (view.rules.num_players - 1))
        danger += fits * np.float32(self.fitting)
        danger += np.maximum(deeper, 0) * points * np.float32(self.deep)
        return rounded(danger)


class _Facts(Plays):
    """The actions and the cost of cards of some rules."""

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules)
        self.takes = block(action_space(rules), "take_pile")


_facts = lru_cache(maxsize=64)(_Facts)
