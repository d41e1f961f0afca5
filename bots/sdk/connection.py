"""A bot's websocket: blocking, one thread's own.

The protocol is the websockets library's sans-IO client; here it is given a plain
socket, which answers fastest where one connection has a thread to itself.
"""

from __future__ import annotations

import contextlib
import socket
import ssl
from collections import deque
from types import TracebackType

from websockets.client import ClientProtocol
from websockets.exceptions import InvalidMessage, InvalidState, InvalidStatus, InvalidURI
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.typing import Subprotocol
from websockets.uri import WebSocketURI, parse_uri

from bridge_arena.protocol.messages import MAX_FRAME, SUBPROTOCOL
from bridge_arena.protocol.tcp_keepalive import notice_loss

_BAD_REQUEST, _UNAUTHORIZED = 400, 401

_UNIX = "ws+unix:"
"""What a server's address begins with that is the path of a Unix socket."""

FINAL = 1008
"""The close code that sends a client away for good: another has taken its place."""

CONNECT_SECONDS = 10.0
"""How long the server may take to accept the connection and shake hands."""


class ConnectionFailedError(Exception):
    """The server cannot be reached, refuses the token, or went away. `is_final`: it would be
    no use to try again."""

    def __init__(self, text: str, *, is_final: bool = False) -> None:
        super().__init__(text)
        self.is_final = is_final


class Connection:
    """A connection to the seat that `token` claims; closed when its context is left."""

    def __init__(self, url: str, token: str) -> None:
        """Connect and shake hands. Raises ConnectionFailedError."""
        path = url.removeprefix(_UNIX) if url.startswith(_UNIX) else None
        try:
            uri = parse_uri(url if path is None else "ws://localhost/")
        except InvalidURI as error:
            text = f"cannot connect to {url}: {error}"
            raise ConnectionFailedError(text, is_final=True) from None
        try:
            self._socket = _connected(uri) if path is None else _connected_to(path)
        except OSError as error:
            raise ConnectionFailedError(f"cannot connect to {url}: {error}") from None
        if uri.secure:
            self._socket = _secured(self._socket, uri.host, url)
        notice_loss(self._socket)
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
        except ConnectionFailedError as error:
            self._socket.close()
            if path is not None or uri.secure or not self._may_need_tls():
                raise
            text = f"{error}: if the server has TLS, its address is {_with_other_scheme(url)}"
            raise ConnectionFailedError(text, is_final=error.is_final) from None
        self._socket.settimeout(None)

    def send(self, data: bytes) -> None:
        """Send one message. Raises ConnectionFailedError."""
        try:
            self._protocol.send_binary(data)
        except InvalidState:
            word = self._protocol.close_rcvd
            is_final = word is not None and word.code == FINAL
            text = f"connection lost (the server is closing it: {word})"
            raise ConnectionFailedError(text, is_final=is_final) from None
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
            if self._protocol.close_rcvd is None:
                raise ConnectionFailedError(f"connection lost ({error})") from None
            data = b""  # it said that it closes, and did not wait for the answer
        if data:
            self._protocol.receive_data(data)
            self._flush()
        else:
            self._protocol.receive_eof()
        for event in self._protocol.events_received():
            if isinstance(event, Frame) and event.opcode in _DATA_FRAMES:
                self._fragments.append(bytes(event.data))
                if event.fin:
                    self._inbox.append(b"".join(self._fragments))
                    self._fragments.clear()
        if not data and not self._inbox:
            raise self._closed()

    def _may_need_tls(self) -> bool:
        """Whether a server that waits for TLS could have ended the handshake: without an answer,
        by one that is no HTTP, or as web servers do by status 400."""
        refusal = self._protocol.handshake_exc
        if isinstance(refusal, InvalidStatus):
            return refusal.response.status_code == _BAD_REQUEST
        return refusal is None or isinstance(refusal, InvalidMessage)

    def _closed(self) -> ConnectionFailedError:
        """Why there is nothing more to come."""
        refusal = self._protocol.handshake_exc
        reason = str(refusal or self._protocol.close_exc)
        # Without a status it was the network's doing, not the server's; 5xx is the word of a
        # proxy whose server is not there just now.
        is_refused = isinstance(refusal, InvalidStatus) and refusal.response.status_code < 500
        is_final = is_refused or self._protocol.close_code == FINAL
        if isinstance(refusal, InvalidStatus) and refusal.response.status_code == _UNAUTHORIZED:
            reason = "the token is wrong, or there is a newer one"
        return ConnectionFailedError(
            f"the server closed the connection ({reason})", is_final=is_final
        )

    def _flush(self) -> None:
        for data in self._protocol.data_to_send():
            try:
                if data:
                    self._socket.sendall(data)
                else:  # the protocol's word for: no more will be sent
                    self._socket.shutdown(socket.SHUT_WR)
            except OSError as error:
                raise ConnectionFailedError(f"connection lost ({error})") from None


def _connected(uri: WebSocketURI) -> socket.socket:
    """Raises OSError."""
    connection = socket.create_connection((uri.host, uri.port), CONNECT_SECONDS)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def _connected_to(path: str) -> socket.socket:
    """A Unix socket. Raises OSError."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.settimeout(CONNECT_SECONDS)
    try:
        connection.connect(path)
    except OSError:
        connection.close()
        raise
    return connection


def _secured(connection: socket.socket, host: str, url: str) -> socket.socket:
    """In TLS, with the certificates that the machine trusts, and those of SSL_CERT_FILE.
    Raises ConnectionFailedError."""
    try:
        return ssl.create_default_context().wrap_socket(connection, server_hostname=host)
    except ssl.SSLCertVerificationError as error:
        connection.close()
        text = f"cannot trust {url}: {error.verify_message}"
        raise ConnectionFailedError(text, is_final=True) from None
    except OSError as error:
        connection.close()
        text = f"cannot connect to {url}: {error}"
        # An alert is a word of TLS.
        if "ALERT" not in str(error):
            text += f": if the server has no TLS, its address is {_with_other_scheme(url)}"
        raise ConnectionFailedError(text) from None


def _with_other_scheme(url: str) -> str:
    scheme, _, rest = url.partition(":")
    return f"{'ws' if scheme.lower() == 'wss' else 'wss'}:{rest}"


_DATA_FRAMES = {Opcode.TEXT, Opcode.BINARY, Opcode.CONT}
