"""An estimate of the time that an event takes, made before anything is started."""

from __future__ import annotations

from itertools import starmap
from statistics import fmean

from bridge_arena.base.wording import duration, plural
from bridge_arena.bridge.record import Mode
from bridge_arena.tournaments.events.deal_control import FEWEST_BOARDS, DealControl
from bridge_arena.tournaments.events.event import (
    Entrant,
    Event,
    EventSize,
    event_size,
    setting_text,
)
from bridge_arena.tournaments.events.sealed_deals import deals_in_short
from bridge_arena.tournaments.formats.rules import Format

TABLE_SECONDS = 0.05
"""Processor time in seconds of a board at one table without the bots' thinking: that of the arena,
the double-dummy analysis and the report (benchmarks/results/bots.md, Cost of the bots)."""

START_SECONDS = 2.0
"""Processor time in seconds to start an entry's processes."""

AWARD_SECONDS = 0.1
"""Processor time in seconds of the double-dummy analysis that scores a board that is only bid."""

CALLS, CARDS = 10, 52
"""About so many calls and cards of a board wait for the pace of a table."""


def estimate(event: Event, concurrency: int, pace: float = 0.0) -> list[str]:
    """Return lines that say what is played, and how long it takes at so many tables at once.

    Each has a processor of its own, and lets at least `pace` seconds pass between two calls or
    cards. Raises ValueError if so many entries cannot play the format.
    """
    size = event_size(event)
    return [
        f"{event.name}: {_what(event)}, {deals_in_short(event)}",
        *(
            f"  {number}. {_entry(entrant)}"
            for number, entrant in enumerate(event.entries, start=1)
        ),
        _played(event, size),
        *_time(event, size, concurrency, pace),
    ]


def _what(event: Event) -> str:
    parts = [event.format.value]
    if event.format is Format.PAIRS:
        parts.append(event.movement.value)
    if event.mode is not Mode.FULL:
        parts.append(f"{event.mode} only")
    return f"{', '.join(parts)}, scored by {event.scoring}, {len(event.entries)} entries"


def _entry(entrant: Entrant) -> str:
    name = entrant.name if entrant.name == entrant.bot else f"{entrant.name} ({entrant.bot})"
    seconds = entrant.party().seconds
    own = [] if entrant.dir is None else [f"in {entrant.dir}"]
    if entrant.env:
        own.append(f"env {' '.join(named.partition('=')[0] for named in entrant.env)}")
    own += starmap(setting_text, entrant.own.items())
    time = f"{'unknown' if seconds is None else f'{seconds:.2g} s'} a board"
    return ", ".join([f"{name}: {time}", *own])


def _played(event: Event, size: EventSize) -> str:
    teams = event.format.is_teams
    matches = plural(size.matches, "match" if teams else "sitting")
    if teams and size.matches != 1:
        matches = f"{size.matches} matches"
    text = (
        f"{plural(size.rounds, 'round')}, {matches} of {plural(event.boards, 'board')}"
        f"{' in two rooms' if teams else ''}: {plural(size.boards, 'different board')}, "
        f"{plural(size.tables, 'table')} to play"
    )
    if event.format is Format.KNOCK_OUT:
        text += ", and more where a match ends level"
    if event.sprt is not None:
        text += ", or fewer where the sequential test ends it early"
    return text


def _time(event: Event, size: EventSize, concurrency: int, pace: float) -> list[str]:
    """Return the estimated time and its assumptions."""
    seconds = [entrant.party().seconds for entrant in event.entries]
    known = [cost or 0.0 for cost in seconds]
    rounds_of = event.format.rules.rounds
    if rounds_of is not None:
        matches = [match for matches in rounds_of(len(known)) for match in matches]
        thinking = fmean(known[home] + known[visitors] for home, visitors in matches)
    else:
        thinking = 2 * fmean(known)
    table = TABLE_SECONDS + (AWARD_SECONDS if event.mode is Mode.BIDDING else 0.0) + thinking
    table = max(table, pace * (CALLS if event.mode is Mode.BIDDING else CALLS + CARDS))
    at_once = min(concurrency, size.tables)
    total = (len(event.entries) * START_SECONDS + size.tables * table) / at_once
    lines = [
        f"about {duration(total)}: {table:.2g} s a table, {at_once} at once with a processor each"
    ]
    unknown = [
        entrant.name for entrant, cost in zip(event.entries, seconds, strict=True) if cost is None
    ]
    if unknown:
        lines.append(f"no time is counted for bots that do not ship: {', '.join(unknown)}")
    if event.mode is not Mode.FULL:
        lines.append("the bots' time is that of bidding and play together, so it takes less")
    if event.format is Format.KNOCK_OUT and len(set(known)) > 1:
        lines.append("the bots' time is as if all got equally far")
    if event.boards >= FEWEST_BOARDS and DealControl.of(event):
        lines.append("controlled estimates afterwards take up to as long again")
    return lines
