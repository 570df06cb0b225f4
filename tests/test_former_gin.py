"""The door for PettingZoo's former gin: its planes, actions and rewards, and RLCard's game."""

import inspect
import pickle
import random
from collections import Counter
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test
from pettingzoo.utils import AECEnv
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from rummy_env import IllegalAction, melds
from rummy_env.envs import former_gin, gin_rummy_v4, gin_rummy_v5
from rummy_env.envs.former_gin import FormerGin
from tests.hiding import dealt_anew

CARDS = [rank + suit for suit in "shdc" for rank in "A23456789TJQK"]
"""In the order of planes and actions: ace of spades to king of spades, hearts, diamonds, clubs."""

DRAW, TAKE, DEAD, GIN = 2, 3, 4, 5

LOOSE = "Ac 2d 3h 4d 6c 8d 9h Jd Qh Kd"
"""63 points, and no meld."""
OTHER = "2s 3c 4h 5c 7c 8h 9s Th Jc Qs"
"""68 points, and no meld."""
MELDED = "7c 7d 7h 4s 5s 6s Tc Jc Qc"
"""Three melds."""

pytestmark = [
    pytest.mark.filterwarnings(f"ignore:{expected}")
    for expected in (
        "Observation is not a NumPy array",  # it is a dict, because of the mask
        "Observation space for each agent probably should be",
        "Action mask numpy array is all zeros",  # so it is when the game is over
    )
]


def discard(card: str) -> int:
    """The number of the discard of a card."""
    return 6 + CARDS.index(card)


def knock(card: str) -> int:
    """The number of the knock with a card."""
    return 58 + CARDS.index(card)


def dealt(seed: int = 3, **options: Any) -> FormerGin:
    """A game without wrappers that has just begun."""
    game = FormerGin(**options)
    game.reset(seed=seed)
    return game


def laid(hands: str, *, stock: str = "", pile: str = "", **given: Any) -> FormerGin:
    """A position in which player_0 is to draw; all cards not named lie under the stock.

    Args:
        hands: Of both players, parted by a stroke.
        stock: Next card first.
        pile: Top card last.
        **given: `marks` of the snapshot, `rest="discard"`, and options.
    """
    marks, rest = given.pop("marks", {}), given.pop("rest", "stock")
    game = dealt(**given)
    held = [hand.split() for hand in hands.split("|")]
    named = {*held[0], *held[1], *stock.split(), *pile.split()}
    others = [card for card in CARDS if card not in named]
    places = {"stock": stock.split(), "discard": []}
    places[rest] += others
    table = {"hands": held, "stock": places["stock"], "discard": places["discard"] + pile.split()}
    start = {"phase": "draw", "to_move": 0, "turn_number": 6, **marks}
    game.engine.restore(0, {**table, **start})
    game._select_mover()
    return game


def legal(game: FormerGin) -> set[int]:
    """What the selected agent may do, from its observation."""
    return set(game.observe(game.agent_selection)["action_mask"].nonzero()[0].tolist())


def cards(game: FormerGin, agent: str, plane: int) -> set[str]:
    """The cards of a plane."""
    row = game.observe(agent)["observation"][plane]
    return {CARDS[column] for column in row.nonzero()[0]}


def play(game: FormerGin, *actions: int) -> None:
    for action in actions:
        game.step(action)


# Spaces and signature


def test_shapes_names_and_arguments_are_as_they_were() -> None:
    game = dealt()
    assert game.possible_agents == ["player_0", "player_1"]
    assert game.metadata["name"] == "gin_rummy_v5"
    for agent in game.possible_agents:
        assert game.action_space(agent) == Discrete(110)
        assert game.observation_space(agent) == Dict(
            observation=Box(0.0, 1.0, (4, 52), np.int8), action_mask=Box(0, 1, (110,), np.int8)
        )
        assert game.observation_space(agent).contains(game.observe(agent))
    given = inspect.signature(FormerGin).parameters
    assert {name: parameter.default for name, parameter in given.items()} == {
        "knock_reward": 0.5,
        "gin_reward": 1.0,
        "opponents_hand_visible": False,
        "render_mode": None,
        "screen_height": 1000,
        "record": None,  # which is new
    }


