"""The same rows in every format, the kinds of their cells kept."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from bridge_arena.recorded.frames import Cell, Columns, Format, open_frame

COLUMNS: Columns = {"name": str, "n": int, "mean": float}

ROWS: list[dict[str, Cell]] = [
    {"name": 'Ann "A", Bo\né', "n": 3, "mean": -0.5},
    {"name": "", "mean": 2.0},
    {"n": 0},
]

WHOLE: list[dict[str, Cell]] = [{name: row.get(name) for name in COLUMNS} for row in ROWS]


def written(path: Path, kind: Format, rows: list[dict[str, Cell]]) -> Path:
    with open_frame(path, COLUMNS, kind) as frame:
        for row in rows:
            frame(row)
    return path


def test_frames_are_written_as_csv(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", Format.CSV, ROWS)
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    assert rows == [[*COLUMNS], ['Ann "A", Bo\né', "3", "-0.5"], ["", "", "2.0"], ["", "0", ""]]


def test_names_are_no_formulas_in_csv(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", Format.CSV, [{"name": "=1+1", "n": -3, "mean": -0.5}])
    assert path.read_text().splitlines()[1] == "'=1+1,-3,-0.5"


@pytest.mark.parametrize("count", [0, 1, 3])
def test_frames_are_written_as_json(tmp_path: Path, count: int) -> None:
    path = written(tmp_path / "a.json", Format.JSON, ROWS[:count])
    assert json.loads(path.read_text(encoding="utf-8")) == WHOLE[:count]


@pytest.mark.parametrize("times", [0, 1, 4000])
def test_frames_are_written_as_parquet(tmp_path: Path, times: int) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    path = written(tmp_path / "a.parquet", Format.PARQUET, ROWS * times)
    table = parquet.read_table(path)
    assert [str(field.type) for field in table.schema] == ["string", "int64", "double"]
    assert table.to_pylist() == WHOLE * times


def test_numbers_that_json_does_not_have_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        written(tmp_path / "a.json", Format.JSON, [{"mean": float("nan")}])
