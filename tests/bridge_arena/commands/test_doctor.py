"""Tests of `arena doctor`."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from bridge_arena.commands import doctor as module
from bridge_arena.commands.common.errors import FailedError
from bridge_arena.commands.doctor import State, doctor


def found(capsys: pytest.CaptureFixture[str]) -> dict[str, tuple[str, str]]:
    """Return the state and text of each finding, by its subject."""
    listed = json.loads(capsys.readouterr().out)
    return {each["what"]: (each["state"], each["text"]) for each in listed}


def test_the_doctor_tells_what_works_here(capsys: pytest.CaptureFixture[str]) -> None:
    doctor(as_json=True)
    told = found(capsys)
    for what in ("Python", "Bridge Arena", "extra arena", "processors", "solver", "connections"):
        assert told[what][0] == "ok", told
    assert "the double-dummy table of a deal takes" in told["solver"][1]
    assert told["cache"][0] == "absent", "tests keep nothing"
    if shutil.which("bwrap") is None:
        assert told["sandbox"] == (
            "absent",
            "a sandbox needs bubblewrap: apt-get install bubblewrap",
        )


def test_the_doctor_tells_of_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path / "cache"))
    doctor(as_json=True)
    path = tmp_path / "cache" / "double-dummy.sqlite"
    text = f"double-dummy answers are kept in {path}: 0.0 of 256 MiB"
    assert found(capsys)["cache"] == ("ok", text)
    path.write_bytes(b"no database " * 100)
    doctor(as_json=True)
    assert found(capsys)["cache"] == ("absent", f"{path}: file is not a database")


def test_what_does_not_work_is_told_with_what_to_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken() -> str:
        raise OSError("no solver")

    monkeypatch.setattr(module, "_solve", broken)
    monkeypatch.setattr(module, "missing_from", lambda extra: ["torch"] if extra == "train" else [])
    with pytest.raises(FailedError, match="no match can be played here: solver"):
        doctor()
    lines = capsys.readouterr().out.splitlines()
    assert f"{State.BROKEN}  solver            no solver" in lines
    (train,) = (line for line in lines if "extra train" in line)
    assert train.startswith("absent")
    assert "torch not installed; " in train
    assert "train" in train.rpartition(";")[2], "what installs it"


def test_the_doctor_prints_a_line_for_each_check(capsys: pytest.CaptureFixture[str]) -> None:
    doctor()
    lines = capsys.readouterr().out.splitlines()
    assert {line.split()[0] for line in lines} <= set(State)
