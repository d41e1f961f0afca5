"""The pages of an event while it is played, and after."""

from __future__ import annotations

import asyncio
import ipaddress
import re
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from secrets import token_urlsafe
from urllib.parse import urlsplit

from bridge_arena.base.wording import cannot_listen
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.commands.common.errors import UnusableError, complain
from bridge_arena.commands.common.options import LOOPBACK
from bridge_arena.commands.common.signals import until_signalled
from bridge_arena.server.feed import LIVE
from bridge_arena.tournaments import Store, Unit, broadcast_of
from bridge_arena.tournaments.schedule.left_to_play import FinishedBoards, Remaining


def say(line: str) -> None:
    """Print a line at once, also to a pipe."""
    print(line, flush=True)


@dataclass(frozen=True, slots=True)
class PeopleOptions:
    """The options of the people who play."""

    # Is called for each of them with a line that ends in the link to the seat.
    announce: Callable[[str], None] = say
    hints: bool = False  # whether they may ask for hints
    undo: bool = False  # whether they may take calls and cards back
    # The command that goes on after an interruption, which they are told on this machine; "" if
    # others started the arena.
    go_on: str = ""
    # The command for another match like this, which they are told likewise; "" if there is none.
    again: str = ""


@dataclass(frozen=True, slots=True)
class WebOptions:
    """The address of the pages."""

    host: str  # the address to listen on
    port: int  # the port to listen on; 0 for any free port
    # The URL for browsers, ending in "/"; "" where they go to the host and port directly.
    url: str = ""
    only_me: bool = False  # whether other users of this machine are cut off

    @property
    def words(self) -> list[str]:
        """The command-line options for this address."""
        host = ["--web-host", self.host] if self.host != LOOPBACK else []
        port = ["--web-port", str(self.port)] if self.port else []
        return ["--web", *host, *port, *(["--web-url", self.url] if self.url else [])]


def web_options(*, web: bool, host: str, port: int, url: str) -> WebOptions | None:
    """Return the address of the pages; None without `--web`. Raises UnusableError."""
    if not web:
        if host != LOOPBACK or port or url:
            raise UnusableError("--web-host, --web-port and --web-url need --web")
        return None
    return WebOptions(host, port, _public(url) if url else "")


_PORTS = {"http": 80, "https": 443}
"""The ports that URLs leave out, by scheme."""

_NAME = re.compile(r"[a-z0-9._-]+|[0-9a-f:.]+")
"""A name or address of a machine; names with other letters are written as `xn--…`."""


def _public(url: str) -> str:
    """Return a URL in the form that browsers write. Raises UnusableError."""
    try:
        parts = urlsplit(url)
        name, port = parts.hostname or "", parts.port
    except ValueError:
        parts, name, port = urlsplit(""), "", None
    rest = ("@" in parts.netloc, parts.path.strip("/"), parts.query, parts.fragment)
    if parts.scheme not in _PORTS or not _NAME.fullmatch(name) or any(rest):
        raise UnusableError(
            f"--web-url {url}: expected http or https, a name, and at most a port, as in "
            "https://bridge.example.org"
        )
    host = f"[{name}]" if ":" in name else name
    where = "" if port in (None, _PORTS[parts.scheme]) else f":{port}"
    return f"{parts.scheme}://{host}{where}/"


