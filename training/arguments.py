"""Agents as the training commands name them: what the package knows, and models with a network."""

from rummy_env import command_line
from rummy_env.baselines import Policy

MODEL = ".zip"
"""How the names of models end that Stable-Baselines3 has saved."""


def load_agent(agent: str, *, deterministic: bool = False) -> Policy:
    """An agent from its name, an import string, or the path of a model.

    Args:
        agent: As for `command_line.load_agent`, or the path of a zip.
        deterministic: True for a model that always plays its likeliest action.

    Raises:
        ValueError: If there is no such agent.
    """
    if not agent.endswith(MODEL):
        return command_line.load_agent(agent, deterministic=deterministic)
    from agents.saved import Saved  # here, for it takes torch

    return Saved(agent, deterministic=deterministic)
