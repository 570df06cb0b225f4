"""The command `python -m rummy_env.replay FILE`; `rummy-env replay` is the same."""

import sys

from rummy_env.command_line import run

if __name__ == "__main__":
    sys.exit(run("rummy_env.replay.command", "python -m rummy_env.replay"))
