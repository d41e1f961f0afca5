"""An event that is served by a real process, and those who come to it."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, chdir, contextmanager, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from urllib.request import urlopen

from bridge_arena.commands.main import DONE, run
from tests.end_to_end.arena import end_of, started, wait_until


class Served:
    """A server of an event, as its process prints it."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.lines: list[str] = []
        self.url = ""

    def read_until(self, pattern: str) -> re.Match[str]:
        """Read what the server prints up to a line that matches."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))
            if found := re.search(pattern, line):
                return found
        raise AssertionError(f"no {pattern!r} in {self.lines}; {self.errors}")

    @property
    def errors(self) -> str:
        return end_of(self.process).errors

    def page(self, path: str) -> str:
        """Return the answer to a plain HTTP request."""
        with urlopen(self.url.replace("ws", "http", 1) + path) as answer:
            text: str = answer.read().decode()
            return text

    def figure(self, name: str) -> float:
        """Return one of the figures for Prometheus."""
        found = re.search(rf"^{re.escape(name)} (\S+)$", self.page("/metrics"), re.MULTILINE)
        assert found is not None, name
        return float(found[1])

    def wait_for_players(self, count: int) -> None:
        wait_until(lambda: self.figure("arena_players") == count, f"{count} players connected")

    def end(self) -> int:
        """Read the rest of the output, wait for the end, and return the exit status."""
        assert self.process.stdout is not None
        self.lines += self.process.stdout.read().splitlines()
        return self.process.wait()


@contextmanager
def served(
    folder: Path, *options: str, event: str = "event.toml", out: str = "out", port: int = 0
) -> Iterator[Served]:
    """Run `arena serve` in `folder`, and wait until it listens."""
    command = ["serve", event, "--out", out, "--port", str(port), *options]
    with started(folder, *command) as process:
        server = Served(process)
        server.url = server.read_until(r"listening on (wss?://\S+)")[1]
        yield server


def token_of(folder: Path, *owner: str, event: str = "event.toml") -> str:
    """Make a new token."""
    output = StringIO()
    with chdir(folder), redirect_stdout(output), redirect_stderr(StringIO()):
        assert run(["token", event, *owner]) == DONE
    return output.getvalue().strip()


@contextmanager
def visitors(
    folder: Path, bot: str, url: str, token: str, seats: str = "NESW", **environment: str
) -> Iterator[list[subprocess.Popen[str]]]:
    """Run a shipped bot that connects by itself, a process for each seat; a blank is any seat."""
    with ExitStack() as running:
        yield [
            running.enter_context(
                started(
                    folder,
                    *("bot", bot, "--url", url, "--token", token),
                    *(("--seat", seat) if seat != " " else ()),
                    environment=environment,
                )
            )
            for seat in seats
        ]
