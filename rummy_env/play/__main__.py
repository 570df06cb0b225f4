"""The command `python -m rummy_env.play`; `rummy-env play` is the same."""

import sys

from rummy_env.command_line import run

if __name__ == "__main__":
    sys.exit(run("rummy_env.play.command", "python -m rummy_env.play"))
