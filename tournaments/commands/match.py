"""`arena match`: a two-room team match between two bots."""

from __future__ import annotations

import asyncio
import shlex
from contextlib import suppress
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Annotated, TypeVar

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from bots.bidding import system
from bridge.board import Board
from bridge.record import BoardRecord, MadeCall, Mode, Room
from bridge.scoring import imps
from oracle.errors import OracleError
from oracle.pool import processors
from pbn.model import PbnError
from pbn.records import read_boards
from server.clock import TimeControl
from server.gateway import GatewayError
from server.supervisor import StartError
from tournaments.commands.errors import FailedError, InterruptedCommandError, UnusableError
from tournaments.commands.options import Seed, seed_or_random
from tournaments.commands.report import report_folder
from tournaments.commands.signals import until_signalled
from tournaments.entries import EntryError, parse_pair
from tournaments.log import EventLog
from tournaments.reference import BIDDER, GivenBoard, dealt_boards, recorded_boards
from tournaments.report.pairing import Forfeit
from tournaments.report.wording import plural
from tournaments.results import LOG, STORE, stored_records, write_pbn
from tournaments.runner import MatchRunner
from tournaments.staff import SeatingError
from tournaments.store import MatchSetup, Store, StoreError

T = TypeVar("T")

_LIMITS = {Mode.FULL: "", Mode.BIDDING: ", bidding only", Mode.PLAY: ", card play only"}
"""What a match's first line says of its mode."""


def match(
    first: Annotated[str, typer.Argument(metavar="A", help="the first bot")] = "",
    second: Annotated[str, typer.Argument(metavar="B", help="its opponent")] = "",
    boards: Annotated[
        int | None, typer.Option(min=1, help="how many boards; 32, or all of the PBN file")
    ] = None,
    pbn: Annotated[Path | None, typer.Option(help="take the boards of this PBN file")] = None,
    seed: Seed = None,
    mode: Annotated[
        Mode | None,
        typer.Option(
            help="full, if none; bidding: contracts are scored double dummy; "
            "play: both rooms are given the same auction"
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="folder for the results; runs/TIME-A-B if none")
    ] = None,
    resume: Annotated[Path | None, typer.Option(help="go on with the match of this folder")] = None,
    concurrency: Annotated[
        int | None, typer.Option(min=1, help="tables at once; as many as there are processors")
    ] = None,
    clock: Annotated[
        str | None, typer.Option(help="seconds allowed for each action; 60 if none")
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="to listen on; 0: any free")] = 0,
) -> None:
    """Play a match between two bots.

    Every board is played in both rooms; the report is in IMPs and in tricks against the
    double-dummy oracle. A and B are shipped bots (see `arena bots`) or cmd:PROGRAM ARGS;
    TITLE=BOT shows a bot under another name.
    """
    if resume is not None:
        if first or pbn or out or boards or clock or mode or seed is not None:
            raise UnusableError("--resume goes on with a match as it was set up: give only DIR")
        folder, existed = resume, True
        store = _open(folder)
    else:
        if not second:
            raise UnusableError("name two bots, or --resume a match (see arena match --help)")
        setup = _set_up(first, second, boards, pbn, seed, clock or "60", mode or Mode.FULL)
        folder = out or _new_folder(first, second)
        existed = folder.exists()
        store = _create(folder, setup)
    try:
        _play(store, folder, concurrency or processors(), port)
    except UnusableError as error:
        if resume is None:
            _discard(folder, keep_folder=existed, keep_log=isinstance(error, _NotSeatedError))
        raise
    finally:
        store.close()
    try:
        figures = report_folder(folder)
    except KeyboardInterrupt:
        raise _interrupted(folder) from None
    print(f"results in {folder}")
    if figures.forfeit is not None:
        raise FailedError(_forfeit_text(figures.names, figures.forfeit))


def _set_up(
    first: str,
    second: str,
    count: int | None,
    pbn: Path | None,
    seed: int | None,
    clock: str,
    mode: Mode,
) -> MatchSetup:
    """What is to be played. Raises UnusableError."""
    chosen = seed_or_random(seed)
    auctions: list[tuple[MadeCall, ...]] = []
    try:
        parse_pair(first, second)
        TimeControl.parse(clock)
        if mode is Mode.PLAY:
            given = _given_boards(chosen, pbn, count)
            boards = [each.board for each in given]
            auctions = [each.auction for each in given]
        elif pbn is None:
            boards = [Board.dealt(chosen, number) for number in range(1, (count or 32) + 1)]
        else:
            boards = _first_of(read_boards(pbn), count, pbn)
    except (EntryError, PbnError, ValueError) as error:
        raise UnusableError(str(error)) from None
    return MatchSetup(first, second, chosen, clock, tuple(boards), mode, tuple(auctions))


def _given_boards(seed: int, pbn: Path | None, count: int | None) -> list[GivenBoard]:
    """The boards of a match of card play only. Raises PbnError and ValueError."""
    bidder = system(BIDDER)
    if pbn is None:
        return list(islice(dealt_boards(seed, bidder), count or 32))
    boards = recorded_boards(pbn, bidder)
    if not boards:
        raise ValueError(f"{pbn} has no board with a contract to play")
    return _first_of(boards, count, pbn, "with a contract")


