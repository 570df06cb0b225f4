"""The kinds of parts that rules are assembled from, and all that a part may bring.

A part is a small frozen dataclass with vectorised methods on `(state, rows)`; `rummy_env.parts` has
the ones there are. Besides what its kind demands, a part may bring memory (state fields), what is
observed of it, its words and its place in pictures, and what the plain heuristics should know; so
a new mechanic is a part, and nothing else has to be touched.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from rummy_env.core.bits import Bools, Rows, Words
from rummy_env.core.cards import Pack
from rummy_env.core.display import Hand, Note
from rummy_env.core.features import Feature
from rummy_env.core.fields import Field
from rummy_env.core.state import State
from rummy_env.core.turn import Turn

if TYPE_CHECKING:
    from rummy_env.core.rules import Rules
    from rummy_env.core.visibility import SeatView

Floats = npt.NDArray[np.floating[Any]]


class Part:
    """Whatever rules are assembled from; here, what a part may bring besides its rule."""

    state_fields: ClassVar[tuple[Field, ...]] = ()
    """What it remembers, a property where that depends on options; several may declare the same."""

    def features(self, rules: "Rules") -> Sequence[Feature]:
        """Planes and scalars that observations have because of it; a name counts once."""
        return ()

    def playable(self, view: "SeatView", hands: Words) -> Words | None:
        """uint64[N], the cards of hands, uint64[N], that could be laid on the table at once.

        The plain heuristics ask; None where nothing is laid down because of this part.
        """
        return None

    def notes(self, view: "SeatView") -> Sequence[Note]:
        """Words beside the piles, for text and pictures of one game, N = 1."""
        return ()

    def role(self, view: "SeatView", place: int) -> str:
        """Words on a seat of one game, N = 1, counted from the viewer: `"knocked"`."""
        return ""

    def shown_hand(self, view: "SeatView", place: int, cards: Words) -> Hand | None:
        """A hand arranged as it is shown, at the end of a hand above all.

        Args:
            view: What a seat knows of one game, N = 1.
            place: Whose hand, counted from the viewer.
            cards: uint64[W], the cards of the hand that lie open.

        Returns:
            None where there is nothing to arrange.
        """
        return None

    def inner(self) -> Iterator["Part"]:
        """The parts that it is made of, each before the part that has it; itself last."""
        if is_dataclass(self):
            for field in fields(self):
                value = getattr(self, field.name)
                for item in value if isinstance(value, tuple) else (value,):
                    if isinstance(item, Part):
                        yield from item.inner()
        yield self


@dataclass(frozen=True)
class Action:
    """One action in words.

    Attributes:
        kind: What is done, such as `"meld_sequence"`.
        cards: The cards that it is done with, as text; empty where the action names none.
    """

    kind: str
    cards: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " ".join([self.kind.replace("_", " "), *self.cards])


class Move(Part, ABC):
    """A kind of thing that can be done in a turn: a block of actions."""

    takes_several: bool = False
    """Whether it can take several cards into the hand in one turn."""

    preference: float | None = None
    """How the plain heuristics rank it: of the moves that are wanted, they play the one that ranks
    highest. None where they do not know when to make it."""

    dear_first: bool = True
    """Whether, of its actions, they prefer those with the cards of most points."""

    def wanted(self, view: "SeatView") -> Bools | None:
        """Which of its actions the plain heuristics want, where they are legal.

        Returns:
            bool[N, actions] or bool[N, 1]; None for all of them.
        """
        return None

    @abstractmethod
    def actions(self, pack: Pack) -> tuple[Action, ...]:
        """All actions of the block, in their order."""

    @abstractmethod
    def widths(self, pack: Pack) -> tuple[int, ...]:
        """How the actions are divided into words: bits of each, the sum being their number."""

    @abstractmethod
    def legal(self, turn: Turn) -> tuple[Words, ...]:
        """Which actions are legal, as uint64[R] words of the given widths."""

    @abstractmethod
    def apply(self, turn: Turn, choice: Rows) -> None:
        """Makes the move.

        Args:
            turn: R games, in each of which the action is legal.
            choice: intp[R], which action of the block.
        """


class Restock(Part):
    """What happens when the stock is empty; by itself, nothing."""

    ends_hand_at: int = -1
    """The cards in the stock at which a turn is the hand's last; -1 for never."""
    renews: bool = True
    """Whether discards come back as a stock."""

    def before_turn(self, state: State, rows: Rows) -> None:
        """Called for games in which a turn begins with an empty stock."""

    def on_draw(self, state: State, rows: Rows) -> None:
        """Called for games in which the mover draws from an empty stock."""

    def can_draw(self, state: State, rows: Rows) -> Bools:
        """bool[R], whether a card can be drawn from the stock, by restocking if need be."""
        return state.stock_left(rows) > 0


