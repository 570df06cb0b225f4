"""The names and addresses of a server: where it listens, and what it may be called."""

import contextlib
import errno
import ipaddress
import socket
from collections.abc import Collection, Mapping
from types import MappingProxyType
from urllib.parse import urlsplit

EVERYWHERE: Mapping[str, tuple[socket.AddressFamily, ...]] = MappingProxyType(
    {"0.0.0.0": (socket.AF_INET,), "::": (socket.AF_INET6, socket.AF_INET)}
)
"""What a server binds to for all addresses of its machine, and the families that these are of."""
ELSEWHERE: Mapping[socket.AddressFamily, str] = MappingProxyType(
    {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
)
"""Addresses that are nobody's, since they are kept free for documentation."""


def is_loopback(host: str) -> bool:
    """Return True if only programs on this machine reach a server that binds to an address."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def own_name(host: str, *, open_to_all: bool, names: Collection[str] = ()) -> bool:
    """Return True if a `Host` header, with its port, names this server.

    It goes by some names in any case. A server that others can reach goes by the name of its
    machine and by any address as well: addresses, unlike names, are nobody's to point elsewhere.
    """
    try:
        name = (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:  # such as a bracket that is left open
        return False
    if is_loopback(name) or name in names:
        return True
    if not open_to_all:
        return False
    try:
        ipaddress.ip_address(name)
    except ValueError:
        machine = socket.gethostname().lower()
        short = machine.partition(".")[0]
        return name in (machine, short, f"{short}.local")
    return True


def url(host: str, port: int) -> str:
    """Return the address of the page of a server."""
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def own_host(host: str) -> str:
    """Return the host by which this machine reaches a server that binds to an address."""
    return "127.0.0.1" if host in EVERYWHERE else host


def outside_host(host: str) -> str:
    """Return the host by which other machines reach a server that binds to an address.

    For all addresses of this machine, it is the one from which this machine would reach others.
    Nothing is sent to find it. Without a route to others, it is the name of this machine.
    """
    if host not in EVERYWHERE:
        return host
    for family in EVERYWHERE[host]:
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((ELSEWHERE[family], 9))
            return probe.getsockname()[0]
    return socket.gethostname()


def bound(host: str, port: int) -> socket.socket:
    """Make a socket that listens, so that who connects before the server is up has to wait.

    Raises:
        ValueError: If the port is in use or the address is not one of this machine.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(1024)
    except OSError as error:
        listening.close()
        if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
            raise ValueError(
                f"--host {host}: {error.strerror}; give an address of this machine, or 0.0.0.0"
            ) from error
        raise ValueError(
            f"--host {host} --port {port}: {error.strerror}; give another port, 0 for any that is "
            f"free, or close the program that has it"
        ) from error
    return listening
