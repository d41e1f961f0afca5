"""The venue on this machine, with bots in processes of their own that are lost there."""

from __future__ import annotations

import asyncio
import json
import threading
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from bridge_arena.base.stopping import Stop, StoppedError
from bridge_arena.bots.random.bot import RandomBot
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.record import BoardRecord, Fault, FaultKind, Mode
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.bridge.seeds import PublicSeed
from bridge_arena.protocol.view import View
from bridge_arena.tournaments.events import Isolation
from bridge_arena.tournaments.events.boards import BoardSupply
from bridge_arena.tournaments.events.entries import version_of
from bridge_arena.tournaments.events.event import Entrant, Event, EventPolicies
from bridge_arena.tournaments.formats.rules import Deals, Format
from bridge_arena.tournaments.play.event_log import EventLog
from bridge_arena.tournaments.play.local_venue import LocalVenue
from bridge_arena.tournaments.play.venue import EventInPlay, VenueOptions
from bridge_arena.tournaments.schedule.plan import plan
from bridge_arena.tournaments.schedule.rulings import ChangeClock, settings_by
from bridge_arena.tournaments.schedule.units import Unit
from tests.end_to_end.arena import bot_pids, is_alive, write_bot
from tests.patience import PATIENCE
from tests.server.lobby import until
from tests.server.sandbox.sandboxes import needs_sandbox
from tests.tournaments import scores
from tests.tournaments.house import house_of, open_house
from tests.tournaments.ruled import rulings
from tests.tournaments.scores import event, units_of

# East crashes on board 1, as long as there is no file; other boards wait for that file. All note
# how much of the match's time is left.
CRASHING = """
    import os, sys, time
    from pathlib import Path
    from bridge_arena.bots.sdk.client import run
    from bridge_arena.bots.random.bot import RandomBot

    mark = Path({mark!r})
    {on_start}

    class Crashing(RandomBot):
        def call(self, view):
            with open({left!r}, "a") as left:
                print(view.number, view.seat, view.turn.match_seconds, file=left)
            if str(view.seat) == "E" and not mark.exists():
                if view.number > 1:
                    time.sleep(600)
                mark.touch()
                os._exit(5)
            return super().call(view)

    run(Crashing)
"""

BOARDS = 4


def match(folder: Path, on_start: str = "", clock: str = "60") -> Event:
    """The crashing bot, East in the closed room, against one that behaves."""
    mark, left = str(folder / "mark"), str(folder / "left")
    program = CRASHING.format(mark=mark, left=left, on_start=on_start)
    spec = write_bot(folder, "crashing", program).replace("crashing.py", f"{folder}/crashing.py")
    entries = (Entrant(bot=spec, name="bad"), Entrant(bot="random", name="good"))
    # Without grace: who crashes is lost at once.
    policies = EventPolicies(grace=0)
    return event(Format.MATCH, 2, entries=entries, boards=BOARDS, policies=policies, clock=clock)


def closed_units(match: Event) -> list[Unit]:
    return [unit for unit in units_of(plan(match, [])) if unit.place == "closed"]


REMOTE = tuple(Entrant(bot=f"remote:{name}", name=name) for name in "ab")

BOARDS_OF_SEED_1 = BoardSupply(PublicSeed(1), Mode.FULL)


@pytest.mark.slow
async def test_one_crash_costs_one_board(tmp_path: Path) -> None:
    """The same player sits at four tables. What it was playing at the other three is not kept;
    the next time it is there again."""
    event = match(tmp_path)
    units = closed_units(event)
    kept: dict[str, BoardRecord] = {}

    def keep(unit: Unit, record: BoardRecord | None) -> None:
        assert unit.id not in kept
        if record is not None:
            kept[unit.id] = record

    with EventLog(tmp_path / "log.jsonl") as log:
        async with LocalVenue(
            EventInPlay(event, BOARDS_OF_SEED_1, log), VenueOptions(BOARDS)
        ) as hall:
            await hall.seat(units)
            await hall.play(iter(units), keep)
            (record,) = kept.values()
            assert not record.is_finished
            (fault,) = record.faults
            assert (str(fault.seat), fault.kind, fault.detail) == (
                "E",
                FaultKind.CRASH,
                "exit status 5",
            )
            left = [unit for unit in units if unit.id not in kept]
            assert len(left) == BOARDS - 1
            await hall.play(iter(left), keep)
    assert set(kept) == {unit.id for unit in units}
    assert sum(record.is_finished for record in kept.values()) == BOARDS - 1
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    started = [line["bot"] for line in lines if line["event"] == "bot_started"]
    assert len(started) == 5
    assert started.count("bad (E)") == 2
    assert not any(map(is_alive, bot_pids(tmp_path)))


