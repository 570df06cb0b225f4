"""The declared-hand reference: matches, tie-break games, rewards, options and random play.

Source: rules.md sections 2, 5 and 7; seeds/000 (Going Out Rummy), seeds/004 (Rummy).
"""

import random
from collections import Counter

import pytest

from tests.reference.declared_game import DeclaredGame
from tests.reference.declared_moves import OPTIONS, VARIATION, place, play
from tests.reference.declared_options import DeclaredOptions

_OUT = "draw stock; go out"


def test_the_winner_of_a_hand_plays_first_in_the_next_and_two_hands_win() -> None:
    hands = "2c 4d 6h | 7c 7d 7h | Kc 9s Jd"
    game = place("going_out", hands, stock="8s 5h", to_move=1, match="match", hand_size=3)
    assert play(game, _OUT) == [0, 1, 0]
    assert (game.first_player, game.to_move, game.dealer, game.hand_number) == (1, 1, 0, 1)
    assert (game.scores, game.winners, game.finished) == ([0, 1, 0], [], False)
    game = place("going_out", hands, stock="8s", to_move=1, match="match", scores=(1, 1, 0))
    play(game, _OUT)
    assert (game.scores, game.winners, game.terminated) == ([1, 2, 0], [1], True)


def test_after_a_hand_that_no_one_can_finish_the_same_person_plays_first() -> None:
    for variant in OPTIONS:
        game = place(
            variant, "2c 4d | 2d 4c | 3c 9h", stock="8s 5h", to_move=1, first_player=2,
            match="match", max_turns=1,
        )  # fmt: skip
        assert play(game, "draw stock; discard 2d") == [0, 0, 0]
        assert (game.first_player, game.hand_number, game.finished) == (2, 1, False)


def test_in_rummy_cards_the_first_player_moves_clockwise() -> None:
    game = place("rummy_cards", "2c 4d | 7c 7d 7h | 3c 9h", stock="8s", to_move=1, match="match")
    play(game, _OUT)
    assert (game.first_player, game.to_move, game.dealer) == (1, 1, 0)
    game = place("rummy_cards", "2c 4d | 7c 2d | 3c 9h", stock="8s", first_player=2, match="match")
    play(game, "draw stock; discard 2c")  # the stock runs out and nobody wins
    assert (game.first_player, game.scores, game.hand_number) == (0, [0, 0, 0], 1)


_TIE = "7h 7d 2s | RUMMY 9s Jd | 3c 4d 8h | Kc 5s 9d"


def test_those_who_tie_at_two_play_on_alone() -> None:
    game = place("rummy_cards", _TIE, stock="7s", match="match", scores=(1, 1, 1, 0))
    assert play(game, _OUT) == [1, 1, 0, 0]
    assert (game.scores, game.playing, game.finished) == ([2, 2, 1, 0], [0, 1], False)
    assert [len(hand) for hand in game.hands] == [5, 5, 0, 0]
    assert (game.first_player, game.dealer) == (1, 0)
    play(game, f"draw stock; discard {_any_discard(game)}")
    assert game.to_move == 0


def _any_discard(game: DeclaredGame) -> str:
    return next(card for card in game.hands[game.to_move] if len(card) == 2)


def test_a_tie_break_game_that_is_tied_is_followed_by_another() -> None:
    hands = "7h 7d 2s | | RUMMY 4d 8h | Kc 5s 9d"
    game = place(
        "rummy_cards", hands, stock="7s", match="match", scores=(2, 1, 2, 2), playing=(0, 2, 3),
        reward="zero_sum",
    )  # fmt: skip
    assert game.dealer == 3
    assert play(game, _OUT) == [1, 0, 1, -2]  # the seat that sits out pays nothing
    assert (game.playing, game.scores) == ([0, 2], [3, 1, 3, 2])
    assert (game.first_player, game.dealer) == (2, 0)


def test_a_tie_break_game_is_decided_when_one_leads() -> None:
    hands = "7h 7d 2s | | 3c 4d 8h | Kc 5s 9d"
    game = place(
        "rummy_cards", hands, stock="7s", match="match", scores=(2, 1, 2, 2), playing=(0, 2, 3),
        reward="win",
    )  # fmt: skip
    assert play(game, _OUT) == [1, *[pytest.approx(-1 / 3)] * 3]
    assert (game.winners, game.terminated) == ([0], True)


def test_without_tie_break_those_who_lead_win_together() -> None:
    game = place("rummy_cards", _TIE, stock="7s", match="match", scores=(1,) * 4, tie_break=False)
    play(game, _OUT)
    assert (game.winners, game.terminated) == ([0, 1], True)


def test_who_reaches_two_alone_has_won_the_match() -> None:
    game = place("rummy_cards", _TIE, stock="7s", match="match", scores=(1, 0, 1, 1))
    play(game, _OUT)
    assert (game.scores, game.winners) == ([2, 1, 1, 1], [0])


