"""Suits are interchangeable: in what is observed, and to the networks that read and name cards.

A position with its suits exchanged is laid anew from text.
"""

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from gymnasium.spaces import Discrete

import rummy_env
from agents.network import SuitPolicy
from agents.saved import arrays_of
from rummy_env import Engine, Rules
from rummy_env.baselines.layout import action_layout, observation_layout
from rummy_env.baselines.networks import Shapes, SuitNet, Wiring, wiring
from rummy_env.baselines.value_net import ValueNet
from rummy_env.core.actions import action_space
from rummy_env.core.arrays import Bools, Float32s, Rows
from rummy_env.core.keys import game_seeds
from rummy_env.core.visibility import look
from rummy_env.envs.observations import box
from rummy_env.views.features import OUTS, Features, observer
from tests.conftest import few_or_all
from tests.hiding import GAMES, dealt_anew, moments, swapped
from tests.reference.cards import PACK, SUITS
from tests.rollout import choices, dealt, fitting, seatings, tables

RULES = [
    fitting(name, num_players=players)
    for name in rummy_env.VARIANTS
    for players in (2, 4)
    if players in seatings(name)
]
OTHERS = [
    fitting("gin", preset="openspiel", knock_card=60),
    fitting("classic", num_players=3, ace="high_or_low", hand_size=4, max_turns=40),
    fitting("rummy_cards", num_players=3, decks=2, three_card_draw=True, four_sevens=True),
    fitting("going_out", sequences_rummy=True, wildcards=4, pile_recall=True),
]

FEW = RULES[::2]
"""Each variant."""

over_rules = few_or_all("rules", few=FEW, every=RULES)
over_more_rules = few_or_all("rules", few=[*FEW[::2], *OTHERS], every=[*RULES, *OTHERS])

EXCHANGES = ["dchs", "hdcs", "dhsc", "shdc"]
"""What clubs, diamonds, hearts and spades become."""

Vector = npt.NDArray[np.float64]

NETWORK, CRITIC = SuitNet(suit=24, pooled=40, card=12), ValueNet(suit=24, pooled=40)
SMALL = SuitNet(suit=3, pooled=5, card=2)


# Positions and their twins


@cache
def positions(rules: Rules) -> list[Engine]:
    """Games at various times."""
    games, found = dealt(rules, 5, seed=12), []
    for _ in range(5):
        found.append(Engine(rules, 5))
        for row, table in enumerate(tables(games)):
            found[-1].restore(row, table)
        for _ in range(17):
            games.reset(games.finished.nonzero()[0])
            games.step(choices(games))
    return found


def exchanged(told: Any, suits: str) -> Any:
    """A table with every card replaced by that of another suit."""
    if isinstance(told, dict):
        return {name: exchanged(entry, suits) for name, entry in told.items()}
    if isinstance(told, list):
        return [exchanged(entry, suits) for entry in told]
    return told[0] + suits[SUITS.index(told[1])] if told in PACK else told


def twin(engine: Engine, suits: str) -> Engine:
    """The same games in other suits."""
    other = Engine(engine.rules, engine.num_envs)
    for row, table in enumerate(tables(engine)):
        other.restore(row, exchanged(table, suits))
    return other


def entries_in(rules: Rules, suits: str) -> Rows:
    """intp[F], for each entry of an observation the one of the card in another suit."""
    moved = [PACK.index(exchanged(card, suits)) for card in PACK]
    found: list[int] = []
    for _, width, _ in observation_layout(rules, OUTS).parts:
        start = len(found)
        found += [start + i for i in (moved if width == len(PACK) else range(width))]
    return np.array(found)


def actions_in(rules: Rules, suits: str) -> Rows:
    """intp[A], for each action the one with its cards in another suit."""
    actions = action_space(rules).actions
    number = {(each.kind, frozenset(each.cards)): i for i, each in enumerate(actions)}
    assert len(number) == len(actions)
    return np.array(
        [number[each.kind, frozenset(exchanged([*each.cards], suits))] for each in actions]
    )


