"""A critic that sees what is hidden, beside an actor that does not."""

from typing import Any

import numpy as np
import pytest
import torch
from gymnasium.spaces import Box, Discrete

import rummy_env
from agents.network import SuitPolicy
from agents.privileged import hidden_cards, hidden_entries, hidden_size
from rummy_env import Rules
from rummy_env.baselines import resolve
from rummy_env.baselines.networks import SuitNet
from rummy_env.baselines.value_net import ValueNet
from rummy_env.core.cards import NUM_REGULAR, regular_bit
from rummy_env.envs.self_play import SelfPlayEnv
from rummy_env.views.features import HINTS, OUTS, observer
from tests.conftest import label
from tests.rollout import dealt, fitting, random_play
from training.vec_env import SelfPlayVecEnv

RULES = [fitting(name, num_players=2) for name in rummy_env.VARIANTS]
RULES += [fitting(name, num_players=4) for name in ("classic", "rummy_cards")]
SMALL = SuitNet(6, 8, 4, "greedy")


def planes_of(hands: list[list[str]], stock: list[str]) -> list[int]:
    """The entries from a snapshot, card by card."""
    found = [0] * (NUM_REGULAR * (len(hands) + 1))
    for i, hand in enumerate(hands):
        for card in hand:
            if is_regular(card):
                found[NUM_REGULAR * i + regular_bit(card)] += 1
    for depth, card in enumerate(stock[:16]):
        place = NUM_REGULAR * len(hands) + regular_bit(card) if is_regular(card) else -1
        if place >= 0 and not found[place]:
            found[place] = 16 - depth
    return found


def is_regular(card: str) -> bool:
    return len(card) == 2 and card[0] in "A23456789TJQK" and card[1] in "cdhs"


@pytest.mark.parametrize("rules", RULES, ids=label)
def test_all_other_hands_and_the_next_cards_of_the_stock_are_told(rules: Rules) -> None:
    engine, empty = dealt(rules, 4), 0
    for step, _ in enumerate(random_play(engine, 140)):
        if step % 7:
            continue
        seats = engine.to_move.astype(np.intp)
        told = hidden_cards(engine.state, seats)
        for row, seat in enumerate(seats.tolist()):
            table = engine.snapshot(row)
            hands = table["hands"][seat + 1 :] + table["hands"][:seat]
            assert told[row].tolist() == planes_of(hands, table["stock"])
            empty += len(table["stock"]) < 16
    assert empty or rules.name == "rummy_cards"  # its stock is seldom played down


@pytest.mark.parametrize("rules", RULES, ids=label)
def test_what_the_next_player_observes_comes_before_them(rules: Rules) -> None:
    engine, sees = dealt(rules, 6), observer(rules, HINTS)
    for step, _ in enumerate(random_play(engine, 60)):
        if step % 9:
            continue
        seats = engine.to_move.astype(np.intp)
        told = hidden_entries(engine, sees, seats)
        assert told.shape == (6, hidden_size(sees.size, rules.num_players))
        np.testing.assert_array_equal(told[:, sees.size :], hidden_cards(engine.state, seats))
        for row, seat in enumerate(seats.tolist()):
            after = (seat + 1) % rules.num_players
            while engine.state.sits_out[row, after]:
                after = (after + 1) % rules.num_players
            view = engine.look([after], [row])
            np.testing.assert_array_equal(told[row, : sees.size], sees(view)[0])


@pytest.fixture(scope="module")
def policy() -> SuitPolicy:
    rules = rummy_env.rules("basic", num_players=3)
    env = SelfPlayVecEnv(SelfPlayEnv(rules, 4, observation=OUTS), resolve("greedy", rules))
    actions, entries = env.games.engine.num_actions, len(env.observation_space.sample())
    seen = Box(0, 127, (entries + hidden_of(rules),), np.int8)
    torch.manual_seed(1)
    sizes: dict[str, Any] = {"actor": SMALL, "critic": ValueNet(8, 16), "privileged": True}
    return SuitPolicy(seen, Discrete(actions), lambda _: 1e-3, rules=rules, **sizes)


def hidden_of(rules: Rules) -> int:
    return hidden_size(observer(rules, OUTS).size, rules.num_players)


def test_the_critic_sees_them_and_the_actor_does_not(policy: SuitPolicy) -> None:
    rules = policy.rules
    games = SelfPlayEnv(rules, 32, observation=OUTS, seed=3)
    env = SelfPlayVecEnv(games, resolve("greedy", rules), privileged=True)
    env.reset()
    seen, masks = env.turn().observations, env.turn().masks
    assert env.observation_space.contains(seen[0])
    moved, hidden = seen.copy(), hidden_of(rules)
    moved[:, -hidden:] = np.roll(seen[:, -hidden:], 1, axis=0)
    assert (moved != seen).any(axis=1).all()
    with torch.no_grad():
        ours, theirs = torch.as_tensor(seen), torch.as_tensor(moved)
        chances = [policy.log_chances(policy.given(each), masks) for each in (ours, theirs)]
        values = [policy.predict_values(each) for each in (ours, theirs)]
    assert torch.equal(*chances)
    assert (values[0] != values[1]).all()


def test_what_the_actor_reads_ends_where_what_is_hidden_begins(policy: SuitPolicy) -> None:
    size = len(policy.observation_space.sample())
    seen = torch.arange(size, dtype=torch.int8).repeat(2, 1)
    assert sum(part.numel() for part in policy.given(seen)) == 2 * (size - hidden_of(policy.rules))


def test_the_critic_reads_all_that_the_next_player_observes(policy: SuitPolicy) -> None:
    size = policy._wired.size
    told = torch.arange(hidden_of(policy.rules)).repeat(2, 1)
    assert policy._hidden is not None
    cards, others = policy._hidden.inputs(told, told.new_empty)
    seen, rest, _ = policy._wired.inputs(told[:, :size], told.new_empty)
    assert torch.equal(others, rest)
    assert torch.equal(cards[:, : seen.shape[1]], seen)
    assert {*cards.flatten().tolist(), *others.flatten().tolist()} == {*range(told.shape[1])}
