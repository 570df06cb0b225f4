"""Games of agents against agents, to be watched."""

from rummy_env.play.orders import Order
from rummy_env.play.room import choice
from rummy_env.play.seats import Agent
from rummy_env.play.table import Table

MOST_ACTIONS = 20_000
"""Actions of such a game; one that is longer is shown as far as it went."""


def played_out(order: Order) -> Table:
    """The table with a game that agents have played to its end.

    Raises:
        ValueError: If a seat is for a person.
    """
    if not all(isinstance(seat, Agent) for seat in order.seats):
        raise ValueError("a person sits here: give every seat an agent, or sit down and play")
    table = Table(order.rules, order.seats, order.seed)
    while (agent := table.agent_to_move) is not None and len(table.actions) < MOST_ACTIONS:
        table.play(table.mover, choice(table, agent))
    return table
