"""The folder of one event on a site: its report, its replays, and its files to download."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from pathlib import Path

from bridge_arena.base.files import replace_file
from bridge_arena.lin.writer import format_records
from bridge_arena.pbn.write.compose import game_of
from bridge_arena.pbn.write.writer import format_canonical
from bridge_arena.reports.common.replay_pages import FOLDER
from bridge_arena.reports.leaderboard.figures import leaderboard
from bridge_arena.reports.leaderboard.report import PAGE, TABLE, write_leaderboard
from bridge_arena.reports.leaderboard.report import SUMMARY as LEADERBOARD
from bridge_arena.reports.match.figures import MatchFigures, match_figures
from bridge_arena.reports.match.report import REPORT, write_match_report
from bridge_arena.reports.match.report import SUMMARY as MATCH
from bridge_arena.tournaments import EventResults, Format, header_of, standings
from bridge_arena.web.replays.folder import write_match_replays, write_replays

PBN, LIN, BOARDS = "boards.pbn", "boards.lin", "boards.csv"

FIRST = 3
"""The number of entries that the index names."""


@dataclass(frozen=True, slots=True)
class PublishedEvent:
    """The entry of an event in the index."""

    folder: str  # its folder on the site
    page: str  # the page in the folder to read first
    name: str
    format: str
    date: str  # its date, as far as it is known
    entries: int
    tables: int  # the number of tables played
    unit: str  # the unit of the scores
    best: tuple[tuple[int, str, str], ...]  # rank, name and score of the first entries
    downloads: tuple[tuple[str, str], ...]  # files, with their descriptions


def write_event(results: EventResults, folder: Path) -> PublishedEvent:
    """Write an event's folder.

    Raises:
        OSError: A file cannot be written.
        ValueError: A record is not of the event.
    """
    folder.mkdir(parents=True)
    event = results.event
    records = [played.record for played in results.played]
    games = "".join(format_canonical(game_of(record)) for record in records)
    replace_file(folder / PBN, (header_of(event, results.commitment) + games).encode("latin-1"))
    replace_file(folder / LIN, "".join(format_records(records)).encode())
    if event.format is Format.MATCH:
        figures = match_figures(results)
        write_match_report(figures, folder, _UP)
        write_match_replays(event, figures.match, folder / FOLDER, is_private=False)
        replace_file(folder / BOARDS, _boards_csv(figures).encode())
        name, page = " – ".join(entrant.name for entrant in event.entries), REPORT
        downloads = (MATCH, "figures (JSON)"), (BOARDS, "boards (CSV)")
    else:
        board = leaderboard([results])
        write_leaderboard(board, folder, _UP)
        write_replays(board, folder / FOLDER, is_private=False)
        name, page = event.name, PAGE
        downloads = (LEADERBOARD, "figures (JSON)"), (TABLE, "figures (CSV)")
    ranked = standings(event, results.played)
    first = ranked.entries[:FIRST]
    digits = 0 if all(standing.score == round(standing.score) for standing in first) else 2
    return PublishedEvent(
        folder=folder.name,
        page=page,
        name=name,
        format=event.format.value,
        date=_day(max((record.date for record in records), default="")),
        entries=len(event.entries),
        tables=len(records),
        unit=ranked.unit,
        best=tuple(
            (standing.rank, event.entries[standing.entry].name, f"{standing.score:.{digits}f}")
            for standing in first
        ),
        downloads=((PBN, "PBN"), (LIN, "LIN"), *downloads),
    )


def _day(date: str) -> str:
    """Return PBN's date in the form of ISO 8601, without the parts that are not known."""
    return "-".join(part for part in date.split(".") if "?" not in part)


_UP = "../index.html"
"""The page of the site that lists the events."""


def _boards_csv(figures: MatchFigures) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(
        (
            *("board", "dealer", "vulnerability", "room", "contract", "declarer", "tricks"),
            *("dd_tricks", "score", "imps"),
        )
    )
    for row in figures.board_results:
        for room, table in (("open", row.open), ("closed", row.closed)):
            contract = table.contract
            final = ("Pass", None) if contract is None else (contract, contract.declarer)
            where = row.board, row.dealer, row.vulnerability, room
            writer.writerow((*where, *final, table.tricks, table.dd_tricks, table.score, row.imps))
    return text.getvalue()
