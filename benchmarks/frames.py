"""Measure the processor time for which a frame of 64 KiB can stop the event loop.

    python -m benchmarks.frames

Each frame is of a kind that takes long to read, and is read as the gateway reads it, and as msgpack
does without bounds. The report has the longest of ten readings of each, in milliseconds.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgpack

from benchmarks.figures import table
from bridge_arena.protocol.codec import build, decode_client, frame
from bridge_arena.protocol.errors import ProtocolError
from bridge_arena.protocol.messages import MAX_FRAME


def lists_of(leaf: bytes) -> bytes:
    """Return a frame of lists of lists of a value, as many of it as there is room for."""
    parts = [leaf] * (MAX_FRAME // (len(leaf) + 1) - 64)
    while len(parts) > 1:
        parts = [frame(parts[at : at + 60]) for at in range(0, len(parts), 60)]
    return parts[0]


FRAMES = {
    "no msgpack": b"\xc1" * MAX_FRAME,
    "1,023 lists of 65,535 values, one in the other": (b"\xdd\0\0\xff\xff" * 1023).ljust(
        MAX_FRAME, b"\xc0"
    ),
    "empty maps": lists_of(b"\x80"),
    "empty values of an extension": lists_of(b"\xc7\0\5"),
    "texts of two letters": lists_of(b"\xa2ab"),
}


def longest(read: Callable[[bytes], Any], data: bytes) -> str:
    """Return the longest of ten readings."""
    times = []
    for _ in range(10):
        begin = time.process_time()
        with suppress(ProtocolError, ValueError):
            read(data)
        times.append(time.process_time() - begin)
    return f"{1000 * max(times):.2f}"


def main() -> None:
    """Print the table."""
    build()
    readers = (msgpack.unpackb, decode_client)
    rows = [[kind, *(longest(read, data) for read in readers)] for kind, data in FRAMES.items()]
    print(table(["frame", "without bounds", "as the gateway reads it"], rows))


if __name__ == "__main__":
    main()
