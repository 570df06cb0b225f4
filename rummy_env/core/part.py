"""The kinds of parts that rules are assembled from, and all that a part may provide.

A part is a small frozen dataclass with methods on many games at once; `rummy_env.parts` has
the existing ones. Besides what its kind requires, a part may provide memory (state fields), what is
observed of it, its words and its place in pictures, and what the plain heuristics should know. A
new mechanic is therefore a new part, and nothing else has to be changed.
"""

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from rummy_env.core.arrays import Bools, Float64s, Floats, Int32s, Rows, Words
from rummy_env.core.cards import Pack
from rummy_env.core.display import Hand, Note, Spot
from rummy_env.core.features import Feature
from rummy_env.core.fields import Field
from rummy_env.core.movers import Movers
from rummy_env.core.state import STOCK_STEPS, State

if TYPE_CHECKING:
    from rummy_env.core.rules import Rules
    from rummy_env.core.visibility import SeatView


Counted = Literal["points", "hands"]
"""What a hand brings, as far as it counts: the points of its seats, or who has won it."""


class Part:
    """What rules are assembled from; here, all that a part may provide besides its rule."""

    lean: ClassVar[bool] = False
    """True if its methods that take movers also take those of one game, whose rows are a number and
    all else is scalars. Other parts are given arrays of one, which costs about ten times as much.
    It is not inherited: each class sets it for itself."""

    state_fields: ClassVar[tuple[Field, ...]] = ()
    """The state that it needs besides that of its base classes; a property if it depends on
    options. Parts may share fields."""

    @property
    def kept(self) -> tuple[str, ...]:
        """The special cards that no seat can part with, so that no discard pile ever has them."""
        return ()

    def __init_subclass__(cls) -> None:
        cls.lean = vars(cls).get("lean", False)

    def all_fields(self) -> Iterator[Field]:
        """Yield the state that it and its base classes need; a field may occur twice."""
        for base in type(self).__mro__:
            declared = vars(base).get("state_fields", ())
            yield from declared.__get__(self) if isinstance(declared, property) else declared

    def features(self, rules: "Rules") -> Sequence[Feature]:
        """Features that it adds to observations; a repeated name counts once."""
        return ()

    def playable(self, view: "SeatView", hands: Words) -> Words | None:
        """Return uint64[N], the cards of hands, uint64[N], that could be laid on the table at once.

        Used by the plain heuristics; None if nothing is laid down because of this part.
        """
        return None

    def notes(self, view: "SeatView") -> Sequence[Note]:
        """Words beside the piles, for text and pictures of one game, N = 1."""
        return ()

    def role(self, view: "SeatView", seat: int) -> str:
        """Words about a seat of one game, N = 1, counted from the viewer: `"knocked"`."""
        return ""

    def shown_hand(self, view: "SeatView", seat: int, cards: Words) -> Hand | None:
        """Arrange a hand for display, mainly at the end of a hand; None if it is not arranged.

        Args:
            view: The view of a seat of one game, N = 1.
            seat: The seat of the hand, counted from the viewer.
            cards: uint64[W], the cards of the hand that lie open.
        """
        return None

    def check_rules(self, rules: "Rules") -> None:
        """Refuse rules that it was not made for, as they are made.

        Raises:
            ValueError: If it makes no sense in them, naming the field and the remedy.
        """

    def check_table(self, state: State, rules: "Rules") -> None:
        """Refuse a table laid by hand, B = 1, on which its rule makes no sense in these rules.

        Raises:
            ValueError: If the rule makes no sense on it, naming the entry of the snapshot.
        """

    def inner(self) -> Iterator["Part"]:
        """Yield the parts that it is made of, each before the one that contains it; itself last."""
        if is_dataclass(self):
            for field in fields(self):
                value = getattr(self, field.name)
                for item in value if isinstance(value, tuple) else (value,):
                    if isinstance(item, Part):
                        yield from item.inner()
        yield self


def check_shared(rules: "Rules", kind: type[Part]) -> None:
    """Refuse rules with different parts of a kind that all who refer to one have to share.

    Raises:
        ValueError: If there are two of them.
    """
    found = rules.parts_of(kind)
    if len(found) > 1:
        first, second = found[:2]
        raise ValueError(
            f"{second} beside {first}: give every part that refers to a {kind.__name__} the same"
        )


@dataclass(frozen=True)
class Action:
    """One action in words.

    Attributes:
        kind: The kind of action, such as `"meld_sequence"`.
        cards: The cards that it involves, as text; empty if the action names none.
    """

    kind: str
    cards: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " ".join([self.kind.replace("_", " "), *self.cards])


