"""Limits on what a program and all that it starts may use: memory, processes, files.

The kernel's control groups limit them together, where this process may make one. Where it may
not, each process is limited by itself; but the number of processes is not where the user is
root, whom the kernel does not count, and so nothing can be limited there.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
from contextlib import suppress
from pathlib import Path

MEMORY = 2 << 30
"""Bytes, the files of its private folders included."""

PROCESSES = 256
"""Threads count."""

FILES = 4096
"""How many a process may have open: a bot has a connection for each table."""

FILE_SIZE = 256 << 20
"""Bytes that a file may have."""

_IN_GROUP = {
    "memory.max": MEMORY,
    "memory.swap.max": 0,
    "memory.limit_in_bytes": MEMORY,
    "memory.memsw.limit_in_bytes": MEMORY,
    "pids.max": PROCESSES,
}
"""The files of a group that set its limits, in either version of control groups."""

_NEEDED = ({"memory.max", "memory.limit_in_bytes"}, {"pids.max"})
"""Of each at least one must be there."""

_ROOT = Path("/sys/fs/cgroup")

_MEMBERSHIP = Path("/proc/self/cgroup")

_REMOVAL_SECONDS = 2.0
"""How long the processes of a group that were killed may take to be gone."""


class LimitsError(OSError):
    """Nothing can be limited on this machine: one line says why."""


class Group:
    """A control group. `folders`: one for each of the kernel's trees that it stands in."""

    def __init__(self, folders: list[Path]) -> None:
        self.folders = folders

    @property
    def entrances(self) -> list[Path]:
        """The files that put a process into it whose number is written there."""
        return [folder / "cgroup.procs" for folder in self.folders]

    async def remove(self) -> None:
        """With all processes that are left in it."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_REMOVAL_SECONDS):
                for folder in self.folders:
                    while not _removed(folder):
                        _kill_all(folder)
                        await asyncio.sleep(0.01)  # the kernel does not say when they are gone


def new_group() -> Group | None:
    """A group with the limits; None where this process can make none. It stands below this
    process's own, whose limits hold on."""
    group = Group([])
    limited: set[str] = set()
    try:
        for parent in _parents():
            folder = parent / f"arena-{secrets.token_hex(8)}"
            with suppress(OSError):  # it may have been done, or be the system's to do
                (parent / "cgroup.subtree_control").write_text("+memory +pids")
            folder.mkdir()
            group.folders.append(folder)
            for name, limit in _IN_GROUP.items():
                if (folder / name).exists():
                    (folder / name).write_text(str(limit))
                    limited.add(name)
    except OSError:
        limited.clear()
    if all(names & limited for names in _NEEDED):
        return group
    for folder in group.folders:
        _removed(folder)
    return None


def for_each_process(*, in_group: bool) -> list[str]:
    """The command that limits the program whose command follows. Raises LimitsError."""
    if not in_group and os.geteuid() == 0:
        raise LimitsError(
            "no control group can be made, and root's processes are limited by nothing else: "
            "run the arena as another user"
        )
    import resource  # noqa: PLC0415  Windows has none

    limits = {
        "nofile": _at_most(resource.RLIMIT_NOFILE, FILES),
        "fsize": _at_most(resource.RLIMIT_FSIZE, FILE_SIZE),
        "core": 0,
    }
    if not in_group:
        limits["data"] = _at_most(resource.RLIMIT_DATA, MEMORY)
        limits["nproc"] = _at_most(resource.RLIMIT_NPROC, PROCESSES)
    return ["prlimit", *(f"--{name}={limit}" for name, limit in limits.items()), "--"]


def _at_most(kind: int, wanted: int) -> int:
    """The limit, or the one that is there already, which cannot be raised."""
    import resource  # noqa: PLC0415

    _, hard = resource.getrlimit(kind)
    return wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)


def _parents() -> list[Path]:
    """Where a group stands that is below this process's own, in each tree."""
    own = dict(line.split(":", 2)[1:] for line in _MEMBERSHIP.read_text().splitlines())
    if (_ROOT / "cgroup.controllers").exists():
        return [_ROOT / own[""].lstrip("/")]
    return [_ROOT / tree / own[tree].lstrip("/") for tree in ("memory", "pids") if tree in own]


def _kill_all(folder: Path) -> None:
    with suppress(OSError):  # they may be gone meanwhile
        for number in (folder / "cgroup.procs").read_text().split():
            os.kill(int(number), signal.SIGKILL)


def _removed(folder: Path) -> bool:
    """Whether it is gone now."""
    try:
        folder.rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True
