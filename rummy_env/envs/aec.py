"""The PettingZoo environment: one game, the seats acting one after the other."""

import copy
import operator
import secrets
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box, Dict, Discrete
from gymnasium.utils import EzPickle
from pettingzoo.utils import AECEnv, wrappers

from rummy_env.core.checks import check_choice
from rummy_env.core.naming import player_name
from rummy_env.core.rules import Rules
from rummy_env.envs.illegal import ILLEGAL_REWARD
from rummy_env.envs.observations import box
from rummy_env.envs.options import rules_for
from rummy_env.envs.recording import RecordPath, close_records, engine_for
from rummy_env.envs.rendering import RENDER_FPS, RENDER_MODES, Rendered, Renderer
from rummy_env.views.observing import HINTS, Observation, observer_for
from rummy_env.views.scene import ALL, FaceUp
from rummy_env.views.sizes import USUAL_SIZE, Size

Observed = dict[str, npt.NDArray[Any]]


class RummyAEC(AECEnv, EzPickle):  # type: ignore[misc]
    """One game as PettingZoo sees it.

    Each agent is a seat and observes `{"observation": int8[F], "action_mask": int8[A]}`. The mask
    is in its info as well, and all zero unless the seat is to move; there `others` has what was
    done since its own last action, in words. The infos of a finished game have `scores`, `winners`
    and `ending`, how the hand ended. An illegal action raises and
    leaves the game as it was. As usual in PettingZoo, a pickled copy is a new environment of the
    same rules, not the same game.

    Attributes:
        engine: The rules core, with one game.
        render_mode: One of `RENDER_MODES`, or None.
    """

    def __init__(
        self,
        rules: Rules,
        render_mode: str | None = None,
        *,
        observation: Observation = HINTS,
        render_size: Size = USUAL_SIZE,
        face_up: FaceUp = ALL,
        render_fps: float = RENDER_FPS,
        record: RecordPath | None = None,
    ) -> None:
        """Makes a table without dealing: call `reset` before the first step.

        Args:
            rules: What is played.
            render_mode: `"ansi"`, and `render` returns text; `"rgb_array"`, and it returns a
                picture; `"human"`, and every reset and step is shown in a window; None, and there
                is nothing to render.
            observation: What agents observe; see `rummy_env.views.observing.observer_for`.
            render_size: Width and height of pictures in pixels.
            face_up: Whose hands are shown: `"all"`, `"none"`, or one seat's.
            render_fps: Tables shown in a second at most, in a window; 0, and there is no limit.
            record: A file to which every game is appended; see `rummy_env.records`. A pickled copy
                goes on with the same file.

        Raises:
            ValueError: If one of these is impossible.
            ImportError: If pictures are asked for and pygame-ce is not installed.
            OSError: If the record cannot be written.
        """
        EzPickle.__init__(
            self,
            rules,
            render_mode,
            observation=observation,
            render_size=render_size,
            face_up=face_up,
            render_fps=render_fps,
            record=record,
        )
        self._renderer = Renderer(
            rules,
            render_mode,
            render_size=render_size,
            face_up=face_up,
            render_fps=render_fps,
        )
        self.engine = engine_for(rules, seed=secrets.randbits(64), record=record)
        self.render_mode = render_mode
        self.metadata = {
            "name": f"rummy_{rules.name}_v0",
            "render_modes": list(RENDER_MODES),
            "render_fps": render_fps,
            "is_parallelizable": False,  # one seat at a time: see turn_based_aec_to_parallel
        }
        self.possible_agents = [player_name(seat) for seat in range(rules.num_players)]
        self.agents: list[str] = []
        self.terminations: dict[str, bool] = {}
        self._observer = observer_for(rules, observation)
        self._no_action = np.zeros(self.engine.num_actions, np.int8)
        self._mask = self._no_action
        """int8[A], the legal actions of the seat to move."""
        self.observation_spaces = {agent: self._seen() for agent in self.possible_agents}
        self.action_spaces = {
            agent: Discrete(self.engine.num_actions) for agent in self.possible_agents
        }

    def _seen(self) -> Dict:
        """The space of an agent's observations; each agent has one of its own to seed."""
        mask = Box(0, 1, (self.engine.num_actions,), np.int8)
        return Dict({"observation": box(self._observer), "action_mask": mask})

    def observation_space(self, agent: str) -> Dict:
        """What the agent observes.

        Raises:
            ValueError: If there is no such agent.
        """
        check_choice("agent", agent, self.possible_agents)
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """What the agent can do; `engine.describe` says an action in words.

        Raises:
            ValueError: If there is no such agent.
        """
        check_choice("agent", agent, self.possible_agents)
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deals a new game.

        Args:
            seed: What this game and those after it are drawn from. Without, it is the next game of
                the seed given before; an environment that was never given one takes a random one.
            options: Accepted for PettingZoo's sake and not used.
        """
        self.engine.reset(seeds=None if seed is None else operator.index(seed))
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {
            agent: {"action_mask": self._no_action.copy()} for agent in self.agents
        }
        self._since: dict[str, list[str]] = {agent: [] for agent in self.agents}
        self._select_mover()
        self._renderer.show(self.engine)

    def step(self, action: int | None) -> None:
        """Plays an action of the selected agent; None where its game is over.

        Raises:
            IllegalAction: If the action is not legal; nothing is changed.
            TypeError: If the action is not a whole number; nothing is changed.
            ValueError: If no game is being played, or if the agent's game is over and the action is
                not None.
        """
        if not self.agents:
            raise ValueError("no game is being played: call reset() first")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.engine.step([self._as_number(action)])
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict(zip(self.agents, self.engine.rewards[0].tolist(), strict=True))
        self._accumulate_rewards()
        self.terminations = dict.fromkeys(self.agents, bool(self.engine.terminated[0]))
        self.truncations = dict.fromkeys(self.agents, bool(self.engine.truncated[0]))
        self.infos[agent] = {"action_mask": self._no_action.copy()}
        self._tell(agent)
        self._select_mover()
        self._renderer.show(self.engine)

    def _tell(self, mover: str) -> None:
        """Tells the others what was done, and everybody how a finished game stands."""
        done = f"{mover}: {self.engine.describe(int(self.engine.last_action[0]))}"
        self._since[mover] = []
        for agent in self.agents:
            if agent != mover:
                self._since[agent].append(done)
        if self.engine.finished[0]:
            outcome = {
                "scores": self.engine.state.scores[0].tolist(),
                "winners": np.array(self.possible_agents)[self.engine.state.winners[0]].tolist(),
                "ending": self.engine.how_ended(0),
            }
            for agent in self.agents:
                self.infos[agent] |= outcome

    def _as_number(self, action: int | None) -> int:
        try:
            return operator.index(action)  # type: ignore[arg-type]
        except TypeError:
            last = self.engine.num_actions - 1
            raise TypeError(f"action {action!r}: give a whole number from 0 to {last}") from None

    def _select_mover(self) -> None:
        """Selects the agent whose seat is to move, and tells it what it may do."""
        self.agent_selection = self.possible_agents[self.engine.to_move[0]]
        self._mask = self.engine.legal_mask()[0].view(np.int8)
        self.infos[self.agent_selection] |= {
            "action_mask": self._mask.copy(),
            "others": self._since[self.agent_selection].copy(),
        }

    def observe(self, agent: str) -> Observed:
        """What the agent sees now, whether it is to move or not, also when the game is over.

        Returns:
            `observation`, int8[F]; `action_mask`, int8[A], 1 = legal.

        Raises:
            ValueError: If there is no such agent, or before `reset`.
        """
        check_choice("agent", agent, self.possible_agents)
        view = self.engine.look(self.possible_agents.index(agent))
        acts = agent == self.agent_selection and not self.terminations.get(agent, True)
        mask = self._mask if acts else self._no_action
        return {"observation": self._observer(view)[0], "action_mask": mask.copy()}

    def __deepcopy__(self, memo: dict[int, Any]) -> "RummyAEC":
        """The same game at the same moment, with a table of its own; it records nothing."""
        twin = type(self).__new__(type(self))
        memo[id(self)] = twin
        twin.__dict__.update(
            {key: copy.deepcopy(value, memo) for key, value in self.__dict__.items()}
        )
        return twin

    def render(self) -> Rendered:
        """The table as the render mode has it; see `Renderer.render`."""
        return self._renderer.answer(self.engine)

    def close(self) -> None:
        """Closes the window if one is open, and writes down a game that is not finished."""
        self._renderer.close()
        close_records(self.engine)


def raw_env(
    name: str | Rules,
    render_mode: str | None = None,
    *,
    observation: Observation = HINTS,
    render_size: Size = USUAL_SIZE,
    face_up: FaceUp = ALL,
    render_fps: float = RENDER_FPS,
    record: RecordPath | None = None,
    **options: Any,
) -> RummyAEC:
    """A game of one of the variants, without PettingZoo's wrappers.

    Args:
        name: As for `rummy_env.rules`.
        render_mode: As of `RummyAEC`.
        observation: As of `RummyAEC`.
        render_size: As of `RummyAEC`.
        face_up: As of `RummyAEC`.
        render_fps: As of `RummyAEC`.
        record: As of `RummyAEC`.
        **options: The variant's options.

    Raises:
        ValueError: If there is no such variant, option or render mode, or a value is impossible.
        ImportError: If pictures are asked for and pygame-ce is not installed.
        OSError: If the record cannot be written.
    """
    return RummyAEC(
        rules_for(raw_env, name, options),
        render_mode,
        observation=observation,
        render_size=render_size,
        face_up=face_up,
        render_fps=render_fps,
        record=record,
    )


def env(name: str | Rules, render_mode: str | None = None, **options: Any) -> AECEnv:
    """A game of one of the variants, as PettingZoo recommends to use it.

    An illegal action ends the game, with a reward of -1 for the one who played it and 0 for the
    others; an action that does not exist, or a call before `reset`, is an AssertionError.

    Args:
        name: As for `rummy_env.rules`.
        render_mode: `"ansi"`, `"rgb_array"`, `"human"`, or None.
        **options: The variant's options; and `observation`, `render_size`, `face_up`,
            `render_fps` and `record` as of `RummyAEC`.

    Raises:
        ValueError: If there is no such variant, option or render mode, or a value is impossible.
        ImportError: If pictures are asked for and pygame-ce is not installed.
        OSError: If the record cannot be written.
    """
    game = raw_env(name, render_mode, **options)
    fair = wrappers.TerminateIllegalWrapper(game, illegal_reward=ILLEGAL_REWARD)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(fair))
