"""The runner of a replay: a bot plays recorded boards in one seat, then the oracle does.

There are two rooms. The bot sits in one, and the double-dummy oracle, a cheat, in the other, where
it is given the auction that the bot had. The other seats have the same opponents with the same
seeds. Each entry has a process for each seat and room. Then the contracts are solved.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from io import BytesIO
from itertools import chain

from bridge_arena.base.bounded_work import work_off
from bridge_arena.base.concurrency import first_error
from bridge_arena.bridge.record import BoardRecord, MadeCall
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.bridge.seeds import seat_seed
from bridge_arena.oracle.errors import OracleError
from bridge_arena.oracle.pool import Oracle
from bridge_arena.pbn.read.records import read_records
from bridge_arena.pbn.write.compose import game_of
from bridge_arena.pbn.write.writer import HEADER, format_game
from bridge_arena.recorded.checkpoint import Checkpoint
from bridge_arena.recorded.replay import Start
from bridge_arena.recorded.replay.figures import ReplayedGame
from bridge_arena.recorded.replay.games import RecordedGame
from bridge_arena.server.clock import TimeControl
from bridge_arena.server.driver import play_board
from bridge_arena.server.table import Table
from bridge_arena.tournaments import Entry, EventLog, parse_entry
from bridge_arena.tournaments.play.seating.roster import Roster
from bridge_arena.tournaments.play.seating.seats import Conditions, EntrySeat

BOT, ORACLE = "bot", "oracle"
"""The two players of the seat in question: the last part of a unit's id."""

DD = "dd"


class LostBotError(Exception):
    """The error of a lost bot, which ends the replay; its line says which and why."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What defines a replay, besides its games."""

    bot: Entry  # the bot that is replayed
    seat: Seat
    against: Entry  # the bot in the other seats
    start: Start  # where the bot takes over
    seed: int  # the seed of the bots' random choices
    control: TimeControl  # the time limits

    def entries(self, room: str) -> dict[Seat, Entry]:
        own = self.bot if room == BOT else parse_entry("oracle").named("oracle")
        return {seat: own if seat == self.seat else self.against for seat in SEATS}

    def entry_seats(self, room: str) -> dict[Seat, EntrySeat]:
        return {seat: EntrySeat(entry, seat, room) for seat, entry in self.entries(room).items()}


