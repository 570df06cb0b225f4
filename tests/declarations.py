"""Rules for what a finished hand is, examples of the documents, and hands to try them on."""

import random

import pytest

from rummy_env.core.cards import Pack
from rummy_env.melds.declaration import Declaration
from rummy_env.melds.hands import Hands
from tests.conftest import few_or_all
from tests.fuzz_declaring import (
    DECLARATIONS,
    FEW_DECLARATIONS,
    LINE,
    SPECIAL_CARDS,
    encode,
    near_hand,
    random_hand,
    title,
)

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
    "all cards of two packs": (" ".join(Pack(decks=2).cards), TWO_PACKS, True),
}
"""A hand, what it is declared by, and whether it is finished."""

HANDS = 60
"""How many are dealt, and how many nearly finished, where no other number is given."""

declarations = few_or_all(
    "declaration",
    few=[pytest.param(some, id=title(some)) for some in FEW_DECLARATIONS],
    every=[pytest.param(each, id=title(each)) for each in DECLARATIONS],
)


def hands_as_text(declaration: Declaration, size: int, count: int = HANDS) -> list[list[str]]:
    """Hands of a size, half of them nearly finished."""
    rng = random.Random(f"{declaration} {size}")
    dealt = [random_hand(declaration.pack, size, rng) for _ in range(count)]
    return dealt + [near_hand(declaration, size, rng, rng.randrange(4)) for _ in range(count)]


def hands_of(declaration: Declaration, hands: list[list[str]]) -> Hands:
    """The hands as the core looks at them."""
    return declaration.hands(declaration.pack.alike(encode(declaration.pack, hands)))
