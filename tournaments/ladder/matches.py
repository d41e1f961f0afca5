"""The matches of a ladder: each is played in a task of its own, adjourned, and goes on.

A match is an event of its own in the ladder's database, played at one table by the runner of
events. So a match that was interrupted goes on where it was, and its deals are sealed until it is
over.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Hashable
from dataclasses import replace
from functools import partial

from bridge_arena.base.stopping import Stop, StoppedError
from bridge_arena.base.warm_process import WarmProcess
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.oracle.errors import WorkerError
from bridge_arena.oracle.pool import Oracle
from bridge_arena.server.gateway import GatewayError
from bridge_arena.server.sandbox.sandbox import SandboxError
from bridge_arena.server.supervisor import StartError
from bridge_arena.tournaments.events.entries import EntryError
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.ladder.attendance import Attendance
from bridge_arena.tournaments.ladder.match_log import MatchLog
from bridge_arena.tournaments.ladder.places import Places
from bridge_arena.tournaments.ladder.players import Player
from bridge_arena.tournaments.ladder.results import Results
from bridge_arena.tournaments.ladder.store.ladder_store import LadderMatch, LadderStore, pair_of
from bridge_arena.tournaments.ladder.watch.consistency_checks import ConsistencyChecks
from bridge_arena.tournaments.ladder.watch.storage import Storage
from bridge_arena.tournaments.ladder.wire_logs import MatchWireLogs, WireLogs
from bridge_arena.tournaments.play.board_values import Ledgers, complete, missing
from bridge_arena.tournaments.play.cluster import ClusterError, TaskError
from bridge_arena.tournaments.play.event_log import EventLog
from bridge_arena.tournaments.play.runner import Runner
from bridge_arena.tournaments.play.seating.seats import SeatingError
from bridge_arena.tournaments.play.seating.started_bots import warm_process
from bridge_arena.tournaments.play.venue import OpenVenue, VenueOptions
from bridge_arena.tournaments.store import Store, StoreError

FAILURES = EntryError, GatewayError, SandboxError, SeatingError, StartError, WorkerError
"""What keeps a match from being played, of which players may be at fault."""


class Matches:
    """The matches that are at play, and those that go on another time.

    Args:
        store: The store of the ladder.
        attendance: Who is there.
        results: Where matches count that are over.
        storage: What is told that something could not be written.
        places: Where the matches are played.
        log: The log.
        say: Called with a line about who is lost, comes back, and leaves.
        stop: The order to stop.
        options: What the venues of matches have.
        clock: Returns the time in seconds.
        oracle: The solver processes that value the play; None to leave the play unvalued.
        wire_logs: The messages of the players' bots.

    Attributes:
        at_play: The matches at play, by their tasks.
        begun: The matches that were begun and are neither over nor at play, by their numbers.
    """

    def __init__(
        self,
        store: LadderStore,
        attendance: Attendance,
        results: Results,
        storage: Storage,
        places: Places,
        log: EventLog,
        say: Callable[[str], None],
        stop: Stop,
        options: VenueOptions,
        clock: Callable[[], float],
        oracle: Oracle | None,
        wire_logs: WireLogs,
    ) -> None:
        self.at_play: dict[asyncio.Task[None], LadderMatch] = {}
        self.begun: dict[int, LadderMatch] = {}
        self._store = store
        self._definition = store.definition()
        self._attendance = attendance
        self._results = results
        self._storage = storage
        self._places = places
        self._log = log
        self._say = say
        self._stop = stop
        self._options = options
        self._clock = clock
        self._oracle = oracle
        self._wire_logs = wire_logs
        # The processes that bots are forked from, by the secrets that they do not have.
        self._warm: dict[frozenset[str], WarmProcess | None] = {}

    def load(self) -> None:
        """Read from the store which matches were begun. Raises StoreError."""
        self.begun = {match.number: match for match in self._store.open_matches()}

    async def close(self) -> None:
        """Leave the matches at play, and stop what bots are forked from."""
        for task in self.at_play:
            task.cancel()
        await asyncio.gather(*self.at_play, return_exceptions=True)
        for warm in self._warm.values():
            if warm is not None:
                await asyncio.to_thread(warm.close)

    def sweep(self) -> None:
        """Forget the tasks that are done; raise what one of them raised."""
        for done in [task for task in self.at_play if task.done()]:
            del self.at_play[done]
            done.result()

    def busy(self) -> set[int]:
        """Return the numbers of the players at play."""
        players = map(self._attendance.players_of, self.at_play.values())
        return {player.number for both in players for player in both}

    def begin(self, match: LadderMatch) -> bool:
        """Play a match, in a task of its own; return whether it may begin."""
        title = f"match {match.number}, {' - '.join(self._names(match))}"
        if not self._stop.begin(title, match.number, self._definition.template.boards):
            return False
        self.begun.pop(match.number, None)
        self._places.take(match, self._attendance.players_of(match))
        self.at_play[asyncio.create_task(self._play(match, title))] = match
        return True

    def begin_check(self, version: int, number: int, checks: ConsistencyChecks) -> None:
        """Have a version play its consistency check, told as a match of a number."""
        check = LadderMatch(-version, version, version)  # it takes a place, and is not in the store
        self._places.take_table(check)
        self.at_play[asyncio.create_task(self._check(check, number, checks))] = check

    def may_go_on(self, match: LadderMatch, busy: Collection[int]) -> bool:
        """Return whether a match that was begun may go on, while players are busy."""
        players = self._attendance.players_of(match)
        return (
            self._attendance.are_able(match)
            and all(player.number not in busy for player in players)
            and all(map(self._places.has_place_for, players, match.versions))
            and not self._is_before_its_turn(match)
        )

    def end_gone(self) -> None:
        """End the matches whose players, or their versions, do not come back.

        Their boards count as far as they were played. Raises StoreError and OSError.
        """
        for _, match in sorted(self.begun.items()):
            if any(map(self._attendance.is_gone, match.versions)):
                store = self._store.event_store(self._event(match))
                # As at the end of a match that is played to its end.
                store.reveal(store.count_rulings())
                self._results.count(match, store, self._leaving(match))
                del self.begun[match.number]

    def _leaving(self, match: LadderMatch) -> list[int]:
        """Return the teams of a match that end it, as they come and go by themselves."""
        return [
            team
            for team, player in enumerate(self._attendance.players_of(match))
            if player.comes_by_itself and self._attendance.is_gone(match.versions[team])
        ]

    def _event(self, match: LadderMatch) -> Event:
        home, visitors = self._attendance.players_of(match)
        return self._definition.event(match.number, home.entrant, visitors.entrant)

    def _names(self, match: LadderMatch) -> list[str]:
        return [player.name for player in self._attendance.players_of(match)]

    async def _play(self, match: LadderMatch, title: str) -> None:
        began = self._clock()
        stop = self._stop_of(match)
        runner: Runner | None = None
        event = self._event(match)
        log = MatchLog(self._log, match.number, event, self._say)
        players = self._attendance.players_of(match)
        wire_logs = self._wire_logs.of_match(match.number, players)
        try:
            store = self._store.event_store(event)
            ledgers = None if self._oracle is None else partial(Ledgers, oracle=self._oracle)
            opens = self._opens(match, stop, wire_logs)
            runner = Runner(store, log, _ignore, opens, stop, ledgers)
            await runner.run()
            await self._finish(self._played_on(match, began), store)
        except StoppedError:
            self._adjourn(self._played_on(match, began))
            if stop.absent:
                gone = [player.name for player in stop.absent]
                self._log.write("match_adjourned", match=match.number, gone=gone)
                self._say(f"{title}, is adjourned: {' and '.join(gone)} left")
            # Who comes and goes without a board to show for it takes the time of its opponents.
            for player in () if log.has_board else stop.absent:
                self._attendance.rest(player)
        except ClusterError as error:
            at_fault = self._failed(self._played_on(match, began), error)
            # Unless the cluster itself is gone.
            for _, version in at_fault if isinstance(error, TaskError) else ():
                self._places.keep_here(version)
        except FAILURES as error:
            for player, _ in self._failed(self._played_on(match, began), error):
                self._attendance.rest(player)
                self._attendance.cannot_play(player, error)
        except (OSError, StoreError) as error:
            if runner is not None and runner.unsaved is not None:
                self._storage.save_later(store, *runner.unsaved)
            self._storage.failed(error)
        finally:
            wire_logs.close()
            self._leave(match, stop)
            self._stop.end(title)

    async def _check(self, check: LadderMatch, number: int, checks: ConsistencyChecks) -> None:
        player = self._attendance.player_of(check.home)
        stop = self._stop_of(check)
        event = checks.event(player, number)
        try:
            await checks.play(player, check.home, event, self._opens(check, stop), stop)
            for absent in stop.absent:
                checks.tell_left(absent)
                self._attendance.rest(absent)
        except FAILURES as error:
            self._attendance.cannot_play(player, error)
            self._attendance.rest(player)
        except (OSError, StoreError) as error:
            self._storage.failed(error)
        finally:
            self._leave(check, stop)

    def _stop_of(self, match: LadderMatch) -> _MatchStop:
        """Return the order to stop for a match that begins."""
        stop = _MatchStop(partial(self._attendance.absent, match))
        self._stop.listeners.append(stop.order)
        self._storage.writing.add(stop)
        return stop

    def _leave(self, match: LadderMatch, stop: Stop) -> None:
        """Give up what a match had that is at play no more."""
        self._storage.writing.discard(stop)
        self._stop.listeners.remove(stop.order)
        self._places.leave(match)

    async def _finish(self, match: LadderMatch, store: Store) -> None:
        """Count a match that was played to its end, or have it wait for its turn."""
        if self._is_before_its_turn(match):
            self._adjourn(match)
            return
        if self._oracle is not None:
            left = missing(store, list(store.results()))
            await complete(store, left, lambda: None, self._oracle)
        self._results.count(match, store)
        for player in self._attendance.players_of(match):
            self._attendance.has_played(player)

    def _is_before_its_turn(self, match: LadderMatch) -> bool:
        """Return whether a match that its two players began before it is not over.

        Matches of a pair count in the order in which they began: those that are over soon may
        differ from others.
        """
        others = (*self.at_play.values(), *self.begun.values())
        return any(
            pair_of(other) == pair_of(match) and other.number < match.number for other in others
        )

    def _played_on(self, match: LadderMatch, began: float) -> LadderMatch:
        """Return a match that was played on until now."""
        return replace(match, seconds=match.seconds + self._clock() - began)

    def _adjourn(self, match: LadderMatch) -> None:
        """Have a match go on another time."""
        self.begun[match.number] = match
        try:
            self._store.adjourn(match)
        except StoreError as error:
            self._storage.failed(error)

    def _failed(self, match: LadderMatch, error: Exception) -> list[tuple[Player, int]]:
        """Adjourn a match; return the players who may be at fault, with their versions."""
        self._adjourn(match)
        self._log.write("match_failed", match=match.number, why=str(error))
        bot = getattr(error, "player", "")
        both = list(zip(self._attendance.players_of(match), match.versions, strict=True))
        return [one for one in both if one[0].is_of(bot)] or both

    def _opens(
        self, match: LadderMatch, stop: Stop, wire_logs: MatchWireLogs | None = None
    ) -> OpenVenue:
        warm, secrets = self._warm_process()
        options = replace(self._options, stop=stop, warm=warm, secrets=secrets)
        if wire_logs is not None:
            options = replace(options, wire_logs=wire_logs.of_seat)
        return partial(self._places.open, match, options=options)

    def _warm_process(self) -> tuple[WarmProcess | None, frozenset[str]]:
        """Return the process that bots are forked from, and the secrets that it does not have."""
        secrets = frozenset(
            name
            for player in self._attendance.players.values()
            for bot in player.entrant.known_players
            for name in bot.secrets
        )
        if secrets not in self._warm:
            # Matches at play go on with the one before, if a player with other secrets has come.
            self._warm[secrets] = warm_process(secrets)
        return self._warm[secrets], secrets


class _MatchStop(Stop):
    """The order to stop for a match, which is adjourned as soon as a player is gone."""

    def __init__(self, absent: Callable[[], list[Player]]) -> None:
        super().__init__()
        self.absent: list[Player] = []  # who was gone when a board was to begin
        self._absent = absent

    def may_begin(self, board: Hashable) -> bool:
        self.absent = self._absent()
        return super().may_begin(board) and not self.absent


def _ignore(_record: BoardRecord) -> None:
    """Tell nobody of a board: a ladder tells of matches."""
