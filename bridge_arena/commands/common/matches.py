"""A match of two teams, set up, played and reported, as several commands share it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from bridge_arena.base.wording import plural
from bridge_arena.board_files.records import read_boards
from bridge_arena.board_files.texts import name_of
from bridge_arena.bots.library.bidding_systems import system
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import BoardRecord, Mode
from bridge_arena.bridge.seeds import DealKey
from bridge_arena.commands.common.errors import FailedError, UnusableError, unusable
from bridge_arena.commands.common.event_run import EventRun, NewEvent
from bridge_arena.commands.common.web import PeopleOptions, WebOptions
from bridge_arena.pbn.annotations import portable
from bridge_arena.server.claims import Claims
from bridge_arena.server.clock import TimeControl
from bridge_arena.server.feed import Broadcast
from bridge_arena.tournaments import (
    Entrant,
    EntryError,
    Event,
    Format,
    GivenBoard,
    Sealing,
    parse_party,
    swing,
)
from bridge_arena.tournaments.events import Isolation
from bridge_arena.tournaments.events.boards import BIDDER, dealt_boards, recorded_boards
from bridge_arena.tournaments.events.entries import parse_pair
from bridge_arena.tournaments.events.event import MOST_BOARDS, PLAIN
from bridge_arena.tournaments.events.event_rules import unreachable
from bridge_arena.tournaments.events.people import misseated, people_of, suited
from bridge_arena.tournaments.events.sealed_deals import deals_in_short, digest_of, new_key
from bridge_arena.tournaments.play.venue import OpenVenue, VenueOptions
from bridge_arena.tournaments.statistics.sequential import Sprt

if TYPE_CHECKING:
    from bridge_arena.reports.match.figures import Forfeit

T = TypeVar("T")

LONGEST_NAME = 200
"""The most characters of the name of a team in PBN, whose lines have 255. That leaves room for the
name of the tag, and for a number behind the name."""

_KINDS = {
    Mode.FULL: "",
    Mode.BIDDING: " of bidding only",
    Mode.PLAY: " of card play only",
}
"""What the name of the event, which players and files get, says of the kind of match."""

_LIMITS = {Mode.FULL: "", Mode.BIDDING: ", bidding only", Mode.PLAY: ", card play only"}
"""The mode of a match, as its first line of output says it."""


def play_match(
    run: EventRun,
    venue: VenueOptions | OpenVenue,
    web: WebOptions | None = None,
    people: PeopleOptions | None = None,
) -> None:
    """Play what is left of a match, and report it; the arguments are those of `EventRun.play`.

    Raises:
        UnusableError: The match cannot begin.
        FailedError: It could not go on, or a team forfeited it.
        InterruptedCommandError: It was interrupted.
    """
    event = run.store.event()
    home, visitors = event.entries
    headline = (
        f"{home.name} - {visitors.name}: {plural(event.boards, 'board')} in both rooms, "
        f"{deals_in_short(event)}{_LIMITS[event.mode]}"
    )
    if isinstance(venue, VenueOptions) and event.boards_from is not None:
        venue = replace(venue, hidden=[*venue.hidden, Path(event.boards_from)])
    run.play(headline, 2 * event.boards, RunningScore().after, venue, web, people)
    results = run.report()
    run.show()
    names = [entrant.name for entrant in results.event.entries]
    # Now, as no board needs what reports compute with.
    from bridge_arena.reports.match.figures import find_forfeit

    forfeit = find_forfeit(names, (played.record for played in results.played))
    if forfeit is not None:
        raise FailedError(_forfeit_text(forfeit))


def set_up(
    first: str,
    second: str,
    *,
    count: int | None = None,
    boards_from: Path | None = None,
    seed: int | None = None,
    clock: str | None = None,
    claims: Claims = Claims.OFF,
    undo: bool = False,
    mode: Mode = Mode.FULL,
    sprt: str | None = None,
    isolation: Isolation = Isolation.NONE,
    broadcast: str | None = None,
    start: float | None = None,
) -> NewEvent:
    """Set up a match of two teams, as the command line has them.

    Args:
        first: The first team.
        second: The other team.
        count: The number of boards; None for 32, or all of the file.
        boards_from: The file of the boards to play; None to deal them.
        seed: The seed of the deals; None for sealed deals.
        clock: The time control; None for 60 seconds for each action.
        claims: Whether declarer may claim, and who decides on a claim.
        undo: Whether people may take calls and cards back.
        mode: Whether boards are bid, played, or both.
        sprt: The sequential test that ends the match; None to play all boards.
        isolation: What the bots are kept from.
        broadcast: When spectators see a table; None for at once.
        start: The seconds that a bot has to load and to sit down; None for the default.

    Raises:
        UnusableError: No match can be played so.
    """
    if claims is not Claims.OFF and mode is Mode.BIDDING:
        raise UnusableError("--claims: only where cards are played, not with --mode bidding")
    key = new_key() if seed is None else DealKey.of_seed(seed)
    given: list[GivenBoard] = []
    with unusable(EntryError, ValueError):
        _check_size(count or 0)
        for team in (first, second):
            _check_name(parse_party(team).name)
        teams = parse_pair(first, second)
        TimeControl.parse(clock or "60")
        if sprt is not None:
            Sprt.parse(sprt)
        if broadcast is not None:
            Broadcast.parse(broadcast)
        if mode is Mode.PLAY:
            given = _given_boards(key, boards_from, count)
        elif boards_from is not None:
            boards = _first_of(read_boards(boards_from), count, boards_from)
            given = [GivenBoard(board, ()) for board in boards]
        _check_size(len(given))
    event = Event(
        name=f"Bridge Arena match{_KINDS[mode]}",
        format=Format.MATCH,
        seed=seed,
        entries=tuple(Entrant(bot=team.spec, name=team.name) for team in teams),
        boards=len(given) or count or 32,
        boards_from=None if boards_from is None else name_of(boards_from),
        boards_digest=None if boards_from is None else digest_of(board.board for board in given),
        mode=mode,
        clock=clock or "60",
        claims=claims,
        undo=undo,
        sprt=sprt,
        isolation=isolation,
        broadcast=broadcast,
        policies=PLAIN if start is None else PLAIN.model_copy(update={"start": start}),
    )
    for _, text in chain(misseated(event), unreachable(event)):
        raise UnusableError(text)
    if undo and not people_of(event):
        raise UnusableError("--undo: only where people play: a bot takes nothing back")
    event = suited(event, () if clock is None else ("clock",), ())
    return NewEvent(event, Sealing.of(event, key), dict(enumerate(given, start=1)))


def _check_size(boards: int) -> None:
    """Check that a match can have so many boards. Raises ValueError."""
    if boards > MOST_BOARDS:
        raise ValueError(
            f"a match has {MOST_BOARDS:,} boards at most, not {boards:,}: see --boards"
        )


def _check_name(name: str) -> None:
    """Check that the results can tell whose a name is. Raises ValueError."""
    written = portable(name)
    if not written.strip("? "):
        raise ValueError(f"{name!r} has no letter of Latin-1, as PBN needs: name it by TITLE=BOT")
    if len(written) > LONGEST_NAME:
        raise ValueError(
            f"{name[:40]!r}... is a name of {len(written)} characters in PBN, which takes "
            f"{LONGEST_NAME} here at most: name it by TITLE=BOT"
        )


def _given_boards(key: DealKey, file: Path | None, count: int | None) -> list[GivenBoard]:
    """Return the boards of a match of card play only. Raises ValueError."""
    bidder = system(BIDDER)
    if file is None:
        return list(islice(dealt_boards(key, bidder), count or 32))
    boards = recorded_boards(file, bidder)
    if not boards:
        raise ValueError(f"{name_of(file)} has no board with a contract to play")
    return _first_of(boards, count, file, "with a contract")


def _first_of(boards: list[T], count: int | None, file: Path, kind: str = "") -> list[T]:
    """Return the first `count` boards, or all. Raises ValueError where there are fewer."""
    if count is not None and len(boards) < count:
        words = " ".join((plural(len(boards), "board"), kind)).rstrip()
        raise ValueError(f"{name_of(file)} has {words}, not {count}")
    return boards[:count]


def new_folder(event: Event) -> Path:
    """Return the folder for the results of a match where none is named: runs/TIME-A-B."""
    titles = (entrant.name for entrant in event.entries)
    names = "-".join("".join(c if c.isalnum() else "_" for c in title) for title in titles)
    return Path("runs") / f"{datetime.now():%Y%m%d-%H%M%S}-{names[:60]}"


def _forfeit_text(forfeit: Forfeit) -> str:
    fault = forfeit.fault
    where = fault.seat.name.capitalize()
    if forfeit.room is not None:
        where += f" in the {forfeit.room.lower()} room"
    return (
        f"{forfeit.by} forfeited the match on board {forfeit.board} as {where}: "
        f"{fault.kind}: {fault.detail}"
    )


class RunningScore:
    """The score over the boards that both rooms have finished."""

    def __init__(self) -> None:
        # The record of the room that finished a board first, until the other room does.
        self._waiting: dict[Board, BoardRecord] = {}
        self._imps = 0
        self._boards = 0

    def after(self, record: BoardRecord) -> str:
        """Add the record of a room, and return the score: `+13 IMPs after 2 boards`."""
        earlier = self._waiting.setdefault(record.board, record)
        result = swing((earlier, record))
        if result is not None:
            self._imps += result.imps
            self._boards += 1
        imps = f"{self._imps:+d} {'IMP' if abs(self._imps) == 1 else 'IMPs'}"
        return f"{imps} after {plural(self._boards, 'board')}"
