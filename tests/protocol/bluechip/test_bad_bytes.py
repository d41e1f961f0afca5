"""Any bytes at all, into either end: the protocol's own error, or nothing; and no memory."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.protocol.bluechip.client import ClientSession
from bridge_arena.protocol.bluechip.lines import LineBuffer
from bridge_arena.protocol.bluechip.manager import ManagerSession
from bridge_arena.protocol.errors import ProtocolError
from bridge_arena.protocol.messages import YourTurn
from tests.protocol.bluechip.strategies import LINES, QUIRKS
from tests.protocol.bluechip.wire import TEAMS, Room
from tests.server.tables import NORTH, Lowly, new_table, say_all, seen_by

WORDS = st.sampled_from(
    """North East South West N Dummy ANYPL passes doubles bids 1NT 7C 8H ready for to start deal
    cards bid card trick 1 13 dummy's North's : . - " ' plays JD DJ 10H lead Alert. Infos. Timing
    Board number Dealer Neither vulnerable Start of Board End session Teams N/S E/W seated Explain
    Illegal Error using protocol version 18 Connecting as S A K Q J T 9 8 7 6 5 4 3 2""".split()
)

TEXTS = st.one_of(
    st.lists(WORDS, max_size=12).map(" ".join),
    st.text(max_size=80),
    st.builds(lambda line, quirks: line.format(quirks), LINES, QUIRKS),
)

DATA = st.one_of(
    st.binary(max_size=300),
    st.lists(TEXTS, max_size=30).map(lambda texts: "\n".join(texts).encode("utf-8") + b"\n"),
)


def feed(receive: Callable[[str], object], data: bytes) -> None:
    """Each line that there is in some bytes."""
    lines = LineBuffer()
    with suppress(ProtocolError):
        for line in lines.feed(data):
            with suppress(ProtocolError):
                receive(line)


def size(session: object) -> int:
    return len(pickle.dumps(session))


@given(st.sampled_from(SEATS), QUIRKS, st.lists(DATA, max_size=4))
def test_any_bytes_do_no_harm_to_a_manager_with_nobody_seated(
    seat: Seat, quirks: object, said: list[bytes]
) -> None:
    session = ManagerSession(seat, TEAMS, quirks)  # type: ignore[arg-type]
    for data in said:
        feed(session.receive, data)
        session.data_to_send()
    assert size(session) < 4_000


@given(QUIRKS, st.sampled_from(["", "1C", "1C Pass Pass"]), st.lists(DATA, max_size=4))
def test_any_bytes_do_no_harm_to_a_manager_in_the_midst_of_a_board(
    quirks: object, calls: str, said: list[bytes]
) -> None:
    session = ManagerSession(NORTH, TEAMS, quirks)  # type: ignore[arg-type]
    table = new_table()
    for line in ("ready for teams", "ready to start"):
        session.receive(f"North {line}")
    for message in seen_by(NORTH, [*table.start(0.0), *say_all(table, calls)]):
        session.tell(message, 0.0)
    for data in said:
        feed(session.receive, data)
        session.data_to_send()
        session.take()
    assert size(session) < 4_000


@given(QUIRKS, st.integers(0, 70), st.lists(DATA, max_size=6))
def test_any_bytes_do_no_harm_to_a_client_anywhere_in_a_board(
    quirks: object, after: int, said: list[bytes]
) -> None:
    session = ClientSession("A", NORTH, quirks=quirks)  # type: ignore[arg-type]
    thinker = Lowly({0: "1NT"})

    def receive(line: str) -> None:
        events = session.receive(line)
        while events:
            view = session.view
            last = events[-1]
            events = []
            if isinstance(last, YourTurn) and view is not None:
                assert view.turn is last
                answer: Call | Card = Call("Pass") if view.play is None else thinker.play(view)
                events = session.answer(answer)

    for line in script()[:after]:
        with suppress(ProtocolError):
            receive(line)
    for data in said:
        feed(receive, data)
        session.data_to_send()
    assert size(session) < 200_000


def script() -> list[str]:
    """Return what a good manager says to North in a board of 1NT by North."""
    room = Room(dict.fromkeys(SEATS, Lowly({0: "1NT"})))
    room.play(Board.dealt(1, 1))
    return [line[2:] for line in room.wires[NORTH].heard if line.startswith("> ")]
