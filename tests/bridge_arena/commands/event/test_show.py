"""`arena event show`."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import BoardRecord, Room
from bridge_arena.commands.common.errors import UnusableError
from bridge_arena.commands.event.show import show
from bridge_arena.reports.common.event_state import headlines, match_states
from bridge_arena.tournaments import STORE, Event, EventResults, Format, GivenBoard, Store
from bridge_arena.tournaments.events.event import EventPolicies
from bridge_arena.tournaments.formats.rules import Deals
from bridge_arena.tournaments.schedule.left_to_play import Remaining
from bridge_arena.tournaments.schedule.plan import plan
from bridge_arena.tournaments.schedule.rulings import Decision, Forfeit, GoOn, Pause
from tests.tournaments.ruled import rulings
from tests.tournaments.scores import better_seed, event, lost, play_out, units_of

ROBIN = event(Format.ROUND_ROBIN, 3, name="Cup", policies=EventPolicies(restarts=0))
SWISS = event(Format.SWISS, 4, rounds=2, deals=Deals.BAROMETER)


def begun(folder: Path, whole: Event, records: dict[str, BoardRecord]) -> str:
    """The folder of an event with some records."""
    with closing(Store.create(folder / STORE, whole)) as store:
        rounds = plan(whole, records.values())
        units = {unit.id: unit for unit in units_of(rounds)}
        boards = {unit.board: GivenBoard(Board.dealt(1, unit.board), ()) for unit in units.values()}
        store.schedule([match for round_ in rounds for match in round_.matches], boards)
        for unit, record in records.items():
            store.save(units[unit], record)
    return str(folder)


def shown(capsys: pytest.CaptureFixture[str], folder: str) -> list[str]:
    show(folder)
    return capsys.readouterr().out.splitlines()


def row(lines: list[str], heading: str, number: int) -> list[str]:
    """The words of a row, from 0, of the table with a heading."""
    return lines[lines.index(heading) + 4 + number].split()


def test_an_event_that_is_not_begun_is_all_due(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = shown(capsys, begun(tmp_path, ROBIN, {}))
    assert lines[:2] == [
        "Cup: round-robin, 3 entries, 12 tables",
        "it is not being played at the moment, round 1 of 3: 0 tables played, 12 due",
    ]
    assert row(lines, "Matches by rounds", 0) == ["1", "0", "0", "1", "0", "4"]
    assert "Standings so far" in lines


def test_what_is_under_way_and_who_was_lost_is_shown_while_it_is_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    units = units_of(plan(ROBIN, []))
    first, *others = [unit for unit in units if 1 in unit.lineup]
    records = {first.id: lost(ROBIN, first, 1)}
    (apart, *_) = (unit for unit in units if 1 not in unit.lineup)
    records[apart.id] = better_seed(ROBIN)(apart)
    folder = begun(tmp_path, ROBIN, records)
    with closing(Store.open(tmp_path / STORE)) as store, store.locked():
        lines = shown(capsys, folder)
        before = {path: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
        assert shown(capsys, folder) == lines
        assert {path: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()} == before
    assert lines[1].startswith("it is being played, round ")
    assert lines[1].endswith(f": 2 tables played, {len(units) - len(others) - 2} due")
    assert lines[2] == f"e1 is withdrawn since round {first.match.round}"
    words = row(lines, "Under way and due next", 0)
    assert words[:5] == [f"{apart.match.round}", f"{apart.match.number}", "e2", "-", "e0"]
    assert words[5:] == ["under", "way", "1", "3"]
    words = row(lines, "Boards on which a player was lost", 0)
    assert words[3:] == [first.room, "e1", "crash:", "exit", "status", "1", "unfinished"]
    assert any("e1 (withdrawn)" in line for line in lines)


def test_the_rounds_of_a_swiss_are_those_drawn_so_far(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = play_out(SWISS, better_seed(SWISS))
    records = {unit: record for unit, record in whole.items() if unit.startswith("1/")}
    lines = shown(capsys, begun(tmp_path, SWISS, records))
    assert lines[1] == (
        "it is not being played at the moment, round 2 of 2: "
        "8 tables played, 8 due of the rounds known so far"
    )


def test_an_event_that_is_over_has_its_standings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = shown(capsys, begun(tmp_path, SWISS, play_out(SWISS, better_seed(SWISS))))
    assert lines[1] == "it is over: 16 tables played"
    assert "Under way and due next" not in lines
    assert row(lines, "Standings", 0)[:2] == ["1", "e0"]


def test_of_many_lost_boards_the_last_are_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = event(Format.MATCH, 2, boards=24)
    units = units_of(plan(whole, []))[::2]
    records = {unit.id: lost(whole, unit, 0, adjusted=True) for unit in units}
    lines = shown(capsys, begun(tmp_path, whole, records))
    heading = "The last 20 of 24 boards on which a player was lost"
    assert row(lines, heading, 0)[2] == "5"
    assert row(lines, heading, 19)[2] == "24"
    assert "Matches by rounds" not in lines


def test_what_the_director_has_forfeited_is_not_due() -> None:
    made = tuple(rulings([Forfeit(match="1/1", entry=0)]))
    states = list(match_states(ROBIN, Remaining(ROBIN, {}, made), {}))
    assert [one.due for one in states] == [0, 4, 4]
    assert states[0].state == "done"


def test_what_is_paused_is_said() -> None:
    in_open = Pause(match="1/1", room=Room.OPEN)
    made: list[Decision] = [
        Pause(),
        Pause(match="1/1"),
        in_open,
        Pause(entry=1),
        Pause(entry=2),
        GoOn(entry=2),
    ]
    paused = rulings(made)
    results = EventResults(ROBIN, [], rulings=tuple(paused))
    lines = [line for line in headlines(results, [], is_played=True) if "paused" in line]
    assert sorted(lines) == [
        "e1 is paused",
        "match 1/1 (e1 – e2) is paused",
        "the event is paused",
        "the open room of match 1/1 (e1 – e2) is paused",
    ]


def test_a_folder_without_an_event_is_said(tmp_path: Path) -> None:
    with pytest.raises(UnusableError):
        show(str(tmp_path))
    (tmp_path / "event.pbn").touch()
    with pytest.raises(UnusableError, match="give its database's URL"):
        show(str(tmp_path))
