"""Keep every message of a session in a file that people can read, and play it back.

A line of the file is one frame as JSON:

    {"time": 0.012, "session": "4711-1", "from": "server", "messages": [{"type": "Welcome", ...}]}

`time` is in seconds since the session began; `session` tells the tables of a process, and
processes that write to the same file, apart. Tokens are in no message, and what lets a bot come
back to its seat is left out.
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
    """A wire log that cannot be read; the text names its file and line."""


class WireLog:
    """Writes the frames of one session to a file, after what is there.

    Raises OSError where the file cannot be written to.
    """

    def __init__(self, path: Path) -> None:
        with path.open("ab"):
            self._path = path  # it can be written to
        self._session = f"{os.getpid()}-{next(_numbers)}"
        self._began = time.monotonic()
        # Whether something could not be written.
        self._is_broken = False

    def sent(self, data: bytes) -> None:
        """Note a frame of the bot's."""
        self._write("bot", data)

    def received(self, data: bytes) -> None:
        """Note a frame of the server's."""
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
            with _writing, self._path.open("ab", buffering=0) as file:  # a line stays whole
                file.write(f"{text}\n".encode(errors="replace"))
        except OSError as error:
            self._is_broken = True  # the bot plays on
            _log.warning("the wire log ends here: %s", error)


def wire_log() -> WireLog | None:
    """Return a log for a new session, in the file that ARENA_WIRE_LOG names; None where it names
    none. Raises OSError."""
    path = os.environ.get(WIRE_LOG)
    return WireLog(Path(path)) if path else None


@dataclass(frozen=True, slots=True)
class LoggedFrame:
    """A frame of a wire log.

    Attributes:
        line: The number of its line in the file.
        session: What tells its session from others.
        side: Who sent it.
        messages: What it holds.
    """

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
    """Yield the frames of a file. Raises OSError and WireLogError."""
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
        return {"messages": [], "bytes": data.hex()}
    if not isinstance(messages, list):
        return {"messages": [], "bytes": data.hex()}
    return {"messages": [_without_secrets(message) for message in messages]}


def _without_secrets(message: Any) -> Any:
    if not isinstance(message, dict):
        return message
    return {key: "" if key in _SECRETS else value for key, value in message.items()}
