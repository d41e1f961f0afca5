"""A director rules while an event is played: what the runner makes of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bridge_arena.base.stopping import Stop, StoppedError
from bridge_arena.bridge.record import BoardRecord, Room
from bridge_arena.commands.common.loading import Extent, load
from bridge_arena.tournaments.events.boards import substitute
from bridge_arena.tournaments.events.event import Event, event_size
from bridge_arena.tournaments.formats.rules import Format
from bridge_arena.tournaments.play import runner
from bridge_arena.tournaments.play.announcements import PauseWarnings
from bridge_arena.tournaments.play.event_log import EventLog
from bridge_arena.tournaments.play.latest_rulings import LatestRulings
from bridge_arena.tournaments.play.runner import Runner
from bridge_arena.tournaments.play.venue import EventInPlay
from bridge_arena.tournaments.schedule.plan import plan
from bridge_arena.tournaments.schedule.rulings import (
    Annul,
    ChangeClock,
    ChangeGrace,
    Decision,
    GoOn,
    Pause,
    Penalty,
    Readmit,
    Replay,
    TakeBack,
    Waive,
    Withdraw,
)
from bridge_arena.tournaments.schedule.standings import standings
from bridge_arena.tournaments.schedule.units import Unit
from bridge_arena.tournaments.store import Store
from tests.patience import PATIENCE
from tests.tournaments.play.test_runner import KilledError, QuickHall, created, opens
from tests.tournaments.ruled import rule
from tests.tournaments.scores import Result, better_seed, event, lost, units_of

ROBIN = event(Format.ROUND_ROBIN, 4)
SWISS = event(Format.SWISS, 4, rounds=3)


@pytest.fixture(autouse=True)
def known_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A ruling is known to the next unit, not some moments later."""
    monkeypatch.setattr(LatestRulings, "read", lambda latest: latest.store.rulings())


def hall_of(event: Event, result: Result | None = None, until: int | None = None) -> QuickHall:
    return QuickHall(result or better_seed(event), 2, Random(1), until)


async def play(
    path: Path,
    hall: QuickHall,
    on_board: Callable[[BoardRecord], None] = lambda _: None,
    on_line: Callable[..., None] = lambda _, **__: None,
    stop: Stop | None = None,
) -> Runner:
    with closing(Store.open(path)) as store, EventLog(path.with_suffix(".jsonl")) as log:
        log.listeners.append(on_line)
        playing = Runner(store, log, on_board, opens(hall), stop)
        async with asyncio.timeout(PATIENCE):
            await playing.run()
        return playing


class Director:
    """Rules from another process's connection after so many boards."""

    def __init__(self, path: Path, decisions: dict[int, Decision]) -> None:
        self._path = path
        self._decisions = decisions
        self._boards = 0

    def on_board(self, record: BoardRecord) -> None:
        del record
        self._boards += 1
        if (decision := self._decisions.get(self._boards)) is not None:
            self.rule(decision)

    def rule(self, decision: Decision) -> None:
        with closing(Store.open(self._path)) as store:
            assert rule(store, decision)


def played_of(hall: QuickHall, event: Event, entry: int) -> list[Unit]:
    units = {unit.id: unit for unit in units_of(plan(event, []))}
    return [units[unit] for unit in hall.played if entry in units[unit].lineup]


async def test_a_withdrawn_entry_begins_no_more_boards(tmp_path: Path) -> None:
    path, hall = created(tmp_path / "r.sqlite", ROBIN), hall_of(ROBIN)
    director = Director(path, {3: Withdraw(entry=3, round=2)})
    await play(path, hall, director.on_board)
    assert {unit.match.round for unit in played_of(hall, ROBIN, 3)} == {1}
    with closing(Store.open(path)) as store:
        found = standings(ROBIN, store.event_results().so_far).entries
        assert {each.entry for each in found if each.withdrawn} == {3}
        assert len({board.board for board in store.played()}) == len(store.boards())
    # Its boards are not shown to anybody while the withdrawal could be taken back.
    own = {unit.board for unit in units_of(plan(ROBIN, [])) if 3 in unit.lineup}
    assert hall.shown.isdisjoint(own - {unit.board for unit in played_of(hall, ROBIN, 3)})


