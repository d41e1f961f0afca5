"""The dialogue without I/O: both ends take bytes and give messages and bytes.

Neither end knows a socket. The server's end receives frames with `receive`, welcomes the client
after its Hello with `welcome`, queues messages with `send`, and passes on the frames of
`data_to_send`. The client's end iterates over `receive` and passes on the frames that `hello`,
`answer` and `send` return.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from bridge_arena.base.masking import UNMASKED, Masking
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import Seat
from bridge_arena.protocol.codec import decode_client, decode_server, encode, frame, frames
from bridge_arena.protocol.decision import answer_to
from bridge_arena.protocol.delivery import Delivery
from bridge_arena.protocol.errors import ErrorCode, ProtocolError, VersionMismatchError
from bridge_arena.protocol.messages import (
    MAX_FRAME,
    MAX_MESSAGES,
    VERSION,
    BoardMessage,
    BoardStart,
    ClientAction,
    Error,
    Goodbye,
    Hello,
    ServerMessage,
    Snapshot,
    Welcome,
    YourTurn,
)
from bridge_arena.protocol.view import View

MOST_WAITING = MAX_FRAME // 2
"""The most bytes that wait for the client's next turn; more are sent before it."""


class ServerSession:
    """The server's end of one client's connection."""

    def __init__(self, masking: Masking = UNMASKED) -> None:
        self.masking = masking  # masks secrets in what the client says
        self.hello: Hello | None = None  # the client's Hello; None until it was accepted
        # Encoded messages that wait for the next frame, and their length in bytes.
        self._outbox: list[bytes] = []
        self._waiting = 0
        self._due: deque[bytes] = deque()  # the frames that are due
        self.is_due = False  # whether anything that is queued cannot wait
        # Whether nothing waits for the client's turn, as until it has said when it wants events.
        self._is_live = True

    def receive(self, data: bytes | str) -> list[ClientAction]:
        """Return the actions in a frame of the client; its first message must be a Hello.

        ProtocolError is raised for a frame that is not of the protocol; `refuse` tells a client
        that was not welcomed yet.
        """
        messages = decode_client(data if isinstance(data, str) else self.masking.data(data))
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
                self._is_live = message.delivery is Delivery.LIVE
        if self.hello is None:
            raise ProtocolError("expected Hello, received a frame without messages")
        return actions

    def welcome(self, welcome: Welcome) -> None:
        """Queue the answer to Hello."""
        self.send(encode(welcome), urgent=True)

    def send(self, encoded: bytes, *, urgent: bool) -> None:
        """Queue an encoded message; an urgent one cannot wait for the client's turn."""
        self._outbox.append(encoded)
        self._waiting += len(encoded)
        if urgent or self._is_live or self._waiting > MOST_WAITING:
            self.is_due = True

    def refuse(self, code: ErrorCode, text: str) -> None:
        """Queue the final error to a client whose Hello was not accepted."""
        self.send(encode(Error(code=code, text=text, fatal=True)), urgent=True)

    def data_to_send(self) -> bytes | None:
        """Return the next frame that is due now, or None if everything queued can wait.

        Call it again until it returns None.
        """
        if not self.is_due:
            return None
        self._due.extend(frames(self._outbox))
        self._outbox.clear()
        self._waiting = 0
        data = self._due.popleft()
        self.is_due = bool(self._due)
        return data


class ClientSession:
    """The client's end of one connection; `seat` is wanted, if the token is good for several."""

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
        self.welcome: Welcome | None = None  # the server's Welcome; None until it has come
        self.view: View | None = None  # the board in play; None before the first
        self.goodbye: Goodbye | None = None  # the server's Goodbye; None while the session goes on
        # The fatal error for which the server closes the connection; None if there is none.
        self.refused: Error | None = None

    def hello(self) -> bytes:
        """Return the first frame to send on a connection, be it new or resumed."""
        hello = Hello(
            name=self._name,
            bot_version=self._version,
            delivery=self._delivery,
            # The client keeps its seat, so that it never sees two hands of one deal.
            seat=self._seat if self.welcome is None else self.welcome.seat,
            resume="" if self.welcome is None else self.welcome.session,
        )
        return frame([encode(hello)])

    def receive(self, data: bytes | str) -> Iterator[ServerMessage]:
        """Yield the messages of a frame, each once `view` has taken it in.

        ProtocolError is raised for one that does not belong in the dialogue, BridgeError for an
        event that breaks the rules of the game.
        """
        for message in decode_server(data):
            self._take_in(message)
            yield message

    def answer(self, turn: YourTurn, action: Call | MadeCall | Card) -> bytes:
        """Return the frame that answers a turn."""
        return self.send(answer_to(turn, action))

    def send(self, *actions: ClientAction) -> bytes:
        """Return the frame of one or more actions."""
        return frame([encode(action) for action in actions])

    def _take_in(self, message: ServerMessage) -> None:
        # Compare types: isinstance is slow for pydantic's classes.
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
            # It begins with BoardStart, which makes a new view.
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
