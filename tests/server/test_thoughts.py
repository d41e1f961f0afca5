"""Tests of thoughts: who is sent them, how many are allowed, and that no seat can notice them."""

from __future__ import annotations

from random import Random
from typing import Any

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge_arena.bridge.board import random_deal
from bridge_arena.bridge.calls import PASS, Call
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.record import MadeCall, RecordedThought
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.protocol.codec import encode, frame
from bridge_arena.protocol.decision import Ask
from bridge_arena.protocol.messages import (
    MOST_THOUGHTS,
    Message,
    Thinking,
    Thought,
    ThoughtShown,
    Welcome,
    YourTurn,
)
from bridge_arena.protocol.outgoing import Outgoing
from bridge_arena.protocol.view import View
from bridge_arena.protocol.visibility import Event, Kibitzer, Viewer, visible
from bridge_arena.server.claims import Claims
from bridge_arena.server.clock import TimeControl
from bridge_arena.server.driver import play_board
from bridge_arena.server.faults import MOST_LATE
from bridge_arena.server.feed import Feed
from bridge_arena.server.kibitzers import Balcony
from bridge_arena.server.players import LocalPlayer
from bridge_arena.server.table import Table
from tests.server.links import Onlooker
from tests.server.lobby import HandBot, play_with
from tests.server.tables import (
    NORTH,
    SOUTH,
    WEST,
    Lowly,
    RecordingTable,
    answer,
    faults,
    garbage,
    in_no_time,
    kinds,
    new_table,
    reply,
    say,
    say_all,
    shown_to,
    table_at_play,
    turn_of,
)

HOSTILE = "<script>alert('♠')</script>"


def about(turn: YourTurn, text: str = "hm", **said: Any) -> Thought:
    return Thought(table=turn.table, board=turn.board, seq=turn.seq, text=text, **said)


def think(table: Table, text: str = "hm", **said: Any) -> list[Event]:
    """The seat in turn thinks."""
    turn = turn_of(table)
    return table.act(turn.player, about(turn, text, **said), 0.0)


def all_shown(events: list[Event]) -> list[Message]:
    """Return what all four seats are shown of events."""
    return [message for seat in SEATS for message in shown_to(Viewer(seat), events)]


