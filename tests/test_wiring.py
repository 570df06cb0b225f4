"""The network of suits and cards once more, in plain loops, and what its wiring reads."""

from collections.abc import Mapping
from itertools import accumulate

import numpy as np
import pytest
import torch

from rummy_env import Rules
from rummy_env.baselines.layout import Layout, action_layout, observation_layout
from rummy_env.baselines.networks import Arrays, SuitNet, Wiring
from rummy_env.core.actions import action_space
from rummy_env.core.arrays import Bools, Float32s
from rummy_env.core.part import Action
from rummy_env.views.features import OUTS, Features, observer
from tests.conftest import label
from tests.networks import (
    OTHERS,
    RULES,
    Vector,
    everything_legal,
    movers,
    over_more_rules,
    policy_of,
    positions,
    random_arrays,
    wires,
)
from tests.reference.cards import PACK, RANKS, SUITS
from tests.rollout import fitting

SMALL = SuitNet(suit=3, pooled=5, card=2)

# The network in plain loops


def planes_of(observation: Layout) -> dict[str, int]:
    """The parts about cards, and where they start."""
    widths = [width for _, width, _ in observation.parts]
    starts = accumulate([0, *widths[:-1]])
    parts = zip(observation.parts, starts, strict=True)
    return {name: start for (name, width, _), start in parts if width == len(PACK)}


class Plain:
    """A network for one observation, worked out in loops; every layer is a matrix and a bias."""

    def __init__(self, rules: Rules, arrays: Mapping[str, Float32s], seen: Features) -> None:
        self.arrays = {name: array.astype(np.float64) for name, array in arrays.items()}
        self.actions = action_space(rules).actions
        self.starts = planes_of(observation_layout(rules, OUTS))
        self.graded = {each.name for each in observer(rules, OUTS).graded}
        about_cards = {start + i for start in self.starts.values() for i in range(len(PACK))}
        self.seen = seen.astype(np.float64)
        self.rest = np.array([x for i, x in enumerate(self.seen) if i not in about_cards])
        named = [each.kind for each in self.actions if {*each.cards} & {*PACK}]
        self.kinds = [*dict.fromkeys(named)]

    def entry(self, part: str, card: str) -> float:
        """What is told of a card, numbers in sixteenths."""
        told = self.seen[self.starts[part] + PACK.index(card)]
        return float(told / 16 if part in self.graded else told)

    def through(self, *inputs: tuple[str, Vector], bias: str) -> Vector:
        """Units that read inputs by matrices, with a bias, none below zero."""
        found = self.arrays[bias].copy()
        for matrix, given in inputs:
            found += given @ self.arrays[matrix]
        return np.maximum(found, 0)

    def logits(self) -> list[float]:
        """One for each action."""
        first, again = {}, {}
        for suit in SUITS:
            cards = np.array([self.entry(part, r + suit) for part in self.starts for r in RANKS])
            inputs = ("suit_cards", cards), ("suit_others", self.rest)
            first[suit] = self.through(*inputs, bias="suit_bias")
        total: Vector = np.sum([*first.values()], axis=0)
        inputs = ("pooled_suits", total), ("pooled_others", self.rest)
        pooled = self.through(*inputs, bias="pooled_bias")
        for suit in SUITS:
            inputs = ("again_suit", first[suit]), ("again_pooled", pooled)
            again[suit] = self.through(*inputs, bias="again_bias")
        number = {card: self.of_card(card, again[card[1]]) for card in PACK}
        others = pooled @ self.arrays["others"] + self.arrays["others_bias"]
        slots = [*dict.fromkeys(map(self.slot, self.actions))]
        own = dict(zip(slots, others.tolist(), strict=True))
        return [
            own[self.slot(action)]
            + sum(number[card][action.kind] for card in action.cards if card in PACK)
            for action in self.actions
        ]

    @staticmethod
    def slot(action: Action) -> tuple[str, ...]:
        """What an action shares a number with: its kind, or nothing else where it has no cards."""
        return (action.kind, *(card for card in action.cards if card not in PACK))

    def of_card(self, card: str, suit: Vector) -> dict[str, float]:
        """The number of a card for each kind of action."""
        told = np.array([self.entry(part, card) for part in self.starts])
        units = self.through(("card_numbers", told), ("card_suit", suit), bias="card_bias")
        by_card = units @ self.arrays["cards"]
        by_rank = (suit @ self.arrays["ranks"]).reshape(len(RANKS), len(self.kinds))
        numbers = by_card + by_rank[RANKS.index(card[0])]
        return dict(zip(self.kinds, numbers.tolist(), strict=True))


