"""Programs in sandboxes: what they find there. What they try in vain is in
tests/end_to_end/attacks."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from bridge_arena.oracle.table_store import shared_store
from bridge_arena.server.sandbox import sandbox as sandbox_module
from bridge_arena.server.sandbox.resource_limits import Group, new_group
from bridge_arena.server.sandbox.sandbox import (
    HERE,
    URL,
    Sandbox,
    SandboxError,
    Workplace,
)
from bridge_arena.server.supervisor import StartError, Supervisor
from tests.patience import PATIENCE
from tests.server.sandbox.sandboxes import needs_sandbox, open_sandbox


async def run(
    box: Sandbox,
    *command: str | Path,
    told: dict[str, str] | None = None,
    workplace: Workplace = HERE,
) -> tuple[str, str]:
    """Return how a program ended, and what it printed."""
    async with Supervisor() as supervisor, asyncio.timeout(PATIENCE):
        words = [str(word) for word in command]
        bot = await supervisor.start("a", words, told or {}, box, workplace=workplace)
        return await bot.ended(), bot.output_tail


def python(script: str) -> tuple[str, ...]:
    return sys.executable, "-c", script


def is_running(*words: str) -> bool:
    """Whether there is a process that has all of these in its command line."""
    found = False
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            line = path.read_text(errors="replace")
            found = found or all(word in line for word in words)
    return found


@needs_sandbox
class TestInside:
    async def test_a_program_has_what_it_is_told_and_little_else(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("SECRET", "1")
        script = "import os; print(*sorted(os.environ))"
        with open_sandbox() as box:
            how, output = await run(box, *python(script), told={"ARENA_URL": URL})
        assert how.startswith("exit status 0")
        assert set(output.split()) == {"ARENA_URL", "HOME", "LANG", "PATH", "PWD"}

    async def test_the_sdk_and_the_bots_that_ship_are_there(self) -> None:
        modules = ("bots.sdk.client", "bots.deepq.bot", "oracle.solver")
        script = "; ".join(f"import bridge_arena.{module}" for module in modules) + "; print('all')"
        with open_sandbox() as box:
            assert (await run(box, *python(script)))[1] == "all"

    async def test_a_relative_path_means_what_it_means_outside(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        (tmp_path / "bot").mkdir()
        (tmp_path / "bot" / "beside.py").write_text("WORD = 'beside'")
        (tmp_path / "bot" / "bot.py").write_text(
            "import os, beside; print(beside.WORD, os.getcwd(), os.listdir())"
        )
        with open_sandbox() as box:
            _, output = await run(box, sys.executable, "bot/bot.py")
        assert output == f"beside {tmp_path} ['bot']"

    async def test_a_program_has_the_folder_and_the_variables_that_are_its_own(
        self, tmp_path: Path
    ) -> None:
        (tmp_path / "weights").write_text("own")
        (tmp_path / "run").write_text('#!/bin/sh\necho "$(cat weights) $A $PATH" $(ls)\n')
        (tmp_path / "run").chmod(0o755)
        variables = {"LD_PRELOAD": "/x/$(false)", "PATH": "/bin:/x", "A": "it's\n tw\udcff"}
        workplace = Workplace(tmp_path, is_shown=True, variables=variables)
        with open_sandbox() as box:
            _, output = await run(box, "./run", workplace=workplace)
        assert output.endswith("own it's\n tw� /bin:/x run weights")
        # The shell, `cat` and `ls` tried it, and nothing that makes the sandbox.
        assert output.count("cannot be preloaded") == 3

    async def test_no_two_programs_have_a_user_or_a_file_of_their_own_in_common(
        self, tmp_path: Path
    ) -> None:
        script, weights = tmp_path / "bot.py", tmp_path / "weights"
        script.touch()
        weights.touch()
        with open_sandbox() as box:
            command = [sys.executable, str(script), str(weights), f"again={weights}"]
            cells = [await box.cell(command, {}) for _ in range(2)]
            for name in ("bot.py", "weights"):
                copies = [path for cell in cells for path in cell.folder.rglob(name)]
                files = {path.stat().st_ino for path in (*copies, tmp_path / name)}
                assert len(files) == len(copies) + 1
                users = {path.stat().st_uid for path in copies}
                assert len(users) == (len(cells) if box.gives_users else 1)
            for cell in cells:
                await cell.end()

    async def test_nothing_of_the_system_is_copied(self) -> None:
        with open_sandbox() as box:
            cell = await box.cell(["/usr/bin/env", "/usr/bin/env"], {})
            assert [path.name for path in cell.folder.iterdir()] == ["socket"]
            await cell.end()

    async def test_a_program_runs_as_the_arenas_user_where_it_can_be_given_none(self) -> None:
        with open_sandbox() as box:
            box.gives_users = False
            how, output = await run(box, *python("import os; print(os.getuid())"))
        assert (how, output) == ("exit status 0: 1000", "1000")

    @pytest.mark.parametrize("kill", ["kill(os.getpid(), 15)", "killpg(0, 15)"])
    @pytest.mark.parametrize("gives_users", [True, False])
    async def test_no_program_ends_as_if_the_arena_had_been_stopped(
        self, kill: str, *, gives_users: bool
    ) -> None:
        """What it was playing would be played again, where the arena is being stopped."""
        with open_sandbox() as box:
            box.gives_users &= gives_users
            async with Supervisor() as supervisor, asyncio.timeout(PATIENCE):
                script = f"import os, time; os.{kill}; time.sleep(600)"
                bot = await supervisor.start("a", python(script), {}, box)
                assert await bot.ended() in ("exit status 143", "exit status 143: Terminated")
                assert not bot.was_terminated

    async def test_figures_of_the_machine_are_few_and_do_not_change(self) -> None:
        script = (
            "import os, zlib; print(sorted(os.listdir('/proc')), os.listdir('/proc/self'),"
            " zlib.crc32(open('/proc/stat', 'rb').read()))"
        )
        with open_sandbox() as box:
            outputs = {(await run(box, *python(script)))[1] for _ in range(2)}
        (output,) = outputs
        assert output.startswith("['cpuinfo', 'meminfo', 'self', 'stat'] ['exe'] ")

    async def test_a_program_that_is_not_there_is_told_at_once(self) -> None:
        with open_sandbox() as box, pytest.raises(StartError) as caught:
            await run(box, "no-such-program")
        assert str(caught.value) == "a: cannot start 'no-such-program': No such file or directory"

    async def test_a_folder_with_a_pipe_is_refused(self, tmp_path: Path) -> None:
        script = tmp_path / "bot.py"
        script.write_text("")
        os.mkfifo(tmp_path / "pipe")
        with open_sandbox() as box, pytest.raises(StartError, match="pipe is neither file nor"):
            await run(box, sys.executable, script)

    async def test_hidden_files_are_not_in_the_sandbox(self, tmp_path: Path) -> None:
        script, run_folder, tokens = (tmp_path / name for name in ("bot.py", "out", "tokens"))
        run_folder.mkdir()
        (run_folder / "notes").write_text("all")
        tokens.write_text("all")
        script.write_text(
            "import os, sys\nprint(os.listdir(sys.argv[1]))\nprint(open(sys.argv[2]).read())"
        )
        command = (sys.executable, script, run_folder, tokens)
        with open_sandbox([run_folder, tokens]) as box:
            assert "FileNotFoundError: " in (await run(box, *command))[1]
        with open_sandbox() as box:
            assert (await run(box, *command))[1] == "['notes']\nall"

    async def test_the_cache_of_double_dummy_answers_is_not_there(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """It has the hands of boards that are being played."""
        script = tmp_path / "bot.py"
        script.write_text(f"import os; print(sorted(os.listdir({str(tmp_path)!r})))")
        monkeypatch.setenv("ARENA_CACHE", str(tmp_path))
        for path in shared_store().files:
            path.touch()
        with open_sandbox() as box:
            assert (await run(box, sys.executable, script))[1] == "['bot.py']"

    @pytest.mark.parametrize("there", [True, False])
    async def test_a_hidden_file_stays_hidden_when_it_is_replaced(
        self, tmp_path: Path, *, there: bool
    ) -> None:
        """Replace a file in one step, as `arena token` does."""
        script, tokens, new = (tmp_path / name for name in ("bot.py", "cup.tokens.json", "new"))
        script.write_text(
            "import os\nprint('ready', flush=True)\ninput()\n"
            f"print(sorted(os.listdir({str(tmp_path)!r})))"
        )
        if there:
            tokens.write_text("before")
        with open_sandbox([tokens]) as box:
            cell = await box.cell([sys.executable, str(script)], {})
            process = await asyncio.create_subprocess_exec(
                *cell.command,
                env=cell.environment,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
            )
            assert process.stdout is not None
            async with asyncio.timeout(PATIENCE):
                assert await process.stdout.readline() == b"ready\n"
                new.write_text("after")
                new.replace(tokens)
                seen, _ = await process.communicate(b"\n")
            await cell.end()
        assert seen == b"['bot.py']\n"

    async def test_a_child_that_outlives_its_parent_is_stopped_with_it(self) -> None:
        """A session of its own does not save it; without a sandbox nobody could reach it there."""
        script = "import os, time\nif os.fork() == 0:\n os.setsid()\n time.sleep(600)"
        with open_sandbox() as box:
            how, _ = await run(box, *python(script))
            assert how == "exit status 0"
        assert not is_running("os.setsid", "time.sleep(600)")

    async def test_a_group_is_gone_with_its_processes(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        made: list[Group] = []

        def note_and_make() -> Group | None:
            group = new_group()
            if group is not None:
                made.append(group)
            return group

        monkeypatch.setattr(sandbox_module, "new_group", note_and_make)
        with open_sandbox() as box:
            async with Supervisor() as supervisor:
                bot = await supervisor.start("a", python("import time; time.sleep(600)"), {}, box)
                if not made:
                    pytest.skip("no control group can be made here")
                folders = made[-1].folders
                assert all(folder.exists() for folder in folders)
                bot.signal(signal.SIGKILL)
                assert await bot.ended() == "killed by SIGKILL"
            assert not any(folder.exists() for folder in folders)


@needs_sandbox
async def test_a_sandbox_that_nobody_waits_for_any_more_is_stopped() -> None:
    """Killed while it makes its sandbox, bubblewrap may leave half of it waiting for ever."""
    script = "import time; time.sleep(601)"
    with open_sandbox() as box:
        async with Supervisor() as supervisor:
            for pause in (0.0, 0.002, 0.004, 0.008, 0.016):
                starting = asyncio.create_task(supervisor.start("a", python(script), {}, box))
                await asyncio.sleep(pause)  # into the midst of it
                starting.cancel()
                with suppress(asyncio.CancelledError):
                    await starting
    assert not is_running("time.sleep(601)")


class TestWhereThereIsNone:
    def test_without_bubblewrap_it_is_told_what_to_install(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("PATH", "/nowhere")
        with pytest.raises(SandboxError, match="needs bubblewrap: apt-get install bubblewrap"):
            Sandbox([], []).__enter__()

    async def test_where_bubblewrap_may_not_run_there_is_no_sandbox(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        bwrap = tmp_path / "bwrap"
        complaint = "bwrap: No permissions to create new namespace"
        bwrap.write_text(f"#!/bin/sh\necho '{complaint}' >&2\nexit 1")
        bwrap.chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
        with Sandbox([], []) as box, pytest.raises(SandboxError) as caught:
            await box.check()
        assert str(caught.value) == (
            f"bubblewrap cannot make a sandbox here: {complaint} "
            "(it needs version 0.8, and a system that allows user namespaces)"
        )

    @pytest.mark.skipif(os.geteuid() != 0, reason="another user gives no users anyway")
    def test_root_that_may_give_programs_no_users_has_no_sandbox(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sandbox_module, "_may_give_users", lambda: False)
        with pytest.raises(SandboxError, match="run the arena as another user"):
            Sandbox([], []).__enter__()

    @needs_sandbox
    async def test_nothing_is_left_of_a_sandbox_that_was_closed(self) -> None:
        with open_sandbox() as box:
            cell = await box.cell(["true"], {})
            assert cell.folder.parent.stat().st_mode & 0o777 == 0o700
            await cell.end()
            assert not cell.folder.exists()
        assert not cell.folder.parent.exists()
