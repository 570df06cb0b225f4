"""One player's turn after the draw: which plays there are, what they do, which of them are legal.

Source: rules.md sections 3 and 4.
"""

from typing import NamedTuple, Protocol

from tests.reference.cards import (
    Cards,
    groups_in,
    is_group,
    neighbours,
    rank_of,
    sequences_in,
    start_of,
)

Action = tuple[str, Cards]


class PlayOptions(Protocol):
    """The options that decide which melds and lay-offs there are; see `TableOptions`."""

    @property
    def ace(self) -> str: ...
    @property
    def lay_off(self) -> bool: ...
    @property
    def melds_per_turn(self) -> int | None: ...
    @property
    def final_discard(self) -> bool: ...


class Position(NamedTuple):
    """All that decides how a turn can go on, once its card has been drawn.

    Attributes:
        hand: The cards that the player to move holds.
        melds: The melds on the table, whoever made them, in the order they were laid down.
        taken: The card taken from the discard pile this turn, or None.
        melds_made: Melds laid down this turn.
    """

    hand: frozenset[str]
    melds: tuple[Cards, ...]
    taken: str | None
    melds_made: int


def legal_actions(position: Position, options: PlayOptions) -> set[Action]:
    """Discards, and those plays after which the turn can still be finished."""
    plays = possible_plays(position, options)
    legal = {play for play in plays if can_finish(after(position, play, options), options)}
    return legal | {("discard", (card,)) for card in discards(position)}


def discards(position: Position) -> list[str]:
    """The cards that may be discarded: all but the one just taken from the discard pile.

    Source: rules.md section 3.
    """
    return [card for card in position.hand if card != position.taken]


def can_finish(position: Position, options: PlayOptions) -> bool:
    """Whether a turn that stands as it does after a play can be finished legally.

    Either the play has emptied the hand, where that is a way of going out, or a card can be
    discarded, or a further play leads to a position that can be finished.

    Source: rules.md section 3 (no dead ends), section 4 (`final_discard`).
    """
    if not position.hand:
        return not options.final_discard
    if discards(position):
        return True
    plays = possible_plays(position, options)
    return any(can_finish(after(position, play, options), options) for play in plays)


def possible_plays(position: Position, options: PlayOptions) -> list[Action]:
    """Melds and lay-offs that the cards allow, dead ends among them.

    Source: rules.md section 4.
    """
    return _possible_melds(position, options) + _possible_lay_offs(position, options)


def _possible_melds(position: Position, options: PlayOptions) -> list[Action]:
    limit = options.melds_per_turn
    if limit is not None and position.melds_made >= limit:
        return []
    groups = groups_in(position.hand)
    sequences = sequences_in(position.hand, options.ace)
    if options.lay_off:  # a longer one is the same as three melded and the rest laid off
        sequences = [sequence for sequence in sequences if len(sequence) == 3]
    melds: list[Action] = [("meld_group", group) for group in groups]
    return melds + [("meld_sequence", sequence) for sequence in sequences]


def _possible_lay_offs(position: Position, options: PlayOptions) -> list[Action]:
    if not options.lay_off:
        return []
    lay_offs: list[Action] = []
    for meld in position.melds:
        if is_group(meld):
            cards = [c for c in position.hand if rank_of(c) == rank_of(meld[0])]
            lay_offs += [("lay_off_group", (card,)) for card in cards]
        else:
            fitting = set(neighbours(meld, options.ace)) & position.hand
            lay_offs += [("lay_off_sequence", (card,)) for card in fitting if card is not None]
    return lay_offs


def after(position: Position, play: Action, options: PlayOptions) -> Position:
    """The position after a possible play."""
    kind, cards = play
    hand = position.hand.difference(cards)
    if kind in ("meld_group", "meld_sequence"):
        melds = (*position.melds, cards)
        return position._replace(hand=hand, melds=melds, melds_made=position.melds_made + 1)
    (card,) = cards
    if kind == "lay_off_group":
        melds = _added_to_group(position.melds, card)
    else:
        melds = _added_to_sequence(position.melds, card, options.ace)
    return position._replace(hand=hand, melds=melds)


def _added_to_group(melds: tuple[Cards, ...], card: str) -> tuple[Cards, ...]:
    """Add a card to the group of its rank (there is room for one such group in a pack)."""
    return tuple(
        tuple(sorted((*meld, card)))  # one rank, and the suits c d h s are in alphabetical order
        if is_group(meld) and rank_of(meld[0]) == rank_of(card)
        else meld
        for meld in melds
    )


def _added_to_sequence(melds: tuple[Cards, ...], card: str, ace: str) -> tuple[Cards, ...]:
    """Add a card to the sequence it fits, to the lower one where it fits two.

    The 6h between 3-4-5 and 7-8-9 continues 3-4-5 upwards; an ace that fits both ends goes
    to the low end.
    """
    fitting = [m for m in melds if not is_group(m) and card in neighbours(m, ace)]
    chosen = min(fitting, key=lambda sequence: start_of(sequence, ace))
    below, _ = neighbours(chosen, ace)
    extended = (card, *chosen) if card == below else (*chosen, card)
    return tuple(extended if meld == chosen else meld for meld in melds)
