"""The venue of an event: where its units are played, what it is given, and who looks on.

`LocalVenue` has the bots of this machine at tables in this process, `ClusterVenue` the workers of a
cluster, and the laboratory has worker processes.
"""

from __future__ import annotations

import ssl
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Protocol

from bridge_arena.base.stopping import Stop
from bridge_arena.base.warm_process import WarmProcess
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.server.feed import Feed
from bridge_arena.server.websocket_player import WebsocketPlayer
from bridge_arena.tournaments.events.boards import GivenBoard, Seeds
from bridge_arena.tournaments.events.event import EntrySettings, Event
from bridge_arena.tournaments.play.event_log import EventLog
from bridge_arena.tournaments.play.seating.seats import EntrySeat, WireLogs
from bridge_arena.tournaments.schedule.units import Unit

if TYPE_CHECKING:
    from bridge_arena.tournaments.play.seating.waiting_room import WaitingRoom

Results = Mapping[str, BoardRecord]
"""The records of units, by their ids."""

Begin = Callable[[Unit], bool]
"""Called when a unit is about to begin; returns whether it may. If not, no more are to begin."""

Keep = Callable[[Unit, BoardRecord | None], BoardRecord | None]
"""Called with the record of each unit when it ends, None if it was dropped, as its player was lost
at another table or stopped with the arena; returns the record as it was stored, or None if it was
not."""


def any_time(_unit: Unit) -> bool:
    """Let each unit begin."""
    return True


class Boards(Protocol):
    """The boards of an event, by their numbers in its supply."""

    @property
    def commitment(self) -> str:
        """The hash that the deals were committed to; "" if there is none."""

    def board(self, number: int) -> GivenBoard:
        """Return a board, with its auction if that is given."""

    def seeds(self, number: int) -> Seeds:
        """Return the seeds of the random choices of N, E, S and W on a board."""


@dataclass(frozen=True, slots=True)
class EventInPlay:
    """An event as a venue is given it."""

    event: Event
    boards: Boards
    log: EventLog
    # The records of units that were played; the clocks and fault counts of a match continue from
    # them.
    results: Results = field(default_factory=dict)
    # The number of units that can be played at once; None if that is not known.
    most_at_once: int | None = None
    # The settings of the entries now, as a director changes them; those of the event if empty.
    changed: Sequence[EntrySettings] = ()

    @property
    def settings(self) -> Sequence[EntrySettings]:
        """The settings of the entries now, by their numbers."""
        return self.changed or [self.event.settings(entrant) for entrant in self.event.entries]


def has_match_clock(settings: Sequence[EntrySettings]) -> bool:
    """Return whether an entry has a clock for the match."""
    return any(own.clock.match is not None for own in settings)


class Venue(Protocol):
    """A place where units are played."""

    async def __aenter__(self) -> object: ...

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...

    async def seat(self, units: Iterable[Unit]) -> None:
        """Make sure that the bots which play the units can be started."""

    async def play(self, units: Iterator[Unit], keep: Keep, begin: Begin = any_time) -> None:
        """Play units until there are no more; `keep` gets the record of each."""

    def show(self, finished: Container[int]) -> None:
        """Release the boards of the supply that are finished: nobody is to play them any more."""


OpenVenue = Callable[[EventInPlay], Venue]
"""Makes the venue of an event."""

KIBITZER = ""
"""The owner of kibitzers' tokens, a name that no entry can have."""


@dataclass(frozen=True, slots=True)
class PublicEndpoint:
    """The endpoint for bots that connect by themselves, and for kibitzers."""

    host: str  # the address to listen on
    port: int  # the port; 0 for any free one
    tls: ssl.SSLContext | None  # the TLS context; None for no TLS
    # Returns the owner of a token: an entry's name or `KIBITZER`; None for an unknown token.
    owner: Callable[[str], str | None]
    bluechip_port: int | None  # the port for Blue Chip programs; None if none are expected
    # Called with each line about where to connect and who is awaited.
    announce: Callable[[str], None]
    # Called with each line about who was lost and came back, and how far the event is, once it has
    # begun; None to tell nothing.
    tell: Callable[[str], None] | None = None


class SeatPages(Protocol):
    """The pages on which people who play sit down."""

    def await_person(self, entry_seat: EntrySeat, place: WebsocketPlayer) -> None:
        """Expect a person at a place: the first, or the next one for a seat that was lost."""

    def dismiss_person(self, entry_seat: EntrySeat) -> None:
        """Close a seat to people, until a person is awaited there again."""


class Audience(SeatPages, Protocol):
    """The spectators of the tables of a venue.

    What they are told of a unit must stay hidden from the public until `Feed` shows it: cards,
    calls and results wait for the event's broadcast.
    """

    def opened(self, feeds: Sequence[Feed]) -> None:
        """Receive the tables; called in the event loop in which the venue plays."""

    def begun(self, table: int, unit: Unit, board: Board) -> None:
        """Note that a table, by its number from 0, begins to play a unit."""

    def ended(self, unit: Unit, record: BoardRecord) -> None:
        """Note that a unit was played and stored."""


@dataclass(frozen=True, slots=True)
class VenueOptions:
    """What a `LocalVenue` has for any event."""

    tables: int = 1  # the largest number of tables
    # The port for the bots that are started here, on this machine only; 0 for any free one.
    port: int = 0
    # The endpoint for bots that connect by themselves; None if none are expected.
    public: PublicEndpoint | None = None
    # Where bots that connect by themselves wait between matches; None if they come to each.
    waiting_room: WaitingRoom | None = None
    # The process that bots are forked from, if it goes on when the venue has closed; None: one is
    # started for the venue.
    warm: WarmProcess | None = None
    # Environment variables of bots in other events, which only bots are given that ask for them.
    secrets: Collection[str] = ()
    # Paths that no bot in a sandbox may see, even in the bot's own folder.
    hidden: Sequence[Path] = ()
    # The spectators, and the pages of people who play; None if there are none.
    audience: Audience | None = None
    # The least seconds between two actions at a table, for those who watch; no clock counts them.
    pace: float = 0.0
    # The order to stop, after which no table keeps that pace; None if there will be none.
    stop: Stop | None = None
    # What is told of the messages of bots; None for nothing.
    wire_logs: WireLogs | None = None


ONE_TABLE = VenueOptions()
"""The options of a venue of one table, whose bots are all started here."""