@pytest.mark.slow
async def test_the_cause_of_a_crash_is_told_of_a_bot_that_is_started_again_too_late(
    tmp_path: Path,
) -> None:
    """It is started again at once, and its grace ends before it sits down."""
    slow = match(tmp_path, on_start="mark.exists() and time.sleep(600)")
    unit = closed_units(slow)[0]
    kept: list[BoardRecord] = []

    with EventLog(tmp_path / "log.jsonl") as log:
        event = slow.model_copy(update={"policies": EventPolicies(grace=1.5)})
        async with LocalVenue(EventInPlay(event, BOARDS_OF_SEED_1, log), VenueOptions(1)) as hall:
            await hall.seat([unit])
            await hall.play(iter([unit]), lambda _, record: kept.extend([record] if record else []))
    (record,) = kept
    (fault,) = record.faults
    why = "exit status 5, and the bot was not back within 1.5 s"
    assert (fault.kind, fault.detail) == (FaultKind.CRASH, why)
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    started = [line["bot"] for line in lines if line["event"] == "bot_started"]
    assert started.count("bad (E)") == 2


@pytest.mark.slow
async def test_boards_that_are_played_again_use_time_only_then(tmp_path: Path) -> None:
    """The match at four tables has the clocks that it would have if it were resumed."""
    crashing = match(tmp_path, clock="60 match=900")
    (bad, _), boards = crashing.entries, BOARDS + 1
    entries = (bad, bad.model_copy(update={"name": "good"}))
    timed = crashing.model_copy(update={"boards": boards, "entries": entries})
    *units, last = closed_units(timed)
    kept: dict[str, BoardRecord] = {}

    def keep(unit: Unit, record: BoardRecord | None) -> None:
        if record is not None:
            kept[unit.id] = record

    with EventLog(tmp_path / "log.jsonl") as log:
        async with LocalVenue(
            EventInPlay(timed, BOARDS_OF_SEED_1, log), VenueOptions(BOARDS)
        ) as hall:
            await hall.seat(units)
            for _ in range(2):
                await hall.play(iter([unit for unit in units if unit.id not in kept]), keep)
            used = [record.match_seconds for record in kept.values()]
            await hall.play(iter([last]), keep)
    assert len(used) == BOARDS
    assert len(kept) == boards
    lines = [line.split() for line in (tmp_path / "left").read_text().splitlines()]
    for side in ("NS", "EW"):
        told = (seconds for board, seat, seconds in lines if board == str(boards) and seat in side)
        spent = sum(seconds[Seat.parse(seat)] for seconds in used for seat in side)
        assert float(next(told)) == pytest.approx(900 - spent, abs=0.001)


class Erring(RandomBot):
    """Begins with an illegal call, and notes the time that is left of the match."""

    def __init__(self, left: dict[Seat, float | None]) -> None:
        super().__init__()
        self.left = left

    def call(self, view: View) -> Call:
        if view.seat in self.left:
            return super().call(view)
        assert view.turn is not None
        self.left[view.seat] = view.turn.match_seconds
        return Call("XX")


