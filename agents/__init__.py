"""The agents to be benchmarked against: heuristics, and policies saved by training."""
