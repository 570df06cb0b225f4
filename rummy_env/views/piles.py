"""The piles in the middle of the table, and the notes beside them."""

from collections.abc import Sequence
from dataclasses import dataclass

from rummy_env.core.cards import NO_CARD
from rummy_env.core.display import Cards, Note
from rummy_env.core.naming import card_name, quantity
from rummy_env.core.state import STOCK_STEPS
from rummy_env.core.visibility import SeatView


@dataclass(frozen=True)
class Pile:
    """The discard pile or the stock.

    Attributes:
        words: Its open information in words.
        about: The same without its open cards.
        cards: Its cards that lie open: the last is the top discard, the only one the next of stock.
        below: The number of cards under them that can be counted.
        spread: True if its cards, where there are any, are laid out one by one.
    """

    words: str
    about: str
    cards: Cards = ()
    below: int = 0
    spread: bool = False


def discards(view: SeatView) -> Pile:
    """Return the discard pile of one game, N = 1, as far as the viewer sees it."""
    text = view.rules.pack.text
    cards = tuple(text(code) for code in view.pile[0].tolist() if code != NO_CARD)
    if not cards:
        return Pile("none", "none", spread=view.rules.sight.pile_spread)
    if view.rules.sight.pile_spread:
        return Pile(f"{' '.join(map(card_name, cards))} (top)", "", cards, spread=True)
    top, below = card_name(cards[-1]), len(cards) - 1
    if not view.rules.sight.pile_known:
        return Pile(f"{top} on a covered pile", "on a covered pile", cards[-1:])
    about = f"{below} below" if below else ""
    return Pile(f"{top}, {about}" if about else top, about, cards[-1:], below)


def notes(view: SeatView) -> list[Note]:
    """Return the card taken and the notes of the parts of the rules, for one game, N = 1.

    A note under the name "stock" is added to the words of the stock.
    """
    said = [("taken", _taken(view))] if view.taken[0] != NO_CARD else []
    return said + [note for part in view.rules.parts for note in part.notes(view)]


def _taken(view: SeatView) -> str:
    above = int(view.taken_count[0]) - 1
    card = card_name(view.rules.pack.text(int(view.taken[0])))
    return f"{card}{f' and {above} more' if above > 0 else ''} from the discards"


def stock(view: SeatView, said: Sequence[str]) -> Pile:
    """Return the stock of one game, N = 1, as exactly as players may know it, with notes."""
    if not view.rules.sight.stock_counted:
        return _estimate(int(view.stock_estimate[0]))
    left = int(view.stock_left[0])
    words = ", ".join([quantity(left, "card"), *said])
    if view.stock[0, 0] == NO_CARD:
        return Pile(words, words, below=left)
    coming = view.rules.pack.text(int(view.stock[0, 0]))
    words = f"{words}, turned over"
    return Pile(f"{words}: {card_name(coming)} is next", words, (coming,), left - 1)


def _estimate(step: int) -> Pile:
    """`"5 to 9 cards"`, for how many of `STOCK_STEPS` are reached; the fewest lie there."""
    if step == 0:
        return Pile("empty", "empty")
    fewest = STOCK_STEPS[step - 1]
    reached_all = step == len(STOCK_STEPS)
    most = "cards or more" if reached_all else f"to {STOCK_STEPS[step] - 1} cards"
    return Pile(f"{fewest} {most}", f"{fewest} {most}", below=fewest)
