"""A bot's websocket: blocking, one thread's own.

The protocol is the websockets library's sans-IO client; here it is given a plain
socket, which answers fastest where one connection has a thread to itself.
"""

from __future__ import annotations

import contextlib
import socket
from collections import deque
from types import TracebackType

from websockets.client import ClientProtocol
from websockets.exceptions import InvalidURI
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.typing import Subprotocol
from websockets.uri import parse_uri

from protocol.messages import MAX_FRAME, SUBPROTOCOL

CONNECT_SECONDS = 10.0
"""How long the server may take to accept the connection and shake hands."""


class ConnectionFailedError(Exception):
    """The server cannot be reached, refuses the token, or went away."""


class Connection:
    """A connection to the seat that `token` claims; closed when its context is left."""

    def __init__(self, url: str, token: str) -> None:
        """Connect and shake hands. Raises ConnectionFailedError."""
        try:
            uri = parse_uri(url)
            self._socket = socket.create_connection((uri.host, uri.port), CONNECT_SECONDS)
        except (OSError, InvalidURI) as error:
            raise ConnectionFailedError(f"cannot connect to {url}: {error}") from None
        if uri.secure:
            self._socket.close()
            raise ConnectionFailedError(f"cannot connect to {url}: TLS is not supported")
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._protocol = ClientProtocol(
            uri, subprotocols=[Subprotocol(SUBPROTOCOL)], max_size=MAX_FRAME
        )
        # Messages received and not yet asked for.
        self._inbox: deque[bytes] = deque()
        # The frames so far of a message that comes in several.
        self._fragments: list[bytes] = []
        request = self._protocol.connect()
        request.headers["Authorization"] = f"Bearer {token}"
        self._protocol.send_request(request)
        try:
            self._flush()
            while self._protocol.state is State.CONNECTING:
                self._read()
        except ConnectionFailedError:
            self._socket.close()
            raise
        self._socket.settimeout(None)

    def send(self, data: bytes) -> None:
        """Send one message. Raises ConnectionFailedError."""
        self._protocol.send_binary(data)
        self._flush()

    def receive(self) -> bytes:
        """Wait for one message. Raises ConnectionFailedError when there are no more."""
        while not self._inbox:
            self._read()
        return self._inbox.popleft()

    def close(self) -> None:
        """Close in good order, as far as the server still listens."""
        with contextlib.suppress(ConnectionFailedError, OSError):
            if self._protocol.state is State.OPEN:
                self._protocol.send_close(1000)
                self._flush()
        self._socket.close()

    def __enter__(self) -> Connection:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _read(self) -> None:
        """Wait for bytes, and take in what they bring."""
        try:
            data = self._socket.recv(MAX_FRAME)
        except OSError as error:
            raise ConnectionFailedError(f"connection lost ({error})") from None
        if data:
            self._protocol.receive_data(data)
        else:
            self._protocol.receive_eof()
        self._flush()
        for event in self._protocol.events_received():
            if isinstance(event, Frame) and event.opcode in _DATA_FRAMES:
                self._fragments.append(bytes(event.data))
                if event.fin:
                    self._inbox.append(b"".join(self._fragments))
                    self._fragments.clear()
        if not data and not self._inbox:
            reason = self._protocol.handshake_exc or self._protocol.close_exc
            raise ConnectionFailedError(f"the server closed the connection ({reason})")

    def _flush(self) -> None:
        for data in self._protocol.data_to_send():
            try:
                if data:
                    self._socket.sendall(data)
                else:  # the protocol's word for: no more will be sent
                    self._socket.shutdown(socket.SHUT_WR)
            except OSError as error:
                raise ConnectionFailedError(f"connection lost ({error})") from None


_DATA_FRAMES = {Opcode.TEXT, Opcode.BINARY, Opcode.CONT}
