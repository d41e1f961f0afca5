"""Datasets written and read back."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import BoardRecord, MadeCall, Room
from bridge_arena.oracle.solved_deals import Heading, SolvedDeals, write
from bridge_arena.recorded.datasets.rows import (
    MEANINGS,
    Kind,
    Row,
    Split,
    columns,
    deal_rows,
    split_of,
    table_row,
)
from bridge_arena.recorded.datasets.writing import Facts, write_dataset
from bridge_arena.tournaments.play.in_process import play_match
from tests.envs.boards import solved
from tests.late_imports import late_imports

with late_imports("pyarrow"):
    import pyarrow as pa
    from pyarrow import parquet

    from bridge_arena.recorded.datasets import reading
    from bridge_arena.recorded.datasets.reading import read_deals, read_tables


def facts(kind: Kind, title: str = "A dataset") -> Facts:
    return Facts(kind, title, "cc0-1.0", ["here"], "a test", ["A note."])


def dataset_of_deals(folder: Path, number: int = 60) -> SolvedDeals:
    deals = solved(number)
    path = folder / "a.deals"
    write(path, Heading(seed=2**63, first=5, number=number // 2, layouts=2, solver="none"), deals)
    write_dataset(folder / "set", facts(Kind.DEALS), deal_rows([path]))
    return deals


def dataset_of_tables(folder: Path) -> list[BoardRecord]:
    records = list(play_match("baseline", "random", 20, seed=3).records)
    records[0] = replace(records[0], event='A "cup"', round=1, table=2, date="2026.01.02")
    board = records[0].board
    opened = MadeCall(Call("1NT"), alert=True, explanation=Explanation("weak", hcp=(12, 14)))
    records.append(BoardRecord(board, ("a", "b", "c", "d"), (opened,), room=Room.OPEN))
    records.append(BoardRecord(board, ("é", "b", "c", ""), (MadeCall(Call("Pass")),) * 4, score=0))
    write_dataset(folder / "set", facts(Kind.TABLES), map(table_row, records))
    return records


def test_deals_come_back(tmp_path: Path) -> None:
    deals = dataset_of_deals(tmp_path)
    found = {split: read_deals(tmp_path / "set", split) for split in Split}
    assert sum(map(len, found.values())) == len(deals)
    for split, part in found.items():
        places = [n for n in range(len(deals)) if split_of(deals.deal(n)) is split]
        assert np.array_equal(part.seats, deals.seats[places])
        assert np.array_equal(part.tricks, deals.tricks[places])


def test_played_boards_come_back(tmp_path: Path) -> None:
    records = [
        replace(record, faults=(), questions=(), thoughts=(), times=(), match_seconds=())
        for record in dataset_of_tables(tmp_path)
    ]
    for split in Split:
        expected = [record for record in records if split_of(record.board.deal) is split]
        assert list(read_tables(tmp_path / "set", split)) == expected


def test_a_dataset_may_be_in_a_folder_whose_name_is_not_utf_8(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    records = dataset_of_tables(folder)
    found = [record for split in Split for record in read_tables(folder / "set", split)]
    assert len(found) == len(records)


def test_each_deal_tells_where_it_comes_from(tmp_path: Path) -> None:
    dataset_of_deals(tmp_path)
    told = [row.cells for row in deal_rows([tmp_path / "a.deals"])]
    assert {cells["seed"] for cells in told} == {str(2**63)}
    numbers = [(cells["number"], cells["layout"]) for cells in told]
    assert numbers == [(number, layout) for number in range(5, 35) for layout in (0, 1)]


def test_no_deal_is_in_two_splits(tmp_path: Path) -> None:
    dataset_of_tables(tmp_path)
    boards = [{each.board for each in read_tables(tmp_path / "set", split)} for split in Split]
    assert sum(map(len, boards)) == len(set().union(*boards)) == 20


@pytest.mark.parametrize("kind", Kind)
def test_the_card_tells_all_columns_and_rows(tmp_path: Path, kind: Kind) -> None:
    (dataset_of_deals if kind is Kind.DEALS else dataset_of_tables)(tmp_path)
    folder = tmp_path / "set"
    card = (folder / "README.md").read_text()
    head, yaml, body = card.split("---\n", 2)
    assert head == ""
    assert 'license: "cc0-1.0"' in yaml.splitlines()
    for split in Split:
        table = parquet.read_table(folder / "data" / f"{split}.parquet")
        assert f"| {split} | {len(table)} | `data/{split}.parquet` |" in body.splitlines()
        assert f"  - {{split: {split}, path: data/{split}.parquet}}" in yaml.splitlines()
        assert table.column_names == list(MEANINGS[kind])
    for name, meaning in MEANINGS[kind].items():
        assert f"| `{name}` | {meaning} |" in body.splitlines()
    assert "A note." in body


@pytest.mark.parametrize("kind", Kind)
def test_the_card_tells_how_to_load_it(
    tmp_path: Path, kind: Kind, capsys: pytest.CaptureFixture[str]
) -> None:
    (dataset_of_deals if kind is Kind.DEALS else dataset_of_tables)(tmp_path)
    folder = tmp_path / "set"
    pandas, own = re.findall(r"```python\n(.*?)```", (folder / "README.md").read_text(), re.S)
    (path,) = re.findall('"FOLDER/(.*)"', pandas)
    found: dict[str, Any] = {}
    exec(own.replace("FOLDER", str(folder)), found)
    told = len(found["deals"]) if kind is Kind.DEALS else capsys.readouterr().out.count("\n")
    assert told == parquet.read_table(folder / path).num_rows > 0


def test_a_title_cannot_break_the_heading(tmp_path: Path) -> None:
    write_dataset(tmp_path / "set", facts(Kind.DEALS, 'x"\n---\nlicense: mit'), [])
    card = (tmp_path / "set" / "README.md").read_text()
    assert card.split("---\n")[1].count("license") == 2  # the second within the quoted title
    assert 'pretty_name: "x\\"\\n---\\nlicense: mit"' in card.splitlines()


def test_a_dataset_that_fails_leaves_nothing(tmp_path: Path) -> None:
    def rows() -> Iterator[Row]:
        yield table_row(play_match("random", "random", 1, seed=1).records[0])
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="the disk is full"):
        write_dataset(tmp_path / "set", facts(Kind.TABLES), rows())
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_no_dataset_is_told_in_a_line(tmp_path: Path) -> None:
    dataset_of_deals(tmp_path)
    folder = tmp_path / "set"
    with pytest.raises(
        reading.DatasetError, match=r"no split 'dev' \(there are train, validation, test\)"
    ):
        read_deals(folder, "dev")
    with pytest.raises(
        reading.DatasetError, match=r"train\.parquet is no dataset of tables: no 'event' of"
    ):
        list(read_tables(folder))
    with pytest.raises(reading.DatasetError, match=r"cannot read .*nowhere"):
        read_deals(tmp_path / "nowhere")
    path = folder / "data" / "train.parquet"
    table = parquet.read_table(path)
    broken = table.set_column(
        table.column_names.index("deal"), "deal", pa.array(["N:A..."] * len(table))
    )
    parquet.write_table(broken, path)
    with pytest.raises(
        reading.DatasetError, match=r"train\.parquet, in the rows from 1: 'N:A\.\.\.' is"
    ):
        read_deals(folder)
    path.write_bytes(b"PAR1 not really")
    with pytest.raises(reading.DatasetError, match=r"cannot read .*train\.parquet"):
        read_deals(folder)


@pytest.mark.parametrize(
    ("column", "cell"),
    [
        ("deal", None),
        ("deal", "N:A..."),
        ("board", None),
        ("calls", "8NT"),
        ("notes", "[" * 100_000),
        ("notes", "[5]"),
        ("contract", "9NT"),
        ("cards", "S1"),
        ("mode", "all"),
        ("vulnerable", "nobody"),
    ],
)
def test_a_bad_row_is_told_in_a_line(tmp_path: Path, column: str, cell: str | None) -> None:
    row = dict(table_row(play_match("random", "random", 1, seed=1).records[0]).cells)
    folder = tmp_path / "data"
    folder.mkdir()
    kinds = {str: pa.string(), int: pa.int64(), float: pa.float64()}
    schema = pa.schema([(name, kinds[kind]) for name, kind in columns(Kind.TABLES).items()])
    table = pa.Table.from_pylist([row, row | {column: cell}], schema)
    parquet.write_table(table, folder / "train.parquet")
    rows = read_tables(tmp_path)
    next(rows)
    with pytest.raises(reading.DatasetError, match=r"train\.parquet, row 2: "):
        next(rows)
