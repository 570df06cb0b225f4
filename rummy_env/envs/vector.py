"""Gymnasium: one learner at many tables at once."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from rummy_env.core.arrays import Array, Bools, Float32s, Rows, Words
from rummy_env.core.checks import check_choice, check_range, shown
from rummy_env.core.keys import MOST_SEED, first_table_keys, table_keys
from rummy_env.core.rules import Rules
from rummy_env.envs.autoreset import autoreset
from rummy_env.envs.learner import ROTATE, LearnerGames
from rummy_env.envs.observations import Form, Observed
from rummy_env.envs.options import rules_for
from rummy_env.envs.recording import RecordPath
from rummy_env.envs.rendering import RENDER_FPS, Rendered, Renderer
from rummy_env.envs.seating import Opponents
from rummy_env.envs.step import Step
from rummy_env.views.face_up import ALL, FaceUp
from rummy_env.views.features import HINTS
from rummy_env.views.observing import Observation
from rummy_env.views.sizes import USUAL_SIZE, Size

if TYPE_CHECKING:
    from rummy_env.envs.sb3 import RummyVecEnv

Infos = dict[str, Any]
Stepped = tuple[Observed, Float32s, Bools, Bools, Infos]

BATCH_RENDER_MODES = ("ansi", "rgb_array")


class RummyVectorEnv(VectorEnv[Observed, Array, Array]):
    """B `games` in each of which one seat is the learner's and policies play the others.

    With a list of seeds, game i is the one that `RummyEnv` plays with the i-th. Infos are those of
    `RummyEnv`, each as an array of B entries with its mask: `action_mask` int8[B, A], `seat`
    int[B], `won` bool[B], `scores` int32[B, P], `winners` bool[B, P], `agents` object[B, P],
    `ending` object[B], `skipped` int32[B, 2], `illegal_action` bool[B], `played_instead` int[B].
    The exception is `others`, which `games.others()` returns as numbers.
    """

    def __init__(
        self,
        rules: str | Rules,
        num_envs: int = 1,
        *,
        opponents: Opponents = "greedy",
        seat: int | str = ROTATE,
        illegal_action: str = "penalise",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        observation: Observation = HINTS,
        observation_keys: tuple[str, str] | None = None,
        observation_dtype: str | None = None,
        render_mode: str | None = None,
        render_size: Size = USUAL_SIZE,
        face_up: FaceUp = ALL,
        record: RecordPath | None = None,
        isolate: bool = False,
        **options: Any,
    ) -> None:
        """Make `num_envs` tables, B, without dealing: call `reset` before the first step.

        The arguments and errors are those of `RummyEnv`, except that a batch has no window, so
        `render_mode` is "ansi", "rgb_array" or None and there is no `render_fps`, and that
        `autoreset_mode` says when a finished game is dealt anew: "NextStep", in the next step,
        whose action is ignored; "SameStep", at once, with the last observation and info in
        `final_obs` and `final_info`; "Disabled", when `reset` is called with
        `options={"reset_mask": bool[B]}`.
        """
        complete = rules_for(RummyVectorEnv, rules, options)
        self.autoreset_mode = autoreset(autoreset_mode)
        if render_mode is not None:
            check_choice("render_mode", render_mode, BATCH_RENDER_MODES)
        self._form = Form(observation_keys, observation_dtype)
        self._renderer = Renderer(complete, render_mode, render_size=render_size, face_up=face_up)
        self.games = LearnerGames(
            complete,
            num_envs,
            opponents=opponents,
            seat=seat,
            illegal_action=illegal_action,
            observation=observation,
            record=record,
            isolate=isolate,
        )
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.metadata = {
            "render_modes": list(BATCH_RENDER_MODES),
            "render_fps": RENDER_FPS,
            "autoreset_mode": self.autoreset_mode,
        }
        num_actions = self.games.engine.num_actions
        self.single_observation_space = self._form.space(self.games.observer, num_actions)
        self.single_action_space = Discrete(num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._all_rows: Rows = np.arange(num_envs)
        self._dealt = False

    def action_masks(self) -> Bools:
        """Return bool[B, A], True = legal; see `LearnerGames.masks`."""
        return self.games.masks()

    @property
    def rules(self) -> Rules:
        """The rules of the games."""
        return self.games.engine.rules

    def set_opponents(self, opponents: Opponents) -> None:
        """See `LearnerGames.set_opponents`."""
        self.games.set_opponents(opponents)

    def to_sb3(self) -> "RummyVecEnv":
        """Return the same games for Stable-Baselines3; step them through only one of the two.

        There, observations are one array of the observer's own dtype, and finished games are dealt
        anew at once, including those already finished. Raises an ImportError if stable-baselines3
        is not installed, and a ValueError if games are under way.
        """
        from rummy_env.envs.sb3 import RummyVecEnv

        self.games.check_home()
        if not self._dealt:
            self.reset()
        elif self.games.over.any():
            self.games.reset(rows=self.games.over.nonzero()[0])
        return RummyVecEnv.of(self.games)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observed, Infos]:
        """Begin episodes in all games, or in those of the option `reset_mask`, bool[B].

        A number deals the same games as in `Engine` and `RummyVecEnv`; from a list, each game gets
        its own seed, as a single environment would, and those of games that are left out are
        ignored, as by Gymnasium. Without a seed, each goes on to the next game of its seed; games
        that were never given one draw one.

        Raises:
            ValueError: If the seeds or the mask do not fit, or games that have never been dealt
                are left out.
            TypeError: If the mask is not an array of bool.
        """
        rows = self._all_rows if options is None else self._chosen(options)
        keys, given = self._table_keys(seed)
        seeded, others = rows[given[rows]], rows[~given[rows]]
        if seeded.size:
            self.games.reset(keys[seeded], seeded)
        if others.size:
            self.games.reset(rows=others)
        self._dealt = True
        masks = self.games.masks()
        return self._form(self.games.observations(), masks), self._infos(masks)

    def _table_keys(self, seed: int | Sequence[int | None] | None) -> tuple[Words, Bools]:
        """uint64[B, 2], the keys of tables, and bool[B], True for those that are given one."""
        every = np.ones(self.num_envs, np.bool_)
        if seed is None and self._dealt:
            return np.zeros((self.num_envs, 2), np.uint64), ~every
        if seed is None:
            seed = int(self.np_random.integers(1 << 63))
        if isinstance(seed, int | np.integer):
            check_range("seed", seed, 0, MOST_SEED)
            super().reset(seed=int(seed))  # `np_random_seed` then tells a seed that was drawn, too
            return table_keys(int(seed), self.num_envs), every
        if not (isinstance(seed, Sequence) or (isinstance(seed, np.ndarray) and seed.ndim == 1)):
            raise ValueError(f"seed={shown(seed)}: give a whole number, one for each game, or None")
        seeds = list(seed)
        if len(seeds) != self.num_envs:
            raise ValueError(f"{len(seeds)} seeds: give one for each of the {self.num_envs} games")
        given = np.array([each is not None for each in seeds])
        for row in given.nonzero()[0]:
            check_range("seed", seeds[row], 0, MOST_SEED)
        if not self._dealt:
            drawn = self.np_random.integers(1 << 63, size=self.num_envs).tolist()
            seeds = [own if each is None else each for each, own in zip(seeds, drawn, strict=True)]
            given = every
        return first_table_keys(each or 0 for each in seeds), given

    def _chosen(self, options: Mapping[str, Any]) -> Rows:
        """Return the games to reset."""
        if not isinstance(options, Mapping):
            raise TypeError(f"options={shown(options)}: give a dict, or None")
        if unknown := options.keys() - {"reset_mask"}:
            raise ValueError(f"options {shown([*unknown])}: the only one is 'reset_mask'")
        mask = options.get("reset_mask", np.ones(self.num_envs, np.bool_))
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
            raise TypeError(f"reset_mask={shown(mask)}: give a NumPy array of bool")
        if mask.shape != (self.num_envs,) or not mask.any():
            raise ValueError(
                f"reset_mask of shape {mask.shape} with {mask.sum()} True: give one entry a game, "
                f"({self.num_envs},), at least one of them True"
            )
        if not self._dealt and not mask.all():
            raise ValueError("nothing has been dealt yet: reset all games first, without a mask")
        return mask.nonzero()[0]

    def step(self, actions: Array) -> Stepped:
        """Play an action of the learner in each game, int[B]; see `LearnerGames.play`.

        Returns:
            Observations of B games; rewards float32[B]; terminated and truncated, bool[B]; infos.

        Raises:
            ValueError: With autoreset "Disabled", if a game is over; the other errors are those of
                `LearnerGames.play`.
        """
        over = self.games.over
        if self.autoreset_mode is AutoresetMode.DISABLED and over.any():
            raise ValueError(f"game {over.argmax()} is over: reset it before the next step")
        step = self.games.play(actions)
        at_once = self.autoreset_mode is AutoresetMode.SAME_STEP and step.ended.size
        told = self._finals(step) if at_once else self._happened(step)
        masks = self.games.masks()
        observations = self._form(self.games.observations(), masks)
        infos = self._infos(masks) | told
        return observations, step.rewards, step.terminated, step.truncated, infos

    def send(self, actions: Array, env_ids: npt.ArrayLike) -> None:
        """Play an action of the learner, int[R], in each of the games `env_ids`, int[R].

        The others play in `recv`. Finished games are dealt anew, as with autoreset "NextStep".

        Raises:
            ValueError: With another autoreset mode; the other errors are those of
                `LearnerGames.send`.
        """
        if self.autoreset_mode is not AutoresetMode.NEXT_STEP:
            mode, needed = self.autoreset_mode.value, AutoresetMode.NEXT_STEP.value
            raise ValueError(f"autoreset_mode={mode!r}: send() needs {needed!r}")
        self.games.send(actions, env_ids)

    def recv(self, count: int) -> Stepped:
        """Wait until `count` of the games that were sent, R, are back with the learner.

        Returns:
            What `step` returns, for these games only: those that were ready first. The info
            `env_id`, int[R], says which they are.

        Raises:
            ValueError: If the count is not from 1 to the number of games that were sent.
        """
        rows, step = self.games.receive(count)
        masks = self.games.masks(rows)
        infos = {key: values[rows] for key, values in self._happened(step).items()}
        infos |= self._infos(masks, rows) | {"env_id": rows, "_env_id": np.ones(count, np.bool_)}
        came = step.rewards[rows], step.terminated[rows], step.truncated[rows]
        return self._form(self.games.observations(rows), masks), *came, infos

    def _infos(self, masks: Bools, rows: Rows | None = None) -> Infos:
        """Return the infos of every game of `rows`, intp[R], at every step; None means all."""
        seats = self.games.seats.copy() if rows is None else self.games.seats.take(rows)
        return {
            "action_mask": masks.view(np.int8),
            "_action_mask": np.ones(len(seats), np.bool_),
            "seat": seats,
            "_seat": np.ones(len(seats), np.bool_),
        }

    def _happened(self, step: Step) -> Infos:
        """Return the infos of ends and of illegal actions."""
        infos: Infos = {}
        if step.ended.size:
            for key, values in step.infos().items():
                infos |= self._entry(key, step.ended, values)
        if step.illegal.size:
            infos |= self._entry("illegal_action", step.illegal, np.ones(len(step.illegal), bool))
        if (replaced := step.replaced).any():
            at = step.illegal[replaced]
            infos |= self._entry("played_instead", at, step.instead[replaced])
        return infos

    def _finals(self, step: Step) -> Infos:
        """Return the infos of a step after which finished games are dealt anew at once."""
        ended, last = step.ended, np.isin(step.illegal, step.ended)
        nothing = np.zeros((len(ended), self.games.engine.num_actions), np.int8)
        info = (
            self._entry("action_mask", ended, nothing)
            | self._entry("seat", ended, step.seats)
            | self._happened(step.only(ended, last))
        )
        seen = np.full(len(ended), None, object)
        last_seen = self._form(self.games.observations(ended), nothing.view(np.bool_))
        seen[:] = _items(last_seen)
        told = self._entry("final_obs", ended, seen)
        told |= {"final_info": info, "_final_info": told["_final_obs"].copy()}
        self.games.reset(rows=ended)
        return told | self._happened(step.only(ended[:0], ~last))

    def _entry(self, key: str, rows: Rows, values: Array) -> Infos:
        """Return an info of some games as an array of B entries, with its mask."""
        empty = None if values.dtype == object else 0
        array = np.full((self.num_envs, *values.shape[1:]), empty, values.dtype)
        mask = np.zeros(self.num_envs, np.bool_)
        array[rows], mask[rows] = values, True
        return {key: array, f"_{key}": mask}

    def render(self) -> tuple[Rendered, ...] | None:  # type: ignore[override]
        """All tables, in the order of the games; None without a render mode."""
        if self.render_mode is None:
            self._renderer.render(self.games.engine)  # only warns
            return None
        engine, agents, rows = self.games.engine, self.games.agents, range(self.num_envs)
        return tuple(self._renderer.render(engine, row, agents(row)) for row in rows)

    def close(self, **kwargs: Any) -> None:
        """Close the renderer, and record unfinished games; they can go on, and be closed again."""
        self.closed = False
        super().close(**kwargs)

    def close_extras(self, **kwargs: Any) -> None:
        """Do what `close` does."""
        self._renderer.close()
        self.games.close()


def _items(observations: Observed) -> list[Any]:
    """Return the observations of a batch one by one."""
    if not isinstance(observations, dict):
        return list(observations)
    count = len(next(iter(observations.values())))
    return [{key: array[i] for key, array in observations.items()} for i in range(count)]
