"""The tutorials and the guides are typed as a reader types them, and print what they show."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.data import DOCS, ROOT
from tests.patience import PATIENCE

QUICK = {"first-match", "adjust-a-game"}

TUTORIALS = [
    pytest.param(
        path,
        id=path.stem,
        marks=pytest.mark.slow if path.stem in QUICK else pytest.mark.weekly(part="tutorials"),
    )
    for path in sorted([*DOCS.glob("tutorials/*.md"), *DOCS.glob("how-to/*.md")])
    if path.name != "index.md"
]

NO_REGISTRY = re.compile(r"ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|ENETUNREACH|ENOTCACHED")

_BLOCK = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.DOTALL | re.MULTILINE)
_SAVE = re.compile(r"Save this as\s+`([^`]+)`:\s*\Z")
_PORT = re.compile(r"(127\.0\.0\.1:|--port )(\d{4,5})\b")


@dataclass(slots=True)
class Step:
    """A file to save, or a command to type with the output that is shown."""

    command: str = ""
    shown: list[str] = field(default_factory=list)
    file: str = ""
    text: str = ""


def steps(document: str) -> list[Step]:
    """Return what a tutorial has its reader do, in order."""
    found: list[Step] = []
    for block in _BLOCK.finditer(document):
        indent, language, text = block.groups()
        lines = [line.removeprefix(indent) for line in text.splitlines()]
        save = _SAVE.search(document[: block.start()])
        if save:
            found.append(Step(file=save[1], text="\n".join(lines) + "\n"))
        elif language == "console":
            for line in lines:
                if line.startswith("$ "):
                    found.append(Step(command=line[2:]))
                elif line.startswith("> "):
                    found[-1].command += "\n" + line[2:]
                else:
                    found[-1].shown.append(line)
    return found


def agrees(shown: list[str], printed: str) -> bool:
    """Whether a command printed what is shown.

    `...` stands for anything, alone on a line for any lines. Blanks and line ends do not count, as
    a terminal of another width has others.
    """
    parts = [" ".join(part.split()) for part in " ".join(shown).split("...")]
    pattern = r"\s*.*?\s*".join(map(re.escape, parts))
    return re.fullmatch(pattern, " ".join(printed.split()), re.DOTALL) is not None


def free_port() -> str:
    with socket.socket() as opened:
        opened.bind(("127.0.0.1", 0))
        return str(opened.getsockname()[1])


class Shell:
    """One shell in one folder, which keeps variables, and is asked for one command at a time."""

    def __init__(self, folder: Path, tools: Path) -> None:
        self.folder = folder
        self._output = folder.parent / "output"
        self._ports: dict[str, str] = {}
        kept = {name: text for name, text in os.environ.items() if not name.startswith("ARENA_")}
        paths = [str(tools), str(Path(sys.executable).parent), kept["PATH"]]
        self._process = subprocess.Popen(
            ["bash", "--norc"],
            cwd=folder,
            env={
                **kept,
                "PATH": os.pathsep.join(paths),
                "PYTHONPATH": str(ROOT),
                "ARENA_CACHE": "",
                "ARENA_PROGRESS": "0",
                "COLUMNS": "80",
                "NPM_CONFIG_FUND": "false",
                "NPM_CONFIG_AUDIT": "false",
            },
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )

    def type(self, command: str) -> tuple[int, str]:
        """The exit status of a command, and all that it printed."""
        command = _PORT.sub(lambda found: found[1] + self._port(found[2]), command)
        done = self.folder.parent / "done"
        done.unlink(missing_ok=True)
        self._output.write_text("")
        output = shlex.quote(str(self._output))
        # Whole when it is there.
        told = f"echo $? > {shlex.quote(f'{done}.new')}; mv {shlex.quote(f'{done}.new')} "
        typed = f"{{ {command}\n}} > {output} 2>&1 < /dev/null\n{told}{shlex.quote(str(done))}\n"
        assert self._process.stdin is not None
        self._process.stdin.write(typed)
        self._process.stdin.flush()
        end = time.monotonic() + 2 * PATIENCE
        while not done.exists():
            assert self._process.poll() is None, f"the shell ended: {command}"
            assert time.monotonic() < end, f"not in time: {command}\n{self._output.read_text()}"
            time.sleep(0.05)
        printed = self._output.read_text(errors="replace")
        for shown, taken in self._ports.items():
            printed = printed.replace(taken, shown)
        return int(done.read_text()), printed

    def _port(self, shown: str) -> str:
        return self._ports.setdefault(shown, free_port())

    def end(self) -> None:
        """End the shell, and what it has left running."""
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        if self._process.stdin is not None:
            self._process.stdin.close()


@contextmanager
def shell(place: Path) -> Iterator[Shell]:
    folder, tools = place / "work", place / "tools"
    folder.mkdir()
    tools.mkdir()
    for name, arguments in (("arena", "-m bridge_arena.commands.main"), ("python", "")):
        tool = tools / name
        tool.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {arguments} "$@"\n')
        tool.chmod(0o755)
    # Where a tutorial copies an example from.
    (folder / "bridge-arena").mkdir()
    shutil.copytree(
        DOCS / "examples",
        folder / "bridge-arena" / "docs" / "examples",
        ignore=shutil.ignore_patterns("node_modules"),
    )
    opened = Shell(folder, tools)
    try:
        yield opened
    finally:
        opened.end()


@pytest.mark.parametrize("tutorial", TUTORIALS)
def test_a_tutorial_does_what_it_shows(tutorial: Path, tmp_path: Path) -> None:
    todo = steps(tutorial.read_text(encoding="utf-8"))
    assert any(step.command for step in todo)
    if any(step.command.startswith("npm ") for step in todo) and shutil.which("npm") is None:
        pytest.skip("there is no Node with npm here")
    if any(step.command.startswith("arena train") for step in todo):
        pytest.importorskip("numba")
    with shell(tmp_path) as opened:
        for step in todo:
            if step.file:
                path = opened.folder / step.file
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(step.text, encoding="utf-8")
            else:
                status, printed = opened.type(step.command)
                if step.command.startswith("npm") and NO_REGISTRY.search(printed):
                    pytest.skip("npm cannot reach its registry")
                told = f"{tutorial.name}: $ {step.command}\n{printed}"
                assert status == 0, told
                if not step.command.endswith("&"):
                    assert agrees(step.shown, printed), told


class TestSteps:
    def test_blocks_become_files_and_commands(self) -> None:
        saved = "Save this as `a.txt`:\n\n```text\none\n```\n"
        document = f"{saved}\n```console\n$ cat a.txt\none\n$ ls &\n```\n"
        assert steps(document) == [
            Step(file="a.txt", text="one\n"),
            Step(command="cat a.txt", shown=["one"]),
            Step(command="ls &"),
        ]

    @pytest.mark.parametrize(
        ("shown", "printed", "expected"),
        [
            (["a", "b"], "a\nb\n", True),
            (["a b"], "a\nb\n", True),
            (["a ... c"], "a b c\n", True),
            (["a", "...", "c"], "a\nb\nb\nc\n", True),
            (["a", "..."], "b\na\n", False),
            (["a"], "a\nb\n", False),
            ([], "", True),
            ([], "a\n", False),
        ],
    )
    def test_what_is_printed_agrees_with_what_is_shown(
        self, shown: list[str], printed: str, *, expected: bool
    ) -> None:
        assert agrees(shown, printed) == expected
