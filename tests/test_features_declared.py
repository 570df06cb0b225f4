"""The observation where finished hands are declared: special cards, covered piles, hints."""

from collections import Counter
from itertools import combinations
from typing import Any

import pytest

import rummy_env
from rummy_env import Rules
from rummy_env.melds import declaration_of, distance
from tests.declared_tables import dealt_out
from tests.observations import Told, check
from tests.rollout import dealt, random_play, tables

CROSSED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("going_out", {}),
    ("going_out", {"num_players": 10, "match": "match"}),
    ("going_out", {"hand_size": 10, "pile_recall": True, "stock_estimate": "exact"}),
    ("going_out", {"sequences_rummy": True, "wildcards": 7}),
    ("going_out", {"wildcards": 0, "four_sevens": True, "num_players": 6}),
    ("rummy_cards", {}),
    ("rummy_cards", {"decks": 2, "num_players": 6, "pile_recall": True}),
    ("rummy_cards", {"decks": 2, "stock_estimate": "exact", "three_card_draw": True}),
    ("rummy_cards", {"num_players": 3, "match": "match", "going_out_variation": True}),
    (
        "rummy_cards",
        {"num_players": 4, "decks": 2, "spread_out_discards": True, "three_card_draw": True},
    ),
    (
        "rummy_cards",
        {"num_players": 3, "spread_out_discards": True, "going_out_variation": True},
    ),
)


@pytest.fixture(params=CROSSED, ids=str)
def declared(request: pytest.FixtureRequest) -> Rules:
    name, options = request.param
    return rummy_env.rules(name, **options)


