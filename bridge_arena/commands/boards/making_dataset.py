"""The work of `arena boards dataset`, apart from its options, as it loads numpy and the store."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import bridge_arena
from bridge_arena.base.wording import plural
from bridge_arena.board_files.problems import BoardFileError
from bridge_arena.board_files.records import read_records
from bridge_arena.board_files.texts import name_of, title_of
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.commands.common.errors import FailedError, UnusableError, complain, unusable
from bridge_arena.commands.common.loading import Extent, load
from bridge_arena.commands.common.progress import LongWork
from bridge_arena.oracle.solved_deals import SUFFIX, SolvedDealsError, read_heading
from bridge_arena.recorded.datasets.rows import Kind, deal_rows, table_row
from bridge_arena.recorded.datasets.writing import Facts, write_dataset
from bridge_arena.recorded.frames import Format, load_libraries
from bridge_arena.tournaments.schedule.event_files import PBN_NAMES
from bridge_arena.tournaments.store.database import is_url


def make_dataset(sources: Sequence[str], out: Path, licence: str, title: str) -> None:
    """Write a dataset, and print what it holds.

    Raises UnusableError if the folder is there already, or a source cannot be read, and FailedError
    if games that are not records were left out.
    """
    load_libraries(Format.PARQUET)
    sources = _distinct(sources)
    shards = [_shards(source) for source in sources]
    left_out: list[object] = []
    if all(shards):
        paths = [path for files in shards for path in files]
        kind, rows, notes = Kind.DEALS, deal_rows(paths), _origins(paths)
    elif any(shards):
        raise UnusableError("some sources are solved deals and others are not: give one kind")
    else:
        kind, rows, notes = Kind.TABLES, map(table_row, _records(sources, left_out)), []
    made_by = f"Bridge Arena {bridge_arena.__version__} (`arena boards dataset`)"
    facts = Facts(kind, title or name_of(out.name), licence, [*map(_name, sources)], made_by, notes)
    with unusable(SolvedDealsError, BoardFileError, writing=out), LongWork() as work:
        counts = write_dataset(out, facts, work.count(rows, "writing", None, f"{kind.value}"))
    splits = ", ".join(f"{count} for {split}" for split, count in counts.items())
    what = "deal" if kind is Kind.DEALS else "table"
    print(f"{plural(sum(counts.values()), what)} in {out}: {splits}")
    if left_out:
        raise FailedError(f"{plural(len(left_out), 'game')} left out")


def _distinct(sources: Sequence[str]) -> list[str]:
    """Return each source once, and tell of those that are given twice, by name or in a folder."""
    kept: dict[Path, str] = {}
    places = [Path(source).resolve() for source in sources]
    for place, source in zip(places, sources, strict=True):
        is_part = place.suffix == SUFFIX or place.name in PBN_NAMES
        if place in kept or (is_part and place.parent in places):
            name = _name(source) if is_url(source) else name_of(source)
            complain(f"{name}: it is given twice: counted once")
        else:
            kept[place] = source
    return list(kept.values())


def _shards(source: str) -> list[Path]:
    """Return the files of solved deals of a source; none if it is something else."""
    path = Path(source)
    if path.is_dir():
        return sorted(path.glob(f"*{SUFFIX}"))
    return [path] if path.suffix == SUFFIX else []


def _origins(paths: Sequence[Path]) -> list[str]:
    """Return lines for the card: the seeds of solved deals, and their solvers."""
    with unusable(SolvedDealsError, reading=True):
        headings = [read_heading(path) for path in paths]
    seeds = sorted({heading.seed for heading in headings})
    solvers = sorted({heading.solver for heading in headings})
    return [
        "The deals are a public hash of the seed, uniform over all deals "
        f"(`bridge_arena.bridge.board.redeal`); seeds: {', '.join(map(str, seeds))}.",
        f"They were solved by {', '.join(solvers)}.",
    ]


def _records(sources: Sequence[str], left_out: list[object]) -> Iterator[BoardRecord]:
    """Yield the records of sources; print the problems of games that are left out."""
    for source in sources:
        if is_url(source) or Path(source).is_dir():
            for results in load(source, [], Extent.RECORDS):
                yield from (played.record for played in results.played)
            continue
        yield from read_records(source, left_out.append)
    for problem in left_out:
        complain(problem)


def _name(source: str) -> str:
    """Return what the card calls a source, without its folder or host."""
    if is_url(source):
        return "a database"
    path = Path(source)
    return name_of(path.resolve().name if path.is_dir() else title_of(source))