def _first_of(boards: list[T], count: int | None, pbn: Path, kind: str = "") -> list[T]:
    """The first `count` boards of a file, or all. Raises ValueError when it has fewer."""
    if count is not None and len(boards) < count:
        words = " ".join((plural(len(boards), "board"), kind)).rstrip()
        raise ValueError(f"{pbn} has {words}, not {count}")
    return boards[:count]


def _new_folder(first: str, second: str) -> Path:
    names = "-".join("".join(c if c.isalnum() else "_" for c in name) for name in (first, second))
    return Path("runs") / f"{datetime.now():%Y%m%d-%H%M%S}-{names[:60]}"


def _create(folder: Path, setup: MatchSetup) -> Store:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return Store.create(folder / STORE, setup)
    except OSError as error:
        raise UnusableError(f"cannot write to {folder}: {error.strerror}") from None
    except StoreError as error:
        raise UnusableError(str(error)) from None


def _discard(folder: Path, *, keep_folder: bool, keep_log: bool) -> None:
    """Leave no store of a match that could not begin, so that it can be tried again."""
    for path in folder.glob(f"{STORE}*"):
        path.unlink()
    if keep_log:
        return
    (folder / LOG).unlink(missing_ok=True)
    if not keep_folder:
        folder.rmdir()


class _NotSeatedError(UnusableError):
    """The bots were started, and what they printed is in the log."""


def _open(folder: Path) -> Store:
    try:
        return Store.open(folder / STORE)
    except StoreError as error:
        raise UnusableError(str(error)) from None


def _play(store: Store, folder: Path, concurrency: int, port: int) -> None:
    """Play what is left. Raises UnusableError where it cannot begin, FailedError where
    it had begun, InterruptedCommandError."""
    try:
        setup = store.setup()
        teams = parse_pair(setup.home, setup.visitors)
        progress = _Progress(2 * len(setup.boards))
        for record in stored_records(store):
            progress.on_board(record)
    except (EntryError, StoreError) as error:
        raise UnusableError(str(error)) from None
    print(
        f"{teams[0].name} - {teams[1].name}: {plural(len(setup.boards), 'board')} in both rooms, "
        f"seed {setup.seed}{_LIMITS[setup.mode]}",
        flush=True,
    )
    try:
        with EventLog(folder / LOG) as log, progress:
            runner = MatchRunner(
                store, teams, log, progress.on_board, concurrency=concurrency, port=port
            )
            asyncio.run(_run_until_signalled(runner, log))
    except (KeyboardInterrupt, asyncio.CancelledError):
        with suppress(OSError, StoreError):  # it can be made later
            write_pbn(store, folder)
        raise _interrupted(folder) from None
    except SeatingError as error:
        text = f"{error} (its output is in {folder / LOG})"
        raise FailedError(text) if progress.begun else _NotSeatedError(text) from None
    except OracleError as error:
        raise FailedError(f"no result for a contract: {error}") from None
    except (GatewayError, StartError, OSError, StoreError) as error:
        kind = FailedError if progress.begun else UnusableError
        raise kind(str(error)) from None


async def _run_until_signalled(runner: MatchRunner, log: EventLog) -> None:
    """Run the match; the log tells how it ended."""
    try:
        await until_signalled(runner.run())
    except asyncio.CancelledError:
        log.write("interrupted")
        raise
    log.write("match_ended")


def _forfeit_text(names: tuple[str, str], forfeit: Forfeit) -> str:
    fault = forfeit.fault
    where = fault.seat.name.capitalize()
    if forfeit.room is not None:
        where += f" in the {forfeit.room.lower()} room"
    return (
        f"{names[forfeit.team]} forfeited the match on board {forfeit.board} as {where}: "
        f"{fault.kind}: {fault.detail}"
    )


def _interrupted(folder: Path) -> InterruptedCommandError:
    return InterruptedCommandError(
        f"interrupted; go on with: arena match --resume {shlex.quote(str(folder))}"
    )


class _Progress:
    """The progress bar with the running score of the boards played in both rooms."""

    def __init__(self, total: int) -> None:
        # Whether any table was played, now or before.
        self.begun = False
        console = Console(stderr=True)
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("tables"),
            TimeRemainingColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._task = self._bar.add_task("", total=total)
        # The score of the room in which a board was finished first, until the other is.
        self._waiting: dict[Board, tuple[Room | None, int]] = {}
        self._imps = 0
        self._boards = 0

    def on_board(self, record: BoardRecord) -> None:
        self.begun = True
        if record.score is None:
            return
        earlier = self._waiting.pop(record.board, None)
        if earlier is None:
            self._waiting[record.board] = (record.room, record.score)
        else:
            difference = record.score - earlier[1]
            self._imps += imps(difference if record.room == Room.OPEN else -difference)
            self._boards += 1
        description = f"{self._imps:+d} IMPs after {self._boards} boards"
        self._bar.update(self._task, advance=1, description=description)

    def __enter__(self) -> _Progress:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()
