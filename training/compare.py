"""Compares agents on duplicate deals: `python -m training.compare VARIANT --agents A B C ...`."""

import sys

from rummy_env.evaluation.tournament import main

if __name__ == "__main__":
    sys.exit(main())
