"""`arena check-tables`: what it says of good and bad tables."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import pytest

from bridge_arena.bots.natural.system import TABLES
from bridge_arena.commands.main import DONE, FAILED, UNUSABLE, run


def test_the_tables_that_ship_are_good(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check-tables"]) == DONE
    lines = capsys.readouterr().out.splitlines()
    assert lines == [*(f"natural/{name}.txt: good" for name in TABLES), "qtable/openings.txt: good"]


def test_every_mistake_of_every_file_is_told(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    mine, openings, good, odd = (
        tmp_path / name for name in ("mine.txt", "openings.txt", "good.txt", "odd.txt")
    )
    mine.write_text("@ 1M\n2M | M3+ | raise\n3M | strong | raise\n4M | M14+ | raise [gme]\n")
    shipped = resources.files("bridge_arena.bots.qtable").joinpath("tables", "openings.txt")
    openings.write_text(shipped.read_text(encoding="utf-8").replace("\t3S", "\t3Q", 1))
    good.write_text("@ 1M\n2M | M3+ | raise\n")
    odd.write_bytes(b"@ 1M\n2M | M3+ | rais\xe9\n")
    assert run(["check-tables", *map(str, (mine, openings, good, odd))]) == FAILED
    told = capsys.readouterr()
    assert told.out.splitlines() == [
        f"{mine}:3: 'strong' is not a term",
        f"{mine}:4: 'M14+' is not a term: 14+ is no range of numbers up to 13",
        f"{openings}, line 8, column 4: '3Q' is not P or a bid from 1C to 3N",
        f"{good}: good",
        f"{odd}:2: the text is not UTF-8",
    ]
    assert told.err == "arena: 4 mistakes in bidding tables\n"


def test_a_file_of_tables_that_is_not_there_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check-tables", "nowhere.txt"]) == UNUSABLE
    assert capsys.readouterr().err == "arena: cannot read nowhere.txt: No such file or directory\n"
