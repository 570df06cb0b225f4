"""What of a rollout is learned from: every choice that was open, and some of the sure ones."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import torch

from agents import network
from tests.torch_policies import advised_games, sure_policy
from training.player import Block, Player, Recipe, Shard, Terms

SUREST = 0.8


def played(*, gae_lambda: float = 0.9, **terms: Any) -> Block:
    """The same rollout, whatever of it is learned from."""
    env = advised_games()
    chance = torch.Generator().manual_seed(3).get_state()
    player = Player(sure_policy(env), None, Terms(48, 1.0, gae_lambda, **terms))
    return player.play(Shard(env, chance), 0.0)


def rows(block: Block) -> list[bytes]:
    """The decisions of a block, each with all that belongs to it."""
    return [
        b"".join(array[i].tobytes() for array in block.arrays.values())
        for i in range(_count(block))
    ]


def sure(block: Block) -> npt.NDArray[np.bool_]:
    """bool[N], the choices of which the policy was sure, whatever it then drew."""
    policy, (seen, masks, *_) = sure_policy(advised_games()), block.arrays.values()
    with torch.no_grad():
        chances = policy.log_chances(policy.given(torch.as_tensor(seen)), masks)
    found: npt.NDArray[np.bool_] = (chances.amax(dim=1) > np.log(SUREST)).numpy()
    return found


def _count(block: Block) -> int:
    return len(block.arrays["values"])


def test_of_sure_choices_a_share_is_learned_from_and_of_the_others_all() -> None:
    whole, thinned = played(), played(surest=SUREST, sure_kept=0.25)
    assert thinned.decisions == whole.decisions
    kept = set(rows(thinned))
    assert len(kept) == _count(thinned)  # so rows tell decisions apart
    is_sure = sure(whole)
    learned = np.array([row in kept for row in rows(whole)])
    assert learned.sum() == len(kept)  # with the values and advantages of the whole rollout
    assert learned[~is_sure].all()
    assert 200 < is_sure.sum() < _count(whole) - 200
    unlikely = is_sure & (whole.arrays["log_probs"] < np.log(1 - SUREST))
    assert 0 < learned[unlikely].sum() < unlikely.sum()
    share, deviation = learned[is_sure].mean(), (0.25 * 0.75 / is_sure.sum()) ** 0.5
    assert share == pytest.approx(0.25, abs=4 * deviation)


def test_with_a_share_of_one_nothing_is_left_out() -> None:
    assert rows(played(surest=SUREST, sure_kept=1.0)) == rows(played())


def test_every_move_of_a_game_costs_every_seat_so_much() -> None:
    # With lambda 1 an advantage has all that is paid until the game ends, or until the seat's last
    # decision of the rollout.
    free, charged = (
        played(gae_lambda=1.0, move_cost=cost).arrays["advantages"] for cost in (0.0, 0.5)
    )
    moves = (free - charged) / 0.5
    assert moves == pytest.approx(moves.round(), abs=1e-3)
    assert moves.min() == pytest.approx(1)
    assert moves.max() > 40  # so the moves of the others are charged too


def test_actions_are_drawn_by_the_generator_that_a_checkpoint_keeps_on_every_device() -> None:
    torch.manual_seed(1)
    before = torch.get_rng_state()
    network._draw(torch.zeros(3, 4, device="meta"))  # a device whose numbers are never computed
    after = torch.get_rng_state()
    torch.set_rng_state(before)
    network._draw(torch.zeros(3, 4))
    assert torch.equal(torch.get_rng_state(), after)
    assert not torch.equal(before, after)


def test_a_decision_is_learned_from_once_it_is_known_what_came_of_it() -> None:
    env, chance = advised_games(), torch.Generator().manual_seed(3).get_state()
    block = Player(sure_policy(env), None, Terms(1, 1.0, 0.9)).play(Shard(env, chance), 0.0)
    assert (block.games, len(block.arrays["values"])) == (0, 0)
    assert block.decisions > 0


def test_a_worker_computes_in_the_numbers_of_the_learner() -> None:
    policy, chance = sure_policy(advised_games()), torch.Generator().manual_seed(3).get_state()
    policy.bf16 = True
    player = Player(policy, None, Terms(8, 1.0, 0.9))
    work = Recipe.of(player, 1)()
    here = player.play(Shard(advised_games(), chance), 0.0)
    there, _ = work((policy.state_dict(), 0.0), Shard(advised_games(), chance))
    assert rows(here) == rows(there)
