"""The dialogue of the two ends, without a wire between them."""

from __future__ import annotations

from typing import Any

import msgpack
import pytest

from bridge_arena.base.masking import Masking
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import Seat
from bridge_arena.protocol.codec import decode_client, decode_server, encode, frame
from bridge_arena.protocol.delivery import Delivery
from bridge_arena.protocol.errors import ErrorCode, ProtocolError, VersionMismatchError
from bridge_arena.protocol.messages import (
    MAX_FRAME,
    Error,
    Goodbye,
    Hello,
    Leave,
    MakeCall,
    Message,
    NoAction,
    PlayCard,
    Thought,
    Welcome,
    YourTurn,
)
from bridge_arena.protocol.outgoing import Outgoing
from bridge_arena.protocol.session import ClientSession, ServerSession
from bridge_arena.protocol.visibility import Event
from tests.server.tables import WEST, kinds, new_table, say, say_all, seen_by, turn_of

WELCOME = Welcome(table="A1", seat=WEST, action_seconds=60.0)


def sent(*messages: Message) -> bytes:
    return frame([encode(message) for message in messages])


class Dialogue:
    """Both ends, joined; `server` sends what West may see of the events it is told."""

    def __init__(self, delivery: Delivery) -> None:
        self.server = ServerSession()
        self.client = ClientSession("tester", version="7", delivery=delivery)
        self.server.receive(self.client.hello())
        self.server.welcome(WELCOME)

    def deliver(self) -> str:
        """Pass on what is due; the kinds of messages that came, `-` where no frame was due."""
        data = self.server.data_to_send()
        return "-" if data is None else kinds(list(self.client.receive(data)))

    def tell(self, events: list[Event]) -> str:
        for message in seen_by(WEST, events):
            outgoing = Outgoing.of(message)
            self.server.send(outgoing.encoded, urgent=outgoing.urgent)
        return self.deliver()


# Hello.


@pytest.mark.parametrize("delivery", Delivery)
def test_hello_is_answered_with_welcome_at_once(delivery: Delivery) -> None:
    dialogue = Dialogue(delivery)
    assert dialogue.server.hello == Hello(name="tester", bot_version="7", delivery=delivery)
    assert dialogue.deliver() == "Welcome"
    assert dialogue.client.welcome == WELCOME
    assert dialogue.deliver() == "-"


def test_events_reach_a_client_as_they_happen_unless_it_says_otherwise() -> None:
    server = ServerSession()
    server.receive(msgpack.packb([{"type": "Hello", "name": "shortest"}]))
    assert server.hello == Hello(name="shortest", delivery=Delivery.LIVE)


@pytest.mark.parametrize(
    ("first", "complaint"),
    [
        (sent(Leave()), "expected Hello, received Leave"),
        (sent(), "expected Hello, received a frame without messages"),
        (sent(Leave(), Hello(name="late")), "expected Hello, received Leave"),
        (b"GET / HTTP/1.1", "the frame"),
        ("Hello", "text frame"),
    ],
)
def test_the_first_message_must_be_hello(first: bytes | str, complaint: str) -> None:
    server = ServerSession()
    with pytest.raises(ProtocolError, match=complaint) as caught:
        server.receive(first)
    assert server.hello is None
    assert server.data_to_send() is None
    server.refuse(ErrorCode.MALFORMED, str(caught.value))
    (refusal,) = decode_server(server.data_to_send() or b"")
    assert refusal == Error(code=ErrorCode.MALFORMED, text=str(caught.value), fatal=True)


def test_secrets_are_masked_in_all_that_a_client_says() -> None:
    key = "sk-0123456789abcdef"
    server = ServerSession(Masking([key]))
    server.receive(sent(Hello(name=f"bot with {key}")))
    assert server.hello == Hello(name="bot with *******************")
    about: dict[str, Any] = {"table": key, "board": 1, "seq": 1}
    meant = Explanation(f"{key}; 5+ hearts", (12, 20))
    said = [
        Thought(text=f"robot: {key}", **about),
        NoAction(reason=f"no such key: {key[:12]}", **about),
        MakeCall(call=Call("1H"), explanation=meant, **about),
    ]
    told = f"{server.receive(sent(*said))}"
    assert not any(key[start : start + 8] in told for start in range(len(key) - 7))
    assert "5+ hearts" in told


