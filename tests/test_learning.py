"""What a run is told reaches its learning, and what falls over a run does fall."""

import copy
import signal
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger
from torch import nn

from agents.working import Hopeless
from rummy_env import Engine, evaluation
from rummy_env.baselines import Greedy, Random
from rummy_env.views.features import OUTS, observer
from tests.fits import few_demonstrations, fitted, resumed, small, to_the_end
from tests.models import KINDS, SMALL_RULES, untrained
from tests.torch_policies import advised_games, learner, sure_policy
from training import callbacks, summary
from training.callbacks import EvaluationCallback
from training.cloning import descend
from training.opponent_pool import with_past
from training.phases import Phases
from training.player import Player, Shard, Terms
from training.rounds import Rounds
from training.session import Session, _stopping

__all__ = ["few_demonstrations"]


def test_every_flag_of_learning_reaches_the_algorithm(tmp_path: Path) -> None:
    flags: dict[str, Any] = {
        "clip_coef": 0.3,
        "ent_coef": 0.01,
        "vf_coef": 0.7,
        "max_grad_norm": 0.2,
    }
    flags |= {"target_kl": 0.02, "minibatch_size": 128, "update_epochs": 3, "gamma": 0.97}
    flags |= {"gae_lambda": 0.6, "learning_rate": 4e-4, "value_rate": 3.0, "average": 0.5}
    flags |= {"surest": 0.9, "sure_kept": 0.5, "move_cost": 0.01, "kl_coef": 0.3}
    flags["adviser"] = "strong"
    model: Any = Session(SMALL_RULES, small(tmp_path / "run", **flags), "")._model
    assert (model.clip_range(1.0), model.ent_least, model.vf_coef) == (0.3, 0.01, 0.7)
    assert (model.max_grad_norm, model.target_kl) == (0.2, 0.02)
    assert (model.batch_size, model.n_epochs, model.average, model.kl_coef) == (128, 3, 0.5, 0.3)
    assert model.terms == Terms(32, 0.97, 0.6, 0.9, 0.5, 0.01)
    model.set_logger(Logger(None, []))
    for left, rate in ((1.0, 4e-4), (0.0, 2e-5)):
        model._current_progress_remaining = left
        model._update_learning_rate(model.policy.optimizer)
        rates = [group["lr"] for group in model.policy.optimizer.param_groups]
        assert rates == pytest.approx([rate, 3 * rate])


def test_the_price_of_straying_falls_to_nothing_over_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prices, play = [], Rounds.play

    def noted(rounds: Any, player: Any, price: float, updates: int) -> Any:
        prices.append(price)
        return play(rounds, player, price, updates)

    monkeypatch.setattr(Rounds, "play", noted)
    given = small(tmp_path / "run", kl_coef=0.4, adviser="strong", evaluations=1)
    assert to_the_end(Session(SMALL_RULES, given, ""))
    assert prices == pytest.approx([0.4, 0.3, 0.2, 0.1])
    further = resumed(tmp_path / "run", total_timesteps=4096)
    assert to_the_end(Session(SMALL_RULES, further, ""))
    assert prices[4:] == pytest.approx([0.2, 0.15, 0.1, 0.05])


def test_the_extra_weight_of_the_entropy_falls_to_nothing_over_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    weights, train = [], MaskablePPO.train

    def noted(model: Any) -> None:
        weights.append(model.ent_coef)
        train(model)

    monkeypatch.setattr(MaskablePPO, "train", noted)
    given = small(tmp_path / "run", ent_coef=0.001, ent_extra=0.16, evaluations=1)
    assert to_the_end(Session(SMALL_RULES, given, ""))
    assert weights == pytest.approx([0.091, 0.041, 0.011, 0.001])
    further = resumed(tmp_path / "run", total_timesteps=4096)
    assert to_the_end(Session(SMALL_RULES, further, ""))
    assert weights[4:] == pytest.approx([0.001 + 0.16 * (left / 8) ** 2 for left in (3, 2, 1, 0)])


def test_straying_from_the_clone_costs_what_it_is_likelier_by() -> None:
    env = advised_games()
    policy = sure_policy(env)
    anchor = copy.deepcopy(policy.actor)
    policy.actor.trust(1.0)
    chance = torch.Generator().manual_seed(3).get_state()

    def gains(price: float, anchor: Any) -> Any:
        player = Player(policy, anchor, Terms(48, 1.0, 1.0))
        return player.play(Shard(advised_games(), chance.clone()), price).arrays["advantages"]

    free = gains(0.0, anchor)
    assert np.allclose(gains(0.5, copy.deepcopy(policy.actor)), free, atol=1e-5)
    charged = gains(0.5, anchor)
    assert (free - charged).mean() > 0.01
    assert np.allclose(gains(1.0, anchor) - free, 2 * (charged - free), atol=1e-3)