class Move(Part, ABC):
    """A kind of thing that can be done in a turn: a block of actions."""

    kind: str
    """The kind of its actions, such as `"draw_stock"`; a block may hold further kinds."""

    path: ClassVar[tuple[Spot, Spot] | None] = None
    """Where it carries cards from and to, for pictures; None where cards stay where they are."""

    takes_several: bool = False
    """True if it can take several cards into the hand in one turn."""

    preference: float | None = None
    """Its rank for the plain heuristics: of the moves that are wanted, they play the one that ranks
    highest. None if they do not know when to make it."""

    dear_first: bool = True
    """True if, among its actions, they prefer those with the cards worth most points."""

    def wanted(self, view: "SeatView") -> Bools | None:
        """bool[N, actions] or bool[N, 1], True for what the plain heuristics want; None for all."""
        return None

    def actions(self, pack: Pack) -> tuple[Action, ...]:
        """All actions of the block, in their order; by default one that names no card."""
        return (Action(self.kind),)

    def widths(self, pack: Pack) -> tuple[int, ...]:
        """Bits of each legal-action word, 1 to 64, in total the number of actions; by default one
        word for all.
        """
        return (len(self.actions(pack)),)

    @abstractmethod
    def legal(self, movers: Movers) -> tuple[Words, ...]:
        """Return the legal actions, as uint64[R] words of the widths that `widths` returns."""

    @abstractmethod
    def apply(self, movers: Movers, choice: Rows) -> None:
        """Make the move.

        Args:
            movers: R games, in each of which the action is legal.
            choice: intp[R], which action of the block.
        """


@dataclass(frozen=True)
class Restock(Part):
    """The renewal of an empty stock; by default, none.

    If it is lean, `can_draw` takes one game as a number; the other methods never do. The moves that
    draw from the stock have to be given the one of the rules.
    """

    lean = True

    # Without annotations, they are no fields of dataclasses.
    ends_hand_at = -1
    """The number of cards in the stock at which a turn is the hand's last; -1 for never."""
    renews = False
    """True if discards come back as a stock."""

    def check_rules(self, rules: "Rules") -> None:
        """Refuse rules in which some move draws by another."""
        check_shared(rules, Restock)

    def before_turn(self, state: State, rows: Rows) -> None:
        """Do what is due in games in which a turn begins with an empty stock."""

    def on_draw(self, state: State, rows: Rows) -> None:
        """Do what is due in games in which the mover draws from an empty stock."""

    def can_draw(self, state: State, rows: Rows) -> Bools:
        """bool[R], True where a card can be drawn from the stock, by restocking if need be."""
        return state.stock_left(rows) > 0


class Condition(Part, ABC):
    """Something that holds in some games, and not in others."""

    @abstractmethod
    def holds(self, movers: Movers) -> Bools:
        """Return bool[R], True where it holds."""


class Ending(Part, ABC):
    """A way in which a hand ends that is not a move of its own."""

    @abstractmethod
    def ends(self, movers: Movers) -> Bools:
        """Return bool[R], after a move that does not end the hand itself; changes nothing."""


@dataclass(frozen=True)
class Result:
    """The outcome of R hands.

    Attributes:
        winners: bool[R, P].
        points: int32[R, P], what each seat scores.
        gains: float64[R, P], what passes from the losers to the winners; it sums to 0.
    """

    winners: Bools
    points: Int32s
    gains: Float64s


class Scoring(Part, ABC):
    """The score of a hand when it ends."""

    zero_sum_scale: float = 100.0
    """The points that correspond to a reward of 1 under `reward="zero_sum"`."""
    unit: str = "point"
    """The name of what is scored."""

    def how_ended(self, view: "SeatView") -> Sequence[str]:
        """Say how the hands on N tables ended by the rules."""
        out = ((view.hand_sizes == 0) & ~view.sits_out).any(axis=1)
        most = max(0, view.rules.restocking.ends_hand_at)
        if view.rules.sight.stock_counted:
            exhausted = view.stock_left <= most
        else:
            exhausted = view.stock_estimate <= bisect_right(STOCK_STEPS, most)
        ended = np.select([out, exhausted], ["went out", "stock exhausted"], "ended")
        return [*map(str, ended)]

    def caught(self) -> Int32s | None:
        """int32[52], points that each card costs a player caught with it; None if they cost none.

        The plain heuristics get rid of what costs most.
        """
        return None

    @abstractmethod
    def score(self, state: State, rows: Rows) -> Result:
        """Score hands that have just ended; the seat to move is the one that ended them."""


class Episode(Part, ABC):
    """The course of an episode: its end, its winners, and the dealer of the next hand."""

    single: bool = False
    """True if every episode is one hand."""
    sends_out: bool = False
    """True if there are hands that some seats sit out."""

    @abstractmethod
    def decided(self, state: State, rows: Rows, *, cut_off: bool) -> Bools:
        """Return bool[R], True where the hand just scored (or cut off) ends the episode."""

    @abstractmethod
    def stopped(self, state: State, rows: Rows, *, cut_off: bool) -> Bools:
        """Return bool[R], True where an episode is cut off although it is not decided."""

    @abstractmethod
    def winners(self, state: State, rows: Rows, last_hand: Bools) -> Bools:
        """Return bool[R, P], the winners of the episode; `last_hand` has those of its last hand."""

    def seat_next(self, state: State, rows: Rows, last_hand: Bools, *, cut_off: bool) -> None:
        """Note who deals the next hand and who sits it out; by default, the deal goes clockwise."""
        state.dealer[rows] = (state.dealer[rows] + 1) % state.num_players


class Rewards(Part, ABC):
    """The payment of the seats.

    Attributes:
        counts: What a hand brings, as far as it counts.

    Source: docs/rules/basic.md#rewards
    """

    counts: Counted = "points"

    def for_hand(self, result: Result, scoring: Scoring) -> Floats | None:
        """Return float[R, P], paid for hands as they are scored; None for nothing."""
        return None

    def for_episode(self, winners: Bools) -> Floats | None:
        """float[R, P], paid for episodes with their winners, bool[R, P]; None for nothing."""
        return None
