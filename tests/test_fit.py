"""Training: a run from end to end, stopped and resumed, and what it refuses."""

import json
import signal
import subprocess
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch

import rummy_env
from agents.saved import arrays_of
from rummy_env import Engine
from rummy_env.baselines import Greedy
from rummy_env.baselines.model_card import CRITIC
from rummy_env.baselines.saved import SavedPolicy
from rummy_env.core.arrays import Bools, Rows
from rummy_env.core.keys import game_seeds
from rummy_env.core.shuffle import GameRandom
from rummy_env.core.visibility import SeatView
from rummy_env.views.features import OUTS, observer
from tests.fits import (
    command,
    few_demonstrations,
    fitted,
    newest,
    resumed,
    same_weights,
    small,
    to_the_end,
    trained,
)
from tests.models import SMALL_RULES, untrained
from tests.rollout import dealt
from tests.torch_policies import learner
from training import fit
from training.callbacks import EvaluationCallback
from training.opponent_pool import fixed_pool
from training.self_play import SelfPlayPPO
from training.session import Session

__all__ = ["few_demonstrations"]


@pytest.mark.slow
def test_a_run_writes_its_report_and_a_model_that_plays(tmp_path: Path) -> None:
    folder = trained(tmp_path / "run")
    report = json.loads((folder / "report.json").read_text())
    assert report["steps"] == 2048
    assert {entry["opponent"] for entry in report["curve"]} == {"random"}
    assert [entry["steps"] for entry in report["curve"]] == [0, 1024, 2048]
    assert report["best_steps"] in (0, 1024, 2048)
    assert report["actor"] == {"suit": 8, "pooled": 8, "card": 4, "adviser": ""}
    assert report["comparison"]["agents"] == ["trained", "clone", "random"]
    for name in ("report.md", "compare.md", "learning_curve.png", "compare.png"):
        assert (folder / name).stat().st_size > 0
    engine = Engine(SMALL_RULES, 8)
    engine.reset()
    mask = engine.legal_mask()
    for name in ("best.npz", "clone.npz"):
        agent = SavedPolicy(folder / name)
        assert agent.card.reads == "outs"
        actions = agent.act(engine.look(engine.to_move), mask, engine.random(np.arange(8)))
        assert mask[np.arange(8), actions].all()


@pytest.mark.parametrize("name", ["trained", "clone"])
def test_no_rival_has_the_name_of_the_run_s_own_models(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match=f"--rivals {name}: .* another name, as in pack"):
        Session(SMALL_RULES, small(tmp_path / "run", rivals=(f"{name}=greedy",)), "the command")
    assert not (tmp_path / "run").exists()


def test_opponents_that_cannot_play_are_refused_before_a_folder_is_made(tmp_path: Path) -> None:
    flags = small(tmp_path / "run", opponents=("patient=1",), share=1.0, rivals=("greedy",))
    with pytest.raises(ValueError, match="patient cannot play"):
        Session(rummy_env.rules("rummy500"), flags, "the command")
    assert not (tmp_path / "run").exists()


@pytest.mark.slow
def test_a_learner_alone_decides_in_every_seat(tmp_path: Path) -> None:
    session = Session(SMALL_RULES, small(tmp_path / "run"), "the command")
    assert to_the_end(session)
    assert session.rounds.shards[0].env.games.learners.all()
    assert [entry.steps for entry in session.progress.curve] == [0, 1024, 2048]
    assert newest(tmp_path / "run").rollouts == 4


@pytest.mark.slow
def test_where_others_sit_in_some_games_their_decisions_are_not_counted(tmp_path: Path) -> None:
    flags = {"share": 0.5, "past_share": 0.5, "past_kept": 2, "total_timesteps": 1536}
    session = Session(SMALL_RULES, small(tmp_path / "run", **flags), "the command")
    assert to_the_end(session)
    alone = session.rounds.shards[0].env.games.learners.sum(axis=1) == 1
    assert 0 < alone.sum() < 16
    assert session.rounds.shards[0].env.games.learners[~alone].all()
    steps, rollouts = [entry.steps for entry in session.progress.curve], newest(tmp_path / "run")
    assert len(steps) == 3
    assert steps[-1] == rollouts.num_timesteps >= 1536
    assert 512 * 0.6 < rollouts.num_timesteps / rollouts.rollouts < 512 * 0.9
    past = [f"{number:012d}.npz" for number in steps]
    assert session.progress.past == past[-2:]
    assert {path.name for path in (tmp_path / "run" / "past").glob("*.npz")} == {*past}


