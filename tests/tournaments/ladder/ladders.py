"""Ladders whose matches are played at once, with results as they are wanted."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import astuple
from functools import partial
from itertools import count
from pathlib import Path
from typing import NamedTuple

import numpy as np
from sqlalchemy import select

from bridge_arena.base.stopping import Stop
from bridge_arena.bridge.record import BoardRecord, Room
from bridge_arena.bridge.scoring import imps
from bridge_arena.bridge.seats import Seat, Side
from bridge_arena.oracle.pool import Oracle
from bridge_arena.pbn.read.records import read_records
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.ladder.ladder_file import LadderFile, match_name, parse_ladder
from bridge_arena.tournaments.ladder.places import Places
from bridge_arena.tournaments.ladder.runner import LadderRunner
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.ladder.strength.style import Style, styles_of
from bridge_arena.tournaments.ladder.strength.sums import match_result
from bridge_arena.tournaments.ladder.strength.weeks import performances
from bridge_arena.tournaments.play.event_log import EventLog
from bridge_arena.tournaments.play.venue import Begin, EventInPlay, Keep, VenueOptions, any_time
from bridge_arena.tournaments.schedule.event_files import headers_in
from bridge_arena.tournaments.schedule.units import Unit
from bridge_arena.tournaments.store import Store
from bridge_arena.tournaments.store.database import statements
from bridge_arena.tournaments.store.models import LadderMatchRow
from tests.tournaments.venues import FakeVenue

Result = Callable[[Event, Unit], BoardRecord]
"""Returns what becomes of a unit of an event."""


def ladder_file(
    *players: str, boards: int = 2, home: Path = Path(), anchors: Iterable[str] = ()
) -> LadderFile:
    """The file of a ladder of these bots."""
    tables = "".join(f"[[player]]\nbot = '{bot}'\n" for bot in players)
    keys = f"name = 'Club'\nboards = {boards}\nanchors = {[*anchors]}\n"
    return parse_ladder(f"[ladder]\n{keys}{tables}", home / "club.toml")


def opened(path: Path, file: LadderFile) -> LadderStore:
    """The store of a ladder with the players of its file."""
    store = LadderStore.open(path, file.definition)
    store.define(file.definition)
    for registration in file.registrations:
        store.enter(registration, path.parent)
    return store


class QuickVenue(FakeVenue):
    """A venue at which units end at once."""

    def __init__(self, play: EventInPlay, result: Result) -> None:
        self._play = play
        self._result = result

    async def play(self, units: Iterator[Unit], keep: Keep, begin: Begin = any_time) -> None:
        for unit in units:
            if not begin(unit):
                return
            await asyncio.sleep(0)
            keep(unit, self._result(self._play.event, unit))


Opens = Callable[[EventInPlay, VenueOptions], QuickVenue]


def venues(result: Result) -> Opens:
    return lambda play, _: QuickVenue(play, result)


def play(
    path: Path,
    where: Opens | Places,
    boards: int | None,
    *,
    concurrency: int = 2,
    clock: Callable[[], float] | None = None,
    subject: str = "",
    error: float | None = None,
    oracle: Oracle | None = None,
    url: str | None = None,
) -> list[str]:
    """Play a ladder until so many boards have begun; return what was said.

    With the URL of a database, the path only says where its folder is.
    """
    said: list[str] = []
    with (
        closing(LadderStore.open(url or path)) as store,
        EventLog(path.with_suffix(".jsonl")) as log,
    ):
        runner = LadderRunner(
            store,
            path.parent,
            log,
            where if isinstance(where, Places) else Places(concurrency, where),
            said.append,
            Stop(boards=boards),
            clock=clock or partial(next, count()),
            subject=subject,
            error=error,
            oracle=oracle,
        )
        asyncio.run(runner.run())
    return said


class RecountedMatch(NamedTuple):
    """What the PBN file of a match says."""

    number: int
    teams: tuple[str, str] | None  # the home team first; None if no board was begun
    swings: list[int]  # the boards that count, seen from the home team
    # The boards that were begun when it was ended: they count if a team left by itself, which is
    # not in the file.
    begun: int


def matches_in(folder: Path) -> Iterator[tuple[int, list[BoardRecord]]]:
    """The matches in the PBN files of a ladder, by their numbers, with their records."""
    for file in (folder / "pbn").glob("*.pbn"):
        records: defaultdict[str, list[BoardRecord]] = defaultdict(list)
        for one in read_records(file):
            records[one.event].append(one)
        for header in headers_in(file):
            name = header.event.name
            yield int(name.split()[-1]), records.pop(name, [])
        assert not records


def recounted(folder: Path, boards_of_match: int) -> Iterator[RecountedMatch]:
    """The matches that are over, from the PBN files alone; none has a table twice.

    A board that a team left is 3 IMPs to the other; so are those that it did not play then.
    """
    for match, records in matches_in(folder):
        boards: defaultdict[int, dict[Room | None, BoardRecord]] = defaultdict(dict)
        gone: set[str] = set()
        teams: tuple[str, str] | None = None
        swings: list[int] = []
        begun = 0
        for one in records:
            assert one.room not in boards[one.board.number]
            boards[one.board.number][one.room] = one
            if not one.is_done:
                gone.add(one.players[one.faults[-1].seat])
            teams = home, visitors = one.home, one.visitors
        for number in range(1, 1 + boards_of_match):
            rooms = boards[number]
            at_fault = {
                name
                for table in rooms.values()
                if table.adjusted is not None
                for name in [table.players[Seat.NORTH if table.adjusted is Side.NS else Seat.EAST]]
            }
            if len(rooms) < 2 or not all(table.is_done for table in rooms.values()):
                if not gone:
                    begun += bool(rooms)
                    continue  # the match was ended before
                at_fault = gone
            if at_fault:
                swing = 3 * ((visitors in at_fault) - (home in at_fault))
            else:
                scores = [rooms[room].score for room in (Room.OPEN, Room.CLOSED)]
                assert scores[0] is not None
                assert scores[1] is not None
                swing = imps(scores[0] - scores[1])
            swings.append(swing)
        yield RecountedMatch(match, teams, swings, begun)


def check_sums(source: str | Path, boards: int, folder: Path | None = None) -> int:
    """Check that what is kept is what the PBN files say, to the last IMP; return the matches.

    Args:
        source: The path of the ladder's file, or the URL of its database.
        boards: The boards of a match.
        folder: The ladder's folder; by default that of the file.
    """
    with closing(LadderStore.open(source)) as store:
        players, versions, sums = store.players(), store.versions(), store.sums()
        engine, _ = store.place
        with statements(engine, "read") as connection:
            kept = connection.execute(select(LadderMatchRow).where(LadderMatchRow.is_over)).all()
    names = {number: players[one.player].name for number, one in versions.items()}
    rows = {row.number: row for row in kept}
    swings: defaultdict[tuple[int, int], Counter[int]] = defaultdict(Counter)
    for match in recounted(folder or Path(source).parent, boards):
        row = rows.pop(match.number)
        home, visitors = row.home, row.visitors
        assert match.teams in (None, (names[home], names[visitors]))
        own = list(match.swings)
        if row.boards > len(own):
            assert row.boards == len(own) + match.begun == len(own) + 1
            own.append(row.imps - sum(own))
            left = {3: [visitors], -3: [home], 0: [home, visitors]}[own[-1]]
            assert all(players[versions[one].player].comes_by_itself for one in left)
        swings[home, visitors].update(own)
        swings[visitors, home].update(-swing for swing in own)
    assert not rows
    assert 2 * len(sums) == len(swings)
    for pair, of_pair in sums.items():
        assert Counter(dict(zip(range(-24, 25), of_pair.swings, strict=True))) == swings[pair]
        assert of_pair.imps == sum(imps * times for imps, times in swings[pair].items())
    return len(kept)


def check_causes(path: Path) -> None:
    """Check that the solver valued boards of all versions, and that each counts once.

    By cause, and in the styles of its versions.
    """
    with closing(LadderStore.open(path)) as store:
        kept, split_boards = store.weeks.causes(), sum(store.sums().split_boards)
        styles = {version: store.styles.of([version]) for version in store.versions()}
        name, still_open = store.definition().name, store.open_matches()
        matches = store.latest_matches(store.count_matches())
    counted, boards = np.zeros(kept.shape), 0
    anew: dict[int, Style] = {}
    for match in matches:
        if match.number not in {other.number for other in still_open}:
            with closing(Store.open(path, match_name(name, match.number))) as of_match:
                units = list(of_match.results())
                tables = zip((unit for unit, _ in units), of_match.played(units), strict=True)
                sums, splits, _ = match_result(of_match.event(), tables)
                of_teams = styles_of(record for _, record in units)
            for version, style in zip(match.versions, of_teams, strict=True):
                anew[version] = anew.get(version, Style()) + style
            boards += sums.split_boards
            for version, done in zip(match.versions, performances(sums, splits, None), strict=True):
                counted[version - 1] += done.causes
    assert boards == split_boards
    assert boards
    np.testing.assert_allclose(counted, kept, atol=1e-6)
    for version, style in styles.items():
        np.testing.assert_allclose(astuple(anew.get(version, Style())), astuple(style), atol=1e-6)
