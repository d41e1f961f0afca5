"""A site of plain files, which works from `file://` and from any web server."""

from __future__ import annotations

import csv
import io
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from types import MappingProxyType

from bridge_arena.base.files import beside, held, replace_file
from bridge_arena.base.wording import plural
from bridge_arena.lin.writer import format_records
from bridge_arena.pbn.write.compose import game_of
from bridge_arena.pbn.write.writer import format_canonical
from bridge_arena.reports.common.replay_pages import FOLDER, list_address
from bridge_arena.reports.leaderboard.figures import leaderboard
from bridge_arena.reports.leaderboard.report import PAGE, TABLE, write_leaderboard
from bridge_arena.reports.leaderboard.report import SUMMARY as LEADERBOARD
from bridge_arena.reports.match.figures import MatchFigures, match_figures
from bridge_arena.reports.match.report import REPORT, write_match_report
from bridge_arena.reports.match.report import SUMMARY as MATCH
from bridge_arena.tournaments import EventResults, Format, header_of, standings
from bridge_arena.web.common.pages import STATIC, page_of, write_static
from bridge_arena.web.replays.folder import (
    FiguresOf,
    without_figures,
    write_match_replays,
    write_replays,
)

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
    played: str  # how much was played
    unit: str  # the unit of the scores
    best: tuple[tuple[int | str, str, str], ...]  # rank, name and score of the first entries
    downloads: tuple[tuple[str, str], ...] = ()  # files, with their descriptions
    entry: tuple[str, str] = "entry", "entries"  # what one of them is called, and several


def write_event(results: EventResults, folder: Path, figures_of: FiguresOf) -> PublishedEvent:
    """Write an event's folder. Raises OSError, and ValueError: a record is not of the event."""
    folder.mkdir(parents=True)
    event = results.event
    records = [played.record for played in results.played]
    games = "".join(format_canonical(game_of(record)) for record in records)
    header = header_of(event, results.commitment, results.rulings)
    replace_file(folder / PBN, (header + games).encode("latin-1"))
    replace_file(folder / LIN, "".join(format_records(records)).encode())
    if event.format is Format.MATCH:
        figures = match_figures(results)
        write_match_report(figures, folder, _UP)
        boards = folder / FOLDER
        write_match_replays(event, figures.match, boards, is_private=False, figures_of=figures_of)
        replace_file(folder / BOARDS, _boards_csv(figures).encode())
        name, page = " – ".join(entrant.name for entrant in event.entries), REPORT
        downloads = (MATCH, "figures (JSON)"), (BOARDS, "boards (CSV)")
    else:
        board = leaderboard([results])
        write_leaderboard(board, folder, _UP)
        write_replays(board, folder / FOLDER, is_private=False, figures_of=figures_of)
        name, page = event.name, PAGE
        downloads = (LEADERBOARD, "figures (JSON)"), (TABLE, "figures (CSV)")
    ranked = standings(event, results.so_far)
    first = ranked.entries[:FIRST]
    digits = 0 if all(standing.score == round(standing.score) for standing in first) else 2
    return PublishedEvent(
        folder=folder.name,
        page=page,
        name=name,
        format=event.format.value,
        date=_day(max((record.date for record in records), default="")),
        entries=len(event.entries),
        played=plural(len(records), "result"),
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


WriteLadder = Callable[[Path], PublishedEvent]
"""Writes the folder of a ladder, and returns its entry in the index."""

MARK = ".bridge-arena-site"
"""The file that marks a folder as a site, which may be replaced. It lists what was written beside
it."""

ON_PAGE = 100
"""The most events on a page of the index."""

LADDER = "ladder"
"""The format of a ladder, which is no event."""

_INDEX = "index"
_FILES = {"arena.css", "site.css", "icon.svg"}
"""The files that the index loads."""


class NotASiteError(ValueError):
    """The folder holds something other than a site."""


def write_site(
    events: Sequence[tuple[str, EventResults]],
    out: Path,
    title: str,
    on_event: Callable[[str], None] = lambda _: None,
    figures_of: FiguresOf = without_figures,
    ladders: Mapping[str, WriteLadder] = MappingProxyType({}),
) -> list[PublishedEvent]:
    """Write a site of events, which replaces an existing one when it is complete.

    Args:
        events: The events, each with a name for its folder.
        out: The folder of the site.
        title: Its title.
        on_event: Called with the name of each event or ladder before it is written.
        figures_of: Returns the double-dummy figures of boards.
        ladders: What writes each ladder, by its name.

    Raises:
        NotASiteError: The folder holds something other than a site.
        BlockingIOError: Another run writes the site.
        OSError: A file cannot be written; the error names the site's folder.
        ValueError: A record is not of its event.
    """
    if out.parent.exists() and not out.parent.is_dir():
        raise NotASiteError(f"{out.parent} is no folder: choose another --out")
    if out.exists() and not (out / MARK).is_file() and (not out.is_dir() or any(out.iterdir())):
        raise NotASiteError(f"{out} exists and is not a site: choose another --out")
    if out.exists() and (foreign := _foreign(out)):
        raise NotASiteError(
            f"{out} holds {', '.join(foreign[:3])}, which would be lost, as no site has it: "
            "move it away, or choose another --out"
        )
    with _taking_the_place_of(out) as unfinished:
        published = []
        names = {STATIC}
        for name, results in events:
            on_event(name)
            published.append(write_event(results, unfinished / _own_name(name, names), figures_of))
        for name, write in ladders.items():
            on_event(name)
            published.append(write(unfinished / _own_name(name, names)))
        _write_index(published, unfinished, title)
    return published


@contextmanager
def _taking_the_place_of(out: Path) -> Iterator[Path]:
    """Yield a new folder, which replaces `out` if all went well.

    An OSError names `out`, as the user does not know the new folder.
    """
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with held(beside(out), out):
            unfinished = Path(mkdtemp(prefix=f".{out.name}-", dir=out.parent))
            try:
                unfinished.chmod(0o755)
                yield unfinished
                _replace(out, unfinished)
            finally:
                shutil.rmtree(unfinished, ignore_errors=True)
    except BlockingIOError:
        raise
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(out)) from None


