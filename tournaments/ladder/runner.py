"""The runner of a ladder: who is there, who meets whom, the match, its sums; until it is stopped.

A match is an event of its own in the ladder's database, played at one table by the runner of
events. So a match that was interrupted goes on where it was, and its deals are sealed until it is
over.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from hashlib import sha256
from itertools import combinations
from pathlib import Path

from bridge_arena.base.stopping import Stop, StoppedError
from bridge_arena.base.warm_process import WarmProcess
from bridge_arena.base.wording import plural
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.oracle.errors import WorkerError
from bridge_arena.oracle.pool import Oracle
from bridge_arena.server.gateway import GatewayError
from bridge_arena.server.sandbox.sandbox import SandboxError
from bridge_arena.server.supervisor import StartError
from bridge_arena.tournaments.events.entries import EntryError
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.ladder.alerts import Alerts, Kind
from bridge_arena.tournaments.ladder.clock_watch import ClockWatch
from bridge_arena.tournaments.ladder.consistency_checks import ConsistencyChecks
from bridge_arena.tournaments.ladder.ladder_store import LadderMatch, LadderStore, pair_of
from bridge_arena.tournaments.ladder.match_log import MatchLog
from bridge_arena.tournaments.ladder.places import Places
from bridge_arena.tournaments.ladder.players import (
    AbsentError,
    Fingerprints,
    Player,
    State,
    Version,
)
from bridge_arena.tournaments.ladder.remote_players import RemotePlayers
from bridge_arena.tournaments.ladder.retention import delete_old
from bridge_arena.tournaments.ladder.rows import now
from bridge_arena.tournaments.ladder.scores import Scores
from bridge_arena.tournaments.ladder.sequential_tests import SHARE, LadderTest, Outcome, Turns
from bridge_arena.tournaments.ladder.storage import Storage
from bridge_arena.tournaments.ladder.sums import Pair, PairSums, sums_of
from bridge_arena.tournaments.ladder.webhook import Webhook
from bridge_arena.tournaments.ladder.week_files import WeekFiles
from bridge_arena.tournaments.ladder.weeks import performances
from bridge_arena.tournaments.play.board_values import Ledgers, complete, missing
from bridge_arena.tournaments.play.cluster import ClusterError, TaskError
from bridge_arena.tournaments.play.event_log import EventLog
from bridge_arena.tournaments.play.runner import Runner
from bridge_arena.tournaments.play.seating.seats import SeatingError
from bridge_arena.tournaments.play.seating.started_bots import warm_process
from bridge_arena.tournaments.play.venue import ONE_TABLE, OpenVenue, VenueOptions
from bridge_arena.tournaments.store import Store, StoreError

LOOK_SECONDS = 1.0
"""The seconds between two looks at the orders in the store."""

MOST_VERSIONS = 100
"""The most versions of a player: each costs the ladder time, and others evidence."""

FIRST_REST, LONGEST_REST = 60.0, 3600.0
"""The seconds for which a player rests whose match could not begin; they double each time."""


_FAILURES = EntryError, GatewayError, SandboxError, SeatingError, StartError, WorkerError
"""What keeps a match from being played, of which players may be at fault."""


class LadderRunner:
    """The run of a ladder.

    Args:
        store: The store of the ladder.
        folder: The folder of the ladder, for the PBN files of its matches.
        log: The log.
        places: Where the matches are played.
        say: Called with a line about each match that is over, and about each player's troubles.
        stop: The order to stop; boards in play are finished, and matches go on another time.
        options: What the venues of matches have.
        clock: Returns the time in seconds.
        subject: The name of the player who plays all matches that are drawn, until it is placed;
            "" for nobody.
        error: The error of the subject's margin against the anchor at which it is placed; None to
            place it as soon as it is known of each other player which of the two is stronger.
        webhook: Where alerts are posted; None for nowhere.
        oracle: The solver processes that value the play; None to leave the play unvalued.
    """

    def __init__(
        self,
        store: LadderStore,
        folder: Path,
        log: EventLog,
        places: Places,
        say: Callable[[str], None],
        stop: Stop,
        options: VenueOptions = ONE_TABLE,
        clock: Callable[[], float] = time.monotonic,
        subject: str = "",
        error: float | None = None,
        webhook: Webhook | None = None,
        oracle: Oracle | None = None,
    ) -> None:
        self._store = store
        self._files = WeekFiles(store, folder)
        self._log = log
        self._places = places
        self._say = say
        self._stop = stop
        self._options = options
        self._clock = clock
        self._subject = subject
        self._error = error
        self._oracle = oracle
        self._alerts = Alerts(store, log, say, webhook)
        self._definition = store.definition()
        self._key = sha256(self._definition.name.encode()).digest()
        self._fingerprints = Fingerprints()
        self._remote = RemotePlayers(options.waiting_room, clock)
        self._players: Mapping[int, Player] = {}
        # The present version of each player that can play, by the player's number.
        self._present: dict[int, Version] = {}
        self._load()
        self._storage = Storage(store, folder, log, self._alerts, clock)
        self._clock_watch = ClockWatch(self._alerts)
        self._playing: dict[asyncio.Task[None], LadderMatch] = {}
        # The tests that are open, as the last look has them.
        self._tests: list[LadderTest] = []
        self._turns = Turns()
        # The processes that bots are forked from, by the secrets that they do not have.
        self._warm: dict[frozenset[str], WarmProcess | None] = {}
        # By the player's number: until when it rests, and how often in a row it had to.
        self._resting: dict[int, tuple[float, int]] = {}

    def _load(self) -> None:
        """Read from the store, which is the truth, what was played and by whom."""
        self._files.mend()
        self._versions = self._store.versions()
        self._scores = Scores(len(self._versions), self._store.sums(), self._store.orders())
        self._matches = self._store.count_matches()
        self._checks = ConsistencyChecks(self._store.consistency, self._definition, self._alerts)
        # Matches that were begun and are neither over nor at play.
        self._open = {match.number: match for match in self._store.open_matches()}

    async def run(self) -> None:
        """Play until the order to stop. Raises OracleError."""
        ordered = asyncio.Event()
        self._stop.listeners.append(ordered.set)
        self._log.write("ladder_began", name=self._definition.name, matches=self._matches)
        days, watch = self._definition.keep_days, self._clock_watch
        deleting = asyncio.create_task(delete_old(self._store.old_thoughts, days, watch.is_calm))
        try:
            while True:
                if not self._stop.is_ordered:
                    await self._places.look()
                    self._look()
                if not self._playing and (self._stop.is_ordered or self._stop.has_refused):
                    return
                await self._wait(ordered)
        finally:
            for task in (deleting, *self._playing):
                task.cancel()
            await asyncio.gather(deleting, *self._playing, return_exceptions=True)
            for warm in self._warm.values():
                if warm is not None:
                    await asyncio.to_thread(warm.close)
            self._storage.close()
            self._log.write("ladder_stopped")

    def _look(self) -> None:
        """See what has changed, and begin what may begin."""
        self._alerts.look()
        self._clock_watch.look()
        try:
            if self._storage.is_broken:
                if self._playing or not self._storage.may_try():
                    return
                self._storage.mend()
                self._load()
            self._look_round()
            self._end_what_cannot_go_on()
            if self._subject and self.is_placed():
                self._stop.order()
            elif self._storage.has_room():
                self._begin_matches()
        except (OSError, StoreError) as error:
            self._storage.failed(error)

    async def _wait(self, ordered: asyncio.Event) -> None:
        """Wait for the end of a match, for the order to stop, or until the next look."""
        waiting: list[asyncio.Task[object]] = []
        if not self._stop.is_ordered:
            waiting.append(asyncio.create_task(ordered.wait()))
        await asyncio.wait(
            {*waiting, *self._playing},
            timeout=None if self._stop.is_ordered else LOOK_SECONDS,
            return_when=asyncio.FIRST_COMPLETED,
        )
        for task in waiting:
            task.cancel()
        for done in [task for task in self._playing if task.done()]:
            del self._playing[done]
            done.result()

    def is_placed(self) -> bool:
        """Return whether as much is known of the subject as was wanted."""
        if self._error is None:
            return self._is_ordered()
        own, _ = self._subject_and_others()
        anchor = self._anchor()
        return (
            bool(own)
            and anchor is not None
            and self._scores.margin(own[0], anchor).error <= self._error
        )

    def _is_ordered(self) -> bool:
        """Return whether it is known of all who are there whether the subject is stronger."""
        own, others = self._subject_and_others()
        known = self._scores.known | self._scores.known.T
        return bool(own) and all(known[own[0] - 1, other - 1] for other in others)

    def _anchor(self) -> int | None:
        """Return the version of the first anchor; None if it is not there."""
        for player, version in self._present.items():
            if self._players[player].name in self._definition.anchors[:1]:
                return version.number
        return None

    def _subject_and_others(self) -> tuple[list[int], list[int]]:
        """Return the version of the subject, if it is there, and those of the others."""
        own: list[int] = []
        others: list[int] = []
        for player, version in self._present.items():
            is_own = self._players[player].name == self._subject
            (own if is_own else others).append(version.number)
        return own, others

    # Who is there.

    def _look_round(self) -> None:
        """Take up the orders in the store, and see which version of each player is there."""
        if self._places.trouble:
            self._alerts.begin(Kind.CLUSTER, "", self._places.trouble)
        else:
            self._alerts.end(Kind.CLUSTER)
        self._players = self._store.players()
        self._remote.look(self._players.values())
        busy, before, self._present = self._busy(), self._present, {}
        for player in self._players.values():
            if player.number in busy and player.number in before:
                self._present[player.number] = before[player.number]
            elif player.state is State.ACTIVE:
                try:
                    version = self._version_there(player)
                except (AbsentError, EntryError, OSError) as error:
                    self._alert(player, error)
                    continue
                if version is not None:
                    self._present[player.number] = version
                    self._checks.look(player, version)
                if player.number not in self._resting:
                    self._alerts.end(Kind.PLAYER, player.name)
            else:
                self._alerts.end(Kind.PLAYER, player.name)
                self._alerts.end(Kind.LOST, player.name)
        if len(self._versions) > self._scores.versions:
            self._scores.extend(len(self._versions))
        kept = []
        for player in self._players.values():
            version = self._present.get(player.number)
            number = player.version if version is None else version.number
            kept += [number] if player.stays and number is not None else []
            is_there = self._is_able(player.number)
            if (number, is_there) != (player.version, player.is_there):
                self._store.note_presence(player.number, number, is_there=is_there)
        self._scores.keep(kept)

    def _version_there(self, player: Player) -> Version | None:
        """Return the version of a player that is there; None if its bots have not connected.

        Raises AbsentError, EntryError and OSError.
        """
        says = self._remote.version(player) if player.comes_by_itself else ""
        if says is None:
            return None
        identity = self._fingerprints.identity(player.entrant, says)
        own_versions = [one for one in self._versions.values() if one.player == player.number]
        for version in own_versions:
            if version.identity == identity:
                return version
        if len(own_versions) >= MOST_VERSIONS:
            raise AbsentError(f"it has had {MOST_VERSIONS} versions, which are the most")
        version = self._store.add_version(player.number, identity)
        self._versions[version.number] = version
        self._log.write("version_came", player=player.name, version=identity, number=version.number)
        return version

    def _is_able(self, player: int) -> bool:
        """Return whether a player can play now, if it is free."""
        return player in self._present and self._resting.get(player, (0.0, 0))[0] <= self._clock()

    def _rest(self, player: int) -> None:
        """Have a player rest whose match could not begin, longer each time."""
        times = self._resting.get(player, (0.0, 0))[1]
        seconds = min(LONGEST_REST, FIRST_REST * 2**times)
        self._resting[player] = self._clock() + seconds, times + 1

    def _alert(self, player: Player, error: Exception) -> None:
        self._alerts.begin(Kind.PLAYER, player.name, f"{player.name} cannot play: {error}")

    # What is played.

    def _players_of(self, match: LadderMatch) -> tuple[Player, Player]:
        home, visitors = (self._players[self._versions[one].player] for one in match.versions)
        return home, visitors

    def _busy(self) -> set[int]:
        """Return the players who are at play and begin no other match.

        The subject is at as many tables as there are, and so are those that it meets.
        """
        at_play = () if self._subject else self._playing.values()
        return {one.number for match in at_play for one in self._players_of(match)}

    def _begin_matches(self) -> None:
        """Go on with matches that were begun, then draw others, as many as may be at play."""
        for _, match in sorted(self._open.items()):
            players = self._players_of(match)
            numbers = {player.number for player in players}
            able = all(map(self._is_able, numbers)) and numbers.isdisjoint(self._busy())
            able = able and all(map(self._places.has_place_for, players, match.versions))
            able = able and not self._is_before_its_turn(match)
            if not self._places.is_full and able and not self._begin(match):
                return
        while not self._places.is_full:
            busy = self._busy()
            there = {
                version.number: player
                for player, version in self._present.items()
                if self._is_able(player)
            }
            free: Sequence[int] = [
                version
                for version, player in there.items()
                if player not in busy and self._places.has_place_for(self._players[player], version)
            ]
            due = filter(self._is_check_due, free if self._places.has_table else ())
            if (version := next(due, None)) is not None:
                self._begin_check(version)
                continue
            playing = [pair_of(match) for match in self._playing.values()]
            playing += map(pair_of, self._open.values())
            if self._tests and not self._subject:
                latest = map(pair_of, self._store.latest_matches(SHARE - 1))
                free = self._turns.free(self._tests, free, there, playing, latest, self._clock())
            pair = self._next_pair(free, playing)
            if pair is None or not self._may_begin(self._matches + 1):
                return
            match = self._store.draw(*pair)
            self._matches = match.number
            self._log.write("match_drawn", match=match.number, teams=self._names(match))
            self._begin(match)

    def _next_pair(self, free: Sequence[int], playing: list[Pair]) -> Pair | None:
        """Return who meets next. A subject meets an opponent again before it has no match."""
        number = self._matches + 1
        barred = self._not_for_the_subject(number) if self._subject else []
        for pairs in (playing, []) if self._subject else (playing,):
            pair = self._scores.next_match(free, pairs + barred, self._key, number, self._authors())
            if pair is not None:
                break
        return pair

    def _authors(self) -> list[str]:
        """Return who wrote each version; who is not known is another for each player."""
        players = (self._players[version.player] for version in self._versions.values())
        return [player.author or f"\n{player.number}" for player in players]

    def _not_for_the_subject(self, number: int) -> list[Pair]:
        """Return the pairs that do not meet in a match of this number, as it is the subject's.

        For an error, every other match is against the anchor, and all once the order is known.
        """
        own, others = self._subject_and_others()
        pairs = list(combinations(others, 2))
        if self._error is not None and (number % 2 or self._is_ordered()):
            anchor = self._anchor()
            pairs += [(one, other) for one in own for other in others if other != anchor]
        return pairs

    def _may_begin(self, number: int) -> bool:
        """Return whether a match may begin; note if not."""
        self._stop.has_refused |= not self._stop.may_begin(number)
        return not self._stop.has_refused

    def _begin(self, match: LadderMatch) -> bool:
        """Play a match, in a task of its own; return whether it may begin."""
        title = f"match {match.number}, {' - '.join(self._names(match))}"
        if not self._stop.begin(title, match.number, self._definition.template.boards):
            return False
        self._open.pop(match.number, None)
        self._places.take(match, self._players_of(match))
        self._playing[asyncio.create_task(self._play(match, title))] = match
        return True

    def _is_check_due(self, version: int) -> bool:
        player = self._players[self._versions[version].player]
        boards = self._scores.figures(version).boards
        may_be = not self._subject and not self._stop.has_refused
        return may_be and self._checks.is_due(player, version, boards)

    def _begin_check(self, version: int) -> None:
        """Have a version play its consistency check, in a task of its own."""
        check = LadderMatch(-version, version, version)  # it takes a place, and is not in the store
        self._places.take_table(check)
        self._playing[asyncio.create_task(self._check(check))] = check

    async def _check(self, check: LadderMatch) -> None:
        player, version = self._players_of(check)[0], check.home
        stop = _MatchStop(partial(self._remote.absent, [player]))
        self._stop.listeners.append(stop.order)
        event = self._checks.event(player, self._matches + 1)
        try:
            await self._checks.play(player, version, event, self._opens(check, stop), stop)
            for absent in stop.absent:
                self._rest(absent.number)
        except _FAILURES as error:
            self._alert(player, error)
            self._rest(player.number)
        except (OSError, StoreError) as error:
            self._storage.failed(error)
        finally:
            self._stop.listeners.remove(stop.order)
            self._places.leave(check)

    def _end_what_cannot_go_on(self) -> None:
        """End the matches whose players, or their versions, do not come back.

        Their boards count as far as they were played. Tests of such versions have no verdict.
        """
        self._tests = self._store.tests.open()
        for test in list(self._tests):
            if any(map(self._is_gone, test.versions)):
                self._tests.remove(test)
                if self._store.tests.end(test.number, Outcome.VOID):
                    self._tell_test(replace(test, outcome=Outcome.VOID))
        for match in list(self._open.values()):
            if any(map(self._is_gone, match.versions)):
                store = self._store.event_store(self._event(match))
                # As at the end of a match that is played to its end.
                store.reveal(store.count_rulings())
                self._end(match, store, self._leaving(match))
                del self._open[match.number]

    def _is_gone(self, version: int) -> bool:
        """Return whether a version does not come back."""
        player = self._players[self._versions[version].player]
        present = self._present.get(player.number, self._versions[version])
        return not player.stays or present.number != version

    def _tell_test(self, test: LadderTest) -> None:
        new, base = map(self._name, test.versions)
        self._alerts.note(Kind.TEST, new, test.text(new, base))

    def _event(self, match: LadderMatch) -> Event:
        home, visitors = self._players_of(match)
        return self._definition.event(match.number, home.entrant, visitors.entrant)

    def _names(self, match: LadderMatch) -> list[str]:
        return [player.name for player in self._players_of(match)]

    async def _play(self, match: LadderMatch, title: str) -> None:
        players = self._players_of(match)
        began = self._clock()
        stop = _MatchStop(partial(self._remote.absent, players))
        self._stop.listeners.append(stop.order)
        self._storage.writing.add(stop)
        runner: Runner | None = None
        event = self._event(match)
        log = MatchLog(self._log, match.number, event, self._say)
        opens = self._opens(match, stop)
        try:
            store = self._store.event_store(event)
            ledgers = None if self._oracle is None else partial(Ledgers, oracle=self._oracle)
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
                self._rest(player.number)
        except ClusterError as error:
            at_fault = self._failed(self._played_on(match, began), error)
            # Unless the cluster itself is gone.
            for _, version in at_fault if isinstance(error, TaskError) else ():
                self._places.keep_here(version)
        except _FAILURES as error:
            for player, _ in self._failed(self._played_on(match, began), error):
                self._rest(player.number)
                self._alert(player, error)
        except (OSError, StoreError) as error:
            if runner is not None and runner.unsaved is not None:
                self._storage.save_later(store, *runner.unsaved)
            self._storage.failed(error)
        finally:
            self._storage.writing.discard(stop)
            self._stop.listeners.remove(stop.order)
            self._stop.end(title)
            self._places.leave(match)

    async def _finish(self, match: LadderMatch, store: Store) -> None:
        """Count a match that was played to its end, or have it wait for its turn."""
        if self._is_before_its_turn(match):
            self._adjourn(match)
            return
        if self._oracle is not None:
            left = missing(store, list(store.results()))
            await complete(store, left, lambda: None, self._oracle)
        self._end(match, store)
        for player in self._players_of(match):
            self._resting.pop(player.number, None)

    def _is_before_its_turn(self, match: LadderMatch) -> bool:
        """Return whether a match that its two players began before it is not over.

        Matches of a pair count in the order in which they began: those that are over soon may
        differ from others.
        """
        others = (*self._playing.values(), *self._open.values())
        return any(
            pair_of(other) == pair_of(match) and other.number < match.number for other in others
        )

    def _played_on(self, match: LadderMatch, began: float) -> LadderMatch:
        """Return a match that was played on until now."""
        return replace(match, seconds=match.seconds + self._clock() - began)

    def _adjourn(self, match: LadderMatch) -> None:
        """Have a match go on another time."""
        self._open[match.number] = match
        try:
            self._store.adjourn(match)
        except StoreError as error:
            self._storage.failed(error)

    def _failed(self, match: LadderMatch, error: Exception) -> list[tuple[Player, int]]:
        """Adjourn a match; return the players who may be at fault, with their versions."""
        self._adjourn(match)
        self._log.write("match_failed", match=match.number, why=str(error))
        bot = getattr(error, "player", "")
        both = list(zip(self._players_of(match), match.versions, strict=True))
        return [one for one in both if one[0].is_of(bot)] or both

    def _opens(self, match: LadderMatch, stop: Stop) -> OpenVenue:
        warm, secrets = self._warm_process()
        options = replace(self._options, stop=stop, warm=warm, secrets=secrets)
        return partial(self._places.open, match, options=options)

    def _warm_process(self) -> tuple[WarmProcess | None, frozenset[str]]:
        """Return the process that bots are forked from, and the secrets that it does not have."""
        secrets = frozenset(
            name
            for player in self._players.values()
            for bot in player.entrant.known_players
            for name in bot.secrets
        )
        if secrets not in self._warm:
            # Matches at play go on with the one before, if a player with other secrets has come.
            self._warm[secrets] = warm_process(secrets)
        return self._warm[secrets], secrets

    def _leaving(self, match: LadderMatch) -> list[int]:
        """Return the teams of a match that end it, as they come and go by themselves."""
        return [
            team
            for team, player in enumerate(self._players_of(match))
            if player.comes_by_itself and self._is_gone(match.versions[team])
        ]

    def _end(self, match: LadderMatch, store: Store, leaving: Collection[int] = ()) -> None:
        """Count a match that is over: first its file, then its sums.

        A board that was begun counts against teams that end the match by leaving.
        """
        event = store.event()
        units = list(store.results())
        tables = zip((unit for unit, _ in units), store.played(units), strict=True)
        sums, splits = sums_of(event, tables, match.seconds, leaving)
        time = now()
        pbn = self._files.append(time, store)
        performed = performances(sums, splits, self._scores.expected(*match.versions))
        pair = pair_of(match)
        orders = self._scores.add(pair, sums if match.home == pair[0] else sums.turned())
        by_version = dict(zip(match.versions, performed, strict=True))
        ended = self._store.end(match, sums, orders, by_version, time, pbn)
        home, visitors = (entrant.name for entrant in event.entries)
        self._log.write(
            "match_ended",
            match=match.number,
            teams=[home, visitors],
            boards=sums.boards,
            imps=sums.imps,
            left=sums.left,
            faults=sums.faults,
            proves=[[self._name(one), self._name(other)] for one, other in orders],
        )
        self._say(_result_line(match, home, visitors, sums))
        for one, other in orders:
            is_ahead = self._scores.ahead[one - 1, other - 1]
            how = "is surely stronger than" if is_ahead else "surely beats, in a circle,"
            self._say(f"{self._name(one)} {how} {self._name(other)}")
        for test in ended:
            self._tell_test(test)
        for entrant, left in zip(event.entries, sums.left, strict=True):
            if left > event.settings(entrant).restarts:
                text = f"{entrant.name} left too many boards of match {match.number}"
                self._alerts.begin(Kind.LOST, entrant.name, text)
            else:
                self._alerts.end(Kind.LOST, entrant.name)

    def _name(self, version: int) -> str:
        return self._players[self._versions[version].player].name


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


def _result_line(match: LadderMatch, home: str, visitors: str, sums: PairSums) -> str:
    boards = plural(sums.boards, "board")
    if not sums.imps:
        return f"match {match.number}: {home} and {visitors} tie over {boards}"
    winner, loser = (home, visitors) if sums.imps > 0 else (visitors, home)
    imps = plural(abs(sums.imps), "IMP")
    return f"match {match.number}: {winner} beats {loser} by {imps} over {boards}"
