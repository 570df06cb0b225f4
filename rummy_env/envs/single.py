"""Gymnasium: one learner at one table."""

from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete

from rummy_env.core.arrays import Bools
from rummy_env.core.checks import check_range, shown
from rummy_env.core.keys import MOST_SEED
from rummy_env.core.rules import Rules
from rummy_env.envs.learner import ROTATE, LearnerGames
from rummy_env.envs.observations import Form, Observed
from rummy_env.envs.options import rules_for
from rummy_env.envs.recording import RecordPath
from rummy_env.envs.rendering import RENDER_FPS, RENDER_MODES, Rendered, Renderer
from rummy_env.envs.seating import Opponents
from rummy_env.envs.step import Step
from rummy_env.views.face_up import ALL, FaceUp
from rummy_env.views.features import HINTS
from rummy_env.views.observing import Observation
from rummy_env.views.sizes import USUAL_SIZE, Size

Info = dict[str, Any]


class RummyEnv(gymnasium.Env[Observed, np.int64]):
    """A game in which one seat is the learner's and policies play the others.

    Every step is one decision of the learner. Infos have `action_mask`, int8[A], 1 = legal; `seat`,
    the learner's; and `others`, what was done since its last decision, in words. The last info of
    an episode has `won`; `scores`, `winners` and `agents`, the names of the players, with an entry
    per seat; `ending`, how the hand ended; and `skipped`, int32[2]: how many games ended before it
    without a decision of the learner, and how many of those it won. `illegal_action` is present,
    and true, where the action was not legal, and `played_instead` is the random action that was
    played in its place, if one was. `games` is the game itself.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": RENDER_FPS}  # noqa: RUF012

    def __init__(
        self,
        rules: str | Rules,
        *,
        opponents: Opponents = "greedy",
        seat: int | str = ROTATE,
        illegal_action: str = "penalise",
        observation: Observation = HINTS,
        observation_keys: tuple[str, str] | None = None,
        observation_dtype: str | None = None,
        render_mode: str | None = None,
        render_size: Size = USUAL_SIZE,
        face_up: FaceUp = ALL,
        render_fps: float = RENDER_FPS,
        record: RecordPath | None = None,
        isolate: bool = False,
        **options: Any,
    ) -> None:
        """Make a table without dealing: call `reset` before the first step.

        `rules` is a variant's name, with its `options`, or complete rules. `observation_keys` and
        `observation_dtype` are as for `Form`; `render_mode`, `render_size`, `face_up` and
        `render_fps` are as for `Renderer`, and the others as for `LearnerGames`. See these three
        for the errors.
        """
        complete = rules_for(RummyEnv, rules, options)
        self._form = Form(observation_keys, observation_dtype)
        self._renderer = Renderer(
            complete,
            render_mode,
            render_size=render_size,
            face_up=face_up,
            render_fps=render_fps,
        )
        self.games = LearnerGames(
            complete,
            1,
            opponents=opponents,
            seat=seat,
            illegal_action=illegal_action,
            observation=observation,
            record=record,
            isolate=isolate,
        )
        self.render_mode = render_mode
        self.metadata = {**self.metadata, "render_fps": render_fps or RENDER_FPS}
        self.games.on_move = self._show
        self.action_space = Discrete(num_actions := self.games.engine.num_actions)
        self.observation_space = self._form.space(self.games.observer, num_actions)
        self._dealt = False

    @property
    def rules(self) -> Rules:
        """The rules of the games."""
        return self.games.engine.rules

    def set_opponents(self, opponents: Opponents) -> None:
        """Replace the opponents of all episodes that begin from now on; see `Pool.of`."""
        self.games.set_opponents(opponents)

    def action_masks(self) -> Bools:
        """Return bool[A], True = legal; sb3-contrib looks for a method of this name."""
        return self.games.masks()[0]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, Info]:
        """Begin an episode; there are no `options`, which a ValueError says.

        The seed is for this episode and those after it. Without one, the next episode of the
        seed given before begins; an environment that was never given a seed draws one.
        """
        if options is not None and options != {}:
            raise ValueError(f"options={shown(options)}: an episode has none; give None")
        if seed is not None:
            check_range("seed", seed, 0, MOST_SEED)
            seed = int(seed)
        elif not self._dealt:
            seed = int(self.np_random.integers(1 << 63))
        super().reset(seed=seed)  # `np_random_seed` then tells a seed that was drawn, too
        self.games.reset(seed)
        self._dealt = True
        return self._seen()

    def step(self, action: Any) -> tuple[Observed, float, bool, bool, Info]:
        """Play an action of the learner, and those of the others up to its next decision.

        Raises:
            ValueError: If the episode is over; the other errors are those of `LearnerGames.play`.
        """
        if self.games.over[0]:
            raise ValueError("the episode is over: call reset() before the next step")
        step = self.games.play(np.atleast_1d(action))
        ended = bool(step.terminated[0]), bool(step.truncated[0])
        observation, info = self._seen()
        return observation, float(step.rewards[0]), *ended, info | self._happened(step)

    def _seen(self) -> tuple[Observed, Info]:
        """Return the learner's observation, and the infos of every step."""
        masks = self.games.masks()
        batch = self._form(self.games.observations(), masks)
        info: Info = {
            "action_mask": masks[0].view(np.int8),
            "seat": int(self.games.seats[0]),
            "others": self.games.described(self.games.others()[0]),
        }
        if isinstance(batch, dict):
            return {key: array[0] for key, array in batch.items()}, info
        return batch[0], info

    def _happened(self, step: Step) -> Info:
        """Return the infos of the end of an episode and of an illegal action."""
        info: Info = {"illegal_action": True} if step.illegal.size else {}
        if step.replaced.any():
            info["played_instead"] = int(step.instead[0])
        if step.ended.size:
            info |= step.info(0)
        return info

    def _show(self) -> None:
        self._renderer.show(self.games.engine, lambda: self.games.agents(0))

    def render(self) -> Rendered:
        """Return the table: text, uint8[height, width, 3], or None where a window shows it."""
        return self._renderer.render(self.games.engine, agents=self.games.agents(0))

    def close(self) -> None:
        """Close the window, and record an unfinished game."""
        self._renderer.close()
        self.games.close()
