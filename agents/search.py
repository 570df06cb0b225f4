"""The search of the package, where checkouts have always had it."""

from rummy_env.search.planner import MOST_WORLDS, Leaf, Lookahead, Search, Thoughts

__all__ = ["MOST_WORLDS", "Leaf", "Lookahead", "Search", "Thoughts"]