@pytest.mark.parametrize("version", [0, 2])
def test_another_version_is_refused_by_name(version: int) -> None:
    server = ServerSession()
    with pytest.raises(VersionMismatchError) as caught:
        server.receive(sent(Hello(name="modern", version=version)))
    server.refuse(ErrorCode.VERSION, str(caught.value))
    assert decode_server(server.data_to_send() or b"") == [
        Error(
            code=ErrorCode.VERSION,
            text=f"expected version 1, received {version}",
            fatal=True,
        )
    ]


def test_a_second_hello_is_refused() -> None:
    dialogue = Dialogue(Delivery.LIVE)
    with pytest.raises(ProtocolError, match="expected an action, received a second Hello"):
        dialogue.server.receive(sent(Hello(name="again")))
    assert dialogue.server.hello is not None
    assert dialogue.server.hello.name == "tester"


def test_actions_are_passed_on_in_order() -> None:
    dialogue = Dialogue(Delivery.LIVE)
    card = PlayCard(table="A1", board=1, seq=3, card=Card("SA"))
    assert dialogue.server.receive(sent(card, Leave(reason="tea"))) == [card, Leave(reason="tea")]
    assert dialogue.server.receive(sent()) == []


# Delivery.


def test_live_events_come_one_by_one() -> None:
    dialogue = Dialogue(Delivery.LIVE)
    table = new_table()
    assert dialogue.deliver() == "Welcome"
    assert dialogue.tell(table.start(0.0)) == "BoardStart"
    assert dialogue.tell(say(table, "Pass")) == "CallMade"
    assert dialogue.tell(say(table, "Pass")) == "CallMade"
    assert dialogue.tell(say(table, "Pass")) == "CallMade YourTurn"


def test_events_wait_for_the_turn_of_who_wants_it_so() -> None:
    dialogue = Dialogue(Delivery.TURN)
    table = new_table()
    assert dialogue.deliver() == "Welcome"
    assert dialogue.tell(table.start(0.0)) == "-"
    assert dialogue.tell(say(table, "Pass")) == "-"
    assert dialogue.tell(say(table, "Pass")) == "-"
    assert dialogue.tell(say(table, "Pass")) == "BoardStart CallMade CallMade CallMade YourTurn"
    # An error does not wait, and brings what waited.
    assert dialogue.tell(say(table, "XX")) == "Error YourTurn"
    assert dialogue.tell(say(table, "1NT")) == "-"
    stale = Event(Error(code=ErrorCode.STALE, text="late", seat=WEST), (0, 0, 0, 0, 0))
    assert dialogue.tell([stale]) == "CallMade Error"
    # Nor does the end.
    assert dialogue.tell(say(table, "Pass")) == "-"
    dialogue.server.send(encode(Goodbye(reason="over")), urgent=True)
    assert dialogue.deliver() == "CallMade Goodbye"
    assert dialogue.client.goodbye == Goodbye(reason="over")


def test_what_waits_for_a_turn_is_sent_before_it_fills_a_frame() -> None:
    """A person may take back what was done as often as there is time."""
    dialogue = Dialogue(Delivery.TURN)
    dialogue.deliver()
    table = new_table()
    sizes: list[int] = []

    def deliver() -> None:
        while (data := dialogue.server.data_to_send()) is not None:
            sizes.append(len(data))
            list(dialogue.client.receive(data))

    told = seen_by(WEST, [*table.start(0.0), *say_all(table, "Pass Pass")])
    for _ in range(1000):
        for message in told:
            dialogue.server.send(encode(message), urgent=False)
        deliver()
    assert max(sizes) <= MAX_FRAME
    assert len(sizes) > 1
    dialogue.tell(say(table, "Pass"))
    deliver()
    assert dialogue.client.view is not None
    assert len(dialogue.client.view.calls) == 3


