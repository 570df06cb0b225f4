"""A search that asks a critic what a position is worth, and plays no hand out to its end."""

from pathlib import Path
from typing import Any

import numpy as np
import torch

from agents.search import Floats, Search
from rummy_env.baselines import Policy
from rummy_env.core.bits import Rows
from rummy_env.core.engine import Engine
from rummy_env.parts.rewards import REWARDS
from rummy_env.search.rollouts import decide
from rummy_env.views.features import observer
from training.run import Run
from training.self_play import SelfPlayPPO


class Valued(Search):
    """Plays on until the viewer has its next choice; what comes then is the critic's to say."""

    def __init__(self, base: Any, critic: Path, **options: Any) -> None:
        """Make a player.

        Args:
            base: The policy to start from, which also plays until the viewer's next choice.
            critic: A run of `training.fit` for the same rules, without `--privileged`; its
                checkpoint can run any code that its maker put into it.
            **options: As `Search` takes them.

        Raises:
            ValueError: If what the critic says cannot be used: it is not of points, or of more than
                a seat may know.
        """
        super().__init__(base, **options)
        self._critic: Any = Run(critic).model(SelfPlayPPO).policy
        if self._critic.privileged or self._critic.rules.rewards != REWARDS["zero_sum"]:
            raise ValueError(
                f"critic={str(critic)!r}: its values are of hidden cards, or not of points; give a "
                f"run without --privileged, of rules with reward='zero_sum'"
            )
        self._critic.set_training_mode(False)

    def _gains(self, games: Engine, base: Policy, moves: Rows) -> Floats:
        found = np.zeros(len(moves), np.float32)
        before = games.state.scores.copy()
        rows, actions = np.arange(len(moves)), moves
        while rows.size:
            games.step(actions, rows)
            rows = rows[~games.finished[rows]]
            choices = games.legal_mask(rows).sum(axis=1) > 1
            due = choices & (games.to_move[rows] == 0)
            found[rows[due]] = self._values(games, rows[due])
            rows = rows[~due]
            actions = decide(games, rows, [base])
        scored = (games.state.scores - before).astype(np.float32)
        return found + scored[:, 0] - scored[:, 1:].mean(axis=1)

    def _values(self, games: Engine, rows: Rows) -> Floats:
        """float32[R], in points."""
        if not rows.size:
            return np.zeros(0, np.float32)
        view = games.look(np.zeros_like(rows), rows)
        seen = observer(view.rules, self._critic.observation)(view)
        with torch.no_grad():
            values: Floats = self._critic.predict_values(torch.as_tensor(seen))[:, 0].numpy()
        return values * view.rules.scoring.zero_sum_scale