def test_an_observation_says_what_a_seat_may_know_of_the_table(declared: Rules) -> None:
    engine = dealt(declared, num_envs=3)
    for step, _ in enumerate(random_play(engine, 90)):
        if step % 5 == 0:
            for row, table in enumerate(tables(engine)):
                seat = (step // 5 + row) % declared.num_players
                check(Told(engine, seat, row), table, seat, declared)


# Cards


def test_equal_special_cards_are_counted() -> None:
    hands = "WILD WILD RUMMY NO_MELD 3c | GROUP 2h 4h 6h 8h"
    engine = dealt_out("rummy_cards", hands, discard="SEQUENCE WILD")
    told = Told(engine, 0)
    assert told.entries["hand_special"] == [1, 1, 0, 1, 0, 0, 0, 1, 0]
    assert told.card("top") == ["WILD"]
    assert told.entries["known_1_special"] == [0] * 9
    assert Told(engine, 1).entries["hand_special"] == [0, 0, 0, 0, 0, 1, 0, 0, 0]


def test_a_special_card_taken_from_the_pile_is_known_to_all() -> None:
    engine = dealt_out("going_out", "3c 9d Kh | 2h 4h 6h", discard="WILD", hand_size=3)
    engine.step([engine.space.index("draw_discard")])
    told = Told(engine, 1)
    assert told.card("taken") == ["WILD"]
    assert told.set_of("known_1") == Counter(["WILD"])
    assert Told(engine, 0).set_of("known_0") == Counter(["WILD"])


def test_cards_of_two_packs_are_told_once_and_twice() -> None:
    hands = "7h 7h Kc 2d 3d | 9h 9h 9c 4c 5c"
    told = Told(dealt_out("rummy_cards", hands, decks=2), 0)
    assert told.cards("hand") == {"7h", "Kc", "2d", "3d"}
    assert told.cards("hand_twice") == {"7h"}


def test_a_covered_pile_is_not_told() -> None:
    for discards in ("3c 5h Qd", "Qd"):
        engine = dealt_out("going_out", "2c 9d | 4h 6h", discard=discards, hand_size=2)
        told = Told(engine, 0)
        assert told.cards("top") == {"Qd"}
        assert told.entries.keys().isdisjoint({"pile", "upper_2", "recycled"})


def test_how_deep_a_card_lies_in_an_open_pile_is_told() -> None:
    hands = "2c 9d 4h 6h Js | 2d 9c 4s 6s Jh"
    discards = "3c 5h WILD Qd Kd"
    told = Told(dealt_out("rummy_cards", hands, discard=discards, spread_out_discards=True), 0)
    assert told.cards("top") == {"Kd"}
    assert told.cards("upper_2") == told.cards("upper_3") == {"Kd", "Qd"}
    assert told.cards("upper_4") == {"Kd", "Qd", "5h"}
    assert told.set_of("pile") == Counter(discards.split())


def test_how_many_discards_were_taken_is_told() -> None:
    hands = "2c 9d 4h 6h Js | 2d 9c 4s 6s Jh"
    given: dict[str, Any] = {"discard": "3c 5h WILD Qd Kd", "spread_out_discards": True}
    engine = dealt_out("rummy_cards", hands, **given)
    engine.step([engine.space.index("take_pile", "WILD")])
    told = Told(engine, 1)
    assert (told.count("taken_count"), told.card("taken")) == (3, ["WILD"])
    assert told.set_of("known_1") == Counter(["WILD", "Qd", "Kd"])
    assert told.count("size_1") == 6 + 2


# Counts


def test_a_stock_that_may_not_be_counted_is_told_in_steps() -> None:
    engine = dealt_out("going_out", "2c 9d | 4h 6h", discard="Qd", hand_size=2)
    table = engine.snapshot(0)
    everything = table["stock"] + table["discard"]
    for size, steps in ((1, 1), (4, 1), (5, 2), (19, 3), (20, 4), (40, 5), (45, 5)):
        piles = {"stock": everything[:size], "discard": everything[size:]}
        engine.restore(0, {**table, **piles})
        assert Told(engine, 0).count("stock") == steps


def test_who_sits_out_a_tie_break_game_is_told() -> None:
    hands = "2c 9d 4h 6h Js | | 2d 9c 4s 6s Jh"
    marks = {"scores": [2, 1, 2], "sits_out": [False, True, False], "hand_number": 3}
    told = Told(dealt_out("rummy_cards", hands, match="match", marks=marks), 0)
    assert [told.entries[f"out_{seat}"] for seat in range(3)] == [[0], [1], [0]]
    assert [told.count(f"score_{seat}") for seat in range(3)] == [2, 1, 2]
    assert told.count("size_1") == 0


# Hints

LINE = "A23456789TJQKA"


def apart(one: str, other: str) -> int:
    """How many positions two cards of a suit are apart, the ace at either end; else 99."""
    places = [[i for i, rank in enumerate(LINE) if rank == card[0]] for card in (one, other)]
    distances = [abs(i - j) for i in places[0] for j in places[1]]
    return min(distances) if one[1] == other[1] else 99


def in_a_row(cards: tuple[str, ...]) -> bool:
    """Whether three cards are a sequence."""
    runs = [set(LINE[start : start + 3]) for start in range(len(LINE) - 2)]
    return len({card[1] for card in cards}) == 1 and {card[0] for card in cards} in runs


def check_hints(told: Told, *, groups: bool) -> None:
    """Compares the hints with what can be made of the regular cards."""
    regular = [code for code in told.pack.codes.tolist() if code % 64 < 52]
    pack = Counter(map(told.pack.text, regular))
    hand = Counter({card: n for card, n in told.set_of("hand").items() if card in pack})
    ranks = Counter(card[0] for card in hand.elements())
    rows = [three for three in combinations(hand, 3) if in_a_row(three)]
    threes = {card for card in hand if groups and ranks[card[0]] >= 3}
    assert told.cards("meldable") == threes | {card for three in rows for card in three}
    assert told.cards("close") == {a for a in hand if any(apart(a, b) in (1, 2) for b in hand)}
    assert told.cards("paired") == {card for card in hand if groups and ranks[card[0]] >= 2}
    left = {card for card in pack if groups and pack[card] > hand[card]}
    two = [(a, b) for a, b in combinations(hand, 2) if a[1] == b[1]]
    assert told.cards("wanted") == {card for card in left if ranks[card[0]] >= 2} | {
        card for card in pack if not hand[card] and any(in_a_row((card, *pair)) for pair in two)
    }
    assert told.cards("joining") == {card for card in left if ranks[card[0]] >= 1} | {
        card for card in pack if not hand[card] and any(apart(card, b) in (1, 2) for b in hand)
    }


def test_the_hints_are_what_can_be_made_of_the_hand(declared: Rules) -> None:
    engine = dealt(declared, num_envs=12, steps=21)
    groups = not declaration_of(declared).sequences_rummy
    for row in range(12):
        for seat in range(min(declared.num_players, 3)):
            check_hints(Told(engine, seat, row), groups=groups)


def test_hints_go_round_no_corner() -> None:
    told = Told(dealt_out("going_out", "Kh 2h | 4c 6c", hand_size=2), 0)
    assert told.cards("close") == set()
    assert told.cards("wanted") == set()
    assert {"Ah", "Jh", "Qh", "3h", "4h"} <= told.cards("joining")
    told = Told(dealt_out("going_out", "Ah Kh | 4c 6c", hand_size=2), 0)
    assert told.cards("close") == {"Ah", "Kh"}
    assert told.cards("wanted") == {"Qh"}
    assert "2h" in told.cards("joining")


# Distances


def test_the_distance_of_the_hand_is_told() -> None:
    engine = dealt_out("going_out", "3c 9d Kh 5s | 2h 4h 6h 8h", discard="3d", hand_size=4)
    assert Told(engine, 0).count("distance") == 3
    assert not Told(engine, 0).cards("least")
    engine.step([engine.space.index("draw_discard")])
    told = Told(engine, 0)
    assert told.count("distance") == 2
    assert told.cards("least") == {"9d", "Kh", "5s"}
    assert not Told(engine, 1).cards("least")


def test_a_hand_that_can_go_out_is_at_distance_nothing() -> None:
    hands = "3c 4c 5c Kh 9s WILD | 2h 4h 6h 8h Ts Jc"
    engine = dealt_out("going_out", hands, discard="9d", hand_size=6)
    assert Told(engine, 0).count("distance") == 1
    engine.step([engine.space.index("draw_discard")])
    assert Told(engine, 0).count("distance") == 0


def test_a_hand_too_large_to_search_counts_as_far() -> None:
    hands = "2c 9d 4h 6h Js 3c 5h Qd Kd 7c 8s Ts | 2d 9c 4s 6s Jh"
    engine = dealt_out("rummy_cards", hands, discard="3h", spread_out_discards=True)
    engine.step([engine.space.index("draw_stock")])
    told = Told(engine, 0)
    assert told.count("distance") == 6
    assert not told.cards("least")


def draws_short(hand: Counter[str], rules: Rules) -> int:
    """Draws until a hand may be finished, the next included: every card that may come is tried."""
    pack = Counter(rules.pack.cards)
    coming = [card for card in pack if pack[card] > hand[card]]
    after = distance([[*hand.elements(), card] for card in coming], rules)
    return 1 + int(after.min())


def test_distances_and_discards_are_those_of_an_exact_search(declared: Rules) -> None:
    engine = dealt(declared, num_envs=24, steps=41)
    right = {"distance": [True], "least": [True]}
    for row in range(24):
        seat = (int(engine.to_move[row]) + row % 2) % declared.num_players
        hands = engine.snapshot(row)["hands"]
        told, hand = Told(engine, seat, row), Counter(hands[seat])
        least = told.cards("least")
        if hand.total() > (11 if least else 10):
            continue
        short = distance([hands[seat]], declared)[0] if least else draws_short(hand, declared)
        right["distance"].append(told.count("distance") == min(short, 6))
        if least:
            regular = [card for card in hand if card not in declared.pack.specials]
            left = {card: draws_short(hand - Counter([card]), declared) for card in regular}
            nearest = {card for card in left if left[card] == min(left.values())}
            right["least"].append(least == nearest)
    for told_right in right.values():
        assert len(told_right) > 5
        assert all(told_right)
