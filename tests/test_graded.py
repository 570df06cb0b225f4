"""What every card is worth, against counting melds card by card in plain sets of cards as text."""

import math
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from rummy_env import Engine, Rules
from rummy_env.core.rules import END_TURN
from rummy_env.melds.declaration import Declaration
from rummy_env.melds.min_dist import LARGEST_HAND, UNREACHABLE, min_dist
from rummy_env.parts.declaring import GoOut
from rummy_env.views.features import observer
from tests.conftest import label
from tests.reference import deadwood as reference
from tests.reference.cards import PACK, line_of
from tests.rollout import choices, dealt, fitting, whole_pack
from tests.threes import OTHER_TWO

TABLE = [
    fitting("basic"),
    fitting("basic", num_players=4, ace="high_or_low", hand_size=7),
    fitting("classic", num_players=3, ace="high_or_low"),
    fitting("rummy500", num_players=2),
    fitting("rummy500", num_players=3, ace="low"),
]
GIN = [fitting("gin"), fitting("gin", preset="openspiel", knock_card=60)]
DECLARED = [
    fitting("going_out", num_players=2),
    fitting("going_out", num_players=4, pile_recall=True, leftover="none"),
    fitting("going_out", num_players=3, hand_size=7, sequences_rummy=True, wildcards=5),
    fitting("rummy_cards", num_players=3),
    fitting("rummy_cards", num_players=2, decks=2, three_card_draw=True),
]

FAINT = {**dict.fromkeys(["basic", "classic", "rummy500"], Fraction("0.12"))} | {
    "gin": Fraction(1, 16),
    **dict.fromkeys(["going_out", "rummy_cards"], Fraction("0.2")),
}
"""What a meld that lacks two live cards counts for in outs, beside one that lacks one."""

ROUNDING = Fraction(1, 1000)
"""What chances in float32 may be off by."""

Worth = dict[str, Fraction]
"""A number for each card."""


@dataclass(frozen=True)
class Seen:
    """What a seat knows of a table, of cards as text alone."""

    rules: Rules
    table: dict[str, Any]
    seat: int

    @property
    def hand(self) -> Counter[str]:
        """Its cards."""
        return Counter(self.table["hands"][self.seat])

    @property
    def top(self) -> list[str]:
        """The top discard, if there is one."""
        return list(self.table["discard"][-1:])

    @property
    def after(self) -> int:
        """The next seat."""
        return (self.seat + 1) % self.rules.num_players

    @property
    def unseen(self) -> Counter[str]:
        """The cards whose place it does not know."""
        table = self.table
        pile = table["discard"] if self.rules.sight.pile_known else self.top
        known = [cards for i, cards in enumerate(table["known"]) if i != self.seat]
        stock = table["stock"] if table["stock_open"] else []
        rest = whole_pack(self.rules) - self.hand
        for cards in (pile, stock, *known, *table["melds"]):
            assert not Counter(cards) - rest
            rest -= Counter(cards)
        return rest

    @property
    def discarding(self) -> bool:
        """Whether it is to discard."""
        ends = {p.name for p in self.rules.turn for _, then in p.moves if then == END_TURN}
        return bool(self.table["phase"] in ends and self.table["to_move"] == self.seat)


def ace_high(rules: Rules) -> bool:
    """Whether queen, king and ace are a sequence."""
    return rules.name in ("going_out", "rummy_cards") or dict(rules.options).get("ace") == (
        "high_or_low"
    )


def each(value: Callable[[str], Fraction | int]) -> Worth:
    """The number of each card."""
    return {card: Fraction(value(card)) for card in PACK}


def completed(seen: Seen) -> Worth:
    """The melds of three that a card makes with two of the hand."""
    others = OTHER_TWO[ace_high(seen.rules)]
    return each(lambda card: sum(two <= seen.hand.keys() for two in others[card]))


def hoped(seen: Seen) -> Worth:
    """A quarter of the live cards that complete a meld with a card and one of the hand.

    A meld that lacks two live cards counts for little; one that lacks none does not count. Where
    another copy of a card that is held is live, it is there in both ways.
    """
    others, faint = OTHER_TWO[ace_high(seen.rules)], FAINT[seen.rules.name]
    held = seen.hand
    if seen.rules.name == "gin" and held.total() <= seen.rules.hand_size:
        held = held + Counter(seen.top)
    live = seen.unseen

    def lacking(first: str, second: str) -> Fraction:
        one = (first in held and second in live) + (first in live and second in held)
        return one + faint * (first in live and second in live)

    return each(lambda card: sum((lacking(*two) for two in others[card]), Fraction(0)) / 4)


