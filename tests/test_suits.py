"""Suits are interchangeable: in what is observed, and to the networks that read and name cards.

A position with its suits exchanged is laid anew from text.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
import torch

import rummy_env
from agents.saved import arrays_of
from rummy_env import Engine, Rules
from rummy_env.baselines.layout import observation_layout
from rummy_env.core.actions import action_space
from rummy_env.core.arrays import Bools, Float32s, Rows
from rummy_env.core.keys import game_seeds
from rummy_env.core.visibility import look
from rummy_env.views.features import OUTS, Features, observer
from tests.conftest import few_or_all
from tests.hiding import GAMES, dealt_anew, moments, swapped
from tests.networks import (
    FEW,
    NETWORK,
    RULES,
    Vector,
    everything_legal,
    movers,
    over_more_rules,
    policy_of,
    positions,
    wires,
)
from tests.reference.cards import PACK, SUITS
from tests.rollout import tables

over_rules = few_or_all("rules", few=FEW, every=RULES)

EXCHANGES = ["dchs", "hdcs", "dhsc", "shdc"]
"""What clubs, diamonds, hearts and spades become."""


# Positions and their twins


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


@over_more_rules
def test_a_table_in_other_suits_is_observed_in_other_suits(rules: Rules) -> None:
    for engine, suits in zip(positions(rules), [*EXCHANGES, "cdsh"], strict=True):
        other, moved = twin(engine, suits), entries_in(rules, suits)
        for seat in range(rules.num_players):
            one, two = (observer(rules, OUTS)(e.look(seat)) for e in (engine, other))
            assert np.array_equal(one, two[:, moved])
        assert np.array_equal(engine.legal_mask(), other.legal_mask()[:, actions_in(rules, suits)])


# Networks on them


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
