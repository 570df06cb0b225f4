"""Analysis of hands: whether they are finished, their melds, MinDist, and deadwood.

    >>> from rummy_env import melds
    >>> rules = melds.Declaration(melds.Pack(specials=("WILD",) * 3))
    >>> hand = ["5h", "6h", "WILD", "9c", "9d", "9s", "Kd"]
    >>> melds.can_go_out([hand], rules)
    array([ True])
    >>> melds.arrange(hand, rules)
    Arrangement(melds=[['9c', '9d', '9s'], ['5h', '6h', 'WILD']], left=['Kd'])
    >>> melds.distance([["5h", "6h", "9c", "9d", "Ks", "2c"]], rules)
    array([2], dtype=int8)

Hands are given as lists of cards as text, or as `uint64[N, W]` like in the core (`core/cards.py`).
"""

from collections.abc import Collection, Sequence

import numpy as np

from rummy_env.core.arrays import Bools, Int8s, Int16s, Words
from rummy_env.core.cards import Pack
from rummy_env.core.checks import shown
from rummy_env.core.rules import Rules
from rummy_env.melds import min_dist
from rummy_env.melds.deadwood import MOST_CARDS
from rummy_env.melds.deadwood import deadwood as least_deadwood
from rummy_env.melds.declaration import Declaration, arrangement
from rummy_env.melds.declaration.arrangement import Arrangement
from rummy_env.melds.min_dist import LARGEST_HAND, UNREACHABLE

__all__ = [
    "LARGEST_HAND",
    "UNREACHABLE",
    "Arrangement",
    "Declaration",
    "Pack",
    "arrange",
    "can_go_out",
    "deadwood",
    "declaration_of",
    "distance",
]

Hand = Sequence[str] | Words
HandsGiven = Sequence[Sequence[str]] | Words


def can_go_out(hands: HandsGiven, rules: Rules | Declaration) -> Bools:
    """Check which hands are finished: every card is in a meld, except one that may be left over.

    Args:
        hands: N hands of any size.
        rules: The rules of a variant in which hands are declared, or a `Declaration`.

    Returns:
        bool[N].

    Raises:
        ValueError: If a card is not in the pack, or occurs more often than in the pack, or if
            hands are not declared under these rules.

    Source: docs/rules/going_out.md#a-finished-hand
    """
    declaration = declaration_of(rules)
    return declaration.can_go_out(_encode(hands, declaration.pack))


def arrange(hand: Hand, rules: Rules | Declaration) -> Arrangement | None:
    """Divide a finished hand into melds, in one of the possible ways.

    Args:
        hand: One hand of any size, a list of cards or uint64[W].
        rules: As for `can_go_out`.

    Returns:
        The melds, with stand-ins at the positions they fill, and the card left over, if any; None
        if the hand is not finished.

    Raises:
        ValueError: As for `can_go_out`.
    """
    declaration = declaration_of(rules)
    one = hand[None] if isinstance(hand, np.ndarray) else [hand]
    return arrangement.arrange(declaration, _encode(one, declaration.pack)[0])


def distance(hands: HandsGiven, rules: Rules | Declaration) -> Int8s:
    """Return the minimum number of cards that must be exchanged to finish each hand (MinDist).

    Cards are exchanged for as many other cards of the pack, no matter who holds them now, so the
    hand keeps its size. NO_MELD and CANT_GO_OUT cannot be discarded: NO_MELD becomes the card left
    over, and a hand with CANT_GO_OUT is never finished.

    Args:
        hands: N hands of at most `LARGEST_HAND` cards.
        rules: As for `can_go_out`.

    Returns:
        int8[N], 0 if the hand can go out now, `UNREACHABLE` if no exchange finishes it. For packs
        without a WILD the value is one too low in rare cases; see `melds/min_dist/`.

    Raises:
        ValueError: As for `can_go_out`, or if a hand is too large.
    """
    declaration = declaration_of(rules)
    return min_dist.distance(declaration, _encode(hands, declaration.pack))


def deadwood(hands: HandsGiven, rules: Rules) -> Int16s:
    """Return the deadwood of each hand: the points outside melds for the best way to meld it.

    Aces count 1, court cards 10, other cards their number; the ace is low.

    Args:
        hands: N hands of at most 21 cards, lists of cards as text, uint64[N, 1] or uint64[N].
        rules: The rules of a variant that is played with one pack and no special cards; whatever
            they say of aces and points, deadwood is that of gin.

    Returns:
        int16[N]; 0 is gin.

    Raises:
        ValueError: As for `can_go_out`; also if a hand is too large, or if the rules are of
            another kind or have another pack.

    Source: docs/rules/gin.md#deadwood
    """
    if not isinstance(rules, Rules):
        raise ValueError(f"{rules!r} are no rules: give those of a variant, as rules('gin')")
    if not rules.pack.is_single:
        raise ValueError(
            f"deadwood is counted in one pack without special cards; {rules.name} has {rules.pack}"
        )
    words = _encode(hands, rules.pack)[:, 0]
    large = np.flatnonzero(np.bitwise_count(words) > MOST_CARDS)
    if large.size:
        held = int(words[large[0]]).bit_count()
        raise ValueError(f"hand {large[0]} has {held} cards: give at most {MOST_CARDS}")
    return least_deadwood(words)


def declaration_of(rules: Rules | Declaration) -> Declaration:
    """Return the conditions for a finished hand under the given rules.

    Raises:
        ValueError: If `rules` are not rules, or hands are not declared under them.
    """
    if isinstance(rules, Declaration):
        return rules
    if not isinstance(rules, Rules):
        raise ValueError(
            f"{rules!r} are no rules: give those of a variant, as rules('going_out'), "
            "or a Declaration"
        )
    for move in rules.moves():
        declaration = getattr(move, "declaration", None)
        if isinstance(declaration, Declaration):
            return declaration
    raise ValueError(f"{rules!r}: no hands are declared in this variant; give the rules of another")


def _encode(hands: HandsGiven, pack: Pack) -> Words:
    """Check hands and convert them to uint64[N, W]."""
    if not isinstance(hands, np.ndarray):
        if not isinstance(hands, Collection):
            raise ValueError(f"hands={shown(hands)}: give a list of hands, or uint64[N, W]")
        words = [_words(hand, number, pack) for number, hand in enumerate(hands)]
        return np.array(words, np.uint64).reshape(-1, pack.decks)
    sets = hands[:, None] if hands.ndim == 1 == pack.decks else hands
    if sets.dtype != np.uint64 or sets.ndim != 2 or sets.shape[1] != pack.decks:
        raise ValueError(
            f"hands are {hands.dtype}{list(hands.shape)}: give uint64[N, {pack.decks}], "
            "or lists of cards as text"
        )
    foreign = np.flatnonzero((sets & ~pack.everything).any(axis=1))
    if len(foreign):
        raise ValueError(f"hand {foreign[0]} has cards that are not in {pack}")
    return sets


def _words(hand: Sequence[str], number: int, pack: Pack) -> Words:
    if isinstance(hand, str):
        raise ValueError(
            f"hand {number} is the text {hand!r}: a hand is a list, as in ['7h', '7d']"
        )
    if not isinstance(hand, Collection) or not all(isinstance(card, str) for card in hand):
        raise ValueError(f"hand {number} is {shown(hand)}: a hand is a list, as in ['7h', '7d']")
    try:
        return pack.words(hand)
    except ValueError as error:
        raise ValueError(f"hand {number}: {error}; the pack has {pack}") from error