async def test_an_annulled_match_is_not_played_on_until_that_is_taken_back(tmp_path: Path) -> None:
    path, hall = created(tmp_path / "r.sqlite", ROBIN), hall_of(ROBIN)
    director = Director(path, {1: Annul(match="3/1"), 20: TakeBack(ruling=1)})
    await play(path, hall, director.on_board)
    assert sorted(hall.played) == sorted(unit.id for unit in units_of(plan(ROBIN, [])))
    assert all(unit.startswith("3/1/") for unit in hall.played[-2:])


async def test_a_round_is_drawn_by_the_rulings_made_before(tmp_path: Path) -> None:
    plain, ruled = (created(tmp_path / f"{name}.sqlite", SWISS) for name in "ab")
    await play(plain, hall_of(SWISS))
    await play(ruled, hall_of(SWISS), Director(ruled, {8: Penalty(entry=0, amount=99)}).on_board)
    drawn = []
    for path in (plain, ruled):
        with closing(Store.open(path)) as store:
            rounds = plan(SWISS, store.event_results().so_far)
            drawn.append([{frozenset(match.entries) for match in one.matches} for one in rounds])
    assert drawn[0][0] == drawn[1][0]
    assert drawn[0][1] != drawn[1][1]


async def test_a_round_is_drawn_only_when_it_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that a director may rule before, while the event is stopped or paused."""
    monkeypatch.setattr(runner, "PAUSE_SECONDS", 0)
    path, hall = created(tmp_path / "r.sqlite", SWISS), hall_of(SWISS)

    def last_drawn() -> int:
        with closing(Store.open(path)) as store:
            return store.progress().last_round

    with pytest.raises(StoppedError):
        await play(path, hall, stop=Stop(boards=4))
    assert (len(hall.played), last_drawn()) == (8, 1)
    director = Director(path, {})
    director.rule(Pause())
    playing = asyncio.create_task(play(path, hall))
    for _ in range(100):
        await asyncio.sleep(0)
    assert (len(hall.played), last_drawn()) == (8, 1)
    director.rule(GoOn())
    await playing
    assert last_drawn() == 3


@pytest.mark.parametrize(
    "format_", [Format.ROUND_ROBIN, Format.SWISS, Format.KNOCK_OUT, Format.PAIRS]
)
async def test_a_board_is_played_again_until_that_is_taken_back(
    tmp_path: Path, format_: Format
) -> None:
    """Nobody is shown a board that others still play (`QuickHall.play` looks)."""
    cup = event(format_, 4, rounds=3 if format_ is Format.SWISS else None)
    first, second = 1, 2
    path, hall = created(tmp_path / "r.sqlite", cup), hall_of(cup)
    once, twice = (Replay(match="1/1", board=board) for board in (first, second))
    director = Director(path, {2: once, 3: twice, 4: TakeBack(ruling=2)})
    ended = await play(path, hall, director.on_board)
    with closing(Store.open(path)) as store:
        results, units = store.event_results().so_far, set(store.units())
        assert len(units) == event_size(cup).tables + ended.added
        assert store.progress().is_revealed
    known = units_of(plan(cup, results))
    played_anew = {unit.id for unit in known if unit.position == substitute(1, first)}
    assert len(played_anew) == 2
    assert played_anew <= units
    assert {unit.id for unit in known if results.is_due(unit)} <= units
    # Tables that were in play may have ended a substitute whose ruling was taken back.
    assert {unit.id for unit in known if unit.board == second} <= units
    assert not any(results.left(match) for match in {unit.match for unit in known})


@pytest.mark.parametrize("what", ["event", "match", "room", "entry"])
async def test_nothing_begins_of_what_is_paused(
    tmp_path: Path, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "PAUSE_SECONDS", 0)
    targets: dict[str, dict[str, Any]] = {
        "event": {},
        "match": {"match": "1/1"},
        "room": {"match": "1/1", "room": Room.CLOSED},
        "entry": {"entry": 0},
    }
    target = targets[what]
    path, hall = created(tmp_path / "r.sqlite", ROBIN), hall_of(ROBIN)
    director = Director(path, {1: Pause(**target)})
    told: list[str] = []
    warnings = PauseWarnings(told.append)
    playing = asyncio.create_task(play(path, hall, director.on_board, warnings.hear))
    before = [""]
    while before != hall.played or not before:
        before = list(hall.played)
        for _ in range(100):  # the hall plays a unit in each turn of the loop
            await asyncio.sleep(0)
    everything = units_of(plan(ROBIN, []))
    paused = {
        unit.id
        for unit in everything
        if what == "event"
        or (what == "match" and unit.match.id == "1/1")
        or (what == "room" and unit.match.id == "1/1" and unit.room is Room.CLOSED)
        or (what == "entry" and 0 in unit.lineup)
    }
    # Those of two tables were in play.
    assert len(paused & set(before)) <= 2
    assert {unit.id for unit in everything} - paused <= set(before)
    assert told == ["paused by the director: nothing more begins until it goes on"]
    director.rule(GoOn(**target))
    await playing
    assert sorted(hall.played) == sorted(unit.id for unit in everything)


async def test_a_pause_can_be_stopped(tmp_path: Path) -> None:
    path, hall, stop = created(tmp_path / "r.sqlite", ROBIN), hall_of(ROBIN), Stop()
    director = Director(path, {1: Pause()})

    def heard(what: str, **facts: Any) -> None:
        del facts
        if what == "ruling":
            stop.order()

    with pytest.raises(StoppedError):
        await play(path, hall, director.on_board, heard, stop)
    # The pause is still there when the event is resumed.
    director.rule(GoOn())
    await play(path, hall)
    assert len(hall.played) == len(units_of(plan(ROBIN, [])))


async def test_what_is_paused_is_not_waited_for_once_as_many_boards_as_may_have_begun(
    tmp_path: Path,
) -> None:
    """Boards of the two matches that are not paused come first, until no more may begin."""
    path, hall = created(tmp_path / "r.sqlite", ROBIN), hall_of(ROBIN)
    unpaused = {
        (one.match.id, one.position) for one in units_of(plan(ROBIN, [])) if 0 not in one.lineup
    }
    with closing(Store.open(path)) as store:
        assert rule(store, Pause(entry=0))
    with pytest.raises(StoppedError):
        await play(path, hall, stop=Stop(boards=len(unpaused)))
    assert len(hall.played) == 2 * len(unpaused)


async def test_a_loss_that_is_waived_lets_the_entry_play_on(tmp_path: Path) -> None:
    robin = event(Format.ROUND_ROBIN, 4, policies={"restarts": 0})

    def result(unit: Unit) -> BoardRecord:
        if unit.id == "1/1/1/open":
            return lost(robin, unit, unit.lineup[0])
        return better_seed(robin)(unit)

    path, hall = created(tmp_path / "r.sqlite", robin), hall_of(robin, result)
    board = next(unit.board for unit in units_of(plan(robin, [])) if unit.id == "1/1/1/open")

    def heard(what: str, **facts: Any) -> None:
        if what == "board_ended" and facts["unit"] == "1/1/1/open":
            with closing(Store.open(path)) as store:
                (record,) = (one for unit, one in store.results() if unit == "1/1/1/open")
                assert board == record.board.number
                assert rule(store, Waive(match="1/1", board=board, room=record.room))

    await play(path, hall, on_line=heard)
    assert len(hall.played) == len(units_of(plan(robin, [])))


async def test_a_ruling_after_the_last_board_keeps_the_deals_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, hall = created(tmp_path / "r.sqlite", ROBIN), hall_of(ROBIN)
    director = Director(path, {1: Withdraw(entry=3, round=3)})
    reveal = Store.reveal

    def late(store: Store, rulings: int) -> bool:
        if store.count_rulings() == 1:
            director.rule(TakeBack(ruling=1))
        return reveal(store, rulings)

    monkeypatch.setattr(Store, "reveal", late)
    await play(path, hall, director.on_board)
    assert sorted(hall.played) == sorted(unit.id for unit in units_of(plan(ROBIN, [])))
    with closing(Store.open(path)) as store:
        assert store.progress() == (2, 3, True)


@pytest.mark.parametrize(
    ("decision", "plans"),
    [
        (Penalty(entry=0, amount=5), 1),
        (ChangeClock(clock="30"), 1),
        (ChangeGrace(seconds=5, entry=1), 1),
        (Withdraw(entry=0, round=3), 2),
    ],
)
async def test_tables_wait_only_for_rulings_that_change_what_is_due(
    tmp_path: Path, decision: Decision, plans: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, hall = created(tmp_path / "r.sqlite", ROBIN), hall_of(ROBIN)
    made = 0

    def counted(*args: Any) -> Awaitable[None]:
        nonlocal made
        made += 1
        return QuickHall.play(hall, *args)

    monkeypatch.setattr(hall, "play", counted)
    heard: list[str] = []
    director = Director(path, {3: decision})
    await play(path, hall, director.on_board, lambda what, **_: heard.append(what))
    assert made == plans
    assert heard.count("ruling") == 1


async def test_a_venue_knows_the_settings_that_a_director_has_changed(tmp_path: Path) -> None:
    path = created(tmp_path / "r.sqlite", ROBIN)
    decisions: dict[int, Decision] = {2: ChangeClock(clock="30"), 4: ChangeGrace(seconds=5)}
    director = Director(path, decisions | {6: TakeBack(ruling=1)})
    known: list[tuple[float | None, float]] = []

    def open_venue(play: EventInPlay) -> QuickHall:
        def on_unit(unit: Unit) -> BoardRecord:
            own = play.settings[0]
            known.append((own.clock.action, own.grace))
            return better_seed(ROBIN)(unit)

        return hall_of(ROBIN, on_unit)

    with closing(Store.open(path)) as store:
        async with asyncio.timeout(PATIENCE):
            await Runner(store, EventLog(), director.on_board, open_venue).run()
    assert list(dict.fromkeys(known)) == [(60, 30), (30, 30), (30, 5), (60, 5)]


async def test_losses_count_from_the_readmission_on(tmp_path: Path) -> None:
    robin = event(Format.ROUND_ROBIN, 4, policies={"restarts": 1})
    own = [unit for unit in units_of(plan(robin, [])) if 3 in unit.lineup]
    lose = {unit.id for unit in own[:2]} | {own[-1].id}
    assert [own[1].match.round, own[-1].match.round] == [1, 3]

    def result(unit: Unit) -> BoardRecord:
        return lost(robin, unit, 3) if unit.id in lose else better_seed(robin)(unit)

    path = created(tmp_path / "r.sqlite", robin)

    def heard(what: str, **facts: Any) -> None:
        del facts
        if what == "withdrawn":
            with closing(Store.open(path)) as store:
                assert rule(store, Readmit(entry=3, round=3))

    await play(path, hall_of(robin, result), on_line=heard)
    with closing(Store.open(path)) as store:
        assert store.event_results().so_far.withdrawn == {}
        records = dict(store.results())
    assert [records[unit].adjusted is not None for unit in sorted(lose)].count(True) == 2


async def test_rulings_outlive_a_kill_and_the_pbn_file_tells_the_standings(tmp_path: Path) -> None:
    path = created(tmp_path / "results.sqlite", SWISS)
    director = Director(path, {2: Annul(match="1/2"), 5: Penalty(entry=1, amount=7)})
    with pytest.raises(KilledError):
        await play(path, hall_of(SWISS, until=6), director.on_board)
    director.rule(Penalty(entry=0, amount=99))
    await play(path, hall_of(SWISS))
    director.rule(TakeBack(ruling=2))
    with closing(Store.open(path)) as store:
        store.write_pbn(tmp_path)
        results = store.event_results()
    (alone,) = load(str(tmp_path / "event.pbn"), [], Extent.RECORDS)
    assert [ruling.decision.kind for ruling in alone.rulings] == [
        "annul",
        "penalty",
        "penalty",
        "take-back",
    ]
    assert standings(SWISS, alone.so_far) == standings(SWISS, results.so_far)
    assert plan(SWISS, alone.so_far) == plan(SWISS, results.so_far)
