"""Tests of what is installed: by the wheel, by the sdist, and in place of an author's checkout.

An author's folder has modules of the names of our rooms, and a bot that imports ours.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from pathlib import Path
from zipfile import ZipFile

import pytest

weekly = pytest.mark.weekly(part="packages")

ROOT = Path(__file__).parents[2]

BOT = """\
import bots.mine
import bridge
import protocol
import server
from bridge_arena.bots.sdk.client import Bot, run
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Card
from bridge_arena.protocol.view import View


class MyBot(Bot):
    def call(self, view: View) -> Call:
        return view.legal_calls()[0]

    def play(self, view: View) -> Card:
        return min(view.legal_cards(), key=lambda card: card.rank)


if __name__ == "__main__":
    assert bots.mine.WHOSE == bridge.WHOSE == protocol.WHOSE == server.WHOSE == "the author's"
    run(MyBot)
"""

WRONG = """\
from bridge_arena.bridge.cards import Card


def rank(card: Card) -> str:
    return card.rank
"""
"""A program with an error that a type checker finds only with our types."""


def told(*command: str | Path, cwd: Path | None = None, status: int = 0) -> str:
    """Return what a command prints on both outputs; it must end with this status."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    ended = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env=environment | {"PIP_DISABLE_PIP_VERSION_CHECK": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert ended.returncode == status, ended.stdout
    return ended.stdout


def environment(folder: Path, *needs: str | Path) -> Path:
    """The Python of a new environment with what pip is told to install. Skips the test where
    no package index can be reached."""
    told(sys.executable, "-m", "venv", folder)
    python = folder / "bin/python"
    try:
        told(python, "-m", "pip", "install", "--quiet", "--retries", "1", *needs)
    except AssertionError as error:
        if "Could not find a version" in str(error):
            pytest.skip("no package index can be reached")
        raise
    return python


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the files that git tracks, links as links, and nothing else."""
    folder = tmp_path_factory.mktemp("checkout")
    for name in told("git", "ls-files", cwd=ROOT).splitlines():
        if (ROOT / name).exists():  # or it is being deleted
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name, follow_symlinks=False)
    return folder


@pytest.fixture(scope="module")
def builder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment that builds."""
    return environment(tmp_path_factory.mktemp("builder"), "setuptools>=77")


def built(builder: Path, source: Path, what: str) -> Path:
    """A wheel or an sdist, by what pip calls for one."""
    out = source / "build" / "out"
    code = f"from setuptools.build_meta import build_{what} as build; build({str(out)!r})"
    told(builder, "-c", code, cwd=source)
    (found,) = out.glob({"wheel": "*.whl", "sdist": "*.tar.gz"}[what])
    return found


@pytest.fixture(scope="module")
def wheel(checkout: Path, builder: Path) -> Path:
    return built(builder, checkout, "wheel")


def contents(wheel: Path) -> dict[str, int]:
    """The files of a wheel with their checksums."""
    with ZipFile(wheel) as archive:
        names = archive.namelist()
        assert len(names) == len(set(names))
        return {each.filename: each.CRC for each in archive.infolist()}


def shipped(checkout: Path) -> set[str]:
    """Return what a wheel of a checkout should hold: bridge_arena/, with each link the folder it
    leads to."""
    return {
        str(Path(folder, name).relative_to(checkout))
        for folder, _, names in os.walk(checkout / "bridge_arena", followlinks=True)
        for name in names
    }


@pytest.mark.slow
def test_wheel_holds_each_tracked_file_of_the_rooms_and_nothing_else(
    checkout: Path, wheel: Path
) -> None:
    files = {name for name in contents(wheel) if ".dist-info/" not in name}
    assert files == shipped(checkout)
    assert "bridge_arena/py.typed" in files
    links = [each.name for each in (checkout / "bridge_arena").iterdir() if each.is_symlink()]
    assert {each.split("/")[1] for each in files} >= {*links, "commands"}


@weekly
def test_sdist_builds_the_same_wheel(
    checkout: Path, builder: Path, wheel: Path, tmp_path: Path
) -> None:
    with tarfile.open(built(builder, checkout, "sdist")) as archive:
        archive.extractall(tmp_path, filter="data")
    (source,) = tmp_path.iterdir()
    again = contents(built(builder, source, "wheel"))
    assert again == contents(wheel)


@weekly
def test_an_index_would_take_wheel_and_sdist(checkout: Path, builder: Path, wheel: Path) -> None:
    sdist = built(builder, checkout, "sdist")
    told(builder, "-m", "pip", "install", "--quiet", "twine>=6.2")
    told(builder, "-m", "twine", "check", "--strict", wheel, sdist)


@pytest.fixture(scope="module", params=["wheel", "editable"])
def installed(
    request: pytest.FixtureRequest,
    checkout: Path,
    wheel: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    """The Python of an environment of a bot's author: the bare install, and a type checker."""
    here: dict[str, list[str | Path]] = {
        "wheel": [wheel],
        "editable": ["--config-settings", "editable_mode=compat", "-e", checkout],
    }
    return environment(tmp_path_factory.mktemp("author"), *here[request.param], "mypy", "pyright")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An author's own folder."""
    (tmp_path / "bots").mkdir()
    for name in ("bots/mine.py", "bridge.py", "protocol.py", "server.py"):
        (tmp_path / name).write_text('WHOSE = "the author\'s"\n')
    (tmp_path / "bots/__init__.py").touch()
    (tmp_path / "my_bot.py").write_text(BOT)
    (tmp_path / "wrong.py").write_text(WRONG)
    return tmp_path


@weekly
def test_arena_of_the_bare_install_says_what_is_missing(installed: Path) -> None:
    arena = installed.parent / "arena"
    assert "  match " in told(arena, "--help")
    line = told(arena, "match", "random", "random", status=2)
    assert line.startswith("arena: match needs the extra arena (typer is not installed): ")
    assert line.count("\n") == 1


@weekly
def test_bot_plays_in_a_folder_with_modules_of_our_names(installed: Path, folder: Path) -> None:
    match: Sequence[str | Path] = (
        *(sys.executable, "-m", "bridge_arena.commands.main", "match"),
        *(f"mine=cmd:{installed} my_bot.py", "random", "--boards", "1", "--out", folder / "out"),
    )
    told(*match, cwd=folder)
    assert '[Contract "' in (folder / "out/match.pbn").read_text()


@weekly
def test_mypy_finds_the_types(installed: Path, folder: Path) -> None:
    told(installed, "-m", "mypy", "--strict", "my_bot.py", cwd=folder)
    wrong = told(installed, "-m", "mypy", "--strict", "wrong.py", cwd=folder, status=1)
    assert 'Incompatible return value type (got "Rank", expected "str")' in wrong


@weekly
def test_pyright_finds_the_types(installed: Path, folder: Path) -> None:
    pyright = (installed, "-m", "pyright", "--pythonpath", installed)
    try:
        told(*pyright, "--version")  # it fetches itself by npm
    except AssertionError:
        pytest.skip("pyright cannot be fetched")
    told(*pyright, "my_bot.py", cwd=folder)
    wrong = told(*pyright, "wrong.py", cwd=folder, status=1)
    assert 'Type "Rank" is not assignable to return type "str"' in wrong
