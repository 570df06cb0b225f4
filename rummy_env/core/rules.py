"""What a game is: a frozen value, assembled from parts.

The heart is the turn, a graph of phases: in each phase certain moves can be made, and each leads to
a phase of the same turn, to the end of the turn, or to the end of the hand. Moves, restocking,
endings, scoring and the match are small frozen objects with vectorised methods; the classes here
say what each of them must be able to do, `rummy_env.parts` has the ones there are.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from rummy_env.core.bits import Bools, Rows, Words
from rummy_env.core.cards import Pack
from rummy_env.core.checks import check_choice, check_range
from rummy_env.core.state import State
from rummy_env.core.turn import Turn

END_TURN = "end of turn"
"""Where a move leads after which the next seat has its turn."""
END_HAND = "end of hand"
"""Where a move leads that ends the hand."""

REWARDS = ("points", "zero_sum", "win")
MAX_SEATS = 10


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


class Move(ABC):
    """A kind of thing that can be done in a turn: a block of actions."""

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


class Restock:
    """What happens when the stock is empty; by itself, nothing."""

    ends_hand_at: int = -1
    """The cards in the stock at which a turn is the hand's last; -1 for never."""

    def before_turn(self, state: State, rows: Rows) -> None:
        """Called for games in which a turn begins with an empty stock."""

    def on_draw(self, state: State, rows: Rows) -> None:
        """Called for games in which the mover draws from an empty stock."""

    def can_draw(self, state: State, rows: Rows) -> Bools:
        """bool[R], whether a card can be drawn from the stock, by restocking if need be."""
        return state.stock_left(rows) > 0


class Condition(ABC):
    """Something that holds in some games, and not in others."""

    @abstractmethod
    def holds(self, turn: Turn) -> Bools:
        """bool[R]."""


class Ending(ABC):
    """A way in which a hand ends that is not a move of its own."""

    @abstractmethod
    def ends(self, turn: Turn) -> Bools:
        """bool[R], asked after every move, before the turn passes."""


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


class Scoring(ABC):
    """What a hand is worth when it ends."""

    zero_sum_scale: float
    """What `reward="zero_sum"` is divided by, in points."""

    @abstractmethod
    def score(self, state: State, rows: Rows) -> Result:
        """Scores hands that have just ended; the seat to move is the one that ended them."""


class Match(ABC):
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


@dataclass(frozen=True)
class Phase:
    """A stage of the turn.

    Attributes:
        name: Its name, as in the snapshot.
        moves: What can be done, and where it leads: the name of a phase, `END_TURN` or `END_HAND`.
            A mapping is turned into a tuple of pairs.
        when: Where it does not hold on entering, the phase is passed over; None for never.
        otherwise: The phase that comes instead.
        answers: Whether the next seat acts in the phase and in those that follow in the turn.
    """

    name: str
    moves: tuple[tuple[Move, str], ...]
    when: Condition | None
    otherwise: str
    answers: bool

    def __init__(
        self,
        name: str,
        moves: Mapping[Move, str],
        *,
        when: Condition | None = None,
        otherwise: str = "",
        answers: bool = False,
    ) -> None:
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "moves", tuple(moves.items()))
        object.__setattr__(self, "when", when)
        object.__setattr__(self, "otherwise", otherwise)
        object.__setattr__(self, "answers", answers)


@dataclass(frozen=True)
class Sight:
    """What lies open on the table, besides the top of the discard pile.

    Attributes:
        stock_counted: Whether players know how many cards the stock has, or estimate it only.
        pile_known: Whether players know all cards of the discard pile, not just the top one.
    """

    stock_counted: bool = True
    pile_known: bool = True


