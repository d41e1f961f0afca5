"""A day of a ladder in minutes: whatever may end does, at random, and nothing is lost or twice."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from random import Random
from textwrap import dedent

import pytest

from bridge_arena.recorded.deal_proof import verify_pbn
from bridge_arena.tournaments.ladder.leaderboard import leaderboard
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from tests.data import ROOT
from tests.end_to_end.arena import arena, children, started
from tests.patience import PATIENCE
from tests.postgresql import Server, new_database, running_server
from tests.tournaments.ladder.ladders import check_sums

STORM, CALM = 330.0, 120.0
"""The seconds in which things end, and those in which nothing does and memory is measured."""

PAUSE = 4.0
"""The most seconds from one thing to the next, if no match ends meanwhile."""

BOARDS = 2

SEED = 20261129

FILE = f"""\
[ladder]
name = "Club"
boards = {BOARDS}
clock = "2"
claims = "checked"
concurrency = 3
anchors = ["baseline"]

[policies]
restarts = 1
grace = 1

[[player]]
bot = "baseline"

[[player]]
bot = "random"

[[player]]
bot = "quick.py:Quick"

[[player]]
bot = "cmd:{sys.executable} quick.py"
name = "Program"

[[player]]
bot = "quick.py:Crashing"

[[player]]
bot = "quick.py:Hanging"

[[player]]
bot = "changing.py:Changing"

[[player]]
bot = "remote:Far"
"""

QUICK = """
    import os, random, time
    from bridge_arena import PASS, Bot, Call, run

    class Quick(Bot):
        def call(self, view):
            return PASS if view.auction.calls else Call("1NT")

        def play(self, view):
            return random.choice(list(view.legal_cards()))

        def claim(self, view):
            mine = view.held(view.seat)
            if view.play.trick or view.play.turn != view.seat or len(mine) != 3:
                return None
            return random.randrange(4)

    class Crashing(Quick):
        def call(self, view):
            if random.random() < 0.03:
                os._exit(1)
            return super().call(view)

    class Hanging(Quick):
        def call(self, view):
            if random.random() < 0.01:
                time.sleep(3600)
            return super().call(view)

    if __name__ == "__main__":
        run(Quick)
"""

CHANGING = """
    from quick import Quick

    class Changing(Quick):
        number = {}
"""

FAR = """
    import sys, threading, time
    from bridge_arena.bots.sdk.connection import ConnectionFailedError
    from bridge_arena.bots.sdk.tables import play_table
    from bridge_arena.bridge.seats import SEATS
    from quick import Quick

    def sit(seat):
        while True:
            try:
                play_table(Quick(), *sys.argv[1:3], seat)
            except ConnectionFailedError:
                time.sleep(0.3)

    for seat in SEATS:
        threading.Thread(target=sit, args=(seat,)).start()
