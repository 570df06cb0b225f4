"""The one door through which chance comes into a game, a callback that orders cards; dealing."""

from collections.abc import Callable, Sequence

Shuffle = Callable[[list[str], str], list[str]]


def unshuffled(cards: list[str], why: str) -> list[str]:
    """A shuffle for placed positions that leaves the cards as they lie."""
    del why
    return cards


def shuffled(shuffle: Shuffle, cards: list[str], why: str) -> list[str]:
    """The cards in the order that the callback gives them; fewer than two stay as they are.

    Raises:
        ValueError: If the callback returns other cards than it was given.
    """
    if len(cards) < 2:
        return list(cards)
    order = list(shuffle(list(cards), why))
    if sorted(order) != sorted(cards):
        raise ValueError(f"shuffle for {why!r} returned {order}, no permutation of {cards}")
    return order


def dealt(
    order: Sequence[str], *, num_players: int, hand_size: int, first: int
) -> tuple[list[frozenset[str]], list[str]]:
    """The hand of each seat, and the cards left, next card first.

    Cards are dealt one at a time, clockwise, the seat `first` first.

    Source: rules.md section 2.
    """
    end = num_players * hand_size
    starts = [(seat - first) % num_players for seat in range(num_players)]
    return [frozenset(order[start:end:num_players]) for start in starts], list(order[end:])
