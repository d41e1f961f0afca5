"""Tests of when spectators see what happens, and of what a feed reveals."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.protocol.messages import BoardShown, Message, Snapshot, ThoughtShown, Welcome
from bridge_arena.protocol.visibility import Kibitzer, Viewer
from bridge_arena.server import feed as feed_module
from bridge_arena.server.driver import play_board
from bridge_arena.server.feed import (
    AFTER_BOARD,
    LIVE,
    Broadcast,
    Feed,
    FellBehindError,
    Shown,
    Watching,
)
from bridge_arena.server.kibitzers import Balcony
from bridge_arena.server.players import LocalPlayer, Player
from tests.server.links import Onlooker
from tests.server.lobby import Gated
from tests.server.tables import (
    WEST,
    Lowly,
    RecordingTable,
    in_no_time,
    kinds,
    new_table,
    shown_to,
)
from tests.server.test_thoughts import Musing


class TestText:
    @pytest.mark.parametrize(
        ("text", "meaning"),
        [
            ("live", LIVE),
            ("board", AFTER_BOARD),
            ("0", LIVE),
            ("30", Broadcast(30.0)),
            ("2.5", Broadcast(2.5)),
            ("86400", Broadcast(86_400.0)),
        ],
    )
    def test_text_of_a_broadcast_is_read(self, text: str, meaning: Broadcast) -> None:
        assert Broadcast.parse(text) == meaning

    @pytest.mark.parametrize("text", ["", "Live", "-1", "nan", "inf", "86401", "30 s", "boards"])
    def test_text_of_no_broadcast_is_refused(self, text: str) -> None:
        with pytest.raises(ValueError, match="neither live, board nor seconds"):
            Broadcast.parse(text)


def new_feed(broadcast: Broadcast) -> Feed:
    return Feed(Welcome(table="A1"), broadcast)


def talkative(seed: int = 1) -> dict[Seat, Player]:
    return {seat: LocalPlayer(Viewer(seat), Musing(seed, thinks=True)) for seat in SEATS}


async def play(feed: Feed, number: int) -> RecordingTable:
    """A board at the feed's table, of the same number in the supply."""
    table = new_table(number=number)
    feed.begin(number)
    await play_board(table, talkative(number), kibitzers=[feed])
    return table


def messages(events: list[Shown]) -> list[Message]:
    return [event.message for event in events]


async def read(watching: Watching) -> list[Message]:
    """All that can be read now."""
    found: list[Message] = []
    with suppress(StopAsyncIteration, TimeoutError):
        while True:
            async with asyncio.timeout(0):
                found += messages(list(await anext(watching)))
    return found


def everything(table: RecordingTable) -> list[Message]:
    return shown_to(Kibitzer(), table.events)


class TestLive:
    def test_a_live_board_is_shown_as_it_happens(self) -> None:
        async def watch() -> None:
            feed = new_feed(LIVE)
            watching = feed.watch()
            first = await play(feed, 1)
            assert await read(watching) == everything(first)
            second = await play(feed, 2)
            assert await read(watching) == everything(second)
            feed.end("over")
            assert kinds(await read(watching)) == "Goodbye"
            with pytest.raises(StopAsyncIteration):
                await anext(watching)

        in_no_time(watch())

    def test_whoever_comes_late_is_shown_the_board_on_show_thoughts_and_all(self) -> None:
        async def watch() -> None:
            feed = new_feed(LIVE)
            await play(feed, 1)
            second = await play(feed, 2)
            late = await read(feed.watch())
            assert late == everything(second)
            assert any(isinstance(each, ThoughtShown) for each in late)

        in_no_time(watch())

    def test_a_spectator_who_lost_the_connection_reads_on(self) -> None:
        async def watch() -> None:
            feed = new_feed(LIVE)
            watching = feed.watch()
            await play(feed, 1)
            (_, *rest) = await anext(watching)
            assert list(await anext(feed.watch(after=1))) == rest
            assert await read(feed.watch(after=feed.number)) == []
            for unknown in (feed.number + 1, -5):
                (again, *_) = await read(feed.watch(after=unknown))
                assert isinstance(again, BoardShown)

        in_no_time(watch())


