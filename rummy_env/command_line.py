"""The command line of commands on a variant: `VARIANT [flags]`.

The options of a variant become flags by themselves, from the signature of its function in the
catalogue; the rules check the values, and their message is printed.
"""

import codecs
import dataclasses
import importlib
import inspect
import io
import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from types import MappingProxyType
from typing import Annotated, Any, TextIO, TypeVar, get_type_hints

from rummy_env.baselines.heuristics import Policy
from rummy_env.baselines.policies import Named, name_of, resolve
from rummy_env.baselines.saved import SavedPolicy, Trained
from rummy_env.core.naming import SIGNS, printable
from rummy_env.core.rules import Rules
from rummy_env.importing import extra, is_import_string
from rummy_env.variants import VARIANTS
from rummy_env.variants import rules as rules_of
from rummy_env.variants import variant as function_of
from rummy_env.variants.options import describe, plain

Settings = TypeVar("Settings")

BAD_INPUT = 2
"""The exit code for a command that makes no sense, or lacks an extra."""
BAD = (ValueError, TypeError, OSError, ImportError)
"""The errors that bad input raises."""
INTERRUPTED = 130
"""The exit code after Ctrl-C or SIGTERM."""
CLASH = "rules_"
"""Put before an option of the variant that has the name of one of the command's own flags."""
FIRST = next(iter(VARIANTS))
"""The variant of examples."""


def run(module: str, command: str, argv: Sequence[str] | None = None) -> int:
    """Import a module, which may need an extra, and run its `main` as the command of that name.

    The arguments are those of the process where None. Returns the exit code: 0 as well where the
    output goes to a pipe that its reader has closed, as `head` does, and 130 after Ctrl-C or
    SIGTERM. A missing extra is an error.
    """
    _open_streams()
    codecs.register_error("plainer", _plainer)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="plainer")
    try:
        with _sigterm_as_ctrl_c():
            with plain_errors():
                main = importlib.import_module(module).main
            code: int = main(sys.argv[1:] if argv is None else argv, command)
        sys.stdout.flush()
    except BrokenPipeError:
        nobody_reads(sys.stdout)
        return 0
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


@contextmanager
def _sigterm_as_ctrl_c() -> Iterator[None]:
    """Let SIGTERM, which `timeout` and schedulers send, end the work as Ctrl-C does."""
    if threading.current_thread() is not threading.main_thread():  # others get no signals
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _open_streams() -> None:
    """Let a standard stream that the caller has closed (`>&-`) lead nowhere: Python has None."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode))


def nobody_reads(stream: TextIO) -> None:
    """Give what is printed to a stream from now on, and what is left in its buffer, a place."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _plainer(error: UnicodeError) -> tuple[str, int]:
    """Write letters for suits, and `?` for other signs, that the encoding of the output lacks."""
    assert isinstance(error, UnicodeEncodeError)
    letters = {sign: suit for suit, sign in SIGNS.items()}
    lacking = error.object[error.start : error.end]
    return "".join(letters.get(sign, "?") for sign in lacking), error.end


def parse(
    settings: type[Settings],
    command: str,
    arguments: Sequence[str],
    default: Settings | None = None,
    options: Mapping[str, Any] = MappingProxyType({}),
) -> tuple[Rules, Settings]:
    """Read the arguments of a command, such as `"python -m training.fit"`.

    Its own flags are the fields of `settings`, a dataclass whose docstring is the help. An option
    of the variant that has the name of one of them is given as `--rules-NAME`. Those that are not
    given are as in `default` and in `options`, where these have them.

    Raises:
        SystemExit: With 2 after telling what is wrong with a flag, with 0 after helping.
        ValueError: If no variant is named, the rules refuse it or an option, or an argument is
            empty.
        ImportError: If tyro is not installed.
    """
    with extra("compare", command):
        import tyro

    if "" in arguments:
        last = " ".join([*arguments[: arguments.index("")][-1:], "''"])
        raise ValueError(f"{last}: an empty argument; give a value, or leave the flag out")
    if {"-h", "--help"}.intersection(arguments[:1]):
        print(_help(settings, command))
        raise SystemExit(0)
    if not arguments or arguments[0].startswith("-"):
        names = ", ".join(VARIANTS)
        meant = " ".join([command, FIRST, *arguments])
        raise ValueError(f"{command}: name the variant first, one of {names}: {meant}")
    name, *flags = arguments
    given: Any = tyro.cli(
        _command(name, settings, default, options),
        prog=f"{command} {name}",
        args=flags,
        config=(tyro.conf.OmitArgPrefixes,),
    )
    chosen = {f.name: getattr(given.rules, f.name) for f in dataclasses.fields(given.rules)}
    return rules_of(given.variant, **chosen), given.settings


def _help(settings: type[Settings], command: str) -> str:
    """Return what the command is for, and its variants."""
    width = max(map(len, VARIANTS))
    lines = [f"  {name:{width}}  {summary(made)}" for name, made in VARIANTS.items()]
    return "\n".join(
        [
            f"usage: {command} VARIANT [OPTIONS]",
            "",
            summary(settings),
            "",
            *lines,
            "",
            "A variant of your own is named by its import string, such as my_games:small.",
            f"{command} {FIRST} --help lists the options.",
        ]
    )


