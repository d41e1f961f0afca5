"""The client's end of a connection: a server that loses, repeats and damages messages."""

from __future__ import annotations

import pickle
from contextlib import suppress
from functools import cache

from bridge_arena.bridge.errors import BridgeError
from bridge_arena.bridge.seats import Seat
from bridge_arena.protocol.codec import encode, frame
from bridge_arena.protocol.decision import answer_to
from bridge_arena.protocol.errors import ProtocolError
from bridge_arena.protocol.messages import Welcome, YourTurn
from bridge_arena.protocol.session import ClientSession
from docs.generators.protocol_vectors import data_of, frames, messages, read
from tests.fuzz.room import ordinary
from tests.fuzz.script import Script, as_frames, next_frame
from tests.server.tables import seen_by


def check(data: bytes) -> None:
    """A client is told of a board as the script says, until it has had enough."""
    script = Script(data)
    session = ClientSession("fuzz")
    session.hello()
    number, is_told = script.below(8), script.below(2)
    sent = _board(number) if is_told else []
    with suppress(ProtocolError, BridgeError):
        if script.below(4):
            welcome = Welcome(table="A1", seat=Seat.WEST)
            _receive(session, frame([encode(welcome)]))
        for told in sent:
            for each in _passed_on(script, told):
                _receive(session, each)
        while script:
            _receive(session, next_frame(script, _good()))
    assert len(pickle.dumps(session)) < 300_000


def _receive(session: ClientSession, sent: bytes | str) -> None:
    for message in session.receive(sent):
        view = session.view
        if view is not None and isinstance(message, YourTurn) and view.turn is message:
            # What a bot looks at.
            calls = view.legal_calls()
            if calls and view.play is None:
                answer_to(message, calls[0])
            view.held(view.seat)


def _passed_on(script: Script, told: bytes) -> list[bytes | str]:
    """Return what becomes of a frame on its way."""
    kind = script.below(16)
    if kind == 1:
        return []
    if kind == 2:
        return [told, told]
    if kind == 3:
        return [script.damaged(told)]
    if kind == 4:
        return [next_frame(script, _good()), told]
    return [told]


@cache
def _board(number: int) -> list[bytes]:
    """Return what West is told of a board, one frame for each message."""
    found = seen_by(Seat.WEST, ordinary(number).lawfully())
    return [frame([encode(message)]) for message in found]


@cache
def _good() -> tuple[bytes, ...]:
    """Every frame of a server's among the vectors."""
    sent = [data_of(vector) for vector in [*frames(), *read()] if vector["from"] == "server"]
    bare = [data_of(vector) for vector in messages() if vector["from"] == "server"]
    whole = [b"\x91" + data for data in bare if isinstance(data, bytes)]
    return (*whole, *(data for data in sent if isinstance(data, bytes)))


def seeds() -> list[bytes]:
    """Whole boards, and the frames of the vectors, each alone, at the start of a
    board, and in a row."""
    boards = [bytes([number, 1, 1]) for number in range(8)]
    changed = [
        bytes([number, 1, 1, *[0] * 20 * number, kind])
        for number in range(4)
        for kind in range(1, 5)
    ]
    alone = [b"\0\0\1" + as_frames(data) for data in _good()]
    begun = [b"\0\0\1" + as_frames(_board(0)[0], data) for data in _good()]
    return [*boards, *changed, *alone, *begun, b"\0\0\1" + as_frames(*_good())]
