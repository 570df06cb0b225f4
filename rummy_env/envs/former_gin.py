"""PettingZoo's former gin, for code written for it: its planes, 110 actions and rewards.

    from rummy_env.envs import gin_rummy_v5      # was: from pettingzoo.classic import gin_rummy_v5

    env = gin_rummy_v5.env(knock_reward=0.5, gin_reward=1.0, opponents_hand_visible=False)

`gin_rummy_v4` is the same: the bug that v5 fixed, a seeded reset that forgot the rewards, was never
present here. Cards are numbered spades, hearts, diamonds, clubs, each ace to king. The differences
from the original are listed in `docs/former_gin.md`; for anything new, use `rummy_env.env("gin")`.
"""

from typing import Any

import numpy as np
from gymnasium.spaces import Box
from gymnasium.utils import EzPickle
from pettingzoo.utils import AECEnv

from rummy_env.core.arrays import Array, Int8s, Rows, Words
from rummy_env.core.cards import NUM_RANKS, NUM_REGULAR, SUITS, card_flags, regular_text
from rummy_env.core.checks import check_flag, check_number, check_range
from rummy_env.core.engine import Engine, IllegalAction
from rummy_env.core.state import CODE_BIT
from rummy_env.core.visibility import SeatView
from rummy_env.envs.aec import GameAEC, wrapped
from rummy_env.envs.recording import RecordPath
from rummy_env.melds.deadwood import deadwood
from rummy_env.parts.knocking import KNOCK
from rummy_env.variants.former_gin import former_gin
from rummy_env.views.sizes import GREATEST_SIZE, LEAST_SIZE, USUAL_SIZE, Size

RENDER_FPS = 1
NUM_ACTIONS = 110
SCORE = (0, 1)
"""The actions with which player_0 and then player_1 have their hands counted at the end."""
GIN = 5
POINTS_OF_ONE = 100
"""Points of deadwood that cost a reward of 1."""


class FormerGin(GameAEC):
    """One hand of gin as PettingZoo had it.

    Each agent observes `{"observation": int8[4, 52], "action_mask": int8[110]}`. The planes are
    its hand, the top discard, the discards below it and the opponent's cards that everybody saw; an
    optional fifth plane has the cards whose place it does not know.
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
        """Make a table without dealing: call `reset` before the first step.

        The rewards are those of a player who knocks or goes gin. `opponents_hand_visible` adds a
        fifth plane, the cards whose place the agent does not know; it never showed the opponent's
        hand, despite its name. A picture is `screen_height` pixels high and a third wider than
        that; None gives the usual size. `render_mode`, `record` and the errors are as for
        `RummyAEC`.
        """
        for name, reward in (("knock_reward", knock_reward), ("gin_reward", gin_reward)):
            check_number(name, reward, "a finite number")
        check_flag("opponents_hand_visible", opponents_hand_visible)
        given: dict[str, Any] = {"render_mode": render_mode, "record": record}
        options = (knock_reward, gin_reward, opponents_hand_visible)
        EzPickle.__init__(self, *options, screen_height=screen_height, **given)
        self._num_planes = 5 if opponents_hand_visible else 4
        planes = Box(0.0, 1.0, (self._num_planes, NUM_REGULAR), np.int8)
        given |= {"render_size": _size(screen_height), "render_fps": RENDER_FPS}
        super().__init__(former_gin(), self.name, planes, NUM_ACTIONS, **given)
        self._rewards = (float(knock_reward), float(gin_reward))
        self._numbers = _engine_actions(self.engine)
        self._scored = 0
        """The number of players whose hands have been counted, once the hand has ended."""

    @classmethod
    def wrapped(cls, **options: Any) -> AECEnv:
        """Make the game in PettingZoo's wrappers (see `aec.wrapped`); options are the class's."""
        return wrapped(cls(**options))

    def _begin(self) -> None:
        self.engine.step([self.engine.space.index("draw_stock")])
        self._scored = 0

    def _play(self, action: int) -> None:
        if not 0 <= action < NUM_ACTIONS or not self._mask[action]:
            legal = self._mask.nonzero()[0].tolist()
            raise IllegalAction(
                f"{self.agent_selection}: action {action} is not legal; legal are {legal}"
            )
        if not self.engine.finished[0]:
            self.engine.step([self._numbers[action]])
            return
        self._scored += 1
        if self._scored == len(SCORE):
            self.terminations = dict.fromkeys(self.agents, True)
            for seat, agent in enumerate(self.agents):
                self.rewards[agent] = self._reward(self.engine.look(seat))

    def _reward(self, view: SeatView) -> float:
        """Return the viewer's reward for the hand.

        Source: docs/former_gin.md#rewards
        """
        if view.claimant[0] == 0:
            return self._rewards[int(view.claim[0] != KNOCK)]
        return -float(deadwood(view.hand[:, 0])[0]) / POINTS_OF_ONE

    def _select_mover(self) -> None:
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
        if self._scored == len(SCORE):
            self._deads_step_first()

    def _observation(self, view: SeatView) -> Int8s:
        return _planes(view)[: self._num_planes]


def _size(screen_height: int | None) -> Size:
    """Return the size of a picture with an aspect ratio of 4 to 3."""
    if screen_height is None:
        return USUAL_SIZE
    check_range("screen_height", screen_height, LEAST_SIZE[1], GREATEST_SIZE[1])
    return screen_height * 4 // 3, screen_height


def _engine_actions(engine: Engine) -> Rows:
    """Return intp[110], the engine's number of each action; -1 for those that count the hands.

    Source: docs/former_gin.md#actions
    """
    index = engine.space.index
    cards = [regular_text(bit) for bit in _from_former(np.arange(NUM_REGULAR)).tolist()]
    plain = [index(kind) for kind in ("draw_stock", "draw_discard", "pass", "gin")]
    with_card = [index(kind, card) for kind in ("discard", "knock") for card in cards]
    return np.array([-1, -1, *plain, *with_card])


def _from_former(by_bit: Array) -> Array:
    """Entries by card, [..., 52], in the other numbering, whose suits are ours in reverse."""
    shape = by_bit.shape
    suits = by_bit.reshape(*shape[:-1], len(SUITS), NUM_RANKS)
    return suits[..., ::-1, :].reshape(shape)


def _planes(view: SeatView) -> Int8s:
    """Return int8[5, 52], the planes of one view, N = 1."""
    top = CODE_BIT.take(view.top)
    sets: list[Words] = [
        view.hand[:, 0],
        top,
        view.piled[:, 0] & ~top,
        view.known[:, 1, 0],
        view.unseen[:, 0],
    ]
    flags = card_flags(np.concatenate(sets))
    return np.ascontiguousarray(_from_former(flags)).view(np.int8)
