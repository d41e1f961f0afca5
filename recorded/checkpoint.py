"""What a long run has done so far: one JSON object a line, so that nothing is done twice.

The first line identifies the run; every other line is a finished unit of work. Those of a replay
are `replay/<game>/bot` and `replay/<game>/oracle`, the board as PBN, and `replay/<game>/dd`, the
double-dummy result. A line that was cut off when the process ended does not count.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO


class CheckpointError(Exception):
    """The error of a file that cannot be used or is of another run; its line says which."""


class Checkpoint:
    """The open file of one run; every method may raise CheckpointError."""

    def __init__(self, path: Path, setup: Mapping[str, str]) -> None:
        self._path = path
        self._facts: dict[str, dict[str, Any]] = {}
        try:
            data = path.read_bytes() if path.exists() else b""
            whole = data[: data.rfind(b"\n") + 1]
            before, *units = [json.loads(line) for line in whole.splitlines()] or [{}]
            self._facts = {facts.pop("unit"): facts for facts in units}
            if self._facts:
                _compare(path, before, setup)
            self._file: BinaryIO = path.open("ab")
            # A run without a result may be begun again with another setup.
            self._file.truncate(len(whole) if self._facts else 0)
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            reason = getattr(error, "strerror", None) or "it is no checkpoint"
            raise CheckpointError(f"cannot use {path}: {reason}") from None
        if not self._facts:
            self._write(setup)

    def get(self, unit: str) -> dict[str, Any] | None:
        """Return the result of a unit, or None if it is still to be done."""
        return self._facts.get(unit)

    def save(self, unit: str, **facts: object) -> None:
        self._facts[unit] = facts
        self._write({"unit": unit, **facts})

    def close(self) -> None:
        self._file.close()

    def _write(self, facts: Mapping[str, object]) -> None:
        try:
            self._file.write(json.dumps(facts).encode() + b"\n")
            self._file.flush()
        except OSError as error:
            raise CheckpointError(f"cannot write {self._path}: {error.strerror}") from None

    def __enter__(self) -> Checkpoint:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


def _compare(path: Path, before: Mapping[str, str], setup: Mapping[str, str]) -> None:
    for name, value in setup.items():
        if before[name] != value:
            raise CheckpointError(
                f"{path.parent} holds another run ({name} {before[name]}, not {value}): "
                "choose another --out"
            )
