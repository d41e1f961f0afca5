"""The networks say the same, bit for bit, whatever the processor that computes them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bots.kernels import HASWELL, OLDEST, hashes, skip_unless_possible

_ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def told_here() -> dict[str, str]:
    return hashes()


@pytest.mark.slow
@pytest.mark.parametrize("settings", [OLDEST, HASWELL], ids=["oldest", "haswell"])
def test_networks_say_the_same_on_every_processor(
    settings: dict[str, str], told_here: dict[str, str]
) -> None:
    skip_unless_possible(settings)
    environment = {**os.environ, **settings}
    command = [sys.executable, "-W", "ignore", "-m", "tests.bots.kernels"]
    ended = subprocess.run(
        command, cwd=_ROOT, env=environment, capture_output=True, text=True, check=True
    )
    told = dict(line.split(": ") for line in ended.stdout.splitlines())
    assert told == told_here
