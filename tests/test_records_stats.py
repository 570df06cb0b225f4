"""Recorded games summed up: figures that games one by one agree with, and the command."""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rummy_env
from rummy_env import Engine, Rules
from rummy_env.__main__ import console
from rummy_env.envs.recording import RecordedEngine
from rummy_env.evaluation import compare, stats
from rummy_env.evaluation.statistics import mean, rate
from rummy_env.records import Outcome, Record, play, read
from tests.own_variants import OWN
from tests.recorded import recorded, well_played
from tests.rollout import choices, finish, fitting

BASIC = rummy_env.rules("basic", hand_size=3)
SHORT: dict[str, Any] = {"match": "match", "max_turns": 40}
"""Matches of which some hands are cut off."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where records go."""
    return tmp_path / "games.jsonl"


def first_movers(records: list[Record]) -> tuple[float, int, int]:
    """First hands won by who moved first, first hands won, and turns, as game after game tells."""
    won, hands, turns = 0.0, 0, 0
    for record in records:
        game, hand, turn, first = play(record), 0, 0, -1
        for engine in game:
            state = engine.state
            if engine.finished[0] or state.hand_number[0] != hand:
                winners = engine.hand_winners[0].nonzero()[0]
                if hand == 0:
                    hands += len(winners) > 0
                    won += (first in winners) / max(1, len(winners))
                turns += turn + 1
                hand, first = int(state.hand_number[0]), -1
            if first < 0:
                first = int(engine.to_move[0])
            turn = int(state.turn_number[0])
    return won, hands, turns


@pytest.mark.parametrize("match", ["hand", "match"])
def test_hands_are_counted_as_games_one_by_one_tell(variant: str, match: str, path: Path) -> None:
    options = {"match": match, "deals": 3} if match == "match" else {}
    records = well_played(fitting(variant, **options), path, num_envs=6)
    (found,) = stats(records)
    won, hands, turns = first_movers(records)
    assert (found.games, found.unfinished, found.deals) == (6, 0, 6)
    assert found.decisions == np.mean([len(record.actions) for record in records])
    assert found.hands == sum(list(play(record))[-1].state.hand_number[0] + 1 for record in records)
    assert found.turns == pytest.approx(turns / found.hands)
    assert sum(found.endings.values()) == pytest.approx(1)
    if hands:
        assert found.first_mover is not None
        assert found.first_mover.value == pytest.approx(won / hands)
    else:
        assert found.first_mover is None


def ending(record: Record, hands: int) -> str:
    """How a hand of a match ends, counted from 1: the last of a match of so many hands."""
    engine = Engine(fitting(record.rules.name, **SHORT, deals=hands), seed=np.array([record.seed]))
    engine.reset()
    for action in record.actions:
        engine.step([action])
    return engine.how_ended()[0]


def test_every_hand_of_a_match_counts_as_it_ended(variant: str, path: Path) -> None:
    records = well_played(fitting(variant, **SHORT, deals=3), path, num_envs=5)
    (found,) = stats(records)
    hands = [list(play(record))[-1].state.hand_number[0] + 1 for record in records]
    each = zip(records, hands, strict=True)
    endings = Counter(ending(record, hand + 1) for record, n in each for hand in range(n))
    assert found.hands == endings.total() > len(records)
    assert found.endings == {how: number / found.hands for how, number in endings.items()}
    assert [*found.endings.values()] == sorted(found.endings.values(), reverse=True)


def test_agents_are_told_by_name_and_unfinished_games_are_left_out_of_it(path: Path) -> None:
    played = [replace(each, agents=("Ann", "Bob")) for each in well_played(BASIC, path, num_envs=4)]
    nothing = Outcome("unfinished", (), (0, 0), (0.0, 0.0))
    left = replace(played[0], actions=played[0].actions[:1], outcome=nothing, agents=("Ann", "Cy"))
    (found,) = stats([left, *played])
    assert (found.games, found.unfinished, found.hands) == (5, 1, 4)
    assert [(agent.agent, agent.games) for agent in found.agents] == [("Ann", 4), ("Bob", 4)]
    for seat, agent in enumerate(found.agents):
        won = [float(seat in r.outcome.winners) for r in played]
        points = np.array([float(record.outcome.scores[seat]) for record in played])
        assert agent.points == mean(points, max(np.ptp(r.outcome.scores) for r in played))
        assert agent.wins == rate(np.array(won))


def test_an_agent_in_several_seats_has_the_wins_of_all_and_the_points_of_each(path: Path) -> None:
    records = well_played(rummy_env.rules("basic", num_players=3), path, num_envs=4)
    (found,) = stats([replace(record, agents=("Ann", "Bob", "Ann")) for record in records])
    shares = [len({0, 2} & {*r.outcome.winners}) / len(r.outcome.winners) for r in records]
    points = [np.array(record.outcome.scores)[[0, 2]] for record in records]
    ann = found.agents[0]
    assert (ann.games, ann.wins) == (4, rate(np.array(shares)))
    assert ann.points.value == pytest.approx(np.mean(points))
    assert ann.points.low < ann.points.value < ann.points.high


