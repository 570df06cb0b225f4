"""What is legal in `rummy500` against two other ways to find it.

Source: rules.md sections 3 and 9.
"""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import pytest

from tests.reference.cards import (
    ACE_HIGH_OR_LOW,
    ACE_LOW,
    PACK,
    RANKS,
    SUITS,
    Cards,
    groups_in,
    is_group,
    neighbours,
    rank_of,
    sequences_from,
    sequences_in,
)
from tests.reference.rummy500_game import Rummy500Game
from tests.reference.rummy500_moves import OPTIONS
from tests.reference.rummy500_naive import Move, Naive
from tests.reference.rummy500_options import Rummy500Options
from tests.reference.rummy500_turn import takes
from tests.reference.turn import Action

ACES = (ACE_LOW, ACE_HIGH_OR_LOW)
RULES: list[Mapping[str, object]] = [
    {"ace": ace, "final_discard": final_discard, "free_top": free_top}
    for ace in ACES
    for final_discard in (False, True)
    for free_top in (False, True)
]


def _name(rules: Mapping[str, object]) -> str:
    return "-".join(str(value) for value in rules.values())


def _some_melds(chance: random.Random, pool: set[str], ace: str, *, most: int) -> list[Cards]:
    """Melds for the table, taken out of a pool of cards, of which some are left."""
    melds: list[Cards] = []
    for _ in range(chance.randint(0, most)):
        possible = groups_in(frozenset(pool)) + sequences_in(frozenset(pool), ace)
        possible = sorted(meld for meld in possible if len(meld) <= min(5, len(pool) - 4))
        if possible:
            melds.append(chance.choice(possible))
            pool.difference_update(melds[-1])
    return melds


def _dense_pool(chance: random.Random) -> set[str]:
    """Cards of a few neighbouring ranks, round the corner as well, so that many melds are near."""
    start, suits = chance.randrange(len(RANKS)), chance.sample("cdhs", chance.randint(2, 4))
    ranks = (RANKS * 2)[start : start + chance.randint(4, 6)]
    return {rank + suit for rank in ranks for suit in suits}


def _small_position(chance: random.Random, rules: Mapping[str, object]) -> Rummy500Game:
    pool = _dense_pool(chance)
    stock = sorted(set(PACK) - pool)[:2]
    melds = _some_melds(chance, pool, str(rules["ace"]), most=2)
    cards = chance.sample(sorted(pool), len(pool))
    pile, rest = cards[:3], cards[3:]
    hand = rest[: chance.randint(1, 8)]
    return Rummy500Game.from_position(
        {**OPTIONS, **rules}, hands=[hand, []], stock=stock, discard=pile, melds=melds
    )


def _unordered(actions: Iterable[Action]) -> set[Move]:
    return {(kind, frozenset(cards)) for kind, cards in actions}


def _choose(chance: random.Random, actions: set[Action]) -> Action:
    """A random action, seldom a discard, so that turns have many plays."""
    plays = sorted(action for action in actions if action[0] not in ("discard", "draw_stock"))
    return chance.choice(plays if plays and chance.random() < 0.9 else sorted(actions))


def _compare_turn(chance: random.Random, game: Rummy500Game, naive: Naive) -> Iterator[str]:
    """Play one turn; whatever is legal in it must be legal to the other as well.

    Yields:
        What has been met: "take refused", "play refused" and so on, once for each.
    """
    pile, melds = list(game.discard), frozenset(map(frozenset, game.melds))
    takes = {("take_pile", frozenset({card})) for card in naive.takes(game.hands[0], melds, pile)}
    assert _unordered(game.legal_actions()) == takes | {("draw_stock", frozenset())}
    yield from ["take refused"] * (len(pile) - len(takes))
    kind, drawn = _choose(chance, game.legal_actions())
    game.apply(kind, drawn)
    must, barred = naive.duties(pile, *drawn) if drawn else (None, None)
    while game.phase == "play":
        hand, melds = game.hands[0], frozenset(map(frozenset, game.melds))
        expected = naive.legal(hand, melds, must, barred)
        assert _unordered(game.legal_actions()) == expected, game.snapshot()
        possible = {(kind, cards) for kind, cards, _ in naive.plays(hand, melds)}
        duty = "a duty" if must in hand else "no duty"
        yield from [f"play refused with {duty}"] * len(possible - expected)
        yield from [f"play allowed with {duty}"] * len(possible & expected)
        game.apply(*_choose(chance, game.legal_actions()))


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULES, ids=_name)
def test_what_is_legal_is_what_trying_every_play_finds(rules: Mapping[str, object]) -> None:
    chance, met = random.Random(_name(rules)), Counter[str]()
    naive = Naive(str(rules["ace"]), bool(rules["final_discard"]), bool(rules["free_top"]))
    for _ in range(800):
        met.update(_compare_turn(chance, _small_position(chance, rules), naive))
    kinds = {f"play {a} with {d}" for a in ("allowed", "refused") for d in ("a duty", "no duty")}
    if not rules["free_top"] and not rules["final_discard"]:
        kinds.remove("play refused with no duty")  # nothing is barred, the hand may be emptied
    assert all(met[kind] >= 5 for kind in kinds | {"take refused"}), met


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULES, ids=_name)
def test_a_card_can_be_used_in_three_ways_only(rules: Mapping[str, object]) -> None:
    """In hands of any size: laid off, in a meld of three, laid off after a card next to it."""
    chance, found = random.Random(_name(rules)), Counter[bool]()
    options = Rummy500Options.from_mapping({**OPTIONS, **rules})
    for _ in range(300):
        pool = set(PACK)
        melds = _some_melds(chance, pool, options.ace, most=7)
        cards = chance.sample(sorted(pool), len(pool))
        pile, hand = cards[:8], frozenset(cards[8 : 8 + chance.randint(1, 34)])
        legal = takes(hand, tuple(melds), pile, options)
        for place, card in enumerate(pile[:-1]):
            usable = _usable(card, hand.union(pile[place:]), melds, options)
            assert (("take_pile", (card,)) in legal) == usable
            found[usable] += 1
    assert min(found.values()) > 400


def _usable(
    card: str, hand: frozenset[str], melds: Sequence[Cards], options: Rummy500Options
) -> bool:
    """Whether a card in hand can be used, and a card is left where the last is discarded."""
    sequences = sequences_in(hand, options.ace)
    others = [other for meld in melds for other in _fits(meld, options.ace) & hand]
    next_to_it = [
        other
        for meld in melds
        if not is_group(meld)
        for other in _fits(meld, options.ace) & (hand - {card})
        for longer in [(other, *meld), (*meld, other)]
        if longer in _LINES[options.ace] and card in _fits(longer, options.ace)
    ]
    spent = [1] * (card in others) + [2] * bool(next_to_it)
    spent += [3 for meld in groups_in(hand) + sequences if len(meld) == 3 and card in meld]
    return any(len(hand) > cards or not options.final_discard for cards in spent)


_LINES = {ace: {cards for card in PACK for cards in sequences_from(card, ace)} for ace in ACES}


def _fits(meld: Cards, ace: str) -> set[str]:
    """The cards that can be laid off on a meld."""
    if is_group(meld):
        return {rank_of(meld[0]) + suit for suit in SUITS} - set(meld)
    return {card for card in neighbours(meld, ace) if card is not None}
