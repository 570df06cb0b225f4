"""The piles in the middle of the table, and what is said beside them."""

from dataclasses import dataclass

from rummy_env.core.cards import NO_CARD
from rummy_env.core.visibility import STOCK_STEPS, SeatView
from rummy_env.parts.drawing import TakePile
from rummy_env.parts.knocking import WALL, AtFirstUpcard, GinPoints
from rummy_env.views.naming import card_name, counted

Cards = tuple[str, ...]


@dataclass(frozen=True)
class Pile:
    """The discard pile or the stock.

    Attributes:
        words: What is known of it, in words.
        about: The same without its open cards.
        cards: Its cards that lie open: the last is the top discard, the only one the next of stock.
        below: How many of the cards under them can be counted.
        spread: Whether it is laid out card by card.
    """

    words: str
    about: str
    cards: Cards = ()
    below: int = 0
    spread: bool = False


def discards(view: SeatView) -> Pile:
    """The discard pile of one game, N = 1, as far as the viewer sees it."""
    text = view.rules.pack.text
    cards = tuple(text(code) for code in view.pile[0].tolist() if code != NO_CARD)
    if not cards:
        return Pile("none", "none")
    if any(isinstance(move, TakePile) for move in view.rules.moves()):
        return Pile(f"{' '.join(map(card_name, cards))} (top)", "", cards, spread=True)
    top, below = card_name(cards[-1]), len(cards) - 1
    if not view.rules.sight.pile_known:
        return Pile(f"{top} on a covered pile", "on a covered pile", cards[-1:])
    about = f"{below} below" if below else ""
    return Pile(f"{top}, {about}" if about else top, about, cards[-1:], below)


def notes(view: SeatView) -> tuple[tuple[str, str], ...]:
    """The card taken, the upcard and the limit of one game, N = 1: names and words."""
    found = (("taken", _taken(view)), ("upcard", _upcard(view)), ("limit", _limit(view)))
    return tuple((name, words) for name, words in found if words)


def _taken(view: SeatView) -> str:
    if view.taken[0] == NO_CARD:
        return ""
    above = int(view.taken_count[0]) - 1
    card = _code_name(view, int(view.taken[0]))
    return f"{card}{f' and {above} above it' if above > 0 else ''} from the discards"


def _upcard(view: SeatView) -> str:
    """The card that the deal turned up, while it is offered to one after the other."""
    phase = int(view.phase[0])
    if phase < 0 or not isinstance(view.rules.turn[phase].when, AtFirstUpcard):
        return ""
    refused = ", refused once" if view.passes[0] else ""
    return f"{_code_name(view, int(view.upcard[0]))} to take or refuse{refused}"


def _limit(view: SeatView) -> str:
    """How much deadwood a knock may leave, where the upcard decides that."""
    scoring = view.rules.scoring
    if not (isinstance(scoring, GinPoints) and scoring.limit.oklahoma):
        return ""
    most, card = int(scoring.limit.of(view.upcard)[0]), _code_name(view, int(view.upcard[0]))
    return f"{counted(most, 'point')}, by the upcard {card}"


def stock(view: SeatView) -> Pile:
    """The stock of one game, N = 1: as many cards as the players may know of."""
    if not view.rules.sight.stock_counted:
        return _estimate(int(view.stock_estimate[0]))
    left = int(view.stock_left[0])
    words = counted(left, "card")
    if isinstance(view.rules.scoring, GinPoints) and left <= WALL:
        words = f"{words}, the wall"
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


def _code_name(view: SeatView, code: int) -> str:
    return card_name(view.rules.pack.text(code))
