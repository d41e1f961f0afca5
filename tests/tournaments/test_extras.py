"""Who runs a command without its extra is told what installs it."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from bridge_arena.tournaments.extras import EXTRAS, missing_extra
from tests.end_to_end.arena import ROOT


def missing(module: str) -> ModuleNotFoundError:
    return ModuleNotFoundError(f"No module named {module!r}", name=module)


def test_every_module_of_an_extra_is_known() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = {
        re.split(r"[^\w-]", requirement)[0].replace("-", "_"): extra
        for extra, requirements in project["optional-dependencies"].items()
        if extra != "dev"
        for requirement in requirements
    }
    assert extras == EXTRAS


def test_from_an_index(tmp_path: Path) -> None:
    expected = "torch is not installed, of the extra train: pip install 'bridge-arena[train]'"
    assert missing_extra(missing("torch.nn"), tmp_path) == expected


def test_in_a_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "a checkout"
    root.mkdir()
    (root / "pyproject.toml").touch()
    head = "distributed is not installed, of the extra cluster: "
    # With an environment of its own.
    told = missing_extra(missing("distributed"), root)
    assert told == f"{head}{sys.executable} -m pip install -e '{root}[cluster]'"
    # With that of ./dev.
    monkeypatch.setattr(sys, "prefix", str(root / ".venv"))
    told = missing_extra(missing("distributed"), root)
    assert told == f"{head}'{root}/dev' pip install -e '{root}[cluster]'"
    monkeypatch.chdir(root)
    told = missing_extra(missing("distributed"), root)
    assert told == f"{head}./dev pip install -e '.[cluster]'"


@pytest.mark.parametrize("name", ["nothing_like_that", "torchvision", None])
def test_what_is_of_no_extra(name: str | None) -> None:
    assert missing_extra(ModuleNotFoundError("No module", name=name)) is None


@pytest.mark.parametrize(
    ("module", "command"),
    [
        ("torch", "train dqn --out out"),
        ("distributed", "train deals 9 --out deals --seed 1 --dask tcp://127.0.0.1:9"),
        ("distributed", "tournament event.toml --out out --dask tcp://127.0.0.1:9"),
        ("pg8000", "tournament event.toml --out out --store postgresql+pg8000://nobody@/none"),
    ],
)
def test_every_command_says_it(tmp_path: Path, module: str, command: str) -> None:
    (tmp_path / "event.toml").write_text(
        "[event]\nname = 'Cup'\nformat = 'match'\nboards = 1\nseed = 1\n"
        "[[entry]]\nbot = 'random'\n[[entry]]\nbot = 'random'\n"
    )
    program = f"""
import sys
sys.modules[{module!r}] = None  # as if it were not installed
from bridge_arena.commands.main import main
sys.argv[1:] = {command.split()!r}
main()
"""
    ended = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 2
    lines = ended.stderr.splitlines()
    assert len(lines) == 1, ended.stderr
    assert f"{module} is not installed, of the extra {EXTRAS[module]}: " in lines[0]
    assert lines[0].endswith(f"[{EXTRAS[module]}]'")
    assert not (tmp_path / "out").exists()
