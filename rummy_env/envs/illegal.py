"""What becomes of an action that the rules do not allow."""

ILLEGAL_ACTION = ("raise", "penalise", "random")
"""Raise an error and change nothing; end the game with a penalty; play any legal action instead."""

ILLEGAL_REWARD = -1.0
"""What an illegal action earns where it ends the game."""
