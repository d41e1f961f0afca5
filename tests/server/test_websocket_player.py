"""A seat whose connections come and go: what it is told each time, and how long it may be away."""

from __future__ import annotations

import asyncio
from random import Random

import pytest
from hypothesis import event as note
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge_arena.bots.library.portable_random import pick
from bridge_arena.bridge.board import random_deal
from bridge_arena.bridge.record import FaultKind
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.protocol.codec import encode, frame
from bridge_arena.protocol.delivery import Delivery
from bridge_arena.protocol.messages import (
    Error,
    ExplanationGiven,
    Goodbye,
    Leave,
    Message,
    Snapshot,
    Welcome,
    YourTurn,
)
from bridge_arena.protocol.outgoing import Outgoing
from bridge_arena.protocol.session import ClientSession
from bridge_arena.protocol.view import View
from bridge_arena.protocol.visibility import Event, Kibitzer, Viewer, visible
from bridge_arena.server import websocket_player
from bridge_arena.server.claims import Claims
from bridge_arena.server.clock import TimeControl
from bridge_arena.server.faults import SeatFault
from bridge_arena.server.feed import Feed
from bridge_arena.server.kibitzers import Balcony
from bridge_arena.server.players import UNREAD_BYTES, Listener
from bridge_arena.server.websocket_player import Direction, WebsocketPlayer
from tests.server.links import Client, Onlooker
from tests.server.tables import (
    NORTH,
    SOUTH,
    WEST,
    answer,
    in_no_time,
    kinds,
    new_table,
    random_move,
    reply,
    say,
    say_all,
    shown_to,
    turn_of,
)

GRACE = 30.0


def place(seat: Seat = WEST, *, grace: float = GRACE, cheat: bool = False) -> WebsocketPlayer:
    welcome = Welcome(table="A1", seat=seat, session="abc", grace_seconds=grace)
    return WebsocketPlayer(Viewer(seat, cheat), welcome)


def tell(listener: Listener, events: list[Event]) -> None:
    for event in events:
        outgoing = visible(event, listener.viewer)
        if outgoing is not None:
            listener.tell(outgoing)
    listener.flush()


def a_turn(seconds: float = 60.0) -> YourTurn:
    table = new_table(seconds=seconds)
    table.start(0.0)
    return turn_of(table)


# What is kept of its messages.


def test_the_wire_log_has_what_was_sent_and_received_and_nothing_else() -> None:
    async def play() -> None:
        noted: dict[Direction, list[bytes]] = {direction: [] for direction in Direction}
        welcome = Welcome(table="A1", seat=NORTH, session="abc", grace_seconds=GRACE)
        player = WebsocketPlayer(
            Viewer(NORTH),
            welcome,
            wire_log=lambda direction, message: noted[direction].append(message),
        )
        table, client = new_table(), Client()
        tell(player, table.start(0.0))  # nobody is here yet
        await client.attach(player)
        said = answer(turn_of(table), "1C")
        client.say(said)
        tell(player, table.act(NORTH, await player.act(turn_of(table)), 0.0))
        client.listen()
        client.lose(player)
        tell(player, say(table, "Pass"))
        again = Client(session=client.session)
        await again.attach(player)
        heard = client.heard + again.heard
        assert noted[Direction.SENT] == [encode(message) for message in heard]
        assert noted[Direction.RECEIVED] == [encode(said)]

    in_no_time(play())


# What is told to who comes back.


def knowledge(view: View) -> dict[str, object]:
    """All that a view holds, but what was explained on request, which may be asked again."""
    known = dict(vars(view))
    play = known.pop("play")
    del known["explained"]
    known["auction"] = view.auction.calls
    return known | {"cards": None if play is None else (play.cards, play.won, play.turn)}