def test_an_undecided_match_is_truncated_after_max_hands() -> None:
    game = place("rummy_cards", _TIE, stock="7s", match="match", max_hands=1, reward="win")
    assert play(game, _OUT) == [0, 0, 0, 0]
    assert (game.winners, game.terminated, game.truncated) == ([], False, True)
    assert game.phase == "finished"


@pytest.mark.parametrize(
    ("reward", "rewards"),
    [("points", [1, 1, 0, 0]), ("zero_sum", [1, 1, -1, -1]), ("win", [0.5, 0.5, -0.5, -0.5])],
)
def test_rewards_of_a_shared_win(reward: str, rewards: list[float]) -> None:
    assert play(place("rummy_cards", _TIE, stock="7s", reward=reward), _OUT) == rewards


@pytest.mark.parametrize(
    ("reward", "rewards"), [("points", [1, 1]), ("zero_sum", [0, 0]), ("win", [0.5, 0.5])]
)
def test_rewards_where_all_have_won(reward: str, rewards: list[float]) -> None:
    game = place("rummy_cards", "7h 7d 2s | RUMMY 9s Jd", stock="7s", reward=reward)
    assert play(game, _OUT) == rewards


@pytest.mark.parametrize("reward", ["points", "zero_sum", "win"])
def test_nobody_is_rewarded_where_nobody_wins(reward: str) -> None:
    game = place("rummy_cards", "2c 4d 6h | 8c 9s Jd", stock="7s", reward=reward)
    assert play(game, "draw stock; discard 2c") == [0, 0]


@pytest.mark.parametrize(
    ("variant", "changes", "message"),
    [
        ("going_out", {"wildcards": 4}, "wildcards=4"),
        ("going_out", {"wildcards": 2, "sequences_rummy": True}, "3 to 7 wildcards"),
        ("rummy_cards", {"sequences_rummy": True}, "no other special card"),
        ("going_out", {"num_players": 10}, "leaves no stock"),
        ("rummy_cards", {**VARIATION, "num_players": 2}, "3 to 7 players"),
        ("rummy_cards", {**VARIATION, "num_players": 3, "cant_go_out_card": True}, "cant_go_out"),
        ("rummy_cards", {**VARIATION, "num_players": 3, "stock_exhausted": "end"}, "'renew'"),
        ("rummy_cards", {"first_player_next": "winner"}, "names nobody"),
        ("rummy_cards", {"rummy_cards": 1}, "neither 0 nor 2"),
        ("rummy_cards", {"match": "match", "match_points": None}, "needs match_points"),
        ("rummy_cards", {"leftover": "two"}, "leftover='two'"),
        ("rummy_cards", {"hand_size": 1}, "hand_size=1"),
        ("rummy_cards", {"ace": "low"}, "unknown options"),
    ],
)
def test_bad_options_are_refused(variant: str, changes: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        DeclaredOptions.from_mapping({**OPTIONS[variant], **changes})


def test_an_illegal_action_is_refused() -> None:
    with pytest.raises(ValueError, match="not legal"):
        play(place("going_out", "2c 4d 6h | 8c 9s Jd", stock="7s"), "go out")


def _random_options(variant: str, rng: random.Random) -> dict[str, object]:
    options: dict[str, object] = {**OPTIONS[variant], "num_players": rng.randint(2, 6)}
    options |= {"match": rng.choice(["hand", "match"]), "max_turns": rng.choice([5, 60])}
    options |= {"hand_size": rng.randint(2, 5), "decks": rng.choice([1, 2]), "max_hands": 12}
    options |= {"four_sevens": rng.random() < 0.5, "reward": "zero_sum"}
    if variant == "rummy_cards":
        options |= {"three_card_draw": rng.random() < 0.5, "num_players": rng.randint(3, 6)}
        options |= {"spread_out_discards": rng.random() < 0.5}
        options |= VARIATION if rng.random() < 0.5 else {}
    return options


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("variant", list(OPTIONS))
def test_random_games_keep_all_cards_and_have_no_dead_end(variant: str, seed: int) -> None:
    rng = random.Random(seed)

    def shuffle(cards: list[str], why: str) -> list[str]:
        del why
        return rng.sample(cards, len(cards))

    options = _random_options(variant, rng)
    game = DeclaredGame(options, first_player=0, shuffle=shuffle)
    pack, rewards = Counter(game.options.pack()), [0.0]
    for _ in range(600):
        if game.finished:
            break
        assert game.legal_actions(), game.snapshot()
        rewards = game.apply(*rng.choice(sorted(game.legal_actions())))
        places = (*game.hands, game.stock, game.discard)
        assert sum((Counter(cards) for cards in places), Counter[str]()) == pack
        assert sum(rewards) == pytest.approx(0)
    assert (game.terminated and game.truncated) is False
