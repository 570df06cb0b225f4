"""The observation of every game, whatever its parts."""

from collections.abc import Callable, Iterator

import numpy as np

from rummy_env.core.arrays import Array, Int8s
from rummy_env.core.cards import NUM_REGULAR, REGULAR_BITS, Pack
from rummy_env.core.features import (
    Feature,
    Plane,
    Scalar,
    binary,
    of_seat,
    one_hot,
    one_hot_or_none,
    steps,
    thermometer,
)
from rummy_env.core.own import features
from rummy_env.core.rules import Rules
from rummy_env.core.state import CODE_BIT, STOCK_STEPS
from rummy_env.core.visibility import SeatView
from rummy_env.parts.hand_planes import Sets, sets_of_cards
from rummy_env.parts.match import SHARES

STOCK_LEVELS = (1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 28, 32, 40)
MORE_STOCK_LEVELS = (52, 64, 80, 96)
"""Further thresholds where the stock can be that large."""
TAKEN_LEVELS = (1, 2, 3, 4, 6, 8, 12, 16)
GROWTH_LEVELS = (1, 2, 3, 5, 7, 11, 15, 23, 31)
"""Thresholds for cards beyond the dealt hand, where a turn may take several."""


def features_of(rules: Rules) -> Iterator[Feature]:
    """Yield all features of an observation; what several parts tell, once.

    Raises:
        ValueError: If two features with different meanings have the same name.
    """
    found: list[Feature] = [*_planes(rules), *_scalars(rules)]
    for part in rules.parts:
        found += features(part, rules)
    named: dict[str, Feature] = {}
    for feature in found:
        first = named.setdefault(feature.name, feature)
        if (type(first), first.meaning) != (type(feature), feature.meaning):
            raise ValueError(
                f"feature {feature.name!r} is both {first.meaning!r} and {feature.meaning!r}: "
                f"give one of them another name"
            )
    yield from named.values()


def _planes(rules: Rules) -> Iterator[Plane]:
    """Yield the planes for where cards are."""
    yield from sets_of_cards(rules, "hand", "the card is in your hand", lambda v: v.hand.T)
    yield Plane("top", "it is the top discard", lambda v: CODE_BIT[v.top])
    taken = "it was taken from the discard pile in this turn"
    yield Plane("taken", taken, lambda v: CODE_BIT[v.taken])
    if rules.sight.pile_known:
        yield from sets_of_cards(rules, "pile", "it lies in the discard pile", lambda v: v.piled.T)
        if rules.restocking.renews:
            back = "it went back into the stock, not seen by you since"
            yield from sets_of_cards(rules, "recycled", back, lambda v: v.recycled.T)
    for seat in range(1, rules.num_players):
        took = f"seat +{seat} took it from the pile and holds it"
        yield from sets_of_cards(rules, f"known_{seat}", took, _known(seat))


def _known(seat: int) -> Sets:
    """Return the function for the cards a seat, counted from the viewer, is known to hold."""
    return lambda view: view.known.T[:, seat]


def _scalars(rules: Rules) -> Iterator[Scalar]:
    """Yield the scalars for phase, seats, turns and numbers of cards."""
    phases = ", ".join(phase.name for phase in rules.turn)
    seats = one_hot(rules.num_players)
    turns = [share * rules.max_turns for share in SHARES]
    marks = one_hot_or_none(len(rules.turn))
    yield Scalar("phase", f"{phases}; none when finished", lambda v: v.phase + 1, marks)
    yield Scalar("to_move", "whose turn it is, from you", lambda v: v.to_move, seats)
    yield Scalar("dealer", "who dealt, from you", lambda v: v.dealer, seats)
    yield from _sizes(rules)
    yield _stock(rules)
    meaning = f"turns, at least {SHARES} of max_turns"
    yield steps("turns", meaning, lambda v: v.turn_number, turns)
    yield from _specials(rules)


def _sizes(rules: Rules) -> Iterator[Scalar]:
    """Yield the scalars for hand sizes, and for cards taken where a turn may take several."""
    levels, meaning = [*range(1, rules.hand_size + 2)], "at least 1, 2 ..."
    if rules.takes_several:
        levels += [rules.hand_size + 1 + more for more in GROWTH_LEVELS]
        meaning = f"at least 1 to {rules.hand_size + 1} and {GROWTH_LEVELS} more"
    for seat in range(rules.num_players):
        held = f"cards of seat +{seat}, {meaning}"
        yield Scalar(f"size_{seat}", held, of_seat("hand_sizes", seat), thermometer(levels))
    if rules.takes_several:
        taken = f"discards taken in this turn, at least {TAKEN_LEVELS}"
        yield Scalar("taken_count", taken, lambda v: v.taken_count, thermometer(TAKEN_LEVELS))


def _stock(rules: Rules) -> Scalar:
    """Return the scalar for the size of the stock, as exactly as players may know it."""
    if not rules.sight.stock_counted:
        meaning = f"cards in the stock at a glance, at least {STOCK_STEPS}"
        codes = thermometer(range(1, len(STOCK_STEPS) + 1))
        return Scalar("stock", meaning, lambda v: v.stock_estimate, codes)
    most = rules.pack.num_cards - rules.num_players * rules.hand_size
    levels = (*STOCK_LEVELS, *(level for level in MORE_STOCK_LEVELS if level <= most))
    meaning = f"cards in the stock, at least {levels}"
    return Scalar("stock", meaning, lambda v: v.stock_left, thermometer(levels))


def _specials(rules: Rules) -> Iterator[Scalar]:
    """Yield the scalars for where the special cards are; none in a pack of regular cards."""
    pack = rules.pack
    if not pack.specials:
        return
    places: list[tuple[str, str, Sets]] = [("hand", "in your hand", lambda v: v.hand.T)]
    for seat in range(rules.num_players):
        places.append((f"known_{seat}", f"that seat +{seat} is known to hold", _known(seat)))
    if rules.sight.pile_known:
        places.append(("pile", "in the discard pile", lambda v: v.piled.T))
        if rules.restocking.renews:
            places.append(("recycled", "back in the stock, as `recycled`", lambda v: v.recycled.T))
    names, each = ", ".join(pack.specials), binary(len(pack.specials))
    for name, where, sets in places:
        meaning = f"special cards {where}: {names}"
        yield Scalar(f"{name}_special", meaning, _special_set(sets), each)
    faces = pack.distinct_cards[NUM_REGULAR:]
    which, marks = f"which special card it is: {', '.join(faces)}", one_hot_or_none(len(faces))
    yield Scalar("top_special", f"of the top discard: {which}", _face(pack, "top"), marks)
    yield Scalar("taken_special", f"of the card taken: {which}", _face(pack, "taken"), marks)


def _special_set(sets: Sets) -> Callable[[SeatView], Array]:
    """Return the function that numbers a set's special cards; of equal ones, it has the lowest."""
    return lambda view: sets(view)[0] >> REGULAR_BITS


def _face(pack: Pack, card: str) -> Callable[[SeatView], Int8s]:
    """Return the function that numbers a view's special card, from 1; 0 for any other or none."""
    number = np.zeros(256, np.int8)
    for i, face in enumerate(pack.distinct_cards[NUM_REGULAR:], 1):
        number[pack.code(face)] = i
    return lambda view: number[getattr(view, card)]
