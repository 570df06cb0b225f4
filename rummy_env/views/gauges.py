"""The quantities in an observation, by the rules."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from rummy_env.core.bits import Words
from rummy_env.core.cards import NUM_REGULAR, SUITS, Pack
from rummy_env.core.rules import Rules
from rummy_env.core.visibility import STOCK_STEPS, SeatView
from rummy_env.parts.declaring import GoOut
from rummy_env.parts.drawing import ExtraDraw, TakePile
from rummy_env.parts.match import GamePoints, OfDeals, ToTarget
from rummy_env.parts.melding import Play
from rummy_env.parts.restocking import HandEnds, TurnOver
from rummy_env.parts.scoring import CardsLeft
from rummy_env.views.distances import FARTHEST, Distances
from rummy_env.views.encoding import Codes, Gauge, Numbers, at_least, one_of, one_or_none, steps
from rummy_env.views.knocking import knocking_gauges

STOCK_LEVELS = (1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 28, 32, 40)
MORE_STOCK_LEVELS = (52, 64, 80, 96)
"""Used where the stock can be as large."""
TURN_SHARES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
SCORE_SHARES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
TAKEN_LEVELS = (1, 2, 3, 4, 6, 8, 12, 16)
GROWTH_LEVELS = (1, 2, 3, 5, 7, 11, 15, 23, 31)
"""Cards beyond the usual, where a turn may take several."""

_FLAG = at_least([1])
_REGULAR_BITS = np.uint64(NUM_REGULAR)


def gauges_of(rules: Rules) -> tuple[Gauge, ...]:
    """All gauges, in order."""
    seats = range(rules.num_players)
    phases = ", ".join(phase.name for phase in rules.turn)
    turns = [share * rules.max_turns for share in TURN_SHARES]
    gauges = [
        Gauge(
            "phase",
            f"{phases}; none when finished",
            lambda v: v.phase + 1,
            one_or_none(len(rules.turn)),
        ),
        Gauge("to_move", "whose turn it is, from you", lambda v: v.to_move, one_of(len(seats))),
        Gauge("dealer", "who dealt, from you", lambda v: v.dealer, one_of(len(seats))),
        *_size_gauges(rules),
        _stock_gauge(rules),
        steps("turns", f"turns, at least {TURN_SHARES} of max_turns", _turns, turns),
    ]
    return (
        *gauges,
        *_table_gauges(rules),
        *_special_gauges(rules),
        *_distance_gauges(rules),
        *knocking_gauges(rules),
        *_match_gauges(rules),
    )


def _size_gauges(rules: Rules) -> list[Gauge]:
    """How many cards the seats hold, and how many were taken at once where these can be several."""
    levels, meaning = [*range(1, rules.hand_size + 2)], "at least 1, 2 ..."
    several = any(isinstance(move, TakePile | ExtraDraw) for move in rules.moves())
    if several:
        levels += [rules.hand_size + 1 + more for more in GROWTH_LEVELS]
        meaning = f"at least 1 to {rules.hand_size + 1} and {GROWTH_LEVELS} more"
    codes = at_least(levels)
    gauges = [
        Gauge(f"size_{seat}", f"cards of seat +{seat}, {meaning}", _size(seat), codes)
        for seat in range(rules.num_players)
    ]
    if several:
        taken = f"discards taken in this turn, at least {TAKEN_LEVELS}"
        gauges.append(Gauge("taken_count", taken, lambda v: v.taken_count, at_least(TAKEN_LEVELS)))
    return gauges


def _stock_gauge(rules: Rules) -> Gauge:
    """How many cards the stock has, as exactly as players may know."""
    if not rules.sight.stock_counted:
        codes = at_least(range(1, len(STOCK_STEPS) + 1))
        meaning = f"cards in the stock at a glance, at least {STOCK_STEPS}"
        return Gauge("stock", meaning, lambda v: v.stock_estimate, codes)
    most = rules.pack.num_cards - rules.num_players * rules.hand_size
    levels = (*STOCK_LEVELS, *(level for level in MORE_STOCK_LEVELS if level <= most))
    return Gauge("stock", f"cards in the stock, at least {levels}", _stock, at_least(levels))


def _table_gauges(rules: Rules) -> list[Gauge]:
    """What matters where melds are laid on the table, under some options only."""
    gauges = []
    meldings = [move.melding for move in rules.moves() if isinstance(move, Play)]
    if meldings and meldings[0].ace_high:
        aces = "aces laid above a king, clubs to spades"
        gauges.append(Gauge("high_aces", aces, _high_aces, _each_bit(len(SUITS))))
    if meldings and meldings[0].melds_per_turn is not None:
        limit = meldings[0].melds_per_turn
        made = at_least(range(1, limit + 1))
        gauges.append(Gauge("melds", "melds made this turn", lambda v: v.melds_made, made))
    if isinstance(rules.scoring, CardsLeft) and rules.scoring.going_rummy:
        for seat in range(rules.num_players):
            meaning = f"seat +{seat} has melded or laid off in an earlier turn of the hand"
            gauges.append(Gauge(f"played_{seat}", meaning, _played(seat), _FLAG))
    if isinstance(rules.restocking, TurnOver):
        gauges.append(Gauge("open", "the stock was turned over", lambda v: v.stock_open, _FLAG))
    return gauges


def _special_gauges(rules: Rules) -> list[Gauge]:
    """Where the special cards are; nothing in a pack of regular cards."""
    pack = rules.pack
    if not pack.specials:
        return []
    places = [("hand", "in your hand", lambda v: v.hand)]
    for seat in range(rules.num_players):
        places.append((f"known_{seat}", f"that seat +{seat} is known to hold", _known(seat)))
    if rules.sight.pile_known:
        places.append(("pile", "in the discard pile", lambda v: v.piled))
        if not isinstance(rules.restocking, HandEnds):
            places.append(("returned", "back in the stock, as `returned`", lambda v: v.returned))
    names = ", ".join(pack.specials)
    each = _each_bit(len(pack.specials))
    faces = pack.faces[NUM_REGULAR:]
    which, marks = f"which special card it is: {', '.join(faces)}", one_or_none(len(faces))
    return [
        *(
            Gauge(f"{name}_special", f"special cards {where}: {names}", _specials(sets), each)
            for name, where, sets in places
        ),
        Gauge("top_special", f"of the top discard: {which}", _special_face(pack, _top), marks),
        Gauge("taken_special", f"of the card taken: {which}", _special_face(pack, _taken), marks),
    ]


def _distance_gauges(rules: Rules) -> list[Gauge]:
    """How far the hand is from finished, where such hands are declared."""
    meaning = "draws that your hand is short of finished, the next included, at least 1, 2 ..."
    codes = at_least(range(1, FARTHEST + 1))
    helps = "to draw, you would be nearer with the top discard"
    gauges = []
    for move in rules.moves():
        if isinstance(move, GoOut):
            search = Distances(rules, move.declaration)
            gauges.append(Gauge("distance", meaning, search.distance, codes))
            gauges.append(Gauge("top_helps", helps, search.top_helps, _FLAG))
    return gauges


def _each_bit(width: int) -> Codes:
    """Codes that are the bits of the value, the lowest first."""
    return tuple(tuple(value >> bit & 1 for bit in range(width)) for value in range(1 << width))


def _match_gauges(rules: Rules) -> list[Gauge]:
    """Where the match stands; nothing in an episode of a single hand."""
    match, seats = rules.episode, range(rules.num_players)
    if isinstance(match, GamePoints):
        hands, scores = match.max_hands, [*range(1, match.target + 1)]
        meaning = "at least 1, 2 ..."
    elif isinstance(match, ToTarget | OfDeals):
        full, hands = _full_match(match, rules)
        scores, meaning = [share * full for share in SCORE_SHARES], f"steps of a tenth of {full}"
    else:
        return []
    shares = [share * hands for share in TURN_SHARES]
    return [
        *(steps(f"score_{s}", f"points of seat +{s}, {meaning}", _score(s), scores) for s in seats),
        steps("hands", f"hands played, shares of {hands}", lambda v: v.hand_number, shares),
        *(
            Gauge(f"out_{s}", f"seat +{s} sits this hand out", _sits_out(s), _FLAG)
            for s in (seats if match.sends_out else ())
        ),
    ]


def _full_match(match: ToTarget | OfDeals, rules: Rules) -> tuple[int, int]:
    """Points that mostly win a match, and the most hands that it has."""
    if isinstance(match, ToTarget):
        return match.target, match.max_hands
    return round(match.deals * rules.scoring.zero_sum_scale / 2), match.deals


def _size(seat: int) -> Callable[[SeatView], Numbers]:
    return lambda view: view.hand_sizes[:, seat]


def _played(seat: int) -> Callable[[SeatView], Numbers]:
    return lambda view: view.played[:, seat]


def _score(seat: int) -> Callable[[SeatView], Numbers]:
    return lambda view: view.scores[:, seat]


def _sits_out(seat: int) -> Callable[[SeatView], Numbers]:
    return lambda view: view.sits_out[:, seat]


def _known(seat: int) -> Callable[[SeatView], Words]:
    return lambda view: view.known[:, seat]


def _specials(sets: Callable[[SeatView], Words]) -> Callable[[SeatView], Numbers]:
    """The special cards of a set as a number; of equal ones a set has the lowest codes."""
    return lambda view: sets(view)[:, 0] >> _REGULAR_BITS


def _special_face(
    pack: Pack, card: Callable[[SeatView], npt.NDArray[np.uint8]]
) -> Callable[[SeatView], Numbers]:
    """Which special card one is, counted from 1; 0 for another card or none."""
    number = np.zeros(256, np.int8)
    for i, face in enumerate(pack.faces[NUM_REGULAR:], 1):
        number[pack.code(face)] = i
    return lambda view: number.take(card(view))


def _top(view: SeatView) -> npt.NDArray[np.uint8]:
    return view.top


def _taken(view: SeatView) -> npt.NDArray[np.uint8]:
    return view.taken


def _stock(view: SeatView) -> Numbers:
    return view.stock_left


def _turns(view: SeatView) -> Numbers:
    return view.turn_number


def _high_aces(view: SeatView) -> npt.NDArray[Any]:
    return (view.sequenced >> _REGULAR_BITS).astype(np.intp)
