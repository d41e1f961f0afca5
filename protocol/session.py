"""The dialogue, sans-IO: bytes in, messages and bytes out, for both ends.

Neither end knows a socket. The server's end: `receive` what the client sent, `welcome`
it once it has said Hello, `send` what it may see, and pass `data_to_send` on. The
client's end: iterate over `receive`, and pass on what `hello` and `answer` return.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import Seat
from bridge_arena.protocol.codec import decode_client, decode_server, encode, frame, frames
from bridge_arena.protocol.decision import answer_to
from bridge_arena.protocol.errors import ErrorCode, ProtocolError, VersionMismatchError
from bridge_arena.protocol.messages import (
    MAX_FRAME,
    MAX_MESSAGES,
    VERSION,
    Answer,
    BoardMessage,
    BoardStart,
    Delivery,
    Error,
    Goodbye,
    Hello,
    Leave,
    ServerMessage,
    Snapshot,
    Thought,
    Welcome,
    YourTurn,
)
from bridge_arena.protocol.view import View

ClientAction = Answer | Thought | Leave
"""What a client may send once it has been welcomed."""

MOST_WAITING = MAX_FRAME // 2
"""How many bytes wait for the client's next turn; more are sent before it."""


class ServerSession:
    """The server's end of one client's connection."""

    def __init__(self) -> None:
        # What the client said of itself; None until its Hello was accepted.
        self.hello: Hello | None = None
        # Encoded messages that wait for the next frame, and their length in bytes.
        self._outbox: list[bytes] = []
        self._waiting = 0
        # Whether something in the outbox may not wait for the client's next turn.
        self._urgent = False
        # What is due, in frames.
        self._due: deque[bytes] = deque()

    def receive(self, data: bytes | str) -> list[ClientAction]:
        """The actions in a frame of the client's; its first must be a Hello.

        Raises ProtocolError; a client that was not welcomed yet is told by `refuse`.
        """
        messages = decode_client(data)
        if len(messages) > MAX_MESSAGES:
            raise ProtocolError(
                f"expected at most {MAX_MESSAGES} messages, received {len(messages)}"
            )
        actions: list[ClientAction] = []
        for message in messages:
            if type(message) is not Hello:
                if self.hello is None:
                    raise ProtocolError(f"expected Hello, received {message.type}")
                actions.append(message)
            elif self.hello is not None:
                raise ProtocolError("expected an action, received a second Hello")
            elif message.version != VERSION:
                raise VersionMismatchError(
                    f"expected version {VERSION}, received {message.version}"
                )
            else:
                self.hello = message
        if self.hello is None:
            raise ProtocolError("expected Hello, received a frame without messages")
        return actions

    def welcome(self, welcome: Welcome) -> None:
        """Queue the answer to Hello."""
        self.send(encode(welcome), urgent=True)

    def send(self, encoded: bytes, *, urgent: bool) -> None:
        """Queue an encoded message: `urgent` if it cannot wait for the client's turn."""
        self._outbox.append(encoded)
        self._waiting += len(encoded)
        self._urgent = self._urgent or urgent

    def refuse(self, code: ErrorCode, text: str) -> None:
        """Queue the last word to a client whose Hello was not accepted."""
        self.send(encode(Error(code=code, text=text, fatal=True)), urgent=True)

    def data_to_send(self) -> bytes | None:
        """The next frame, if one is due now, and more may be; None if what is queued can wait."""
        live = self.hello is None or self.hello.delivery == Delivery.LIVE
        if self._outbox and (live or self._urgent or self._waiting > MOST_WAITING):
            self._due.extend(frames(self._outbox))
            self._outbox.clear()
            self._waiting = 0
            self._urgent = False
        return self._due.popleft() if self._due else None


class ClientSession:
    """The client's end of one connection."""

    def __init__(
        self,
        name: str,
        *,
        version: str = "",
        delivery: Delivery = Delivery.TURN,
        seat: Seat | None = None,
    ) -> None:
        self._name = name
        self._version = version
        self._delivery = delivery
        self._seat = seat
        # Where the client sits; None until the server has welcomed it.
        self.welcome: Welcome | None = None
        # The board in play; None before the first.
        self.view: View | None = None
        # The server's last word; None while the session goes on.
        self.goodbye: Goodbye | None = None
        # Why the server closes the connection; None while it does not.
        self.refused: Error | None = None

    def hello(self) -> bytes:
        """The first frame to send on a connection: a new one, or one to resume by."""
        hello = Hello(
            name=self._name,
            bot_version=self._version,
            delivery=self._delivery,
            # Where it sat it stays, so that it never sees two hands of one deal.
            seat=self._seat if self.welcome is None else self.welcome.seat,
            resume="" if self.welcome is None else self.welcome.session,
        )
        return frame([encode(hello)])

    def receive(self, data: bytes | str) -> Iterator[ServerMessage]:
        """The messages of a frame, each once `view` has taken it in.

        Raises ProtocolError for what does not belong in the dialogue, and BridgeError
        for events that break the rules of the game.
        """
        for message in decode_server(data):
            self._take_in(message)
            yield message

    def answer(self, turn: YourTurn, action: Call | MadeCall | Card) -> bytes:
        """The frame that answers a turn."""
        return self.send(answer_to(turn, action))

    def send(self, *actions: ClientAction) -> bytes:
        """The frame of an action, with what goes before it."""
        return frame([encode(action) for action in actions])

    def _take_in(self, message: ServerMessage) -> None:
        # Not by isinstance, which takes long for pydantic's classes.
        if type(message) is Welcome:
            if message.seat is None:
                raise ProtocolError("the token is a kibitzer's: there is nothing to play")
            self.welcome = message
        elif type(message) is Goodbye:
            self.goodbye = message
        elif type(message) is Error:
            if message.fatal:
                self.refused = message
        elif self.welcome is None or self.welcome.seat is None:
            raise ProtocolError(f"expected Welcome, received {message.type}")
        elif type(message) is Snapshot:
            # It begins with BoardStart, so with a new view.
            for event in message.events:
                self._take_in_event(self.welcome.seat, event)
        else:
            self._take_in_event(self.welcome.seat, message)

    def _take_in_event(self, seat: Seat, event: BoardMessage) -> None:
        if type(event) is BoardStart:
            self.view = View(seat, event)
        elif self.view is None:
            raise ProtocolError(f"expected BoardStart, received {event.type}")
        else:
            self.view.apply(event)
