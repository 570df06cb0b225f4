"""The turns of gin: its actions, the deadwood after each choice, and a player's decisions."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import ClassVar

import numpy as np

from rummy_env.baselines.after_knock import AfterKnock
from rummy_env.baselines.kinds import Knowing, block
from rummy_env.core.actions import action_space, as_mask
from rummy_env.core.arrays import Bools, Int16s, Rows, Words
from rummy_env.core.bits import ZERO
from rummy_env.core.cards import NUM_RANKS, NUM_REGULAR
from rummy_env.core.rules import Rules
from rummy_env.core.shuffle import GameRandom
from rummy_env.core.state import CODE_BIT
from rummy_env.core.visibility import SeatView
from rummy_env.melds.discards import NOT_HELD, Discards
from rummy_env.parts.gin_points import GinPoints
from rummy_env.variants import in_short

_FROM_KING = np.tile(np.arange(NUM_RANKS, dtype=np.int16)[::-1], NUM_REGULAR // NUM_RANKS)
"""int16[52], the ranks from each card up to the king."""


class GinMoves:
    """The numbers of the actions of some rules; knocks and discards by the card discarded."""

    def __init__(self, rules: Rules) -> None:
        """Look them up; a ValueError if nobody knocks in these rules."""
        if not GinPlay.plays(rules):
            raise ValueError(
                f"{in_short(rules)}: nobody ends a hand by knocking there; give rules such as "
                f"those of gin"
            )
        space = action_space(rules)
        kinds = space.kinds
        self.take, self.stock = space.index("draw_discard"), space.index("draw_stock")
        self.refuse = space.index("pass")
        # In some rules one knocks with nothing left, and in some, melds are laid down one by one.
        self.gin = space.index("gin") if "gin" in kinds else None
        self.knocks, self.discards = block(space, "knock"), block(space, "discard")
        self.after_knock = AfterKnock(space) if "meld_group" in kinds else None

    def drawing(self, mask: Bools) -> Bools:
        """bool[N], True where a card is to be drawn, or the first upcard taken or refused."""
        return mask[:, self.take] | mask[:, self.stock]

    def ending(self, mask: Bools) -> Bools:
        """Return bool[N], True where the hand can be ended by knocking or going gin."""
        knocks: Bools = np.asarray(mask[:, self.knocks].any(axis=1))
        return knocks if self.gin is None else knocks | mask[:, self.gin]


gin_moves = lru_cache(maxsize=64)(GinMoves)


@dataclass(frozen=True)
class GinTurn:
    """Decisions of N turns, before a knock."""

    moves: GinMoves
    view: SeatView
    mask: Bools  # bool[N, A], the legal actions
    rng: GameRandom

    @cached_property
    def top(self) -> Words:
        """uint64[N], the top discard where it can be taken.

        That is before a draw, and at the wall, where one may knock with it.
        """
        drawn = self.mask[:, self.moves.discards].any(axis=1)
        return np.where(drawn, ZERO, CODE_BIT.take(self.view.top))

    @cached_property
    def cards(self) -> Words:
        """uint64[N], the hand and that card."""
        return self.view.hand[:, 0] | self.top

    def take(self, items: Rows) -> "GinTurn":
        """Return the turns of some games."""
        return GinTurn(self.moves, self.view.take(items), self.mask[items], self.rng.take(items))

    @cached_property
    def _discards(self) -> Discards:
        return Discards(self.cards)

    @property
    def after(self) -> Int16s:
        """int16[N, 52], the least deadwood after each discard; `NOT_HELD` elsewhere."""
        return self._discards.each

    def gain(self) -> Int16s:
        """int16[N], points by which the top discard can lower the deadwood of the hand, or 0."""
        hand_alone = self._discards.after(np.minimum(self.view.top, NUM_REGULAR - 1))
        return hand_alone - self._discards.least(np.zeros_like(self.cards))

    def ending(self) -> tuple[Rows, Int16s]:
        """Gin, or the knock that leaves least, intp[N], and the deadwood left, int16[N]."""
        moves = self.moves
        card = dearest_of_least(self.after, self.mask[:, moves.knocks])
        left = self.after[np.arange(len(card)), card]
        if moves.gin is None:
            return moves.knocks.start + card, left
        gin = self.mask[:, moves.gin]
        return np.where(gin, moves.gin, moves.knocks.start + card), np.where(gin, 0, left)


class GinPlay(Knowing, ABC):
    """A baseline for gin: decides on draws, discards and knocks.

    After a knock all play alike, the best.
    """

    NEEDED: ClassVar = {"draw_stock", "draw_discard", "pass", "discard", "knock"}
    BESIDES: ClassVar = {"gin", "meld_group", "meld_sequence", "lay_off_group", "lay_off_sequence"}

    @classmethod
    def plays(cls, rules: Rules) -> bool:
        """Return True if hands of one pack end by knocking."""
        knocked = isinstance(rules.scoring, GinPoints)
        return super().plays(rules) and knocked and rules.pack.is_single

    @abstractmethod
    def takes(self, turn: GinTurn) -> Bools:
        """Return bool[N], True to take the top discard; asked of turns that begin."""

    @abstractmethod
    def discards(self, turn: GinTurn, legal: Bools) -> Rows:
        """Return the card to discard after a draw, intp[N], a bit; `legal` is bool[N, 52]."""

    def knocks(self, turn: GinTurn, left: Int16s) -> Bools:
        """bool[N], True to end the hand with this deadwood, int16[N], where that is possible."""
        return np.ones(len(left), np.bool_)

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        """Choose an action in each of N games; see `rummy_env.baselines.heuristics.Policy`."""
        moves, mask = gin_moves(view.rules), as_mask(mask, len(view))
        turn = GinTurn(moves, view, mask, rng)
        drawing = moves.drawing(mask)
        discarding = mask[:, moves.discards].any(axis=1) | moves.ending(mask)
        actions = np.full(len(view), moves.refuse)
        for some, decide in (
            (drawing, self._draw),
            (discarding, self._discard),
            (~(drawing | discarding), self._show),
        ):
            items = np.flatnonzero(some)
            if items.size:
                actions[items] = decide(turn.take(items))
        return actions

    def _draw(self, turn: GinTurn) -> Rows:
        moves, mask = turn.moves, turn.mask
        other = np.where(mask[:, moves.stock], moves.stock, moves.refuse)
        return np.where(mask[:, moves.take] & self.takes(turn), moves.take, other)

    def _discard(self, turn: GinTurn) -> Rows:
        moves = turn.moves
        legal = turn.mask[:, moves.discards]
        discard = moves.discards.start + self.discards(turn, legal)
        actions = np.where(legal.any(axis=1), discard, moves.refuse)
        items = np.flatnonzero(moves.ending(turn.mask))
        if items.size:
            able = turn.take(items)
            ending, left = able.ending()
            actions[items] = np.where(self.knocks(able, left), ending, actions[items])
        return actions

    @staticmethod
    def _show(turn: GinTurn) -> Rows:
        after_knock = turn.moves.after_knock
        if after_knock is None:
            return np.full(len(turn.view), turn.moves.refuse)
        return after_knock.act(turn.view, turn.mask)


def dearest_of_least(after: Int16s, legal: Bools) -> Rows:
    """intp[N], of the legal cards that whose discard leaves least; of equal ones the highest.

    Both are by card: `after`, int16[N, 52], is the deadwood, and `legal` is bool[N, 52].
    """
    keys = np.where(legal, after, NOT_HELD) * np.int16(NUM_RANKS) + _FROM_KING
    return keys.argmin(axis=1)
