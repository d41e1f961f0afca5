"""A match of two teams, set up, played and reported, as several commands share it."""

from __future__ import annotations

from contextlib import ExitStack
from datetime import datetime
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import TypeVar

from bridge_arena.base.wording import plural
from bridge_arena.board_files.records import read_boards
from bridge_arena.board_files.texts import name_of
from bridge_arena.bots.library.bidding_systems import system
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import BoardRecord, Mode
from bridge_arena.bridge.seeds import DealKey
from bridge_arena.commands.common.errors import FailedError, InterruptedCommandError, UnusableError
from bridge_arena.commands.common.event_run import (
    NotSeatedError,
    check_pages,
    discard,
    play,
    tell_commitment,
)
from bridge_arena.commands.common.options import tables_at_once
from bridge_arena.commands.common.web import Pages, PeopleOptions, WebOptions
from bridge_arena.pbn.annotations import portable
from bridge_arena.reports.match.forfeit import Forfeit, find_forfeit
from bridge_arena.server.claims import Claims
from bridge_arena.server.clock import TimeControl
from bridge_arena.server.feed import Broadcast
from bridge_arena.tournaments.events import Isolation
from bridge_arena.tournaments.events.boards import (
    BIDDER,
    GivenBoard,
    dealt_boards,
    recorded_boards,
)
from bridge_arena.tournaments.events.entries import EntryError, parse_pair, parse_party
from bridge_arena.tournaments.events.event import MOST_BOARDS, PLAIN, Entrant, Event, Format
from bridge_arena.tournaments.events.event_rules import unreachable
from bridge_arena.tournaments.events.people import misseated, suited
from bridge_arena.tournaments.events.sealed_deals import Sealing, deals_in_short, digest_of, new_key
from bridge_arena.tournaments.play.local_venue import LocalVenue
from bridge_arena.tournaments.play.venue import OpenVenue, PublicEndpoint, VenueOptions
from bridge_arena.tournaments.schedule.scores import swing
from bridge_arena.tournaments.statistics.sequential import Sprt
from bridge_arena.tournaments.store import Store

T = TypeVar("T")

LONGEST_NAME = 200
"""The most characters of the name of a team in PBN, whose lines have 255. That leaves room for the
name of the tag, and for a number behind the name."""

_KINDS = {
    Mode.FULL: "match",
    Mode.BIDDING: "match of bidding only",
    Mode.PLAY: "match of card play only",
}
"""The kind of match in the event's name, which players and files get."""

_LIMITS = {Mode.FULL: "", Mode.BIDDING: ", bidding only", Mode.PLAY: ", card play only"}
"""The mode of a match, as its first line of output says it."""


def play_match(
    store: Store,
    folder: Path,
    where: WebOptions | None,
    command: str,
    *,
    is_new: bool,
    held: ExitStack,
    concurrency: int | None,
    port: int = 0,
    people: PeopleOptions | None = None,
    public: PublicEndpoint | None = None,
    open_venue: OpenVenue | None = None,
) -> None:
    """Play what is left of a match, and report it.

    Args:
        store: The match.
        folder: The folder for its results.
        where: The address of its pages; None for no pages.
        command: The command line that goes on with it after an interruption.
        is_new: Whether the match begins now.
        held: The lock of the folder, which is closed when all files are written.
        concurrency: The number of tables at once; None for one on each processor.
        port: The port that bots connect to; 0 for any free port.
        people: The options of the people who play on the pages. Where it is given, the pages are
            for them alone, and their address is not announced to spectators.
        public: The endpoint for players that connect by themselves; None if there are none.
        open_venue: Opens the hall in which it is played; None for one that starts the bots.

    Raises:
        UnusableError: The match cannot begin.
        FailedError: It could not go on, or a team forfeited it.
        InterruptedCommandError: It was interrupted.
    """
    pages: Pages | None = None
    try:
        check_pages(store.event(), where)
        pages = None if where is None else Pages(store, folder, where, people)
        watched = people is None
        tables = tables_at_once(concurrency)
        hall = open_venue or _started_bots(store.event(), folder, tables, port, public, pages)
        _play(store, folder, hall, pages, command, watched=watched)
    except UnusableError as error:
        if is_new:
            discard(folder, keep_log=isinstance(error, NotSeatedError))
        raise
    finally:
        store.close()
    try:
        # Imported only now, as what reports need is slow to load.
        from bridge_arena.commands.common.reporting import report_folder

        results = report_folder(folder)
    except KeyboardInterrupt:
        raise InterruptedCommandError(f"interrupted; go on with: {command}") from None
    held.close()
    print(f"results in {folder}")
    if pages is not None:
        pages.stay()
    names = [entrant.name for entrant in results.event.entries]
    forfeit = find_forfeit(names, (each.record for each in results.played))
    if forfeit is not None:
        raise FailedError(_forfeit_text(forfeit))


