"""The course of a self-play rollout, and what its decisions were worth.

A hand pays several seats at once, and a seat is paid for what it did steps ago. So a block keeps
all games step by step, and advantages run along the decisions of one seat in one game:

    seat 0    decides ......................... decides ....... the game ends, both are paid
    seat 1               decides ... decides .................. |

A seat's last decision before the block ends is still open if its game goes on, as its outcome is
not known. Its value counts as what the decision before it led to, and it is not learned from.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from sb3_contrib.common.maskable.buffers import (
    MaskableRolloutBuffer,
    MaskableRolloutBufferSamples,
)

from rummy_env.core.arrays import Array, Bools, Float32s, Rows
from rummy_env.views.features import Features


@dataclass(frozen=True)
class Course:
    """T steps of B games, by step."""

    seats: Rows
    """intp[T, B], the seat to act."""
    chose: Bools
    """bool[T, B], True where the seat was the learner's and had more than one legal action."""
    rewards: Float32s
    """float32[T, B, P], the rewards paid by the step."""
    ended: Bools
    """bool[T, B], True where the step ended the game."""


def advantages(
    course: Course, values: Float32s, *, gamma: float, gae_lambda: float
) -> tuple[Float32s, Bools]:
    """Generalised advantage estimates along the decisions of each seat.

    Args:
        course: What happened.
        values: float32[T, B], the critic's value of each decision that was a choice.
        gamma: The discount from one decision of a seat to its next.
        gae_lambda: Lambda.

    Returns:
        float32[T, B], the advantages; bool[T, B], the decisions for which they are known.
    """
    steps, games, players = course.rewards.shape
    rows = np.arange(games)
    found = np.zeros((steps, games), np.float32)
    known = np.zeros((steps, games), np.bool_)
    # By game and seat: what follows its current decision, and whether that is settled yet.
    ahead, carried = np.zeros((2, games, players), np.float32)
    settled = np.zeros((games, players), np.bool_)
    for step in reversed(range(steps)):
        over = course.ended[step]
        ahead[over] = carried[over] = 0
        settled[over] = True
        ahead += course.rewards[step]
        some = rows[course.chose[step]]
        seats, value = course.seats[step, some], values[step, some]
        gain = ahead[some, seats] - value + gamma * gae_lambda * carried[some, seats]
        found[step, some] = gain
        known[step, some] = settled[some, seats]
        carried[some, seats] = np.where(settled[some, seats], gain, 0)
        ahead[some, seats] = gamma * value
        settled[some, seats] = True
    return found, known


class Decisions(MaskableRolloutBuffer):
    """The decisions of a rollout that are learned from, N of them, in place of SB3's buffer.

    Attributes:
        values: float32[N], those of the critic before the update; `returns`, its targets,
            float32[N].
    """

    arrays: dict[str, Array]

    def reset(self) -> None:
        """Forget the decisions."""
        self.arrays = {}
        self.full = False

    def fill(
        self,
        observations: Features,
        masks: Bools,
        actions: Rows,
        log_probs: Float32s,
        values: Float32s,
        advantages: Float32s,
    ) -> None:
        """Take N decisions: [N, F], bool[N, A], and arrays of N."""
        self.values, self.returns = values, advantages + values
        self.arrays = {
            "observations": observations,
            "actions": actions[:, None],
            "old_values": values,
            "old_log_prob": log_probs,
            "advantages": advantages,
            "returns": self.returns,
            "action_masks": masks,
        }
        self.full = True

    def get(self, batch_size: int | None = None) -> Iterator[MaskableRolloutBufferSamples]:  # type: ignore[override]
        """All decisions in random order, in minibatches of about this size."""
        count = len(self.values)
        order = np.random.permutation(count)  # noqa: NPY002  (the library's, seeded by it)
        # A minibatch of one decision has no deviation to normalise its advantage by.
        batches = max(1, min(round(count / (batch_size or count)), count // 2))
        for items in np.array_split(order, batches):
            taken = {name: array[items] for name, array in self.arrays.items()}
            tensors = {n: torch.as_tensor(array, device=self.device) for n, array in taken.items()}
            yield MaskableRolloutBufferSamples(**tensors)