class Cut:
    """A seat at a real board, whose connection is cut again and again; beside it one who may
    see the same and is never cut."""

    def __init__(self, rng: Random, seat: Seat, *, cheat: bool) -> None:
        number = 1 + int(rng.random() * 16)
        self.rng = rng
        self.seat = seat
        self.table = new_table(
            random_deal(int(rng.random() * 2**40), number), number=number, claims=Claims.PLAYERS
        )
        self.player = place(seat, cheat=cheat)
        self.client = Client(pick(rng, list(Delivery)))
        # What the seat may be told of the board, and the session of one who heard all of it.
        self.told: list[Message] = []
        self.uncut = ClientSession("uncut")
        list(self.uncut.receive(frame([encode(self.player.welcome)])))

    async def play(self, length: int, cut: float) -> None:
        await self.client.attach(self.player)
        await self.show(self.table.start(0.0))
        for _ in range(length):
            if not self.table.turns:
                break
            if self.rng.random() < cut:
                await self.come_back()
            await self.show(await self.step())
        await self.come_back()

    async def show(self, events: list[Event]) -> None:
        tell(self.player, events)
        messages = shown_to(self.player.viewer, events)
        self.told += messages
        for message in messages:
            list(self.uncut.receive(frame([encode(message)])))
        self.client.listen()

    async def step(self) -> list[Event]:
        """One answer: a good one, or one that is illegal, stale, or a question."""
        turn = pick(self.rng, self.table.turns)
        if turn.claim:
            said = answer(turn, pick(self.rng, ["accept", "accept", "refuse"]))
        elif self.rng.random() < 0.1:
            said = answer(turn, "XX" if self.table.play is None else "explain=0")
        else:
            said = answer(turn, random_move(self.rng, self.table))
        if turn.player != self.seat:
            return self.table.act(turn.player, said, 0.0)
        if self.rng.random() < 0.2:
            said = said.model_copy(update={"seq": turn.seq - 1})
        self.client.say(said)
        return self.table.act(self.seat, await self.player.act(turn), 0.0)

    async def come_back(self) -> None:
        """Break the connection off, and check what is told over the next."""
        if self.rng.random() < 0.5:  # else it is replaced, dead or not
            self.client.lose(self.player)
        old = self.client.session if self.rng.random() < 0.5 else None
        self.client = Client(pick(self.rng, list(Delivery)), old)
        await self.client.attach(self.player)
        welcome, snapshot = self.client.heard
        assert welcome == self.player.welcome
        assert isinstance(snapshot, Snapshot)
        turn = self.table.turn_of(self.seat)
        passing = (YourTurn, ExplanationGiven, Error)
        assert snapshot.events == [m for m in self.told if not isinstance(m, passing)] + (
            [] if turn is None else [turn]
        )
        view, uncut = self.client.session.view, self.uncut.view
        assert view is not None
        assert uncut is not None
        assert view.turn == turn
        # An answered turn is closed by what comes of it, which others may be asked about first.
        assert knowledge(view) | {"turn": None} == knowledge(uncut) | {"turn": None}
        if uncut.turn != turn:
            assert turn is None


@given(
    seed=st.integers(0, 2**32),
    seat=st.sampled_from(SEATS),
    length=st.integers(0, 90),
    cut=st.sampled_from([0.0, 0.1, 0.5]),
    cheat=st.booleans(),
)
def test_whoever_comes_back_knows_what_it_had_been_told_and_no_more(
    seed: int, seat: Seat, length: int, cut: float, *, cheat: bool
) -> None:
    async def play() -> None:
        board = Cut(Random(seed), seat, cheat=cheat)
        await board.play(length, cut)
        note("claim" if board.table.settled_claims else "no claim")
        note("over" if not board.table.turns else "under way")

    in_no_time(play())


@settings(max_examples=30)
@given(st.integers(0, 2**32), st.integers(0, 90))
def test_a_kibitzer_who_comes_late_is_told_what_the_others_heard(seed: int, length: int) -> None:
    async def watch() -> None:
        rng = Random(seed)
        feed = Feed(Welcome(table="A1"))
        balcony, first, late = Balcony(feed), Onlooker(), Onlooker()
        await first.attach(balcony)
        table = new_table(claims=Claims.PLAYERS)
        tell(feed, table.start(0.0))
        for _ in range(length):
            if table.turns:
                move = "XX" if rng.random() < 0.1 else random_move(rng, table)
                tell(feed, say(table, move))
        await late.attach(balcony)
        feed.end("over")
        await asyncio.wait(balcony.showing)
        first.listen()
        _, *heard, _ = first.heard
        _, snapshot = late.heard
        assert isinstance(snapshot, Snapshot)
        assert snapshot.events == heard
        assert heard == shown_to(Kibitzer(), table.events)

    in_no_time(watch())


def test_a_new_board_is_told_and_the_last_one_no_more() -> None:
    async def play() -> None:
        player, client = place(), Client()
        await client.attach(player)
        for number in (1, 2):
            table = new_table(number=number)
            tell(player, table.start(0.0))
            tell(player, say_all(table, "Pass Pass Pass Pass"))
            late = Client()
            await late.attach(player)
            (_, snapshot) = late.heard
            assert isinstance(snapshot, Snapshot)
            assert {event.board for event in snapshot.events} == {number}
            assert kinds(snapshot.events).endswith("AuctionEnd BoardEnd")

    in_no_time(play())


