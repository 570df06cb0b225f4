"""Finished hands: going out, arranging a hand, and the distance from it."""

import random
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from rummy_env import melds, rules
from rummy_env.core.cards import RANKS, Pack
from rummy_env.melds.declaration import LEFTOVERS, Declaration, sweep
from rummy_env.melds.declaration.groupings import wilds_needed
from rummy_env.melds.declaration.sweep import wilds_needed_by_sweep
from rummy_env.melds.hands import Hands
from rummy_env.melds.min_dist import finished
from tests.declarations import EXAMPLES, MAJOR, SPECIALS_BUT_ONE, WILDS, declarations
from tests.fuzz_declaring import (
    DECLARATIONS,
    LINE,
    PACKS,
    differences,
    encode,
    hands_of,
    near_hand,
    random_hand,
    title,
)
from tests.reference import divider


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_of_the_documents(name: str) -> None:
    hand, declaration, finished = EXAMPLES[name]
    assert melds.can_go_out([hand.split()], declaration).tolist() == [finished]
    assert (melds.arrange(hand.split(), declaration) is not None) is finished


@declarations
def test_going_out_is_what_the_divider_says(declaration: Declaration) -> None:
    rng = random.Random(str(declaration))
    assert list(differences(declaration, hands_of(declaration, range(1, 12), 88, rng))) == []


@declarations
def test_large_hands_go_out_as_the_divider_says(declaration: Declaration) -> None:
    rng = random.Random(str(declaration))
    assert list(differences(declaration, hands_of(declaration, range(12, 27), 6, rng))) == []


@pytest.mark.parametrize("decks", [1, 2])
@pytest.mark.parametrize("wilds", [0, 1, 3])
def test_the_sweep_finds_what_trying_the_groupings_finds(decks: int, wilds: int) -> None:
    rng = random.Random(wilds)
    hands = large_hands(decks, wilds, range(1, 21), rng)
    by_sweep = wilds_needed_by_sweep(hands, np.zeros(len(hands), np.bool_))
    by_groupings = wilds_needed(hands)
    assert np.minimum(by_sweep, wilds + 1).tolist() == np.minimum(by_groupings, wilds + 1).tolist()


def large_hands(decks: int, wilds: int, sizes: Sequence[int], rng: random.Random) -> Hands:
    """150 hands of regular cards and some WILDCARDs, half of them with GROUP, with SEQUENCE."""
    pack = Pack(decks=decks)
    hands = [random_hand(pack, rng.choice(sizes), rng) for _ in range(150)]
    group, sequence = (np.array([rng.random() < 0.5 for _ in hands]) for _ in range(2))
    found = Declaration(pack).hands(encode(pack, hands))
    wild = np.full(len(hands), wilds, np.int8)
    return replace(found, wild=wild, group=group, sequence=sequence)


