"""Duplicate deals: the seatings, and what is counted."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rummy_env
from rummy_env import Engine, IllegalAction, Rules
from rummy_env.baselines import Camper, Greedy, Policy, Random, Simple
from rummy_env.baselines.answers import BadAnswer
from rummy_env.baselines.asking import ask
from rummy_env.core.arrays import Bools, Rows
from rummy_env.core.keys import game_seeds
from rummy_env.core.shuffle import GameRandom
from rummy_env.core.visibility import SeatView
from rummy_env.evaluation import arena, compare, duel
from rummy_env.evaluation.statistics import Estimate
from rummy_env.records import read
from tests.compared import Eager
from tests.policies import Again

SEATS = range(2, 7)


def play_alone(rules: Rules, agents: list[Policy], seating: list[int], seed: int) -> dict[str, Any]:
    """One game by itself, watched through snapshots."""
    engine = Engine(rules, seed=np.array([seed], np.uint64))
    engine.reset()
    tally: dict[str, Any] = {"hands": 0, "turns": 0, "unwon": 0}
    hand_wins = np.zeros(rules.num_players)
    while not engine.finished[0]:
        before = engine.snapshot(0)
        agent = agents[seating[before["to_move"]]]
        rng = engine.random(np.array([0]))
        engine.step(agent.act(engine.look(before["to_move"]), engine.legal_mask(), rng))
        after = engine.snapshot(0)
        if after["finished"] or after["hand_number"] > before["hand_number"]:
            tally["hands"] += 1
            won = engine.hand_winners[0]
            won = won if won.any() else np.ones_like(won)
            hand_wins += won / won.sum()
            tally["turns"] += before["turn_number"] + 1
            tally["unwon"] += after["scores"] == before["scores"]
    winners = after["winners"] or range(rules.num_players)
    shares = [(seat in winners) / len(winners) for seat in range(rules.num_players)]
    return {**tally, "points": after["scores"], "game_wins": shares, "hand_wins": hand_wins}


@pytest.mark.parametrize("seats", SEATS)
def test_a_pair_sits_in_every_seat_equally_often_and_alone_in_each_once(seats: int) -> None:
    (seatings,) = arena.head_to_head(seats, 1)
    assert len(np.unique(seatings, axis=0)) == len(seatings) == (2 if seats == 2 else 2 * seats)
    assert (seatings.mean(axis=0) == 0.5).all()
    assert set(seatings.sum(axis=1)) == {1, seats - 1}


@pytest.mark.parametrize("seats", SEATS)
def test_a_round_table_seats_everybody_everywhere(seats: int) -> None:
    seatings = arena.round_table(seats, 3)
    for deal in seatings:
        assert (np.sort(deal, axis=0) == np.arange(seats)[:, None]).all()
        assert (np.sort(deal, axis=1) == np.arange(seats)).all()


def test_a_round_table_goes_through_all_orders() -> None:
    neighbours = {tuple(np.roll(deal[0], -deal[0].argmin())) for deal in arena.round_table(4, 6)}
    assert len(neighbours) == 6


@pytest.mark.adapter
def test_the_score_sheet_is_that_of_each_game_played_alone(rules: Rules) -> None:
    agents: list[Policy] = [Greedy(), Random()]
    seeds = game_seeds(5, 2)
    results = arena.play(rules, agents, arena.head_to_head(rules.num_players, 2), seeds)
    for deal, game in ((0, 1), (1, 0)):
        seating = results.seatings[deal, game].tolist()
        expected = play_alone(rules, agents, seating, int(seeds[deal]))
        assert results.hand_wins[deal, game] == pytest.approx(expected.pop("hand_wins"))
        for name, value in expected.items():
            assert getattr(results, name)[deal, game].tolist() == value, name


def test_games_are_not_recorded_without_names(tmp_path: Path) -> None:
    seatings, seeds = arena.head_to_head(2, 2), game_seeds(1, 2)
    rules, agents = rummy_env.rules("basic"), (Greedy(), Random())
    with pytest.raises(ValueError, match=r"names=\(\): 2 agents are recorded"):
        arena.play(rules, agents, seatings, seeds, record=tmp_path / "games.jsonl")


def test_every_hand_is_won_once(rules: Rules) -> None:
    agents: list[Policy] = [Eager(), Random()]
    results = arena.play(rules, agents, arena.head_to_head(rules.num_players, 3), game_seeds(2, 3))
    assert results.hand_wins.sum(axis=2) == pytest.approx(results.hands)
    assert results.game_wins.sum(axis=2) == pytest.approx(1)
    assert (results.turns >= results.hands).all()
    assert (results.turns <= results.hands * rules.max_turns).all()


def test_a_hand_won_without_points_is_won() -> None:
    """An undercut with equal deadwood, where undercuts bring nothing."""
    rules = rummy_env.rules("gin", undercut_bonus=0)
    agents: list[Policy] = [Greedy(), Greedy()]
    results = arena.play(rules, agents, arena.head_to_head(2, 300), game_seeds(1, 300))
    assert (results.hand_wins == results.game_wins).all()
    assert ((results.points == 0).all(axis=2) & (results.game_wins.sum(axis=2) == 1)).any()


def test_hands_of_a_match_that_are_won_without_points_are_won() -> None:
    rules = rummy_env.rules("gin", match="match", target=60, undercut_bonus=0)
    agents: list[Policy] = [Camper(), Simple()]
    seeds = game_seeds(1, 60)
    results = arena.play(rules, agents, arena.head_to_head(2, 60), seeds)
    assert results.hands.sum() > results.unwon.sum() == 0
    single = rummy_env.rules("gin", undercut_bonus=0)
    hands = arena.play(single, agents, arena.head_to_head(2, 300), game_seeds(1, 300))
    assert hands.unwon.sum() < 3


class Floating:
    """Answers with numbers that are not whole."""

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Any:
        return mask.argmax(axis=1).astype(float)


def test_an_agent_whose_answer_is_none_is_named() -> None:
    agents: list[Policy] = [Random(), Floating()]
    seatings, seeds = arena.head_to_head(2, 2), game_seeds(1, 2)
    with pytest.raises(BadAnswer, match=r"agent 'mine' chose actions of .*float64"):
        arena.play(rummy_env.rules("basic"), agents, seatings, seeds, names=("random", "mine"))


class Leaving(Random):
    """Plays a while, and then fails."""

    def __init__(self) -> None:
        self.left = 12

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        self.left -= 1
        if not self.left:
            raise RuntimeError("enough")
        return super().act(view, mask, rng)


def test_games_that_are_broken_off_are_recorded(tmp_path: Path) -> None:
    rules, path = rummy_env.rules("basic"), tmp_path / "games.jsonl"
    agents: list[Policy] = [Leaving(), Random()]
    told: dict[str, Any] = {"record": path, "names": ("leaving", "random")}
    with pytest.raises(RuntimeError, match="enough"):
        arena.play(rules, agents, arena.head_to_head(2, 3), game_seeds(1, 3), **told)
    assert [record.outcome.end for record in read(path)] == ["unfinished"] * 6


@pytest.mark.parametrize("names", [(), ("random", "cheat")])
def test_an_agent_that_breaks_the_rules_is_named(names: tuple[str, ...]) -> None:
    rules = rummy_env.rules("basic")
    agents: list[Policy] = [Random(), Again()]
    named = names[1] if names else "Again"
    with pytest.raises(IllegalAction, match=rf"agent '{named}' .*: game 0, seat 1, .*draw stock"):
        arena.play(rules, agents, arena.head_to_head(2, 1), game_seeds(1, 1), names=names)


def test_games_are_recorded_deal_by_deal(tmp_path: Path) -> None:
    path, seeds = tmp_path / "games.jsonl", game_seeds(1, 20)
    agents: list[Policy] = [Greedy(), Random()]
    told: dict[str, Any] = {"record": path, "names": ("greedy", "random")}
    arena.play(rummy_env.rules("gin"), agents, arena.head_to_head(2, 20), seeds, **told)
    assert [record.seed for record in read(path)] == np.repeat(seeds, 2).tolist()


class Asking(Random):
    """Answers as another policy does, which it asks in games of its own."""

    def __init__(self, other: Policy) -> None:
        self.other = other

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        games = Engine(view.rules)
        games.reset()
        while not games.finished.all():
            games.step(ask(games, self.other, np.arange(1)))
        return super().act(view, mask, rng)


@pytest.mark.parametrize(
    ("other", "error", "said"),
    [
        (Floating(), BadAnswer, "agent 'Floating' chose actions of"),
        (Again(), IllegalAction, "game 0, seat"),
    ],
)
def test_the_fault_of_a_policy_that_an_agent_asks_is_not_laid_at_anothers_door(
    other: Policy, error: type[Exception], said: str
) -> None:
    agents: list[Policy] = [Random(), Asking(other)]
    rules, names = rummy_env.rules("basic"), ("random", "mine")
    with pytest.raises(error, match=f"^{said}") as raised:
        arena.play(rules, agents, arena.head_to_head(2, 1), game_seeds(1, 1), names=names)
    assert "raised by agent 'Asking'" in raised.value.__notes__[0]


def test_the_leads_of_all_deals_are_told_so_that_duels_can_be_pooled() -> None:
    parts = [duel("gin", "greedy", "random", deals=6, seed=seed) for seed in (1, 2)]
    assert [len(part.deal_leads) for part in parts] == [6, 6]
    for part in parts:
        assert np.mean(part.deal_leads) == pytest.approx(part.lead.value)
        assert "deal_leads" not in repr(part)
        assert "deal_leads" not in part.as_dict()


def test_of_a_comparison_that_is_stopped_the_games_that_ended_are_recorded(tmp_path: Path) -> None:
    class Stopping(Random):
        asked = 0

        def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
            self.asked += 1
            if self.asked == 20:
                raise KeyboardInterrupt
            return super().act(view, mask, rng)

    rules, file = rummy_env.rules("basic", hand_size=2), tmp_path / "games.jsonl"
    agents: dict[str, Policy] = {"one": Stopping(), "other": Greedy()}
    with pytest.raises(KeyboardInterrupt):
        compare(rules, agents, deals=20, seed=1, record=file)
    ends = [record.outcome.end for record in read(file)]
    assert 0 < len(ends) < 40
    assert {*ends} == {"finished"}


def test_a_duel_calls_agents_as_they_are_named() -> None:
    for given, told in (
        (("greedy", "random"), ("greedy", "random")),
        (("greedy", "greedy"), ("policy", "opponent")),
        ((Greedy(), "random"), ("policy", "opponent")),
    ):
        assert duel("gin", *given, deals=2, seed=1).agents == told


def test_an_estimate_is_printed_with_its_interval() -> None:
    assert str(Estimate(-3.7, -11.1530566, 3.75305)) == "-3.7 [-11.15, 3.753]"
