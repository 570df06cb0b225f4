"""Moves with one card of those that can be told apart."""

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rummy_env.core.bits import Words, positions, word
from rummy_env.core.cards import NUM_REGULAR, REGULAR, Pack
from rummy_env.core.part import Action, Move

_REGULAR_BITS = np.uint64(NUM_REGULAR)


@dataclass(frozen=True)
class CardMove(Move):
    """One action for every card but some special ones; equal cards share an action.

    Attributes:
        pack: The cards of the game.
        barred: Names of the special cards that the move is not made with.
    """

    pack: Pack
    barred: tuple[str, ...] = ()

    @property
    @abstractmethod
    def _kind(self) -> str:
        """The kind of the actions."""

    @cached_property
    def _faces(self) -> tuple[str, ...]:
        return tuple(face for face in self.pack.faces if face not in self.barred)

    @cached_property
    def _codes(self) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
        """uint8[choices], the lowest code of each card."""
        return np.array([self.pack.code(face) for face in self._faces], np.uint8)

    @cached_property
    def _special_choices(self) -> Words:
        """uint64[2 ** specials], for a set of special cards the choices among them."""
        names, choices = self.pack.specials, self._faces[NUM_REGULAR:]
        table = np.zeros(1 << len(names), np.uint64)
        for held in range(len(table)):
            here = {names[i] for i in positions(held)}
            table[held] = word([i for i, face in enumerate(choices) if face in here])
        return table

    def actions(self, pack: Pack) -> tuple[Action, ...]:
        return tuple(Action(self._kind, (face,)) for face in self._faces)

    def widths(self, pack: Pack) -> tuple[int, ...]:
        special = len(self._faces) - NUM_REGULAR
        return (NUM_REGULAR, special) if special else (NUM_REGULAR,)

    def _choices(self, cards: Words) -> tuple[Words, ...]:
        """The choices among sets of cards, uint64[R, decks], one word for each of `widths`."""
        regular = cards[:, 0] & REGULAR
        for deck in range(1, cards.shape[1]):
            regular = regular | cards[:, deck]
        if len(self._faces) == NUM_REGULAR:
            return (regular,)
        special = (cards[:, 0] >> _REGULAR_BITS).astype(np.intp)
        return regular, self._special_choices.take(special)
