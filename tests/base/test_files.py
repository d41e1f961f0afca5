"""Files that are written whole or not at all, and the folder of caches."""

from __future__ import annotations

import errno
import stat
from pathlib import Path

import pytest

from bridge_arena.base.files import (
    CACHE,
    cache_folder,
    held,
    is_held,
    replace_file,
    replacing,
)


def test_a_file_is_made_and_replaced(tmp_path: Path) -> None:
    path = tmp_path / "some"
    for data in (b"one", b"another"):
        replace_file(path, data)
        assert path.read_bytes() == data
        assert list(tmp_path.iterdir()) == [path]


def test_a_file_is_not_there_before_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "some"
    with replacing(path) as unfinished:
        unfinished.write_bytes(b"half")
        assert not path.exists()
        assert unfinished.parent == tmp_path, "on the same disk, or it could not take the place"
        unfinished.write_bytes(b"whole")
    assert path.read_bytes() == b"whole"


def test_whether_a_lock_is_held_is_known_without_holding_it(tmp_path: Path) -> None:
    lock = tmp_path / ".lock"
    assert not is_held(lock)
    assert not lock.exists()
    with held(lock, "it"):
        assert is_held(lock)
        assert is_held(lock)
    lock.touch()  # as a process that was killed left it
    assert not is_held(lock)
    with held(lock, "it"):
        pass


@pytest.mark.parametrize("error", [ValueError("bad"), KeyboardInterrupt()])
def test_a_write_that_fails_leaves_the_file_that_was_there(
    tmp_path: Path, error: BaseException
) -> None:
    path = tmp_path / "some"
    path.write_bytes(b"before")

    def fail() -> None:
        with replacing(path) as unfinished:
            unfinished.write_bytes(b"half")
            raise error

    with pytest.raises(type(error)):
        fail()
    assert list(tmp_path.iterdir()) == [path]
    assert path.read_bytes() == b"before"


def test_only_its_owner_may_read_a_private_file(tmp_path: Path) -> None:
    path = tmp_path / "some"
    # As a process that was killed left it, for everybody's eyes.
    left = tmp_path / ".some.new"
    left.touch()
    left.chmod(0o666)
    with replacing(path, is_private=True) as unfinished:
        assert stat.S_IMODE(unfinished.stat().st_mode) == 0o600
        unfinished.write_bytes(b"secret")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_error_of_a_write_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "nowhere" / "some"
    with pytest.raises(FileNotFoundError) as failed:
        replace_file(path, b"data")
    assert failed.value.filename == str(path)
    path = tmp_path / "some"
    with pytest.raises(OSError, match="No space") as full, replacing(path):
        raise OSError(errno.ENOSPC, "No space left on device")
    assert full.value.filename == str(path)


def test_an_error_about_another_file_is_let_alone(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as failed, replacing(tmp_path / "some"):
        (tmp_path / "source").read_bytes()
    assert failed.value.filename == str(tmp_path / "source")


def test_a_full_disk_leaves_the_file_as_it_was_and_is_told_of_it(tmp_path: Path) -> None:
    path = tmp_path / "some"
    path.write_text("before")
    (tmp_path / ".some.new").symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space") as full, replacing(path) as place:
        place.write_text("after")
    assert full.value.filename == str(path)
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


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
