"""The search of the package, where checkouts have always had it."""

from rummy_env.search.planner import Leaf, Lookahead, Search, Thorough, Thoughts
from rummy_env.search.race import MOST_WORLDS

__all__ = ["MOST_WORLDS", "Leaf", "Lookahead", "Search", "Thorough", "Thoughts"]
