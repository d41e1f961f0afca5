"""Where the arena keeps what it can make again."""

from __future__ import annotations

from pathlib import Path

import pytest

from bridge_arena.base.cache_folder import CACHE, cache_folder


@pytest.fixture(autouse=True)
def _home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(CACHE, raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", "/home/anna")


def test_the_cache_folder_is_in_the_users_home() -> None:
    assert cache_folder() == Path("/home/anna/.cache/bridge-arena")


def test_the_cache_folder_is_where_the_user_keeps_caches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/scratch/anna")
    assert cache_folder() == Path("/scratch/anna/bridge-arena")


def test_a_relative_folder_of_caches_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "scratch")
    assert cache_folder() == Path("/home/anna/.cache/bridge-arena")


def test_the_arenas_own_variable_goes_first(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", "/scratch/anna")
    monkeypatch.setenv(CACHE, "kept")
    assert cache_folder() == tmp_path / "kept"


def test_an_empty_variable_switches_the_cache_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE, "")
    assert cache_folder() is None


def test_a_user_without_a_home_has_no_cache_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", no_home)
    assert cache_folder() is None
