"""What a command of the benchmarks or of the research prints."""

from __future__ import annotations

import subprocess
import sys

from tests.data import ROOT


def printed(module: str, *words: object) -> str:
    """Run a module in a process of its own; return what it prints."""
    ended = subprocess.run(
        [sys.executable, "-m", module, *map(str, words)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout
