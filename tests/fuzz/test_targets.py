"""Every target under what Hypothesis makes up, without the guidance of a fuzzer."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge_arena.protocol.codec import build, decode_client, decode_server
from bridge_arena.protocol.errors import ProtocolError
from bridge_arena.protocol.messages import MAX_FRAME
from tests.fuzz.room import ordinary
from tests.fuzz.script import Script, as_frames, next_frame, piece
from tests.fuzz.targets import bluechip, client, codec, lin, pbn, session, table
from tests.own_time import OwnTime

TARGETS = {
    "codec": codec,
    "session": session,
    "client": client,
    "table": table,
    "bluechip": bluechip,
    "pbn": pbn,
    "lin": lin,
}
CHECKS = {name: target.check for name, target in TARGETS.items()}
SEEDS = {name: target.seeds() for name, target in TARGETS.items()}
EACH = pytest.mark.parametrize("name", TARGETS)


@st.composite
def damaged(draw: st.DrawFn, seeds: list[bytes]) -> bytes:
    """A seed with up to eight stretches replaced."""
    data = draw(st.sampled_from(seeds))
    for _ in range(draw(st.integers(1, 8))):
        start = draw(st.integers(0, len(data)))
        end = start + draw(st.integers(0, 6))
        data = data[:start] + draw(st.binary(max_size=6)) + data[end:]
    return data


@EACH
def test_the_seeds_do_no_harm(name: str) -> None:
    for seed in SEEDS[name]:
        CHECKS[name](seed)


@EACH
@settings(max_examples=40)
@given(data=st.data())
def test_a_damaged_seed_does_no_harm(name: str, data: st.DataObject) -> None:
    CHECKS[name](data.draw(damaged(SEEDS[name])))


@EACH
@settings(max_examples=40)
@given(data=st.binary(max_size=400))
def test_any_bytes_do_no_harm(name: str, data: bytes) -> None:
    CHECKS[name](data)


# What is refused costs little time and memory, however long it is.

ROOM = MAX_FRAME - 200
MANY = ROOM // 8
CALL = {"type": "MakeCall", "table": "A1", "board": 1, "seq": 3, "call": "1NT"}


def changed(**fields: object) -> bytes:
    return msgpack.packb([{**CALL, **fields}])


@pytest.mark.parametrize(
    "data",
    [
        b"\xdc" + ROOM.to_bytes(2) + b"\x80" * ROOM,
        b"\xdc" + ROOM.to_bytes(2) + b"\x90" * ROOM,
        b"\x91" * ROOM,
        b"\x81\xa1x" * (ROOM // 3),
        b"\xdd\xff\xff\xff\xff" + b"\xc0" * ROOM,
        b"\xdf\xff\xff\xff\xff" + b"\xa1x\xc0" * (ROOM // 3),
        b"\xdb\xff\xff\xff\xff" + b"x" * ROOM,
        msgpack.packb([{"type": "Leave"}] * (ROOM // 13)),
        msgpack.packb([{"type": "Goodbye"}] * (ROOM // 15)),
        changed(seq="9" * ROOM),
        changed(call="1" * ROOM),
        changed(table="\0" * ROOM),
        changed(explanation={"text": "♠" * (ROOM // 3)}),
        changed(explanation={"lengths": {str(number): [0, 1] for number in range(MANY)}}),
        changed(explanation={"hcp": [0] * ROOM}),
        changed(**{f"x{number}": number for number in range(MANY // 2)}),
        msgpack.packb([{"type": "Snapshot", "events": [CALL] * (ROOM // 50)}]),
    ],
    ids=range(17),
)
@pytest.mark.parametrize("decode", [decode_client, decode_server])
def test_the_worst_frames_cost_little(decode: Callable[[bytes], object], data: bytes) -> None:
    assert len(data) <= MAX_FRAME
    build()
    tracemalloc.start()
    refusal = ""
    with OwnTime() as own:
        try:
            decode(data)
        except ProtocolError as error:
            refusal = str(error)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(refusal) <= 300
    assert own.seconds < 2.0
    assert peak < 32 * 2**20


# The targets themselves: what the scripts reach, and that a wrong turn is seen.


def test_a_script_that_is_used_up_chooses_the_first() -> None:
    script = Script(piece(b"ab") + b"\7")
    assert (script.piece(), script.below(5)) == (b"ab", 2)
    assert not script
    assert (script.below(9), script.number(), script.choice("xy"), script.piece()) == (
        0,
        0,
        "x",
        b"",
    )


def test_a_script_of_frames_is_those_frames() -> None:
    script = Script(as_frames(b"one", b"", b"two"))
    assert [next_frame(script, ()) for _ in range(3)] == [b"one", b"", b"two"]
    assert not script


def test_ordinary_boards_are_played_and_claimed() -> None:
    rooms = [ordinary(number) for number in range(20)]
    events = [type(event.happening).__name__ for room in rooms for event in room.lawfully()]
    assert {"ClaimMade", "ClaimSettled", "TrickEnd", "DummyShown"} <= set(events)
    for room in rooms:
        room.check_over()
        assert not room.table.faults
        assert room.table.score is not None
