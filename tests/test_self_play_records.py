"""Records of self-play: who played is told by name, the learner as such."""

from itertools import product
from pathlib import Path

import pytest

from rummy_env.baselines import Greedy, Random
from rummy_env.envs.seating import LEARNER
from rummy_env.envs.self_play import SelfPlayEnv
from rummy_env.records import play, read
from tests.policies import Last, last_legal
from tests.rollout import choices
from tests.self_play import begun, quick

pytestmark = pytest.mark.adapter


def test_records_name_the_learner_and_its_opponents(variant: str, tmp_path: Path) -> None:
    rules, path = quick(variant), tmp_path / "games.jsonl"
    games = begun(rules, 8, share=0.5, opponents=[("greedy", 1), ("random", 1)], record=path)
    learners: dict[int, list[bool]] = {}
    for step in range(60):
        new = zip(games.engine.seeds.tolist(), games.learners.tolist(), strict=True)
        learners.update(new)
        games.step(choices(games.engine))
        if step == 30:
            games.set_opponents([(Last(), 1)])
    games.close()
    records, met, players = read(path), set[tuple[str, int]](), rules.num_players
    assert len(records) > 8
    for record in records:
        own = [name == LEARNER for name in record.agents]
        assert own == learners[record.seed]
        met.update((name, sum(own)) for name in record.agents)
    others = product(("greedy", "random", "Last"), (1, players - 1))
    assert met == {*others, *product((LEARNER,), (1, players - 1, players))}


def test_records_of_games_without_opponents_name_the_learner_alone(tmp_path: Path) -> None:
    rules, path = quick("basic"), tmp_path / "games.jsonl"
    games = begun(rules, 2, record=path)
    for _ in range(30):
        games.step(choices(games.engine))
    assert (ended := len(read(path)))
    games.close()
    records = read(path)
    assert {record.agents for record in records} == {(LEARNER,) * 3}
    assert {record.outcome.end for record in records[ended:]} <= {"unfinished"}


def test_the_names_in_a_record_are_those_of_who_played(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    games = begun(quick("basic"), 4, share=1, opponents="greedy", record=path)
    for _ in range(40):
        games.step(last_legal(games.turn().masks))
    games.close()
    checked = 0
    for record in read(path):
        greedy = Greedy()
        for engine, action in zip(play(record), record.actions, strict=False):
            mask, mover = engine.legal_mask(), engine.to_move
            expected = greedy.act(engine.look(mover), mask, engine.random())
            if record.agents[mover[0]] == LEARNER:
                expected = last_legal(mask)
            assert action == expected[0]
            checked += 1
    assert checked > 100


def test_policies_that_have_left_the_pool_are_kept_for_games_that_they_play_alone() -> None:
    env = SelfPlayEnv("basic", 64, share=0.1, seed=1)
    env.reset()
    for _ in range(10):
        env.set_opponents([(Random(), 1.0)])
        env.reset()
    assert len(env._seating._policies) <= 2
