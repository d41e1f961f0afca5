"""A bot's websocket: blocking, and used by one thread only.

The protocol is the websockets library's sans-IO client on a plain socket, which answers fastest
when a connection has a thread to itself.
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

from bridge_arena.base.wording import one_line
from bridge_arena.protocol.messages import FAILED, FINAL, MAX_FRAME, MOST_REASON, SUBPROTOCOL
from bridge_arena.protocol.tcp_keepalive import notice_loss

_BAD_REQUEST, _UNAUTHORIZED, _FORBIDDEN = 400, 401, 403

_UNIX = "ws+unix:"
"""The scheme of a server address that is the path of a Unix socket."""

CONNECT_SECONDS = 10.0
"""The seconds that the server may take to accept the connection and shake hands."""


class ConnectionFailedError(Exception):
    """The error of a server that cannot be reached, refuses the token, or went away."""

    def __init__(self, text: str, *, is_final: bool = False) -> None:
        super().__init__(text)
        self.is_final = is_final  # whether it is useless to try again


class Connection:
    """A connection to the seat that a token claims; it is closed when its context is left.

    The server is told the exception of a bot that fails, as nobody may see what the bot prints. Its
    methods raise ConnectionFailedError.

    Args:
        url: The address of the server.
        token: The token.
        is_sure: Whether the address is known to be right, so that no other is proposed.
    """

    def __init__(self, url: str, token: str, *, is_sure: bool = False) -> None:
        token = token.strip()  # of the end of the line that it was read from
        if not (token.isascii() and token.isprintable()):
            raise ConnectionFailedError("the token has characters that no token has", is_final=True)
        path = url.removeprefix(_UNIX) if url.startswith(_UNIX) else None
        try:
            uri = parse_uri(url if path is None else "ws://localhost/")
        except (InvalidURI, ValueError) as error:
            text = f"cannot connect to {url}: {error}"
            raise ConnectionFailedError(text, is_final=True) from None
        try:
            self._socket = _connected(uri) if path is None else _connected_to(path)
        except (OSError, UnicodeError) as error:
            is_no_name = isinstance(error, UnicodeError)
            text = f"cannot connect to {url}: {error}"
            raise ConnectionFailedError(text, is_final=is_no_name) from None
        if uri.secure:
            self._socket = _secured(self._socket, uri.host, url)
        notice_loss(self._socket)
        self._protocol = ClientProtocol(
            uri, subprotocols=[Subprotocol(SUBPROTOCOL)], max_size=MAX_FRAME
        )
        # The messages that have been received but not yet returned.
        self._inbox: deque[bytes] = deque()
        self._fragments: list[bytes] = []  # the frames so far of a message that consists of several
        request = self._protocol.connect()
        request.headers["Authorization"] = f"Bearer {token}"
        self._protocol.send_request(request)
        try:
            self._flush()
            while self._protocol.state is State.CONNECTING:
                self._read()
        except ConnectionFailedError as error:
            self._socket.close()
            if is_sure or path is not None or uri.secure or not self._may_need_tls():
                raise
            text = f"{error}: if the server has TLS, its address is {_with_other_scheme(url)}"
            raise ConnectionFailedError(text, is_final=error.is_final) from None
        self._socket.settimeout(None)

    def send(self, data: bytes) -> None:
        """Send one message."""
        try:
            self._protocol.send_binary(data)
        except InvalidState:
            word = self._protocol.close_rcvd
            is_final = word is not None and word.code == FINAL
            text = f"connection lost (the server is closing it: {word})"
            raise ConnectionFailedError(text, is_final=is_final) from None
        self._flush()

    def receive(self) -> bytes:
        """Wait for one message and return it."""
        while not self._inbox:
            self._read()
        return self._inbox.popleft()

    def close(self, failure: Exception | None = None) -> None:
        """Close the connection properly, as far as the server listens, and tell it of a failure."""
        with contextlib.suppress(ConnectionFailedError, OSError):
            if self._protocol.state is State.OPEN:
                if failure is None:
                    self._protocol.send_close(1000)
                else:
                    why = one_line(f"{type(failure).__name__}: {failure}").encode()[:MOST_REASON]
                    self._protocol.send_close(FAILED, why.decode(errors="ignore"))
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
        self.close(error if isinstance(error, Exception) else None)

    def _read(self) -> None:
        """Wait for bytes, and take in the messages that they complete."""
        try:
            data = self._socket.recv(MAX_FRAME)
        except OSError as error:
            if self._protocol.close_rcvd is None:
                raise ConnectionFailedError(f"connection lost ({error})") from None
            data = b""  # the server sent a close frame and did not wait for the answer
        if data:
            self._protocol.receive_data(data)
            with contextlib.suppress(ConnectionFailedError):  # it can still be read to its end
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
        """Return whether the handshake failed as it does with a server that expects TLS."""
        # Such a server closes without an answer, answers with something that is not HTTP,
        # or sends status 400, as web servers do.
        refusal = self._protocol.handshake_exc
        if isinstance(refusal, InvalidStatus):
            return refusal.response.status_code == _BAD_REQUEST
        return refusal is None or isinstance(refusal, InvalidMessage)

    def _closed(self) -> ConnectionFailedError:
        """Return the error that says why no more messages come."""
        refusal = self._protocol.handshake_exc
        reason = str(refusal or self._protocol.close_exc)
        # Without a status the network failed, not the server; a status of 5xx comes from a
        # proxy whose server is down at the moment.
        is_refused = isinstance(refusal, InvalidStatus) and refusal.response.status_code < 500
        is_final = is_refused or self._protocol.close_code == FINAL
        if isinstance(refusal, InvalidStatus) and refusal.response.status_code == _UNAUTHORIZED:
            reason = (
                "the token is wrong or was replaced: ask the organiser for the present one, or "
                "for a new one, which arena token makes, and arena ladder token for a ladder"
            )
        elif isinstance(refusal, InvalidStatus) and refusal.response.status_code == _FORBIDDEN:
            said = (refusal.response.body or b"")[:MOST_REASON].decode(errors="replace")
            reason = one_line(said.strip()) or reason
        return ConnectionFailedError(
            f"the server closed the connection ({reason})", is_final=is_final
        )

    def _flush(self) -> None:
        for data in self._protocol.data_to_send():
            try:
                if data:
                    self._socket.sendall(data)
                else:  # empty data means that no more will be sent
                    self._socket.shutdown(socket.SHUT_WR)
            except OSError as error:
                raise ConnectionFailedError(f"connection lost ({error})") from None


def _connected(uri: WebSocketURI) -> socket.socket:
    """Return a TCP connection, or raise OSError."""
    connection = socket.create_connection((uri.host, uri.port), CONNECT_SECONDS)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def _connected_to(path: str) -> socket.socket:
    """Return a connection to a Unix socket, or raise OSError."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.settimeout(CONNECT_SECONDS)
    try:
        connection.connect(path)
    except OSError:
        connection.close()
        raise
    return connection


def _secured(connection: socket.socket, host: str, url: str) -> socket.socket:
    """Return a connection over TLS, or raise ConnectionFailedError."""
    # The machine's certificates are trusted, and those of the file SSL_CERT_FILE.
    try:
        return ssl.create_default_context().wrap_socket(connection, server_hostname=host)
    except ssl.SSLCertVerificationError as error:
        connection.close()
        text = f"cannot trust {url}: {error.verify_message}"
        raise ConnectionFailedError(text, is_final=True) from None
    except OSError as error:
        connection.close()
        text = f"cannot connect to {url}: {error}"
        # Only a server with TLS sends an alert.
        if "ALERT" not in str(error):
            text += f": if the server has no TLS, its address is {_with_other_scheme(url)}"
        raise ConnectionFailedError(text) from None


def _with_other_scheme(url: str) -> str:
    scheme, _, rest = url.partition(":")
    return f"{'ws' if scheme.lower() == 'wss' else 'wss'}:{rest}"


_DATA_FRAMES = {Opcode.TEXT, Opcode.BINARY, Opcode.CONT}