class TestSeconds:
    def test_events_are_shown_when_their_seconds_are_over_and_not_before(self) -> None:
        async def watch() -> None:
            feed = new_feed(Broadcast(30.0))
            table = new_table()
            players = talkative()
            west = players[WEST] = Gated(WEST, Lowly({0: "1NT"}))
            playing = asyncio.create_task(play_board(table, players, kibitzers=[feed]))
            await asyncio.sleep(10)
            west.gate.set()
            await playing
            watching = feed.watch()
            before = [event.happening for event in table.events]
            await asyncio.sleep(19.9)
            assert (feed.number, feed.snapshot()) == (0, None)
            await asyncio.sleep(0.2)
            early = await read(watching)
            assert early
            assert "BoardEnd" not in kinds(early)
            await asyncio.sleep(9.7)
            assert await read(watching) == []
            await asyncio.sleep(0.3)
            assert early + await read(watching) == everything(table)
            assert len(before) > len(early)

        in_no_time(watch())

    def test_when_the_event_is_over_there_is_no_secret(self) -> None:
        async def watch() -> None:
            feed = new_feed(Broadcast(30.0))
            table = await play(feed, 1)
            feed.end("over")
            assert messages([*feed.after(0)])[:-1] == everything(table)
            await asyncio.sleep(60)
            assert len(feed.after(0)) == len(everything(table)) + 1, "nothing comes twice"

        in_no_time(watch())


class TestAfterTheBoard:
    def test_nothing_is_shown_before_the_board_is_over_everywhere(self) -> None:
        async def watch() -> None:
            feed = new_feed(AFTER_BOARD)
            onlooker, balcony = Onlooker(), Balcony(feed)
            await onlooker.attach(balcony)
            tables = [await play(feed, number) for number in (1, 2, 1)]
            await asyncio.sleep(1)
            assert feed.held == {1, 2}
            assert (feed.number, feed.snapshot()) == (0, None)
            assert kinds(onlooker.heard + onlooker.listen()) == "Welcome"
            feed.release({2})
            assert messages([*feed.after(0)]) == everything(tables[1])
            feed.release({1, 7})
            assert messages([*feed.after(0)]) == [
                message for number in (1, 0, 2) for message in everything(tables[number])
            ]
            assert feed.held == set()
            feed.end("over")
            await asyncio.wait(balcony.showing)
            onlooker.listen()
            assert onlooker.heard[1:] == messages([*feed.after(0)])

        in_no_time(watch())

    def test_whoever_comes_in_the_middle_is_told_of_no_board_that_is_held(self) -> None:
        async def watch() -> None:
            feed = new_feed(AFTER_BOARD)
            first = await play(feed, 1)
            feed.release({1})
            await play(feed, 2)
            onlooker = Onlooker()
            await onlooker.attach(Balcony(feed))
            (_, snapshot) = onlooker.heard
            assert isinstance(snapshot, Snapshot)
            assert {event.board for event in snapshot.events} == {1}
            assert await read(feed.watch()) == everything(first)

        in_no_time(watch())

    def test_events_of_a_board_that_was_not_announced_are_not_shown(self) -> None:
        async def watch() -> None:
            feed = new_feed(AFTER_BOARD)
            await play_board(new_table(), talkative(), kibitzers=[feed])
            feed.release(range(10))
            assert feed.number == 0

        in_no_time(watch())

    def test_boards_that_are_held_are_shown_at_the_end(self) -> None:
        async def watch() -> None:
            feed = new_feed(AFTER_BOARD)
            table = await play(feed, 1)
            feed.end("over")
            assert messages([*feed.after(0)])[:-1] == everything(table)

        in_no_time(watch())

    @settings(max_examples=20)
    @given(st.integers(0, 2**32), st.integers(0, 2**32))
    def test_events_that_are_shown_do_not_depend_on_hidden_boards(
        self, one: int, other: int
    ) -> None:
        """If cards, calls and thoughts of the held board change, spectators get the same bytes."""

        async def watch(seed: int) -> list[bytes]:
            feed = new_feed(AFTER_BOARD)
            await play(feed, 1)
            feed.release({1})
            feed.begin(2)
            table = new_table(number=2)
            players = {seat: LocalPlayer(Viewer(seat), Musing(seed, thinks=True)) for seat in SEATS}
            await play_board(table, players, kibitzers=[feed])
            return [event.encoded for event in feed.after(0)]

        assert in_no_time(watch(one)) == in_no_time(watch(other))


