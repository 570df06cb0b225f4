"""Baselines: every heuristic by name, the protocol of a policy, and saved models as policies."""

from rummy_env.baselines.gin import Camper, Careful, Simple
from rummy_env.baselines.heuristics import Farsighted, Greedy, Patient, Policy, Random, Strong
from rummy_env.baselines.policies import BASELINES, SEARCHES, resolve
from rummy_env.baselines.saved import Trained

__all__ = [
    "BASELINES",
    "SEARCHES",
    "Camper",
    "Careful",
    "Farsighted",
    "Greedy",
    "Patient",
    "Policy",
    "Random",
    "Simple",
    "Strong",
    "Trained",
    "resolve",
]
