"""A complete set of rules: a frozen value, assembled from parts.

At its heart is the turn, a graph of phases: in each phase certain moves can be made, each of which
leads to a phase of the same turn, to the end of the turn, or to the end of the hand.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property, reduce
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar, get_args

import numpy as np

from rummy_env.core.arrays import Int8s, UInt8s, Words
from rummy_env.core.bits import ZERO
from rummy_env.core.cards import Pack
from rummy_env.core.checks import check_choice, check_flag, check_range, shown
from rummy_env.core.fields import Field, gather
from rummy_env.core.part import (
    Condition,
    Counted,
    Ending,
    Episode,
    Move,
    Part,
    Restock,
    Rewards,
    Scoring,
)

if TYPE_CHECKING:
    from rummy_env.core.visibility import SeatView

END_TURN = "end of turn"
"""The target of a move after which the next seat has its turn."""
END_HAND = "end of hand"
"""The target of a move that ends the hand."""
TURN_ENDS, HAND_ENDS, NO_MOVE = -1, -2, -3
"""The same in the table of `transitions`, and where there is no move."""

MAX_SEATS = 10
MOST = 1_000_000
"""The most turns of a hand, and hands or points of a match."""

AnyPart = TypeVar("AnyPart", bound=Part)


@dataclass(frozen=True)
class Phase:
    """A stage of the turn.

    Attributes:
        name: Its name, as in the snapshot.
        moves: The transitions: from moves to the name of a phase, `END_TURN` or `END_HAND`.
            A mapping is converted to a tuple of pairs.
        when: The condition that must hold on entering, else the phase is passed over; or None.
        otherwise: The phase that comes instead of one passed over.
        answers: True if the next seat acts in the phase and in those that follow in the turn.
    """

    name: str
    moves: tuple[tuple[Move, str], ...]
    when: Condition | None
    otherwise: str
    answers: bool

    def __init__(
        self,
        name: str,
        moves: Mapping[Move, str] | tuple[tuple[Move, str], ...],
        *,
        when: Condition | None = None,
        otherwise: str = "",
        answers: bool = False,
    ) -> None:
        pairs = moves.items() if isinstance(moves, Mapping) else moves
        self.__dict__.update(name=name, moves=tuple(pairs))
        self.__dict__.update(when=when, otherwise=otherwise, answers=answers)

    @property
    def ends_turn(self) -> bool:
        """True if some move leads to `END_TURN`."""
        return any(target == END_TURN for _, target in self.moves)


@dataclass(frozen=True)
class Sight:
    """The open information besides the top of the discard pile.

    Attributes:
        stock_counted: True if players know how many cards the stock has; else they only estimate.
        pile_known: True if players know all cards of the discard pile, not only the top one.
        pile_spread: True if the discard pile is laid out card by card.
    """

    stock_counted: bool = True
    pile_known: bool = True
    pile_spread: bool = False

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            check_flag(name, value)
        if self.pile_spread and not self.pile_known:
            raise ValueError("pile_spread=True: a pile laid out is known: give pile_known=True")


@dataclass(frozen=True)
class Rules:
    """A complete set of rules. Equal rules play the same game.

    Every option that the variant was called with, defaults included, can be read in `options` and
    as an attribute: `rules.num_players`, `rules.ace`. An option that has the name of a field, such
    as `num_players`, always has the field's value, even after `dataclasses.replace`.

    Attributes:
        name: Name of the variant.
        options: Its options with their effective values.
        pack: The cards.
        num_players: Seats at the table.
        hand_size: Cards dealt to each seat.
        first_discard: True if the deal turns up a card to begin the discard pile.
        turn: The phases; a turn begins with the first.
        restocking: The renewal of an empty stock.
        endings: The endings of a hand besides the moves that lead to `END_HAND`.
        scoring: The score of a hand.
        episode: The course of an episode.
        rewards: The payment of the seats.
        max_turns: Turns after which a hand is cut off.
        sight: The open information.
        origin: The rules that these were changed from by `dataclasses.replace`, which `repr` tells;
            the same where nothing was changed, and None where no catalogue made them.

    Raises:
        TypeError: If a field is not of its type.
        ValueError: If a number is out of range, the turn cannot be played, state fields clash, or a
            part refuses the rules.
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
    episode: Episode
    rewards: Rewards
    max_turns: int
    sight: Sight = Sight()
    origin: "Rules" = field(default=None, repr=False, compare=False)  # type: ignore[assignment]

    def __post_init__(self) -> None:
        mine = self.__dict__
        plain = {name: value.item() for name, value in mine.items() if isinstance(value, np.number)}
        mine.update(plain)  # NumPy's numbers would print and be recorded as such
        options = ((option, mine.get(option, as_option(value))) for option, value in self.options)
        mine.update(options=tuple(options), origin=self.origin or self)
        self._check_types()
        check_choice("counts", self.rewards.counts, get_args(Counted))
        check_flag("first_discard", self.first_discard)
        check_range("num_players", self.num_players, 2, MAX_SEATS)
        check_range("max_turns", self.max_turns, 1, MOST)
        self._check_cards()
        check_turn(self.turn)
        self.state_fields  # noqa: B018  (refuses fields that clash, as early as everything else)
        for part in self.parts:
            part.check_rules(self)

    def _check_types(self) -> None:
        for name, kind in _KINDS.items():
            if not isinstance(given := getattr(self, name), kind):
                raise TypeError(f"{name}={shown(given)}: give {_article(kind)}")
        for name, kind in _KINDS_OF_ALL.items():
            given = getattr(self, name)
            if not isinstance(given, tuple) or not all(isinstance(each, kind) for each in given):
                raise TypeError(
                    f"{name}={shown(given)}: give a tuple, each {_article(kind)}; of a single one "
                    f"it is written (one,)"
                )
        for name in (*_KINDS, *_KINDS_OF_ALL):
            try:
                hash(getattr(self, name))
            except TypeError as error:
                raise TypeError(
                    f"{name}: {error}; make every part a dataclass(frozen=True) whose values can "
                    f"be hashed, a tuple in place of a list or an array"
                ) from None

    def _check_cards(self) -> None:
        spare = self.pack.num_cards - int(self.first_discard) - 1
        check_range("hand_size", self.hand_size, 1, self.pack.num_cards)
        if self.num_players * self.hand_size > spare:
            most = spare // self.num_players
            remedy = f"hand_size at most {most}" if most > 0 else "fewer players, or a larger pack"
            raise ValueError(
                f"hand_size={self.hand_size} with num_players={self.num_players} needs "
                f"{self.num_players * self.hand_size} cards and leaves no stock in a pack of "
                f"{self.pack.num_cards}: give {remedy}"
            )

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """Every distinct part, in the order of the fields, each preceded by the parts inside it."""
        conditions = (phase.when for phase in self.turn if phase.when is not None)
        others = (self.restocking, *self.endings, self.scoring, self.episode, self.rewards)
        roots: Iterator[Part] = chain(self.moves(), conditions, others)
        return tuple(dict.fromkeys(chain.from_iterable(part.inner() for part in roots)))

    def parts_of(self, kind: type[AnyPart]) -> list[AnyPart]:
        """Return the parts of a class."""
        return [part for part in self.parts if isinstance(part, kind)]

    @cached_property
    def state_fields(self) -> tuple[Field, ...]:
        """The arrays that the state of a game has: the core's, and those of its parts."""
        return gather((type(part).__name__, part.all_fields()) for part in self.parts)

    @cached_property
    def seen_fields(self) -> Mapping[str, Field]:
        """The arrays that every seat is shown, by name."""
        recalled = self.sight.pile_known
        shown = (f for f in self.state_fields if f.seen and (recalled or not f.of_pile))
        return {field.name: field for field in shown}

    @cached_property
    def kept(self) -> UInt8s:
        """uint8[K], the codes of the cards that no seat can part with; see `Part.kept`."""
        names = {name for part in self.parts for name in part.kept}
        codes = self.pack.codes.tolist()
        return np.array([code for code in codes if self.pack.text(code) in names], np.uint8)

    def playable(self, view: "SeatView", hands: Words) -> Words:
        """uint64[N], the cards of hands, uint64[N], that could be laid on the table at once."""
        found = (part.playable(view, hands) for part in self.parts)
        return reduce(np.bitwise_or, (cards for cards in found if cards is not None), hands & ZERO)

    @cached_property
    def takes_several(self) -> bool:
        """True if several cards can be taken into a hand in one turn."""
        return any(move.takes_several for move in self.moves())

    @cached_property
    def _hash(self) -> int:
        return hash(tuple(getattr(self, each.name) for each in fields(self) if each.compare))

    def __hash__(self) -> int:
        return self._hash  # rules are keys of caches on hot paths

    def __getstate__(self) -> dict[str, Any]:
        """Hash the fields only: hashes of text differ from process to process."""
        return {each.name: self.__dict__[each.name] for each in fields(self)}

    def __deepcopy__(self, memo: dict[int, Any]) -> "Rules":
        return self

    def __getattr__(self, name: str) -> Any:
        options = dict(self.__dict__.get("options", ()))
        if name not in options:
            has = ", ".join(options)
            raise AttributeError(
                f"these rules have no option and no part {name!r}; the options are {has}"
            )
        return options[name]

    @cached_property
    def changed(self) -> tuple[str, ...]:
        """The names of the fields that differ from those of the rules that it was made from."""
        compared = (each.name for each in fields(self) if each.compare and each.name != "options")
        return tuple(n for n in compared if getattr(self, n) != getattr(self.origin, n))

    def __repr__(self) -> str:
        made = self.origin if self.changed else self
        given = [f"{option}={value!r}" for option, value in made.options]
        text = f"rummy_env.rules({', '.join([repr(made.name), *given])})"
        changes = [f"{name}={getattr(self, name)!r}" for name in self.changed]
        return f"replace({', '.join([text, *changes])})" if changes else text

    def moves(self) -> Iterator[Move]:
        """Every distinct move of the turn, in order of first appearance."""
        yield from dict.fromkeys(move for phase in self.turn for move, _ in phase.moves)