def test_the_turn_is_told_with_the_time_that_is_left() -> None:
    async def play() -> None:
        player, client = place(NORTH), Client()
        await client.attach(player)
        table = new_table(control="60 board=100 match=900+1")
        tell(player, table.start(0.0))
        await asyncio.sleep(25)
        client.lose(player)
        await asyncio.sleep(20)
        late = Client()
        await late.attach(player)
        turn = late.session.view.turn if late.session.view else None
        assert turn is not None
        assert (turn.seconds, turn.board_seconds, turn.match_seconds) == (15, 55, 855)
        assert turn.seq == turn_of(table).seq
        await asyncio.sleep(1000)
        later = Client()
        await later.attach(player)
        turn = later.session.view.turn if later.session.view else None
        assert turn is not None
        assert (turn.seconds, turn.board_seconds, turn.match_seconds) == (0, 0, 0)

    in_no_time(play())


def test_an_answer_to_another_turn_leaves_this_one_open() -> None:
    async def play() -> None:
        player, client = place(NORTH), Client()
        await client.attach(player)
        table = new_table()
        tell(player, table.start(0.0))
        turn = turn_of(table)
        client.say(answer(turn.model_copy(update={"seq": 1}), "Pass"))
        events = table.act(NORTH, await player.act(turn), 0.0)
        assert kinds(events) == "Error"
        tell(player, events)
        late = Client()
        await late.attach(player)
        assert late.session.view is not None
        assert late.session.view.turn == turn

    in_no_time(play())


def test_a_bot_that_has_answered_a_claim_is_not_told_to_answer() -> None:
    async def play() -> None:
        player, client = place(NORTH), Client()
        await client.attach(player)
        table = new_table(claims=Claims.PLAYERS)
        tell(player, table.start(0.0))
        auction = "Pass Pass Pass 1NT Pass Pass Pass DK DT D2 DA"
        tell(player, say_all(table, auction))
        tell(player, reply(table, WEST, "claim=3"))
        turn = table.turn_of(NORTH)
        assert turn is not None
        client.say(answer(turn, "accept"))
        assert table.act(NORTH, await player.act(turn), 0.0) == []
        late = Client()
        await late.attach(player)
        (_, snapshot) = late.heard
        assert isinstance(snapshot, Snapshot)
        assert kinds(snapshot.events).endswith("ClaimMade")

    in_no_time(play())


# How long it may be away.


