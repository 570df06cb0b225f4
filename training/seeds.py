"""Seeds of games that are learned from, apart from those that the flags of training give."""

_APART, _SEED = 1 << 63, 1 << 31
SELF_PLAY = 1 << 30
"""The first number of games of self-play; demonstrations and labels have lower ones."""
EVALUATIONS = SELF_PLAY - 1
"""The number of the deals of evaluations: models are chosen by other deals than any report's."""
HINDSIGHT = EVALUATIONS - 1
"""The number of the games in which the costs of discards are measured."""


def seed_apart(seed: int, number: int) -> int:
    """Return a seed above all that flags of training give, which no other pair has.

    So what is learned from are other deals than those of evaluations and comparisons, and two runs
    whose seeds are neighbours have none in common.

    Args:
        seed: That of a run, below 2**32.
        number: Which games of the run, below 2**31; from `SELF_PLAY` on those of self-play.
    """
    return _APART + _SEED * seed + number