def _write_index(events: Sequence[PublishedEvent], folder: Path, title: str) -> None:
    write_static(folder, _FILES)
    latest = sorted(events, key=lambda event: (event.date, event.folder), reverse=True)
    starts = range(0, len(latest), ON_PAGE)
    for start in starts:
        page = page_of(
            Path(__file__).with_name("index.html"),
            title=title,
            static=f"{STATIC}/",
            count=_count(events),
            plural=plural,
            events=latest[start : start + ON_PAGE],
            later=list_address(_INDEX, start - ON_PAGE) if start else "",
            earlier=list_address(_INDEX, start + ON_PAGE) if start + ON_PAGE in starts else "",
        )
        replace_file(folder / list_address(_INDEX, start), page.encode())
    replace_file(folder / MARK, "".join(f"{path.name}\n" for path in folder.iterdir()).encode())


def _count(events: Sequence[PublishedEvent]) -> str:
    """Return how many events and ladders there are, in words."""
    kinds = Counter("ladder" if event.format == LADDER else "event" for event in events)
    return " and ".join(plural(kinds[kind], kind) for kind in ("event", "ladder") if kinds[kind])


def _foreign(site: Path) -> list[str]:
    """Return what is in the folder of a site but was not written with it."""
    mark = site / MARK
    own = {MARK, *(mark.read_text().splitlines() if mark.is_file() else ())}
    return sorted(path.name for path in site.iterdir() if path.name not in own)


def _own_name(name: str, taken: set[str]) -> str:
    """Return a name for a folder that suits all systems and addresses, and is not taken."""
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", name)[:60]
    # The pages of the index have this ending.
    plain = re.sub(r"(\.html)+$", "", plain.strip(".-"), flags=re.IGNORECASE) or "event"
    free, number = plain, 1
    while free.lower() in taken:
        number += 1
        free = f"{plain}-{number}"
    taken.add(free.lower())
    return free


def _replace(out: Path, new: Path) -> None:
    if not out.exists():
        new.rename(out)
        return
    old = Path(mkdtemp(prefix=f".{out.name}-old-", dir=out.parent))
    out.rename(old / "site")
    try:
        new.rename(out)
    except OSError:
        (old / "site").rename(out)
        raise
    finally:
        shutil.rmtree(old, ignore_errors=True)
