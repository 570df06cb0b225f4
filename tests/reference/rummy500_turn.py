"""One turn of `rummy500`: what may be taken from the pile, and what may be done with it.

Source: rules.md sections 3, 4 and 9.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from tests.reference import turn
from tests.reference.cards import Cards, rank_of, suit_of
from tests.reference.rummy500_options import Rummy500Options
from tests.reference.turn import Action, Position


class Standing(NamedTuple):
    """All that decides how a turn can go on, once its cards have been drawn.

    Attributes:
        position: The hand, the melds on the table, and the deepest card taken from the pile.
        must_use: The card that has still to be melded or laid off in this turn, or None.
    """

    position: Position
    must_use: str | None


def after_drawing(hand: frozenset[str], melds: tuple[Cards, ...], card: str) -> Standing:
    """How a turn stands after a card from the stock."""
    return Standing(Position(hand | {card}, melds, taken=None, melds_made=0), must_use=None)


def after_taking(
    hand: frozenset[str],
    melds: tuple[Cards, ...],
    pile: Sequence[str],
    card: str,
    options: Rummy500Options,
) -> Standing:
    """How a turn stands after a card of the pile has been taken, and all above it.

    The deepest card taken must be used; with `free_top` the top one taken alone need not.

    Source: rules.md section 9.
    """
    taken = list(pile)[list(pile).index(card) :]
    position = Position(hand.union(taken), melds, taken=card, melds_made=0)
    free = options.free_top and len(taken) == 1
    return Standing(position, must_use=None if free else card)


def takes(
    hand: frozenset[str], melds: tuple[Cards, ...], pile: Sequence[str], options: Rummy500Options
) -> set[Action]:
    """The cards of the pile that may be taken: those after which the turn can be finished.

    Source: rules.md section 9.
    """
    return {
        ("take_pile", (card,))
        for card in pile
        if can_finish(after_taking(hand, melds, pile, card, options), options)
    }


def legal_actions(standing: Standing, options: Rummy500Options) -> set[Action]:
    """Discards, and those plays after which the turn can still be finished."""
    plays = turn.possible_plays(standing.position, options)
    legal = {play for play in plays if can_finish(after(standing, play, options), options)}
    return legal | {("discard", (card,)) for card in discards(standing)}


def discards(standing: Standing) -> list[str]:
    """The cards that may be discarded: none before the card that must be used has been used.

    Otherwise all but the top card that has been taken alone. Of several taken, those above the
    deepest may be discarded.

    Source: rules.md sections 3 and 9.
    """
    return [] if standing.must_use else turn.discards(standing.position)


def after(standing: Standing, play: Action, options: Rummy500Options) -> Standing:
    """How a turn stands after a possible play."""
    position = turn.after(standing.position, play, options)
    unused = standing.must_use in position.hand
    return Standing(position, must_use=standing.must_use if unused else None)


@lru_cache(maxsize=1 << 16)
def can_finish(standing: Standing, options: Rummy500Options) -> bool:
    """Whether a turn that stands like this can be finished by some sequence of plays.

    Either the hand is empty, where that is a way of going out, or a card can be discarded, or a
    further play leads to where the turn can be finished. All plays on the way are legal then,
    because after each of them the rest of the way is left.

    Source: rules.md section 3 (no dead ends), section 4 (`final_discard`), section 9.
    """
    if not standing.position.hand:
        return not options.final_discard
    if discards(standing):
        return True
    plays = plays_that_matter(standing, options)
    return any(can_finish(after(standing, play, options), options) for play in plays)


def plays_that_matter(standing: Standing, options: Rummy500Options) -> list[Action]:
    """The plays that need to be tried where nothing can be discarded.

    If a card must be used, these are groups of its rank and sequences of its suit, and lay-offs
    on such: in no other meld can it come to lie. All other plays can be left out of a sequence of
    plays that uses it. They make or change groups of other ranks and sequences of other suits
    alone, so the melds that the plays left in add to are the same without them, and no card is
    missing from the hand: it only holds more. So each play left in is still possible, the card
    is used as before, and if a card was left to discard at the end, one still is. So the turn
    can be finished with the plays that matter if it can be finished at all.

    If no card must be used, the hand is the one card that may not be discarded: all its plays.
    """
    plays = turn.possible_plays(standing.position, options)
    card = standing.must_use
    if card is None:
        return plays
    return [(kind, cards) for kind, cards in plays if _same_kind(kind, cards[0], card)]


def _same_kind(kind: str, played: str, card: str) -> bool:
    if kind in ("meld_group", "lay_off_group"):
        return rank_of(played) == rank_of(card)
    return suit_of(played) == suit_of(card)
