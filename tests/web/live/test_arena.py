"""Tests of what spectators see of an event in play, and of what they do not see yet."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import BoardRecord, FaultKind, MadeCall, Room
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.protocol.messages import Answer, Thinking, Thought, YourTurn
from bridge_arena.protocol.view import View
from bridge_arena.protocol.visibility import Viewer
from bridge_arena.server import feed
from bridge_arena.server.clock import TimeControl
from bridge_arena.server.driver import play_board
from bridge_arena.server.faults import SeatFault
from bridge_arena.server.players import LocalPlayer, Player
from bridge_arena.server.table import Table
from bridge_arena.tournaments.formats.rules import Deals, Format
from bridge_arena.tournaments.schedule.early_stop import EarlyStop
from bridge_arena.tournaments.schedule.plan import plan
from bridge_arena.tournaments.schedule.units import Unit
from tests.server.lobby import Gated
from tests.server.tables import SEEDS, Lowly, Slow, in_no_time
from tests.server.test_undo import Regretful
from tests.tournaments.scores import event, lost, record, units_of
from tests.web.live.halls import Hall, units

SCRIPT = "<script>alert(1)</script>"


def state(hall: Hall, table: int = 0) -> Any:
    return json.loads(json.dumps(hall.arena.rooms[table].state()))


def lobby(hall: Hall) -> Any:
    return json.loads(json.dumps(hall.arena.lobby.state()))


class Speaker(Lowly):
    """Explains what it calls, and thinks aloud."""

    def call(self, view: View) -> MadeCall:
        call = super().call(view)
        assert isinstance(call, Call)
        self.thoughts = (Thinking(text=SCRIPT, layouts=7),)
        return MadeCall(call, alert=True, explanation=Explanation(SCRIPT))

    def play(self, view: View) -> Card:
        self.thoughts = (Thinking(layouts=8),)
        return super().play(view)


async def test_a_board_in_two_rooms_and_what_it_was_worth() -> None:
    hall = Hall()
    open_room, closed_room, *_ = units()
    await hall.play(open_room)
    shown = state(hall)
    assert shown["board"]["board"] == 1
    assert [table["name"] for table in shown["board"]["tables"]] == ["Open room"]
    table = shown["board"]["tables"][0]
    assert (table["contract"], table["declarer"]) == ("1NT", "N")
    assert len(table["cards"]) == 52
    assert len(table["winners"]) == 13
    assert "imps" not in table
    await hall.play(closed_room)
    shown = state(hall)
    assert shown["place"] == 1
    assert [table["imps"] for table in shown["board"]["tables"]] == [0, 0]
    hall.arena.lobby.count()
    assert state(hall)["score"] == "After 1 board: e0 and e1 are level."
    assert lobby(hall)["tables"][0]["shown"]["score"] == state(hall)["score"]
    assert len(hall.arena.played) == 2
    await hall.end()
    assert lobby(hall)["isOver"]
    assert [row["boards"] for row in lobby(hall)["standings"]["rows"]] == [1, 1]


@pytest.mark.parametrize("delay", [0, 30])
def test_the_clocks_of_players_leave_out_what_the_pace_adds(delay: int) -> None:
    async def clocks() -> Any:
        hall = Hall(pace=2.0, broadcast=str(delay))
        slow = {Seat.EAST: (3.0,), Seat.WEST: (0.5,)}
        players = {seat: Slow(seat, slow.get(seat, ())) for seat in SEATS}
        await hall.play(units()[0], players=players)
        await asyncio.sleep(delay)
        await hall.settle()
        assert state(hall)["pace"] == 2.0
        return state(hall)["board"]["tables"][0]["clocks"]

    assert in_no_time(clocks()) == {"N": 0.0, "E": 14 * 3.0, "S": 0.0, "W": 14 * 0.5}


async def test_rooms_at_two_tables_are_shown_side_by_side_at_both() -> None:
    hall = Hall(tables=2)
    open_room, closed_room, *_ = units()
    await asyncio.gather(hall.play(open_room, 0), hall.play(closed_room, 1))
    first, second = state(hall, 0), state(hall, 1)
    assert first["key"] == second["key"]
    assert first["board"] == second["board"]
    assert {first["place"], second["place"]} == {0, 1}


async def test_nothing_of_a_board_is_known_before_it_may_be_shown() -> None:
    hall = Hall(broadcast="board")
    open_room, closed_room, *_ = units()
    await hall.play(open_room)
    hands = [str(Board.dealt(1, 1).deal[seat]) for seat in SEATS]
    for told in (state(hall), lobby(hall)):
        text = json.dumps(told)
        assert not any(hand in text for hand in hands)
        assert "1NT" not in text
    assert state(hall)["board"] is None
    assert lobby(hall)["tables"][0]["board"] == 1
    assert len(hall.arena.played) == 0
    assert lobby(hall)["standings"]["rows"][0]["boards"] == 0
    await hall.play(closed_room)
    hall.feeds[0].release({1})
    await hall.settle()
    assert [len(table["cards"]) for table in state(hall)["board"]["tables"]] == [52, 52]
    assert len(hall.arena.played) == 2


async def test_boards_that_are_shown_in_another_order_than_they_were_played() -> None:
    hall = Hall(broadcast="board")
    first, _, second, _ = units()
    await hall.play(first)
    await hall.play(second)
    hall.feeds[0].release({2})
    await hall.settle()
    assert state(hall)["board"]["board"] == 2
    hall.feeds[0].release({1})
    await hall.settle()
    assert state(hall)["board"]["board"] == 1
    assert state(hall)["last"]["text"] == "Board 2"


async def test_all_boards_are_shown_however_many_are_played_before_the_arena_reads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(feed, "KEPT", 50)
    hall = Hall(event(Format.MATCH, 2, boards=4))
    for unit in units(hall.event):
        await hall.begin(unit)
    await hall.settle()
    assert len(hall.arena.played) == 8
    assert state(hall)["board"]["board"] == 4
    assert not hall.arena.rooms[0].to_come


class Hesitant(Regretful):
    """Lets those who watch read before each turn."""

    async def act(self, turn: YourTurn) -> Answer | Thought:
        await asyncio.sleep(0)
        return await super().act(turn)


async def test_actions_that_are_taken_back_while_they_are_shown() -> None:
    hall = Hall()
    unit = units()[0]
    players: dict[Seat, Player] = {
        seat: LocalPlayer(Viewer(seat), Lowly({0: "1NT"})) for seat in SEATS
    }
    players[Seat.NORTH] = Hesitant(Seat.NORTH)
    record = await hall.play(unit, players=players)
    assert [fault.kind for fault in record.faults] == [FaultKind.UNDO] * 2
    (table,) = state(hall)["board"]["tables"]
    assert [len(table[key]) for key in ("calls", "cards")] == [len(record.calls), 52]
    assert len(hall.arena.played) == 1


class Gone(LocalPlayer):
    """Is lost at its first turn."""

    async def act(self, turn: YourTurn) -> Answer | Thought:
        raise SeatFault(FaultKind.DISCONNECT, f"gone at {turn.seq}")


async def test_a_board_that_is_given_up_is_over() -> None:
    hall = Hall()
    unit = units()[0]
    players = {seat: Gone(Viewer(seat), Lowly()) for seat in SEATS}
    record = await hall.play(unit, players=players)
    assert not record.is_finished
    assert hall.arena.played == {unit.id: record}
    assert state(hall)["board"]["tables"][0]["remarks"] == ["The board was given up."]


async def test_thoughts_and_explanations_of_strangers_are_text() -> None:
    hall = Hall()
    unit = units()[0]
    await hall.play(unit, bots={Seat.NORTH: Speaker({0: "1NT"})})
    table = state(hall)["board"]["tables"][0]
    assert table["calls"][0]["explanation"] == SCRIPT
    assert table["calls"][0]["alert"]
    assert table["calls"][0]["thought"] == {"text": SCRIPT, "layouts": 7}
    assert "thought" not in table["calls"][1]
    thinking = [card["seat"] for card in table["cards"] if "thought" in card]
    assert thinking == [card["seat"] for card in table["cards"] if card["seat"] in "NS"], "declarer"


async def test_the_live_board_grows_by_the_changes_that_are_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The first state and every change together give the last state."""
    hall = Hall()
    changes: list[Any] = []
    unit = units()[0]
    held = {Seat.NORTH: Gated(Seat.NORTH, Lowly({0: "1NT"}), _is_first)}
    others = {
        seat: LocalPlayer(Viewer(seat), Lowly({0: "1NT"})) for seat in SEATS if seat not in held
    }
    playing = asyncio.create_task(hall.play(unit, players={**held, **others}))
    await hall.settle()
    mine = state(hall)
    channel = hall.arena.rooms[0].channel
    keep = lambda change: changes.append(json.loads(json.dumps(change)))  # noqa: E731
    monkeypatch.setattr(channel, "change", keep)
    held[Seat.NORTH].gate.set()
    await playing
    for change in changes:
        if "score" in change:
            mine["score"] = change["score"]
        if "place" not in change:
            continue
        table = mine["board"]["tables"][change["place"]]
        for key in ("calls", "cards", "winners"):
            table[key] += change.get(key, [])
        table.update(change.get("set", {}))
    assert mine == state(hall)


