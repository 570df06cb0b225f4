"""Finished hands: going out, arranging a hand, and the distance from it."""

import random
from itertools import combinations

import numpy as np
import pytest

from rummy_env import melds, rules
from rummy_env.core.bits import Words
from rummy_env.core.cards import RANKS, Pack
from rummy_env.melds import UNREACHABLE
from rummy_env.melds.declaration import Declaration
from rummy_env.melds.declaration.grouping import Holding, wilds_needed
from rummy_env.melds.declaration.sweeping import wilds_needed_by_sweep
from rummy_env.melds.min_dist.closest import most_kept
from tests.fuzz_declaring import (
    DECLARATIONS,
    LINE,
    PACKS,
    SPECIAL_CARDS,
    differences,
    encode,
    hands_of,
    near_hand,
    pack_cards,
    random_hand,
    title,
)
from tests.reference import divider

WILDS = Declaration(Pack(specials=("WILD",) * 3))
MAJOR = Declaration(Pack(specials=("WILD",) * 3), leftover="none")
MINOR = Declaration(Pack(specials=("WILD",) * 3), leftover="exactly_one")
SEQUENCES = Declaration(Pack(specials=("WILD",) * 7), leftover="none", sequences_rummy=True)
SPECIALS = Declaration(Pack(specials=(*SPECIAL_CARDS, "CANT_GO_OUT")), leftover="none")
SPECIALS_BUT_ONE = Declaration(Pack(specials=(*SPECIAL_CARDS, "CANT_GO_OUT")))
TWO_PACKS = Declaration(Pack(decks=2), leftover="none")

