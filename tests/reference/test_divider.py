"""The brute-force divider against the rules and every example of the two documents.

Source: rules.md sections 5 and 5.1; seeds/000 (Going Out Rummy), seeds/004 (Rummy).
"""

import random
from collections.abc import Iterator
from itertools import combinations

import pytest

from tests.reference import divider
from tests.reference.cards import PACK
from tests.reference.divider import (
    can_go_out,
    divide,
    is_division,
    is_group,
    is_meld,
    is_natural_sequence,
    is_sequence,
    melds_in,
)
from tests.reference.special_cards import GROUP, NO_MELD, RUMMY, SEQUENCE, WILD, parse_cards

LEFTOVERS = ("at_most_one", "none", "exactly_one")
SPECIAL = [GROUP, SEQUENCE, RUMMY, RUMMY, NO_MELD]


def _is_meld(text: str) -> bool:
    return is_meld(parse_cards(text))


def _goes_out(text: str, **options: object) -> bool:
    return can_go_out(parse_cards(text), **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "example",
    [
        "7c 7d 7h",
        "7c 7d WILD",
        "7c WILD WILD WILD",
        "7c 7d WILD WILD WILD",
        "7c 7d 7h 7s WILD",
        "WILD WILD WILD",
        "7h 7d GROUP",
        "7c GROUP WILD",
        "WILD WILD GROUP",
        "WILD WILD WILD GROUP",
        "7c 7c 7d 7d 7h",  # two packs
        "WILD WILD WILD WILD WILD WILD WILD",
    ],
)
def test_groups_of_the_documents(example: str) -> None:
    assert _is_meld(example)
    assert is_group(parse_cards(example))


@pytest.mark.parametrize(
    "example",
    [
        "5h 6h 7h",
        "Ah 2h 3h",
        "Qd Kd Ad",
        "5h 6h WILD",
        "SEQUENCE WILD 7c",
        "WILD WILD SEQUENCE",
        "WILD WILD WILD SEQUENCE",
        "2h 3h 4h 5h 6h 7h",
        "Jd WILD Kd Ad",
        "Kd Ad WILD",
        "Ac WILD Qc WILD WILD WILD",  # 9 to A
        "5h SEQUENCE WILD WILD 9h",
    ],
)
def test_sequences_of_the_documents(example: str) -> None:
    assert _is_meld(example)
    assert is_sequence(parse_cards(example))


@pytest.mark.parametrize(
    ("why", "example"),
    [
        ("2 A K is no sequence", "2h Ah Kh"),
        ("nor is K WILD 2 round the corner", "Kh WILD 2h"),
        ("two suits", "5h 6h 7d"),
        ("a gap and no stand-in", "5h 6h 8h"),
        ("two cards", "7c 7d"),
        ("two cards with a stand-in each", "7c WILD"),
        ("groups and sequences may not be combined", "5h 6h 7h 7c 7d"),
        ("GROUP is no stand-in in a sequence", "5h 6h GROUP"),
        ("SEQUENCE is no stand-in in a group", "7c 7d SEQUENCE"),
        ("never GROUP with SEQUENCE", "WILD WILD GROUP SEQUENCE"),
        ("never GROUP with SEQUENCE and a natural", "7c GROUP SEQUENCE"),
        ("GROUP with a single WILD", "GROUP WILD"),
        ("RUMMY stands for nothing", "7c 7d RUMMY"),
        ("RUMMY is a meld by itself alone", "RUMMY RUMMY"),
        ("NO MELD is in no meld", "7c 7d 7h NO_MELD"),
        ("NO MELD is no meld", "NO_MELD"),
        ("CAN'T GO OUT is in no meld", "7c 7d CANT_GO_OUT"),
        ("a duplicate fits no sequence", "5h 5h 6h 7h"),
        ("the stand-in does not make room for a duplicate", "5h 5h 6h WILD"),
        ("two aces in one sequence are 14 cards", "Ah Ah 2h 3h"),
    ],
)
def test_what_is_no_meld(why: str, example: str) -> None:
    assert not _is_meld(example), why


def test_rummy_is_a_meld_in_itself() -> None:
    assert is_meld([RUMMY])


def test_a_sequence_has_up_to_14_positions_with_an_ace_at_both_ends() -> None:
    suit = [card for card in PACK if card[1] == "h"]
    assert is_meld(suit)
    assert is_meld([*suit, "Ah"])
    assert is_meld([*suit, WILD])
    assert is_meld([*suit[1:], WILD, WILD])
    assert not is_meld([*suit, "Ah", WILD])
    assert not is_meld([*suit, WILD, WILD])
    assert not is_meld([*suit, "2h"])