async def acts_after(player: WebsocketPlayer, limit: float) -> float:
    """Return how many seconds from now its absence is a fault."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    async with asyncio.timeout(limit):
        with pytest.raises(SeatFault, match="was not back within 30 s") as fault:
            await player.act(a_turn())
    assert fault.value.kind == FaultKind.DISCONNECT
    return loop.time() - began


def test_the_grace_begins_when_the_connection_is_lost() -> None:
    async def play() -> None:
        player, client = place(), Client()
        await client.attach(player)
        client.lose(player)
        await asyncio.sleep(12)
        assert await acts_after(player, 100) == pytest.approx(GRACE - 12)

    in_no_time(play())


def test_the_grace_and_the_terms_change_between_boards() -> None:
    async def play() -> None:
        player, client = place(), Client()
        await client.attach(player)
        before = player.welcome
        player.change_terms(TimeControl(20, match=90), 5 * GRACE)
        assert player.welcome == before.model_copy(
            update={**TimeControl(20, match=90).in_welcome(), "grace_seconds": 5 * GRACE}
        )
        client.lose(player)
        async with asyncio.timeout(6 * GRACE):
            with pytest.raises(SeatFault, match="was not back within 150 s"):
                await player.act(a_turn())

    in_no_time(play())


def test_coming_back_alone_gains_no_grace() -> None:
    async def play() -> None:
        player = place()
        for away in (10.0, 15.0):
            client = Client()
            await client.attach(player)
            await asyncio.sleep(100)  # is no absence
            client.lose(player)
            await asyncio.sleep(away)
        last = Client()
        await last.attach(player)
        last.lose(player)
        assert await acts_after(player, 100) == pytest.approx(GRACE - 25)

    in_no_time(play())


def test_an_action_renews_the_grace() -> None:
    async def play() -> None:
        player, client = place(), Client()
        await client.attach(player)
        client.lose(player)
        await asyncio.sleep(25)
        client = Client(session=client.session)
        await client.attach(player)
        turn = a_turn()
        client.say(answer(turn, "Pass"), answer(turn, "1C"))
        await player.act(turn)
        client.lose(player)
        assert await acts_after(player, 100) == pytest.approx(GRACE)

    in_no_time(play())


def test_absence_between_boards_costs_no_grace() -> None:
    async def play() -> None:
        player, client = place(), Client()
        await client.attach(player)
        client.lose(player)
        await asyncio.sleep(1000)
        await client.attach(player)
        tell(player, new_table().start(0.0))
        client.lose(player)
        assert await acts_after(player, 100) == pytest.approx(GRACE)
        await asyncio.sleep(1000)
        tell(player, new_table(number=2).start(0.0))
        await asyncio.sleep(12)
        assert await acts_after(player, 100) == pytest.approx(GRACE - 12)

    in_no_time(play())


def test_an_undo_gains_no_grace() -> None:
    """The board is told from its start, but the bot was missed all the time."""

    async def play() -> None:
        player, client = place(), Client()
        await client.attach(player)
        table = new_table()
        tell(player, table.start(0.0))
        for call in ("1NT", "Pass", "2C", "Pass"):
            tell(player, say(table, call))
        client.lose(player)
        await asyncio.sleep(12)
        events = say(table, "undo")
        assert kinds(events) == "Dealt YourTurn"
        tell(player, events)
        assert await acts_after(player, 100) == pytest.approx(GRACE - 12)

    in_no_time(play())


def test_waiting_for_a_connection_ends_if_there_will_be_none() -> None:
    async def wait() -> None:
        player, client = place(), Client()
        waiting = asyncio.create_task(player.until_connected())
        await asyncio.sleep(5)
        await client.attach(player)
        await waiting
        client.lose(player)
        waiting = asyncio.create_task(player.until_connected())
        await asyncio.sleep(5)
        assert not waiting.done()
        player.part("the seat is closed")
        with pytest.raises(SeatFault, match="the seat is closed"):
            await waiting

    in_no_time(wait())


def test_bytes_sent_with_the_last_answer_do_not_end_the_grace() -> None:
    """Two answers in one frame: the second is taken when the connection is gone already."""

    async def play() -> None:
        player, client = place(), Client()
        await client.attach(player)
        turn = a_turn()
        two = [encode(answer(turn, text)) for text in ("Pass", "1C")]
        client.connection.say(frame(two))
        first = await player.act(turn)
        client.lose(player)
        second = await player.act(turn)
        assert [str(each.call) for each in (first, second)] == ["Pass", "1C"]  # type: ignore[union-attr]
        assert await acts_after(player, 100) == pytest.approx(GRACE)

    in_no_time(play())


def test_waiting_for_the_bot_ends_when_it_is_back() -> None:
    async def play() -> None:
        player, client = place(), Client()
        await client.attach(player)
        turn = a_turn()
        acting = asyncio.create_task(player.act(turn))
        await asyncio.sleep(5)
        client.lose(player)
        await asyncio.sleep(5)
        back = Client(session=client.session)
        await back.attach(player)
        back.say(answer(turn, "Pass"))
        assert await acting == answer(turn, "Pass")

    in_no_time(play())


def test_a_connection_that_was_replaced_is_closed_and_not_missed() -> None:
    async def play() -> None:
        player, dead = place(), Client()
        await dead.attach(player)
        turn = a_turn()
        acting = asyncio.create_task(player.act(turn))
        await asyncio.sleep(1)
        fresh = Client()
        await fresh.attach(player)
        assert dead.connection.closed_with == (1008, "replaced by a new connection")
        player.lose(dead.link, "what the gateway says of it")
        assert player.is_connected
        fresh.say(answer(turn, "Pass"))
        assert await acting == answer(turn, "Pass")
        assert fresh.connection.closed_with is None

    in_no_time(play())


def test_a_connection_that_looks_whole_may_be_lost_all_the_same() -> None:
    async def play() -> None:
        player, dead = place(), Client()
        player.lose_process("before there was one")
        await dead.attach(player)
        acting = asyncio.create_task(player.act(turn := a_turn()))
        await asyncio.sleep(1)
        player.lose_process("its process ended")
        assert not player.is_connected
        assert dead.connection.closed_with == (1001, "its process ended")
        fresh = Client()
        await fresh.attach(player)
        fresh.say(answer(turn, "Pass"))
        assert await acting == answer(turn, "Pass")

    in_no_time(play())


@pytest.mark.parametrize("connected", [False, True])
def test_a_bot_that_is_given_up_is_waited_for_no_more(*, connected: bool) -> None:
    async def play() -> None:
        player, client = place(), Client()
        await client.attach(player)
        if not connected:
            client.lose(player)
        acting = asyncio.create_task(player.act(a_turn()))
        await asyncio.sleep(1)
        player.give_up(SeatFault(FaultKind.CRASH, "exit status 1"))
        if connected:
            client.lose(player)
        async with asyncio.timeout(1):
            with pytest.raises(SeatFault, match="exit status 1"):
                await acting

    in_no_time(play())


def test_a_bot_that_does_not_read_is_stalled_and_sent_no_more() -> None:
    async def play() -> None:
        player, client = place(NORTH), Client()
        await client.attach(player)
        client.connection.unread = UNREAD_BYTES + 1
        table = new_table()
        tell(player, table.start(0.0))
        assert client.connection.sent == []
        with pytest.raises(SeatFault, match="does not read") as fault:
            await player.act(turn_of(table))
        assert fault.value.kind == FaultKind.STALL

    in_no_time(play())


@pytest.mark.parametrize("delivery", Delivery)
def test_what_a_seat_is_due_goes_out_in_one_write_and_else_nothing_does(
    delivery: Delivery,
) -> None:
    async def play() -> None:
        dealer, other = place(NORTH), place(SOUTH)
        seats = [(player, Client(delivery)) for player in (dealer, other)]
        for player, client in seats:
            await client.attach(player)
            client.connection.writes = 0
        events = new_table().start(0.0)
        # As much as several frames hold, and then the board and its first turn.
        for _ in range(200):
            dealer.tell(Outgoing.of(Goodbye(reason="x" * 1000)))
        for player, _ in seats:
            tell(player, events)
        (_, asked), (_, waits) = seats
        assert len(asked.connection.sent) > 2
        assert asked.connection.writes == 1
        assert waits.connection.writes == (delivery is Delivery.LIVE)

    in_no_time(play())


def test_empty_frames_hold_up_nobody() -> None:
    async def play() -> None:
        player, client = place(), Client()
        await client.attach(player)
        for _ in range(1000):
            client.connection.say(frame([]))
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0):
                await player.act(a_turn())
        # Time passed before they were all read.
        assert not client.connection.is_heard

    in_no_time(play())


def test_leaving_is_a_fault_of_its_own() -> None:
    async def play() -> None:
        player, client = place(), Client()
        await client.attach(player)
        client.say(Leave(reason="tea"))
        with pytest.raises(SeatFault, match="refused: tea"):
            await player.act(a_turn())

    in_no_time(play())


def test_the_end_of_a_place_is_told_in_as_many_words_as_fit() -> None:
    async def play() -> None:
        player, client = place(), Client()
        player.part("nobody hears this")
        await client.attach(player)
        player.part("é" * 200)
        assert client.connection.closed_with == (1012, "é" * 61)

    in_no_time(play())


def test_nobody_waits_for_a_bot_without_a_place() -> None:
    """A bot that is lost at one table leaves its other tables like this."""

    async def part() -> float:
        player = place()
        client = Client()
        await client.attach(player)
        acting = asyncio.create_task(player.act(a_turn()))
        await asyncio.sleep(1)
        player.part("lost its seat: timeout")
        player.lose(client.link, "connection lost")
        with pytest.raises(SeatFault, match="disconnect: lost its seat: timeout"):
            await acting
        return asyncio.get_running_loop().time()

    assert in_no_time(part()) == 1


def test_every_board_begins_a_new_count_of_returns(monkeypatch: pytest.MonkeyPatch) -> None:
    """A person who has no turn on a board, and loads the page again and again, is not lost."""
    monkeypatch.setattr(websocket_player, "MOST_RETURNS", 3)

    async def sit() -> None:
        player = place()
        for board in range(3):
            tell(player, new_table(number=1 + board).start(0.0))
            for _ in range(3):
                client = Client()
                await client.attach(player)
            assert client.connection.closed_with is None
        client = Client()
        await client.attach(player)
        why = "it came back 4 times without acting"
        assert client.connection.closed_with == (1012, why)
        with pytest.raises(SeatFault, match=why):
            await player.act(a_turn())

    in_no_time(sit())
