"""Messages on their way: one encoding for all who see the same, each under its own number."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge_arena.bridge.seats import SEATS
from bridge_arena.protocol import outgoing
from bridge_arena.protocol.codec import around_seq, decode_server, encode, frame
from bridge_arena.protocol.errors import ErrorCode
from bridge_arena.protocol.messages import BoardEnd, BoardEvent, Error, Goodbye, Message
from bridge_arena.protocol.outgoing import Outgoing
from bridge_arena.protocol.visibility import Event, Kibitzer, Viewer, visible
from bridge_arena.server.claims import Claims
from tests.server.tables import kinds, new_table, random_move, say

VIEWERS: list[Viewer | Kibitzer] = [*map(Viewer, SEATS), Kibitzer()]


def board_of(seed: int) -> list[Event]:
    """A random board, with questions and mistakes."""
    rng = Random(seed)
    table = new_table(number=1 + seed % 16, claims=Claims.PLAYERS)
    events = table.start(0.0)
    while table.turn is not None:
        move = "explain=0" if rng.random() < 0.1 else "XX" if rng.random() < 0.05 else None
        events += say(table, move or random_move(rng, table))
    return events


@settings(max_examples=25)
@given(st.integers(0, 2**32))
def test_what_is_sent_is_the_message_under_the_viewers_number(seed: int) -> None:
    events = board_of(seed)
    for viewer in VIEWERS:
        numbers = []
        for event in events:
            shown = visible(event, viewer)
            if shown is None:
                continue
            message = shown.message
            assert shown.encoded == encode(message)
            assert decode_server(frame([shown.encoded])) == [message]
            assert shown.kind is type(message)
            if isinstance(message, BoardEvent):
                numbers.append(message.seq)
        assert numbers == list(range(1, len(numbers) + 1))


def test_what_all_may_see_alike_is_encoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    encoded: list[BoardEvent] = []

    def counted(event: BoardEvent) -> tuple[bytes, bytes]:
        encoded.append(event)
        return around_seq(event)

    monkeypatch.setattr(outgoing, "around_seq", counted)
    public = [event for event in board_of(1) if kinds([event]) in ("CardPlayed", "TrickEnd")]
    for event in public:
        for viewer in VIEWERS:
            shown = visible(event, viewer)
            assert shown is not None
            assert shown.encoded
    assert [event.happening for event in public] == encoded


@pytest.mark.parametrize("seq", [0, 1, 127, 128, 255, 256, 65535, 65536])
def test_any_number_stands_where_another_stood(seq: int) -> None:
    # A name that holds what the number's key looks like.
    end = BoardEnd(seq=seq, table="\u00a3seq", board=1, score=0)
    before, after = around_seq(end)
    other = end.model_copy(update={"seq": 300})
    assert before + b"\xcd\x01\x2c" + after == encode(other)


@pytest.mark.parametrize(
    ("message", "urgent"),
    [
        (Error(code=ErrorCode.STALE, text="late"), True),
        (Goodbye(reason="over"), True),
        (BoardEnd(seq=9, table="A1", board=1), False),
    ],
)
def test_a_message_that_is_sent_as_it_is(message: Message, urgent: bool) -> None:  # noqa: FBT001
    alone = Outgoing.of(message)
    assert (alone.message, alone.encoded, alone.urgent) == (message, encode(message), urgent)