async def test_a_match_goes_on_with_its_clocks_and_faults() -> None:
    """The clock is its entry's, in one room, and the faults are one player's; what was played
    at other places and in other matches is nothing to them."""
    policies = EventPolicies(illegal=3, restarts=9)
    going_on = event(
        Format.MATCH, 2, entries=REMOTE, boards=2, policies=policies, clock="60 match=1000"
    )
    first, other, unit, _ = units_of(plan(going_on, []))
    played = scores.record(going_on, first)
    results = {
        first.id: replace(
            played,
            match_seconds=(700.0, -5.0, 200.0, 10.0),
            faults=tuple(Fault(Seat.NORTH, FaultKind.ILLEGAL, 0) for _ in range(2)),
        ),
        other.id: replace(scores.record(going_on, other), match_seconds=(900.0,) * 4),
        "2/1/1/open": replace(played, match_seconds=(900.0,) * 4),
    }
    left: dict[Seat, float | None] = {}
    kept: list[BoardRecord] = []
    open_venue = house_of(dict.fromkeys("ab", partial(Erring, left)))
    hall = open_venue(EventInPlay(going_on, BOARDS_OF_SEED_1, EventLog(), results, 1))
    async with asyncio.timeout(PATIENCE), hall:
        await hall.seat([unit])
        await hall.play(iter([unit]), lambda _, record: kept.extend([record] if record else []))
    # East deals, so it is the first of its side to be asked, and South of the other.
    assert (left[Seat.EAST], left[Seat.SOUTH]) == (995.0, 100.0)
    (record,) = kept
    lost = Fault(Seat.NORTH, FaultKind.REFUSED, 3, "3 illegal answers in one match")
    assert record.faults[-1] == lost
    erring = [fault.seat for fault in record.faults if fault.kind is FaultKind.ILLEGAL]
    assert erring == [Seat.EAST, Seat.SOUTH, Seat.WEST, Seat.NORTH]


class Timed(RandomBot):
    """Notes the time that it has for its first call on each board."""

    def __init__(self, told: dict[tuple[int, Seat], tuple[float, float | None]]) -> None:
        super().__init__()
        self.told = told

    def call(self, view: View) -> Call:
        assert view.turn is not None
        times = view.turn.seconds, view.turn.match_seconds
        self.told.setdefault((view.number, view.seat), times)
        return super().call(view)


async def test_a_clock_that_a_director_changes_is_that_of_the_next_board() -> None:
    duel = event(Format.MATCH, 2, entries=REMOTE, boards=3, clock="60 match=1000")
    units = [unit for unit in units_of(plan(duel, [])) if unit.place == "open"]
    told: dict[tuple[int, Seat], tuple[float, float | None]] = {}
    settings = settings_by(duel, ())
    made = rulings([ChangeClock(clock="20", entry=0), ChangeClock(clock="50 match=500", entry=1)])

    def keep(unit: Unit, record: BoardRecord | None) -> None:
        assert record is not None
        settings[:] = settings_by(duel, made[: unit.position])

    open_venue = house_of(dict.fromkeys("ab", partial(Timed, told)))
    hall = open_venue(EventInPlay(duel, BOARDS_OF_SEED_1, EventLog(), {}, 1, settings))
    async with asyncio.timeout(PATIENCE), hall:
        await hall.seat(units)
        await hall.play(iter(units), keep)
    home, visitors = (Seat.NORTH, Seat.SOUTH), (Seat.EAST, Seat.WEST)
    for board, seats, seconds, match_seconds in (
        (1, home, 60, 1000),
        (1, visitors, 60, 1000),
        (2, home, 20, None),
        (2, visitors, 60, 1000),
        (3, home, 20, None),
        (3, visitors, 50, 500),
    ):
        for seat in seats:
            if (board, seat) in told:  # else it had no call
                of_action, of_match = told[board, seat]
                assert of_action == seconds
                assert (of_match is None) == (match_seconds is None)
                if of_match is not None and match_seconds is not None:
                    assert match_seconds - 10 < of_match <= match_seconds
    assert {board for board, _ in told} == {1, 2, 3}


async def test_a_clock_that_comes_back_has_the_boards_meanwhile_taken_off() -> None:
    duel = event(Format.MATCH, 2, entries=REMOTE, boards=3, clock="60 match=1000")
    units = [unit for unit in units_of(plan(duel, [])) if unit.place == "open"]
    told: dict[tuple[int, Seat], tuple[float, float | None]] = {}
    results: dict[str, BoardRecord] = {}
    settings = settings_by(duel, ())
    made = [[ChangeClock(clock="60 match=500")], []]

    def keep(unit: Unit, record: BoardRecord | None) -> None:
        assert record is not None
        results[unit.id] = replace(record, match_seconds=(100.0,) * 4)
        if made:
            settings[:] = settings_by(duel, rulings(made.pop(0)))

    open_venue = house_of(dict.fromkeys("ab", partial(Timed, told)))
    hall = open_venue(EventInPlay(duel, BOARDS_OF_SEED_1, EventLog(), results, 1, settings))
    async with asyncio.timeout(PATIENCE), hall:
        await hall.seat(units)
        await hall.play(iter(units), keep)
    for board, most in ((1, 1000), (2, 300), (3, 600)):
        left = [left for (number, _), (_, left) in told.items() if number == board]
        assert left
        assert all(most - 10 < seconds <= most for seconds in left if seconds is not None)


