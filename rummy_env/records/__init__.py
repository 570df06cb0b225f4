"""Records from which games can be replayed, each one line of JSON.

A game is a pure function of its rules, its seed and its actions, so a record holds these, with the
players and the outcome, which a replay must reproduce. The keys of a line are in docs/replays.md;
`rummy_env.envs.recording` writes lines, `rummy_env.replay` shows them.
"""

from rummy_env.records.decisions import Decisions, decisions
from rummy_env.records.playing import play
from rummy_env.records.reading import lines, read, read_game, record_of
from rummy_env.records.record import KNOWN, Outcome, Record, Variants, known_with

__all__ = [
    "KNOWN",
    "Decisions",
    "Outcome",
    "Record",
    "Variants",
    "decisions",
    "known_with",
    "lines",
    "play",
    "read",
    "read_game",
    "record_of",
]
