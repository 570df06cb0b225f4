"""Mutants of what is kept and counted: records, replays, arena, statistics."""

from tests.mutants import Mutant

MUTANTS = (
    Mutant(
        "record of a game cut off",
        "a game is written down when it ends, also when it is cut off",
        "live[(self.finished | full).take(live)]",
        "live[(self.terminated | full).take(live)]",
        ("test_recording",),
    ),
    Mutant(
        "played on after close",
        "a game that was written down unfinished is not written again",
        "        for row in rows.tolist():\n            self._actions[row] = None\n",
        "        for row in rows.tolist():\n            self._actions[row] = []\n",
        ("test_recording",),
    ),
    Mutant(
        "actions after the end",
        "a record with actions after the end of its game does not replay",
        "if over.size:\n                raise Departed(records[over[0]]",
        "if not records:\n                raise Departed(records[over[0]]",
        ("test_records",),
    ),
    Mutant(
        "paid between decisions",
        "a decision is paid what its seat gets until it decides again, whoever ends the hand",
        "paid[latest[has_decided]] += engine.rewards[has_decided]",
        "paid[latest[has_decided]] = engine.rewards[has_decided]",
        ("test_records_decisions",),
    ),
    Mutant(
        "step 0",
        "a replay begins with the deal",
        "islice(play(record), 0, None, apart)",
        "islice(play(record), 1, None, apart)",
        ("test_replay",),
    ),
    Mutant(
        "same cards in every seating",
        "all seatings of a deal have its seed",
        "np.repeat(seeds, seatings.shape[1])",
        "np.tile(seeds, seatings.shape[1])",
        ("test_arena",),
    ),
    Mutant(
        "few deals",
        "intervals of few deals count two that were not played",
        "sample = np.append(values, [least, most])",
        "sample = values",
        ("test_statistics",),
    ),
    Mutant(
        "the other side",
        "seen from the other side, the upper end of an interval is the lower",
        "Estimate(0.0 - self.value, 0.0 - self.high, 0.0 - self.low)",
        "Estimate(0.0 - self.value, 0.0 - self.low, 0.0 - self.high)",
        ("test_statistics",),
    ),
    Mutant(
        "ratings and their intervals",
        "a rating is fitted to the same deals that were not played as its interval",
        "_strengths(wins.sum(axis=0) + games, pairs)",
        "_strengths(wins.sum(axis=0), pairs)",
        ("test_statistics",),
    ),
    Mutant(
        "winners of hands",
        "a hand is won by whom the rules name",
        "state.hand_winners[rows] = won",
        "state.hand_winners[rows] = won & (state.scores[rows] != 0)",
        ("test_arena",),
    ),
)
