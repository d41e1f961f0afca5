"""Tests of the message for a missing module."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from bridge_arena.base.extras import extra_of, installing, missing, needing


@pytest.mark.parametrize(
    ("module", "extra"),
    [
        ("numpy.linalg", "report"),
        ("prometheus_client", "arena"),
        ("numba", "train"),  # dev has it too
        ("pytorch_optimizer", "train"),
        ("distributed", "cluster"),
        ("httpx", "http"),
        ("websockets", None),
        ("nothing_like_that", None),
    ],
)
def test_extra_that_brings_a_module(module: str, extra: str | None) -> None:
    assert extra_of(module) == extra


def test_what_no_extra_brings_is_not_told() -> None:
    assert missing("match", "arena", "nothing_like_that") is None


def test_a_missing_module_is_told_with_what_installs_it() -> None:
    head = "train takes the extra train (torch is not installed): "
    assert missing("train", "arena", "torch") == head + installing("train")


def test_a_module_that_a_block_imports_is_told_the_same_way() -> None:
    def importing(name: str) -> None:
        with needing("a room", "train"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    with pytest.raises(ModuleNotFoundError) as told:
        importing("torch")
    assert str(told.value) == missing("a room", "train", "torch")
    assert told.value.name == "torch"
    with pytest.raises(ModuleNotFoundError, match="No module named 'nothing_like_that'"):
        importing("nothing_like_that")


@pytest.mark.parametrize(
    ("origin", "wanted"),
    [
        ("", "'bridge-arena[arena]'"),  # an index
        ("file:///a/wheel.whl", "'bridge-arena[arena] @ file:///a/wheel.whl'"),
    ],
)
def test_a_package_is_installed_from_where_it_was(origin: str, wanted: str, tmp_path: Path) -> None:
    told = installing("arena", tmp_path, origin)
    assert told == f"{shlex.quote(sys.executable)} -m pip install {wanted}"


def test_a_checkout_is_installed_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "a checkout"
    root.mkdir()
    (root / "pyproject.toml").touch()
    # Into an environment of its own.
    pip = f"{shlex.quote(sys.executable)} -m pip install --config-settings editable_mode=compat"
    assert installing("train", root) == f"{pip} -e '{root}[train]'"
    # By ./dev.
    monkeypatch.setattr(sys, "prefix", str(root / ".venv"))
    assert installing("train", root) == f"'{root}/dev' --with train"
    monkeypatch.chdir(root)
    assert installing("train", root) == "./dev --with train"
