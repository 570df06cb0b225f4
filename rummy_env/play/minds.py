"""What agents think of positions, and of what people chose: the coach."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from rummy_env.baselines.asking import answer
from rummy_env.baselines.explanation import Explanation, explanations
from rummy_env.baselines.heuristics import Policy
from rummy_env.core.arrays import Float64s
from rummy_env.core.engine import Engine
from rummy_env.core.naming import action_name
from rummy_env.parts.rewards import counted
from rummy_env.play.moves import told_actions
from rummy_env.records.playing import play
from rummy_env.records.record import Record


@dataclass(frozen=True)
class Thought:
    """What an agent thinks of the decision that a seat has to take.

    Attributes:
        chosen: The action that it would play.
        explanation: Its reasons.
    """

    chosen: int
    explanation: Explanation

    def cost(self, action: int) -> float | None:
        """Return what an action gives away beside the chosen one; None without values.

        An action of a higher value gives none away: the agent has not found that it is better.
        """
        values = self.explanation.values
        if values is None or np.isnan(values).all():
            return None
        if action == self.chosen:
            return 0.0
        cost = float(values[self.chosen] - values[action])
        return None if math.isnan(cost) else max(0.0, cost)

    def probability(self, action: int) -> float | None:
        """Return the probability with which it would play an action; None where it tells none."""
        found = self.explanation.probabilities
        return None if found is None else float(found[action])


def think(policy: Policy, engine: Engine) -> Iterator[Thought]:
    """Yield what a policy thinks of one game, for the seat to move: once, or better and better.

    The policy sees what that seat may know. The game must not go on meanwhile.
    """
    view, mask, rng = engine.look(engine.to_move), engine.legal_mask(), engine.random()
    usual: int | None = None
    for explanation in explanations(policy, view, mask, rng):
        chosen = explanation.choice
        if chosen is None:  # values and probabilities do not say what it would play
            usual = int(answer(policy, view, mask, rng)[0]) if usual is None else usual
            chosen = usual
        yield Thought(chosen, explanation)


def told_thought(thought: Thought, engine: Engine) -> dict[str, Any]:
    """Return a thought about the seat to move as a page shows it."""
    why, actions = thought.explanation, engine.space.actions
    moves = told_actions(engine.space, engine.legal_mask()[0])
    for move in moves:
        number = move["action"]
        move["probability"] = thought.probability(number)
        move["value"], move["error"] = _at(why.values, number), _at(why.errors, number)
        if why.lead is not None:
            move["ahead"] = _at(why.lead.values, number)
            move["ahead_error"] = _at(why.lead.errors, number)
        weights = {name: _at(weight, number) for name, weight in why.weights.items()}
        move["weights"] = {name: value for name, value in weights.items() if value is not None}
    return {
        "chosen": thought.chosen,
        "words": action_name(actions[thought.chosen]),
        "value": why.value,
        "unit": counted(engine.rules),
        "worlds": why.worlds,
        "over": None if why.lead is None else action_name(actions[why.lead.over]),
        "note": why.note,
        "moves": moves,
    }


def _at(numbers: Float64s | None, action: int) -> float | None:
    if numbers is None or not math.isfinite(numbers[action]):
        return None
    return round(float(numbers[action]), 4)


def coach(policy: Policy, record: Record, seat: int) -> Iterator[dict[str, Any]]:
    """Each decision of a seat in a game beside what a policy would have chosen.

    The policy sees what the seat knew at that moment.
    """
    for step, (action, engine) in enumerate(zip(record.actions, play(record), strict=False)):
        if engine.to_move[0] == seat:
            *_, thought = think(policy, engine)
            yield {
                "step": step,
                "hand": int(engine.state.hand_number[0]) + 1,
                "turn": int(engine.state.turn_number[0]) + 1,
                "yours": action_name(engine.describe(action)),
                "coach": action_name(engine.describe(thought.chosen)),
                "same": thought.chosen == action,
                "cost": thought.cost(action),
                "unit": counted(engine.rules),
                "probability": thought.probability(action),
            }
