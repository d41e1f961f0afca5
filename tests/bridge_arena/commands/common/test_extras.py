"""Tests of what is told to whoever misses a module."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bridge_arena.commands.common.extras import extra_of, missing


@pytest.mark.parametrize(
    ("module", "extra"),
    [
        ("numpy.linalg", "report"),
        ("prometheus_client", "arena"),
        ("numba", "train"),  # dev has it too
        ("pytorch_optimizer", "train"),
        ("distributed", "cluster"),
        ("websockets", None),
        ("nothing_like_that", None),
    ],
)
def test_extra_that_brings_a_module(module: str, extra: str | None) -> None:
    assert extra_of(module) == extra


def test_what_no_extra_brings_is_not_told() -> None:
    assert missing("match", "arena", "nothing_like_that") is None


def test_installed_from_an_index(tmp_path: Path) -> None:
    assert missing("match", "arena", "numpy", tmp_path) == (
        "match takes the extra arena (numpy is not installed): pip install 'bridge-arena[arena]'"
    )


def test_installed_from_a_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "a checkout"
    root.mkdir()
    (root / "pyproject.toml").touch()
    head = "train takes the extra train (torch is not installed): "
    # Into an environment of its own.
    pip = f"{sys.executable} -m pip install --config-settings editable_mode=compat"
    assert missing("train", "train", "torch", root) == f"{head}{pip} -e '{root}[train]'"
    # By ./dev.
    monkeypatch.setattr(sys, "prefix", str(root / ".venv"))
    assert missing("train", "train", "torch", root) == f"{head}'{root}/dev' --with train"
    monkeypatch.chdir(root)
    assert missing("train", "train", "torch", root) == f"{head}./dev --with train"
