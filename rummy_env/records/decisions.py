"""The decisions of recorded games, as data for imitation and offline reinforcement learning."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rummy_env.core.actions import action_space
from rummy_env.core.arrays import Array, Bools, Float32s, Int8s, Rows
from rummy_env.records.playing import BATCH, Batch, Records, batches
from rummy_env.records.record import KNOWN, Variants
from rummy_env.views.features import HINTS
from rummy_env.views.observing import AnyObserver, Observation, observer_for


@dataclass(frozen=True)
class Decisions:
    """N decisions of recorded games, ordered by game and then by step.

    Attributes:
        game: intp[N], which of the records it is from, counted from 0.
        step: intp[N], which action of its game, counted from 0.
        seat: int8[N], the seat that decided.
        observations: [N, F], what that seat observed, in the observer's dtype.
        masks: bool[N, A], the actions that were legal.
        actions: intp[N], the action that was played.
        rewards: float32[N], what the seat was paid from this decision to its next one, or to the
            end of the record. What a seat is paid before it first decides is in none of them.
        next: intp[N], the seat's next decision, as its place in these arrays; -1 for none.
        last: bool[N], True for the last decision of a seat in its game.
        terminated: bool[N], True for a last decision after which the game ended by the rules; it
            was cut off or left if not, as the `outcome.end` of the record tells.
    """

    game: Rows
    step: Rows
    seat: Int8s
    observations: Array
    masks: Bools
    actions: Rows
    rewards: Float32s
    next: Rows
    last: Bools
    terminated: Bools

    def __len__(self) -> int:
        """N."""
        return len(self.game)


def decisions(
    records: Records,
    *,
    observation: Observation = HINTS,
    batch: int = BATCH,
    variants: Variants = KNOWN,
) -> Iterator[Decisions]:
    """Play recorded games again, side by side, and collect what was decided in them.

    Args:
        records: A path, as for `read`; or records in any number. Either are read as needed.
        observation: What a seat observes; see `views.observing.observer_for`.
        batch: The most games played at once; fewer take less memory, and give the same decisions.
        variants: The variants that a file may name, as for `read`.

    Yields:
        The decisions of up to `batch` consecutive games. A batch has games of equal rules only.
        What is wrong with a file or a record is raised when its batch is reached.

    Raises:
        OSError: If the file cannot be read.
        ValueError: If a line of it is no record, a game departs from what was recorded (naming the
            record), there is no such observation, or `batch` is out of range.
        TypeError: If these are no records, or the observation is no observer.
    """
    some = batches(records, batch, variants=variants)
    return (_collected(each, observer_for(each.rules, observation)) for each in some)


def _collected(batch: Batch, observer: AnyObserver) -> Decisions:
    starts, _ = batch.spans
    found = _blank(batch, observer)
    paid = np.zeros(len(found))
    latest = np.full((len(starts), batch.rules.num_players), -1)  # decision of each seat
    for step, (engine, rows, actions) in enumerate(batch.play()):
        has_decided = latest >= 0
        paid[latest[has_decided]] += engine.rewards[has_decided]
        seats, places = engine.to_move[rows], starts[rows] + step
        before = latest[rows, seats]
        found.next[before[before >= 0]] = places[before >= 0]
        latest[rows, seats] = places
        found.seat[places], found.actions[places] = seats, actions
        if rows.size:
            found.observations[places] = observer(engine.look(seats, rows))
            found.masks[places] = engine.legal_mask(rows)
    found.rewards[:] = paid
    has_decided = latest >= 0
    found.last[latest[has_decided]] = True
    found.terminated[latest[has_decided & engine.state.terminated[:, None]]] = True
    return found


def _blank(batch: Batch, observer: AnyObserver) -> Decisions:
    """Return as many decisions as the records have, of which only game and step are filled in."""
    starts, counts = batch.spans
    number = int(counts.sum())
    return Decisions(
        game=batch.first + np.arange(len(counts)).repeat(counts),
        step=np.arange(number) - starts.repeat(counts),
        seat=np.zeros(number, np.int8),
        observations=np.zeros((number, observer.size), observer.dtype),
        masks=np.zeros((number, len(action_space(batch.rules))), np.bool_),
        actions=np.zeros(number, np.intp),
        rewards=np.zeros(number, np.float32),
        next=np.full(number, -1, np.intp),
        last=np.zeros(number, np.bool_),
        terminated=np.zeros(number, np.bool_),
    )