def movers(engine: Engine) -> Features:
    """What the seats to move observe."""
    return observer(engine.rules, OUTS)(engine.look(engine.to_move))


@over_more_rules
def test_a_table_in_other_suits_is_observed_in_other_suits(rules: Rules) -> None:
    for engine, suits in zip(positions(rules), [*EXCHANGES, "cdsh"], strict=True):
        other, moved = twin(engine, suits), entries_in(rules, suits)
        for seat in range(rules.num_players):
            one, two = (observer(rules, OUTS)(e.look(seat)) for e in (engine, other))
            assert np.array_equal(one, two[:, moved])
        assert np.array_equal(engine.legal_mask(), other.legal_mask()[:, actions_in(rules, suits)])


# Networks on them


def wires(rules: Rules) -> Wiring:
    return wiring(observation_layout(rules, OUTS), action_layout(rules))


def drawn(shapes: Shapes, seed: int = 3) -> dict[str, Float32s]:
    """Random arrays that make logits of every size, biases among them."""
    rng = np.random.default_rng(seed)
    return {
        name: rng.normal(0, shape[0] ** -0.5 if len(shape) > 1 else 0.3, shape).astype(np.float32)
        for name, shape in shapes.items()
    }


@cache
def policy_of(rules: Rules) -> SuitPolicy:
    """An actor and a critic with random weights."""
    spaces = box(observer(rules, OUTS)), Discrete(len(action_space(rules)))
    policy = SuitPolicy(*spaces, lambda _: 1e-3, rules=rules, actor=NETWORK, critic=CRITIC)
    with torch.no_grad():
        for seed, weights in enumerate((policy.actor.weights, policy.critic.weights)):
            named = dict(weights.named_parameters())
            arrays = drawn({name: tuple(array.shape) for name, array in named.items()}, seed)
            for name, array in arrays.items():
                named[name].copy_(torch.as_tensor(array))
    return policy


def everything_legal(rules: Rules, seen: Features) -> Bools:
    return np.ones((len(seen), wires(rules).num_actions), np.bool_)


def logits_of(rules: Rules, seen: Features, masks: Bools | None = None) -> Float32s:
    """float32[N, A], of all actions, or of the legal ones; 0 of others."""
    masks = everything_legal(rules, seen) if masks is None else masks
    found = NETWORK.logits(arrays_of(policy_of(rules).actor), wires(rules), seen, masks)
    assert found.dtype == np.float32
    return np.where(masks, found, np.float32(0))


def values_of(rules: Rules, seen: Features) -> Float32s:
    with torch.no_grad():
        return policy_of(rules).predict_values(torch.as_tensor(seen)).numpy()


def close(one: npt.NDArray[Any], other: npt.NDArray[Any]) -> bool:
    return bool(np.allclose(one, other, rtol=0, atol=1e-4))


@over_more_rules
def test_in_other_suits_the_network_prefers_the_same_in_these_suits(rules: Rules) -> None:
    spread = []
    for engine, suits in zip(positions(rules), [*EXCHANGES, "cdsh"], strict=True):
        other, moved = twin(engine, suits), actions_in(rules, suits)
        seen = movers(engine), movers(other)
        one, two = (logits_of(rules, each) for each in seen)
        assert close(one, two[:, moved])
        masks = engine.legal_mask(), other.legal_mask()
        one, two = (logits_of(rules, *each) for each in zip(seen, masks, strict=True))
        assert close(one, two[:, moved])
        one, two = (values_of(rules, each) for each in seen)
        assert close(one, two)
        spread.append(one)
    assert np.concatenate(spread).std() > 0.05


