"""The files of an event's folder, and what its PBN file says of the event.

The definition of the event is in the file's header, in escaped lines (PBN 2.1, section 2.4), which
other programs skip. With it the standings can be computed from the records; once the key is added,
it also proves that the boards are those that were committed to. A file without such a header has an
event for each of its matches, which are told apart by the names of their teams.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from io import TextIOWrapper
from pathlib import Path

from pydantic import ValidationError

from bridge_arena.base.files import replacing
from bridge_arena.base.recorded_text import Problem
from bridge_arena.board_files.formats import Format as FileFormat
from bridge_arena.board_files.problems import BoardFileError
from bridge_arena.board_files.records import read_records
from bridge_arena.board_files.texts import BoardText, texts_in
from bridge_arena.bridge.record import BoardRecord, Mode, Room
from bridge_arena.bridge.seats import SEATS, Side
from bridge_arena.bridge.seeds import DealKey
from bridge_arena.pbn.write.writer import HEADER
from bridge_arena.tournaments.events.event import Entrant, Event
from bridge_arena.tournaments.events.sealed_deals import (
    Commitment,
    Origin,
    Provenance,
    definition_of,
)
from bridge_arena.tournaments.formats.rules import Format
from bridge_arena.tournaments.schedule.rulings import Ruling, RulingsOn, checked_rulings
from bridge_arena.tournaments.schedule.units import VISITORS

STORE = "results.sqlite"
LOG = "log.jsonl"
PBN_NAMES = ("match.pbn", "event.pbn")
"""The PBN files of a plain match and of any other event."""

_EVENT, _DEALS, _COMMITMENT, _PUBLIC, _KEY, _RULINGS = (
    f"% Arena{word} " for word in ("Event", "Deals", "Commitment", "Public", "Key", "Rulings")
)

SEVERAL = "% ArenaEvents "
"""Begins the line of a file in which each of several events has its header before its games."""

_MARKS = (_EVENT, _COMMITMENT, _PUBLIC, _KEY, _RULINGS)

_BEFORE_RULINGS = re.compile(r'\[Result "[^\r\n]*"\]\r\n(?:\[ArenaAdjusted "[^\r\n]*"\]\r\n)?')
"""The tags of a game after which those that tell of rulings come."""

_MOST_NAMED = 10
"""The most rulings that a game names, the last ones."""

_WIDTH = 200
"""Characters of a value on one line; PBN allows 255 in all."""

_DEALS_TEXT = {
    Origin.SEALED: "sealed: dealt from a secret key",
    Origin.REPRODUCIBLE: "reproducible, not sealed: dealt from a seed",
    Origin.FILE: "not sealed: the boards of a file",
    Origin.PUBLIC_SEED: "not sealed: a public hash of a seed",
}
"""The header's text for human readers about the origin of the boards."""


@dataclass(frozen=True, slots=True)
class Header:
    """The facts about its event that the header of a PBN file holds."""

    event: Event  # the event's definition
    commitment: Commitment | None = None  # the commitment to its deals; None if the file has none
    rulings: tuple[Ruling, ...] = ()  # the rulings of its director


def header_of(
    event: Event, commitment: Commitment | None = None, rulings: Sequence[Ruling] = ()
) -> str:
    """Return the header of an event's PBN file."""
    origin = Provenance(event, commitment).origin
    lines = list(_lines(_EVENT, commitment.definition if commitment else definition_of(event)))
    if origin in _DEALS_TEXT:
        lines.append(f"{_DEALS}{_DEALS_TEXT[origin]}")
    if commitment is not None:
        lines.append(f"{_COMMITMENT}{commitment.digest}")
        if commitment.public_value:
            lines += _lines(_PUBLIC, json.dumps(commitment.public_value))
        if commitment.key is not None:
            lines.append(f"{_KEY}{commitment.key}")
    if rulings:
        made = [ruling.model_dump(mode="json", exclude_none=True) for ruling in rulings]
        lines += _lines(_RULINGS, json.dumps(made))
    return HEADER + "".join(f"{line}\r\n" for line in lines)


