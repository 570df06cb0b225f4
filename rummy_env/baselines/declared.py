"""Variants with declared hands: their moves, the MinDist after each, and the greedy baseline."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, NamedTuple

import numpy as np

from rummy_env.baselines.kinds import Knowing, block
from rummy_env.core.actions import action_space, choose
from rummy_env.core.arrays import Bools, Int8s, Ints, Rows, UInt8s, Words
from rummy_env.core.bits import pack_rows
from rummy_env.core.cards import NO_CARD, NUM_REGULAR, card_flags
from rummy_env.core.rules import Rules
from rummy_env.core.shuffle import GameRandom
from rummy_env.core.visibility import SeatView
from rummy_env.melds import declaration_of
from rummy_env.melds.declaration import GROUP, RUMMY, SEQUENCE, WILD
from rummy_env.melds.hands import Hands
from rummy_env.melds.min_dist import LARGEST_HAND, UNREACHABLE, DistancesAfter, MinDist, min_dist
from rummy_env.melds.min_dist.useful import Useful
from rummy_env.melds.patterns import in_melds

Decide = Callable[[SeatView, Bools, GameRandom], Rows]

KEPT = {WILD: 2, RUMMY: 3}
"""How much farther than any other hand one is that discards these, so that they go last of all."""
_NEVER = 2 * UNREACHABLE + 4

WINS = ("lay_down_rummy", "go_out", "four_sevens")
"""Moves that win at once, best first: both RUMMY cards win alone."""


_FROM_PILE = "draw_discard", "take_pile"


class DeclaredFamily(Knowing):
    """A heuristic for rules in which hands are declared."""

    NEEDED: ClassVar = {"draw_stock", "go_out", "discard"}
    BESIDES: ClassVar = {"lay_down_rummy", "four_sevens", *_FROM_PILE, "extra_draw"}

    @classmethod
    def plays(cls, rules: Rules) -> bool:
        """Return True if the rules have the actions it needs, a draw from the pile among them."""
        return super().plays(rules) and not action_space(rules).kinds.isdisjoint(_FROM_PILE)


@dataclass(frozen=True)
class Taking:
    """A draw from the discard pile."""

    actions: Rows  # intp[N]
    hands: Hands  # the hands after it
    possible: Bools  # bool[N], False without a pile


class Discarding(NamedTuple):
    """What the discards of hands leave."""

    distance: Int8s
    """int8[N, discards], the MinDist; `UNREACHABLE` where a card is not held, and for WILD and
    RUMMY."""
    rows: Rows
    """intp[K], the hands of at most `LARGEST_HAND` cards."""
    near: DistancesAfter | None
    """Their regular discards; None if there are no such hands."""

    @property
    def finished(self) -> Bools:
        """bool[N], True for hands that are finished before they discard."""
        found = np.zeros(len(self.distance), np.bool_)
        if self.near is not None:
            found[self.rows] = self.near.best == 0
        return found

    def outs(self, live: Hands, tried: Bools) -> Ints:
        """Return int64[N, 52], the live cards that save a draw after some discards, bool[N, 52]."""
        found = np.zeros(tried.shape, np.int64)
        if self.near is not None:
            cards = pack_rows(tried[self.rows])[:, 0] & self.near.held
            found[self.rows] = self.near.outs(live.take(self.rows), cards)
        return found


class DeclaredMoves:
    """Actions and distances, worked out once for some rules.

    Discards are regular cards by their bits, then the special cards that can be discarded.
    """

    def __init__(self, rules: Rules) -> None:
        space = action_space(rules)
        kinds = space.kinds
        self.rules = rules
        self.declaration = declaration_of(rules)
        self.wins = [space.index(kind) for kind in WINS if kind in kinds]
        self.stock = space.index("draw_stock")
        self.open_pile = "take_pile" in kinds
        self.from_pile = block(space, "take_pile" if self.open_pile else "draw_discard")
        self.extra = space.index("extra_draw") if "extra_draw" in kinds else None
        self.discards = block(space, "discard")
        faces = [action.cards[0] for action in space.actions[self.discards]]
        self.num_discards = len(faces)
        self.specials = faces[NUM_REGULAR:]
        self.take: Rows = np.full(NO_CARD + 1, self.from_pile.start)
        """intp[256], the draw from the pile that takes a card and those above it."""
        if self.open_pile:
            self.take[[rules.pack.code(face) for face in faces]] += np.arange(len(faces))

    def act(
        self, view: SeatView, mask: Bools, rng: GameRandom, draw: Decide, discard: Decide
    ) -> Rows:
        """intp[N]: wins at once, takes an extra draw that saves one, or decides as it is told.

        A heuristic decides by two functions: what to `draw`, and what to `discard`.
        """
        actions = np.full(len(view), -1, np.intp)
        for win in reversed(self.wins):
            actions[mask[:, win]] = win
        drawing, undecided = self.drawing(mask), actions < 0
        for some, decide in ((drawing, draw), (~drawing, discard)):
            items = np.flatnonzero(some & undecided)
            if items.size:
                actions[items] = decide(view.take(items), mask[items], rng.take(items))
        if self.extra is not None:
            items = np.flatnonzero(mask[:, self.extra] & ~drawing & undecided)
            if items.size:
                some_view = view.take(items)
                helps = self._extra_helps(self.hands(some_view), some_view.top)
                actions[items[helps]] = self.extra
        return actions

    def near(self, hands: Hands, drawn: int = 0) -> MinDist:
        """Return the tables for hands of at most `LARGEST_HAND` cards after `drawn` more draws."""
        usual = self.rules.hand_size + 1  # the most, unless several cards can be taken in a turn
        small = int(hands.size.max(initial=0)) + drawn <= usual
        return min_dist(self.declaration, usual if small else LARGEST_HAND)

    def drawing(self, mask: Bools) -> Bools:
        """Return bool[N], True where a turn begins, with a card to be drawn."""
        return mask[:, self.stock] | mask[:, self.from_pile].any(axis=1)

    def hands(self, view: SeatView) -> Hands:
        """Return the viewers' hands."""
        return self.declaration.hands(view.hand)

    def distance(self, hands: Hands) -> Int8s:
        """int8[N], the MinDist; `UNREACHABLE` for hands of more than `LARGEST_HAND` cards."""
        found = np.full(len(hands), UNREACHABLE, np.int8)
        for some, small in _where(hands.size <= LARGEST_HAND, hands):
            found[some] = self.near(small).distance(small)
        return found

    def weigh(self, hands: Hands) -> Discarding:
        """Return what every discard leaves.

        In hands of more than `LARGEST_HAND` cards, regular cards in no natural meld count as one
        nearer than the others.
        """
        found = np.full((len(hands), self.num_discards), UNREACHABLE, np.int8)
        is_small, near = hands.size <= LARGEST_HAND, None
        for rows, small in _where(is_small, hands):
            near = self.near(small).discards(small)
            found[rows, :NUM_REGULAR] = near.distance()
            self._put_specials(found, rows, small)
        for rows, large in _where(~is_small, hands):
            cards = np.bitwise_or.reduce(large.naturals, axis=0)
            stray = cards & ~in_melds(cards, ace_high=True)
            found[rows, :NUM_REGULAR] = UNREACHABLE - card_flags(stray).astype(np.int8)
        return Discarding(found, np.flatnonzero(is_small), near)

    def draws(self, hands: Hands, live: Hands) -> tuple[Int8s, Ints]:
        """int8[N], the MinDist of hands that are to draw, and int64[N], the live cards that help.

        For hands that would get too large these are `UNREACHABLE` and 0.
        """
        short, outs = np.full(len(hands), UNREACHABLE, np.int8), np.zeros(len(hands), np.int64)
        for rows, found, useful in self._helped(hands):
            short[rows], outs[rows] = found, useful.count(live.take(rows))
        return short, outs

    def helped(self, hands: Hands) -> tuple[Int8s, Words]:
        """int8[N], the MinDist of hands that are to draw, and uint64[N], regular cards that help.

        For hands that would get too large these are `UNREACHABLE` and none.
        """
        short, cards = np.full(len(hands), UNREACHABLE, np.int8), np.zeros(len(hands), np.uint64)
        for rows, found, useful in self._helped(hands):
            short[rows], cards[rows] = found, useful.cards
        return short, cards

    def _helped(self, hands: Hands) -> Iterator[tuple[Rows, Int8s, Useful]]:
        """Yield the rows of hands that can draw a card, their MinDist, and the cards that help."""
        for rows, small in _where(hands.size < LARGEST_HAND, hands):
            yield rows, *self.near(small, drawn=1).draws(small)

    def without_specials(self, hands: Hands, some: Bools) -> tuple[Hands, Rows, Rows]:
        """Hands after the discard of special cards, bool[N, specials], and intp[M], which they are.

        Returns:
            The hands, the row of each, and its discard.
        """
        rows = [np.flatnonzero(held) for held in some.T]
        kinds = zip(self.specials, rows, strict=True)
        left = [hands.take(row).without(kind) for kind, row in kinds]
        number = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
        return Hands.join(left), np.concatenate(rows), NUM_REGULAR + number

    def _put_specials(self, found: Int8s, rows: Rows, hands: Hands) -> None:
        """Fill in the discards of GROUP and SEQUENCE."""
        held = np.zeros((len(hands), len(self.specials)), np.bool_)
        for number, kind in enumerate(self.specials):
            if kind in (GROUP, SEQUENCE):
                held[:, number] = getattr(hands, kind.lower())
        if held.any():
            left, row, column = self.without_specials(hands, held)
            found[rows[row], column] = self.near(hands).distance(left.with_blank())

    def _extra_helps(self, hands: Hands, top: UInt8s) -> Bools:
        """Return bool[N], True where the top discard and an unknown card save at least one draw."""
        more = hands.plus(self.rules.pack, top).with_blank()
        return self.distance(more) < self.distance(hands)

    def best_taking(self, view: SeatView, hands: Hands) -> Taking:
        """Return the draw from the pile that leaves the least MinDist; of several the topmost."""
        richer, distances = [], []
        codes, there = self._within_reach(view)
        for code, may in zip(codes, there, strict=True):
            hands = hands.plus(self.rules.pack, code)
            if len(codes) == 1:
                return Taking(self.take.take(code), hands, may)
            richer.append(hands)
            distances.append(np.where(may, self.distance(hands), np.int16(UNREACHABLE + 1)))
        depth, rows = np.argmin(distances, axis=0), np.arange(len(view))
        actions = self.take.take(codes[depth, rows])
        taken = Hands.join(richer).take(depth * len(view) + rows)
        return Taking(actions, taken, there[depth, rows])

    def _within_reach(self, view: SeatView) -> tuple[UInt8s, Bools]:
        """Return the cards of the discard pile from the top down, as far as they can be weighed.

        Returns:
            uint8[K, N], the cards, `NO_CARD` below the last; bool[K, N], True for cards that can be
            taken: of equal ones the topmost alone.
        """
        if not self.open_pile:
            return view.top[None], view.top[None] != NO_CARD
        depth = np.arange(LARGEST_HAND - self.rules.hand_size)[:, None]
        places = (view.pile != NO_CARD).sum(axis=1) - 1 - depth
        codes = view.pile[np.arange(len(view)), np.maximum(places, 0)]
        codes[places < 0] = NO_CARD
        above = np.tril(np.ones((len(depth), len(depth)), np.bool_), -1)[:, :, None]
        again = ((codes[:, None] == codes) & above).any(axis=1)
        return codes, (codes != NO_CARD) & ~again