"""


class Arena:
    """The process that plays the ladder, begun again whenever it has ended."""

    def __init__(self, folder: Path, url: str) -> None:
        self._command = ["ladder", "club.toml", "--store", url, "--out", "run"]
        self._folder = folder
        self._port = 0  # any free one, until the first process has said which it took
        self._life = ExitStack()
        self._lines: queue.Queue[str] = queue.Queue()
        self.process: subprocess.Popen[str] | None = None
        self.matches = 0  # those that were said to be over

    def begin(self) -> subprocess.Popen[str]:
        """Return the process, a new one if the last one has ended."""
        if self.process is None or self.process.poll() is not None:
            self.end()
            command = [*self._command, "--port", str(self._port)]
            self.process = self._life.enter_context(started(self._folder, *command))
            reader = threading.Thread(target=self._read, args=(self.process,))
            reader.start()
            # Called first at the end: who waits for the process reads the rest of its output.
            self._life.callback(reader.join)
            self._life.callback(self.process.kill)
            if not self._port:
                self.wait_for("listening on ", PATIENCE)
        return self.process

    def end(self) -> None:
        """End the process at once."""
        self._life.close()

    def wait_for(self, words: str, seconds: float) -> bool:
        """Wait for a line with these words, or so long; return whether it came."""
        end = time.monotonic() + seconds
        with suppress(queue.Empty):
            while (left := end - time.monotonic()) > 0:
                if words in self._lines.get(timeout=left):
                    return True
        return False

    @property
    def address(self) -> str:
        """Where bots connect."""
        return f"ws://127.0.0.1:{self._port}"

    def _read(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("listening on "):
                self._port = int(line.rpartition(":")[2])
            self.matches += " over " in line and line.startswith("match ")
            self._lines.put(line)


class Soak:
    """What may happen to a ladder, each by a method, with the number of times that it did."""

    def __init__(self, folder: Path, url: str, server: Server | None) -> None:
        self.folder = folder
        self.url = url
        self.arena = Arena(folder, url)
        self.far = ExitStack()
        self.happened: Counter[str] = Counter()
        self._rng = Random(SEED)
        self._server = server
        self._extra = 0
        self._token = ""

    def storm(self, seconds: float) -> None:
        """Have things happen at random."""
        events: dict[Callable[[], None], int] = {
            self.kill_arena: 3,
            self.stop_arena: 1,
            self.kill_some_process: 8,
            self.kill_far: 2,
            self.kill_store: 3 if self._server else 0,
            self.change: 2,
            self.pause: 2,
            self.resume: 3,
            self.retire: 1,
            self.join: 2,
            self.test: 1,
            self.back_up: 3,
            self.look: 1,
        }
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.arena.begin()
            self.arena.wait_for(" over ", PAUSE)
            (event,) = self._rng.choices(list(events), list(events.values()))
            event()
            self.happened[event.__name__] += 1

    def calm(self, seconds: float) -> list[float]:
        """Have nothing end; return the memory of the arena in MB after each fifth match."""
        for player in ("random", "Quick", "Program", "Changing", "Far"):
            self.order("resume", player)
        self.start_far()
        process = self.arena.begin()
        self.arena.wait_for(" over ", PATIENCE)
        used: list[float] = []
        end = time.monotonic() + seconds
        matches = 0
        while time.monotonic() < end:
            matches += self.arena.wait_for(" over ", PAUSE)
            if matches == 5:
                used.append(memory(process.pid))
                matches = 0
        return used

    # What ends.

    def kill_arena(self) -> None:
        self.arena.begin().kill()

    def stop_arena(self) -> None:
        process = self.arena.begin()
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE)
        assert process.returncode in (3, -signal.SIGTERM)

    def kill_some_process(self) -> None:
        """End a bot, what bots are forked from, or a worker of the solver."""
        below = list(descendants(self.arena.begin().pid))
        if below:
            with suppress(ProcessLookupError):
                os.kill(self._rng.choice(below), signal.SIGKILL)

    def kill_store(self) -> None:
        assert self._server is not None
        self._server.end()
        self._server.begin()

    def kill_far(self) -> None:
        self.far.close()
        if self._rng.random() < 0.7:
            self.start_far()

    def start_far(self) -> None:
        self.far.close()
        if not self._token:
            self._token = self.order("token", "Far", "--out", "run").strip()
        self.far.enter_context(program(self.folder, "far.py", self.arena.address, self._token))

    # What changes.

    def change(self) -> None:
        """Give the program that changes another text."""
        text = dedent(CHANGING).format(self._rng.randrange(1000))
        (self.folder / "changing.py").write_text(text)

    def pause(self) -> None:
        self.order("pause", self._some_player())

    def resume(self) -> None:
        self.order("resume", self._some_player())

    def retire(self) -> None:
        self.order("retire", self._some_player())

    def join(self) -> None:
        self._extra += 1
        self.order("add", "random", "--name", f"Extra {self._extra}")

    def test(self) -> None:
        ended = arena(
            self.folder,
            *("ladder", "test", self.url, "Quick", "random", "--sprt", "imp0=0 imp1=0.5"),
        )
        # The one before may still be open, or one of them be away for good.
        assert ended.status in (0, 2), ended

    def back_up(self) -> None:
        self.order("backup", "kept", "--out", "run")

    def look(self) -> None:
        self.order("status")

    def order(self, order: str, *arguments: str) -> str:
        ended = arena(self.folder, "ladder", order, self.url, *arguments)
        assert ended.status == 0, ended
        return ended.output

    def _some_player(self) -> str:
        return self._rng.choice(["random", "Quick", "Program", "Changing", "Far", "Crashing"])


@contextmanager
def program(folder: Path, *arguments: str) -> Iterator[None]:
    """A program of a stranger, killed at the end of the context."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [sys.executable, *arguments], cwd=folder, env=environment, stderr=subprocess.DEVNULL
    ) as process:
        try:
            yield
        finally:
            process.kill()