def _article(kind: type) -> str:
    """Return the name of a class with its article."""
    return f"{'an' if kind.__name__[0] in 'AEIO' else 'a'} {kind.__name__}"


_KINDS: Mapping[str, type] = MappingProxyType(
    {
        "name": str,
        "pack": Pack,
        "restocking": Restock,
        "scoring": Scoring,
        "episode": Episode,
        "rewards": Rewards,
        "sight": Sight,
    }
)
_KINDS_OF_ALL: Mapping[str, type] = MappingProxyType({"turn": Phase, "endings": Ending})
"""What the fields of rules are, and what those that are tuples consist of."""


def check_turn(turn: Sequence[Phase]) -> None:
    """Refuse turns that cannot be played.

    Raises:
        TypeError: If what is to be a move is none.
        ValueError: If phases have the same name or no move, lead to what is no phase, cannot be
            reached, or are passed over in a circle.
    """
    names = [phase.name for phase in turn]
    if len(set(names)) != len(names) or not names:
        raise ValueError(f"turn: the phases {names} must be one or more different names")
    for phase in turn:
        if not phase.moves:
            raise ValueError(f"turn: phase {phase.name!r} has no move: give it one")
        if phase.otherwise and phase.when is None:
            raise ValueError(
                f"turn: phase {phase.name!r} is never passed over for {phase.otherwise!r}: give "
                f"the condition, `when`, or leave `otherwise` out"
            )
        if phase.when is not None and phase.otherwise not in names:
            raise ValueError(
                f"turn: phase {phase.name!r} is passed over for {phase.otherwise!r}; give one of "
                f"the phases {names}"
            )
        for move, then in phase.moves:
            if not isinstance(move, Move):
                of_class = f"; {move.__name__} is a class" if isinstance(move, type) else ""
                raise TypeError(
                    f"turn: phase {phase.name!r} has {shown(move)} for a move: give one{of_class}"
                )
            if then not in (*names, END_TURN, END_HAND):
                raise ValueError(
                    f"turn: {type(move).__name__} in phase {phase.name!r} leads to {then!r}; give "
                    f"one of the phases {names}, END_TURN or END_HAND"
                )
        if len(dict(phase.moves)) < len(phase.moves):
            raise ValueError(f"turn: phase {phase.name!r} has a move twice; give it once")
    _check_reached(turn)
    _check_answered(turn)
    for phase in turn:
        _check_passed_over(phase, {each.name: each for each in turn})


