"""How a policy does against random play: what the recipes print before and after training."""

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

Choose = Callable[[npt.NDArray[np.int8], npt.NDArray[np.bool_]], npt.NDArray[np.intp]]
"""From observations, int8[B, F], and masks, bool[B, A], True = legal, to actions, int[B]."""


def against_random(
    choose: Choose, env_id: str, num_games: int = 400, seed: int = 2026, **options: Any
) -> str:
    """Play many games side by side, the other seats playing at random.

    Args:
        choose: The policy. Its seat is drawn for each game.
        env_id: Of the variant, such as `"rummy_env/Basic-v0"`.
        num_games: One of each deal.
        seed: Of the deals.
        **options: Of the variant.

    Returns:
        In words, the share of the games that the policy won, that it did not win, and that were cut
        off after as many turns as the rules allow.

    Raises:
        IllegalAction: If the policy chooses an action that is not legal.
    """
    games = gymnasium.make_vec(
        env_id,
        num_envs=num_games,
        opponents="random",
        illegal_action="raise",
        autoreset_mode=AutoresetMode.SAME_STEP,
        **options,
    )
    observations, infos = games.reset(seed=seed)
    running, won, cut_off = np.ones(num_games, np.bool_), 0, 0
    while running.any():
        actions = choose(observations, infos["action_mask"].astype(np.bool_))
        observations, _, terminated, truncated, infos = games.step(actions)
        ended = running & (terminated | truncated)  # games dealt after the first do not count
        if ended.any():
            won += int(infos["final_info"]["won"][ended].sum())
        cut_off += int((ended & truncated).sum())
        running &= ~ended
    shares = {"won": won, "not won": num_games - won - cut_off, "cut off": cut_off}
    return ", ".join(f"{count / num_games:.1%} {what}" for what, count in shares.items())