def _is_first(turn: YourTurn) -> bool:
    return turn.seq <= 2


@pytest.mark.parametrize("room", Room)
async def test_a_room_that_was_played_before_the_event_went_on_is_beside(room: Room) -> None:
    before = Hall()
    pair = {unit.room: unit for unit in units()[:2]}
    record = await before.play(pair[room])
    hall = Hall(played=[(pair[room], record)])
    other = next(unit for each, unit in pair.items() if each is not room)
    await hall.play(other)
    tables = state(hall)["board"]["tables"]
    assert [table["room"] for table in tables] == ["Open", "Closed"]
    assert [table["imps"] for table in tables] == [0, 0]


KNOCK_OUT = event(Format.KNOCK_OUT, 4, boards=1, deals=Deals.BAROMETER)


def after(points: int) -> list[tuple[Unit, BoardRecord]]:
    """The first round, with so many points to North-South in the open rooms."""
    return [
        (unit, record(KNOCK_OUT, unit, points if unit.room is Room.OPEN else 0))
        for unit in units(KNOCK_OUT)
    ]


def next_unit(played: list[tuple[Unit, BoardRecord]]) -> Unit:
    """The first unit that is planned when these are played."""
    known = units_of(plan(KNOCK_OUT, [each for _, each in played]))
    return next(unit for unit in known if (unit.match.round, unit.position) > (1, 1))


