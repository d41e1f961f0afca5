"""A sandbox for a program, made by bubblewrap (`bwrap`).

The program sees nothing of the machine but the system and a copy of its own folder, both read-only,
and a socket of the server that no other program has. If root runs the arena, it has a user id of
its own too.
"""

from __future__ import annotations

import asyncio
import os
import re
import secrets
import shlex
import shutil
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, nullcontext
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from bridge_arena.server.sandbox.resource_limits import Group, limit_processes, new_group
from bridge_arena.server.sandbox.system_calls import UnknownMachineError, syscall_filter
from bridge_arena.server.sandbox.visible_files import (
    FIGURES,
    SYSTEM,
    absolute,
    apart,
    copy_own,
    is_python,
    own_paths,
    paths_inside,
    view,
)

URL = "ws+unix:/run/arena"
"""The URL of the server in a sandbox."""

_WALLS = (
    *("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"),
    *("--die-with-parent", "--new-session", "--cap-drop", "ALL", "--seccomp", "9"),
)

_ONE_USER = (
    *("--unshare-user", "--disable-userns"),
    # Not root, as some programs behave differently for root.
    *("--uid", "1000", "--gid", "1000"),
)
"""The further walls where all programs have the user of the arena."""

_OWN_USER = ("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID")
"""The words instead of them where the program is given another user, and then no capability."""

_START = 'exec "$@" 9<"$0"'
"""The shell command that starts the program with the filter of system calls."""

_CAPABILITIES = (0, 6, 7, 21)
"""CAP_CHOWN, CAP_SETGID, CAP_SETUID and CAP_SYS_ADMIN, which it takes to give a program a user."""

Listen = Callable[[Path], AbstractAsyncContextManager[object]]
"""A function that returns a server on a socket that it makes, for one program."""


@dataclass(frozen=True, slots=True)
class Workplace:
    """The folder and the environment variables that are a program's own."""

    folder: Path | None = None  # the folder in which it runs; None for the arena's own
    is_shown: bool = False  # whether it sees all of that folder in a sandbox
    variables: Mapping[str, str] = field(default_factory=dict)


HERE = Workplace()
"""The folder of the arena, and no variables."""

_VARIABLES = "/run/variables"
"""The file of a program's own variables in a sandbox."""

_SET = ("sh", "-c", 'set -a; . "$0"; exec "$@"', _VARIABLES)
"""The words that start a program with its own variables, within all walls: what makes the sandbox
must not have them, as some variables have a program load any code."""


class SandboxError(OSError):
    """This machine cannot make sandboxes; the message says in one line why, and what to do."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A sandbox for one program."""

    command: Sequence[str]  # the command that starts the program in it
    environment: Mapping[str, str]  # all of the program's environment
    folder: Path  # the folder with all that it has on the disk
    # The control group that limits it; None if each of its processes is limited by itself.
    group: Group | None
    server: AsyncExitStack  # what ends its server

    async def end(self) -> None:
        """Remove all of it, once the program has ended."""
        if self.group is not None:
            await self.group.remove()
        await self.server.aclose()
        await asyncio.to_thread(shutil.rmtree, self.folder)


