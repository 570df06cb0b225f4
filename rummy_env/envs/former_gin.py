"""PettingZoo's former gin, for code that was written for it: its planes, 110 actions and rewards.

    from rummy_env.envs import gin_rummy_v5      # was: from pettingzoo.classic import gin_rummy_v5

    env = gin_rummy_v5.env(knock_reward=0.5, gin_reward=1.0, opponents_hand_visible=False)

`gin_rummy_v4` is the same: what v5 mended, rewards forgotten by a seeded reset, was never so here.
Cards are numbered spades, hearts, diamonds, clubs, each ace to king. What is not as it was stands
in `docs/former_gin.md`; for anything new, use `rummy_env.env("gin")`.
"""

import math
import operator
import secrets
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box, Dict, Discrete
from gymnasium.utils import EzPickle
from pettingzoo.utils import AECEnv, wrappers

from rummy_env.core.bits import Words
from rummy_env.core.cards import NUM_RANKS, NUM_REGULAR, SUITS, regular_text
from rummy_env.core.checks import check_choice, check_flag, check_range
from rummy_env.core.engine import Engine, IllegalAction
from rummy_env.core.state import CODE_BIT
from rummy_env.core.visibility import SeatView
from rummy_env.envs.illegal import ILLEGAL_REWARD
from rummy_env.envs.recording import RecordPath, close_records, engine_for
from rummy_env.envs.rendering import RENDER_MODES, Rendered, Renderer
from rummy_env.melds.deadwood import deadwood
from rummy_env.parts.knocking import KNOCK
from rummy_env.variants.former_gin import former_gin
from rummy_env.views.sizes import GREATEST_SIZE, LEAST_SIZE, USUAL_SIZE, Size

Observation = dict[str, npt.NDArray[np.int8]]
RENDER_FPS = 1
NUM_ACTIONS = 110
SCORE = (0, 1)
"""The actions with which player_0 and then player_1 have their hands counted at the end."""
GIN = 5
POINTS_OF_ONE = 100
"""Points of deadwood that cost 1."""


