"""The actions of a game: their numbers, descriptions and masks.

Every move of the rules owns a block of consecutive actions. A game's legal actions are bits, packed
into as few words as the actions need.
"""

from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from rummy_env.core.arrays import Bools, Float64s, Rows, Words
from rummy_env.core.bits import BIT, ZERO, Packer, pack_rows
from rummy_env.core.checks import are_whole, as_array, shown
from rummy_env.core.movers import Movers
from rummy_env.core.one_or_many import present
from rummy_env.core.own import actions_and_widths, check_answer, is_own
from rummy_env.core.part import Action, Move
from rummy_env.core.rules import NO_MOVE, Rules, check_rules, transitions
from rummy_env.core.sampling import sample_bit
from rummy_env.core.state import State

_WORD_SHIFT, _IN_WORD = 6, 63
"""An action's word is its number shifted right by six; its bit there, the lowest six bits."""


class ActionSpace:
    """The numbering of all actions of some rules.

    Attributes:
        actions: Every action, by number.
        moves: The moves, in the order of their blocks.
        move_of: int8[A], the move that an action belongs to.
        choice_of: intp[A], which action of its move it is.
        transitions: int8[phases, moves], as `rules.transitions` returns it.
    """

    def __init__(self, rules: Rules) -> None:
        check_rules(rules)
        self.rules = rules
        self.moves: tuple[Move, ...] = tuple(rules.moves())
        found = [actions_and_widths(move, rules.pack) for move in self.moves]
        blocks, widths = [actions for actions, _ in found], [words for _, words in found]
        sizes = [*map(len, blocks)]
        self.actions: tuple[Action, ...] = tuple(chain.from_iterable(blocks))
        self.move_of = np.repeat(np.arange(len(blocks), dtype=np.int8), sizes)
        self.choice_of: Rows = np.concatenate([np.arange(size) for size in sizes])
        self.transitions = transitions(rules.turn, self.moves)
        self._packer = Packer([*chain.from_iterable(widths)])
        self._widths = widths
        self._own = [*map(is_own, self.moves)]
        first = np.cumsum([0, *map(len, widths)])
        self._fields = [range(first[i], first[i + 1]) for i in range(len(self.moves))]
        self._by_words = {words: i for i, words in enumerate(self.texts)}
        if len(self._by_words) < len(self.actions):
            words = max(self.texts, key=self.texts.count)
            raise ValueError(
                f"turn: several moves have the action {words!r}; give them other kinds"
            )
        self._of_phase = [np.flatnonzero(row != NO_MOVE).tolist() for row in self.transitions]

    def __len__(self) -> int:
        return len(self.actions)

    def __reduce__(self) -> tuple[Callable[[Rules], "ActionSpace"], tuple[Rules]]:
        return action_space, (self.rules,)

    def __deepcopy__(self, memo: dict[int, object]) -> "ActionSpace":
        return self

    @cached_property
    def texts(self) -> list[str]:
        """Every action in words, by number."""
        return [str(action) for action in self.actions]

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The kinds of all actions."""
        return frozenset(action.kind for action in self.actions)

    @property
    def num_words(self) -> int:
        """Words that one game's legal actions fill."""
        return self._packer.num_words

    def index(self, kind: str, *cards: str) -> int:
        """Return the number of an action, by kind and cards or by its words alone.

        Raises:
            ValueError: If there is no such action.
            TypeError: If a word is no text.
        """
        for words in (kind, *cards):
            if not isinstance(words, str):
                raise TypeError(f"action {shown(words)}: give text, as in index('discard', '7h')")
        action = str(Action(kind, cards))
        if action not in self._by_words:
            remedy = f"the kinds are {', '.join(sorted(self.kinds))}"
            given = action.replace(" ", "_")
            named = [each for each in self.kinds if f"{given}_".startswith(f"{each}_")]
            if named:
                like = next(each for each in self.actions if each.kind in named)
                remedy = (
                    f"that kind is written as in '{like}': T for 10, and a group's suits as in cdhs"
                )
            raise ValueError(f"there is no action '{action}'; {remedy}")
        return self._by_words[action]

    def numbers(self, *kinds: str) -> Rows:
        """Return intp[K], the numbers of all actions of some kinds, lowest first."""
        return np.array([i for i, a in enumerate(self.actions) if a.kind in kinds], np.intp)

    def legal(self, state: State, rows: Rows) -> Iterator[tuple[Rows, Words]]:
        """Yield the legal-action words of games that are not finished, phase by phase.

        Yields:
            Some of the rows, intp[N], and the words of each, uint64[N, num_words]; of a single row,
            that row and a list.
        """
        phases = state.phase[rows]
        kinds = present(phases)
        for phase in kinds:
            some = rows if len(kinds) == 1 else rows[phases == phase]
            yield some, self._words(self._of_phase[phase], Movers(state, some))

    def _words(self, moves: list[int], movers: Movers) -> Words:
        """Return the legal-action words of games in which these moves come into question."""
        many = movers.rows.ndim > 0
        packed: Any = [ZERO] * self.num_words
        if many:
            packed = np.zeros((self.num_words, len(movers.rows)), np.uint64)
        for number in moves:
            move = self.moves[number]
            asked = movers.for_part(move)
            words = move.legal(asked)
            if self._own[number]:
                self._check_legal(number, words, asked.rows)
            for field, found in zip(self._fields[number], words, strict=True):
                self._packer.put(packed, field, found if asked is movers else found[0])
        return packed.T if many else packed

    def _check_legal(self, number: int, words: object, rows: Rows) -> None:
        """Refuse answers of a move that are not of its widths: they would be other actions."""
        kind, widths = self.moves[number].kind, self._widths[number]
        if not isinstance(words, tuple) or len(words) != len(widths):
            raise ValueError(
                f"move {kind!r}: legal() returned {shown(words)}; return a tuple with a uint64[R] "
                f"for each of its {len(widths)} widths"
            )
        for word, width in zip(words, widths, strict=True):
            check_answer(f"move {kind!r}: legal()", word, np.shape(rows), "uint64")
            if np.any(word >> np.uint64(width - 1) > 1):  # by 64 at once nothing is shifted
                raise ValueError(
                    f"move {kind!r}: legal() set bits beyond its {width} actions; for all cards "
                    f"but some, intersect with those that there are"
                )

    def mask(self, words: Words) -> Bools:
        """Return bool[R, A], the mask that legal-action words, uint64[R, num_words], represent."""
        return self._packer.unpack(words).view(np.bool_)

    def contains(self, words: Words, rows: Rows, actions: Rows) -> Bools:
        """Return bool[R], True where the actions, intp[R], of some games are legal.

        Args:
            words: uint64[B, num_words], the legal-action words of all games.
            rows: intp[R], the games.
            actions: An action of each, from 0 to A - 1.
        """
        at = rows * self.num_words + (actions >> _WORD_SHIFT)
        found = words.reshape(-1)[at] & BIT[actions & _IN_WORD]
        return found != ZERO


