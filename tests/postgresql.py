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


@contextmanager
def running_server() -> Iterator[str]:
    """The URL of a new, empty server without the name of a database, `{}` in its place.

    Skips the test where there is no server to be started.
    """
    programs = max(_PACKAGES.glob("*/bin/initdb"), default=None)
    if programs is None:
        pytest.skip(f"no PostgreSQL server is installed below {_PACKAGES}")
    programs = programs.parent
    # Not in pytest's folder, which only its owner may enter: the server refuses to run as root.
    folder = Path(tempfile.mkdtemp(prefix="arena-pg-"))
    try:
        data = folder / "data"
        _run(folder, programs / "initdb", "-D", data, "-A", "trust", "-U", "arena", "--no-sync")
        with (folder / "log").open("w") as log:
            server = subprocess.Popen(
                [
                    *_as_server(folder),
                    *(str(programs / "postgres"), "-D", str(data), "-k", str(folder)),
                    *("-c", "listen_addresses=", "-c", "fsync=off"),
                ],
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=log,
            )
        try:
            _wait(server, data, folder / "log")
            yield f"postgresql+pg8000://arena@/{{}}?unix_sock={folder}/.s.PGSQL.5432"
        finally:
            if (data / "postmaster.pid").exists():
                # Its own number, not that of runuser; with this signal it ends
                # at once, and leaves nothing in order, as nobody is to come back to it.
                os.kill(int((data / "postmaster.pid").read_text().split()[0]), signal.SIGQUIT)
            server.wait(PATIENCE)
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