def set_up(
    first: str,
    second: str,
    count: int | None,
    boards_from: Path | None,
    seed: int | None,
    clock: str | None,
    claims: Claims,
    mode: Mode,
    sprt: str | None,
    isolation: Isolation,
    broadcast: str | None,
    start: float | None = None,
) -> tuple[Event, Sealing, dict[int, GivenBoard]]:
    """Set up a match.

    Args:
        first: The first team, as on the command line.
        second: The other team.
        count: The number of boards; None for 32, or all of the file.
        boards_from: The file of the boards to play; None to deal them.
        seed: The seed of the deals; None for sealed deals.
        clock: The time control; None for 60 seconds for each action.
        claims: Whether declarer may claim, and who decides on a claim.
        mode: Whether boards are bid, played, or both.
        sprt: The sequential test that ends the match; None to play all boards.
        isolation: What the bots are kept from.
        broadcast: When spectators see a table; None for at once.
        start: The seconds that a bot has to load and to sit down; None for the default.

    Returns:
        The event, the key of its deals, and the given boards by number.

    Raises:
        UnusableError: No match can be played so.
    """
    if claims is not Claims.OFF and mode is Mode.BIDDING:
        raise UnusableError("--claims: only where cards are played, not with --mode bidding")
    key = new_key() if seed is None else DealKey.of_seed(seed)
    given: list[GivenBoard] = []
    try:
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
    except (EntryError, ValueError) as error:
        raise UnusableError(str(error)) from None
    event = Event(
        name=f"Bridge Arena {_KINDS[mode]}",
        format=Format.MATCH,
        seed=seed,
        entries=tuple(Entrant(bot=team.spec, name=team.name) for team in teams),
        boards=len(given) or count or 32,
        boards_from=None if boards_from is None else name_of(boards_from),
        boards_digest=None if boards_from is None else digest_of(each.board for each in given),
        mode=mode,
        clock=clock or "60",
        claims=claims,
        sprt=sprt,
        isolation=isolation,
        broadcast=broadcast,
        policies=PLAIN if start is None else PLAIN.model_copy(update={"start": start}),
    )
    for _, text in chain(misseated(event), unreachable(event)):
        raise UnusableError(text)
    event = suited(event, () if clock is None else ("clock",), ())
    return event, Sealing.of(event, key), dict(enumerate(given, start=1))


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


def _started_bots(
    event: Event,
    folder: Path,
    tables: int,
    port: int,
    public: PublicEndpoint | None,
    pages: Pages | None,
) -> OpenVenue:
    """Return what opens a hall that starts the bots."""
    hidden = [folder, *([] if event.boards_from is None else [Path(event.boards_from)])]
    audience = None if pages is None else pages.audience
    return partial(LocalVenue, options=VenueOptions(tables, port, public, hidden, audience))


def _play(
    store: Store,
    folder: Path,
    open_venue: OpenVenue,
    pages: Pages | None,
    command: str,
    *,
    watched: bool,
) -> None:
    """Play what is left of a match, and raise as `play` does.

    `watched` says whether spectators are told the address of the pages.
    """
    event = store.event()
    home, visitors = event.entries
    print(
        f"{home.name} - {visitors.name}: {plural(event.boards, 'board')} in both rooms, "
        f"{deals_in_short(event)}{_LIMITS[event.mode]}",
        flush=True,
    )
    tell_commitment(store)
    if pages is not None and watched:
        print(f"watch it at {pages.address}", flush=True)
    score = RunningScore()
    play(store, folder, 2 * event.boards, score.after, open_venue, command, pages)


def hide_arguments(command: str) -> None:
    """Remove seeds and passwords from this process's command line, which bots may read."""
    # Imported here, as it is slow to load and only some commands need it.
    from setproctitle import setproctitle

    setproctitle(f"arena {command}")


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
        found = swing((earlier, record))
        if found is not None:
            self._imps += found.imps
            self._boards += 1
        imps = f"{self._imps:+d} {'IMP' if abs(self._imps) == 1 else 'IMPs'}"
        return f"{imps} after {plural(self._boards, 'board')}"
