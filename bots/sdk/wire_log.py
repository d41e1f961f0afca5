"""Write every message of a session to a file that people can read, and read the file.

A line of the file is one frame as JSON:

    {"time": 0.012, "session": "4711-1", "from": "server", "messages": [{"type": "Welcome", ...}]}

`time` is in seconds since the session began. `session` identifies the session: several tables
of a process, and several processes, may write to the same file. No message contains a token, and
the fields that let a bot return to its seat are left empty.
"""

from __future__ import annotations

import json
import logging
import os
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Literal

import msgpack

WIRE_LOG = "ARENA_WIRE_LOG"
"""The environment variable that names the file to write to."""

_log = logging.getLogger(__name__)

Side = Literal["server", "bot"]

_SECRETS = ("session", "resume")
"""The fields of `Welcome` and `Hello` that let whoever knows them take the seat."""

_numbers = count(1)
_writing = threading.Lock()


class WireLogError(ValueError):
    """The file is no wire log, or the wrong one; the text names the file."""


class WireLog:
    """A log that appends the frames of one session to a file. Raises OSError."""

    def __init__(self, path: Path) -> None:
        # The file can be written to, and nobody else can read the cards in it.
        os.close(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600))
        self._path = path
        self._session = f"{os.getpid()}-{next(_numbers)}"
        self._began = time.monotonic()
        self._is_broken = False  # whether a line could not be written; nothing is written after it

    def sent(self, data: bytes) -> None:
        """Log a frame that the bot sends."""
        self._write("bot", data)

    def received(self, data: bytes) -> None:
        """Log a frame that the server sends."""
        self._write("server", data)

    def _write(self, side: Side, data: bytes) -> None:
        line = {
            "time": round(time.monotonic() - self._began, 3),
            "session": self._session,
            "from": side,
            **_content(data),
        }
        text = json.dumps(line, ensure_ascii=False, default=repr)
        if self._is_broken:
            return
        try:
            with _writing, self._path.open("ab", buffering=0) as file:  # each line is one write
                file.write(f"{text}\n".encode(errors="replace"))
        except OSError as error:
            self._is_broken = True  # the bot plays on without a log
            _log.warning("the wire log ends here: %s", error)


@dataclass(frozen=True, slots=True)
class LoggedFrame:
    """A frame of a wire log, the line of the file from 1, its session, and who sent it."""

    line: int
    session: str
    side: Side
    messages: Sequence[Mapping[str, Any]]

    @property
    def data(self) -> bytes:
        """The frame as it is sent."""
        packed: bytes = msgpack.packb(list(self.messages))
        return packed


def read_wire_log(path: Path) -> Iterator[LoggedFrame]:
    """Yield the frames of a wire log, in the order of the file.

    Raises:
        OSError: The file cannot be read.
        WireLogError: A line is not a line of a wire log.
    """
    with path.open(encoding="utf-8", errors="replace") as file:
        for number, text in enumerate(file, start=1):
            try:
                line = json.loads(text)
                frame = LoggedFrame(number, line["session"], line["from"], line["messages"])
            except (ValueError, KeyError, TypeError):
                raise WireLogError(f"{path}:{number}: expected a line of a wire log") from None
            if frame.side not in ("server", "bot") or not isinstance(frame.messages, list):
                raise WireLogError(f"{path}:{number}: expected a line of a wire log")
            yield frame


def _content(data: bytes) -> dict[str, Any]:
    try:
        messages = msgpack.unpackb(data)
    except (ValueError, msgpack.UnpackException):
        messages = None
    if not isinstance(messages, list):
        return {"messages": [], "bytes": data.hex()}
    return {
        "messages": [
            {key: "" if key in _SECRETS else value for key, value in message.items()}
            if isinstance(message, dict)
            else message
            for message in messages
        ]
    }
