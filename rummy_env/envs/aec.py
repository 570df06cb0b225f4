"""The PettingZoo environment: one game in which the seats act one after the other."""

import copy
import inspect
import operator
from abc import ABC, abstractmethod
from contextlib import suppress
from typing import Any, Self

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from gymnasium.utils import EzPickle
from pettingzoo.utils import AECEnv, wrappers

from rummy_env.core.arrays import Array, Int8s
from rummy_env.core.checks import check_choice, shown
from rummy_env.core.naming import player_name
from rummy_env.core.rules import Rules
from rummy_env.core.visibility import SeatView
from rummy_env.envs.illegal import ILLEGAL_ENDING, ILLEGAL_REWARD
from rummy_env.envs.observations import box
from rummy_env.envs.options import rules_for
from rummy_env.envs.recording import RecordPath, close_records, engine_for
from rummy_env.envs.rendering import RENDER_FPS, RENDER_MODES, Rendered, Renderer
from rummy_env.version import BEHAVIOUR
from rummy_env.views.face_up import ALL, FaceUp
from rummy_env.views.features import HINTS
from rummy_env.views.observing import Observation, observer_for
from rummy_env.views.sizes import USUAL_SIZE, Size


class GameAEC(AECEnv, EzPickle, ABC):  # type: ignore[misc]
    """The part of the AEC protocol that all games of an engine share.

    Subclasses deal, play an action, select the agent to act, and observe; `engine` is the rules
    core, with one game, to be read alone: what it plays by itself, the agents do not hear of. As
    usual in PettingZoo, a pickled copy is a new environment with the same rules, not the same game;
    a deep copy is the same game.
    """

    def __init__(
        self,
        rules: Rules,
        name: str,
        observed: Box,
        num_actions: int | None = None,
        *,
        record: RecordPath | None,
        render_mode: str | None,
        **rendering: Any,
    ) -> None:
        """Make a table without dealing; `rendering` is as for `Renderer`.

        `observed` is the space of an observation without the mask; `num_actions` is A, where it
        differs from the engine's.
        """
        self.rules = rules
        self._renderer = Renderer(rules, render_mode, **rendering)
        self.engine = engine_for(rules, record=record)
        self.render_mode = render_mode
        self.metadata = {
            "name": name,
            "render_modes": list(RENDER_MODES),
            "render_fps": rendering["render_fps"] or RENDER_FPS,
            "is_parallelizable": False,  # one seat at a time: see turn_based_aec_to_parallel
        }
        self.possible_agents = [player_name(seat) for seat in range(rules.num_players)]
        self.agents: list[str] = []
        self.terminations: dict[str, bool] = {}
        self.infos: dict[str, dict[str, Any]] = {}
        self._observed = observed
        self._num_actions = num_actions or self.engine.num_actions
        self._mask = np.zeros(self._num_actions, np.int8)
        """int8[A], the legal actions of the selected agent."""
        mask = Box(0, 1, (self._num_actions,), np.int8)
        seen = Dict({"observation": observed, "action_mask": mask})
        # Each agent has its own spaces, which are seeded separately.
        self.observation_spaces = {agent: copy.deepcopy(seen) for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(self._num_actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Dict:
        """Return the space of the agent's observations; a ValueError if there is no such agent."""
        check_choice("agent", agent, self.possible_agents)
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """Return the space of its actions (see `engine.describe`); a ValueError likewise."""
        check_choice("agent", agent, self.possible_agents)
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game; `options` is accepted for PettingZoo's sake and ignored.

        The seed is for this game and those after it. Without one, the next game of the seed given
        before is dealt; an environment that was never given a seed takes a random one. Raises a
        TypeError if the seed is not a whole number.
        """
        number = None if seed is None else _whole("seed", seed, "a whole number, or None")
        self.engine.reset(seeds=number)
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._begin()
        self._select_mover()
        self._renderer.show(self.engine)

    def step(self, action: int | None) -> None:
        """Play an action of the selected agent, or None if its game is over.

        Raises:
            IllegalAction: If the action is not legal; nothing is changed.
            TypeError: If the action is not a whole number; nothing is changed.
            ValueError: If no game is being played, or if the agent's game is over and the action is
                not None.
        """
        self._check_playing()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._play(_whole("action", action, f"a whole number from 0 to {self._num_actions - 1}"))
        self._cumulative_rewards[agent] = 0.0
        self._accumulate_rewards()
        self._select_mover()
        self._renderer.show(self.engine)

    def last(self, observe: bool = True) -> Any:
        """Return what the selected agent sees and is told; see PettingZoo's `AECEnv.last`.

        Raises:
            ValueError: If no game is being played.
        """
        self._check_playing()
        return super().last(observe)

    def _check_playing(self) -> None:
        if not self.agents:
            raise ValueError("no game is being played: call reset() first")

    @abstractmethod
    def _begin(self) -> None:
        """Prepare a game that has just been dealt."""

    @abstractmethod
    def _play(self, action: int) -> None:
        """Play an action of the selected agent, and set rewards, terminations and truncations.

        An illegal action raises an error and leaves the game as it was.
        """

    @abstractmethod
    def _select_mover(self) -> None:
        """Select the agent to act, and set its mask and the infos."""

    def call_off(self) -> None:
        """Note in all infos that an illegal action has ended the game, as the wrapper has it."""
        self.infos = {
            agent: {**info, "action_mask": np.zeros_like(self._mask)}
            for agent, info in self.infos.items()
        }

    @abstractmethod
    def _observation(self, view: SeatView) -> Array:
        """Return the observation of one view, N = 1, without the mask."""

    def observe(self, agent: str) -> dict[str, Array]:
        """Return the agent's present observation, on its turn or not, even if the game is over.

        Returns:
            `observation`, in the form described for the class; `action_mask`, int8[A], 1 = legal.

        Raises:
            ValueError: If there is no such agent, or if called before `reset`.
        """
        check_choice("agent", agent, self.possible_agents)
        view = self.engine.look(self.possible_agents.index(agent))
        return {"observation": self._observation(view), "action_mask": self._mask_of(agent)}

    @property
    def state_space(self) -> Box:
        """The space of `state`."""
        seen, players = self._observed, len(self.possible_agents)
        low, high = (np.concatenate([bound] * players) for bound in (seen.low, seen.high))
        return Box(low, high, dtype=low.dtype.type)

    def state(self) -> Array:
        """Return what all agents observe, one after the other, for a critic that sees all hands.

        What no agent knows, such as the order of the stock, is not in it.

        Returns:
            The observations of `possible_agents`, without masks, joined along their first axis: of
            arrays of F entries, an array of P * F.

        Raises:
            ValueError: If called before `reset`.
        """
        views = (self.engine.look(seat) for seat in range(len(self.possible_agents)))
        return np.concatenate([self._observation(view) for view in views])

    def _mask_of(self, agent: str) -> Int8s:
        """Return int8[A], the legal actions of an agent: none unless it is selected."""
        acts = agent == self.agent_selection and not self.terminations.get(agent, True)
        return self._mask.copy() if acts else np.zeros_like(self._mask)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Return the same game at the same moment, with its own table; the copy records nothing."""
        twin = type(self).__new__(type(self))
        memo[id(self)] = twin
        twin.__dict__.update(copy.deepcopy(self.__dict__, memo))
        return twin

    def render(self) -> Rendered:
        """Return the table in the form of the render mode; see `Renderer.render`."""
        return self._renderer.render(self.engine)

    def close(self) -> None:
        """Close the window if one is open, and record an unfinished game."""
        self._renderer.close()
        close_records(self.engine)


class RummyAEC(GameAEC):
    """One game with PettingZoo's interface.

    Each agent is a seat and observes `{"observation": [F], "action_mask": int8[A]}`, the former of
    int8 unless the observer has another dtype. The mask is in its info as well, and is all zero
    unless the seat is to move. An info also has `others`: what the others have done since the last
    action of the seat, in words. When a game is over, every seat is also told `scores`, `winners`
    and `ending`, how the last hand ended.
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
        """Make a table without dealing: call `reset` before the first step.

        `observation` is as for `rummy_env.views.observing.observer_for`, and the arguments for
        rendering are as for `Renderer`; the errors are described there. `record` is a file to which
        every game is appended (see `rummy_env.records`); a pickled copy continues the same file.

        Raises:
            OSError: If the record cannot be written.
        """
        given: dict[str, Any] = {"render_mode": render_mode, "record": record}
        given |= {"render_size": render_size, "face_up": face_up, "render_fps": render_fps}
        EzPickle.__init__(self, rules, observation=observation, **given)
        self._observer = observer_for(rules, observation)
        super().__init__(rules, f"rummy_{rules.name}_v{BEHAVIOUR}", box(self._observer), **given)

    def _begin(self) -> None:
        self.infos = {agent: {"action_mask": np.zeros_like(self._mask)} for agent in self.agents}
        self._since: dict[str, list[str]] = {agent: [] for agent in self.agents}

    def _play(self, action: int) -> None:
        engine, mover = self.engine, self.agent_selection
        engine.step([action])
        self.rewards = dict(zip(self.agents, engine.rewards[0].tolist(), strict=True))
        terminated, truncated = bool(engine.terminated[0]), bool(engine.truncated[0])
        self.terminations = dict.fromkeys(self.agents, terminated)
        self.truncations = dict.fromkeys(self.agents, truncated)
        self.infos[mover] = {"action_mask": np.zeros(self._num_actions, np.int8)}
        done = f"{mover}: {engine.space.texts[action]}"
        self._since[mover] = []
        for agent in self.agents:
            if agent != mover:
                self._since[agent].append(done)
        if terminated or truncated:
            self._tell_end(engine.how_ended()[0])

    def call_off(self) -> None:
        """Note in all infos that an illegal action has ended the game."""
        super().call_off()
        self._tell_end(ILLEGAL_ENDING)

    def _tell_end(self, ending: str) -> None:
        state = self.engine.state
        winners = np.array(self.possible_agents)[state.winners[0]].tolist()
        for agent, info in self.infos.items():
            told = {"scores": state.scores[0].tolist(), "winners": [*winners], "ending": ending}
            self.infos[agent] = info | told

    def _select_mover(self) -> None:
        self.agent_selection = self.possible_agents[self.engine.to_move[0]]
        self._mask = self.engine.legal_mask()[0].view(np.int8)
        for agent, info in self.infos.items():  # new ones: those handed out stay as they were
            self.infos[agent] = info | {"others": self._since[agent].copy()}
        self.infos[self.agent_selection]["action_mask"] = self._mask.copy()

    def _observation(self, view: SeatView) -> Array:
        return self._observer(view)[0]


def raw_env(name: str | Rules, render_mode: str | None = None, **options: Any) -> RummyAEC:
    """Return a game of one of the variants, without PettingZoo's wrappers.

    `name` is as for `rummy_env.rules`; `options` are the variant's and those of `RummyAEC`, where
    the errors are described.
    """
    own = inspect.signature(RummyAEC).parameters
    given = {key: options.pop(key) for key in own if key in options and key != "rules"}
    return RummyAEC(rules_for(RummyAEC, name, options), render_mode, **given)


def env(name: str | Rules, render_mode: str | None = None, **options: Any) -> AECEnv:
    """Return the game of `raw_env` with the wrappers that PettingZoo recommends; see `wrapped`."""
    return wrapped(raw_env(name, render_mode, **options))


def wrapped(game: GameAEC) -> AECEnv:
    """Return the game with PettingZoo's wrappers.

    An illegal action ends the game, with a reward of -1 for the agent that played it and 0 for the
    others; all agents are then both terminated and truncated. An action that does not exist raises
    an AssertionError, and a call before `reset` that or an AttributeError.
    """
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(_Fair(game)))


class _Fair(wrappers.TerminateIllegalWrapper):  # type: ignore[misc]
    """PettingZoo's wrapper that ends a game after an illegal action; the game is told of it."""

    def __init__(self, game: GameAEC) -> None:
        super().__init__(game, illegal_reward=ILLEGAL_REWARD)
        self._game = game

    def step(self, action: int | None) -> None:
        if action is not None:
            action = _whole("action", action, "a whole number")
        before = self._terminated
        super().step(action)
        if self._terminated and not before:
            self._game.call_off()


def _whole(name: str, number: Any, wanted: str) -> int:
    """Convert a Python or NumPy number to an int; raise a TypeError if it is not whole."""
    with suppress(TypeError):
        if not isinstance(number, bool):
            return operator.index(number)
    raise TypeError(f"{name} {shown(number)}: give {wanted}")