class Sandbox:
    """A maker of cells, while its context is entered.

    Every program may read the paths `readable`; none may see those `hidden`, wherever they appear,
    nor, in its own folder, files and folders whose names fit the patterns `names`.
    """

    def __init__(
        self, readable: Iterable[Path], hidden: Iterable[Path], names: Iterable[str] = ()
    ) -> None:
        # Serves a program at its socket.
        self.listen: Listen = _nobody
        self.gives_users = _may_give_users()
        # A random name, so that nobody else can have made it.
        self._folder = Path(tempfile.gettempdir(), f"arena-{secrets.token_hex(16)}")
        self._filter = self._folder / "filter"
        self._readable = tuple(readable)
        self._hidden = (self._folder, *hidden)
        self._names = tuple(names)
        self._numbers = count()
        self._first_user = _unused_user()

    def __enter__(self) -> Sandbox:
        """Prepare what all cells share. Raises SandboxError."""
        if shutil.which("bwrap") is None:
            raise SandboxError("a sandbox needs bubblewrap: apt-get install bubblewrap")
        try:
            filter_ = syscall_filter()
        except UnknownMachineError as error:
            raise SandboxError(f"there is no sandbox for this machine: {error}") from None
        if os.geteuid() == 0 and not self.gives_users:
            raise SandboxError(
                "root may not give programs users of their own here (it takes CAP_SYS_ADMIN): run "
                "the arena as another user"
            )
        self._folder.mkdir(mode=0o700)
        self._filter.write_bytes(filter_)
        for name in FIGURES:
            (self._folder / name).write_bytes(Path("/proc", name).read_bytes())
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self._folder)

    async def check(self) -> None:
        """Check that a program can start, once the server listens. Raises SandboxError."""
        cell = await self.cell(["true"], {})
        process = await asyncio.create_subprocess_exec(
            *cell.command,
            env=cell.environment,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
        )
        _, errors = await process.communicate()
        await cell.end()
        if process.returncode:
            lines = errors.decode(errors="replace").splitlines() or ["it does not say why"]
            raise SandboxError(
                f"bubblewrap cannot make a sandbox here: {lines[-1]} (it needs version 0.8, and "
                "a system that allows user namespaces)"
            )

    async def cell(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        workplace: Workplace = HERE,
    ) -> Cell:
        """Return a cell for a program, which must be ended.

        The variables of `environment` are added to a minimal one. Raises OSError if the program
        cannot be found, shown or served.
        """
        here = workplace.folder or Path.cwd()
        named = here / command[0] if os.sep in command[0] else command[0]
        path = shutil.which(named)
        if path is None:
            raise FileNotFoundError(2, os.strerror(2))
        program = absolute(path)
        number = next(self._numbers)
        folder = self._folder / str(number)
        user = self._first_user + number if self.gives_users else None
        async with AsyncExitStack() as unfinished:
            folder.mkdir()
            unfinished.callback(shutil.rmtree, folder)
            own = self._own(program, command[1:], here, is_shown=workplace.is_shown)
            copies = await asyncio.to_thread(self._copied, own, folder, user)
            server = await unfinished.enter_async_context(AsyncExitStack())
            socket = folder / "socket"
            await server.enter_async_context(self.listen(socket))
            if user is not None:
                os.chown(socket, user, user)
            shown = [*self._readable, *(path for path in own if path not in copies)]
            placed = {URL.partition(":")[2]: socket}
            if workplace.variables:
                placed[_VARIABLES] = _written(workplace.variables, folder / "variables", user)
            sight = view(shown, copies, self._hidden, placed, self._folder, program, here)
            unfinished.pop_all()
        group = new_group()
        limits = limit_processes(in_group=group is not None)
        enter = [f"echo $$ >{shlex.quote(str(path))}" for path in group.entrances] if group else []
        become: list[str] = []
        if user is not None:
            become = ["setpriv", "--reuid", f"{user}", "--regid", f"{user}", "--clear-groups", "--"]
        # Programs rely on these variables; of this process's own, only PATH.
        minimal = {"PATH": os.environ.get("PATH", os.defpath), "HOME": "/tmp", "LANG": "C.UTF-8"}
        return Cell(
            [
                *("sh", "-c", " && ".join([*enter, _START]), str(self._filter)),
                *("bwrap", *_WALLS, *(_OWN_USER if become else _ONE_USER), *sight, "--"),
                *(*become, *limits, *(_SET if workplace.variables else ()), *command),
            ],
            {**minimal, **environment},
            folder,
            group,
            server,
        )

    def _copied(self, own: Sequence[Path], folder: Path, user: int | None) -> dict[Path, Path]:
        """Copy a program's own paths, but not an installation of Python, which takes minutes."""
        mounted = {*self._readable, *filter(is_python, own)}
        copies: dict[Path, Path] = {}
        for path in own:
            if path not in mounted:
                copies[path] = folder / f"own-{len(copies)}"
                left_out = paths_inside(self._hidden, [path])
                copy_own(path, copies[path], left_out, self._names, mounted)
        if user is not None:
            for copy in copies.values():
                for place in (copy, *copy.rglob("*")):
                    os.chown(place, user, user, follow_symlinks=False)
        return copies

    def _own(
        self, program: Path, arguments: Sequence[str], here: Path, *, is_shown: bool
    ) -> list[Path]:
        """Return the paths that a command names and not every program sees. Raises SightError."""
        common = (*SYSTEM, *self._readable)
        folders = [apart(here)] if is_shown else []
        return [
            path
            for path in dict.fromkeys([*folders, *own_paths(program, arguments, here)])
            if not any(path.is_relative_to(readable) for readable in common)
        ]


def _written(variables: Mapping[str, str], path: Path, user: int | None) -> Path:
    """Write variables to a file that only a program's user can read, and return it."""
    lines = (f"{name}={shlex.quote(value)}\n" for name, value in variables.items())
    path.touch(mode=0o600)
    # As Python reads variables that are not UTF-8.
    path.write_text("".join(lines), encoding="utf-8", errors="surrogateescape")
    if user is not None:
        os.chown(path, user, user)
    return path


def _nobody(socket: Path) -> AbstractAsyncContextManager[object]:
    """Make a socket at which nobody answers."""
    socket.touch()
    return nullcontext()


def _may_give_users() -> bool:
    """Return whether this process may start others as any user, each in its own view of files."""
    status = Path("/proc/self/status")
    line = re.search(r"^CapEff:\s*(\w+)", status.read_text() if status.exists() else "", re.M)
    own = int(line[1], 16) if line else 0
    return all(own >> capability & 1 for capability in _CAPABILITIES)


def _unused_user() -> int:
    """Return the first of many user ids that nobody is likely to have."""
    users = Path("/proc/self/uid_map")
    lines = users.read_text().splitlines() if users.exists() else []
    # The end of the largest range of this machine's or container's; beyond 2^31 some programs fail.
    most = max(
        (min(int(first) + int(size), 1 << 31) for first, _, size in map(str.split, lines)),
        default=1 << 16,
    )
    return most // 2 + secrets.randbelow(most // 4)