@pytest.mark.slow
def test_what_is_observed_can_be_chosen(tmp_path: Path) -> None:
    folder = trained(tmp_path / "run", observation="plain", total_timesteps=512)
    assert SavedPolicy(folder / "best.npz").card.reads == "plain"


@pytest.mark.slow
def test_the_same_seed_trains_the_same_model_and_another_seed_another(tmp_path: Path) -> None:
    first, again = trained(tmp_path / "a", seed=5), trained(tmp_path / "b", seed=5)
    other = trained(tmp_path / "c", seed=6)
    assert same_weights(first, again)
    assert not same_weights(first, other)


@pytest.mark.slow
def test_a_finished_run_can_be_trained_further(tmp_path: Path) -> None:
    folder = trained(tmp_path / "run", total_timesteps=1024, evaluations=1)
    further = resumed(folder, total_timesteps=2048)
    assert fitted(SMALL_RULES, further, "again") is not None
    report = json.loads((folder / "report.json").read_text())
    assert [entry["steps"] for entry in report["curve"]] == [0, 1024, 2048]
    assert report["command"] == "the command\nagain"
    for session in ("0", "1"):
        assert (folder / "logs" / session / "progress.csv").stat().st_size > 0


@pytest.mark.slow
def test_a_run_goes_on_from_a_model(tmp_path: Path) -> None:
    first = trained(tmp_path / "first")
    second = trained(tmp_path / "second", start=first / "best.npz")
    begun, given = (SavedPolicy(path).arrays for path in (second / "clone.npz", first / "best.npz"))
    assert not any(name.startswith(CRITIC) for name in begun)
    assert {name: array.tolist() for name, array in begun.items()} == {
        name: array.tolist() for name, array in given.items() if not name.startswith(CRITIC)
    }


@pytest.mark.slow
def test_a_model_that_does_not_fit_is_nothing_to_go_on_from(tmp_path: Path) -> None:
    model = trained(tmp_path / "first", total_timesteps=512, evaluations=1) / "best.npz"
    for flags, message in (
        ({"suit_units": 9}, "the model has --suit-units 8, asked for is 9"),
        ({"observation": "hints"}, "the model has --observation outs, asked for is hints"),
        ({"teacher": "greedy"}, "--teacher greedy: give one of them"),
    ):
        with pytest.raises(ValueError, match=message):
            Session(SMALL_RULES, small(tmp_path / "second", start=model, **flags), "the command")
    with pytest.raises(ValueError, match="cannot go on to"):
        fitted(rummy_env.rules("gin"), small(tmp_path / "third", start=model), "the command")
    assert not (tmp_path / "second").exists()


@pytest.mark.slow
def test_a_run_of_matches_goes_on_from_a_model_of_hands(tmp_path: Path) -> None:
    """It begins with the same choices whatever the scores, and keeps what wins most matches."""
    start = trained(tmp_path / "hands", total_timesteps=512, evaluations=1) / "best.npz"
    rules = rummy_env.rules("basic", hand_size=3, max_turns=40, match="match", max_hands=3)
    settings = small(tmp_path / "matches", start=start, opponents=("random",), share=0.5)
    assert fitted(rules, settings, "the command") is not None
    begun, hands = SavedPolicy(tmp_path / "matches" / "clone.npz"), SavedPolicy(start)
    engine = dealt(rules, 64, steps=60)
    assert engine.state.scores.any()
    rows = engine.running
    asked = engine.look(engine.to_move[rows], rows), engine.legal_mask(rows), engine.random(rows)
    chances = [model.probabilities(*asked) for model in (begun, hands)]
    assert np.allclose(chances[0], chances[1], atol=1e-6)
    report = json.loads((tmp_path / "matches" / "report.json").read_text())
    (best,) = [e for e in report["curve"] if e["steps"] == report["best_steps"]]
    assert best["match_wins"][2] >= max(entry["match_wins"][0] for entry in report["curve"])


