"""What a central critic sees: the observations of all agents as one array."""

import numpy as np
from pettingzoo.test.state_test import test_state_space as check_state_space
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

import rummy_env
from rummy_env import Rules
from rummy_env.core.cards import NUM_REGULAR, card_flags
from rummy_env.envs.aec import RummyAEC


def test_the_state_is_what_all_agents_observe_and_shows_every_hand(rules: Rules) -> None:
    game = RummyAEC(rules)
    game.reset(seed=3)
    seen = [game.observe(agent)["observation"] for agent in game.possible_agents]
    assert np.array_equal(game.state(), np.concatenate(seen))
    assert game.state_space.contains(game.state())
    hands = game.state().reshape(len(seen), -1)[:, :NUM_REGULAR]  # the first plane is the hand
    for hand, cards in zip(hands, game.engine.state.hands[0], strict=True):
        assert np.array_equal(hand, card_flags(np.bitwise_or.reduce(cards)))


def test_the_state_passes_pettingzoo_s_test_through_wrappers_and_in_parallel(rules: Rules) -> None:
    env = rummy_env.env(rules.name, **dict(rules.options))
    check_state_space(env)
    env.reset(seed=1)
    parallel = turn_based_aec_to_parallel(env)
    assert parallel.state_space == env.state_space
    assert np.array_equal(parallel.state(), env.unwrapped.state())