def _command(
    variant: str,
    settings: type[Settings],
    default: Settings | None,
    options: Mapping[str, Any],
) -> Any:
    """Return what tyro reads the flags of a variant into."""
    function = function_of(variant)
    usual = dataclasses.field() if default is None else dataclasses.field(default=default)
    return dataclasses.make_dataclass(
        "Command",
        [("settings", settings, usual), ("rules", _options(variant, function, settings, options))],
        namespace={"variant": variant, "__doc__": summary(function)},
        kw_only=True,
    )


def summary(function: Callable[..., Any]) -> str:
    """Return the first paragraph of a function's docstring."""
    return (inspect.getdoc(function) or "").partition("\n\n")[0]


def _options(
    variant: str,
    function: Callable[..., Rules],
    settings: type[Any],
    usual: Mapping[str, Any],
) -> type[Any]:
    """Return the options of a variant as a dataclass, with `usual` values in place of some."""
    import tyro

    taken = {field.name for field in dataclasses.fields(settings)}
    try:
        hints, options = get_type_hints(function), []
    except TypeError as error:  # of a partial, or an object that can be called
        raise ValueError(
            f"{variant}: flags are made from the parameters of a function; write one with def"
        ) from error
    for name, option in inspect.signature(function).parameters.items():
        if option.kind is option.VAR_KEYWORD:
            raise ValueError(
                f"{variant}: a flag cannot be one of its '**{name}'; give it parameters of their "
                f"own, as 'num_players: int = 2'"
            )
        if name not in hints or option.default is option.empty:
            raise ValueError(
                f"{variant}: its option {name!r} lacks its type or its default; write it as in "
                f"'num_players: int = 2'"
            )
        values, meaning = map(plain, describe(variant, name))
        flag = tyro.conf.arg(
            name=CLASH + name if name in taken else name,
            help=f"{meaning} Values: {values}." if values else None,
        )
        field = dataclasses.field(default=usual.get(name, option.default))
        options.append((name, Annotated[hints[name], flag], field))
    return dataclasses.make_dataclass("Options", options)


@contextmanager
def plain_errors(kinds: tuple[type[Exception], ...] = BAD) -> Iterator[None]:
    """Turn the errors of bad input into a line and a SystemExit with 2, without a traceback.

    So it goes around what reads and checks the input; around the work itself it is given the kinds
    of errors that are nobody's bug. Errors with a note come from code of the user's, who needs the
    traceback.
    """
    try:
        yield
    except BrokenPipeError:
        raise  # `run` ends quietly
    except kinds as error:
        if getattr(error, "__notes__", ()):
            raise
        print_error(error)
        raise SystemExit(BAD_INPUT) from error


@contextmanager
def writing_to(flag: str, path: Path) -> Iterator[None]:
    """Turn an OSError into a ValueError that names the flag, the path and the remedy."""
    try:
        yield
    except OSError as error:
        raise ValueError(f"{flag} {path}: {error.strerror}; give another path") from error


def check_folder(flag: str, folder: Path) -> None:
    """Make a folder if need be; a ValueError if no file can be written into it."""
    try:
        str(folder).encode()
    except UnicodeEncodeError:
        raise ValueError(f"{flag} {folder}: its name is not UTF-8; give another path") from None
    with writing_to(flag, folder):
        folder.mkdir(parents=True, exist_ok=True)
        TemporaryFile(dir=folder).close()


def print_error(error: Exception) -> None:
    """Print an error, line by line, with what a file may have put into it made `printable`."""
    text = str(error)
    if isinstance(error, OSError) and error.filename is not None:
        text = f"{error.filename}: {error.strerror}"
    for i, line in enumerate(text.split("\n")):
        print(printable(line if i else f"error: {line}"), file=sys.stderr)


def named(text: str) -> tuple[str, str]:
    """Return the name and the agent of `NAME=AGENT`; of an agent alone, its short name.

    A text that is the path of a file is an agent alone, whatever it is called.
    """
    if os.path.isfile(text):  # noqa: PTH113  (False, too, for what is too long to be a path)
        return name_of(text), text
    found = re.fullmatch(r"([^=/\\]+)=(.+)", text)  # a folder may have an equals sign in it
    return (found[1], found[2]) if found else (name_of(text), text)


def load_agents(
    given: Sequence[str], *, sample: bool = False, isolate: bool = False
) -> Mapping[str, Named]:
    """Agents by name, each given as for `load_agent`, or as `NAME=AGENT` with a name of its own.

    Without one, `greedy`, `my_agents:Eager` and `runs/x/best.npz` are `greedy`, `Eager` and
    `x/best`. Import strings of agents to `isolate` are not imported here.

    Raises:
        ValueError: If there is no such agent, or two have the same name.
    """
    agents: dict[str, Named] = {}
    for text in given:
        name, agent = named(text)
        if name in agents:
            raise ValueError(f"two agents are called {name!r}: name one of them, as NAME={agent}")
        theirs = isolate and is_import_string(agent)
        agents[name] = agent if theirs else load_agent(agent, sample=sample)
    return agents


def load_agent(agent: str, *, sample: bool = False) -> Policy:
    """Resolve an agent as `rummy_env.baselines` does: a name, an import string or a saved model.

    A saved model plays its likeliest action; to `sample`, it draws by its odds.

    Raises:
        ValueError: If there is no such agent.
    """
    found = resolve(agent)
    if sample and isinstance(found, SavedPolicy | Trained):
        found.deterministic = False
    return found
