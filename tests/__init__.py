"""Tests of the rummy environments."""

import os

# Tests run side by side, where more threads only wait; set before anything imports NumPy.
os.environ.setdefault("OMP_NUM_THREADS", "1")
