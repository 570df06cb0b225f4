"""The table as text, as one seat sees it or with all hands open.

basic, hand 1, turn 9: player_1 to move (play)

> player_1  you        0 points  2♣ 3♣  10♥ K♥
  player_0  dealer     0 points  3♦ 9♦ + 6 hidden

  groups     [7♣ 7♦ 7♥]
  sequences  [4♠ 5♠ 6♠ 7♠]
  discards   Q♦, 2 below
  stock      28 cards

A hand that went out is shown as the melds that it falls into, and the card left over:

  player_0  you     1 game point  [9♣ 9♦ 9♠] [5♥ 6♥ WILD]  K♦

So are both hands after a knock in gin, with what was laid off:

  player_0  knocked  38 points  [7♣ 7♦ 7♥] [10♣ J♣ Q♣] [4♠ 5♠ 6♠]  3♦  (3 deadwood)
  player_1  dealer    0 points  6♣  A♦ 2♦ 8♦ J♦  4♥ Q♥  (41 deadwood)  laid off 3♠ 7♠ 9♣
"""

from collections.abc import Iterable, Sequence
from itertools import groupby

from rummy_env import melds
from rummy_env.core.bits import Words, positions
from rummy_env.core.cards import NO_CARD, NUM_RANKS, NUM_REGULAR, SUITS, Pack
from rummy_env.core.declaring import CANT_GO_OUT, NO_MELD
from rummy_env.core.notation import FINISHED, table_groups, table_sequences
from rummy_env.core.visibility import STOCK_STEPS, SeatView
from rummy_env.parts.declaring import GoOut, WinsCounted
from rummy_env.parts.drawing import TakePile
from rummy_env.parts.knocking import BIG_GIN, GIN, KNOCK, WALL, AtFirstUpcard, GinPoints
from rummy_env.views.final_hands import FinalHand, final_hand

CUT_OFF = "cut off"
"""What a headline calls a game that has ended without a decision."""

_SIGNS = dict(zip(SUITS, "♣♦♥♠", strict=True))
_CLAIMS = {KNOCK: "knocked", GIN: "gin", BIG_GIN: "big gin"}
_NAMES = {NO_MELD: "NO MELD", CANT_GO_OUT: "CAN'T GO OUT"}


def player_name(seat: int) -> str:
    """What a seat is called: `"player_0"`."""
    return f"player_{seat}"


def seat_text(view: SeatView, seat: int) -> str:
    """The table as one seat sees it.

    Of the other hands it shows the cards that everybody saw them take, and counts the rest.

    Args:
        view: What the seat knows of one game, N = 1.
        seat: The number of that seat at the table.

    Returns:
        Lines, the seat itself before the others, without a newline at the end.
    """
    return _table(view, seat, [view.hand[0], *view.known[0, 1:]], you=True)


def open_text(views: Sequence[SeatView]) -> str:
    """The table with all hands open, for those who watch.

    Args:
        views: What each seat knows of one game, N = 1, in the order of the seats.

    Returns:
        Lines, without a newline at the end.
    """
    return _table(views[0], 0, [view.hand[0] for view in views], you=False)


def _table(view: SeatView, viewer: int, shown: Sequence[Words], *, you: bool) -> str:
    """Headline, seats and middle of the table.

    Args:
        view: What a seat knows of one game, N = 1.
        viewer: The number of that seat at the table.
        shown: The cards to show of every hand, uint64[W] each, counted from the viewer.
        you: Whether the viewer is spoken to.
    """
    players = view.rules.num_players
    names = [player_name((viewer + place) % players) for place in range(players)]
    unit = "game point" if isinstance(view.rules.scoring, WinsCounted) else "point"
    points = [_count(int(score), unit) for score in view.scores[0]]
    on_turn = None if view.phase[0] < 0 else int(view.to_move[0])
    seats = _columns(
        (
            f"{'>' if place == on_turn else ' '} {name}",
            _role(view, place, you=you and place == 0),
            points[place].rjust(max(map(len, points))),
            _hand(view, place, shown[place]),
        )
        for place, name in enumerate(names)
    )
    middle = _columns((f"  {name}", what) for name, what in _middle(view))
    return "\n".join([_headline(view, names), "", *seats, "", *middle])


def _headline(view: SeatView, names: Sequence[str]) -> str:
    """What is played, how far it is, and who has to do what."""
    where = f"{view.rules.name}, hand {view.hand_number[0] + 1}"
    if view.phase[0] >= 0:
        mover, phase = names[int(view.to_move[0])], view.rules.turn[int(view.phase[0])].name
        return f"{where}, turn {view.turn_number[0] + 1}: {mover} to move ({phase})"
    winners = [name for name, won in zip(names, view.winners[0], strict=True) if won]
    verb = "win" if len(winners) > 1 else "wins"
    how = CUT_OFF if view.truncated[0] else FINISHED
    return f"{where}: {how}, {' and '.join(winners) or 'nobody'} {verb}"


def _role(view: SeatView, place: int, *, you: bool) -> str:
    """What there is to say of a seat besides its name."""
    words = ["you"] if you else []
    if place == view.dealer[0]:
        words.append("dealer")
    if isinstance(view.rules.scoring, GinPoints) and place == view.claimant[0]:
        words.append(_CLAIMS[int(view.claim[0])])
    return ", ".join(words)