@pytest.mark.parametrize("points", [0, 600], ids=["extra boards", "final"])
async def test_what_came_of_boards_is_not_told_by_who_meets_whom_next(
    points: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor by whether anything comes next."""
    following = next_unit(after(points))
    hall = Hall(KNOCK_OUT, broadcast="board")
    for unit in units(KNOCK_OUT):
        await hall.play(unit)
    before, sent = lobby(hall), list[Any]()
    with monkeypatch.context() as patched:
        patched.setattr(hall.arena.lobby.channel, "change", sent.append)
        hall.arena.begun(0, following, Board.dealt(1, following.board))
    assert (lobby(hall), sent) == (before, [])
    hall.feeds[0].release({1})
    await hall.settle()
    assert lobby(hall)["tables"][0]["lineup"] == list(following.lineup)


async def test_who_meets_whom_is_told_at_once_where_no_result_decides_it() -> None:
    hall = Hall(event(Format.ROUND_ROBIN, 4, boards=1), broadcast="board")
    *before, last = units(hall.event)
    for unit in before:
        await hall.play(unit)
    hall.arena.begun(0, last, Board.dealt(1, 1))
    assert lobby(hall)["tables"][0]["lineup"] is not None


async def test_what_is_held_of_an_event_that_goes_on_is_known_at_its_end() -> None:
    held = after(600)
    final = next_unit(held)
    hall = Hall(KNOCK_OUT, held=held)
    hall.arena.begun(0, final, Board.dealt(1, final.board))
    assert len(hall.arena.played) == 0
    assert lobby(hall)["tables"] == [{"number": 1, "shown": None}]
    await hall.end()
    assert len(hall.arena.played) == 4
    assert lobby(hall)["tables"][0]["lineup"] is not None


async def test_all_that_the_tables_hold_is_shown_when_the_event_is_over() -> None:
    """Though the arena has not read it yet."""
    hall = Hall(broadcast="board")
    for unit in units():
        await hall.begin(unit)
    assert state(hall)["board"] is None
    await hall.end()
    assert state(hall)["board"]["board"] == 2
    assert [len(table["cards"]) for table in state(hall)["board"]["tables"]] == [52, 52]
    assert state(hall)["last"]["text"] == "Board 1"


async def test_why_a_table_is_shown_no_longer_is_told_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The event goes on, and so do the other tables."""
    told: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: told.append(context))
    hall = Hall(tables=2)
    unit = units()[0]
    changes: list[Any] = []
    monkeypatch.setattr(hall.arena.rooms[0].channel, "change", changes.append)
    await play_unbegun(hall)
    (context,) = told
    assert str(context["exception"]) == "table 1 did not begin board 1"
    assert changes == [{"over": "This table can be shown no longer."}]
    assert state(hall)["over"] == "This table can be shown no longer."
    await hall.play(unit, 1)
    assert state(hall, 1)["over"] == ""
    await hall.end()
    assert [state(hall, table)["board"] is None for table in range(2)] == [True, False]


