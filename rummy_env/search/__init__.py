"""Search: worlds that a seat may believe in, and games played out in them.

A planner for these games needs three things: worlds that agree with what the seat knows, the same
worlds for every move that it weighs, and many games played to their end at once.

    games = worlds(view.take(items), seeds)      an Engine; the viewer sits in seat 0 of each world
    gains = play_out(games, policy, moves)       float32[M, P], the lead of each seat at the end

`play_on` stops where the viewer chooses again, and asks for the value of what is still to come.
`Race` stops trying out moves that are behind by more than chance. `Search` is an agent made of
these; docs/search.md says what `Lookahead` and `Thorough` add to the models of the package.
"""

from rummy_env.search.planner import Lookahead, Search, Thorough, Thoughts
from rummy_env.search.race import Race
from rummy_env.search.rollouts import play_on, play_out
from rummy_env.search.world import worlds

__all__ = ["Lookahead", "Race", "Search", "Thorough", "Thoughts", "play_on", "play_out", "worlds"]
