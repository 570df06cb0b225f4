"""The command that opens a table: `rummy-env play [VARIANT]`."""

import asyncio
import contextlib
import os
import sys
import webbrowser
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rummy_env import command_line
from rummy_env.baselines.policies import NAMES, strongest
from rummy_env.core.checks import check_range
from rummy_env.core.rules import Rules
from rummy_env.files import alone
from rummy_env.importing import extra
from rummy_env.play.addresses import bound, is_loopback, outside_host, own_host, url
from rummy_env.play.house import PACE, House
from rummy_env.play.offer import Offer
from rummy_env.play.orders import MAX_SEED, Order
from rummy_env.play.seats import Person, Seat, check_name

with extra("play", "playing"):
    import tyro

PORT = 8470
PEOPLE = ("you", "friend")
"""Seats for people, on the command line."""
SERVED = (
    *(("--host", "host"), ("--port", "port"), ("--own-names", "own_names")),
    *(("--allow-code", "allow_code"), ("--no-browser", "browser"), ("--pace", "pace")),
)
"""Flags of the server, with the names of what they set."""
MAX_SOCKET_MESSAGE = 1 << 16
"""Bytes of a message from a page; a socket that sends more is closed."""


@dataclass(frozen=True)
class Settings:
    """Opens a table in the browser or the terminal: play, watch agents, ask what they think.

    rummy-env play gin opens a table of gin, and rummy-env play gin --help also lists the options
    of gin.

    Attributes:
        seats: Who sits where, with a VARIANT: you, the name of an agent, or friend for somebody who
            joins by a link. By default you, and an agent in every other seat.
        agents: More agents for the page to offer: saved models such as runs/x/best.npz, or import
            strings such as my_agents:Eager. NAME=AGENT gives an agent a name.
        seed: The seed of the first game, with a VARIANT; random by default.
        name: Your name at the table.
        terminal: Play in the terminal instead of the browser.
        host: The address to bind to. By default only this machine can reach the server; with
            0.0.0.0 everybody can who reaches this machine.
        port: The port to bind to; 0 picks a free one.
        own_names: Names by which the server is reached besides those of the machine, such as that
            of a server with TLS before it.
        allow_code: Let pages name import strings and model files, which run code as you.
        folder: Where tables and records are kept, so that a server that was killed can continue; of
            games in the terminal, the records alone. By default rummy_env/play in the user's state
            folder.
        pace: Seconds that an agent waits before it acts, so that you can undo a slip.
        browser: Open the browser.
    """

    seats: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    seed: int | None = None
    name: str = "You"
    terminal: bool = False
    host: str = "127.0.0.1"
    port: int = PORT
    own_names: tuple[str, ...] = ()
    allow_code: bool = False
    folder: Path = field(default_factory=lambda: state_folder())
    pace: float = PACE
    browser: bool = True


def state_folder() -> Path:
    """Return the folder in which tables are kept unless told otherwise."""
    base = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(base) / "rummy_env" / "play"


def main(argv: Sequence[str], command: str) -> int:
    """Run the command and return its exit code."""
    with command_line.plain_errors():
        rules, settings = _parsed(argv, command)
        _check(rules, settings)
        offer = _offer(settings, "" if rules is None else rules.name)
        order = None if rules is None else _order(rules, settings, offer)
        if settings.terminal and order is not None:
            from rummy_env.play.terminal import play_in_terminal

            return play_in_terminal(order, settings.folder)
        return _serve(offer, order, settings)


def _parsed(argv: Sequence[str], command: str) -> tuple[Rules | None, Settings]:
    """Return the rules, where a variant is named, and the flags."""
    if argv and not argv[0].startswith("-"):
        return command_line.parse(Settings, command, argv)
    return None, tyro.cli(Settings, prog=command, args=argv)


def _check(rules: Rules | None, settings: Settings) -> None:
    if rules is None:
        given = {"--seats": settings.seats, "--seed": settings.seed is not None}
        given["--name"] = settings.name != Settings.name
        if unheeded := [flag for flag, value in given.items() if value]:
            raise ValueError(
                f"{', '.join(unheeded)} without a variant: name one, or choose it on the page"
            )
    if settings.terminal:
        if rules is None:
            raise ValueError("--terminal: name a variant, as in rummy-env play gin --terminal")
        usual = Settings()
        given = {flag: getattr(settings, name) != getattr(usual, name) for flag, name in SERVED}
        if unheeded := [flag for flag, value in given.items() if value]:
            raise ValueError(f"{', '.join(unheeded)}: without effect with --terminal; leave it out")
    if settings.seed is not None:
        check_range("--seed", settings.seed, 0, MAX_SEED)
    check_range("--port", settings.port, 0, 65535)
    for name in settings.own_names:
        if not name or set(name) & set(":/"):
            raise ValueError(f"--own-names {name}: give a name alone, such as rummy.example.org")
    if not 0 <= settings.pace <= 60:
        raise ValueError(f"--pace {settings.pace}: give 0 to 60 seconds")


