"""The table as text, compared with how it should look."""

import dataclasses

import numpy as np
import pytest

import rummy_env
from rummy_env import Engine, Rules
from rummy_env.core.cards import Pack
from rummy_env.core.naming import player_name
from rummy_env.core.rules import END_TURN, Phase
from rummy_env.parts.discarding import Discard
from rummy_env.views.piles import stock
from tests.hiding import dealt_anew
from tests.rollout import dealt, finish, random_play
from tests.table import Table, lay
from tests.texts import golden, seen, spoken, watched


@pytest.fixture
def table() -> Table:
    """Two players amid a hand; everybody saw player_1 take the queen of diamonds."""
    return lay(
        "basic",
        "Kh 2c Tc 4h Th | 3d 9d Qd Ah",
        discard="8s Kd Qc",
        melds="7c 7d 7h | 4s 5s 6s 7s | Jc Jd Jh Js",
        marks={"dealer": 1, "turn_number": 8, "known": [[], ["Qd"]]},
    )


def test_open_table_shows_all_hands_by_suit_and_rank(table: Table) -> None:
    assert watched(table.engine) == golden("""
        basic, hand 1, turn 9: player_0 to move (draw)

        > player_0          0 points  2♣ 10♣  4♥ 10♥ K♥
          player_1  dealer  0 points  3♦ 9♦ Q♦  A♥

          groups     [7♣ 7♦ 7♥] [J♣ J♦ J♥ J♠]
          sequences  [4♠ 5♠ 6♠ 7♠]
          discards   Q♣, 2 below
          stock      29 cards
    """)


def test_a_seat_sees_of_the_other_hands_what_everybody_saw(table: Table) -> None:
    assert seen(table.engine, 0) == golden("""
        basic, hand 1, turn 9: player_0 to move (draw)

        > player_0  you     0 points  2♣ 10♣  4♥ 10♥ K♥
          player_1  dealer  0 points  Q♦ + 3 hidden

          groups     [7♣ 7♦ 7♥] [J♣ J♦ J♥ J♠]
          sequences  [4♠ 5♠ 6♠ 7♠]
          discards   Q♣, 2 below
          stock      29 cards
    """)


def test_a_seat_not_to_move_comes_first_in_its_own_text(table: Table) -> None:
    table.play("draw discard")
    assert seen(table.engine, 1) == golden("""
        basic, hand 1, turn 9: player_0 to move (play)

          player_1  you, dealer  0 points  3♦ 9♦ Q♦  A♥
        > player_0               0 points  Q♣ + 5 hidden

          groups     [7♣ 7♦ 7♥] [J♣ J♦ J♥ J♠]
          sequences  [4♠ 5♠ 6♠ 7♠]
          discards   K♦, 1 below
          taken      Q♣ from the discards
          stock      29 cards
    """)


def test_a_stock_turned_over_shows_its_next_card() -> None:
    table = lay(
        "classic",
        "Kh Kd | 3d | As Qs Ks",
        discard="2d",
        rest="discard",
        marks={"to_move": 1, "dealer": 2, "scores": [15, 0, 1], "hand_number": 2},
        match="match",
    )
    table.play("draw stock")
    assert seen(table.engine, 2) == golden("""
        classic, hand 3, turn 1: player_1 to move (play)

          player_2  you, dealer    1 point  A♠ Q♠ K♠
          player_0               15 points  2 hidden
        > player_1                0 points  A♣ + 1 hidden

          discards  none
          stock     45 cards, turned over: 2♣ is next
    """)


def test_a_finished_hand_names_its_winner_and_nobody_to_move() -> None:
    table = lay(
        "basic",
        "7h | 3d 4d | As Qs",
        discard="6s 8h",
        rest="last hand",
        marks={"phase": "play", "taken": "7h"},
        stock="Kc",
        melds="8c 8d 8s | 4h 5h 6h",
    )
    table.play("lay off 7h on sequence")
    assert (
        watched(table.engine).splitlines()[:3]
        == golden("""
        basic, hand 1: finished, player_0 wins

          player_0  dealer  305 points  no cards
    """).splitlines()
    )
    assert "taken" not in watched(table.engine)
    assert "stock      1 card" in watched(table.engine).splitlines()[-1]