@lru_cache(maxsize=256)
def action_space(rules: Rules) -> ActionSpace:
    """Return the action space of the rules; equal rules share one."""
    return ActionSpace(rules)


def as_mask(mask: npt.ArrayLike, games: int | None = None) -> Bools:
    """Return a mask as bool[N, A]: those of environments are whole numbers or floats, 0 and 1.

    Whoever inverts a mask or indexes by it needs flags: `~1` is -2, and as an index 1 is a place.

    Raises:
        ValueError: If it is to be that of some games, and has not a row for each.
    """
    found = np.asarray(mask).astype(np.bool_, copy=False)
    if games is not None and (found.ndim != 2 or len(found) != games):
        raise ValueError(f"a mask of shape {found.shape}: give bool[{games}, A], a row a game")
    return found


def choose(mask: npt.ArrayLike, uniforms: Float64s) -> Rows:
    """Sample a legal action in each game, intp[N], from a mask, [N, A]; 0 where none is legal.

    Args:
        mask: True, or 1, where an action is legal.
        uniforms: float64[N] in [0, 1).

    Raises:
        ValueError: If a number is not in that range, or there is not one for each game.
    """
    masks, uniforms = as_mask(mask), np.asarray(uniforms)
    if masks.ndim != 2 or uniforms.shape != masks.shape[:1]:
        raise ValueError(
            f"a mask of shape {masks.shape} and uniforms of shape {uniforms.shape}: give (N, A) "
            f"and (N,)"
        )
    if not ((uniforms >= 0) & (uniforms < 1)).all():
        raise ValueError(f"uniforms={shown(uniforms)}: give numbers from 0 to 1, 1 excluded")
    return sample_bit(pack_rows(masks), uniforms)


def as_actions(actions: npt.ArrayLike, count: int) -> Rows:
    """Actions in the form that users give them, as intp[count].

    Raises:
        TypeError: If they are not whole numbers.
        ValueError: If there is not one for each game.
    """
    chosen = as_array("actions", actions)
    if not are_whole(chosen):
        raise TypeError(f"actions of dtype {chosen.dtype}: give whole numbers, such as int64")
    if chosen.shape != (count,):
        raise ValueError(f"actions of shape {chosen.shape}: give one per game, ({count},)")
    return chosen.astype(np.intp, copy=False)
