"""The command line that the training commands share: `VARIANT [flags]`.

The options of a variant become flags by themselves, from the signature of its function in the
catalogue; what they may be, the rules say, and their message is what the user reads.
"""

import dataclasses
import inspect
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, TypeVar, Union, get_type_hints

import tyro

import rummy_env
from rummy_env.baselines.policies import Policy, resolve
from rummy_env.core.rules import Rules
from rummy_env.variants import variant as function_of

Settings = TypeVar("Settings")

BAD_INPUT = 2
"""The exit code for a command that makes no sense."""
INTERRUPTED = 130
"""The exit code after Ctrl-C."""
MODEL = ".zip"
"""How the names of saved models end."""
CLASH = "rules_"
"""Put before an option of the variant that has the name of one of the command's own flags."""


def parse(
    settings: type[Settings], command: str, arguments: Sequence[str]
) -> tuple[Rules, Settings]:
    """Reads a command line.

    Args:
        settings: The command's own flags: a dataclass, whose docstring is the help. An option of
            the variant that has the name of one of them is given as `--rules-NAME`.
        command: What was called, such as `"python -m training.compare"`.
        arguments: What came after it.

    Returns:
        The rules and the command's own flags.

    Raises:
        SystemExit: With 2 after telling what is wrong with a flag, with 0 after helping.
        ValueError: If the rules refuse the variant or an option.
    """
    named = [text for text in arguments[:1] if not text.startswith("-")]
    variants = {name: function_of(name) for name in (*rummy_env.VARIANTS, *named)}
    commands = tuple(_command(*variant, settings) for variant in variants.items())
    either: Any = Union[commands]  # noqa: UP007  # its members are known at run time only
    given = tyro.cli(
        either,
        prog=command,
        args=arguments,
        config=(tyro.conf.OmitArgPrefixes, tyro.conf.OmitSubcommandPrefixes),
    )
    options = {f.name: getattr(given.rules, f.name) for f in dataclasses.fields(given.rules)}
    return rummy_env.rules(given.variant, **options), given.settings


def _command(variant: str, function: Callable[..., Rules], settings: type[Settings]) -> Any:
    """The subcommand of a variant, for tyro."""
    command = dataclasses.make_dataclass(
        "Command",
        [("settings", settings), ("rules", _options(function, settings))],
        namespace={"variant": variant, "__doc__": _summary(function)},
    )
    return Annotated[command, tyro.conf.subcommand(variant)]


def _summary(function: Callable[..., Any]) -> str:
    return (inspect.getdoc(function) or "").partition("\n\n")[0]


def _options(function: Callable[..., Rules], settings: type[Any]) -> type[Any]:
    """The options of a variant as a dataclass."""
    taken = {field.name for field in dataclasses.fields(settings)}
    hints = get_type_hints(function)
    options = [
        (name, _flag(name, hints[name], taken), dataclasses.field(default=option.default))
        for name, option in inspect.signature(function).parameters.items()
    ]
    return dataclasses.make_dataclass("Options", options)


def _flag(name: str, hint: Any, taken: set[str]) -> Any:
    flag = CLASH + name if name in taken else name
    return Annotated[hint, tyro.conf.arg(name=flag)]


@contextmanager
def plain_errors() -> Iterator[None]:
    """Turns the errors of bad input into a line and exit code 2; a traceback would help nobody.

    Raises:
        SystemExit: With 2.
    """
    try:
        yield
    except (ValueError, TypeError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        raise SystemExit(BAD_INPUT) from error


def load_agents(given: Sequence[str], *, deterministic: bool = False) -> Mapping[str, Policy]:
    """Agents as the command line names them.

    Args:
        given: Each a built-in name (`greedy`), an import string
            (`rummy_env.baselines.strong:Strong`) or a saved model (`runs/x/best.zip`); with a name
            of its own as `NAME=AGENT`.
        deterministic: Whether saved models play their likeliest action always.

    Returns:
        The agents by name. Without a name of its own, an agent goes by the end of what was given:
        `greedy`, `Strong`, `x/best`.

    Raises:
        ValueError: If there is no such agent, or two have the same name.
    """
    agents: dict[str, Policy] = {}
    for text in given:
        name, agent = _split_name(text)
        if name in agents:
            raise ValueError(f"two agents are called {name!r}: name one of them, as NAME={agent}")
        agents[name] = load_agent(agent, deterministic=deterministic)
    return agents


def _split_name(text: str) -> tuple[str, str]:
    """The name and the agent; a folder may have an equals sign in its name."""
    named = re.fullmatch(r"([^=/\\]+)=(.+)", text)
    if named:
        return named[1], named[2]
    if text.endswith(MODEL):
        return "/".join(Path(text).with_suffix("").parts[-2:]), text
    return text.rpartition(":")[2], text


def load_agent(agent: str, *, deterministic: bool = False) -> Policy:
    """An agent as the command line names it; see `load_agents`.

    Raises:
        ValueError: If there is no such agent.
    """
    if not agent.endswith(MODEL):
        return resolve(agent)
    from agents.saved import Saved  # here, for it takes torch

    return Saved(agent, deterministic=deterministic)
