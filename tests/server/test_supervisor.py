"""Tests of bots as real processes."""

from __future__ import annotations

import asyncio
import errno
import os
import signal
import sys
from pathlib import Path
from typing import TextIO

import pytest

from bridge_arena.base.masking import Masking
from bridge_arena.base.warm_process import WarmProcess
from bridge_arena.server import supervisor as supervisor_module
from bridge_arena.server.supervisor import TAIL_BYTES, BotProcess, StartError, Supervisor
from tests.patience import PATIENCE


def python(script: str) -> list[str]:
    return [sys.executable, "-c", script]


async def outcome(bot: BotProcess) -> str:
    async with asyncio.timeout(PATIENCE):
        return await bot.ended()


@pytest.fixture
def line(tmp_path: Path) -> Path:
    """A named pipe. Processes hold its writing end as long as they live, so that the end
    of it says that they are gone."""
    path = tmp_path / "line"
    os.mkfifo(path)
    return path


async def open_line(line: Path) -> TextIO:
    """Wait until a process has opened the line."""
    async with asyncio.timeout(PATIENCE):
        return await asyncio.to_thread(line.open)


async def hear(end: TextIO) -> str:
    """Wait for the next thing that is said on the line; nothing when all are gone."""
    async with asyncio.timeout(PATIENCE):
        return (await asyncio.to_thread(end.readline)).strip()


STUBBORN = """
import os, signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
line = os.open(sys.argv[1], os.O_WRONLY)
child = "import os, signal, sys, time; os.write(int(sys.argv[1]), b'ready\\\\n'); time.sleep(600)"
subprocess.Popen([sys.executable, "-c", child, str(line)], pass_fds=[line])
time.sleep(600)
"""
"""Ignores SIGTERM, as does the process that it starts; both hold the line."""


async def test_a_program_runs_with_what_it_is_told_in_its_environment() -> None:
    async with Supervisor() as supervisor:
        script = "import os; print(os.environ['ARENA_URL'], 'PATH' in os.environ)"
        bot = await supervisor.start("a", python(script), {"ARENA_URL": "ws://x"})
        assert await outcome(bot) == "exit status 0: ws://x True"
        assert bot.output_tail == "ws://x True"
        assert bot.name == "a"


async def test_the_end_of_a_program_is_told_with_its_last_words() -> None:
    async with Supervisor() as supervisor:
        bot = await supervisor.start(
            "a", python("import sys; print('one', flush=True); sys.exit('two')"), {}
        )
        assert await outcome(bot) == "exit status 1: two"
        assert bot.output_tail.splitlines() == ["one", "two"]


async def test_a_program_that_says_nothing_has_no_last_words() -> None:
    async with Supervisor() as supervisor:
        assert await outcome(await supervisor.start("a", python(""), {})) == "exit status 0"


async def test_a_traceback_ends_with_its_error() -> None:
    async with Supervisor() as supervisor:
        bot = await supervisor.start("a", python("1 / 0"), {})
        assert await outcome(bot) == "exit status 1: ZeroDivisionError: division by zero"


async def test_a_program_that_was_killed_is_said_to_be() -> None:
    async with Supervisor() as supervisor:
        bot = await supervisor.start("a", python("import time; time.sleep(600)"), {})
        bot.signal(signal.SIGKILL)
        assert await outcome(bot) == "killed by SIGKILL"
        bot.signal(signal.SIGKILL)  # nobody is left to hear it, and nothing happens


async def test_the_last_of_much_output_is_kept() -> None:
    async with Supervisor() as supervisor:
        script = "for n in range(20000): print('line', n)\nprint('\\xff end')"
        bot = await supervisor.start("a", python(script), {"PYTHONIOENCODING": "latin-1"})
        assert await outcome(bot) == "exit status 0: \N{REPLACEMENT CHARACTER} end"
        assert bot.output_tail.splitlines()[-2] == "line 19999"
        assert TAIL_BYTES - 20 < len(bot.output_tail) <= TAIL_BYTES


async def test_a_program_hears_nothing_on_its_standard_input() -> None:
    async with Supervisor() as supervisor:
        bot = await supervisor.start("a", python("import sys; print(repr(sys.stdin.read()))"), {})
        assert await outcome(bot) == "exit status 0: ''"


