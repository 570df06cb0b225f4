"""The effect of illegal actions."""

ILLEGAL_ACTION = ("raise", "penalise", "random")
"""Raise an error and change nothing; end the game with a penalty; play any legal action instead."""

ILLEGAL_REWARD = -1.0
"""The reward of an illegal action that ends the game."""

ILLEGAL_ENDING = "illegal action"
"""How a game ended that an illegal action has ended."""
