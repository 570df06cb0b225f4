"""Seeds of games that are learned from, apart from those that the flags of training give."""

_APART, _SEED = 1 << 63, 1 << 31


def seed_apart(seed: int, number: int) -> int:
    """Return a seed above all that flags of training give, which no other pair has.

    So demonstrations and labels are of other deals than evaluations and comparisons, and two runs
    whose seeds are neighbours have none in common. Self-play has no seeds of this kind: its first
    hands are the deals of a comparison with the seed of the run.

    Args:
        seed: That of a run, below 2**32.
        number: Which games of the run, below 2**31.
    """
    return _APART + _SEED * seed + number