def test_a_card_that_no_pack_holds_is_refused() -> None:
    for cards in (["1h"], ["7h"] * 3, [GROUP] * 2, [WILD] * 8):
        with pytest.raises(ValueError, match=r"pack holds|no card"):
            can_go_out(cards)


@pytest.mark.parametrize(
    ("hand", "leftovers"),
    [
        ("7c 7d 7h", ["at_most_one", "none"]),
        ("7c 7d 7h 2s", ["at_most_one", "exactly_one"]),
        ("7c 7d 7h 7s", ["at_most_one", "none", "exactly_one"]),
        ("7c 7d 7h 2s 9d", []),
        ("7c 7d 7h 2h 3h 4h", ["at_most_one", "none"]),  # 3 + 3 does not do under Minor
        ("2h 3h 4h 5h 6h 7h", ["at_most_one", "none", "exactly_one"]),  # hearts 2 to 7: 5 + 1
        ("7c 7d WILD WILD WILD 2s", ["at_most_one", "none", "exactly_one"]),
        ("7c 7d 7h WILD", ["at_most_one", "none", "exactly_one"]),  # the WILD may be left over
        ("7c 7d 7h 7s WILD 2s", ["at_most_one", "exactly_one"]),
        ("5h 6h 7h 7c 7d", []),  # either a sequence or a group
        ("5h 6h 7h 7c 7d WILD", ["at_most_one", "none"]),
        ("5h 6h 7h 7c 7d GROUP", ["at_most_one", "none"]),
        ("5h 6h 7h 7c 7d SEQUENCE", ["at_most_one", "none"]),  # 5 6 SEQUENCE and the 7s
        ("5h 6h 8s 7c 7d SEQUENCE", []),
        ("7c 7d WILD SEQUENCE", ["at_most_one", "exactly_one"]),
        ("RUMMY 7c 7d 7h 2s", ["at_most_one", "exactly_one"]),  # won in two ways
        ("RUMMY 2s", ["at_most_one", "exactly_one"]),
        ("RUMMY RUMMY", ["at_most_one", "none", "exactly_one"]),
        ("RUMMY RUMMY 2s", ["at_most_one", "exactly_one"]),
        ("RUMMY 7c 7d 2s", []),
        ("NO_MELD 7c 7d 7h", ["at_most_one", "exactly_one"]),
        ("NO_MELD 7c 7d 7h 7s", ["at_most_one", "exactly_one"]),
        ("NO_MELD 7c 7d 7h 2s", []),
        ("CANT_GO_OUT 7c 7d 7h", []),
        ("CANT_GO_OUT RUMMY RUMMY", []),
        ("7c 7c 7d 7d 7h 7h 2s", ["at_most_one", "exactly_one"]),
        ("7c 8c", []),
        ("WILD WILD", []),
    ],
)
def test_the_card_left_over(hand: str, leftovers: list[str]) -> None:
    assert [rule for rule in LEFTOVERS if _goes_out(hand, leftover=rule)] == leftovers


def test_cards_without_any_meld() -> None:
    assert [rule for rule in LEFTOVERS if can_go_out(["7c"], leftover=rule)] == [
        "at_most_one",
        "exactly_one",
    ]
    assert [rule for rule in LEFTOVERS if can_go_out([], leftover=rule)] == ["at_most_one", "none"]


@pytest.mark.parametrize(
    ("hand", "finished"),
    [
        ("4h 5h 6h 7h WILD WILD", True),  # "4, 5, 6 of hearts", "7 of hearts, WILD, WILD"
        ("4h 5h 6h 7h 8h 9h", True),  # two sequences, both natural
        ("4h 5h 6h 7h 8h", False),  # a single sequence
        ("4h 5h 6h WILD WILD WILD", True),  # the WILDs alone are a secondary sequence
        ("4h 5h 6h WILD WILD WILD WILD 2s", True),
        ("4h WILD 6h 7h 8h WILD", True),  # 6 7 8 is natural, 4 WILD WILD is not
        ("4h WILD 6h 7h WILD 9h", False),  # no natural sequence
        ("WILD WILD WILD WILD WILD WILD", False),  # nor here
        ("4h 5h 6h 7c 7d 7h", False),  # a group is no meld
        ("4h 5h 6h 7c 7d WILD WILD", True),  # 7c WILD WILD, and 7d is left over
        ("4h 5h 6h 7c 7d WILD", False),
        ("4h 5h 6h 8c 9c Tc Ks", True),
        ("4h 5h 6h 8c 9c Tc Ks Kd", False),
        ("4h 5h 6h 8c WILD Tc Ks WILD WILD", True),
    ],
)
def test_sequences_rummy(hand: str, *, finished: bool) -> None:
    assert _goes_out(hand, sequences_rummy=True) == finished