def feared(seen: Seen) -> Worth:
    """The expected melds of the next player with each card.

    It holds the cards that it is known to hold; every other card of its hand, taken for a regular
    one, is an unseen regular card at random. Cards that look alike count once.
    """
    known = {*seen.table["known"][seen.after]} & {*PACK}
    unseen = {*seen.unseen} & {*PACK}
    hidden = len(seen.table["hands"][seen.after]) - len(known)
    share = Fraction(hidden, max(len(unseen), 1))
    chance = each(lambda card: min(share * (card in unseen) + (card in known), Fraction(1)))
    others = OTHER_TWO[ace_high(seen.rules)]
    return each(lambda card: sum(chance[a] * chance[b] for a, b in others[card]))


def deadwood_left(seen: Seen) -> Worth:
    """The least deadwood after a discard, in parts of 20, at most 60 points; so is that of others.

    Before a draw the top discard is in the hand; it can go back where a card taken can.
    """
    hand, barred, weighed = frozenset(seen.hand), {seen.table["taken"]}, True
    if len(hand) <= seen.rules.hand_size:
        barred = {*seen.top}
        hand |= barred
        weighed = bool(seen.top)
    if seen.rules.discard_taken_upcard:
        barred = set()
    weighed &= not seen.table["claim"]

    def left(card: str) -> Fraction:
        if not weighed or card in barred or card not in hand:
            return Fraction(60, 20)
        return Fraction(min(reference.deadwood(hand - {card}), 60), 20)

    return each(left)


def draws(seen: Seen, cards: Counter[str], *, blank: bool) -> int:
    """The draws that a hand is short of finished, with a card besides that fits nowhere or not."""
    rules = seen.rules
    (declaration,) = {part.declaration for part in rules.parts if isinstance(part, GoOut)}
    found: Declaration = declaration
    hands = found.hands(rules.pack.words(cards.elements())[None])
    if blank:
        hands = replace(hands, blanks=np.ones(1, np.int8))
    largest = LARGEST_HAND if rules.takes_several else rules.hand_size + 1
    return int(min_dist(found, largest).distance(hands)[0])


def nearest(seen: Seen) -> Worth:
    """2 for discards that leave the hand closest to finished, 1 for those one draw farther.

    Nothing is told of larger hands than distances are worked out for; so too in `saved`.
    """
    if not seen.discarding or seen.hand.total() > LARGEST_HAND:
        return each(lambda card: 0)
    regular = seen.hand.keys() & {*PACK}
    far = {card: draws(seen, seen.hand - Counter([card]), blank=True) for card in regular}
    far = {card: draw for card, draw in far.items() if draw < UNREACHABLE}
    least = min(far.values(), default=0)
    return each(lambda card: max(2 - (far[card] - least), 0) if card in far else 0)


def hopeful(seen: Seen) -> Worth:
    """Of discards that leave the hand closest, 8 times the share of live cards that save a draw.

    A WILDCARD is taken to save one, though in rules with a pure sequence it need not.
    """
    closest = {card for card, worth in nearest(seen).items() if worth == 2}
    unseen, live = seen.unseen, seen.unseen.keys() & {*PACK, "GROUP", "SEQUENCE"}

    def chance(card: str) -> Fraction:
        if card not in closest:
            return Fraction(0)
        left = seen.hand - Counter([card])
        now = draws(seen, left, blank=True)
        outs = [new for new in live if draws(seen, left + Counter([new]), blank=False) < now]
        count = sum(unseen[new] for new in outs) + unseen["WILD"] * (now < UNREACHABLE)
        return Fraction(8 * count, max(unseen.total(), 1))

    return each(chance)


def saved(seen: Seen) -> Worth:
    """The unseen copies of cards with which the hand is finished a draw sooner, where one draws."""
    if seen.discarding or seen.table["finished"] or seen.hand.total() >= LARGEST_HAND:
        return each(lambda card: 0)
    now, unseen = draws(seen, seen.hand, blank=True), seen.unseen

    def copies(card: str) -> int:
        if not unseen[card]:
            return 0
        return unseen[card] * (draws(seen, seen.hand + Counter([card]), blank=False) < now)

    return each(copies)


def alive(seen: Seen) -> Worth:
    """The unseen copies."""
    unseen = seen.unseen
    return each(lambda card: unseen[card])


def near(card: str, cards: set[str]) -> Fraction:
    """How many of the cards are near to one: of its rank, next to it, and half of those after."""
    line = line_of(card[1], "low")
    away = {other: abs(i - line.index(card)) for i, other in enumerate(line)}
    found = sum(other[0] == card[0] for other in cards - {card})
    found += sum(away.get(other) == 1 for other in cards)
    return found + Fraction(sum(away.get(other) == 2 for other in cards), 2)


def held(seen: Seen) -> Worth:
    """The chance that the next player holds a card, in proportion to its odds; to sixteen digits.

    A card near by that the player has thrown away makes it less likely, and so does one left lying;
    one taken from the pile makes it likelier.
    """
    table, after = seen.table, seen.after
    known, unseen = {*table["known"][after]} & {*PACK}, {*seen.unseen} & {*PACK}
    taken = {card: 1.0 * float(near(card, known)) for card in PACK}
    for name, weight in (("discarded", -0.8), ("passed", -0.5)):
        cards = {*table[name][after]} if seen.rules.sight.pile_known else set()
        for card in PACK:
            taken[card] += weight * float(near(card, cards))
    odds = {card: Fraction(math.exp(taken[card])) for card in unseen}
    hidden = len(table["hands"][after]) - len(known)
    total = sum(odds.values())

    def chance(card: str) -> Fraction:
        if card in known:
            return Fraction(1)
        return min(odds[card] * hidden / total, Fraction(1)) if card in unseen else Fraction(0)

    return each(chance)