def test_what_is_due_at_once_goes_in_frames_that_the_client_takes() -> None:
    dialogue = Dialogue(Delivery.LIVE)
    dialogue.deliver()
    told = [Error(code=ErrorCode.STALE, text=str(number)) for number in range(3000)]
    for error in told:
        dialogue.server.send(encode(error), urgent=True)
    frames = iter(dialogue.server.data_to_send, None)
    assert [each for data in frames for each in decode_server(data)] == told


def test_both_deliveries_bring_the_same_messages() -> None:
    def received(delivery: Delivery) -> list[Message]:
        session = ServerSession()
        session.receive(ClientSession("x", delivery=delivery).hello())
        session.welcome(WELCOME)
        table = new_table()
        came: list[Message] = []
        events = table.start(0.0)
        for text in [*"Pass Pass Pass 1NT Pass 2D Pass 2H Pass Pass Pass".split(), "DK", "DT"]:
            for message in seen_by(WEST, events):
                session.send(encode(message), urgent=isinstance(message, YourTurn))
            came += decode_server(session.data_to_send() or b"\x90")
            events = say(table, text)
        assert kinds(came).endswith("AuctionEnd CardPlayed DummyShown YourTurn")
        return came

    assert received(Delivery.LIVE) == received(Delivery.TURN)


# The client's end.


def test_the_view_holds_what_came_by_the_time_each_message_is_seen() -> None:
    dialogue = Dialogue(Delivery.TURN)
    table = new_table()
    events = [*table.start(0.0), *say_all(table, "Pass Pass Pass")]
    for message in seen_by(WEST, events):
        dialogue.server.send(encode(message), urgent=False)
    calls = []
    for message in dialogue.client.receive(dialogue.server.data_to_send() or b""):
        view = dialogue.client.view
        calls.append((message.type, None if view is None else len(view.calls)))
    assert calls == [
        ("Welcome", None),
        ("BoardStart", 0),
        ("CallMade", 1),
        ("CallMade", 2),
        ("CallMade", 3),
        ("YourTurn", 3),
    ]


def test_answers_name_the_turn() -> None:
    client = ClientSession("tester")
    table = new_table()
    table.start(0.0)
    turn = turn_of(table)
    meant = MadeCall(Call("1NT"), alert=True, explanation=Explanation("strong", hcp=(15, 17)))
    assert turn.seq == 2
    assert decode_client(client.answer(turn, Call("1NT"))) == [
        MakeCall(table="A1", board=1, seq=2, call=Call("1NT"))
    ]
    assert decode_client(client.answer(turn, meant)) == [
        MakeCall(
            table="A1",
            board=1,
            seq=2,
            call=Call("1NT"),
            alert=True,
            explanation=meant.explanation,
        )
    ]
    assert decode_client(client.answer(turn, Card("C2"))) == [
        PlayCard(table="A1", board=1, seq=2, card=Card("C2"))
    ]


def test_a_server_that_does_not_keep_to_the_dialogue_is_noticed() -> None:
    table = new_table()
    start, _ = table.start(0.0)
    (call,) = seen_by(WEST, say(table, "Pass"))
    (dealt,) = seen_by(WEST, [start])
    client = ClientSession("tester")
    with pytest.raises(ProtocolError, match="expected Welcome, received BoardStart"):
        list(client.receive(sent(dealt)))
    list(client.receive(sent(WELCOME)))
    with pytest.raises(ProtocolError, match="expected BoardStart, received CallMade"):
        list(client.receive(sent(call)))
    with pytest.raises(ProtocolError, match="Hello"):
        list(client.receive(sent(Hello(name="x"))))
    list(client.receive(sent(dealt, call)))
    assert client.view is not None
    assert client.view.seat == Seat.WEST


def test_a_refused_client_hears_why() -> None:
    client = ClientSession("tester")
    refusal = Error(code=ErrorCode.VERSION, text="expected version 1", fatal=True)
    assert list(client.receive(sent(refusal))) == [refusal]
    assert client.welcome is None