@over_more_rules
def test_the_network_is_what_plain_loops_over_suits_and_cards_give(rules: Rules) -> None:
    arrays = random_arrays(SMALL.shapes(wires(rules)))
    seen = movers(positions(rules)[3])[:3]
    logits = SMALL.logits(arrays, wires(rules), seen, everything_legal(rules, seen))
    plain = np.array([Plain(rules, arrays, each).logits() for each in seen])
    assert np.allclose(logits, plain, rtol=1e-4, atol=1e-4)
    assert plain.std() > 0.1


@pytest.mark.parametrize("rules", [RULES[0], OTHERS[2]], ids=label)
@pytest.mark.parametrize("alone", [*SMALL.shapes(wires(RULES[0]))])
def test_every_array_has_its_own_place(rules: Rules, alone: str) -> None:
    """All arrays are ones but one, whose numbers are all different; and all are zeros but it."""
    wired = wires(rules)
    seen = movers(positions(rules)[2])[:2]
    for others in (0.1, 0):
        arrays = {name: np.full(shape, others) for name, shape in SMALL.shapes(wired).items()}
        arrays[alone] = np.linspace(-1, 2, arrays[alone].size).reshape(arrays[alone].shape)
        given = {name: array.astype(np.float32) for name, array in arrays.items()}
        plain = np.array([Plain(rules, given, each).logits() for each in seen])
        logits = SMALL.logits(given, wired, seen, everything_legal(rules, seen))
        assert np.allclose(logits, plain, rtol=1e-4, atol=1e-4)


def zeros(wired: Wiring) -> dict[str, Float32s]:
    return {name: np.zeros(shape, np.float32) for name, shape in SMALL.shapes(wired).items()}


def by_name(rules: Rules, arrays: Arrays, seen: Features) -> dict[str, float]:
    """The logits for one observation, by the action in words."""
    legal = everything_legal(rules, seen[None])
    logits = SMALL.logits(arrays, wires(rules), seen[None], legal)[0].tolist()
    return dict(zip(map(str, action_space(rules).actions), logits, strict=True))


def test_an_action_gets_the_sum_of_the_numbers_of_its_cards() -> None:
    rules = fitting("basic")
    arrays, seen = zeros(wires(rules)), np.zeros(wires(rules).size, np.int8)
    parts = planes_of(observation_layout(rules, OUTS))
    arrays["card_numbers"][[*parts].index("hand"), 0] = 1
    arrays["card_numbers"][[*parts].index("outs"), 0] = 10
    kinds = ["meld_group", "meld_sequence", "lay_off_group", "lay_off_sequence", "discard"]
    arrays["cards"][0] = [1, 2, 3, 4, 5]
    for card in ("7c", "7d", "9c"):
        seen[parts["hand"] + PACK.index(card)] = 1
    seen[parts["outs"] + PACK.index("8c")] = 8
    worth = {"7c": 1, "7d": 1, "9c": 1, "8c": 5}
    for action, logit in by_name(rules, arrays, seen).items():
        *words, cards = action, [word for word in action.split() if word in PACK]
        kind = words[0].rsplit(maxsplit=len(cards))[0].replace(" ", "_")
        factor = kinds.index(kind) + 1 if cards else 0
        assert logit == factor * sum(worth.get(card, 0) for card in cards)


def test_actions_of_a_kind_share_a_number_and_special_cards_have_their_own() -> None:
    rules = fitting("rummy_cards", four_sevens=True)
    wired, arrays = wires(rules), zeros(wires(rules))
    arrays["others_bias"][:] = np.arange(1, len(wired.of_others) + 1)
    told = by_name(rules, arrays, np.zeros(wired.size, np.int8))
    specials = ["WILD", "RUMMY", "GROUP", "SEQUENCE"]
    alone = ["draw stock", "draw discard", "lay down rummy", "four sevens", "go out"]
    assert {told[f"discard {card}"] for card in PACK} == {told["discard 7h"]}
    own = [told[name] for name in (*alone, "discard 7h", *(f"discard {s}" for s in specials))]
    assert sorted(own) == [*range(1, len(own) + 1)]
    assert len(told) == len(PACK) + len(own) - 1


