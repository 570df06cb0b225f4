"""From knowledge to numbers: the observation as a vector of zeros and ones.

Sets of cards are planes, a bit a card; quantities are gauges, a bit a threshold. Both come as one
array, written without a loop over games.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from rummy_env.core.bits import WORD_BITS, Words, word
from rummy_env.core.cards import NUM_REGULAR, SUITS
from rummy_env.core.rules import Rules
from rummy_env.core.state import CODE_BIT
from rummy_env.core.visibility import SeatView
from rummy_env.parts.match import OfDeals, ToTarget
from rummy_env.parts.melding import Play
from rummy_env.parts.restocking import TurnOver
from rummy_env.parts.scoring import CardsLeft

Features = npt.NDArray[np.int8]
Numbers = npt.NDArray[Any]

STOCK_LEVELS = (1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 28, 32, 40)
TURN_SHARES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
SCORE_SHARES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


@dataclass(frozen=True)
class Plane:
    """A set of cards, 52 entries: clubs, diamonds, hearts, spades, each ace to king.

    Attributes:
        name: What it is called in the tables.
        meaning: What an entry of 1 says.
        cards: From views to uint64[N].
    """

    name: str
    meaning: str
    cards: Callable[[SeatView], Words]

    @property
    def width(self) -> int:
        """Entries."""
        return NUM_REGULAR


@dataclass(frozen=True)
class Gauge:
    """A whole number, told by which thresholds it reaches or which value it has.

    Attributes:
        name: What it is called in the tables.
        meaning: What its entries say.
        value: From views to int[N].
        codes: For each value 0, 1, 2 ... its entries; larger values count as the last.
    """

    name: str
    meaning: str
    value: Callable[[SeatView], Numbers]
    codes: tuple[tuple[int, ...], ...]

    @property
    def width(self) -> int:
        """Entries."""
        return len(self.codes[0])


def one_of(size: int) -> tuple[tuple[int, ...], ...]:
    """Codes that mark which of `size` values it is."""
    return tuple(tuple(int(i == value) for i in range(size)) for value in range(size))


def at_least(thresholds: Sequence[float]) -> tuple[tuple[int, ...], ...]:
    """Codes that mark every threshold that is reached."""
    top = int(np.ceil(thresholds[-1]))
    return tuple(tuple(int(value >= t) for t in thresholds) for value in range(top + 1))


class Observer:
    """Turns views into observations.

    Attributes:
        planes: The sets of cards, first in the vector.
        gauges: The quantities, behind them.
        size: F, entries of an observation.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.planes = _planes(rules)
        self.gauges = _gauges(rules)
        self._plane_bits = NUM_REGULAR * len(self.planes)
        self._words, self._tables = self._place_gauges()
        self.size = self._plane_bits + sum(self._words)

    def _place_gauges(self) -> tuple[list[int], list[tuple[int, Words]]]:
        """Lays the gauges into words.

        Returns:
            Bits used of each word; and for each gauge its word, and uint64[values], its entries for
            every value at their place in that word.
        """
        used: list[int] = [0]
        tables = []
        for gauge in self.gauges:
            if used[-1] + gauge.width > WORD_BITS:
                used.append(0)
            codes = [word(i for i, bit in enumerate(code, used[-1]) if bit) for code in gauge.codes]
            tables.append((len(self.planes) + len(used) - 1, np.array(codes)))
            used[-1] += gauge.width
        return used, tables

    def __call__(self, view: SeatView) -> Features:
        """The observations, int8[N, F] of 0 and 1."""
        count = len(self.planes)
        words = np.zeros((len(view), count + len(self._words)), "<u8")
        for i, plane in enumerate(self.planes):
            words[:, i] = plane.cards(view)
        for gauge, (i, table) in zip(self.gauges, self._tables, strict=True):
            words[:, i] |= table.take(gauge.value(view), mode="clip")
        flat = np.unpackbits(words.view(np.uint8), axis=1, bitorder="little")
        bits = flat.view(np.int8).reshape(*words.shape, WORD_BITS)
        out = np.empty((len(view), self.size), np.int8)
        out[:, : self._plane_bits].reshape(-1, count, NUM_REGULAR)[:] = bits[:, :count, :NUM_REGULAR]
        at = self._plane_bits
        for i, used in enumerate(self._words, count):
            out[:, at : at + used] = bits[:, i, :used]
            at += used
        return out

    def layout(self) -> list[tuple[str, int, int, str]]:
        """Name, first entry, number of entries and meaning of every part, in order."""
        parts: list[Plane | Gauge] = [*self.planes, *self.gauges]
        starts = np.cumsum([0, *(part.width for part in parts)]).tolist()
        return [
            (part.name, start, part.width, part.meaning)
            for part, start in zip(parts, starts, strict=False)
        ]


@lru_cache(maxsize=256)
def observer(rules: Rules) -> Observer:
    """The observer of the rules; equal rules share one."""
    return Observer(rules)