class TestTheTable:
    def test_a_thought_is_for_those_who_watch(self) -> None:
        table = table_at_play()
        say_all(table, "DK")
        said: dict[str, Any] = {
            "candidates": {"DT": 1.5},
            "layouts": 50,
            "depth": 2,
            "seconds": 0.25,
        }
        events = think(table, HOSTILE, **said)
        assert all_shown(events) == []
        assert shown_to(Viewer(WEST, cheat=True), events) == []
        (shown,) = shown_to(Kibitzer(), events)
        assert isinstance(shown, ThoughtShown)
        assert (shown.seat, shown.action, shown.text) == (WEST, 14, HOSTILE)
        assert {part: getattr(shown, part) for part in said} == said
        names = ("north", "east", "south", "west")
        assert table.record(names).thoughts == (RecordedThought(WEST, 14, HOSTILE, **said),)

    def test_a_thought_leaves_the_turn_open(self) -> None:
        table = new_table()
        table.start(0.0)
        turn = turn_of(table)
        think(table)
        assert table.turn == turn
        say(table, "1C")
        assert [str(made.call) for made in table.calls] == ["1C"]

    def test_those_who_watch_count_a_thought_and_seats_do_not(self) -> None:
        table = new_table()
        start = table.start(0.0)
        events = [*start, *think(table), *say(table, "Pass"), *think(table)]
        seqs = [message.seq for message in shown_to(Kibitzer(), events)]  # type: ignore[attr-defined]
        assert seqs == [1, 2, 3, 4]
        north = [message.seq for message in shown_to(Viewer(NORTH), events)]  # type: ignore[attr-defined]
        assert north == [1, 2, 3]

    def test_a_thought_after_the_action_is_dropped_without_a_word(self) -> None:
        table = new_table()
        table.start(0.0)
        turn = turn_of(table)
        say(table, "Pass")
        assert table.act(NORTH, about(turn), 0.0) == []
        say_all(table, "Pass Pass Pass")
        assert table.act(NORTH, about(turn), 0.0) == [], "the board is over"
        assert (table.thoughts, table.faults) == ([], [])

    def test_a_thought_about_an_earlier_turn_is_dropped_without_a_word(self) -> None:
        table = new_table()
        table.start(0.0)
        turn = turn_of(table)
        say_all(table, "1C Pass Pass X")
        assert table.act(NORTH, about(turn), 0.0) == []
        assert table.thoughts == []

    def test_a_thought_out_of_turn_is_dropped(self) -> None:
        table = new_table()
        table.start(0.0)
        assert table.act(SOUTH, about(turn_of(table)), 0.0) == []
        assert table.thoughts == []

    def test_a_thought_too_many_is_malformed(self) -> None:
        table = new_table()
        table.start(0.0)
        for _ in range(MOST_THOUGHTS):
            assert kinds(think(table)) == "ThoughtShown"
        assert kinds(think(table)) == "Error YourTurn"
        assert faults(table) == ["N malformed 0"]
        assert len(table.thoughts) == MOST_THOUGHTS

    def test_a_player_who_is_asked_again_may_think_again(self) -> None:
        table = new_table()
        table.start(0.0)
        for _ in range(MOST_THOUGHTS):
            think(table)
        garbage(table, "rubbish", 0.0)
        assert kinds(think(table)) == "ThoughtShown"

    def test_a_flood_of_late_thoughts_is_malformed(self) -> None:
        table = new_table()
        table.start(0.0)
        late = about(turn_of(table)).model_copy(update={"seq": 99})
        for _ in range(MOST_LATE):
            assert table.act(NORTH, late, 0.0) == []
        assert kinds(table.act(NORTH, late, 0.0)) == "Error YourTurn"
        assert faults(table) == ["N malformed 0"]

    def test_both_defenders_may_think_about_a_claim(self) -> None:
        table = table_at_play(claims=Claims.PLAYERS)
        say_all(table, "DK DT D2")
        say(table, "claim=9")
        for seat in (NORTH, SOUTH):
            turn = table.turn_of(seat)
            assert turn is not None
            assert kinds(table.act(seat, about(turn), 0.0)) == "ThoughtShown"
            reply(table, seat, "accept")
        assert [(thought.seat, thought.action) for thought in table.thoughts] == [
            (NORTH, 16),
            (SOUTH, 16),
        ]

    def test_a_spectator_who_comes_late_is_told_no_earlier_thoughts(self) -> None:
        """Together they might not fit in a frame."""

        async def watch() -> str:
            feed, table, onlooker = Feed(Welcome(table="A1")), new_table(), Onlooker()
            for event in [*table.start(0.0), *think(table), *say(table, "Pass")]:
                outgoing = visible(event, feed.viewer)
                if outgoing is not None:
                    feed.tell(outgoing)
            await onlooker.attach(Balcony(feed))
            (snapshot,) = onlooker.heard[1:]
            return kinds(snapshot.events)  # type: ignore[union-attr]

        assert in_no_time(watch()) == "BoardShown CallMade"


class Musing(Lowly):
    """Bids, asks and plays at random, and thinks or does not: what it does is the same."""

    def __init__(self, seed: int, *, thinks: bool) -> None:
        super().__init__()
        self.seed = seed
        self.thinks = thinks

    def _muse(self, view: View, *options: Any) -> Any:
        made = sum(len(cards) for cards in view.played)
        rng = Random(f"{self.seed} {view.seat} {len(view.calls)} {made} {len(view.explained)}")
        if self.thinks:
            self.thoughts = (Thinking(text=f"I hold {view.hand}"),) * Random(made).randrange(6)
        return options[int(rng.random() * len(options))]

    def call(self, view: View) -> Call | MadeCall | Ask:
        asks = [Ask(len(view.calls) - 1)] if len(view.calls) > len(view.explained) else []
        found: Call | MadeCall | Ask = self._muse(view, PASS, *view.legal_calls()[:7], *asks)
        return found

    def play(self, view: View) -> Card:
        card: Card = self._muse(view, *view.legal_cards())
        return card

    def claim(self, view: View) -> int | None:
        claimed: int | None = self._muse(view, None, None, None, 3)
        return claimed

    def answer_claim(self, view: View) -> bool:
        return bool(self._muse(view, "refuse", "accept") == "accept")


