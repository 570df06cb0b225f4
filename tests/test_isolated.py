"""Policies in processes of their own see what a seat knows, and nothing else."""

import contextlib
import copy
import gc
import multiprocessing
import os
import signal
import sys
import time
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen
from typing import Any, cast

import numpy as np
import pytest

from rummy_env import Engine, rules
from rummy_env.baselines import isolated, resolve
from rummy_env.baselines.isolated import Isolated
from rummy_env.core.arrays import Bools, Rows
from rummy_env.core.keys import game_seeds
from rummy_env.core.shuffle import GameRandom
from rummy_env.core.state import State
from rummy_env.core.visibility import SeatView, ToldView
from rummy_env.envs.learner import LearnerGames
from rummy_env.envs.single import RummyEnv
from rummy_env.evaluation import arena
from rummy_env.variants import VARIANTS

pytestmark = pytest.mark.slow

ME = "tests.test_isolated"
ROOT = Path(__file__).parents[1]


def tables() -> list[Any]:
    """Every table of games that can be found in this process, and in whoever called."""
    frame, found = sys._getframe(), []
    while frame is not None:
        found += [value for value in frame.f_locals.values() if isinstance(value, Engine | State)]
        frame = frame.f_back  # type: ignore[assignment]
    return found + [thing for thing in gc.get_objects() if isinstance(thing, Engine | State)]


class Cheat:
    """Plays the last legal action where it finds a table somewhere, and the first where not."""

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        """See `Policy.act`."""
        if getattr(view, "_state", None) is not None or tables():
            return mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)
        return mask.argmax(axis=1)


class Collector:
    """Plays at random, and raises as soon as two of its games have been dealt the same cards."""

    def __init__(self) -> None:
        self.upcards: dict[tuple[int, ...], int] = {}

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        """See `Policy.act`."""
        first_draws = (view.turn_number < 2) & (view.phase == 0)
        for upcard, first in zip(view.upcard.tolist(), first_draws, strict=True):
            if first:
                self.upcards[upcard] = self.upcards.get(upcard, 0) + 1
        if any(count > 1 for count in self.upcards.values()):
            raise ValueError("I have seen this deal before")
        return mask.argmax(axis=1)


class Dying:
    """Ends its process."""

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        """See `Policy.act`."""
        sys.exit(3)


class Exhausted:
    """Comes to the end of a file of its own."""

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        """See `Policy.act`."""
        raise EOFError("my book ends here")


class Slow:
    """Takes its time."""

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        """See `Policy.act`."""
        time.sleep(2)
        return mask.argmax(axis=1)


class Smuggler:
    """Answers with an object that would run code where it is unpickled."""

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Any:
        """See `Policy.act`."""
        return np.array([self], dtype=object)

    def __reduce__(self) -> tuple[Any, ...]:
        return sys.exit, ("unpickled",)


def first_choice(policy: Any, engine: Engine) -> Rows:
    view, mask = engine.look(engine.to_move), engine.legal_mask()
    return np.asarray(policy.act(view, mask, engine.random()))


def test_a_cheat_finds_the_table_here_and_not_from_its_own_process() -> None:
    engine = Engine(rules("basic"), 3)
    engine.reset()
    mask = engine.legal_mask()
    last = mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)
    assert (first_choice(Cheat(), engine) == last).all()
    cheat = Isolated(f"{ME}:Cheat", engine.rules)
    try:
        assert (first_choice(cheat, engine) == mask.argmax(axis=1)).all()
    finally:
        cheat.close()


@pytest.mark.parametrize("variant", VARIANTS)
def test_told_views_are_equal_to_views(variant: str) -> None:
    engine = Engine(rules(variant), 64, seed=5)
    engine.reset()
    greedy = resolve("greedy", engine.rules)
    for _ in range(30):
        view = engine.look(engine.to_move)
        told = ToldView(engine.rules, view.told())
        assert not any(isinstance(value, State | Engine) for value in vars(told).values())
        for name in view.told():
            assert np.array_equal(getattr(told, name), getattr(view, name))
        some = np.arange(0, 64, 3)
        assert np.array_equal(told.take(some).hand, view.take(some).hand)
        live = ~engine.finished
        mask = engine.legal_mask() | ~live[:, None]
        there = greedy.act(told, mask, engine.random())
        assert np.array_equal(there[live], greedy.act(view, mask, engine.random())[live])
        engine.step(np.where(live, there, 0))