def _where(some: Bools, hands: Hands) -> Iterator[tuple[Rows, Hands]]:
    """Yield the rows that are True and their hands; nothing if there are none."""
    rows = np.flatnonzero(some)
    if rows.size:
        yield rows, hands if rows.size == len(hands) else hands.take(rows)


declared_moves = lru_cache(maxsize=64)(DeclaredMoves)


class DeclaredGreed(DeclaredFamily):
    """Wins when it can, and otherwise gets as near to a finished hand as this move allows.

    The measure is MinDist, the number of draws that a hand is short of finished
    (`melds/min_dist/`).
    """

    def __init__(self, rules: Rules) -> None:
        self._moves = moves = declared_moves(rules)
        self._extra_costs = np.array([KEPT.get(kind, 1) for kind in moves.specials], np.int16)

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        """Choose an action in each of N games: intp[N]."""
        return self._moves.act(view, mask, rng, self._draw, self._discard)

    def _draw(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        """Take a discard that saves at least one draw; else draw from the stock."""
        moves = self._moves
        hands = moves.hands(view)
        taking = moves.best_taking(view, hands)
        saves = moves.distance(taking.hands) < moves.distance(hands.with_blank())
        saves &= taking.possible
        return np.where(saves | ~mask[:, moves.stock], taking.actions, moves.stock)

    def _discard(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        """Discard for the least MinDist, of equal cards a regular one."""
        moves = self._moves
        costs = 2 * moves.weigh(moves.hands(view)).distance.astype(np.int16)
        costs[:, NUM_REGULAR:] += self._extra_costs
        costs[~mask[:, moves.discards]] = _NEVER
        best = costs == costs.min(axis=1, keepdims=True)
        return moves.discards.start + choose(best, rng.random())
