"""The table as text, as one seat sees it or with all hands open.

basic, hand 1, turn 9: player_1 to move (play)

> player_1  you        0 points  2♣ 3♣  10♥ K♥
  player_0  dealer     0 points  3♦ 9♦ + 6 hidden

  groups     [7♣ 7♦ 7♥]
  sequences  [4♠ 5♠ 6♠ 7♠]
  discards   Q♦, 2 below
  stock      28 cards

Agents are named beside their seats if they are known: `player_1 (greedy)`. A hand that went out is
shown as the melds that it falls into, and the card left over:

  player_0  you     1 game point  [9♣ 9♦ 9♠] [5♥ 6♥ WILD]  K♦

So is an open hand of gin, and both after a knock, with what was laid off:

  player_0  knocked  38 points  [7♣ 7♦ 7♥] [10♣ J♣ Q♣] [4♠ 5♠ 6♠]  3♦  (3 deadwood)
  player_1  dealer    0 points  6♣  A♦ 2♦ 8♦ J♦  4♥ Q♥  (41 deadwood)  laid off 3♠ 7♠ 9♣
"""

from collections.abc import Iterable, Sequence
from itertools import groupby

from rummy_env.core.display import Hand
from rummy_env.core.naming import SIGNS, card_name
from rummy_env.core.visibility import SeatView
from rummy_env.views.scene import Scene, scene_of, seat_scene


def seat_text(view: SeatView, seat: int, agents: Sequence[str] = ()) -> str:
    """Return the table as one seat sees it, from its view, N = 1, and its number at the table.

    Of the other hands it shows the cards that everybody saw them take, and counts the rest. The
    seat itself comes before the others; there is no newline at the end.
    """
    return scene_text(seat_scene(view, seat, agents))


def open_text(views: Sequence[SeatView], agents: Sequence[str] = ()) -> str:
    """Return the table with all hands open, from the views of all seats in order, N = 1."""
    return scene_text(scene_of(views, agents=agents))


def scene_text(scene: Scene) -> str:
    """Return headline, seats and middle of the table, without a newline at the end."""
    widest = max(len(seat.points) for seat in scene.seats)
    seats = _columns(
        (
            f"{'>' if seat.to_move else ' '} {seat.name}",
            seat.role,
            seat.points.rjust(widest),
            "sits this hand out" if seat.hand is None else _hand(seat.hand),
        )
        for seat in scene.seats
    )
    entries = [
        ("groups", _melds(scene.groups)),
        ("sequences", _melds(scene.sequences)),
        ("discards", scene.discards.words),
        *scene.notes,
        ("stock", scene.stock.words),
    ]
    middle = _columns((f"  {name}", what) for name, what in entries if what)
    return "\n".join([scene.headline, "", *seats, "", *middle])


def _hand(hand: Hand) -> str:
    """Return one hand: the cards to show, and how many more there are."""
    hidden = [f"{hand.hidden} hidden"] if hand.hidden else []
    cards = " + ".join(filter(None, [_cards(hand.cards), *hidden]))
    parts = [
        _melds(hand.melds),
        cards or ("" if hand.melds else "no cards"),
        "" if hand.deadwood is None else f"({hand.deadwood} deadwood)",
        f"laid off {' '.join(map(card_name, hand.laid_off))}" if hand.laid_off else "",
    ]
    return "  ".join(filter(None, parts))


def _melds(cards: Iterable[Sequence[str]]) -> str:
    return " ".join(f"[{' '.join(map(card_name, meld))}]" for meld in cards)


def _cards(cards: Iterable[str]) -> str:
    """Return sorted cards, with a wider gap between suits and before names."""
    parts = groupby(cards, lambda card: card[1:] if card[1:] in SIGNS else card)
    return "  ".join(" ".join(map(card_name, alike)) for _, alike in parts)


def _columns(rows: Iterable[Sequence[str]]) -> list[str]:
    """Return lines in which every column but the last is as wide as its widest entry."""
    table = list(rows)
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in table
    ]
