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

from rummy_env.core.bits import WORD_BITS, Words
from rummy_env.core.cards import NUM_REGULAR, REGULAR, SUITS
from rummy_env.core.melds import completing, fits_groups, fits_sequences, in_melds
from rummy_env.core.rules import Rules
from rummy_env.core.state import CODE_BIT
from rummy_env.core.visibility import SeatView
from rummy_env.parts.match import OfDeals, ToTarget
from rummy_env.parts.melding import Melding, Play
from rummy_env.parts.restocking import TurnOver
from rummy_env.parts.scoring import CardsLeft

Features = npt.NDArray[np.int8]
Numbers = npt.NDArray[Any]

STOCK_LEVELS = (1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 28, 32, 40)
TURN_SHARES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
SCORE_SHARES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


_PAIR = np.dtype([("low", "<u8"), ("middle", "<u4"), ("high", "u1")])
"""Two planes: 64 + 32 + 8 = 104 bits."""
_SECOND_LOW, _SECOND_HIGH = np.uint64(NUM_REGULAR), np.uint64(WORD_BITS - NUM_REGULAR)
_MIDDLE_BITS = np.uint64(32)


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
        self.size = sum(part.width for part in self.parts)
        pairs, odd = divmod(len(self.planes), 2)
        self._pairs = pairs
        self._place_gauges(NUM_REGULAR * odd)
        self._row = np.dtype([("pairs", _PAIR, (pairs,)), ("rest", "<u8", (self._num_words,))])

    def __reduce__(self) -> tuple[Callable[[Rules], "Observer"], tuple[Rules]]:
        return observer, (self.rules,)

    @property
    def parts(self) -> tuple[Plane | Gauge, ...]:
        """The planes and gauges in order."""
        return (*self.planes, *self.gauges)

    def _place_gauges(self, start: int) -> None:
        """Lays the gauges end to end into words.

        A gauge that touches two words has two tables. All tables lie in one array, which maps a
        value to what is put into a word; the tables of a word follow each other.

        Args:
            start: Bits of the first word that are in use.
        """
        pieces: list[tuple[int, int, list[np.uint64]]] = []
        for number, gauge in enumerate(self.gauges):
            codes = [sum(bit << i for i, bit in enumerate(code, start)) for code in gauge.codes]
            for i in range(start // WORD_BITS, (start + gauge.width - 1) // WORD_BITS + 1):
                pieces.append((i, number, [_slice(code, i) for code in codes]))
            start += gauge.width
        sizes = [len(codes) for _, _, codes in pieces]
        self._num_words = pieces[-1][0] + 1
        self._codes = np.array([code for _, _, codes in pieces for code in codes])
        self._piece_at = np.cumsum([0, *sizes])[:-1].astype(np.int16)
        self._piece_top = np.array(sizes, np.int16) - np.int16(1)
        self._piece_of = [number for _, number, _ in pieces]
        words = [i for i, _, _ in pieces]
        self._first_pieces = np.searchsorted(words, range(self._num_words))

    def __call__(self, view: SeatView) -> Features:
        """The observations, int8[N, F] of 0 and 1."""
        planes = np.empty((len(view), len(self.planes)), np.uint64)
        for i, plane in enumerate(self.planes):
            planes[:, i] = plane.cards(view)
        planes &= REGULAR
        row = np.empty(len(view), self._row)
        self._put_pairs(row["pairs"], planes[:, : 2 * self._pairs])
        rest = self._gauge_words(view)
        if planes.shape[1] % 2:
            rest[:, 0] |= planes[:, -1]
        row["rest"] = rest
        octets = row.view(np.uint8).reshape(len(view), self._row.itemsize)
        bits = np.unpackbits(octets, axis=1, count=self.size, bitorder="little")
        return bits.view(np.int8)

    def _gauge_words(self, view: SeatView) -> Words:
        """uint64[N, words], the entries of the gauges in their places."""
        values = np.empty((len(view), len(self._piece_of)), np.int16)
        read = [gauge.value(view) for gauge in self.gauges]
        for i, number in enumerate(self._piece_of):
            values[:, i] = read[number]
        np.minimum(values, self._piece_top, out=values)
        values += self._piece_at
        return np.bitwise_or.reduceat(self._codes.take(values), self._first_pieces, axis=1)

    @staticmethod
    def _put_pairs(pairs: npt.NDArray[Any], planes: Words) -> None:
        """Writes planes two by two: 104 bits are 13 octets."""
        first, second = planes[:, 0::2], planes[:, 1::2]
        high = second >> _SECOND_HIGH
        pairs["low"] = first | second << _SECOND_LOW
        pairs["middle"] = high
        pairs["high"] = high >> _MIDDLE_BITS

    def layout(self) -> list[tuple[str, int, int, str]]:
        """Name, first entry, number of entries and meaning of every part, in order."""
        starts = np.cumsum([0, *(part.width for part in self.parts)]).tolist()
        return [
            (part.name, start, part.width, part.meaning)
            for part, start in zip(self.parts, starts, strict=False)
        ]


def _slice(code: int, index: int) -> np.uint64:
    """One word of a long code."""
    return np.uint64(code >> WORD_BITS * index & (1 << WORD_BITS) - 1)


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
    meldings = [move.melding for move in rules.moves() if isinstance(move, Play)]
    if meldings:
        planes += _meld_planes(meldings[0])
    if isinstance(rules.restocking, TurnOver):
        planes.append(Plane("next", "it is the next card of a stock turned over", _next_of_stock))
    return tuple(planes)


def _meld_planes(melding: Melding) -> list[Plane]:
    """What follows from the other planes and is laborious to find out."""
    high = melding.ace_high

    def fits(view: SeatView) -> Words:
        on_sequences = fits_sequences(view.sequenced, ace_high=high)
        return (fits_groups(view.grouped) | on_sequences) & ~view.on_table

    def meldable(view: SeatView) -> Words:
        return in_melds(view.hand[:, 0], ace_high=high)

    def wanted(view: SeatView) -> Words:
        return completing(view.hand[:, 0], ace_high=high)

    return [
        *([Plane("fits", "it fits a meld on the table", fits)] if melding.lay_off else []),
        Plane("meldable", "it is in a meld that you hold", meldable),
        Plane("wanted", "it would make a meld with two of your cards", wanted),
    ]


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
        *(
            Gauge(f"size_{s}", f"cards of seat +{s}, at least 1, 2 ...", _size(s), sizes)
            for s in seats
        ),
        Gauge(
            "stock", f"cards in the stock, at least {STOCK_LEVELS}", _stock, at_least(STOCK_LEVELS)
        ),
        Gauge("turns", f"turns, at least {TURN_SHARES} of max_turns", _turns, turns),
    ]
    return (*gauges, *_option_gauges(rules), *_match_gauges(rules))


