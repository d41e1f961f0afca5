"""Programs that are forked from a warm process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import pytest

from bridge_arena.base.warm_process import WarmProcess, exit_status
from tests.end_to_end.arena import children, is_alive, wait_until
from tests.patience import PATIENCE

PROGRAM = """
import os, signal, sys, time
from bridge_arena.base.warm_process import forked
words = forked()
if words is not None:
    exec(words[0])
"""


@pytest.fixture
def warm(tmp_path: Path) -> Iterator[WarmProcess]:
    """A warm process, which can import the modules in `tmp_path`."""
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    made = WarmProcess((sys.executable, "-c", PROGRAM), environment)
    yield made
    made.close()


class Program:
    """A forked program, its output and its end."""

    def __init__(
        self,
        warm: WarmProcess,
        text: str,
        environment: Mapping[str, str] | None = None,
        module: str = "sys",
    ) -> None:
        reading, writing = os.pipe()
        self._output = os.fdopen(reading)
        try:
            variables = dict(os.environ) if environment is None else environment
            self.pid, self._status = warm.fork([text], variables, writing, module)
        except OSError:
            self._output.close()
            raise
        finally:
            os.close(writing)

    def line(self) -> str:
        """Return the next line of its output."""
        return self._output.readline()

    def ended(self) -> tuple[int | None, str]:
        """Return its exit status, if it is known, and its output."""
        with os.fdopen(self._status, "rb") as status, self._output as output:
            said = output.read()
            return exit_status(status.read()), said


@pytest.mark.parametrize(
    ("text", "status", "said"),
    [
        ("print('done')", 0, "done\n"),
        ("sys.exit(3)", 3, ""),
        ("sys.exit('no server')", 1, "no server\n"),
        ("os.kill(os.getpid(), signal.SIGTERM)", -signal.SIGTERM, ""),
        ("print('at once', flush=True); os._exit(7)", 7, "at once\n"),
    ],
)
def test_a_forked_program_ends_with_its_own_status_and_output(
    warm: WarmProcess, text: str, status: int, said: str
) -> None:
    assert Program(warm, text).ended() == (status, said)


def test_an_exception_of_a_forked_program_is_a_traceback_in_its_output(warm: WarmProcess) -> None:
    status, output = Program(warm, "raise ValueError('wrong')").ended()
    assert status == 1
    assert output.startswith("Traceback")
    assert output.endswith("ValueError: wrong\n")


def test_a_forked_program_has_the_variables_that_it_was_given_and_no_others(
    warm: WarmProcess,
) -> None:
    text = "print(sorted(os.environ.items()))"
    environment = {"ARENA_TOKEN": "t\N{BLACK SPADE SUIT}ken", "LONG": "x" * 200_000}
    _, output = Program(warm, text, environment).ended()
    assert output == f"{sorted(environment.items())}\n"


def test_a_forked_program_leads_a_session_of_its_own(warm: WarmProcess) -> None:
    program = Program(warm, "print(os.getsid(0) == os.getpid(), flush=True); time.sleep(600)")
    os.killpg(program.pid, signal.SIGKILL)  # it does from the moment that it is known
    assert program.ended()[0] == -signal.SIGKILL


def test_many_programs_run_at_once_and_end_in_any_order(warm: WarmProcess, tmp_path: Path) -> None:
    """Each waits until the next one has spoken."""
    lines = [tmp_path / f"line{number}" for number in range(8)]
    for line in lines:
        os.mkfifo(line)
    texts = [
        f"open({str(after)!r}).read(); open({str(own)!r}, 'w').close(); sys.exit({number})"
        for number, (own, after) in enumerate(pairwise(lines))
    ]
    programs = [Program(warm, text) for text in texts]
    lines[-1].write_text("the first may end")
    assert lines[0].read_text() == ""
    assert [program.ended() for program in programs] == [(number, "") for number in range(7)]


def test_a_module_is_imported_before_programs_are_forked(warm: WarmProcess) -> None:
    text = "print('xml.sax' in sys.modules, 'xml.dom' in sys.modules)"
    assert Program(warm, text, module="xml.sax").ended() == (0, "True False\n")
    assert Program(warm, text).ended() == (0, "True False\n")
    assert Program(warm, text, module="no.such.module").ended() == (0, "True False\n")


def test_programs_go_on_when_their_warm_process_is_killed_and_the_next_has_another(
    warm: WarmProcess,
) -> None:
    orphan = Program(warm, "print(os.getppid(), flush=True); time.sleep(600)")
    try:
        os.kill(int(orphan.line()), signal.SIGKILL)
        assert Program(warm, "print('here')").ended() == (0, "here\n")
        os.kill(orphan.pid, 0)  # it is still there
    finally:
        os.killpg(orphan.pid, signal.SIGKILL)
    assert orphan.ended() == (None, "")


OWNER = r"""
import os, sys, time
from bridge_arena.base.warm_process import WarmProcess
warm = WarmProcess((sys.executable, "-c", sys.argv[1]), os.environ)
text = "os.write(1, b'%d\\n' % os.getppid()); time.sleep(600)"
os.write(1, b"%d\n" % warm.fork([text], os.environ, 1, "sys")[0])
time.sleep(600)
"""


@pytest.mark.parametrize("warm_process", ["stays", "is killed before"])
def test_a_program_that_hangs_ends_when_the_owner_is_killed(warm_process: str) -> None:
    owner = [sys.executable, "-c", OWNER, PROGRAM]
    with subprocess.Popen(owner, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            numbers = {int(process.stdout.readline()) for _ in range(2)}
            (parent,) = numbers & set(children(process.pid))
            (program,) = numbers - {parent}
            if warm_process == "is killed before":
                os.kill(parent, signal.SIGKILL)
                wait_until(lambda: not is_alive(parent), "the end of the warm process")
            assert is_alive(program)
        finally:
            process.kill()
    wait_until(lambda: not is_alive(program), "the end of the program")


def test_a_program_that_ends_before_it_runs_costs_the_others_nothing(
    warm: WarmProcess, tmp_path: Path
) -> None:
    breaking = "import os; os.register_at_fork(after_in_child=lambda: os._exit(5))"
    (tmp_path / "breaking.py").write_text(breaking)
    waiting = Program(warm, "time.sleep(600)")
    try:
        with pytest.raises(OSError, match="it ended before it ran"):
            Program(warm, "pass", module="breaking")
    finally:
        os.killpg(waiting.pid, signal.SIGKILL)
    assert waiting.ended() == (-signal.SIGKILL, "")


def test_a_warm_process_that_does_not_run_is_an_error_for_each_program() -> None:
    broken = WarmProcess((sys.executable, "-c", "raise SystemExit"), os.environ)
    try:
        for _ in range(2):
            with pytest.raises(OSError, match=r"ended|Broken pipe|reset"):
                broken.fork(["pass"], os.environ, 2, "sys")
    finally:
        broken.close()


def test_closing_ends_the_wait_for_a_program_that_is_never_forked() -> None:
    stuck = WarmProcess((sys.executable, "-c", "import time; time.sleep(600)"), os.environ)
    with ThreadPoolExecutor(1) as thread:
        forking = thread.submit(stuck.fork, ["pass"], os.environ, 2, "sys")
        while not forking.running():
            pass
        stuck.close()
        with pytest.raises(OSError, match="no more programs"):
            forking.result(PATIENCE)
    with pytest.raises(OSError, match="no more programs"):
        stuck.fork(["pass"], os.environ, 2, "sys")


SEARCH = """
import re
def found(secret):
    # Written apart, so that the search does not find itself.
    pattern = re.compile(secret.encode())
    with open('/proc/self/maps') as maps, open('/proc/self/mem', 'rb', 0) as memory:
        for line in maps:
            start, end = (int(part, 16) for part in line.split()[0].split('-'))
            if 'r' not in line.split()[1] or '[v' in line:
                continue
            memory.seek(start)
            try:
                if pattern.search(memory.read(end - start)):
                    return True
            except (OSError, OverflowError):
                pass
    return False
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_forked_program_holds_nothing_of_the_secrets_of_the_others(warm: WarmProcess) -> None:
    """Neither in its memory nor behind its descriptors, be they older or younger than itself.

    It finds its own secret by the same search.
    """
    waits = "print('here', flush=True); time.sleep(600)"
    others = [Program(warm, waits, {"ARENA_TOKEN": f"older-{number}-zebra"}) for number in range(3)]
    text = SEARCH + (
        "print(found('own-zeb' + 'ra'), found('older-[0-9]-zeb' + 'ra'))\n"
        "for number in sorted(os.listdir('/proc/self/fd'), key=int):\n"
        "    try:\n"
        "        print(os.readlink(f'/proc/self/fd/{number}').partition(':')[0])\n"
        "    except FileNotFoundError:  # that of the list itself\n"
        "        pass\n"
    )
    try:
        status, output = Program(warm, text, {"ARENA_TOKEN": "own-zebra"}).ended()
    finally:
        for other in others:
            os.killpg(other.pid, signal.SIGKILL)
    assert status == 0
    held = ["/dev/null", "pipe", "pipe", "pipe"]  # its input, its output twice, and its end
    assert output.splitlines() == ["True False", *held]
    for other in others:
        assert other.ended()[0] == -signal.SIGKILL