async def test_nothing_is_kept_for_the_page_of_a_table_that_is_shown_no_longer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(feed, "KEPT", 5)
    asyncio.get_running_loop().set_exception_handler(lambda *_: None)
    hall = Hall()
    await play_unbegun(hall)
    read = hall.feeds[0].number
    for _ in range(4):
        await play_unbegun(hall)
    with pytest.raises(feed.FellBehindError):
        hall.feeds[0].after(read)
    await hall.end()


async def play_unbegun(hall: Hall) -> None:
    """Play a board of which the arena does not know."""
    table = Table("table 1", Board.dealt(1, 1), SEEDS, TimeControl(60.0))
    players = {seat: LocalPlayer(Viewer(seat), Lowly()) for seat in SEATS}
    await play_board(table, players, kibitzers=[hall.feeds[0]])
    await hall.settle()


async def test_a_board_to_which_nobody_came_counts() -> None:
    hall = Hall()
    unit = units()[0]
    hall.arena.ended(unit, lost(hall.event, unit, 0, adjusted=True))
    assert len(hall.arena.played) == 1


async def test_a_board_that_is_played_again_is_known_when_the_last_play_was_shown() -> None:
    hall = Hall(broadcast="board", tables=2)
    unit = units()[0]
    for table in range(2):
        await hall.begin(unit, table)
    for table, known in ((0, 0), (1, 1)):
        hall.feeds[table].release({1})
        await hall.settle()
        assert len(hall.arena.played) == known


async def test_what_was_played_after_a_sequential_test_had_ended_counts_nowhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    test = "imp0=0 imp1=2 alpha=0.4 beta=0.4"
    match = event(Format.MATCH, 2, boards=8, sprt=test)
    # The later boards first.
    played = [
        (unit, record(match, unit, 600 if unit.place == "open" else 0))
        for unit in reversed(units(match))
    ]
    weighed: list[Unit] = []
    is_beyond = EarlyStop.is_beyond

    def note(stop: EarlyStop, unit: Unit) -> bool:
        weighed.append(unit)
        return is_beyond(stop, unit)

    monkeypatch.setattr(EarlyStop, "is_beyond", note)
    hall = Hall(match, played=[*played, *played[:8]])
    assert len(weighed) <= 3 * len(played), "all boards are looked at only when the test ends"
    counted = len(hall.arena.played) // 2
    assert 1 <= counted < 8
    assert [row["boards"] for row in lobby(hall)["standings"]["rows"]] == [counted, counted]
    await hall.play(units(match)[-1])
    assert len(hall.arena.known_of("1/1")) == counted
    assert state(hall)["score"] == f"e0 beat e1 by {12 * counted} IMPs."
