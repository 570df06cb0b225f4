"""Training on workers: the bytes of one process, faults that change nothing, what is refused."""

import csv
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from rummy_env.workers import ClusterError, WorkerError
from tests.clusters import Faulty, Mortal, one_node, two_nodes, wait_for
from tests.conftest import few_or_all
from tests.fits import (
    command,
    few_demonstrations,
    fitted,
    resumed,
    same_weights,
    small,
    stop_at,
    to_the_end,
)
from tests.models import SMALL_RULES
from training import session
from training.rounds import Rounds, sizes
from training.seeds import SELF_PLAY, seed_apart
from training.session import Session, complete

__all__ = ["few_demonstrations", "two_nodes"]

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")

SHORT: dict[str, Any] = {"total_timesteps": 1024, "share": 0.5, "past_share": 0.5, "eval_deals": 2}
"""Three rollouts; others sit at half of the tables, past versions of the learner among them."""


def learned(folder: Path, **flags: Any) -> Session:
    session = Session(SMALL_RULES, small(folder, **{**SHORT, **flags}), "the command")
    assert to_the_end(session)
    return session


def logged(folder: Path, name: str) -> list[float]:
    """The values of a column of the log, where it has any."""
    with (folder / "logs" / "0" / "progress.csv").open() as file:
        return [float(line[name]) for line in csv.DictReader(file) if line[name]]


@pytest.mark.usefixtures("two_nodes")
@pytest.mark.parametrize(
    "flags", [{}, {"teacher": "greedy", "teacher_decisions": 64, "kl_coef": 1}]
)
def test_one_worker_in_lockstep_makes_the_bytes_of_one_process(
    tmp_path: Path, flags: dict[str, Any]
) -> None:
    alone, worker = tmp_path / "alone", tmp_path / "worker"
    learned(alone, **flags)
    session = learned(worker, workers=1, **flags)
    assert same_weights(alone, worker)
    assert (alone / "best.npz").read_bytes() == (worker / "best.npz").read_bytes()
    assert {*logged(worker, "rollout/staleness")} == {0}
    assert not session.rounds.shards[0].env.games.learners.all()


@pytest.mark.usefixtures("two_nodes")
def test_several_workers_have_games_of_their_own_and_one_result(tmp_path: Path) -> None:
    session = learned(tmp_path / "a", workers=2, num_envs=17)
    assert [shard.env.num_envs for shard in session.rounds.shards] == [9, 8]
    dealt = np.concatenate([shard.env.games.engine.seeds for shard in session.rounds.shards])
    assert len({*dealt.tolist()}) == 17
    first, second = session.rounds.shards
    assert not torch.equal(first.chance, second.chance)
    begun = torch.Generator().manual_seed(seed_apart(1, SELF_PLAY + 1)).get_state()
    assert not torch.equal(second.chance, begun)
    learned(tmp_path / "b", workers=2, num_envs=17)
    assert same_weights(tmp_path / "a", tmp_path / "b")


@pytest.mark.usefixtures("two_nodes")
def test_playing_ahead_the_weights_are_one_update_behind_and_no_more(tmp_path: Path) -> None:
    learned(tmp_path / "run", workers=2, staleness=1)
    first, *later = logged(tmp_path / "run", "rollout/staleness")
    assert first == 0
    assert len(later) > 1
    assert {*later} == {1}


