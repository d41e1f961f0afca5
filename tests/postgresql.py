"""A PostgreSQL server for the tests, from Debian's packages, on a socket of its own."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from tests.patience import PATIENCE

_PACKAGES = Path("/usr/lib/postgresql")


class Server:
    """A new, empty server in a folder of its own, which can be ended and begun again."""

    def __init__(self, folder: Path, programs: Path) -> None:
        self._folder = folder
        self._programs = programs
        self._data = folder / "data"
        # The URL without the name of a database, `{}` in its place.
        self.url = f"postgresql+pg8000://arena@/{{}}?unix_sock={folder}/.s.PGSQL.5432"
        create = (programs / "initdb", "-D", self._data, "-A", "trust", "-U", "arena", "--no-sync")
        _run(folder, *create)

    def begin(self) -> None:
        with (self._folder / "log").open("w") as log:
            self._process = subprocess.Popen(
                [
                    *_as_server(self._folder),
                    *(str(self._programs / "postgres"), "-D", str(self._data)),
                    *("-k", str(self._folder), "-c", "listen_addresses=", "-c", "fsync=off"),
                ],
                cwd=self._folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=log,
            )
        _wait(self._process, self._data, self._folder / "log")

    def end(self) -> None:
        """End it at once, with nothing left in order."""
        status = self._data / "postmaster.pid"
        if status.exists():
            # Its own number, not that of runuser.
            os.kill(int(status.read_text().split()[0]), signal.SIGQUIT)
        self._process.wait(PATIENCE)
        # `_wait` is not to read it when the server begins again.
        status.unlink(missing_ok=True)


@contextmanager
def running_server() -> Iterator[Server]:
    """A server that runs. Skips the test where there is none to be started."""
    programs = max(_PACKAGES.glob("*/bin/initdb"), default=None)
    if programs is None:
        pytest.skip(f"no PostgreSQL server is installed below {_PACKAGES}")
    # Not in pytest's folder, which only its owner may enter: the server refuses to run as root.
    folder = Path(tempfile.mkdtemp(prefix="arena-pg-"))
    try:
        server = Server(folder, programs.parent)
        server.begin()
        try:
            yield server
        finally:
            server.end()
    finally:
        shutil.rmtree(folder)


def new_database(url: str, name: str) -> str:
    """The URL of a new database of a server."""
    engine = create_engine(url.format("postgres"), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name} ENCODING 'UTF8' TEMPLATE template0"))
    engine.dispose()
    return url.format(name)


def _as_server(folder: Path) -> list[str]:
    """Return what comes before a command of the server's; the folder is given to its user."""
    if os.geteuid():
        return []
    shutil.chown(folder, "postgres")
    return ["runuser", "-u", "postgres", "--"]


def _run(folder: Path, program: Path, *arguments: object) -> None:
    command = [*_as_server(folder), str(program), *map(str, arguments)]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)


def _wait(server: subprocess.Popen[bytes], data: Path, log: Path) -> None:
    """Until the server says that it is ready."""
    status = data / "postmaster.pid"
    end = time.monotonic() + PATIENCE
    while not (status.exists() and "ready" in status.read_text()):
        assert server.poll() is None, log.read_text()
        assert time.monotonic() < end, log.read_text()
        time.sleep(0.05)