def test_a_softened_actor_prefers_the_same_actions_less_strongly() -> None:
    policy, _ = learner(SMALL_RULES, 2)
    engine = Engine(SMALL_RULES, 16, seed=1)
    engine.reset()
    seen = torch.as_tensor(observer(SMALL_RULES, "outs")(engine.look(engine.to_move)))
    with torch.no_grad():
        for array in policy.actor.parameters():
            array.copy_(torch.randn(array.shape, generator=torch.Generator().manual_seed(1)))
        before = policy.log_chances(policy.given(seen), engine.legal_mask())
        policy.actor.soften(2.5)
        after = policy.log_chances(policy.given(seen), engine.legal_mask())
    legal = torch.as_tensor(engine.legal_mask())
    expected = (before / 2.5).masked_fill(~legal, -torch.inf).log_softmax(dim=1)
    assert torch.allclose(after[legal], expected[legal], rtol=1e-3, atol=1e-3)


@pytest.mark.slow
def test_a_clone_is_softened_unless_a_temperature_is_given(tmp_path: Path) -> None:
    def begun(name: str, temperature: float | None) -> Any:
        flags = {"teacher": "greedy", "teacher_decisions": 64, "temperature": temperature}
        folder = trained(tmp_path / name, total_timesteps=1, evaluations=1, **flags)
        return SavedPolicy(folder / "clone.npz").arrays["others"]

    as_it_is = begun("one", 1.0)
    assert np.array_equal(begun("usual", None), as_it_is / np.float32(2.4))
    assert np.array_equal(begun("four", 4.0), as_it_is / np.float32(4.0))


@pytest.mark.slow
def test_what_is_saved_is_an_average_of_the_actors(tmp_path: Path) -> None:
    def flat(arrays: Any) -> torch.Tensor:
        return torch.cat([torch.as_tensor(array).flatten() for array in arrays])

    def run(kept: float) -> tuple[torch.Tensor, torch.Tensor]:
        folder = trained(tmp_path / str(kept), average=kept)
        saved = SavedPolicy(max((folder / "past").glob("*.npz"))).arrays
        policy: Any = newest(folder).policy
        actor = dict(policy.actor.weights.named_parameters())
        return flat(saved[name] for name in actor), flat(actor.values())

    saved, actor = run(0.0)
    assert torch.equal(saved, actor)
    saved, again = run(0.9)
    assert torch.equal(actor, again)  # what is saved has no part in what is learned
    assert not torch.equal(saved, actor)


@pytest.mark.slow
def test_a_model_takes_its_critic_along_where_that_is_of_points(tmp_path: Path) -> None:
    folder = trained(tmp_path / "run")
    last, policy = SavedPolicy(max((folder / "past").glob("*.npz"))), newest(folder).policy
    engine = dealt(SMALL_RULES, 20)
    view = engine.look(engine.to_move)
    seen = torch.as_tensor(observer(SMALL_RULES, OUTS)(view))
    with torch.no_grad():
        values = 100 * policy.predict_values(seen)[:, 0].numpy()
    assert np.allclose(last.values(view), values, atol=1e-3)
    for untaught in ("clone.npz", "past/000000000000.npz"):
        assert SavedPolicy(folder / untaught).card.critic is None
    hidden = trained(tmp_path / "hidden", privileged=True)
    assert SavedPolicy(hidden / "best.npz").card.critic is None


def test_an_average_is_of_all_rollouts_at_first_and_of_later_ones_then() -> None:
    policy, _ = learner(SMALL_RULES, 2)
    model: Any = SelfPlayPPO.__new__(SelfPlayPPO)
    model.average = 0.75
    weights = [1.0, 2.0, 6.0, 3.0, 8.0, 4.0]
    for moved, weight in enumerate(weights):
        with torch.no_grad():
            for array in policy.actor.parameters():
                array.fill_(weight)
        model._update_average(policy.actor, moved)
        expected = [1.0, 1.5, 3.0, 3.0, 0.75 * 3 + 2, 0.75 * 4.25 + 1][moved]
        for array in model.averaged.parameters():
            assert torch.allclose(array, torch.full_like(array, expected))