def headers_in(path: Path) -> list[Header]:
    """Return the headers of the events of a file. Raises BoardFileError."""
    headers: list[Header] = []
    values: defaultdict[str, str] = defaultdict(str)
    first: dict[str, int] = {}
    is_last = True  # whether no other header may come

    def close() -> None:
        if _EVENT in values:
            headers.append(_header(path, values, first))
        values.clear()
        first.clear()

    with closing(texts_in(path)) as texts:
        for number, line in enumerate(_lines_of(next(texts)), start=1):
            if not line.startswith("%"):
                close()
                if is_last:
                    break
                continue
            is_last &= not line.startswith(SEVERAL)
            for mark in _MARKS:
                if line.startswith(mark):
                    first.setdefault(mark, number)
                    values[mark] += line.removeprefix(mark).rstrip("\n")
    close()
    return headers


def _header(path: Path, values: Mapping[str, str], first: Mapping[str, int]) -> Header:
    """Return a header by the values of its marks, which are first in these lines."""

    def broken(mark: str, reason: str) -> BoardFileError:
        return BoardFileError(Problem(str(path), first[mark], 0, reason))

    try:
        event = Event.model_validate_json(values[_EVENT])
    except ValidationError as error:
        where = ".".join(map(str, error.errors()[0]["loc"])) or "its text"
        reason = f"no event of this release: {where}: {error.errors()[0]['msg']}"
        raise broken(_EVENT, reason) from None
    try:
        made = json.loads(values[_RULINGS]) if _RULINGS in values else []
        rulings = tuple(checked_rulings(made, event))
    except (TypeError, ValueError, RecursionError) as error:
        raise broken(_RULINGS, f"no rulings: {error}") from None
    if _COMMITMENT not in values:
        return Header(event, None, rulings)
    try:
        public_value = json.loads(values[_PUBLIC]) if _PUBLIC in values else ""
    except ValueError:
        raise broken(_PUBLIC, "the value of the public text is no text in quotes") from None
    try:
        key = DealKey.parse(values[_KEY]) if _KEY in values else None
    except ValueError as error:
        raise broken(_KEY, f"no deal key: {error}") from None
    digest = values[_COMMITMENT].strip()
    return Header(event, Commitment(values[_EVENT], digest, str(public_value), key), rulings)


def _lines_of(text: BoardText) -> Iterator[str]:
    """Yield the lines of a text; none if it is not PBN."""
    if text.format is not FileFormat.PBN:
        return
    try:
        with text.open() as stream:
            yield from TextIOWrapper(stream, encoding="latin-1", newline=None)
    except OSError as error:
        reason = f"cannot be read: {error.strerror or error}"
        raise BoardFileError(Problem(text.name, 0, 0, reason)) from None


def _lines(mark: str, text: str) -> Iterator[str]:
    for start in range(0, len(text), _WIDTH):
        yield f"{mark}{text[start : start + _WIDTH]}"


MatchKey = tuple[str, str, Mode]
"""The key of a match in a file: home and visitors as recorded, and the mode."""


def by_match(records: Iterable[BoardRecord]) -> dict[MatchKey, list[BoardRecord]]:
    """Return the records of each match of a file."""
    matches: dict[MatchKey, list[BoardRecord]] = {}
    for record in records:
        matches.setdefault((record.home, record.visitors, record.mode), []).append(record)
    return matches


def team_names(records: Sequence[BoardRecord]) -> tuple[str, str]:
    """Return the names of home and visitors, or of the open room's pairs. Raises ValueError."""
    matches = by_match(records)
    if len(matches) > 1:
        names = "; ".join(
            f"{home} - {visitors} ({mode})" for home, visitors, mode in sorted(matches)
        )
        raise ValueError(f"these are records of {len(matches)} matches, not of one: {names}")
    home, visitors, _ = next(iter(matches), ("", "", Mode.FULL))
    return (
        home or _pair(records, Side.NS) or "Home",
        visitors or _pair(records, Side.EW) or "Visitors",
    )


def _pair(records: Sequence[BoardRecord], side: Side) -> str:
    """Return the pair that the first board names on a side of the open room; "" if none."""
    in_open_room = [record for record in records if record.room is not Room.CLOSED]
    for record in sorted(in_open_room, key=lambda record: record.board.number):
        seats = [seat for seat in SEATS if seat.side == side]
        names = dict.fromkeys(record.players[seat] for seat in seats if record.players[seat])
        if names:
            return " and ".join(names)
    return ""