def test_isolated_opponents_play_the_same_games() -> None:
    for options in ({"num_players": 2}, {"num_players": 3}):
        played = []
        for isolate in (False, True):
            games = LearnerGames(
                rules("basic", **options), 4, opponents="greedy", seed=2, isolate=isolate
            )
            games.reset()
            for _ in range(20):
                games.play(games.masks().argmax(axis=1))
            played.append([games.engine.snapshot(row) for row in range(4)])
            games.close()
        assert played[0] == played[1]


def test_a_process_meets_no_deal_twice() -> None:
    game = rules("basic")
    seatings, seeds = arena.head_to_head(2, 1), game_seeds(3, 1)
    with pytest.raises(ValueError, match="seen this deal before"):
        arena.play(game, [Collector(), Collector()], seatings, seeds)
    results = arena.play_isolated(game, [f"{ME}:Collector"] * 2, seatings, seeds)
    assert np.array_equal(results.seatings, seatings)


def test_results_are_those_of_agents_that_are_not_isolated() -> None:
    game = rules("gin")
    seatings, seeds = arena.head_to_head(2, 20), game_seeds(3, 20)
    here = arena.play(game, [resolve("strong"), resolve("greedy")], seatings, seeds)
    there = arena.play_isolated(game, ["strong", "greedy"], seatings, seeds)
    for name, array in vars(here).items():
        assert np.array_equal(array, vars(there)[name])


def test_what_cannot_play_is_refused_and_a_dead_process_named() -> None:
    with pytest.raises(ValueError, match="cannot play"):
        Isolated("camper", rules("basic"))
    with pytest.raises(ValueError, match="cannot be imported"):
        Isolated("nowhere:Nobody", rules("basic"))
    engine = Engine(rules("basic"))
    engine.reset()
    dying = Isolated(f"{ME}:Dying", engine.rules)
    with pytest.raises(RuntimeError, match="process of Dying has died"):
        first_choice(dying, engine)
    dying.close()


def test_an_agent_that_reads_beyond_a_file_is_not_taken_for_a_dead_process() -> None:
    engine = Engine(rules("basic"))
    engine.reset()
    with (
        contextlib.closing(Isolated(f"{ME}:Exhausted", engine.rules)) as exhausted,
        pytest.raises(ValueError, match="my book ends here"),
    ):
        first_choice(exhausted, engine)


def test_a_process_that_may_have_no_children_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    worker = multiprocessing.Process(daemon=True)
    monkeypatch.setattr(isolated, "current_process", lambda: worker)
    with pytest.raises(ValueError, match=r"greedy cannot have a process .*daemon=False"):
        Isolated("greedy", rules("basic"))


def test_what_is_refused_over_there_is_told_in_one_line() -> None:
    with pytest.raises(ValueError, match="cannot be imported") as refused:
        Isolated("nowhere:Nobody", rules("basic"))
    assert "\n" not in str(refused.value)


def test_an_object_whose_class_cannot_be_imported_is_refused() -> None:
    class Local:
        def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
            return mask.argmax(axis=1)

    with pytest.raises(ValueError, match=r"Local does not start.*top level of a module.*__main__"):
        Isolated(Local(), rules("basic"))


def test_a_copy_has_a_process_of_its_own() -> None:
    env = RummyEnv("basic", opponents="random", isolate=True, seat=0)
    _, info = env.reset(seed=1)
    twin = copy.deepcopy(env)
    for _ in range(30):
        action = int(info["action_mask"].argmax())
        *_, over, _, info = env.step(action)
        *_, theirs = twin.step(action)
        assert np.array_equal(info["action_mask"], theirs["action_mask"])
        if over:
            break
    twin.close()
    env.reset(seed=3)
    env.close()


def test_a_process_answers_whoever_began_it_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a fork two would ask through the same pipe, and get each other's answers."""
    engine = dealt()
    eager = Isolated("random", engine.rules)
    assert first_choice(eager, engine).size == 1
    with monkeypatch.context() as patch:
        patch.setattr(os, "getpid", lambda: -1)
        with pytest.raises(RuntimeError, match=r"answers to process .*, which was forked"):
            first_choice(eager, engine)
    assert first_choice(eager, engine).size == 1
    eager.close()


