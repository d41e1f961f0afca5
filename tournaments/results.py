"""The files of a match, made from its store: `match.pbn`, `summary.json`, `report.html`.

Each is written beside its place and moved there whole, so that none is ever half-written.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path

from bridge.record import BoardRecord
from bridge.seats import Seat
from oracle.pool import Oracle
from pbn.records import read_records
from pbn.writer import HEADER
from tournaments.analysis.ledgers import analyse
from tournaments.report import html
from tournaments.report.figures import MatchFigures, Timings, match_figures
from tournaments.report.pairing import pair_boards, team_names
from tournaments.report.summary import summary
from tournaments.schedule import room_of, team_at
from tournaments.store import Store

STORE = "results.sqlite"
PBN = "match.pbn"
SUMMARY = "summary.json"
REPORT = "report.html"
LOG = "log.jsonl"


def stored_pbn(store: Store) -> bytes:
    """Every result as one PBN file, in schedule order."""
    return (HEADER + "".join(result.pbn for result in store.results())).encode("latin-1")


def stored_records(store: Store) -> list[BoardRecord]:
    """The records of every result, in schedule order."""
    return list(read_records(BytesIO(stored_pbn(store))))


def write_pbn(store: Store, folder: Path) -> None:
    """Write `match.pbn`."""
    _replace(folder / PBN, stored_pbn(store))


def stored_timings(store: Store) -> Timings:
    """The milliseconds of every action, by team."""
    teams: tuple[list[float], list[float]] = ([], [])
    for result in store.results():
        for seat, milliseconds in result.timings:
            teams[team_at(Seat.parse(seat).side, room_of(result.unit))].append(milliseconds)
    return Timings(*teams)


async def analysed_figures(
    records: Sequence[BoardRecord],
    timings: Timings | None,
    on_table: Callable[[], None],
) -> MatchFigures:
    """The figures of one match, with the oracle's ledgers of the boards that count.

    Raises ValueError as `match_figures` does.
    """
    team_names(records)  # refuses records of several matches before the long work
    pairs, _ = pair_boards(records)
    counted = [record for pair in pairs for record in (pair.open, pair.closed)]
    with Oracle() as oracle:
        ledgers = await analyse(counted, oracle, on_table)
    return match_figures(records, ledgers, timings)


def write_report(figures: MatchFigures, folder: Path) -> None:
    """Write `summary.json` and `report.html`."""
    _replace(folder / SUMMARY, (json.dumps(summary(figures), indent=2) + "\n").encode())
    _replace(folder / REPORT, html.render(figures).encode())


def _replace(path: Path, data: bytes) -> None:
    """Raises OSError."""
    temporary = path.with_name(f".{path.name}.new")
    temporary.write_bytes(data)
    temporary.replace(path)