EXAMPLES = {
    "three sevens": ("7h 7d 7c", MAJOR, True),
    "5 6 7 of hearts": ("5h 6h 7h", MAJOR, True),
    "5 6 7 of two suits": ("5h 6h 7d", MAJOR, False),
    "A 2 3 of hearts": ("Ah 2h 3h", MAJOR, True),
    "Q K A of diamonds": ("Qd Kd Ad", MAJOR, True),
    "2 A K is no sequence": ("2h Ah Kh", MAJOR, False),
    "an ace lies at one end alone": ("Ah 2h 3h Qh Kh", MAJOR, False),
    "two aces lie at both ends": ("Ah 2h 3h Qh Kh Ah", TWO_PACKS, True),
    "5 6 7 of hearts and two sevens are no meld": ("5h 6h 7h 7c 7d", MAJOR, False),
    "... nor are they with a card left over": ("5h 6h 7h 7c 7d", WILDS, False),
    "... a third seven makes two melds": ("5h 6h 7h 7c 7d 7s", MAJOR, True),
    "7 7 WILDCARD": ("7h 7d WILD", MAJOR, True),
    "5 6 of hearts and WILDCARD": ("5h 6h WILD", MAJOR, True),
    "5 7 of hearts and WILDCARD": ("5h 7h WILD", MAJOR, True),
    "K A of hearts and WILDCARD": ("Kh Ah WILD", MAJOR, True),
    "a WILDCARD does not go round the corner": ("Kh WILD 2h", MAJOR, False),
    "5 9 of hearts and two WILDCARDs": ("5h 9h WILD WILD", MAJOR, False),
    "5 9 of hearts and three WILDCARDs": ("5h 9h WILD WILD WILD", MAJOR, True),
    "7 and three WILDCARDs": ("7h WILD WILD WILD", MAJOR, True),
    "7, 7, WILDCARD, WILDCARD, WILDCARD": ("7h 7d WILD WILD WILD", MAJOR, True),
    "7 7 7 7 WILDCARD": ("7c 7d 7h 7s WILD", MAJOR, True),
    "three WILDCARDs alone": ("WILD WILD WILD", MAJOR, True),
    "two WILDCARDs alone": ("WILD WILD", MAJOR, False),
    "a WILDCARD for a card that lies elsewhere": ("7h 7d 7c 7s 6h WILD 8h", MAJOR, True),
    "any card may be left over": ("7h 7d 7c Ks", WILDS, True),
    "a WILDCARD may be left over": ("WILD", WILDS, True),
    "two cards may not": ("7h 7d 7c Ks 2d", WILDS, False),
    "Major leaves none over": ("7h 7d 7c Ks", MAJOR, False),
    "hearts 2 to 7 under Minor": ("2h 3h 4h 5h 6h 7h", MINOR, True),
    "three and three under Minor": ("2h 3h 4h 7c 7d 7s", MINOR, False),
    "five and one under Minor": ("2h 3h 4h 5h 6h Ks", MINOR, True),
    "4 5 6 of hearts and 7 WILDCARD WILDCARD in Sequences Rummy": (
        "4h 5h 6h 7h WILD WILD",
        SEQUENCES,
        True,
    ),
    "Sequences Rummy wants two": ("4h 5h 6h 7h 8h", SEQUENCES, False),
    "six of one suit are two": ("4h 5h 6h 7h 8h 9h", SEQUENCES, True),
    "five and a WILDCARD are two": ("4h 5h 6h 7h 8h WILD", SEQUENCES, True),
    "a group of WILDCARDs is the second": ("4h 5h 6h WILD WILD WILD", SEQUENCES, True),
    "one sequence is to be natural": ("4h 5h WILD 7s 8s WILD", SEQUENCES, False),
    "groups are no melds in Sequences Rummy": ("4h 5h 6h 7c 7d 7s", SEQUENCES, False),
    "7 7 GROUP": ("7h 7d GROUP", SPECIALS, True),
    "7 GROUP WILDCARD": ("7h GROUP WILD", SPECIALS, True),
    "7 GROUP": ("7h GROUP", SPECIALS, False),
    "GROUP in no sequence": ("5h 6h GROUP", SPECIALS, False),
    "5 6 SEQUENCE": ("5h 6h SEQUENCE", SPECIALS, True),
    "SEQUENCE WILDCARD 7": ("SEQUENCE WILD 7h", SPECIALS, True),
    "SEQUENCE in no group": ("7h 7d SEQUENCE", SPECIALS, False),
    "two WILDCARDs and GROUP": ("WILD WILD GROUP", SPECIALS, True),
    "two WILDCARDs and SEQUENCE": ("WILD WILD SEQUENCE", SPECIALS, True),
    "one WILDCARD, GROUP and SEQUENCE": ("WILD GROUP SEQUENCE", SPECIALS, False),
    "GROUP with SEQUENCE in one meld": ("7h GROUP SEQUENCE WILD WILD", SPECIALS, False),
    "GROUP and SEQUENCE in two melds": ("7h 7d GROUP 2s 3s SEQUENCE", SPECIALS, True),
    "GROUP left over": ("5h 6h 7h GROUP", SPECIALS_BUT_ONE, True),
    "a RUMMY card is a meld by itself": ("RUMMY 5h 6h 7h", SPECIALS, True),
    "both RUMMY cards are two": ("RUMMY RUMMY", SPECIALS, True),
    "a RUMMY card stands for nothing": ("RUMMY 5h 6h", SPECIALS, False),
    "NO MELD is left over": ("NO_MELD 5h 6h 7h", SPECIALS_BUT_ONE, True),
    "NO MELD in no meld": ("NO_MELD 5h 6h 7h", SPECIALS, False),
    "NO MELD and another card over": ("NO_MELD 5h 6h 7h Ks", SPECIALS_BUT_ONE, False),
    "CAN'T GO OUT cannot go out": ("CANT_GO_OUT 5h 6h 7h", SPECIALS_BUT_ONE, False),
    "a card and its double in a group": ("7h 7h 7d", TWO_PACKS, True),
    "a card and its double in no sequence": ("7h 7h 8h 9h", TWO_PACKS, False),
    "A 2 ... K A": (" ".join(f"{rank}h" for rank in LINE), TWO_PACKS, True),
    "all cards of two packs": (" ".join(pack_cards(Pack(decks=2))), TWO_PACKS, True),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_of_the_documents(name: str) -> None:
    hand, declaration, finished = EXAMPLES[name]
    assert melds.can_go_out([hand.split()], declaration).tolist() == [finished]
    assert (melds.arrange(hand.split(), declaration) is not None) is finished


@pytest.mark.parametrize("declaration", DECLARATIONS, ids=title)
def test_going_out_is_what_the_divider_says(declaration: Declaration) -> None:
    rng = random.Random(str(declaration))
    assert list(differences(declaration, hands_of(declaration, range(1, 12), 88, rng))) == []


@pytest.mark.parametrize("declaration", DECLARATIONS, ids=title)
def test_large_hands_go_out_as_the_divider_says(declaration: Declaration) -> None:
    rng = random.Random(str(declaration))
    assert list(differences(declaration, hands_of(declaration, range(12, 27), 6, rng))) == []


@pytest.mark.parametrize("decks", [1, 2])
@pytest.mark.parametrize("wilds", [0, 1, 3])
def test_the_sweep_finds_what_trying_the_groupings_finds(decks: int, wilds: int) -> None:
    rng = random.Random(wilds)
    pack = Pack(decks=decks)
    hands = [random_hand(pack, rng.randrange(1, 21), rng) for _ in range(150)]
    words = np.ascontiguousarray(encode(pack, hands).T)
    group, sequence = (np.array([rng.random() < 0.5 for _ in hands]) for _ in range(2))
    holding, most = Holding(words, group, sequence), np.full(len(hands), wilds, np.int8)
    by_sweep = wilds_needed_by_sweep(holding, most, np.zeros_like(group))
    by_groupings = wilds_needed(holding, most, 2)
    assert np.minimum(by_sweep, wilds + 1).tolist() == np.minimum(by_groupings, wilds + 1).tolist()


@pytest.mark.parametrize("declaration", DECLARATIONS[:: len(DECLARATIONS) // 8], ids=title)
def test_a_hand_goes_out_alone_as_it_does_among_others(declaration: Declaration) -> None:
    rng = random.Random(1)
    words = encode(declaration.pack, hands_of(declaration, range(1, 21), 60, rng))
    alone = [bool(declaration.can_go_out(hand[None])[0]) for hand in words]
    assert declaration.can_go_out(words).tolist() == alone
    assert declaration.can_go_out(np.tile(words, (200, 1))).tolist() == 200 * alone


@pytest.mark.parametrize("declaration", DECLARATIONS, ids=title)
def test_arranged_hands_fall_into_melds_that_use_every_card_once(declaration: Declaration) -> None:
    rng = random.Random(str(declaration))
    for hand in hands_of(declaration, (3, 5, 6, 7, 8, 10, 11, 17, 30), 36, rng):
        found = melds.arrange(hand, declaration)
        if found is None:
            assert not melds.can_go_out([hand], declaration)[0]
            continue
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


@pytest.mark.parametrize("declaration", DECLARATIONS, ids=title)
def test_distance_is_zero_exactly_where_a_hand_can_go_out(declaration: Declaration) -> None:
    rng = random.Random(str(declaration))
    hands = hands_of(declaration, range(1, 12), 200, rng)
    words = encode(declaration.pack, hands)
    nothing_to_do = melds.distance(words, declaration) == 0
    assert nothing_to_do.tolist() == declaration.can_go_out(words).tolist()


@pytest.mark.parametrize("declaration", DECLARATIONS, ids=title)
@pytest.mark.parametrize(("size", "most"), [(2, 2), (3, 2), (5, 2), (6, 2), (8, 1), (11, 1)])
def test_distance_is_the_fewest_of_all_exchanges(
    declaration: Declaration, size: int, most: int
) -> None:
    """Every exchange of up to `most` cards is made."""
    rng = random.Random(str(declaration))
    hand = near_hand(declaration, size, rng, exchanged=2)
    found = int(melds.distance([hand], declaration)[0])
    for exchanged in range(most + 1):
        finished = declaration.can_go_out(_exchanges(declaration.pack, hand, exchanged)).any()
        assert finished == (found <= exchanged)


def _exchanges(pack: Pack, hand: list[str], exchanged: int) -> Words:
    """uint64[N, W], the hand after every exchange of so many cards."""
    held, all_cards = pack.words(hand), pack.codes.tolist()
    masks = {code: np.array(pack_word(code, pack.decks)) for code in all_cards}
    inside = [mask for mask in masks.values() if (mask & held).any()]
    outside = [mask for mask in masks.values() if not (mask & held).any()]
    away = [_union(cards, pack.decks) for cards in combinations(inside, exchanged)]
    come = [_union(cards, pack.decks) for cards in combinations(outside, exchanged)]
    kept = held & ~np.array(away)
    return (kept[:, None] | np.array(come)[None]).reshape(-1, pack.decks)


def pack_word(code: int, decks: int) -> list[np.uint64]:
    """A card of the pack as a hand of one."""
    return [np.uint64(1 << code % 64 if code // 64 == deck else 0) for deck in range(decks)]


def _union(cards: tuple[Words, ...], decks: int) -> Words:
    return np.bitwise_or.reduce(np.array([np.zeros(decks, np.uint64), *cards]), axis=0)


@pytest.mark.parametrize("declaration", DECLARATIONS, ids=title)
def test_distance_is_what_the_search_for_the_closest_hand_finds(declaration: Declaration) -> None:
    rng = random.Random(str(declaration))
    hands = hands_of(declaration, range(1, 12), 44, rng)
    words = encode(declaration.pack, hands)
    for hand, row, found in zip(hands, words, melds.distance(words, declaration), strict=True):
        kept = most_kept(declaration, row, len(hand))
        assert found == (UNREACHABLE if kept < 0 else len(hand) - kept)


FAR = {
    "no card of the pack makes a group of five": ("Tc Ts Th Kd 6s Ks", "exactly_one", 3),
    "no fifth queen comes": ("Qc Qd Qh Qs Ac", "none", 3),
    "no fifth seven and no fifth king comes": ("7c 7d 7h 7s Kc Kd Kh Ks 2c", "none", 2),
    "two cards are never finished": ("5c 6c", "at_most_one", UNREACHABLE),
    "one card is left over": ("5c", "at_most_one", 0),
    "no division has six places as five and one": ("2h 3h 4h 7c 7d 7s", "exactly_one", 2),
}


@pytest.mark.parametrize("name", FAR)
def test_distance_without_wildcards(name: str) -> None:
    hand, leftover, exchanges = FAR[name]
    declaration = Declaration(Pack(), leftover)
    assert melds.distance([hand.split()], declaration).tolist() == [exchanges]


def test_distance_counts_cards_that_must_go() -> None:
    hands = [["CANT_GO_OUT", "5h", "6h", "7h"], ["NO_MELD", "CANT_GO_OUT", "5h", "6h", "7h"]]
    assert melds.distance(hands, SPECIALS_BUT_ONE).tolist() == [1, 1]
    assert melds.distance(hands, SPECIALS).tolist() == [1, 2]


def test_a_rummy_card_may_come_to_finish_a_hand_of_two() -> None:
    assert melds.distance([["5h", "9s"]], SPECIALS_BUT_ONE).tolist() == [1]


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
        ([["7h"], ["7h", "7h"]], r"hand 1: \['7h'\] are not in the pack, or not so often"),
        ([["7h", "WILD", "WILD", "WILD", "WILD"]], "or not so often"),
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


def test_the_distance_of_too_large_a_hand_is_refused() -> None:
    hand = random_hand(WILDS.pack, 12, random.Random(0))
    with pytest.raises(ValueError, match=r"hand 1 has 12 cards: .* at most 11"):
        melds.distance([hand[:5], hand], WILDS)


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
