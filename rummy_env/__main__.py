"""The console command `rummy-env`, also `python -m rummy_env`."""

import argparse
import inspect
import sys
import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path

from rummy_env.baselines.policies import NAMES, playing
from rummy_env.command_line import plain_errors, run, summary
from rummy_env.core.rules import Rules
from rummy_env.variants import VARIANTS, rules, variant
from rummy_env.variants.options import describe, plain
from rummy_env.version import __version__

COMMANDS = {
    "variants": (__name__, "list the variants, and the options of one"),
    "play": ("rummy_env.play.command", "play in the browser or the terminal, or watch agents"),
    "compare": ("rummy_env.evaluation.command", "compare agents on duplicate deals"),
    "replay": ("rummy_env.replay.command", "show recorded games in the terminal, or as pictures"),
    "check": ("rummy_env.checking.command", "check that a variant, as of your own, works"),
    "stats": ("rummy_env.evaluation.stats_command", "sum up recorded games"),
}
"""The module of every subcommand, and a line of help."""


def console(argv: Sequence[str] | None = None) -> int:
    """Run a subcommand and return its exit code; help and bad input end by a SystemExit.

    Import strings also name modules of the working directory. It comes last, so that no file there
    takes the place of a module that the command itself imports.
    """
    here = str(Path.cwd())
    if not sys.flags.safe_path and not {"", here} & {*sys.path}:
        sys.path.append(here)
    given = sys.argv[1:] if argv is None else argv
    listed = "\n".join(f"  {name:10}{about}" for name, (_, about) in COMMANDS.items())
    parser = argparse.ArgumentParser(
        prog="rummy-env",
        description=f"Environments for the rummy family of card games.\n\n{listed}",
        epilog="rummy-env COMMAND --help lists the flags of a command.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"rummy-env {__version__}")
    parser.add_argument("command", choices=COMMANDS)
    name = parser.parse_args(given[:1]).command
    return run(COMMANDS[name][0], f"rummy-env {name}", given[1:])


def main(argv: Sequence[str], command: str) -> int:
    """List the catalogue, or the options of one variant."""
    parser = argparse.ArgumentParser(prog=command, description=summary(main))
    parser.add_argument("variant", nargs="?", help="a name, or an import string of your own")
    chosen = parser.parse_args(argv).variant
    with plain_errors():
        if chosen is not None:
            print(f"{_options(chosen, variant(chosen))}\n\n{_agents(rules(chosen))}")
        else:
            print(_catalogue())
    return 0


def _catalogue() -> str:
    """All variants: the summary and the defaults of each."""
    entries = []
    for name, function in VARIANTS.items():
        options = inspect.signature(function).parameters.values()
        defaults = " ".join(f"{option.name}={option.default!r}" for option in options)
        entries.append(f"{name}: {summary(function)}\n{_wrapped(defaults)}")
    return "\n\n".join(entries)


def _options(name: str, function: Callable[..., Rules]) -> str:
    """Return a variant: its summary, and a line or two for each option."""
    lines = [f"{name}: {summary(function)}"]
    for option in inspect.signature(function).parameters.values():
        if option.kind is option.VAR_KEYWORD:
            lines.append(f"\n**{option.name}")
            continue
        values, meaning = map(plain, describe(name, option.name))
        lines.append(f"\n{option.name}={option.default!r}" + (f"   {values}" if values else ""))
        lines += [_wrapped(meaning)] if meaning else []
    return "\n".join(lines)


def _agents(rules: Rules) -> str:
    """Return the agents of the package that play some rules."""
    return f"agents with the usual options: {', '.join(playing(rules, NAMES))}"


def _wrapped(text: str) -> str:
    return textwrap.fill(text, 96, initial_indent="    ", subsequent_indent="    ")


if __name__ == "__main__":
    sys.exit(console())