def descendants(pid: int) -> Iterator[int]:
    for child in children(pid):
        yield child
        yield from descendants(child)


def memory(pid: int) -> float:
    """The memory of a process in MB."""
    (line,) = [
        line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if "VmRSS" in line
    ]
    return int(line.split()[1]) / 1024


def running_in(folder: Path) -> list[str]:
    """The commands of the processes that work in a folder."""
    commands = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if (process / "cwd").readlink().is_relative_to(folder):
                commands.append((process / "cmdline").read_text())
    return commands


@contextmanager
def database(folder: Path) -> Iterator[tuple[str, Server | None]]:
    """The URL of a database on a server of its own, or in a file where none can be started."""
    with ExitStack() as stack:
        try:
            server = stack.enter_context(running_server())
        except pytest.skip.Exception:
            yield f"sqlite:///{folder}/club.sqlite", None
        else:
            yield new_database(server.url, "soak"), server


@pytest.mark.weekly(part="ladder")
def test_a_ladder_stands_a_day(tmp_path: Path) -> None:
    (tmp_path / "club.toml").write_text(FILE)
    (tmp_path / "quick.py").write_text(dedent(QUICK))
    (tmp_path / "changing.py").write_text(dedent(CHANGING).format(0))
    (tmp_path / "far.py").write_text(dedent(FAR))
    with database(tmp_path) as (url, server):
        soak = Soak(tmp_path, url, server)
        try:
            soak.arena.begin()
            soak.start_far()
            soak.storm(STORM)
            soak.back_up()
            used = soak.calm(CALM)
            process = soak.arena.begin()
            process.send_signal(signal.SIGTERM)
            assert process.wait(PATIENCE) == 3
        finally:
            soak.far.close()
            soak.arena.end()
        run = tmp_path / "run"
        matches = check_sums(url, BOARDS, run)
        print(f"{matches} matches; {dict(soak.happened)}; memory {[*map(round, used)]}")
        check_leaderboard(url)
    check_deals(run)
    assert not running_in(tmp_path)
    # A leak goes on. In the first matches caches fill, as that of SQLite: 2 MB a connection.
    assert len(used) >= 6
    third = len(used) // 3
    assert max(used[-third:]) < 1.05 * max(used[third:-third])
    restored = arena(tmp_path, "ladder", "restore", "kept", "again")
    assert restored.status == 0, restored
    again = ("club.toml", "--out", "again", "--port", "0", "--max-boards", str(8 * BOARDS))
    assert arena(tmp_path, "ladder", *again).status == 3
    assert check_sums(tmp_path / "again" / "results.sqlite", BOARDS) >= 8


def check_leaderboard(url: str) -> None:
    """Check that the boards of all versions on the leaderboard are those of the sums."""
    with closing(LadderStore.open(url)) as store:
        figures = {row.version.number: row.figures.boards for row in leaderboard(store).ranked}
        sums = store.sums()
    counted: Counter[int] = Counter()
    for (one, other), of_pair in sums.items():
        counted.update({one: of_pair.boards, other: of_pair.boards})
    assert figures == {version: counted[version] for version in figures}


def check_deals(run: Path) -> None:
    """Check the deals of all matches against the commitments."""
    for file in run.glob("pbn/*.pbn"):
        # A match that was ended, as a player went for good, lacks tables.
        wrong = [
            text
            for verdict in verify_pbn(file)
            for text in verdict.mistakes
            if " of the event are not there" not in text
        ]
        assert not wrong, (file, wrong)