@pytest.mark.usefixtures("two_nodes")
def test_a_run_whose_worker_is_killed_ends_as_if_nothing_had_happened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The opponent kills the process in which it plays, in the midst of a rollout."""
    mark = tmp_path / "mark"
    monkeypatch.setattr(session, "fixed_pool", lambda given: [(Mortal(mark, 40), 1.0)])
    killed = learned(tmp_path / "killed", workers=2)
    assert mark.exists()
    undisturbed = learned(tmp_path / "undisturbed", workers=2)
    assert [each.rounds.replaced for each in (killed, undisturbed)] == [1, 0]
    assert same_weights(tmp_path / "killed", tmp_path / "undisturbed")


@pytest.mark.usefixtures("two_nodes")
def test_a_policy_that_raises_on_a_worker_is_an_error_with_its_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "fixed_pool", lambda given: [(Faulty(), 1.0)])
    with pytest.raises(WorkerError, match=r"(?s)clusters\.py.*in act.*far from home"):
        learned(tmp_path / "run", workers=1)


@pytest.mark.usefixtures("two_nodes")
@few_or_all("workers", [None], [1, None])
def test_a_run_goes_on_from_its_checkpoint_with_however_many_workers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: int | None
) -> None:
    """As after a head that died: games and chance are those of the checkpoint, share by share."""
    learned(tmp_path / "whole", workers=2)
    part = tmp_path / "part"
    with monkeypatch.context() as patch:
        stop_at(400, patch)
        stopped = Session(SMALL_RULES, small(part, **SHORT, workers=2), "the command")
        assert not to_the_end(stopped)
    with pytest.raises(ValueError, match=r"--workers 3: .* give 2 at most"):
        Session(SMALL_RULES, resumed(part, workers=3), "again")
    again = Session(SMALL_RULES, resumed(part, workers=workers), "again")
    assert len(again.rounds.shards) == 2
    assert to_the_end(again)
    assert same_weights(tmp_path / "whole", part)


@pytest.mark.usefixtures("two_nodes")
def test_when_the_cluster_is_lost_the_checkpoint_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No worker can be had any more after the second rollout; the run is resumed without."""
    play = Rounds.play

    def lost(rounds: Rounds, *given: Any) -> Any:
        if given[-1] == 2 and rounds._crew is not None:
            raise WorkerError("the head is gone")
        return play(rounds, *given)

    learned(tmp_path / "whole", workers=2, evaluations=3)
    with monkeypatch.context() as patch:
        patch.setattr(Rounds, "play", lost)
        with pytest.raises(WorkerError, match="the head is gone"):
            learned(tmp_path / "part", workers=2, evaluations=3)
    again = Session(SMALL_RULES, resumed(tmp_path / "part"), "again")
    assert to_the_end(again)
    assert same_weights(tmp_path / "whole", tmp_path / "part")


@pytest.mark.slow
def test_a_run_whose_head_is_killed_goes_on_with_another_head(tmp_path: Path) -> None:
    """It is told, the checkpoint is left, and the model is that of a run that met no accident."""
    folder, flags = tmp_path / "run", {"total_timesteps": 16 * 512, "evaluations": 8}
    with one_node() as cluster:
        given = command(folder, **flags, workers=1, ray_address=cluster.address)
        run = subprocess.Popen(given, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        checkpoint = folder / "checkpoint.pkl"
        wait_for(lambda: checkpoint.exists() or run.poll() is not None, seconds=300)
        cluster.head_node.kill_gcs_server()
        told, _ = run.communicate(timeout=300)
    assert run.returncode not in (0, None), told
    assert "is gone" in told, told
    with one_node() as cluster:
        again = [*given[:8], "--resume", folder, "--trust", "--ray-address", cluster.address]
        subprocess.run([*again, "--workers", "1"], check=True, capture_output=True, timeout=300)
    alone = tmp_path / "alone"
    subprocess.run(command(alone, **flags), check=True, capture_output=True, timeout=300)
    assert (alone / "best.npz").read_bytes() == (folder / "best.npz").read_bytes()
    assert same_weights(alone, folder)


def test_a_cluster_that_does_not_answer_is_refused_before_there_is_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ray = pytest.importorskip("ray", reason="needs Ray: pip install 'rummy-env[ray]'")
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    flags = small(tmp_path / "run", workers=1, ray_address="127.0.0.1:1")
    with pytest.raises(ClusterError, match="no cluster answers there"):
        fitted(SMALL_RULES, flags, "the command")
    assert not (tmp_path / "run").exists()


def test_all_games_are_dealt_out() -> None:
    assert sizes(10, 3) == [4, 3, 3]
    assert sizes(1024, 1) == [1024]


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ({"workers": 17}, "workers=17: each plays games of its own; give 16 at most"),
        ({"ray_address": "auto"}, "ray_address='auto': it is for workers; give workers, too"),
        ({"staleness": 1}, "staleness=1: it is for workers; give --workers too"),
        ({"staleness": 2, "workers": 1}, "staleness=2: give a whole number from 0 to 1"),
    ],
)
def test_flags_that_make_no_sense_with_or_without_workers_are_refused(
    tmp_path: Path, flags: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        complete(SMALL_RULES, small(tmp_path, **flags))
