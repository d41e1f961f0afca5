"""Limits, where control groups can be made and where not."""

from __future__ import annotations

import os
import resource
from pathlib import Path

import pytest

from bridge_arena.server.sandbox import resource_limits as limits
from bridge_arena.server.sandbox.resource_limits import (
    MEMORY,
    PROCESSES,
    SIGNALS,
    limit_processes,
    new_group,
)


class Tree:
    """Folders as the kernel has them for control groups, but that a group which is made has
    the files of `controllers` from the start."""

    def __init__(
        self, root: Path, monkeypatch: pytest.MonkeyPatch, membership: str, *controllers: str
    ) -> None:
        self.root = root
        (root / "membership").write_text(membership)
        monkeypatch.setattr(limits, "_ROOT", root)
        monkeypatch.setattr(limits, "_MEMBERSHIP", root / "membership")
        mkdir = Path.mkdir

        def make(path: Path) -> None:
            mkdir(path)
            for name in controllers:
                if name.startswith((path.parent.parent.name, path.parent.name, "*")):
                    (path / name.partition(":")[2]).write_text("max")

        monkeypatch.setattr(Path, "mkdir", make)

    def groups(self) -> list[Path]:
        return list(self.root.rglob("arena-*"))


def test_one_control_group_of_version_2_limits_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "user" / "me").mkdir(parents=True)
    (tmp_path / "cgroup.controllers").write_text("memory pids")
    files = ("*:memory.max", "*:memory.swap.max", "*:pids.max")
    tree = Tree(tmp_path, monkeypatch, "0::/user/me\n", *files)
    group = new_group()
    assert group is not None
    (folder,) = tree.groups()
    assert folder.parent == tmp_path / "user" / "me"
    assert (folder / "memory.max").read_text() == str(MEMORY)
    assert (folder / "memory.swap.max").read_text() == "0"
    assert (folder / "pids.max").read_text() == str(PROCESSES)
    assert group.entrances == [folder / "cgroup.procs"]


def test_each_limit_has_a_tree_in_control_groups_of_version_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place in ("memory/mine", "pids"):
        (tmp_path / place).mkdir(parents=True)
    membership = "8:pids:/\n4:memory:/mine\n0::/\n"
    files = ("memory:memory.limit_in_bytes", "pids:pids.max")
    tree = Tree(tmp_path, monkeypatch, membership, *files)
    assert new_group() is not None
    by_memory, by_number = sorted(tree.groups())
    assert by_memory.parent == tmp_path / "memory" / "mine"
    assert (by_memory / "memory.limit_in_bytes").read_text() == str(MEMORY)
    assert by_number.parent == tmp_path / "pids"
    assert (by_number / "pids.max").read_text() == str(PROCESSES)


@pytest.mark.parametrize("files", [(), ("*:memory.max",), ("*:pids.max",)])
def test_a_control_group_that_cannot_limit_all_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: tuple[str, ...]
) -> None:
    (tmp_path / "cgroup.controllers").write_text("")
    (tmp_path / "me").mkdir()
    tree = Tree(tmp_path, monkeypatch, "0::/me\n", *files)
    monkeypatch.setattr(Path, "rmdir", _remove_with_files)  # as the kernel does
    assert new_group() is None
    assert tree.groups() == []


def _remove_with_files(path: Path) -> None:
    for inside in path.iterdir():
        inside.unlink()
    os.rmdir(path)  # noqa: PTH106 (Path.rmdir is this)


def test_there_is_no_control_group_where_none_can_be_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Tree(tmp_path, monkeypatch, "0::/not/there\n")
    (tmp_path / "cgroup.controllers").write_text("")
    assert new_group() is None


def test_without_a_group_each_process_is_limited() -> None:
    alone, together = limit_processes(in_group=False), limit_processes(in_group=True)
    assert alone[0] == together[0] == "prlimit"
    assert [word.partition("=")[0] for word in alone if word not in together] == [
        "--data",
        "--nproc",
    ]


@pytest.mark.parametrize("in_group", [True, False])
def test_no_program_can_use_up_what_all_of_a_user_share(*, in_group: bool) -> None:
    words = limit_processes(in_group=in_group)
    assert {"--memlock=0", "--msgqueue=0"} < set(words)
    (signals,) = (word for word in words if word.startswith("--sigpending="))
    assert int(signals.partition("=")[2]) <= SIGNALS


def test_no_limit_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (64, 64))
    assert "--nofile=64" in limit_processes(in_group=True)
