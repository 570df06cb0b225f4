"""Games of `rummy500` played at random: what holds in every one of them.

Source: rules.md sections 3, 7 and 9.
"""

import random
from collections import Counter
from collections.abc import Mapping

import pytest

from tests.reference.cards import PACK
from tests.reference.rummy500_game import Rummy500Game
from tests.reference.rummy500_moves import OPTIONS
from tests.reference.rummy500_scoring import value_in_meld
from tests.reference.turn import Action

VARIED: list[Mapping[str, object]] = [
    {"num_players": 2, "hand_size": 13},
    {"num_players": 2, "hand_size": 13, "final_discard": True, "ace": "low"},
    {"num_players": 3, "free_top": False},
    {"num_players": 4, "free_top": False, "final_discard": True},
    {"num_players": 5, "hand_size": 6, "match": "match", "deals": 3},
    {"num_players": 5, "hand_size": 10},
    {"num_players": 4, "hand_size": 3, "match": "match", "target": 20, "max_hands": 30},
]


def _dealt(chance: random.Random, **options: object) -> Rummy500Game:
    options = {**OPTIONS, "max_turns": 150, "reward": "zero_sum", **options}
    return Rummy500Game(
        options, first_dealer=0, shuffle=lambda cards, why: chance.sample(cards, len(cards))
    )


def _choose(chance: random.Random, game: Rummy500Game) -> Action:
    """A random action; more often than not of a random kind, so that all kinds are played."""
    legal = sorted(game.legal_actions())
    if chance.random() < 0.8:
        kind = chance.choice(sorted({kind for kind, _ in legal}))
        legal = [action for action in legal if action[0] == kind]
    return chance.choice(legal)


def _check(game: Rummy500Game) -> None:
    """What holds at every moment of every hand."""
    places = [*game.hands, game.stock, game.discard, *game.melds]
    assert sorted(card for place in places for card in place) == sorted(PACK)
    assert sum(game.laid) == sum(value_in_meld(card, meld) for meld in game.melds for card in meld)
    assert game.finished or game.legal_actions()
    if game.must_use is not None:
        assert game.must_use == game.taken
        assert game.must_use in game.hands[game.to_move]
        assert not any(kind == "discard" for kind, _ in game.legal_actions())


@pytest.mark.slow
@pytest.mark.parametrize("options", VARIED, ids=str)
def test_the_pack_stays_whole_and_laid_points_add_up(options: Mapping[str, object]) -> None:
    chance, endings = random.Random(str(options)), Counter[str]()
    for _ in range(12):
        game = _dealt(chance, **options)
        while not game.finished:
            rewards = game.apply(*_choose(chance, game))
            assert sum(rewards) == pytest.approx(0)
            _check(game)
        endings["truncated" if game.truncated else "ended"] += 1
        assert bool(game.winners) == game.terminated
    assert endings["ended"]


def test_hands_end_in_each_way() -> None:
    chance, endings = random.Random(9), Counter[str]()
    for hand_size in (4, 13, 22) * 30:
        game = _dealt(chance, hand_size=hand_size, max_turns=50)
        while not game.finished:
            game.apply(*_choose(chance, game))
        emptied = not all(game.hands)
        endings["cut off" if game.truncated else "emptied" if emptied else "no stock"] += 1
        assert emptied or game.truncated or not game.stock
    assert min(endings[way] for way in ("cut off", "emptied", "no stock")) >= 5, endings


def test_points_of_a_hand_are_laid_less_held_in_every_game() -> None:
    chance = random.Random(4)
    for _ in range(30):
        game = _dealt(chance, num_players=3, reward="points")
        rewards = [0.0, 0.0, 0.0]
        while not game.finished:
            rewards = game.apply(*_choose(chance, game))
        held = [
            sum({"A": 15, "T": 10, "J": 10, "Q": 10, "K": 10}.get(c[0]) or int(c[0]) for c in hand)
            for hand in game.hands
        ]
        scores = [laid - less for laid, less in zip(game.laid, held, strict=True)]
        assert rewards == ([0, 0, 0] if game.truncated else scores)


def test_a_game_does_not_change_when_it_is_looked_at() -> None:
    game = _dealt(random.Random(1))
    table, legal = game.snapshot(), game.legal_actions()
    for value in table.values():
        if isinstance(value, list):
            value.clear()
    legal.clear()
    assert game.snapshot()["hands"]
    assert game.legal_actions()