def likely(seen: Seen) -> Worth:
    """Four times the chance that the next player holds a card."""
    chance = held(seen)
    return each(lambda card: 4 * chance[card])


def feared_by_belief(seen: Seen) -> Worth:
    """The expected melds of the next player with each card, by these chances."""
    chance, others = held(seen), OTHER_TWO[ace_high(seen.rules)]
    return each(lambda card: sum(chance[a] * chance[b] for a, b in others[card]))


EVERYWHERE = {"outs": hoped, "danger": feared, "likely": likely, "feared": feared_by_belief}
TOLD: dict[str, dict[str, Callable[[Seen], Worth]]] = {
    "table": {"completes": completed, **EVERYWHERE},
    "gin": {"after": deadwood_left, **EVERYWHERE},
    "gin, melds laid down": {"after": deadwood_left, **EVERYWHERE, "completes": completed},
    "declared": {
        "after": nearest,
        "outs_after": hopeful,
        "saves": saved,
        "live": alive,
        **EVERYWHERE,
    },
}
"""The graded features, in their order."""


def positions(rules: Rules, looks: int) -> Iterator[tuple[Engine, int]]:
    """Games under way at various times, and whose eyes they are seen with."""
    engine = dealt(rules, 6, seed=11)
    for look in range(looks):
        yield engine, look % rules.num_players
        engine.reset(engine.finished.nonzero()[0])
        for _ in range(7):
            engine.step(choices(engine))


def entries(engine: Engine, seat: int) -> list[dict[str, dict[str, int]]]:
    """The graded entries that a seat observes in each game: by name, and by card."""
    observe = observer(engine.rules, "outs")
    seen = observe(engine.look(seat))
    graded = {each.name for each in observe.graded}
    parts = {
        name: seen[:, start : start + width].tolist()
        for name, start, width, _ in observe.layout()
        if name in graded
    }
    return [
        {name: dict(zip(PACK, rows[row], strict=True)) for name, rows in parts.items()}
        for row in range(engine.num_envs)
    ]


def assert_tell(told: dict[str, int], worth: Worth) -> None:
    """Entries are sixteenths, rounded, up to 127 of them.

    Halves are rounded to even; only where the number is no binary fraction can either be told.
    """
    for card, number in worth.items():
        exact = min(16 * number, Fraction(127))
        assert abs(told[card] - exact) <= Fraction(1, 2) + ROUNDING, card
        if number.denominator in (1, 2, 4, 8, 16, 32, 64):
            assert told[card] == round(exact), card


def check(rules: Rules, kind: str, looks: int) -> dict[str, set[int]]:
    """Compares all graded entries of some positions; returns what was told."""
    told: dict[str, set[int]] = {name: set() for name in TOLD[kind]}
    for engine, seat in positions(rules, looks):
        for row, found in enumerate(entries(engine, seat)):
            seen = Seen(rules, engine.snapshot(row), seat)
            assert [*found] == [*TOLD[kind]]
            for name, work_out in TOLD[kind].items():
                assert_tell(found[name], work_out(seen))
                told[name] |= {*found[name].values()}
    return told


@pytest.mark.parametrize("rules", TABLE, ids=label)
def test_what_cards_are_worth_where_melds_lie_on_the_table(rules: Rules) -> None:
    told = check(rules, "table", 9)
    assert told["completes"] >= {0, 16, 32}
    assert len(told["outs"]) > 9
    assert len(told["danger"]) > 12


@pytest.mark.parametrize("rules", GIN, ids=label)
def test_what_cards_are_worth_in_gin(rules: Rules) -> None:
    laid = dict(rules.options)["lay_off"] == "manual"
    told = check(rules, "gin, melds laid down" if laid else "gin", 9)
    assert max(told["after"]) == 48
    assert len(told["after"]) > 20
    assert len(told["outs"]) > 9
    assert len(told["danger"]) > 12


@pytest.mark.slow
@pytest.mark.parametrize("rules", DECLARED, ids=label)
def test_what_cards_are_worth_where_hands_are_declared(rules: Rules) -> None:
    told = check(rules, "declared", 10)
    assert told["after"] == {0, 16, 32}
    most = 16 * rules.pack.decks
    assert told["live"] == {*range(0, most + 1, 16)}
    assert told["saves"] == {*range(0, most + 1, 16)}
    assert len(told["outs_after"]) > 5
    assert len(told["outs"]) > 9
    assert len(told["danger"]) > 8