def _offer(settings: Settings, variant: str) -> Offer:
    """Return the agents that flags name, for seats or besides, and those always offered."""
    agents = command_line.load_agents(settings.agents)
    for name in PEOPLE:
        if name in agents:
            raise ValueError(f"--agents {name}=...: {name} is a person; give another name")
    others = [text for text in settings.seats if text not in (*PEOPLE, *NAMES, *agents)]
    seated = command_line.load_agents([*dict.fromkeys(others)])
    for name in seated:
        if name in (*PEOPLE, *NAMES, *agents):
            raise ValueError(f"--seats {name}=...: {name} is taken; give another name")
    return Offer({**agents, **seated}, allow_code=settings.allow_code, variant=variant)


def _order(rules: Rules, settings: Settings, offer: Offer) -> Order:
    """Return the table that the flags ask for."""
    others = rules.num_players - 1
    seats = settings.seats or ("you", *[strongest(rules)] * others)
    if len(seats) != rules.num_players:
        raise ValueError(
            f"--seats {' '.join(seats)}: give {rules.num_players}, for {rules.num_players} players"
        )
    if not {*PEOPLE}.intersection(seats):
        raise ValueError(f"--seats {' '.join(seats)}: only agents sit here; give 'you' a seat")
    return Order(rules, tuple(_seat(text, rules, settings, offer) for text in seats), settings.seed)


def _seat(text: str, rules: Rules, settings: Settings, offer: Offer) -> Seat:
    if text in PEOPLE:
        return Person(check_name(settings.name if text == "you" else "Friend"))
    return offer.seat(text if text in offer else command_line.named(text)[0], rules)


def _serve(offer: Offer, order: Order | None, settings: Settings) -> int:
    """Serve until Ctrl-C."""
    with extra("play", "playing in the browser"):
        import uvicorn
        import websockets  # noqa: F401  (uvicorn imports it when somebody comes)

        from rummy_env.play.server import app_of

    folder = settings.folder
    with command_line.writing_to("--folder", folder):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    taken = f"--folder {folder}: another server keeps its tables there; give another folder"
    with alone(folder, taken), bound(settings.host, settings.port) as listening:
        house = House(offer, folder=folder, pace=settings.pace)
        for warning in house.warnings:
            command_line.print_error(ValueError(warning))
        port = listening.getsockname()[1]
        outside = None if is_loopback(settings.host) else url(outside_host(settings.host), port)
        _greet(house, settings, order, here=url(own_host(settings.host), port), outside=outside)
        config = uvicorn.Config(
            app_of(house, outside=outside, names=[*map(str.lower, settings.own_names)]),
            log_level="warning",
            ws_max_size=MAX_SOCKET_MESSAGE,
            ws="websockets-sansio",
            timeout_graceful_shutdown=2,
        )
        with contextlib.closing(asyncio.new_event_loop()) as loop:
            try:
                loop.run_until_complete(uvicorn.Server(config).serve(sockets=[listening]))
            except KeyboardInterrupt:
                sys.stdout.flush()
                os._exit(command_line.INTERRUPTED)  # waits for no agent that thinks in a thread
    return 0


def _greet(
    house: House, settings: Settings, order: Order | None, *, here: str, outside: str | None
) -> None:
    """Say where the table is, and who can reach it.

    Args:
        house: The tables.
        settings: The flags.
        order: The table to set, if the flags name one.
        here: The address of the page on this machine.
        outside: Its address for other machines; None if they cannot reach it.
    """
    print(f"open {here}")
    start, others = here, outside or here
    if order is not None:
        start = _set_up(house, check_name(settings.name), order, here=here, outside=others)
    if len(house):
        print(f"tables: {len(house)}, kept in {settings.folder}")
    if outside is not None:
        print(
            f"others open {outside}, or the name or another address of this machine; anybody who "
            "can reach this machine can open the page, set tables and watch finished games; "
            "nothing is encrypted: among strangers, put a server with TLS before it",
            file=sys.stderr,
        )
    print("Ctrl-C ends it", flush=True)
    if settings.browser:
        webbrowser.open(start)


def _set_up(house: House, name: str, order: Order, *, here: str, outside: str) -> str:
    """Set a table, and print the links to its seats: one is for this machine.

    Returns:
        That link: to the first seat for somebody of that name, else to the first for a person.
    """
    links = house.set_up(order)
    own = next((link for link in links if link["name"] == name), links[0])
    for link in links:
        address = here if link is own else outside
        print(f"  seat {link['seat']}, {link['name']}: {address}#seat={link['token']}")
    return f"{here}#seat={own['token']}"
