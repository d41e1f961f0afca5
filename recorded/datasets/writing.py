"""Writes a dataset: a folder with a Parquet file for each split, and a card that tells of it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from bridge_arena.base.files import beside, held
from bridge_arena.recorded.datasets.rows import (
    MEANINGS,
    SHARES,
    Kind,
    Row,
    Split,
    columns,
    split_of,
)
from bridge_arena.recorded.frames import Format, open_frame

NAME = "README.md"
"""The name of a card: that which Hugging Face reads."""

_NAMED = 10
"""The number of sources that are named."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What a card tells of a dataset."""

    kind: Kind  # what it holds
    title: str  # its name
    licence: str  # the licence, by its name at Hugging Face
    sources: Sequence[str]  # the names of what it was made of
    made_by: str  # the program and version that made it
    notes: Sequence[str] = ()  # lines on how the data came about, such as seeds and solvers


def write_dataset(folder: Path, facts: Facts, rows: Iterable[Row]) -> Mapping[Split, int]:
    """Write a whole dataset, or nothing.

    Raises FileExistsError if the folder is there, BlockingIOError if another run writes it, and
    OSError, which names the folder.
    """
    prefix = f".{folder.name}."
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with (
            held(beside(folder), folder),
            TemporaryDirectory(prefix=prefix, dir=folder.parent) as place,
        ):
            if folder.exists():  # perhaps since another run has ended
                raise FileExistsError(f"{folder} is there already: choose another --out")
            unfinished = Path(place) / folder.name
            counts = _write_files(unfinished, facts.kind, rows)
            (unfinished / NAME).write_text(card_of(facts, counts), encoding="utf-8")
            unfinished.rename(folder)
    except OSError as error:
        if str(folder.parent / prefix) in str(error.filename):
            raise OSError(error.errno, error.strerror, str(folder)) from None
        raise
    return counts


def _write_files(folder: Path, kind: Kind, rows: Iterable[Row]) -> Mapping[Split, int]:
    counts = dict.fromkeys(Split, 0)
    with ExitStack() as files:
        frames = {}
        for split in Split:
            path = folder / file_of(split)
            path.parent.mkdir(parents=True, exist_ok=True)
            frames[split] = files.enter_context(open_frame(path, columns(kind), Format.PARQUET))
        for row in rows:
            split = split_of(row.deal)
            frames[split](row.cells)
            counts[split] += 1
    return counts


_INTROS = {
    Kind.DEALS: "Deals of contract bridge with their double-dummy tables: the tricks of each "
    "declarer in each denomination if all four players see all cards. A row is a deal.",
    Kind.TABLES: "Boards of contract bridge as they were bid and played. A row is a board at one "
    "table, so the boards of a match come twice, once for each room.",
}

_LOADERS = {
    Kind.DEALS: """\
from bridge_arena.recorded.datasets.reading import read_deals

deals = read_deals("FOLDER", "train")  # arrays: deals.seats, deals.tricks""",
    Kind.TABLES: """\
from bridge_arena.recorded.datasets.reading import read_tables

for record in read_tables("FOLDER", "train"):
    print(record.board.number, record.contract, record.score)""",
}


def card_of(facts: Facts, counts: Mapping[Split, int]) -> str:
    total = sum(counts.values())
    sizes = ("n<1K", "1K<n<10K", "10K<n<100K", "100K<n<1M", "1M<n<10M")
    size = sizes[min(len(sizes) - 1, max(0, len(str(total)) - 3))]
    shares = ", ".join(f"{share} % {split}" for split, share in SHARES.items())
    lines = [
        "---",
        # JSON's strings are strings of YAML.
        f"license: {json.dumps(facts.licence)}",
        f"pretty_name: {json.dumps(facts.title, ensure_ascii=False)}",
        "tags: [bridge, card-games, imperfect-information]",
        f"size_categories: [{json.dumps(size)}]",
        "configs:",
        "- config_name: default",
        "  data_files:",
        *(f"  - {{split: {split}, path: {file_of(split)}}}" for split in Split),
        "---",
        "",
        f"# {facts.title}",
        "",
        _INTROS[facts.kind],
        "",
        "## Splits",
        "",
        "| split | rows | file |",
        "| --- | --- | --- |",
        *(f"| {split} | {counts[split]} | `{file_of(split)}` |" for split in Split),
        "",
        f"The split of a deal is a hash of North's and South's hands ({shares} of all deals). "
        "So no deal is in two splits, of this dataset or of any other that the arena makes.",
        "",
        "## Columns",
        "",
        "| column | meaning |",
        "| --- | --- |",
        *(f"| `{name}` | {meaning} |" for name, meaning in MEANINGS[facts.kind].items()),
        "",
        "An unknown value is null.",
        "",
        "## Loading",
        "",
        "Any library that reads Parquet will do, such as pandas:",
        "",
        "```python",
        "import pandas as pd",
        "",
        f'rows = pd.read_parquet("FOLDER/{file_of(Split.TRAIN)}")',
        "```",
        "",
        "With the loader of Bridge Arena (its extra `parquet`):",
        "",
        "```python",
        _LOADERS[facts.kind],
        "```",
        "",
        "## How it was made",
        "",
        f"By {facts.made_by}, from {_listed(facts.sources)}.",
        *facts.notes,
        "",
        "## Licence",
        "",
        f"`{facts.licence}`, as whoever made this dataset says.",
        "",
    ]
    return "\n".join(lines)


def file_of(split: Split) -> str:
    return f"data/{split}.parquet"


def _listed(sources: Sequence[str]) -> str:
    """Return the names of sources, the first ones of many."""
    names = ", ".join(f"`{source}`" for source in sources[:_NAMED])
    left = len(sources) - _NAMED
    return names if left <= 0 else f"{names} and {left} more"