@dataclass(frozen=True)
class Rules:
    """A complete set of rules. Equal rules play the same game.

    Every option that the variant was called with, defaults included, can be read in `options` and
    as an attribute: `rules.num_players`, `rules.ace`.

    Attributes:
        name: Name of the variant.
        options: Its options with their effective values.
        pack: The cards.
        hand_size: Cards dealt to each seat.
        first_discard: Whether the deal turns up a card to begin the discard pile.
        turn: The phases; a turn begins with the first.
        restocking: What happens when the stock is empty.
        endings: What ends a hand, besides the moves that lead to `END_HAND`.
        scoring: What a hand is worth.
        episode: What an episode is.
        reward: `"points"`, `"zero_sum"` or `"win"`.
        max_turns: Turns after which a hand is cut off.
        sight: What lies open on the table.
    """

    name: str
    options: tuple[tuple[str, Any], ...]
    pack: Pack
    num_players: int
    hand_size: int
    first_discard: bool
    turn: tuple[Phase, ...]
    restocking: Restock
    endings: tuple[Ending, ...]
    scoring: Scoring
    episode: Match
    reward: str
    max_turns: int
    sight: Sight = Sight()
    _option_map: Mapping[str, Any] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_option_map", dict(self.options))
        check_range("num_players", self.num_players, 2, MAX_SEATS)
        check_choice("reward", self.reward, REWARDS)
        check_range("max_turns", self.max_turns, 1, 1_000_000)
        self._check_cards()
        self._check_turn()

    def _check_cards(self) -> None:
        spare = self.pack.num_cards - int(self.first_discard) - 1
        check_range("hand_size", self.hand_size, 1, self.pack.num_cards)
        if self.num_players * self.hand_size > spare:
            raise ValueError(
                f"hand_size={self.hand_size} with num_players={self.num_players} needs "
                f"{self.num_players * self.hand_size} cards and leaves no stock in a pack of "
                f"{self.pack.num_cards}: give hand_size at most {spare // self.num_players}"
            )

    def _check_turn(self) -> None:
        names = [phase.name for phase in self.turn]
        if len(set(names)) != len(names) or not names:
            raise ValueError(f"turn: the phases {names} must be one or more different names")
        for phase in self.turn:
            if phase.when is not None and phase.otherwise not in names:
                raise ValueError(
                    f"turn: phase {phase.name!r} is passed over for {phase.otherwise!r}, which is "
                    f"none of the phases {names}"
                )
            for move, then in phase.moves:
                if then not in (*names, END_TURN, END_HAND):
                    raise ValueError(
                        f"turn: {type(move).__name__} in phase {phase.name!r} leads to {then!r}, "
                        f"which is none of the phases {names}"
                    )

    def __deepcopy__(self, memo: dict[int, Any]) -> "Rules":
        return self

    def __getattr__(self, name: str) -> Any:
        options = self.__dict__.get("_option_map", {})
        if name not in options:
            raise AttributeError(f"these rules have no option and no part {name!r}")
        return options[name]

    def __repr__(self) -> str:
        given = [f"{option}={value!r}" for option, value in self.options]
        return f"rummy_env.rules({', '.join([repr(self.name), *given])})"

    def moves(self) -> Iterator[Move]:
        """Every different move of the turn, in order of first appearance."""
        seen: list[Move] = []
        for phase in self.turn:
            for move, _ in phase.moves:
                if move not in seen:
                    seen.append(move)
                    yield move


def leads(turn: Sequence[Phase], moves: Sequence[Move]) -> npt.NDArray[np.int8]:
    """The turn as a table.

    Returns:
        int8[phases, moves]: the phase that a move leads to, -1 for the end of the turn, -2 for the
        end of the hand, -3 where the move cannot be made.
    """
    names = [phase.name for phase in turn]
    target = {**{name: i for i, name in enumerate(names)}, END_TURN: -1, END_HAND: -2}
    table = np.full((len(names), len(moves)), -3, np.int8)
    for i, phase in enumerate(turn):
        for move, then in phase.moves:
            table[i, moves.index(move)] = target[then]
    return table