def recorded_events(path: Path, problems: list[Problem]) -> list[tuple[Header, list[BoardRecord]]]:
    """Return the events of a file of boards with their records. Raises BoardFileError.

    Of several events, those without records are left out. Without an event in the header there is
    one for each match of two teams. `problems` gets those of games that cannot be read.
    """
    headers = headers_in(path)
    # A file may repeat a game, which would count twice.
    records = list(dict.fromkeys(read_records(path, problems.append)))
    if headers:
        return list(records_by_event(path, headers, records, problems))
    events: list[tuple[Header, list[BoardRecord]]] = []
    for key, of_match in by_match(records).items():
        event = _match_event(path, key, of_match)
        # The round and table belong to an event that is not known, and would be mistaken for
        # those of the match. The visitors have another name if a team met itself.
        visitors = event.entries[VISITORS].name if of_match[0].visitors else ""
        plain = [replace(one, round=None, table=None, visitors=visitors) for one in of_match]
        events.append((Header(event), plain))
    return events


def records_by_event(
    path: Path, headers: Sequence[Header], records: Sequence[BoardRecord], problems: list[Problem]
) -> Iterator[tuple[Header, list[BoardRecord]]]:
    """Yield the events of a file with their records, which name their event if there are several.

    Of several, those without records are left out. `problems` gets games of other events.
    """
    if len(headers) == 1:
        yield headers[0], list(records)
        return
    of_events: dict[str, list[BoardRecord]] = {}
    for record in records:
        of_events.setdefault(record.event, []).append(record)
    for header in headers:
        if own := of_events.pop(header.event.name, None):
            yield header, own
    for name, others in of_events.items():
        text = f"{len(others)} games are of the event {name!r}, which has no header"
        problems.append(Problem(str(path), 0, 0, text))


def _match_event(path: Path, key: MatchKey, records: Sequence[BoardRecord]) -> Event:
    """Return the definition of a match as far as its records tell it."""
    *_, mode = key
    home, visitors = team_names(records)
    if home == visitors:
        visitors = f"{visitors}-2"
    return Event(
        name=next((record.event for record in records if record.event), path.stem),
        format=Format.MATCH,
        entries=(Entrant(bot="", name=home), Entrant(bot="", name=visitors)),
        boards=max(1, len({record.board for record in records})),
        mode=Mode(mode),
    )


def pbn_name(event: Event) -> str:
    """Return the name of an event's PBN file."""
    return PBN_NAMES[event.format is not Format.MATCH]


def with_rulings(game: str, record: BoardRecord, rulings: RulingsOn) -> str:
    """Return the text of a record's game with a tag that names the rulings on it, if there are any.

    The header has their texts. The standard has no tag for a score that was adjusted.
    """
    match = f"{record.round or 1}/{record.table or 1}"
    named = rulings.table(match, record.board.number, record.room)
    if not named:
        return game
    text = ", ".join(f"{ruling.number} {ruling.decision.kind}" for ruling in named[-_MOST_NAMED:])
    return _BEFORE_RULINGS.sub(lambda tags: f'{tags[0]}[ArenaRulings "{text}"]\r\n', game, count=1)


def write_pbn(folder: Path, event: Event, parts: Iterable[str]) -> None:
    """Write the PBN file of an event to its folder: the header, and the texts of its records.

    Raises OSError.
    """
    # Until the event is over, others may still have to play its deals.
    with (
        replacing(folder / pbn_name(event), is_private=True) as unfinished,
        unfinished.open("wb") as file,
    ):
        file.writelines(part.encode("latin-1", "replace") for part in parts)


def pbn_in(folder: Path) -> Path | None:
    """Return the PBN file of a folder of results whose store is elsewhere; None if it has none."""
    if (folder / STORE).exists():
        return None
    paths = (folder / name for name in PBN_NAMES)
    return next((path for path in paths if path.exists()), None)


def holds_run(folder: Path) -> bool:
    """Return whether a folder holds the results of an event."""
    return (folder / STORE).exists() or pbn_in(folder) is not None
