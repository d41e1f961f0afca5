"""Errors in an event loop that nobody hears of fail the run."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests.data import ROOT

TESTS = """
import asyncio
import gc

import pytest


async def fail():
    raise LookupError("lost")


async def begun():
    task = asyncio.create_task(fail())
    await asyncio.sleep(0)
    return task


async def test_a_task_is_awaited():
    with pytest.raises(LookupError):
        await (await begun())


async def test_a_task_is_forgotten():
    await begun()


async def test_a_callback_fails():
    asyncio.get_running_loop().call_soon(lambda: 1 / 0)
    await asyncio.sleep(0)


async def test_a_task_is_left_as_garbage():
    gc.disable()
    garbage = [await begun()]
    garbage.append(garbage)


def test_the_last():
    pass
"""


def test_an_error_in_an_event_loop_that_is_only_logged_fails_the_run(tmp_path: Path) -> None:
    path = tmp_path / "test_them.py"
    path.write_text(TESTS)
    plugins = ("-p", "tests.conftest", "-p", "no:cacheprovider")
    shown = ("--tb=line", "--show-capture=no", "--rootdir", str(tmp_path))
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "-c", "pyproject.toml", *plugins, *shown, str(path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert re.findall(r"^(FAILED|ERROR) \S+::(\w+)", ended.stdout, re.MULTILINE) == [
        ("FAILED", "test_a_task_is_forgotten"),
        ("FAILED", "test_a_callback_fails"),
        ("ERROR", "test_the_last"),
    ], ended.stdout
    assert ended.returncode == 1
    assert ended.stdout.count("An error in an event loop was only logged") >= 3
    assert "exception=LookupError('lost')" in ended.stdout
