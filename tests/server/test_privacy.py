"""What a seat does in private leaves no trace in what others are sent, but in the time.

Two boards are played twice, by the real driver, at seats and a feed whose connections have no
network. In the second run one seat does what it did not do in the first: it asks, is refused,
sends garbage and answers to no turn, and loses its connection.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge_arena.bots.library.portable_random import pick
from bridge_arena.bridge.board import random_deal
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.protocol.codec import decode_server, encode, frame
from bridge_arena.protocol.delivery import Delivery
from bridge_arena.protocol.errors import ErrorCode
from bridge_arena.protocol.messages import MOST_QUESTIONS, Answer, Thought, Welcome, YourTurn
from bridge_arena.protocol.visibility import Viewer
from bridge_arena.server.claims import Claims
from bridge_arena.server.driver import play_board
from bridge_arena.server.faults import MOST_STALE
from bridge_arena.server.feed import Feed
from bridge_arena.server.kibitzers import Balcony
from bridge_arena.server.table import Table
from bridge_arena.server.websocket_player import WebsocketPlayer
from tests.server.links import Client, Onlooker
from tests.server.tables import NORTH, answer, in_no_time, new_table, random_move

SEEDS = st.integers(0, 2**32)
BOARDS = 2
CLOCKS = ("seconds", "board_seconds", "match_seconds")
"""What may tell of the time that somebody took."""

ASK, ILLEGAL, MALFORMED, STALE, RETURN = "ask", "illegal", "malformed", "stale", "return"


@dataclass
class Doings:
    """Private acts of a seat, drawn at random.

    Attributes:
        seat: The seat.
        rng: The generator; without one the seat does nothing.
        slow: Whether the acts take time.
        done: How often it has done each.
    """

    seat: Seat
    rng: Random | None = None
    slow: bool = False
    done: Counter[str] = field(default_factory=Counter)

    def at_turn(self) -> list[str]:
        """At its own turn: never so much that a call or card is substituted."""
        rng = self.rng
        if rng is None:
            return []
        things = [ASK] * int(rng.random() * (MOST_QUESTIONS + 1))
        things += [STALE] * int(rng.random() * MOST_STALE / 2)
        things += pick(rng, [[], [ILLEGAL], [MALFORMED]])
        things += [RETURN] * int(rng.random() * 2)
        return sorted(things, key=lambda _: rng.random())

    def meanwhile(self) -> str | None:
        """While somebody else is asked."""
        return None if self.rng is None else pick(self.rng, [None, None, STALE, RETURN])


class Place(WebsocketPlayer):
    """A seat with its bot, which says one thing each time that the seat is asked."""

    def __init__(self, hall: Hall, seat: Seat, delivery: Delivery) -> None:
        welcome = Welcome(table="A1", seat=seat, session=f"of {seat}", grace_seconds=1000.0)
        super().__init__(Viewer(seat), welcome)
        self.hall = hall
        self.client = Client(delivery)
        # The frames that it was sent over connections that were lost.
        self.before: list[bytes] = []
        # The turn that it was asked last, whatever its number, and what it will do before it
        # answers as it should; how many answers to no turn it has sent since that began.
        self.moment = ""
        self.left: list[str] = []
        self.stale = 0

    @property
    def frames(self) -> list[bytes]:
        return self.before + self.client.connection.sent

    async def act(self, turn: YourTurn) -> Answer | Thought:
        doings, private = self.hall.doings, self.hall.private
        if self is not private:
            thing = doings.meanwhile()
            if thing is not None:
                await private.do(thing, turn)
            self.client.say(self.hall.decision(turn))
        elif self.client.connection.is_heard:
            moment = f"{turn.claim} {self.hall.moment(turn)}"
            if moment != self.moment:
                self.moment, self.left, self.stale = moment, doings.at_turn(), 0
            while self.left:
                if await self.do(self.left.pop(), turn):
                    return await super().act(turn)
            self.client.say(self.hall.decision(turn))
        return await super().act(turn)

    async def do(self, thing: str, turn: YourTurn) -> bool:
        """Do something; whether the table has now something to answer."""
        doings, table = self.hall.doings, self.hall.table
        if doings.slow:
            await asyncio.sleep(0.01)
        if thing == RETURN:
            self.before += self.client.connection.sent
            self.client.lose(self)
            self.client = Client(self.client.delivery, self.client.session)
            await self.client.attach(self, listen=False)
        elif thing == MALFORMED:
            self.client.connection.say(b"\xc1")
        elif thing == ILLEGAL:
            self.client.say(answer(turn, "SA" if table.play is None else "7NT"))
        elif thing == STALE:
            self.stale += 1
            if self.stale > MOST_STALE:  # more would count as malformed
                return False
            self.client.say(answer(turn, "Pass").model_copy(update={"seq": 2**40}))
        elif len(table.calls) < 2:
            return False
        else:
            # The first call or the second is an opponent's.
            asked = int(table.board.dealer.side == turn.player.side)
            self.client.say(answer(turn, f"explain={asked}"))
        doings.done[thing] += 1
        return thing != RETURN


class Hall:
    """A table, its four seats, and one who watches."""

    def __init__(self, seed: int, doings: Doings) -> None:
        rng = Random(seed)
        self.seed = seed
        self.doings = doings
        self.places = [Place(self, seat, pick(rng, list(Delivery))) for seat in SEATS]
        self.private = self.places[doings.seat]
        self.feed = Feed(Welcome(table="A1"))
        self.balcony = Balcony(self.feed)
        self.onlooker = Onlooker()
        self.table: Table = new_table()

    async def play(self) -> None:
        for place in self.places:
            await place.client.attach(place, listen=False)
        await self.onlooker.attach(self.balcony, listen=False)
        for board in range(BOARDS):
            number = 1 + (self.seed + board) % 16
            self.table = new_table(
                random_deal(self.seed + board, number),
                number=number,
                control="1000 board=9000 match=9000",
                claims=Claims.PLAYERS,
            )
            seated = {place.viewer.seat: place for place in self.places}
            await play_board(self.table, seated, kibitzers=[self.feed])
            assert self.table.score is not None
        self.feed.end("over")
        await asyncio.wait(self.balcony.showing)
        sent = b"".join(self.private.frames)
        assert ErrorCode.SUBSTITUTED.encode() not in sent, "what is played for a seat is public"

    def moment(self, turn: YourTurn) -> str:
        """Return who is asked, and after how many calls and cards."""
        cards = 0 if self.table.play is None else len(self.table.play.cards)
        return f"{turn.board} {turn.player} {len(self.table.calls)} {cards}"

    def decision(self, turn: YourTurn) -> Answer:
        """Return what is called or played: it depends on nothing but the board so far."""
        table = self.table
        rng = Random(f"{self.seed} {self.moment(turn)} {len(table.settled_claims)}")
        if turn.claim:
            return answer(turn, pick(rng, ["accept", "refuse"]))
        move = random_move(rng, table)
        if isinstance(move, MadeCall) and move.explanation is not None:
            move = replace(move, explanation=Explanation(f"of {turn.player}", hcp=(7, 23)))
        return answer(turn, move)

    def frames(self) -> dict[str, list[bytes]]:
        """Return what each of the others was sent."""
        others = {place.viewer.seat.name: place.frames for place in self.places}
        del others[self.doings.seat.name]
        # How many events a frame has depends on when the kibitzer read.
        frames = [decode_server(data) for data in self.onlooker.connection.sent]
        shown = [encode(message) for messages in frames for message in messages]
        return others | {"kibitzer": [frame(shown)]}


def played(seed: int, doings: Doings) -> Hall:
    async def play() -> Hall:
        hall = Hall(seed, doings)
        await hall.play()
        return hall

    return in_no_time(play())


def timeless(frames: dict[str, list[bytes]]) -> dict[str, list[Any]]:
    """The frames without what their clocks tell."""

    def without_clocks(message: dict[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in message.items() if name not in CLOCKS}

    return {
        viewer: [list(map(without_clocks, msgpack.unpackb(data))) for data in sent]
        for viewer, sent in frames.items()
    }


@settings(max_examples=30)
@given(SEEDS, SEEDS, st.sampled_from(SEATS))
def test_others_are_sent_the_same_bytes_whatever_a_seat_does_in_private(
    seed: int, other: int, seat: Seat
) -> None:
    quiet = played(seed, Doings(seat))
    busy = played(seed, Doings(seat, Random(other)))
    assert busy.frames() == quiet.frames()
    assert busy.table.record(("", "", "", "")).calls == quiet.table.record(("", "", "", "")).calls


@settings(max_examples=20)
@given(SEEDS, SEEDS, st.sampled_from(SEATS))
def test_others_are_told_the_time_of_private_actions_alone(
    seed: int, other: int, seat: Seat
) -> None:
    quiet = played(seed, Doings(seat))
    slow = played(seed, Doings(seat, Random(other), slow=True))
    assert timeless(slow.frames()) == timeless(quiet.frames())


def test_private_actions_of_every_kind_occur_in_these_tests() -> None:
    """Check that private actions of each kind occur, so that the test above proves something."""
    done: Counter[str] = Counter()
    claims = 0
    for seed in range(12):
        doings = Doings(SEATS[seed % 4], Random(seed))
        claims += len(played(seed, doings).table.settled_claims)
        done += doings.done
    assert min(done[thing] for thing in (ASK, ILLEGAL, MALFORMED, STALE, RETURN)) > 50
    assert claims > 3


def test_the_comparison_notices_numbers_that_all_seats_share(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stamp = Table._stamp
    monkeypatch.setattr(Table, "_stamp", lambda table, _=None: stamp(table))
    quiet, busy = played(1, Doings(NORTH)), played(1, Doings(NORTH, Random(1)))
    assert timeless(busy.frames()) != timeless(quiet.frames())
