"""A sandbox for a program, made by bubblewrap (`bwrap`).

The program sees nothing of the machine but the system and its own folder, both read-only, and a
socket of the server.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import shlex
import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from types import TracebackType

from bridge_arena.server.sandbox.resource_limits import (
    Group,
    LimitsError,
    for_each_process,
    new_group,
)
from bridge_arena.server.sandbox.system_calls import UnknownMachineError, syscall_filter
from bridge_arena.server.sandbox.visible_files import absolute, own_paths, secrets_in, view

URL = "ws+unix:/run/arena"
"""The URL of the server in a sandbox."""

_WALLS = (
    *("--unshare-all", "--unshare-user", "--disable-userns", "--cap-drop", "ALL"),
    *("--die-with-parent", "--new-session"),
    # Not root, as some programs behave differently for root.
    *("--uid", "1000", "--gid", "1000"),
    *("--seccomp", "9"),
)

_START = 'exec "$@" 9<"$0"'
"""The shell command that starts the program with the filter of system calls."""


class SandboxError(OSError):
    """This machine cannot make sandboxes; the message says in one line why, and what to do."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A sandbox for one program.

    Attributes:
        command: The command that starts the program in it.
        environment: All of the program's environment.
        group: The control group that limits it; None if each of its processes is limited by itself.
    """

    command: Sequence[str]
    environment: Mapping[str, str]
    group: Group | None


class Sandbox:
    """A maker of cells, while its context is entered.

    Args:
        readable: Paths that every program may read.
        hidden: Paths that no program may see, wherever they appear.
        names: Patterns of the names of files and folders that are hidden in a program's own folder.

    Attributes:
        socket: The path of the socket on which the server must listen.
    """

    def __init__(
        self, readable: Iterable[Path], hidden: Iterable[Path], names: Iterable[str] = ()
    ) -> None:
        # A random name, so that nobody else can have made it.
        self._folder = Path(tempfile.gettempdir(), f"arena-{secrets.token_hex(16)}")
        # The socket on which the server must listen.
        self.socket = self._folder / "socket"
        self._filter = self._folder / "filter"
        self._readable = tuple(readable)
        self._hidden = (self._folder, *hidden)
        self._names = tuple(names)
        # The hidden paths in programs' folders, by folder.
        self._secrets: dict[Path, tuple[Path, ...]] = {}

    def __enter__(self) -> Sandbox:
        """Prepare the filter of system calls. Raises SandboxError."""
        if shutil.which("bwrap") is None:
            raise SandboxError("a sandbox needs bubblewrap: apt-get install bubblewrap")
        try:
            filter_ = syscall_filter()
        except UnknownMachineError as error:
            raise SandboxError(f"there is no sandbox for this machine: {error}") from None
        self._folder.mkdir(mode=0o700)
        self._filter.write_bytes(filter_)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        shutil.rmtree(self._folder)

    async def check(self) -> None:
        """Check that a program can start in a cell, once the server listens.

        Raises:
            SandboxError: It cannot.
        """
        try:
            cell = self.cell(["true"], {})
        except LimitsError as error:
            raise SandboxError(f"what is in a sandbox cannot be limited here: {error}") from None
        process = await asyncio.create_subprocess_exec(
            *cell.command,
            env=cell.environment,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
        )
        _, errors = await process.communicate()
        if cell.group is not None:
            await cell.group.remove()
        if process.returncode:
            lines = errors.decode(errors="replace").splitlines() or ["it does not say why"]
            raise SandboxError(
                f"bubblewrap cannot make a sandbox here: {lines[-1]} (it needs version 0.8, and "
                "a system that allows user namespaces)"
            )

    def cell(self, command: Sequence[str], environment: Mapping[str, str]) -> Cell:
        """Return a cell for a program.

        Args:
            command: The program and its arguments.
            environment: The variables that are added to a minimal environment.

        Returns:
            The cell.

        Raises:
            OSError: The program cannot be found, shown or limited.
        """
        program = shutil.which(command[0])
        if program is None:
            raise FileNotFoundError(2, os.strerror(2))
        for path in (own := self._own(absolute(program), command[1:])):
            if path.is_dir() and path not in self._secrets:
                self._secrets[path] = tuple(secrets_in(path, self._names))
        hidden = [*self._hidden, *chain.from_iterable(self._secrets.values())]
        sight = view([*self._readable, *own], hidden, self.socket, URL.partition(":")[2])
        group = new_group()
        limits = for_each_process(in_group=group is not None)
        enter = [f"echo $$ >{shlex.quote(str(path))}" for path in group.entrances] if group else []
        return Cell(
            [
                *("sh", "-c", " && ".join([*enter, _START]), str(self._filter)),
                *("bwrap", *_WALLS, *sight, "--", *limits, *command),
            ],
            {**_plain_environment(), **environment},
            group,
        )

    def _own(self, program: Path, arguments: Sequence[str]) -> list[Path]:
        """Return the paths that a command names and not every program sees. Raises SightError."""
        return [
            path
            for path in own_paths(program, arguments)
            if not any(path.is_relative_to(readable) for readable in self._readable)
        ]


def _plain_environment() -> dict[str, str]:
    """Return the variables that programs rely on; of this process's own, only PATH."""
    return {"PATH": os.environ.get("PATH", os.defpath), "HOME": "/tmp", "LANG": "C.UTF-8"}
