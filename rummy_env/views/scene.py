"""The scene of one game, which text and pictures are made from.

A scene is what one seat may know, or all of them together, in names, words and cards. Cards are
written as everywhere else (`"7h"`, `"WILD"`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rummy_env.core.arrays import Words
from rummy_env.core.cards import NO_CARD, Pack
from rummy_env.core.checks import shown
from rummy_env.core.display import Cards, Hand, Spot, Trace
from rummy_env.core.engine import Engine
from rummy_env.core.naming import quantity, seat_names
from rummy_env.core.notation import CUT_OFF, FINISHED
from rummy_env.core.table import table_groups, table_sequences
from rummy_env.core.visibility import SeatView
from rummy_env.views.face_up import ALL, NONE, FaceUp, check_face_up
from rummy_env.views.piles import Pile, discards, notes, stock


@dataclass(frozen=True)
class Seat:
    """One seat of the table.

    Attributes:
        name: Its name.
        role: Further words about it: `"you, dealer"`.
        points: Its score in words.
        hand: Its cards; None where it sits the hand out.
        to_move: True if it is its turn.
        won: True if it has won the finished episode.
    """

    name: str
    role: str
    points: str
    hand: Hand | None
    to_move: bool
    won: bool


@dataclass(frozen=True)
class Scene:
    """One table.

    Attributes:
        headline: The variant, the progress, and the mover with the phase.
        seats: Clockwise; the viewer first if there is one, else seat 0.
        groups: On the table.
        sequences: On the table.
        discards: The discard pile.
        notes: Names and words of what else lies open: the card taken, the upcard, the limit.
        stock: The stock.
        trace: What the last move has left to be seen, its seat one of `seats`; None for nothing.
    """

    headline: str
    seats: tuple[Seat, ...]
    groups: tuple[Cards, ...]
    sequences: tuple[Cards, ...]
    discards: Pile
    notes: tuple[tuple[str, str], ...]
    stock: Pile
    trace: Trace | None = None


def moved_to(scene: Scene, spot: Spot, seat: int | None = None) -> Cards:
    """Return the cards that the last move has brought to a place, or only if this seat made it."""
    if scene.trace is None or scene.trace.end != spot or seat not in (None, scene.trace.seat):
        return ()
    return scene.trace.cards


def seat_views(engine: Engine, row: int = 0) -> list[SeatView]:
    """Return the views of all seats of one game, N = 1 each."""
    return [engine.look(seat, rows=[row]) for seat in range(engine.rules.num_players)]


def scene_of(
    views: Sequence[SeatView],
    face_up: FaceUp = ALL,
    agents: Sequence[str] = (),
    trace: Trace | None = None,
) -> Scene:
    """Return the scene with some hands open; of the others it has what everybody saw.

    Args:
        views: The view of each seat of one game, N = 1, in the order of the seats.
        face_up: `"all"` hands, `"none"`, or the one of a seat, which then comes first.
        agents: The names of the players, by seat; empty where nobody knows them.
        trace: What the last move has left, by the number of its seat.

    Raises:
        ValueError: If there is no such seat, or not one view of one game for each seat in order.
        TypeError: If they are no views.
    """
    _check_seats(views)
    check_face_up(face_up, len(views))
    if face_up == ALL:
        return _scene(views[0], [view.hand[0] for view in views], agents, trace)
    if face_up == NONE:
        return _scene(views[0], [*views[0].known[0]], agents, trace)
    return seat_scene(views[int(face_up)], int(face_up), agents, trace)


def _check_seats(views: object) -> None:
    """Refuse anything but the views of all seats of one game, in order."""
    remedy = "give a list, with the view of each seat of one game in order"
    if not isinstance(views, Sequence) or not all(isinstance(view, SeatView) for view in views):
        raise TypeError(f"views={shown(views)}: {remedy}")
    players = views[0].rules.num_players if views else 0
    if not players or len(views) != players or any(len(view) != 1 for view in views):
        games = ", ".join(str(len(view)) for view in views)
        raise ValueError(f"{len(views)} views, of {games or 'no'} games: {remedy}")
    movers = {(seat + int(view.to_move[0])) % players for seat, view in enumerate(views)}
    if len(movers) > 1:
        raise ValueError(f"the views are not those of all seats in order: {remedy}")


def seat_scene(
    view: SeatView, seat: int, agents: Sequence[str] = (), trace: Trace | None = None
) -> Scene:
    """Return the scene as one seat sees it, from its view, N = 1, and its number at the table."""
    return _scene(view, [view.hand[0], *view.known[0, 1:]], agents, trace, you=seat)


def _scene(
    view: SeatView,
    shown: Sequence[Words],
    agents: Sequence[str],
    trace: Trace | None,
    *,
    you: int | None = None,
) -> Scene:
    """Return the scene of one game, N = 1; `shown`, uint64[W] a hand, begins with the viewer."""
    names = seat_names(view.rules.num_players, agents)
    names = names[you or 0 :] + names[: you or 0]
    seats = (
        Seat(
            name=name,
            role=_role(view, seat, you=you is not None and seat == 0),
            points=quantity(int(view.scores[0, seat]), view.rules.scoring.unit),
            hand=None if view.sits_out[0, seat] else _hand(view, seat, shown[seat]),
            to_move=bool(view.phase[0] >= 0 and seat == view.to_move[0]),
            won=bool(view.winners[0, seat]),
        )
        for seat, name in enumerate(names)
    )
    said = notes(view)
    return Scene(
        headline=_headline(view, names),
        seats=tuple(seats),
        groups=tuple(map(tuple, table_groups(int(view.grouped[0])))),
        sequences=tuple(map(tuple, table_sequences(int(view.sequenced[0]), int(view.starts[0])))),
        discards=discards(view),
        notes=tuple(note for note in said if note[0] != "stock"),
        stock=stock(view, [words for name, words in said if name == "stock"]),
        trace=None if trace is None else _seen_trace(view, trace, you or 0),
    )


def _seen_trace(view: SeatView, trace: Trace, first: int) -> Trace | None:
    """Return the trace, its seat counted from `first`; None once a new hand has been dealt."""
    if view.turn_number[0] == 0 and view.phase[0] == 0:
        return None
    place = (trace.seat - first) % view.rules.num_players
    taken = trace.start == Spot.DISCARDS and view.taken[0] != NO_CARD
    cards = (view.rules.pack.text(int(view.taken[0])),) if taken else trace.cards
    return replace(trace, seat=place, cards=cards)


def _headline(view: SeatView, names: Sequence[str]) -> str:
    where = f"{view.rules.name}, hand {view.hand_number[0] + 1}"
    if view.phase[0] >= 0:
        mover, phase = names[int(view.to_move[0])], view.rules.turn[int(view.phase[0])].name
        return f"{where}, turn {view.turn_number[0] + 1}: {mover} to move ({phase})"
    winners = [name for name, won in zip(names, view.winners[0], strict=True) if won]
    verb = "win" if len(winners) > 1 else "wins"
    how = CUT_OFF if view.truncated[0] else FINISHED
    return f"{where}: {how}, {' and '.join(winners) or 'nobody'} {verb}"


def _role(view: SeatView, seat: int, *, you: bool) -> str:
    words = ["you"] if you else []
    if seat == view.dealer[0]:
        words.append("dealer")
    words += [part.role(view, seat) for part in view.rules.parts]
    return ", ".join(filter(None, words))


def _hand(view: SeatView, seat: int, shown: Words) -> Hand:
    """Return a hand, arranged if a part of the rules arranges it."""
    pack = view.rules.pack
    for part in view.rules.parts:
        if (arranged := part.shown_hand(view, seat, shown)) is not None:
            return replace(arranged, cards=_sorted(pack, arranged.cards))
    cards = _sorted(pack, pack.texts(shown))
    return Hand(cards, int(view.hand_sizes[0, seat]) - len(cards))


def _sorted(pack: Pack, cards: Sequence[str]) -> Cards:
    """Sort cards by suit and rank, special ones last."""
    return tuple(sorted(cards, key=pack.code))
