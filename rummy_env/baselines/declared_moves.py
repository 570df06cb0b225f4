"""The moves where a finished hand is declared, and how near to it each of them comes."""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from rummy_env.baselines.kinds import block, kinds_of
from rummy_env.core.actions import action_space
from rummy_env.core.bits import Bools, Rows
from rummy_env.core.cards import NO_CARD, NUM_REGULAR, card_flags, slots_of
from rummy_env.core.rules import Rules
from rummy_env.core.visibility import SeatView
from rummy_env.melds import declaration_of
from rummy_env.melds.declaration import GROUP, SEQUENCE
from rummy_env.melds.hands import Hands, join
from rummy_env.melds.min_dist import LARGEST_HAND, UNREACHABLE, MinDist, min_dist
from rummy_env.melds.patterns import in_melds
from rummy_env.melds.suit_tables import Counts

Codes = npt.NDArray[np.uint8]

WINS = ("lay_down_rummy", "go_out", "four_sevens")
"""Moves that win at once, best first: both RUMMY cards win alone."""


@dataclass(frozen=True)
class Taking:
    """A draw from the discard pile.

    Attributes:
        actions: intp[N].
        hands: The hands after it.
        distance: int16[N], their distance from finished; above `UNREACHABLE` without a pile.
    """

    actions: Rows
    hands: Hands
    distance: npt.NDArray[np.int16]


class DeclaredMoves:
    """Actions and distances, worked out once for some rules.

    Attributes:
        declaration: The finished hands.
        wins: Moves that win at once, best first.
        stock: The draw from the stock.
        from_pile: The draws from the discard pile, one or one for each card.
        extra: The extra draw, or None.
        discards: The discards: regular cards by their bits, then special ones.
        num_discards: Their number.
        specials: The special cards that can be discarded, by name.
        take: intp[256], the draw from the pile that takes a card and what lies above it.
    """

    def __init__(self, rules: Rules) -> None:
        space = action_space(rules)
        kinds = kinds_of(rules)
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
        if self.open_pile:
            self.take[[rules.pack.code(face) for face in faces]] += np.arange(len(faces))

    @cached_property
    def usual(self) -> int:
        """The most cards that a hand has, unless several can be taken in a turn."""
        return self.rules.hand_size + 1

    def near(self, hands: Hands, drawn: int = 0) -> MinDist:
        """The tables for hands of at most `LARGEST_HAND` cards, with so many to be drawn."""
        small = int(hands.size.max(initial=0)) + drawn <= self.usual
        return min_dist(self.declaration, self.usual if small else LARGEST_HAND)

    def win(self, mask: Bools) -> Rows:
        """intp[N], the best move that wins at once, or -1."""
        actions = np.full(len(mask), -1, np.intp)
        for win in reversed(self.wins):
            actions[mask[:, win]] = win
        return actions

    def drawing(self, mask: Bools) -> Bools:
        """bool[N], True where a turn begins, with a card to be drawn."""
        return mask[:, self.stock] | mask[:, self.from_pile].any(axis=1)

    def hands(self, view: SeatView) -> Hands:
        """The viewers' hands."""
        return self.declaration.hands(view.hand)

    def distance(self, hands: Hands) -> Counts:
        """int8[N], the distance; `UNREACHABLE` for hands of more than `LARGEST_HAND` cards."""
        found = np.full(len(hands), UNREACHABLE, np.int8)
        some = np.flatnonzero(hands.size <= LARGEST_HAND)
        if some.size:
            small = hands if some.size == len(hands) else hands.take(some)
            found[some] = self.near(small).distance(small)
        return found

    def after_discards(self, hands: Hands) -> Counts:
        """The distance of hands after every discard that they allow.

        Of a hand of more than `LARGEST_HAND` cards it is only said which regular cards are in no
        natural meld: these are one nearer than the others.

        Returns:
            int8[N, discards], `UNREACHABLE` where a card is not held, as after WILDCARD and RUMMY
            cards.
        """
        found = np.full((len(hands), self.num_discards), UNREACHABLE, np.int8)
        large = hands.size > LARGEST_HAND
        for some, put in ((~large, self._put_near), (large, self._put_strays)):
            rows = np.flatnonzero(some)
            if rows.size:
                put(found, rows, hands if rows.size == len(hands) else hands.take(rows))
        return found

    def after_draws(self, hands: Hands) -> Counts:
        """int8[N, 52], the distance after each regular card that may be drawn.

        `UNREACHABLE` where all cards that look like it are held, or the hand gets too large.
        """
        found = np.full((len(hands), NUM_REGULAR), UNREACHABLE, np.int8)
        some = np.flatnonzero(hands.size < LARGEST_HAND)
        if some.size:
            small = hands if some.size == len(hands) else hands.take(some)
            found[some] = self.near(small, drawn=1).after_draws(small)
        return found

    def _put_near(self, found: Counts, rows: Rows, hands: Hands) -> None:
        near = self.near(hands)
        slots = slots_of(np.bitwise_or.reduce(hands.naturals, axis=0))
        found[rows[:, None], slots] = near.after_discards(hands, slots)
        for kind in (GROUP, SEQUENCE):
            if kind in self.specials:
                held = np.flatnonzero(getattr(hands, kind.lower()))
                if held.size:
                    less = hands.take(held).without(kind, np.ones(len(held), np.bool_)).with_blank()
                    column = NUM_REGULAR + self.specials.index(kind)
                    found[rows[held], column] = near.distance(less)

    @staticmethod
    def _put_strays(found: Counts, rows: Rows, hands: Hands) -> None:
        cards = np.bitwise_or.reduce(hands.naturals, axis=0)
        stray = cards & ~in_melds(cards, ace_high=True)
        found[rows, :NUM_REGULAR] = UNREACHABLE - card_flags(stray).astype(np.int8)

    def extra_helps(self, hands: Hands, top: Codes) -> Bools:
        """bool[N], True where the top discard and an unknown card save at least one draw."""
        more = hands.plus(self.rules.pack, top).with_blank()
        return self.distance(more) < self.distance(hands)

    def best_taking(self, view: SeatView, hands: Hands) -> "Taking":
        """Of the cards of the discard pile the one that leaves the nearest hand; the topmost."""
        richer, distances = [], []
        codes, there = self._within_reach(view)
        for code, may in zip(codes, there, strict=True):
            hands = hands.plus(self.rules.pack, code)
            richer.append(hands)
            distances.append(np.where(may, self.distance(hands), np.int16(UNREACHABLE + 1)))
        depth, rows = np.argmin(distances, axis=0), np.arange(len(view))
        actions = self.take.take(codes[depth, rows])
        taken = join(richer).take(depth * len(view) + rows)
        return Taking(actions, taken, np.array(distances)[depth, rows])

    def _within_reach(self, view: SeatView) -> tuple[Codes, Bools]:
        """The cards of the discard pile from the top down, as far as they can be weighed.

        Returns:
            uint8[K, N], the cards, `NO_CARD` below the last; bool[K, N], whether a card can be the
            one that is taken: of equal cards it is the topmost.
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


declared_moves = lru_cache(maxsize=64)(DeclaredMoves)