@pytest.mark.parametrize(
    ("program", "reason"),
    [("no-such-program", "No such file or directory"), ("/", "Permission denied")],
)
async def test_a_program_that_is_not_there_is_an_error(program: str, reason: str) -> None:
    async with Supervisor() as supervisor:
        with pytest.raises(StartError) as caught:
            await supervisor.start("tiger", [program], {})
        assert str(caught.value) == f"tiger: cannot start '{program}': {reason}"


async def test_too_many_open_files_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def pipe() -> tuple[int, int]:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    monkeypatch.setattr(os, "pipe", pipe)
    async with Supervisor() as supervisor:
        with pytest.raises(StartError, match="tiger: cannot start 'true': Too many open files"):
            await supervisor.start("tiger", ["true"], {})


async def test_nobody_is_running_when_the_supervisor_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with Supervisor() as supervisor:
        bots = [
            await supervisor.start(str(n), python("import time; time.sleep(600)"), {})
            for n in range(2)
        ]
        monkeypatch.setattr(supervisor_module, "STOP_SECONDS", PATIENCE)
    assert [await outcome(bot) for bot in bots] == ["killed by SIGTERM"] * 2


async def test_an_error_in_the_supervisors_block_stops_its_programs() -> None:
    bots = []

    async def fail() -> None:
        async with Supervisor() as supervisor:
            bots.append(await supervisor.start("a", python("import time; time.sleep(600)"), {}))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()
    assert await outcome(bots[0]) == "killed by SIGTERM"


async def test_a_program_that_does_not_stop_is_killed_with_all_it_started(
    line: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor_module, "STOP_SECONDS", 0.05)
    async with Supervisor() as supervisor:
        bot = await supervisor.start("a", [*python(STUBBORN), str(line)], {})
        end = await open_line(line)
        assert await hear(end) == "ready"
    assert await outcome(bot) == "killed by SIGKILL"
    assert await hear(end) == ""
    end.close()


async def test_bots_are_stopped_though_that_is_cancelled(
    line: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor_module, "STOP_SECONDS", 0.05)

    async def play() -> None:
        async with Supervisor(WarmProcess([], {})) as supervisor:
            await supervisor.start("a", [*python(STUBBORN), str(line)], {})
            await asyncio.Event().wait()

    playing = asyncio.create_task(play())
    end = await open_line(line)
    assert await hear(end) == "ready"
    playing.cancel()
    await asyncio.sleep(0)
    playing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await playing
    assert await hear(end) == ""
    end.close()


async def test_what_a_bot_started_is_stopped_after_the_bot_itself_has_ended(line: Path) -> None:
    script = STUBBORN.replace("time.sleep(600)\n", "")
    async with Supervisor() as supervisor:
        bot = await supervisor.start("a", [*python(script), str(line)], {})
        end = await open_line(line)
        assert await hear(end) == "ready"
        # Its child holds its output open, and yet it is known to have ended.
        assert await outcome(bot) == "exit status 0"
    assert await hear(end) == ""
    end.close()


async def test_a_process_that_slips_away_with_the_output_is_not_waited_for(line: Path) -> None:
    """A process in a session of its own is out of reach, and holds the output open."""
    escaping = "import os, sys; os.fork() or (os.setsid(), open(sys.argv[1]).read())"
    async with Supervisor() as supervisor:
        bot = await supervisor.start("a", [*python(escaping), str(line)], {})
        # The line the other way round: the process reads it until it is closed here.
        async with asyncio.timeout(PATIENCE):
            end = await asyncio.to_thread(line.open, "w")
        with end:
            assert await outcome(bot) == "exit status 0"


async def test_a_supervisor_of_nobody_has_nothing_to_stop() -> None:
    async with Supervisor():
        pass


async def test_secrets_are_masked_in_the_output_of_a_program() -> None:
    script = "import os; print(os.environ['ARENA_TOKEN'], 'and', os.environ['KEY'])"
    environment = {"ARENA_TOKEN": "token-of-this-process", "KEY": "sk-0123456789"}
    async with Supervisor(masking=Masking(["sk-0123456789"])) as supervisor:
        bot = await supervisor.start("a", python(script), environment)
        assert await outcome(bot) == "exit status 0: ********************* and *************"


async def test_withheld_variables_are_not_in_a_programs_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("KEY", "secret")
    script = "import os; print(os.environ.get('KEY'))"
    async with Supervisor() as supervisor:
        mine = await supervisor.start("a", python(script), {})
        other = await supervisor.start("b", python(script), {}, withheld={"KEY"})
        assert await outcome(mine) == "exit status 0: secret"
        assert await outcome(other) == "exit status 0: None"