async def test_a_signal_that_comes_while_bots_are_dismissed_leaves_none_of_them_behind(
    tmp_path: Path,
) -> None:
    """Their processes outlive their sessions."""
    mark = tmp_path / "mark"
    program = f"""
        import time
        from pathlib import Path
        from bridge_arena.bots.sdk.client import run
        from bridge_arena.bots.random.bot import RandomBot
        try:
            run(RandomBot)
        finally:
            Path({str(mark)!r}).touch()
            time.sleep(600)
    """
    bot = Entrant(bot=write_bot(tmp_path, "staying", program), name="staying", dir=str(tmp_path))
    both = event(Format.MATCH, 2, entries=(bot, Entrant(bot="random", name="good")), boards=1)
    units = closed_units(both)
    seated = asyncio.Event()

    async def stopped() -> None:
        with EventLog(tmp_path / "log.jsonl") as log:
            async with LocalVenue(EventInPlay(both, BOARDS_OF_SEED_1, log)) as hall:
                await hall.seat(units)
                seated.set()
                raise StoppedError

    stopping = asyncio.create_task(stopped())
    async with asyncio.timeout(PATIENCE):
        await seated.wait()
        await until(mark.exists)
        stopping.cancel()
        with pytest.raises(asyncio.CancelledError):
            await stopping
    pids = bot_pids(tmp_path)
    assert len(pids) == len(SEATS)
    assert not any(map(is_alive, pids))


@pytest.mark.parametrize("is_ordered", [False, True])
async def test_a_board_is_dropped_whose_bot_was_stopped_with_the_arena(
    tmp_path: Path, *, is_ordered: bool
) -> None:
    """As a service manager does; at any other time it is the bot's fault."""
    stop = Stop()
    event = match(tmp_path, "import signal; os._exit = lambda _: signal.raise_signal(15)")
    unit = closed_units(event)[0]
    kept: list[BoardRecord | None] = []

    def begin(_unit: Unit) -> bool:
        if is_ordered:
            stop.order()
        return True

    with EventLog(tmp_path / "log.jsonl") as log:
        async with LocalVenue(
            EventInPlay(event, BOARDS_OF_SEED_1, log), VenueOptions(1, stop=stop)
        ) as hall:
            await hall.seat([unit])
            await hall.play(iter([unit]), lambda _, record: kept.append(record), begin)
    (record,) = kept
    if is_ordered:
        assert record is None
    else:
        assert record is not None
        assert record.faults[-1].detail == "killed by SIGTERM"


@pytest.mark.slow
@pytest.mark.parametrize("tables", [1, 2])
async def test_a_bot_that_cannot_be_started_again_leaves_its_boards_unfinished(
    tmp_path: Path, tables: int
) -> None:
    """Its boards are kept unfinished, by its own fault and nobody else's."""
    event = match(tmp_path, "if mark.exists(): sys.exit('no more')")
    units = closed_units(event)[:3]
    kept: dict[str, BoardRecord] = {}
    with EventLog(tmp_path / "log.jsonl") as log:
        async with LocalVenue(
            EventInPlay(event, BOARDS_OF_SEED_1, log), VenueOptions(tables)
        ) as hall:
            await hall.seat(units)
            await hall.play(
                iter(units), lambda unit, record: kept.update({unit.id: record} if record else {})
            )
    details = [record.faults[-1].detail for record in kept.values()]
    assert details[0] == "exit status 5"
    assert len(details) == 3 - (tables - 1)
    for record, detail in zip(kept.values(), details, strict=True):
        assert not record.is_finished
        assert str(record.faults[-1].seat) == "E"
        if detail != details[0]:
            assert detail == "bot bad (E) ended before it sat down: exit status 1: no more"