def following(turn: Sequence[Phase], *first: str) -> set[str]:
    """Return the names of some phases, and of all that a game can go on to in the same turn."""
    phases = {phase.name: phase for phase in turn}
    reached, new = {*first}, [*first]
    while new:
        phase = phases[new.pop()]
        then = {target for _, target in phase.moves} | {phase.otherwise}
        found = (then & phases.keys()) - reached
        reached |= found
        new += found
    return reached


def _check_reached(turn: Sequence[Phase]) -> None:
    """Refuse phases that no game can reach."""
    reached = following(turn, turn[0].name)
    if lost := [phase.name for phase in turn if phase.name not in reached]:
        raise ValueError(
            f"turn: no move and no phase leads to {', '.join(map(repr, lost))}; let one lead "
            f"there, or leave the phase out"
        )


def _check_answered(turn: Sequence[Phase]) -> None:
    """Refuse turns that pass on from the seat that answers: whose turn it was is not recorded."""
    for phase in turn:
        after = following(turn, phase.name) if phase.answers else ()
        if ending := [each.name for each in turn if each.name in after and each.ends_turn]:
            raise ValueError(
                f"turn: phase {phase.name!r} is the next seat's (answers=True), and the turn ends "
                f"in {', '.join(map(repr, ending))}, from where it would pass over a seat; let the "
                f"hand end there"
            )


