"""Programs that come to an event over Blue Chip, as real processes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from textwrap import dedent

from tests.data import ROOT
from tests.end_to_end.arena import started
from tests.end_to_end.serving import Served, served

MAIN = """
    import sys
    from pathlib import Path
    from bridge_arena.bots.sdk.bluechip import play_bluechip
    from bridge_arena.bridge.seats import Seat

    def main(bot):
        port, team, seat = sys.argv[1:]
        play_bluechip(bot, ("127.0.0.1", int(port)), team=team, seat=Seat.parse(seat), seed=5)
"""


@contextmanager
def awaiting(folder: Path, *options: str) -> Iterator[tuple[Served, str]]:
    """Run `arena serve` for an event that waits for programs; return it and their port."""
    with served(folder, "--bluechip-port", "0", *options) as server:
        yield server, server.read_until(r"Blue Chip programs: [\d.]+ (\d+) as team")[1]


@contextmanager
def programs(
    folder: Path, bot: str, port: str, team: str, *options: str, seats: str = "NESW"
) -> Iterator[list[subprocess.Popen[str]]]:
    """Run a shipped bot that connects by itself, one process for each seat."""
    with ExitStack() as running:
        yield [
            running.enter_context(
                started(
                    folder,
                    *("bot", bot, "--bluechip", f"127.0.0.1:{port}"),
                    *("--team", team, "--seat", seat, "--seed", "5", *options),
                )
            )
            for seat in seats
        ]


def write_program(folder: Path, name: str, text: str) -> Sequence[str]:
    """Write a program that calls `main(bot)`; its command, which wants port, team and seat."""
    path = folder / f"{name}.py"
    path.write_text(dedent(MAIN) + dedent(text))
    return sys.executable, str(path)


@contextmanager
def running(command: Sequence[str]) -> Iterator[subprocess.Popen[str]]:
    """A program, killed when the context is left."""
    with subprocess.Popen(
        command, cwd=ROOT, env={"PYTHONPATH": str(ROOT)}, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()