class FormerGin(AECEnv, EzPickle):  # type: ignore[misc]
    """One hand of gin as PettingZoo had it.

    Each agent observes `{"observation": int8[4, 52], "action_mask": int8[110]}`: its hand, the top
    discard, the discards below, the cards of the opponent that everybody saw; five planes with
    those whose place it does not know. An illegal action raises and leaves the game as it was.

    Attributes:
        engine: The rules core, with one game.
        render_mode: One of `RENDER_MODES`, or None.
    """

    name = "gin_rummy_v5"

    def __init__(
        self,
        knock_reward: float = 0.5,
        gin_reward: float = 1.0,
        opponents_hand_visible: bool = False,
        render_mode: str | None = None,
        screen_height: int | None = 1000,
        record: RecordPath | None = None,
    ) -> None:
        """Makes a table without dealing: call `reset` before the first step.

        Args:
            knock_reward: What a player gets who knocks.
            gin_reward: What a player gets who goes gin.
            opponents_hand_visible: Whether there is a fifth plane, the cards whose place the agent
                does not know; it never showed the opponent's hand, whatever the name says.
            render_mode: `"human"`, and every step is shown in a window; `"rgb_array"`, and `render`
                returns a picture; `"ansi"`, and it returns text; None, and there is nothing to
                render.
            screen_height: Height of the picture in pixels, a third more being its width; None for
                the usual size.
            record: File to append a record of every game to; see `rummy_env.records`. `close`
                writes down a game that is not finished.

        Raises:
            OSError: If the file cannot be written.
            ValueError: If a reward is not finite, there is no such render mode, the height is
                impossible, or `opponents_hand_visible` is no bool.
            ImportError: If pictures are asked for and pygame-ce is not installed.
        """
        for name, reward in (("knock_reward", knock_reward), ("gin_reward", gin_reward)):
            if not math.isfinite(reward):
                raise ValueError(f"{name}={reward}: give a finite number")
        check_flag("opponents_hand_visible", opponents_hand_visible)
        EzPickle.__init__(
            self,
            knock_reward,
            gin_reward,
            opponents_hand_visible,
            render_mode,
            screen_height,
            record,
        )
        self.engine = engine_for(former_gin(), seed=secrets.randbits(64), record=record)
        self.render_mode = render_mode
        self._renderer = Renderer(
            self.engine.rules,
            render_mode,
            render_size=_size(screen_height),
            render_fps=RENDER_FPS,
        )
        self.metadata = {
            "name": self.name,
            "render_modes": list(RENDER_MODES),
            "render_fps": RENDER_FPS,
            "is_parallelizable": False,
        }
        self.possible_agents = ["player_0", "player_1"]
        self.agents: list[str] = []
        self.terminations: dict[str, bool] = {}
        self._rewards = (float(knock_reward), float(gin_reward))
        self._num_planes = 5 if opponents_hand_visible else 4
        self._numbers = _engine_actions(self.engine)
        self._scored = 0
        """How many players have had their hands counted, once the hand has ended."""
        self.observation_spaces = {agent: self._seen() for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(NUM_ACTIONS) for agent in self.possible_agents}

    def _seen(self) -> Dict:
        """The space of an agent's observations; each agent has one of its own to seed."""
        planes = Box(0.0, 1.0, (self._num_planes, NUM_REGULAR), np.int8)
        return Dict({"observation": planes, "action_mask": Box(0, 1, (NUM_ACTIONS,), np.int8)})

    def observation_space(self, agent: str) -> Dict:
        """What the agent observes."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """What the agent can do."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deals a new hand, eleven cards to the first player.

        Args:
            seed: What this hand and those after it are drawn from. Without, it is the next hand of
                the seed given before; an environment that was never given one takes a random one.
            options: Accepted for PettingZoo's sake and not used.
        """
        self.engine.reset(seeds=None if seed is None else operator.index(seed))
        self.engine.step([self.engine.space.index("draw_stock")])
        self._scored = 0
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._select_mover()
        self._renderer.show(self.engine)

    def step(self, action: int | None) -> None:
        """Plays an action of the selected agent; None where its game is over.

        Raises:
            IllegalAction: If the action is not legal; nothing is changed.
            TypeError: If the action is not a whole number; nothing is changed.
            ValueError: If no hand is being played, or if it is over and the action is not None.
        """
        if not self.agents:
            raise ValueError("no hand is being played: call reset() first")
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._play(self._as_number(action))
        self._cumulative_rewards[agent] = 0.0
        if self._scored == len(self.agents):
            self.terminations = dict.fromkeys(self.agents, True)
            self.rewards = {a: self._reward(self._look(a)) for a in self.agents}
        self._accumulate_rewards()
        self._select_mover()
        self._renderer.show(self.engine)
        if self.terminations[agent]:
            self._deads_step_first()

    def _as_number(self, action: int | None) -> int:
        try:
            return operator.index(action)  # type: ignore[arg-type]
        except TypeError:
            last = NUM_ACTIONS - 1
            raise TypeError(f"action {action!r}: give a whole number from 0 to {last}") from None

    def _play(self, action: int) -> None:
        if not 0 <= action < NUM_ACTIONS or not self._mask[action]:
            legal = self._mask.nonzero()[0].tolist()
            raise IllegalAction(
                f"{self.agent_selection}: action {action} is not legal; legal are {legal}"
            )
        if self.engine.finished[0]:
            self._scored += 1
        else:
            self.engine.step([self._numbers[action]])

    def _reward(self, view: SeatView) -> float:
        """What the hand pays to the viewer.

        Source: docs/former_gin.md#rewards
        """
        if view.claimant[0] == 0:
            return self._rewards[int(view.claim[0] != KNOCK)]
        return -float(deadwood(view.hand[:, 0])[0]) / POINTS_OF_ONE

    def _select_mover(self) -> None:
        """Selects the agent that is to act, and notes what it may do."""
        self._mask = np.zeros(NUM_ACTIONS, np.int8)
        if not self.engine.finished[0]:
            seat = int(self.engine.to_move[0])
            self._mask[len(SCORE) :] = self.engine.legal_mask()[0, self._numbers[len(SCORE) :]]
            if self._mask[GIN]:
                self._mask[:GIN] = self._mask[GIN + 1 :] = 0
        else:
            seat = min(self._scored, 1)
            self._mask[SCORE[seat]] = self._scored < len(SCORE)
        self.agent_selection = self.possible_agents[seat]
        self.infos = {agent: {"action_mask": self._mask_of(agent)} for agent in self.agents}

    def _mask_of(self, agent: str) -> npt.NDArray[np.int8]:
        """int8[110], what an agent may do: nothing, unless it is selected."""
        acts = agent == self.agent_selection
        return self._mask.copy() if acts else np.zeros_like(self._mask)

    def _look(self, agent: str) -> SeatView:
        return self.engine.look(self.possible_agents.index(agent))

    def observe(self, agent: str) -> Observation:
        """What the agent sees now, whether it is to act or not, also when the game is over.

        Returns:
            `observation`, int8[4, 52] or int8[5, 52]; `action_mask`, int8[110], 1 = legal.

        Raises:
            ValueError: If there is no such agent, or before `reset`.
        """
        check_choice("agent", agent, self.possible_agents)
        planes = _planes(self._look(agent))[: self._num_planes]
        return {"observation": planes, "action_mask": self._mask_of(agent)}

    def render(self) -> Rendered:
        """The table with all hands open; see `Renderer.render`."""
        return self._renderer.answer(self.engine)

    def close(self) -> None:
        """Closes the window if one is open, and writes down a game that is being recorded."""
        self._renderer.close()
        close_records(self.engine)


def _size(screen_height: int | None) -> Size:
    """The size of a picture, four to three."""
    if screen_height is None:
        return USUAL_SIZE
    check_range("screen_height", screen_height, LEAST_SIZE[1], GREATEST_SIZE[1])
    return screen_height * 4 // 3, screen_height


def _engine_actions(engine: Engine) -> npt.NDArray[np.intp]:
    """intp[110], the engine's number of each action; -1 for those that count the hands.

    Source: docs/former_gin.md#actions
    """
    index = engine.space.index
    cards = [regular_text(bit) for bit in _from_former(np.arange(NUM_REGULAR)).tolist()]
    plain = [index(kind) for kind in ("draw_stock", "draw_discard", "pass", "gin")]
    with_card = [index(kind, card) for kind in ("discard", "knock") for card in cards]
    return np.array([-1, -1, *plain, *with_card])


def _from_former(by_bit: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Entries by card, [..., 52], in the other order: its suits are ours from last to first."""
    shape = by_bit.shape
    suits = by_bit.reshape(*shape[:-1], len(SUITS), NUM_RANKS)
    return suits[..., ::-1, :].reshape(shape)


def _planes(view: SeatView) -> npt.NDArray[np.int8]:
    """int8[5, 52], the planes of one view, N = 1."""
    top = CODE_BIT.take(view.top)
    sets: list[Words] = [
        view.hand[:, 0],
        top,
        view.piled[:, 0] & ~top,
        view.known[:, 1, 0],
        view.unseen[:, 0],
    ]
    octets = np.array(sets).astype("<u8").view(np.uint8)
    bits = np.unpackbits(octets, axis=1, count=NUM_REGULAR, bitorder="little")
    return np.ascontiguousarray(_from_former(bits)).view(np.int8)


def wrapped(game: FormerGin) -> AECEnv:
    """The game with PettingZoo's wrappers, as it was recommended to be used.

    An illegal action ends the game, with a reward of -1 for the one who played it and 0 for the
    other; an action that does not exist, or a call before `reset`, is an AssertionError.
    """
    fair = wrappers.TerminateIllegalWrapper(game, illegal_reward=ILLEGAL_REWARD)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(fair))
