"""The server's end of a connection: frames of any kind in any order."""

from __future__ import annotations

import pickle
from functools import cache

from bridge_arena.bridge.seats import Seat
from bridge_arena.protocol.codec import decode_client, decode_server, encode, frame
from bridge_arena.protocol.errors import ErrorCode, ProtocolError, VersionMismatchError
from bridge_arena.protocol.messages import MAX_MESSAGES, Error, Hello, Welcome
from bridge_arena.protocol.session import ServerSession
from docs.generators.protocol_vectors import data_of, frames, messages, read, refused
from tests.fuzz.script import Script, as_frames, next_frame

WELCOME = Welcome(table="A1", seat=Seat.WEST)
HELLO = frame([encode(Hello(name="fuzz"))])


def check(data: bytes) -> None:
    """Play a client that sends what the script says, greeted as by a gateway."""
    script = Script(data)
    session = ServerSession()
    if not _greets(session, next_frame(script, good())):
        return
    while script:
        sent = next_frame(script, good())
        try:
            actions = session.receive(sent)
        except ProtocolError:
            continue
        assert isinstance(sent, bytes)
        assert actions == decode_client(sent)
        assert len(actions) <= MAX_MESSAGES
        assert not any(isinstance(action, Hello) for action in actions)
        assert session.data_to_send() is None, "nothing was told to the client"
    assert len(pickle.dumps(session)) < 10_000, "the session keeps what it was sent"


def _greets(session: ServerSession, sent: bytes | str) -> bool:
    """Whether a first frame is greeted; else it is refused."""
    refusal: Error | None = None
    try:
        session.receive(sent)
    except VersionMismatchError as error:
        refusal = Error(code=ErrorCode.VERSION, text=str(error), fatal=True)
    except ProtocolError as error:
        refusal = Error(code=ErrorCode.MALFORMED, text=str(error), fatal=True)
    if refusal is not None:
        session.refuse(refusal.code, refusal.text)
        assert decode_server(session.data_to_send() or b"") == [refusal]
        return False
    assert session.hello is not None
    session.welcome(WELCOME)
    assert decode_server(session.data_to_send() or b"") == [WELCOME]
    return True


@cache
def good() -> tuple[bytes, ...]:
    """A Hello, and every frame of a client's among the vectors."""
    sent = [data_of(vector) for vector in [*frames(), *read()] if vector["from"] == "client"]
    bare = [data_of(vector) for vector in messages() if vector["from"] == "client"]
    whole = [b"\x91" + data for data in bare if isinstance(data, bytes)]
    return (HELLO, *whole, *(data for data in sent if isinstance(data, bytes)))


def seeds() -> list[bytes]:
    """Each frame of a client's, good or not, after Hello and as the first; and all good ones
    in a row."""
    bad = [data_of(vector) for vector in refused() if vector["from"] == "client"]
    each = [*good(), *(data for data in bad if isinstance(data, bytes))]
    short = [data for data in each if len(data) < 4096]
    return [
        *(as_frames(HELLO, data) for data in short),
        *(as_frames(data) for data in short),
        as_frames(*(data for data in good() if len(data) < 4096)),
    ]
