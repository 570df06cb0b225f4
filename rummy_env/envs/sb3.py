"""Stable-Baselines3: one learner in many games at once, with action masks."""

import time
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from rummy_env.core.arrays import Array, Bools, Float32s, Words
from rummy_env.core.checks import check_range, shown
from rummy_env.core.keys import MOST_SEED
from rummy_env.core.rules import Rules
from rummy_env.envs.learner import ROTATE, LearnerGames
from rummy_env.envs.observations import box
from rummy_env.envs.options import rules_for
from rummy_env.envs.recording import RecordPath
from rummy_env.envs.seating import Opponents
from rummy_env.envs.step import Step
from rummy_env.importing import extra
from rummy_env.views.features import HINTS
from rummy_env.views.observing import Observation

with extra("train", "rummy_env.envs.sb3"):
    from stable_baselines3.common.vec_env import VecEnv

Indices = int | Iterable[int] | None
Info = dict[str, Any]


class BatchVecEnv(VecEnv):
    """A batch of games with the interface of Stable-Baselines3.

    All games are one object: they share every attribute, and `env_method` calls a method once, for
    all games.
    """

    render_mode = None
    QUERIES: ClassVar = frozenset(("action_masks",))
    """The methods that change nothing, and return a row for each game."""

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        """Return the attribute, repeated once for each game asked for."""
        return [getattr(self, attr_name)] * len(self._rows(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:
        """Set an attribute of all games.

        Raises:
            ValueError: If `indices` is given, or a method sets it: `set_opponents`.
        """
        if indices is not None:
            raise ValueError(f"{attr_name!r} of games {indices!r}: set it for all games together")
        if hasattr(self, method := f"set_{attr_name}"):
            raise ValueError(f"{attr_name!r} is no attribute: call env_method({method!r}, ...)")
        setattr(self, attr_name, value)

    def env_method(
        self, method_name: str, *method_args: Any, indices: Indices = None, **method_kwargs: Any
    ) -> Any:
        """Call the method once; each game gets a row of its array, or else its one result.

        With `indices`, results are those of some games. A method that changes games changes all of
        them, so then only methods named in `QUERIES` can be called; a ValueError says so.
        """
        if indices is not None and method_name not in self.QUERIES:
            raise ValueError(
                f"{method_name!r} of games {indices!r}: call it for all games together"
            )
        result = getattr(self, method_name)(*method_args, **method_kwargs)
        rows = self._rows(indices)
        if isinstance(result, np.ndarray) and len(result) == self.num_envs:
            return result if indices is None else result[rows]
        return [result] * len(rows)

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Indices = None) -> list[bool]:
        """Return False for each game: none is a separate environment that could be wrapped."""
        return [False] * len(self._rows(indices))

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Give all games together a seed, from the next `reset` on; it is told as the first's."""
        if seed is not None:
            check_range("seed", seed, 0, MOST_SEED)
            seed = int(seed)
        first, *others = super().seed(seed)
        return [first, *[None] * len(others)]

    def _rows(self, indices: Indices) -> list[int]:
        """Return the games that indices name; a ValueError if there is no such game."""
        rows = list(self._get_indices(indices))
        for row in rows:
            check_range("indices", row, -self.num_envs, self.num_envs - 1)
        return rows


class RummyVecEnv(BatchVecEnv):
    """Games for MaskablePPO: one seat of each is the learner's; policies play the others.

    Finished games are dealt anew in the same step. Their infos have `terminal_observation`,
    `TimeLimit.truncated`, `episode` (with `r`, `l` and `t`), the learner's `seat`, `won`,
    `is_success` (the same, for the library's statistics), and `scores`, `winners`, `agents`,
    `ending` and `skipped` as in `RummyEnv`. `illegal_action` and `played_instead` are present where
    the action was not legal, as there. Other infos are empty.
    """

    def __init__(
        self,
        name_or_rules: str | Rules,
        num_envs: int,
        *,
        opponents: Opponents = "greedy",
        seed: int | Words | None = None,
        seat: int | str = ROTATE,
        illegal_action: str = "penalise",
        observation: Observation = HINTS,
        record: RecordPath | None = None,
        isolate: bool = False,
        render_mode: None = None,
        **options: Any,
    ) -> None:
        """Make `num_envs` games, B; `reset` deals them.

        The arguments and errors are those of `LearnerGames`, except that a variant's name and
        `options` may replace complete rules. `render_mode` must be None: a batch is not drawn.
        """
        if render_mode is not None:
            raise ValueError(f"render_mode={render_mode!r}: a batch is not drawn; give None")
        games = LearnerGames(
            rules_for(RummyVecEnv, name_or_rules, options),
            num_envs,
            opponents=opponents,
            seed=seed,
            seat=seat,
            illegal_action=illegal_action,
            observation=observation,
            record=record,
            isolate=isolate,
        )
        self._take(games)

    @classmethod
    def of(cls, games: LearnerGames) -> "RummyVecEnv":
        """Make an environment of existing games, which go on from where they are until `reset`."""
        made = cls.__new__(cls)
        made._take(games)
        return made

    def _take(self, games: LearnerGames) -> None:
        self.games = games
        self._actions: npt.ArrayLike | None = None
        self._started_at = time.perf_counter()
        observed = box(games.observer)
        actions = spaces.Discrete(games.engine.num_actions)
        super().__init__(games.engine.num_envs, observed, actions)

    @property
    def rules(self) -> Rules:
        """The rules of the games."""
        return self.games.engine.rules

    def action_masks(self) -> Bools:
        """Return bool[B, A], True = legal."""
        return self.games.masks()

    def set_opponents(self, opponents: Opponents) -> None:
        """See `LearnerGames.set_opponents`."""
        self.games.set_opponents(opponents)

    def reset(self) -> Array:
        """Begin new episodes in all games, with the seed given to `seed` since the last reset.

        A ValueError if options have been given to `set_options`: episodes have none.
        """
        if any(self._options):
            raise ValueError(f"options={shown(self._options)}: an episode has none; give {{}}")
        self.games.reset(self._seeds[0])
        self._reset_seeds()
        self._reset_options()
        return self.games.observations()

    def step_async(self, actions: npt.ArrayLike) -> None:
        """Take the learner's actions, int[B]; `step_wait` plays them."""
        self._actions = actions

    def step_wait(self) -> tuple[Array, Float32s, Bools, list[Info]]:
        """Play; return observations [B, F], rewards float32[B], dones bool[B] and infos.

        A RuntimeError if no actions were given since the last one.
        """
        actions, self._actions = self._actions, None
        if actions is None:
            raise RuntimeError("no actions are given: call step_async() first, or step()")
        step = self.games.play(actions)
        infos = self._infos(step)
        if step.ended.size:
            self.games.reset(rows=step.ended)
        return self.games.observations(), step.rewards, step.terminated | step.truncated, infos

    def _infos(self, step: Step) -> list[Info]:
        infos: list[Info] = [{} for _ in range(self.num_envs)]
        if step.ended.size:
            self._tell_ends(step, infos)
        for row, action in zip(step.illegal.tolist(), step.instead.tolist(), strict=True):
            instead = {"played_instead": action} if action >= 0 else {}
            infos[row] = infos[row] | {"illegal_action": True} | instead
        return infos

    def _tell_ends(self, step: Step, infos: list[Info]) -> None:
        """Fill in the infos of games that have ended."""
        last_seen = self.games.observations(step.ended)
        elapsed = round(time.perf_counter() - self._started_at, 6)
        for item, row in enumerate(step.ended.tolist()):
            episode = {"r": float(step.returns[item]), "l": int(step.lengths[item]), "t": elapsed}
            infos[row] = step.info(item) | {
                "terminal_observation": last_seen[item],
                "TimeLimit.truncated": bool(step.truncated[row]),
                "episode": episode,
                "seat": int(step.seats[item]),
            }

    def close(self) -> None:
        """Record unfinished games, and end the processes of isolated opponents."""
        self.games.close()
