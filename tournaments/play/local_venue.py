"""The venue on this machine: tables in this process, at which bots play the units of an event."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from datetime import date
from functools import partial
from itertools import chain
from types import TracebackType

from bridge_arena.base.concurrency import first_error
from bridge_arena.base.stopping import Stop, StoppedError
from bridge_arena.base.wording import plural
from bridge_arena.bridge.record import BoardRecord, Fault, FaultKind, Mode
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.oracle.pool import Oracle
from bridge_arena.pbn.annotations import portable
from bridge_arena.server.clock import MatchClock
from bridge_arena.server.connection_limits import most_connections
from bridge_arena.server.driver import award, play_board
from bridge_arena.server.faults import MatchFaults
from bridge_arena.server.feed import Feed
from bridge_arena.server.gateway import GatewayError
from bridge_arena.server.pace import Pace
from bridge_arena.server.supervisor import StartError
from bridge_arena.server.table import Table
from bridge_arena.server.websocket_player import WebsocketPlayer
from bridge_arena.tournaments.events import Isolation
from bridge_arena.tournaments.events.entries import Access, Entry, version_of
from bridge_arena.tournaments.events.event import broadcast_of
from bridge_arena.tournaments.events.people import person_of
from bridge_arena.tournaments.events.sealed_deals import meets_deals_again
from bridge_arena.tournaments.formats.rules import Format
from bridge_arena.tournaments.play.announcements import News
from bridge_arena.tournaments.play.seating.roster import Roster
from bridge_arena.tournaments.play.seating.seats import (
    AwaitedPlayer,
    Conditions,
    EntrySeat,
    SeatingError,
)
from bridge_arena.tournaments.play.seating.started_bots import sandbox
from bridge_arena.tournaments.play.venue import (
    ONE_TABLE,
    Begin,
    EventInPlay,
    Keep,
    VenueOptions,
    any_time,
    has_match_clock,
)
from bridge_arena.tournaments.schedule.units import HOME, VISITORS, Match, Unit

CLAIM_SECONDS = 5.0
"""Seconds of processor time that the solver may take for a claim; then the claim is not accepted.
Once a trick has been played, and claims are rarely made sooner, it takes milliseconds."""


def awaited(entry_seats: Iterable[EntrySeat], tables: int) -> Iterator[str]:
    """Yield lines that say which bots must connect by themselves, and for which seats."""
    seats: dict[Entry, list[Seat]] = {}
    for entry_seat in entry_seats:
        seats.setdefault(entry_seat.entry, []).append(entry_seat.seat)
    for entry, taken in seats.items():
        letters = " ".join(seat.letter for seat in sorted(taken))
        where = f"seats {letters}" if len(taken) > 1 else f"seat {letters}"
        if entry.access is Access.BLUECHIP:
            what, at_once = "one program", ""
        else:
            what = "one process of the bot"
            at_once = f", which plays at {tables} tables at once" if tables > 1 else ""
        per_seat = " for each seat" if len(taken) > 1 else ""
        yield f"waiting for {entry.name} in {where}: {what}{per_seat}{at_once}"


class LocalVenue:
    """The tables for one event, used while its context is entered.

    Entering raises GatewayError and SandboxError.
    """

    def __init__(self, play: EventInPlay, options: VenueOptions = ONE_TABLE) -> None:
        event = self._event = play.event
        self._boards = play.boards
        self._log = play.log
        self._results = play.results
        self._tables = min(options.tables, play.most_at_once or options.tables)
        self._public = options.public
        self._audience = options.audience
        # Who waits for the next match is told that this one is over.
        self._meeting = "event" if options.waiting_room is None else "match"
        self._entries = [entrant.party() for entrant in event.entries]
        conditions = Conditions.of(event, play.boards.commitment, options.secrets)
        # As they are when a board begins.
        self._settings = play.settings
        # The clocks of the entries, by match, place in it, and entry.
        self._clocks: dict[tuple[str, str, int], MatchClock] = {}
        # The faults of the players, by match, place in it, and seat.
        self._faults: dict[tuple[str, str, Seat], MatchFaults] = {}
        # What the arena knows of the versions of the bots that it starts.
        self._versions: dict[Entry, str] = {}
        self._paces = [Pace(options.pace) for _ in range(self._tables)]
        self._stop = options.stop or Stop()
        self._stop.listeners += [pace.drop for pace in self._paces]
        # The feed of each table for spectators; none where nobody can come.
        is_open = options.public is not None or options.audience is not None
        self.feeds = [
            Feed(conditions.welcome(f"table {number}"), broadcast_of(event), pace)
            for number, pace in enumerate(self._paces if is_open else (), start=1)
        ]
        self._roster = Roster(
            conditions,
            play.log,
            self._tables,
            options,
            self.feeds,
            sandbox(options.hidden) if conditions.needs_sandbox else None,
        )
        # The last round that has begun.
        self._round = 0
        # The number of tables at which each board is in play.
        self._in_play: Counter[int] = Counter()
        # The number of tables that are playing a match, by its id.
        self._at_match: Counter[str] = Counter()
        # If boards are only bid, it finds the tricks of the contracts, without a deadline, as every
        # board needs a result. If cards are played, it checks claims.
        bidding = event.mode is Mode.BIDDING
        self._oracle = Oracle(deadline=None if bidding else CLAIM_SECONDS)
        self._contexts = AsyncExitStack()

    async def __aenter__(self) -> LocalVenue:
        self._contexts.enter_context(self._oracle)
        if self._audience is not None:
            self._audience.opened(self.feeds)
        if self._public is not None and self._public.tell is not None:
            news = News(self._event, len(self._results), self._public.tell)
            self._log.listeners.append(news.hear)
        await self._contexts.enter_async_context(self._roster)
        if self._roster.url:
            self._announce(f"listening on {self._roster.url}")
        programs = [one for one in self._event.players if one.access is Access.BLUECHIP]
        for team in dict.fromkeys(program.team for program in programs):
            where = self._roster.bluechip_address
            self._announce(f"Blue Chip programs: {where} as team {team}")
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if kind is None:
                for feed in self.feeds:
                    feed.end("the event is over")
                await self._roster.dismiss(f"the {self._meeting} is over")
            elif kind is StoppedError:
                await self._roster.dismiss_started(f"the {self._meeting} was stopped")
        finally:
            await self._contexts.__aexit__(kind, error, trace)

    async def seat(self, units: Iterable[Unit]) -> None:
        """Start the bots that play the units, and wait for those that connect by themselves.

        Those that play later may come too, and are not waited for. A bot that does not connect in
        time loses boards. Raises SeatingError, StartError and GatewayError.
        """
        units = list(units)
        self._check_room(self._most_posts(units))
        await self._roster.open(self._programs(units))
        # Bots that are started for one match are started when it begins.
        first = set(self._seats_of(units[: self._tables]))
        ours: list[EntrySeat] = []
        others: list[EntrySeat] = []
        for entry_seat in self._seats_of(units):
            if not entry_seat.match or entry_seat in first:
                is_ours = entry_seat.entry.access is Access.STARTED
                (ours if is_ours else others).append(entry_seat)
        programs = [one for one in others if one.entry.access is not Access.HUMAN]
        for line in awaited(programs, self._tables):
            self._announce(line)
        with first_error(SeatingError, StartError):
            async with asyncio.TaskGroup() as group:
                group.create_task(self._roster.fill(ours))
                for entry_seat in others:
                    group.create_task(self._await(entry_seat))
        with suppress(TimeoutError):
            async with asyncio.timeout(self._event.policies.no_show):
                await self._await_back(others)
        self._announce("the event begins")

    async def _await_back(self, entry_seats: Sequence[EntrySeat]) -> None:
        """Wait for bots that have left since they came; meanwhile others may leave."""
        while left := self._roster.vacate(entry_seats):
            for entry_seat in left:
                self._announce(f"{entry_seat} has left: waiting for it")
            await asyncio.gather(*map(self._await, left))

    def _announce(self, line: str) -> None:
        if self._public is not None:
            self._public.announce(line)

    def _programs(self, units: Sequence[Unit]) -> list[EntrySeat]:
        """Return the seats of all programs that connect by themselves, those of the units first.

        Their bots come at the start, also for teams with a bye and for later matches.
        """
        entry_seats = self._seats_of(units)
        if self._event.format.is_teams:
            entry_seats += [
                EntrySeat(party.at(seat), seat) for party in self._entries for seat in SEATS
            ]
        kinds = (Access.REMOTE, Access.BLUECHIP)
        return [one for one in dict.fromkeys(entry_seats) if one.entry.access in kinds]

    def _most_posts(self, units: Sequence[Unit]) -> int:
        """Return the largest number of seats that are taken at once.

        Seats for one match only count for as many matches as there are tables.
        """
        by_match = {"": set(self._programs(units))}
        for entry_seat in self._seats_of(units):
            by_match.setdefault(entry_seat.match, set()).add(entry_seat)
        always = len(by_match.pop(""))
        return always + sum(sorted(map(len, by_match.values()))[-self._tables :])

    def _check_room(self, entry_seats: int) -> None:
        """Limit the connections of others, so that the play has all that it needs.

        Raises GatewayError.
        """
        needed, most = entry_seats * self._tables, most_connections()
        if needed > most:
            tables = plural(self._tables, "table")
            raise GatewayError(
                f"{tables} at once take {needed} connections, and {most} may be open (ulimit -n): "
                f"--concurrency {most // entry_seats} is the most"
            )
        self._roster.limit_others(most - needed)

    async def _await(self, entry_seat: EntrySeat) -> None:
        """Wait for a bot that connects by itself; announce whether it came."""
        try:
            await self._roster.fill([entry_seat])
        except SeatingError as error:
            self._announce(f"{error}: the event goes on without it")
        else:
            self._announce(f"{entry_seat} is here")

    async def play(self, units: Iterator[Unit], keep: Keep, begin: Begin = any_time) -> None:
        """Play units, as many at once as there are tables, until there are no more.

        A unit whose player is lost is kept unfinished, with that fault as its last. The boards that
        the player was playing at other tables are not kept, and may be played again. Raises
        OracleError and Exception.
        """
        with first_error(Exception):
            async with asyncio.TaskGroup() as group:
                for table in range(self._tables):
                    group.create_task(self._play_at(table, units, keep, begin))

    def show(self, finished: Container[int]) -> None:
        """Show the spectators the boards that are finished, if their broadcast waits for that."""
        for feed in self.feeds:
            feed.release(
                {board for board in feed.held if board in finished and not self._in_play[board]}
            )

    async def _play_at(self, table: int, units: Iterator[Unit], keep: Keep, begin: Begin) -> None:
        match: Match | None = None
        for unit in units:
            if match is None or unit.match.id != match.id:
                self._at_match[unit.match.id] += 1
                await self._leave(match)
                match = unit.match
            async with self._roster.at_one_table(self._entry_seats(unit).values()):
                # Only now, as those who play at one table only may still have been at another.
                if not begin(unit):
                    break
                if unit.match.round > self._round:
                    self._round = unit.match.round
                    self._log.write("round_began", round=self._round)
                self._in_play[unit.board] += 1
                try:
                    record = await self._play_unit(table, unit)
                finally:
                    self._in_play[unit.board] -= 1
            kept = keep(unit, record)
            if kept is not None and self._audience is not None:
                self._audience.ended(unit, kept)
        await self._leave(match)

    async def _leave(self, match: Match | None) -> None:
        """Take a table from a match; the last table dismisses the bots that were started for it.

        Units come match by match, so no table returns to the match.
        """
        if match is None:
            return
        self._at_match[match.id] -= 1
        if not self._at_match[match.id]:
            del self._at_match[match.id]
            own = [entry_seat for entry_seat in self._seats_of(match.units()) if entry_seat.match]
            await self._roster.release(own, "the match is over")

    async def _play_unit(self, number: int, unit: Unit) -> BoardRecord | None:
        given = self._boards.board(unit.board)
        entry_seats = self._entry_seats(unit)
        board = given.board
        table = Table(
            f"table {number + 1}",
            board,
            self._boards.seeds(unit.board),
            {seat: self._settings[unit.lineup[seat]].clock for seat in SEATS},
            bidding_only=self._event.mode is Mode.BIDDING,
            policies=self._event.policies.at_table(),
            claims=self._event.claims,
            match_clocks={seat: self._clock(unit, seat) for seat in SEATS},
            match_faults={seat: self._match_faults(unit, seat) for seat in SEATS},
            given=given.auction if self._event.mode is Mode.PLAY else (),
            people=[seat for seat, place in entry_seats.items() if place.person],
            on_fault=partial(self._log.note_fault, unit.id, board.number, self._names(unit)),
        )
        # While one seat is filled, a bot in another may be lost at another table.
        while len(seated_bots := self._roster.seated_bots(entry_seats)) < len(entry_seats):
            empty = next(seat for seat in SEATS if seat not in seated_bots)
            try:
                await self._roster.fill([entry_seats[empty]])
            except (SeatingError, StartError) as error:
                record = self._record(unit, table)
                started = entry_seats[empty].entry.access is Access.STARTED
                kind = FaultKind.CRASH if started else FaultKind.DISCONNECT
                return replace(record, faults=(Fault(empty, kind, 0, str(error)),))
        players = {seat: seated_bot.place(number) for seat, seated_bot in seated_bots.items()}
        for seat, player in players.items():
            if isinstance(player, WebsocketPlayer):
                own = self._settings[unit.lineup[seat]]
                player.change_terms(own.clock, own.grace)
        feeds = self.feeds[number : number + 1]
        for feed in feeds:
            feed.begin(unit.board)
        if self._audience is not None:
            self._audience.begun(number, unit, board)
        with self._roster.metrics.tables.track_inprogress():
            await play_board(
                table, players, solver=self._oracle, kibitzers=feeds, pace=self._paces[number]
            )
        self._log_claims(unit, table)
        if table.unplayed is not None:
            tricks = await self._oracle.tricks(board.deal, table.unplayed)
            award(table, [*players.values(), *feeds], tricks)
        programs = (self._program(entry_seats[seat].entry, players[seat]) for seat in SEATS)
        record = self._record(unit, table, tuple(programs))
        self._roster.metrics.board(record, table.timings)
        if record.is_finished:
            return record
        lost = seated_bots[record.faults[-1].seat]
        was_lost_here = lost.is_in_seat
        if was_lost_here:
            record = await self._roster.lose(record, seated_bots)
        # Service managers send SIGTERM to the arena and its bots at once. In a sandbox a bot cannot
        # end as if by that.
        is_stopped = self._stop.is_ordered and lost.bot is not None and lost.bot.was_terminated
        if is_stopped or not was_lost_here:
            table.annul()
            return None
        return record

    def _program(self, entry: Entry, player: AwaitedPlayer) -> str:
        """Return the name and version of what plays in a seat."""
        if entry not in self._versions:
            self._versions[entry] = version_of(entry)
        return portable(f"{player.hello} {self._versions[entry]}".strip())

    def _clock(self, unit: Unit, seat: Seat) -> MatchClock:
        """Return a seat's clock for the match; partners of one entry share it."""
        entry = unit.lineup[seat]
        control = self._settings[entry].clock
        whose = (unit.match.id, unit.place, entry)
        clock = self._clocks.get(whose)
        if clock is None or clock.limit != control.match:
            clock = self._clocks[whose] = MatchClock(control)
            clock.charge(
                sum(
                    seconds
                    for record in self._so_far(unit)
                    # Boards of release 0.1 have no such seconds.
                    for player, seconds in zip(unit.lineup, record.match_seconds, strict=False)
                    if player == entry
                )
            )
        return clock

    def _match_faults(self, unit: Unit, seat: Seat) -> MatchFaults:
        """Return the faults in the match of the player in a seat."""
        whose = (unit.match.id, unit.place, seat)
        if whose not in self._faults:
            self._faults[whose] = MatchFaults(
                fault
                for record in self._so_far(unit)
                for fault in record.faults
                if fault.seat is seat
            )
        return self._faults[whose]

    def _so_far(self, unit: Unit) -> list[BoardRecord]:
        """Return the records of a unit's match at its place."""
        return [
            self._results[played.id]
            for played in unit.match.units()
            if played.place == unit.place and played.id in self._results
        ]

    def _seats_of(self, units: Iterable[Unit]) -> list[EntrySeat]:
        """Return the seats of units, each once.

        Their order matters: a bot that asks for any seat gets the first.
        """
        seats = chain.from_iterable(self._entry_seats(unit).values() for unit in units)
        return list(dict.fromkeys(seats))

    def _entry_seats(self, unit: Unit) -> dict[Seat, EntrySeat]:
        return {seat: self._entry_seat(unit.lineup[seat], seat, unit.match) for seat in SEATS}

    def _entry_seat(self, number: int, seat: Seat, match: Match) -> EntrySeat:
        entry = self._entries[number].at(seat)
        if entry.access is Access.HUMAN:
            return EntrySeat(entry, seat, person=person_of(self._event.format, entry, seat))
        # In a sandbox each match has bots of its own, so that none remembers a deal from another.
        is_apart = (
            entry.access is Access.STARTED
            and self._settings[number].isolation is Isolation.SANDBOX
            and meets_deals_again(self._event)
        )
        return EntrySeat(entry, seat, match=match.id if is_apart else "")

    def _names(self, unit: Unit) -> tuple[str, str, str, str]:
        north, east, south, west = (self._entries[number].name for number in unit.lineup)
        return north, east, south, west

    def _record(self, unit: Unit, table: Table, programs: tuple[str, ...] = ()) -> BoardRecord:
        event, match = self._event, unit.match
        is_alone = event.format is Format.MATCH
        home = visitors = ""
        if event.format.is_teams:
            home, visitors = (self._entries[match.entries[at]].name for at in (HOME, VISITORS))
        return replace(
            table.record(self._names(unit)),
            event=event.name,
            date=date.today().strftime("%Y.%m.%d"),
            room=unit.room,
            home=home,
            visitors=visitors,
            mode=event.mode,
            round=None if is_alone else match.round,
            table=None if is_alone else match.number,
            scoring=event.scoring.pbn,
            times=_times(table),
            match_seconds=table.match_seconds if has_match_clock(self._settings) else (),
            programs=programs,
        )

    def _log_claims(self, unit: Unit, table: Table) -> None:
        for claim in table.settled_claims:
            self._log.write(
                "claim",
                unit=unit.id,
                board=table.board.number,
                seat=claim.seat.letter,
                entry=self._entries[unit.lineup[claim.seat]].name,
                tricks=claim.tricks,
                cards_played=claim.cards,
                accepted=claim.accepted,
            )


def _times(table: Table) -> tuple[tuple[float, ...], ...]:
    """Return the milliseconds of each action by seat, without calls that were given."""
    times: list[list[float]] = [[], [], [], []]
    for timing in table.timings:
        times[timing.seat].append(round(timing.milliseconds, 1))
    return tuple(map(tuple, times))
