"""The networks of models, computed by NumPy.

An `Mlp` is fully connected. A `SuitNet` reads the cards of each suit with the same weights, because
suits are interchangeable in all variants: if two suits are exchanged in what it sees, it makes the
same choice with these suits exchanged. It also has a head for single cards, whose weights all cards
share.

    cards of a suit ─► suit ─┬─► sum over suits ─► pooled ─┬─► actions that name no regular card
    (each of the four)       └────────► suit again ◄───────┘
                                             │
    numbers of a card ──► card ◄─────────────┤
                            └──► for each kind of action a number a card ──► actions with cards

An action that names cards gets the sum of their numbers, so the shapes of the arrays follow from
the layouts of observation and actions alone.

A network may have an adviser, a heuristic whose action it reads after the observation. It adds to
the logit of that action, depending on how much it trusts the adviser in that position.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from rummy_env.baselines.heuristics import HEURISTICS
from rummy_env.baselines.layout import Layout
from rummy_env.core.arrays import Bools, Float32s, Rows
from rummy_env.core.cards import NUM_RANKS, NUM_REGULAR, SUITS, regular_bit
from rummy_env.core.checks import check_choice, check_range, shown
from rummy_env.core.features import GRADES
from rummy_env.views.features import Features

MAX_LAYERS, MAX_UNITS = 32, 1 << 14
MAX_ACTIONS, MAX_KINDS = 1 << 12, 64

Arrays = Mapping[str, Float32s]
Shapes = dict[str, tuple[int, ...]]

Entry = tuple[str, str, int]
"""What an input stands for: name and meaning of its part, and its number in there."""

ACTIVATIONS: Mapping[str, Callable[[Float32s], Float32s]] = MappingProxyType(
    {"relu": lambda numbers: np.maximum(numbers, 0), "tanh": np.tanh}
)
"""The function between two layers, by name."""

NUM_SUITS = len(SUITS)


Empty = Callable[[tuple[int, ...]], Any]
"""Makes an array of a shape, of NumPy or of PyTorch; its numbers do not matter."""


def float32s(shape: tuple[int, ...]) -> Float32s:
    """Make an array of this shape; see `Empty`."""
    return np.empty(shape, np.float32)


def by_suit(planes: Sequence[Any], empty: Empty) -> Any:
    """[4 * N, 13 * P], the entries about cards of some arrays, int8[N, 52 * p], by suit."""
    count, widths = len(planes[0]), [each.shape[1] // NUM_REGULAR for each in planes]
    found, start = empty((count, NUM_SUITS, sum(widths), NUM_RANKS)), 0
    for each, width in zip(planes, widths, strict=True):
        suits = each.reshape(count, width, NUM_SUITS, NUM_RANKS).swapaxes(1, 2)
        found[:, :, start : start + width] = suits
        start += width
    return found.reshape(count * NUM_SUITS, sum(widths) * NUM_RANKS)


class Wiring:
    """The places of the parts of an observation, and the cards that each action names.

    Attributes:
        size: F, the number of entries of an observation.
        num_actions: A.
        planes: The entries of the planes; `others`, the S entries after them; `graded`, the last.
        num_planes: P, the number of planes and graded features.
        scale: float32[13 * P], the factors of the entries about a suit, by part and rank.
        kinds: K, the number of kinds of actions that name regular cards.
        of_cards: float32[52 * K, A], 1 where the action names the card, by card and kind.
        of_others: float32[G, A], one row for each kind of actions that name regular cards, and one
            for each other action; 1 for the actions of the row.
        names: float32[A, 52], 1 where the action names the card.
    """

    def __init__(self, observation: Layout, actions: Layout) -> None:
        """Read the layouts; a ValueError if they are not those of a card game."""
        self.size, self.num_actions = observation.size, actions.size
        check_range("number of actions", actions.size, 1, MAX_ACTIONS)
        check_range("kinds of actions", len(actions.parts), 1, MAX_KINDS)
        told = _actions(actions)
        if len(told) != actions.size:
            raise ValueError(
                f"the layout names {len(told)} actions, and its size is {actions.size}"
            )
        self._place_entries(observation)
        kinds: dict[str, int] = {}
        slots: dict[tuple[str, str | None], int] = {}
        named: list[tuple[int, int, int]] = []
        slot_of: list[int] = []
        for action, (kind, text) in enumerate(told):
            bits = _regular_bits(text)
            named += [(bit, kinds.setdefault(kind, len(kinds)), action) for bit in bits]
            slot_of.append(slots.setdefault((kind, None if bits else text), len(slots)))
        self.kinds = len(kinds)
        by_card = np.zeros((NUM_REGULAR, self.kinds, actions.size), np.float32)
        for bit, number, action in named:
            by_card[bit, number, action] = 1
        self.of_cards = by_card.reshape(-1, actions.size)
        self.names = np.ascontiguousarray(by_card.max(axis=1, initial=0).T)
        self.of_others = np.zeros((len(slots), actions.size), np.float32)
        self.of_others[slot_of, np.arange(actions.size)] = 1

    def _place_entries(self, observation: Layout) -> None:
        """Find planes, scalars and graded features, which come in this order."""
        about_cards = [width == NUM_REGULAR for _, width, _ in observation.parts]
        if len({*about_cards}) < 2:
            raise ValueError("observation: give at least a part about cards, and one about others")
        first, last = about_cards.index(False), len(about_cards) - about_cards[::-1].index(False)
        if any(about_cards[first:last]):
            raise ValueError("observation: a part about cards stands between others; move it")
        starts = np.cumsum([0, *(width for _, width, _ in observation.parts)]).tolist()
        self.planes, self.graded = slice(0, starts[first]), slice(starts[last], self.size)
        self.others = slice(starts[first], starts[last])
        self.num_others = starts[last] - starts[first]
        scales = [np.float32(1)] * first + [1 / GRADES] * (len(about_cards) - last)
        self.num_planes = len(scales)
        self.scale = np.repeat(np.array(scales, np.float32), NUM_RANKS)

    def inputs(self, observations: Any, empty: Empty = float32s) -> tuple[Any, Any, Any]:
        """[4 * N, 13 * P], the cards by suit, unscaled; [N, S], the other entries.

        Also [N, A or 0], the advice after the observations, int8[N, F + A or F]. All are of the
        kind that `empty` makes; the observations, too, are of NumPy or of PyTorch.
        """
        cards = by_suit([observations[:, self.planes], observations[:, self.graded]], empty)
        others, advice = observations[:, self.others], observations[:, self.size :]
        found = cards, empty(others.shape), empty(advice.shape)
        found[1][:], found[2][:] = others, advice
        return found

    @property
    def constants(self) -> Arrays:
        """The constants that a `SuitNet` takes besides its arrays, by name."""
        return {"scale": self.scale, "of_cards": self.of_cards, "of_others": self.of_others}

    def named(self, masks: Bools) -> Rows:
        """Return intp[M], the cards that legal actions name, as positions in [N, 52].

        Few cards are held, so the head for cards is computed for these only.
        """
        return (masks.astype(np.float32) @ self.names).reshape(-1).nonzero()[0]


def _actions(actions: Layout) -> list[tuple[str, str]]:
    """Return the kind of every action, and its cards as text."""
    return [(kind, text) for kind, _, told in actions.parts for text in told.split(", ")]


def _regular_bits(text: str) -> list[int]:
    """Return the cards of an action if all are regular ones; otherwise empty."""
    try:
        return [regular_bit(card) for card in text.split()]
    except ValueError:
        return []


@lru_cache(maxsize=64)
def wiring(observation: Layout, actions: Layout) -> Wiring:
    """Return the wiring of two layouts; equal ones share it."""
    return Wiring(observation, actions)


def relu_(numbers: Float32s) -> Float32s:
    """Return the greater of each number and 0, in place."""
    return np.maximum(numbers, 0, out=numbers)


def trunk_shapes(wired: Wiring, suit: int, pooled: int) -> Shapes:
    """Return the shapes of the arrays of `trunk`, by the units for each suit and for all suits."""
    return {
        "suit_cards": (len(wired.scale), suit),
        "suit_others": (wired.num_others, suit),
        "suit_bias": (suit,),
        "pooled_suits": (suit, pooled),
        "pooled_others": (wired.num_others, pooled),
        "pooled_bias": (pooled,),
    }


def trunk(arrays: Any, cards: Any, others: Any, *, relu: Any) -> tuple[Any, Any]:
    """Return the units of each suit, [N, 4, suit], and those of all together, [N, pooled].

    Takes arrays of NumPy or of PyTorch, and returns the same kind.
    """
    count = len(others)
    base = others @ arrays["suit_others"] + arrays["suit_bias"]
    weights = arrays["suit_cards"] * arrays["scale"][:, None]  # fewer, from 33 rows on
    suits = (cards @ weights).reshape(count, NUM_SUITS, base.shape[1])
    suits = relu(suits + base[:, None])
    rest = others @ arrays["pooled_others"] + arrays["pooled_bias"]
    return suits, relu(suits.sum(1) @ arrays["pooled_suits"] + rest)


def read_by(observation: Layout) -> dict[str, list[Entry]]:
    """Return what the rows of each array of a `SuitNet` that takes the observation stand for."""
    cards = [part for part in observation.parts if part[1] == NUM_REGULAR]
    rest = [part for part in observation.parts if part[1] != NUM_REGULAR]
    others = [(name, told, number) for name, width, told in rest for number in range(width)]
    return {
        "card_numbers": [(name, told, 0) for name, _, told in cards],
        "suit_cards": [(name, told, rank) for name, _, told in cards for rank in range(NUM_RANKS)],
        "suit_others": others,
        "pooled_others": others,
    }


@dataclass(frozen=True)
class SuitNet:
    """A network that treats all suits alike, with a head for cards; see the top of this file.

    Attributes:
        suit: Units for each suit.
        pooled: Units for all together.
        card: Units for each card.
        adviser: The heuristic whose action it reads, a name of `HEURISTICS`; empty for none.
    """

    suit: int = 128
    pooled: int = 256
    card: int = 32
    adviser: str = ""

    kind: ClassVar = "suits"

    def __post_init__(self) -> None:
        check_choice("adviser", self.adviser, ("", *HEURISTICS))
        for name in ("suit", "pooled", "card"):
            check_range(name, getattr(self, name), 1, MAX_UNITS)

    def shapes(self, wired: Wiring) -> Shapes:
        """Return the shape of every array by its name."""
        trust = {"trust": (self.pooled, 1), "trust_bias": (1,)} if self.adviser else {}
        return {
            **trunk_shapes(wired, self.suit, self.pooled),
            **trust,
            "again_suit": (self.suit, self.suit),
            "again_pooled": (self.pooled, self.suit),
            "again_bias": (self.suit,),
            "card_numbers": (wired.num_planes, self.card),
            "card_suit": (self.suit, self.card),
            "card_bias": (self.card,),
            "ranks": (self.suit, NUM_RANKS * wired.kinds),
            "cards": (self.card, wired.kinds),
            "others": (self.pooled, len(wired.of_others)),
            "others_bias": (len(wired.of_others),),
        }

    def logits(
        self, arrays: Arrays, wired: Wiring, observations: Features, masks: Bools
    ) -> Float32s:
        """Return float32[N, A], the logits of legal actions; those of illegal ones mean nothing.

        Args:
            arrays: The arrays, by name.
            wired: The wiring of the layouts.
            observations: int8[N, F], or int8[N, F + A] with the adviser's actions, one-hot.
            masks: bool[N, A], True = legal.
        """
        named = wired.named(masks)
        given = {**arrays, **wired.constants}
        return self.forward(given, *wired.inputs(observations), named, relu=relu_)

    def forward(
        self, arrays: Any, cards: Any, others: Any, advice: Any, named: Any, *, relu: Any
    ) -> Any:
        """[N, A], the logits, from `Wiring.inputs`, `Wiring.named` and all arrays.

        Takes arrays of NumPy or of PyTorch, and returns the same kind.
        """
        count, planes = len(others), len(arrays["card_numbers"])
        suits, pooled = trunk(arrays, cards, others, relu=relu)
        base = pooled @ arrays["again_pooled"] + arrays["again_bias"]
        again = suits.reshape(count * NUM_SUITS, self.suit) @ arrays["again_suit"]
        again = relu(again.reshape(count, NUM_SUITS, self.suit) + base[:, None])
        again = again.reshape(count * NUM_SUITS, self.suit)
        suit, rank = named // NUM_RANKS, named % NUM_RANKS
        numbers = cards.reshape(-1, planes, NUM_RANKS)[suit, :, rank]
        of_suit = (again @ arrays["card_suit"] + arrays["card_bias"])[suit]
        weights = arrays["card_numbers"] * arrays["scale"][::NUM_RANKS, None]
        single = relu(numbers @ weights + of_suit)
        by_card = (again @ arrays["ranks"]).reshape(-1, arrays["cards"].shape[1])
        by_card[named] += single @ arrays["cards"]
        with_cards = by_card.reshape(count, len(arrays["of_cards"])) @ arrays["of_cards"]
        rest = pooled @ arrays["others"] + arrays["others_bias"]
        logits = with_cards + rest @ arrays["of_others"]
        if advice.shape[1]:  # a clone has none, before it gets an adviser
            logits = logits + advice * (pooled @ arrays["trust"] + arrays["trust_bias"])
        return logits


@dataclass(frozen=True)
class Mlp:
    """Fully connected layers with an activation between them, and linear logits.

    Attributes:
        hidden: Units of each layer, first to last.
        activation: A name of `ACTIVATIONS`.

    Raises:
        ValueError: If there are too many layers or units, or no such activation.
    """

    hidden: tuple[int, ...]
    activation: str

    kind: ClassVar = "mlp"
    adviser: ClassVar = ""

    def __post_init__(self) -> None:
        if not isinstance(self.hidden, list | tuple) or len(self.hidden) > MAX_LAYERS:
            raise ValueError(
                f"hidden={shown(self.hidden)}: give at most {MAX_LAYERS} whole numbers"
            )
        for units in self.hidden:
            check_range("hidden", units, 1, MAX_UNITS)
        check_choice("activation", self.activation, tuple(ACTIVATIONS))
        object.__setattr__(self, "hidden", tuple(self.hidden))

    def shapes(self, wired: Wiring) -> Shapes:
        """Return the shape of every array by its name."""
        found: Shapes = {}
        sizes = (wired.size, *self.hidden, wired.num_actions)
        for i, (above, below) in enumerate(pairwise(sizes)):
            found |= {f"weight_{i}": (above, below), f"bias_{i}": (below,)}
        return found

    def logits(
        self, arrays: Arrays, wired: Wiring, observations: Features, masks: Bools
    ) -> Float32s:
        """Return float32[N, A], as for a `SuitNet`; illegal actions have logits too."""
        return self.forward(arrays, observations)

    def forward(self, arrays: Arrays, observations: Features) -> Float32s:
        """[N, outputs], from observations, [N, inputs]."""
        layer = observations.astype(np.float32)
        for i in range(len(self.hidden) + 1):
            if i:
                layer = ACTIVATIONS[self.activation](layer)
            layer = layer @ arrays[f"weight_{i}"]
            layer += arrays[f"bias_{i}"]
        return layer


Network = Mlp | SuitNet
_KINDS: Mapping[str, type[Network]] = MappingProxyType({net.kind: net for net in (Mlp, SuitNet)})


def network_of_dict(read: Mapping[str, Any]) -> Network:
    """Return the network that a card describes; a ValueError if it does not describe one."""
    sizes = dict(read)
    kind = sizes.pop("kind", None)
    check_choice("network kind", kind, tuple(_KINDS))
    try:
        return _KINDS[str(kind)](**sizes)
    except TypeError as error:
        raise ValueError(f"network {read!r}: {error}") from error
