"""The table as text, as one seat sees it or with all hands open.

    basic, hand 1, turn 9: player_1 to move (play)

      player_0 dealer   0 points   3♣   9♦ J♦ + 5 hidden
    > player_1 you      0 points   2♣ 3♣   10♥ K♥

    groups      [7♣ 7♦ 7♥]
    sequences   [4♠ 5♠ 6♠ 7♠]
    discards    Q♦ on top of 2 others
    stock       28 cards
"""

from collections.abc import Iterable, Sequence
from itertools import groupby

from rummy_env.core.bits import Words, positions
from rummy_env.core.cards import NO_CARD, NUM_RANKS, NUM_REGULAR, SUITS, Pack
from rummy_env.core.notation import table_groups, table_sequences
from rummy_env.core.visibility import SeatView

_SIGNS = dict(zip(SUITS, "♣♦♥♠", strict=True))


def seat_text(view: SeatView, seat: int) -> str:
    """The table as one seat sees it.

    Of the other hands it shows the cards that everybody saw them take, and counts the rest.

    Args:
        view: What the seat knows of one game, N = 1.
        seat: The number of that seat at the table.

    Returns:
        Lines, without a newline at the end.
    """
    return _table(view, seat, [view.hand[0], *view.known[0, 1:]], you=seat)


def open_text(views: SeatView) -> str:
    """The table with all hands open, for those who watch.

    Args:
        views: What every seat knows of one game, N = P, in the order of the seats.

    Returns:
        Lines, without a newline at the end.
    """
    return _table(views, 0, list(views.hand), you=None)


def player_name(seat: int) -> str:
    """What a seat is called, in texts and as an agent: `"player_0"`."""
    return f"player_{seat}"


def _table(view: SeatView, viewer: int, shown: Sequence[Words], you: int | None) -> str:
    """Headline, seats and the middle of the table, of the first game among the views.

    Args:
        view: What a seat knows.
        viewer: The number of that seat at the table.
        shown: The cards to show of every hand, uint64[W] each, counted from the viewer.
        you: The seat that is addressed.
    """
    players = view.rules.num_players
    places = [(seat - viewer) % players for seat in range(players)]
    notes = {int(view.dealer[0] + viewer) % players: " dealer"}
    if you is not None:
        notes[you] = notes.get(you, "") + " you"
    labels = [player_name(seat) + notes.get(seat, "") for seat in range(players)]
    points = [_count(int(view.scores[0, place]), "point") for place in places]
    hands = [_hand(view, place, shown[place]) for place in places]
    seats = zip(_marks(view, places), _aligned(labels), _aligned(points), hands, strict=True)
    lines = [_headline(view, viewer), ""]
    lines += [f"{mark} {label}   {score}   {hand}" for mark, label, score, hand in seats]
    lines += ["", *_middle(view)]
    return "\n".join(lines)
