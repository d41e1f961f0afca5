"""Bots that attack: what they get where they are trusted, which shows that the attack is one, and
that in a sandbox they get nothing, and the event is played to its end.
"""

from __future__ import annotations

import os
import shutil
import socket
import sys
import tempfile
from pathlib import Path

import pytest
from filelock import FileLock

from bridge_arena.server.sandbox.resource_limits import MEMORY, PROCESSES
from bridge_arena.server.sandbox.visible_files import TEMPORARY
from tests.board_files.packing import as_pbn, some_records
from tests.end_to_end.arena import arena, log_of, records_of
from tests.patience import PATIENCE
from tests.server.sandbox.sandboxes import needs_sandbox

pytestmark = [pytest.mark.slow, needs_sandbox]

ATTACKS = Path(__file__).parent

BOARDS = 2

EVENT = """\
[event]
name = "Cup"
format = "match"
boards = {boards}
isolation = "{isolation}"
pbn = "boards.pbn"

[[entry]]
bot = "{bot}"
name = "bad"

[[entry]]
bot = "{good}"
name = "good"
"""

MEGABYTE = 1 << 20

SPYING = (
    "processes_of_all",
    "open_files_of_all",
    "load",
    "free_space",
    "kernels_words",
    "terminal",
    "parents_command",
    "others_tokens",
    "others_memory",
    "signal_to_others",
    "store",
    "log",
    "event_file",
    "tokens",
    "another_events_key",
    "another_events_store",
    "another_events_replay",
    "boards",
    "other_folders",
    "arenas_pages",
    "kernels_settings",
)

TALKING = (
    "temporary_file",
    "shared_memory_file",
    "file_of_its_own",
    "abstract_socket",
    "socket_in_a_folder",
    "loopback",
    "virtual_machines_socket",
    "shared_memory",
    "message_queue",
    "lock",
    "record_lock",
    "notice",
    "cached_pages",
    "page_fault",
    "key",
    "hint",
    "hint_of_its_own",
    "futex",
    "pipe_pages",
    "pipe_size",
    "descriptors_in_flight",
    "background_requests",
    "crowd_at_the_door",
    "shared_pages",
    "times_of_a_device",
    "sockets_of_all",
)

ROOTS = ("others_memory", "kernels_settings")
"""The attacks that succeed without a sandbox only as root."""

NOT_EVERYWHERE = (
    *("virtual_machines_socket", "key", "cached_pages", "page_fault", "kernels_words"),
    # Root has no limits.
    *("pipe_pages", "pipe_size", "descriptors_in_flight"),
)
"""The attacks that not every machine allows, or not every user."""


def play(place: Path, isolation: str, program: str, *arguments: object) -> dict[str, str]:
    """Have an event played by a bot that attacks, which lies in the folder of the event; what it
    got, by attack."""
    folder = place / "cup"
    folder.mkdir()
    # Another event lies beside, with its key, and what it has played.
    (folder / "runs" / "other").mkdir(parents=True)
    (folder / "site" / "boards").mkdir(parents=True)
    secrets = (
        *("diary", "cup/cup.tokens.json", "cup/next.key.json", "cup/runs/other/results.sqlite"),
        "cup/site/boards/boards-1.js",
    )
    for made in secrets:
        (place / made).write_text("nobody's business")
    with (folder / "pages").open("wb") as pages:
        pages.write(bytes(200 * 16 * 4096))
        os.fsync(pages.fileno())
    shutil.copy(ATTACKS / program, folder)
    (folder / "boards.pbn").write_bytes(as_pbn(some_records(range(1, BOARDS + 1))))
    bot = " ".join(["cmd:" + sys.executable, program, *map(str, arguments)])
    # Where it is trusted, one that is started as a command has its token where others can look.
    good = (
        "random" if isolation == "sandbox" else f"cmd:{sys.executable} -m bridge_arena.bots random"
    )
    event = EVENT.format(boards=BOARDS, isolation=isolation, bot=bot, good=good)
    (folder / "cup.toml").write_text(event)
    ended = arena(folder, "tournament", "cup.toml", "--out", "out")
    assert ended.status == 0, ended
    records = records_of(folder / "out" / "match.pbn")
    assert len(records) == 2 * BOARDS
    assert all(record.is_finished and not record.faults for record in records)
    outputs = [line["output"] for line in log_of(folder / "out") if line["event"] == "bot_output"]
    found = [line.partition(":") for output in outputs for line in output.splitlines()]
    return {name: got.strip() for name, _, got in found}


@pytest.fixture(scope="module", params=["none", "sandbox"])
def spied(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, str]:
    """Return what a spy got, and what it heard of its partner's word."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    isolation: str = request.param
    place = tmp_path_factory.mktemp(isolation)
    # What is trusted speaks over the whole machine, also to a sandbox of another test process,
    # whose own partner would then seem to be heard.
    alone = FileLock(Path(tempfile.gettempdir(), "arena-attacks.lock"))
    try:
        with alone.acquire(timeout=10 * PATIENCE):
            return {"isolation": isolation, **play(place, isolation, "spy.py", port)}
    finally:
        for left in ("/tmp", "/dev/shm"):
            for path in Path(left).glob(f"arena-spy-{port}*"):
                path.unlink()


@pytest.mark.parametrize("attack", [*SPYING, *TALKING])
def test_a_spy_gets_nothing_in_a_sandbox_and_all_where_it_is_trusted(
    spied: dict[str, str], attack: str
) -> None:
    got = spied[attack]
    if spied["isolation"] == "sandbox":
        assert got == ""
    elif not got and attack in NOT_EVERYWHERE:
        pytest.skip("this machine has no such thing")
    elif attack in ROOTS and os.geteuid() != 0:
        pytest.skip("nobody but root can do that")
    else:
        assert got != ""


LIMITS = {
    "processes": PROCESSES,
    "memory": MEMORY // MEGABYTE,
    "disk": TEMPORARY // MEGABYTE,
}


@pytest.mark.parametrize("isolation", ["none", "sandbox"])
def test_a_glutton_is_stopped_at_the_limits_of_a_sandbox(tmp_path: Path, isolation: str) -> None:
    """It gets more than each limit where it is trusted, and less in a sandbox."""
    most = {kind: limit + limit // 16 for kind, limit in LIMITS.items()}
    found = play(tmp_path, isolation, "glutton.py", *most.values())
    for kind, limit in LIMITS.items():
        took = int(found[kind])
        assert took == most[kind] if isolation == "none" else 0 < took <= limit, kind