class Replay:
    """A replay in its checkpoint: what is known of its games, and the playing and solving of more.

    Every method raises CheckpointError if the checkpoint cannot be used.
    """

    def __init__(self, setup: Setup, checkpoint: Checkpoint) -> None:
        self._setup = setup
        self._checkpoint = checkpoint

    def replayed(self, game: RecordedGame) -> ReplayedGame:
        bot, oracle = (self._record(game, room) for room in (BOT, ORACLE))
        facts = self._checkpoint.get(_unit_id(game, DD))
        dd_tricks = None if facts is None else int(facts["tricks"])
        return ReplayedGame(game, self._setup.seat, bot, oracle, dd_tricks)

    def is_played(self, game: RecordedGame) -> bool:
        return not any(self._is_due(game, room) for room in (BOT, ORACLE))

    async def play(
        self,
        games: Sequence[RecordedGame],
        log: EventLog,
        on_board: Callable[[], None],
        concurrency: int,
    ) -> None:
        """Play what is left. Raises LostBotError, SeatingError, GatewayError and StartError."""
        left = [game for game in games if not self.is_played(game)]
        if not left:
            return
        setup = self._setup
        tables = min(concurrency, len(left))
        secrets = {*setup.bot.secrets, *setup.against.secrets}
        conditions = Conditions("Bridge Arena replay", setup.control, secrets=secrets)
        games_left = iter(left)

        async def play_games(table: int) -> None:
            for game in games_left:
                for room in (BOT, ORACLE):
                    if self._is_due(game, room):
                        await self._play_game(game, room, table, roster, log)
                on_board()

        async with Roster(conditions, log, tables) as roster:
            rooms = [setup.entry_seats(room).values() for room in (BOT, ORACLE)]
            await roster.fill(chain(*rooms))
            with first_error(Exception):
                async with asyncio.TaskGroup() as group:
                    for table in range(tables):
                        group.create_task(play_games(table))
            await roster.dismiss("the replay is over")

    async def solve(self, games: Sequence[RecordedGame], on_result: Callable[[], None]) -> None:
        """Solve every contract that is not solved yet.

        A contract that the solver cannot finish within its deadline is left open, and tried again
        by the next run.
        """

        def left() -> Iterator[tuple[RecordedGame, BoardRecord]]:
            for game in games:
                is_known = self._checkpoint.get(_unit_id(game, DD)) is not None
                record = None if is_known else self._record(game, BOT)
                if record is not None and self._counts(record):
                    yield game, record
                else:
                    on_result()

        async def tricks(unit: tuple[RecordedGame, BoardRecord]) -> int | None:
            _, record = unit
            assert record.contract is not None
            try:
                return await oracle.tricks(record.board.deal, record.contract)
            except OracleError:
                return None  # the summary counts the boards without a result

        def keep(unit: tuple[RecordedGame, BoardRecord], tricks: int | None) -> bool:
            game, _ = unit
            if tricks is not None:
                self._checkpoint.save(_unit_id(game, DD), tricks=tricks)
            on_result()
            return True

        with Oracle() as oracle:
            await work_off(left(), tricks, lambda: 2 * oracle.workers, keep)

    async def _play_game(
        self, game: RecordedGame, room: str, number: int, roster: Roster, log: EventLog
    ) -> None:
        setup = self._setup
        assert game.record is not None
        board = game.record.board
        north, east, south, west = (seat_seed(setup.seed, board.number, seat) for seat in SEATS)
        seated_bots = roster.seated_bots(setup.entry_seats(room))
        players = {seat: seated_bot.place(number) for seat, seated_bot in seated_bots.items()}
        entries = setup.entries(room)
        names = [entries[seat].name for seat in SEATS]
        unit = _unit_id(game, room)
        table = Table(
            f"table {number + 1}",
            board,
            (north, east, south, west),
            setup.control,
            given=self._auction(game, room),
            bidders={setup.seat} if room == BOT and setup.start is Start.AUCTION else (),
            on_fault=partial(log.note_fault, unit, board.number, names),
        )
        await play_board(table, players)
        record = replace(
            table.record((names[0], names[1], names[2], names[3])),
            event=f"Replay, {room} in {setup.seat}: {entries[setup.seat].name}",
            date=date.today().strftime("%Y.%m.%d"),
        )
        if not record.is_finished:
            fault = (await roster.lose(record, seated_bots)).faults[-1]
            raise LostBotError(
                f"bot {seated_bots[fault.seat].entry_seat} was lost on game {game.number}: "
                f"{fault.kind}: {fault.detail}"
            )
        self._checkpoint.save(unit, pbn=format_game(game_of(record)))
        log.write("board_ended", unit=unit, tricks=record.tricks, score=record.score)

    def _auction(self, game: RecordedGame, room: str) -> Sequence[MadeCall]:
        """Return the calls to repeat: the oracle is given those that the bot had."""
        if room == BOT:
            return game.auction
        record = self._record(game, BOT)
        assert record is not None
        return record.calls

    def _record(self, game: RecordedGame, room: str) -> BoardRecord | None:
        """Return the board as it was played in a room, or None if it was not."""
        facts = self._checkpoint.get(_unit_id(game, room))
        if facts is None:
            return None
        return next(read_records(BytesIO((HEADER + facts["pbn"]).encode("latin-1"))))

    def _is_due(self, game: RecordedGame, room: str) -> bool:
        """Return whether a board is to be played in a room.

        The oracle plays after the bot, and only if there is something to compare.
        """
        if self._checkpoint.get(_unit_id(game, room)) is not None:
            return False
        if room == BOT:
            return True
        record = self._record(game, BOT)
        return record is not None and self._counts(record)

    def _counts(self, record: BoardRecord) -> bool:
        """Return whether a board that the bot played says something about its play."""
        contract = record.contract
        return contract is not None and contract.declarer.partner != self._setup.seat


def _unit_id(game: RecordedGame, part: str) -> str:
    return f"replay/{game.number}/{part}"
