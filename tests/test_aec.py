"""The PettingZoo environment: its library's own tests, and what those do not look at."""

import inspect
import pickle
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from pettingzoo.test import (
    api_test,
    parallel_api_test,
    parallel_seed_test,
    render_test,
    seed_test,
)
from pettingzoo.utils import AECEnv
from pettingzoo.utils.conversions import (
    turn_based_aec_to_parallel,
)

import rummy_env
from rummy_env import Engine, IllegalAction, Rules
from rummy_env.envs.aec import RummyAEC
from rummy_env.envs.rendering import RENDER_MODES
from rummy_env.views.features import observer
from tests.rollout import choices

pytestmark = [
    pytest.mark.adapter,
    *(
        pytest.mark.filterwarnings(f"ignore:{expected}")
        for expected in (
            "Observation is not a NumPy array",  # it is a dict, because of the mask
            "Observation space for each agent probably should be",
            "Action mask numpy array is all zeros",  # so it is when the game is over
        )
    ),
]


def named(rules: Rules, render_mode: str | None = None, **shown: Any) -> AECEnv:
    """The environment as users make it, its random agents seeded."""
    env = rummy_env.env(rules.name, render_mode, **shown, **dict(rules.options))
    for agent in env.possible_agents:
        env.action_space(agent).seed(7)
    return env


def dealt(rules: Rules, seed: int = 3) -> RummyAEC:
    """A game without wrappers that has just begun."""
    game = RummyAEC(rules)
    game.reset(seed=seed)
    return game


def pick(game: RummyAEC) -> int:
    """A random legal action, a function of the game."""
    return int(choices(game.engine)[0])


def illegal(game: RummyAEC) -> int:
    """An action that exists and is not legal now."""
    return int(game.engine.legal_mask()[0].argmin())


def finish(game: RummyAEC) -> None:
    """Plays at random until the game is over, all its agents still there."""
    while not game.engine.finished[0]:
        game.step(pick(game))


def everything(game: RummyAEC) -> dict[str, Any]:
    """All that can be seen of a game from outside."""
    return {
        "table": game.engine.snapshot(0),
        "agent": game.agent_selection,
        "rewards": game.rewards.copy(),
        "sums": game._cumulative_rewards.copy(),
        "ended": (game.terminations.copy(), game.truncations.copy()),
        "infos": game.infos.copy(),
        "observations": {agent: game.observe(agent) for agent in game.possible_agents},
    }


def test_pettingzoo_api_test_with_wrappers(rules: Rules, thorough: bool) -> None:
    api_test(named(rules), num_cycles=1000 if thorough else 200)


def test_pettingzoo_api_test_without_wrappers(variant: str, thorough: bool) -> None:
    api_test(rummy_env.raw_env(variant), num_cycles=1000 if thorough else 200)


def test_pettingzoo_seed_test(rules: Rules) -> None:
    seed_test(lambda: named(rules), num_cycles=40)


