"""Tests of the message for a missing module."""

from __future__ import annotations

import re
import shlex
import sys
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import pytest

from bridge_arena.base import extras
from bridge_arena.base.extras import extra_of, installing, missing, missing_from, needing


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
def test_the_extra_that_brings_a_module_is_known(module: str, extra: str | None) -> None:
    assert extra_of(module) == extra


def test_what_no_extra_brings_is_not_told() -> None:
    assert missing("match", "arena", "nothing_like_that") is None


def test_a_missing_module_is_told_with_what_installs_it() -> None:
    head = "train needs the extra train (torch is not installed): "
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


@pytest.mark.parametrize(("python", "solvers"), [((3, 13), {"endplay"}), ((3, 14), set())])
def test_an_extra_lacks_only_what_this_python_needs(
    python: tuple[int, int], solvers: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Endplay has no wheels for Python 3.14."""

    def nothing_is_installed(name: str) -> None:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(extras, "distribution", nothing_is_installed)
    monkeypatch.setattr(sys, "version_info", (*python, 0))
    lacking = missing_from("arena")
    assert "numpy" in lacking
    assert {"endplay"}.intersection(lacking) == solvers


def test_markers_of_the_extras_are_understood() -> None:
    for need in requires("bridge-arena") or ():
        markers = need.partition(";")[2]
        if not re.search(r"""extra == ['"]dev['"]""", markers):
            known = r"""python_version < ['"]3\.\d+['"]|extra == ['"]\w+['"]"""
            assert not re.sub(known, "", markers).replace(" and ", "").strip(), need
