"""Training: a run from end to end, stopped and resumed, and what it refuses."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO

import rummy_env
from agents.saved import PolicyCard, Saved
from rummy_env.baselines.policies import Greedy, Random
from training import fit
from training.arguments import load_agent
from training.cloning import clone, lessons
from training.league import fixed_pool

SMALL: dict[str, Any] = {
    "num_envs": 16,
    "num_steps": 32,
    "minibatch_size": 256,
    "hidden": (32,),
    "opponents": ("random", "greedy=2"),
    "rivals": ("random",),
    "teacher": "none",
    "eval_every": 1024,
    "eval_deals": 4,
    "compare_deals": 4,
    "torch_threads": 1,
}


def small(folder: Path, **flags: Any) -> fit.Settings:
    return fit.Settings(**{**SMALL, "total_timesteps": 2048, "out": folder, **flags})


def trained(folder: Path, **flags: Any) -> Path:
    run = fit.fit(rummy_env.rules("basic"), small(folder, **flags), "the command")
    assert run is not None
    return run.folder


def weights(model: Path) -> list[np.ndarray]:
    policy = MaskablePPO.load(model, device="cpu").policy
    return [value.numpy() for value in policy.state_dict().values()]


def same_weights(one: Path, other: Path) -> bool:
    pairs = zip(weights(one), weights(other), strict=True)
    return all(np.array_equal(mine, theirs) for mine, theirs in pairs)


def newest(folder: Path) -> Path:
    return folder / "checkpoint" / "model.zip"


def test_a_run_writes_its_report_and_a_model_that_plays(tmp_path: Path) -> None:
    folder = trained(tmp_path / "run")
    report = json.loads((folder / "report.json").read_text())
    assert report["steps"] == 2048
    assert {entry["opponent"] for entry in report["curve"]} == {"random"}
    assert [entry["steps"] for entry in report["curve"]] == [1024, 2048]
    assert report["comparison"]["agents"] == ["trained", "random"]
    for name in ("report.md", "compare.md", "learning_curve.png", "compare.png", "best.zip"):
        assert (folder / name).stat().st_size > 0
    engine = rummy_env.Engine(rummy_env.rules("basic"), 8)
    engine.reset()
    mask = engine.legal_mask()
    agent = Saved(folder / "best.zip")
    actions = agent.act(engine.look(engine.to_move), mask, engine.random(np.arange(8)))
    assert mask[np.arange(8), actions].all()


def test_the_same_seed_trains_the_same_model_and_another_seed_another(tmp_path: Path) -> None:
    first, again = trained(tmp_path / "a", seed=5), trained(tmp_path / "b", seed=5)
    other = trained(tmp_path / "c", seed=6)
    assert same_weights(newest(first), newest(again))
    assert not same_weights(newest(first), newest(other))


def test_a_finished_run_can_be_trained_further(tmp_path: Path) -> None:
    folder = trained(tmp_path / "run", total_timesteps=1024)
    further = fit.Settings(resume=folder, total_timesteps=2048)
    assert fit.fit(rummy_env.rules("basic"), further, "again") is not None
    report = json.loads((folder / "report.json").read_text())
    assert [entry["steps"] for entry in report["curve"]] == [1024, 2048]
    assert report["command"] == "the command"
    for session in ("0", "1"):
        assert (folder / "logs" / session / "progress.csv").stat().st_size > 0


def test_an_interrupted_run_stops_between_rollouts_and_goes_on_to_the_same_end(
    tmp_path: Path,
) -> None:
    whole = trained(tmp_path / "whole", total_timesteps=4096)
    part = tmp_path / "part"
    flags = ["--total-timesteps", "4096", "--num-envs", "16", "--num-steps", "32", "--hidden", "32"]
    flags += ["--minibatch-size", "256", "--opponents", "random", "greedy=2", "--rivals", "random"]
    flags += ["--teacher", "none", "--eval-every", "1024", "--eval-deals", "4", "--out", str(part)]
    flags += ["--compare-deals", "4", "--torch-threads", "1"]
    command = [sys.executable, "-m", "training.fit", "basic", *flags]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while not (part / "checkpoint").exists() and process.poll() is None:
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 130, err.decode()
    assert f"--resume {part}" in out.decode()
    stopped_at = MaskablePPO.load(newest(part), device="cpu").num_timesteps
    assert 1024 <= stopped_at < 4096
    assert stopped_at % 512 == 0
    assert fit.fit(rummy_env.rules("basic"), fit.Settings(resume=part), "again") is not None
    assert same_weights(newest(whole), newest(part))


def test_a_run_is_not_begun_over_another(tmp_path: Path) -> None:
    folder = trained(tmp_path / "run", total_timesteps=512)
    with pytest.raises(ValueError, match="holds a run already: give --resume"):
        trained(folder)


def test_a_run_of_other_rules_is_not_resumed(tmp_path: Path) -> None:
    folder = trained(tmp_path / "run", total_timesteps=512)
    with pytest.raises(ValueError, match=r"the run plays .*'basic'.*asked for is .*'bonus'"):
        fit.fit(rummy_env.rules("bonus"), fit.Settings(resume=folder), "")
    with pytest.raises(ValueError, match="there is no checkpoint"):
        fit.fit(rummy_env.rules("basic"), fit.Settings(resume=tmp_path), "")


def test_a_run_of_another_version_is_not_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = trained(tmp_path / "run", total_timesteps=512)
    monkeypatch.setattr(rummy_env, "__version__", "99.0")
    with pytest.raises(ValueError, match=r"is of rummy_env 0\.\d+\.\d+, this is 99\.0"):
        fit.fit(rummy_env.rules("basic"), fit.Settings(resume=folder), "")


@pytest.mark.parametrize(
    ("given", "message"),
    [("greedy=much", "'much' is no weight"), ("nobody", "nobody"), ("greedy=0", "at least one")],
)
def test_an_impossible_opponent_is_refused(given: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        fixed_pool([given])


def test_a_saved_policy_is_refused_for_other_rules(tmp_path: Path) -> None:
    folder = trained(tmp_path / "run", total_timesteps=512)
    agent = load_agent(str(folder / "best.zip"))
    engine = rummy_env.Engine(rummy_env.rules("basic", ace="high_or_low"), 2)
    engine.reset()
    with pytest.raises(ValueError, match=r"best\.zip"):
        agent.act(engine.look(engine.to_move), engine.legal_mask(), engine.random(np.arange(2)))
    with pytest.raises(ValueError, match="there is no such model"):
        Saved(tmp_path / "none.zip")
    PolicyCard.path(folder / "best.zip").unlink()
    with pytest.raises(ValueError, match=r"card best\.json"):
        Saved(folder / "best.zip")


def test_rewards_may_differ_from_those_of_training(tmp_path: Path) -> None:
    folder = trained(tmp_path / "run", total_timesteps=512)
    engine = rummy_env.Engine(rummy_env.rules("basic", reward="points"), 2)
    engine.reset()
    agent = Saved(folder / "best.zip", deterministic=True)
    chances = agent.probabilities(engine.look(engine.to_move), engine.legal_mask())
    assert np.allclose(chances.sum(axis=1), 1)
    assert not chances[~engine.legal_mask()].any()


def test_a_saved_policy_chooses_alike_in_every_batch(tmp_path: Path) -> None:
    agent = Saved(trained(tmp_path / "run", total_timesteps=512) / "best.zip")
    engine = rummy_env.Engine(rummy_env.rules("basic"), 64, seed=3)
    engine.reset()
    rows = np.arange(64)
    together = agent.act(engine.look(engine.to_move), engine.legal_mask(), engine.random(rows))
    for row in (0, 17, 63):
        one = np.array([row])
        view = engine.look(engine.to_move[one], one)
        assert agent.act(view, engine.legal_mask(one), engine.random(one)) == together[row]


def test_a_network_learns_to_imitate() -> None:
    rules = rummy_env.rules("basic")
    given = lessons(rules, Greedy(), 4000, seed=1)
    legal = given.masks[np.arange(len(given.actions)), given.actions]
    assert legal.all()
    assert set(np.unique(np.sign(given.returns))) == {-1.0, 0.0, 1.0} or given.returns.any()
    torch.manual_seed(0)
    from agents.network import TrunkPolicy
    from rummy_env.envs.sb3 import RummyVecEnv

    env = RummyVecEnv(rules, 2, opponents=Random())
    model = MaskablePPO(TrunkPolicy, env, policy_kwargs={"hidden": (64,)}, device="cpu")
    guesses = np.mean(1 / given.masks.sum(axis=1))
    assert clone(model.policy, given, seed=1) > guesses + 0.15


def test_one_softmax_gives_what_the_library_gives() -> None:
    from agents.network import TrunkPolicy
    from rummy_env.envs.sb3 import RummyVecEnv

    env = RummyVecEnv("classic", 32, opponents=Random())
    seen = torch.as_tensor(env.reset())
    masks = env.action_masks()
    model = MaskablePPO(TrunkPolicy, env, policy_kwargs={"hidden": (16,)}, device="cpu")
    policy: Any = model.policy
    policy.set_training_mode(False)
    actions, values, chances = policy(seen, action_masks=masks)
    assert masks[np.arange(32), actions.numpy()].all()
    theirs = policy.get_distribution(seen, action_masks=masks)
    assert torch.allclose(chances, theirs.log_prob(actions), atol=1e-5)
    again, log_prob, entropy = policy.evaluate_actions(seen, actions, action_masks=masks)
    assert torch.allclose(values, again)
    assert torch.allclose(log_prob, chances)
    assert torch.allclose(entropy, theirs.entropy(), atol=1e-5)


@pytest.mark.parametrize(
    ("flag", "message"),
    [
        (("--num-players", "9"), "num_players=9: give a whole number from 2 to 6"),
        (("--minutes", "0"), "minutes=0.0: give a number above 0, or nothing"),
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