@pytest.mark.slow
@pytest.mark.parametrize("decks", [1, 2])
def test_sweeps_that_drop_states_find_what_a_whole_sweep_finds(
    decks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands = large_hands(decks, 2, range(20, 40), random.Random(decks))
    for either in (np.zeros(len(hands), np.bool_), np.ones(len(hands), np.bool_)):
        found = []
        for width in (1, 1 << 40):
            monkeypatch.setattr(sweep, "_FIRST_WIDTH", width)
            enough = wilds_needed_by_sweep(hands, either) <= 2
            found.append(np.where(either, enough.any(axis=0), enough).tolist())
        assert found[0] == found[1]


def test_hands_that_go_out_may_be_finished_and_most_others_may_not() -> None:
    rng, ruled_out, whole = random.Random(8), 0, 0
    for declaration in DECLARATIONS[::3]:
        dealt = [random_hand(declaration.pack, 13, rng) for _ in range(40)]
        hands = encode(declaration.pack, [*hands_of(declaration, range(6, 14), 120, rng), *dealt])
        near = declaration.may_be_finished([*hands.T])
        assert [bool(declaration.may_be_finished(words)) for words in hands] == near.tolist()
        whole_ones = declaration._finished(declaration.hands(hands))
        assert not (whole_ones & ~near).any()
        assert [bool(finished(declaration, words)) for words in hands] == whole_ones.tolist()
        assert np.array_equal(finished(declaration, [*hands.T]), whole_ones)
        whole += int(whole_ones.sum())
        ruled_out += int((~near[-40:]).sum())
    assert whole > 300
    assert ruled_out > 200


def test_sequences_of_pairs_around_stand_ins_may_be_finished() -> None:
    pack = Pack(specials=("WILD",) * 3)
    hand = ["As", "2s", "WILD", "4s", "5s", "WILD", "7s", "8s", "WILD", "Ts", "Js", "Kd"]
    words = encode(pack, [hand])
    assert Declaration(pack).may_be_finished([*words.T]).all()
    assert Declaration(pack).can_go_out(words).all()


@pytest.mark.parametrize("declaration", DECLARATIONS[:: len(DECLARATIONS) // 8], ids=title)
def test_a_hand_goes_out_alone_as_it_does_among_others(declaration: Declaration) -> None:
    rng = random.Random(1)
    words = encode(declaration.pack, hands_of(declaration, range(1, 21), 60, rng))
    alone = [bool(declaration.can_go_out(hand[None])[0]) for hand in words]
    assert declaration.can_go_out(words).tolist() == alone
    assert declaration.can_go_out(np.tile(words, (200, 1))).tolist() == 200 * alone


@declarations
def test_arranged_hands_fall_into_melds_that_use_every_card_once(declaration: Declaration) -> None:
    rng = random.Random(str(declaration))
    for hand in hands_of(declaration, (3, 5, 6, 7, 8, 10, 11, 17, 30), 36, rng):
        if melds.can_go_out([hand], declaration)[0]:
            check_arranged(hand, declaration)
        else:
            assert melds.arrange(hand, declaration) is None


def check_arranged(hand: list[str], declaration: Declaration) -> None:
    """Compares an arrangement with what the divider calls melds."""
    found = melds.arrange(hand, declaration)
    assert found is not None
    assert divider.is_division(
        hand,
        found.melds,
        found.left,
        leftover=declaration.leftover,
        sequences_rummy=declaration.sequences_rummy,
    )
    assert all(map(_reads_in_order, found.melds))


def _reads_in_order(meld: list[str]) -> bool:
    """Whether a meld is a group, or every card of it lies at its position."""
    naturals = [card for card in meld if card[0] in RANKS and len(card) == 2]
    if len({card[0] for card in naturals}) <= 1:
        return True
    starts = range(len(LINE) + 1 - len(meld))
    return any(
        all(card not in naturals or card[0] == LINE[start + i] for i, card in enumerate(meld))
        for start in starts
    )


def test_an_arranged_hand_shows_which_card_a_stand_in_is() -> None:
    hand = ["Kd", "WILD", "7h", "9h", "5c", "5d", "GROUP"]
    found = melds.arrange(hand, SPECIALS_BUT_ONE)
    assert found == ([["5c", "5d", "GROUP"], ["7h", "WILD", "9h"]], ["Kd"])


def test_a_card_is_grouped_while_sequence_takes_its_place() -> None:
    hand = ["4c", "5c", "6c", "5d", "GROUP", "SEQUENCE"]
    found = melds.arrange(hand, SPECIALS_BUT_ONE)
    assert found == ([["5c", "5d", "GROUP"], ["4c", "SEQUENCE", "6c"]], [])


@pytest.mark.parametrize("leftover", LEFTOVERS)
@pytest.mark.parametrize("decks", [1, 2])
def test_hands_with_both_group_and_sequence_are_arranged(
    decks: int, leftover: str, thorough: bool
) -> None:
    rng, count = random.Random(decks), 150 if thorough else 30
    for wilds in range(4):
        pack = Pack(decks, ("WILD",) * wilds + ("GROUP", "SEQUENCE"))
        declaration = Declaration(pack, leftover)
        hands = []
        for _ in range(count):
            hand = near_hand(declaration, rng.randrange(6, 12), rng, 0)
            regular = [i for i, card in enumerate(hand) if card not in pack.specials]
            for card, place in zip(("GROUP", "SEQUENCE"), rng.sample(regular, 2), strict=True):
                if card not in hand:
                    hand[place] = card
            hands.append(hand)
        finished = np.flatnonzero(melds.can_go_out(hands, declaration))
        assert len(finished) > 10
        for row in finished.tolist():
            check_arranged(hands[row], declaration)


@pytest.mark.slow
def test_most_of_two_packs_goes_out_and_is_arranged() -> None:
    """Hands that a sweep with all states takes half a minute for."""
    declaration, rng = Declaration(PACKS[8]), random.Random(1)
    for size in (76, 90, 100):
        hands = [random_hand(declaration.pack, size, rng) for _ in range(4)]
        assert melds.can_go_out(hands, declaration).all()
        check_arranged(hands[0], declaration)


def test_hands_as_words_and_as_text_are_the_same() -> None:
    hands = [["7h", "7d", "WILD"], ["7h", "8d", "WILD"]]
    words = encode(WILDS.pack, hands)
    assert melds.can_go_out(words, MAJOR).tolist() == melds.can_go_out(hands, MAJOR).tolist()
    assert melds.arrange(words[0], MAJOR) == melds.arrange(hands[0], MAJOR)
    assert melds.can_go_out([], MAJOR).tolist() == []


@pytest.mark.parametrize(
    ("hands", "words"),
    [
        ([["7h", "GROUP"]], r"hand 0: \['GROUP'\] are not in the pack"),
        ([["7h"], ["7h", "7h"]], r"hand 1: \['7h'\] are .* not so often: it has \{'7h': 1\}"),
        ([["7h", "WILD", "WILD", "WILD", "WILD"]], r"not so often: it has \{'WILD': 3\}"),
        ([["10h"]], "'10h'"),
        (["7h"], r"hand 0 is the text '7h': a hand is a list"),
        (np.zeros((2, 2), np.uint64), r"give uint64\[N, 1\]"),
        (np.zeros((2, 1), np.int64), "int64"),
        (np.array([[1 << 60]], np.uint64), "hand 0 has cards that are not in"),
    ],
)
def test_impossible_hands_are_refused(hands: list[list[str]], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        melds.can_go_out(hands, WILDS)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"leftover": "two"}, "leftover='two': give one of 'at_most_one', 'none', 'exactly_one'"),
        ({"sequences_rummy": 1}, "sequences_rummy=1: give True or False"),
        ({"pack": Pack(specials=("WILD",) * 8)}, "at most 7 WILD"),
        ({"pack": Pack(specials=("JOKER",))}, r"specials=.*JOKER"),
        ({"pack": PACKS[-1], "sequences_rummy": True}, "leave the other special cards out"),
        ({"pack": Pack(decks=2), "sequences_rummy": True}, "it is played with one pack"),
    ],
)
def test_impossible_declarations_are_refused(options: dict[str, object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Declaration(**{"pack": Pack(), **options})  # type: ignore[arg-type]


def test_rules_without_declared_hands_are_refused() -> None:
    with pytest.raises(ValueError, match="no hands are declared"):
        melds.can_go_out([["7h"]], rules("basic"))


@pytest.mark.parametrize("wrong", ["going_out", None, 7, Pack()])
def test_what_is_no_rules_is_named(wrong: Any) -> None:
    words = re.escape(f"{wrong!r} are no rules: give those of a variant")
    for ask in (melds.can_go_out, melds.distance, melds.deadwood):
        with pytest.raises(ValueError, match=words):
            ask([["7h"]], wrong)
    with pytest.raises(ValueError, match=words):
        melds.arrange(["7h"], wrong)
