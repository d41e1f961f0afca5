"""Runs the `arena` program as a user does, and looks at what it leaves behind."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from typing import Any

from bridge_arena.bridge.record import BoardRecord
from bridge_arena.pbn.read.records import read_records
from bridge_arena.tournaments.events.entries import parse_entry
from tests.data import ROOT
from tests.patience import PATIENCE

ARENA = (sys.executable, "-m", "bridge_arena.commands.main")


@dataclass(frozen=True, slots=True)
class Ended:
    """The end of a command: its exit status and its output."""

    status: int
    output: str
    errors: str

    def complaint(self, status: int) -> str:
        """Return the one line on standard error of a command that ended with `status`."""
        assert self.status == status, self
        lines = self.errors.splitlines()
        assert len(lines) == 1, self
        assert lines[0].startswith("arena: "), self
        return lines[0].removeprefix("arena: ")


@contextmanager
def started(
    folder: Path, *arguments: str, environment: dict[str, str] | None = None
) -> Iterator[subprocess.Popen[str]]:
    """Run the `arena` program in `folder`, and kill it when the context is left.

    What it says on standard error must hold no failure that nobody was told of.
    """
    process = _Heard(
        [*ARENA, *arguments],
        cwd=folder,
        env={
            **{key: value for key, value in os.environ.items() if not key.startswith("ARENA_")},
            "PYTHONPATH": str(ROOT),
            "ARENA_CACHE": "",
            "ARENA_PROGRESS": "0",
            "COLUMNS": "100",
            **(environment or {}),
        },
        # Also where the tests run in the background, whose processes ignore Ctrl-C.
        preexec_fn=_heed_interrupts,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            yield process
        finally:
            process.kill()
        errors = end_of(process).errors
    assert not _UNHEARD.search(errors), errors


_UNHEARD = re.compile("^Traceback|was never retrieved", re.MULTILINE)
"""Words of a program, or of a task in it, that has failed without a line that says why."""


class _Heard(subprocess.Popen[str]):
    """A process whose output can be asked for again and again."""

    _said: tuple[str, str] | None = None

    def communicate(self, *arguments: Any, **options: Any) -> tuple[str, str]:
        if self._said is None:
            self._said = super().communicate(*arguments, **options)
        return self._said


def _heed_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def end_of(process: subprocess.Popen[str]) -> Ended:
    """Wait for a command to end."""
    output, errors = process.communicate(timeout=PATIENCE)
    return Ended(process.returncode, output, errors)


def arena(folder: Path, *arguments: str, environment: dict[str, str] | None = None) -> Ended:
    """Run the `arena` program in `folder` to its end."""
    with started(folder, *arguments, environment=environment) as process:
        return end_of(process)


def interrupt(process: subprocess.Popen[str], number: signal.Signals = signal.SIGINT) -> Ended:
    """Signal a command and wait for its end."""
    process.send_signal(number)
    return end_of(process)


def order_stop(process: subprocess.Popen[str], number: signal.Signals = signal.SIGINT) -> str:
    """Signal a command that plays, which finishes what is in play; return the line that says so."""
    process.send_signal(number)
    assert process.stderr is not None
    line = process.stderr.readline()
    assert line.startswith("arena: stopping after "), line
    return line


def wait_until(holds: Callable[[], bool], what: str) -> None:
    """Test `holds()` again and again until it is true; fail when patience ends."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, f"not within {PATIENCE:.0f} s: {what}"
        time.sleep(0.01)


# Bots.


def write_bot(folder: Path, name: str, program: str) -> str:
    """Write the program of a bot; return its spec for a command that runs in `folder`."""
    path = folder / f"{name}.py"
    path.write_text(dedent(program))
    return f"cmd:{shlex.quote(sys.executable)} {path.name}"


def entry_name(spec: str) -> str:
    """The name under which an entry appears in the results."""
    return parse_entry(spec).name


# What a match leaves behind.


def log_of(folder: Path) -> list[dict[str, Any]]:
    """The lines of a match's log; the last one may be half-written."""
    path = folder / "log.jsonl"
    lines = path.read_text().split("\n")[:-1] if path.exists() else []
    return [json.loads(line) for line in lines]


def units_played(folder: Path) -> list[str]:
    """Return the units that were finished, in the order in which they ended."""
    return [line["unit"] for line in log_of(folder) if line["event"] == "board_ended"]


def bot_pids(folder: Path) -> list[int]:
    return [line["pid"] for line in log_of(folder) if line["event"] == "bot_started"]


def is_alive(pid: int) -> bool:
    """Return whether a process runs; a zombie does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def children(pid: int) -> list[int]:
    """The processes that a process has started and that are still there."""
    text = "".join(
        path.read_text() for path in Path(f"/proc/{pid}/task").glob("*/children") if path.exists()
    )
    return [int(word) for word in text.split()]


def records_of(path: Path) -> list[BoardRecord]:
    return list(read_records(path))


def undated(path: Path) -> str:
    """A PBN file without the lines that tell when it was played."""
    lines = path.read_text("latin-1").splitlines()
    return "\n".join(line for line in lines if not line.startswith("[Date "))


def untimed(path: Path) -> str:
    """Return a PBN file without dates and without the times that the players took."""
    lines: list[str] = []
    in_times = False
    for line in undated(path).splitlines():
        in_times = line.startswith(("[AuctionTimeTable ", "[PlayTimeTable ")) or (
            in_times and line != "" and not line.startswith("[")
        )
        if not in_times:
            lines.append(line)
    return "\n".join(lines)


def summary_of(folder: Path) -> dict[str, Any]:
    summary: dict[str, Any] = json.loads((folder / "summary.json").read_text())
    return summary


def without_timing(summary: dict[str, Any]) -> dict[str, Any]:
    bots: Sequence[dict[str, Any]] = summary["bots"]
    untimed = [{key: bot[key] for key in bot if key != "timing"} for bot in bots]
    return {**summary, "bots": untimed}