def _hand(view: SeatView, place: int, shown: Words) -> str:
    """One hand: the cards to show, and how many more there are."""
    if view.sits_out[0, place]:
        return "sits this hand out"
    if (declared := _declared(view, place)) is not None:
        return "  ".join(filter(None, [_melds(declared.melds), *map(_card, declared.left)]))
    if (final := final_hand(view, place)) is not None:
        return _final(final, view.rules.pack)
    bits = [bit for word in shown for bit in positions(int(word))]
    hidden = int(view.hand_sizes[0, place]) - len(bits)
    parts = [_cards(view.rules.pack, bits)] if bits else []
    cards = " + ".join([*parts, f"{hidden} hidden"] if hidden else parts) or "no cards"
    if isinstance(view.rules.scoring, GinPoints) and not hidden:
        return f"{cards}  ({melds.deadwood(shown, view.rules)[0]} deadwood)"
    return cards


def _final(hand: FinalHand, pack: Pack) -> str:
    """A hand arranged after a knock."""
    left = _cards(pack, map(pack.code, hand.left))
    laid_off = f"laid off {' '.join(map(_card, hand.laid_off))}" if hand.laid_off else ""
    parts = [_melds(hand.melds), left, f"({hand.deadwood} deadwood)", laid_off]
    return "  ".join(filter(None, parts))


def _declared(view: SeatView, place: int) -> melds.Arrangement | None:
    """How the hand of the seat that ended the game by going out falls into melds."""
    goes_out = any(isinstance(move, GoOut) for move in view.rules.moves())
    known = view.known[0, place]
    open_hand = sum(int(word).bit_count() for word in known) == view.hand_sizes[0, place]
    if view.phase[0] >= 0 or place != view.to_move[0] or not (goes_out and open_hand):
        return None
    return melds.arrange(known, view.rules)


def _middle(view: SeatView) -> list[tuple[str, str]]:
    """Melds, discards and stock, each with its name."""
    grouped, sequenced = int(view.grouped[0]), int(view.sequenced[0])
    lines = [
        ("groups", _melds(table_groups(grouped))),
        ("sequences", _melds(table_sequences(sequenced, int(view.starts[0])))),
        ("discards", _discards(view)),
        ("taken", _taken(view)),
        ("upcard", _upcard(view)),
        ("limit", _limit(view)),
        ("stock", _stock(view)),
    ]
    return [(name, what) for name, what in lines if what]


def _discards(view: SeatView) -> str:
    pack, pile = view.rules.pack, [code for code in view.pile[0].tolist() if code != NO_CARD]
    if not pile:
        return "none"
    if any(isinstance(move, TakePile) for move in view.rules.moves()):
        return f"{' '.join(_code(pack, code) for code in pile)} (top)"
    top = _code(pack, pile[-1])
    if not view.rules.sight.pile_known:
        return f"{top} on a covered pile"
    return f"{top}, {len(pile) - 1} below" if len(pile) > 1 else top


def _taken(view: SeatView) -> str:
    if view.taken[0] == NO_CARD:
        return ""
    above = int(view.taken_count[0]) - 1
    card = _code(view.rules.pack, int(view.taken[0]))
    return f"{card}{f' and {above} above it' if above > 0 else ''} from the discards"


def _upcard(view: SeatView) -> str:
    """The card that the deal turned up, while it is offered to one after the other."""
    phase = int(view.phase[0])
    if phase < 0 or not isinstance(view.rules.turn[phase].when, AtFirstUpcard):
        return ""
    refused = ", refused once" if view.passes[0] else ""
    return f"{_code(view.rules.pack, int(view.upcard[0]))} to take or refuse{refused}"


def _limit(view: SeatView) -> str:
    """How much deadwood a knock may leave, where the upcard decides that."""
    scoring = view.rules.scoring
    if not (isinstance(scoring, GinPoints) and scoring.limit.oklahoma):
        return ""
    most, card = int(scoring.limit.of(view.upcard)[0]), _code(view.rules.pack, int(view.upcard[0]))
    return f"{_count(most, 'point')}, by the upcard {card}"


def _stock(view: SeatView) -> str:
    """As many cards as the players may know of."""
    if not view.rules.sight.stock_counted:
        return _estimate(int(view.stock_estimate[0]))
    left = _count(int(view.stock_left[0]), "card")
    if isinstance(view.rules.scoring, GinPoints) and view.stock_left[0] <= WALL:
        return f"{left}, the wall"
    if view.stock[0, 0] == NO_CARD:
        return left
    return f"{left}, turned over: {_code(view.rules.pack, int(view.stock[0, 0]))} is next"


def _estimate(step: int) -> str:
    """`"5 to 9 cards"`, for how many of `STOCK_STEPS` are reached."""
    if step == 0:
        return "empty"
    fewest = STOCK_STEPS[step - 1]
    if step == len(STOCK_STEPS):
        return f"{fewest} cards or more"
    return f"{fewest} to {STOCK_STEPS[step] - 1} cards"


def _melds(cards: Iterable[Sequence[str]]) -> str:
    return " ".join(f"[{' '.join(map(_card, meld))}]" for meld in cards)


def _cards(pack: Pack, bits: Iterable[int]) -> str:
    """Cards by suit and rank, special ones last, a wider gap between suits and before names."""

    def part(bit: int) -> int | str:
        return bit // NUM_RANKS if bit < NUM_REGULAR else pack.text(bit)

    parts = groupby(sorted(bits), part)
    return "  ".join(" ".join(_code(pack, bit) for bit in alike) for _, alike in parts)


def _code(pack: Pack, code: int) -> str:
    return _card(pack.text(code))


def _card(text: str) -> str:
    """`"10♥"` for `"Th"`, `"NO MELD"` for `"NO_MELD"`."""
    if text[1:] not in _SIGNS:
        return _NAMES.get(text, text)
    return text[0].replace("T", "10") + _SIGNS[text[1:]]


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _columns(rows: Iterable[Sequence[str]]) -> list[str]:
    """Lines in which every column but the last is as wide as its widest entry."""
    table = list(rows)
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in table
    ]
