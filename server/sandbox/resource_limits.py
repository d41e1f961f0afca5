"""Limits on the resources of a program and all that it starts: memory, processes, files.

Where this process may make a control group, the kernel limits all of them together. Elsewhere each
process is limited by itself.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
from contextlib import suppress
from pathlib import Path

MEMORY = 2 << 30
"""The memory in bytes, including the files of its private folders."""

PROCESSES = 256
"""The number of processes and threads."""

FILES = 4096
"""The number of files that a process may have open: a bot has a connection for each table."""

FILE_SIZE = 256 << 20
"""The size of a file in bytes."""

SIGNALS = 1024
"""The number of signals and timers that may be due; the kernel has some for all of a user's."""

_IN_GROUP = {
    "memory.max": MEMORY,
    "memory.swap.max": 0,
    "memory.limit_in_bytes": MEMORY,
    "memory.memsw.limit_in_bytes": MEMORY,
    "pids.max": PROCESSES,
}
"""The files of a group that set its limits, in either version of control groups."""

_NEEDED = ({"memory.max", "memory.limit_in_bytes"}, {"pids.max"})
"""Sets of limits, of each of which at least one must be available."""

_ROOT = Path("/sys/fs/cgroup")

_MEMBERSHIP = Path("/proc/self/cgroup")

_REMOVAL_SECONDS = 2.0
"""Seconds that the killed processes of a group may take to end."""


class Group:
    """A control group."""

    def __init__(self, folders: list[Path]) -> None:
        self.folders = folders

    @property
    def entrances(self) -> list[Path]:
        """The files to which a process writes its number to enter the group."""
        return [folder / "cgroup.procs" for folder in self.folders]

    async def remove(self) -> None:
        """Remove the group, and kill all processes that are left in it."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_REMOVAL_SECONDS):
                for folder in self.folders:
                    while not _removed(folder):
                        _kill_all(folder)
                        await asyncio.sleep(0.01)  # the kernel does not report their end


def new_group() -> Group | None:
    """Make a control group with the limits; None if this process cannot.

    The limits of this process's own group, which it is below, still apply.
    """
    group = Group([])
    limited: set[str] = set()
    try:
        for parent in _parents():
            folder = parent / f"arena-{secrets.token_hex(8)}"
            with suppress(OSError):  # it may be done already, or reserved for the system
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


def limit_processes(*, in_group: bool) -> list[str]:
    """Return the command that limits each process of the program whose command follows."""
    import resource  # noqa: PLC0415  Windows has none

    limits = {
        "nofile": _at_most(resource.RLIMIT_NOFILE, FILES),
        "fsize": _at_most(resource.RLIMIT_FSIZE, FILE_SIZE),
        "core": 0,
        "sigpending": _at_most(resource.RLIMIT_SIGPENDING, SIGNALS),
        # One pool for all of a user's processes.
        "memlock": 0,
        "msgqueue": 0,
    }
    if not in_group:
        limits["data"] = _at_most(resource.RLIMIT_DATA, MEMORY)
        limits["nproc"] = _at_most(resource.RLIMIT_NPROC, PROCESSES)
    return ["prlimit", *(f"--{name}={limit}" for name, limit in limits.items()), "--"]


def _at_most(kind: int, wanted: int) -> int:
    """Return the limit, or the present hard limit if it is lower, as it cannot be raised."""
    import resource  # noqa: PLC0415

    _, hard = resource.getrlimit(kind)
    return wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)


def _parents() -> list[Path]:
    """Return the folder of this process's own group in each tree."""
    own = dict(line.split(":", 2)[1:] for line in _MEMBERSHIP.read_text().splitlines())
    if (_ROOT / "cgroup.controllers").exists():
        return [_ROOT / own[""].lstrip("/")]
    return [_ROOT / tree / own[tree].lstrip("/") for tree in ("memory", "pids") if tree in own]


def _kill_all(folder: Path) -> None:
    with suppress(OSError):  # they may have ended in the meantime
        for number in (folder / "cgroup.procs").read_text().split():
            os.kill(int(number), signal.SIGKILL)


def _removed(folder: Path) -> bool:
    """Return whether a folder could be removed or is gone already."""
    try:
        folder.rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True