@over_rules
def test_any_observation_in_other_suits_is_answered_in_these_suits(rules: Rules) -> None:
    """Also those that no table shows."""
    rng, size = np.random.default_rng(1), wires(rules).size
    seen = rng.integers(0, 4, (20, size)).astype(np.int8)
    for suits in EXCHANGES:
        moved = np.empty_like(seen)
        moved[:, entries_in(rules, suits)] = seen
        one, two = logits_of(rules, seen), logits_of(rules, moved)
        assert close(one, two[:, actions_in(rules, suits)])
        assert close(values_of(rules, seen), values_of(rules, moved))


@over_more_rules
def test_what_is_illegal_changes_no_logit_of_a_legal_action(rules: Rules) -> None:
    for engine in positions(rules):
        seen, masks = movers(engine), engine.legal_mask()
        assert close(logits_of(rules, seen, masks), logits_of(rules, seen) * masks)


@over_more_rules
def test_numpy_plays_as_pytorch_does(rules: Rules) -> None:
    policy, choices_met = policy_of(rules), 0
    for engine in positions(rules):
        running = engine.running
        seen, masks = movers(engine)[running], engine.legal_mask(running)
        with torch.no_grad():
            given = policy.given(torch.as_tensor(seen))
            theirs = policy.actor(*given, masks).numpy()
            actions, logs, _ = policy.choose(torch.as_tensor(seen), masks, deterministic=True)
        legal = np.where(masks, logits_of(rules, seen, masks), -np.inf).astype(np.float64)
        own = legal - np.log(np.exp(legal).sum(axis=1, keepdims=True))
        assert close(own[masks], theirs[masks])
        assert (theirs[~masks] < -1e6).all()
        sure = beyond_doubt(legal)
        assert sure.mean() > 0.8
        assert np.array_equal(legal.argmax(axis=1)[sure], actions.numpy()[sure])
        assert close(own.max(axis=1), logs.numpy())
        choices_met += int((masks.sum(axis=1) > 1).sum())
    assert choices_met > 5


def beyond_doubt(legal: Vector) -> Bools:
    """Where one action is the likeliest by more than rounding."""
    second, first = np.sort(legal, axis=1)[:, -2:].T
    return first - second > 1e-4


# What is hidden


def answers(rules: Rules, seen: Features, masks: Bools) -> tuple[bytes, bytes]:
    """Logits and values, to the last bit."""
    return logits_of(rules, seen, masks).tobytes(), values_of(rules, seen).tobytes()


@over_rules
def test_hidden_cards_swapped_by_hand_change_nothing_that_a_network_answers(rules: Rules) -> None:
    rng, other, changed = np.random.default_rng(4), Engine(rules, GAMES), 0
    for engine in moments(rules):
        for row, table in enumerate(tables(engine)):
            moved = swapped(rules, table, table["to_move"], rng)
            changed += moved["hands"] != table["hands"]
            other.restore(row, moved)
        one, two = (answers(rules, movers(e), e.legal_mask()) for e in (engine, other))
        assert one == two
    assert changed > GAMES


@over_rules
def test_a_redeal_of_hidden_cards_changes_nothing_that_a_network_answers(rules: Rules) -> None:
    rows = np.arange(GAMES)
    for moment, engine in enumerate(moments(rules)):
        seats, masks = engine.to_move.astype(np.intp), engine.legal_mask()
        games = dealt_anew(rules, engine.state, rows, seats, game_seeds(moment, GAMES))
        seen = observer(rules, OUTS)(look(rules, games, rows, seats))
        assert answers(rules, seen, masks) == answers(rules, movers(engine), masks)


def test_where_nobody_has_a_choice_nothing_is_chosen() -> None:
    policy = policy_of(rummy_env.rules("basic"))
    seen = torch.zeros((0, len(policy.observation_space.sample())), dtype=torch.int8)
    masks = np.zeros((0, policy.num_actions), np.bool_)
    actions, logs, _ = policy.choose(seen, masks)
    assert (actions.shape, logs.shape) == ((0,), (0,))
    assert policy.predict_values(seen).shape == (0, 1)
