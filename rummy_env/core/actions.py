"""The actions of a game: numbered, described, and as masks.

Every move of the rules owns a block of consecutive actions. A game's legal actions are bits, packed
into as few words as the actions need.
"""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from rummy_env.core.bits import BIT, ZERO, Bools, Packer, Rows, Words, draw_bit, pack_rows
from rummy_env.core.part import Action, Move
from rummy_env.core.rules import Rules, leads
from rummy_env.core.state import State
from rummy_env.core.turn import Turn

_WORD_SHIFT, _IN_WORD = 6, 63
"""An action's word is its number shifted by six; its place there, the lowest six bits."""


class ActionSpace:
    """The numbering of all actions of some rules.

    Attributes:
        actions: Every action, by number.
        moves: The moves, in the order of their blocks.
        move_of: int8[A], the move that an action belongs to.
        choice_of: intp[A], which action of its move it is.
        leads: int8[phases, moves], as `rules.leads` gives it.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.moves: tuple[Move, ...] = tuple(rules.moves())
        blocks = [move.actions(rules.pack) for move in self.moves]
        sizes = [len(block) for block in blocks]
        self.actions: tuple[Action, ...] = tuple(action for block in blocks for action in block)
        self.move_of = np.repeat(np.arange(len(blocks), dtype=np.int8), sizes)
        self.choice_of: Rows = np.concatenate([np.arange(size) for size in sizes])
        self.leads = leads(rules.turn, self.moves)
        widths = [move.widths(rules.pack) for move in self.moves]
        self._packer = Packer([width for some in widths for width in some])
        first = np.cumsum([0, *map(len, widths)])
        self._fields = [range(first[i], first[i + 1]) for i in range(len(self.moves))]
        self._number = {action: i for i, action in enumerate(self.actions)}
        self._of_phase = [
            [i for i in range(len(self.moves)) if self.leads[phase, i] != -3]
            for phase in range(len(rules.turn))
        ]

    def __len__(self) -> int:
        return len(self.actions)

    def __reduce__(self) -> tuple[Callable[[Rules], "ActionSpace"], tuple[Rules]]:
        return action_space, (self.rules,)

    def __deepcopy__(self, memo: dict[int, object]) -> "ActionSpace":
        return self

    @property
    def num_words(self) -> int:
        """Words that one game's legal actions fill."""
        return self._packer.num_words

    def index(self, kind: str, *cards: str) -> int:
        """The number of an action.

        Raises:
            ValueError: If there is no such action.
        """
        action = Action(kind, cards)
        if action not in self._number:
            kinds = sorted({known.kind for known in self.actions})
            raise ValueError(f"there is no action '{action}'; the kinds are {', '.join(kinds)}")
        return self._number[action]

    def legal(self, state: State, rows: Rows) -> Words:
        """The legal actions of games that are not finished.

        Returns:
            uint64[num_words, R].
        """
        out = np.zeros((self.num_words, len(rows)), np.uint64)
        phases = state.phase.take(rows)
        present = np.bincount(phases).nonzero()[0].tolist()
        if len(present) == 1:
            self._put_legal(out, self._of_phase[present[0]], Turn(state, rows))
            return out
        for phase in present:
            items = (phases == phase).nonzero()[0]
            part = np.zeros((self.num_words, items.size), np.uint64)
            self._put_legal(part, self._of_phase[phase], Turn(state, rows.take(items)))
            out[:, items] = part
        return out

    def _put_legal(self, out: Words, moves: list[int], turn: Turn) -> None:
        for move in moves:
            words = self.moves[move].legal(turn)
            for field, found in zip(self._fields[move], words, strict=True):
                self._packer.put(out, field, found)

    def mask(self, words: Words) -> Bools:
        """Packed legal actions as a mask.

        Args:
            words: uint64[R, num_words].

        Returns:
            bool[R, A].
        """
        return self._packer.unpack(words).view(np.bool_)

    def contains(self, words: Words, rows: Rows, actions: Rows) -> Bools:
        """Whether actions are legal.

        Args:
            words: uint64[B, num_words], the packed legal actions of all games.
            rows: intp[R], which games.
            actions: intp[R], an action of each; those outside of 0 to A - 1 give any answer.

        Returns:
            bool[R].
        """
        at = rows * self.num_words + (actions >> _WORD_SHIFT)
        found = words.reshape(-1).take(at, mode="clip") & BIT.take(actions & _IN_WORD)
        return found != ZERO


@lru_cache(maxsize=256)
def action_space(rules: Rules) -> ActionSpace:
    """The action space of the rules; equal rules share one."""
    return ActionSpace(rules)


def choose(mask: Bools, draws: npt.NDArray[np.float64]) -> Rows:
    """A uniformly random legal action in each game.

    Args:
        mask: bool[N, A]; a game without a legal action gets action 0.
        draws: float64[N] in [0, 1).

    Returns:
        intp[N].
    """
    return draw_bit(pack_rows(mask), draws)


def as_actions(actions: npt.ArrayLike, count: int) -> Rows:
    """Actions as users give them, intp[count].

    Raises:
        TypeError: If they are not whole numbers.
        ValueError: If they are not as many as the games.
    """
    chosen = np.asarray(actions)
    if chosen.dtype.kind not in "ui":
        raise TypeError(f"actions of dtype {chosen.dtype}: give whole numbers, such as int64")
    if chosen.shape != (count,):
        raise ValueError(f"actions of shape {chosen.shape}: give one per game, ({count},)")
    return chosen.astype(np.intp, copy=False)