class Condition(Part, ABC):
    """Something that holds in some games, and not in others."""

    @abstractmethod
    def holds(self, turn: Turn) -> Bools:
        """bool[R]."""


class Ending(Part, ABC):
    """A way in which a hand ends that is not a move of its own."""

    @abstractmethod
    def ends(self, turn: Turn) -> Bools:
        """bool[R], asked after every move, before the turn passes; it changes nothing."""


@dataclass(frozen=True)
class Result:
    """How hands ended.

    Attributes:
        winners: bool[R, P].
        points: int32[R, P], what each seat scores.
        gains: float64[R, P], what passes from the losers to the winners; it sums to 0.
    """

    winners: Bools
    points: npt.NDArray[np.int32]
    gains: npt.NDArray[np.float64]


class Scoring(Part, ABC):
    """What a hand is worth when it ends."""

    zero_sum_scale: float
    """What `reward="zero_sum"` is divided by, in points."""
    unit: str = "point"
    """What is scored, in words."""

    def how_ended(self, view: "SeatView") -> str:
        """How the hand on the table of one game ended by the rules, N = 1, in words."""
        return "went out" if (view.hand_sizes[0] == 0).any() else "stock exhausted"

    def caught(self) -> npt.NDArray[np.int32] | None:
        """int32[52], points that each card costs whoever is caught with it; None where it does not.

        The plain heuristics get rid of what costs most.
        """
        return None

    @abstractmethod
    def score(self, state: State, rows: Rows) -> Result:
        """Scores hands that have just ended; the seat to move is the one that ended them."""


class Match(Part, ABC):
    """What an episode is: when it ends, who wins it, and who begins the next hand."""

    sends_out: bool = False
    """Whether there are hands that some seats sit out."""

    @abstractmethod
    def decided(self, state: State, rows: Rows, *, cut_off: bool) -> Bools:
        """bool[R], whether the hand just scored (or cut off) ends the episode."""

    @abstractmethod
    def stopped(self, state: State, rows: Rows, *, cut_off: bool) -> Bools:
        """bool[R], whether an episode that is not decided is cut off all the same."""

    @abstractmethod
    def winners(self, state: State, rows: Rows, last_hand: Bools) -> Bools:
        """bool[R, P], who has won the episode, `last_hand` being the winners of its last hand."""

    def seat_next(self, state: State, rows: Rows, last_hand: Bools, *, cut_off: bool) -> None:
        """Notes who deals the next hand and who sits it out; here the deal passes clockwise."""
        state.dealer[rows] = (state.dealer[rows] + 1) % state.num_players


class Rewards(Part, ABC):
    """What the seats are paid.

    Source: docs/rules/basic.md#rewards
    """

    def for_hand(self, result: Result, scoring: Scoring) -> Floats | None:
        """float[R, P], paid for hands as they are scored; None for nothing."""
        return None

    def for_episode(self, winners: Bools) -> Floats | None:
        """float[R, P], paid for episodes with their winners, bool[R, P]; None for nothing."""
        return None