def test_sequences_rummy_in_major_and_minor() -> None:
    assert not _goes_out("4h 5h 6h 8c 9c Tc Ks", sequences_rummy=True, leftover="none")
    assert not _goes_out("4h 5h 6h 8c 9c Tc", sequences_rummy=True, leftover="exactly_one")
    assert _goes_out("4h 5h 6h 7h 8c 9c Tc", sequences_rummy=True, leftover="exactly_one")
    assert not is_meld(parse_cards("7c 7d WILD"), sequences_rummy=True)
    assert is_meld(parse_cards("WILD WILD WILD"), sequences_rummy=True)
    assert not is_natural_sequence(parse_cards("5h 6h WILD"))
    with pytest.raises(ValueError, match="regular cards and WILD"):
        can_go_out([RUMMY, "4h", "5h", "6h"], sequences_rummy=True)


def test_divide_shows_the_melds_and_the_card_left_over() -> None:
    division = divide(parse_cards("5h 6h 7h 9c 9d GROUP NO_MELD RUMMY"))
    assert division is not None
    assert sorted(division.melds) == [("5h", "6h", "7h"), ("9c", "9d", GROUP), (RUMMY,)]
    assert division.left == (NO_MELD,)


def _partitions(cards: tuple[str, ...]) -> Iterator[list[tuple[str, ...]]]:
    """Every way to part cards into non-empty lots."""
    if not cards:
        yield []
        return
    first, rest = cards[0], cards[1:]
    for count in range(len(rest) + 1):
        for with_first in combinations(range(len(rest)), count):
            lot = (first, *(rest[i] for i in with_first))
            others = tuple(card for i, card in enumerate(rest) if i not in with_first)
            yield from ([lot, *lots] for lots in _partitions(others))


def _by_all_partitions(hand: list[str], leftover: str, *, sequences_rummy: bool) -> bool:
    none: tuple[str, ...] = ()
    ways = [(melds, none) for melds in _partitions(tuple(hand))]
    ways += [
        (melds, (card,))
        for i, card in enumerate(hand)
        for melds in _partitions(tuple(hand[:i] + hand[i + 1 :]))
    ]
    return any(
        is_division(hand, melds, left, leftover=leftover, sequences_rummy=sequences_rummy)
        for melds, left in ways
    )


def _random_hand(
    rng: random.Random, least: int, most: int, special: list[str], wilds: int
) -> list[str]:
    """Cards of few ranks and two suits, twice each, so that many hands are finished."""
    low = rng.randrange(10)
    ranks = "A23456789TJQK"[low : low + 4]
    naturals = [card for card in PACK if card[0] in ranks and card[1] in "ch"]
    pack = naturals * 2 + [WILD] * wilds + special
    return rng.sample(pack, rng.randint(least, most))


@pytest.mark.slow
@pytest.mark.parametrize("sequences_rummy", [False, True])
def test_divider_equals_trying_all_partitions(*, sequences_rummy: bool, thorough: bool) -> None:
    rng, finished = random.Random(5), 0
    hands = 60 if sequences_rummy else 250
    for _ in range(hands if thorough else hands // 3):
        special, least = ([], 6) if sequences_rummy else (SPECIAL, 1)
        hand = _random_hand(rng, least, 7, special, wilds=4)
        for rule in LEFTOVERS:
            found = can_go_out(hand, leftover=rule, sequences_rummy=sequences_rummy)
            assert found == _by_all_partitions(hand, rule, sequences_rummy=sequences_rummy), hand
            finished += found
    assert 5 < finished < 300


def test_all_melds_of_a_hand_are_listed() -> None:
    rng = random.Random(6)
    for _ in range(30):
        hand = sorted(_random_hand(rng, 1, 9, SPECIAL, wilds=4))
        parts = {part for n in range(1, 10) for part in combinations(hand, n)}
        assert set(melds_in(hand)) == {part for part in parts if is_meld(part)}


def test_melds_of_five_are_enough_in_large_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(7)
    cases = [
        (_random_hand(rng, 3, 11, [] if sequences else SPECIAL, wilds=4), rule, sequences)
        for sequences in (False, True)
        for rule in LEFTOVERS
        for _ in range(60)
    ]
    whole = [can_go_out(h, leftover=r, sequences_rummy=s) for h, r, s in cases]
    monkeypatch.setattr(divider, "LONGEST_HAND_CUT", 0)
    assert [can_go_out(h, leftover=r, sequences_rummy=s) for h, r, s in cases] == whole
    assert 20 < sum(whole) < 340


def test_large_hands_are_divided() -> None:
    suit = [card for card in PACK if card[1] in "hs"]
    division = divide([*suit, "Ac", "2c", WILD, NO_MELD])
    assert division is not None
    assert is_division([*suit, "Ac", "2c", WILD, NO_MELD], *division)
    assert not can_go_out([*suit, "Ac", "2c", "4d", NO_MELD])
