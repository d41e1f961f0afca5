"""The events of a file of boards.

A file whose header defines an event has that one. Else each of its matches is an event, and matches
are distinguished by the names of their teams.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from bridge_arena.board_files.problems import Problem
from bridge_arena.board_files.records import read_records
from bridge_arena.bridge.record import BoardRecord, Mode, Room
from bridge_arena.bridge.seats import SEATS, Side
from bridge_arena.tournaments.events.event import Entrant, Event, Format
from bridge_arena.tournaments.events.pbn_header import Header, header_in
from bridge_arena.tournaments.schedule.units import VISITORS

MatchKey = tuple[str, str, Mode]
"""The key of a match in a file: home and visitors as recorded, and the mode."""


def by_match(records: Iterable[BoardRecord]) -> dict[MatchKey, list[BoardRecord]]:
    """Return the records of each match of a file."""
    matches: dict[MatchKey, list[BoardRecord]] = {}
    for record in records:
        matches.setdefault((record.home, record.visitors, record.mode), []).append(record)
    return matches


def team_names(records: Sequence[BoardRecord]) -> tuple[str, str]:
    """Return the names of home and visitors; if not recorded, the pairs of the open room.

    Args:
        records: The records of one match.

    Returns:
        Two names.

    Raises:
        ValueError: The records are of more than one match.
    """
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
    """Return the events of a file of boards with their records.

    Args:
        path: The file.
        problems: A list to which games that cannot be read are added.

    Returns:
        The event of the header; without one, an event for each match of two teams.

    Raises:
        BoardFileError: The file cannot be read.
    """
    header = header_in(path)
    # A file may repeat a game, which would count twice.
    records = list(dict.fromkeys(read_records(path, problems.append)))
    if header is not None:
        return [(header, records)]
    events: list[tuple[Header, list[BoardRecord]]] = []
    for key, each in by_match(records).items():
        event = _match_event(path, key, each)
        # The round and table belong to an event that is not known, and would be mistaken for
        # those of the match. The visitors have another name if a team met itself.
        visitors = event.entries[VISITORS].name if each[0].visitors else ""
        plain = [replace(one, round=None, table=None, visitors=visitors) for one in each]
        events.append((Header(event), plain))
    return events


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