def test_code_for_the_former_environment_runs_with_one_import_changed() -> None:
    env = gin_rummy_v4.env(knock_reward=0.5, gin_reward=1.0, opponents_hand_visible=False)
    env.reset(seed=42)
    rewards: Counter[str] = Counter()
    for agent in env.agent_iter(max_iter=1000):
        observation, reward, termination, truncation, _ = env.last()
        rewards[agent] += reward
        over = termination or truncation
        env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
    assert not env.agents
    assert set(rewards) == {"player_0", "player_1"}


def test_a_fifth_plane_has_the_cards_whose_place_is_not_known() -> None:
    game = dealt(opponents_hand_visible=True)
    assert game.observation_space("player_0")["observation"].shape == (5, 52)
    for _ in range(40):
        for agent in game.possible_agents:
            assert (game.observe(agent)["observation"].sum(axis=0) == 1).all()
        game.step(random.Random(1).choice(sorted(legal(game) - {4, 5})))


@pytest.mark.parametrize("name", ["knock_reward", "gin_reward"])
@pytest.mark.parametrize("reward", [float("nan"), "a", None])
def test_a_reward_that_is_no_finite_number_is_refused(name: str, reward: Any) -> None:
    with pytest.raises(ValueError, match=f"{name}={reward!r}: give a finite number"):
        gin_rummy_v4.env(**{name: reward})


def test_other_options_are_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match="render_mode='rgb': give one of 'ansi', 'human', 'rgb_a"):
        FormerGin(render_mode="rgb")
    with pytest.raises(ValueError, match="screen_height=9: give a whole number from 300 to 4320"):
        FormerGin(screen_height=9)
    with pytest.raises(ValueError, match="opponents_hand_visible=1: give True or False"):
        FormerGin(opponents_hand_visible=1)  # type: ignore[arg-type]


# PettingZoo's own tests


def seeded(**options: Any) -> AECEnv:
    """The environment as users make it, its random agents seeded."""
    env = gin_rummy_v4.env(**options)
    for agent in env.possible_agents:
        env.action_space(agent).seed(7)
    return env


@pytest.mark.parametrize("visible", [False, True])
def test_pettingzoo_tests_pass(visible: bool) -> None:
    api_test(seeded(opponents_hand_visible=visible), num_cycles=1000)
    api_test(gin_rummy_v4.raw_env(), num_cycles=1000)
    seed_test(lambda: seeded(opponents_hand_visible=visible), num_cycles=40)