class TestManyWhoWatch:
    def test_one_encoding_serves_all_spectators(self, monkeypatch: pytest.MonkeyPatch) -> None:
        encoded: list[Message] = []
        dumped = Message.model_dump

        def note(message: Message, **how: object) -> dict[str, object]:
            encoded.append(message)
            found: dict[str, object] = dumped(message, **how)  # type: ignore[arg-type]
            return found

        monkeypatch.setattr(Message, "model_dump", note)

        async def watch() -> None:
            feed = new_feed(LIVE)
            watchers = [feed.watch() for _ in range(50)]
            await play(feed, 1)
            encoded.clear()
            every = [await anext(watching) for watching in watchers]
            sent = [[event.encoded for event in events] for events in every]
            assert len({tuple(each) for each in sent}) == 1
            assert len(encoded) <= len(sent[0])
            assert all(events[0] is every[0][0] for events in every)
            assert json.loads(every[0][0].json)["type"] == "BoardShown"

        in_no_time(watch())

    def test_spectators_wait_and_are_woken(self) -> None:
        async def watch() -> None:
            feed = new_feed(LIVE)

            async def count() -> int:
                return sum([len(events) async for events in feed.watch()])

            counting = [asyncio.create_task(count()) for _ in range(20)]
            await asyncio.sleep(1)
            tables = [await play(feed, number) for number in (1, 2, 3)]
            await asyncio.sleep(1)
            feed.end("over")
            total = sum(len(everything(table)) for table in tables) + 1
            assert await asyncio.gather(*counting) == [total] * 20

        in_no_time(watch())

    def test_a_spectator_who_does_not_read_falls_behind_and_holds_up_nothing(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(feed_module, "KEPT", 50)

        async def watch() -> None:
            feed = new_feed(LIVE)
            slow = feed.watch()
            for number in range(1, 7):
                await play(feed, number)
            with pytest.raises(FellBehindError):
                await anext(slow)
            with pytest.raises(FellBehindError):  # what is kept does not grow
                feed.after(feed.number - 4 * 150)
            (first, *_) = await anext(feed.watch(after=slow.number))
            assert isinstance(first.message, BoardShown)
            assert first.message.board == 6, "it begins anew with the board on show"

        in_no_time(watch())

    def test_where_nobody_watches_only_the_present_board_is_kept(self) -> None:
        async def watch() -> None:
            feed = new_feed(LIVE)
            for number in range(1, 4):
                table = await play(feed, number)
            assert await read(feed.watch(after=0)) == everything(table)
            await play(feed, 4)
            with pytest.raises(FellBehindError):
                feed.after(0)

        in_no_time(watch())

    def test_a_spectator_who_reads_all_is_shown_every_event(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(feed_module, "KEPT", 50)

        async def watch() -> None:
            feed = new_feed(LIVE)
            reading = feed.watch_all()
            tables = [await play(feed, number) for number in range(1, 7)]
            assert await read(reading) == [
                message for table in tables for message in everything(table)
            ]
            for number in range(7, 13):
                await play(feed, number)
                await anext(reading)
            with pytest.raises(FellBehindError):  # what all have read is not kept
                feed.after(feed.number - 4 * 150)

        in_no_time(watch())

    def test_a_heap_of_boards_that_are_shown_at_once_can_be_read(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(feed_module, "KEPT", 50)

        async def watch() -> None:
            feed = new_feed(AFTER_BOARD)
            watching = feed.watch()
            tables = [await play(feed, number) for number in range(1, 7)]
            feed.release(range(1, 7))
            assert await read(watching) == [
                message for table in tables for message in everything(table)
            ]

        in_no_time(watch())