class Hearing(LocalPlayer):
    """Keeps what it is sent, byte for byte, and when a frame would be sent."""

    def __init__(self, seat: Seat, bot: Musing) -> None:
        super().__init__(Viewer(seat), bot)
        self.sent: list[bytes] = []

    def tell(self, outgoing: Outgoing) -> None:
        super().tell(outgoing)
        self.sent.append(outgoing.encoded)


def played(seed: int, *, thinks: bool) -> tuple[RecordingTable, dict[Seat, list[bytes]]]:
    async def play() -> tuple[RecordingTable, dict[Seat, list[bytes]]]:
        table = new_table(random_deal(seed, 1), claims=Claims.PLAYERS)
        players = {seat: Hearing(seat, Musing(seed, thinks=thinks)) for seat in SEATS}
        await play_board(table, players)
        return table, {seat: player.sent for seat, player in players.items()}

    return in_no_time(play())


@settings(max_examples=25)
@given(st.integers(0, 2**32))
def test_seats_are_sent_the_same_bytes_whatever_others_think(seed: int) -> None:
    silent, without = played(seed, thinks=False)
    thoughtful, with_thoughts = played(seed, thinks=True)
    assert with_thoughts == without
    assert thoughtful.thoughts
    assert not silent.thoughts
    sent = b"".join(data for frames in with_thoughts.values() for data in frames)
    assert b"I hold" not in sent
    assert b"Thought" not in sent


def test_a_thought_that_changed_what_seats_are_sent_would_be_noticed() -> None:
    """A table that numbers thoughts for all seats fails the comparison."""

    class Careless(Table):
        def _stamp(self, viewer: Seat | int | None = None) -> Any:
            return super()._stamp(None if viewer == len(SEATS) else viewer)

    table = Careless("A1", new_table().board, (1, 2, 3, 4), TimeControl(60.0))
    table.start(0.0)
    turn = turn_of(table)
    think(table)
    say(table, "Pass")
    assert turn_of(table).seq > turn.seq + 1


# Over real sockets.

OVERLONG = {"text": "x" * 501}
BAD: list[dict[str, Any]] = [
    OVERLONG,
    {"text": "two\nlines"},
    {"text": 7},
    {"candidates": {"<script>": 1.0}},
    {"candidates": {"SA": float("nan")}},
    {"layouts": 2**60},
    {"depth": -1},
    {"seconds": float("inf")},
]


@pytest.mark.parametrize("bad", BAD, ids=str)
async def test_a_bad_thought_is_a_malformed_frame(bad: dict[str, Any]) -> None:
    async def conduct(bot: HandBot) -> None:
        turn = await bot.turn()
        await bot.send(msgpack.packb([{**about(turn).model_dump(exclude_none=True), **bad}]))
        await bot.play_on(answered=True)

    outcome = await play_with(WEST, conduct, others=Lowly())
    assert outcome.errors == ["malformed"]
    assert faults(outcome.table) == ["W malformed 3"]
    assert not outcome.table.thoughts


async def test_a_thought_of_ten_megabytes_cuts_the_connection() -> None:
    async def conduct(bot: HandBot) -> None:
        turn = await bot.turn()
        thought = {**about(turn).model_dump(exclude_none=True), "text": "x" * 10_000_000}
        data = msgpack.packb([thought])
        await bot.connection.send(data[at : at + 2**14] for at in range(0, len(data), 2**14))
        await bot.turn()

    outcome = await play_with(WEST, conduct, others=Lowly())
    assert faults(outcome.table) == ["W disconnect 3"]
    assert "message too big" in outcome.table.faults[0].detail
    assert not outcome.table.thoughts


async def test_thoughts_come_before_the_action_with_it_and_too_late() -> None:
    async def conduct(bot: HandBot) -> None:
        turn = await bot.turn()
        await bot.send(frame([encode(about(turn, "before"))]))
        call = answer(turn, "Pass")
        with_it, after = about(turn, HOSTILE), about(turn, "after")
        await bot.send(frame([encode(each) for each in (with_it, call, after)]))
        await bot.play_on(answered=True)

    outcome = await play_with(WEST, conduct, others=Lowly({0: "1NT"}))
    assert [thought.text for thought in outcome.table.thoughts] == ["before", HOSTILE]
    assert outcome.table.score is not None
    assert (outcome.errors, faults(outcome.table)) == ([], [])