def test_a_shared_win_names_all_winners() -> None:
    table = lay(
        "basic",
        "7h | 3d 4d | As",
        discard="8h",
        marks={"phase": "play", "scores": [0, 5, 25]},
        match="match",
        deals=1,
    )
    table.play("discard 7h")
    assert "finished, player_0 and player_2 win\n" in watched(table.engine)
    assert "finished, player_2 and player_0 win\n" in seen(table.engine, 1)


def test_a_hand_that_was_cut_off_is_won_by_nobody(variant: str) -> None:
    engine = dealt(rummy_env.rules(variant, max_turns=3), num_envs=1)
    finish(engine)
    assert watched(engine).startswith(f"{variant}, hand 1: cut off, nobody wins\n")


def test_special_cards_come_last_and_cards_of_two_packs_side_by_side() -> None:
    pack = Pack(decks=2, specials=("WILD", "NO_MELD"))
    basic = rummy_env.rules("basic")
    play = Phase("play", {Discard(pack, return_taken=True): END_TURN})
    engine = Engine(dataclasses.replace(basic, pack=pack, turn=(basic.turn[0], play)))
    held: tuple[list[str], list[str]] = ["WILD", "7h", "Kc", "NO_MELD", "7h"], []
    stock = [card for card in pack.cards if card not in held[0]]
    engine.restore(0, {"hands": held, "stock": stock, "discard": ["Kc"]})
    assert "0 points  K♣  7♥ 7♥  WILD  NO MELD\n" in watched(engine)


def test_every_card_in_hands_and_melds_is_shown_to_watchers(rules: Rules) -> None:
    engine = dealt(rules, num_envs=1)
    for _ in random_play(engine, 60):
        table = engine.snapshot(0)
        lying = [card for place in (*table["hands"], *table["melds"]) for card in place]
        text = watched(engine).replace("[", " ").replace("]", " ").split("discards")[0]
        shown = [word for word in text.split() if word[-1] in "♣♦♥♠"]
        specials = [card for card in lying if card in rules.pack.specials]
        assert sorted(shown) == sorted(spoken(c) for c in lying if c not in specials)
        for card in rules.pack.specials:
            assert text.count(spoken(card)) == specials.count(card)


def test_text_of_a_seat_says_nothing_of_cards_that_it_cannot_see(rules: Rules) -> None:
    engine = dealt(rules, num_envs=1, steps=12)
    for seat in range(rules.num_players):
        before, hands = seen(engine, seat), engine.snapshot(0)["hands"]
        seed = np.array([seat + 1], np.uint64)
        state = dealt_anew(rules, engine.state, np.array([0]), np.array([seat]), seed)
        other = Engine(rules)
        other.reset()
        other.state.put(np.array([0]), state)
        assert seen(other, seat) == before
        assert other.snapshot(0)["hands"] != hands


def test_rows_are_named_and_ordered_from_the_seat_that_sees(rules: Rules) -> None:
    engine, players = dealt(rules, num_envs=1), rules.num_players
    for seat in range(players):
        rows = seen(engine, seat).splitlines()[2 : 2 + players]
        names = [row[2:].split()[0] for row in rows]
        assert names == [player_name((seat + place) % players) for place in range(players)]
        assert "hidden" not in rows[0]


def test_a_stock_turned_over_tells_how_many_lie_below_its_next_card() -> None:
    table = lay("classic", "2c | Kc", discard="3d 4d 9d", rest="last hand")
    table.play("draw stock")
    pile = stock(table.engine.look(0), [])
    assert (pile.cards, pile.below) == (("4d",), 1)
