"""An opponent that kills the worker in which it plays, to see what comes of the run."""

import math
import os
import signal
import time
from typing import ClassVar

from rummy_env.baselines import Random
from rummy_env.core.arrays import Bools, Rows
from rummy_env.core.shuffle import GameRandom
from rummy_env.core.visibility import SeatView

_BEGUN = time.monotonic()


class Mortal(Random):
    """Plays at random, and ends its process after so many seconds, but not that which made it."""

    seconds: ClassVar[float] = math.inf
    """Seconds that processes live, for those that are made from now on."""

    def __init__(self) -> None:
        self.home, self.life = os.getpid(), self.seconds

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        """See `rummy_env.baselines.heuristics.Policy`."""
        if os.getpid() != self.home and time.monotonic() - _BEGUN > self.life:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().act(view, mask, rng)