def test_special_cards_have_no_number_among_the_cards() -> None:
    rules = fitting("rummy_cards")
    arrays = zeros(wires(rules))
    arrays["cards"] += 1
    arrays["card_bias"] += 1
    arrays["ranks"] += 1
    arrays["again_bias"] += 1
    told = by_name(rules, arrays, np.ones(wires(rules).size, np.int8))
    assert {name for name, logit in told.items() if logit} == {f"discard {card}" for card in PACK}


@over_more_rules
def test_the_shapes_follow_from_the_layouts(rules: Rules) -> None:
    observation, actions = observation_layout(rules, OUTS), action_layout(rules)
    planes = len(planes_of(observation))
    rest = sum(width for _, width, _ in observation.parts if width != len(PACK))
    space = action_space(rules).actions
    kinds = {each.kind for each in space if {*each.cards} & {*PACK}}
    others = {(each.kind, each.cards) for each in space if not {*each.cards} & {*PACK}}
    wired = Wiring(observation, actions)
    assert (wired.size, wired.num_actions) == (observer(rules, OUTS).size, len(space))
    assert (wired.num_planes, wired.kinds) == (planes, len(kinds))
    assert wired.of_cards.shape == (52 * len(kinds), len(space))
    assert wired.of_others.shape == (len(kinds) + len(others), len(space))
    assert SMALL.shapes(wired) == {
        "suit_cards": (13 * planes, 3),
        "suit_others": (rest, 3),
        "suit_bias": (3,),
        "pooled_suits": (3, 5),
        "pooled_others": (rest, 5),
        "pooled_bias": (5,),
        "again_suit": (3, 3),
        "again_pooled": (5, 3),
        "again_bias": (3,),
        "card_numbers": (planes, 2),
        "card_suit": (3, 2),
        "card_bias": (2,),
        "ranks": (3, 13 * len(kinds)),
        "cards": (2, len(kinds)),
        "others": (5, len(kinds) + len(others)),
        "others_bias": (len(kinds) + len(others),),
    }


@over_more_rules
def test_an_action_names_its_own_cards_and_one_slot(rules: Rules) -> None:
    wired, space = wires(rules), action_space(rules).actions
    kinds = [*dict.fromkeys(each.kind for each in space if {*each.cards} & {*PACK})]
    table = wired.of_cards.reshape(len(PACK), len(kinds), len(space))
    for number, action in enumerate(space):
        named = {(PACK[card], kinds[kind]) for card, kind in np.argwhere(table[:, :, number])}
        regular = [card for card in action.cards if card in PACK]
        assert named == {(card, action.kind) for card in regular}
        assert {PACK[card] for card in wired.names[number].nonzero()[0]} == {*regular}
        assert wired.of_others[:, number].sum() == 1
    flags: Bools = np.isin(wired.of_cards, [0, 1])
    assert flags.all()
    assert np.isin(wired.of_others, [0, 1]).all()


@over_more_rules
def test_cards_are_looked_at_that_legal_actions_name(rules: Rules) -> None:
    actions = action_space(rules).actions
    for engine in positions(rules)[:2]:
        masks = engine.legal_mask()
        expected = [
            len(PACK) * row + PACK.index(card)
            for row, mask in enumerate(masks)
            for card in {card for i in mask.nonzero()[0] for card in actions[i].cards} & {*PACK}
        ]
        assert wires(rules).named(masks).tolist() == sorted(expected)


@over_more_rules
def test_entries_are_read_by_suit_part_and_rank_and_numbers_as_sixteenths(rules: Rules) -> None:
    observation, wired = observation_layout(rules, OUTS), wires(rules)
    seen = np.random.default_rng(5).integers(0, 128, (3, wired.size)).astype(np.int8)
    cards, others, _ = wired.inputs(seen)
    assert np.array_equal(np.unique(wired.scale), [1 / 16, 1])
    parts, graded = planes_of(observation), {each.name for each in observer(rules, OUTS).graded}
    told: list[list[float]] = []
    for row in seen.tolist():
        for suit in SUITS:
            told.append([])
            for part, start in parts.items():
                unit = 16 if part in graded else 1
                told[-1] += [row[start + PACK.index(rank + suit)] / unit for rank in RANKS]
    assert np.array_equal(cards * wired.scale, np.array(told))
    about_cards = [start + i for start in parts.values() for i in range(len(PACK))]
    assert np.array_equal(others, np.delete(seen, about_cards, axis=1))
    assert cards.dtype == others.dtype == np.float32
    theirs = policy_of(rules).given(torch.as_tensor(seen))
    assert np.array_equal(theirs[0].numpy(), cards)
    assert np.array_equal(theirs[1].numpy(), others)
