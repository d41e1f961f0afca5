"""A test fails where a program that it starts has failed unheard, whatever the test looks at."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.data import ROOT
from tests.end_to_end.arena import arena, end_of, started

FORGOTTEN = """
import asyncio


async def fail():
    raise LookupError("lost")


async def main():
    asyncio.create_task(fail())
    await asyncio.sleep(0)


asyncio.run(main())
"""
"""Its task dies unheard."""

CRASHING = """
import atexit

atexit.register(lambda: 1 / 0)
"""
"""Its status does not tell that it crashes."""


def that_begins_with(program: str, folder: Path) -> dict[str, str]:
    """Return the environment of a command of the arena that first does something else."""
    (folder / "sitecustomize.py").write_text(program)
    return {"PYTHONPATH": f"{folder}:{ROOT}"}


@pytest.mark.parametrize(
    ("program", "told"),
    [(FORGOTTEN, "Task exception was never retrieved"), (CRASHING, "ZeroDivisionError")],
)
def test_a_program_that_fails_unheard_fails_its_test(
    tmp_path: Path, program: str, told: str
) -> None:
    environment = that_begins_with(program, tmp_path)
    with pytest.raises(AssertionError, match=told):
        arena(tmp_path, "--version", environment=environment)
    with (
        pytest.raises(AssertionError, match=told),
        started(tmp_path, "--version", environment=environment) as process,
    ):
        assert process.wait() == 0


@pytest.mark.slow
def test_a_program_that_fails_with_a_line_is_one_to_look_at(tmp_path: Path) -> None:
    with started(tmp_path, "view", "nowhere") as process:
        assert process.wait() == 2
        assert "nowhere" in end_of(process).errors
    assert arena(tmp_path, "view", "nowhere").status == 2