def test_pettingzoo_render_test(rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pygame")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    render_test(lambda render_mode: named(rules, render_mode, render_fps=0))


def test_pettingzoo_parallel_api_test(rules: Rules, thorough: bool) -> None:
    cycles = 100 if thorough else 30
    parallel_api_test(turn_based_aec_to_parallel(named(rules)), num_cycles=cycles)


def test_pettingzoo_parallel_seed_test(rules: Rules) -> None:
    parallel_seed_test(lambda: turn_based_aec_to_parallel(named(rules)), num_cycles=40)


def test_a_loop_of_random_agents_ends_for_every_agent_once(rules: Rules) -> None:
    env = named(rules)
    env.reset(seed=7)
    ended = []
    for agent in env.agent_iter(max_iter=20_000):
        observation, _, termination, truncation, _ = env.last()
        over = termination or truncation
        ended += [agent] * over
        mask = observation["action_mask"]
        env.step(None if over else env.action_space(agent).sample(mask))
    assert env.agents == []
    assert sorted(ended) == env.possible_agents


def play_out(game: RummyAEC) -> tuple[list[float], list[float]]:
    """Plays at random until all agents are gone.

    Returns:
        What each seat was told to have earned by `last`, and what the engine paid it.
    """
    earned, paid = dict.fromkeys(game.agents, 0.0), np.zeros(len(game.agents))
    for agent in game.agent_iter(max_iter=20_000):
        _, reward, termination, truncation, _ = game.last()
        earned[agent] += reward
        if termination or truncation:
            game.step(None)
        else:
            game.step(pick(game))
            paid += game.engine.rewards[0]
    return list(earned.values()), paid.tolist()


def test_rewards_through_last_are_those_of_the_engine(rules: Rules) -> None:
    earned, paid = play_out(dealt(rules, seed=11))
    assert earned == pytest.approx(paid)


def test_every_hand_of_a_match_is_paid_once(variant: str) -> None:
    options = {"match": "match", "deals": 3, "hand_size": 3, "reward": "points"}
    if options.keys() - inspect.signature(rummy_env.VARIANTS[variant]).parameters.keys():
        pytest.skip(f"{variant} has no such matches")
    game = dealt(rummy_env.rules(variant, **options))
    earned, paid = play_out(game)
    assert earned == paid == game.engine.snapshot(0)["scores"]
    assert game.engine.snapshot(0)["hand_number"] == 2
    assert max(earned) > 0


def assert_all_observe(game: RummyAEC) -> None:
    """Every agent, also one whose game is over, sees what its seat may know."""
    see = observer(game.engine.rules)
    for seat, agent in enumerate(game.possible_agents):
        observation = game.observe(agent)
        assert np.array_equal(observation["observation"], see(game.engine.look(seat))[0])
        assert game.observation_space(agent).contains(observation)


def test_every_agent_observes_its_own_seat_at_all_times(rules: Rules) -> None:
    game = dealt(rules)
    while game.agents:
        assert_all_observe(game)
        for _ in range(7):
            if not game.engine.finished[0]:
                game.step(pick(game))
        if game.engine.finished[0]:
            assert_all_observe(game)
            game.step(None)
    assert_all_observe(game)


def test_only_the_seat_to_move_has_legal_actions(rules: Rules) -> None:
    game = dealt(rules)
    for _ in range(40):
        legal = game.engine.legal_mask()[0]
        for agent in game.agents:
            expected = legal if agent == game.agent_selection else np.zeros_like(legal)
            assert np.array_equal(game.observe(agent)["action_mask"], expected)
            assert np.array_equal(game.infos[agent]["action_mask"], expected)
        if game.engine.finished[0]:
            game.reset()
        game.step(pick(game))


def test_nobody_has_legal_actions_when_the_game_is_over(rules: Rules) -> None:
    game = dealt(rules)
    finish(game)
    while game.agents:
        assert not any(game.observe(a)["action_mask"].any() for a in game.possible_agents)
        assert not game.last()[4]["action_mask"].any()
        game.step(None)


def test_rewards_and_endings_are_plain_floats_and_bools(rules: Rules) -> None:
    game = dealt(rules)
    finish(game)
    assert all(type(reward) is float for reward in game.rewards.values())
    endings = {**game.terminations}, {**game.truncations}
    assert all(type(ended) is bool for which in endings for ended in which.values())
    assert set(endings[0].values()) == {bool(game.engine.terminated[0])}
    assert set(endings[1].values()) == {bool(game.engine.truncated[0])}


def test_what_was_returned_is_not_changed_later(variant: str) -> None:
    game = dealt(rummy_env.rules(variant))
    kept = [game.last() for _ in range(2)]
    game.step(pick(game))
    for key, array in kept[0][0].items():
        assert np.array_equal(array, kept[1][0][key])
        assert not np.shares_memory(array, kept[1][0][key])


@pytest.mark.parametrize("wrong", [False, True])
def test_infos_that_were_handed_out_stay_as_they_were(variant: str, wrong: bool) -> None:
    game = rummy_env.env(variant, max_turns=12)
    game.reset(seed=3)
    kept, steps = [], 0
    while not any(game.terminations.values()) and not any(game.truncations.values()):
        kept.append(({**game.infos}, pickle.dumps(game.infos)))
        mask = game.infos[game.agent_selection]["action_mask"]
        game.step(int((mask == 0).argmax() if wrong and steps > 5 else mask.argmax()))
        steps += 1
    assert any("ending" in info for info in game.infos.values())
    for infos, before in kept:
        assert data_equivalence(infos, pickle.loads(before))


def test_an_action_that_is_no_whole_number_is_refused_in_wrappers_too() -> None:
    game = rummy_env.env("basic")
    game.reset(seed=1)
    with pytest.raises(TypeError, match="action True: give a whole number"):
        game.step(True)


def test_writing_into_what_was_returned_does_not_change_the_game(variant: str) -> None:
    game, untouched = (dealt(rummy_env.rules(variant)) for _ in range(2))
    observation, _, _, _, info = game.last()
    for array in (*observation.values(), info["action_mask"]):
        array[:] = 1
    expected = untouched.observe(game.agent_selection)
    assert data_equivalence(game.observe(game.agent_selection), expected)


def test_a_hand_of_too_many_turns_is_truncated_for_everybody(variant: str) -> None:
    game = dealt(rummy_env.rules(variant, max_turns=4))
    finish(game)
    assert game.engine.snapshot(0)["turn_number"] == 4
    for _ in game.possible_agents:
        _, reward, termination, truncation, _ = game.last()
        assert (reward, termination, truncation) == (0.0, False, True)
        game.step(None)
    assert game.agents == []


def test_the_same_seed_deals_the_same_game_as_the_engine(rules: Rules) -> None:
    game, engine = dealt(rules, seed=2**64 - 9), Engine(rules, seed=2**64 - 9)
    engine.reset()
    for _ in range(3):
        assert game.engine.snapshot(0) == engine.snapshot(0)
        game.reset()
        engine.reset()


def test_reset_without_a_seed_goes_on_to_another_game(variant: str) -> None:
    first, second = (dealt(rummy_env.rules(variant), seed=5) for _ in range(2))
    before = first.engine.snapshot(0)
    first.reset()
    second.reset(seed=None, options={"anything": True})
    assert before["hands"] != first.engine.snapshot(0)["hands"]
    assert data_equivalence(everything(first), everything(second))


def test_environments_that_were_given_no_seed_play_different_games(variant: str) -> None:
    games = [rummy_env.raw_env(variant) for _ in range(2)]
    for game in games:
        game.reset()
    assert games[0].engine.seeds[0] != games[1].engine.seeds[0]


def test_reset_amid_a_game_and_amid_its_end_begins_afresh(variant: str) -> None:
    game, fresh = (dealt(rummy_env.rules(variant), seed=5) for _ in range(2))
    for steps_of_the_dead in (0, 1):
        game.step(pick(game)) if steps_of_the_dead == 0 else finish(game)
        for _ in range(steps_of_the_dead):
            game.step(None)
        game.reset(seed=5)
        assert data_equivalence(everything(game), everything(fresh))


@pytest.mark.parametrize("action", [None, 1.0, "3", np.array([0, 1]), [0]])
def test_an_action_that_is_no_whole_number_is_refused(variant: str, action: Any) -> None:
    game = dealt(rummy_env.rules(variant))
    before = everything(game)
    with pytest.raises(TypeError, match="give a whole number from 0 to"):
        game.step(action)
    assert data_equivalence(before, everything(game))


@pytest.mark.parametrize("kind", [int, np.int8, np.int64, np.uint16, np.array])
def test_whole_numbers_of_every_kind_are_actions(variant: str, kind: Any) -> None:
    game, plain = (dealt(rummy_env.rules(variant)) for _ in range(2))
    plain.step(pick(plain))
    game.step(kind(pick(game)))
    assert data_equivalence(everything(game), everything(plain))


def test_an_illegal_action_leaves_the_game_as_it_was(rules: Rules) -> None:
    game = dealt(rules)
    for _ in range(7):
        game.step(pick(game))
        if game.engine.finished[0]:
            game.reset()
    before = everything(game)
    for action in (illegal(game), -1, game.engine.num_actions, 2**64):
        with pytest.raises((IllegalAction, TypeError)):
            game.step(action)
        assert data_equivalence(before, everything(game))
    game.step(pick(game))


def test_the_wrapped_environment_ends_at_an_illegal_action(rules: Rules) -> None:
    env = named(rules)
    env.reset(seed=1)
    culprit, game = env.agent_selection, env.unwrapped
    assert isinstance(game, RummyAEC)
    env.step(illegal(game))
    assert not any(env.observe(agent)["action_mask"].any() for agent in env.agents)
    assert not any(env.infos[agent]["action_mask"].any() for agent in env.agents)
    assert {info["ending"] for info in env.infos.values()} == {"illegal action"}
    assert not any(info["winners"] for info in env.infos.values())
    earned = {}
    for agent in env.agent_iter(max_iter=20_000):
        _, earned[agent], termination, truncation, _ = env.last()
        assert termination
        assert truncation
        env.step(None)
    assert earned == {agent: -1.0 * (agent == culprit) for agent in env.possible_agents}


def test_the_wrapped_environment_plays_on_after_a_game_lost_by_an_illegal_action(
    variant: str,
) -> None:
    env = rummy_env.env(variant)
    env.reset(seed=1)
    env.step(illegal(env.unwrapped))
    env.reset(seed=1)
    env.step(pick(env.unwrapped))
    assert not any(env.terminations.values())


def test_an_action_beyond_the_action_space_is_an_assertion_error(variant: str) -> None:
    env = rummy_env.env(variant)
    env.reset()
    for action in (-1, env.action_space("player_0").n, None):
        with pytest.raises(AssertionError, match="not in action space"):
            env.step(action)


def test_nothing_can_be_done_before_reset(variant: str) -> None:
    game, wrapped = rummy_env.raw_env(variant, render_mode="ansi"), rummy_env.env(variant)
    for act in (lambda: game.step(0), lambda: game.observe("player_0"), game.render):
        with pytest.raises(ValueError, match=r"call reset\(\) first"):
            act()
    for act in (lambda: wrapped.step(0), lambda: wrapped.observe("player_0")):
        with pytest.raises(AssertionError, match=r"reset\(\) needs to be called"):
            act()


def test_a_game_that_is_over_takes_no_actions(variant: str) -> None:
    game = dealt(rummy_env.rules(variant))
    finish(game)
    with pytest.raises(ValueError, match="the only valid action is None"):
        game.step(0)
    for _ in game.possible_agents:
        game.step(None)
    with pytest.raises(ValueError, match="no game is being played"):
        game.step(None)


def test_an_unknown_agent_is_refused_by_name(variant: str) -> None:
    game = dealt(rummy_env.rules(variant))
    with pytest.raises(ValueError, match=r"agent='player_9': give one of 'player_0', 'player_1'"):
        game.observe("player_9")


@pytest.mark.parametrize("mode", ["rgb", "ANSI", 1, ""])
def test_an_unknown_render_mode_is_refused_with_those_there_are(variant: str, mode: Any) -> None:
    with pytest.raises(ValueError, match=r"render_mode=.*give one of 'ansi', 'human', 'rgb"):
        rummy_env.env(variant, render_mode=mode)


def test_an_unknown_variant_or_option_is_refused(variant: str) -> None:
    with pytest.raises(ValueError, match=f"variant='poker'.*'{variant}'"):
        rummy_env.env("poker")
    with pytest.raises(ValueError, match=r"no option render='ansi'.*num_players"):
        rummy_env.raw_env(variant, render="ansi")


def test_render_without_a_render_mode_warns(variant: str) -> None:
    game = dealt(rummy_env.rules(variant))
    with pytest.warns(UserWarning, match="without specifying any render mode"):
        assert game.render() is None


def test_render_shows_the_hands_of_all_seats(rules: Rules) -> None:
    game = RummyAEC(rules, render_mode="ansi")
    game.reset(seed=0)
    text = str(game.render())
    assert all(agent in text for agent in game.agents)
    assert "hidden" not in text


def test_metadata_names_the_variant_and_its_version(variant: str) -> None:
    env = rummy_env.env(variant)
    assert str(env) == env.metadata["name"] == f"rummy_{variant}_v0"
    assert env.metadata["render_modes"] == list(RENDER_MODES)
    assert env.metadata["is_parallelizable"] is False


def test_spaces_are_the_engine_s_and_every_agent_has_its_own(rules: Rules) -> None:
    game = RummyAEC(rules)
    assert game.possible_agents == [f"player_{seat}" for seat in range(rules.num_players)]
    for agent in game.possible_agents:
        space: Any = game.observation_space(agent)
        assert space["observation"].shape == (observer(rules).size,)
        assert space["action_mask"].shape == (game.engine.num_actions,)
        assert game.action_space(agent).n == game.engine.num_actions
    spaces = map(game.observation_space, game.possible_agents)
    assert len(set(map(id, spaces))) == rules.num_players


def test_a_pickled_environment_is_a_new_one_of_the_same_rules(rules: Rules) -> None:
    game = RummyAEC(rules, render_mode="ansi")
    again = pickle.loads(pickle.dumps(game))
    for env in (game, again):
        env.reset(seed=4)
    assert again.engine.rules == rules
    assert again.render() == game.render()


def test_a_pickled_wrapped_environment_plays_the_same_games(variant: str) -> None:
    env = rummy_env.env(variant)
    again = pickle.loads(pickle.dumps(env))
    for some in (env, again):
        some.reset(seed=4)
    assert data_equivalence(everything(env.unwrapped), everything(again.unwrapped))


def test_the_module_has_nothing_else() -> None:
    with pytest.raises(AttributeError, match="no attribute 'parallel_env'"):
        rummy_env.parallel_env  # type: ignore[attr-defined]  # noqa: B018


def test_no_agent_was_last_where_no_game_is_played() -> None:
    game = rummy_env.raw_env("basic")
    with pytest.raises(ValueError, match=r"no game is being played: call reset\(\) first"):
        game.last()
    game.reset(seed=1)
    assert game.last()[4]["action_mask"].any()


def test_others_are_the_moves_since_the_agent_s_own() -> None:
    game = rummy_env.raw_env("basic", num_players=3)
    game.reset(seed=3)
    since: dict[str, list[str]] = {agent: [] for agent in game.possible_agents}
    for _ in range(40):
        agent = game.agent_selection
        assert {each: info["others"] for each, info in game.infos.items()} == since
        action = int(game.infos[agent]["action_mask"].argmax())
        words = f"{agent}: {game.engine.describe(action)}"
        game.step(action)
        if game.engine.finished[0]:
            break
        since = {o: [] if o == agent else [*made, words] for o, made in since.items()}


def test_every_seat_is_told_how_the_game_that_it_did_not_end_went_on() -> None:
    game = rummy_env.raw_env("basic", num_players=3)
    game.reset(seed=3)
    while not game.engine.finished[0]:
        mover, action = game.agent_selection, pick(game)
        game.step(action)
    last = f"{mover}: {game.engine.describe(action)}"
    for agent in game.agents:
        assert game.infos[agent]["others"][-1:] == ([] if agent == mover else [last])