async def test_a_board_that_is_in_play_at_another_table_is_not_shown() -> None:
    """Though it is to be played no more, as where an entry was withdrawn meanwhile."""
    go_on = threading.Event()

    class Waiting(RandomBot):
        def call(self, view: View) -> Call:
            if view.table == "table 2":
                go_on.wait(PATIENCE)
            return super().call(view)

    watched = event(Format.MATCH, 2, entries=REMOTE, boards=1, broadcast="board")
    async with open_house(watched, tables=2) as house, asyncio.timeout(PATIENCE):
        bots = [bot for name in "ab" for bot in house.visitors(name, Waiting)]
        playing = asyncio.create_task(house.play())
        await until(lambda: len(house.kept) == 1)
        hall = house.hall
        hall.show({1})
        assert [feed.number for feed in hall.feeds] == [0, 0]
        go_on.set()
        await playing
        hall.show(set())
        assert [feed.number for feed in hall.feeds] == [0, 0]
        hall.show({1})
        assert all(feed.number > 0 for feed in hall.feeds)
    await asyncio.gather(*bots)


async def test_records_say_which_programs_played_and_in_which_version(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        "from bridge_arena.bots.random.bot import RandomBot\n\n"
        "class Mine(RandomBot):\n    name = 'Mine \u2660'\n    version = '2'\n"
    )
    entries = Entrant(bot=f"{path}:Mine", name="mine"), Entrant(bot="random", name="other")
    one_board = event(Format.MATCH, 2, boards=1, entries=entries)
    async with open_house(one_board, tables=1) as house:
        await house.play()
    own = rf"Mine \S 2 {version_of(one_board.entries[0].players[0])}"
    other = f"random {version_of(one_board.entries[1].players[0])}"
    assert {
        record.players[seat]: record.programs[seat]
        for record in house.kept.values()
        for seat in SEATS
    } == {"mine": own, "other": other}


@pytest.mark.slow
@needs_sandbox
async def test_one_entry_may_be_in_a_sandbox_and_another_not(tmp_path: Path) -> None:
    """Only the programs of the first are started for each match of the same boards."""
    (tmp_path / "beside").touch()
    entrants = []
    for name, isolation in (("shut in", Isolation.SANDBOX), ("trusted", None)):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "mine.py").write_text(
            "from pathlib import Path\n"
            "from bridge_arena.bots.random.bot import RandomBot\n\n"
            "class Mine(RandomBot):\n"
            "    name = f'{Path.cwd().name} sees {Path(\"../beside\").exists()}'\n"
        )
        own = Entrant(bot="mine.py:Mine", name=name, dir=name, isolation=isolation)
        entrants.append(own.located(tmp_path))
    entries = (*entrants, Entrant(bot="random", name="other"))
    one_board = event(Format.ROUND_ROBIN, 0, boards=1, entries=entries, deals=Deals.SAME)
    async with open_house(one_board, tables=2) as house:
        await house.play()
    programs = {
        record.players[seat]: record.programs[seat].rpartition(" ")[0]
        for record in house.kept.values()
        for seat in SEATS
    }
    assert programs["shut in"] == "shut in sees False"
    assert programs["trusted"] == "trusted sees True"
    assert not any(record.faults for record in house.kept.values())


def test_each_player_of_an_entry_has_seats_of_its_own() -> None:
    entries = (Entrant(bot="random & baseline", name="two"), Entrant(bot="natural", name="one"))
    mixed = event(Format.MATCH, 2, entries=entries)
    hall = LocalVenue(EventInPlay(mixed, BOARDS_OF_SEED_1, EventLog()))
    open_room, closed, *_ = units_of(plan(mixed, []))
    for unit, ours in ((open_room, "NS"), (closed, "EW")):
        seats = {seat.letter: str(each) for seat, each in hall._entry_seats(unit).items()}
        for seat in "NESW":
            own = "random" if seat in "NE" else "baseline"
            expected = f"two / {own} ({seat})" if seat in ours else f"one ({seat})"
            assert seats[seat] == expected
