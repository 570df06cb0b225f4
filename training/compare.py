"""The command `rummy-env compare` by another name: `python -m training.compare`."""

import sys

from rummy_env.command_line import run

if __name__ == "__main__":
    sys.exit(run("rummy_env.evaluation.command", "python -m training.compare"))
