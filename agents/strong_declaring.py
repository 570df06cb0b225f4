"""A strong heuristic where a finished hand is declared."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from agents.card_worth import meld_chances, planes
from rummy_env.core.bits import BIT, Bools, Rows
from rummy_env.core.cards import NO_CARD, NUM_REGULAR, REGULAR
from rummy_env.core.declaring import GROUP, RUMMY, SEQUENCE, WILD
from rummy_env.core.near_hands import Hands, card_flags
from rummy_env.core.nearness import FAR
from rummy_env.core.rules import Rules
from rummy_env.core.shuffle import GameRandom
from rummy_env.core.suit_tables import Counts
from rummy_env.core.visibility import SeatView
from rummy_env.greed.declared_moves import declared_moves

Floats = npt.NDArray[np.float64]

DRAWN = (GROUP, SEQUENCE, RUMMY)
"""Special cards whose draw may bring a hand nearer; WILDCARD always does."""
NEVER = 1e6
"""Turns that are more than any hand takes."""


@dataclass(frozen=True)
class StrongDeclaring:
    """Counts the live cards that bring a hand nearer, and weighs what a discard gives away.

    A hand is worth the turns that it will take: one over the chance to draw a card that saves a
    draw, and a guess for the draws after that.

    Attributes:
        later: Turns that the last draw takes, the last but one, and so on.
        danger: Turns to pay for the certainty that the next player melds the discard.
        reluctance: Turns that the discard pile must save more than the stock does.
    """

    later: tuple[float, ...] = (5.0, 2.5, 1.7, 1.3, 1.0)
    danger: float = 2.0
    reluctance: float = 0.0

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        """Chooses an action in each of N games; see `rummy_env.opponents.Policy`."""
        table = _table(view.rules)
        actions = table.moves.win(mask)
        drawing = table.moves.drawing(mask)
        for some, decide in ((drawing, self._draw), (~drawing, self._play)):
            items = np.flatnonzero(some & (actions < 0))
            if items.size:
                actions[items] = decide(table, view.take(items), mask[items])
        return actions

    def _draw(self, table: "_Table", view: SeatView, mask: Bools) -> Rows:
        """From the discard pile what saves more turns than the stock does on average."""
        moves = table.moves
        hands, live = moves.hands(view), _Live(table, view)
        takes, richer = table.best_take(view, hands)
        turns = self._least_turns(table, richer, live)
        wait = self._turns(table, hands, live, np.arange(len(view))) - 1
        better = (turns < wait - self.reluctance) & ~hands.cards.cant_go_out
        better = table.mind_the_end(view, hands, better, near=turns <= 0) | (view.top == table.rummy)
        better &= mask[np.arange(len(mask)), takes]
        return np.where(better | ~mask[:, moves.stock], takes, moves.stock)

    def _play(self, table: "_Table", view: SeatView, mask: Bools) -> Rows:
        """The discard with the fewest turns to come, of the player and, as a danger, of the next."""
        moves = table.moves
        hands, live = moves.hands(view), _Live(table, view)
        costs = self._costs(table, hands, live, mask[:, moves.discards])
        costs[:, :NUM_REGULAR] += self._danger(view)
        actions = moves.discards.start + costs.argmin(axis=1)
        if moves.extra is not None:
            items = np.flatnonzero(mask[:, moves.extra])
            helps = moves.extra_helps(hands.take(items), view.top[items])
            actions[items[helps]] = moves.extra
        return actions

    def _least_turns(self, table: "_Table", hands: Hands, live: "_Live") -> Floats:
        """float64[N], the turns that hands take after the best discard, or none if finished."""
        legal = np.ones((len(hands), table.num_discards), np.bool_)
        turns = self._costs(table, hands, live, legal).min(axis=1)
        return np.where(table.moves.distance(hands) == 0, 0.0, turns)

    def _costs(self, table: "_Table", hands: Hands, live: "_Live", legal: Bools) -> Floats:
        """float64[N, discards], the turns that hands take after the nearest discards."""
        near = table.moves.after_discards(hands)
        near[:, NUM_REGULAR:] += table.kept
        near[~legal] = np.iinfo(np.int8).max
        blocked = hands.cards.cant_go_out
        tried = (near == near.min(axis=1, keepdims=True)) | (blocked[:, None] & (near < FAR))
        row, choice = np.nonzero(tried)
        turns = self._turns(table, table.without(hands.take(row), choice), live, row)
        costs = np.full(near.shape, NEVER)
        costs[row, choice] = np.where(blocked[row], 0.0, turns)
        return costs

    def _turns(self, table: "_Table", hands: Hands, live: "_Live", row: Rows) -> Floats:
        """float64[M], the turns that hands take from the next draw on.

        Args:
            table: What the rules fix.
            hands: The hands.
            live: The cards that may come.
            row: intp[M], in which game each hand is held.
        """
        moves = table.moves
        short = moves.distance(hands.with_blank())
        outs = ((moves.after_draws(hands) < short[:, None]) * live.regular[row]).sum(axis=1)
        outs = outs + live.wild[row]
        for kind, count in live.special.items():
            code = np.full(len(hands), moves.rules.pack.code(kind), np.uint8)
            some = np.flatnonzero(count[row])
            nearer = moves.distance(hands.take(some).plus(moves.rules.pack, code[some])) < short[some]
            outs[some] += nearer * count[row[some]]
        later = np.array([0.0, *accumulate(self.later)])
        rest = later[np.minimum(short - 1, len(self.later))]
        turns = live.total[row] / np.maximum(outs, 0.5) + rest
        return np.where(short < FAR, turns, NEVER / 2)

    def _danger(self, view: SeatView) -> Floats:
        """float64[N, 52], turns that giving each card to the next player costs."""
        unseen = np.bitwise_or.reduce(view.unseen, axis=1) & REGULAR
        known = np.bitwise_or.reduce(view.known[:, 1], axis=1) & REGULAR
        hidden = view.hand_sizes[:, 1] - np.bitwise_count(known)
        share = (hidden / np.maximum(np.bitwise_count(unseen), 1)).astype(np.float32)
        likely = np.minimum(planes(unseen) * share + planes(known), np.float32(1))
        use = meld_chances(likely, ace_high=True)
        return np.rint(use.T * np.float32(1024)).astype(np.float64) * (self.danger / 1024)


class _Live:
    """The cards that may come: those that the viewer has not seen.

    Attributes:
        regular: int8[N, 52], how many of each are unseen.
        wild: int8[N].
        special: The same for the other special cards whose draw may help.
        total: int64[N], all unseen cards.
    """

    def __init__(self, table: "_Table", view: SeatView) -> None:
        unseen = Hands.of(table.moves.declaration, view.unseen).cards
        self.regular: Counts = sum(card_flags(deck).astype(np.int8) for deck in unseen.naturals)
        self.wild = unseen.wild.astype(np.int64)
        self.special = {
            kind: getattr(unseen, kind.lower()).astype(np.int64)
            for kind in DRAWN
            if kind in view.rules.pack.specials
        }
        self.total = np.bitwise_count(view.unseen).sum(axis=1, dtype=np.int64)


class _Table:
    """What the rules fix."""

    def __init__(self, rules: Rules) -> None:
        self.moves = declared_moves(rules)
        self.num_discards = self.moves.discards.stop - self.moves.discards.start
        specials = self.moves.specials
        self.kept = np.array([2 * (kind in (WILD, RUMMY)) + (kind == RUMMY) for kind in specials], np.int8)
        self.rummy = rules.pack.code(RUMMY) if RUMMY in specials else -1
        self.ends = rules.restocking.ends_hand_at >= 0

    def without(self, hands: Hands, choice: Rows) -> Hands:
        """Hands after a discard of each."""
        bits = np.where(choice < NUM_REGULAR, BIT.take(np.minimum(choice, NUM_REGULAR)), 0)
        left = hands.minus(bits.astype(np.uint64))
        for number, kind in enumerate(self.moves.specials):
            left = left.without(kind, choice == NUM_REGULAR + number)
        return left

    def best_take(self, view: SeatView, hands: Hands) -> tuple[Rows, Hands]:
        """The draw from the discard pile that leaves a hand nearest, and that hand."""
        moves, pack = self.moves, view.rules.pack
        takes = moves.take.take(view.top)
        first, _ = moves.within_reach(view)
        richer = best = hands.plus(pack, first[0])
        least = moves.distance(best)
        return takes, best

    def mind_the_end(self, view: SeatView, hands: Hands, better: Bools, near: Bools) -> Bools:
        """Where the stock runs out: holders of a RUMMY card draw it down, others rather do not."""
        if not self.ends:
            return better
        late = view.stock_estimate <= 1
        holds = hands.cards.rummy > 0
        return np.where(late & holds, near, better)


_table = lru_cache(maxsize=64)(_Table)