def test_pettingzoo_tests_of_rendering_and_of_parallel_play_pass(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(former_gin, "RENDER_FPS", 0)
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    render_test(lambda render_mode: seeded(render_mode=render_mode))
    parallel_api_test(turn_based_aec_to_parallel(seeded()), num_cycles=100)


# The game


def test_the_first_player_is_dealt_eleven_cards_and_discards() -> None:
    for seed in range(8):
        game = dealt(seed)
        first = game.agent_selection
        other = game.possible_agents[1 - game.possible_agents.index(first)]
        assert (len(cards(game, first, 0)), len(cards(game, other, 0))) == (11, 10)
        assert {card for card in CARDS if discard(card) in legal(game)} == cards(game, first, 0)
        assert not cards(game, first, 1)


def test_actions_are_numbered_as_they_were() -> None:
    game = laid(f"{LOOSE} | {OTHER}", stock="Ks", pile="As Kh")
    assert legal(game) == {DRAW, TAKE}
    play(game, DRAW)
    assert legal(game) == {discard(card) for card in [*LOOSE.split(), "Ks"]}
    assert (discard("As"), discard("Ks"), discard("Ah"), discard("Kc")) == (6, 18, 19, 57)
    assert (knock("As"), knock("Kd"), knock("Kc")) == (58, 96, 109)
    play(game, discard("Kd"))
    assert game.agent_selection == "player_1"


def test_planes_are_the_hand_the_top_discard_those_below_and_the_known_cards() -> None:
    game = laid(f"{LOOSE} | {OTHER}", stock="Ks", pile="As 2h Kh")
    play(game, TAKE, discard("Ac"))
    assert cards(game, "player_1", 0) == set(OTHER.split())
    assert cards(game, "player_1", 1) == {"Ac"}
    assert cards(game, "player_1", 2) == {"As", "2h"}
    assert cards(game, "player_1", 3) == {"Kh"}
    assert cards(game, "player_0", 3) == set()


def test_the_card_just_taken_may_not_be_discarded_but_knocked_with() -> None:
    game = laid(f"{MELDED} 2c | {LOOSE}", pile="As Kh")
    play(game, TAKE)
    assert discard("Kh") not in legal(game)
    assert {knock("Kh"), knock("2c")} <= legal(game)


def test_who_can_go_gin_must() -> None:
    game = laid(f"{MELDED} 2c | {LOOSE}", stock="Kc")
    play(game, DRAW)
    assert legal(game) == {GIN}


def test_with_two_cards_left_one_takes_the_discard_or_declares_a_dead_hand() -> None:
    game = laid(f"{LOOSE} | {OTHER}", stock="Ks Kh", rest="discard", marks={"phase": "wall"})
    assert legal(game) == {TAKE, DEAD}
    play(game, DEAD)
    assert legal(game) == {0}


def test_after_a_hundred_turns_the_hand_is_dead() -> None:
    for turn, possible in ((98, {DRAW, TAKE}), (99, {DEAD})):
        marks = {"turn_number": turn}
        game = laid(f"{LOOSE} | {OTHER}", stock="Ks Kh", pile="As", marks=marks)
        play(game, DRAW, discard("Ks"))
        assert legal(game) == possible
    play(game, DEAD, 0, 1)
    assert game.terminations == {"player_0": True, "player_1": True}


# The end


def test_both_hands_are_counted_player_0_first() -> None:
    game = laid(f"{MELDED} 2c | {LOOSE}", stock="Kh")
    play(game, DRAW, knock("Kh"))
    assert (game.agent_selection, legal(game)) == ("player_0", {0})
    assert not any(game.terminations.values())
    play(game, 0)
    assert (game.agent_selection, legal(game)) == ("player_1", {1})
    play(game, 1)
    assert all(game.terminations.values())
    assert cards(game, "player_1", 3) == {*MELDED.split(), "2c"}
    assert not any(game.observe(agent)["action_mask"].any() for agent in game.possible_agents)


@pytest.mark.parametrize(
    ("actions", "stock", "rewards"),
    [
        ((DRAW, knock("Kh")), "Kh", [0.5, -0.63]),
        ((DRAW, GIN), "Kc", [1.0, -0.63]),
        ((DRAW, discard("Kh"), DRAW, discard("Ks")), "Kh Ks", None),
    ],
)
def test_rewards_are_those_of_the_documentation(
    actions: tuple[int, ...], stock: str, rewards: list[float] | None
) -> None:
    game = laid(f"{MELDED} 2c | {LOOSE}", stock=stock)
    play(game, *actions)
    if rewards is None:
        assert game.rewards == {"player_0": 0.0, "player_1": 0.0}
        return
    play(game, 0)
    assert list(game.rewards.values()) == [0.0, 0.0]
    play(game, 1)
    assert list(game.rewards.values()) == rewards


def test_a_dead_hand_costs_both_their_deadwood() -> None:
    game = laid(
        f"{MELDED} Kc | {LOOSE}",
        stock="Ks Kh",
        rest="discard",
        marks={"phase": "wall", "to_move": 1},
    )
    play(game, DEAD, 0, 1)
    assert game.rewards == {"player_0": 0.0, "player_1": -0.63}
    game = laid(f"{OTHER} | {LOOSE}", stock="Ks Kh", rest="discard", marks={"phase": "wall"})
    play(game, DEAD, 0, 1)
    assert game.rewards == {"player_0": -0.68, "player_1": -0.63}


@pytest.mark.slow
def test_knocks_and_gin_pay_what_was_asked_for_also_after_a_seeded_reset() -> None:
    for seed in range(40):
        game = dealt(seed, knock_reward=0.25, gin_reward=7.0)
        choose = random.Random(seed)
        while not all(game.terminations.values()):
            allowed = sorted(legal(game))
            wanted = [action for action in allowed if action == GIN or action >= 58]
            game.step(choose.choice(wanted or allowed))
        claim = game.engine.state.claim[0]
        best = {0: 0.0, 1: 0.25, 2: 7.0}[int(claim)]
        assert max(game.rewards.values()) == best or claim == 0


# No leak


def test_the_one_who_waits_sees_nothing_of_the_other_hand() -> None:
    game = dealt(opponents_hand_visible=True)
    choose, other = random.Random(2), dealt(opponents_hand_visible=True)
    for step in range(60):
        seat = 1 - int(game.engine.to_move[0])
        seed = np.array([step + 1], np.uint64)
        state = dealt_anew(
            game.engine.rules, game.engine.state, np.array([0]), np.array([seat]), seed
        )
        other.engine.state.put(np.array([0]), state)
        other._select_mover()
        told, same = (one.observe(one.possible_agents[seat]) for one in (game, other))
        assert told["observation"].tobytes() == same["observation"].tobytes()
        assert not told["action_mask"].any()
        assert set(game.engine.snapshot(0)["hands"][seat]) == cards(game, f"player_{seat}", 0)
        if not game.engine.finished[0]:
            game.step(choose.choice(sorted(legal(game) - {4, 5})))


# What was not so before


def test_illegal_actions_raise_without_wrappers_and_lose_with_them() -> None:
    game = dealt()
    before = game.engine.snapshot(0)
    with pytest.raises(IllegalAction, match=f"{game.agent_selection}: action 2 is not legal"):
        game.step(DRAW)
    for action in ("2", 2.0, None):
        with pytest.raises(TypeError, match="give a whole number from 0 to 109"):
            game.step(action)  # type: ignore[arg-type]
    assert game.engine.snapshot(0) == before
    env = gin_rummy_v4.env()
    env.reset(seed=1)
    loser = env.agent_selection
    env.step(DRAW)
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.rewards == {agent: -1.0 * (agent == loser) for agent in env.possible_agents}
    assert not any(info["action_mask"].any() for info in env.infos.values())


def test_nothing_can_be_done_before_reset_or_after_the_end() -> None:
    with pytest.raises(ValueError, match="call reset"):
        FormerGin().step(6)
    game = laid(f"{MELDED} 2c | {LOOSE}", stock="Kh")
    play(game, DRAW, knock("Kh"), 0, 1)
    with pytest.raises(ValueError, match="None"):
        game.step(6)
    play(game, None, None)  # type: ignore[arg-type]
    assert not game.agents


def test_the_table_is_text_or_a_picture_of_the_height_asked_for() -> None:
    text, picture = (dealt(render_mode=mode, screen_height=300) for mode in ("ansi", "rgb_array"))
    assert str(text.render()).startswith("former_gin, hand 1, turn 1: player_")
    drawn = picture.render()
    assert isinstance(drawn, np.ndarray)
    assert drawn.shape == (300, 400, 3)


def test_a_pickled_environment_is_a_new_one_with_the_same_arguments() -> None:
    game = pickle.loads(pickle.dumps(dealt(knock_reward=0.2, opponents_hand_visible=True)))
    game.reset(seed=3)
    assert game._rewards == (0.2, 1.0)
    assert game.observe("player_0")["observation"].shape == (5, 52)


# RLCard's game


class RLCardGame:
    """The same hand in RLCard."""

    def __init__(self, table: dict[str, Any]) -> None:
        """Deals the cards of a hand that has just begun.

        Args:
            table: The snapshot: `hands`, `stock` and `to_move`.
        """
        rlcard = pytest.importorskip("rlcard")
        self.env = rlcard.make("gin-rummy")
        self.env.reset()
        base = pytest.importorskip("rlcard.games.base")
        game = self.env.game
        for player, hand in zip(game.round.players, table["hands"], strict=True):
            player.hand = [base.Card(card[1].upper(), card[0]) for card in hand]
            player.did_populate_hand()
        stock = [base.Card(card[1].upper(), card[0]) for card in table["stock"]]
        game.round.dealer.stock_pile = stock[::-1]
        game.round.current_player_id = table["to_move"]
        self.game = game

    def legal(self) -> set[int]:
        return set(self.env._get_legal_actions())

    def planes(self) -> npt.NDArray[np.int8]:
        """int8[5, 52] of the player to move."""
        found = self.env.get_state(self.game.round.current_player_id)["obs"]
        return np.asarray(found, np.int8)


def choice(game: FormerGin, rng: random.Random, *, shy: bool) -> int:
    """A random action, but as a rule the discard of least deadwood; who is shy never knocks."""
    allowed = [action for action in sorted(legal(game)) if not shy or action < 58]
    hand = sorted(cards(game, game.agent_selection, 0))
    if len(hand) == 10 or rng.random() < 0.2:
        return rng.choice(allowed)
    rest = [[card for card in hand if discard(card) != action] for action in allowed]
    left = melds.deadwood(rest, game.engine.rules).tolist()
    knocks = [action for action in allowed if action >= 58]
    return rng.choice(knocks) if knocks else allowed[left.index(min(left))]


def lockstep(seed: int) -> str:
    """Plays a hand here and in RLCard, and compares every step.

    Returns:
        How it ended.
    """
    game = dealt(seed, knock_reward=0.2, opponents_hand_visible=True)
    peer, rng = RLCardGame(game.engine.snapshot(0)), random.Random(seed)
    ended = ""
    while not peer.game.is_over():
        seat = peer.game.round.current_player_id
        assert game.agent_selection == f"player_{seat}"
        assert legal(game) == peer.legal()
        told = game.observe(game.agent_selection)["observation"]
        assert (told == peer.planes()).all() or ended in ("knock", "gin")
        action = choice(game, rng, shy=seed % 3 > 0)
        ended = ended or {GIN: "gin", DEAD: "dead"}.get(action, "knock" if action >= 58 else "")
        game.step(action)
        peer.env.step(action)
    paid = [round(float(reward), 6) for reward in peer.env.get_payoffs()]
    assert [round(reward, 6) for reward in game.rewards.values()] == paid
    return ended


@pytest.mark.slow
def test_hands_are_the_same_as_in_rlcard_step_by_step() -> None:
    ends = Counter(lockstep(seed) for seed in range(30))
    assert min(ends[end] for end in ("knock", "gin", "dead")) >= 2


def test_after_a_knock_the_hands_are_open_which_they_were_not() -> None:
    game = laid(f"{MELDED} 2c | {LOOSE}", stock="Kh")
    play(game, DRAW, knock("Kh"))
    assert cards(game, "player_1", 1) == {"Kh"}
    assert cards(game, "player_1", 3) == {*MELDED.split(), "2c"}


def test_deadwood_counts_are_those_of_the_rules() -> None:
    rules = FormerGin().engine.rules
    assert melds.deadwood([LOOSE.split(), OTHER.split()], rules).tolist() == [63, 68]


@pytest.mark.parametrize(("module", "name"), [(gin_rummy_v4, "v4"), (gin_rummy_v5, "v5")])
def test_both_last_versions_play_the_same_game_under_their_own_name(module: Any, name: str) -> None:
    env = module.env(knock_reward=0.2)
    env.reset(seed=5)
    assert env.metadata["name"] == f"gin_rummy_{name}"
    plain = dealt(5, knock_reward=0.2)
    assert np.array_equal(env.last()[0]["observation"], plain.last()[0]["observation"])


def test_a_seeded_reset_keeps_the_rewards_that_were_given() -> None:
    env = gin_rummy_v5.raw_env(knock_reward=0.2, gin_reward=7.0)
    env.reset(seed=1)
    env.reset(seed=2)
    assert env._rewards == (0.2, 7.0)
