"""Each harness runs under its fuzzer, finds its way about, and finds nothing."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.patience import PATIENCE

HERE = Path(__file__).parent
RUNS = {
    "codec": 5000,
    "session": 5000,
    "client": 4000,
    "table": 2000,
    "bluechip": 1000,
    "pbn": 2000,
    "lin": 2000,
}
"""How many inputs each is given: of the slow ones fewer."""

NEEDS_ATHERIS = pytest.mark.skipif(
    find_spec("atheris") is None,
    reason="atheris is not installed (it has wheels for CPython on Linux x86-64 only)",
)


def harness(target: str, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    script = HERE / f"fuzz_{target}.py"
    command = [sys.executable, str(script), "-seed=1", *arguments]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=5 * PATIENCE, check=False
    )


def test_every_target_has_its_harness() -> None:
    targets = {path.stem for path in (HERE / "targets").glob("*.py")}
    assert {path.stem.removeprefix("fuzz_") for path in HERE.glob("fuzz_*.py")} == targets
    assert targets == RUNS.keys()


@pytest.mark.slow
@NEEDS_ATHERIS
@pytest.mark.parametrize("target", RUNS)
def test_a_harness_finds_nothing(target: str, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    done = harness(target, tmp_path, f"-runs={RUNS[target]}", str(corpus))
    assert done.returncode == 0, done.stderr[-4000:]
    # The fuzzer looks at its number only between two rounds of changes, so it may go one further.
    runs = re.search(r"^Done (\d+) runs", done.stderr, re.MULTILINE)
    assert runs, done.stderr[-4000:]
    assert int(runs[1]) >= RUNS[target]
    assert list(tmp_path.iterdir()) == [corpus], "an input failed"
    # Guided: more is reached than by the seeds, which are in no corpus afterwards.
    covered = [int(number) for number in re.findall(r" ft: (\d+)", done.stderr)]
    assert covered[-1] > covered[0]
    assert any(corpus.iterdir())


@pytest.mark.slow
@NEEDS_ATHERIS
def test_an_input_can_be_run_again_by_itself(tmp_path: Path) -> None:
    path = tmp_path / "crash-1"
    path.write_bytes(b"\x90")
    done = harness("codec", tmp_path, str(path))
    assert done.returncode == 0, done.stderr[-4000:]
    assert f"Executed {path}" in done.stderr
