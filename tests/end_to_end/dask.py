"""A Dask cluster on this machine: a scheduler and its workers, each a process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.data import ROOT
from tests.end_to_end.arena import wait_until
from tests.patience import PATIENCE


@contextmanager
def cluster(folder: Path, workers: int) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """The address of a scheduler, and so many workers of one thread each; all killed when
    the context is left."""
    address_file = folder / "scheduler.json"
    common = ("--scheduler-file", str(address_file), "--no-dashboard")
    with ExitStack() as running:
        running.enter_context(
            _running("dask_scheduler", *common, "--port", "0", "--host", "127.0.0.1")
        )
        started = [
            running.enter_context(
                _running(
                    *("dask_worker", *common, "--nthreads", "1", "--no-nanny"),
                    *("--name", f"worker-{number}"),
                )
            )
            for number in range(1, workers + 1)
        ]
        wait_until(lambda: bool(_address(address_file)), "the scheduler listens")
        yield _address(address_file), started


def _address(file: Path) -> str:
    """The address in a scheduler's file; empty while the file is not there or not whole."""
    if not file.exists():
        return ""
    _, _, rest = file.read_text().partition('"address": "')
    address, quote, _ = rest.partition('"')
    return address if quote else ""


@contextmanager
def _running(*arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a module of `distributed.cli` in a process of its own."""
    process = subprocess.Popen(
        [sys.executable, "-m", f"distributed.cli.{arguments[0]}", *arguments[1:]],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait(PATIENCE)