@pytest.mark.parametrize(
    ("rules", "deals"),
    [
        (rummy_env.rules("gin"), 3),
        (rummy_env.rules("gin"), 40),
        (rummy_env.rules("basic", num_players=4), 20),
    ],
)
def test_points_are_those_of_the_comparison_that_was_recorded(
    path: Path, rules: Rules, deals: int
) -> None:
    made = compare(rules, {"a": "strong", "b": "greedy"}, deals=deals, seed=1, record=path)
    (found,) = stats(path)
    for agent, side in zip(found.agents, made.duels[0].sides, strict=True):
        assert agent.agent == side.agent
        assert agent.points.value == pytest.approx(side.points.value)
        if rules.num_players == 2:
            assert agent.points.low == pytest.approx(side.points.low)
            assert agent.points.high == pytest.approx(side.points.high)
        else:
            assert agent.points.low < side.points.low < side.points.high < agent.points.high


def test_the_points_of_a_single_deal_say_nothing_of_others(path: Path) -> None:
    (found,) = stats(well_played(BASIC, path, num_envs=1))
    for agent in found.agents:
        assert (agent.points.low, agent.points.high) == (-np.inf, np.inf)


def test_a_win_that_is_shared_counts_in_parts(path: Path) -> None:
    rules = rummy_env.rules("rummy_cards", num_players=4)
    records = well_played(rules, path, num_envs=40)
    shared = [record for record in records if len(record.outcome.winners) > 1]
    assert shared
    (found,) = stats(shared)
    assert sum(agent.wins.value for agent in found.agents if agent.wins) == pytest.approx(1)
    for seat, agent in enumerate(found.agents):
        won = [(seat in r.outcome.winners) / len(r.outcome.winners) for r in shared]
        assert agent.wins is not None
        assert agent.wins.value == pytest.approx(np.mean(won))


def test_games_of_one_deal_count_together(path: Path) -> None:
    compare("gin", {"a": "greedy", "b": "strong"}, deals=8, seed=2, record=path)
    records = read(path)
    (found,) = stats(path)
    assert (found.games, found.deals) == (16, 8)
    by_deal: dict[int, list[float]] = {}
    for record in records:
        won = "a" in [record.agents[seat] for seat in record.outcome.winners]
        by_deal.setdefault(record.seed, []).append(float(won))
    assert all(record.outcome.winners for record in records)
    expected = rate(np.array([np.mean(games) for games in by_deal.values()]))
    assert found.agents[0].wins is not None
    assert found.agents[0].wins.value == pytest.approx(expected.value)
    assert found.agents[0].wins.low == pytest.approx(expected.low)


def test_the_rules_of_a_file_are_told_apart_in_their_order(path: Path) -> None:
    gin = rummy_env.rules("gin", max_turns=20)
    recorded(BASIC, path)
    recorded(gin, path, num_envs=3)
    records = recorded(BASIC, path, seed=9)
    found = stats(path, batch=2)
    assert [(each.rules, each.games) for each in found] == [(BASIC, 2), (gin, 3)]
    assert found == stats(iter(records))


def test_a_file_of_unfinished_games_has_no_hands_and_no_agents(path: Path) -> None:
    engine = RecordedEngine(BASIC, path=path)
    engine.reset()
    engine.step(choices(engine))
    engine.close()
    (found,) = stats(path)
    assert (found.hands, found.turns, found.first_mover, found.endings) == (0, None, None, {})
    assert (found.games, found.unfinished, found.agents) == (1, 1, ())
    assert console(["stats", str(path)]) == 0


def test_one_deal_leaves_a_share_open(path: Path) -> None:
    (found,) = stats(well_played(BASIC, path))
    assert found.first_mover is not None
    assert (found.first_mover.low, found.first_mover.high) == (0, 1)


def test_the_command_prints_the_figures(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    well_played(BASIC, path, num_envs=4)
    well_played(rummy_env.rules("gin"), path, num_envs=4)
    assert console(["stats", str(path)]) == 0
    told = " ".join(capsys.readouterr().out.split())
    for found in stats(path):
        assert repr(found.rules) in told
        assert f"decisions per game {found.decisions:.1f} hands 4 turns per hand" in told
        for how, share in found.endings.items():
            assert f"hands: {how} {100 * share:.1f} %" in told
        for agent in found.agents:
            assert f"{agent.agent} 4 {100 * agent.wins.value:.1f} %" in told  # type: ignore[union-attr]
    assert told.count("Fewer than 30 deals: the intervals are rough.") == 2


def test_the_command_reads_variants_of_ones_own_where_they_are_given(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = rummy_env.rules(OWN)
    engine = RecordedEngine(rules, path=path)
    engine.reset()
    finish(engine)
    with pytest.raises(SystemExit) as stopped:
        console(["stats", str(path)])
    assert stopped.value.code == 2
    assert f"line 1: variant='{OWN}'" in capsys.readouterr().err
    assert console(["stats", str(path), "--variant", OWN]) == 0
    assert repr(rules) in " ".join(capsys.readouterr().out.split())


def test_the_command_names_a_game_that_does_not_replay(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = recorded(BASIC, path, num_envs=2)
    changed = replace(second, outcome=replace(second.outcome, scores=(9, 9)))
    path.write_text(f"{first.to_line()}\n{changed.to_line()}\n")
    with pytest.raises(SystemExit) as stopped:
        console(["stats", str(path)])
    assert stopped.value.code == 2
    assert "games.jsonl, game 2: the record does not replay" in capsys.readouterr().err