def test_after_an_interruption_a_process_answers_no_more() -> None:
    engine = Engine(rules("basic"))
    engine.reset()
    slow = Isolated(f"{ME}:Slow", engine.rules)

    def interrupt(number: int, frame: Any) -> None:
        raise TimeoutError("too slow")

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(TimeoutError, match="too slow"):
            first_choice(slow, engine)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    with pytest.raises(RuntimeError, match="Slow has ended, as it was closed or interrupted"):
        first_choice(slow, engine)


def test_a_policy_that_is_shared_outlives_the_environments() -> None:
    mine = Isolated("random", rules("basic"))
    try:
        first, second = (RummyEnv("basic", opponents=mine) for _ in range(2))
        for env in (first, second):
            env.reset(seed=1)
        second.set_opponents(mine)
        second.set_opponents(mine)
        first.close()
        with pytest.raises(ValueError, match="observation"):
            RummyEnv("basic", opponents=mine, observation="hint")
        arena.try_out(rules("basic"), "mine", mine)
        _, info = second.reset()
        second.step(int(info["action_mask"].argmax()))
        second.close()
        assert first_choice(mine, dealt()).shape == (1,)
    finally:
        mine.close()


def dealt() -> Engine:
    engine = Engine(rules("basic"))
    engine.reset()
    return engine


def test_ctrl_c_is_not_for_the_process() -> None:
    mine = Isolated("random", rules("basic"))
    try:
        engine = dealt()
        first_choice(mine, engine)
        assert mine._process.pid is not None
        os.kill(mine._process.pid, signal.SIGINT)
        time.sleep(0.2)
        assert first_choice(mine, engine).shape == (1,)
    finally:
        mine.close()


def test_isolation_is_a_flag() -> None:
    with pytest.raises(ValueError, match="isolate='yes': give True or False"):
        RummyEnv("basic", isolate=cast(Any, "yes"))


def test_a_process_that_was_killed_is_named() -> None:
    engine = Engine(rules("basic"))
    engine.reset()
    killed = Isolated("random", engine.rules)
    killed._process.kill()
    killed._process.join()
    with pytest.raises(RuntimeError, match="process of random has died"):
        first_choice(killed, engine)


@pytest.mark.parametrize(
    "wrong", [{"opponents": ["greedy", "nobody"]}, {"num_envs": 0}, {"observation": "everything"}]
)
def test_no_process_is_left_by_games_that_cannot_be_made(wrong: dict[str, Any]) -> None:
    game, made = rules("basic", num_players=3), cast(Any, LearnerGames)
    running = {child.pid for child in multiprocessing.active_children()}
    with pytest.raises(ValueError, match=r"nobody|num_envs|everything"):
        made(game, **{"num_envs": 1, "opponents": "greedy", "isolate": True} | wrong)
    assert {child.pid for child in multiprocessing.active_children()} <= running


def test_no_object_comes_back() -> None:
    engine = Engine(rules("basic"))
    engine.reset()
    smuggler = Isolated(f"{ME}:Smuggler", engine.rules)
    with pytest.raises(ValueError, match=r"actions of shape .* and dtype object"):
        first_choice(smuggler, engine)
    smuggler.close()


def test_a_comparison_of_isolated_agents_imports_none_of_them(tmp_path: Path) -> None:
    """An agent that would change this process if it were imported here, and takes a look at it."""
    module = tmp_path / "stranger.py"
    module.write_text(
        "import os, pathlib\n"
        "pathlib.Path(__file__).with_name(f'loaded-{os.getpid()}').touch()\n"
        "from rummy_env.baselines import Random as Agent\n"
    )
    command = ["rummy_env", "compare", "basic", "--agents", "stranger:Agent", "greedy"]
    flags = ["--deals", "30", "--seed", "1"]
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}
    shown = {}
    for isolate in ([], ["--isolate"]):
        for loaded in tmp_path.glob("loaded-*"):
            loaded.unlink()
        run = Popen(
            [sys.executable, "-m", *command, *flags, *isolate],
            env=environment,
            stdout=PIPE,
            stderr=DEVNULL,
            text=True,
        )
        shown[bool(isolate)] = run.communicate()[0]
        assert run.returncode == 0
        assert (tmp_path / f"loaded-{run.pid}").exists() == (not isolate)
    assert shown[True] == shown[False]
