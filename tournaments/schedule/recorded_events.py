"""The events of a file of boards: the one that its header tells, or its matches, told apart by the
names of their teams."""

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
"""How the matches of a file are told apart: home and visitors as recorded, and the mode."""


def by_match(records: Iterable[BoardRecord]) -> dict[MatchKey, list[BoardRecord]]:
    """The records of each match of a file."""
    matches: dict[MatchKey, list[BoardRecord]] = {}
    for record in records:
        matches.setdefault((record.home, record.visitors, record.mode), []).append(record)
    return matches


def team_names(records: Sequence[BoardRecord]) -> tuple[str, str]:
    """Home and visitors; where they are not recorded, the pairs of the open room.

    Raises ValueError for records of more than one match.
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
    """The pair that the first board names on one side of the open room; "" if none."""
    in_open_room = [record for record in records if record.room is not Room.CLOSED]
    for record in sorted(in_open_room, key=lambda record: record.board.number):
        seats = [seat for seat in SEATS if seat.side == side]
        names = dict.fromkeys(record.players[seat] for seat in seats if record.players[seat])
        if names:
            return " and ".join(names)
    return ""


def recorded_events(path: Path, problems: list[Problem]) -> list[tuple[Header, list[BoardRecord]]]:
    """The events of a file of boards with their records: the one that its header tells, else one
    for each match of two teams. Raises BoardFileError; games that are no records are added to
    `problems`."""
    header = header_in(path)
    records = list(read_records(path, problems.append))
    if header is not None:
        return [(header, records)]
    events: list[tuple[Header, list[BoardRecord]]] = []
    for key, each in by_match(records).items():
        event = _match_event(path, key, each)
        # Round and table of an event that is not known would be taken for those of the match;
        # a team that met itself is told apart.
        visitors = event.entries[VISITORS].name if each[0].visitors else ""
        plain = [replace(one, round=None, table=None, visitors=visitors) for one in each]
        events.append((Header(event), plain))
    return events


def _match_event(path: Path, key: MatchKey, records: Sequence[BoardRecord]) -> Event:
    """What can be told of a match from its records alone."""
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