def test_cloning_goes_through_all_items_in_a_new_order_at_a_falling_rate(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[Any] = []
    rates: list[float] = []
    step = torch.optim.Adam.step

    def noted(adam: Any) -> None:
        rates.append(adam.param_groups[0]["lr"])
        step(adam)

    monkeypatch.setattr(torch.optim.Adam, "step", noted)
    actor = nn.Linear(1, 1)

    def loss(items: Any) -> Any:
        seen.append(items)
        return actor.weight.sum()

    descend(actor, loss, 10, 1, lambda done: None, epochs=2, rate=0.5, batch=4)
    first, second = np.concatenate(seen[:3]), np.concatenate(seen[3:])
    assert sorted(first) == sorted(second) == [*range(10)]
    assert len({tuple(first), tuple(second), tuple(range(10))}) == 3
    done = [epoch + at / 10 for epoch in (0, 1) for at in (0, 4, 8)]
    assert rates == pytest.approx([0.5 * (1 - share / 2) for share in done])


def test_past_versions_share_their_part_and_draw_their_actions(tmp_path: Path) -> None:
    network, reads = KINDS["suits"]
    paths = [tmp_path / "a.npz", tmp_path / "b.npz"]
    past = [untrained(SMALL_RULES, path, network=network, reads=reads) for path in paths]
    fixed: Any = [(Greedy(), 1.0), (Random(), 3.0)]
    pool: list[Any] = with_past(fixed, past, 0.4)
    assert [weight for _, weight in pool] == pytest.approx([0.2, 0.2, 0.15, 0.45])
    assert [policy.deterministic for policy, _ in pool[:2]] == [False, False]
    assert with_past(fixed, [], 0.4) == with_past(fixed, past, 0.0) == fixed


def test_evaluations_take_no_time_of_learning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = Session(SMALL_RULES, small(tmp_path / "run"), "")
    evaluate, lost = EvaluationCallback._evaluate, [0.0]
    clock = time.perf_counter

    def slowly(callback: Any) -> None:
        evaluate(callback)
        lost[0] += 1000.0

    monkeypatch.setattr(EvaluationCallback, "_evaluate", slowly)
    monkeypatch.setattr(callbacks, "time", SimpleNamespace(perf_counter=lambda: clock() + lost[0]))
    assert to_the_end(session)
    assert lost[0] == 3000
    assert session.progress.seconds < 1000


@pytest.mark.parametrize("order", [1, -1])
def test_a_model_is_worth_what_it_makes_of_its_strongest_rival(order: int, tmp_path: Path) -> None:
    given = small(tmp_path / "run", rivals=("random", "greedy")[::order], total_timesteps=512)
    session = Session(SMALL_RULES, given, "")
    assert to_the_end(session)
    first = [entry.points[0] for entry in session.progress.curve[:2]]
    assert first[0] != first[1]
    again = min(entry.points[0] for entry in session.progress.curve[-2:])
    assert session.progress.best == max(min(first), again)


def test_a_run_with_more_to_do_is_evaluated_as_often_as_one_that_had_it_from_the_start(
    tmp_path: Path,
) -> None:
    given = small(tmp_path / "run", total_timesteps=1024, evaluations=4, eval_deals=2)
    assert to_the_end(Session(SMALL_RULES, given, ""))
    more = Session(SMALL_RULES, resumed(tmp_path / "run", total_timesteps=2048), "again")
    assert to_the_end(more)
    assert [entry.steps for entry in more.progress.curve] == [0, 512, 1024, 1536, 2048]


def test_the_epsilon_of_adam_is_that_of_the_settings(tmp_path: Path) -> None:
    session = Session(SMALL_RULES, small(tmp_path / "run", adam_eps=1e-4), "")
    assert [group["eps"] for group in session._policy.optimizer.param_groups] == [1e-4, 1e-4]


def test_a_run_of_decisions_can_be_resumed_for_some_minutes(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    assert to_the_end(Session(SMALL_RULES, small(folder, total_timesteps=512), ""))
    more = Session(SMALL_RULES, resumed(folder, total_timesteps=None, minutes=1e-9), "again")
    assert (more.settings.minutes, more.settings.total_timesteps) == (1e-9, None)


def test_a_new_network_prefers_nothing() -> None:
    policy, _ = learner(SMALL_RULES, 2)
    engine = Engine(SMALL_RULES, 64, seed=1)
    engine.reset()
    seen = torch.as_tensor(observer(SMALL_RULES, OUTS)(engine.look(engine.to_move)))
    mask = torch.as_tensor(engine.legal_mask())
    with torch.no_grad():
        chances = policy.log_chances(policy.given(seen), mask).exp()
        values = policy.predict_values(seen)
    even = 1 / mask.sum(dim=1, keepdim=True)
    assert torch.allclose(chances[mask], even.expand_as(chances)[mask], rtol=0.1)
    assert values.abs().max() < 0.1


def test_a_second_interrupt_stops_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    clock: Any = SimpleNamespace(interrupted=False)
    with _stopping(clock):
        signal.raise_signal(signal.SIGINT)
        assert clock.interrupted
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGTERM)
    assert "Ctrl-C again to stop at once" in capsys.readouterr().err


def test_without_a_bar_each_quarter_of_a_phase_is_told_once(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with Phases() as phases:
        phases.begin("labels")
        for part in range(101):
            phases.show(part / 100)
    lines = ["labels ...", "labels: 25%", "labels: 50%", "labels: 75%"]
    assert capsys.readouterr().out.splitlines() == lines


def test_a_model_is_not_chosen_on_the_deals_that_it_is_compared_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen, compared = [], []

    def duel(*given: Any, seed: int, **told: Any) -> Any:
        chosen.append(seed)
        return evaluation.duel(*given, seed=seed, **told)

    def compare(*given: Any, seed: int, **told: Any) -> Any:
        compared.append(seed)
        return evaluation.compare(*given, seed=seed, **told)

    monkeypatch.setattr(callbacks, "duel", duel)
    monkeypatch.setattr(summary, "compare", compare)
    assert fitted(SMALL_RULES, small(tmp_path / "run", total_timesteps=512), "") is not None
    assert chosen
    assert compared
    assert not {*chosen} & {*compared}


def test_a_run_that_diverges_is_told_so(tmp_path: Path) -> None:
    wild = small(tmp_path / "run", learning_rate=1e6, warmup=0, total_timesteps=4096)
    with pytest.raises(Hopeless, match=r"diverged.* give a lower --learning-rate"):
        to_the_end(Session(SMALL_RULES, wild, ""))