def _option_gauges(rules: Rules) -> list[Gauge]:
    """What matters under some options only."""
    gauges, flag = [], at_least([1])
    meldings = [move.melding for move in rules.moves() if isinstance(move, Play)]
    if meldings and meldings[0].ace_high:
        aces = tuple(tuple(value >> suit & 1 for suit in range(len(SUITS))) for value in range(16))
        gauges.append(
            Gauge("high_aces", "aces laid above a king, clubs to spades", _high_aces, aces)
        )
    if meldings and meldings[0].melds_per_turn is not None:
        limit = meldings[0].melds_per_turn
        made = at_least(range(1, limit + 1))
        gauges.append(Gauge("melds", "melds made this turn", lambda v: v.melds_made, made))
    if isinstance(rules.scoring, CardsLeft) and rules.scoring.going_rummy:
        for seat in range(rules.num_players):
            meaning = f"seat +{seat} has melded or laid off in an earlier turn of the hand"
            gauges.append(Gauge(f"played_{seat}", meaning, _played(seat), flag))
    if isinstance(rules.restocking, TurnOver):
        gauges.append(Gauge("open", "the stock was turned over", lambda v: v.stock_open, flag))
    return gauges


def _match_gauges(rules: Rules) -> list[Gauge]:
    """Where the match stands; nothing in an episode of a single hand."""
    match = rules.episode
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
            Gauge(
                f"score_{s}", f"points of seat +{s}, steps of a tenth of {full}", _score(s), scores
            )
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
