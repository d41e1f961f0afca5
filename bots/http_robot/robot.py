"""A robot as an entry names it: `URL[,OPTION=VALUE,...]`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite
from typing import Any
from urllib.parse import urlsplit

from bridge_arena.bots.library.http_service import check_variable
from bridge_arena.protocol.http_robot.position import PARAMETERS

_ADDED = "add."  # what the name of an option begins with that adds a parameter
_LONGEST_LABEL = 63  # the most characters between two dots of a name (RFC 1035, 2.3.4)

_TAKES = "timeout=SECONDS, rate=NUMBER, details=yes|no, key=VARIABLE, add.NAME=VALUE"


class RobotError(ValueError):
    """The text of a robot cannot be used; the message never repeats a password."""


@dataclass(frozen=True, slots=True)
class Robot:
    """A robot, and how it is asked."""

    url: str  # its address, to which `/bid`, `/lead` and `/play` are added
    # The seconds after which it is asked again; None for all the time that a turn has.
    timeout: float | None = None
    rate: float | None = None  # the most requests a minute of a process; None for any number
    details: bool = True  # whether it is asked for candidates and samples
    key: str = ""  # the environment variable with the key that is sent to it; empty for none
    added: tuple[tuple[str, str], ...] = ()  # further parameters of each request, with their values

    @classmethod
    def parse(cls, text: str) -> Robot:
        """Read a robot; a comma of the address is written `%2C`. Raises RobotError."""
        url, *items = text.strip().split(",")
        chosen: dict[str, Any] = {}
        added: dict[str, str] = {}
        for item in items:
            name, equals, value = item.partition("=")
            is_added = name.startswith(_ADDED) and name != _ADDED
            if not equals or not (is_added or name in _READERS):
                # Its value is not repeated: it may be a key.
                raise RobotError(f"a robot takes {_TAKES}, not {name!r}")
            if name in (*chosen, *added):
                raise RobotError(f"{name} is given twice")
            if is_added:
                added[name] = value
            else:
                chosen[name] = _READERS[name](name, value)
        return cls(_address(url), added=tuple(map(_parameter, added.items())), **chosen)

    @property
    def name(self) -> str:
        """Its host, port and path."""
        return self.url.partition("://")[2]

    @property
    def place(self) -> tuple[str, int]:
        """Its host and port."""
        parts = urlsplit(self.url)
        assert parts.hostname is not None
        return parts.hostname, parts.port or (443 if parts.scheme == "https" else 80)


def _address(url: str) -> str:
    """Return an address without a slash at the end. Raises RobotError."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise RobotError(f"the address of the robot cannot be read: {error}") from None
    if "@" in parts.netloc:
        # Not repeated: it may be a password.
        raise RobotError("the address of a robot has no name or password: use key=VARIABLE")
    if parts.scheme not in ("http", "https") or not host:
        raise RobotError(f"{url!r} is no address of a robot (http://HOST:PORT)")
    if parts.query or parts.fragment:
        raise RobotError("the address of a robot has no ? or #: use add.NAME=VALUE")
    if not url.isascii() or " " in url:
        raise RobotError(f"{url!r} has characters that no address has")
    if not all(0 < len(label) <= _LONGEST_LABEL for label in host.removesuffix(".").split(".")):
        raise RobotError(f"{url!r} has a name that no machine can have")
    return url.rstrip("/")


def _parameter(added: tuple[str, str]) -> tuple[str, str]:
    """Return the name and value of a parameter to add. Raises RobotError."""
    name = added[0].removeprefix(_ADDED)
    if name in PARAMETERS:
        raise RobotError(f"add.{name}: the arena sets {name} itself")
    return name, added[1]


def _positive(name: str, value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = 0.0
    if not isfinite(number) or number <= 0:
        raise RobotError(f"{name} is {value!r}, expected a number above 0")
    return number


def _yes_no(name: str, value: str) -> bool:
    if value not in ("yes", "no"):
        raise RobotError(f"{name} is {value!r}, expected yes or no")
    return value == "yes"


def _variable(name: str, value: str) -> str:
    try:
        return check_variable(name, value)
    except ValueError as error:
        raise RobotError(str(error)) from None


_READERS: dict[str, Callable[[str, str], object]] = {
    "timeout": _positive,
    "rate": _positive,
    "details": _yes_no,
    "key": _variable,
}