@pytest.mark.parametrize("evaluations", [10, 20, 49])
def test_evaluations_come_at_even_steps(evaluations: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With as many rollouts as evaluations each ends one, whatever `1 - 0.9` is."""
    reached: list[float] = []
    session: Any = SimpleNamespace(run=None, share_left=1.0)
    session.progress, session.settings = SimpleNamespace(evaluated=0.0), SimpleNamespace()
    session.settings.evaluations = evaluations
    unused: Any = None
    callback = EvaluationCallback(session, unused, unused)

    def reach() -> None:
        session.progress.evaluated = 1 - session.share_left
        reached.append(session.share_left)

    monkeypatch.setattr(callback, "reach", reach)
    for rollout in range(evaluations):
        session.share_left = 1 - rollout / evaluations
        callback._on_rollout_start()
    assert len(reached) == evaluations - 1  # the last one is that of `finish`


@pytest.mark.slow
def test_an_interrupted_run_stops_between_rollouts_and_goes_on_to_the_same_end(
    tmp_path: Path,
) -> None:
    flags: dict[str, Any] = {"total_timesteps": 4096, "evaluations": 4}
    whole = trained(tmp_path / "whole", **flags, privileged=True, objective="lead")
    part = tmp_path / "part"
    given = [*command(part, **flags), "--privileged", "--objective", "lead"]
    process = subprocess.Popen(given, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while len([*part.glob("past/*.json")]) < 2 and process.poll() is None:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 130, err.decode()
    assert f"--resume {part} --trust" in out.decode()
    stopped_at = newest(part).num_timesteps
    assert 1024 <= stopped_at < 4096
    assert stopped_at % 512 == 0
    assert fitted(SMALL_RULES, resumed(part), "again") is not None
    assert same_weights(whole, part)


def test_where_the_critic_alone_has_learned_the_policy_is_said_to_be_unchanged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = small(tmp_path / "run", total_timesteps=5120, warmup=2, evaluations=10)
    session = Session(SMALL_RULES, given, "")
    assert to_the_end(session)
    told = "512 decisions: the policy is unchanged; the critic learns alone in the first 2 rollouts"
    assert told in capsys.readouterr().out
    first, alone, *_, last = session.progress.curve
    assert (first.steps, alone.steps) == (0, 512)
    assert (first.win_rate, first.points) == (alone.win_rate, alone.points)
    assert (first.win_rate, first.points) != (last.win_rate, last.points)


@pytest.mark.parametrize(("rollouts", "alone"), [(20, 4), (8, 1), (3, 0)])
def test_in_a_short_run_the_critic_learns_alone_for_a_fifth_of_it(
    tmp_path: Path, rollouts: int, alone: int
) -> None:
    given = small(tmp_path / "run", total_timesteps=512 * rollouts, warmup=4, evaluations=1)
    session = Session(SMALL_RULES, given, "")
    assert to_the_end(session)
    model: Any = session._model
    assert (model.rollouts, model.warmup) == (rollouts, alone)


def test_a_run_of_one_rollout_changes_the_policy(tmp_path: Path) -> None:
    session = Session(SMALL_RULES, small(tmp_path / "run", total_timesteps=512, warmup=1), "")
    before = arrays_of(session._policy.actor)
    assert to_the_end(session)
    after = arrays_of(session._policy.actor)
    assert any((after[name] != before[name]).any() for name in before)


class Lambda(Greedy):
    """Cannot be pickled."""

    def __init__(self) -> None:
        self.pick = lambda mask: mask.argmax(axis=1)


class Breaks(Greedy):
    """Fails at its first decision."""

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        raise ZeroDivisionError("one by zero")


@pytest.mark.parametrize(
    ("agent", "error", "message"),
    [("Lambda", ValueError, "checkpoints"), ("Breaks", ZeroDivisionError, "one by zero")],
)
def test_opponents_are_tried_before_anything_is_played(
    tmp_path: Path, agent: str, error: type[Exception], message: str
) -> None:
    given = small(tmp_path / "run", opponents=(f"{__name__}:{agent}",), share=0.5)
    with pytest.raises(error, match=message):
        Session(SMALL_RULES, given, "")
    assert not (tmp_path / "run").exists()


def test_self_play_has_deals_that_no_evaluation_has(tmp_path: Path) -> None:
    env = Session(SMALL_RULES, small(tmp_path / "run"), "").rounds.shards[0].env
    env.reset()
    played = np.concatenate([game_seeds(1 + more, 2000) for more in range(3)])
    assert not np.isin(env.games.engine.seeds, played).any()


def test_a_critic_of_discounted_values_is_not_saved_as_one_of_points(tmp_path: Path) -> None:
    given = small(tmp_path / "plain"), small(tmp_path / "discounted", gamma=0.9)
    assert [Session(SMALL_RULES, each, "").value_points for each in given] == [100, None]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("greedy=much", "'much' is no weight"),
        ("greedy=nan", "'nan' is no weight"),
        ("greedy=-1", "'-1' is no weight"),
        ("nobody", "nobody"),
        ("greedy=0", "at least one"),
    ],
)
def test_an_impossible_opponent_is_refused(given: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        fixed_pool([given])


def test_the_folder_of_an_opponent_may_have_an_equals_sign_in_its_name(tmp_path: Path) -> None:
    (tmp_path / "lr=0.1").mkdir()
    path = untrained(SMALL_RULES, tmp_path / "lr=0.1" / "best.npz")
    assert [weight for _, weight in fixed_pool([str(path), f"{path}=2.5"])] == [1.0, 2.5]


@pytest.mark.slow
def test_a_run_without_named_agents_trains_by_the_strongest_heuristic(tmp_path: Path) -> None:
    agents = dict.fromkeys(("opponents", "rivals", "teacher"))
    flags = small(tmp_path / "run", **agents, total_timesteps=512, teacher_decisions=512)
    assert fitted(rummy_env.rules("rummy500"), flags, "the command") is not None
    told = json.loads((tmp_path / "run" / "settings.json").read_text())["settings"]
    assert told["teacher"] == "strong"
    assert told["opponents"] == ["random=0.3", "greedy=2", "strong=4"]


def test_one_softmax_gives_what_the_library_gives() -> None:
    policy, env = learner(rummy_env.rules("classic"), 32)
    seen = torch.as_tensor(env.reset())
    masks = env.action_masks()
    policy.set_training_mode(False)
    actions, values, chances = policy(seen, action_masks=masks)
    assert masks[np.arange(32), actions.numpy()].all()
    theirs = policy.get_distribution(seen, action_masks=masks)
    assert torch.allclose(chances, theirs.log_prob(actions), atol=1e-5)
    again, log_prob, entropy = policy.evaluate_actions(seen, actions, action_masks=masks)
    assert torch.allclose(values, again)
    assert torch.allclose(values, policy.predict_values(seen))
    assert torch.allclose(log_prob, chances)
    assert torch.allclose(entropy, theirs.entropy(), atol=1e-5)
    likeliest, _, _ = policy(seen, deterministic=True, action_masks=masks)
    assert torch.equal(likeliest, theirs.mode())


@pytest.mark.parametrize(
    ("flag", "message"),
    [
        (("--num-players", "9"), "num_players=9: give a whole number from 2 to 6"),
        (("--minutes", "0"), "minutes=0.0: give a number above 0"),
        (
            ("--total-timesteps", "0"),
            "total_timesteps=0: give a whole number from 1 to 1000000000000",
        ),
    ],
)
def test_the_command_refuses_bad_flags_in_one_line(
    flag: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as refused:
        fit.main(["basic", *flag])
    assert refused.value.code == 2
    assert capsys.readouterr().err.strip() == f"error: {message}"