class Pages:
    """The pages of an event.

    Pass `audience` to the venue, play the event in the context of `serving`, and call `stay` at the
    end. Raises UnusableError.

    Args:
        people: The options of the people who play; None for the defaults.

    Attributes:
        audience: Gets the calls and cards of the venue, and shows them.
        director_link: The link to the pages of the director; "" where people play for themselves.
    """

    def __init__(
        self,
        store: Store,
        folder: Path,
        where: WebOptions,
        people: PeopleOptions | None = None,
    ) -> None:
        # Imported here, as only this needs the extra `web`.
        from bridge_arena.web.director.application import DirectorPages
        from bridge_arena.web.event_pages import EventPages
        from bridge_arena.web.live.arena import LiveArena
        from bridge_arena.web.live.past import PastEvents
        from bridge_arena.web.seat.people import Offers, PeopleSeats

        event = store.event()
        # Pages that show cards at once have a secret key in their address: only who is told the
        # address can see them.
        key = "" if broadcast_of(event).after_board else token_urlsafe(9)
        # Only users of this machine are shown the folder. Events in the folders beside it are
        # shown only where the address has a key.
        is_here = is_loopback(where.host) and not where.url
        results = str(folder) if is_here else ""
        past = PastEvents(folder, beside=bool(key)) if is_here else None
        listener, address = listening(
            where, "what is shown, the cards of people who play, and what the director sends"
        )
        lobby = key + "/" * bool(key)
        director = DirectorPages(store, address, lobby) if people is None else None
        self.director_link = director.link if director else ""
        people = people or PeopleOptions()
        seats = PeopleSeats(event, address, people.announce)
        played, held = played_before(store)
        rows, own = (past.rows(), past.own) if past else ((), "")
        self.audience = LiveArena(event, seats, played, held, rows, own, store.rulings)
        offers = Offers(
            hints=people.hints,
            undo=people.undo or event.undo,
            results=results,
            go_on=people.go_on if is_here else "",
            again=people.again if is_here else "",
        )
        self._event_pages = EventPages(
            self.audience,
            seats,
            listener,
            key,
            past,
            offers,
            director=director,
            only_me=where.only_me,
        )

    @property
    def address(self) -> str:
        """The address of the lobby."""
        return self._event_pages.address

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        """Show the event in the context; all of it, when the context ends without an error."""
        async with self._event_pages.serving():
            yield
            await self.audience.over()

    def stay(self) -> None:
        """Show the event after its end, until Ctrl-C."""
        print(f"the pages stay at {self.address} until Ctrl-C", flush=True)
        with suppress(asyncio.CancelledError, KeyboardInterrupt):
            asyncio.run(self._stay())

    async def _stay(self) -> None:
        async with self._event_pages.serving():
            await until_signalled(asyncio.Event().wait())


PlayedUnits = list[tuple[Unit, BoardRecord]]


def played_before(store: Store) -> tuple[PlayedUnits, PlayedUnits]:
    """Return what was played before the event was resumed: what may be shown, and what may not yet.

    Records are held until the event is over where other tables have still to play their boards.
    """
    event, records = store.event(), dict(store.results())
    remaining = Remaining(event, records, store.rulings())
    finished = FinishedBoards(event, remaining.rounds, remaining.may_be_left)
    is_live = broadcast_of(event) == LIVE
    played: PlayedUnits = []
    held: PlayedUnits = []
    for unit in remaining.units:
        if unit.id in records:
            may_be_known = is_live or unit.board in finished
            (played if may_be_known else held).append((unit, records[unit.id]))
    return played, held


def listening(where: WebOptions, at_risk: str) -> tuple[socket.socket, str]:
    """Return a socket that listens, and the address for browsers. Raises UnusableError.

    A warning says what others can read if anybody may come to it without TLS.
    """
    from bridge_arena.web.common.serving import address_of

    listener = listener_at(where.host, where.port)
    address = where.url or address_of(listener)
    is_here = is_loopback(where.host) and not where.url
    if not is_here and not address.startswith("https:"):
        complain(
            f"whoever is on the way to {address} can read {at_risk}: have a proxy with TLS before "
            "the pages, and give its address: --web-url https://NAME"
        )
    return listener, address


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach an address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def passwordless(host: str, port: int) -> str:
    """Return a warning of a port for Blue Chip programs that others can reach."""
    reach = f"whoever can reach {host} port {port}"
    return f"Blue Chip has no passwords: {reach} can take a program's seat"


def listener_at(host: str, port: int) -> socket.socket:
    """Return a socket that listens. Raises UnusableError."""
    try:
        (family, *_, address), *_ = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        return socket.create_server(address[:2], family=family, backlog=4096)
    except OSError as error:
        raise UnusableError(cannot_listen(f"{host} port {port}", error)) from None