def _planes(rules: Rules) -> tuple[Plane, ...]:
    planes = [
        Plane("hand", "the card is in your hand", lambda v: v.hand[:, 0]),
        Plane("top", "it is the top discard", lambda v: CODE_BIT.take(v.top)),
        Plane("taken", "it was taken from the discard pile in this turn", _taken),
        Plane("pile", "it lies in the discard pile", lambda v: v.piled[:, 0]),
        Plane("returned", "it went back into the stock, not seen by you since", _returned),
        Plane("groups", "it lies in a group on the table", lambda v: v.grouped),
        Plane("sequences", "it lies in a sequence on the table", _sequences),
    ]
    for seat in range(1, rules.num_players):
        planes.append(
            Plane(f"known_{seat}", f"seat +{seat} took it from the pile and holds it", _known(seat))
        )
    if isinstance(rules.restock, TurnOver):
        planes.append(Plane("next", "it is the next card of a stock turned over", _next_of_stock))
    return tuple(planes)


def _taken(view: SeatView) -> Words:
    return CODE_BIT.take(view.taken)


def _returned(view: SeatView) -> Words:
    return view.returned[:, 0]


def _sequences(view: SeatView) -> Words:
    return view.sequenced


def _known(seat: int) -> Callable[[SeatView], Words]:
    return lambda view: view.known[:, seat, 0]


def _next_of_stock(view: SeatView) -> Words:
    return CODE_BIT.take(view.stock[:, 0])


def _gauges(rules: Rules) -> tuple[Gauge, ...]:
    seats = range(rules.num_players)
    phases = ", ".join(phase.name for phase in rules.turn)
    nothing_then = ((0,) * len(rules.turn), *one_of(len(rules.turn)))
    sizes = at_least(range(1, rules.hand_size + 2))
    turns = at_least([share * rules.max_turns for share in TURN_SHARES])
    gauges = [
        Gauge("phase", f"{phases}; none when finished", lambda v: v.phase + 1, nothing_then),
        Gauge("to_move", "whose turn it is, from you", lambda v: v.to_move, one_of(len(seats))),
        Gauge("dealer", "who dealt, from you", lambda v: v.dealer, one_of(len(seats))),
        *(Gauge(f"size_{s}", f"cards of seat +{s}, at least 1, 2 ...", _size(s), sizes) for s in seats),
        Gauge("stock", f"cards in the stock, at least {STOCK_LEVELS}", _stock, at_least(STOCK_LEVELS)),
        Gauge("turns", f"turns, at least {TURN_SHARES} of max_turns", _turns, turns),
    ]
    return (*gauges, *_option_gauges(rules), *_match_gauges(rules))


def _option_gauges(rules: Rules) -> list[Gauge]:
    """What matters under some options only."""
    gauges, flag = [], at_least([1])
    meldings = [move.melding for move in rules.moves() if isinstance(move, Play)]
    if meldings and meldings[0].ace_high:
        aces = tuple(tuple(value >> suit & 1 for suit in range(len(SUITS))) for value in range(16))
        gauges.append(Gauge("high_aces", "aces laid above a king, clubs to spades", _high_aces, aces))
    if meldings and meldings[0].melds_per_turn is not None:
        limit = meldings[0].melds_per_turn
        made = at_least(range(1, limit + 1))
        gauges.append(Gauge("melds", "melds made this turn", lambda v: v.melds_made, made))
    if isinstance(rules.scoring, CardsLeft) and rules.scoring.going_rummy:
        for seat in range(rules.num_players):
            meaning = f"seat +{seat} has melded or laid off in this hand"
            gauges.append(Gauge(f"played_{seat}", meaning, _played(seat), flag))
    if isinstance(rules.restock, TurnOver):
        gauges.append(Gauge("open", "the stock was turned over", lambda v: v.stock_open, flag))
    return gauges


def _match_gauges(rules: Rules) -> list[Gauge]:
    """Where the match stands; nothing in an episode of a single hand."""
    match = rules.match
    if isinstance(match, ToTarget):
        full, hands = match.target, match.max_hands
    elif isinstance(match, OfDeals):
        full, hands = round(match.deals * rules.scoring.zero_sum_scale / 2), match.deals
    else:
        return []
    scores = at_least([share * full for share in SCORE_SHARES])
    shares = at_least([share * hands for share in TURN_SHARES])
    return [
        *(
            Gauge(f"score_{s}", f"points of seat +{s}, steps of a tenth of {full}", _score(s), scores)
            for s in range(rules.num_players)
        ),
        Gauge("hands", f"hands played, shares of {hands}", lambda v: v.hand_number, shares),
    ]


def _size(seat: int) -> Callable[[SeatView], Numbers]:
    return lambda view: view.hand_sizes[:, seat]


def _played(seat: int) -> Callable[[SeatView], Numbers]:
    return lambda view: view.played[:, seat]


def _score(seat: int) -> Callable[[SeatView], Numbers]:
    return lambda view: view.scores[:, seat]


def _stock(view: SeatView) -> Numbers:
    return view.stock_left


def _turns(view: SeatView) -> Numbers:
    return view.turn_number


def _high_aces(view: SeatView) -> Numbers:
    return (view.sequenced >> np.uint64(NUM_REGULAR)).astype(np.intp)