def _check_passed_over(first: Phase, phases: Mapping[str, Phase]) -> None:
    """Refuse phases that may be passed over for each other endlessly."""
    met, phase = [first.name], first
    while phase.when is not None:
        phase = phases[phase.otherwise]
        if phase.name in met:
            circle = " -> ".join([*met, phase.name])
            raise ValueError(
                f"turn: phases are passed over in a circle, {circle}; let one of them lead to a "
                f"phase without a condition"
            )
        met.append(phase.name)


def transitions(turn: Sequence[Phase], moves: Sequence[Move]) -> Int8s:
    """Return the turn as a table.

    Returns:
        int8[phases, moves]: the phase that a move leads to; or `TURN_ENDS` or `HAND_ENDS`; or
        `NO_MOVE` where it cannot be made.
    """
    names = [phase.name for phase in turn]
    target = {**{name: i for i, name in enumerate(names)}, END_TURN: TURN_ENDS, END_HAND: HAND_ENDS}
    table = np.full((len(names), len(moves)), NO_MOVE, np.int8)
    for i, phase in enumerate(turn):
        for move, then in phase.moves:
            table[i, moves.index(move)] = target[then]
    return table


def as_option(value: Any) -> Any:
    """Return the value of an option: a Python number for one of NumPy, and a tuple for a list.

    So the rules that a file tells are those that were written, and can be hashed.
    """
    if isinstance(value, list):
        return tuple(map(as_option, value))
    return value.item() if isinstance(value, np.generic) else value


def check_rules(rules: object) -> None:
    """Refuse, by a TypeError, all but complete rules."""
    if not isinstance(rules, Rules):
        raise TypeError(f"rules={shown(rules)}: give complete rules, as rummy_env.rules('gin')")
